//! `constant`: a torque that stays the same, in the body (a thruster) or in space.
//!
//! Body: torque c. Space: torque Q^T c. Neither has a potential: a full turn about c gains
//! 2 pi |c| of energy.
//!
//! Keys: `torque` is c; `frame` is "body" (default) or "space".

use glam::{DMat3, DVec3};

use super::{Dependence, Key, KeyKind, Torque, TorqueEntry, TorqueError, TorqueJacobian};
use crate::{State, so3};

const KIND: &str = "constant";

const TORQUE: Key =
    Key { name: "torque", doc: "The torque.", kind: KeyKind::Vector { default: None } };

const FRAME: Key = Key {
    name: "frame",
    doc: "Where it is constant: in the body or in space.",
    kind: KeyKind::Choice(&["body", "space"]),
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a constant torque, in the body or in space",
    keys: &[TORQUE, FRAME],
    cites: &[],
    make: |given, _| {
        let torque = given.vector(&TORQUE)?;
        let space = given.is(&FRAME, "space")?;
        let new = if space { ConstantTorque::space } else { ConstantTorque::body };
        Ok(Box::new(new(torque)?))
    },
};

/// A torque that stays the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantTorque {
    torque: DVec3,
    in_space: bool,
}

impl ConstantTorque {
    /// A torque that is constant in the body frame.
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite.
    pub fn body(torque: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Ok(Self { torque: TORQUE.admit(KIND, torque)?, in_space: false })
    }

    /// A torque that is constant in space.
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite.
    pub fn space(torque: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Ok(Self { torque: TORQUE.admit(KIND, torque)?, in_space: true })
    }
}

impl Torque for ConstantTorque {
    fn torque(&self, _t: f64, state: &State) -> DVec3 {
        if self.in_space { state.q.conjugate() * self.torque } else { self.torque }
    }

    fn dependence(&self) -> Dependence {
        Dependence::Attitude
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn jacobian(&self, t: f64, state: &State) -> Option<TorqueJacobian> {
        let turning = if self.in_space { so3::hat(self.torque(t, state)) } else { DMat3::ZERO };
        Some(TorqueJacobian::of_attitude(turning))
    }
}
