//! Numbers in lanes: kernels written once, run on one double or on several at a time.
//!
//! `f64` is the one-lane case; vectors of several implement the same trait elsewhere. Every operation
//! is a single IEEE operation in each lane (no fused multiply-add, no approximate reciprocal), and a
//! kernel chooses by [`Lanes::select`], lane by lane. So a lane's result has the same bits whatever
//! the width and whatever its neighbours hold.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// 2^52 and the bias of the exponent of a double: the sum of this and a small integer n, shifted left
/// by 52 bits, is 2^n.
pub const EXPONENT_BIAS: f64 = 4503599627370496.0 + 1023.0;

/// One or several doubles with one operation on all of them.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A truth value in each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    /// The same number in every lane.
    fn splat(x: f64) -> Self;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// This magnitude with that sign.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;
    /// Where this is less than that; false for NaN.
    fn less(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`. Both are computed.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// True if the mask holds in some lane.
    fn any(mask: Self::Mask) -> bool;
    /// True if the mask holds in every lane.
    fn all(mask: Self::Mask) -> bool;
    /// The power of two with the exponent of a normal number, and its inverse.
    ///
    /// For |x| in [2^-1021, 2^1022); outside the pair is meaningless but finite.
    fn power_of_two(self) -> (Self, Self);
    /// 2^n for a whole number n of magnitude at most 1022.
    #[must_use]
    fn exp2(self) -> Self;

    /// The greater of two numbers.
    #[must_use]
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.less(other), other, self)
    }

    /// The nearest integer, for magnitudes below 2^51.
    #[must_use]
    #[inline(always)]
    fn round(self) -> Self {
        // Adding 1.5 2^52 leaves no bits for a fraction.
        let magic = Self::splat(6755399441055744.0);
        (self + magic) - magic
    }
}

impl Lanes for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        crate::float::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f64::copysign(self, sign)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        let bits = self.to_bits() & 0x7ff0_0000_0000_0000;
        let inverse = (0x7fe0_0000_0000_0000_u64).wrapping_sub(bits) & 0x7ff0_0000_0000_0000;
        (Self::from_bits(bits), Self::from_bits(inverse))
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        // In a sum with 2^52 the lowest bits are those of the integer.
        Self::from_bits((self + EXPONENT_BIAS).to_bits() << 52)
    }
}

/// Exact sum of two numbers as (rounded sum, error).
#[inline(always)]
pub fn two_sum<L: Lanes>(a: L, b: L) -> (L, L) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// Exact product of two numbers as (rounded product, error), barring over- and underflow.
#[inline(always)]
pub fn two_prod<L: Lanes>(a: L, b: L) -> (L, L) {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// Dekker's split into two halves of at most 26 bits.
#[inline(always)]
fn halves<L: Lanes>(a: L) -> (L, L) {
    let c = L::splat(134_217_729.0) * a;
    let hi = c - (c - a);
    (hi, a - hi)
}

/// A complex number times i^n, n a whole number of magnitude below 2^51.
#[inline(always)]
pub fn quarter_turns<L: Lanes>((x, y): (L, L), n: L) -> (L, L) {
    // n mod 4 in -2..=2.
    let k = n - (n * L::splat(0.25)).round() * L::splat(4.0);
    let size = k.abs();
    let half_turn = L::splat(1.5).less(size);
    let odd = L::splat(0.5).less(size) & size.less(L::splat(1.5));
    let (a, b) = (L::select(odd, y, x), L::select(odd, x, y));
    let (one, minus) = (L::splat(1.0), L::splat(-1.0));
    let left = L::splat(0.5).less(k);
    let right = k.less(L::splat(-0.5));
    (a * L::select(half_turn | left, minus, one), b * L::select(half_turn | right, minus, one))
}

/// Sine and cosine of `z + tail`, `|z| <= pi/4` and the tail small beside it: Taylor sums, with the
/// first-order effect of the tail.
#[inline(always)]
pub fn sin_cos_octant<L: Lanes>(z: L, tail: L) -> (L, L) {
    let y = z * z;
    let y2 = y * y;
    let y4 = y2 * y2;
    // Estrin's scheme: half the latency of Horner's.
    let p = (L::splat(-1.0 / 6.0) + y * L::splat(1.0 / 120.0))
        + y2 * (L::splat(-1.0 / 5040.0) + y * L::splat(1.0 / 362880.0))
        + y4 * ((L::splat(-1.0 / 39916800.0) + y * L::splat(1.0 / 6227020800.0))
            + y2 * (L::splat(-1.0 / 1307674368000.0) + y * L::splat(1.0 / 355687428096000.0)));
    let r = (L::splat(1.0 / 24.0) + y * L::splat(-1.0 / 720.0))
        + y2 * (L::splat(1.0 / 40320.0) + y * L::splat(-1.0 / 3628800.0))
        + y4 * ((L::splat(1.0 / 479001600.0) + y * L::splat(-1.0 / 87178291200.0))
            + y2 * L::splat(1.0 / 20922789888000.0));
    let half = y * L::splat(0.5);
    let w = L::splat(1.0) - half;
    let s = z + (z * y * p + tail * w);
    let c = w + (((L::splat(1.0) - w) - half) + (y2 * r - z * tail));
    (s, c)
}

/// 1/n in every lane. No closure: it would not be compiled for the lanes of its caller.
#[inline(always)]
fn per<L: Lanes>(n: f64) -> L {
    L::splat(1.0 / n)
}

/// exp(x) and exp(x) - 1, the latter good to all digits near zero, for -700 <= x <= 0.
#[inline(always)]
pub fn exp_and_minus_one<L: Lanes>(x: L) -> (L, L) {
    let n = (x * L::splat(core::f64::consts::LOG2_E)).round();
    // ln 2 in two parts, the first of 33 bits: its product with n is exact.
    let r = (x - n * L::splat(0.6931471803691238)) - n * L::splat(1.9082149292705877e-10);
    let r2 = r * r;
    let r4 = r2 * r2;
    let per = per::<L>;
    let low = (per(2.0) + r * per(6.0)) + r2 * (per(24.0) + r * per(120.0));
    let middle = (per(720.0) + r * per(5040.0)) + r2 * (per(40320.0) + r * per(362880.0));
    let high =
        (per(3628800.0) + r * per(39916800.0)) + r2 * (per(479001600.0) + r * per(6227020800.0));
    let m = r + r2 * (low + r4 * (middle + r4 * high));
    let power = n.exp2();
    let e = power * (L::splat(1.0) + m);
    let small = n.abs().less(L::splat(0.5));
    (e, L::select(small, m, e - L::splat(1.0)))
}
