//! `lagrange-top`: Krysl's top, in a uniform field along the third axis.
//!
//! V = s u3 with u = Q^T e3; torque s (u2, -u1, 0) in the body frame. It is the `heavy-top` with
//! centre (0, 0, s); Lagrange's where the first two moments are equal, which is not asked for.
//!
//! Key: `strength` is s, weight times distance of the centre of mass, 20 by default as in Krysl.
//!
//! # References
//! Krysl, sections 5.2 (slow top) and 5.3 (fast top): t = -20 R(:,3) x e3 in space.

use super::{HeavyTop, Key, KeyKind, TorqueEntry, TorqueError};
use crate::cite::Citation;

const KIND: &str = "lagrange-top";

const STRENGTH: Key = Key {
    name: "strength",
    doc: "Weight times the distance of the centre of mass from the fixed point.",
    kind: KeyKind::Number { default: Some(20.0) },
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a heavy top with its centre of mass on the third axis, V = strength u3",
    keys: &[STRENGTH],
    cites: &[Citation { key: "Krysl2006", at: "sections 5.2 and 5.3" }],
    example: || vec![("strength", 0.7.into())],
    make: |given| Ok(HeavyTop::lagrange(given.number(&STRENGTH)?)?.into()),
};

impl HeavyTop {
    /// Krysl's top: V = strength u3 with u = Q^T e3.
    ///
    /// # Errors
    /// [`TorqueError`] if the strength is not finite.
    pub fn lagrange(strength: f64) -> Result<Self, TorqueError> {
        Self::new([0.0, 0.0, STRENGTH.admit_number(KIND, strength)?], [0.0, 0.0, 1.0])
    }
}
