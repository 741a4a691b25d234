//! Elliptic functions and integrals against those of others, with their errors beside their times.

use std::hint::black_box;

use ellip::{
    ellipe, ellipeinc, ellipf, ellipk, ellippi, ellippiinc, elliprc, elliprd, elliprf, elliprg,
    elliprj,
};
use polhode_elliptic::{
    Dd, Parameter, complete_e, complete_k, complete_pi, incomplete_e, incomplete_f, incomplete_pi,
    rc, rd, rf, rg, rj, sn_cn_dn,
};
use polhode_testkit::bodies::Rng;
use polhode_testkit::compare::eps_error;
use polhode_testkit::oracle::{SpecialRow, special_rows};

use crate::Failure;
use crate::effort::Effort;
use crate::peers::boost::Boost;
use crate::peers::gsl::{Gsl, INSTALL};
use crate::report::Report;
use crate::timing::{Entrant, race};

const CALLS: u32 = 200;

/// A modulus this close to one counts as near: 1 - k^2 below it.
const NEAR_ONE: f64 = 1e-4;

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    functions(effort, report);
    integrals(effort, report)?;
    every_function(effort, report);
    Ok(())
}

/// What is called, by us or by others, with four numbers of which it takes as many as it needs.
type Call<'a> = Box<dyn Fn(&[f64; 4]) -> f64 + 'a>;

fn call<'a>(f: impl Fn(&[f64; 4]) -> f64 + 'a) -> Call<'a> {
    Box::new(f)
}

/// Each integral against the libraries that have it, in one race.
///
/// Arguments: an amplitude up to 1.5, a characteristic, a parameter, all of the latter below one; Carlson's
/// are between 0.1 and 9.
#[allow(clippy::too_many_lines, reason = "most of them are the table")]
fn every_function(effort: Effort, report: &mut Report) {
    let nan = |x: Result<f64, polhode_elliptic::DomainError>| x.unwrap_or(f64::NAN);
    let theirs = |x: Result<f64, ellip::StrErr>| x.unwrap_or(f64::NAN);
    let m = |x: &[f64; 4]| Parameter::new(x[2]);
    let none = || call(|_| f64::NAN);
    let ours: [(&str, bool, Call<'_>, Call<'_>); 12] = [
        (
            "sn-cn-dn",
            false,
            call(|x| sn_cn_dn(x[0], m(x)).map_or(f64::NAN, |j| j.sn + j.cn + j.dn)),
            none(),
        ),
        ("K", false, call(|x| nan(complete_k(m(x)))), call(|x| theirs(ellipk(x[2])))),
        ("E", false, call(|x| nan(complete_e(m(x)))), call(|x| theirs(ellipe(x[2])))),
        (
            "Pi",
            false,
            call(|x| nan(complete_pi(Parameter::new(x[1]), m(x)))),
            call(|x| theirs(ellippi(x[1], x[2]))),
        ),
        ("F", false, call(|x| nan(incomplete_f(x[0], m(x)))), call(|x| theirs(ellipf(x[0], x[2])))),
        (
            "E-incomplete",
            false,
            call(|x| nan(incomplete_e(x[0], m(x)))),
            call(|x| theirs(ellipeinc(x[0], x[2]))),
        ),
        (
            "Pi-incomplete",
            false,
            call(|x| nan(incomplete_pi(x[0], Parameter::new(x[1]), m(x)))),
            call(|x| theirs(ellippiinc(x[0], x[1], x[2]))),
        ),
        (
            "RF",
            true,
            call(|x| nan(rf(x[0], x[1], x[2]))),
            call(|x| theirs(elliprf(x[0], x[1], x[2]))),
        ),
        ("RC", true, call(|x| nan(rc(x[0], x[1]))), call(|x| theirs(elliprc(x[0], x[1])))),
        (
            "RD",
            true,
            call(|x| nan(rd(x[0], x[1], x[2]))),
            call(|x| theirs(elliprd(x[0], x[1], x[2]))),
        ),
        (
            "RG",
            true,
            call(|x| nan(rg(x[0], x[1], x[2]))),
            call(|x| theirs(elliprg(x[0], x[1], x[2]))),
        ),
        (
            "RJ",
            true,
            call(|x| nan(rj(x[0], x[1], x[2], x[3]))),
            call(|x| theirs(elliprj(x[0], x[1], x[2], x[3]))),
        ),
    ];
    let gsl = Gsl::find();
    let boost = Boost::build();
    if let Err(why) = &boost {
        report.skipped.push(format!("boost: {why}"));
    }
    let mut rng = Rng::new(13);
    let mut draw = |carlson: bool| -> Vec<[f64; 4]> {
        let top = if carlson { [9.0; 4] } else { [1.5, 0.95, 0.99, 1.0] };
        (0..CALLS).map(|_| top.map(|x| x * rng.uniform(0.011, 1.0))).collect()
    };
    for (name, carlson, mine, ellip) in &ours {
        let arguments = draw(*carlson);
        // What a library has not is not a number from the first call on, and drops out of the race.
        let mut calls: Vec<(String, &Call<'_>)> =
            vec![(format!("elliptic: {name}"), mine), (format!("ellip: {name}"), ellip)];
        let jacobi = gsl.as_ref().and_then(Gsl::jacobi).filter(|_| *name == "sn-cn-dn");
        let from_gsl = match jacobi {
            Some(f) => Some(call(move |x| f(x[0], x[2]).map_or(f64::NAN, |j| j[0] + j[1] + j[2]))),
            None => gsl.as_ref().and_then(|library| library.integral(name)).map(call),
        };
        let from_boost = boost.as_ref().ok().and_then(|library| library.integral(name)).map(call);
        calls.extend(from_gsl.as_ref().map(|f| (format!("gsl: {name}"), f)));
        calls.extend(from_boost.as_ref().map(|f| (format!("boost: {name}"), f)));
        let entrants = calls
            .iter()
            .map(|(title, f)| {
                let arguments = &arguments;
                Entrant::new(title.clone(), CALLS, move || {
                    arguments.iter().all(|x| !black_box(f(black_box(x))).is_nan())
                })
            })
            .collect();
        report.times(&race(effort.rounds(400), entrants));
        for peer in ["ellip", "gsl", "boost"] {
            let theirs = format!("{peer}: {name}");
            if report.nanoseconds.contains_key(&theirs) {
                report.ratio(
                    format!("elliptic-{name}/{peer}"),
                    &format!("elliptic: {name}"),
                    &theirs,
                );
            }
        }
    }
}

/// (u, 1 - k^2): u up to 10, and the modulus anywhere or close to one.
fn arguments(near: bool) -> Vec<(f64, f64)> {
    let mut rng = Rng::new(7);
    let mut draw = move || {
        let u = 10.0 * rng.uniform(0.0, 1.0);
        let x = rng.uniform(0.0, 1.0);
        (u, if near { 10f64.powf(-4.0 - 8.0 * x) } else { 0.01 + 0.98 * x })
    };
    (0..CALLS).map(|_| draw()).collect()
}

fn functions(effort: Effort, report: &mut Report) {
    let library = Gsl::find();
    let theirs = library.as_ref().and_then(Gsl::jacobi);
    for (place, near) in [("", false), ("@k=1", true)] {
        let arguments = arguments(near);
        let mut entrants = vec![Entrant::new(format!("jacobi{place}"), CALLS, || {
            arguments.iter().all(|&(u, mc)| black_box(sn_cn_dn(black_box(u), mc)).is_ok())
        })];
        if let Some(theirs) = &theirs {
            entrants.push(Entrant::new(format!("gsl{place}"), CALLS, || {
                arguments.iter().all(|&(u, mc)| black_box(theirs(black_box(u), 1.0 - mc)).is_some())
            }));
        }
        report.times(&race(effort.rounds(400), entrants));
        if theirs.is_some() {
            let [ours, peer] = ["jacobi", "gsl"].map(|name| format!("{name}{place}"));
            report.ratio(format!("jacobi/gsl{place}"), &ours, &peer);
        } else {
            report.skipped.push(format!("jacobi/gsl{place}: {INSTALL}"));
        }
    }
    let ours = |u, mc: Dd| sn_cn_dn(u, mc.hi()).ok().map(|j| [j.sn, j.cn, j.dn]);
    jacobi_errors("jacobi", report, ours);
    if let Some(theirs) = theirs {
        // What a caller has who thinks in k^2: its nearest double.
        jacobi_errors("gsl", report, |u, mc: Dd| theirs(u, (Dd::from(1.0) - mc).hi()));
    }
}

/// The largest errors of sn, cn and dn, relative to their own size, over the reference values with
/// |u| <= 20.
fn jacobi_errors(name: &str, report: &mut Report, function: impl Fn(f64, Dd) -> Option<[f64; 3]>) {
    let (mut far, mut near) = (0.0_f64, 0.0_f64);
    for row in special_rows() {
        let &SpecialRow::Jacobi { u, one_minus_k2, sn, cn, dn, .. } = row else { continue };
        if u.abs() > 20.0 || !(0.0..=1.0).contains(&one_minus_k2.hi()) {
            continue;
        }
        let error = function(u, one_minus_k2).map_or(f64::INFINITY, |values| {
            // Next to a zero a relative error is that of the argument, so the size is one there.
            let absolute = |got: f64, want: Dd| (Dd::from(got) - want).hi().abs();
            let [got_sn, got_cn, got_dn] = values;
            let dn_error = eps_error(got_dn, dn) * f64::EPSILON;
            absolute(got_sn, sn).max(absolute(got_cn, cn)).max(dn_error)
        });
        let worst = if one_minus_k2.hi() < NEAR_ONE { &mut near } else { &mut far };
        *worst = worst.max(error);
    }
    report.errors.insert(format!("{name}: k away from 1"), far);
    report.errors.insert(format!("{name}: k near 1"), near);
}

fn integrals(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let mut rng = Rng::new(11);
    let arguments: Vec<[f64; 3]> = (0..CALLS)
        .map(|_| {
            [
                1.5 * rng.uniform(0.0, 1.0),
                0.95 * rng.uniform(0.0, 1.0),
                0.99 * rng.uniform(0.0, 1.0),
            ]
        })
        .collect();
    // Two of the four share nothing but the definition: they must agree before they are timed.
    for &[phi, n, m] in &arguments {
        let (ours, theirs) = (incomplete_pi(phi, 1.0 - n, 1.0 - m)?, ellippiinc(phi, n, m)?);
        if (ours - theirs).abs() > 1e-12 * ours.abs() {
            return Err(format!("Pi({phi}, {n}, {m}): {ours} here, {theirs} there").into());
        }
    }
    let each = |function: fn(f64, f64, f64) -> bool| {
        arguments.iter().all(|&[phi, n, m]| function(black_box(phi), n, m))
    };
    let entrants = vec![
        Entrant::new("pi", CALLS, || {
            each(|_, n, m| black_box(complete_pi(1.0 - n, 1.0 - m)).is_ok())
        }),
        Entrant::new("ellip: pi", CALLS, || each(|_, n, m| black_box(ellippi(n, m)).is_ok())),
        Entrant::new("pi-incomplete", CALLS, || {
            each(|phi, n, m| black_box(incomplete_pi(phi, 1.0 - n, 1.0 - m)).is_ok())
        }),
        Entrant::new("ellip: pi-incomplete", CALLS, || {
            each(|phi, n, m| black_box(ellippiinc(phi, n, m)).is_ok())
        }),
    ];
    report.times(&race(effort.rounds(400), entrants));
    report.ratio("pi/ellip", "pi", "ellip: pi");
    report.ratio("pi-incomplete/ellip", "pi-incomplete", "ellip: pi-incomplete");
    Ok(())
}
