//! A number with six derivatives whose operations are calls.
//!
//! A kernel over [`Dual`] is inlined into thousands of operations on seven numbers each, which takes minutes
//! to compile. Here each operation is compiled once; six derivatives are work enough for a call.

use core::ops::{Add, Div, Mul, Neg, Sub};

use polhode_number::{Arithmetic, Dual, KernelPart, Number, Smooth};

/// A value and its derivatives with respect to six variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variation(pub(super) Dual<f64, 6>);

impl Variation {
    pub(super) fn constant(value: f64) -> Self {
        Self(Dual::constant(value))
    }

    pub(super) fn value(self) -> f64 {
        self.0.value
    }

    pub(super) fn slope(self, index: usize) -> f64 {
        self.0.slopes[index]
    }
}

impl Add for Variation {
    type Output = Self;
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Variation {
    type Output = Self;
    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Variation {
    type Output = Self;
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Variation {
    type Output = Self;
    #[inline(never)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Variation {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Arithmetic for Variation {
    type Mask = bool;

    fn splat(x: f64) -> Self {
        Self::constant(x)
    }
    #[inline(never)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    fn less(self, other: Self) -> bool {
        self.0.value < other.0.value
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl Number for Variation {
    const VARIES: bool = true;

    fn seeded(value: f64, index: isize) -> Self {
        Self(Dual::seeded(value, index))
    }
    fn valued(self, value: Self) -> Self {
        Self(self.0.valued(value.0))
    }
    #[inline(never)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(never)]
    fn copysign(self, sign: Self) -> Self {
        Self(self.0.copysign(sign.0))
    }
    fn any(mask: bool) -> bool {
        mask
    }
    fn all(mask: bool) -> bool {
        mask
    }
    fn power_of_two(self) -> (Self, Self) {
        let (power, inverse) = self.0.power_of_two();
        (Self(power), Self(inverse))
    }
    fn exp2(self) -> Self {
        Self(self.0.exp2())
    }
    fn exponent(self) -> Self {
        Self(self.0.exponent())
    }
    fn round(self) -> Self {
        Self(self.0.round())
    }
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        Dual::each_lane(inputs.map(|x| x.0), function).map(Self)
    }
    fn smooth<const I: usize>(inputs: [Self; I], function: impl Smooth<I>) -> Self {
        Self(Dual::smooth(inputs.map(|x| x.0), function))
    }
    fn look_up<const O: usize>(self, table: impl Fn(f64) -> [f64; O]) -> [Self; O] {
        self.0.look_up(table).map(Self)
    }
    #[inline(never)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        part.run()
    }
}
