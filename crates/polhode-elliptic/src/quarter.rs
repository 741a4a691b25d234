//! Legendre's complete integrals K, E, D, B and Pi.
//!
//! K, E, D and B are sums of theta constants of the smaller nome (`nome.rs`): no mean is iterated, and
//! every term is positive. A negative parameter is carried to one between 0 and 1 by looking at the
//! quarter turn from its other end: 1 - m cos² = mc (1 - mu sin²) with mu = -m/mc.
//!
//! # References
//! DLMF 19.2.8, 19.7.1 (Legendre's relation), 20.2.4, 20.9.2 and 22.2.2 (theta constants), 19.7.2
//! (negative parameter), 19.6.15 (principal value).

use crate::nome::Nome;
use crate::{Dd, DomainError, Parameter, cel, float};

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

    /// mu = -m/mc, mu_c = 1/mc: the parameter seen from the other end of the quarter turn.
    #[inline(always)]
    fn turned(&self) -> Self {
        let (m, mc) = (self.m.hi(), self.mc.hi());
        Self { m: Dd::from(-m / mc), mc: Dd::from(1.0 / mc), direct: self.direct }
    }
}

/// What K, E, D and B are made of, for 0 <= m < 1.
struct Constants {
    circular: bool,
    m: f64,
    mc: f64,
    /// (pi/2)/K of the smaller parameter, in two parts.
    scale: (f64, f64),
    /// D/K of the smaller parameter.
    share: f64,
    /// ln(1/q) in two parts; only on the side where k is near one.
    length: (f64, f64),
}

impl Constants {
    #[inline(always)]
    fn new(parameter: &Parameter) -> Self {
        let nome = Nome::new(parameter);
        let length = if nome.circular { (0.0, 0.0) } else { nome.ln_inverse() };
        let q = nome.q;
        let q3 = q * q * q;
        // theta_4''(0)/theta_4(0) = 8 q (1 - 4 q³ + 9 q⁸)/(1 - 2 q + 2 q⁴ - 2 q⁹).
        let scale = nome.scale();
        let s = scale.0 + scale.1;
        let top = 8.0 * nome.q_ratio() * (1.0 - q3 * (4.0 - 9.0 * q3 * (q * q)));
        let share = (s * s) * top / (1.0 - 2.0 * q * (1.0 - q3 * (1.0 - q3 * (q * q))));
        Self { circular: nome.circular, m: nome.m, mc: nome.mc, scale, share, length }
    }

    #[inline(always)]
    fn k(&self) -> f64 {
        let (s, tail) = self.scale;
        if self.circular {
            return core::f64::consts::FRAC_PI_2 / (s + tail);
        }
        let (l, rest) = self.length;
        (0.5 * l + 0.5 * rest) / (s + tail)
    }

    #[inline(always)]
    fn e(&self) -> f64 {
        if self.circular {
            return self.k() * (1.0 - self.m * self.share);
        }
        // Legendre's relation: pi/(2 K') + K (K' - E')/K'.
        self.scale.0 + (self.scale.1 + self.mc * self.share * self.k())
    }

    /// K in two parts, for differences.
    #[inline(always)]
    fn long_k(&self) -> Dd {
        Dd::sum(self.length.0, self.length.1).scale(0.5) / Dd::sum(self.scale.0, self.scale.1)
    }

    #[inline(always)]
    fn d(&self) -> f64 {
        if self.circular {
            return self.k() * self.share;
        }
        let k = self.long_k();
        let difference = (k - Dd::sum(self.scale.0, self.scale.1)).hi();
        (difference - self.mc * self.share * k.hi()) / self.m
    }

    #[inline(always)]
    fn b(&self) -> f64 {
        if self.circular {
            return self.k() * (1.0 - self.share);
        }
        let rest = self.mc * self.k() * (1.0 - self.share);
        (self.scale.0 + (self.scale.1 - rest)) / self.m
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
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if m >= 0.0 {
        return if mc == 0.0 { f64::INFINITY } else { Constants::new(p).k() };
    }
    if mc.is_infinite() { 0.0 } else { Constants::new(&p.turned()).k() / float::sqrt(mc) }
}

/// E: the complete integral of the second kind, ∫₀^{π/2} sqrt(1 - m sin²θ) dθ.
///
/// Relative error within 2.5 eps; 1 at m = 1, infinite at m = -infinity.
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
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if m >= 0.0 {
        return if mc == 0.0 { 1.0 } else { Constants::new(p).e() };
    }
    if mc.is_infinite() { f64::INFINITY } else { Constants::new(&p.turned()).e() * float::sqrt(mc) }
}

/// D: the complete integral ∫₀^{π/2} sin²θ dθ / sqrt(1 - m sin²θ) = (K - E)/m, without its cancellation.
///
/// Relative error within 6 eps; infinite at m = 1, zero at m = -infinity.
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
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if m >= 0.0 {
        return if mc == 0.0 { f64::INFINITY } else { Constants::new(p).d() };
    }
    if mc.is_infinite() { 0.0 } else { Constants::new(&p.turned()).b() / float::sqrt(mc) }
}

/// B: the complete integral ∫₀^{π/2} cos²θ dθ / sqrt(1 - m sin²θ) = K - D, without its cancellation.
///
/// Relative error within 6 eps; 1 at m = 1, zero at m = -infinity.
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
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if m >= 0.0 {
        return if mc == 0.0 { 1.0 } else { Constants::new(p).b() };
    }
    if mc.is_infinite() { 0.0 } else { Constants::new(&p.turned()).d() / float::sqrt(mc) }
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
    // Finite arguments are refused only where the result is beyond all doubles.
    found.unwrap_or(f64::INFINITY)
}
