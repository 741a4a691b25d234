//! The arithmetic-geometric mean, and Bulirsch's complete integral by it.

use crate::{DomainError, Real, rc};

/// Enough halvings for the smallest positive double: the logarithm of the ratio halves each time.
const MAX_ITERATIONS: u32 = 64;

/// The arithmetic-geometric mean of two positive numbers.
///
/// Relative error about 1 eps. Zero if either is zero.
///
/// # Errors
/// [`DomainError`] unless each is zero or within 1e-290 and 1e140, and their product at least 1e-290.
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

/// Bulirsch's general complete integral,
/// ∫₀^{π/2} (a cos²θ + b sin²θ) / ((cos²θ + p sin²θ) sqrt(cos²θ + kc² sin²θ)) dθ; for p < 0 its Cauchy
/// principal value.
///
/// With a, b >= 0 and p > 0 every operation adds positive numbers: relative error within 5 eps for any
/// kc, p. The sign of kc does not matter. At kc = 0 and at p = 0 the integral diverges unless b = 0.
///
/// # Errors
/// [`DomainError`] if one is infinite or NaN, or the result is beyond all doubles; in double-double also
/// unless kc and p are within 1e-280 and 1e100.
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
#[inline]
pub fn cel<T: Real>(kc: T, p: T, a: T, b: T) -> Result<T, DomainError> {
    if (1e-280..=1e100).contains(&kc.to_f64()) && (1e-280..=1e100).contains(&p.to_f64()) {
        let (value, _) = cel_and_agm(kc, p, a, b)?;
        if value.to_f64().is_finite() {
            return Ok(value);
        }
    }
    cel_elsewhere(kc, p, a, b)
}

#[cold]
fn cel_elsewhere<T: Real>(kc: T, p: T, a: T, b: T) -> Result<T, DomainError> {
    for (name, x) in [("kc", kc), ("p", p), ("a", a), ("b", b)] {
        let x = x.to_f64();
        if !x.is_finite() {
            return Err(DomainError::new("cel", name, x, "finite"));
        }
        if T::EPSILON < f64::EPSILON && x <= 0.0 && (name == "kc" || name == "p") {
            return Err(DomainError::new("cel", name, x, "1e-280 to 1e100 in double-double"));
        }
    }
    let kc = if kc.to_f64() < 0.0 { -kc } else { kc };
    let one = T::from(1.0);
    if p.to_f64() == 0.0 {
        if b.to_f64() != 0.0 {
            return Ok(b * f64::INFINITY);
        }
        return cel(kc, one, a, a);
    }
    if p.to_f64() < 0.0 {
        // To a positive p, Bulirsch's way.
        let (f, g) = (kc * kc - p, one - p);
        let difference = (a - b) / g;
        let (f, bend) = (f / g, (one - kc) * (one + kc) * ((b - a * p) / g) / g);
        return cel(kc, f, difference, difference * f - bend);
    }
    if kc.to_f64() == 0.0 {
        if b.to_f64() != 0.0 {
            return Ok(b * f64::INFINITY);
        }
        return Ok(a * rc(one, p)?);
    }
    let value = if kc.to_f64() > 1.0 && p.to_f64() < 1e300 {
        // Seen from the other end of the quarter turn.
        mean(one / kc, one / p, b / p, a / p).0 / kc
    } else {
        mean(kc, p, a, b).0
    };
    if value.to_f64().is_finite() {
        return Ok(value);
    }
    Err(DomainError::new("cel", "a", a.to_f64(), "a result within the range of doubles"))
}

/// [`cel`], and the arithmetic-geometric mean of 1 and kc that it comes upon: K is half of pi over it.
///
/// # Errors
/// [`DomainError`] unless kc and p are within 1e-280 and 1e100, and a and b finite.
///
/// ```
/// let (e, mean) = polhode_elliptic::cel_and_agm(0.5, 1.0, 1.0, 0.25)?;
/// assert!((e - polhode_elliptic::complete_e(0.25)?).abs() < 1e-15);
/// assert!((mean - polhode_elliptic::agm(1.0, 0.5)?).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
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
    Ok(mean(kc, p, a, b))
}

/// The iteration itself, for positive kc and p.
#[inline]
pub(crate) fn mean<T: Real>(kc: T, p: T, a: T, b: T) -> (T, T) {
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
    (T::frac_pi_2() * (b + a * em) / (em * (em + p)), em * scale)
}
