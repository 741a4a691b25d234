//! A number for kernels that are written over any: the same text with 32 digits.

use core::ops::{Add, Div, Mul, Neg, Sub};

use polhode_elliptic::Dd;
use polhode_number::{Arithmetic, Number};

/// A number of a kernel with 32 digits: the kernel itself in double-double.
#[derive(Clone, Copy, Debug)]
pub struct Wide(pub Dd);

macro_rules! wide {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Wide {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
    )*};
}
wide!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Wide {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Arithmetic for Wide {
    type Mask = bool;
    fn splat(x: f64) -> Self {
        Self(Dd::from(x))
    }
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    fn less(self, other: Self) -> bool {
        self.0 < other.0
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl Number for Wide {
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    fn copysign(self, sign: Self) -> Self {
        if (self.0.hi() < 0.0) == (sign.0.hi() < 0.0) { self } else { -self }
    }
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        mut function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        function(inputs.map(|x| x.0.hi())).map(Self::splat)
    }
    fn any(mask: bool) -> bool {
        mask
    }
    fn all(mask: bool) -> bool {
        mask
    }
    fn power_of_two(self) -> (Self, Self) {
        let (power, inverse) = Number::power_of_two(self.0.hi());
        (Self::splat(power), Self::splat(inverse))
    }
    fn exp2(self) -> Self {
        Self::splat(Number::exp2(self.0.hi()))
    }
    fn exponent(self) -> Self {
        Self::splat(Number::exponent(self.0.hi()))
    }
}
