//! A state at a time, as the JSON documents have it.

use polhode::glam::DVec3;
use polhode::{Inertia, State, so3};
use serde::Serialize;

/// A moment of a motion.
#[derive(Serialize)]
pub(crate) struct Moment {
    pub(crate) t: f64,
    pub(crate) momentum: [f64; 3],
    pub(crate) omega: [f64; 3],
    /// Scalar first, body to space.
    pub(crate) attitude: [f64; 4],
    /// The same as a matrix, row by row.
    pub(crate) matrix: [f64; 9],
}

impl Moment {
    pub(crate) fn new(inertia: &Inertia, t: f64, state: &State) -> Self {
        Self::with_omega(t, state, state.omega(inertia))
    }

    /// With this angular velocity, where it is not that of the momentum.
    pub(crate) fn with_omega(t: f64, state: &State, omega: DVec3) -> Self {
        Self {
            t,
            momentum: state.m.to_array(),
            omega: omega.to_array(),
            attitude: state.attitude(),
            matrix: so3::to_rows(state.q),
        }
    }
}
