//! The comparison as one JSON document.

use std::io::Write;

use polhode::method::Order;
use polhode_verify::compare::{Measurement, Trial};
use serde::Serialize;

use super::ComparisonView;
use crate::failure::Failure;
use crate::output::Origin;

#[derive(Serialize)]
struct ComparisonJson<'a> {
    #[serde(flatten)]
    origin: Origin,
    until: f64,
    reference: ReferenceJson,
    /// Errors up to this size show no order.
    floor: f64,
    methods: Vec<MethodJson<'a>>,
    trials: Vec<TrialJson<'a>>,
    solutions: Vec<SolutionJson>,
    /// For each step the trial with the least error.
    best_at_steps: Vec<TrialJson<'a>>,
    wanted: Option<WantedRecord<'a>>,
}

/// What errors are measured by; without a method where the motion is known exactly.
#[derive(Serialize)]
struct ReferenceJson {
    method: Option<&'static str>,
    steps: Option<f64>,
    error: f64,
}

#[derive(Serialize)]
struct MethodJson<'a> {
    #[serde(rename = "method")]
    id: &'a str,
    /// Null for an exact one.
    order: Option<u32>,
    observed_order: Option<f64>,
    /// Why none is seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_order: Option<String>,
}

/// A trial: its numbers, or why there are none.
#[derive(Serialize)]
struct TrialJson<'a> {
    method: &'a str,
    step: Option<f64>,
    #[serde(flatten)]
    numbers: Option<TrialNumbers>,
    failure: Option<String>,
}

/// A solution to a tolerance: its numbers, or why there are none.
#[derive(Serialize)]
struct SolutionJson {
    method: &'static str,
    tolerance: f64,
    #[serde(flatten)]
    numbers: Option<TrialNumbers>,
    failure: Option<String>,
}

#[derive(Serialize)]
struct TrialNumbers {
    steps: u64,
    momentum_error: f64,
    attitude_error: f64,
    momentum_error_at_end: f64,
    attitude_error_at_end: f64,
    seconds: f64,
    torque_evaluations: u64,
    iterations: u64,
}

#[derive(Serialize)]
struct WantedRecord<'a> {
    error: f64,
    methods: Vec<TrialJson<'a>>,
    cheapest_in_time: Option<&'a str>,
    fewest_torque_evaluations: Option<&'a str>,
}

impl From<&Measurement> for TrialNumbers {
    fn from(m: &Measurement) -> Self {
        Self {
            steps: m.steps,
            momentum_error: m.error.momentum,
            attitude_error: m.error.attitude,
            momentum_error_at_end: m.error_at_end.momentum,
            attitude_error_at_end: m.error_at_end.attitude,
            seconds: m.cost.seconds,
            torque_evaluations: m.cost.torque_evaluations,
            iterations: m.cost.iterations,
        }
    }
}

fn row<'a>(view: &'a ComparisonView<'_>, trial: &Trial) -> TrialJson<'a> {
    TrialJson {
        method: view.id(trial.contender),
        step: Some(trial.step),
        numbers: trial.result.as_ref().ok().map(TrialNumbers::from),
        failure: trial.result.as_ref().err().map(ToString::to_string),
    }
}

pub(super) fn write(out: &mut impl Write, view: &ComparisonView<'_>) -> Result<(), Failure> {
    let comparison = view.comparison;
    let converged = comparison.reference().converged();
    let methods = comparison.contenders().iter().enumerate().map(|(i, contender)| MethodJson {
        id: &contender.id,
        order: match contender.method.order() {
            Order::Of(order) => Some(order),
            Order::Exact => None,
        },
        observed_order: comparison.observed_order(i),
        no_order: comparison.no_order(i).map(|why| why.to_string()),
    });
    let wanted = view.wanted.map(|error| WantedRecord {
        error,
        methods: comparison
            .tuned()
            .iter()
            .map(|tuned| match &tuned.trial {
                Ok(trial) => row(view, trial),
                Err(e) => TrialJson {
                    method: view.id(tuned.contender),
                    step: None,
                    numbers: None,
                    failure: Some(e.to_string()),
                },
            })
            .collect(),
        cheapest_in_time: comparison.cheapest(|c| c.seconds).map(|t| view.id(t.contender)),
        fewest_torque_evaluations: comparison
            .cheapest(|c| c.torque_evaluations as f64)
            .map(|t| view.id(t.contender)),
    });
    let document = ComparisonJson {
        origin: Origin::THIS,
        until: view.scenario.until(),
        reference: ReferenceJson {
            method: converged.map(|c| c.method),
            steps: converged.map(|c| c.steps),
            error: comparison.reference().error(),
        },
        floor: comparison.floor(),
        methods: methods.collect(),
        trials: comparison.trials().iter().map(|trial| row(view, trial)).collect(),
        solutions: comparison
            .solutions()
            .iter()
            .map(|solution| SolutionJson {
                method: solution.method.id(),
                tolerance: solution.tolerance,
                numbers: solution.result.as_ref().ok().map(TrialNumbers::from),
                failure: solution.result.as_ref().err().map(ToString::to_string),
            })
            .collect(),
        best_at_steps: comparison.best_at_steps().iter().map(|trial| row(view, trial)).collect(),
        wanted,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
}
