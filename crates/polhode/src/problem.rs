//! A body, what acts on it, and where it starts.

use crate::torque::Torque;
use crate::{Inertia, State};

/// What is to be integrated.
pub struct Problem {
    /// The body.
    pub inertia: Inertia,
    /// What acts on it.
    pub torque: Box<dyn Torque>,
    /// The time of the start.
    pub t0: f64,
    /// The state at that time.
    pub start: State,
}

impl Problem {
    /// Kinetic plus potential energy; kinetic alone where the torque has no potential.
    pub fn energy(&self, t: f64, state: &State) -> f64 {
        state.kinetic_energy(&self.inertia) + self.torque.potential(t, state.q).unwrap_or(0.0)
    }
}
