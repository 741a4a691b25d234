//! Vectors of a step over doubles, or over doubles with derivatives by the unknowns of its equations: from one text
//! come what the equations say and, where it is wanted, Newton's matrix.

use core::ops::{Add, Mul, Sub};

use glam::{DMat3, DVec3};
use polhode_number::vector::{self, Vector};
use polhode_number::{Dual, Number};

use super::start::Start;
use super::turn::Turn;
use crate::so3;
use crate::torque::TorqueJacobian;

/// What the equations of a step compute with.
pub(super) trait StepNumber: Number {
    /// Without derivatives.
    fn value(self) -> f64;

    /// This times a number that does not depend on the unknowns.
    fn times(self, factor: f64) -> Self;

    /// Sine and cosine, by `libm`.
    fn sin_cos(self) -> (Self, Self);

    /// The image of a vector under a linear map of doubles.
    fn image(v: Vector<Self>, linear: impl Fn(DVec3) -> DVec3) -> Vector<Self>;

    /// h times the torque at t + c h, where the body has turned by that much and has that momentum.
    fn impulse(start: &Start, c: f64, turn: Turn<Self>, m: StepVector<Self>) -> StepVector<Self>;
}

impl StepNumber for f64 {
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }

    fn sin_cos(self) -> (Self, Self) {
        (libm::sin(self), libm::cos(self))
    }

    #[inline(always)]
    fn image(v: Vector<Self>, linear: impl Fn(DVec3) -> DVec3) -> Vector<Self> {
        linear(v.into()).into()
    }

    fn impulse(start: &Start, c: f64, turn: Turn, m: StepVector<f64>) -> StepVector<f64> {
        start.impulse(c, turn, m.value()).into()
    }
}

impl<const K: usize> StepNumber for Dual<f64, K> {
    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn times(mut self, factor: f64) -> Self {
        self.value *= factor;
        for k in 0..K {
            self.slopes[k] *= factor;
        }
        self
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = (libm::sin(self.value), libm::cos(self.value));
        let (mut s, mut c) = (self, self);
        (s.value, c.value) = (sin, cos);
        for k in 0..K {
            s.slopes[k] = self.slopes[k] * cos;
            c.slopes[k] = self.slopes[k] * -sin;
        }
        (s, c)
    }

    #[inline(always)]
    fn image([mut x, mut y, mut z]: Vector<Self>, linear: impl Fn(DVec3) -> DVec3) -> Vector<Self> {
        [x.value, y.value, z.value] = linear(DVec3::new(x.value, y.value, z.value)).into();
        for k in 0..K {
            let slope = DVec3::new(x.slopes[k], y.slopes[k], z.slopes[k]);
            [x.slopes[k], y.slopes[k], z.slopes[k]] = linear(slope).into();
        }
        [x, y, z]
    }

    fn impulse(start: &Start, c: f64, turn: Turn<Self>, m: StepVector<Self>) -> StepVector<Self> {
        let (plain, at) = (turn.value(), m.value());
        let value = start.impulse(c, plain, at);
        StepVector::impulse(value, &start.impulse_slopes(c, plain, at), turn, m)
    }
}

/// A vector of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepVector<N>(pub(super) Vector<N>);

impl<N: StepNumber> StepVector<N> {
    /// What does not depend on the unknowns.
    #[inline(always)]
    pub(super) fn constant(v: DVec3) -> Self {
        Self(vector::splat(v.to_array()))
    }

    /// Without derivatives.
    #[inline(always)]
    pub(super) fn value(self) -> DVec3 {
        let [x, y, z] = self.0;
        DVec3::new(x.value(), y.value(), z.value())
    }

    /// The image under a linear map.
    #[inline(always)]
    pub(super) fn map(self, linear: impl Fn(DVec3) -> DVec3) -> Self {
        Self(N::image(self.0, linear))
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self(vector::cross(self.0, other.0))
    }

    /// The inverse derivative of the exponential, `dexp(-psi)^-1 self`.
    #[inline(always)]
    pub(super) fn dexpinv(self, psi: Self) -> Self {
        Self(so3::Dexpinv::new(psi.0).of(self.0))
    }

    /// The derivative of the exponential, `dexp(-psi) self`.
    #[inline(always)]
    pub(super) fn dexp(self, psi: Self) -> Self {
        Self(vector::transform(&so3::dexp_over(psi.0), self.0))
    }
}

impl<const K: usize> StepVector<Dual<f64, K>> {
    /// Three unknowns, from that number on.
    #[inline(always)]
    pub(super) fn unknown(v: DVec3, first: usize) -> Self {
        let [x, y, z] = v.to_array();
        let variable = |x: f64, i: usize| Dual::variable(x, first + i);
        Self([variable(x, 0), variable(y, 1), variable(z, 2)])
    }

    /// An impulse where the body has turned by that much and has that momentum. A torque, which may be a function of
    /// the user's, has its derivatives by turns of the body and by the momentum.
    #[inline(always)]
    pub(super) fn impulse(
        value: DVec3,
        slopes: &TorqueJacobian,
        turn: Turn<Dual<f64, K>>,
        m: Self,
    ) -> Self {
        let mut impulse = Self::constant(value);
        for k in 0..K {
            let slope = slopes.rotation * turn.further(k) + slopes.momentum * m.slope(k);
            for i in 0..3 {
                impulse.0[i].slopes[k] = slope[i];
            }
        }
        impulse
    }

    /// The derivative by an unknown.
    #[inline(always)]
    pub(super) fn slope(self, k: usize) -> DVec3 {
        let [x, y, z] = self.0;
        DVec3::new(x.slopes[k], y.slopes[k], z.slopes[k])
    }
}

impl StepVector<Dual<f64, 3>> {
    /// The derivatives by all unknowns.
    pub(super) fn slopes(self) -> DMat3 {
        DMat3::from_cols(self.slope(0), self.slope(1), self.slope(2))
    }
}

impl From<DVec3> for StepVector<f64> {
    #[inline(always)]
    fn from(v: DVec3) -> Self {
        Self(v.to_array())
    }
}

impl<N: StepNumber> Add for StepVector<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(vector::add(self.0, other.0))
    }
}

impl<N: StepNumber> Sub for StepVector<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(vector::subtract(self.0, other.0))
    }
}

impl<N: StepNumber> Mul<f64> for StepVector<N> {
    type Output = Self;
    /// The factor does not depend on the unknowns.
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.map(|v| v * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type DualVector = StepVector<Dual<f64, 3>>;

    /// Compares the derivative that `f` passes on with differences.
    fn check(name: &str, f: impl Fn(DualVector) -> DualVector) {
        for scale in [1.0, 0.05] {
            let p = DVec3::new(0.4, -0.7, 0.9) * scale;
            let slopes = f(StepVector::unknown(p, 0)).slopes();
            for v in [DVec3::X, DVec3::Y, DVec3::Z] {
                let at = |e: f64| f(StepVector::constant(p + v * e)).value();
                let difference = (at(1e-4) - at(-1e-4)) / 2e-4;
                let off = (difference - slopes * v).length();
                // Truncation 1e-8/6 times third derivatives of order 1.
                assert!(off < 2e-8, "{name}: {off:e}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        let a = StepVector::constant(DVec3::new(0.3, 1.1, -0.2));
        let scale = |p: DualVector| p.map(|v| v * DVec3::new(1.0, 0.5, 0.4));
        check("map", scale);
        check("cross", |p| p.cross(scale(p)) + a.cross(p) * 0.3 - p);
        check("dexpinv", |p| scale(p).dexpinv(p));
        check("dexp", |p| scale(p).dexp(p));
        check("exp", |p| Turn::exp(p).into_body(scale(p)));
        check("cay", |p| Turn::cay(p).into_body(scale(p)));
        check("then", |p| Turn::exp(p).then(Turn::cay(scale(p))).into_body(a));
    }

    #[test]
    fn a_turn_by_nothing_has_a_derivative() {
        let turn = Turn::exp(StepVector::<Dual<f64, 3>>::unknown(DVec3::ZERO, 0));
        assert_eq!(turn.value(), Turn::NONE);
        assert_eq!([0, 1, 2].map(|k| turn.further(k)), [DVec3::X, DVec3::Y, DVec3::Z]);
    }
}
