//! `constant`: a torque that stays the same, in the body (a thruster) or in space.
//!
//! Body: torque c. Space: torque Q^T c. Neither has a potential: a full turn about c gains
//! 2 pi |c| of energy.
//!
//! Keys: `torque` is c; `frame` is "body" (default) or "space".

use glam::DVec3;
use polhode_number::vector::{Vector, to_body};
use polhode_number::{Lift, Number};

use super::{Acts, Body, Key, KeyKind, Record, TorqueEntry, TorqueError};
use crate::Point;

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
    example: || vec![("torque", [0.3, -0.2, 0.5].into()), ("frame", "space".into())],
    make: |given| {
        let torque = given.vector(&TORQUE)?;
        let space = given.is(&FRAME, "space")?;
        let new = if space { ConstantTorque::space } else { ConstantTorque::body };
        Ok(new(torque)?.into())
    },
};

/// A torque that stays the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantTorque<N = f64> {
    torque: Vector<N>,
    in_space: bool,
}

impl ConstantTorque {
    /// A torque that is constant in the body frame.
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite.
    pub fn body(torque: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Ok(Self { torque: TORQUE.admit(KIND, torque)?.to_array(), in_space: false })
    }

    /// A torque that is constant in space.
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite.
    pub fn space(torque: impl Into<DVec3>) -> Result<Self, TorqueError> {
        Ok(Self { torque: TORQUE.admit(KIND, torque)?.to_array(), in_space: true })
    }
}

impl Record for ConstantTorque {
    type Over<N: Number> = ConstantTorque<N>;

    const PARAMETERS: &'static [&'static str] = &["torque.x", "torque.y", "torque.z"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> ConstantTorque<N> {
        ConstantTorque { torque: lift.vector(self.torque), in_space: self.in_space }
    }
}

impl<N: Number> Acts<N> for ConstantTorque<N> {
    #[inline(always)]
    fn torque(&self, _body: &Body<'_, N>, _t: N, at: &Point<N>) -> Vector<N> {
        if self.in_space { to_body(at.q, self.torque) } else { self.torque }
    }
}
