//! Diagonalisation of a symmetric tensor by Jacobi rotations, in double-double.

use glam::{DMat3, DVec3};
use polhode_elliptic::Dd;

/// Cyclic Jacobi converges quadratically; a 3x3 matrix in 32 digits takes at most eight sweeps.
const MAX_SWEEPS: usize = 24;

/// Relative size of what the rotations leave in the moments by rounding, with a margin.
const ROTATION_NOISE: f64 = 1e-30;

/// The eigenvalues of a symmetric matrix whose largest entry has binary exponent `exponent`, and
/// the rotation (w, x, y, z) from principal to given coordinates, none if it is diagonal already.
pub(super) fn diagonalise(rows: [[f64; 3]; 3], exponent: i32) -> ([Dd; 3], Option<[Dd; 4]>) {
    let scaled = |x: f64| crate::scale::ldexp(x, -exponent);
    let mut a = [[Dd::ZERO; 3]; 3];
    for r in 0..3 {
        for c in 0..3 {
            // The mean of the two mirror entries; exact in double-double.
            a[r][c] = Dd::sum(0.5 * scaled(rows[r][c]), 0.5 * scaled(rows[c][r]));
        }
    }
    let mut rotation = [Dd::ONE, Dd::ZERO, Dd::ZERO, Dd::ZERO];
    let mut turned = false;
    for _ in 0..MAX_SWEEPS {
        let mut quiet = true;
        for (p, q) in [(0, 1), (1, 2), (2, 0)] {
            if let Some((c, s)) = jacobi_rotation(&a, p, q) {
                conjugate(&mut a, p, q, c, s);
                rotation = turn(rotation, p, q, c, s);
                (quiet, turned) = (false, true);
            }
        }
        if quiet {
            break;
        }
    }
    let back = |x: Dd| crate::scale::ldexp_dd(x, exponent);
    let moments = equalised([a[0][0], a[1][1], a[2][2]]);
    (moments.map(back), turned.then_some(rotation))
}

/// Moments that agree but for the rounding of the rotations are equal: a symmetric body given as a
/// tensor is symmetric.
fn equalised(mut moments: [Dd; 3]) -> [Dd; 3] {
    for (i, j) in [(0, 1), (1, 2), (0, 2)] {
        let gap = (moments[i] - moments[j]).hi().abs();
        if gap <= ROTATION_NOISE * moments[i].hi().abs().max(moments[j].hi().abs()) {
            moments[j] = moments[i];
        }
    }
    moments
}

/// R diag(d) R^T, rounded, R the rotation of a quaternion.
pub(super) fn turned_diagonal(rotation: [Dd; 4], d: [Dd; 3]) -> DMat3 {
    let [w, x, y, z] = rotation;
    // Columns of R^T: the body axes in principal coordinates.
    let unit = |i: usize| core::array::from_fn(|j| if i == j { Dd::ONE } else { Dd::ZERO });
    let axes: [[Dd; 3]; 3] = core::array::from_fn(|i| rotate([w, -x, -y, -z], unit(i)));
    let entry = |r: usize, c: usize| {
        (0..3).fold(Dd::ZERO, |sum, k| sum + axes[r][k] * d[k] * axes[c][k]).hi()
    };
    let column = |c: usize| DVec3::from_array([0, 1, 2].map(|r| entry(r, c)));
    DMat3::from_cols(column(0), column(1), column(2))
}

/// Cosine and sine of the rotation in the plane (p, q) that clears entry (p, q), if there is one.
fn jacobi_rotation(a: &[[Dd; 3]; 3], p: usize, q: usize) -> Option<(Dd, Dd)> {
    let off = a[p][q];
    let size = (a[p][p].hi() * a[q][q].hi()).abs().sqrt();
    // Relative to the diagonal, so that a tiny moment keeps its digits beside a large one.
    if off.hi() == 0.0 || off.hi().abs() <= 1e-33 * size {
        return None;
    }
    // t = tan of the angle, the smaller root of t² + 2 θ t - 1 = 0.
    let theta = (a[q][q] - a[p][p]) / off.scale(2.0);
    let root = (theta.square() + Dd::ONE).sqrt();
    let t = Dd::ONE / (theta.abs() + root);
    let t = if theta.hi() < 0.0 { -t } else { t };
    let c = Dd::ONE / (t.square() + Dd::ONE).sqrt();
    Some((c, c * t))
}

/// A <- J^T A J with J the rotation by (c, s) in the plane (p, q).
fn conjugate(a: &mut [[Dd; 3]; 3], p: usize, q: usize, c: Dd, s: Dd) {
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    let (row_p, row_q) = (a[p], a[q]);
    a[p] = core::array::from_fn(|k| c * row_p[k] - s * row_q[k]);
    a[q] = core::array::from_fn(|k| s * row_p[k] + c * row_q[k]);
    (a[p][q], a[q][p]) = (Dd::ZERO, Dd::ZERO);
}

/// Composes the rotation J, whose columns are the new axes, onto a quaternion.
fn turn(r: [Dd; 4], p: usize, q: usize, c: Dd, s: Dd) -> [Dd; 4] {
    // J sends e_p to c e_p - s e_q: a turn by -angle about the third axis for cyclic (p, q).
    let half = ((Dd::ONE + c).scale(0.5)).sqrt();
    let sine = -(s / half.scale(2.0));
    let mut j = [half, Dd::ZERO, Dd::ZERO, Dd::ZERO];
    j[1 + (3 - p - q)] = sine;
    multiply(r, j)
}

fn multiply(a: [Dd; 4], b: [Dd; 4]) -> [Dd; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// v turned by a unit quaternion.
pub(super) fn rotate(q: [Dd; 4], v: [Dd; 3]) -> [Dd; 3] {
    let [w, x, y, z] = q;
    let r = multiply(multiply(q, [Dd::ZERO, v[0], v[1], v[2]]), [w, -x, -y, -z]);
    [r[1], r[2], r[3]]
}
