//! The two methods of order 4.

use polhode::{FreeMotion, Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};

use crate::claim::{Claims, number};
use crate::measure::{end, halvings, largest, order, trace_changes};
use crate::{Context, ExperimentError, Product};

const METHODS: [(&str, &str); 2] = [("rkmk4", "RKMK4"), ("cf4", "CF4")];
const BODIES: [(&str, [f64; 3]); 2] = [
    ("symmetric moments (1, 1, 2)", [1.0, 1.0, 2.0]),
    ("distinct moments (1, 2, 3)", [1.0, 2.0, 3.0]),
];

fn free(moments: [f64; 3]) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal(moments)?;
    let start = State::aligned([0.6, 0.5, 0.8])?;
    Ok(Problem::new(inertia, start))
}

pub(super) fn norm(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let until = context.pick(200.0, 2000.0);
    let mut claims = Claims::of("thread-2");
    let mut panels: Vec<Panel> = Vec::new();
    context.progress.begin("thread-2", 4);
    for (body, moments) in BODIES {
        let problem = free(moments)?;
        let norm = problem.start().m.length();
        let mut chart =
            Chart::new(Axis::linear("time"), Axis::linear("| m | − | m₀ |")).title(body);
        for (id, name) in METHODS {
            let mut points = Vec::new();
            trace_changes(&problem, id, 0.05, until, |t, _, [_, norm, _]| points.push([t, norm]))?;
            let worst = largest(points.iter().map(|p| p[1].abs()));
            let steps = points.len() as f64 - 1.0;
            let one_direction = format!(
                ". A symmetric body turns by the same rotation in every step: its roundings are not \
                 random and add up in one direction, to {} units in the last place a step",
                number(worst / (f64::EPSILON * norm * steps))
            );
            claims.check(
                &format!("{name} keeps the norm of m, {body}"),
                "machine accuracy",
                format!("{} after {steps} steps", number(worst)),
                // A random walk of roundings of 0.3 units in the last place; a truncation error of
                // order 4 would be 1e-7.
                worst < f64::EPSILON * norm * steps.sqrt(),
                &format!(
                    "limit {}, what a random walk of roundings reaches{}",
                    number(f64::EPSILON * norm * steps.sqrt()),
                    if moments[0] == moments[1] { one_direction.as_str() } else { "" }
                ),
            );
            let every = points.len().div_ceil(2000);
            chart = chart.series(Series::new(name, points.into_iter().step_by(every)));
            context.progress.advance();
        }
        panels.push(chart.into());
    }
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}

pub(super) fn convergence(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let steps = halvings(1, context.pick(8, 10));
    let mut claims = Claims::of("thread-3");
    let mut panels: Vec<Panel> = Vec::new();
    context.progress.begin("thread-3", 4);
    for (body, moments) in BODIES {
        let problem = free(moments)?;
        let exact = FreeMotion::new(problem.inertia(), problem.start())?.at(10.0)?.m;
        let mut chart =
            Chart::new(Axis::log("step h"), Axis::log("error of m at t = 10")).title(body);
        for ((id, name), mark) in METHODS.into_iter().zip(Mark::DISTINCT) {
            let mut points = Vec::new();
            for &h in &steps {
                points.push([h, (end(&problem, id, h, 10.0)?.m - exact).length()]);
            }
            // The asymptotic part: small steps, above rounding.
            let p = order(&points, 1e-12, 1e-4);
            claims.check(
                &format!("{name} converges with order 4, {body}"),
                "4",
                number(p),
                (p - 4.0).abs() < 0.25,
                "fitted to errors between 1e-12 and 1e-4",
            );
            chart = chart.series(Series::new(name, points).mark(mark));
            context.progress.advance();
        }
        let classical = end(&problem, "rk4", context.pick(1e-3, 1e-4), 10.0)?.m;
        let apart = (classical - exact).length();
        claims.check(
            &format!("a classical integrator with strict tolerance gives the reference, {body}"),
            "agrees with the exact motion",
            number(apart),
            apart < 1e-11,
            "RK4 with a small step against the exact motion",
        );
        panels.push(chart.slope(4.0).into());
    }
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}
