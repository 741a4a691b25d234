//! What the formula asks of a number, and the numbers that a body is stepped in.

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
    #[must_use]
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

#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// A free function: the method of the trait would call itself where the inherent one is missing.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

/// Up to which lengths a step is done at once: what multiplies h² in its series, and the square of the angle.
///
/// What the series of a root leaves out has always the same sign and adds up over the steps.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub(crate) short: [f64; 2],
    /// With half the terms.
    pub(crate) tiny: [f64; 2],
    /// The largest number there is.
    pub(crate) most: f64,
}

impl Limits {
    /// For the C header: those of short steps, then those of tiny ones.
    #[doc(hidden)]
    pub fn to_array(self) -> [f64; 4] {
        [self.short[0], self.short[1], self.tiny[0], self.tiny[1]]
    }
}

/// The numbers that an engine keeps its bodies in: `f32` or `f64`.
///
/// A step computes in `f64` whichever they are, and rounds its results once. In single precision, what is a
/// constant of the motion would be rounded alike in every step, and the energy would drift.
pub trait Real: Copy + sealed::Sealed {
    #[doc(hidden)]
    const LIMITS: Limits;
    #[doc(hidden)]
    fn widen(self) -> f64;
    /// Rounded.
    #[doc(hidden)]
    fn narrow(x: f64) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Real for f32 {
    // Below 5e-11 is left out.
    const LIMITS: Limits = Limits { short: [0.06, 0.5], tiny: [0.004, 0.1], most: f32::MAX as f64 };

    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "rounded, as it says")]
    fn narrow(x: f64) -> Self {
        x as f32
    }
}

impl Real for f64 {
    // Below 5e-17 is left out, of what has always the same sign below 1e-19.
    const LIMITS: Limits = Limits { short: [0.006, 0.03], tiny: [5e-5, 5e-4], most: f64::MAX };

    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(x: f64) -> Self {
        x
    }
}

/// The nearest number that is no larger than the limit, whatever the sign.
#[inline(always)]
pub(crate) fn within(x: f64, limit: f64) -> f64 {
    let x = if limit < x { limit } else { x };
    if x < -limit { -limit } else { x }
}
