//! Solving the equations of implicit methods: when to stop, and the linear algebra.
//!
//! An iteration goes on until its updates no longer become smaller, not until they are below some
//! tolerance: what is left is the rounding of the equation itself. Methods write their equation as
//! x = g(x); `fixed-point` iterates that, `newton` solves 1 - g' for the update. That matrix is kept
//! once the updates are small: it gains five digits with each iteration then, and costs nothing.

use crate::StepError;
use crate::parameters::{MethodParameter, ParameterKind, Parameters};

/// How the equation of a step is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EquationSolver {
    /// Newton's iteration with the exact derivative: three or four iterations, and large steps.
    #[default]
    Newton,
    /// Fixed-point iteration: cheap where the torque is, for steps well below a radian.
    FixedPoint,
}

/// The parameter that chooses the solver.
pub(super) const SOLVER: MethodParameter = MethodParameter {
    name: "solver",
    doc: "How the equation of a step is solved.",
    kind: ParameterKind::Choice(&["newton", "fixed-point"]),
};

/// Newton's matrix is kept once an update with it is smaller than this.
const KEEP_MATRIX: f64 = 1e-5;

/// When an iteration has done what it can.
struct StopRule {
    /// Updates that are larger do not count as rounding.
    rounding: f64,
    /// After so many updates without a new smallest one the iteration ends.
    patience: u32,
    limit: u32,
}

impl EquationSolver {
    pub(super) fn new(parameters: &Parameters) -> Self {
        if parameters.choice("solver") == "fixed-point" { Self::FixedPoint } else { Self::Newton }
    }

    fn stop_rule(self) -> StopRule {
        match self {
            // Quadratic convergence: an update below half the digits is the last that is not rounding.
            Self::Newton => StopRule { rounding: 1e-8, patience: 1, limit: 50 },
            // Linear convergence, and updates that turn may grow once while they shrink on average.
            Self::FixedPoint => StopRule { rounding: 1e-12, patience: 3, limit: 1000 },
        }
    }

    /// Repeats `update`, which improves its unknown and tells the size of the change relative to it,
    /// until nothing but rounding is left; gives the number of iterations. `update` is told whether
    /// to take a new derivative; it starts with zero in its place, as a fixed-point iteration does.
    ///
    /// # Errors
    /// [`StepError::NoConvergence`] of the method `id` if it never comes to that.
    pub(super) fn settle(
        self,
        id: &'static str,
        h: f64,
        mut update: impl FnMut(bool) -> f64,
    ) -> Result<u32, StepError> {
        let StopRule { rounding, patience, limit } = self.stop_rule();
        let (mut smallest, mut stale) = (f64::INFINITY, 0);
        let mut iterations = 0;
        while iterations < limit {
            iterations += 1;
            let size = update(self == Self::Newton && smallest > KEEP_MATRIX);
            if size == 0.0 {
                return Ok(iterations);
            }
            if size < smallest {
                (smallest, stale) = (size, 0);
                continue;
            }
            if !size.is_finite() {
                break;
            }
            stale += 1;
            if smallest < rounding && stale >= patience {
                return Ok(iterations);
            }
        }
        Err(StepError::NoConvergence { rotor: id, h, iterations, residual: smallest })
    }
}

/// The size of an update relative to the size of its unknown; 0 where both vanish.
pub(super) fn relative(update: f64, unknown: f64) -> f64 {
    if update == 0.0 { 0.0 } else { update / unknown }
}

/// A square matrix of at most N rows, factorised by elimination with partial pivoting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors<const N: usize> {
    rows: usize,
    a: [[f64; N]; N],
    pivot: [usize; N],
}

impl<const N: usize> Factors<N> {
    /// Factors of the identity of no rows: solving with them changes nothing.
    pub(super) fn identity() -> Self {
        Self { rows: 0, a: [[0.0; N]; N], pivot: [0; N] }
    }

    /// Factorises the leading rows. A singular matrix has solutions that are not finite.
    pub(super) fn new(rows: usize, mut a: [[f64; N]; N]) -> Self {
        let mut pivot = [0; N];
        for k in 0..rows {
            let mut largest = k;
            for i in k + 1..rows {
                if a[i][k].abs() >= a[largest][k].abs() {
                    largest = i;
                }
            }
            pivot[k] = largest;
            a.swap(k, largest);
            let row = a[k];
            for below in &mut a[k + 1..rows] {
                below[k] /= row[k];
                let factor = below[k];
                for (x, along) in below[k + 1..rows].iter_mut().zip(&row[k + 1..rows]) {
                    *x -= factor * along;
                }
            }
        }
        Self { rows, a, pivot }
    }

    /// Replaces the right-hand side by the solution.
    pub(super) fn solve(&self, x: &mut [f64; N]) {
        // All exchanges first: later ones have moved the factors of earlier columns too.
        for k in 0..self.rows {
            x.swap(k, self.pivot[k]);
        }
        for (k, row) in self.a[..self.rows].iter().enumerate() {
            let (before, rest) = x.split_at_mut(k);
            for (factor, x) in row.iter().zip(before) {
                rest[0] -= factor * *x;
            }
        }
        for (k, row) in self.a[..self.rows].iter().enumerate().rev() {
            let after = k + 1..self.rows;
            let known: f64 = row[after.clone()].iter().zip(&x[after]).map(|(a, x)| a * x).sum();
            x[k] = (x[k] - known) / row[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newton_stops_at_rounding_and_not_before() {
        let mut x: f64 = 1.0;
        let n = EquationSolver::Newton.settle("test", 0.1, |_| {
            let d = (2.0 - x * x) / (2.0 * x);
            x += d;
            (d / x).abs()
        });
        assert!((4..=7).contains(&n.unwrap()), "{n:?}");
        assert!((x - 2f64.sqrt()).abs() <= f64::EPSILON);
    }

    #[test]
    fn a_fixed_point_that_turns_is_followed_to_rounding() {
        // Updates whose largest component grows now and then: factor 0.8, turned by a radian.
        let (target, mut x) = ([0.3, -0.7], [10.0, 0.0]);
        let n = EquationSolver::FixedPoint.settle("test", 0.1, |_| {
            let e: [f64; 2] = [x[0] - target[0], x[1] - target[1]];
            let (s, c) = (0.8 * 1f64.sin(), 0.8 * 1f64.cos());
            let next = [target[0] + c * e[0] - s * e[1], target[1] + s * e[0] + c * e[1]];
            let size = (next[0] - x[0]).abs().max((next[1] - x[1]).abs());
            x = next;
            size
        });
        assert!(n.is_ok(), "{n:?}");
        assert!((x[0] - target[0]).abs().max((x[1] - target[1]).abs()) < 1e-15, "{x:?}");
    }

    #[test]
    fn an_update_that_grows_far_from_the_solution_does_not_end_newton() {
        let mut sizes = [1e-1, 3e-2, 5e-1, 1e-3, 1e-7, 1e-14, 1e-14, 1e-14].into_iter();
        let found = EquationSolver::Newton.settle("test", 0.1, |_| sizes.next().unwrap());
        assert_eq!(found, Ok(7));
    }

    #[test]
    fn what_does_not_converge_is_an_error() {
        let mut growing = 1.0;
        for (solver, limit) in [(EquationSolver::Newton, 50), (EquationSolver::FixedPoint, 1000)] {
            let found = solver.settle("test", 0.1, |_| {
                growing *= 1.01;
                growing
            });
            let Err(StepError::NoConvergence { rotor: "test", iterations, .. }) = found else {
                panic!("{found:?}")
            };
            assert_eq!(iterations, limit);
            let found = solver.settle("test", 0.1, |_| f64::NAN);
            assert!(matches!(found, Err(StepError::NoConvergence { iterations: 1, .. })));
        }
    }

    #[test]
    fn a_matrix_is_taken_until_updates_are_small() {
        let (mut fresh, mut size) = (Vec::new(), 1.0);
        let mut update = |new: bool| {
            fresh.push(new);
            size *= 1e-3;
            if size < 1e-13 { 1e-13 } else { size }
        };
        assert_eq!(EquationSolver::Newton.settle("test", 0.1, &mut update), Ok(6));
        assert_eq!(fresh, [true, true, false, false, false, false]);
        let never = |new: bool| if new { f64::NAN } else { 0.0 };
        assert_eq!(EquationSolver::FixedPoint.settle("test", 0.1, never), Ok(1));
    }

    #[test]
    fn elimination_solves() {
        // The first pivots are zero or small, so that rows must be exchanged, twice in a cycle.
        let a = [
            [0.0, 2.0, 1.0, 9.0],
            [1e-9, -1.0, 3.0, 9.0],
            [4.0, 1.0, -2.0, 9.0],
            [9.0, 9.0, 9.0, 9.0],
        ];
        let want = [1.5, -2.0, 0.25, 7.0];
        let mut x = [0.0, 0.0, 0.0, 7.0];
        for i in 0..3 {
            x[i] = (0..3).map(|j| a[i][j] * want[j]).sum();
        }
        let factors = Factors::new(3, a);
        let mut again = x;
        for x in [&mut x, &mut again] {
            factors.solve(x);
            for i in 0..4 {
                assert!((x[i] - want[i]).abs() < 1e-15, "{x:?}");
            }
        }
        Factors::identity().solve(&mut x);
        assert_eq!(x, again);
    }
}
