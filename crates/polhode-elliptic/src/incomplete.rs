//! Incomplete integrals F, E, D, B and Pi, and Jacobi's zeta function, on the whole real line.

use crate::complete::mean;
use crate::legendre::{First, Integral, OfCos2, OfSin2, Second, Third};
use crate::{DomainError, Parameter, float, trig};

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
/// value; at n = 1 it is infinite from π/2 on. For m > 1 real as long as m sin²φ <= 1, |φ| <= π/2.
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
        let m = parameter.into();
        if nc == 0.0 && m.mc.hi() == f64::INFINITY && phi.abs() < core::f64::consts::FRAC_PI_2 {
            // Short of the pole, of which the complete integral knows alone.
            return Ok(libm::copysign(0.0, phi));
        }
        return Third(&n).at(phi, &m);
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
/// At m = 1 it is sin φ up to π/2, and continued with that period; at m = 0 it is zero, at m = -infinity minus
/// infinity times the sign of sin 2φ.
///
/// # Errors
/// [`DomainError`] unless m <= 1 and φ is finite (at m = 0 any number).
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
    if phi.is_infinite() && m == 0.0 {
        return Ok(0.0);
    }
    if !phi.is_finite() {
        return Err(DomainError::new("jacobi_zeta", "phi", phi, "finite"));
    }
    p.up_to_one("jacobi_zeta")?;
    let (s, c) = (trig::sin(phi), trig::cos(phi));
    if mc == f64::INFINITY {
        return Ok(if s == 0.0 { phi } else { libm::copysign(mc, -s * c) });
    }
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
