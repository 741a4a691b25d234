//! Flows of the free body over one step.
mod exact;
pub(crate) mod exact_kernel;
use crate::State;
pub use exact::Exact;

/// A flow of the free rigid body over one step.
pub trait Rotor: Send {
    /// Advances the state by h.
    ///
    /// # Errors
    /// [`StepError`].
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError>;
}

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Out of range.
    #[error("step {h:?} with momentum {momentum:?} is out of range")]
    OutOfRange {
        /// h
        h: f64,
        /// m
        momentum: [f64; 3],
    },
}
