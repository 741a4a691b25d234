//! Several doubles as an array: what the compiler makes of two, and what other widths are tested with.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::packed::each_packed;
use crate::{Arithmetic, KernelPart, Number};

/// Several doubles side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Pack<const N: usize>(pub [f64; N]);

/// Truth values side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackMask<const N: usize>(pub(crate) [bool; N]);

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

impl<const N: usize> Arithmetic for Pack<N> {
    type Mask = PackMask<N>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(Arithmetic::sqrt))
    }
    #[inline(always)]
    fn less(self, other: Self) -> PackMask<N> {
        PackMask(core::array::from_fn(|i| self.0[i] < other.0[i]))
    }
    #[inline(always)]
    fn select(mask: PackMask<N>, yes: Self, no: Self) -> Self {
        Self(core::array::from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }
}

impl<const N: usize> Number for Pack<N> {
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].copysign(sign.0[i])))
    }
    #[inline(always)]
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        each_packed(inputs, function)
    }
    #[inline(always)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        outlined(part)
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
        let pairs = self.0.map(Number::power_of_two);
        (Self(pairs.map(|p| p.0)), Self(pairs.map(|p| p.1)))
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        Self(self.0.map(Number::exp2))
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        Self(self.0.map(Number::exponent))
    }
}

#[inline(never)]
fn outlined<P: KernelPart>(part: P) -> P::Output {
    part.run()
}
