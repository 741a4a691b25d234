//! Complete integrals of many parameters at a time, in the widest lanes that the processor has.

use polhode_number::{AvailableWidth, Kernel, MAX_WIDTH, PackedNumber};

use crate::quarter_lanes as lanes;

/// What the numbers of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterForm {
    /// m = k².
    Direct,
    /// mc = 1 - k².
    Complementary,
}

/// One of the complete integrals, over lanes.
trait CompleteIntegral {
    fn of<N: PackedNumber>(m: N, mc: N) -> N;
}

struct Each<'a, I> {
    kind: ParameterForm,
    values: &'a mut [f64],
    integral: core::marker::PhantomData<I>,
}

impl<I: CompleteIntegral> Each<'_, I> {
    #[inline(always)]
    fn step<N: PackedNumber>(kind: ParameterForm, values: &mut [f64]) {
        let given = N::load(values);
        let other = N::splat(1.0) - given;
        let integral = match kind {
            ParameterForm::Direct => I::of(given, other),
            ParameterForm::Complementary => I::of(other, given),
        };
        integral.store(values);
    }
}

impl<I: CompleteIntegral> Kernel for Each<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<N: PackedNumber>(self) {
        let mut whole = self.values.chunks_exact_mut(N::WIDTH);
        for values in &mut whole {
            Self::step::<N>(self.kind, values);
        }
        let rest = whole.into_remainder();
        if !rest.is_empty() {
            // Lanes that nobody asked for hold an ordinary parameter.
            let mut lanes = [0.5; MAX_WIDTH];
            lanes[..rest.len()].copy_from_slice(rest);
            Self::step::<N>(self.kind, &mut lanes);
            rest.copy_from_slice(&lanes[..rest.len()]);
        }
    }
}

macro_rules! each {
    ($($(#[$doc:meta])* $name:ident, $integral:ident, $function:path;)*) => {$(
        struct $integral;

        impl CompleteIntegral for $integral {
            #[inline(always)]
            fn of<N: PackedNumber>(m: N, mc: N) -> N {
                $function(m, mc)
            }
        }

        $(#[$doc])*
        pub fn $name(kind: ParameterForm, values: &mut [f64]) {
            let integral = core::marker::PhantomData::<$integral>;
            AvailableWidth::widest().run(Each { kind, values, integral });
        }
    )*};
}

each! {
    /// Replaces every parameter by its K, with the bits of [`complete_k`](crate::complete_k), several at a time;
    /// by NaN where that refuses.
    ///
    /// ```
    /// use polhode_elliptic::{Parameter, ParameterForm, complete_k, complete_k_each};
    /// let mut values = [-3.0, 0.5, 2.0];
    /// complete_k_each(ParameterForm::Direct, &mut values);
    /// assert_eq!(values[..2], [complete_k(Parameter::new(-3.0))?, complete_k(Parameter::new(0.5))?]);
    /// assert!(values[2].is_nan());
    /// # Ok::<(), polhode_elliptic::DomainError>(())
    /// ```
    complete_k_each, K, lanes::k;
    /// Replaces every parameter by its E, with the bits of [`complete_e`](crate::complete_e), several at a time;
    /// by NaN where that refuses.
    complete_e_each, E, lanes::e;
    /// Replaces every parameter by its D, with the bits of [`complete_d`](crate::complete_d), several at a time;
    /// by NaN where that refuses.
    complete_d_each, D, lanes::d;
    /// Replaces every parameter by its B, with the bits of [`complete_b`](crate::complete_b), several at a time;
    /// by NaN where that refuses.
    complete_b_each, B, lanes::b;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DomainError, Parameter, complete_b, complete_d, complete_e, complete_k};
    use polhode_number::Width;

    type One = fn(Parameter) -> Result<f64, DomainError>;

    fn same_bits<I: CompleteIntegral>(one: One) {
        let line = (0..4000).map(|i| f64::from(i) - 2000.0);
        let mut given: Vec<f64> =
            line.map(|x| x.signum() * libm::exp2(0.5 * x.abs() - 60.0)).collect();
        given.extend([0.0, -0.0, 1.0, 0.5, 5e-324, -5e-324, f64::MAX, f64::MIN, f64::NAN]);
        given.extend([f64::INFINITY, f64::NEG_INFINITY, 1.0 - f64::EPSILON / 2.0]);
        for kind in [ParameterForm::Direct, ParameterForm::Complementary] {
            for width in Width::available() {
                let mut values = given.clone();
                let integral = core::marker::PhantomData::<I>;
                width.checked().unwrap().run(Each { kind, values: &mut values, integral });
                for (&x, got) in given.iter().zip(values) {
                    let parameter = match kind {
                        ParameterForm::Direct => Parameter::new(x),
                        ParameterForm::Complementary => Parameter::complementary(x),
                    };
                    let want = one(parameter).unwrap_or(f64::NAN);
                    let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                    assert!(same, "{kind:?} {x:e} in {width:?}: {got:e}, alone {want:e}");
                }
            }
        }
    }

    #[test]
    fn lanes_have_the_bits_of_one() {
        same_bits::<K>(complete_k);
        same_bits::<E>(complete_e);
        same_bits::<D>(complete_d);
        same_bits::<B>(complete_b);
    }
}
