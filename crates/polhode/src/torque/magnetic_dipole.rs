//! `magnetic-dipole`: a dipole fixed in the body, in a uniform field fixed in space.
//!
//! V = -mu . B with B = Q^T field; torque mu x B in the body frame.
//!
//! Keys: `dipole` is mu, in the body frame; `field` in space. Either may be zero.

use glam::{DQuat, DVec3};

use super::{Dependence, Key, KeyKind, Torque, TorqueEntry, TorqueError, TorqueJacobian};
use crate::{State, so3};

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
    make: |given, _| {
        Ok(Box::new(MagneticDipole::new(given.vector(&DIPOLE)?, given.vector(&FIELD)?)?))
    },
};

/// A magnetic dipole in a uniform field: V = -dipole . Q^T field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagneticDipole {
    dipole: DVec3,
    field: DVec3,
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
        Ok(Self { dipole, field })
    }

    fn field_in_body(&self, q: DQuat) -> DVec3 {
        q.conjugate() * self.field
    }
}

impl Torque for MagneticDipole {
    fn torque(&self, _t: f64, state: &State) -> DVec3 {
        self.dipole.cross(self.field_in_body(state.q))
    }

    fn dependence(&self) -> Dependence {
        Dependence::Attitude
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn potential(&self, _t: f64, q: DQuat) -> Option<f64> {
        Some(-self.dipole.dot(self.field_in_body(q)))
    }

    fn jacobian(&self, _t: f64, state: &State) -> Option<TorqueJacobian> {
        // B turns by B x v.
        let b = so3::hat(self.field_in_body(state.q));
        Some(TorqueJacobian::of_attitude(so3::hat(self.dipole) * b))
    }
}
