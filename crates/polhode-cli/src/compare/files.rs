//! The comparison as a file: numbers as CSV, plots as SVG.

use std::collections::BTreeSet;
use std::path::Path;

use polhode::method::Order;
use polhode_plot::{Axis, Chart, Figure, Line, Mark, Series};
use polhode_verify::compare::Measurement;

use super::View;
use crate::failure::Failure;
use crate::numbers::shortest;

const COLUMNS: [&str; 11] = [
    "method",
    "step",
    "steps",
    "momentum_error",
    "attitude_error",
    "momentum_error_at_end",
    "attitude_error_at_end",
    "seconds",
    "torque_evaluations",
    "iterations",
    "failure",
];

/// Every trial in a row; one that failed has its reason in the last column instead of numbers.
pub(super) fn csv(view: &View<'_>) -> Result<Vec<u8>, Failure> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let broken = |e: csv::Error| Failure::Running(format!("the table cannot be written: {e}"));
    table.write_record(COLUMNS).map_err(broken)?;
    for trial in view.comparison.trials() {
        let mut record = vec![view.id(trial.contender).to_owned(), shortest(trial.step)];
        match &trial.result {
            Ok(m) => {
                record.push(m.steps.to_string());
                let [all, end] = [m.error, m.error_at_end];
                let numbers =
                    [all.momentum, all.attitude, end.momentum, end.attitude, m.cost.seconds];
                record.extend(numbers.map(shortest));
                record
                    .extend([m.cost.torque_evaluations, m.cost.iterations].map(|n| n.to_string()));
                record.push(String::new());
            }
            Err(e) => {
                record.resize(COLUMNS.len() - 1, String::new());
                record.push(e.to_string());
            }
        }
        table.write_record(record).map_err(broken)?;
    }
    table.into_inner().map_err(|e| broken(e.into_error().into()))
}

/// What an error is plotted over.
type Abscissa = fn(f64, &Measurement) -> f64;

/// The error over the step, the time, and the evaluations where there are any.
pub(super) fn svg(view: &View<'_>) -> Result<String, Failure> {
    let comparison = view.comparison;
    let orders: BTreeSet<u32> = comparison
        .contenders()
        .iter()
        .filter_map(|c| match c.method.order() {
            Order::Of(order) => Some(order),
            Order::Exact => None,
        })
        .collect();
    let mut over_step = chart(view, "step", |step, _| step.abs());
    for order in orders {
        over_step = over_step.slope(f64::from(order));
    }
    let mut panels = vec![over_step.into(), chart(view, "seconds", |_, m| m.cost.seconds).into()];
    let measured = |evaluations: fn(&Measurement) -> bool| {
        comparison.trials().iter().filter_map(|t| t.result.as_ref().ok()).any(evaluations)
    };
    if measured(|m| m.cost.torque_evaluations > 0) {
        let over = |_, m: &Measurement| m.cost.torque_evaluations as f64;
        panels.push(chart(view, "torque evaluations", over).into());
    }
    let name = view.scenario.name();
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let title = format!("{stem} until {}", shortest(view.scenario.until()));
    Figure::new(panels)
        .title(title)
        .to_svg()
        .map_err(|e| Failure::Running(format!("the plots cannot be drawn: {e}")))
}

fn chart(view: &View<'_>, label: &str, over: Abscissa) -> Chart {
    let mut chart = Chart::new(Axis::log(label), Axis::log("error"));
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
        let series = Series::new("wanted", line).line(Line::Dashed).width(1.0);
        // Dashed in the colour next to those of the methods.
        chart = chart.series(series.colour(view.comparison.contenders().len()));
    }
    chart
}
