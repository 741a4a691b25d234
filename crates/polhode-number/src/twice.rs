//! Two packs side by side: while one waits, the processor works on the other.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::packed::sums_by_lanes;
use crate::{Arithmetic, KernelPart, Number, PackedNumber};

/// The lanes of two packs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twice<L>(L, L);

macro_rules! operation {
    ($trait:ident, $method:ident) => {
        impl<L: $trait<Output = L>> $trait for Twice<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}
operation!(Add, add);
operation!(Sub, sub);
operation!(Mul, mul);
operation!(Div, div);
// Masks.
operation!(BitAnd, bitand);
operation!(BitOr, bitor);

impl<L: Neg<Output = L>> Neg for Twice<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<L: Number> Arithmetic for Twice<L> {
    type Mask = Twice<L::Mask>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(L::splat(x), L::splat(x))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        Twice(self.0.less(other.0), self.1.less(other.1))
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(L::select(mask.0, yes.0, no.0), L::select(mask.1, yes.1, no.1))
    }
}

impl<L: Number> Number for Twice<L> {
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(self.0.copysign(sign.0), self.1.copysign(sign.1))
    }
    #[inline(always)]
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        mut function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        let first = L::each_lane(inputs.map(|x| x.0), &mut function);
        let second = L::each_lane(inputs.map(|x| x.1), &mut function);
        core::array::from_fn(|i| Self(first[i], second[i]))
    }
    #[inline(always)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        L::outline(part)
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        L::any(mask.0 | mask.1)
    }
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        L::all(mask.0 & mask.1)
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        let (p, inverse) = self.0.power_of_two();
        let (p_1, inverse_1) = self.1.power_of_two();
        (Self(p, p_1), Self(inverse, inverse_1))
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        Self(self.0.exp2(), self.1.exp2())
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        Self(self.0.exponent(), self.1.exponent())
    }
}

impl<L: PackedNumber> PackedNumber for Twice<L> {
    const WIDTH: usize = 2 * L::WIDTH;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Self(L::load(from), L::load(&from[L::WIDTH..]))
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        self.0.store(into);
        self.1.store(&mut into[L::WIDTH..]);
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        L::bits(mask.0) | (L::bits(mask.1) << L::WIDTH)
    }
    #[inline(always)]
    fn sums(of: [Self; 8]) -> [f64; 8] {
        if L::WIDTH == 4 {
            let (first, second) = (L::sums(of.map(|x| x.0)), L::sums(of.map(|x| x.1)));
            return core::array::from_fn(|i| first[i] + second[i]);
        }
        sums_by_lanes(of)
    }
}
