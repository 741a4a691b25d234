//! Four lanes as one AVX2 register.
//!
//! As for eight lanes, the compiler makes of masks that are arrays of bool what costs more than all
//! the rest.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256d, _CMP_LT_OQ, _mm256_add_pd as add_pd, _mm256_and_pd as and_pd, _mm256_and_pd as both,
    _mm256_and_si256 as and_bits, _mm256_andnot_pd as andnot_pd, _mm256_blend_pd, _mm256_blendv_pd,
    _mm256_castpd_si256 as to_bits, _mm256_castsi256_pd as from_bits, _mm256_cmp_pd,
    _mm256_div_pd as div_pd, _mm256_hadd_pd, _mm256_loadu_pd as loadu_pd, _mm256_movemask_pd,
    _mm256_mul_pd as mul_pd, _mm256_or_pd as or_pd, _mm256_or_pd as either,
    _mm256_or_si256 as or_bits, _mm256_permute2f128_pd, _mm256_set1_epi64x as set1_epi64,
    _mm256_set1_pd as set1_pd, _mm256_slli_epi64 as slli_epi64, _mm256_sqrt_pd as sqrt_pd,
    _mm256_srli_epi64 as srli_epi64, _mm256_storeu_pd as storeu_pd, _mm256_sub_epi64 as sub_epi64,
    _mm256_sub_pd as sub_pd, _mm256_xor_pd as xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::register::register;
use crate::{Arithmetic, KernelPart, Number, PackedNumber};

/// Four doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ymm(__m256d);

/// Four truth values, all bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YmmMask(__m256d);

register!(Ymm, YmmMask, 4, [#[target_feature(enable = "avx2")]]
    #[inline(always)]
    fn sums([a, b, c, d, e, f, g, h]: [Self; 8]) -> [f64; 8] {
        let mut sums = [0.0; 8];
        sums_of_four([a, b, c, d]).store(&mut sums[..4]);
        sums_of_four([e, f, g, h]).store(&mut sums[4..]);
        sums
    }
);

/// The sums of the lanes of four numbers, in the lanes of one.
#[inline(always)]
fn sums_of_four([a, b, c, d]: [Ymm; 4]) -> Ymm {
    // SAFETY: see the macro.
    unsafe {
        // (a0 + a1, b0 + b1, a2 + a3, b2 + b3), and the same of the others.
        let (ab, cd) = (_mm256_hadd_pd(a.0, b.0), _mm256_hadd_pd(c.0, d.0));
        let across = _mm256_permute2f128_pd::<0x21>(ab, cd);
        Ymm(add_pd(_mm256_blend_pd::<0b1100>(ab, cd), across))
    }
}

#[inline(always)]
unsafe fn less(a: __m256d, b: __m256d) -> __m256d {
    // SAFETY: that of the caller.
    unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(a, b) }
}

#[inline(always)]
unsafe fn select(mask: __m256d, yes: __m256d, no: __m256d) -> __m256d {
    // SAFETY: that of the caller.
    unsafe { _mm256_blendv_pd(no, yes, mask) }
}

#[inline(always)]
unsafe fn bits(mask: __m256d) -> u32 {
    // SAFETY: that of the caller.
    unsafe { _mm256_movemask_pd(mask) }.unsigned_abs()
}
