//! How far the end of a run is from the truth: what its 17 digits are worth.

use std::io::{self, Write};

use polhode::solve::SolveMethod;
use polhode::{Errors, FreeMotion, Problem, State, so3};
use serde::Serialize;

use super::course::Finish;
use super::job::RunJob;
use crate::numbers::shortest;

/// What the closed form promises; see `docs/accuracy.md`.
const EXACT: f64 = 4e-15;
const ULPS: f64 = 8.0;

/// An error of so many tolerances is told as such: some of them are expected.
const MISSED: f64 = 10.0;

/// The error at the end of a run.
#[derive(Serialize)]
pub(super) struct EndError {
    kind: ErrorKind,
    /// Relative to the length of the momentum.
    momentum: f64,
    /// In radians.
    attitude: f64,
    /// The one wanted, of a solution.
    #[serde(skip)]
    tolerance: Option<f64>,
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
    /// The error of a free body is known; that of a solution is estimated; of other runs nothing is known.
    pub(super) fn new(
        job: &RunJob,
        problem: &Problem,
        motion: Option<&FreeMotion>,
        course: &Finish,
    ) -> Option<Self> {
        let size = so3::length(problem.start().m).max(so3::length(course.state.m));
        let tolerance = job.scenario.solving().map(|solving| solving.tolerance);
        let between = |kind, other: &State| {
            let Errors { momentum, attitude, .. } = Errors::new(&course.state, other, size);
            // JSON has no infinity, and a summary no use for it.
            let known = momentum.is_finite() && attitude.is_finite();
            known.then_some(Self { kind, momentum, attitude, tolerance })
        };
        let passed = course.t - problem.t0();
        let closed = job.scenario.solving().is_some_and(|s| s.method == SolveMethod::ClosedForm);
        match motion {
            Some(motion) if closed => Self::of_rounding(motion, passed, &course.state, size),
            Some(motion) => between(ErrorKind::Measured, &motion.at(passed).ok()?),
            None => between(ErrorKind::Estimated, course.better.as_ref()?),
        }
    }

    /// What the closed form promises: a few ulp, or a few times what an ulp of the start makes in the end.
    fn of_rounding(motion: &FreeMotion, passed: f64, end: &State, size: f64) -> Option<Self> {
        let start = *motion.start();
        let mut largest = Errors::default();
        for axis in polhode::glam::DVec3::AXES {
            let near = State { m: start.m + start.m * axis * f64::EPSILON, q: start.q };
            // At the very edge of what can be computed there may be none.
            let near = FreeMotion::new(motion.inertia(), near).and_then(|near| near.at(passed));
            if let Ok(near) = near {
                largest = largest.max(Errors::new(&near, end, size));
            }
        }
        let bound = |moved: f64| EXACT.max(ULPS * moved);
        let (momentum, attitude) = (bound(largest.momentum), bound(largest.attitude));
        let known = momentum.is_finite() && attitude.is_finite();
        known.then_some(Self { kind: ErrorKind::Rounding, momentum, attitude, tolerance: None })
    }

    /// One line.
    pub(super) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { kind, momentum, attitude, tolerance } = self;
        let how = match kind {
            ErrorKind::Estimated => "estimated by a better solution",
            ErrorKind::Measured => "against the exact motion",
            ErrorKind::Rounding => "rounding, at most about",
        };
        writeln!(out, "  error     {momentum:.1e} of the momentum, {attitude:.1e} rad  ({how})")?;
        let worst = momentum.max(*attitude);
        match tolerance {
            Some(tolerance) if worst > MISSED * tolerance => writeln!(
                out,
                "            more than the tolerance of {}: this motion enlarges errors over so long a time",
                shortest(*tolerance)
            ),
            _ => Ok(()),
        }
    }
}
