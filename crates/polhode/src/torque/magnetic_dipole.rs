//! `magnetic-dipole`: a dipole fixed in the body, in a uniform field fixed in space.
//!
//! V = -mu . B with B = Q^T field; torque mu x B in the body frame.
//!
//! Keys: `dipole` is mu, in the body frame; `field` in space. Either may be zero.

use glam::DVec3;
use polhode_number::vector::{Quaternion, Vector, cross, dot, to_body};
use polhode_number::{Lift, Number};

use super::{Acts, Body, Key, KeyKind, Record, TorqueEntry, TorqueError};
use crate::Point;

const KIND: &str = "magnetic-dipole";

const DIPOLE: Key = Key {
    name: "dipole",
    doc: "Dipole moment; body frame.",
    kind: KeyKind::Vector { default: None },
};

const FIELD: Key = Key {
    name: "field",
    doc: "Magnetic field; space frame.",
    kind: KeyKind::Vector { default: None },
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a dipole in the body in a uniform field, V = -dipole . Q^T field",
    keys: &[DIPOLE, FIELD],
    cites: &[],
    example: || vec![("dipole", [0.3, -0.5, 0.2].into()), ("field", [1.0, 0.4, -0.8].into())],
    make: |given| Ok(MagneticDipole::new(given.vector(&DIPOLE)?, given.vector(&FIELD)?)?.into()),
};

/// A magnetic dipole in a uniform field: V = -dipole . Q^T field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagneticDipole<N = f64> {
    dipole: Vector<N>,
    pub(super) field: Vector<N>,
}

impl MagneticDipole {
    /// The dipole (body frame) in this field (space frame).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite, or their product overflows.
    pub fn new(dipole: impl Into<DVec3>, field: impl Into<DVec3>) -> Result<Self, TorqueError> {
        let dipole = DIPOLE.admit(KIND, dipole)?;
        let field = FIELD.admit(KIND, field)?;
        let size = dipole.abs().max_element() * field.abs().max_element();
        DIPOLE.in_range(KIND, dipole, "field", size)?;
        Ok(Self { dipole: dipole.to_array(), field: field.to_array() })
    }
}

impl Record for MagneticDipole {
    type Over<N: Number> = MagneticDipole<N>;

    const PARAMETERS: &'static [&'static str] =
        &["dipole.x", "dipole.y", "dipole.z", "field.x", "field.y", "field.z"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> MagneticDipole<N> {
        MagneticDipole { dipole: lift.vector(self.dipole), field: lift.vector(self.field) }
    }
}

impl<N: Number> Acts<N> for MagneticDipole<N> {
    const CONSERVATIVE: bool = true;

    #[inline(always)]
    fn torque(&self, _body: &Body<'_, N>, _t: N, at: &Point<N>) -> Vector<N> {
        cross(self.dipole, to_body(at.q, self.field))
    }

    #[inline(always)]
    fn potential(&self, _body: &Body<'_, N>, _t: N, q: Quaternion<N>) -> N {
        -dot(self.dipole, to_body(q, self.field))
    }
}
