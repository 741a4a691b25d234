//! Observers: what is made of a run while it goes on.

mod again;
mod condition;
mod error;
mod intervals;
mod invariants;
mod observable;
mod scope;
mod term;
mod trajectory;

pub use again::StepAgain;
pub use condition::Condition;
pub use error::ErrorAgainst;
pub use intervals::Intervals;
pub use invariants::{ConservedQuantities, Drift, Invariants};
pub use observable::{Directions, Observable, Surroundings};
pub use scope::TERMS;
pub use trajectory::{Trajectory, TrajectoryPoint};

use core::ops::ControlFlow;

use glam::DVec3;

use crate::State;
use crate::method::StepReport;
use crate::problem::Problem;

/// A moment of a run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Sample<'a> {
    /// What is being run.
    pub problem: &'a Problem,
    /// The number of the step, 0 for the start.
    pub step: u64,
    /// The time, t0 plus `step` times the length of a step.
    pub t: f64,
    /// Momentum (body frame) and attitude at that time.
    pub state: &'a State,
    /// The numbers that the state has beside, where something moves inside the body: see
    /// [`Stepper::inside`](crate::method::Stepper::inside).
    pub inside: &'a [f64],
    /// What the step to here cost.
    pub report: StepReport,
    /// True for the last step of the plan.
    pub last: bool,
}

impl<'a> Sample<'a> {
    /// A moment that is not the last, and to which no step has led.
    pub fn new(problem: &'a Problem, step: u64, t: f64, state: &'a State) -> Self {
        Self { problem, step, t, state, inside: &[], report: StepReport::default(), last: false }
    }

    /// Sets the numbers of what moves inside the body.
    #[must_use]
    pub fn with_inside(self, inside: &'a [f64]) -> Self {
        Self { inside, ..self }
    }

    /// The angular velocity of the body.
    pub fn omega(&self) -> DVec3 {
        self.problem.omega_inside(self.t, self.state, self.inside)
    }

    /// Kinetic plus potential energy.
    pub fn energy(&self) -> f64 {
        self.problem.energy_inside(self.t, self.state, self.inside)
    }

    /// The speeds of the wheels relative to the body.
    pub fn wheel_speeds(&self) -> Vec<f64> {
        self.problem.wheel_speeds(self.t, self.state, self.inside)
    }
}

/// Why an observer failed: writing a file, for instance.
pub type ObserveError = Box<dyn std::error::Error + Send + Sync>;

/// Something that watches a run.
pub trait Observer {
    /// Sees a step. Breaking ends the run after this step, in good order.
    ///
    /// # Errors
    /// Whatever it could not do; the run ends.
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError>;
}

/// Shows another observer the start, every n-th step, and the last one.
pub struct Every<O> {
    every: u64,
    inner: O,
}

impl<O: Observer> Every<O> {
    /// Every n-th step; n = 0 counts as 1.
    pub fn new(every: u64, inner: O) -> Self {
        Self { every: every.max(1), inner }
    }

    /// The observer that was shown every n-th step.
    pub fn into_inner(self) -> O {
        self.inner
    }

    /// The observer inside, to look at.
    pub fn inner(&self) -> &O {
        &self.inner
    }
}

impl<O: Observer> Observer for Every<O> {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        if sample.step.is_multiple_of(self.every) || sample.last {
            return self.inner.observe(sample);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A closure that sees every step: for progress bars and interrupts.
impl<F: FnMut(&Sample<'_>) -> ControlFlow<()>> Observer for F {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        Ok(self(sample))
    }
}
