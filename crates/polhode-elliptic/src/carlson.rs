//! Carlson's symmetric integrals: domains, limits, principal values, and the whole range of doubles.
//!
//! The loops are in `duplication.rs`. Within the bounds of `carlson_arguments.rs` they are called at once; far
//! outside, one duplication is done by hand first, which halves the range of the exponents, and the rest is scaled
//! by an exact power of four.

use crate::carlson_arguments::{
    Arguments, NARROW, ScaledArguments, UNDETERMINED, WIDE, first_step, ordinary,
};
use crate::duplication::{self as loops, rc_of_roots};
use crate::{Dd, DomainError, Real};

/// R_F(x, y, z) = 1/2 ∫₀^∞ dt / sqrt((t+x)(t+y)(t+z)): the first kind, symmetric in all three.
///
/// Relative error within 3 eps. Infinite if two are zero, zero if one is infinite.
///
/// # Errors
/// [`DomainError`] if one is negative or NaN, or two are zero beside an infinity; in double-double also
/// unless each is zero or within 1e-280 and 1e280.
///
/// # References
/// DLMF 19.16.1, 19.26.18 (duplication), 19.36.1 (series).
///
/// ```
/// let r = polhode_elliptic::rf(1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn rf<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    if ordinary([x, y, z].map(Real::to_f64), WIDE) {
        return Ok(loops::rf(x, y, z));
    }
    rf_elsewhere("rf", x, y, z)
}

#[cold]
fn rf_elsewhere<T: Real>(function: &'static str, x: T, y: T, z: T) -> Result<T, DomainError> {
    let values = [x, y, z].map(Real::to_f64);
    let arguments = Arguments { function, names: ["x", "y", "z"], values };
    arguments.check::<T>(WIDE)?;
    let diverges = arguments.zeros(3) > 1;
    if let Some(at) = arguments.infinity() {
        return if diverges { Err(arguments.error(at, UNDETERMINED)) } else { Ok(T::from(0.0)) };
    }
    if diverges {
        return Ok(T::from(f64::INFINITY));
    }
    Ok(rf_far(x, y, z))
}

fn rf_far<T: Real>(x: T, y: T, z: T) -> T {
    let ScaledArguments([x, y, z], lift) = ScaledArguments::lifted([x, y, z]);
    let (_, l) = first_step(x, y, z);
    let ScaledArguments([x, y, z], root) =
        ScaledArguments::to(200, [x, y, z].map(|x| x * 0.25 + l));
    loops::rf(x, y, z) * root * lift
}

/// R_F of double-doubles to a relative 1e-20: for a phase that is added to and not multiplied, at
/// two thirds of the price of all digits.
///
/// # Errors
/// As [`rf`].
///
/// ```
/// use polhode_elliptic::{Dd, rf, rf_short};
/// let [x, y, z] = [0.5, 1.0, 0.75].map(Dd::from);
/// let difference = rf_short(x, y, z)? - rf(x, y, z)?;
/// assert!(difference.hi().abs() < 1e-20);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rf_short(x: Dd, y: Dd, z: Dd) -> Result<Dd, DomainError> {
    if !ordinary([x.hi(), y.hi(), z.hi()], WIDE) {
        return rf_elsewhere("rf_short", x, y, z);
    }
    let (a, dx, dy) = loops::rf_duplications(x, y, z, SHORT_RADIUS);
    let (dx, dy) = (dx.hi(), dy.hi());
    let dz = -(dx + dy);
    let e2 = dx * dy - dz * dz;
    let e3 = dx * dy * dz;
    // At this radius the series is below 1e-5: doubles have the digits it needs.
    let series = e2 * (e2 * (1.0 / 24.0 - e2 * (5.0 / 208.0)) - 0.1)
        + e3 * (1.0 / 14.0 - e2 * (3.0 / 44.0) + e3 * (3.0 / 104.0) + e2 * e2 * (1.0 / 16.0));
    Ok(Dd::sum(1.0, series) / a.sqrt())
}

/// What the series of degree seven leaves out here is below 1e-21.
const SHORT_RADIUS: f64 = 2.5e-3;

/// R_C(x, y) = R_F(x, y, y): logarithms, inverse circular and hyperbolic functions in one; for y < 0
/// its Cauchy principal value.
///
/// Relative error within 3 eps. Infinite at y = 0, zero if one is infinite.
///
/// # Errors
/// [`DomainError`] if x is negative, one is NaN, or x is infinite beside y = 0; in double-double also
/// unless each is zero or within 1e-280 and 1e280 in size.
///
/// # References
/// DLMF 19.2.17, 19.2.20 (principal value); duplication and series: Carlson (1995), section 2.
///
/// ```
/// let quarter_pi = polhode_elliptic::rc(1.0, 2.0)?; // arctan(1)
/// assert!((quarter_pi - core::f64::consts::FRAC_PI_4).abs() < 1e-15);
/// assert_eq!(polhode_elliptic::rc(0.0, -2.0)?, 0.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn rc<T: Real>(x: T, y: T) -> Result<T, DomainError> {
    let (a, b) = (x.to_f64(), y.to_f64());
    if ordinary([a, b], WIDE) && b > 0.0 {
        return Ok(loops::rc(x, y));
    }
    rc_elsewhere(x, y)
}

#[cold]
fn rc_elsewhere<T: Real>(x: T, y: T) -> Result<T, DomainError> {
    let (a, b) = (x.to_f64(), y.to_f64());
    let arguments = Arguments { function: "rc", names: ["x", "y"], values: [a, b.abs()] };
    arguments.check::<T>(WIDE)?;
    if let Some(at) = arguments.infinity() {
        return if b == 0.0 { Err(arguments.error(at, UNDETERMINED)) } else { Ok(T::from(0.0)) };
    }
    if b == 0.0 {
        return Ok(T::from(f64::INFINITY));
    }
    if b > 0.0 {
        return Ok(rf_far(x, y, y));
    }
    Ok(rc_principal(x, -y))
}

/// R_C(x, -q).
fn rc_principal<T: Real>(x: T, q: T) -> T {
    let ScaledArguments([x, q], lift) = ScaledArguments::lifted([x, q]);
    // Only where both are huge their sum is beyond all doubles, and neither has digits to lose.
    let both_huge = x.to_f64().min(q.to_f64()) > 1e300;
    let quarter = if both_huge { 0.25 } else { 1.0 };
    let (x, q) = (x * quarter, q * quarter);
    let sum = x + q;
    let regular = if ordinary([sum.to_f64(), q.to_f64()], WIDE) {
        loops::rc(sum, q)
    } else {
        rf_far(sum, q, q)
    };
    (x / sum).sqrt() * regular * if both_huge { 0.5 } else { 1.0 } * lift
}

/// R_J(x, y, z, p) = 3/2 ∫₀^∞ dt / ((t+p) sqrt((t+x)(t+y)(t+z))): the third kind; for p < 0 its Cauchy
/// principal value.
///
/// Relative error within 6 eps for p > 0; a principal value changes sign, and its error is that of its
/// terms. Infinite if p or two of the others are zero, zero if one is infinite.
///
/// # Errors
/// [`DomainError`] if x, y or z is negative, one is NaN, the integral is undetermined (an infinity beside
/// a divergence), or the arguments are so many orders of magnitude apart (540 and more) that its terms
/// leave the range of doubles; in double-double also unless each is zero or within 1e-100 and 1e100.
///
/// # References
/// DLMF 19.16.2, 19.26.21 (duplication), 19.36.2 (series), 19.20.14 (principal value).
///
/// ```
/// let r = polhode_elliptic::rj(1.0, 1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn rj<T: Real>(x: T, y: T, z: T, p: T) -> Result<T, DomainError> {
    let values = [x, y, z, p].map(Real::to_f64);
    if ordinary(values, NARROW) && values[3] > 0.0 {
        return Ok(loops::rj(x, y, z, p));
    }
    rj_elsewhere(x, y, z, p)
}

#[cold]
fn rj_elsewhere<T: Real>(x: T, y: T, z: T, p: T) -> Result<T, DomainError> {
    let mut values = [x, y, z, p].map(Real::to_f64);
    let negative = values[3] < 0.0;
    values[3] = values[3].abs();
    let arguments = Arguments { function: "rj", names: ["x", "y", "z", "p"], values };
    arguments.check::<T>(NARROW)?;
    let diverges = arguments.zeros(3) > 1 || values[3] == 0.0;
    if let Some(at) = arguments.infinity() {
        return if diverges { Err(arguments.error(at, UNDETERMINED)) } else { Ok(T::from(0.0)) };
    }
    if diverges {
        return Ok(T::from(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    let value = if negative { rj_principal(x, y, z, -p) } else { rj_far(x, y, z, p) };
    let value = value.filter(|x| !x.to_f64().is_nan());
    value.ok_or_else(|| arguments.error(3, "within 540 orders of magnitude of x, y and z"))
}

/// For p > 0; none where the terms leave the range of doubles.
fn rj_far<T: Real>(x: T, y: T, z: T, p: T) -> Option<T> {
    if ordinary([x, y, z, p].map(Real::to_f64), NARROW) {
        return Some(loops::rj(x, y, z, p));
    }
    let [low, mid, high] = sorted([x, y, z]);
    if p.to_f64() > 1e20 * high.to_f64() {
        // DLMF 19.21.12 with a last term that no digit is left of; duplication would take hundreds of
        // steps to bring p down.
        let rest = rf(low, mid, high).ok()? - rc(low / high * mid, p).ok()?;
        return Some(rest / p * 3.0);
    }
    // 2^600 for the greatest leaves most room below.
    let ScaledArguments(arguments, lift) = ScaledArguments::to(600, [x, y, z, p]);
    // From the roots as they were: the square of a scaled one may be below all doubles.
    let [sx, sy, sz, sp] = [low, mid, high, p].map(|x| x.sqrt() * (0.5 * lift));
    let l = sx * sy + sz * (sx + sy);
    // The greatest first: a product of two small ones may be below all normal doubles.
    let alpha = sp * (sp * (sx + sy + sz)) + sx * (sy * sz);
    let beta = sp * (sp * sp + l);
    let inside = |x: T| x.to_f64() > 1e-290 && x.to_f64() < 1e300;
    if !inside(alpha) || !inside(beta) {
        return None;
    }
    // An eighth of both roots was taken.
    let first = rc_of_roots(alpha, beta) * 0.125;
    let ScaledArguments([x, y, z, p], root) =
        ScaledArguments::to(200, arguments.map(|x| x * 0.25 + l));
    let rest = loops::rj(x, y, z, p) * root * root * root * 0.25;
    Some((first * 3.0 + rest) * lift * lift * lift)
}

/// R_J(x, y, z, -q).
fn rj_principal<T: Real>(x: T, y: T, z: T, q: T) -> Option<T> {
    let ScaledArguments([x, y, z, q], lift) = ScaledArguments::to(300, [x, y, z, q]);
    let [x, y, z] = sorted([x, y, z]);
    if q.to_f64() == 0.0 || y.to_f64() == 0.0 {
        return None;
    }
    // Positive, by its terms: z is the greatest.
    let sum = z + q;
    let p = (z * (x + q) + y * (z - x)) / sum;
    let xy_pq = x * y + p * q;
    let elementary = (x / xy_pq).sqrt() * y.sqrt() * z.sqrt() * rc(xy_pq, p * q).ok()?;
    let distance = (z - x) * (z - y) / sum;
    let rest = rj_far(x, y, z, p)? * distance + rf(x, y, z).ok()? * 3.0;
    Some((elementary * 3.0 - rest) / sum * lift * lift * lift)
}

fn sorted<T: Real>([x, y, z]: [T; 3]) -> [T; 3] {
    let (x, y) = if y < x { (y, x) } else { (x, y) };
    let (y, z) = if z < y { (z, y) } else { (y, z) };
    let (x, y) = if y < x { (y, x) } else { (x, y) };
    [x, y, z]
}

/// R_D(x, y, z) = R_J(x, y, z, z): the second kind, symmetric in x and y only.
///
/// Relative error within 4 eps. Infinite if z or both others are zero, zero if one is infinite.
///
/// # Errors
/// [`DomainError`] if one is negative or NaN, or the integral is undetermined (an infinity beside a
/// divergence); in double-double also unless each is zero or within 1e-100 and 1e100.
///
/// # References
/// DLMF 19.16.5, 19.26.20 (duplication), 19.36.2 (series).
///
/// ```
/// let r = polhode_elliptic::rd(1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[inline]
pub fn rd<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    let values = [x, y, z].map(Real::to_f64);
    if ordinary(values, NARROW) && values[2] > 0.0 {
        return Ok(loops::rd(x, y, z));
    }
    rd_elsewhere(x, y, z)
}

#[cold]
fn rd_elsewhere<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    let values = [x, y, z].map(Real::to_f64);
    let arguments = Arguments { function: "rd", names: ["x", "y", "z"], values };
    arguments.check::<T>(NARROW)?;
    let diverges = arguments.zeros(2) > 1 || values[2] == 0.0;
    if let Some(at) = arguments.infinity() {
        return if diverges { Err(arguments.error(at, UNDETERMINED)) } else { Ok(T::from(0.0)) };
    }
    if diverges {
        return Ok(T::from(f64::INFINITY));
    }
    let ScaledArguments([x, y, z], lift) = ScaledArguments::lifted([x, y, z]);
    let ([_, _, sz], l) = first_step(x, y, z);
    let after = z * 0.25 + l;
    // One over sqrt(z) (z + lambda), which itself may be beyond all doubles.
    let first = T::from(0.125) / sz / after;
    let ScaledArguments([x, y, z], root) =
        ScaledArguments::to(200, [x * 0.25 + l, y * 0.25 + l, after]);
    let rest = loops::rd(x, y, z) * root * root * root * 0.25;
    Ok((first * 3.0 + rest) * lift * lift * lift)
}

/// R_G(x, y, z) = 1/4 ∫₀^∞ (x/(t+x) + y/(t+y) + z/(t+z)) t dt / sqrt((t+x)(t+y)(t+z)): the second kind,
/// symmetric in all three; the surface of an ellipsoid.
///
/// Relative error within 5 eps.
///
/// # Errors
/// [`DomainError`] if one is negative or NaN; in double-double also unless each is zero or within 1e-100
/// and 1e100.
///
/// # References
/// DLMF 19.16.3, 19.21.10 with z between x and y, where all terms are positive.
///
/// ```
/// assert_eq!(polhode_elliptic::rg(4.0, 4.0, 4.0)?, 2.0);
/// assert_eq!(polhode_elliptic::rg(0.0, 0.0, 4.0)?, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rg<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    let values = [x, y, z].map(Real::to_f64);
    Arguments { function: "rg", names: ["x", "y", "z"], values }.check::<T>(NARROW)?;
    let [low, mid, high] = sorted([x, y, z]);
    if high.to_f64() == 0.0 || high.to_f64().is_infinite() {
        return Ok(high);
    }
    let ScaledArguments([low, mid, high], lift) = ScaledArguments::to(0, [low, mid, high]);
    // What the others add to half the root of the greatest is of the size of mid ln(mid).
    let double = if mid.to_f64() < 1e-4 * T::EPSILON {
        high.sqrt()
    } else {
        mid * rf(low, mid, high)?
            + (high - mid) * (mid - low) * rd(low, high, mid)? * T::ratio(1.0, 3.0)
            + (low / mid).sqrt() * high.sqrt()
    };
    Ok(double * 0.5 / T::from(lift))
}
