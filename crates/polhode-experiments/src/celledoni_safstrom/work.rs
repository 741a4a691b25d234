//! Figures 3 and 5: time against error for heavy tops.

use polhode::Problem;
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};

use super::{large_top, small_top};
use crate::claim::{Claims, number};
use crate::measure::{crossing, end, halvings, height, order, up};
use crate::timing::{Case, Timing, table, timed};
use crate::{Context, ExperimentError, Product};

/// SEJ in both readings: see `midpoint-attitude`.
const METHODS: [(&str, &str); 4] = [
    ("mr", "MR"),
    ("sej", "SEJ, midpoint"),
    ("strang+midpoint-attitude:attitude=magnus", "SEJ, Magnus"),
    ("strang+exact", "strang+exact"),
];

const READINGS: &str = "the pages with the update of the attitude are missing from our text. Two readings \
                        of it were tried, and one that makes the claim true suffices";

/// Steps, times and errors of ω and u of one method.
struct MethodWork {
    steps: Vec<f64>,
    /// The least ones, by which methods are compared.
    times: Vec<f64>,
    /// The mean ones, which are drawn.
    means: Vec<f64>,
    errors: [Vec<f64>; 2],
}

impl MethodWork {
    fn against(&self, x: &[f64], which: usize) -> Vec<[f64; 2]> {
        x.iter().zip(&self.errors[which]).map(|(&x, &e)| [x, e]).collect()
    }

    fn at(&self, step: f64, which: usize) -> f64 {
        self.steps.iter().position(|&h| h == step).map_or(f64::NAN, |i| self.errors[which][i])
    }
}

fn measure(
    context: &Context<'_>,
    id: &'static str,
    problem: &Problem,
    steps: &[f64],
    runs: u32,
) -> Result<(Vec<MethodWork>, String), ExperimentError> {
    context.progress.begin(id, 1);
    let exact = end(problem, "kahanli8+exact", 1.0 / 4096.0, 1.0)?;
    let omega = exact.omega(problem.inertia());
    let mut cases = Vec::new();
    for (method, _) in METHODS {
        cases.extend(steps.iter().map(|&step| Case { problem, method, step, until: 1.0 }));
    }
    let found = timed(&cases, runs)?;
    let of_method = |found: &[Timing]| {
        let ends = || found.iter().map(|f| f.state);
        MethodWork {
            steps: steps.to_vec(),
            times: found.iter().map(|f| f.least).collect(),
            means: found.iter().map(|f| f.mean).collect(),
            errors: [
                ends().map(|s| (s.omega(problem.inertia()) - omega).length()).collect(),
                ends().map(|s| (up(&s) - up(&exact)).length()).collect(),
            ],
        }
    };
    let all: Vec<MethodWork> = found.chunks(steps.len()).map(of_method).collect();
    let rows = all.iter().zip(METHODS).flat_map(|(work, (_, name))| {
        (0..steps.len()).map(move |i| (name, work.errors.iter().map(|e| e[i]).collect()))
    });
    let table = table(&cases, &found, &["ω", "u"], rows)?;
    context.progress.advance();
    Ok((all, table))
}

fn figure(all: &[MethodWork]) -> Figure {
    let panel = |which: usize, what: &str| -> Panel {
        let chart =
            Chart::new(Axis::log("mean time in seconds"), Axis::log("error at t = 1")).title(what);
        let named = all.iter().zip(METHODS).zip(Mark::DISTINCT);
        named
            .fold(chart, |chart, ((work, (_, name)), mark)| {
                chart.series(Series::new(name, work.against(&work.means, which)).mark(mark))
            })
            .into()
    };
    Figure::new([panel(0, "angular velocity ω"), panel(1, "u = Qᵀe₃")])
}

pub(super) fn large(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let steps = halvings(5, 14);
    let (all, table) =
        measure(context, "celledoni-safstrom-3", &large_top()?, &steps, context.pick(5, 100))?;
    let [mr, midpoint, magnus, exact] = &all[..] else { unreachable!("four methods") };
    let h = 1.0 / 512.0;
    let mut claims = Claims::of("celledoni-safstrom-3");
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let [sej, other, of_mr] = [midpoint, magnus, mr].map(|w| w.at(h, which));
        claims.check(
            &format!("the advantage of SEJ over MR is quite clear: same step, error of {what}"),
            "smaller by a factor of 10 at least",
            format!(
                "midpoint {}, Magnus {}, MR {} with h = 1/512",
                number(sej),
                number(other),
                number(of_mr)
            ),
            sej.min(other) < 0.1 * of_mr,
            &format!("{READINGS}. Moved exactly (strang+exact): {}", number(exact.at(h, which))),
        );
    }
    equal_time(&mut claims, &all, "the advantage of SEJ over MR is quite clear: same time", 2.0);
    equal_cost(&mut claims, &all);
    Ok(Product::new(figure(&all), claims.into_list())
        .with_file("celledoni-safstrom-3-times.csv", table))
}

/// The time that MR needs for the error that a method reaches, over the time that takes.
fn advantage(mr: &MethodWork, other: &MethodWork, which: usize) -> f64 {
    // The middle of what it reaches asymptotically.
    let target = other.errors[which][other.errors[which].len() - 3];
    let of =
        |w: &MethodWork| crossing(&w.against(&w.times, which), target).unwrap_or(f64::INFINITY);
    of(mr) / of(other)
}

fn equal_time(claims: &mut Claims, all: &[MethodWork], claim: &str, least: f64) {
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let ratios = [1, 2].map(|sej| advantage(&all[0], &all[sej], which));
        let said = ratios.map(|ratio| {
            if ratio.is_finite() {
                format!("MR takes {} times as long", number(ratio))
            } else {
                "MR does not get there".to_owned()
            }
        });
        claims.check(
            &format!("{claim}, error of {what}"),
            "SEJ needs less time for the same error",
            format!("midpoint: {}; Magnus: {}", said[0], said[1]),
            ratios.iter().any(|&ratio| ratio > least),
            &format!("on this machine; {READINGS}. MR gets there, or not, with the steps tried"),
        );
    }
}

/// Errors at equal times: what MR leaves over what another leaves, the median over the times tried.
fn median_gain(mr: &MethodWork, other: &MethodWork, which: usize) -> f64 {
    let mr = mr.against(&mr.times, which);
    let mut ratios: Vec<f64> = (other.against(&other.times, which).iter())
        .filter_map(|&[t, e]| height(&mr, t).map(|of_mr| of_mr / e))
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

fn equal_cost(claims: &mut Claims, all: &[MethodWork]) {
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let [midpoint, magnus, exact] = [1, 2, 3].map(|i| median_gain(&all[0], &all[i], which));
        claims.check(
            &format!("smaller global error for the same amount of floating point operations: SEJ, {what}"),
            "the error of MR over this one's, at equal time: above 1",
            format!("midpoint {}, Magnus {}", number(midpoint), number(magnus)),
            midpoint.max(magnus) > 1.0,
            &format!(
                "medians over the times of all steps. Time on this machine stands for operations, which \
                 the paper does not count; {READINGS}. Moved exactly (strang+exact): {}",
                number(exact)
            ),
        );
    }
}

pub(super) fn small(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let steps = halvings(4, 13);
    let (all, table) =
        measure(context, "celledoni-safstrom-5", &small_top()?, &steps, context.pick(5, 200))?;
    let [mr, midpoint, magnus, exact] = &all[..] else { unreachable!("four methods") };
    let mut claims = Claims::of("celledoni-safstrom-5");
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        for (sej, reading) in [(midpoint, "midpoint"), (magnus, "Magnus")] {
            let points = sej.against(&sej.steps, which);
            let p = order(&points[4..], 1e-10, 1e-1);
            claims.check(
                &format!("SEJ is of second order, error of {what}, {reading}"),
                "2",
                number(p),
                (p - 2.0).abs() < 0.25,
                "",
            );
        }
    }
    let h = 1.0 / 128.0;
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let [one, other, moved] =
            [midpoint, magnus, exact].map(|w| mr.at(h, which) / w.at(h, which));
        let alike = |ratio: f64| (1.0..10.0).contains(&ratio);
        claims.check(
            &format!("the two methods perform similarly, with a slight advantage for SEJ: {what}"),
            "errors of one magnitude, that of SEJ smaller",
            format!(
                "MR has {} times the error (midpoint), {} times (Magnus), with h = 1/128",
                number(one),
                number(other)
            ),
            alike(one) || alike(other),
            &format!(
                "{READINGS}. The second number is that of strang+exact, {}, which has another formula \
                 for the free motion: in ω the splitting itself is far better than MR with the same \
                 step, whatever moves u; the paper's figure has times, in which a step of MR is cheaper",
                number(moved)
            ),
        );
    }
    equal_time(&mut claims, &all, "slight advantage for SEJ at the same time", 1.0);
    equal_cost(&mut claims, &all);
    Ok(Product::new(figure(&all), claims.into_list())
        .with_file("celledoni-safstrom-5-times.csv", table))
}
