//! Symmetry in time, and the Poisson structure.

use glam::{DMat3, DVec3};
use polhode::method::Method;
use polhode::{Problem, State, so3};

use super::{Claims, free, methods, top};

fn step(method: &Method, problem: &Problem, h: f64, state: &State) -> State {
    let mut next = *state;
    method.stepper(problem).unwrap().step(problem, 0.0, h, &mut next).unwrap();
    next
}

#[test]
fn symmetric_methods_return_and_others_do_not() {
    let mut claims = Claims::default();
    for (spec, method) in methods() {
        let h = 0.2;
        let mut defect = 0.0f64;
        for problem in [top(), free()] {
            let there = step(&method, &problem, h, &problem.start());
            let back = step(&method, &problem, -h, &there);
            let (m, q) = (back.m - problem.start().m, back.q - problem.start().q);
            defect = defect.max(m.length()).max(q.length());
        }
        // A long composition rounds fifty times; Vilmart's algorithms lose a digit in their amplitudes.
        claims.see(&spec, "symmetry", method.keeps().symmetric, 1e-13, defect);
    }
    claims.check(1e-11);
}

/// A state next to another: momentum plus dm, attitude turned by `turn` in the body.
fn beside(state: &State, dm: DVec3, turn: DVec3) -> State {
    State { m: state.m + dm, q: state.q * so3::exp(turn) }
}

/// Columns of the derivative of a step: (dm, turn) after for each (dm, turn) before.
fn derivative(method: &Method, problem: &Problem, h: f64) -> [[DVec3; 2]; 6] {
    let e = 1e-4;
    let unit = [DVec3::X, DVec3::Y, DVec3::Z];
    let middle = step(method, problem, h, &problem.start());
    let after = |dm: DVec3, turn: DVec3| {
        let s = step(method, problem, h, &beside(&problem.start(), dm, turn));
        let turned = so3::log(middle.q.conjugate() * s.q);
        [s.m, turned]
    };
    core::array::from_fn(|i| {
        let (dm, turn) = if i < 3 { (unit[i], DVec3::ZERO) } else { (DVec3::ZERO, unit[i - 3]) };
        // Fourth-order differences: the second order alone would leave 1e-8.
        let d = |k: f64| {
            let (p, m) =
                (after(dm * (k * e), turn * (k * e)), after(dm * (-k * e), turn * (-k * e)));
            [(p[0] - m[0]) / (2.0 * k * e), (p[1] - m[1]) / (2.0 * k * e)]
        };
        let (one, two) = (d(1.0), d(2.0));
        [(one[0] * 4.0 - two[0]) / 3.0, (one[1] * 4.0 - two[1]) / 3.0]
    })
}

/// The largest entry of J B(m) J^T - B(m'), B the Poisson tensor of (m, turn):
/// m' = m x dH/dm - dH/dturn, turn' = dH/dm.
fn poisson_defect(method: &Method, problem: &Problem, h: f64) -> f64 {
    let columns = derivative(method, problem, h);
    let block = |row: usize, column: usize| {
        DMat3::from_cols(
            columns[3 * column][row],
            columns[3 * column + 1][row],
            columns[3 * column + 2][row],
        )
    };
    let j = [[block(0, 0), block(0, 1)], [block(1, 0), block(1, 1)]];
    let tensor = |m: DVec3| [[so3::hat(m), -DMat3::IDENTITY], [DMat3::IDENTITY, DMat3::ZERO]];
    let (before, after) =
        (tensor(problem.start().m), tensor(step(method, problem, h, &problem.start()).m));
    let mut largest = 0.0f64;
    for r in 0..2 {
        for c in 0..2 {
            let mut sum = -after[r][c];
            for k in 0..2 {
                for l in 0..2 {
                    sum += j[r][k] * before[k][l] * j[c][l].transpose();
                }
            }
            let entries = sum.to_cols_array();
            assert!(entries.iter().all(|x| x.is_finite()));
            largest = entries.iter().fold(largest, |m, x| m.max(x.abs()));
        }
    }
    largest
}

#[test]
fn symplectic_methods_keep_the_poisson_structure_and_others_do_not() {
    let mut claims = Claims::default();
    for (spec, method) in methods() {
        let defect =
            poisson_defect(&method, &top(), 0.3).max(poisson_defect(&method, &free(), 0.3));
        claims.see(&spec, "Poisson structure", method.keeps().symplectic, 1e-9, defect);
    }
    claims.check(1e-8);
}
