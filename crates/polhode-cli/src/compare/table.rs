//! The comparison for a reader.

use std::io::{self, Write};

use polhode::method::Order;
use polhode::solve::SolveMethod;
use polhode_verify::compare::{Measurement, SolutionTrial, Trial, TrialError};

use super::ComparisonView;
use crate::failure::Failure;
use crate::numbers::{elapsed, shortest};

pub(super) fn write(out: &mut impl Write, view: &ComparisonView<'_>) -> Result<(), Failure> {
    let comparison = view.comparison;
    let tuned = comparison.tuned().iter().filter_map(|t| t.trial.as_ref().ok());
    let steps = comparison.trials().iter().chain(tuned).map(|t| shortest(t.step).len());
    let ids = comparison.contenders().iter().map(|c| c.id.len());
    let width = Widths { id: ids.fold(6, usize::max), step: steps.fold(8, usize::max) };
    heading(out, view)?;
    trials(out, view, width)?;
    orders(out, view, width)?;
    solutions(out, view, width)?;
    best_at_steps(out, view)?;
    if let Some(wanted) = view.wanted {
        recommendation(out, view, width, wanted)?;
    }
    Ok(())
}

/// A floor of the order of rounding itself goes without saying.
const NOTABLE: f64 = 1e-11;

/// Of the first two columns.
#[derive(Clone, Copy)]
struct Widths {
    id: usize,
    step: usize,
}

impl Widths {
    fn heading(self, out: &mut impl Write, by: &str) -> io::Result<()> {
        let Self { id, step } = self;
        writeln!(
            out,
            "#{:<id$} {:>step$}      steps  momentum  attitude       time  torque evals  iterations",
            "method", by
        )
    }
}

fn heading(out: &mut impl Write, view: &ComparisonView<'_>) -> io::Result<()> {
    writeln!(out, "# {} until {}", view.scenario.name(), shortest(view.scenario.until()))?;
    let reference = view.comparison.reference();
    let error = reference.error();
    match reference.converged() {
        Some(converged) => writeln!(
            out,
            "# reference: {} in {} steps, known to {error:.0e}",
            converged.method, converged.steps
        ),
        None => writeln!(out, "# reference: the exact motion of a free body, to {error:.0e}"),
    }
}

fn trials(out: &mut impl Write, view: &ComparisonView<'_>, width: Widths) -> io::Result<()> {
    width.heading(out, "step")?;
    let mut refused = None;
    for trial in view.comparison.trials() {
        let id = view.id(trial.contender);
        match &trial.result {
            Ok(measured) => row(out, id, width, &shortest(trial.step), measured)?,
            // The same whatever the step: once is enough.
            Err(TrialError::Method(e)) => {
                if refused.replace(trial.contender) != Some(trial.contender) {
                    writeln!(out, " {id:<w$}  refused: {e}", w = width.id)?;
                }
            }
            Err(e) => writeln!(
                out,
                " {id:<w$} {:>s$}  failed: {e}",
                shortest(trial.step),
                w = width.id,
                s = width.step
            )?,
        }
    }
    Ok(())
}

fn row(
    out: &mut impl Write,
    id: &str,
    width: Widths,
    step: &str,
    Measurement { steps, error, cost, .. }: &Measurement,
) -> io::Result<()> {
    let Widths { id: w, step: s } = width;
    let [momentum, attitude] = [error.momentum, error.attitude].map(|e| format!("{e:.1e}"));
    let time = elapsed(cost.seconds);
    writeln!(
        out,
        " {id:<w$} {step:>s$} {steps:>10} {momentum:>9} {attitude:>9} {time:>10} {:>13} {:>11}",
        cost.torque_evaluations, cost.iterations
    )
}

/// Work and precision of those that solve to a tolerance.
fn solutions(out: &mut impl Write, view: &ComparisonView<'_>, width: Widths) -> io::Result<()> {
    let solutions = view.comparison.solutions();
    if solutions.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    width.heading(out, "tolerance")?;
    for SolutionTrial { method, tolerance, result, .. } in solutions {
        let tolerance = match method {
            SolveMethod::ClosedForm => "-".into(),
            _ => shortest(*tolerance),
        };
        match result {
            Ok(measured) => row(out, method.id(), width, &tolerance, measured)?,
            Err(e) => writeln!(
                out,
                " {:<w$} {tolerance:>s$}  failed: {e}",
                method.id(),
                w = width.id,
                s = width.step
            )?,
        }
    }
    Ok(())
}

/// Where the step is given by something else than the error: the method with the least error.
fn best_at_steps(out: &mut impl Write, view: &ComparisonView<'_>) -> io::Result<()> {
    let best = view.comparison.best_at_steps();
    if view.comparison.contenders().len() < 2 || best.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for Trial { contender, step, result, .. } in best {
        let Ok(measured) = result else { continue };
        let (step, id) = (shortest(*step), view.id(*contender));
        let time = elapsed(measured.cost.seconds);
        writeln!(out, "Least error at step {step}: {id} ({:.1e}, {time})", measured.error.worst())?;
    }
    Ok(())
}

fn orders(out: &mut impl Write, view: &ComparisonView<'_>, width: Widths) -> io::Result<()> {
    let w = width.id;
    writeln!(out, "\n#{:<w$}   order  observed", "method")?;
    for (i, contender) in view.comparison.contenders().iter().enumerate() {
        let order = match contender.method.order() {
            Order::Of(order) => order.to_string(),
            Order::Exact => "exact".into(),
        };
        let seen = view.comparison.observed_order(i).map(|order| format!("{order:.2}"));
        let observed = seen.unwrap_or_else(|| {
            let why = view.comparison.no_order(i);
            why.map_or("not seen".into(), |why| format!("not seen: {why}"))
        });
        writeln!(out, " {:<w$} {order:>7} {observed:>9}", contender.id)?;
    }
    if view.comparison.floor() > NOTABLE {
        writeln!(
            out,
            "# errors up to {:.0e} show no order: the motion enlarges rounding to that",
            view.comparison.floor()
        )?;
    }
    Ok(())
}

fn recommendation(
    out: &mut impl Write,
    view: &ComparisonView<'_>,
    width: Widths,
    wanted: f64,
) -> io::Result<()> {
    let comparison = view.comparison;
    writeln!(
        out,
        "\n# for an error of {wanted:e}: the longest step of each method found to reach it, as measured"
    )?;
    width.heading(out, "step")?;
    for tuned in comparison.tuned() {
        let id = view.id(tuned.contender);
        match &tuned.trial {
            Ok(Trial { step, result: Ok(measured), .. }) => {
                row(out, id, width, &shortest(*step), measured)?;
            }
            Ok(_) => {}
            Err(e) => writeln!(out, " {id:<w$}  not reached: {e}", w = width.id)?,
        }
    }
    let solved = comparison.quickest_solution(wanted);
    let in_steps = comparison.cheapest(|cost| cost.seconds);
    let seconds = |t: &Trial| t.result.as_ref().map_or(f64::INFINITY, |m| m.cost.seconds);
    let mut among = "";
    if let Some((SolutionTrial { method, tolerance, .. }, measured)) = solved
        && in_steps.is_none_or(|t| measured.cost.seconds < seconds(t))
    {
        among = " with a fixed step";
        let to = match method {
            SolveMethod::ClosedForm => String::new(),
            _ => format!(" to a tolerance of {}", shortest(*tolerance)),
        };
        let time = elapsed(measured.cost.seconds);
        writeln!(out, "\nCheapest in time: {method}{to} ({time})")?;
    }
    let Some(quickest) = in_steps else {
        let all = if solved.is_some() { "No method with a fixed step" } else { "No method" };
        return writeln!(out, "\n{all} reaches an error of {wanted:e}.");
    };
    let name =
        |trial: &Trial| format!("{} with step {}", view.id(trial.contender), shortest(trial.step));
    let Ok(measured) = &quickest.result else { return Ok(()) };
    let time = elapsed(measured.cost.seconds);
    writeln!(out, "\nCheapest in time{among}: {} ({time})", name(quickest))?;
    match comparison.cheapest(|cost| cost.torque_evaluations as f64) {
        Some(Trial { result: Ok(Measurement { cost, .. }), .. })
            if cost.torque_evaluations == 0 =>
        {
            Ok(())
        }
        Some(fewest) => writeln!(out, "Fewest torque evaluations{among}: {}", name(fewest)),
        None => Ok(()),
    }
}
