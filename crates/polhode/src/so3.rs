//! Rotations: exponential and logarithm, their derivatives, Cayley's map, angles, conversions.
//!
//! # Conventions
//! Quaternions are active Hamilton quaternions that take body to space coordinates,
//! `v_space = q v_body q*`, and compose like matrices: `p * q` turns by q first. glam stores the
//! scalar last; arrays of this library have it **first** (w, x, y, z): see [`from_wxyz`].

mod euler;

pub use euler::{EulerSequence, euler_angles, from_euler_angles};

use glam::{DMat3, DQuat, DVec3};
use polhode_number::vector::{
    self, Matrix, Vector, add, cross, dot, matrix_product, scale, subtract,
};
use polhode_number::{Number, Smooth};

/// The quaternion with these components, scalar first. Not normalised.
pub fn from_wxyz([w, x, y, z]: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(x, y, z, w)
}

/// The components of a quaternion, scalar first.
pub fn to_wxyz(q: DQuat) -> [f64; 4] {
    [q.w, q.x, q.y, q.z]
}

/// The matrix of a quaternion row by row, `v_space = Q v_body`.
pub fn to_rows(q: DQuat) -> [f64; 9] {
    DMat3::from_quat(q).transpose().to_cols_array()
}

/// The skew matrix of a vector: `hat(a) b = a x b`.
pub fn hat(a: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, a.z, -a.y),
        DVec3::new(-a.z, 0.0, a.x),
        DVec3::new(a.y, -a.x, 0.0),
    )
}

/// The length, scaled so that neither tiny nor huge vectors lose it to under- or overflow.
pub fn length(v: DVec3) -> f64 {
    let scale = v.abs().max_element();
    if scale == 0.0 { 0.0 } else { (v / scale).length() * scale }
}

/// The length of a vector to a rounding or two, without divisions where squares neither overflow nor vanish.
#[inline]
pub(crate) fn quick_length(v: DVec3) -> f64 {
    let square = v.length_squared();
    if square > 1e-200 && square < 1e200 { square.sqrt() } else { length(v) }
}

/// The rotation by the angle |v| about v: exp of [`hat`]`(v)` as a quaternion.
///
/// The half angle is not reduced, so the sign follows the continuous branch: exp turns into its
/// negative after a full turn.
///
/// ```
/// use polhode::so3;
/// let q = so3::exp([0.0, 0.0, core::f64::consts::PI].into());
/// assert!((q.z - 1.0).abs() < 1e-16);
/// ```
pub fn exp(v: DVec3) -> DQuat {
    let angle = length(v);
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (s, c) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    let xyz = v * (s / angle);
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, c)
}

/// The rotation vector of a unit quaternion, of length up to 2 pi: the inverse of [`exp`].
///
/// The angle is 2 atan2(|v|, w): an arccosine has no digits left for small angles. A quaternion
/// with negative scalar part is a rotation by more than pi, as its branch says.
pub fn log(q: DQuat) -> DVec3 {
    let v = DVec3::new(q.x, q.y, q.z);
    let s = length(v);
    if s == 0.0 {
        return if q.w < 0.0 { DVec3::new(core::f64::consts::TAU, 0.0, 0.0) } else { DVec3::ZERO };
    }
    v * (2.0 * libm::atan2(s, q.w) / s)
}

/// The angle of the rotation that takes attitude p to attitude q, in [0, pi], sign ignored.
pub fn angle_between(p: DQuat, q: DQuat) -> f64 {
    let d = p.conjugate() * q;
    2.0 * libm::atan2(length(DVec3::new(d.x, d.y, d.z)), d.w.abs())
}

/// The derivative of the exponential, `dexp(-psi)`, as a matrix:
/// `exp(psi + v) = exp(psi) exp(dexp(psi) v)` to first order in v.
///
/// 1 - (1 - cos θ)/θ² hat(psi) + (θ - sin θ)/θ³ hat(psi)², θ = |psi| (Krysl, eq. (9)).
pub fn dexp(psi: DVec3) -> DMat3 {
    DMat3::from_cols_array_2d(&dexp_over(psi.to_array()))
}

/// The same over any number, column by column.
#[inline(always)]
pub(crate) fn dexp_over<N: Number>(psi: Vector<N>) -> Matrix<N> {
    let theta2 = dot(psi, psi);
    let a = N::smooth([theta2], DexpFactor::First);
    let b = N::smooth([theta2], DexpFactor::Second);
    let hat = vector::hat(psi);
    let square = matrix_product(&hat, &hat);
    let mut dexp: Matrix<N> = DMat3::IDENTITY.to_cols_array_2d().map(vector::splat);
    for j in 0..3 {
        dexp[j] = add(subtract(dexp[j], scale(hat[j], a)), scale(square[j], b));
    }
    dexp
}

/// The factors of [`dexp`], as functions of θ².
#[derive(Clone, Copy)]
enum DexpFactor {
    /// (1 - cos θ)/θ²
    First,
    /// (θ - sin θ)/θ³
    Second,
}

impl Smooth<1> for DexpFactor {
    fn value(self, [theta2]: [f64; 1]) -> f64 {
        // Taylor series where the closed forms are 0/0.
        let (series, theta) = (theta2 < 0.01, theta2.sqrt());
        match self {
            Self::First if series => {
                0.5 - theta2 * (1.0 / 24.0 - theta2 * (1.0 / 720.0 - theta2 * (1.0 / 40320.0)))
            }
            Self::First => (1.0 - libm::cos(theta)) / theta2,
            Self::Second if series => {
                1.0 / 6.0 - theta2 * (1.0 / 120.0 - theta2 * (1.0 / 5040.0 - theta2 / 362880.0))
            }
            Self::Second => (theta - libm::sin(theta)) / (theta * theta2),
        }
    }

    fn slopes<N: Number>(self, at: [N; 1]) -> [N; 1] {
        let [a, b] = [Self::First, Self::Second].map(|factor| N::smooth(at, factor));
        let number = N::splat;
        let [theta2] = at;
        let (series, closed) = match self {
            Self::First => (
                theta2 * (number(1.0 / 360.0) - theta2 * number(1.0 / 13440.0))
                    - number(1.0 / 24.0),
                (number(1.0) - b * theta2 - (a + a)) / (theta2 + theta2),
            ),
            Self::Second => (
                theta2 * (number(1.0 / 2520.0) - theta2 * number(1.0 / 120960.0))
                    - number(1.0 / 120.0),
                (a - number(3.0) * b) / (theta2 + theta2),
            ),
        };
        [N::select(theta2.less(number(0.01)), series, closed)]
    }
}

/// The inverse of [`dexp`], as a matrix: what [`dexpinv`] multiplies a vector by.
///
/// ```
/// use polhode::{glam::DMat3, so3};
/// let psi = [0.4, -1.0, 2.0].into();
/// assert!((so3::dexpinv_matrix(psi) * so3::dexp(psi)).abs_diff_eq(DMat3::IDENTITY, 1e-15));
/// ```
pub fn dexpinv_matrix(psi: DVec3) -> DMat3 {
    let hat = hat(psi);
    DMat3::IDENTITY + hat * 0.5 + hat * hat * dexpinv_factor(psi.length_squared())
}

/// The derivative of the logarithm, as a matrix: `log(q exp(v)) = log(q) + dlog(q) v` to first order
/// in v.
///
/// It is smooth up to a full turn and at half a turn nothing special; towards a full turn, where the
/// logarithm jumps, it grows without bound.
///
/// ```
/// use polhode::{glam::DMat3, so3};
/// assert_eq!(so3::dlog(so3::exp([0.0; 3].into())), DMat3::IDENTITY);
/// ```
pub fn dlog(q: DQuat) -> DMat3 {
    dexpinv_matrix(log(q))
}

/// The inverse derivative of the exponential, `dexp(-psi)^-1 w`.
///
/// w + psi x w / 2 + (1 - (θ/2) cot(θ/2))/θ² psi x (psi x w), θ = |psi| (Krysl, section 3).
/// Defined for |psi| < 2 pi.
pub fn dexpinv(psi: DVec3, w: DVec3) -> DVec3 {
    Dexpinv::new(psi.to_array()).of(w.to_array()).into()
}

/// The inverse derivative of the exponential at some psi, over any number: [`dexpinv`] of any vector.
#[derive(Clone, Copy)]
pub(crate) struct Dexpinv<N> {
    pub(crate) psi: Vector<N>,
    /// (1 - (θ/2) cot(θ/2))/θ²
    pub(crate) factor: N,
}

impl<N: Number> Dexpinv<N> {
    #[inline(always)]
    pub(crate) fn new(psi: Vector<N>) -> Self {
        Self { psi, factor: N::smooth([dot(psi, psi)], DexpinvFactor) }
    }

    /// The image of a vector: dexp(-psi)^-1 w.
    #[inline(always)]
    pub(crate) fn of(&self, w: Vector<N>) -> Vector<N> {
        let pw = cross(self.psi, w);
        add(add(w, scale(pw, N::splat(0.5))), scale(cross(self.psi, pw), self.factor))
    }
}

/// (1 - (θ/2) cot(θ/2))/θ² as a function of θ².
#[derive(Clone, Copy)]
struct DexpinvFactor;

impl Smooth<1> for DexpinvFactor {
    fn value(self, [theta2]: [f64; 1]) -> f64 {
        dexpinv_factor(theta2)
    }

    fn slopes<N: Number>(self, at: [N; 1]) -> [N; 1] {
        N::each_lane(at, |[theta2]| [dexpinv_factor_slope(theta2)])
    }
}

/// (1 - (θ/2) cot(θ/2))/θ² for the square of θ.
fn dexpinv_factor(theta2: f64) -> f64 {
    if theta2 < 0.01 {
        // Bernoulli series: the closed form is 0/0.
        1.0 / 12.0 + theta2 * (1.0 / 720.0 + theta2 * (1.0 / 30240.0 + theta2 * (1.0 / 1209600.0)))
    } else {
        let half = 0.5 * theta2.sqrt();
        (1.0 - half * libm::cos(half) / libm::sin(half)) / theta2
    }
}

/// Its derivative with respect to θ².
fn dexpinv_factor_slope(theta2: f64) -> f64 {
    if theta2 < 0.01 {
        1.0 / 720.0 + theta2 * (2.0 / 30240.0 + theta2 * (3.0 / 1209600.0))
    } else {
        let half = 0.5 * theta2.sqrt();
        let (s, c) = (libm::sin(half), libm::cos(half));
        ((half / s - c) / (8.0 * half * s) - dexpinv_factor(theta2)) / theta2
    }
}

/// Cayley's map: the rotation (1 - hat(v)/2)^-1 (1 + hat(v)/2) as a quaternion, angle 2 atan(|v|/2).
pub fn cay(v: DVec3) -> DQuat {
    let half = v * 0.5;
    let size = libm::hypot(1.0, length(half));
    DQuat::from_xyzw(half.x / size, half.y / size, half.z / size, 1.0 / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_inverts_exp_on_both_sheets() {
        let axis = DVec3::new(0.48, -0.6, 0.64);
        for angle in [1e-300, 1e-9, 0.3, 3.0, 4.0, 6.2] {
            let back = log(exp(axis * angle));
            let error = length(back - axis * angle);
            assert!(error <= 1e-14 * angle, "{angle:e}: {error:e}");
        }
    }

    #[test]
    fn quaternion_and_matrix_rotate_alike() {
        let (q, v) = (exp(DVec3::new(0.3, -0.2, 0.9)), DVec3::new(1.0, 2.0, -0.5));
        let rows = to_rows(q);
        let by_rows = DVec3::new(
            rows[0] * v.x + rows[1] * v.y + rows[2] * v.z,
            rows[3] * v.x + rows[4] * v.y + rows[5] * v.z,
            rows[6] * v.x + rows[7] * v.y + rows[8] * v.z,
        );
        assert!((q * v - by_rows).length() < 1e-15);
        assert_eq!(hat(v) * DVec3::X, v.cross(DVec3::X));
    }

    #[test]
    fn dexpinv_inverts_the_derivative_of_exp() {
        let (psi, w) = (DVec3::new(0.7, -0.4, 0.5), DVec3::new(0.2, 0.3, -0.1));
        // exp(psi + e dexpinv(psi, w)) = exp(psi) exp(e w) to first order in e.
        for scale in [1.0, 0.05] {
            let psi = psi * scale;
            let difference = |e: f64| {
                let a = exp(psi + dexpinv(psi, w) * e);
                log((exp(psi) * exp(w * e)).conjugate() * a).length()
            };
            assert!(difference(1e-4) < 1e-8, "{scale}: {}", difference(1e-4));
        }
        // Series and closed form meet.
        let (a, b) = (DVec3::new(0.0999, 0.0, 0.0), DVec3::new(0.1001, 0.0, 0.0));
        let (fa, fb) = (dexpinv(a, DVec3::Y), dexpinv(b, DVec3::Y));
        assert!((fa - fb).length() < 1.1e-4);
    }

    #[test]
    fn derivatives_of_the_exponential_are_derivatives() {
        let (psi, w) = (DVec3::new(0.7, -0.4, 0.5), DVec3::new(0.2, 0.3, -0.1));
        // On both sides of the change from series to closed form.
        for scale in [3.0, 1.0, 0.105, 0.1, 1e-3] {
            let psi = psi * scale;
            assert!((dexp(psi) * dexpinv(psi, w) - w).length() < 1e-15, "{scale}");
            let theta2 = psi.length_squared();
            let (more, less) = (dexpinv_factor(1.001 * theta2), dexpinv_factor(0.999 * theta2));
            let slope = dexpinv_factor_slope(theta2);
            assert!(((more - less) / (0.002 * theta2) - slope).abs() < 1e-8, "{scale}");
        }
    }

    #[test]
    fn the_derivative_of_the_logarithm_is_one() {
        use core::f64::consts::PI;
        let axis = DVec3::new(0.48, -0.6, 0.64);
        // At rest, on both sides of the change from series to closed form, at half a turn and beyond.
        for angle in [0.0, 1e-9, 0.05, 0.0999, 0.1001, 1.0, PI - 1e-9, PI, PI + 1e-9, 5.0, 6.0] {
            let q = exp(axis * angle);
            for v in [DVec3::X, DVec3::Y, DVec3::Z] {
                let at = |e: f64| log(q * exp(v * e));
                let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
                // The third derivative, times 1e-10/6; it grows towards a full turn.
                let allowed = if angle < 5.5 { 1e-9 } else { 1e-7 };
                let error = (difference - dlog(q) * v).length();
                assert!(error < allowed, "{angle}: {error:e}");
            }
            let unit = dlog(q) * dexp(log(q));
            assert!(unit.abs_diff_eq(DMat3::IDENTITY, 1e-14), "{angle}: {unit:?}");
            let w = DVec3::new(0.2, 0.3, -0.1);
            let error = (dexpinv_matrix(axis * angle) * w - dexpinv(axis * angle, w)).length();
            assert!(error < 1e-15 * (1.0 + angle), "{angle}: {error:e}");
        }
    }

    #[test]
    fn cayley_is_the_rational_rotation() {
        let v = DVec3::new(0.4, -0.3, 0.2);
        let left = DMat3::IDENTITY - hat(v) * 0.5;
        let want = left.inverse() * (DMat3::IDENTITY + hat(v) * 0.5);
        assert!((DMat3::from_quat(cay(v)) - want).abs_diff_eq(DMat3::ZERO, 1e-15));
    }

    #[test]
    fn small_angles_have_digits() {
        let p = exp(DVec3::new(0.1, 0.2, 0.3));
        let q = p * exp(DVec3::new(0.0, 1e-9, 0.0));
        assert!((angle_between(p, q) / 1e-9 - 1.0).abs() < 1e-6);
        assert!((angle_between(p, -q) / 1e-9 - 1.0).abs() < 1e-6);
    }
}
