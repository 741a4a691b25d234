//! `heavy-top`: a body in a uniform field, turning about a fixed point.
//!
//! V = c . u with u = Q^T up; torque u x c in the body frame.
//!
//! Keys: `centre` is c, the centre of mass seen from the fixed point times the weight, in the body
//! frame; `up` points against the field, in space, and is not normalised: only the product of the
//! two lengths matters. Without keys V = u3, the top of 000 and 001.
//!
//! # References
//! 000, section 2 and H4 = u3 in section 4; 001, section 4.3, f(Q) = (u2, -u1, 0), whose u0 has the
//! length 1e-3.

use glam::{DQuat, DVec3};

use super::keys::Given;
use super::{
    Dependence, Key, KeyKind, KeyValues, Torque, TorqueEntry, TorqueError, TorqueJacobian,
};
use crate::cite::Citation;
use crate::{Inertia, State, so3};

const KIND: &str = "heavy-top";

const CENTRE: Key = Key {
    name: "centre",
    doc: "Centre of mass seen from the fixed point, times the weight; body frame.",
    kind: KeyKind::Vector { default: Some([0.0, 0.0, 1.0]) },
};

const UP: Key = Key {
    name: "up",
    doc: "Direction against the field; space frame. Its length multiplies the torque.",
    kind: KeyKind::Direction { default: Some([0.0, 0.0, 1.0]) },
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a uniform field pulls at the centre of mass, V = centre . Q^T up",
    keys: &[CENTRE, UP],
    cites: &[
        Citation { key: "CelledoniSafstrom", at: "section 2" },
        Citation { key: "CelledoniZanna2008", at: "section 4.3" },
    ],
    make: |given, _| Ok(Box::new(HeavyTop::from_keys(given)?)),
};

/// A heavy top: V = centre . Q^T up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyTop {
    centre: DVec3,
    up: DVec3,
}

impl HeavyTop {
    /// The top with this centre of mass (times its weight, body frame) and this direction against
    /// the field (space frame, not normalised).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite, `up` is zero, or their product overflows.
    pub fn new(centre: impl Into<DVec3>, up: impl Into<DVec3>) -> Result<Self, TorqueError> {
        let centre = CENTRE.admit(KIND, centre)?;
        let up = UP.admit(KIND, up)?;
        CENTRE.in_range(KIND, centre, "up", centre.abs().max_element() * up.abs().max_element())?;
        Ok(Self { centre, up })
    }

    fn from_keys(given: &Given<'_>) -> Result<Self, TorqueError> {
        Self::new(given.vector(&CENTRE)?, given.vector(&UP)?)
    }

    /// The top with these values of its keys.
    #[cfg(feature = "ensemble")]
    pub(crate) fn from_values(values: &KeyValues) -> Result<Self, TorqueError> {
        Self::from_keys(&Given::new(KIND, ENTRY.keys, values)?)
    }

    /// Centre (body frame) and up (space frame).
    pub(crate) fn parts(&self) -> [DVec3; 2] {
        [self.centre, self.up]
    }

    fn up_in_body(&self, q: DQuat) -> DVec3 {
        q.conjugate() * self.up
    }
}

impl Torque for HeavyTop {
    fn torque(&self, _t: f64, state: &State) -> DVec3 {
        self.up_in_body(state.q).cross(self.centre)
    }

    fn dependence(&self) -> Dependence {
        Dependence::Attitude
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn potential(&self, _t: f64, q: DQuat) -> Option<f64> {
        Some(self.up_in_body(q).dot(self.centre))
    }

    fn jacobian(&self, _t: f64, state: &State) -> Option<TorqueJacobian> {
        // u turns by u x v.
        let u = so3::hat(self.up_in_body(state.q));
        Some(TorqueJacobian::of_attitude(-(so3::hat(self.centre) * u)))
    }

    fn with_square(&self, _t: f64, state: &State, inertia: &Inertia) -> Option<[DVec3; 2]> {
        let u = self.up_in_body(state.q);
        let torque = u.cross(self.centre);
        Some([torque, u.cross(self.centre.cross(inertia.omega(torque))) * 2.0])
    }
}
