//! What can be wrong with a reference solution.

use polhode::method::MethodError;
use polhode::{FreeMotionError, Interruption, StepError};

/// Why there is no reference solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// A time is infinite or NaN.
    #[error("time {index}, {t:?}: a time must be finite")]
    Time {
        /// Its place, from 0.
        index: usize,
        /// The time that was given.
        t: f64,
    },
    /// The times do not rise or fall strictly.
    #[error(
        "time {index}, {t:?}, after {before:?}: times must rise (or fall) from each to the next"
    )]
    Order {
        /// The place of the second of the two, from 0.
        index: usize,
        /// The time before it.
        before: f64,
        /// The time that is not on the right side of it.
        t: f64,
    },
    /// The motion of a free body is out of reach.
    #[error(transparent)]
    Free(#[from] FreeMotionError),
    /// Not even the shortest steps can be done: the torque is singular on the way, or too large.
    #[error("the reference cannot be computed beyond t = {t:?}: {source}")]
    Step {
        /// The time at the beginning of the step that failed.
        t: f64,
        /// Why that step could not be done.
        source: StepError,
    },
    /// No method is made for this torque.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// Solutions in ever shorter steps stay apart: the motion is chaotic, or its torque not smooth.
    #[error(
        "the reference does not converge: solutions in {steps} steps and half as many are still \
         {error:.0e} apart{}", hint(*.agree_until)
    )]
    NotConverged {
        /// How far apart the best two are, the larger one of relative momentum and angle.
        error: f64,
        /// The steps of the better one.
        steps: f64,
        /// The time farthest from the start up to which they agree to 1e-6, if there is one.
        agree_until: Option<f64>,
    },
    /// More steps than can be done in a minute or so.
    #[error("the reference would take {steps:.0e} steps; take a shorter time")]
    TooLong {
        /// The number of steps it would take.
        steps: f64,
    },
    /// It was ended before it was done.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

fn hint(agree_until: Option<f64>) -> String {
    match agree_until {
        Some(t) => format!("; they agree until t = {t:?}: take a shorter time"),
        None => "; take a shorter time".into(),
    }
}
