//! Two lanes as one SSE2 register, which every x86-64 processor has.
//!
//! Arrays of two doubles give the same bits; but the compiler, which must find the register in them first, takes three
//! times as long and makes three times as much code.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128d, _mm_add_pd, _mm_and_pd, _mm_and_si128, _mm_andnot_pd, _mm_castpd_si128,
    _mm_castsi128_pd, _mm_cmplt_pd, _mm_div_pd, _mm_loadu_pd, _mm_movemask_pd, _mm_mul_pd,
    _mm_or_pd, _mm_or_si128, _mm_set1_epi64x, _mm_set1_pd, _mm_slli_epi64, _mm_sqrt_pd,
    _mm_srli_epi64, _mm_storeu_pd, _mm_sub_epi64, _mm_sub_pd, _mm_xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::{Arithmetic, Number, Packed, Part};

/// Two doubles.
///
/// # Safety
/// Every method executes SSE2 instructions, which belong to every x86-64 processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Xmm(__m128d);

/// Two truth values, all bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct XmmMask(__m128d);

macro_rules! operation {
    ($type:ident: $trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the type.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}
operation!(Xmm: Add, add, _mm_add_pd);
operation!(Xmm: Sub, sub, _mm_sub_pd);
operation!(Xmm: Mul, mul, _mm_mul_pd);
operation!(Xmm: Div, div, _mm_div_pd);
operation!(XmmMask: BitAnd, bitand, _mm_and_pd);
operation!(XmmMask: BitOr, bitor, _mm_or_pd);

impl Neg for Xmm {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm_xor_pd(self.0, _mm_set1_pd(-0.0)) })
    }
}

impl Arithmetic for Xmm {
    type Mask = XmmMask;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm_set1_pd(x) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> XmmMask {
        // SAFETY: see the type.
        XmmMask(unsafe { _mm_cmplt_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: XmmMask, yes: Self, no: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm_or_pd(_mm_and_pd(mask.0, yes.0), _mm_andnot_pd(mask.0, no.0)) })
    }
}

impl Number for Xmm {
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm_andnot_pd(_mm_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: see the type.
        unsafe {
            let bit = _mm_set1_pd(-0.0);
            Self(_mm_or_pd(_mm_andnot_pd(bit, self.0), _mm_and_pd(bit, sign.0)))
        }
    }
    #[inline(always)]
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        each_packed(inputs, function)
    }
    #[inline(always)]
    fn outline<P: Part>(part: P) -> P::Output {
        outlined(part)
    }
    #[inline(always)]
    fn any(mask: XmmMask) -> bool {
        Self::bits(mask) != 0
    }
    #[inline(always)]
    fn all(mask: XmmMask) -> bool {
        Self::bits(mask) == 0b11
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        // SAFETY: see the type.
        unsafe {
            let exponent = _mm_set1_epi64x(0x7ff0_0000_0000_0000);
            let bits = _mm_and_si128(_mm_castpd_si128(self.0), exponent);
            let inverse = _mm_sub_epi64(_mm_set1_epi64x(0x7fe0_0000_0000_0000), bits);
            let inverse = _mm_and_si128(inverse, exponent);
            (Self(_mm_castsi128_pd(bits)), Self(_mm_castsi128_pd(inverse)))
        }
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        let biased = self + Self::splat(EXPONENT_BIAS);
        // SAFETY: see the type.
        Self(unsafe { _mm_castsi128_pd(_mm_slli_epi64::<52>(_mm_castpd_si128(biased.0))) })
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: see the type.
        let integer = unsafe {
            let bits = _mm_srli_epi64::<52>(_mm_castpd_si128(self.0));
            let high = _mm_set1_epi64x(TWO_TO_THE_52.cast_signed());
            Self(_mm_castsi128_pd(_mm_or_si128(bits, high)))
        };
        integer - Self::splat(EXPONENT_BIAS)
    }
}

impl Packed for Xmm {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let from: &[f64] = &from[..2];
        // SAFETY: two doubles are there, and need not be aligned.
        Self(unsafe { _mm_loadu_pd(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        let into: &mut [f64] = &mut into[..2];
        // SAFETY: there is room for two doubles, which need not be aligned.
        unsafe { _mm_storeu_pd(into.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn bits(mask: XmmMask) -> u32 {
        // SAFETY: see the type.
        unsafe { _mm_movemask_pd(mask.0) }.unsigned_abs()
    }
}

#[inline(never)]
fn outlined<P: Part>(part: P) -> P::Output {
    part.run()
}
