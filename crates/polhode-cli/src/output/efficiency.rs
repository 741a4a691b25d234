//! `.svg` of a comparison: errors over the step and the cost.

use std::collections::BTreeSet;
use std::path::Path;

use polhode::method::Order;
use polhode_plot::{Axis, Chart, Figure, LineStyle, Mark, Series};
use polhode_verify::compare::Measurement;

use crate::compare::ComparisonView;
use crate::failure::Failure;
use crate::numbers::shortest;
use crate::unit_names::UnitNames;

/// What an error is plotted over.
type Abscissa = fn(f64, &Measurement) -> f64;

/// The error over the step, the time, and the evaluations where there are any.
pub(super) fn draw(view: &ComparisonView<'_>, meta: &str) -> Result<String, Failure> {
    let comparison = view.comparison;
    let orders: BTreeSet<u32> = comparison
        .contenders()
        .iter()
        .filter_map(|c| match c.method.order() {
            Order::Of(order) => Some(order),
            Order::Exact => None,
        })
        .collect();
    let step = format!("step ({})", UnitNames::of(view.scenario).time().unwrap_or("units of time"));
    let mut over_step = chart(view, &step, |step, _| step.abs());
    for order in orders {
        over_step = over_step.slope(f64::from(order));
    }
    let seconds = chart(view, "seconds", |_, m| m.cost.seconds);
    let seconds = solutions(view, seconds, |m| m.cost.seconds);
    let mut panels = vec![over_step.into(), seconds.into()];
    let measured = |evaluations: fn(&Measurement) -> bool| {
        comparison.trials().iter().filter_map(|t| t.result.as_ref().ok()).any(evaluations)
    };
    if measured(|m| m.cost.torque_evaluations > 0) {
        let over = |_, m: &Measurement| m.cost.torque_evaluations as f64;
        let evaluations = chart(view, "torque evaluations", over);
        panels.push(solutions(view, evaluations, |m| m.cost.torque_evaluations as f64).into());
    }
    let name = view.scenario.name();
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let title = format!("{stem} until {}", shortest(view.scenario.until()));
    let methods: Vec<&str> = comparison.contenders().iter().map(|c| c.id.as_str()).collect();
    let described = format!(
        "The error of {} over the step and the cost, on logarithmic axes. An error is the greater of that of the \
         momentum, relative to its length, and that of the attitude in radians.",
        methods.join(", ")
    );
    Figure::new(panels)
        .title(&title)
        .described(&title, described)
        .metadata(meta)
        .to_svg()
        .map_err(|e| Failure::Running(format!("the plots cannot be drawn: {e}")))
}

/// The same with those that solve to a tolerance.
fn solutions(view: &ComparisonView<'_>, mut chart: Chart, over: fn(&Measurement) -> f64) -> Chart {
    let all = view.comparison.solutions();
    let first = view.comparison.contenders().len() + 1;
    let mut methods: Vec<_> = all.iter().map(|s| s.method).collect();
    methods.dedup();
    for (i, method) in (first..).zip(methods) {
        let measured = all.iter().filter(|s| s.method == method);
        let measured = measured.filter_map(|s| s.result.as_ref().ok());
        // What is exact has no place on an axis of logarithms.
        let points = measured.map(|m| [over(m), m.error.worst()]).filter(|[_, e]| *e > 0.0);
        let points: Vec<[f64; 2]> = points.collect();
        if !points.is_empty() {
            let mark = Mark::DISTINCT[i % Mark::DISTINCT.len()];
            chart = chart.series(Series::new(method.id(), points).mark(mark).colour(i));
        }
    }
    chart
}

fn chart(view: &ComparisonView<'_>, label: &str, over: Abscissa) -> Chart {
    let mut chart = Chart::new(Axis::log(label), Axis::log("error (relative, or rad)"));
    let mut ends = [f64::INFINITY, 0.0_f64];
    for (i, contender) in view.comparison.contenders().iter().enumerate() {
        let trials = view.comparison.trials().iter().filter(|t| t.contender == i);
        let points: Vec<[f64; 2]> = trials
            .filter_map(|t| {
                let measured = t.result.as_ref().ok()?;
                Some([over(t.step, measured), measured.error.worst()])
            })
            .collect();
        for [x, _] in &points {
            ends = [ends[0].min(*x), ends[1].max(*x)];
        }
        let mark = Mark::DISTINCT[i % Mark::DISTINCT.len()];
        chart = chart.series(Series::new(&contender.id, points).mark(mark).colour(i));
    }
    if let Some(wanted) = view.wanted
        && ends[0] <= ends[1]
    {
        let line = ends.map(|x| [x, wanted]);
        let series = Series::new("wanted", line).line(LineStyle::Dashed).width(1.0);
        // Dashed in the colour next to those of the methods.
        chart = chart.series(series.colour(view.comparison.contenders().len()));
    }
    chart
}
