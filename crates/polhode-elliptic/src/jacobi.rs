//! Jacobi's elliptic functions on the whole real line.

use crate::elementary::{flipped, integer_bits};
use crate::nome::Nome;
use crate::parameter::root;
use crate::phase::{ThetaPhase, values};
use crate::{Dd, DomainError, Parameter, agm, trig, two_sum};

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
/// Where u or m is infinite each that has a limit is that limit, and NaN if it has none: at m = 1 and an
/// infinite u all have, at m = 0 and an infinite u dn has, at m = infinity all but dn.
///
/// # Errors
/// [`DomainError`] if u or m is NaN, if neither of sn, cn and dn has a limit at an infinite one, or if u lies so
/// far out (more than 2^50 half periods) that it has no phase left.
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
    Ok(with_amplitude(&nome, &ThetaPhase::near(&nome, u)))
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
    Ok(values(&nome, &ThetaPhase::near(&nome, u)))
}

/// The amplitude alone: the inverse of [`incomplete_f`](crate::incomplete_f) for m <= 1.
///
/// Infinite with u for m < 1; ±π/2 at m = 1. At m = -infinity it is infinite, at m = infinity zero.
///
/// # Errors
/// [`DomainError`] if u or m is NaN, if u is infinite and m > 1 finite, or if u is too far out for [`jacobi`].
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
    if u.is_infinite() || p.mc.hi().is_infinite() {
        let am = limits(u, &p).am;
        if !am.is_nan() {
            return Ok(am);
        }
    }
    jacobi(u, p).map(|j| j.am)
}

/// The other nine: quotients of sn, cn, dn and one, infinite at their poles.
impl SnCnDn {
    /// 1/sn.
    pub fn ns(&self) -> f64 {
        self.over_sn(1.0)
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
        // At m = 1 they are the same, and both zero far out.
        if self.cn == self.dn { 1.0 } else { self.cn / self.dn }
    }
    /// cn/sn.
    pub fn cs(&self) -> f64 {
        self.over_sn(self.cn)
    }
    /// dn/sn.
    pub fn ds(&self) -> f64 {
        self.dn / self.sn
    }
    /// dn/cn.
    pub fn dc(&self) -> f64 {
        if self.cn == self.dn { 1.0 } else { self.dn / self.cn }
    }
    /// x/sn; of an infinite m, where dn has no limit, the sign of a vanishing sn has none either.
    fn over_sn(&self, x: f64) -> f64 {
        if self.dn.is_nan() { f64::NAN } else { x / self.sn }
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
    if mc.is_nan() {
        return Err(p.error(function, "a number"));
    }
    if u.is_nan() {
        return Err(DomainError::new(function, "u", u, "a number"));
    }
    if u.is_infinite() || mc.is_infinite() {
        let found = limits(u, p);
        if !(found.sn.is_nan() && found.dn.is_nan()) {
            return Ok(found);
        }
        if mc.is_infinite() {
            return Err(p.error(function, "finite"));
        }
        return Err(DomainError::new(function, "u", u, "finite"));
    }
    if mc == 0.0 {
        return Ok(hyperbolic_limit(u));
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

/// The limits at an infinite u or m; NaN for what has none.
fn limits(u: f64, p: &Parameter) -> Jacobi {
    let (m, mc, none) = (p.m.hi(), p.mc.hi(), f64::NAN);
    if u.is_nan() || mc.is_nan() {
        return Jacobi { am: none, sn: none, cn: none, dn: none };
    }
    if u == 0.0 {
        return Jacobi { am: u, sn: u, cn: 1.0, dn: 1.0 };
    }
    if mc == f64::NEG_INFINITY {
        // The amplitude swings within asin(1/sqrt(m)), faster and faster.
        let zero = libm::copysign(0.0, u);
        return Jacobi { am: zero, sn: zero, cn: 1.0, dn: none };
    }
    if mc == 0.0 {
        return hyperbolic_limit(u);
    }
    // It turns without end.
    let am = if mc > 0.0 { libm::copysign(f64::INFINITY, u) } else { none };
    Jacobi { am, sn: none, cn: none, dn: if m == 0.0 { 1.0 } else { none } }
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
        let mut phase = ThetaPhase::near(&nome, u.hi());
        phase.tail += u.lo() * nome.scale().0;
        phase
    } else {
        let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, root(p.mc)).ok()?;
        if u.hi().abs() > MAX_HALF_PERIODS * 2.0 * quarter.hi() {
            return None;
        }
        ThetaPhase::far(&nome, u / quarter.scale(2.0))
    };
    let found = if p.mc.hi() < TINY { tiny(&nome, &phase) } else { values(&nome, &phase) };
    Some((found, phase.half_periods(&nome)))
}

/// Where the nome is zero to every digit: one hyperbolic flip, and its image half a period away.
fn tiny(nome: &Nome, phase: &ThetaPhase) -> SnCnDn {
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

fn with_amplitude(nome: &Nome, phase: &ThetaPhase) -> Jacobi {
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
            let a = values(&nome, &ThetaPhase::near(&nome, u));
            let b = values(&nome, &ThetaPhase::far(&nome, Dd::from(u) / quarter.scale(2.0)));
            for (a, b) in [(a.sn, b.sn), (a.cn, b.cn), (a.dn, b.dn)] {
                assert!((a - b).abs() <= 1.5 * f64::EPSILON, "u = {u}, mc = {mc:e}: {a} {b}");
            }
        }
    }
}
