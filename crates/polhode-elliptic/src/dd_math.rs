//! Sine, cosine and arctangent in double-double, and the few array operations around them.

use crate::Dd;

/// Sine and cosine of `x`, as `(sin, cos)`.
///
/// The absolute error is about `1e-32 (1 + |x|)`: pi is known to 32 digits only.
///
/// # Panics
/// If `x` is not finite.
pub fn sin_cos(x: Dd) -> (Dd, Dd) {
    let (quarters, _) = (x * Dd::FRAC_1_PI * 2.0).split_integer();
    let r = x - Dd::FRAC_PI_2 * quarters;
    let square = -r.square();
    // On |r| <= pi/4 the first term left out is below 1e-34.
    let (mut sin, mut cos) = (Dd::ZERO, Dd::ZERO);
    for n in (1..=15).rev() {
        let n = f64::from(2 * n);
        cos = (cos + Dd::ONE) * square / Dd::from(n * (n - 1.0));
        sin = (sin + Dd::ONE) * square / Dd::from(n * (n + 1.0));
    }
    let (sin, cos) = (r + r * sin, Dd::ONE + cos);
    match quarters.rem_euclid(4.0) {
        0.0 => (sin, cos),
        1.0 => (cos, -sin),
        2.0 => (-sin, -cos),
        3.0 => (-cos, sin),
        _ => panic!("sin_cos needs a finite argument, got {x:?}"),
    }
}

/// The angle of the point `(x, y)`, in (-pi, pi], to about `1e-32` relative to the angle or to
/// the larger coordinate; zero for the origin.
pub fn atan2(y: Dd, x: Dd) -> Dd {
    if x == Dd::ZERO && y == Dd::ZERO {
        return Dd::ZERO;
    }
    let start = Dd::from(y.hi().atan2(x.hi()));
    let (sin, cos) = sin_cos(start);
    // The rest of the angle is about 1e-16, so its sine is as good as the angle.
    start + (y * cos - x * sin) / (x.square() + y.square()).sqrt()
}

pub fn dot<const N: usize>(a: &[Dd; N], b: &[Dd; N]) -> Dd {
    a.iter().zip(b).fold(Dd::ZERO, |sum, (&x, &y)| sum + x * y)
}

pub fn norm<const N: usize>(a: &[Dd; N]) -> Dd {
    dot(a, a).sqrt()
}

/// Hamilton product of two quaternions (w, x, y, z).
pub fn quaternion_product(p: &[Dd; 4], q: &[Dd; 4]) -> [Dd; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    ]
}

/// The vector `m` (body coordinates) in space coordinates, for a unit quaternion `q`.
pub fn rotate(q: &[Dd; 4], m: &[Dd; 3]) -> [Dd; 3] {
    let conjugate = [q[0], -q[1], -q[2], -q[3]];
    let [_, x, y, z] =
        quaternion_product(&quaternion_product(q, &[Dd::ZERO, m[0], m[1], m[2]]), &conjugate);
    [x, y, z]
}

/// The quaternion of the rotation by twice `half_angle` about the unit vector `axis`.
pub fn turn(half_angle: Dd, axis: &[Dd; 3]) -> [Dd; 4] {
    let (sin, cos) = sin_cos(half_angle);
    [cos, sin * axis[0], sin * axis[1], sin * axis[2]]
}
