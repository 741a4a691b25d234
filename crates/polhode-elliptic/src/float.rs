//! The operations of doubles that `core` does not have.
//!
//! With the feature `std` they are the processor's instructions, without it those of the `libm`
//! crate: each is rounded correctly, so the bits are the same. They are free functions because a
//! method of the same name in a trait would call itself where the inherent one is missing.

#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn round_ties_even(x: f64) -> f64 {
    x.round_ties_even()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn round_ties_even(x: f64) -> f64 {
    libm::roundeven(x)
}

/// Only where the processor has the instruction.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    libm::fma(a, b, c)
}

/// 2^n such that x 4^n is near 2^target, x > 0: for scaling by exact powers of four.
pub(crate) fn root_of_scale(x: f64, target: i32) -> f64 {
    libm::ldexp(1.0, (target - libm::ilogb(x)).div_euclid(2))
}
