//! `heavy-top`: a body in a uniform field, turning about a fixed point.
//!
//! V = c . u with u = Q^T up; torque u x c in the body frame.
//!
//! Keys: `centre` is c, the centre of mass seen from the fixed point times the weight, in the body
//! frame; `up` points against the field, in space, and is not normalised: only the product of the
//! two lengths matters. Without keys V = u3, the top of Celledoni & Säfström and of Celledoni & Zanna.
//!
//! # References
//! Celledoni & Säfström, section 2 and H4 = u3 in section 4; Celledoni & Zanna, section 4.3,
//! f(Q) = (u2, -u1, 0), whose u0 has the length 1e-3.

use glam::DVec3;
use polhode_number::vector::{Quaternion, Vector, cross, dot, to_body};
use polhode_number::{Lift, Number};

use super::{Acts, Body, Key, KeyKind, Record, TorqueEntry, TorqueError};
use crate::Point;
use crate::cite::Citation;
use crate::solve::PullForm;

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
    example: || vec![("centre", [0.3, -0.4, 1.2].into()), ("up", [0.1, 0.5, -0.9].into())],
    make: |given| Ok(HeavyTop::new(given.vector(&CENTRE)?, given.vector(&UP)?)?.into()),
};

/// A heavy top: V = centre . Q^T up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyTop<N = f64> {
    centre: Vector<N>,
    up: Vector<N>,
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
        Ok(Self { centre: centre.to_array(), up: up.to_array() })
    }

    /// As a pull along a direction of space on a point of the body.
    #[allow(clippy::unnecessary_wraps, reason = "a model may be without its form")]
    pub(super) fn pull(&self) -> Option<PullForm> {
        Some(PullForm { centre: self.centre, up: self.up })
    }
}

impl Record for HeavyTop {
    type Over<N: Number> = HeavyTop<N>;

    const PARAMETERS: &'static [&'static str] =
        &["centre.x", "centre.y", "centre.z", "up.x", "up.y", "up.z"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> HeavyTop<N> {
        HeavyTop { centre: lift.vector(self.centre), up: lift.vector(self.up) }
    }
}

impl<N: Number> Acts<N> for HeavyTop<N> {
    const CONSERVATIVE: bool = true;

    #[inline(always)]
    fn torque(&self, _body: &Body<'_, N>, _t: N, at: &Point<N>) -> Vector<N> {
        cross(to_body(at.q, self.up), self.centre)
    }

    #[inline(always)]
    fn potential(&self, _body: &Body<'_, N>, _t: N, q: Quaternion<N>) -> N {
        dot(to_body(q, self.up), self.centre)
    }
}
