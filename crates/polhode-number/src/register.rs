//! The text of lanes that are one register, whatever its width: [`register`].

/// Implements the number of a type `$lanes($raw)` with masks `$mask`, lane by lane one IEEE operation.
///
/// The module that calls it imports the processor's instructions under the names used here, and has functions for what
/// differs from one width to the next: `less`, `select`, `both`, `either`, `bits`. `$features` are those that
/// a function run out of line is compiled for, `$more` are more methods of `PackedNumber`.
///
/// # Safety
/// Every method executes instructions of that width. The type is private to the crate and named in one place, a
/// function compiled for these and called after the processor was seen to have them (`width`); that is what makes each
/// `unsafe` below sound.
macro_rules! register {
    ($lanes:ident, $mask:ident, $width:literal, [$($features:tt)*] $($more:tt)*) => {
        register!(@operations $lanes: Add add add_pd, Sub sub sub_pd, Mul mul mul_pd, Div div div_pd);
        register!(@operations $mask: BitAnd bitand both, BitOr bitor either);

        impl Neg for $lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { xor_pd(self.0, set1_pd(-0.0)) })
            }
        }

        impl Arithmetic for $lanes {
            type Mask = $mask;

            #[inline(always)]
            fn splat(x: f64) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { set1_pd(x) })
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { sqrt_pd(self.0) })
            }
            #[inline(always)]
            fn less(self, other: Self) -> $mask {
                // SAFETY: see the macro.
                $mask(unsafe { less(self.0, other.0) })
            }
            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { select(mask.0, yes.0, no.0) })
            }
        }

        impl Number for $lanes {
            #[inline(always)]
            fn abs(self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { andnot_pd(set1_pd(-0.0), self.0) })
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                // SAFETY: see the macro.
                unsafe {
                    let bit = set1_pd(-0.0);
                    Self(or_pd(andnot_pd(bit, self.0), and_pd(bit, sign.0)))
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
            fn outline<P: KernelPart>(part: P) -> P::Output {
                // SAFETY: see the macro.
                unsafe { outlined(part) }
            }
            #[inline(always)]
            fn any(mask: $mask) -> bool {
                Self::bits(mask) != 0
            }
            #[inline(always)]
            fn all(mask: $mask) -> bool {
                Self::bits(mask) == (1 << $width) - 1
            }
            #[inline(always)]
            fn power_of_two(self) -> (Self, Self) {
                // SAFETY: see the macro.
                unsafe {
                    let exponent = set1_epi64(0x7ff0_0000_0000_0000);
                    let bits = and_bits(to_bits(self.0), exponent);
                    let inverse = sub_epi64(set1_epi64(0x7fe0_0000_0000_0000), bits);
                    (Self(from_bits(bits)), Self(from_bits(and_bits(inverse, exponent))))
                }
            }
            #[inline(always)]
            fn exp2(self) -> Self {
                let biased = self + Self::splat(EXPONENT_BIAS);
                // SAFETY: see the macro.
                Self(unsafe { from_bits(slli_epi64::<52>(to_bits(biased.0))) })
            }
            #[inline(always)]
            fn exponent(self) -> Self {
                // SAFETY: see the macro.
                let integer = unsafe {
                    let high = set1_epi64(TWO_TO_THE_52.cast_signed());
                    Self(from_bits(or_bits(srli_epi64::<52>(to_bits(self.0)), high)))
                };
                integer - Self::splat(EXPONENT_BIAS)
            }
        }

        impl PackedNumber for $lanes {
            const WIDTH: usize = $width;

            #[inline(always)]
            fn load(from: &[f64]) -> Self {
                let from: &[f64] = &from[..$width];
                // SAFETY: see the macro; so many doubles are there, and need not be aligned.
                Self(unsafe { loadu_pd(from.as_ptr()) })
            }
            #[inline(always)]
            fn store(self, into: &mut [f64]) {
                let into: &mut [f64] = &mut into[..$width];
                // SAFETY: see the macro; there is room for so many doubles, which need not be aligned.
                unsafe { storeu_pd(into.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn bits(mask: $mask) -> u32 {
                // SAFETY: see the macro.
                unsafe { bits(mask.0) }
            }
            $($more)*
        }

        #[inline(never)]
        $($features)*
        fn outlined<P: KernelPart>(part: P) -> P::Output {
            part.run()
        }
    };
    (@operations $type:ident: $($trait:ident $method:ident $function:ident),*) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { $function(self.0, other.0) })
            }
        }
    )*};
}
pub(crate) use register;
