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
    /// The value at the first step seen.
    pub start: T,
    /// The largest distance from that, absolute.
    pub max_error: f64,
}

/// Watches energy, length of the momentum, and momentum in space.
///
/// Which of them the motion keeps depends on the torque; this only measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Invariants {
    drifts: Option<Departures>,
}

/// Energy, length of the momentum, and momentum in space, of one state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConservedQuantities {
    /// Kinetic plus potential energy.
    pub energy: f64,
    /// The length of the momentum.
    pub norm: f64,
    /// The momentum in space.
    pub spatial: DVec3,
}

impl ConservedQuantities {
    /// Those of a state that has this energy.
    pub fn new(energy: f64, state: &State) -> Self {
        Self { energy, norm: state.m.length(), spatial: state.spatial_momentum() }
    }

    /// How far each of them is from what it was, in this order; the first two with their sign.
    pub fn changes(&self, from: &Self) -> [f64; 3] {
        let spatial = (self.spatial - from.spatial).length();
        [self.energy - from.energy, self.norm - from.norm, spatial]
    }

    /// How far each of them is from what it was, in this order, all without sign.
    pub fn departures(&self, from: &Self) -> [f64; 3] {
        self.changes(from).map(f64::abs)
    }

    /// Raises the largest departures so far to these, where these are larger. A departure that is NaN stays: a maximum
    /// must not hide it.
    pub fn raise(&self, from: &Self, largest: &mut [f64; 3]) {
        for (largest, departure) in largest.iter_mut().zip(self.departures(from)) {
            let undefined = largest.is_nan() || departure.is_nan();
            *largest = if undefined { f64::NAN } else { largest.max(departure) };
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Departures {
    start: ConservedQuantities,
    max_errors: [f64; 3],
}

impl Invariants {
    /// Watches from a state on that was seen before, with the departures found until then.
    pub fn resumed(problem: &Problem, t: f64, start: &State, max_errors: [f64; 3]) -> Self {
        let energy = problem.energy(t, start);
        Self { drifts: Some(Departures { max_errors, ..Departures::new(energy, start) }) }
    }

    /// Kinetic plus potential energy; none before the first step.
    pub fn energy(&self) -> Option<Drift<f64>> {
        self.drifts.map(|d| Drift { start: d.start.energy, max_error: d.max_errors[0] })
    }

    /// The length of the momentum.
    pub fn momentum_norm(&self) -> Option<Drift<f64>> {
        self.drifts.map(|d| Drift { start: d.start.norm, max_error: d.max_errors[1] })
    }

    /// The momentum in space.
    pub fn spatial_momentum(&self) -> Option<Drift<DVec3>> {
        self.drifts.map(|d| Drift { start: d.start.spatial, max_error: d.max_errors[2] })
    }
}

impl Departures {
    fn new(energy: f64, state: &State) -> Self {
        Self { start: ConservedQuantities::new(energy, state), max_errors: [0.0; 3] }
    }

    fn see(&mut self, energy: f64, state: &State) {
        ConservedQuantities::new(energy, state).raise(&self.start, &mut self.max_errors);
    }
}

impl Observer for Invariants {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let (energy, state) = (sample.energy(), sample.state);
        self.drifts.get_or_insert_with(|| Departures::new(energy, state)).see(energy, state);
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_departure_that_is_nan_stays() {
        let of = |energy| ConservedQuantities { energy, norm: 1.0, spatial: DVec3::Z };
        let start = of(1.0);
        let mut largest = [0.0; 3];
        for (energy, want) in [(1.5, 0.5), (0.75, 0.5), (f64::NAN, f64::NAN), (3.0, f64::NAN)] {
            of(energy).raise(&start, &mut largest);
            assert_eq!(largest.map(f64::to_bits), [want, 0.0, 0.0].map(f64::to_bits), "{energy}");
        }
    }
}
