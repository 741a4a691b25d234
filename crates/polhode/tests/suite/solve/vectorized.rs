//! Torque functions that take several states at once: the bits of one by one, in fewer calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;
use polhode::ensemble::{Ensemble, FinalStates, Member};
use polhode::solve::{Event, SolveMethod};
use polhode::torque::{Call, Dependence, Function, TorqueFunction};
use polhode::{Inertia, Plan, Problem, State};

/// A heavy top with drag; counts its calls, and remembers the latest time it was asked for.
struct Top {
    vectorized: bool,
    calls: Arc<AtomicU64>,
    latest: f64,
}

impl Top {
    fn at(&self, t: f64, state: &State) -> DVec3 {
        assert!(t <= self.latest, "asked for t = {t:?}");
        (state.q.conjugate() * DVec3::Z).cross(DVec3::new(0.3, 0.0, 20.0)) - 0.01 * state.m
    }
}

impl TorqueFunction for Top {
    fn torque(&self, _body: &Inertia, t: f64, state: &State) -> DVec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.at(t, state)
    }

    fn torques(&self, calls: &[Call<'_>], torques: &mut [DVec3]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        for (call, torque) in calls.iter().zip(torques) {
            *torque = self.at(call.t, &call.state);
        }
    }

    fn is_vectorized(&self) -> bool {
        self.vectorized
    }

    fn dependence(&self) -> Dependence {
        Dependence::Momentum
    }
}

fn top(vectorized: bool, inertia: Inertia) -> (Problem, Arc<AtomicU64>) {
    let calls = Arc::new(AtomicU64::new(0));
    let torque = Top { vectorized, calls: calls.clone(), latest: 3.0 };
    let start = State::aligned([1.0, 5.0, 6.0]).unwrap();
    (Problem::new(inertia, start).torque(torque), calls)
}

fn bodies() -> [Inertia; 2] {
    let full = Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]]);
    [Inertia::principal([1.0, 5.0, 6.0]).unwrap(), full.unwrap()]
}

#[test]
fn the_solver_calls_for_all_lanes_at_once() {
    for inertia in bodies() {
        for tolerance in [1e-3, 1e-6, 1e-10] {
            let solve = |vectorized: bool, method: Option<SolveMethod>| {
                let (problem, calls) = top(vectorized, inertia);
                let mut solver = problem.solver().tolerance(tolerance).times(&[]);
                if let Some(method) = method {
                    solver = solver.method(method);
                }
                let solution = solver.until(3.0).unwrap();
                (solution.end(), solution.method(), calls.load(Ordering::Relaxed))
            };
            let (end, method, calls) = solve(true, None);
            assert_eq!(method, SolveMethod::Extrapolation);
            let (same, _, by_one) = solve(false, Some(SolveMethod::Extrapolation));
            assert_eq!(end, same, "{tolerance:e}");
            // Steps have four or eight lanes; a solution and its trials each begin with one state.
            assert!((4 * (calls - 4)..=8 * calls).contains(&by_one), "{calls} {by_one}");
            let (_, chosen, by_dop853) = solve(false, None);
            assert_eq!(chosen, SolveMethod::Dop853);
            // At large tolerances there is little to choose.
            let most = if tolerance > 1e-5 { 1.5 } else { 0.7 };
            assert!((calls as f64) < most * by_dop853 as f64, "{tolerance:e}: {calls} {by_dop853}");
        }
    }
}

#[test]
fn no_lane_asks_for_what_is_no_state() {
    for tolerance in [1e-3, 1e-7, 1e-12] {
        let torque = Function::new(Dependence::Momentum, |_, _, state: &State| {
            assert!(state.m.is_finite() && state.q.is_finite(), "asked for {state:?}");
            -0.01 * state.m
        });
        let problem = Problem::new(bodies()[0], State::aligned([1.0, 5.0, 6.0]).unwrap());
        let problem = problem.torque(torque);
        let solver = problem.solver().method(SolveMethod::Extrapolation).tolerance(tolerance);
        let solution = solver.first_step(0.1).until(0.1).unwrap();
        assert_eq!(solution.statistics().steps, 1);
    }
}

#[test]
fn where_events_are_looked_for_it_is_interpolated() {
    let (problem, _) = top(true, bodies()[0]);
    let event = Event::new(|_, state: &State| state.m.x);
    let solution = problem.solver().tolerance(1e-8).event(event).until(3.0).unwrap();
    assert_eq!(solution.method(), SolveMethod::Dop853);
    assert!(!solution.events()[0].is_empty());
}

#[test]
fn an_ensemble_has_the_bits_of_one_by_one() {
    let run = |vectorized: bool| {
        let calls = Arc::new(AtomicU64::new(0));
        let torque = Top { vectorized, calls: calls.clone(), latest: 3.0 };
        let members = (0..37).map(|i| {
            let start = State::aligned([1.0, 0.1 * f64::from(i), 2.0]).unwrap();
            Member { inertia: bodies()[0], start }
        });
        let mut ends = FinalStates::default();
        let plan = Plan { step: 0.05, steps: 20 };
        let ensemble = Ensemble::new("strang+exact").unwrap().torque(torque);
        ensemble.run(members, &plan, u64::MAX, &mut ends).unwrap();
        (ends, calls.load(Ordering::Relaxed))
    };
    let ((at_once, calls), (one_by_one, more)) = (run(true), run(false));
    assert_eq!(at_once.states, one_by_one.states);
    assert!(4 * calls <= more, "{calls} {more}");
}
