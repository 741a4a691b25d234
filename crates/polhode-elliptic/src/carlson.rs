//! Carlson's symmetric integrals, by duplication.
//!
//! Each duplication step brings the arguments four times closer together; once they are close, a
//! series of degree seven in their differences finishes. Written over [`Real`], so that the same
//! code serves doubles and double-doubles.
//!
//! # References
//! - Carlson, *Computing elliptic integrals by duplication*, Numer. Math. 33 (1979).
//! - Carlson, *Numerical computation of real or complex elliptic integrals*, Numer. Algorithms 10
//!   (1995); the series to degree seven: DLMF 19.36.1 and 19.36.2.

use crate::{Dd, DomainError, Real};

/// Duplications that the most distant pair of doubles can need, with a margin.
const MAX_DUPLICATIONS: u32 = 1100;

/// Bounds within which the products of each function stay in the range of doubles.
const WIDE: f64 = 1e280;
const NARROW: f64 = 1e100;

/// What an argument may be: zero (or not), else within 1/bound and bound.
struct Domain {
    function: &'static str,
    bound: f64,
    non_negative: &'static str,
    positive: &'static str,
}

impl Domain {
    const fn wide(function: &'static str) -> Self {
        let non_negative = "0 or 1e-280 to 1e280, and at most one of x, y, z zero";
        Self { function, bound: WIDE, non_negative, positive: "1e-280 to 1e280" }
    }

    const fn narrow(function: &'static str) -> Self {
        let non_negative = "0 or 1e-100 to 1e100, and at most one of x, y, z zero";
        Self { function, bound: NARROW, non_negative, positive: "1e-100 to 1e100" }
    }

    fn inside(&self, x: f64) -> bool {
        x >= 1.0 / self.bound && x <= self.bound
    }

    fn non_negative<T: Real, const N: usize>(
        &self,
        arguments: [(&'static str, T); N],
    ) -> Result<(), DomainError> {
        let mut zeros = 0;
        for (name, x) in arguments {
            let value = x.to_f64();
            zeros += u32::from(value == 0.0);
            if zeros > 1 || !(value == 0.0 || self.inside(value)) {
                return Err(DomainError::new(self.function, name, value, self.non_negative));
            }
        }
        Ok(())
    }

    fn positive<T: Real>(&self, argument: &'static str, x: T) -> Result<(), DomainError> {
        let value = x.to_f64();
        if self.inside(value) {
            return Ok(());
        }
        Err(DomainError::new(self.function, argument, value, self.positive))
    }
}

/// How close to their mean the arguments must be for a series that drops degree eight.
fn series_radius<T: Real>(weight: f64) -> f64 {
    // The eighth root.
    (T::EPSILON * weight).sqrt().sqrt().sqrt()
}

/// R_F(x, y, z) = 1/2 ∫₀^∞ dt / sqrt((t+x)(t+y)(t+z)): the first kind, symmetric in all three.
///
/// Relative error about 2 eps.
///
/// # Errors
/// [`DomainError`] unless each is zero or within 1e-280 and 1e280, and at most one zero.
///
/// # References
/// DLMF 19.16.1, 19.26.18 (duplication), 19.36.1 (series).
///
/// ```
/// let r = polhode_elliptic::rf(1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rf<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    Domain::wide("rf").non_negative([("x", x), ("y", y), ("z", z)])?;
    Ok(rf_unchecked(x, y, z))
}

fn rf_unchecked<T: Real>(x: T, y: T, z: T) -> T {
    let (a, dx, dy) = rf_duplications(x, y, z, series_radius::<T>(3.0));
    let dz = -(dx + dy);
    let e2 = dx * dy - dz * dz;
    let e3 = dx * dy * dz;
    let r = T::ratio;
    let series = e2 * (e2 * (r(1.0, 24.0) - e2 * r(5.0, 208.0)) - r(1.0, 10.0))
        + e3 * (r(1.0, 14.0) - e2 * r(3.0, 44.0) + e3 * r(3.0, 104.0) + e2 * e2 * r(1.0, 16.0));
    (T::from(1.0) + series) / a.sqrt()
}

/// The mean of the arguments once they are within `radius` of each other, and the relative distances
/// of the first two from it.
#[inline]
fn rf_duplications<T: Real>(mut x: T, mut y: T, mut z: T, radius: f64) -> (T, T, T) {
    let mut a = (x + y + z) * T::ratio(1.0, 3.0);
    let (dx, dy) = (a - x, a - y);
    let mut spread = largest([dx, dy, a - z]) / radius;
    let mut four_n = 1.0;
    for _ in 0..MAX_DUPLICATIONS {
        if spread <= a.to_f64() {
            break;
        }
        let (sx, sy, sz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let l = sx * sy + sz * (sx + sy);
        (x, y, z, a) = ((x + l) * 0.25, (y + l) * 0.25, (z + l) * 0.25, (a + l) * 0.25);
        spread *= 0.25;
        four_n *= 0.25;
    }
    let scale = T::from(four_n) / a;
    (a, dx * scale, dy * scale)
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
    Domain::wide("rf_short").non_negative([("x", x), ("y", y), ("z", z)])?;
    let (a, dx, dy) = rf_duplications(x, y, z, SHORT_RADIUS);
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

/// R_C(x, y) = R_F(x, y, y): logarithms, inverse circular and hyperbolic functions in one.
///
/// Relative error about 2 eps.
///
/// # Errors
/// [`DomainError`] unless x >= 0 and y > 0 (no Cauchy principal values), nonzero arguments within
/// 1e-280 and 1e280.
///
/// # References
/// DLMF 19.2.17; duplication and series: Carlson (1995), section 2.
///
/// ```
/// let quarter_pi = polhode_elliptic::rc(1.0, 2.0)?; // arctan(1)
/// assert!((quarter_pi - core::f64::consts::FRAC_PI_4).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rc<T: Real>(x: T, y: T) -> Result<T, DomainError> {
    let domain = Domain::wide("rc");
    domain.non_negative([("x", x)])?;
    domain.positive("y", y)?;
    Ok(rc_unchecked(x, y))
}

fn rc_unchecked<T: Real>(mut x: T, mut y: T) -> T {
    let one = T::from(1.0);
    let mut a = (x + y + y) * T::ratio(1.0, 3.0);
    let offset = y - a;
    let mut spread = (a - x).to_f64().abs() / series_radius::<T>(3.0);
    let mut four_n = 1.0;
    for _ in 0..MAX_DUPLICATIONS {
        if spread <= a.to_f64() {
            break;
        }
        let l = x.sqrt() * y.sqrt() * 2.0 + y;
        (x, y, a) = ((x + l) * 0.25, (y + l) * 0.25, (a + l) * 0.25);
        spread *= 0.25;
        four_n *= 0.25;
    }
    let s = offset * four_n / a;
    let r = T::ratio;
    let series = r(3.0, 10.0)
        + s * (r(1.0, 7.0)
            + s * (r(3.0, 8.0) + s * (r(9.0, 22.0) + s * (r(159.0, 208.0) + s * r(9.0, 8.0)))));
    (one + s * s * series) / a.sqrt()
}

/// R_J(x, y, z, p) = 3/2 ∫₀^∞ dt / ((t+p) sqrt((t+x)(t+y)(t+z))): the third kind.
///
/// Relative error about 6 eps.
///
/// # Errors
/// [`DomainError`] unless x, y, z >= 0, at most one zero, and p > 0 (no Cauchy principal values),
/// nonzero arguments within 1e-100 and 1e100.
///
/// # References
/// DLMF 19.16.2, 19.26.21 (duplication), 19.36.2 (series).
///
/// ```
/// let r = polhode_elliptic::rj(1.0, 1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rj<T: Real>(x: T, y: T, z: T, p: T) -> Result<T, DomainError> {
    let domain = Domain::narrow("rj");
    domain.non_negative([("x", x), ("y", y), ("z", z)])?;
    domain.positive("p", p)?;
    Ok(rj_unchecked(x, y, z, p))
}

fn rj_unchecked<T: Real>(mut x: T, mut y: T, mut z: T, mut p: T) -> T {
    let mut a = (x + y + z + p + p) * T::ratio(1.0, 5.0);
    let (dx0, dy0, dz0) = (a - x, a - y, a - z);
    let mut spread = largest([dx0, dy0, dz0, a - p]) / series_radius::<T>(0.25);
    let mut four_n = 1.0;
    let mut sum = T::from(0.0);
    for _ in 0..MAX_DUPLICATIONS {
        if spread <= a.to_f64() {
            break;
        }
        let (sx, sy, sz, sp) = (x.sqrt(), y.sqrt(), z.sqrt(), p.sqrt());
        let l = sx * sy + sz * (sx + sy);
        // RC(alpha, beta) with sums of positive terms only (Carlson 1979): the RC(1, 1 + e) of the
        // 1995 algorithm cancels where p is small beside x, y, z.
        let root_alpha = p * (sx + sy + sz) + sx * sy * sz;
        let root_beta = sp * (p + l);
        sum = sum + rc_unchecked(root_alpha * root_alpha, root_beta * root_beta) * four_n;
        (x, y, z, p, a) =
            ((x + l) * 0.25, (y + l) * 0.25, (z + l) * 0.25, (p + l) * 0.25, (a + l) * 0.25);
        spread *= 0.25;
        four_n *= 0.25;
    }
    let scale = T::from(four_n) / a;
    let (dx, dy, dz) = (dx0 * scale, dy0 * scale, dz0 * scale);
    third_kind_series(dx, dy, dz, a) * four_n + sum * 3.0
}

/// The series of DLMF 19.36.2 times a^(-3/2), with the fourth and fifth difference equal.
fn third_kind_series<T: Real>(dx: T, dy: T, dz: T, a: T) -> T {
    let dp = -(dx + dy + dz) * 0.5;
    let xyz = dx * dy * dz;
    let p2 = dp * dp;
    let e2 = dx * dy + dz * (dx + dy) - p2 * 3.0;
    let e3 = xyz + e2 * dp * 2.0 + p2 * dp * 4.0;
    let e4 = (xyz * 2.0 + e2 * dp + p2 * dp * 3.0) * dp;
    let e5 = xyz * p2;
    let r = T::ratio;
    let series = e2 * (e2 * (r(9.0, 88.0) - e2 * r(1.0, 16.0)) - r(3.0, 14.0))
        + e3 * (r(1.0, 6.0) - e2 * r(9.0, 52.0) + e3 * r(3.0, 40.0) + e2 * e2 * r(45.0, 272.0))
        + e4 * (e2 * r(3.0, 20.0) - e3 * r(9.0, 68.0) - r(3.0, 22.0))
        + e5 * (r(3.0, 26.0) - e2 * r(9.0, 68.0));
    (T::from(1.0) + series) / (a * a.sqrt())
}

/// R_D(x, y, z) = R_J(x, y, z, z): the second kind, symmetric in x and y only.
///
/// Relative error about 3 eps.
///
/// # Errors
/// [`DomainError`] unless x and y >= 0, not both zero, and z > 0, nonzero arguments within 1e-100
/// and 1e100.
///
/// # References
/// DLMF 19.16.5, 19.26.20 (duplication), 19.36.2 (series).
///
/// ```
/// let r = polhode_elliptic::rd(1.0, 1.0, 1.0)?;
/// assert_eq!(r, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn rd<T: Real>(x: T, y: T, z: T) -> Result<T, DomainError> {
    let domain = Domain::narrow("rd");
    domain.positive("z", z)?;
    domain.non_negative([("x", x), ("y", y)])?;
    Ok(rd_unchecked(x, y, z))
}

fn rd_unchecked<T: Real>(mut x: T, mut y: T, mut z: T) -> T {
    let mut a = (x + y + z * 3.0) * T::ratio(1.0, 5.0);
    let (dx0, dy0, dz0) = (a - x, a - y, a - z);
    let mut spread = largest([dx0, dy0, dz0]) / series_radius::<T>(0.25);
    let mut four_n = 1.0;
    let mut sum = T::from(0.0);
    for _ in 0..MAX_DUPLICATIONS {
        if spread <= a.to_f64() {
            break;
        }
        let (sx, sy, sz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let l = sx * sy + sz * (sx + sy);
        sum = sum + T::from(four_n) / (sz * (z + l));
        (x, y, z, a) = ((x + l) * 0.25, (y + l) * 0.25, (z + l) * 0.25, (a + l) * 0.25);
        spread *= 0.25;
        four_n *= 0.25;
    }
    let scale = T::from(four_n) / a;
    let (dx, dy, dz) = (dx0 * scale, dy0 * scale, dz0 * scale);
    third_kind_series(dx, dy, dz, a) * four_n + sum * 3.0
}

fn largest<T: Real, const N: usize>(values: [T; N]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.to_f64().abs()))
}
