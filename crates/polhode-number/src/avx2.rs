//! Four lanes as one AVX2 register.
//!
//! As for eight lanes, the compiler makes of masks that are arrays of bool what costs more than all
//! the rest.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256d, _CMP_LT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256, _mm256_andnot_pd,
    _mm256_blend_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd,
    _mm256_div_pd, _mm256_hadd_pd, _mm256_loadu_pd, _mm256_movemask_pd, _mm256_mul_pd,
    _mm256_or_pd, _mm256_or_si256, _mm256_permute2f128_pd, _mm256_set1_epi64x, _mm256_set1_pd,
    _mm256_slli_epi64, _mm256_sqrt_pd, _mm256_srli_epi64, _mm256_storeu_pd, _mm256_sub_epi64,
    _mm256_sub_pd, _mm256_xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::{Arithmetic, Number, Packed, Part};

/// Four doubles.
///
/// # Safety
/// Every method executes AVX2 instructions. The type is private to the crate and named in
/// one place, a function compiled for these and called after the processor was seen to have
/// them (`width`); that is what makes each `unsafe` below sound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ymm(__m256d);

/// Four truth values, all bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YmmMask(__m256d);

macro_rules! operation {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Ymm {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the type.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}
operation!(Add, add, _mm256_add_pd);
operation!(Sub, sub, _mm256_sub_pd);
operation!(Mul, mul, _mm256_mul_pd);
operation!(Div, div, _mm256_div_pd);

impl Neg for Ymm {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl BitAnd for YmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_and_pd(self.0, other.0) })
    }
}

impl BitOr for YmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_or_pd(self.0, other.0) })
    }
}

impl Arithmetic for Ymm {
    type Mask = YmmMask;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_set1_pd(x) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> YmmMask {
        // SAFETY: see the type.
        YmmMask(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: YmmMask, yes: Self, no: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
    }
}

impl Number for Ymm {
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: see the type.
        unsafe {
            let bit = _mm256_set1_pd(-0.0);
            Self(_mm256_or_pd(_mm256_andnot_pd(bit, self.0), _mm256_and_pd(bit, sign.0)))
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
    fn any(mask: YmmMask) -> bool {
        Self::bits(mask) != 0
    }
    #[inline(always)]
    fn all(mask: YmmMask) -> bool {
        Self::bits(mask) == 0xf
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        // SAFETY: see the type.
        unsafe {
            let exponent = _mm256_set1_epi64x(0x7ff0_0000_0000_0000);
            let bits = _mm256_and_si256(_mm256_castpd_si256(self.0), exponent);
            let inverse = _mm256_sub_epi64(_mm256_set1_epi64x(0x7fe0_0000_0000_0000), bits);
            let inverse = _mm256_and_si256(inverse, exponent);
            (Self(_mm256_castsi256_pd(bits)), Self(_mm256_castsi256_pd(inverse)))
        }
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        let biased = self + Self::splat(EXPONENT_BIAS);
        // SAFETY: see the type.
        Self(unsafe { _mm256_castsi256_pd(_mm256_slli_epi64::<52>(_mm256_castpd_si256(biased.0))) })
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: see the type.
        let integer = unsafe {
            let bits = _mm256_srli_epi64::<52>(_mm256_castpd_si256(self.0));
            let high = _mm256_set1_epi64x(TWO_TO_THE_52.cast_signed());
            Self(_mm256_castsi256_pd(_mm256_or_si256(bits, high)))
        };
        integer - Self::splat(EXPONENT_BIAS)
    }
}

impl Packed for Ymm {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let from: &[f64] = &from[..4];
        // SAFETY: see the type; four doubles are there, and need not be aligned.
        Self(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        let into: &mut [f64] = &mut into[..4];
        // SAFETY: see the type; there is room for four doubles, which need not be aligned.
        unsafe { _mm256_storeu_pd(into.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn bits(mask: YmmMask) -> u32 {
        // SAFETY: see the type.
        unsafe { _mm256_movemask_pd(mask.0) }.unsigned_abs()
    }
    #[inline(always)]
    fn sums([a, b, c, d]: [Self; 4]) -> Self {
        // SAFETY: see the type.
        unsafe {
            // (a0 + a1, b0 + b1, a2 + a3, b2 + b3), and the same of the others.
            let (ab, cd) = (_mm256_hadd_pd(a.0, b.0), _mm256_hadd_pd(c.0, d.0));
            let across = _mm256_permute2f128_pd::<0x21>(ab, cd);
            Self(_mm256_add_pd(_mm256_blend_pd::<0b1100>(ab, cd), across))
        }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn outlined<P: Part>(part: P) -> P::Output {
    part.run()
}
