//! The loops of Carlson's integrals: duplication until the arguments are close together, then a series.
//!
//! Each duplication step brings the arguments four times closer together; once they are close, a
//! series of degree seven in their differences finishes. Written over [`Real`], so that the same
//! code serves doubles and double-doubles.
//!
//! # References
//! - Carlson, *Computing elliptic integrals by duplication*, Numer. Math. 33 (1979).
//! - Carlson, *Numerical computation of real or complex elliptic integrals*, Numer. Algorithms 10
//!   (1995); the series to degree seven: DLMF 19.36.1 and 19.36.2.

use crate::Real;

/// Duplications that the most distant pair of doubles can need, with a margin.
const MAX_DUPLICATIONS: u32 = 1100;

/// How close to their mean the arguments must be for a series that drops degree eight.
fn series_radius<T: Real>(weight: f64) -> f64 {
    // The eighth root.
    (T::EPSILON * weight).sqrt().sqrt().sqrt()
}

pub(crate) fn rf<T: Real>(x: T, y: T, z: T) -> T {
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
pub(crate) fn rf_duplications<T: Real>(mut x: T, mut y: T, mut z: T, radius: f64) -> (T, T, T) {
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

pub(crate) fn rc<T: Real>(mut x: T, mut y: T) -> T {
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

pub(crate) fn rj<T: Real>(mut x: T, mut y: T, mut z: T, mut p: T) -> T {
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
        sum = sum + rc_of_roots(root_alpha, root_beta) * four_n;
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

pub(crate) fn rd<T: Real>(mut x: T, mut y: T, mut z: T) -> T {
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

/// Where squares are surely within the range of doubles.
const SQUARABLE: core::ops::Range<f64> = 1e-140..1e140;

/// R_C(a², b²), also where the squares leave the range of doubles.
pub(crate) fn rc_of_roots<T: Real>(a: T, b: T) -> T {
    let (x, y) = (a.to_f64(), b.to_f64());
    if (SQUARABLE.contains(&x) && SQUARABLE.contains(&y)) || x == 0.0 || y == 0.0 {
        return rc(a * a, b * b);
    }
    // Both by the power of two that puts their product near one: of degree -1 in the roots.
    let n = -(libm::ilogb(x) + libm::ilogb(y)) / 2;
    let scale = libm::ldexp(1.0, n);
    let (a, b) = (a * scale, b * scale);
    rc(a * a, b * b) * scale
}
