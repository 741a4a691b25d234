//! Incomplete integrals F, E and Pi on the whole real line, from Carlson's.
//!
//! All take the **complementary** parameter mc = 1 - k² (and nc = 1 - n). Past pi/2 they continue
//! as the integrals do: quasi-periodic, growing by twice the complete integral every pi.

use crate::complete::check_parameter;
use crate::{DomainError, complete_e, complete_k, complete_pi, rd, rf, rj, trig};

/// An amplitude as whole half turns and a rest within a quarter turn of zero.
struct Amplitude {
    half_turns: f64,
    /// Sign, sine and cosine of the rest; sine and cosine are not negative.
    sign: f64,
    sin: f64,
    cos: f64,
}

impl Amplitude {
    fn new(function: &'static str, phi: f64) -> Result<Self, DomainError> {
        if !phi.is_finite() {
            return Err(DomainError::new(function, "phi", phi, "finite"));
        }
        let (s, c) = (trig::sin(phi), trig::cos(phi));
        let mut half_turns = (phi * core::f64::consts::FRAC_1_PI).round_ties_even();
        let odd = |n: f64| n.rem_euclid(2.0) == 1.0;
        // Next to an odd multiple of pi/2 the quotient may round to the wrong side; the sign of
        // the cosine knows. The wrong side would be off by the slope there, 1/kc.
        if (c < 0.0) != odd(half_turns) && c != 0.0 {
            half_turns += if (s > 0.0) == odd(half_turns) { -1.0 } else { 1.0 };
        }
        let sign = if (s < 0.0) == odd(half_turns) { 1.0 } else { -1.0 };
        Ok(Self { half_turns, sign, sin: s.abs(), cos: c.abs() })
    }

    /// Puts the rest and the whole half turns together; skips an infinite period it has no use for.
    fn join(
        &self,
        rest: f64,
        quarter_period: impl FnOnce() -> Result<f64, DomainError>,
    ) -> Result<f64, DomainError> {
        let rest = self.sign * rest;
        if self.half_turns == 0.0 {
            return Ok(rest);
        }
        Ok(2.0 * self.half_turns * quarter_period()? + rest)
    }
}

/// F: the incomplete integral of the first kind, ∫₀^φ dθ / sqrt(1 - k² sin²θ), at mc = 1 - k².
///
/// Defined for every real φ. At mc = 0 it is the inverse Gudermannian up to π/2, infinite beyond.
///
/// # Errors
/// [`DomainError`] unless φ is finite and 0 <= mc <= 1.
///
/// # References
/// DLMF 19.25.5 and 19.2.10.
///
/// ```
/// let f = polhode_elliptic::incomplete_f(10.0, 1.0)?;
/// assert!((f - 10.0).abs() < 1e-14);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_f(phi: f64, mc: f64) -> Result<f64, DomainError> {
    check_parameter("incomplete_f", mc)?;
    let a = Amplitude::new("incomplete_f", phi)?;
    a.join(first_kind(&a, mc)?, || complete_k(mc))
}

fn first_kind(a: &Amplitude, mc: f64) -> Result<f64, DomainError> {
    let (c2, s2) = (a.cos * a.cos, a.sin * a.sin);
    if c2 == 0.0 && mc == 0.0 {
        return Ok(f64::INFINITY);
    }
    Ok(a.sin * rf(c2, c2 + mc * s2, 1.0)?)
}

/// E: the incomplete integral of the second kind, ∫₀^φ sqrt(1 - k² sin²θ) dθ, at mc = 1 - k².
///
/// Defined for every real φ.
///
/// # Errors
/// [`DomainError`] unless φ is finite and 0 <= mc <= 1.
///
/// # References
/// DLMF 19.25.10: of the three forms the one whose terms are all positive.
///
/// ```
/// let e = polhode_elliptic::incomplete_e(0.5, 0.0)?;
/// assert!((e - 0.5f64.sin()).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_e(phi: f64, mc: f64) -> Result<f64, DomainError> {
    check_parameter("incomplete_e", mc)?;
    let a = Amplitude::new("incomplete_e", phi)?;
    let (c2, s2) = (a.cos * a.cos, a.sin * a.sin);
    let delta2 = c2 + mc * s2;
    let rest = if mc == 0.0 {
        a.sin
    } else {
        let k2 = 1.0 - mc;
        mc * (a.sin * rf(c2, delta2, 1.0)? + k2 * s2 * a.sin * rd(c2, 1.0, delta2)? / 3.0)
            + k2 * a.sin * a.cos / delta2.sqrt()
    };
    a.join(rest, || complete_e(mc))
}

/// Pi: the incomplete integral of the third kind,
/// ∫₀^φ dθ / ((1 - n sin²θ) sqrt(1 - k² sin²θ)), at nc = 1 - n and mc = 1 - k².
///
/// Defined for every real φ while n < 1; for n >= 1 up to the pole at sin²φ = 1/n.
///
/// # Errors
/// [`DomainError`] unless φ and nc are finite, 0 <= mc <= 1, and the pole is not passed.
///
/// # References
/// DLMF 19.25.14; for n < 0, where that form cancels, 19.7.9 carries n to (k² - n)/(1 - n) > 0
/// and leaves positive terms only.
///
/// ```
/// let pi = polhode_elliptic::incomplete_pi(0.3, 1.0, 0.36)?; // n = 0: the first kind
/// assert!((pi - polhode_elliptic::incomplete_f(0.3, 0.36)?).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn incomplete_pi(phi: f64, nc: f64, mc: f64) -> Result<f64, DomainError> {
    check_parameter("incomplete_pi", mc)?;
    if !nc.is_finite() {
        return Err(DomainError::new("incomplete_pi", "nc", nc, "finite"));
    }
    let a = Amplitude::new("incomplete_pi", phi)?;
    let pole = a.cos * a.cos + nc * a.sin * a.sin;
    if pole < 0.0 || (nc < 0.0 && a.half_turns != 0.0) {
        let allowed = "1 - n sin^2(phi) > 0 from 0 to phi (no Cauchy principal values)";
        return Err(DomainError::new("incomplete_pi", "nc", nc, allowed));
    }
    let rest = if nc > 1.0 { third_kind_negative(&a, nc, mc)? } else { third_kind(&a, nc, mc)? };
    a.join(rest, || complete_pi(nc, mc))
}

fn third_kind(a: &Amplitude, nc: f64, mc: f64) -> Result<f64, DomainError> {
    let (c2, s2) = (a.cos * a.cos, a.sin * a.sin);
    let (delta2, pole) = (c2 + mc * s2, c2 + nc * s2);
    if pole == 0.0 || (c2 == 0.0 && mc == 0.0) {
        return Ok(f64::INFINITY);
    }
    let n = 1.0 - nc;
    Ok(a.sin * rf(c2, delta2, 1.0)? + n * s2 * a.sin * rj(c2, delta2, 1.0, pole)? / 3.0)
}

/// n = 1 - nc < 0.
fn third_kind_negative(a: &Amplitude, nc: f64, mc: f64) -> Result<f64, DomainError> {
    let (c2, s2) = (a.cos * a.cos, a.sin * a.sin);
    let delta2 = c2 + mc * s2;
    if c2 == 0.0 && mc == 0.0 {
        return Ok(f64::INFINITY);
    }
    // k2 - n = nc - mc and -n = nc - 1: both as given, without a rounded n in between.
    let (k2, minus_n, k2_minus_n) = (1.0 - mc, nc - 1.0, nc - mc);
    let first = a.sin * rf(c2, delta2, 1.0)?;
    let carried = third_kind(a, mc / nc, mc)?;
    // Quotients before products: nc may be as large as a double can be.
    let height = minus_n.sqrt() * (k2_minus_n / nc).sqrt();
    let angle = trig::atan2(height * a.sin * a.cos, delta2.sqrt());
    Ok((k2 * first + minus_n / nc * mc * carried) / k2_minus_n
        + (minus_n / k2_minus_n).sqrt() / nc.sqrt() * angle)
}
