//! Numbers in lanes: kernels written once, run on one double or on several at a time.
//!
//! `f64` is the one-lane case, [`Pack`] the case of several. Every operation is a single IEEE
//! operation in each lane (no fused multiply-add, no approximate reciprocal), and a kernel chooses
//! by [`Lanes::select`], lane by lane. So a lane's result has the same bits whatever the width and
//! whatever its neighbours hold.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod packed;
pub(crate) mod vector;

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Ymm;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Zmm;
pub(crate) use packed::Packed;

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
        f64::sqrt(self)
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
}

/// Several doubles side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Pack<const N: usize>(pub [f64; N]);

/// Truth values side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackMask<const N: usize>([bool; N]);

/// Lane by lane; the loop is over a constant and becomes one vector instruction.
macro_rules! lanewise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const N: usize> $trait for Pack<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(core::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}
lanewise!(Add, add, +);
lanewise!(Sub, sub, -);
lanewise!(Mul, mul, *);
lanewise!(Div, div, /);

impl<const N: usize> Neg for Pack<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<const N: usize> BitAnd for PackMask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for PackMask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> Lanes for Pack<N> {
    type Mask = PackMask<N>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].copysign(sign.0[i])))
    }
    #[inline(always)]
    fn less(self, other: Self) -> PackMask<N> {
        PackMask(core::array::from_fn(|i| self.0[i] < other.0[i]))
    }
    #[inline(always)]
    fn select(mask: PackMask<N>, yes: Self, no: Self) -> Self {
        Self(core::array::from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn any(mask: PackMask<N>) -> bool {
        mask.0.iter().any(|&x| x)
    }
    #[inline(always)]
    fn all(mask: PackMask<N>) -> bool {
        mask.0.iter().all(|&x| x)
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        let pairs = self.0.map(Lanes::power_of_two);
        (Self(pairs.map(|p| p.0)), Self(pairs.map(|p| p.1)))
    }
}

/// Sine and cosine, each within an ulp of one for angles up to 2^20 quarter turns, within eps of the
/// angle beyond.
///
/// The angle is x plus a tail that is small beside it (the low half of a double-double, or zero).
/// Ours, because a library's differ from one platform (and from one vector width) to the next.
/// Reduction by pi/2 in three parts (Cody & Waite), then Taylor sums on the octant.
#[inline(always)]
pub fn sin_cos<L: Lanes>(x: L, tail: L) -> (L, L) {
    if !L::any(L::splat(0.78).less(x.abs())) {
        // Nothing to reduce: the same bits, sooner.
        return sin_cos_octant(x, L::splat(0.0) + tail);
    }
    let n = (x * L::splat(core::f64::consts::FRAC_2_PI)).round();
    // The first two parts have 33 bits each: their products with n below 2^20 are exact.
    let y = x - n * L::splat(1.5707963267341256);
    let w = n * L::splat(6.077100506303966e-11);
    let z = y - w;
    // What z lost to rounding, and the third part.
    let tail = (((y - z) - w) - n * L::splat(2.0222662487959506e-21)) + tail;
    let (s, c) = sin_cos_octant(z, tail);
    // n mod 4 as a number in -2..=2.
    let quadrant = n - (n * L::splat(0.25)).round() * L::splat(4.0);
    let size = quadrant.abs();
    let odd = L::splat(0.5).less(size) & size.less(L::splat(1.5));
    let (swapped_s, swapped_c) = (L::select(odd, c, s), L::select(odd, s, c));
    let half_turn = L::splat(1.5).less(size);
    let negative = quadrant.less(L::splat(0.0));
    // Quadrant 1: (c, -s); 2: (-s, -c); -1: (-c, s).
    let sign_s = L::select(half_turn | (odd & negative), L::splat(-1.0), L::splat(1.0));
    let positive_odd = odd & L::splat(0.0).less(quadrant);
    let sign_c = L::select(half_turn | positive_odd, L::splat(-1.0), L::splat(1.0));
    (swapped_s * sign_s, swapped_c * sign_c)
}

#[inline(always)]
fn sin_cos_octant<L: Lanes>(z: L, tail: L) -> (L, L) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sin_cos_within_an_ulp() {
        let mut x = -30.0;
        while x < 30.0 {
            let (s, c) = sin_cos(x, 0.0);
            assert!((s - libm::sin(x)).abs() <= 2.3e-16, "sin {x}: {:e}", s - libm::sin(x));
            assert!((c - libm::cos(x)).abs() <= 2.3e-16, "cos {x}: {:e}", c - libm::cos(x));
            x += 0.0137;
        }
        // Beyond 2^20 quarter turns the first product is rounded: eps x, as x itself is.
        for (x, allowed) in [(1e5_f64, 2.3e-16), (-1e6, 2.3e-16), (1e9, 1e9 * f64::EPSILON)] {
            let (s, c) = sin_cos(x, 0.0);
            assert!((s - libm::sin(x)).abs() <= allowed, "{x}: {:e}", s - libm::sin(x));
            assert!((c - libm::cos(x)).abs() <= allowed, "{x}: {:e}", c - libm::cos(x));
        }
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar() {
        let xs: [f64; 8] = core::array::from_fn(|i| (i as f64 - 3.3) * 2.7);
        let (s, c) = sin_cos(Pack(xs), Pack([0.0; 8]));
        for (i, x) in xs.into_iter().enumerate() {
            assert_eq!((s.0[i], c.0[i]), sin_cos(x, 0.0));
        }
    }

    #[test]
    fn powers_of_two_bracket_the_number() {
        for x in [1.0, 1.99, 3e-200, 7e200, 1e-300] {
            let (p, inverse) = Lanes::power_of_two(x);
            assert!(p <= x && x < 2.0 * p && p * inverse == 1.0, "{x}");
        }
    }
}
