//! The magnetic field of a planet along an orbit.

use glam::DVec3;
use polhode_number::vector::{Vector, add, dot, scale, splat, subtract};
use polhode_number::{Number, sin_cos};

use super::keys::KeyReader;
use super::orbit::{KIND, unit};
use super::{Key, KeyKind, Orbit, TorqueError};

pub(super) const STRENGTH: Key = Key {
    name: "strength",
    doc: "With field = \"orbit\": the planet's field on its magnetic equator, at the distance of the semi-major axis.",
    kind: KeyKind::Number { default: Some(0.0) },
};

pub(super) const AXIS: Key = Key {
    name: "axis",
    doc: "With field = \"orbit\": direction of the planet's magnetic moment at t = 0 (the Earth's points south); \
          space frame, any length.",
    kind: KeyKind::Direction { default: Some([0.0, 0.0, -1.0]) },
};

pub(super) const POLE: Key = Key {
    name: "pole",
    doc: "With field = \"orbit\": the axis that the planet turns about; space frame, any length.",
    kind: KeyKind::Direction { default: Some([0.0, 0.0, 1.0]) },
};

pub(super) const SPIN: Key = Key {
    name: "spin",
    doc: "With field = \"orbit\": angular velocity of the planet about its pole, radians per time.",
    kind: KeyKind::Number { default: Some(0.0) },
};

/// The magnetic field of a planet along an orbit: a dipole at its centre, tilted against the axis that it turns
/// about.
///
/// B = strength (a/r)^3 (3 (u . r) r - u), u the direction of the planet's magnetic moment, r that of the body, a the
/// semi-major axis.
///
/// ```
/// use polhode::torque::{DipoleField, Orbit};
/// let orbit = Orbit::circular(1e-3, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])?;
/// let field = DipoleField::new(orbit, 3e-5, [0.0, 0.0, -1.0])?;
/// assert_eq!(field.at(0.0).to_array(), [0.0, 0.0, 3e-5]); // northward over the equator
/// # Ok::<(), polhode::torque::TorqueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DipoleField {
    orbit: Orbit,
    strength: f64,
    /// Of the direction of the moment: what stands still, what turns, and that a quarter turn later.
    moment: [DVec3; 3],
    spin: f64,
}

impl DipoleField {
    /// The field of a planet that does not turn: its strength on the magnetic equator at the distance of the
    /// semi-major axis, and the direction of the magnetic moment (space frame, any length; the Earth's points south).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite or the direction zero.
    pub fn new(orbit: Orbit, strength: f64, axis: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Self::of(KIND, orbit, strength, axis.into())
    }

    fn of(
        kind: &'static str,
        orbit: Orbit,
        strength: f64,
        axis: DVec3,
    ) -> Result<Self, TorqueError> {
        let strength = STRENGTH.admit_number(kind, strength)?;
        let moment = [unit(AXIS.admit(kind, axis)?), DVec3::ZERO, DVec3::ZERO];
        let size = 2.0 * strength * orbit.strongest();
        STRENGTH.in_range(kind, strength, "(semi-major axis/periapsis)^3", size)?;
        Ok(Self { orbit, strength, moment, spin: 0.0 })
    }

    /// Lets the planet turn about this pole (space frame, any length) with this angular velocity.
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite or the direction zero.
    pub fn turning(self, pole: impl Into<DVec3>, spin: f64) -> Result<Self, TorqueError> {
        self.about(KIND, pole.into(), spin)
    }

    fn about(self, kind: &'static str, pole: DVec3, spin: f64) -> Result<Self, TorqueError> {
        let spin = SPIN.admit_number(kind, spin)?;
        let pole = unit(POLE.admit(kind, pole)?);
        let axis = self.moment[0] + self.moment[1];
        let along = pole * axis.dot(pole);
        Ok(Self { moment: [along, axis - along, pole.cross(axis)], spin, ..self })
    }

    /// Reads the field from the keys of a torque.
    pub(super) fn read(kind: &'static str, given: &KeyReader<'_>) -> Result<Self, TorqueError> {
        let orbit = Orbit::read(kind, given)?;
        let (strength, axis) = (given.number(&STRENGTH)?, given.vector(&AXIS)?);
        Self::of(kind, orbit, strength, axis)?.about(
            kind,
            given.vector(&POLE)?,
            given.number(&SPIN)?,
        )
    }

    /// The orbit along which it is felt.
    pub fn orbit(&self) -> &Orbit {
        &self.orbit
    }

    /// The field where the body is; space frame.
    pub fn at(&self, t: f64) -> DVec3 {
        self.over(t).into()
    }

    #[inline(always)]
    pub(super) fn over<N: Number>(&self, t: N) -> Vector<N> {
        let (r, near) = self.orbit.over(&mut polhode_number::Splat).place(t);
        let still = splat(self.moment[0].to_array());
        let turning = splat(self.moment[1].to_array());
        let later = splat(self.moment[2].to_array());
        let (sin, cos) = sin_cos(N::splat(self.spin) * t, N::splat(0.0));
        let moment = add(still, add(scale(turning, cos), scale(later, sin)));
        let shape = subtract(scale(r, N::splat(3.0) * dot(moment, r)), moment);
        let strength = N::splat(self.strength);
        match near {
            Some(near) => scale(shape, strength * (near * near * near)),
            None => scale(shape, strength),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_of_a_dipole_that_turns() {
        let orbit = Orbit::circular(0.5, DVec3::Y, DVec3::X).unwrap().eccentric(0.2, 0.0).unwrap();
        let tilted = DVec3::new(0.3, 0.1, -0.9).normalize();
        let field = DipoleField::new(orbit, 2.0, tilted * 5.0).unwrap();
        let turning = field.turning([0.0, 0.0, 3.0], 0.7).unwrap();
        for t in [0.0, 1.3, 9.0] {
            let u = crate::so3::exp(DVec3::Z * (0.7 * t)) * tilted;
            let r = orbit.direction(t);
            let want = (r * (3.0 * u.dot(r)) - u) * (2.0 / orbit.distance(t).powi(3));
            assert!((turning.at(t) - want).length() < 1e-14, "{t}");
        }
        assert_eq!(field.at(0.0), field.turning(DVec3::Z, 0.0).unwrap().at(0.0));
        let error = field.turning(DVec3::ZERO, 1.0).unwrap_err().to_string();
        assert!(error.contains("pole = [0.0, 0.0, 0.0]"), "{error}");
    }
}
