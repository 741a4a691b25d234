//! sn, cn and dn by theta functions of the smaller nome, at an argument that is reduced to their period.
//!
//! # References
//! DLMF 20.2.1-4 (series), 22.2.4-6 (quotients), 20.7.30-33 (imaginary transformation).

use core::hint::select_unpredictable;

use crate::elementary::{exponentials, flipped, integer_bits};
use crate::nome::Nome;
use crate::{Dd, SnCnDn, float, two_sum};
use polhode_number::{Number, sin_cos_octant};

/// The argument of the theta functions, reduced.
pub(crate) struct ThetaPhase {
    /// Whole quarter periods on the circular side, whole half periods on the hyperbolic one.
    pub(crate) count: f64,
    /// What is left, at most half of that, in two parts.
    pub(crate) rest: f64,
    pub(crate) tail: f64,
}

/// pi/2 with ten zeros at its end, so that a multiple up to 2^10 is exact; and the rest.
const QUARTER_TURN: (f64, f64) = (1.570_796_326_794_834_4, 6.223_372_171_896_613e-14);

impl ThetaPhase {
    /// For |u| so small that the period is known well enough.
    #[inline(always)]
    pub(crate) fn near(nome: &Nome, u: f64) -> Self {
        let (z, z_tail) = nome.argument(u);
        if nome.circular {
            let count = Number::round(z * core::f64::consts::FRAC_2_PI);
            let (top, bottom) = QUARTER_TURN;
            let (rest, tail) = two_sum(z - count * top, z_tail - count * bottom);
            return Self { count, rest, tail };
        }
        let (length, length_tail) = nome.ln_inverse();
        let count = Number::round(z / length);
        // Zeros at its end, as at that of a quarter turn.
        let top = f64::from_bits(length.to_bits() & !0x3ff);
        let bottom = (length - top) + length_tail;
        Self { count, rest: z - count * top, tail: z_tail - count * bottom }
    }

    /// From u in half periods.
    pub(crate) fn far(nome: &Nome, half_periods: Dd) -> Self {
        let (whole, fraction) = half_periods.split_integer();
        let (count, rest) = if nome.circular {
            let (quarters, fraction) = fraction.scale(2.0).split_integer();
            (2.0 * whole + quarters, fraction * Dd::FRAC_PI_2)
        } else {
            let (length, tail) = nome.ln_inverse();
            (whole, fraction * Dd::sum(length, tail))
        };
        Self { count, rest: rest.hi(), tail: rest.lo() }
    }

    /// A half period turns the amplitude by pi. Next to an odd quarter either neighbour will do: the
    /// arctangent knows all four quadrants.
    pub(crate) fn half_periods(&self, nome: &Nome) -> f64 {
        if nome.circular { Number::round(0.5 * self.count) } else { self.count }
    }
}

/// sn, cn and dn at a phase.
#[inline(always)]
pub(crate) fn values(nome: &Nome, phase: &ThetaPhase) -> SnCnDn {
    if nome.circular { circular(nome, phase) } else { hyperbolic(nome, phase) }
}

/// By the sine of v = pi u/(2K), reduced to an eighth of a turn.
///
/// There, sn = theta_3(0) theta_1/(theta_2(0) theta_4), and a quarter period further -cn is the same
/// quotient of -q. All but the sine is one and something small: rounded when the ones are out.
#[inline(always)]
fn circular(nome: &Nome, phase: &ThetaPhase) -> SnCnDn {
    let quadrant = integer_bits(phase.count);
    let (odd, half_turn) = (quadrant & 1, (quadrant >> 1) & 1);
    let (s, _) = sin_cos_octant(phase.rest, phase.tail);
    let powers = Powers::of(flipped(nome.q, odd));
    // q 2 cos 2v.
    let thetas = powers.thetas(powers.q * (2.0 - 4.0 * (s * s)));
    let top = product(powers.theta3(), thetas.theta1);
    let bottom = product(powers.theta2(), thetas.theta4);
    let small = s + s * ((top - bottom) / (1.0 + bottom));
    let (sn, cn, dn) = completed(nome, small, -small, odd == 1);
    SnCnDn { sn: flipped(sn, half_turn), cn: flipped(cn, half_turn), dn }
}

/// By e^-x, x = u ln(1/q)/(2K) of the complementary nome.
///
/// sn = theta_3(0) theta_1/(theta_4(0) theta_2) and cn = theta_2(0) theta_4/(theta_4(0) theta_2), all
/// of ix; the smaller of the two is taken.
#[inline(always)]
fn hyperbolic(nome: &Nome, phase: &ThetaPhase) -> SnCnDn {
    let negative = phase.rest.to_bits() >> 63;
    let half_period = integer_bits(phase.count) & 1;
    let (e, gap, rise) = exponentials(flipped(phase.rest, negative), flipped(phase.tail, negative));
    let powers = Powers::of(nome.q);
    let near = e * e;
    // q 2 cosh 2x: the larger part is the image of the flip half a period away, about one at most.
    let thetas = powers.thetas(powers.q * rise * rise + powers.q * near);
    // tanh x and 1/cosh x are what is left for q = 0.
    let sinh = gap * (1.0 + e);
    let cosh = 1.0 + near;
    let sn_top = sinh + sinh * product(powers.theta3(), thetas.theta1);
    let cn_top = 2.0 * e * (1.0 + product(powers.theta2(), thetas.theta4));
    let bottom = cosh + cosh * product(powers.theta4(), thetas.theta2);
    let is_cn = cn_top < sn_top;
    let small = (if is_cn { cn_top } else { sn_top }) / bottom;
    let (sn, cn, dn) = completed(nome, small, small, is_cn);
    SnCnDn { sn: flipped(sn, negative ^ half_period), cn: flipped(cn, half_period), dn }
}

/// sn, cn and dn from the one of sn and cn that `is_cn` tells, by squares that do not cancel as it is
/// the smaller of the two. (Both are given: they can differ in sign.)
#[inline(always)]
fn completed(nome: &Nome, sn: f64, cn: f64, is_cn: bool) -> (f64, f64, f64) {
    let square = sn * sn;
    let large = float::sqrt(1.0 - square);
    let part = nome.m * square;
    let dn2 = select_unpredictable(is_cn, nome.mc + part, 1.0 - part);
    (
        select_unpredictable(is_cn, large, sn),
        select_unpredictable(is_cn, cn, large),
        float::sqrt(dn2),
    )
}

/// (1 + a)(1 + b) - 1.
#[inline(always)]
fn product(a: f64, b: f64) -> f64 {
    (a + b) + a * b
}

/// Powers of a nome, and the theta functions at zero less one, theta_2 without 2 q^(1/4).
struct Powers {
    q: f64,
    q2: f64,
    q4: f64,
    q6: f64,
    q8: f64,
}

impl Powers {
    #[inline(always)]
    fn of(q: f64) -> Self {
        let q2 = q * q;
        let q4 = q2 * q2;
        Self { q, q2, q4, q6: q2 * q4, q8: q4 * q4 }
    }

    #[inline(always)]
    fn theta2(&self) -> f64 {
        self.q2 * (1.0 + self.q4 * (1.0 + self.q6))
    }

    #[inline(always)]
    fn theta3(&self) -> f64 {
        2.0 * (self.q4 + self.q * (1.0 + self.q8))
    }

    #[inline(always)]
    fn theta4(&self) -> f64 {
        2.0 * (self.q4 - self.q * (1.0 + self.q8))
    }

    /// At an argument v with d = q 2 cos 2v: quotients of sines and cosines of (2n+1)v by those of
    /// v, and cosines of 2nv, are polynomials in d.
    #[inline(always)]
    fn thetas(&self, d: f64) -> Thetas {
        let d2 = d * d;
        let (q2, q4, q6, q8) = (self.q2, self.q4, self.q6, self.q8);
        let even = q4 * (1.0 - q6) * d2 - q2 * (1.0 + q4 * (1.0 - q6));
        let odd = self.q * d * ((1.0 - q4) + q8 * (d2 - 2.0 * q2));
        let even4 = q2 * d2 - (2.0 * q4 - (q6 * d2) * (q6 * d2));
        let odd4 = d + d * (q6 * d2 - 3.0 * q8);
        Thetas { theta1: even - odd, theta2: even + odd, theta4: even4 - odd4 }
    }
}

/// theta_1 over 2 q^(1/4) sin v, theta_2 over 2 q^(1/4) cos v, and theta_4; all less one.
struct Thetas {
    theta1: f64,
    theta2: f64,
    theta4: f64,
}
