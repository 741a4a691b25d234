//! An observer that remembers.

use core::ops::ControlFlow;

use super::{ObserveError, Observer, Sample};
use crate::State;

/// One remembered step of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrajectoryPoint {
    /// The number of the step.
    pub step: u64,
    /// The time, in the unit of the problem.
    pub t: f64,
    /// Momentum (body frame) and attitude at that time.
    pub state: State,
}

/// States through time: what a simulation gives, and an observer that remembers every step it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trajectory {
    /// All points in the order in which they were seen.
    pub points: Vec<TrajectoryPoint>,
}

impl Trajectory {
    /// The last moment; none if nothing was seen.
    pub fn last(&self) -> Option<&TrajectoryPoint> {
        self.points.last()
    }

    /// The times of all points.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().map(|point| point.t)
    }

    /// The states at those times.
    pub fn states(&self) -> impl Iterator<Item = &State> + '_ {
        self.points.iter().map(|point| &point.state)
    }
}

impl Observer for Trajectory {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        self.points.push(TrajectoryPoint { step: sample.step, t: sample.t, state: *sample.state });
        Ok(ControlFlow::Continue(()))
    }
}
