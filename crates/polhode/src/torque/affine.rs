//! The flow of m' = A m + b: the kick of a torque that is affine in the momentum.
//!
//! m(t) = exp(t A) m + t phi1(t A) b with phi1(z) = (exp z - 1)/z, to rounding of the momentum before
//! and after. A diagonal A takes three scalar exponentials, each to its last digits however fast the
//! decay; any other, a Taylor series of phi1 on t A / 2^s and s doublings. These carry
//! E = exp - 1 and not exp, so that a slow decay beside a fast one keeps its digits.

use polhode_number::vector::{Matrix, Vector, add, matrix_product, scale, select, transform};
use polhode_number::{Number, exp_wide};

/// 0.5^k/(k+1)! is below half an ulp from here on.
const TERMS: u32 = 16;

/// Doublings at most: the exponents of a double.
const DOUBLINGS: u32 = 1026;

/// The momentum after dt.
#[inline(always)]
pub(super) fn flow<N: Number>(
    matrix: &Matrix<N>,
    at_rest: Vector<N>,
    dt: N,
    m: Vector<N>,
) -> Vector<N> {
    let [[a, b, c], [d, e, f], [g, h, i]] = *matrix;
    let off = (b.abs() + c.abs() + d.abs()) + (f.abs() + g.abs() + h.abs());
    // Zero alone, and not compared with the least subnormal: some callers' threads take that for zero, too.
    let diagonal = (off * N::splat(1e300)).less(N::splat(f64::MIN_POSITIVE));
    let along = [
        scalar_flow(a, at_rest[0], dt, m[0]),
        scalar_flow(e, at_rest[1], dt, m[1]),
        scalar_flow(i, at_rest[2], dt, m[2]),
    ];
    if N::VARIES {
        // What is zero may change all the same: the derivatives are those of the full matrix.
        let whole = matrix_flow(matrix, at_rest, dt, m);
        let [x, y, z] = whole;
        let valued = [x.valued(along[0]), y.valued(along[1]), z.valued(along[2])];
        return select(diagonal, valued, whole);
    }
    if N::all(diagonal) {
        return along;
    }
    select(diagonal, along, matrix_flow(matrix, at_rest, dt, m))
}

#[inline(always)]
fn scalar_flow<N: Number>(rate: N, at_rest: N, dt: N, m: N) -> N {
    let zero = N::splat(0.0);
    let z = rate * dt;
    let (exp, minus_one) = exp_wide(z);
    // What is not there stays so, also where the exponential overflows; and a NaN stays one.
    let there = |x: N, then: N| N::select(zero.less(x.abs()), then, x.abs());
    let kept = there(m, m * exp);
    // phi1 = 1 + z/2; and a z that underflows says nothing.
    let little = z.abs().less(N::splat(f64::EPSILON));
    let time = N::select(little, dt * (N::splat(1.0) + z * N::splat(0.5)), minus_one / rate);
    kept + there(at_rest, at_rest * time)
}

#[inline(always)]
fn matrix_flow<N: Number>(
    matrix: &Matrix<N>,
    at_rest: Vector<N>,
    dt: N,
    m: Vector<N>,
) -> Vector<N> {
    let (half, one) = (N::splat(0.5), N::splat(1.0));
    let z = scaled(matrix, dt);
    let column = |v: Vector<N>| v[0].abs() + v[1].abs() + v[2].abs();
    let size = column(z[0]).max(column(z[1])).max(column(z[2]));
    // size < 2 power, scaled to less than a half. What is not finite is not doubled either.
    let (power, inverse) = size.power_of_two();
    let large = half.less(size) & size.less(N::splat(1e300));
    let shrink = N::select(large, inverse * N::splat(0.25), one);
    let mut left = N::select(large, power * N::splat(4.0), one);
    let (mut e, mut phi) = start(&scaled(&z, shrink));
    for _ in 0..DOUBLINGS {
        let on = N::splat(1.5).less(left);
        if !N::any(on) {
            break;
        }
        let next_phi = sum(&phi, &scaled(&matrix_product(&e, &phi), half));
        let next_e = sum(&scaled(&e, N::splat(2.0)), &matrix_product(&e, &e));
        for j in 0..3 {
            phi[j] = select(on, next_phi[j], phi[j]);
            e[j] = select(on, next_e[j], e[j]);
        }
        left = left * half;
    }
    add(m, add(transform(&e, m), transform(&phi, scale(at_rest, dt))))
}

/// exp(z) - 1 and phi1(z), for a z no larger than a half.
#[inline(always)]
fn start<N: Number>(z: &Matrix<N>) -> (Matrix<N>, Matrix<N>) {
    let (one, zero) = (N::splat(1.0), N::splat(0.0));
    let unit = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
    let mut phi = unit;
    for k in (2..=TERMS).rev() {
        phi = sum(&unit, &scaled(&matrix_product(z, &phi), N::splat(1.0 / f64::from(k))));
    }
    (matrix_product(z, &phi), phi)
}

#[inline(always)]
fn scaled<N: Number>(m: &Matrix<N>, factor: N) -> Matrix<N> {
    [scale(m[0], factor), scale(m[1], factor), scale(m[2], factor)]
}

#[inline(always)]
fn sum<N: Number>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])]
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};
    use polhode_number::Pack;

    fn flow(matrix: DMat3, at_rest: DVec3, dt: f64, m: DVec3) -> DVec3 {
        super::flow(&matrix.to_cols_array_2d(), at_rest.to_array(), dt, m.to_array()).into()
    }

    /// A rotation and its inverse around a diagonal matrix: flows turn along.
    fn turned(diagonal: [f64; 3]) -> (DMat3, DMat3) {
        let turn = DMat3::from_quat(crate::so3::exp(DVec3::new(0.4, -1.1, 0.7)));
        (turn, turn * DMat3::from_diagonal(diagonal.into()) * turn.transpose())
    }

    #[test]
    fn a_full_matrix_flows_like_its_eigenvalues() {
        let (m, b) = (DVec3::new(0.3, -0.8, 0.5), DVec3::new(-0.2, 0.1, 0.9));
        for diagonal in [[-1.0, -2.0, -3.0], [-1e-9, 0.0, -2e-9], [-0.01, -30.0, -7.0]] {
            let (turn, matrix) = turned(diagonal);
            let back = turn.transpose();
            for dt in [0.1, 1.0, -0.3] {
                let want =
                    turn * flow(DMat3::from_diagonal(diagonal.into()), back * b, dt, back * m);
                let got = flow(matrix, b, dt, m);
                // An ulp of the fastest rate, in a matrix that mixes it with the slowest.
                let largest = want.abs().max_element().max(1.0);
                assert!((got - want).length() < 4e-15 * largest, "{diagonal:?} {dt}: {got} {want}");
            }
        }
    }

    #[test]
    fn a_defective_matrix_flows_too() {
        // m1' = m2, m2' = b2: a body thrown upwards.
        let matrix = DMat3::from_cols(DVec3::ZERO, DVec3::X, DVec3::ZERO);
        let got = flow(matrix, DVec3::new(0.0, -9.5, 0.0), 2.0, DVec3::new(1.0, 4.0, 7.0));
        assert!((got - DVec3::new(-10.0, -15.0, 7.0)).length() < 1e-14, "{got}");
    }

    #[test]
    fn fast_decays_and_overflow_are_no_traps() {
        let diagonal = |x: f64| DMat3::from_diagonal(DVec3::new(-x, -1.0, 0.0));
        let got = flow(diagonal(1e300), DVec3::X * 1e300, 1e10, DVec3::X);
        assert_eq!(got, DVec3::X); // where torque and damping are in balance
        let got = flow(diagonal(800.0), DVec3::ZERO, -1.0, DVec3::Z);
        assert_eq!(got, DVec3::Z);
        let (_, matrix) = turned([-1e5, -2e5, -3e5]);
        let got = flow(matrix, DVec3::ZERO, 1.0, DVec3::ONE);
        assert!(got.length() < 1e-13, "{got}");
        assert!(flow(matrix, DVec3::ONE, f64::MAX, DVec3::ONE).is_nan());
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar() {
        let matrices = [
            DMat3::from_diagonal(DVec3::new(-1.0, 0.0, -900.0)),
            turned([-1.0, -2.0, -3.0]).1,
            turned([-50.0, -0.1, -3.0]).1,
            DMat3::ZERO,
        ];
        let (b, m) = ([0.2, 0.0, -0.4], [1.0, -2.0, 0.0]);
        let columns: [[[f64; 3]; 3]; 4] = matrices.map(|a| a.to_cols_array_2d());
        let lanes =
            [0, 1, 2].map(|j| [0, 1, 2].map(|i| Pack([0, 1, 2, 3].map(|k| columns[k][j][i]))));
        let (wide_b, wide_m) = (b.map(|x| Pack([x; 4])), m.map(|x| Pack([x; 4])));
        let got = super::flow(&lanes, wide_b, Pack([0.7; 4]), wide_m);
        for (k, matrix) in columns.iter().enumerate() {
            assert_eq!(got.map(|x| x.0[k]), super::flow(matrix, b, 0.7, m));
        }
    }
}
