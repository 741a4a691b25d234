//! The nome of one modulus and the period of its theta functions, without a mean.
//!
//! With b the larger of k² and 1 - k² and r = b^(1/4), the theta functions of the smaller nome q at
//! zero satisfy theta_4/theta_3 = r, hence theta_3(q) (1 + r)/2 = theta_3(q^4) = 1 + 2 q^4 + ...,
//! where q^4 < 4e-6. So two square roots tell the scale 1/theta_3² between u and the argument of the
//! theta functions, and what their roundings dropped tells ten more bits of it: enough to reduce an
//! argument by many periods without a double-double number.
//!
//! # References
//! DLMF 22.2.2 (k, k' and K by theta functions), 20.2.3-4 (their series, of which the sum is that of
//! q^4), 19.5.6 (q), 20.7.30-33 (imaginary transformation).

use polhode_number::fast_two_sum;

use crate::Parameter;
use crate::elementary::{high, ln_quotient};
use crate::float;

/// Constants of a modulus, on the side where the nome is small.
#[derive(Clone, Copy)]
pub(crate) struct Nome {
    /// k² <= 1/2: circular functions; otherwise hyperbolic ones of the complementary nome.
    pub circular: bool,
    /// k² and 1 - k².
    pub m: f64,
    pub mc: f64,
    /// The nome, at most exp(-pi).
    pub q: f64,
    /// l^4, where l = (1 - r)/(2 (1 + r)) is what q is a series in.
    l4: f64,
    /// 1 + r² in two parts.
    factor: (f64, f64),
    /// (1 + r)² in two parts.
    square: (f64, f64),
    /// theta_3(q^4)^-2 = 1 - drop.
    drop: f64,
}

/// `y - x²` for x the rounded root of y.
#[inline(always)]
fn residual(x: f64, y: f64) -> f64 {
    let x_high = high(x);
    (y - x_high * x_high) - (x - x_high) * (x + x_high)
}

impl Nome {
    /// For 0 < m < 1.
    #[inline(always)]
    pub(crate) fn new(parameter: &Parameter) -> Self {
        let (m, mc) = (parameter.m.hi(), parameter.mc.hi());
        let circular = mc >= 0.5;
        let (small, big) = if circular { (m, parameter.mc) } else { (mc, parameter.m) };
        // What the rounding of the larger one left out; zero if that one was given.
        let (big, dropped) = (big.hi(), big.lo());
        let root2 = float::sqrt(big);
        let root = float::sqrt(root2);
        // First corrections of both, 1/(2 r²) and 1/(2 r) from one division.
        let inverse = 0.5 / (root2 * root);
        let root2_tail = (residual(root2, big) + dropped) * (root * inverse);
        let root_tail = (residual(root, root2) + root2_tail) * (root2 * inverse);
        // (1 + r)² = (1 + r²) + 2 r, the larger first.
        let (factor, factor_error) = fast_two_sum(1.0, root2);
        let factor_tail = factor_error + root2_tail;
        let (square, square_error) = fast_two_sum(factor, 2.0 * root);
        let square_tail = square_error + (factor_tail + 2.0 * root_tail);
        // 1 - r written as (1 - b)/((1 + r)(1 + r²)): a small modulus keeps its digits.
        let l = 0.5 * small / (factor * square);
        let l4 = (l * l) * (l * l);
        let q = l * (1.0 + l4 * (2.0 + l4 * (15.0 + l4 * 150.0)));
        let drop = l4 * ((4.0 + l4 * 20.0) + (l4 * l4) * (176.0 + l4 * 1876.0));
        Self {
            circular,
            m,
            mc,
            q,
            l4,
            factor: (factor, factor_tail),
            square: (square, square_tail),
            drop,
        }
    }

    /// u/theta_3², the argument of the theta functions, in two parts.
    #[inline(always)]
    pub(crate) fn argument(&self, u: f64) -> (f64, f64) {
        // What takes longest to compute is needed last.
        let (near, rest) = self.scale();
        let (u_high, scale) = (high(u), high(near));
        (u_high * scale, (u - u_high) * scale + u * ((near - scale) + rest))
    }

    /// 1/theta_3² in two parts: one half period of the argument above is pi, or ln(1/q).
    #[inline(always)]
    pub(crate) fn scale(&self) -> (f64, f64) {
        (0.25 * self.square.0, 0.25 * (self.square.1 - self.square.0 * self.drop))
    }

    /// q over the smaller of m and mc, also where that is zero or has no digits.
    #[inline(always)]
    pub(crate) fn q_ratio(&self) -> f64 {
        let x = self.l4;
        0.5 / (self.factor.0 * self.square.0) * (1.0 + x * (2.0 + x * (15.0 + x * 150.0)))
    }

    /// ln(1/q), the period on the hyperbolic side, in two parts, to 2^-60.
    #[inline(always)]
    pub(crate) fn ln_inverse(&self) -> (f64, f64) {
        // 1/l = 2 (1 + r)² (1 + r²)/(1 - k²).
        let ((square, square_tail), (factor, factor_tail)) = (self.square, self.factor);
        let top = square * factor;
        let (square_high, factor_high) = (high(square), high(factor));
        let top_tail = ((square_high * factor_high - top) + square_high * (factor - factor_high))
            + ((square - square_high) * factor + (square * factor_tail + square_tail * factor));
        // A subnormal number has no exponent of its own.
        let (mc, lifted) = if self.mc < 1e-300 { (self.mc * LIFT, 100) } else { (self.mc, 0) };
        let (exponent, fraction) = (mc.to_bits() >> 52, mc.to_bits() & 0x000f_ffff_ffff_ffff);
        let of_power = |power: u64| f64::from_bits(((1023 + power) << 52) | fraction);
        // The quotient by 4 or 8 times the mantissa lies about one; top = 8 - 4.2 mc, nearly, and
        // this is known before top is.
        let power = 2 + u64::from(8.0 - 4.2 * self.mc > ROOT_OF_32 * of_power(0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
        let twos = f64::from((1024 + power + lifted) as i32 - exponent as i32);
        let (ln, tail) = ln_quotient(twos, top, top_tail, of_power(power));
        // ln(q/l), by the series of q.
        let x = self.l4;
        (ln, tail - x * (2.0 + x * (13.0 + x * (368.0 / 3.0))))
    }
}

const ROOT_OF_32: f64 = 5.656_854_249_492_381;

/// 2^100.
const LIFT: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dd, agm};

    /// 2K/theta_3² is pi on one side and ln(1/q) on the other: what one half period costs.
    #[test]
    fn the_period_is_known_to_2_to_the_minus_59() {
        let near_zero = (0..3000).map(|i| 10f64.powf(-0.1 * f64::from(i)));
        let near_one = (0..160).map(|i| 1.0 - 10f64.powf(-0.1 * f64::from(i)));
        let between = (1..2000).map(|i| f64::from(i) / 2000.0);
        let ends = [0.5, 0.5 - f64::EPSILON / 4.0, 1.0 - f64::EPSILON / 2.0, f64::MIN_POSITIVE];
        for mc in near_zero.chain(near_one).chain(between).chain(ends) {
            if mc <= 0.0 || mc >= 1.0 {
                continue;
            }
            let nome = Nome::new(&Parameter::complementary(mc));
            let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt()).unwrap();
            let (scale, scale_tail) = nome.argument(1.0);
            let got = quarter.scale(2.0) * Dd::sum(scale, scale_tail);
            let (length, tail) = nome.ln_inverse();
            let want = if nome.circular { Dd::PI } else { Dd::sum(length, tail) };
            let error = (got - want).hi().abs() / want.hi();
            assert!(error < 2f64.powi(-59), "mc = {mc:e}: {error:e}");
        }
    }
}
