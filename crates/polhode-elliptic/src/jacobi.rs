//! Jacobi's elliptic functions on the whole real line.

use core::hint::select_unpredictable;

use crate::elementary::{exponentials, flipped, integer_bits};
use crate::nome::Nome;
use crate::parameter::root;
use crate::{Dd, DomainError, Parameter, agm, float, trig, two_sum};
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

/// am, sn, cn and dn together, at any real u and parameter; a plain number is mc = 1 - m.
///
/// The period is known to more digits than u, so an argument of 1e9 loses nothing that u itself has
/// not lost by rounding: for 0 <= m <= 1 sn and cn are within 2 eps of the truth, dn within 2.5 eps of
/// its own size; elsewhere all are within 2 eps of what a rounding of the arguments and the result
/// amounts to. m = 1 gives the hyperbolic and m = 0 the circular functions.
///
/// For m < 0 dn is at least one. For m > 1 dn changes sign, and the amplitude swings between
/// ±asin(1/sqrt(m)) instead of growing.
///
/// # Errors
/// [`DomainError`] if u or m is NaN or infinite (except u at m = 1), or if u lies so far out (more than
/// 2^50 half periods) that it has no phase left.
///
/// # References
/// DLMF 22.2.4-6 and 22.16: quotients of theta functions, as in [`Theta`](crate::Theta); 22.17 (m < 0 and
/// m > 1).
///
/// ```
/// use polhode_elliptic::{Parameter, jacobi};
/// let j = jacobi(0.5, 0.0)?;
/// assert!((j.sn - 0.5f64.tanh()).abs() < 1e-16);
/// let j = jacobi(2.0, Parameter::new(-3.0))?;
/// assert!((j.dn * j.dn - (1.0 + 3.0 * j.sn * j.sn)).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn jacobi(u: f64, parameter: impl Into<Parameter>) -> Result<Jacobi, DomainError> {
    let p = parameter.into();
    if !is_ordinary(u, &p) {
        return elsewhere("jacobi", u, &p);
    }
    let nome = Nome::new(&p);
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
#[inline]
pub fn sn_cn_dn(u: f64, parameter: impl Into<Parameter>) -> Result<SnCnDn, DomainError> {
    let p = parameter.into();
    if !is_ordinary(u, &p) {
        let Jacobi { sn, cn, dn, .. } = elsewhere("sn_cn_dn", u, &p)?;
        return Ok(SnCnDn { sn, cn, dn });
    }
    let nome = Nome::new(&p);
    Ok(values(&nome, &Phase::near(&nome, u)))
}

/// The amplitude alone: the inverse of [`incomplete_f`](crate::incomplete_f) for m <= 1.
///
/// Infinite with u for m < 1; ±π/2 at m = 1.
///
/// # Errors
/// As those of [`jacobi`].
///
/// ```
/// use polhode_elliptic::{amplitude, incomplete_f};
/// let u = incomplete_f(2.0, 0.3)?;
/// assert!((amplitude(u, 0.3)? - 2.0).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn amplitude(u: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    if u.is_infinite() && p.mc.hi() > 0.0 && p.mc.hi().is_finite() {
        return Ok(u);
    }
    jacobi(u, p).map(|j| j.am)
}

/// The other nine: quotients of sn, cn, dn and one, infinite at their poles.
impl SnCnDn {
    /// 1/sn.
    pub fn ns(&self) -> f64 {
        1.0 / self.sn
    }
    /// 1/cn.
    pub fn nc(&self) -> f64 {
        1.0 / self.cn
    }
    /// 1/dn.
    pub fn nd(&self) -> f64 {
        1.0 / self.dn
    }
    /// sn/cn, the tangent of the amplitude.
    pub fn sc(&self) -> f64 {
        self.sn / self.cn
    }
    /// sn/dn.
    pub fn sd(&self) -> f64 {
        self.sn / self.dn
    }
    /// cn/dn, which is sn a quarter period further.
    pub fn cd(&self) -> f64 {
        self.cn / self.dn
    }
    /// cn/sn.
    pub fn cs(&self) -> f64 {
        self.cn / self.sn
    }
    /// dn/sn.
    pub fn ds(&self) -> f64 {
        self.dn / self.sn
    }
    /// dn/cn.
    pub fn dc(&self) -> f64 {
        self.dn / self.cn
    }
}

/// Up to here the period is known well enough without double-double numbers: at most 82 half
/// periods, of which each adds an error of 2^-59 of its length.
const NEAR: f64 = 256.0;

/// 2^50: beyond, doubles are further apart than a radian.
const MAX_HALF_PERIODS: f64 = 1_125_899_906_842_624.0;

/// Below this mc the nome and the squares of cn and dn have no digits, or are zero.
const TINY: f64 = 1e-280;

#[inline(always)]
fn is_ordinary(u: f64, p: &Parameter) -> bool {
    u.abs() <= NEAR && p.mc.hi() >= TINY && p.m.hi() > 0.0
}

/// The ends of the range of m and what lies beyond them, large arguments, and what is refused.
#[cold]
#[inline(never)]
fn elsewhere(function: &'static str, u: f64, p: &Parameter) -> Result<Jacobi, DomainError> {
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if !mc.is_finite() {
        return Err(p.error(function, "finite"));
    }
    if mc == 0.0 && !u.is_nan() {
        return Ok(hyperbolic_limit(u));
    }
    if !u.is_finite() {
        return Err(DomainError::new(function, "u", u, "finite"));
    }
    if m == 0.0 {
        return Ok(Jacobi { am: u, sn: trig::sin(u), cn: trig::cos(u), dn: 1.0 });
    }
    let far = || DomainError::new(function, "u", u, "at most 2^50 half periods");
    if m < 0.0 {
        let root = root(p.mc);
        let (j, whole) = unit(Dd::from(u) * root, &p.imaginary()).ok_or_else(far)?;
        let (sn, cn, dn) = (j.sd() / root.hi(), j.cd(), j.nd());
        return Ok(Jacobi { am: turned(whole, sn, cn), sn, cn, dn });
    }
    if mc < 0.0 {
        let root = root(p.m);
        let (j, _) = unit(Dd::from(u) * root, &p.reciprocal()).ok_or_else(far)?;
        let (sn, cn, dn) = (j.sn / root.hi(), j.dn, j.cn);
        return Ok(Jacobi { am: trig::atan2(sn, cn), sn, cn, dn });
    }
    let (SnCnDn { sn, cn, dn }, whole) = unit(Dd::from(u), p).ok_or_else(far)?;
    Ok(Jacobi { am: turned(whole, sn, cn), sn, cn, dn })
}

/// sn, cn and dn for 0 < m < 1 of an argument in two parts, and how many half periods it has; none if
/// those are too many.
fn unit(u: Dd, p: &Parameter) -> Option<(SnCnDn, f64)> {
    // Far beyond any phase, and not yet beyond double-doubles.
    if u.hi().is_nan() || u.hi().abs() > 1e280 {
        return None;
    }
    // Reciprocals and quotients may have come out as one and zero.
    if p.mc.hi() == 0.0 {
        let Jacobi { sn, cn, dn, .. } = hyperbolic_limit(u.hi());
        return Some((SnCnDn { sn, cn, dn }, 0.0));
    }
    if p.m.hi() == 0.0 {
        // Half periods of pi.
        let (whole, rest) = (u * Dd::FRAC_1_PI).split_integer();
        let (s, c) = crate::sin_cos_turns(rest.scale(0.5));
        let odd = integer_bits(whole) & 1;
        let (sn, cn) = (flipped(s, odd), flipped(c, odd));
        return (u.hi().abs() < MAX_HALF_PERIODS).then_some((SnCnDn { sn, cn, dn: 1.0 }, whole));
    }
    let nome = Nome::new(p);
    let phase = if u.hi().abs() <= NEAR {
        let mut phase = Phase::near(&nome, u.hi());
        phase.tail += u.lo() * nome.scale().0;
        phase
    } else {
        let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, root(p.mc)).ok()?;
        if u.hi().abs() > MAX_HALF_PERIODS * 2.0 * quarter.hi() {
            return None;
        }
        Phase::far(&nome, u / quarter.scale(2.0))
    };
    let found = if p.mc.hi() < TINY { tiny(&nome, &phase) } else { values(&nome, &phase) };
    Some((found, phase.half_periods(&nome)))
}

/// Where the nome is zero to every digit: one hyperbolic flip, and its image half a period away.
fn tiny(nome: &Nome, phase: &Phase) -> SnCnDn {
    let negative = phase.rest.to_bits() >> 63;
    let half_period = integer_bits(phase.count) & 1;
    let (x, tail) = two_sum(flipped(phase.rest, negative), flipped(phase.tail, negative));
    let (sn, sech) = (trig::tanh(x), 1.0 / trig::cosh(x));
    let sech = sech - sech * sn * tail;
    // cn and dn are 1/cosh less and plus that of the image, e^(2x)/q, as 2x - ln(1/q) = -gap.
    let (length, length_tail) = nome.ln_inverse();
    let gap = (length - 2.0 * x) + (length_tail - 2.0 * tail);
    let cn = sech * -libm::expm1(-gap);
    let dn = sech * (1.0 + trig::exp(-gap));
    SnCnDn { sn: flipped(sn, negative ^ half_period), cn: flipped(cn, half_period), dn }
}

/// k = 1.
fn hyperbolic_limit(u: f64) -> Jacobi {
    // cosh overflows where its inverse is zero to every digit; at an infinite u it is zero.
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

    /// A half period turns the amplitude by pi. Next to an odd quarter either neighbour will do: the
    /// arctangent knows all four quadrants.
    fn half_periods(&self, nome: &Nome) -> f64 {
        if nome.circular { Number::round(0.5 * self.count) } else { self.count }
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

fn with_amplitude(nome: &Nome, phase: &Phase) -> Jacobi {
    let SnCnDn { sn, cn, dn } = values(nome, phase);
    Jacobi { am: turned(phase.half_periods(nome), sn, cn), sn, cn, dn }
}

/// The amplitude of so many half turns and a rest, of which sine and cosine are known.
fn turned(whole: f64, sn: f64, cn: f64) -> f64 {
    let odd = integer_bits(whole) & 1;
    let rest = trig::atan2(flipped(sn, odd), flipped(cn, odd));
    (Dd::PI * whole + Dd::from(rest)).hi()
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
            let p = Parameter::complementary(mc);
            if !is_ordinary(u, &p) {
                continue;
            }
            let nome = Nome::new(&p);
            let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt()).unwrap();
            let a = values(&nome, &Phase::near(&nome, u));
            let b = values(&nome, &Phase::far(&nome, Dd::from(u) / quarter.scale(2.0)));
            for (a, b) in [(a.sn, b.sn), (a.cn, b.cn), (a.dn, b.dn)] {
                assert!((a - b).abs() <= 1.5 * f64::EPSILON, "u = {u}, mc = {mc:e}: {a} {b}");
            }
        }
    }
}
