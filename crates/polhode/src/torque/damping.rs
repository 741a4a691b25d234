//! `damping`: a drag against the rotation.
//!
//! torque = -c omega, component by component in the body frame. The kick is exact:
//! m -> exp(-C I^-1 dt) m, that is m_i exp(-c_i dt/I_i) where the body frame is principal.
//!
//! Key: `coefficient` is c, one number for all axes of the body frame or three for one each, none
//! negative.

use glam::{DMat3, DQuat, DVec3};

use super::{Dependence, Key, KeyKind, Torque, TorqueEntry, TorqueError, TorqueJacobian};
use crate::{Inertia, State};

const KIND: &str = "damping";

const COEFFICIENT: Key = Key {
    name: "coefficient",
    doc: "Torque per angular velocity, for all axes of the body frame or for each.",
    kind: KeyKind::Coefficients,
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a drag, torque = -coefficient omega in the body frame",
    keys: &[COEFFICIENT],
    cites: &[],
    make: |given, inertia| Ok(Box::new(Damping::new(given.vector(&COEFFICIENT)?, inertia)?)),
};

/// A drag against the rotation: torque = -coefficient omega.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    coefficient: DVec3,
    inertia: Inertia,
    /// -C I^-1.
    matrix: DMat3,
}

impl Damping {
    /// The drag with these coefficients along the axes of the body frame.
    ///
    /// # Errors
    /// [`TorqueError`] if one is negative or not finite, or overflows when divided by a moment.
    pub fn new(coefficient: impl Into<DVec3>, inertia: &Inertia) -> Result<Self, TorqueError> {
        let coefficient = COEFFICIENT.admit(KIND, coefficient)?;
        let column = |axis: DVec3| coefficient * inertia.omega(-axis);
        let matrix = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        // A sum, not a maximum: that would lose a NaN.
        let size = matrix.to_cols_array().iter().map(|x| x.abs()).sum();
        COEFFICIENT.in_range(KIND, coefficient, "an inverse moment of inertia", size)?;
        Ok(Self { coefficient, inertia: *inertia, matrix })
    }
}

impl Torque for Damping {
    fn torque(&self, _t: f64, state: &State) -> DVec3 {
        -self.coefficient * self.inertia.omega(state.m)
    }

    fn dependence(&self) -> Dependence {
        Dependence::Momentum
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn jacobian(&self, _t: f64, _state: &State) -> Option<TorqueJacobian> {
        Some(TorqueJacobian { rotation: DMat3::ZERO, momentum: self.matrix })
    }

    fn momentum_matrix(&self, _t: f64, _q: DQuat) -> Option<DMat3> {
        Some(self.matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn along_principal_axes_the_kick_is_the_exponential() {
        let inertia = Inertia::principal([1.5, 2.0, 3.0]).unwrap();
        let damping = Damping::new([0.5, 0.0, 2.0], &inertia).unwrap();
        let mut state = State::aligned([1.0, -2.0, 1e-150]).unwrap();
        damping.kick(0.0, 6.0, &mut state);
        let want = [libm::exp(-2.0), -2.0, 1e-150 * libm::exp(-4.0)];
        for (got, want) in state.m.to_array().into_iter().zip(want) {
            assert!((got / want - 1.0).abs() < 2e-15, "{got} {want}"); // 4 ulp in an exponent of 4
        }
    }
}
