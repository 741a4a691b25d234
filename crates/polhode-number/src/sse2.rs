//! Two lanes as one SSE2 register, which every x86-64 processor has.
//!
//! Arrays of two doubles give the same bits; but the compiler, which must find the register in them first, takes longer
//! and makes three times as much code.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128d, _mm_add_pd as add_pd, _mm_and_pd as and_pd, _mm_and_pd as both,
    _mm_and_si128 as and_bits, _mm_andnot_pd as andnot_pd, _mm_castpd_si128 as to_bits,
    _mm_castsi128_pd as from_bits, _mm_cmplt_pd as less, _mm_div_pd as div_pd,
    _mm_loadu_pd as loadu_pd, _mm_movemask_pd, _mm_mul_pd as mul_pd, _mm_or_pd as or_pd,
    _mm_or_pd as either, _mm_or_si128 as or_bits, _mm_set1_epi64x as set1_epi64,
    _mm_set1_pd as set1_pd, _mm_slli_epi64 as slli_epi64, _mm_sqrt_pd as sqrt_pd,
    _mm_srli_epi64 as srli_epi64, _mm_storeu_pd as storeu_pd, _mm_sub_epi64 as sub_epi64,
    _mm_sub_pd as sub_pd, _mm_xor_pd as xor_pd,
};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use crate::number::{EXPONENT_BIAS, TWO_TO_THE_52};
use crate::packed::each_packed;
use crate::register::register;
use crate::{Arithmetic, KernelPart, Number, PackedNumber};

/// Two doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Xmm(__m128d);

/// Two truth values, all bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct XmmMask(__m128d);

register!(Xmm, XmmMask, 2, [#[target_feature(enable = "sse2")]]);

#[inline(always)]
unsafe fn select(mask: __m128d, yes: __m128d, no: __m128d) -> __m128d {
    // SAFETY: that of the caller.
    unsafe { or_pd(and_pd(mask, yes), andnot_pd(mask, no)) }
}

#[inline(always)]
unsafe fn bits(mask: __m128d) -> u32 {
    // SAFETY: that of the caller.
    unsafe { _mm_movemask_pd(mask) }.unsigned_abs()
}
