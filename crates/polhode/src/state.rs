//! The state of a body: its momentum and its attitude.

use glam::{DMat3, DQuat, DVec3};

use crate::{Inertia, so3};

/// Angular momentum and attitude of a rigid body.
///
/// # Conventions
/// `m` is the angular momentum in the body frame, `q` the attitude: the active Hamilton quaternion
/// that takes body to space coordinates. `q` and `-q` are the same attitude; which of the two a
/// motion gives is the continuous branch from its start.
// The attitude last in memory: compilers like to read its last number together with what follows, and a processor waits
// for two numbers that were just stored one by one. With the momentum there, a called torque takes longer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct State {
    /// Angular momentum in the body frame.
    pub m: DVec3,
    /// Attitude, body to space, of unit length.
    pub q: DQuat,
}

/// What can be wrong with a state.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// A component is infinite or NaN.
    #[error("{field} = {:?}: every component must be finite", components(.field, .value))]
    NotFinite {
        /// `momentum`, `omega` or `attitude`.
        field: &'static str,
        /// As given; the fourth number of a vector is zero.
        value: [f64; 4],
    },
    /// An attitude of length zero points nowhere.
    #[error("attitude = [0, 0, 0, 0]: a quaternion (w, x, y, z) of length zero is no attitude")]
    ZeroAttitude,
    /// The momentum `inertia * omega` is too large or too small for a double.
    #[error("omega = {omega:?} times the inertia is not within the range of doubles")]
    MomentumOutOfRange {
        /// The angular velocity as given.
        omega: [f64; 3],
    },
}

fn components<'a>(field: &str, value: &'a [f64; 4]) -> &'a [f64] {
    if field == "attitude" { value } else { &value[..3] }
}

fn finite(field: &'static str, v: DVec3) -> Result<DVec3, StateError> {
    if v.is_finite() {
        return Ok(v);
    }
    Err(StateError::NotFinite { field, value: [v.x, v.y, v.z, 0.0] })
}

impl State {
    /// A state from momentum (body frame) and attitude, which is normalised.
    ///
    /// # Errors
    /// [`StateError`] if anything is not finite or the attitude is zero.
    ///
    /// ```
    /// use polhode::{State, so3};
    /// let s = State::new([0.1, 0.2, 0.3], so3::from_wxyz([2.0, 0.0, 0.0, 0.0]))?;
    /// assert_eq!(s.q.w, 1.0);
    /// # Ok::<(), polhode::StateError>(())
    /// ```
    pub fn new(momentum: impl Into<DVec3>, attitude: DQuat) -> Result<Self, StateError> {
        Ok(Self { m: finite("momentum", momentum.into())?, q: normalise(attitude)? })
    }

    /// A state from momentum (body frame), with body and space axes aligned.
    ///
    /// # Errors
    /// [`StateError`] if the momentum is not finite.
    pub fn aligned(momentum: impl Into<DVec3>) -> Result<Self, StateError> {
        Self::new(momentum, DQuat::IDENTITY)
    }

    /// A state from angular velocity (body frame) and attitude, which is normalised.
    ///
    /// # Errors
    /// [`StateError`] if anything is not finite, the attitude is zero, or the momentum over- or
    /// underflows.
    pub fn from_omega(
        inertia: &Inertia,
        omega: impl Into<DVec3>,
        attitude: DQuat,
    ) -> Result<Self, StateError> {
        let omega = finite("omega", omega.into())?;
        let m = inertia.momentum(omega);
        let vanished = omega != DVec3::ZERO && m.abs().max_element() < f64::MIN_POSITIVE;
        if !m.is_finite() || vanished {
            return Err(StateError::MomentumOutOfRange { omega: omega.to_array() });
        }
        Self::new(m, attitude)
    }

    /// Whether all components are finite.
    #[inline]
    pub(crate) fn is_finite(&self) -> bool {
        self.m.is_finite() && self.q.is_finite()
    }

    /// The attitude as components (w, x, y, z).
    pub fn attitude(&self) -> [f64; 4] {
        so3::to_wxyz(self.q)
    }

    /// The attitude as a matrix, `v_space = Q v_body`.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.q)
    }

    /// The angular momentum in the space frame, `Q m`.
    pub fn spatial_momentum(&self) -> DVec3 {
        self.q * self.m
    }

    /// The angular velocity in the body frame, `I^-1 m`.
    pub fn omega(&self, inertia: &Inertia) -> DVec3 {
        inertia.omega(self.m)
    }

    /// The kinetic energy, `m . I^-1 m / 2`.
    pub fn kinetic_energy(&self, inertia: &Inertia) -> f64 {
        0.5 * self.m.dot(inertia.omega(self.m))
    }
}

/// Unit length whatever the scale: the largest component is brought to [1, 2) first.
fn normalise(q: DQuat) -> Result<DQuat, StateError> {
    let a = so3::to_wxyz(q);
    if a.iter().any(|x| !x.is_finite()) {
        return Err(StateError::NotFinite { field: "attitude", value: a });
    }
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return Err(StateError::ZeroAttitude);
    }
    let exponent = crate::scale::exponent(largest);
    let a = a.map(|x| crate::scale::ldexp(x, -exponent));
    let norm = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(so3::from_wxyz(a.map(|x| x / norm)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attitude_of_any_length_is_normalised() {
        for scale in [1e-300, 1e-3, 1.0, 1e300] {
            let q = so3::from_wxyz([scale, -scale, scale, scale]);
            let s = State::aligned([0.0; 3]).and_then(|s| State::new(s.m, q)).unwrap();
            assert_eq!(s.attitude(), [0.5, -0.5, 0.5, 0.5]);
        }
    }

    #[test]
    fn errors_name_the_field() {
        let e = State::aligned([0.0, f64::NAN, 1.0]).unwrap_err();
        assert!(e.to_string().starts_with("momentum = [0.0, NaN, 1.0"), "{e}");
        let e = State::new([1.0; 3], so3::from_wxyz([0.0; 4])).unwrap_err();
        assert_eq!(e, StateError::ZeroAttitude);
        let e = State::new([1.0; 3], so3::from_wxyz([1.0, f64::INFINITY, 0.0, 0.0])).unwrap_err();
        assert!(e.to_string().starts_with("attitude = [1.0, inf"), "{e}");
    }
}
