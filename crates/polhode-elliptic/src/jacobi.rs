//! Jacobi's elliptic functions on the whole real line.

use core::hint::select_unpredictable;

use crate::complete::check_parameter;
use crate::elementary::{exponentials, flipped, integer_bits};
use crate::nome::Nome;
use crate::{Dd, DomainError, agm, trig, two_sum};
use polhode_number::{Number, sin_cos_octant};

/// am, sn, cn and dn at one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobi {
    /// The amplitude, continuous and increasing in u (not reduced to a period).
    pub am: f64,
    /// sin(am).
    pub sn: f64,
    /// cos(am).
    pub cn: f64,
    /// sqrt(1 - k² sn²) = sqrt(cn² + mc sn²) > 0.
    pub dn: f64,
}

/// sn, cn and dn at one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnCnDn {
    /// sin(am).
    pub sn: f64,
    /// cos(am).
    pub cn: f64,
    /// sqrt(1 - k² sn²) = sqrt(cn² + mc sn²) > 0.
    pub dn: f64,
}

/// am, sn, cn and dn together, at any real u and complementary parameter mc = 1 - k².
///
/// The period is known to more digits than u, so an argument of 1e9 loses nothing that u itself has
/// not lost by rounding: sn and cn are within 2 eps of the truth, dn within 2.5 eps of its own size,
/// for any mc. mc = 0 gives the hyperbolic and mc = 1 the circular functions exactly.
///
/// # Errors
/// [`DomainError`] unless u is finite and 0 <= mc <= 1, or if u lies so far out (more than 2^50
/// half periods) that it has no phase left.
///
/// # References
/// DLMF 22.2.4-6 and 22.16: quotients of theta functions, as in [`Theta`](crate::Theta).
///
/// ```
/// let j = polhode_elliptic::jacobi(0.5, 0.0)?;
/// assert!((j.sn - 0.5f64.tanh()).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn jacobi(u: f64, mc: f64) -> Result<Jacobi, DomainError> {
    if !is_ordinary(u, mc) {
        return elsewhere("jacobi", u, mc);
    }
    let nome = Nome::new(mc);
    Ok(with_amplitude(&nome, &Phase::near(&nome, u)))
}

/// sn, cn and dn together: the same numbers as [`jacobi`], without the cost of the amplitude.
///
/// # Errors
/// As those of [`jacobi`].
///
/// ```
/// let (u, mc) = (12.5, 1e-3);
/// let (j, e) = (polhode_elliptic::jacobi(u, mc)?, polhode_elliptic::sn_cn_dn(u, mc)?);
/// assert_eq!((e.sn, e.cn, e.dn), (j.sn, j.cn, j.dn));
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn sn_cn_dn(u: f64, mc: f64) -> Result<SnCnDn, DomainError> {
    if !is_ordinary(u, mc) {
        let Jacobi { sn, cn, dn, .. } = elsewhere("sn_cn_dn", u, mc)?;
        return Ok(SnCnDn { sn, cn, dn });
    }
    let nome = Nome::new(mc);
    Ok(values(&nome, &Phase::near(&nome, u)))
}

/// Up to here the period is known well enough without double-double numbers: at most 82 half
/// periods, of which each adds an error of 2^-59 of its length.
const NEAR: f64 = 256.0;

/// 2^50: beyond, doubles are further apart than a radian.
const MAX_HALF_PERIODS: f64 = 1_125_899_906_842_624.0;

#[inline(always)]
fn is_ordinary(u: f64, mc: f64) -> bool {
    u.abs() <= NEAR && mc > 0.0 && mc < 1.0
}

/// The ends of the range of mc, large arguments, and what is refused.
#[cold]
#[inline(never)]
fn elsewhere(function: &'static str, u: f64, mc: f64) -> Result<Jacobi, DomainError> {
    check_parameter(function, mc)?;
    if !u.is_finite() {
        return Err(DomainError::new(function, "u", u, "finite"));
    }
    if mc == 0.0 {
        return Ok(hyperbolic_limit(u));
    }
    if mc == 1.0 {
        return Ok(Jacobi { am: u, sn: trig::sin(u), cn: trig::cos(u), dn: 1.0 });
    }
    let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt())?;
    if u.abs() > MAX_HALF_PERIODS * 2.0 * quarter.hi() {
        return Err(DomainError::new(function, "u", u, "at most 2^50 half periods"));
    }
    let nome = Nome::new(mc);
    Ok(with_amplitude(&nome, &Phase::far(&nome, Dd::from(u) / quarter.scale(2.0))))
}

/// k = 1.
fn hyperbolic_limit(u: f64) -> Jacobi {
    // cosh overflows where its inverse is zero to every digit.
    let sech = if u.abs() > 700.0 { 2.0 * trig::exp(-u.abs()) } else { 1.0 / trig::cosh(u) };
    let am = if u.abs() < 1.0 {
        trig::atan(trig::sinh(u))
    } else {
        // gd(u) = pi/2 - 2 atan(e^-u), without the rounding of a large sinh.
        let rest = 2.0 * trig::atan(trig::exp(-u.abs()));
        libm::copysign((Dd::FRAC_PI_2 - Dd::from(rest)).hi(), u)
    };
    Jacobi { am, sn: trig::tanh(u), cn: sech, dn: sech }
}

/// The argument of the theta functions, reduced.
struct Phase {
    /// Whole quarter periods on the circular side, whole half periods on the hyperbolic one.
    count: f64,
    /// What is left, at most half of that, in two parts.
    rest: f64,
    tail: f64,
}

/// pi/2 with ten zeros at its end, so that a multiple up to 2^10 is exact; and the rest.
const QUARTER_TURN: (f64, f64) = (1.570_796_326_794_834_4, 6.223_372_171_896_613e-14);

impl Phase {
    /// For `|u| <= NEAR`.
    #[inline(always)]
    fn near(nome: &Nome, u: f64) -> Self {
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
    fn far(nome: &Nome, half_periods: Dd) -> Self {
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
}

#[inline(always)]
fn values(nome: &Nome, phase: &Phase) -> SnCnDn {
    if nome.circular { circular(nome, phase) } else { hyperbolic(nome, phase) }
}

/// By the sine of v = pi u/(2K), reduced to an eighth of a turn.
///
/// There, sn = theta_3(0) theta_1/(theta_2(0) theta_4), and a quarter period further -cn is the same
/// quotient of -q. All but the sine is one and something small: rounded when the ones are out.
#[inline(always)]
fn circular(nome: &Nome, phase: &Phase) -> SnCnDn {
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
fn hyperbolic(nome: &Nome, phase: &Phase) -> SnCnDn {
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
    let large = (1.0 - square).sqrt();
    let part = nome.m * square;
    let dn2 = select_unpredictable(is_cn, nome.mc + part, 1.0 - part);
    (select_unpredictable(is_cn, large, sn), select_unpredictable(is_cn, cn, large), dn2.sqrt())
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

fn with_amplitude(nome: &Nome, phase: &Phase) -> Jacobi {
    let SnCnDn { sn, cn, dn } = values(nome, phase);
    // A half period turns the amplitude by pi. Next to an odd quarter either neighbour will do: the
    // arctangent knows all four quadrants.
    let whole = if nome.circular { Number::round(0.5 * phase.count) } else { phase.count };
    let odd = integer_bits(whole) & 1;
    let rest = trig::atan2(flipped(sn, odd), flipped(cn, odd));
    let am = (Dd::PI * whole + Dd::from(rest)).hi();
    Jacobi { am, sn, cn, dn }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the one ends and the other begins nothing may show.
    #[test]
    fn near_and_far_reduction_agree() {
        for i in 0..4000 {
            let u = 0.064 * f64::from(i) + 0.01;
            let mc = match i % 3 {
                0 => 10f64.powf(-0.07 * f64::from(i)),
                1 => 1.0 - 10f64.powf(-0.004 * f64::from(i)),
                _ => f64::from(i % 997 + 1) / 998.0,
            };
            if !is_ordinary(u, mc) {
                continue;
            }
            let nome = Nome::new(mc);
            let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt()).unwrap();
            let a = values(&nome, &Phase::near(&nome, u));
            let b = values(&nome, &Phase::far(&nome, Dd::from(u) / quarter.scale(2.0)));
            for (a, b) in [(a.sn, b.sn), (a.cn, b.cn), (a.dn, b.dn)] {
                assert!((a - b).abs() <= 1.5 * f64::EPSILON, "u = {u}, mc = {mc:e}: {a} {b}");
            }
        }
    }
}
