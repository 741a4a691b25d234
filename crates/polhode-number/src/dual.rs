//! A value with its derivatives.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Arithmetic, KernelPart, Number, Smooth};

/// A number and its derivatives with respect to K variables, over one double or over lanes.
///
/// The value has the bits that the plain number would have. Where a function has a corner (the absolute
/// value at zero, a choice between two formulas) the derivative is that of the side taken; that of a
/// square root at zero is not finite, unless what is under it does not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<N, const K: usize> {
    /// The number itself, without its derivatives.
    pub value: N,
    /// Its derivative with respect to each of the K variables.
    pub slopes: [N; K],
}

/// Does something for the index of each of K slopes.
///
/// The first six are written out: a kernel over duals is inlined into thousands of operations, and of as many loops
/// to be unrolled compilers took most of their time.
macro_rules! each_slope {
    ($k:ident, $does:block) => {
        each_slope!(@written $k, $does, 0, 1, 2, 3, 4, 5);
        if K > 6 {
            #[allow(clippy::needless_range_loop, reason = "what is done may use the index otherwise")]
            for $k in 6..K $does
        }
    };
    (@written $k:ident, $does:block, $($index:literal),*) => {$(
        if K > $index {
            let $k = $index;
            $does
        }
    )*};
}

/// The cube root of the rounding unit: a central difference over it loses a third of the digits.
const DIFFERENCE: f64 = 6e-6;

impl<N: Number, const K: usize> Dual<N, K> {
    /// A number that does not depend on the variables.
    #[inline(always)]
    pub fn constant(value: N) -> Self {
        Self { value, slopes: [N::splat(0.0); K] }
    }

    /// The variable of that index, at this value.
    ///
    /// # Panics
    /// If there is no such variable.
    #[inline(always)]
    pub fn variable(value: N, index: usize) -> Self {
        let mut dual = Self::constant(value);
        dual.slopes[index] = N::splat(1.0);
        dual
    }

    /// A number of this value whose derivatives are these slopes times that factor.
    #[inline(always)]
    fn chain(self, value: N, factor: N) -> Self {
        let mut slopes = self.slopes;
        each_slope!(k, { slopes[k] = slopes[k] * factor });
        Self { value, slopes }
    }
}

impl<N: Number, const K: usize> Add for Dual<N, K> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.value = self.value + other.value;
        each_slope!(k, { self.slopes[k] = self.slopes[k] + other.slopes[k] });
        self
    }
}

impl<N: Number, const K: usize> Sub for Dual<N, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.value = self.value - other.value;
        each_slope!(k, { self.slopes[k] = self.slopes[k] - other.slopes[k] });
        self
    }
}

impl<N: Number, const K: usize> Mul for Dual<N, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, other: Self) -> Self {
        each_slope!(k, {
            self.slopes[k] = self.slopes[k] * other.value + self.value * other.slopes[k];
        });
        self.value = self.value * other.value;
        self
    }
}

impl<N: Number, const K: usize> Div for Dual<N, K> {
    type Output = Self;
    #[inline(always)]
    fn div(mut self, other: Self) -> Self {
        self.value = self.value / other.value;
        each_slope!(k, {
            self.slopes[k] = (self.slopes[k] - self.value * other.slopes[k]) / other.value;
        });
        self
    }
}

impl<N: Number, const K: usize> Neg for Dual<N, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        self.value = -self.value;
        each_slope!(k, { self.slopes[k] = -self.slopes[k] });
        self
    }
}

/// Where a slope is zero, or below the normal numbers: some callers' threads take those for zero, and comparing with
/// the least of them would be comparing with zero.
#[inline(always)]
fn is_still<N: Number>(slope: N) -> N::Mask {
    slope.abs().less(N::splat(f64::MIN_POSITIVE))
}

impl<N: Number, const K: usize> Arithmetic for Dual<N, K> {
    type Mask = N::Mask;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self::constant(N::splat(x))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        let mut slopes = self.slopes;
        each_slope!(k, {
            // What does not change has a root that does not, also at zero.
            let still = is_still(slopes[k]);
            slopes[k] = N::select(still, N::splat(0.0), slopes[k] / (root + root));
        });
        Self { value: root, slopes }
    }
    #[inline(always)]
    fn less(self, other: Self) -> N::Mask {
        self.value.less(other.value)
    }
    #[inline(always)]
    fn select(mask: N::Mask, yes: Self, no: Self) -> Self {
        let mut chosen = no;
        chosen.value = N::select(mask, yes.value, no.value);
        each_slope!(k, { chosen.slopes[k] = N::select(mask, yes.slopes[k], no.slopes[k]) });
        chosen
    }
}

impl<N: Number, const K: usize> Number for Dual<N, K> {
    const VARIES: bool = N::VARIES;

    #[inline(always)]
    fn seeded(value: f64, index: isize) -> Self {
        if N::VARIES {
            return Self::constant(N::seeded(value, index));
        }
        match usize::try_from(index) {
            Ok(index) if index < K => Self::variable(N::splat(value), index),
            _ => Self::constant(N::splat(value)),
        }
    }

    #[inline(always)]
    fn valued(self, value: Self) -> Self {
        let mut made = self;
        // A dual of duals takes the plain value alone from there.
        made.value = self.value.valued(value.value);
        made
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), N::splat(1.0).copysign(self.value))
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        let one = N::splat(1.0);
        let factor = one.copysign(self.value) * one.copysign(sign.value);
        self.chain(self.value.copysign(sign.value), factor)
    }
    #[inline(always)]
    fn outline<P: KernelPart>(part: P) -> P::Output {
        N::outline(part)
    }
    #[inline(always)]
    fn any(mask: N::Mask) -> bool {
        N::any(mask)
    }
    #[inline(always)]
    fn all(mask: N::Mask) -> bool {
        N::all(mask)
    }
    #[inline(always)]
    fn each_lane<const I: usize, const O: usize>(
        inputs: [Self; I],
        mut function: impl FnMut([f64; I]) -> [f64; O],
    ) -> [Self; O] {
        let mut made = N::each_lane(inputs.map(|x| x.value), &mut function).map(Self::constant);
        for k in 0..K {
            let mut largest = N::splat(0.0);
            for x in &inputs {
                largest = largest.max(x.slopes[k].abs());
            }
            // Of inputs that do not change along this variable nothing does.
            let still = is_still(largest);
            if N::all(still) {
                continue;
            }
            let step = N::select(still, N::splat(0.0), N::splat(DIFFERENCE) / largest);
            let moved = |x: &Self, step: N| x.value + step * x.slopes[k];
            let ahead =
                N::each_lane(core::array::from_fn(|i| moved(&inputs[i], step)), &mut function);
            let back =
                N::each_lane(core::array::from_fn(|i| moved(&inputs[i], -step)), &mut function);
            for i in 0..O {
                let slope = (ahead[i] - back[i]) / (step + step);
                made[i].slopes[k] = N::select(still, N::splat(0.0), slope);
            }
        }
        made
    }
    /// By the chain rule. An argument that does not change adds nothing, also where the function has no
    /// derivative with respect to it.
    #[inline(always)]
    fn smooth<const I: usize>(inputs: [Self; I], function: impl Smooth<I>) -> Self {
        let at = inputs.map(|x| x.value);
        let mut made = Self::constant(N::smooth(at, function));
        let partial = function.slopes(at);
        for (x, partial) in inputs.iter().zip(partial) {
            each_slope!(k, {
                let still = is_still(x.slopes[k]);
                let more = N::select(still, N::splat(0.0), partial * x.slopes[k]);
                made.slopes[k] = made.slopes[k] + more;
            });
        }
        made
    }
    #[inline(always)]
    fn look_up<const O: usize>(self, table: impl Fn(f64) -> [f64; O]) -> [Self; O] {
        self.value.look_up(table).map(Self::constant)
    }
    /// Both stay the same while the number changes a little.
    #[inline(always)]
    fn power_of_two(self) -> (Self, Self) {
        let (power, inverse) = self.value.power_of_two();
        (Self::constant(power), Self::constant(inverse))
    }
    /// Of a whole number, which does not change a little.
    #[inline(always)]
    fn exp2(self) -> Self {
        Self::constant(self.value.exp2())
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        Self::constant(self.value.exponent())
    }
    /// The nearest integer stays the same while the number changes a little.
    #[inline(always)]
    fn round(self) -> Self {
        Self::constant(self.value.round())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pack, exp_and_minus_one, sin_cos};

    /// Something with every operation in it.
    fn sample<N: Number>(x: N, y: N) -> N {
        let (s, c) = sin_cos(x * N::splat(7.0), N::splat(0.0));
        let (e, em1) = exp_and_minus_one(-(y * y));
        let bent = (x - y).abs() + (x * y).copysign(-x);
        let chosen = N::select(x.less(y), s / (c + N::splat(3.0)), e * em1);
        chosen.max(bent) * (x * x + y * y).sqrt() + x.power_of_two().0
    }

    #[test]
    fn slopes_are_those_of_the_values() {
        let step = 1e-6;
        for (x, y) in [(0.3, 0.8), (1.7, -0.4), (-2.1, 0.6), (0.9, 0.7)] {
            let got = sample::<Dual<f64, 2>>(Dual::variable(x, 0), Dual::variable(y, 1));
            assert_eq!(got.value, sample(x, y));
            let differences = [
                (sample(x + step, y) - sample(x - step, y)) / (2.0 * step),
                (sample(x, y + step) - sample(x, y - step)) / (2.0 * step),
            ];
            for (got, want) in got.slopes.into_iter().zip(differences) {
                // Truncation 1e-12/6 times third derivatives of 7^3, rounding of values near ten over 1e-6.
                assert!((got - want).abs() < 5e-9, "({x}, {y}): {got} {want}");
            }
        }
    }

    #[test]
    fn a_lane_of_duals_has_the_bits_of_one_dual() {
        let (x, y) = ([0.3, 1.7, -2.1, 0.9], [0.8, -0.4, 0.6, 0.7]);
        let lanes = sample(Dual::<_, 2>::variable(Pack(x), 0), Dual::variable(Pack(y), 1));
        for i in 0..4 {
            let one = sample(Dual::<_, 2>::variable(x[i], 0), Dual::variable(y[i], 1));
            assert_eq!((lanes.value.0[i], lanes.slopes.map(|s| s.0[i])), (one.value, one.slopes));
        }
    }

    #[test]
    fn a_function_of_doubles_is_called_lane_by_lane() {
        let f = |[x, y]: [f64; 2]| [x * x * y, x - y];
        let got = Pack::each_lane([Pack([1.0, 2.0, 3.0]), Pack([4.0, 5.0, 6.0])], f);
        assert_eq!(got, [Pack([4.0, 20.0, 54.0]), Pack([-3.0; 3])]);
        let lanes =
            [Dual::<_, 2>::variable(Pack([1.5, -2.0]), 0), Dual::variable(Pack([0.5; 2]), 1)];
        let [product, difference] = Dual::each_lane(lanes, f);
        assert_eq!(product.value, Pack([1.125, 2.0]));
        for (got, want) in product.slopes[0].0.into_iter().zip([1.5, -2.0]) {
            assert!((got - want).abs() < 1e-9, "{got} {want}");
        }
        assert!((difference.slopes[1].0[0] + 1.0).abs() < 1e-9);
    }

    /// x^y, the derivative of which with respect to y needs a logarithm.
    #[derive(Clone, Copy)]
    struct Power;

    impl Smooth<2> for Power {
        fn value(self, [x, y]: [f64; 2]) -> f64 {
            x.powf(y)
        }
        fn slopes<N: Number>(self, [x, y]: [N; 2]) -> [N; 2] {
            let [log] = N::each_lane([x], |[x]| [x.ln()]);
            [y * N::smooth([x, y - N::splat(1.0)], self), N::smooth([x, y], self) * log]
        }
    }

    #[test]
    fn a_function_with_known_derivatives_follows_the_chain_rule() {
        type Second = Dual<Dual<f64, 1>, 1>;
        let x = Second { value: Dual::variable(1.5, 0), slopes: [Dual::constant(1.0)] };
        let cube = Number::smooth([x, Second::splat(3.0)], Power);
        assert!((cube.value.value - 3.375).abs() < 1e-15);
        assert!((cube.slopes[0].value - 6.75).abs() < 1e-14);
        assert!((cube.slopes[0].slopes[0] - 9.0).abs() < 1e-14);
        // A negative base has no logarithm, and a constant exponent does not need one.
        let square = Dual::smooth([Dual::<f64, 1>::variable(-2.0, 0), Dual::splat(2.0)], Power);
        assert_eq!((square.value, square.slopes), (4.0, [-4.0]));
        let both = [Dual::<f64, 2>::variable(1.5, 0), Dual::variable(0.7, 1)];
        let Dual { slopes: [of_x, of_y], .. } = Dual::smooth(both, Power);
        assert!((of_x - 0.7 * 1.5f64.powf(-0.3)).abs() < 1e-15);
        assert!((of_y - 1.5f64.powf(0.7) * 1.5f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn what_is_looked_up_has_no_slope() {
        let at = Dual::<_, 1>::variable(Pack([0.2, 1.7]), 0);
        let [floor] = at.look_up(|x| [x.floor()]);
        assert_eq!((floor.value.0, floor.slopes[0].0), ([0.0, 1.0], [0.0, 0.0]));
    }

    #[test]
    fn a_constant_root_of_zero_has_no_slope() {
        assert_eq!(Dual::<f64, 1>::constant(0.0).sqrt().slopes, [0.0]);
        assert!(!Dual::<f64, 1>::variable(0.0, 0).sqrt().slopes[0].is_finite());
    }
}
