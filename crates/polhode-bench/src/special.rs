//! Elliptic functions and integrals against those of others, with their errors beside their times.

use std::hint::black_box;

use ellip::{ellippi, ellippiinc};
use polhode_elliptic::{Dd, complete_pi, incomplete_pi, sn_cn_dn};
use polhode_testkit::bodies::Rng;
use polhode_testkit::compare::eps_error;
use polhode_testkit::oracle::{SpecialRow, special_rows};

use crate::Failure;
use crate::effort::Effort;
use crate::peers::gsl::{Gsl, INSTALL};
use crate::report::Report;
use crate::timing::{Entrant, race};

const CALLS: u32 = 200;

/// A modulus this close to one counts as near: 1 - k^2 below it.
const NEAR_ONE: f64 = 1e-4;

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    functions(effort, report);
    integrals(effort, report)
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
