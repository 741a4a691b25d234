//! How far the end of a run is from the truth: what its 17 digits are worth.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use polhode::method::Order;
use polhode::observe::Sample;
use polhode::solve::SolveMethod;
use polhode::{Control, Errors, FreeMotion, Plan, Problem, SolveError, State, run, so3, solve};
use polhode_scenario::Steps;
use serde::Serialize;

use super::course::Finish;
use super::interrupt;
use super::job::RunJob;
use crate::numbers::shortest;

/// What the closed form promises; see `docs/accuracy.md`.
const EXACT: f64 = 4e-15;
const ULPS: f64 = 8.0;

/// An error of so many tolerances is told as such: some of them are expected.
const MISSED: f64 = 10.0;

/// From where on nothing is left of the momentum, or of the attitude.
const USELESS: f64 = 0.5;

/// More than the rounding of a million steps.
const ENLARGED: f64 = 1e-12;

/// To which tolerances a run of fixed steps is solved once more, for comparison: the first that can be had.
const BETTER: [f64; 5] = [1e-12, 1e-10, 1e-8, 1e-6, 1e-4];

/// So many steps that may take: a few tenths of a second.
const EFFORT: u64 = 100_000;

/// A run of no more steps than this is done again in steps of half the length: a few tenths of a second.
const HALVED: u64 = 15_000;

/// The error at the end of a run.
#[derive(Serialize)]
pub(super) struct EndError {
    kind: ErrorKind,
    /// Relative to the length of the momentum at the end.
    momentum: f64,
    /// In radians.
    attitude: f64,
    /// What the comparison can tell: an error of just this is a bound. Zero if it is not known.
    #[serde(skip_serializing_if = "is_zero")]
    least: f64,
    /// The one wanted, of a solution.
    #[serde(skip)]
    tolerance: Option<f64>,
    /// Whether the steps are exact: all of the error is rounding.
    #[serde(skip)]
    exact_steps: bool,
}

/// How the error is known.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ErrorKind {
    /// The difference to a better solution.
    Estimated,
    /// The difference to the exact motion.
    Measured,
    /// A bound of what rounding does to the exact motion.
    Rounding,
}

impl EndError {
    /// The error of a free body is known, any other is estimated; or why it is not known.
    pub(super) fn new(
        job: &RunJob,
        problem: &Problem,
        motion: Option<&FreeMotion>,
        course: &Finish,
    ) -> Result<Self, String> {
        let [start, end] = [problem.start().m, course.state.m].map(so3::length);
        let size = solve::counted_at_end(end, start);
        let tolerance = job.scenario.solving().map(|solving| solving.tolerance);
        let exact = |steps: &Steps| motion.is_some() && steps.method.order() == Order::Exact;
        let exact_steps = job.scenario.steps().is_some_and(exact);
        let between = |kind, other: &State, least: f64| {
            let Errors { momentum, attitude, .. } = Errors::new(&course.state, other, size);
            let (momentum, attitude) = (momentum.max(least), attitude.max(least));
            Self { kind, momentum, attitude, least, tolerance, exact_steps }
        };
        let passed = course.t - problem.t0();
        let closed = job.scenario.solving().is_some_and(|s| s.method == SolveMethod::ClosedForm);
        let error = match (motion, &course.better) {
            (Some(motion), _) if closed => Self::of_rounding(motion, passed, &course.state, size),
            (Some(motion), _) => {
                let exact = motion.at(passed).map_err(|e| e.to_string())?;
                between(ErrorKind::Measured, &exact, 0.0)
            }
            (None, Some(better)) => {
                // Where rounding decides how long the steps are, the better solution is no better.
                let speed = |state: &State| so3::length(problem.inertia().omega(state.m));
                let radians = speed(&problem.start()).max(speed(&course.state)) * passed.abs();
                between(ErrorKind::Estimated, better, solve::rounding(radians))
            }
            (None, None) if tolerance.is_some() => {
                return Err("no better solution could be found".to_owned());
            }
            (None, None) if !problem.can_be_solved() => {
                let steps = job.scenario.steps().ok_or("there is nothing to compare with")?;
                between(ErrorKind::Estimated, &halved(problem, steps, course.steps)?, 0.0)
            }
            (None, None) => {
                let (tolerance, better) = solution(problem, course.t)?;
                // The better one may be off by as much itself.
                between(ErrorKind::Estimated, &better, tolerance)
            }
        };
        // JSON has no infinity, and a summary no use for it.
        let known = error.momentum.is_finite() && error.attitude.is_finite();
        if known { Ok(error) } else { Err("its numbers are too large".to_owned()) }
    }

    /// What the closed form promises: a few ulp, or a few times what an ulp of the start makes in the end.
    fn of_rounding(motion: &FreeMotion, passed: f64, end: &State, size: f64) -> Self {
        let start = *motion.start();
        let mut largest = Errors::default();
        for axis in polhode::glam::DVec3::AXES {
            let near = State { m: start.m + start.m * axis * f64::EPSILON, q: start.q };
            // At the very edge of what can be computed a motion nearby may be out of range.
            let near = FreeMotion::new(motion.inertia(), near).and_then(|near| near.at(passed));
            if let Ok(near) = near {
                largest = largest.max(Errors::new(&near, end, size));
            }
        }
        let bound = |moved: f64| EXACT.max(ULPS * moved);
        let (momentum, attitude) = (bound(largest.momentum), bound(largest.attitude));
        let kind = ErrorKind::Rounding;
        Self { kind, momentum, attitude, least: 0.0, tolerance: None, exact_steps: false }
    }

    /// One line, and another where the error needs a word.
    pub(super) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { kind, momentum, attitude, least, tolerance, exact_steps } = self;
        let how = match kind {
            ErrorKind::Estimated => "estimated by a better solution",
            ErrorKind::Measured => "against the exact motion",
            ErrorKind::Rounding => "rounding, at most about",
        };
        let [m, q] = [momentum, attitude].map(|error| {
            let bound = if *least > 0.0 && error <= least { "below " } else { "" };
            format!("{bound}{error:.1e}")
        });
        writeln!(out, "  error     {m} of the momentum, {q} rad  ({how})")?;
        let worst = momentum.max(*attitude);
        match tolerance {
            Some(tolerance) if worst > MISSED * tolerance => writeln!(
                out,
                "            more than the tolerance of {}: this motion enlarges errors over so long a time",
                shortest(*tolerance)
            ),
            None if worst > USELESS => writeln!(
                out,
                "            nothing of this end is right: shorten the step, or leave out [method] and say run.tolerance;\n            \
                 where that does not help the motion may be chaotic: `polhode chaos` tells"
            ),
            None if worst > EXACT && matches!(kind, ErrorKind::Rounding) => writeln!(
                out,
                "            what the last digit of the start makes in the end: this motion enlarges small changes"
            ),
            None if worst > ENLARGED && *exact_steps => writeln!(
                out,
                "            all of it is rounding of the steps, which this motion enlarges; without [method] it is evaluated \
                 in closed form, without steps"
            ),
            _ => Ok(()),
        }
    }
}

/// Whether a number says nothing.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// The state after so many steps in twice as many of half the length; or why there is none.
fn halved(problem: &Problem, steps: &Steps, done: u64) -> Result<State, String> {
    if done > HALVED {
        return Err(
            "a run in steps of half the length, to compare with, would take too long".to_owned()
        );
    }
    let plan = Plan { step: 0.5 * steps.plan.step, steps: 2 * done };
    let mut stepper = steps.method.stepper(problem).map_err(|e| e.to_string())?;
    let mut look = |_: &Sample<'_>| {
        if interrupt::wished() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let end = run(problem, &mut *stepper, &plan, &mut [&mut look]).map_err(|e| e.to_string())?;
    if end.stopped { Err("interrupted".to_owned()) } else { Ok(end.state) }
}

/// The state at a time, solved to the smallest tolerance that can be had with little effort; or why there is none.
fn solution(problem: &Problem, until: f64) -> Result<(f64, State), String> {
    let mut refused = String::new();
    for tolerance in BETTER {
        let looks = AtomicU64::new(0);
        let control = Control::default().looking(move |stop| {
            if looks.fetch_add(1, Ordering::Relaxed) >= EFFORT || interrupt::wished() {
                stop.request();
            }
        });
        let solver = problem.solver().tolerance(tolerance).times(&[]).control(control);
        match solver.until(until) {
            Ok(solution) => return Ok((tolerance, solution.end().1)),
            Err(e @ (SolveError::Rounding { .. } | SolveError::Sensitive { .. })) => {
                refused = format!("{e}; `polhode chaos` tells how fast neighbouring motions part");
            }
            Err(SolveError::Stopped(_)) => {
                return Err("a solution to compare with would take too long".to_owned());
            }
            Err(e) => return Err(e.to_string()),
        }
    }
    Err(refused)
}
