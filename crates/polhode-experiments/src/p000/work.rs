//! Figures 3 and 5: time against error for heavy tops.

use polhode::Problem;
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};

use super::{large_top, small_top};
use crate::claim::{Claims, number};
use crate::measure::{crossing, end, halvings, order, timed_end, up};
use crate::{Context, ExperimentError, Product};

const METHODS: [(&str, &str); 3] = [("mr", "MR"), ("sej", "SEJ"), ("strang+exact", "strang+exact")];

/// Times, steps and errors of ω and u of one method.
#[derive(Default)]
struct Work {
    steps: Vec<f64>,
    times: Vec<f64>,
    errors: [Vec<f64>; 2],
}

impl Work {
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
) -> Result<Vec<Work>, ExperimentError> {
    context.progress.begin(id, METHODS.len() as u64);
    let exact = end(problem, "kahanli8+exact", 1.0 / 4096.0, 1.0)?;
    let omega = exact.omega(&problem.inertia);
    let mut all = Vec::new();
    for (method, _) in METHODS {
        let mut work = Work::default();
        for &h in steps {
            let (state, seconds) = timed_end(problem, method, h, 1.0, runs)?;
            work.steps.push(h);
            work.times.push(seconds);
            work.errors[0].push((state.omega(&problem.inertia) - omega).length());
            work.errors[1].push((up(&state) - up(&exact)).length());
        }
        all.push(work);
        context.progress.advance();
    }
    Ok(all)
}

fn figure(all: &[Work]) -> Figure {
    let panel = |which: usize, what: &str| -> Panel {
        let chart =
            Chart::new(Axis::log("time in seconds"), Axis::log("error at t = 1")).title(what);
        let named = all.iter().zip(METHODS).zip(Mark::DISTINCT);
        named
            .fold(chart, |chart, ((work, (_, name)), mark)| {
                chart.series(Series::new(name, work.against(&work.times, which)).mark(mark))
            })
            .into()
    };
    Figure::new([panel(0, "angular velocity ω"), panel(1, "u = Qᵀe₃")])
}

pub(super) fn large(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let steps = halvings(5, 14);
    let all = measure(context, "000-3", &large_top()?, &steps, context.pick(5, 100))?;
    let [mr, sej, exact] = &all[..] else { unreachable!("three methods") };
    let h = 1.0 / 512.0;
    let mut claims = Claims::of("000-3");
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        claims.check(
            &format!("the advantage of SEJ over MR is quite clear: same step, error of {what}"),
            "much smaller error",
            format!(
                "{} against {} with h = 1/512",
                number(sej.at(h, which)),
                number(mr.at(h, which))
            ),
            sej.at(h, which) < mr.at(h, which),
            &format!("with the exact attitude (strang+exact) it is {}", number(exact.at(h, which))),
        );
    }
    equal_time(&mut claims, &all, "the advantage of SEJ over MR is quite clear: same time", 2.0);
    Ok(Product::new(figure(&all), claims.into_list()))
}

/// The time that MR needs for the error that SEJ reaches, over the time SEJ needs.
fn advantage(all: &[Work], which: usize) -> f64 {
    let (mr, sej) = (&all[0], &all[1]);
    // The middle of what SEJ reaches asymptotically.
    let target = sej.errors[which][sej.errors[which].len() - 3];
    let of = |w: &Work| crossing(&w.against(&w.times, which), target).unwrap_or(f64::INFINITY);
    of(mr) / of(sej)
}

fn equal_time(claims: &mut Claims, all: &[Work], claim: &str, least: f64) {
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let ratio = advantage(all, which);
        let measured = if ratio.is_finite() {
            format!("MR takes {} times as long", number(ratio))
        } else {
            "MR does not reach the error of SEJ with any step tried".to_owned()
        };
        claims.check(
            &format!("{claim}, error of {what}"),
            "SEJ needs less time for the same error",
            measured,
            ratio > least,
            "on this machine; a step of SEJ costs several steps of MR, and its u is of order 2 like \
             that of MR",
        );
    }
}

pub(super) fn small(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let steps = halvings(4, 13);
    let all = measure(context, "000-5", &small_top()?, &steps, context.pick(5, 200))?;
    let [mr, sej, exact] = &all[..] else { unreachable!("three methods") };
    let mut claims = Claims::of("000-5");
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let points = sej.against(&sej.steps, which);
        let p = order(&points[4..], 1e-10, 1e-1);
        claims.check(
            &format!("SEJ is of second order, error of {what}"),
            "2",
            number(p),
            (p - 2.0).abs() < 0.25,
            "",
        );
    }
    let h = 1.0 / 128.0;
    for (which, what) in ["ω", "u"].into_iter().enumerate() {
        let ratio = mr.at(h, which) / sej.at(h, which);
        claims.check(
            &format!("the two methods perform similarly, with a slight advantage for SEJ: {what}"),
            "errors of one magnitude, that of SEJ smaller",
            format!("MR has {} times the error of SEJ with h = 1/128", number(ratio)),
            (1.0..10.0).contains(&ratio),
            &format!(
                "true for u; in ω SEJ is far better with the same step. strang+exact: {}",
                number(exact.at(h, which))
            ),
        );
    }
    equal_time(&mut claims, &all, "slight advantage for SEJ at the same time", 1.0);
    Ok(Product::new(figure(&all), claims.into_list()))
}
