//! Complete integrals by the arithmetic-geometric mean.
//!
//! All take the **complementary** parameter mc = 1 - k² (and nc = 1 - n), so that nothing cancels
//! as k -> 1.

use crate::{DomainError, Real};

/// Enough halvings for the smallest positive double: the logarithm of the ratio halves each time.
const MAX_ITERATIONS: u32 = 64;

pub(crate) const UNIT: &str = "0 <= mc <= 1";

pub(crate) fn check_parameter(function: &'static str, mc: f64) -> Result<(), DomainError> {
    if (0.0..=1.0).contains(&mc) {
        return Ok(());
    }
    Err(DomainError::new(function, "mc", mc, UNIT))
}

/// The arithmetic-geometric mean of two positive numbers.
///
/// Relative error about 1 eps. Zero if either is zero.
///
/// # Errors
/// [`DomainError`] unless each is zero or within 1e-290 and 1e140.
///
/// ```
/// let m = polhode_elliptic::agm(1.0, 2f64.sqrt())?;
/// assert!((1.0 / m - 0.834_626_841_674_073_2).abs() < 1e-15); // Gauss's constant
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn agm<T: Real>(a: T, b: T) -> Result<T, DomainError> {
    for (name, x) in [("a", a.to_f64()), ("b", b.to_f64())] {
        if !(x == 0.0 || (1e-290..=1e140).contains(&x)) {
            return Err(DomainError::new("agm", name, x, "0, or 1e-290 to 1e140"));
        }
    }
    // The product of two tiny numbers would underflow.
    if a.to_f64() * b.to_f64() < 1e-290 && a.to_f64() > 0.0 && b.to_f64() > 0.0 {
        return Err(DomainError::new("agm", "b", b.to_f64(), "a b at least 1e-290"));
    }
    if a.to_f64() == 0.0 || b.to_f64() == 0.0 {
        return Ok(T::from(0.0));
    }
    let (mut a, mut b) = (a, b);
    for _ in 0..MAX_ITERATIONS {
        // Convergence is quadratic: once the gap is below sqrt(eps) the next mean is final.
        let done = (a - b).to_f64().abs() <= T::EPSILON.sqrt() * a.to_f64();
        (a, b) = ((a + b) * 0.5, (a * b).sqrt());
        if done {
            break;
        }
    }
    Ok((a + b) * 0.5)
}

/// Bulirsch's general complete integral with positive parameters,
/// ∫₀^{π/2} (a cos²θ + b sin²θ) / ((cos²θ + p sin²θ) sqrt(cos²θ + kc² sin²θ)) dθ.
///
/// With a, b >= 0 every operation adds positive numbers: relative error a few eps for any kc, p.
///
/// # Errors
/// [`DomainError`] unless kc and p are within 1e-280 and 1e100, and a and b finite.
///
/// # References
/// Bulirsch, *Numerical calculation of elliptic integrals and elliptic functions III*,
/// Numer. Math. 13 (1969), section 1; DLMF 19.2.11.
///
/// ```
/// let k = polhode_elliptic::cel(0.5, 1.0, 1.0, 1.0)?;
/// assert!((k - polhode_elliptic::complete_k(0.25)?).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn cel<T: Real>(kc: T, p: T, a: T, b: T) -> Result<T, DomainError> {
    cel_and_agm(kc, p, a, b).map(|(cel, _)| cel)
}

/// [`cel`], and the arithmetic-geometric mean of 1 and kc that it comes upon: K is half of pi over it.
///
/// # Errors
/// As [`cel`].
///
/// ```
/// let (e, mean) = polhode_elliptic::cel_and_agm(0.5, 1.0, 1.0, 0.25)?;
/// assert!((e - polhode_elliptic::complete_e(0.25)?).abs() < 1e-15);
/// assert!((mean - polhode_elliptic::agm(1.0, 0.5)?).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn cel_and_agm<T: Real>(kc: T, p: T, a: T, b: T) -> Result<(T, T), DomainError> {
    for (name, x) in [("kc", kc.to_f64()), ("p", p.to_f64())] {
        if !(1e-280..=1e100).contains(&x) {
            return Err(DomainError::new("cel", name, x, "1e-280 to 1e100"));
        }
    }
    for (name, x) in [("a", a.to_f64()), ("b", b.to_f64())] {
        if !x.is_finite() {
            return Err(DomainError::new("cel", name, x, "finite"));
        }
    }
    let (mut a, mut p) = (a, p.sqrt());
    let mut b = b / p;
    // em is the mean of the n-th step times 2^n.
    let (mut kc, mut e, mut em) = (kc, kc, T::from(1.0));
    let mut scale = 1.0;
    for _ in 0..MAX_ITERATIONS {
        let f = a;
        let (more, g) = T::quotients(b, e, p);
        a = a + more;
        b = (b + f * g) * 2.0;
        p = p + g;
        let g = em;
        em = em + kc;
        scale *= 0.5;
        if (g - kc).to_f64().abs() <= g.to_f64() * T::EPSILON.sqrt() {
            break;
        }
        kc = e.sqrt() * 2.0;
        e = kc * em;
    }
    Ok((T::frac_pi_2() * (b + a * em) / (em * (em + p)), em * scale))
}

/// K: the complete integral of the first kind, ∫₀^{π/2} dθ / sqrt(1 - k² sin²θ), at mc = 1 - k².
///
/// Relative error within 3 eps; +infinity at mc = 0.
///
/// # Errors
/// [`DomainError`] unless 0 <= mc <= 1.
///
/// # References
/// DLMF 19.8.5.
///
/// ```
/// assert_eq!(polhode_elliptic::complete_k(1.0)?, core::f64::consts::FRAC_PI_2);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn complete_k(mc: f64) -> Result<f64, DomainError> {
    check_parameter("complete_k", mc)?;
    Ok(core::f64::consts::FRAC_PI_2 / agm(1.0, mc.sqrt())?)
}

/// E: the complete integral of the second kind, ∫₀^{π/2} sqrt(1 - k² sin²θ) dθ, at mc = 1 - k².
///
/// Relative error within 5 eps; 1 at mc = 0.
///
/// # Errors
/// [`DomainError`] unless 0 <= mc <= 1.
///
/// # References
/// DLMF 19.2.8, as Bulirsch's `cel(kc, 1, 1, mc)`.
///
/// ```
/// assert_eq!(polhode_elliptic::complete_e(0.0)?, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn complete_e(mc: f64) -> Result<f64, DomainError> {
    check_parameter("complete_e", mc)?;
    if mc == 0.0 {
        return Ok(1.0);
    }
    cel(mc.sqrt(), 1.0, 1.0, mc)
}

/// Pi: the complete integral of the third kind,
/// ∫₀^{π/2} dθ / ((1 - n sin²θ) sqrt(1 - k² sin²θ)), at nc = 1 - n and mc = 1 - k².
///
/// Relative error within 6 eps; +infinity at mc = 0 or nc = 0.
///
/// # Errors
/// [`DomainError`] unless 0 <= mc <= 1 and 0 <= nc finite (n > 1 is a Cauchy principal value).
///
/// # References
/// DLMF 19.2.8, as Bulirsch's `cel(kc, nc, 1, 1)`.
///
/// ```
/// let half_pi = polhode_elliptic::complete_pi(1.0, 1.0)?;
/// assert!((half_pi - core::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn complete_pi(nc: f64, mc: f64) -> Result<f64, DomainError> {
    check_parameter("complete_pi", mc)?;
    if !(nc >= 0.0 && nc.is_finite()) {
        return Err(DomainError::new("complete_pi", "nc", nc, "finite and >= 0"));
    }
    if mc == 0.0 || nc == 0.0 {
        return Ok(f64::INFINITY);
    }
    cel(mc.sqrt(), nc, 1.0, 1.0)
}
