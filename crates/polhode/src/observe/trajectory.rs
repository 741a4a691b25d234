//! An observer that remembers.

use core::ops::ControlFlow;

use super::{ObserveError, Observer, Sample};
use crate::State;

/// A remembered moment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrajectoryPoint {
    /// The number of the step.
    pub step: u64,
    /// The time.
    pub t: f64,
    /// The state.
    pub state: State,
}

/// Remembers every step it is shown.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    /// What was seen.
    pub points: Vec<TrajectoryPoint>,
}

impl Observer for Trajectory {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        self.points.push(TrajectoryPoint { step: sample.step, t: sample.t, state: *sample.state });
        Ok(ControlFlow::Continue(()))
    }
}
