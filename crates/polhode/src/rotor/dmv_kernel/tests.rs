//! The kernel lane by lane, and in double-double.

use super::*;
use crate::rotor::dmv::body;
use polhode_elliptic::Dd;
use polhode_number::{Arithmetic, Pack};
use polhode_testkit::Wide;
use polhode_testkit::bodies::Rng;
use polhode_testkit::compare::slope;
use polhode_verify::taylor::FreeReference;

/// Lanes enough to be unlike their neighbours. More of them compile for a minute and compute the same.
const N: usize = 2;

/// Bodies and steps, from tiny to beyond convergence, now and then one of them at rest.
fn same_bits(rng: &mut Rng, order: u32, solver: EquationSolver) -> [bool; N] {
    let bodies: [DmvBody<f64>; N] = core::array::from_fn(|_| {
        let moments = core::array::from_fn(|_| Dd::from(rng.log_uniform(1.0, 5.0)));
        body(moments, order, solver, Dd::hi)
    });
    let mut m: [[f64; 3]; N] = core::array::from_fn(|_| rng.direction());
    if rng.below(4) == 0 {
        m[rng.below(N)] = [0.0; 3];
    }
    let h: [f64; N] = core::array::from_fn(|_| rng.log_uniform(1e-3, 1e3) * rng.sign());
    let pack = |v: &dyn Fn(usize) -> f64| Pack::<N>(core::array::from_fn(v));
    let mut series = [[Pack([0.0; N]); 2]; MOST_COEFFICIENTS];
    for (j, place) in series.iter_mut().enumerate() {
        *place = [0, 1].map(|s| pack(&|i| bodies[i].series[j][s]));
    }
    let all = DmvBody {
        moments: [0, 1, 2].map(|j| pack(&|i| bodies[i].moments[j])),
        inverse: [0, 1, 2].map(|j| pack(&|i| bodies[i].inverse[j])),
        terms: bodies[0].terms,
        series,
        solver,
    };
    let lanes = step(&all, [0, 1, 2].map(|j| pack(&|i| m[i][j])), Pack(h));
    core::array::from_fn(|i| {
        let one = step(&bodies[i], m[i], h[i]);
        let solved = one.residual < CONVERGED;
        assert_eq!(lanes.residual.0[i] < CONVERGED, solved);
        if solved {
            assert_eq!(lanes.residual.0[i].to_bits(), one.residual.to_bits());
            assert_eq!(lanes.iterations.0[i], one.iterations);
            assert_eq!(lanes.delta.map(|x| x.0[i].to_bits()), one.delta.map(f64::to_bits));
            let rotation = lanes.rotation().map(|x| x.0[i].to_bits());
            assert_eq!(rotation, one.rotation().map(f64::to_bits));
        }
        solved
    })
}

#[test]
fn a_lane_has_the_bits_of_a_scalar() {
    let mut rng = Rng::new(17);
    let mut solved = Vec::new();
    for solver in [EquationSolver::FixedPoint, EquationSolver::Newton] {
        for order in [2, 4, 6, 8, 10, 12, 14, 16, 18, 20] {
            for _ in 0..60 {
                solved.extend(same_bits(&mut rng, order, solver));
            }
        }
    }
    // Lanes that were solved beside lanes that were not.
    let count = solved.iter().filter(|x| **x).count();
    assert!(10 * count > 3 * solved.len() && 10 * count < 9 * solved.len(), "{count}");
}

const WATER: [f64; 3] = [0.345, 0.653, 1.0];
const TUMBLING: [f64; 3] = [0.5, 0.2, 0.8426149773176359];

/// Errors of momentum and attitude after n steps to time t, all in double-double.
fn errors(order: u32, t: f64, n: u32) -> [f64; 2] {
    let body = body(WATER.map(Dd::from), order, EquationSolver::FixedPoint, Wide);
    let h = Wide(Dd::from(t) / Dd::from(f64::from(n)));
    let mut m = TUMBLING.map(|x| Wide(Dd::from(x)));
    let mut q = [1.0, 0.0, 0.0, 0.0].map(Wide::splat);
    for _ in 0..n {
        let increment = step(&body, m, h);
        assert!(increment.residual.0.hi() < 1e-28);
        m = [0, 1, 2].map(|i| m[i] + increment.delta[i]);
        let [w, x, y, z] = increment.rotation();
        let [a, b, c, d] = q;
        q = [
            a + (a * w - b * x - c * y - d * z),
            b + (a * x + b * w + c * z - d * y),
            c + (a * y - b * z + c * w + d * x),
            d + (a * z + b * y - c * x + d * w),
        ];
    }
    let (m_true, q_true) = FreeReference::new(WATER, TUMBLING, [1.0, 0.0, 0.0, 0.0]).at(t);
    let length = |sum: Dd| sum.sqrt().hi();
    [
        length((0..3).fold(Dd::ZERO, |s, i| s + (m[i].0 - m_true[i]).square())),
        length((0..4).fold(Dd::ZERO, |s, i| s + (q[i].0 - q_true[i]).square())),
    ]
}

#[test]
fn high_orders_in_double_double() {
    for (order, longest) in [(12, 10), (14, 9), (16, 8), (18, 8), (20, 7)] {
        let counts = [0, 1, 2, 3, 4].map(|i| longest + 2 * i);
        let found = counts.map(|n| errors(order, 4.0, n));
        let steps = counts.map(|n| 4.0 / f64::from(n));
        for of in [0, 1] {
            let measured = slope(&steps, &found.map(|e| e[of]), 1e-28);
            let off = (measured - f64::from(order)).abs();
            assert!(off <= 0.25, "order {order}: {measured}, {found:?}");
        }
    }
}

#[test]
fn error_constants() {
    // Computed with 70 digits by another program: momentum and attitude at t = 1, 40 steps.
    for (order, [m, q]) in [
        (2, [1.97e-4, 1.99e-4]),
        (4, [2.82e-8, 1.85e-8]),
        (6, [2.11e-12, 1.12e-12]),
        (8, [1.14e-16, 5.70e-17]),
        (10, [5.33e-21, 2.66e-21]),
        (12, [2.40e-25, 1.20e-25]),
    ] {
        let found = errors(order, 1.0, 40);
        for (found, want) in found.into_iter().zip([m, q]) {
            assert!((found / want - 1.0).abs() < 5e-3, "order {order}: {found:e}, {want:e}");
        }
    }
}
