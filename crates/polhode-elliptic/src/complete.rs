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
/// With a, b >= 0 and p > 0 every operation adds positive numbers: relative error within 8 eps for any
/// kc, p. The sign of kc does not matter. At kc = 0 and at p = 0 the integral diverges unless b = 0. It is
/// zero where kc or p is infinite, infinite with a and b.
///
/// # Errors
/// [`DomainError`] if one is NaN, the integral is undetermined (an infinity beside a divergence or a zero), or
/// finite arguments have a result beyond all doubles; for p < 0 also beyond kc = 1e154; in double-double also
/// unless all are finite, and kc and p positive.
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
    if let Ok((value, _)) = cel_and_agm(kc, p, a, b)
        && value.to_f64().is_finite()
    {
        return Ok(value);
    }
    cel_elsewhere(kc, p, a, b)
}

const UNDETERMINED: &str = "finite where the integral diverges or has no limit";

#[cold]
fn cel_elsewhere<T: Real>(kc: T, p: T, a: T, b: T) -> Result<T, DomainError> {
    for (name, x) in [("kc", kc), ("p", p), ("a", a), ("b", b)] {
        let x = x.to_f64();
        if x.is_nan() {
            return Err(DomainError::new("cel", name, x, "a number"));
        }
        if T::EPSILON < f64::EPSILON && x.is_infinite() {
            return Err(DomainError::new("cel", name, x, "finite in double-double"));
        }
        if T::EPSILON < f64::EPSILON && x <= 0.0 && (name == "kc" || name == "p") {
            return Err(DomainError::new("cel", name, x, "1e-280 to 1e100 in double-double"));
        }
    }
    if [kc, p, a, b].iter().any(|x| x.to_f64().is_infinite()) {
        return cel_at_infinity(kc, p, a, b);
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
        if f.to_f64().is_infinite() {
            return Err(DomainError::new("cel", "kc", kc.to_f64(), "up to 1e154 where p < 0"));
        }
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
    let value = scaled(kc, p, a, b);
    if value.to_f64().is_finite() {
        return Ok(value);
    }
    Err(DomainError::new("cel", "a", a.to_f64(), "a result within the range of doubles"))
}

/// The iteration for any positive kc and p, with a and b so scaled that quotients by p stay in the range of doubles.
fn scaled<T: Real>(kc: T, p: T, a: T, b: T) -> T {
    let one = T::from(1.0);
    let direct = kc <= one || (p.to_f64() >= 1e300 && kc.to_f64() <= 1e152);
    let size = |x: T| if x.to_f64().abs() > 0.0 { libm::ilogb(x.to_f64()) } else { -1074 };
    let shift = match (direct, p < one) {
        // Of the first step b/p and, if kc is about one, a/sqrt(p).
        (true, true) => (1000 - (size(b) - size(p)).max(size(a) - size(p) / 2)).min(0),
        (true, false) => 0,
        // Both over p.
        (false, true) => (1000 + size(p) - size(a).max(size(b))).min(0),
        (false, false) => (1000 - size(a).max(size(b))).min(2000),
    };
    let root = libm::ldexp(1.0, shift.div_euclid(2));
    let [a, b] = [a, b].map(|x| x * root * root);
    let back = one / p;
    let (value, divisor) = if direct {
        (mean(kc, p, a, b).0, one)
    } else if back.to_f64().is_finite() {
        // Seen from the other end of the quarter turn.
        (mean(one / kc, back, b / p, a / p).0, kc)
    } else {
        // What is left of the integral for p to 0, to many more digits than there are.
        (T::frac_pi_2() / p.sqrt() * b + mean(one / kc, one, a, a).0, kc)
    };
    let unscaled = |x: T| x / T::from(root) / T::from(root);
    let whole = unscaled(value);
    if whole.to_f64().is_finite() { whole / divisor } else { unscaled(value / divisor) }
}

/// The limit where an argument is infinite and none is NaN.
fn cel_at_infinity<T: Real>(kc: T, p: T, a: T, b: T) -> Result<T, DomainError> {
    let (infinite, zero) = (|x: T| x.to_f64().is_infinite(), |x: T| x.to_f64() == 0.0);
    let refused = |name, x: T| Err(DomainError::new("cel", name, x.to_f64(), UNDETERMINED));
    if infinite(kc) || infinite(p) {
        // The integrand goes to zero, unless another argument makes the integral diverge.
        let diverges = !zero(b) && (zero(kc) || zero(p)) || infinite(a) || infinite(b);
        let (name, x) = if infinite(kc) { ("kc", kc) } else { ("p", p) };
        return if diverges { refused(name, x) } else { Ok(T::from(0.0)) };
    }
    let (one, none) = (T::from(1.0), T::from(0.0));
    let of_a = if infinite(a) { a * cel(kc, p, one, none)? } else { none };
    let of_b = if infinite(b) { b * cel(kc, p, none, one)? } else { none };
    let value = of_a + of_b;
    if value.to_f64().is_nan() {
        return if infinite(a) { refused("a", a) } else { refused("b", b) };
    }
    Ok(value)
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
