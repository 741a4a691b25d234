//! Figure 6: what exact routines cost.

use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;

use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::rotor::components::quadrature_pi;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, LineStyle, Mark, Panel, Series};

use super::carlson_notis;
use super::published::{self, Rule};
use super::published_dmv::Dmv;
use crate::claim::{Claims, number};
use crate::measure::{dmv_order, largest};
use crate::timing::{Case, clocked, least_seconds, timed};
use crate::{Context, ExperimentError, Product};

const ROUTINES: [(&str, &str); 8] = [
    ("frb-matrix", "exact, matrices"),
    ("frb-quaternion", "exact, quaternions"),
    ("semi-exact:frame=1", "semi-exact, matrices"),
    ("semi-exact:frame=2", "semi-exact, quaternions"),
    ("exact", "library: exact"),
    ("dmv:order=6:solver=fixed-point", "DMV 6"),
    ("dmv:order=8:solver=fixed-point", "DMV 8"),
    ("dmv:order=10:solver=fixed-point", "DMV 10"),
];
/// Index of the first DMV.
const DMV: usize = 5;
const BODIES: [[f64; 3]; 3] = [[0.7, 1.0, 1.4], [0.5, 0.8, 1.0], [0.9, 0.95, 1.0]];
const MOMENTUM: [f64; 3] = [0.5, 0.4, 0.768];
const STEPS: [f64; 6] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/// Seconds of a run over [0, 10] relative to the cheapest DMV, by step, mean over the bodies: a line for
/// every routine.
type Lines = Vec<Vec<[f64; 2]>>;

/// Divides the times of one body, step by step, by the least from index `dmv` on, and adds them up.
fn relate(lines: &mut Lines, times: &[f64], dmv: usize) {
    let routines = lines.len();
    for (index, found) in times.chunks(routines).enumerate() {
        let cheapest = found[dmv..].iter().copied().fold(f64::INFINITY, f64::min);
        for (line, found) in lines.iter_mut().zip(found) {
            line[index][1] += found / cheapest / BODIES.len() as f64;
        }
    }
}

fn lines(routines: usize) -> Lines {
    vec![STEPS.map(|h| [h, 0.0]).to_vec(); routines]
}

/// The library's routines.
fn library(context: &Context<'_>, runs: u32) -> Result<Lines, ExperimentError> {
    let mut ratios = lines(ROUTINES.len());
    for moments in BODIES {
        let problem = Problem::new(Inertia::principal(moments)?, State::aligned(MOMENTUM)?);
        let mut cases = Vec::new();
        for step in STEPS {
            let case = |(method, _)| Case { problem: &problem, method, step, until: 10.0 };
            cases.extend(ROUTINES.map(case));
        }
        let times: Vec<f64> = timed(&cases, runs)?.iter().map(|f| f.least).collect();
        relate(&mut ratios, &times, DMV);
        context.progress.advance();
    }
    Ok(ratios)
}

/// What the paper's figure has: exact and semi-exact steps by matrices and quaternions, three DMV.
const PUBLISHED: [&str; 7] = [
    "exact, matrices",
    "exact, quaternions",
    "semi-exact, matrices",
    "semi-exact, quaternions",
    "DMV 6",
    "DMV 8",
    "DMV 10",
];

/// Whole steps as the paper makes them.
fn paper(context: &Context<'_>, runs: u32) -> Lines {
    let mut ratios = lines(PUBLISHED.len());
    for moments in BODIES {
        let momentum = DVec3::from_array(MOMENTUM).normalize();
        let mut work: Vec<Box<dyn FnMut()>> = Vec::new();
        for h in STEPS {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            let steps = (10.0 / h).round() as u32;
            for rule in [Rule::Integrals, Rule::Gauss] {
                work.push(Box::new(move || {
                    let (mut m, mut q) = (black_box(momentum), DMat3::IDENTITY);
                    for _ in 0..steps {
                        published::matrix_step(moments, h, &mut m, &mut q, rule);
                    }
                    black_box((m, q));
                }));
                work.push(Box::new(move || {
                    let (mut m, mut q) = (black_box(momentum), DQuat::IDENTITY);
                    for _ in 0..steps {
                        published::quaternion_step(moments, h, &mut m, &mut q, rule);
                    }
                    black_box((m, q));
                }));
            }
            for order in [6, 8, 10] {
                let dmv = Dmv::new(moments, order);
                work.push(Box::new(move || {
                    let (mut m, mut q) = (black_box(momentum), DQuat::IDENTITY);
                    for _ in 0..steps {
                        dmv.step(h, &mut m, &mut q);
                    }
                    black_box((m, q));
                }));
            }
        }
        let times: Vec<f64> = clocked(runs, &mut work).iter().map(|t| t[0]).collect();
        relate(&mut ratios, &times, 4);
        context.progress.advance();
    }
    ratios
}

pub(super) fn cost(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-6", 2 * BODIES.len() as u64);
    let runs = context.pick(10, 100);
    let (theirs, ours) = (paper(context, runs), library(context, runs)?);
    let mut claims = Claims::of("frb-fortran-6");
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let inside = theirs[which].iter().filter(|p| (8.0..=20.0).contains(&p[1])).count();
        claims.check(
            &format!("the exact algorithms cost 8 to 20 times the dmv algorithms: {what}"),
            "8 to 20 with most of the steps",
            format!(
                "the paper's setting: {}; the library's routines: {}",
                by_step(&theirs[which]),
                by_step(&ours[which])
            ),
            2 * inside > STEPS.len(),
            "on this machine. The paper's setting: Algorithms 1 and 2 as printed (errata corrected), with the \
             integrals of Carlson and Notis (1981) and the system's functions, and DMV as Hairer \
             and Vilmart published it (2006). The longer the steps, the more iterations DMV needs for its \
             implicit equation, and the smaller the ratio; the paper does not say for which steps its range is",
        );
        let ratio = |lines: &Lines| {
            let pairs = lines[which + 2].iter().zip(&lines[which]);
            pairs.map(|(semi, exact)| semi[1] / exact[1]).sum::<f64>() / STEPS.len() as f64
        };
        let (third, own) = (ratio(&theirs), ratio(&ours));
        claims.check(
            &format!("the semi-exact variants cost about a third of the exact ones: {what}"),
            "0.33, within a factor of 1.5",
            format!("the paper's setting {}; the library's routines {}", number(third), number(own)),
            (0.22..0.5).contains(&third),
            "means over the steps, settings as before. In the library two or three integrals take a smaller \
             part of a step: they have other formulas, and the rest of the step takes care of special motions",
        );
    }
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let of = |h: f64| theirs[which].iter().find(|p| p[0] == h).map_or(f64::NAN, |p| p[1]);
        claims.check(
            &format!("exact methods can be competitive when large steps are used: {what}"),
            "a ratio to DMV that falls as the step grows",
            format!("{:.1} with h = 0.01, {:.1} with h = 0.5", of(0.01), of(0.5)),
            of(0.5) < 0.7 * of(0.01),
            "the paper's setting",
        );
    }
    integrals(&mut claims, &Parts::measure(runs)?);
    orders(&mut claims)?;
    let values = || ours[4].iter().map(|p| p[1]);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    claims.check(
        "not the paper's: the library's exact step costs about as much as the cheapest DMV",
        "about 1",
        format!("{low:.1} to {high:.1}"),
        high < 2.0,
        "ratio to the cheapest of orders 6, 8, 10",
    );
    let figure = Figure::new([
        chart("the paper's setting", theirs, &PUBLISHED),
        chart("the library's routines", ours, &ROUTINES.map(|r| r.1)),
    ])
    .panel_size(560.0, 460.0);
    Ok(Product::new(figure, claims.into_list()))
}

/// One setting, with the marks of the paper.
fn chart(title: &str, lines: Lines, names: &[&str]) -> Panel {
    let axes = Chart::new(Axis::log("step h"), Axis::log("time relative to the cheapest DMV"));
    let named = lines.into_iter().zip(names).enumerate();
    named
        .fold(axes.title(title), |chart, (index, (points, name))| {
            let (mark, line) = match index {
                0 => (Mark::Diamond, LineStyle::Solid),
                1 => (Mark::Cross, LineStyle::Solid),
                2 => (Mark::Square, LineStyle::Dashed),
                3 => (Mark::Circle, LineStyle::Dashed),
                _ if name.starts_with("DMV") => (Mark::Triangle, LineStyle::Dashed),
                _ => (Mark::Circle, LineStyle::Solid),
            };
            // The same colour for the same routine in both.
            let colour = names.len() - index;
            let colour = if index < 4 { index } else { 3 + colour };
            chart.series(Series::new(*name, points).mark(mark).line(line).colour(colour))
        })
        .into()
}

fn by_step(line: &[[f64; 2]]) -> String {
    line.iter().map(|[h, r]| format!("{r:.1} with h = {h}")).collect::<Vec<_>>().join(", ")
}

/// Seconds of what the attitude of a step consists of.
struct Parts {
    /// One integral of the third kind, and the three of the exact method, by the library.
    integral: f64,
    three: f64,
    /// The same by Carlson and Notis.
    published_integral: f64,
    published: f64,
    /// The quadrature of the semi-exact methods.
    quadrature: f64,
}

impl Parts {
    fn measure(rounds: u32) -> Result<Self, ExperimentError> {
        let (nc, mc, ends) = (1.7, 0.4, [0.3, 0.5]);
        // Once before the clock runs: the arguments are in the domain.
        polhode_elliptic::incomplete_pi(ends[1], nc, mc)?;
        polhode_elliptic::complete_pi(nc, mc)?;
        quadrature_pi(ends, nc, mc, 5)?;
        let mut sums = [0.0; 5];
        let [one, two, three, four, five] = &mut sums;
        let [integral, quadrature, all, published_integral, published] = least_seconds(
            rounds,
            &mut [
                &mut || {
                    *one +=
                        polhode_elliptic::incomplete_pi(black_box(ends[1]), nc, mc).unwrap_or(0.0);
                },
                &mut || *two += quadrature_pi(black_box(ends), nc, mc, 5).unwrap_or(0.0),
                &mut || {
                    let [low, high] = black_box(ends)
                        .map(|phi| polhode_elliptic::incomplete_pi(phi, nc, mc).unwrap_or(0.0));
                    *three += high - low + polhode_elliptic::complete_pi(nc, mc).unwrap_or(0.0);
                },
                &mut || *four += carlson_notis::pi(black_box(ends[1]), nc, mc),
                &mut || {
                    let [low, high, whole] = black_box([ends[0], ends[1], FRAC_PI_2])
                        .map(|phi| carlson_notis::pi(phi, nc, mc));
                    *five += high - low + whole;
                },
            ],
        );
        black_box(sums);
        Ok(Self { integral, three: all, published_integral, published, quadrature })
    }
}

/// Integrals of the third kind against the quadrature of the semi-exact methods.
fn integrals(claims: &mut Claims, parts: &Parts) {
    let Parts { integral, three, published_integral, published, quadrature } = *parts;
    let said = |theirs: f64, ours: f64| {
        format!(
            "{:.0} ns against {:.0} ns by Carlson and Notis (1981): {}; {:.0} ns by the library: {}",
            1e9 * quadrature,
            1e9 * theirs,
            number(quadrature / theirs),
            1e9 * ours,
            number(quadrature / ours)
        )
    };
    let within = |low: f64, high: f64, theirs: f64, ours: f64| {
        [theirs, ours].iter().any(|t| (low..high).contains(&(quadrature / t)))
    };
    claims.check(
        "a Gaussian quadrature costs about as much as one elliptic integral of the third kind",
        "a ratio of 1",
        said(published_integral, integral),
        within(0.5, 2.0, published_integral, integral),
        "5 points, on this machine",
    );
    claims.check(
        "the exact method computes three such integrals: a third of their cost by quadrature",
        "0.33",
        said(published, three),
        within(0.2, 0.5, published, three),
        "two incomplete ones and the complete one, as ellint_pi; the library computes the complete one \
         only past a quarter turn",
    );
}

/// The methods of the figure are of the orders they are named for.
fn orders(claims: &mut Claims) -> Result<(), ExperimentError> {
    for order in [6, 8, 10] {
        let mut found = Vec::new();
        for moments in BODIES {
            found.push(dmv_order(moments, MOMENTUM, order)?);
        }
        let list = found.iter().map(|&p| number(p)).collect::<Vec<_>>().join(", ");
        claims.check(
            &format!("the approximate dmv algorithm of order {order} has that order"),
            &order.to_string(),
            list,
            largest(found.iter().map(|p| (p - f64::from(order)).abs())) < 0.25,
            "momentum and attitude at t = 10, three bodies; fitted to errors between 2e-14 and 1e-7",
        );
    }
    Ok(())
}
