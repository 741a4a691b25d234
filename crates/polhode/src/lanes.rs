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
mod twice;
pub(crate) mod vector;
mod width;

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Ymm;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Zmm;
pub(crate) use packed::Packed;
pub use polhode_elliptic::lanes::Lanes;
use polhode_elliptic::lanes::{quarter_turns, sin_cos_octant};
pub(crate) use twice::Twice;
pub use width::Width;
pub(crate) use width::{Checked, Kernel, MAX_WIDTH, alone};

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
    #[inline(always)]
    fn exp2(self) -> Self {
        Self(self.0.map(Lanes::exp2))
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
    let (c, s) = quarter_turns((c, s), n);
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
