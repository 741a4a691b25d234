//! The flow of m' = A m + b: the kick of a torque that is affine in the momentum.
//!
//! m(t) = exp(t A) m + t phi1(t A) b with phi1(z) = (exp z - 1)/z, to rounding of the momentum before
//! and after. A diagonal A takes three scalar exponentials, each to its last digits however fast the
//! decay; any other, a Taylor series of phi1 on t A / 2^s and s doublings. These carry
//! E = exp - 1 and not exp, so that a slow decay beside a fast one keeps its digits.

use glam::{DMat3, DVec3};

use crate::scale;

/// 0.5^k/(k+1)! is below half an ulp from here on.
const TERMS: u32 = 16;

pub(super) fn flow(matrix: DMat3, at_rest: DVec3, dt: f64, m: DVec3) -> DVec3 {
    let rate = DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
    if matrix == DMat3::from_diagonal(rate) {
        let along = |i: usize| scalar_flow(rate[i], at_rest[i], dt, m[i]);
        return DVec3::new(along(0), along(1), along(2));
    }
    let z = matrix * dt;
    let size = [z.x_axis, z.y_axis, z.z_axis].map(|c| c.abs().element_sum());
    let size = size[0].max(size[1]).max(size[2]);
    if !z.is_finite() || !size.is_finite() {
        return DVec3::NAN;
    }
    // size < 2^(e+1), scaled to less than a half.
    let halvings = if size == 0.0 { 0 } else { (scale::exponent(size) + 2).max(0) };
    let (mut e, mut phi) = start(z * scale::ldexp(1.0, -halvings));
    for _ in 0..halvings {
        phi += e * phi * 0.5;
        e = e * 2.0 + e * e;
    }
    m + (e * m + phi * (at_rest * dt))
}

/// exp(z) - 1 and phi1(z), for a z smaller than a half.
fn start(z: DMat3) -> (DMat3, DMat3) {
    let mut phi = DMat3::IDENTITY;
    for k in (2..=TERMS).rev() {
        phi = DMat3::IDENTITY + z * phi * (1.0 / f64::from(k));
    }
    (z * phi, phi)
}

fn scalar_flow(rate: f64, at_rest: f64, dt: f64, m: f64) -> f64 {
    let z = rate * dt;
    // What is not there stays so, also where the exponential overflows.
    let kept = if m == 0.0 { 0.0 } else { m * libm::exp(z) };
    // phi1 = 1 + z/2; and a z that underflows says nothing.
    let time = if z.abs() < f64::EPSILON { dt } else { libm::expm1(z) / rate };
    let gained = if at_rest == 0.0 { 0.0 } else { at_rest * time };
    kept + gained
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
