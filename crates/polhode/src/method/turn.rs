//! A turn of the body, kept as its difference from no turn at all.
//!
//! The quaternion of a step's turn is 1 + x with a small x. What the turn changes, of an attitude or
//! of a vector, is known to the last digit of the change and not of what it changes: that is the
//! increment which compensated summation needs.

use glam::{DQuat, DVec3};
use polhode_number::Dual;
use polhode_number::vector::{Vector, add, cross, dot, scale};

use super::step_number::{StepNumber, StepVector};

/// A rotation, as its quaternion minus one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn<N = f64> {
    /// The scalar part minus one.
    w: N,
    v: Vector<N>,
}

impl Turn {
    pub(super) const NONE: Self = Self { w: 0.0, v: [0.0; 3] };

    /// What the turn adds to an attitude.
    pub(super) fn change(self, q: DQuat) -> DQuat {
        let [x, y, z] = self.v;
        q * DQuat::from_xyzw(x, y, z, self.w)
    }

    /// The attitude after the turn.
    pub(super) fn after(self, q: DQuat) -> DQuat {
        q + self.change(q)
    }
}

impl<N: StepNumber> Turn<N> {
    /// The turn by the angle |psi| about psi, on its continuous branch.
    #[inline(always)]
    pub(super) fn exp(psi: StepVector<N>) -> Self {
        let size = psi.value().abs().max_element();
        if size == 0.0 {
            return Self { w: N::splat(0.0), v: (psi * 0.5).0 };
        }
        // Scaled, so that no length is lost to under- or overflow.
        let StepVector(scaled) = psi.map(|v| v / size);
        let angle = dot(scaled, scaled).sqrt().times(size);
        // cos(angle/2) - 1 = -2 sin²(angle/4) does not cancel.
        let (s, c) = angle.times(0.25).sin_cos();
        Self { w: s.times(-2.0) * s, v: scale(psi.0, s.times(2.0) * c / angle) }
    }

    /// Cayley's turn (1 - hat(v)/2)^-1 (1 + hat(v)/2).
    #[inline(always)]
    pub(super) fn cay(v: StepVector<N>) -> Self {
        let StepVector(half) = v * 0.5;
        let one = N::splat(1.0);
        let square = dot(half, half);
        let length = (one + square).sqrt();
        let [x, y, z] = half;
        Self { w: -square / (length * (one + length)), v: [x / length, y / length, z / length] }
    }

    /// Without derivatives.
    pub(super) fn value(self) -> Turn {
        Turn { w: self.w.value(), v: self.v.map(N::value) }
    }

    /// This turn, and then the next, about axes that have turned with the body.
    #[inline(always)]
    pub(super) fn then(self, next: Self) -> Self {
        let w = self.w + next.w + (self.w * next.w - dot(self.v, next.v));
        let mixed = add(scale(next.v, self.w), scale(self.v, next.w));
        Self { w, v: add(add(self.v, next.v), add(mixed, cross(self.v, next.v))) }
    }

    /// What is added to the coordinates, in the body, of a vector that stands still in space.
    #[inline(always)]
    pub(super) fn into_body(self, a: StepVector<N>) -> StepVector<N> {
        let [x, y, z] = self.v;
        Self { w: self.w, v: [-x, -y, -z] }.out_of_body(a)
    }

    /// What is added when coordinates in the turned body are changed to those before the turn.
    #[inline(always)]
    pub(super) fn out_of_body(self, StepVector(a): StepVector<N>) -> StepVector<N> {
        let va = cross(self.v, a);
        StepVector(add(add(va, scale(va, self.w)), cross(self.v, va))) * 2.0
    }
}

impl<const K: usize> Turn<Dual<f64, K>> {
    /// The vector of the further turn that a change of an unknown brings.
    pub(super) fn further(self, k: usize) -> DVec3 {
        let Turn { w, v } = self.value();
        let (v, dw) = (DVec3::from(v), self.w.slopes[k]);
        let dv = StepVector(self.v).slope(k);
        2.0 * (dv * (1.0 + w) - v * dw - v.cross(dv))
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
            let off = quaternion(Turn::exp((a * scale).into())) - so3::exp(a * scale);
            assert!(off.length() < 3e-16, "{scale}: {off}");
            let off = quaternion(Turn::cay((a * scale).into())) - so3::cay(a * scale);
            assert!(off.length() < 3e-16, "{scale}: {off}");
        }
        let off =
            quaternion(Turn::exp(a.into()).then(Turn::exp(b.into()))) - so3::exp(a) * so3::exp(b);
        assert!(off.length() < 1e-15, "{off}");
        let (q, v) = (so3::exp(a), DVec3::new(1.0, 2.0, -0.5));
        assert!((v + Turn::exp(a.into()).out_of_body(v.into()).value() - q * v).length() < 1e-15);
        assert!(
            (v + Turn::exp(a.into()).into_body(v.into()).value() - q.conjugate() * v).length()
                < 1e-15
        );
    }

    #[test]
    fn small_changes_have_all_their_digits() {
        let (psi, a) = (DVec3::new(0.0, 0.0, 1e-9), DVec3::new(1.0, 0.0, 0.0));
        let change = Turn::exp(psi.into()).out_of_body(a.into()).value();
        // (cos - 1, sin, 0) of 1e-9.
        assert!((change.x / -5e-19 - 1.0).abs() < 1e-15, "{}", change.x);
        assert!((change.y / 1e-9 - 1.0).abs() < 1e-15, "{}", change.y);
    }
}
