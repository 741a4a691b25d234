//! Solutions to a tolerance.

mod accuracy;
mod bits;
mod errors;
mod events;
mod motions;
mod rough;
mod tolerance;
mod vectorized;
mod within;

use polhode::solve::SolveMethod;
use polhode::torque::HeavyTop;
use polhode::{Errors, Inertia, Problem, State};

/// The top of Celledoni & Säfström.
pub(crate) fn top() -> Problem {
    let start = State::aligned([10.0, 50.0, 60.0]).unwrap();
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    Problem::new(inertia, start).torque(HeavyTop::lagrange(1.0).unwrap())
}

/// The end of a problem by another method: at a tolerance near rounding, or, where that is refused, at a
/// thousandth of the tolerance in question, or a hundredth.
pub(crate) fn end_by_other(
    problem: &Problem,
    used: SolveMethod,
    until: f64,
    tolerance: f64,
) -> Option<State> {
    let other = match used {
        SolveMethod::Dop853 => SolveMethod::Extrapolation,
        _ => SolveMethod::Dop853,
    };
    let solve = |tolerance: f64| {
        let solver = problem.solver().method(other).tolerance(tolerance).times(&[]);
        Some(solver.until(until).ok()?.end().1)
    };
    solve(1e-13).or_else(|| solve(1e-3 * tolerance)).or_else(|| solve(1e-2 * tolerance))
}

/// The larger error, that of the momentum relative to its length.
pub(crate) fn error(got: &State, want: &State) -> f64 {
    Errors::new(got, want, want.m.length()).worst()
}
