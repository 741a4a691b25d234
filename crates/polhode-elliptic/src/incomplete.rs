//! Incomplete integrals F, E, D, B and Pi, and Jacobi's zeta function, on the whole real line.
//!
//! An amplitude is a number of quarter turns and an arc (`arc.rs`). Past pi/2 the integrals are
//! quasi-periodic, growing by twice the complete integral every pi; from there on the arc begins at the
//! nearest multiple of pi/2, so that nothing is subtracted. Where m > 1 the reciprocal modulus is used:
//! with sin(beta) = sqrt(m) sin(phi) the integrals are those of beta and 1/m (DLMF 19.7.4).

use crate::arc::{Arc, Weight};
use crate::complete::mean;
use crate::quarter::UP_TO_ONE;
use crate::{DomainError, Parameter, float, quarter, trig};

/// An amplitude as whole half turns and a rest within a quarter turn of zero.
struct Amplitude {
    half_turns: f64,
    /// Sign, sine and cosine of the rest; sine and cosine are not negative.
    sign: f64,
    sin: f64,
    cos: f64,
}

impl Amplitude {
    #[inline(always)]
    fn new(phi: f64) -> Self {
        let (s, c) = (trig::sin(phi), trig::cos(phi));
        let mut half_turns = float::round_ties_even(phi * core::f64::consts::FRAC_1_PI);
        let odd = |n: f64| n % 2.0 != 0.0;
        // Next to an odd multiple of pi/2 the quotient may round to the wrong side; the sign of
        // the cosine knows. The wrong side would be off by the slope there, 1/kc.
        if (c < 0.0) != odd(half_turns) && c != 0.0 {
            half_turns += if (s > 0.0) == odd(half_turns) { -1.0 } else { 1.0 };
        }
        let sign = if (s < 0.0) == odd(half_turns) { 1.0 } else { -1.0 };
        Self { half_turns, sign, sin: s.abs(), cos: c.abs() }
    }
}

/// One of Legendre's integrals: over a quarter turn, and over an arc.
trait Integral {
    const NAME: &'static str;
    /// The complete integral, for m <= 1.
    fn complete(&self, m: &Parameter) -> f64;
    /// From an even multiple of a quarter turn.
    fn direct(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError>;
    /// From an odd one.
    fn turned(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError>;
    /// By the integrals of the reciprocal parameter, of which this is the arc; m > 1.
    fn reciprocal(
        &self,
        arc: &Arc,
        m: &Parameter,
        reciprocal: &Parameter,
    ) -> Result<f64, DomainError>;
    /// Whether a pole lies between an even multiple of a quarter turn and the end of the arc.
    #[inline(always)]
    fn past_a_pole(&self, _arc: &Arc) -> bool {
        false
    }

    #[inline(always)]
    fn at(&self, phi: f64, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        // m > 1, an infinity or NaN.
        if !(0.0..=f64::MAX).contains(&mc) || !phi.is_finite() {
            return self.elsewhere(phi, m);
        }
        let a = Amplitude::new(phi);
        let arc = Arc::new(a.sin, a.cos, 1.0, mc);
        if a.half_turns == 0.0 && !self.past_a_pole(&arc) {
            return Ok(a.sign * self.direct(&arc, m)?);
        }
        self.beyond(&a, &arc, m)
    }

    /// Past pi/2, or past a pole.
    #[inline(never)]
    fn beyond(&self, a: &Amplitude, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        let complete = self.complete(m);
        if complete.is_infinite() {
            return Ok(if a.half_turns < 0.0 { -complete } else { complete });
        }
        // From the nearer end of the quarter, unless a pole is in the way.
        let turned = if self.has_pole() { self.past_a_pole(arc) } else { a.cos < a.sin };
        // Without digits in mc, the further end is as good: the rest is little beside the complete one.
        if turned && (mc > 1e-290 || self.has_pole()) {
            let arc = Arc::new(a.cos, a.sin, mc, 1.0);
            let rest = a.sign * self.turned(&arc, m)?;
            return Ok((2.0 * a.half_turns + a.sign) * complete - rest);
        }
        Ok(2.0 * a.half_turns * complete + a.sign * self.direct(arc, m)?)
    }

    #[inline(always)]
    fn has_pole(&self) -> bool {
        false
    }

    /// m > 1, infinite arguments, and what is refused.
    #[cold]
    fn elsewhere(&self, phi: f64, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        if phi.is_nan() {
            return Err(DomainError::new(Self::NAME, "phi", phi, "a number"));
        }
        if mc.is_nan() {
            return Err(m.error(Self::NAME, "a number"));
        }
        if phi == 0.0 {
            return Ok(phi);
        }
        if mc == f64::INFINITY {
            // Every term but that of the angle is gone.
            return Ok(libm::copysign(self.complete(m), phi));
        }
        if phi.is_infinite() {
            m.up_to_one(Self::NAME)?;
            let complete = self.complete(m);
            if complete == 0.0 {
                return Err(DomainError::new(Self::NAME, "phi", phi, "finite where Pi is zero"));
            }
            return Ok(phi * complete);
        }
        let a = Amplitude::new(phi);
        let arc = Arc::new(a.sin, a.cos, 1.0, mc);
        if a.half_turns != 0.0 || arc.delta2 < 0.0 || mc == f64::NEG_INFINITY {
            return Err(
                m.error(Self::NAME, "m sin^2 <= 1 from 0 to phi, or the integral is complex")
            );
        }
        let root = float::sqrt(m.m.hi());
        let reciprocal = m.reciprocal();
        let beta = Arc {
            sin: root * a.sin,
            cos: float::sqrt(arc.delta2),
            a: 1.0,
            b: reciprocal.mc.hi(),
            delta2: a.cos * a.cos,
        };
        Ok(a.sign * self.reciprocal(&beta, m, &reciprocal)? / root)
    }
}

struct First;

impl Integral for First {
    const NAME: &'static str = "incomplete_f";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::k(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
    fn reciprocal(&self, arc: &Arc, _: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
}

struct Second;

impl Integral for Second {
    const NAME: &'static str = "incomplete_e";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::e(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        if arc.b == 0.0 { Ok(arc.sin) } else { arc.second(-m.m.hi()) }
    }
    fn turned(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        arc.second(m.m.hi())
    }
    fn reciprocal(&self, arc: &Arc, _: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_cos2()
    }
}

struct OfSin2;

impl Integral for OfSin2 {
    const NAME: &'static str = "incomplete_d";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::d(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_sin2()
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_cos2()
    }
    fn reciprocal(&self, arc: &Arc, m: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        Ok(arc.of_sin2()? / m.m.hi())
    }
}

struct OfCos2;

impl Integral for OfCos2 {
    const NAME: &'static str = "incomplete_b";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::b(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        if arc.b == 0.0 { Ok(arc.sin) } else { arc.of_cos2() }
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_sin2()
    }
    fn reciprocal(
        &self,
        arc: &Arc,
        _: &Parameter,
        reciprocal: &Parameter,
    ) -> Result<f64, DomainError> {
        arc.second(-reciprocal.m.hi())
    }
}

struct Third<'a>(&'a Parameter);

impl Integral for Third<'_> {
    const NAME: &'static str = "incomplete_pi";
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::pi(self.0, m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.third(Weight { g: 1.0, h: self.0.mc.hi(), n: self.0.m.hi() })
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        let nc = self.0.mc.hi();
        arc.third(Weight { g: nc, h: 1.0, n: -self.0.m.hi() / nc })
    }
    fn reciprocal(&self, arc: &Arc, m: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        let (n, m) = (self.0.m.hi(), m.m.hi());
        // 1 - n/m: n is exact or mc is, and both are near one or neither.
        let weight = Weight { g: 1.0, h: (m - n) / m, n: n / m };
        if arc.cos * arc.cos + weight.h * (arc.sin * arc.sin) < 0.0 {
            let allowed = "n sin^2 <= 1 from 0 to phi where m > 1";
            return Err(self.0.characteristic_error(Self::NAME, allowed));
        }
        arc.third(weight)
    }
    #[inline(always)]
    fn past_a_pole(&self, arc: &Arc) -> bool {
        let nc = self.0.mc.hi();
        nc < 0.0 && arc.cos * arc.cos + nc * (arc.sin * arc.sin) < 0.0
    }
    #[inline(always)]
    fn has_pole(&self) -> bool {
        self.0.mc.hi() <= 0.0
    }
}

/// F: the incomplete integral of the first kind, ∫₀^φ dθ / sqrt(1 - m sin²θ).
///
/// For m <= 1 defined for every real φ, infinite ones included; at m = 1 it is the inverse Gudermannian
/// up to π/2, infinite beyond. For m > 1 real as long as m sin²φ <= 1, |φ| <= π/2.
///
/// # Errors
/// [`DomainError`] if φ or m is NaN, or the integral is complex.
///
/// # References
/// DLMF 19.25.5 and 19.2.10.
///
/// ```
/// let f = polhode_elliptic::incomplete_f(10.0, 1.0)?;
/// assert!((f - 10.0).abs() < 1e-14);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_f(phi: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    First.at(phi, &parameter.into())
}

/// E: the incomplete integral of the second kind, ∫₀^φ sqrt(1 - m sin²θ) dθ.
///
/// For m <= 1 defined for every real φ, infinite ones included; for m > 1 as long as m sin²φ <= 1,
/// |φ| <= π/2.
///
/// # Errors
/// [`DomainError`] if φ or m is NaN, or the integral is complex.
///
/// # References
/// DLMF 19.25.10: of the three forms the one whose terms are all positive.
///
/// ```
/// let e = polhode_elliptic::incomplete_e(0.5, 0.0)?;
/// assert!((e - 0.5f64.sin()).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_e(phi: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    Second.at(phi, &parameter.into())
}

/// D: the incomplete integral ∫₀^φ sin²θ dθ / sqrt(1 - m sin²θ) = (F - E)/m, without its cancellation.
///
/// Defined where [`incomplete_f`] is.
///
/// # Errors
/// [`DomainError`] if φ or m is NaN, or the integral is complex.
///
/// # References
/// DLMF 19.2.6 and 19.25.13.
///
/// ```
/// let d = polhode_elliptic::incomplete_d(0.5, 1.0)?; // mc = 1
/// assert!((d - (0.25 - 0.25 * 1f64.sin())).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_d(phi: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    OfSin2.at(phi, &parameter.into())
}

/// B: the incomplete integral ∫₀^φ cos²θ dθ / sqrt(1 - m sin²θ) = F - D, without its cancellation.
///
/// Defined where [`incomplete_f`] is, and for every φ at m = 1.
///
/// # Errors
/// [`DomainError`] if φ or m is NaN, or the integral is complex.
///
/// ```
/// let b = polhode_elliptic::incomplete_b(0.5, 1.0)?; // mc = 1
/// assert!((b - (0.25 + 0.25 * 1f64.sin())).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_b(phi: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    OfCos2.at(phi, &parameter.into())
}

/// Pi: the incomplete integral of the third kind, ∫₀^φ dθ / ((1 - n sin²θ) sqrt(1 - m sin²θ)). A plain number
/// for either parameter is nc = 1 - n or mc = 1 - m.
///
/// For m <= 1 defined for every real φ: past the poles of n > 1, at sin²φ = 1/n, it is the Cauchy principal
/// value; at n = 1 it is infinite from π/2 on. For m > 1 real as long as m sin²φ <= 1, |φ| <= π/2, and not
/// given past a pole.
///
/// # Errors
/// [`DomainError`] if an argument is NaN or the integral is complex.
///
/// # References
/// DLMF 19.25.14; for n < 0, where that form cancels, 19.21.12 carries n to (m - n)/(1 - n) > 0
/// and leaves positive terms only.
///
/// ```
/// let pi = polhode_elliptic::incomplete_pi(0.3, 1.0, 0.36)?; // n = 0: the first kind
/// assert!((pi - polhode_elliptic::incomplete_f(0.3, 0.36)?).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_pi(
    phi: f64,
    characteristic: impl Into<Parameter>,
    parameter: impl Into<Parameter>,
) -> Result<f64, DomainError> {
    let n = characteristic.into();
    let nc = n.mc.hi();
    if nc.abs() <= f64::MAX {
        return Third(&n).at(phi, &parameter.into());
    }
    let m = parameter.into();
    if nc.is_nan() {
        return Err(n.characteristic_error("incomplete_pi", "a number"));
    }
    // The weight is zero everywhere, of an integral that is otherwise the first.
    First.at(phi, &m).map(|_| libm::copysign(0.0, phi))
}

/// Jacobi's zeta function Z = E(φ, m) - E(m) F(φ, m)/K(m), of period π, without its cancellation.
///
/// At m = 1 it is sin φ up to π/2, and continued with that period.
///
/// # Errors
/// [`DomainError`] unless φ and m are finite and m <= 1.
///
/// # References
/// DLMF 22.16.32; by an integral of the third kind whose terms are positive: Carlson (1979), section 4.
///
/// ```
/// let zeta = polhode_elliptic::jacobi_zeta(0.5, 0.0)?;
/// assert_eq!(zeta, 0.5f64.sin());
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn jacobi_zeta(phi: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if !phi.is_finite() {
        return Err(DomainError::new("jacobi_zeta", "phi", phi, "finite"));
    }
    if !(mc >= 0.0 && mc.is_finite()) {
        return Err(p.error("jacobi_zeta", UP_TO_ONE));
    }
    let (s, c) = (trig::sin(phi), trig::cos(phi));
    if m < 0.0 {
        // From the other end of the quarter turn, where the parameter lies between 0 and 1.
        return Ok(-float::sqrt(mc) * zeta(c, s, -m / mc, 1.0 / mc));
    }
    Ok(zeta(s, c, m, mc))
}

fn zeta(s: f64, c: f64, m: f64, mc: f64) -> f64 {
    if mc == 0.0 {
        return if c < 0.0 { -s } else { s };
    }
    if s * c == 0.0 {
        return s * c;
    }
    let delta2 = c * c + mc * (s * s);
    // Times the root of delta2, without which it might be beyond all doubles.
    let (integral, mean) = mean(float::sqrt(mc), delta2, 0.0, float::sqrt(delta2));
    m * s * c * (integral * (core::f64::consts::FRAC_2_PI * mean))
}
