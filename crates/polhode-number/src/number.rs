//! What a kernel may ask of a number.

pub use polhode_step::Arithmetic;

/// 2^52 and the bias of the exponent of a double: the sum of this and a small integer n, shifted left
/// by 52 bits, is 2^n.
pub(crate) const EXPONENT_BIAS: f64 = 4503599627370496.0 + 1023.0;

/// The bits of 2^52.
pub(crate) const TWO_TO_THE_52: u64 = 0x4330_0000_0000_0000;

/// A part of a kernel, to be run by [`Number::outline`].
pub trait KernelPart {
    /// The type of its result.
    type Output;

    /// Runs it; to be inlined, so that it is compiled for the processor that has these numbers.
    fn run(self) -> Self::Output;
}

/// A function of I doubles whose derivatives are known: what [`Number::smooth`] evaluates.
pub trait Smooth<const I: usize>: Copy {
    /// The value at these arguments.
    fn value(self, at: [f64; I]) -> f64;

    /// Its derivative with respect to each argument, over any number.
    fn slopes<N: Number>(self, at: [N; I]) -> [N; I];
}

/// One or several doubles with one operation on all of them: arithmetic, and what else kernels need.
pub trait Number: Arithmetic {
    /// Whether these numbers carry the derivatives of a whole run, by what is constant in it too. What kernels compute
    /// for that alone is compiled for such numbers only. A dual does if what it is made of does.
    const VARIES: bool = false;

    /// This number as the variable of that index, if it has derivatives and there is such a variable; else as a
    /// constant. Of a dual of duals it is the variable of the innermost.
    #[must_use]
    #[inline(always)]
    fn seeded(value: f64, _index: isize) -> Self {
        Self::splat(value)
    }

    /// This number with another value; it keeps its derivatives, if it has any.
    #[must_use]
    #[inline(always)]
    fn valued(self, value: Self) -> Self {
        value
    }

    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// This magnitude with that sign.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;
    /// True if the mask holds in some lane.
    fn any(mask: Self::Mask) -> bool;
    /// True if the mask holds in every lane.
    fn all(mask: Self::Mask) -> bool;
    /// The power of two with the exponent of a normal number, and its inverse.
    ///
    /// For |x| in [2^-1021, 2^1022); outside the pair is meaningless but finite.
    fn power_of_two(self) -> (Self, Self);
    /// 2^n for a whole number n of magnitude at most 1022.
    #[must_use]
    fn exp2(self) -> Self;
    /// The exponent of a positive normal number: n where 2^n <= x < 2^(n + 1).
    ///
    /// Of any other number it is meaningless but finite.
    #[must_use]
    fn exponent(self) -> Self;

    /// The greater of two numbers.
    #[must_use]
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.less(other), other, self)
    }

    /// A function of doubles, called for one lane after the other.
    ///
    /// Of a dual, the derivatives are central differences that move inputs by up to 6e-6 along its
    /// slopes, which loses a third of the digits.
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O];

    /// A function of doubles whose derivatives are known, called for one lane after the other.
    #[must_use]
    #[inline(always)]
    fn smooth<const I: usize>(inputs: [Self; I], function: impl Smooth<I>) -> Self {
        let [value] = Self::each_lane(inputs, |at| [function.value(at)]);
        value
    }

    /// What a table holds where this number is, looked up for one lane after the other. It stays the same while the
    /// number changes a little.
    #[must_use]
    #[inline(always)]
    fn look_up<const O: usize>(self, table: impl Fn(f64) -> [f64; O]) -> [Self; O] {
        Self::each_lane([self], |[x]| table(x))
    }

    /// Runs a part of a kernel out of line, compiled for the instructions that these numbers are made for:
    /// one copy of it for all that call it.
    #[doc(hidden)]
    #[inline(always)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        part.run()
    }

    /// The nearest integer, for magnitudes below 2^51.
    #[must_use]
    #[inline(always)]
    fn round(self) -> Self {
        // Adding 1.5 2^52 leaves no bits for a fraction.
        let magic = Self::splat(6755399441055744.0);
        (self + magic) - magic
    }
}

impl Number for f64 {
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f64::copysign(self, sign)
    }
    #[inline(always)]
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        mut function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        function(inputs)
    }
    /// Not inlined either: a torque in the middle of a step would push everything else out of registers.
    #[inline(always)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        outlined(part)
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        let bits = self.to_bits() & 0x7ff0_0000_0000_0000;
        let inverse = (0x7fe0_0000_0000_0000_u64).wrapping_sub(bits) & 0x7ff0_0000_0000_0000;
        (Self::from_bits(bits), Self::from_bits(inverse))
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        // In a sum with 2^52 the lowest bits are those of the integer.
        Self::from_bits((self + EXPONENT_BIAS).to_bits() << 52)
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // An integer in the lowest bits of 2^52 is added to it.
        Self::from_bits((self.to_bits() >> 52) | TWO_TO_THE_52) - EXPONENT_BIAS
    }
}

#[inline(never)]
fn outlined<P: KernelPart>(part: P) -> P::Output {
    part.run()
}
