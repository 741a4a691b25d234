//! `damping`: a drag against the rotation.
//!
//! torque = -c omega, component by component in the body frame. The kick is exact:
//! m -> exp(-C I^-1 dt) m, that is m_i exp(-c_i dt/I_i) where the body frame is principal.
//!
//! Key: `coefficient` is c, one number for all axes of the body frame or three for one each, none
//! negative.

use glam::DVec3;
use polhode_number::vector::{Vector, multiply};
use polhode_number::{Lift, Number};

use super::{Acts, Body, Dependence, Key, KeyKind, Record, TorqueEntry, TorqueError};
use crate::{Inertia, Point};

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
    example: || vec![("coefficient", [0.1, 0.7, 0.3].into())],
    make: |given| Ok(Damping::new(given.vector(&COEFFICIENT)?)?.into()),
};

/// A drag against the rotation: torque = -coefficient omega.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping<N = f64> {
    coefficient: Vector<N>,
}

impl Damping {
    /// The drag with these coefficients along the axes of the body frame.
    ///
    /// # Errors
    /// [`TorqueError`] if one is negative or not finite.
    pub fn new(coefficient: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Ok(Self { coefficient: COEFFICIENT.admit(KIND, coefficient)?.to_array() })
    }
}

impl Record for Damping {
    type Over<N: Number> = Damping<N>;

    const PARAMETERS: &'static [&'static str] =
        &["coefficient.x", "coefficient.y", "coefficient.z"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> Damping<N> {
        Damping { coefficient: lift.vector(self.coefficient) }
    }

    fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        let coefficient = DVec3::from_array(self.coefficient);
        // A sum, not a maximum: that would lose a NaN.
        let column = |axis: DVec3| (coefficient * inertia.omega(axis)).abs().element_sum();
        let size = column(DVec3::X) + column(DVec3::Y) + column(DVec3::Z);
        COEFFICIENT.in_range(KIND, coefficient, "an inverse moment of inertia", size)
    }
}

impl<N: Number> Acts<N> for Damping<N> {
    const DEPENDENCE: Dependence = Dependence::Momentum;

    #[inline(always)]
    fn torque(&self, body: &Body<'_, N>, _t: N, at: &Point<N>) -> Vector<N> {
        let [x, y, z] = self.coefficient;
        multiply([-x, -y, -z], body.inertia.omega(at.m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InertiaOver;
    use crate::State;
    use crate::torque::Torque;

    #[test]
    fn along_principal_axes_the_kick_is_the_exponential() {
        let inertia = Inertia::principal([1.5, 2.0, 3.0]).unwrap();
        let damping = Torque::from(Damping::new([0.5, 0.0, 2.0]).unwrap());
        let at = Point::from(&State::aligned([1.0, -2.0, 1e-150]).unwrap());
        let over = InertiaOver::new(&inertia);
        let got = damping.kick(&Body::one(&inertia, &over), 0.0, 6.0, &at);
        let want = [libm::exp(-2.0), -2.0, 1e-150 * libm::exp(-4.0)];
        for (got, want) in got.into_iter().zip(want) {
            assert!((got / want - 1.0).abs() < 2e-15, "{got} {want}"); // 4 ulp in an exponent of 4
        }
    }
}
