//! The two number types the integrals are written over.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Dd, float, fused_two_prod};

/// A real number: `f64` or [`Dd`]. Sealed: the tolerances of the iterations know just these two.
pub trait Real:
    Copy
    + Debug
    + PartialOrd
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + sealed::Sealed
{
    /// Relative spacing of the numbers.
    const EPSILON: f64;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The nearest double.
    fn to_f64(self) -> f64;
    /// pi/2.
    fn frac_pi_2() -> Self;
    /// The quotient of two small integers; a constant, known when compiled.
    fn ratio(p: f64, q: f64) -> Self;
    /// Two quotients by one divisor; where division is dear, at the price of one.
    fn quotients(a: Self, b: Self, divisor: Self) -> (Self, Self);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for crate::Dd {}
}

impl Real for f64 {
    const EPSILON: f64 = f64::EPSILON;
    #[inline]
    fn sqrt(self) -> Self {
        float::sqrt(self)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
    fn frac_pi_2() -> Self {
        core::f64::consts::FRAC_PI_2
    }
    #[inline(always)]
    fn ratio(p: f64, q: f64) -> Self {
        p / q
    }
    #[inline(always)]
    fn quotients(a: Self, b: Self, divisor: Self) -> (Self, Self) {
        (a / divisor, b / divisor)
    }
}

impl Real for Dd {
    // 2^-104: one bit of the 2^-106 goes to each of sum and product.
    const EPSILON: f64 = 4.930380657631324e-32;
    #[inline]
    fn sqrt(self) -> Self {
        Dd::sqrt(self)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        self.hi()
    }
    fn frac_pi_2() -> Self {
        Dd::FRAC_PI_2
    }
    #[inline(always)]
    fn ratio(p: f64, q: f64) -> Self {
        let hi = p / q;
        let (product, error) = fused_two_prod(hi, q);
        Dd::new(hi, ((p - product) - error) / q)
    }
    #[inline(always)]
    fn quotients(a: Self, b: Self, divisor: Self) -> (Self, Self) {
        let inverse = Dd::ONE / divisor;
        (a * inverse, b * inverse)
    }
}
