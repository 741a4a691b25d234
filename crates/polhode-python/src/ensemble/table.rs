//! The states of an ensemble, as arrays.

use polhode::ensemble::{BodyFailure, BodySamples, Sink};
use polhode::observe::ObserveError;
use polhode::{Control, Interruption};
use pyo3::prelude::*;

use super::EnsembleWork;
use crate::arrays::{BLOCK, with_capacity};

/// The states of all bodies at all times kept, body by body.
pub(super) struct StateTable {
    rows: usize,
    /// How many times are kept of each body, and which steps: one in so many, and the last.
    pub(super) kept: usize,
    every: u64,
    pub(super) momentum: Vec<f64>,
    pub(super) omega: Vec<f64>,
    pub(super) attitude: Vec<f64>,
    pub(super) energy: Vec<f64>,
    pub(super) failures: Vec<BodyFailure>,
}

impl StateTable {
    pub(super) fn new(bodies: usize, work: &EnsembleWork) -> PyResult<Self> {
        let &EnsembleWork { kept, every, .. } = work;
        let rows = bodies.saturating_mul(kept);
        let room = |width: usize| with_capacity(rows.saturating_mul(width));
        Ok(Self {
            rows,
            kept,
            every,
            momentum: room(3)?,
            omega: room(3)?,
            attitude: room(4)?,
            energy: room(1)?,
            failures: Vec::new(),
        })
    }

    /// Gives every row a value, which takes seconds for gigabytes: not for the thread that has the
    /// interpreter.
    pub(super) fn fill(&mut self, control: &Control) -> Result<(), Interruption> {
        let Self { rows, momentum, omega, attitude, energy, .. } = self;
        for (numbers, width) in [(momentum, 3), (omega, 3), (attitude, 4), (energy, 1)] {
            let size = *rows * width;
            while numbers.len() < size {
                control.check()?;
                numbers.resize(size.min(numbers.len() + BLOCK), 0.0);
            }
        }
        Ok(())
    }

    /// A body has no states from that step on.
    pub(super) fn lose(&mut self, body: usize, step: u64) {
        // The first that is kept of those that were not done.
        let done = usize::try_from(step.div_ceil(self.every)).unwrap_or(usize::MAX);
        let rows = body * self.kept + done.min(self.kept)..(body + 1) * self.kept;
        let columns = [&mut self.momentum, &mut self.omega, &mut self.attitude, &mut self.energy];
        for (numbers, width) in columns.into_iter().zip([3, 3, 4, 1]) {
            numbers[width * rows.start..width * rows.end].fill(f64::NAN);
        }
    }
}

impl Sink for StateTable {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        let index = if samples.step.is_multiple_of(self.every) {
            usize::try_from(samples.step / self.every)?
        } else if samples.last {
            self.kept - 1
        } else {
            return Ok(());
        };
        for (i, body) in samples.bodies().iter().enumerate() {
            let row = (usize::try_from(samples.first)? + i) * self.kept + index;
            let state = samples.state(i);
            self.momentum[3 * row..3 * row + 3].copy_from_slice(&state.m.to_array());
            let omega = state.omega(&body.inertia).to_array();
            self.omega[3 * row..3 * row + 3].copy_from_slice(&omega);
            self.attitude[4 * row..4 * row + 4].copy_from_slice(&state.attitude());
            self.energy[row] = samples.energy(i);
        }
        Ok(())
    }

    fn failure(&mut self, failure: &BodyFailure) -> Result<(), ObserveError> {
        self.failures.push(failure.clone());
        Ok(())
    }
}
