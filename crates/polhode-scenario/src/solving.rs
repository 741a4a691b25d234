//! How the motion is computed: in steps of one length, or to a tolerance, with rows at given times.

use super::document::TomlValue;
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::own;
use super::read::UNTIL;
use super::rows::{self, RowTimes};
use super::source::ReadResult;
use polhode::method::Method;
use polhode::solve::{MAX_TOLERANCE, MIN_TOLERANCE, SolveMethod};
use polhode::{FreeMotion, Plan, Problem};

/// What may stand in `[run]`.
pub(super) const KEYS: &[&str] =
    &["until", "every", "tolerance", "interval", "times", "stops", "stop_when"];

/// The tolerance unless another is given.
pub(super) const TOLERANCE: f64 = 1e-10;

/// An interval counts as a whole number of steps if it is one to this part: both may be rounded decimals.
const WHOLE: f64 = 1e-9;

const INTERVAL: &str = "a positive number: the time from one row to the next";

/// How the motion of a scenario is computed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Computation {
    /// In steps of one length, by a method.
    Steps(Steps),
    /// To a tolerance, in whatever steps it takes.
    Solution(SolutionPlan),
}

/// Steps of one length.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Steps {
    /// What makes the steps. It accepts the problem: building its stepper does not fail.
    pub method: Method,
    /// The method as a text, with all its parameters; of one of the user's own, its name.
    pub method_id: String,
    /// The step and how many.
    pub plan: Plan,
    /// Of how many steps one is kept, at least 1.
    pub every: u64,
}

/// A solution to a tolerance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolutionPlan {
    /// The error wanted at the end: of the momentum relative to its length, of the attitude in radians.
    pub tolerance: f64,
    /// How it is solved: as given, or as suits the torque.
    pub method: SolveMethod,
    /// Times at which the torque jumps, in the order in which they are passed.
    pub stops: Vec<f64>,
    /// The times of the rows to be written.
    pub rows: RowTimes,
}

/// A way to solve, and the field that names it.
pub(super) type MethodField<'a> = (SolveMethod, SectionField<'a>);

/// The way to solve that `[method]` names; none if it is a method of fixed steps.
pub(super) fn method(section: Section<'_>) -> ReadResult<Option<MethodField<'_>>> {
    if own::key(section).is_some() {
        return Ok(None);
    }
    let Some(field) = section.get("id") else { return Ok(None) };
    let TomlValue::Text(id) = field.value() else { return Ok(None) };
    let Some(method) = by_id(id) else { return Ok(None) };
    if let Some(step) = section.get("step") {
        let why = "this method chooses its steps; [run] tolerance says how accurate it is to be";
        return Err(step.fail(ScenarioFault::Unwanted { why }));
    }
    section.only(&["id"])?;
    Ok(Some((method, field)))
}

/// The way to solve of this name.
pub(super) fn by_id(id: &str) -> Option<SolveMethod> {
    SolveMethod::ALL.into_iter().find(|method| method.id() == id.trim())
}

/// A solution by the way named, or the one that suits the torque; and its end.
pub(super) fn read(
    named: Option<MethodField<'_>>,
    run: Section<'_>,
    problem: &Problem,
) -> ReadResult<(SolutionPlan, f64)> {
    refuse_every(run)?;
    let free = problem.is_free();
    let method = match named {
        Some((SolveMethod::ClosedForm, field)) if !free => {
            let why = "this is for free bodies, and a torque acts on this one; leave out [method]";
            return Err(field.fail(ScenarioFault::Solve(why.into())));
        }
        Some((method, _)) => method,
        None => SolveMethod::suited_to(problem),
    };
    let tolerance = run.get("tolerance").map_or(Ok(TOLERANCE), tolerance)?;
    let (rows, until) = read_rows(run)?;
    let stops = match run.get("stops") {
        None => Vec::new(),
        Some(field) => rows::stops(field, until)?,
    };
    if method == SolveMethod::ClosedForm {
        // Whatever is between is nearer to the start, and can be evaluated, too.
        let end = FreeMotion::new(problem.inertia(), problem.start()).and_then(|m| m.at(until));
        if let Err(e) = end {
            let fault = ScenarioFault::Solve(e.to_string());
            return Err(match run.get("until") {
                Some(until) => until.fail(fault),
                None => run.fail(fault),
            });
        }
    }
    Ok((SolutionPlan { tolerance, method, stops, rows }, until))
}

/// Refuses to count steps where there are none of one length.
pub(super) fn refuse_every(run: Section<'_>) -> ReadResult<()> {
    let Some(every) = run.get("every") else { return Ok(()) };
    let why = "it counts the steps of a method with a fixed step, and there is none; \
               'interval' and 'times' choose rows of a solution";
    Err(every.fail(ScenarioFault::Unwanted { why }))
}

pub(super) fn tolerance(field: SectionField<'_>) -> ReadResult<f64> {
    let allowed = format!(
        "a number from {MIN_TOLERANCE:?} to {MAX_TOLERANCE:?}: the error wanted at the end, of the momentum \
         relative to its length, of the attitude in radians"
    );
    let tolerance = field.number(&allowed)?;
    if (MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance) {
        return Ok(tolerance);
    }
    Err(field.refuse(allowed))
}

/// The times of rows, and the end.
fn read_rows(run: Section<'_>) -> ReadResult<(RowTimes, f64)> {
    let times = run.get("times");
    if let (Some(times), Some(_)) = (times, run.get("interval")) {
        return Err(times.fail(ScenarioFault::Both { key: "times", other: "interval" }));
    }
    let until = match (run.get("until"), times) {
        (None, Some(times)) => match rows::list(times, None)?[..] {
            [.., last] => last,
            // No list is empty.
            [] => 0.0,
        },
        _ => run.require("until", UNTIL)?.number(UNTIL)?,
    };
    let rows = match (run.get("interval"), times) {
        (Some(field), _) => spaced(field, until)?,
        (None, Some(times)) => RowTimes::List(rows::list(times, Some(until))?),
        (None, None) => RowTimes::thousand(until),
    };
    Ok((rows, until))
}

/// Times every interval and at the end.
pub(super) fn spaced(field: SectionField<'_>, until: f64) -> ReadResult<RowTimes> {
    let interval = positive(field)?;
    RowTimes::spaced(interval, until).ok_or_else(|| field.refuse(too_many(until)))
}

fn too_many(until: f64) -> String {
    format!("an interval for which there are no more than 1e8 rows until {until:?}")
}

fn positive(field: SectionField<'_>) -> ReadResult<f64> {
    let interval = field.number(INTERVAL)?;
    if interval > 0.0 { Ok(interval) } else { Err(field.refuse(INTERVAL)) }
}

/// Of how many steps one is kept for an interval between rows.
pub(super) fn every(field: SectionField<'_>, step: f64) -> ReadResult<u64> {
    let ratio = positive(field)? / step.abs();
    let near = ratio.round();
    if !((1.0..=1e15).contains(&near) && (ratio - near).abs() <= WHOLE * near) {
        let allowed = format!(
            "a whole number of steps of {step:?}, as the method has a fixed step; without [method] rows may \
             be at any time"
        );
        return Err(field.refuse(allowed));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1e15")]
    Ok(near as u64)
}

/// Refuses what has no meaning with a fixed step.
pub(super) fn refuse_with_steps(run: Section<'_>) -> ReadResult<()> {
    for (key, why) in [
        (
            "tolerance",
            "the method has a fixed step and does not know its error; leave out [method] to solve to a \
             tolerance",
        ),
        (
            "times",
            "the method has a fixed step and rows are steps, chosen by 'every' or 'interval'; for rows at \
             any time leave out [method], or set run.tolerance",
        ),
        (
            "stops",
            "the method has a fixed step; leave out [method] for steps that end at these times",
        ),
    ] {
        if let Some(field) = run.get(key) {
            return Err(field.fail(ScenarioFault::Unwanted { why }));
        }
    }
    Ok(())
}
