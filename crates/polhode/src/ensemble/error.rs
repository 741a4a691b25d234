//! What can be wrong with an ensemble, and what can happen to one of its bodies.

use crate::inside::InsideError;
use crate::method::MethodError;
use crate::observe::ObserveError;
use crate::solve::SolveError;
use crate::torque::TorqueError;
use crate::{FreeMotionError, InertiaError, Interruption, State, StateError, StepError};

/// Why an ensemble could not be set up, or its run could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// No such method, or it does not go with the torque.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// No such torque, or a key of it is wrong.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// Moments of inertia are not known at all times of the run.
    #[error(transparent)]
    Inside(#[from] InsideError),
    /// An array of the wrong length.
    #[error("{field}: {given} numbers given for {bodies} bodies; needed: {needed}")]
    Length {
        /// The name of the array, e.g. `inertia` or `momentum`.
        field: &'static str,
        /// How many numbers it has.
        given: usize,
        /// How many bodies there are.
        bodies: usize,
        /// How many numbers there may be.
        needed: String,
    },
    /// The inertia of a body is wrong.
    #[error("body {body}: {source}")]
    Inertia {
        /// Which body, counted from 0.
        body: u64,
        /// What is wrong with it.
        source: InertiaError,
    },
    /// The state of a body is wrong.
    #[error("body {body}: {source}")]
    State {
        /// Which body, counted from 0.
        body: u64,
        /// What is wrong with it.
        source: StateError,
    },
    /// The tolerance, or a time at which states are wanted, is not allowed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A body could not be moved by a single step.
    #[error("body {body}: {source}")]
    OneStep {
        /// Which body, counted from 0.
        body: u64,
        /// Why its step could not be done.
        source: StepError,
    },
    /// A time that is not finite.
    #[error("times: {t:?} at position {position} is not finite")]
    Time {
        /// Which one, counted from 1.
        position: usize,
        /// The time that is infinite or NaN.
        t: f64,
    },
    /// A step that is zero or not finite.
    #[error("step = {step:?}: must be finite and not zero")]
    Step {
        /// The step that was given.
        step: f64,
    },
    /// A width that this processor does not have.
    #[error("{given} lanes: this processor has {}", list(.available))]
    Width {
        /// The number of lanes that was asked for.
        given: usize,
        /// The numbers of lanes that this processor has.
        available: Vec<usize>,
    },
    /// A block without bodies.
    #[error("block = 0: must be at least 1")]
    Block,
    /// The threads could not be started.
    #[error("{threads} threads could not be started: {reason}")]
    Threads {
        /// The number of threads that was asked for.
        threads: usize,
        /// What the operating system or the thread pool says.
        reason: String,
    },
    /// The source of bodies failed.
    #[error(transparent)]
    Source(ObserveError),
    /// The sink could not take the states, e.g. because a disk is full.
    #[error(transparent)]
    Sink(ObserveError),
    /// Its end was requested.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

fn list(widths: &[usize]) -> String {
    widths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What happened to one body. The others went on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("body {body} at step {step}, t = {t:?}: {cause}")]
#[non_exhaustive]
pub struct BodyFailure {
    /// Which body, counted from 0.
    pub body: u64,
    /// The step that failed, counted from 1; 0 if the body could not be set up. For requested times
    /// the number of the time, counted from 0.
    pub step: u64,
    /// The time at the beginning of the step, or the requested time.
    pub t: f64,
    /// The last good state.
    pub state: State,
    /// Why it could not go on from there.
    #[source]
    pub cause: Cause,
}

/// Why a body could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// A step could not be done.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The torque on this body overflows.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// What moves inside has no room in this body.
    #[error(transparent)]
    Inside(#[from] InsideError),
    /// Its motion could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Its free motion is out of range.
    #[error(transparent)]
    Motion(#[from] FreeMotionError),
}
