//! A turn of the body, kept as its difference from no turn at all.
//!
//! The quaternion of a step's turn is 1 + x with a small x. What the turn changes, of an attitude or
//! of a vector, is known to the last digit of the change and not of what it changes: that is the
//! increment which compensated summation needs.

use glam::{DMat3, DQuat, DVec3};

/// A rotation, as its quaternion minus one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The scalar part minus one.
    w: f64,
    v: DVec3,
}

impl Turn {
    pub(super) const NONE: Self = Self { w: 0.0, v: DVec3::ZERO };

    /// The turn by the angle |psi| about psi, on its continuous branch.
    pub(super) fn exp(psi: DVec3) -> Self {
        let scale = psi.abs().max_element();
        if scale == 0.0 {
            return Self::NONE;
        }
        // Scaled, so that no length is lost to under- or overflow.
        let angle = (psi / scale).length() * scale;
        // cos(angle/2) - 1 = -2 sin²(angle/4) does not cancel.
        let (s, c) = (libm::sin(0.25 * angle), libm::cos(0.25 * angle));
        Self { w: -2.0 * s * s, v: psi * (2.0 * s * c / angle) }
    }

    /// Cayley's turn (1 - hat(v)/2)^-1 (1 + hat(v)/2).
    pub(super) fn cay(v: DVec3) -> Self {
        let half = 0.5 * v;
        let square = half.length_squared();
        let length = (1.0 + square).sqrt();
        Self { w: -square / (length * (1.0 + length)), v: half / length }
    }

    /// This turn, and then the next, about axes that have turned with the body.
    pub(super) fn then(self, next: Self) -> Self {
        let w = self.w + next.w + (self.w * next.w - self.v.dot(next.v));
        let v = self.v + next.v + (next.v * self.w + self.v * next.w + self.v.cross(next.v));
        Self { w, v }
    }

    /// What the turn adds to an attitude.
    pub(super) fn change(self, q: DQuat) -> DQuat {
        q * DQuat::from_xyzw(self.v.x, self.v.y, self.v.z, self.w)
    }

    /// The attitude after the turn.
    pub(super) fn after(self, q: DQuat) -> DQuat {
        q + self.change(q)
    }

    /// What is added to the coordinates, in the body, of a vector that stands still in space.
    pub(super) fn into_body(self, a: DVec3) -> DVec3 {
        Self { w: self.w, v: -self.v }.out_of_body(a)
    }

    /// What is added when coordinates in the turned body are changed to those before the turn.
    pub(super) fn out_of_body(self, a: DVec3) -> DVec3 {
        let va = self.v.cross(a);
        2.0 * (va + va * self.w + self.v.cross(va))
    }

    /// The matrix that takes coordinates before the turn to those in the turned body.
    pub(super) fn matrix_into_body(self) -> DMat3 {
        let column = |a: DVec3| a + self.into_body(a);
        DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::so3;

    fn quaternion(turn: Turn) -> DQuat {
        turn.after(DQuat::IDENTITY)
    }

    #[test]
    fn a_turn_is_its_quaternion_minus_one() {
        let (a, b) = (DVec3::new(0.3, -1.2, 0.5), DVec3::new(-0.1, 0.4, 5.0));
        for scale in [1.0, 1e-3, 1e-200] {
            let off = quaternion(Turn::exp(a * scale)) - so3::exp(a * scale);
            assert!(off.length() < 3e-16, "{scale}: {off}");
            let off = quaternion(Turn::cay(a * scale)) - so3::cay(a * scale);
            assert!(off.length() < 3e-16, "{scale}: {off}");
        }
        let off = quaternion(Turn::exp(a).then(Turn::exp(b))) - so3::exp(a) * so3::exp(b);
        assert!(off.length() < 1e-15, "{off}");
        let (q, v) = (so3::exp(a), DVec3::new(1.0, 2.0, -0.5));
        assert!((v + Turn::exp(a).out_of_body(v) - q * v).length() < 1e-15);
        assert!((v + Turn::exp(a).into_body(v) - q.conjugate() * v).length() < 1e-15);
        let matrix = Turn::exp(a).matrix_into_body();
        assert!((matrix * v - q.conjugate() * v).length() < 1e-15);
    }

    #[test]
    fn small_changes_have_all_their_digits() {
        let (psi, a) = (DVec3::new(0.0, 0.0, 1e-9), DVec3::new(1.0, 0.0, 0.0));
        let change = Turn::exp(psi).out_of_body(a);
        // (cos - 1, sin, 0) of 1e-9.
        assert!((change.x / -5e-19 - 1.0).abs() < 1e-15, "{}", change.x);
        assert!((change.y / 1e-9 - 1.0).abs() < 1e-15, "{}", change.y);
    }
}
