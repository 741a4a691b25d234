//! What can be wrong with a free motion.

use crate::state::StateError;

/// Why a motion, or its state at some time, cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FreeMotionError {
    /// The start is not a state.
    #[error(transparent)]
    State(#[from] StateError),
    /// A time is infinite or NaN.
    #[error("t = {t:?}: a time must be finite")]
    Time {
        /// The time that was asked for.
        t: f64,
    },
    /// A number is beyond what doubles can carry a right answer for.
    #[error("{field} = {value:?} is out of range: {allowed}")]
    OutOfRange {
        /// The name of the quantity, e.g. `momentum` or `t`.
        field: &'static str,
        /// The value it has.
        value: f64,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// A number has no derivative for this motion.
    #[error("{field}: no derivative: {allowed}")]
    NoDerivative {
        /// The name of the number, e.g. `period`.
        field: &'static str,
        /// Why, and where it would have one.
        allowed: &'static str,
    },
}
