//! What can be wrong with samples, besides being wrong.

use crate::ReferenceError;
use polhode::{FreeMotionError, Interruption, StateError};

/// Why a trajectory cannot be checked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Fewer than two samples, which show no motion.
    #[error("{count} samples: at least two are needed")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// Columns of different lengths.
    #[error("{field} has {given} rows, but there are {times} times")]
    Length {
        /// The name of the column.
        field: &'static str,
        /// The number of its rows.
        given: usize,
        /// The number of times.
        times: usize,
    },
    /// Something infinite or NaN.
    #[error("sample {index}: {field} holds {value:?}; every number must be finite")]
    NotFinite {
        /// The name of the column.
        field: &'static str,
        /// Which sample, from 0.
        index: usize,
        /// The number that is infinite or NaN.
        value: f64,
    },
    /// Times that neither rise nor fall throughout.
    #[error(
        "sample {index}: t = {t:?} after {before:?}; times must rise from each to the next, or fall"
    )]
    Times {
        /// Which sample, from 0.
        index: usize,
        /// The time of the sample before it.
        before: f64,
        /// The time of that sample.
        t: f64,
    },
    /// An attitude of length zero, or a singular matrix.
    #[error(
        "sample {index}: the attitude is no rotation: a quaternion of length zero, or a singular matrix"
    )]
    NoAttitude {
        /// Which sample, from 0.
        index: usize,
    },
    /// Nothing to start the exact motion from.
    #[error("neither momentum nor omega is given: one of them is needed")]
    NoMotion,
    /// Of a body in which something moves the angular velocity is not enough.
    #[error(
        "with wheels, dissipation or a controller the momentum is needed: that of the body and its wheels together"
    )]
    NeedsMomentum,
    /// A vector in space cannot be turned into the body frame.
    #[error("{field} in space needs the attitude beside it")]
    SpaceWithoutAttitude {
        /// The name of the vector: momentum or omega.
        field: &'static str,
    },
    /// A tolerance, rounding, step or order that is no positive number.
    #[error("{field} = {value:?}: must be positive and finite")]
    Option {
        /// The name of the option: `tolerance`, `rounding`, `step` or `order`.
        field: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// Two trajectories in the same steps show no order.
    #[error("two trajectories have the step {step:?}: an order is seen only in different steps")]
    SameStep {
        /// The step that occurs twice.
        step: f64,
    },
    /// The state of the first sample.
    #[error(transparent)]
    State(#[from] StateError),
    /// The exact motion cannot be computed.
    #[error(transparent)]
    Free(#[from] FreeMotionError),
    /// The reference cannot be computed.
    #[error(transparent)]
    Reference(ReferenceError),
    /// It was ended before it was done.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

impl From<ReferenceError> for CheckError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Reference(other),
        }
    }
}

impl CheckError {
    /// The sample at fault, from 0, if it is one.
    pub fn index(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { index, .. }
            | Self::Times { index, .. }
            | Self::NoAttitude { index } => Some(index),
            _ => None,
        }
    }
}
