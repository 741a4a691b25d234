//! What can be wrong with measurements.

use polhode::torque::TorqueError;
use polhode::{FreeMotionError, SolveError};

/// Why nothing can be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Too little was measured.
    #[error("{what}: {count} samples; at least {needed} are needed for inertia and start")]
    TooFew {
        /// The sensor whose data it is about.
        what: &'static str,
        /// How many samples there are.
        count: usize,
        /// How many there must be.
        needed: usize,
    },
    /// Columns of different lengths.
    #[error("{what} has {given} rows, but there are {times} times")]
    Length {
        /// The sensor whose data it is about.
        what: &'static str,
        /// The number of its rows.
        given: usize,
        /// The number of times.
        times: usize,
    },
    /// Something infinite or NaN.
    #[error(
        "sample {index}: {what} holds {value:?}; every number must be finite, unless samples that are missing are \
         to be skipped"
    )]
    NotFinite {
        /// The sensor whose data it is about.
        what: &'static str,
        /// Which sample, from 0.
        index: usize,
        /// The number that is infinite or NaN.
        value: f64,
    },
    /// Times that neither rise nor fall throughout.
    #[error(
        "sample {index}: {what}: t = {t:?} after {before:?}; times must rise from each to the next, or fall"
    )]
    Times {
        /// The sensor whose data it is about.
        what: &'static str,
        /// Which sample, from 0.
        index: usize,
        /// The time of the sample before it.
        before: f64,
        /// The time of that sample.
        t: f64,
    },
    /// A quaternion or a direction of length zero.
    #[error("sample {index}: {what} has length zero; it has no direction")]
    NoDirection {
        /// The sensor whose data it is about.
        what: &'static str,
        /// Which sample, from 0.
        index: usize,
    },
    /// Nothing was given.
    #[error(
        "neither angular velocity, attitude nor directions of two known vectors are given: one of them is needed"
    )]
    Nothing,
    /// Directions of one vector do not tell the attitude.
    #[error(
        "directions of one known vector (or of vectors that are parallel) leave the turn about it open; \
         needed: two vectors seen at the same times, or the angular velocity besides"
    )]
    OneDirection,
    /// The body does not move.
    #[error(
        "no motion: {what} is the same in all samples; a body at rest shows nothing of its inertia"
    )]
    NoMotion {
        /// The sensor whose data it is about.
        what: &'static str,
    },
    /// An option that cannot be.
    #[error("{field}: {value:?}; {allowed}")]
    Option {
        /// The name of the option.
        field: &'static str,
        /// The number that was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A parameter of the sensor that a gyro alone says nothing about.
    #[error(
        "{field}: with a gyro alone it is not determined ({why}); fix it, or give attitudes besides"
    )]
    NeedsAttitude {
        /// The parameter.
        field: &'static str,
        /// What it cannot be told from.
        why: &'static str,
    },
    /// From no start did the search come near the data.
    #[error("no motion of a free body was found that comes near the data")]
    NotFound,
    /// The numbers leave the range of doubles.
    #[error(transparent)]
    Motion(#[from] FreeMotionError),
    /// The torque depends on the attitude, which was not measured.
    #[error(
        "torque: it depends on the attitude, of which a gyro alone says nothing; give attitudes or directions besides"
    )]
    TorqueNeedsAttitude,
    /// Keys or numbers of a torque that cannot be.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// A torque has no such number.
    #[error(
        "{name}: no number of the torque; it has {}",
        if .known.is_empty() { "none".into() } else { .known.join(", ") }
    )]
    NoSuchNumber {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// More numbers of a torque are unknown than can be.
    #[error("{count} numbers of the torque are unknown; at most {most} can be")]
    TooManyUnknown {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A number of a torque by which there is no derivative.
    #[error(
        "{name}: the torque has no derivative by it (a function of the user's has none); fix it"
    )]
    NoDerivative {
        /// The name of the number, as the torque has it.
        name: String,
    },
    /// Something only a free body has was asked of one under a torque.
    #[error("{what}: only of a free body; here a torque acts")]
    NotFree {
        /// What was asked for.
        what: &'static str,
    },
    /// The motion under the torque could not be solved.
    #[error(transparent)]
    Solve(Box<SolveError>),
    /// The computation was ended on request.
    #[error("stopped on request")]
    Stopped,
}

impl From<SolveError> for FitError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped(_) => Self::Stopped,
            other => Self::Solve(Box::new(other)),
        }
    }
}
