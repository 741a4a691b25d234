//! Runs and what is read from them.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::observe::{ConservedQuantities, Invariants};
use polhode::{Errors, FreeMotion, Inertia, Plan, Problem, State, run};

use crate::ExperimentError;

/// Runs a method and shows every step, with its time, and the start.
pub(crate) fn trace(
    problem: &Problem,
    method: &str,
    step: f64,
    until: f64,
    mut see: impl FnMut(f64, &State),
) -> Result<State, ExperimentError> {
    let mut stepper = Method::parse(method)?.stepper(problem)?;
    let plan = Plan::until(problem.t0(), step, until)?;
    let mut watch = |sample: &polhode::observe::Sample<'_>| {
        see(sample.t, sample.state);
        std::ops::ControlFlow::Continue(())
    };
    Ok(run(problem, &mut *stepper, &plan, &mut [&mut watch])?.state)
}

/// The same with the changes of energy, length of the momentum, and momentum in space since the start; the first two
/// with their sign.
pub(crate) fn trace_changes(
    problem: &Problem,
    method: &str,
    step: f64,
    until: f64,
    mut see: impl FnMut(f64, &State, [f64; 3]),
) -> Result<State, ExperimentError> {
    let kept = |t: f64, state: &State| ConservedQuantities::new(problem.energy(t, state), state);
    let start = kept(problem.t0(), &problem.start());
    trace(problem, method, step, until, |t, s| see(t, s, kept(t, s).changes(&start)))
}

/// The largest changes of the same quantities along a run.
pub(crate) fn invariants(
    problem: &Problem,
    method: &str,
    step: f64,
    until: f64,
) -> Result<Invariants, ExperimentError> {
    let mut seen = Invariants::default();
    let mut stepper = Method::parse(method)?.stepper(problem)?;
    let plan = Plan::until(problem.t0(), step, until)?;
    run(problem, &mut *stepper, &plan, &mut [&mut seen])?;
    Ok(seen)
}

/// What a free body keeps.
pub(crate) fn conserved(inertia: &Inertia, state: &State) -> ConservedQuantities {
    ConservedQuantities::new(state.kinetic_energy(inertia), state)
}

/// By how much the momentum in space of a free body has changed, which a rotor may not keep.
pub(crate) fn spatial_change(inertia: &Inertia, state: &State, start: &State) -> f64 {
    conserved(inertia, state).departures(&conserved(inertia, start))[2]
}

/// The state at the end of a run.
pub(crate) fn end(
    problem: &Problem,
    method: &str,
    step: f64,
    until: f64,
) -> Result<State, ExperimentError> {
    let mut stepper = Method::parse(method)?.stepper(problem)?;
    let plan = Plan::until(problem.t0(), step, until)?;
    Ok(run(problem, &mut *stepper, &plan, &mut [])?.state)
}

/// The direction against the field, seen from the body: u = Q^T e3.
pub(crate) fn up(state: &State) -> DVec3 {
    state.q.conjugate() * DVec3::Z
}

/// The 2-norm of the difference of two attitude matrices: a rotation by an angle a differs from the
/// identity by 2 sin(a/2).
pub(crate) fn matrix_distance(a: &State, b: &State) -> f64 {
    2.0 * (0.5 * Errors::of_attitude(b.q, a.q)).sin().abs()
}

/// How far a state is from another one: the larger of the distances of momenta and of attitude matrices.
pub(crate) fn apart(a: &State, b: &State) -> f64 {
    Errors::of_momentum(a.m, b.m, 1.0).max(matrix_distance(a, b))
}

/// The exponent p of the best fit error ~ step^p, over points whose error is above rounding and
/// below saturation.
pub(crate) fn order(points: &[[f64; 2]], floor: f64, ceiling: f64) -> f64 {
    let logs: Vec<[f64; 2]> =
        points.iter().filter(|p| p[1] > floor && p[1] < ceiling).map(|p| p.map(f64::ln)).collect();
    slope(&logs)
}

/// The slope of the straight line nearest to the points; NaN for less than two.
pub(crate) fn slope(points: &[[f64; 2]]) -> f64 {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|&[x, y]| (x, y)).unzip();
    polhode_number::slope(&x, &y)
}

/// The order that DMV of a given order shows, in momentum and attitude at t = 10: with compensated
/// sums, fitted to the smallest errors above rounding.
pub(crate) fn dmv_order(
    moments: [f64; 3],
    momentum: [f64; 3],
    nominal: u32,
) -> Result<f64, ExperimentError> {
    let inertia = Inertia::principal_unphysical(moments)?;
    let start = State::aligned(momentum)?;
    let problem = Problem::new(inertia, start);
    let exact = FreeMotion::new(&inertia, start)?.at(10.0)?;
    let mut points = Vec::new();
    for steps in [20.0, 28.0, 40.0, 56.0, 80.0, 112.0, 160.0, 224.0, 320.0] {
        let h = 10.0 / steps;
        let state = end(&problem, &format!("dmv:order={nominal}:compensated"), h, 10.0)?;
        points.push([h, apart(&state, &exact)]);
    }
    Ok(order(&points, 2e-14, 1e-7))
}

/// Where a falling curve passes a height, by interpolation of logarithms: the time a method takes
/// for an error.
pub(crate) fn crossing(points: &[[f64; 2]], height: f64) -> Option<f64> {
    points.windows(2).find_map(|pair| {
        let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
        if (y0 - height) * (y1 - height) > 0.0 || y0 == y1 {
            return None;
        }
        let share = (height.ln() - y0.ln()) / (y1.ln() - y0.ln());
        Some((x0.ln() + share * (x1.ln() - x0.ln())).exp())
    })
}

/// The height of a curve at an abscissa, by interpolation of logarithms.
pub(crate) fn height(points: &[[f64; 2]], x: f64) -> Option<f64> {
    let turned: Vec<[f64; 2]> = points.iter().map(|&[x, y]| [y, x]).collect();
    crossing(&turned, x)
}

/// The largest of some numbers; NaN if one is, 0 if there are none.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    values.into_iter().fold(0.0, larger)
}

/// "About 10^n" and "O(10^n)" on the whole page: within this factor of 10^n, above and below.
pub(crate) const ABOUT: f64 = 6.0;

/// Whether a size is about 10^power.
pub(crate) fn about(size: f64, power: i32) -> bool {
    let ratio = size / 10f64.powi(power);
    (1.0 / ABOUT..=ABOUT).contains(&ratio)
}

/// Whether an error is about 10^power or less.
pub(crate) fn at_most_about(error: f64, power: i32) -> bool {
    error <= ABOUT * 10f64.powi(power)
}

/// The amplitude of an oscillation: half of what it spans.
pub(crate) fn amplitude(values: impl Iterator<Item = f64>) -> f64 {
    let ends =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    0.5 * (ends[1] - ends[0])
}

/// Steps 2^-from to 2^-to.
pub(crate) fn halvings(from: i32, to: i32) -> Vec<f64> {
    (from..=to).map(|k| 0.5_f64.powi(k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_fitted() {
        let points: Vec<[f64; 2]> =
            halvings(2, 9).into_iter().map(|h| [h, (3.0 * h.powi(4)).max(1e-9)]).collect();
        assert!((order(&points, 2e-9, 1.0) - 4.0).abs() < 1e-9);
        assert!(order(&[[1.0, 1.0]], 0.0, 2.0).is_nan());
    }

    #[test]
    fn crossings_are_found() {
        let points = [[1.0, 1e-2], [10.0, 1e-4], [100.0, 1e-6]];
        let x = crossing(&points, 1e-5).unwrap();
        assert!((x / 10f64.powf(1.5) - 1.0).abs() < 1e-12, "{x}");
        assert_eq!(crossing(&points, 1e-9), None);
        let y = height(&points, 10f64.powf(1.5)).unwrap();
        assert!((y / 1e-5 - 1.0).abs() < 1e-12, "{y}");
    }

    #[test]
    fn about_is_a_factor_of_six() {
        assert!(about(5.9e-3, -3) && about(1.7e-4, -3) && !about(6.1e-3, -3) && !about(1.6e-4, -3));
        assert!(at_most_about(0.0, -14) && !at_most_about(6.1e-14, -14));
        assert!(!about(f64::NAN, 0) && !at_most_about(f64::NAN, 0));
        assert_eq!(amplitude([1.0, -9.0, 0.5].into_iter()), 5.0);
    }

    #[test]
    fn a_nan_is_not_hidden() {
        assert!(largest([1.0, f64::NAN, 0.5]).is_nan());
        assert_eq!(largest([]), 0.0);
    }
}
