//! Legendre's complete integrals K, E, D, B and Pi.
//!
//! K, E, D and B are polynomials and a logarithm (`quarter_lanes.rs`), Pi is Bulirsch's integral.
//!
//! # References
//! DLMF 19.2.8, 19.6.15 (principal value).

use crate::{DomainError, Parameter, cel, float, quarter_lanes as lanes};

/// The complete integrals are real for m <= 1.
pub(crate) const UP_TO_ONE: &str = "m <= 1, mc >= 0";

impl Parameter {
    /// Refuses NaN and m > 1.
    #[inline(always)]
    pub(crate) fn up_to_one(&self, function: &'static str) -> Result<(), DomainError> {
        if self.mc.hi() >= 0.0 {
            return Ok(());
        }
        Err(self.error(function, UP_TO_ONE))
    }

    /// The error that names what was given.
    #[cold]
    pub(crate) fn error(&self, function: &'static str, allowed: &'static str) -> DomainError {
        let (name, value) = if self.direct { ("m", self.m.hi()) } else { ("mc", self.mc.hi()) };
        DomainError::new(function, name, value, allowed)
    }

    /// The same for a characteristic.
    #[cold]
    pub(crate) fn characteristic_error(
        &self,
        function: &'static str,
        allowed: &'static str,
    ) -> DomainError {
        let (name, value) = if self.direct { ("n", self.m.hi()) } else { ("nc", self.mc.hi()) };
        DomainError::new(function, name, value, allowed)
    }
}

/// K: the complete integral of the first kind, ∫₀^{π/2} dθ / sqrt(1 - m sin²θ).
///
/// Relative error within 2 eps; infinite at m = 1, zero at m = -infinity.
///
/// # Errors
/// [`DomainError`] unless m <= 1 (beyond, the integral is complex).
///
/// ```
/// use polhode_elliptic::{Parameter, complete_k};
/// assert_eq!(complete_k(1.0)?, core::f64::consts::FRAC_PI_2); // mc = 1
/// assert!((complete_k(Parameter::new(-1.0))? - 1.311_028_777_146_059_9).abs() < 5e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn complete_k(parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    p.up_to_one("complete_k")?;
    Ok(k(&p))
}

/// K for m <= 1.
#[inline]
pub(crate) fn k(p: &Parameter) -> f64 {
    lanes::k(p.m.hi(), p.mc.hi())
}

/// E: the complete integral of the second kind, ∫₀^{π/2} sqrt(1 - m sin²θ) dθ.
///
/// Relative error within 2 eps; 1 at m = 1, infinite at m = -infinity.
///
/// # Errors
/// [`DomainError`] unless m <= 1 (beyond, the integral is complex).
///
/// ```
/// assert_eq!(polhode_elliptic::complete_e(0.0)?, 1.0); // mc = 0
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn complete_e(parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    p.up_to_one("complete_e")?;
    Ok(e(&p))
}

#[inline]
pub(crate) fn e(p: &Parameter) -> f64 {
    lanes::e(p.m.hi(), p.mc.hi())
}

/// D: the complete integral ∫₀^{π/2} sin²θ dθ / sqrt(1 - m sin²θ) = (K - E)/m, without its cancellation.
///
/// Relative error within 3 eps; infinite at m = 1, zero at m = -infinity.
///
/// # Errors
/// [`DomainError`] unless m <= 1 (beyond, the integral is complex).
///
/// ```
/// assert_eq!(polhode_elliptic::complete_d(1.0)?, core::f64::consts::FRAC_PI_4); // mc = 1
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn complete_d(parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    p.up_to_one("complete_d")?;
    Ok(d(&p))
}

#[inline]
pub(crate) fn d(p: &Parameter) -> f64 {
    lanes::d(p.m.hi(), p.mc.hi())
}

/// B: the complete integral ∫₀^{π/2} cos²θ dθ / sqrt(1 - m sin²θ) = K - D, without its cancellation.
///
/// Relative error within 3 eps; 1 at m = 1, zero at m = -infinity.
///
/// # Errors
/// [`DomainError`] unless m <= 1 (beyond, the integral is complex).
///
/// ```
/// assert_eq!(polhode_elliptic::complete_b(0.0)?, 1.0); // mc = 0
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn complete_b(parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    p.up_to_one("complete_b")?;
    Ok(b(&p))
}

#[inline]
pub(crate) fn b(p: &Parameter) -> f64 {
    lanes::b(p.m.hi(), p.mc.hi())
}

/// Pi: the complete integral of the third kind, ∫₀^{π/2} dθ / ((1 - n sin²θ) sqrt(1 - m sin²θ)); for n > 1
/// its Cauchy principal value. A plain number for either argument is nc = 1 - n or mc = 1 - m.
///
/// Relative error within 6 eps. Infinite at n = 1 and m = 1 (minus infinity at m = 1 < n), zero where n or m
/// is infinite.
///
/// # Errors
/// [`DomainError`] if n is NaN, and unless m <= 1 (beyond, the integral is complex).
///
/// # References
/// As Bulirsch's `cel(kc, nc, 1, 1)`; for n > 1 as K - Pi(m/n).
///
/// ```
/// let half_pi = polhode_elliptic::complete_pi(1.0, 1.0)?;
/// assert!((half_pi - core::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn complete_pi(
    characteristic: impl Into<Parameter>,
    parameter: impl Into<Parameter>,
) -> Result<f64, DomainError> {
    let (n, m) = (characteristic.into(), parameter.into());
    m.up_to_one("complete_pi")?;
    if n.mc.hi().is_nan() {
        return Err(n.characteristic_error("complete_pi", "a number"));
    }
    Ok(pi(&n, &m))
}

pub(crate) fn pi(n: &Parameter, m: &Parameter) -> f64 {
    let (nc, mc) = (n.mc.hi(), m.mc.hi());
    if nc == 0.0 {
        return f64::INFINITY;
    }
    if nc.is_infinite() || mc.is_infinite() {
        return 0.0;
    }
    if mc == 0.0 {
        return if nc > 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    let kc = float::sqrt(mc);
    let found = if nc > 0.0 {
        cel(kc, nc, 1.0, 1.0)
    } else {
        // n = 1 - nc > 1: -(m/n) ∫ sin²/((1 - (m/n) sin²) sqrt), where 1 - m/n = mc/n - nc/n.
        let n = n.m.hi();
        cel(kc, mc / n - nc / n, 0.0, -m.m.hi() / n)
    };
    // Finite arguments are refused only where the result is beyond all doubles; it is negative for n > 1 and m > 0.
    found.unwrap_or(if nc > 0.0 { f64::INFINITY } else { f64::NEG_INFINITY })
}
