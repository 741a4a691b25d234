//! Double-double numbers: an unevaluated sum of two doubles, about 32 decimal digits.
//!
//! Used where an error of one rounding would be multiplied by the number of periods (constants of
//! a motion, reduction of a large argument) or lost to cancellation. Every operation is a fixed
//! sequence of IEEE operations, so results are the same on every machine.
//!
//! # References
//! - Dekker, *A floating-point technique for extending the available precision*, Numer. Math. 18
//!   (1971): exact sum and product.
//! - Joldes, Muller, Popescu, *Tight and rigorous error bounds for basic building blocks of
//!   double-word arithmetic*, ACM TOMS 44 (2017): the algorithms and their bounds.

use core::cmp::Ordering;
use core::f64::consts;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use polhode_number::{fast_two_sum, two_sum};

use crate::float;

/// An unevaluated sum `hi + lo` with `|lo| <= ulp(hi)/2`.
///
/// Sums, products, quotients and square roots have a relative error of a few `2^-104`, as long as
/// the result and its low part stay within the range of normal doubles (about 1e-290 to 1e300).
///
/// ```
/// use polhode_elliptic::Dd;
/// let third = Dd::from(1.0) / Dd::from(3.0);
/// assert_eq!((third * Dd::from(3.0) - Dd::from(1.0)).hi(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

/// Exact product of two doubles as (rounded product, error), barring over- and underflow: the bits of
/// [`polhode_number::two_prod`], by a fused multiply-add where the target has one.
#[inline(always)]
pub fn fused_two_prod(a: f64, b: f64) -> (f64, f64) {
    if cfg!(target_feature = "fma") {
        let p = a * b;
        // Both ways give the exact error, hence the same bits (where nothing underflows).
        return (p, float::mul_add(a, b, -p));
    }
    polhode_number::two_prod(a, b)
}

/// `round_ties_even` by two additions where that is possible: without SSE4.1 it is a function call.
#[inline(always)]
pub(crate) fn nearest_integer(x: f64) -> f64 {
    if x.abs() < 2251799813685248.0 {
        // 2^51; beside 1.5 2^52 there are no bits for a fraction. The sign of a zero is kept.
        let magic = 6755399441055744.0;
        return ((x + magic) - magic).copysign(x);
    }
    float::round_ties_even(x)
}

impl Dd {
    /// The number zero.
    pub const ZERO: Self = Self::new(0.0, 0.0);
    /// One.
    pub const ONE: Self = Self::new(1.0, 0.0);
    /// pi.
    pub const PI: Self = Self::new(consts::PI, 1.2246467991473532e-16);
    /// pi/2.
    pub const FRAC_PI_2: Self = Self::new(consts::FRAC_PI_2, 6.123233995736766e-17);
    /// 1/pi.
    pub const FRAC_1_PI: Self = Self::new(consts::FRAC_1_PI, -1.9678676675182486e-17);

    /// The number `hi + lo`; the caller keeps `|lo| <= ulp(hi)/2`.
    #[inline]
    pub const fn new(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// The exact sum of two doubles.
    #[inline]
    pub fn sum(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, b);
        Self { hi, lo }
    }

    /// The exact product of two doubles, barring over- and underflow.
    #[inline]
    pub fn product(a: f64, b: f64) -> Self {
        let (hi, lo) = fused_two_prod(a, b);
        Self { hi, lo }
    }

    /// The double nearest to this number.
    #[inline]
    pub const fn hi(self) -> f64 {
        self.hi
    }

    /// What the nearest double leaves over.
    #[inline]
    pub const fn lo(self) -> f64 {
        self.lo
    }

    /// Square root; NaN for negative numbers.
    #[must_use]
    #[inline]
    pub fn sqrt(self) -> Self {
        if self.hi == 0.0 {
            return self;
        }
        let s = float::sqrt(self.hi);
        let (p, e) = fused_two_prod(s, s);
        let r = ((self.hi - p) - e) + self.lo;
        let (hi, lo) = fast_two_sum(s, r / (2.0 * s));
        Self { hi, lo }
    }

    /// Absolute value.
    #[must_use]
    #[inline]
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// The square.
    #[must_use]
    #[inline]
    pub fn square(self) -> Self {
        self * self
    }

    /// Product with a power of two, exact unless it underflows.
    #[must_use]
    #[inline]
    pub fn scale(self, power_of_two: f64) -> Self {
        Self { hi: self.hi * power_of_two, lo: self.lo * power_of_two }
    }

    /// The nearest integer, ties to even in the leading part, as a double, and what is left.
    ///
    /// Exact while the integer is below 2^53 in magnitude.
    #[inline]
    pub fn split_integer(self) -> (f64, Self) {
        let whole = nearest_integer(self.hi);
        let rest = Self::sum(self.hi - whole, self.lo);
        // The low part can push the remainder just over one half.
        if rest.abs() > Self::from(0.5) {
            let one = rest.hi.signum();
            return (whole + one, rest - Self::from(one));
        }
        (whole, rest)
    }

    /// True if neither infinite nor NaN.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }
}

impl From<f64> for Dd {
    #[inline]
    fn from(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }
}

impl PartialOrd for Dd {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

impl Neg for Dd {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Dd {
    type Output = Self;
    #[inline]
    fn add(self, b: Self) -> Self {
        let (s, e) = two_sum(self.hi, b.hi);
        let (t, f) = two_sum(self.lo, b.lo);
        let (s, e) = fast_two_sum(s, e + t);
        let (hi, lo) = fast_two_sum(s, e + f);
        Self { hi, lo }
    }
}

impl Sub for Dd {
    type Output = Self;
    #[inline]
    fn sub(self, b: Self) -> Self {
        self + -b
    }
}

impl Mul for Dd {
    type Output = Self;
    #[inline]
    fn mul(self, b: Self) -> Self {
        let (p, e) = fused_two_prod(self.hi, b.hi);
        let (hi, lo) = fast_two_sum(p, e + (self.hi * b.lo + self.lo * b.hi));
        Self { hi, lo }
    }
}

impl Mul<f64> for Dd {
    type Output = Self;
    #[inline]
    fn mul(self, b: f64) -> Self {
        let (p, e) = fused_two_prod(self.hi, b);
        let (hi, lo) = fast_two_sum(p, e + self.lo * b);
        Self { hi, lo }
    }
}

impl Div for Dd {
    type Output = Self;
    #[inline]
    fn div(self, b: Self) -> Self {
        // Algorithm 17 of Joldes et al.: one correction, relative error at most 15 2^-106.
        let q = self.hi / b.hi;
        let p = b * q;
        let rest = (self.hi - p.hi) + (self.lo - p.lo);
        let (hi, lo) = fast_two_sum(q, rest / b.hi);
        Self { hi, lo }
    }
}

impl AddAssign for Dd {
    #[inline]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl SubAssign for Dd {
    #[inline]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}

impl MulAssign for Dd {
    #[inline]
    fn mul_assign(&mut self, b: Self) {
        *self = *self * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dd(x: f64) -> Dd {
        Dd::from(x)
    }

    #[test]
    fn product_keeps_what_a_double_drops() {
        let x = 1.0 + f64::EPSILON;
        let p = Dd::product(x, x);
        assert_eq!(p.hi(), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(p.lo(), f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn quotient_and_root_invert_product() {
        for (x, y) in [(3.0, 7.0), (1e-200, 1e90), (1e100, 3e-7), (0.1, 0.3)] {
            let q = dd(x) / dd(y);
            let back = q * dd(y) - dd(x);
            assert!(back.hi().abs() <= 1e-31 * x, "{x}/{y}: {back:?}");
            let r = dd(x).sqrt();
            let back = r.square() - dd(x);
            assert!(back.hi().abs() <= 1e-31 * x, "sqrt {x}: {back:?}");
        }
        assert_eq!(Dd::ZERO.sqrt(), Dd::ZERO);
    }

    #[test]
    fn pi_constants_agree_with_one_another() {
        let one = Dd::PI * Dd::FRAC_1_PI;
        assert!((one - Dd::ONE).hi().abs() < 1e-31);
        assert_eq!(Dd::PI.scale(0.5), Dd::FRAC_PI_2);
        // Machin's formula, in double-double throughout.
        let arctan = |inverse: f64| {
            let x = Dd::ONE / dd(inverse);
            let (mut power, mut sum) = (x, Dd::ZERO);
            for j in 0..60 {
                let term = power / dd(f64::from(2 * j + 1));
                sum += if j % 2 == 0 { term } else { -term };
                power = power * x * x;
            }
            sum
        };
        let pi = (arctan(5.0) * 4.0 - arctan(239.0)) * 4.0;
        assert!((pi - Dd::PI).hi().abs() < 1e-30);
    }

    #[test]
    fn integer_part_looks_at_both_halves() {
        let (n, r) = Dd::sum(1e9 + 0.5, 1e-10).split_integer();
        assert_eq!((n, r.hi()), (1e9 + 1.0, -0.5 + 1e-10));
        let (n, r) = Dd::sum(2.5, 1e-20).split_integer();
        assert_eq!((n, r), (3.0, Dd::sum(-0.5, 1e-20)));
        let (n, r) = Dd::sum(-2.0, 1e-20).split_integer();
        assert_eq!((n, r.hi()), (-2.0, 1e-20));
    }
}
