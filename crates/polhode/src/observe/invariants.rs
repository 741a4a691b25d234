//! An observer of what should not change.

use core::ops::ControlFlow;

use glam::DVec3;

use super::{ObserveError, Observer, Sample};
use crate::State;
use crate::problem::Problem;

/// A quantity that should stay: its first value and the largest departure from it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drift<T> {
    /// At the first step seen.
    pub start: T,
    /// The largest distance from that, absolute.
    pub max_error: f64,
}

/// Watches energy, length of the momentum, and momentum in space.
///
/// Which of them the motion keeps depends on the torque; this only measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Invariants {
    drifts: Option<Drifts>,
}

#[derive(Clone, Copy, Debug)]
struct Drifts {
    energy: Drift<f64>,
    norm: Drift<f64>,
    spatial: Drift<DVec3>,
}

impl Invariants {
    /// Watches from a state on that was seen before, with the departures found until then.
    pub fn resumed(problem: &Problem, t: f64, start: &State, max_errors: [f64; 3]) -> Self {
        let mut drifts = Drifts::new(problem, t, start);
        drifts.energy.max_error = max_errors[0];
        drifts.norm.max_error = max_errors[1];
        drifts.spatial.max_error = max_errors[2];
        Self { drifts: Some(drifts) }
    }

    /// Kinetic plus potential energy; none before the first step.
    pub fn energy(&self) -> Option<Drift<f64>> {
        self.drifts.map(|d| d.energy)
    }

    /// The length of the momentum.
    pub fn momentum_norm(&self) -> Option<Drift<f64>> {
        self.drifts.map(|d| d.norm)
    }

    /// The momentum in space.
    pub fn spatial_momentum(&self) -> Option<Drift<DVec3>> {
        self.drifts.map(|d| d.spatial)
    }
}

impl Drifts {
    fn new(problem: &Problem, t: f64, state: &State) -> Self {
        Self {
            energy: Drift { start: problem.energy(t, state), max_error: 0.0 },
            norm: Drift { start: state.m.length(), max_error: 0.0 },
            spatial: Drift { start: state.spatial_momentum(), max_error: 0.0 },
        }
    }

    fn see(&mut self, problem: &Problem, t: f64, state: &State) {
        let energy = (problem.energy(t, state) - self.energy.start).abs();
        let norm = (state.m.length() - self.norm.start).abs();
        let spatial = (state.spatial_momentum() - self.spatial.start).length();
        for (max, error) in [
            (&mut self.energy.max_error, energy),
            (&mut self.norm.max_error, norm),
            (&mut self.spatial.max_error, spatial),
        ] {
            // A maximum must not hide a NaN.
            *max = if error.is_nan() { f64::NAN } else { max.max(error) };
        }
    }
}

impl Observer for Invariants {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let Sample { problem, t, state, .. } = *sample;
        self.drifts.get_or_insert_with(|| Drifts::new(problem, t, state)).see(problem, t, state);
        Ok(ControlFlow::Continue(()))
    }
}
