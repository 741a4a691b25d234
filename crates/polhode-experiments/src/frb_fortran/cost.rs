//! Figure 6: what exact routines cost.

use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;

use polhode::rotor::components::quadrature_pi;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Line, Mark, Series};

use super::carlson_notis;
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
    ("dmv:order=6:solver=fixed-point", "DMV 6"),
    ("dmv:order=8:solver=fixed-point", "DMV 8"),
    ("dmv:order=10:solver=fixed-point", "DMV 10"),
];
/// Index of the first DMV.
const DMV: usize = 5;
const BODIES: [[f64; 3]; 3] = [[0.7, 1.0, 1.4], [0.5, 0.8, 1.0], [0.9, 0.95, 1.0]];
const MOMENTUM: [f64; 3] = [0.5, 0.4, 0.768];
const STEPS: [f64; 6] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

pub(super) fn cost(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-6", BODIES.len() as u64);
    let runs = context.pick(10, 100);
    // Seconds of a step of the cheapest DMV.
    let mut units = [0.0; STEPS.len()];
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
            units[index] += cheapest * STEPS[index] / 10.0 / BODIES.len() as f64;
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
    let mut claims = Claims::of("frb-fortran-6");
    let parts = Parts::measure(runs)?;
    // In units of the cheapest DMV, whose seconds are those of its steps.
    let published = |which: usize, index: usize| {
        let unit = units[index];
        ratios[which + 2][index][1] + (parts.published - parts.quadrature) / unit
    };
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let (low, high) = range(which);
        let theirs: Vec<[f64; 2]> =
            STEPS.iter().enumerate().map(|(i, &h)| [h, published(which, i)]).collect();
        let inside = |ratio: f64| (8.0..=20.0).contains(&ratio);
        claims.check(
            &format!("the exact algorithms cost 8 to 20 times the dmv algorithms: {what}"),
            "8 to 20",
            format!("paper's setting {}; ours {}", by_step(&theirs), by_step(&ratios[which])),
            (low >= 8.0 && high <= 20.0) || theirs.iter().filter(|p| inside(p[1])).count() > 3,
            "on this machine, DMV by the published iteration. Paper's setting: the semi-exact step with \
             the time of its quadrature replaced by that of three integrals of Carlson and Notis \
             (1981). It holds if it does for most of the steps: the longer they are, the more \
             iterations DMV needs for its implicit equation, and the smaller the ratio; the paper does \
             not say for which steps its range is",
        );
        let mean =
            |of: &dyn Fn(usize) -> f64| (0..STEPS.len()).map(of).sum::<f64>() / STEPS.len() as f64;
        let third = mean(&|i| ratios[which + 2][i][1] / theirs[i][1]);
        let ours = mean(&|i| ratios[which + 2][i][1] / ratios[which][i][1]);
        claims.check(
            &format!("the semi-exact variants cost about a third of the exact ones: {what}"),
            "0.33",
            format!("paper's setting {}; ours {}", number(third), number(ours)),
            (0.2..0.5).contains(&third),
            "means over the steps. Paper's setting: three integrals of the third kind by the routines of \
             Carlson and Notis (1981) with the system's sine and cosine, in the place of the \
             quadrature; ours: two or three by the library, which are cheaper. In both, the rest of the \
             step (mean, Landen transformations, frames) is the library's and takes most of the time: \
             the less it takes, the nearer is the ratio to that of the integrals alone, which is below",
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
    integrals(&mut claims, &parts);
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
