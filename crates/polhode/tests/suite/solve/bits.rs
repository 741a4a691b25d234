//! The same bits whatever the lanes, and whatever is asked for along the way.

use polhode::solve::{Event, Solution, SolveMethod};
use polhode::torque::{Damping, GravityGradient, Torque};
use polhode::{Inertia, Problem, State};
use polhode_number::Registers;
use polhode_testkit::bodies::Rng;

use super::motions::motion;
use super::top;

#[test]
fn registers_of_any_make_have_the_same_bits() {
    let mut rng = Rng::new(5);
    for _ in 0..40 {
        let case = motion(&mut rng);
        for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
            let solve = |registers: Registers| {
                let solver = case.problem.solver().method(method).tolerance(case.tolerance);
                let solution = solver.registers(registers).until(case.until);
                let solution = solution.map_err(|error| error.to_string())?;
                // Within steps, one by one and side by side.
                let (t0, end) = solution.span();
                let times = [0.11, 0.37, 0.52, 0.68, 0.93].map(|part| t0 + part * (end - t0));
                let many = solution.at_many(&times).unwrap();
                let within: Vec<State> = times.map(|t| solution.at(t).unwrap()).into();
                assert_eq!(many, within, "{}, {registers:?}", case.name);
                Ok::<_, String>((solution.states().to_vec(), solution.statistics(), within))
            };
            let want = solve(Registers::portable());
            for registers in Registers::available() {
                assert_eq!(solve(registers), want, "{}, {method}, {registers:?}", case.name);
            }
        }
    }
}

/// A satellite with drag: a sum, a time, a momentum.
fn satellite() -> Problem {
    let gradient = GravityGradient::new(0.5, [0.0, 0.3, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let start = State::aligned([0.6, 1.5, -0.4]).unwrap();
    Problem::new(Inertia::principal([1.0, 2.0, 2.5]).unwrap(), start)
        .torque(Torque::from(gradient) + Damping::new([0.01; 3]).unwrap())
}

#[test]
fn steps_and_end_do_not_depend_on_what_is_asked_for() {
    for problem in [top(), satellite()] {
        for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
            let solver = || problem.solver().method(method).tolerance(1e-8);
            let whole = solver().until(2.0).unwrap();
            let fine: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 500.0).collect();
            let others: [Solution; 4] = [
                solver().times(&[]).until(2.0).unwrap(),
                solver().times(&fine).until(2.0).unwrap(),
                solver().dense(false).until(2.0).unwrap(),
                solver().event(Event::new(|_, s: &State| s.m.x)).until(2.0).unwrap(),
            ];
            for other in &others {
                assert_eq!(other.end(), whole.end());
                assert_eq!(other.statistics().steps, whole.statistics().steps);
            }
            assert_eq!(others[2].states(), whole.states());
            // Nor do the values within.
            for (t, state) in others[1].times().iter().zip(others[1].states()) {
                assert_eq!(whole.at(*t).unwrap(), *state, "{t}");
            }
            let some: Vec<f64> = fine.iter().copied().step_by(7).collect();
            let few = solver().times(&some).until(2.0).unwrap();
            assert_eq!(few.states(), whole.at_many(&some).unwrap());
        }
    }
}

#[test]
fn what_is_kept_is_what_is_found_there() {
    let solution = top().solve(1.0, 1e-9).unwrap();
    assert_eq!(solution.times()[0], 0.0);
    assert_eq!(solution.states()[0], top().start());
    assert_eq!(solution.times().len() as u64, solution.statistics().steps + 1);
    for (t, state) in solution.times().iter().zip(solution.states()) {
        assert_eq!(solution.at(*t).unwrap(), *state);
    }
    // A copy, in another thread.
    let copy = solution.clone();
    let there = std::thread::spawn(move || copy.at(0.3).unwrap()).join().unwrap();
    assert_eq!(there, solution.at(0.3).unwrap());
}
