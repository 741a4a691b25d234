//! Eight lanes as one AVX-512 register.
//!
//! Written with intrinsics, because the compiler turns [`super::Pack`] of eight (masks as arrays of
//! bool) into code that is 2.4 times as slow. Of two it makes what these would be.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512d, __mmask8, _CMP_LT_OQ, _mm512_abs_pd, _mm512_add_pd, _mm512_and_epi64, _mm512_and_pd,
    _mm512_andnot_pd, _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd,
    _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_mul_pd, _mm512_or_pd, _mm512_or_si512,
    _mm512_set1_epi64, _mm512_set1_pd, _mm512_slli_epi64, _mm512_sqrt_pd, _mm512_srli_epi64,
    _mm512_storeu_pd, _mm512_sub_epi64, _mm512_sub_pd, _mm512_xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::{Arithmetic, Number, Packed, Part};

/// Eight doubles.
///
/// # Safety
/// Every method executes AVX-512 F and DQ instructions. The type is private to the crate and named in
/// one place, a function compiled for these features and called after the processor was seen to have
/// them (`width`); that is what makes each `unsafe` below sound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zmm(__m512d);

/// Eight truth values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZmmMask(__mmask8);

macro_rules! operation {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Zmm {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the type.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}
operation!(Add, add, _mm512_add_pd);
operation!(Sub, sub, _mm512_sub_pd);
operation!(Mul, mul, _mm512_mul_pd);
operation!(Div, div, _mm512_div_pd);

impl Neg for Zmm {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

impl BitAnd for ZmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for ZmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Arithmetic for Zmm {
    type Mask = ZmmMask;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_set1_pd(x) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> ZmmMask {
        // SAFETY: see the type.
        ZmmMask(unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: ZmmMask, yes: Self, no: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_mask_blend_pd(mask.0, no.0, yes.0) })
    }
}

impl Number for Zmm {
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: see the type.
        unsafe {
            let bit = _mm512_set1_pd(-0.0);
            Self(_mm512_or_pd(_mm512_andnot_pd(bit, self.0), _mm512_and_pd(bit, sign.0)))
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
        // SAFETY: see the type.
        unsafe { outlined(part) }
    }
    #[inline(always)]
    fn any(mask: ZmmMask) -> bool {
        mask.0 != 0
    }
    #[inline(always)]
    fn all(mask: ZmmMask) -> bool {
        mask.0 == 0xff
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        // SAFETY: see the type.
        unsafe {
            let exponent = _mm512_set1_epi64(0x7ff0_0000_0000_0000);
            let bits = _mm512_and_epi64(_mm512_castpd_si512(self.0), exponent);
            let inverse = _mm512_sub_epi64(_mm512_set1_epi64(0x7fe0_0000_0000_0000), bits);
            let inverse = _mm512_and_epi64(inverse, exponent);
            (Self(_mm512_castsi512_pd(bits)), Self(_mm512_castsi512_pd(inverse)))
        }
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        let biased = self + Self::splat(EXPONENT_BIAS);
        // SAFETY: see the type.
        Self(unsafe { _mm512_castsi512_pd(_mm512_slli_epi64::<52>(_mm512_castpd_si512(biased.0))) })
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: see the type.
        let integer = unsafe {
            let bits = _mm512_srli_epi64::<52>(_mm512_castpd_si512(self.0));
            let high = _mm512_set1_epi64(TWO_TO_THE_52.cast_signed());
            Self(_mm512_castsi512_pd(_mm512_or_si512(bits, high)))
        };
        integer - Self::splat(EXPONENT_BIAS)
    }
}

impl Packed for Zmm {
    const WIDTH: usize = 8;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let from: &[f64] = &from[..8];
        // SAFETY: see the type; eight doubles are there, and need not be aligned.
        Self(unsafe { _mm512_loadu_pd(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        let into: &mut [f64] = &mut into[..8];
        // SAFETY: see the type; there is room for eight doubles, which need not be aligned.
        unsafe { _mm512_storeu_pd(into.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn bits(mask: ZmmMask) -> u32 {
        u32::from(mask.0)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq")]
fn outlined<P: Part>(part: P) -> P::Output {
    part.run()
}
