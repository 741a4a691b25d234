//! Vectors and turns with their derivatives: Newton's matrix from the formulas as they are printed.
//!
//! Every quantity of an implicit step depends on one unknown momentum p. A [`DualVector`] holds a vector
//! and its derivative with respect to p, and passes both through each operation; a [`DualTurn`] does
//! so for a turn, whose derivative is the vector by which the turned body turns further.
//!
//! Not [`polhode_number::Dual`], number by number: derivatives of the exponential have closed forms in `so3`, as
//! matrices, and the Jacobian of a torque, which may be a function of the user's, is by such turns of the body.

use core::ops::{Add, Mul, Sub};

use glam::{DMat3, DVec3};

use super::turn::Turn;
use crate::so3;

/// A vector and its derivative with respect to the unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct DualVector {
    pub(super) value: DVec3,
    pub(super) slope: DMat3,
}

impl DualVector {
    /// The unknown itself.
    pub(super) fn unknown(value: DVec3) -> Self {
        Self { value, slope: DMat3::IDENTITY }
    }

    /// What does not depend on the unknown.
    pub(super) fn constant(value: DVec3) -> Self {
        Self { value, slope: DMat3::ZERO }
    }

    /// The image under a linear map.
    pub(super) fn map(self, linear: impl Fn(DVec3) -> DVec3) -> Self {
        Self { value: linear(self.value), slope: columns(self.slope, linear) }
    }

    pub(super) fn cross(self, other: Self) -> Self {
        let slope = so3::hat(self.value) * other.slope - so3::hat(other.value) * self.slope;
        Self { value: self.value.cross(other.value), slope }
    }

    /// The inverse derivative of the exponential, `dexp(-psi)^-1 self`.
    pub(super) fn dexpinv(self, psi: Self) -> Self {
        let moved = so3::dexpinv_derivative(psi.value, self.value) * psi.slope;
        let Self { value, slope } = self.map(|w| so3::dexpinv(psi.value, w));
        Self { value, slope: slope + moved }
    }

    /// The derivative of the exponential, `dexp(-psi) self`.
    pub(super) fn dexp(self, psi: Self) -> Self {
        let dexp = so3::dexp(psi.value);
        let value = dexp * self.value;
        // From dexpinv(psi, value) = self: what psi adds on the left must be taken away.
        let moved = so3::dexpinv_derivative(psi.value, value) * psi.slope;
        Self { value, slope: dexp * (self.slope - moved) }
    }
}

impl Add for DualVector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for DualVector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, slope: self.slope - other.slope }
    }
}

impl Mul<f64> for DualVector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { value: self.value * factor, slope: self.slope * factor }
    }
}

/// A turn, and the vector of the further turn that a change of the unknown brings.
#[derive(Clone, Copy, Debug)]
pub(super) struct DualTurn {
    pub(super) turn: Turn,
    pub(super) slope: DMat3,
}

impl DualTurn {
    /// exp(psi).
    pub(super) fn exp(psi: DualVector) -> Self {
        Self { turn: Turn::exp(psi.value), slope: so3::dexp(psi.value) * psi.slope }
    }

    /// cay(v).
    pub(super) fn cay(v: DualVector) -> Self {
        let derivative = DMat3::IDENTITY - so3::hat(v.value) * 0.5;
        let scale = 1.0 / (1.0 + 0.25 * v.value.length_squared());
        Self { turn: Turn::cay(v.value), slope: derivative * v.slope * scale }
    }

    /// This turn, and then the next.
    pub(super) fn then(self, next: Self) -> Self {
        let slope = next.turn.matrix_into_body() * self.slope + next.slope;
        Self { turn: self.turn.then(next.turn), slope }
    }

    /// R^T a - a: what is added to the coordinates, in the turned body, of a vector that stands still.
    pub(super) fn into_body(self, a: DualVector) -> DualVector {
        let change = self.turn.into_body(a.value);
        let moved = so3::hat(a.value + change) * self.slope;
        DualVector { value: change, slope: columns(a.slope, |v| self.turn.into_body(v)) + moved }
    }
}

fn columns(matrix: DMat3, linear: impl Fn(DVec3) -> DVec3) -> DMat3 {
    DMat3::from_cols(linear(matrix.x_axis), linear(matrix.y_axis), linear(matrix.z_axis))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the derivative that `f` passes on with differences.
    fn check(name: &str, f: impl Fn(DualVector) -> DualVector) {
        let p = DVec3::new(0.4, -0.7, 0.9);
        let DualVector { slope, .. } = f(DualVector::unknown(p));
        for v in [DVec3::X, DVec3::Y, DVec3::Z] {
            let at = |e: f64| f(DualVector::constant(p + v * e)).value;
            let difference = (at(1e-4) - at(-1e-4)) / 2e-4;
            let off = (difference - slope * v).length();
            // Truncation 1e-8/6 times third derivatives of order 1.
            assert!(off < 2e-8, "{name}: {off:e}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        let a = DualVector::constant(DVec3::new(0.3, 1.1, -0.2));
        let scale = |p: DualVector| p.map(|v| v * DVec3::new(1.0, 0.5, 0.4));
        check("map", scale);
        check("cross", |p| p.cross(scale(p)) + a.cross(p) * 0.3 - p);
        check("dexpinv", |p| scale(p).dexpinv(p));
        check("dexp", |p| scale(p).dexp(p));
        check("exp", |p| DualTurn::exp(p).into_body(scale(p)));
        check("cay", |p| DualTurn::cay(p).into_body(scale(p)));
        check("then", |p| DualTurn::exp(p).then(DualTurn::cay(scale(p))).into_body(a));
    }
}
