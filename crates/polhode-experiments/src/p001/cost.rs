//! Figure 6: what exact routines cost.

use std::hint::black_box;

use polhode::rotor::components::quadrature_pi;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Line, Mark, Series};

use crate::claim::{Claims, number};
use crate::measure::{dmv_order, largest};
use crate::timing::{Case, least_seconds, timed};
use crate::{Context, ExperimentError, Product};

const ROUTINES: [(&str, &str); 8] = [
    ("frb-matrix", "exact, matrices"),
    ("frb-quaternion", "exact, quaternions"),
    ("semi-exact:frame=1", "semi-exact, matrices"),
    ("semi-exact:frame=2", "semi-exact, quaternions"),
    ("exact", "library: exact"),
    ("dmv:order=6", "DMV 6"),
    ("dmv:order=8", "DMV 8"),
    ("dmv:order=10", "DMV 10"),
];
/// Index of the first DMV.
const DMV: usize = 5;
const BODIES: [[f64; 3]; 3] = [[0.7, 1.0, 1.4], [0.5, 0.8, 1.0], [0.9, 0.95, 1.0]];
const MOMENTUM: [f64; 3] = [0.5, 0.4, 0.768];
const STEPS: [f64; 6] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

pub(super) fn cost(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("001-6", BODIES.len() as u64);
    let runs = context.pick(10, 100);
    let mut ratios: Vec<Vec<[f64; 2]>> = vec![STEPS.map(|h| [h, 0.0]).to_vec(); ROUTINES.len()];
    for moments in BODIES {
        let inertia = Inertia::principal(moments)?;
        let start = State::aligned(MOMENTUM)?;
        let problem = Problem::new(inertia, start);
        let mut cases = Vec::new();
        for step in STEPS {
            let case = |(method, _)| Case { problem: &problem, method, step, until: 10.0 };
            cases.extend(ROUTINES.map(case));
        }
        let found = timed(&cases, runs)?;
        for (index, found) in found.chunks(ROUTINES.len()).enumerate() {
            let cheapest = found[DMV..].iter().map(|f| f.least).fold(f64::INFINITY, f64::min);
            for (line, found) in ratios.iter_mut().zip(found) {
                line[index][1] += found.least / cheapest / BODIES.len() as f64;
            }
        }
        context.progress.advance();
    }
    let range = |which: usize| {
        let values = || ratios[which].iter().map(|p| p[1]);
        (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max))
    };
    let said = |which: usize| format!("{:.1} to {:.1}", range(which).0, range(which).1);
    let mut claims = Claims::of("001-6");
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let (low, high) = range(which);
        claims.check(
            &format!("the exact algorithms cost 8 to 20 times the dmv algorithms: {what}"),
            "8 to 20",
            format!("{}: {}", said(which), by_step(&ratios[which])),
            low >= 8.0 && high <= 20.0,
            "on this machine. The longer the step, the more iterations DMV needs for its implicit \
             equation, and the smaller the ratio; the paper does not say for which steps its range \
             is",
        );
        let third = ratios[which + 2].iter().zip(&ratios[which]).map(|(s, e)| s[1] / e[1]);
        let third = third.sum::<f64>() / STEPS.len() as f64;
        claims.check(
            &format!("the semi-exact variants cost about a third of the exact ones: {what}"),
            "0.33",
            number(third),
            (0.2..0.5).contains(&third),
            "mean over the steps. Here most of the time of an exact step goes into other things \
             than integrals of the third kind",
        );
    }
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let of = |h: f64| ratios[which].iter().find(|p| p[0] == h).map_or(f64::NAN, |p| p[1]);
        claims.check(
            &format!("exact methods can be competitive when large steps are used: {what}"),
            "a ratio to DMV that falls as the step grows",
            format!("{:.1} with h = 0.01, {:.1} with h = 0.5", of(0.01), of(0.5)),
            of(0.5) < 0.7 * of(0.01),
            "",
        );
    }
    integrals(&mut claims, runs)?;
    orders(&mut claims)?;
    let (_, high) = range(4);
    claims.check(
        "not the paper's: the library's exact step costs about as much as the cheapest DMV",
        "about 1",
        said(4),
        high < 2.0,
        "ratio to the cheapest of orders 6, 8, 10",
    );
    let chart = Chart::new(Axis::log("step h"), Axis::log("time relative to the cheapest DMV"));
    let marks = [Mark::Diamond, Mark::Cross, Mark::Square, Mark::Circle, Mark::Circle]
        .into_iter()
        .chain([Mark::Triangle; 3]);
    let chart = ratios.into_iter().zip(ROUTINES).zip(marks).enumerate().fold(
        chart,
        |chart, (index, ((points, (_, name)), mark))| {
            let line =
                if (2..4).contains(&index) || index > DMV { Line::Dashed } else { Line::Solid };
            chart.series(Series::new(name, points).mark(mark).line(line).colour(index))
        },
    );
    let figure = Figure::new([chart.into()]).panel_size(660.0, 420.0);
    Ok(Product::new(figure, claims.into_list()))
}

fn by_step(line: &[[f64; 2]]) -> String {
    line.iter().map(|[h, r]| format!("{r:.1} with h = {h}")).collect::<Vec<_>>().join(", ")
}

/// One integral of the third kind against the quadrature of the semi-exact methods.
fn integrals(claims: &mut Claims, rounds: u32) -> Result<(), ExperimentError> {
    let (nc, mc, ends) = (1.7, 0.4, [0.3, 0.5]);
    // Once before the clock runs: the arguments are in the domain.
    polhode_elliptic::incomplete_pi(ends[1], nc, mc)?;
    polhode_elliptic::complete_pi(nc, mc)?;
    quadrature_pi(ends, nc, mc, 5)?;
    let mut sums = [0.0; 3];
    let [one, two, three] = &mut sums;
    let [pi, gauss, all] = least_seconds(
        rounds,
        &mut [
            &mut || {
                *one += polhode_elliptic::incomplete_pi(black_box(ends[1]), nc, mc).unwrap_or(0.0);
            },
            &mut || *two += quadrature_pi(black_box(ends), nc, mc, 5).unwrap_or(0.0),
            &mut || {
                let [low, high] = black_box(ends)
                    .map(|phi| polhode_elliptic::incomplete_pi(phi, nc, mc).unwrap_or(0.0));
                *three += high - low + polhode_elliptic::complete_pi(nc, mc).unwrap_or(0.0);
            },
        ],
    );
    black_box(sums);
    claims.check(
        "a Gaussian quadrature costs about as much as one elliptic integral of the third kind",
        "a ratio of 1",
        format!("{:.0} ns against {:.0} ns: {}", 1e9 * gauss, 1e9 * pi, number(gauss / pi)),
        (0.5..2.0).contains(&(gauss / pi)),
        "5 points and Carlson's method, on this machine",
    );
    claims.check(
        "the exact method computes three such integrals: a third of their cost by quadrature",
        "0.33",
        format!("{:.0} ns against {:.0} ns: {}", 1e9 * gauss, 1e9 * all, number(gauss / all)),
        (0.2..0.5).contains(&(gauss / all)),
        "two incomplete ones and the complete one, as ellint_pi; the complete one is cheap here, and \
         the library computes it only past a quarter turn",
    );
    Ok(())
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
