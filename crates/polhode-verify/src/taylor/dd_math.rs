//! Sine, cosine and arctangent in double-double, and the few array operations around them.

use polhode_elliptic::Dd;

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

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_testkit::parse_dd;

    fn off(got: Dd, want: &str) -> f64 {
        (got - parse_dd(want)).hi().abs()
    }

    #[test]
    fn sine_and_cosine_reach_thirty_digits() {
        // mpmath, 50 digits, at exact doubles.
        for (x, sin, cos) in [
            (
                0.5,
                "0.47942553860420300027328793521557138808180336794060",
                "0.87758256189037271611628158260382965199164519710974",
            ),
            (
                2.0,
                "0.90929742682568169539601986591174484270225497144789",
                "-0.41614683654714238699756822950076218976600077107554",
            ),
            (
                -4.0,
                "0.75680249530792825137263909451182909413591288733647",
                "-0.65364362086361191463916818309775038142413359664622",
            ),
            (
                1e6,
                "-0.34999350217129295211765248678077146906140660532872",
                "0.93675212753314478693853253507491877570809780421237",
            ),
        ] {
            let (s, c) = sin_cos(Dd::from(x));
            let limit = 4e-32 * (1.0 + x.abs());
            assert!(off(s, sin) < limit, "sin {x}: {:e}", off(s, sin));
            assert!(off(c, cos) < limit, "cos {x}: {:e}", off(c, cos));
        }
    }

    #[test]
    fn sine_keeps_the_low_part_of_its_argument() {
        let x = Dd::sum(1.0, 1e-20);
        let change = sin_cos(x).0 - sin_cos(Dd::ONE).0;
        assert!((change.hi() / (1e-20 * 1.0_f64.cos()) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn atan2_inverts_sine_and_cosine_in_every_quadrant() {
        for j in -31..=31 {
            let angle = Dd::from(f64::from(j)) / Dd::from(10.0);
            let (sin, cos) = sin_cos(angle);
            let back = atan2(sin * 3.0, cos * 3.0);
            let error = (back - angle).hi().abs();
            assert!(error < 6e-32, "{angle:?}: {error:e}");
        }
        assert_eq!(atan2(Dd::ZERO, Dd::ZERO), Dd::ZERO);
        assert!((atan2(Dd::ZERO, -Dd::ONE) - Dd::PI).hi().abs() < 1e-31);
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let one = Dd::ONE;
        let q = turn(Dd::PI.scale(0.25), &[Dd::ZERO, Dd::ZERO, one]);
        let [x, y, z] = rotate(&q, &[one, Dd::ZERO, Dd::ZERO]);
        assert!(x.hi().abs() < 1e-31 && (y - one).hi().abs() < 1e-31 && z.hi().abs() < 1e-31);
    }
}
