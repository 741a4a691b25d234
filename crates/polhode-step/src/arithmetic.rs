//! What the formula asks of a number, and the numbers that a body is kept in.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// One number, or several with one operation on all of them: what the formula of the step is written over.
///
/// Here it is `f64`; the library `polhode` computes with the same text in SIMD lanes and with derivatives.
/// Every operation is a single IEEE operation: no fused multiply-add.
pub trait Arithmetic:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A truth value for each number.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    /// The same number throughout.
    fn splat(x: f64) -> Self;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Where this is less than that; false for NaN.
    fn less(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`. Both are computed.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

impl Arithmetic for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        sqrt(self)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

/// A free function: the method of the trait would call itself where the inherent one is missing.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// The larger of two numbers; NaN if the first is.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// The numbers that an engine keeps its bodies in: `f32` or `f64`.
///
/// A step computes in `f64` whichever they are, and rounds its results once. In single precision, what is a
/// constant of the motion would be rounded alike in every step, and the energy would drift. An `f32` is rounded up or
/// down by chance, right on average: to the nearest, changes below half a unit would always be lost.
pub trait Float: Copy + Into<f64> {
    /// Up to which lengths a step is tiny, and short: what multiplies h² in its series, and the square of the
    /// angle. What the series of a root leaves out has always the same sign and adds up over the steps.
    #[doc(hidden)]
    const LIMITS: [[f64; 2]; 2];
    /// The bits of an `f64` that are rounded away.
    #[doc(hidden)]
    const SPARE: u64;
    /// Rounded, but to no infinity.
    #[doc(hidden)]
    fn narrow(x: f64) -> Self;
}

impl Float for f32 {
    // Below 5e-11 is left out.
    const LIMITS: [[f64; 2]; 2] = [[0.004, 0.1], [0.06, 0.5]];
    const SPARE: u64 = (1 << 29) - 1;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "rounded")]
    fn narrow(x: f64) -> Self {
        (x as f32).clamp(-f32::MAX, f32::MAX)
    }
}

impl Float for f64 {
    // Below 5e-17 is left out, of what has always the same sign below 1e-19.
    const LIMITS: [[f64; 2]; 2] = [[5e-5, 5e-4], [0.006, 0.03]];
    const SPARE: u64 = 0;

    #[inline(always)]
    fn narrow(x: f64) -> Self {
        x.clamp(-f64::MAX, f64::MAX)
    }
}
