//! Eight lanes as one AVX-512 register.
//!
//! Written with intrinsics, because the compiler turns [`super::Pack`] of eight (masks as arrays of
//! bool) into code that is 2.4 times as slow.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512d, __mmask8, _CMP_LT_OQ, _mm512_add_pd as add_pd, _mm512_and_epi64 as and_bits,
    _mm512_and_pd as and_pd, _mm512_andnot_pd as andnot_pd, _mm512_castpd_si512 as to_bits,
    _mm512_castsi512_pd as from_bits, _mm512_cmp_pd_mask, _mm512_div_pd as div_pd,
    _mm512_loadu_pd as loadu_pd, _mm512_mask_blend_pd, _mm512_mul_pd as mul_pd,
    _mm512_or_pd as or_pd, _mm512_or_si512 as or_bits, _mm512_set1_epi64 as set1_epi64,
    _mm512_set1_pd as set1_pd, _mm512_shuffle_f64x2, _mm512_slli_epi64 as slli_epi64,
    _mm512_sqrt_pd as sqrt_pd, _mm512_srli_epi64 as srli_epi64, _mm512_storeu_pd as storeu_pd,
    _mm512_sub_epi64 as sub_epi64, _mm512_sub_pd as sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
    _mm512_xor_pd as xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::register::register;
use crate::{Arithmetic, KernelPart, Number, PackedNumber};

/// Eight doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zmm(__m512d);

/// Eight truth values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZmmMask(__mmask8);

register!(Zmm, ZmmMask, 8, [#[target_feature(enable = "avx512f,avx512dq")]]
    #[inline(always)]
    fn sums([a, b, c, d, e, f, g, h]: [Self; 8]) -> [f64; 8] {
        let (abcd, efgh) = (
            quarters(neighbours(a, b), neighbours(c, d)),
            quarters(neighbours(e, f), neighbours(g, h)),
        );
        let mut sums = [0.0; 8];
        quarters(abcd, efgh).store(&mut sums);
        sums
    }
);

/// (a0 + a1, b0 + b1, a2 + a3, b2 + b3, ...).
#[inline(always)]
fn neighbours(a: Zmm, b: Zmm) -> Zmm {
    // SAFETY: see the macro.
    Zmm(unsafe { add_pd(_mm512_unpacklo_pd(a.0, b.0), _mm512_unpackhi_pd(a.0, b.0)) })
}

/// Pairs of quarters added: the first two of a, its last two, the first two of b, its last two.
#[inline(always)]
fn quarters(a: Zmm, b: Zmm) -> Zmm {
    // SAFETY: see the macro.
    Zmm(unsafe {
        let even = _mm512_shuffle_f64x2::<0b10_00_10_00>(a.0, b.0);
        add_pd(even, _mm512_shuffle_f64x2::<0b11_01_11_01>(a.0, b.0))
    })
}

#[inline(always)]
unsafe fn less(a: __m512d, b: __m512d) -> __mmask8 {
    // SAFETY: that of the caller.
    unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b) }
}

#[inline(always)]
unsafe fn select(mask: __mmask8, yes: __m512d, no: __m512d) -> __m512d {
    // SAFETY: that of the caller.
    unsafe { _mm512_mask_blend_pd(mask, no, yes) }
}

// Masks are numbers here; unsafe as those of other widths are.
#[inline(always)]
unsafe fn both(a: __mmask8, b: __mmask8) -> __mmask8 {
    a & b
}

#[inline(always)]
unsafe fn either(a: __mmask8, b: __mmask8) -> __mmask8 {
    a | b
}

#[inline(always)]
unsafe fn bits(mask: __mmask8) -> u32 {
    u32::from(mask)
}
