//! Values between the ends of steps.

use polhode::solve::{Event, EventPoint, SolveMethod, TimeError};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{Torque, VectorFrame};
use polhode::{Errors, Inertia, Problem, State};
use polhode_testkit::bodies::Rng;

use super::motions::{Motion, late, motion, slowing, tabled, upright};
use super::{error, top};

#[test]
fn values_within_steps_are_as_good_as_the_end() {
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let solution = top().solver().method(method).tolerance(tolerance).until(1.0).unwrap();
            let times: Vec<f64> = (0..=200).map(|i| f64::from(i) / 200.0).collect();
            let top = top();
            let best = top.solver().method(SolveMethod::Extrapolation).tolerance(1e-13);
            let want = best.times(&times).until(1.0).unwrap();
            for (t, want) in times.iter().zip(want.states()) {
                let off = error(&solution.at(*t).unwrap(), want);
                assert!(off < 10.0 * tolerance, "{method}, {tolerance:e} at {t}: {off:e}");
            }
        }
    }
}

/// The next random problem of some kind.
type NextMotion = fn(&mut Rng) -> Motion;

/// By how many tolerances states within steps of random problems are worse than the worse end of their step, in rising
/// order.
fn worse_within(method: SolveMethod, count: usize, next: NextMotion) -> Vec<f64> {
    let (mut rng, mut pick, mut worse) = (Rng::new(77), Rng::new(5), Vec::new());
    for _ in 0..count {
        let Motion { problem, until, tolerance, .. } = next(&mut rng);
        let solver = problem.solver().method(method).tolerance(tolerance);
        let Ok(solution) = solver.until(until) else { continue };
        let ends: Vec<(f64, State)> =
            solution.times().iter().copied().zip(solution.states().iter().copied()).collect();
        // Some of the steps, with times in them.
        let chance = 12.0 / ends.len() as f64;
        let steps: Vec<_> = ends.windows(2).filter(|_| pick.uniform(0.0, 1.0) < chance).collect();
        let mut times = Vec::new();
        for step in &steps {
            let (from, to) = (step[0].0, step[1].0);
            let mut parts = [0.0; 3].map(|_| pick.uniform(0.0, 1.0));
            parts.sort_by(f64::total_cmp);
            times.push(from);
            times.extend(parts.map(|part| from + part * (to - from)));
            times.push(to);
        }
        times.dedup();
        // By the other method, whose steps end at these times.
        let other = match method {
            SolveMethod::Dop853 => SolveMethod::Extrapolation,
            _ => SolveMethod::Dop853,
        };
        let solve = |tolerance: f64| {
            let solver = problem.solver().method(other).tolerance(tolerance);
            solver.stops(&times).times(&times).until(until).ok()
        };
        let Some(best) = solve(1e-13).or_else(|| solve(1e-3 * tolerance)) else { continue };
        for step in steps {
            let [(from, start), (to, end)] = [step[0], step[1]];
            // Momenta count relative to the larger one, as in a step.
            let size = start.m.length().max(end.m.length());
            let off = |t: f64, state: &State| {
                Errors::new(state, &best.at(t).unwrap(), size).worst() / tolerance
            };
            let worst = off(from, &start).max(off(to, &end));
            let within = times.iter().filter(|&&t| (t - from) * (to - t) > 0.0);
            worse.extend(within.map(|&t| off(t, &solution.at(t).unwrap()) - worst));
        }
    }
    worse.sort_by(f64::total_cmp);
    worse
}

#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
fn values_within_steps_are_as_good_as_their_ends() {
    // New within a step is its own error, which is never allowed more than a tolerance, and mostly far less: an error
    // inside is that of the steps before. The interpolation of Dop853 is not looked at by its steps, and of order 7:
    // of it, no more is known than of ends.
    for (method, usual, always) in
        [(SolveMethod::Extrapolation, 0.01, 1.0), (SolveMethod::Dop853, 0.2, 10.0)]
    {
        let kinds: [(usize, NextMotion); 5] =
            [(300, motion), (60, late), (60, slowing), (60, upright), (60, tabled)];
        for (count, next) in kinds {
            let worse = worse_within(method, count, next);
            let part = |p: f64| worse[((worse.len() - 1) as f64 * p) as usize];
            let (most, mostly) = (part(1.0), part(0.98));
            eprintln!("{method}: {} times, 98 % {mostly:.2e}, most {most:.2e}", worse.len());
            assert!(worse.len() > 10 * count, "{}", worse.len());
            assert!(most < always && mostly < usual, "{method}: {most} {mostly}");
            assert!(part(0.999) < 1.0, "{method}: {}", part(0.999));
        }
    }
}

/// A sudden pull, which begins and ends there.
fn pulled() -> (Problem, [f64; 2]) {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let rows = [[0.7, 0.4, -0.3, 1.0], [1.9, 0.0, 0.8, -0.5]];
    let table = VectorTable::new(&rows, Interpolation::Hold, Beyond::Zero).unwrap();
    let start = State::aligned([0.3, 2.0, 1.25]).unwrap();
    let problem = Problem::new(inertia, start).torque(Torque::table(table, VectorFrame::Space));
    (problem, [0.7, 1.9])
}

#[test]
fn states_next_to_a_jump_know_which_side_they_are_on() {
    let (problem, jumps) = pulled();
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for backwards in [false, true] {
            let (t0, until) = if backwards { (3.0, 0.0) } else { (0.0, 3.0) };
            let problem = problem.clone().starting_at(t0);
            let solver = || problem.solver().method(method).tolerance(1e-10);
            let solution = solver().until(until).unwrap();
            let mut asked = Vec::new();
            for jump in jumps {
                let after = solution.times().iter().position(|&t| t == jump).unwrap();
                let next = solution.times()[after + 1];
                asked.extend([0.01, 0.3, 0.9].map(|part| jump + part * (next - jump)));
            }
            asked.sort_by(|a, b| if backwards { b.total_cmp(a) } else { a.total_cmp(b) });
            // In lanes, one by one, and chosen before.
            let many = solution.at_many(&asked).unwrap();
            let chosen = solver().times(&asked).until(until).unwrap();
            assert_eq!(chosen.states(), many);
            for (&t, state) in asked.iter().zip(&many) {
                assert_eq!(solution.at(t).unwrap(), *state);
                let stopped = solver().stops(&[t]).until(t).unwrap().end().1;
                let off = error(state, &stopped);
                assert!(off < 1e-9, "{method} at {t}, from {t0}: {off:e}");
            }
            // What lies next to a jump is found where it is.
            let (first, level) = (asked[0], many[0].m.x);
            let event = Event::new(move |_, s: &State| s.m.x - level);
            let found = solver().event(event).until(until).unwrap();
            let near = |point: &EventPoint| (point.t - first).abs() < 1e-8;
            assert!(found.events()[0].iter().any(near), "{method}, from {t0}");
        }
    }
}

#[test]
fn times_outside_and_times_not_kept_are_errors() {
    let solution = top().solver().tolerance(1e-6).until(-1.0).unwrap();
    assert_eq!(solution.span(), (0.0, -1.0));
    assert!(solution.at(-0.5).is_ok() && solution.at(0.0).is_ok() && solution.at(-1.0).is_ok());
    for t in [0.1, -1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(solution.at(t), Err(TimeError::OutsideSpan { from: 0.0, to: -1.0, .. })));
    }
    let text = solution.at(0.5).unwrap_err().to_string();
    assert_eq!(text, "t = 0.5: the solution spans 0.0 to -1.0");
    let few = top().solver().tolerance(1e-6).times(&[0.25, 0.5]).until(1.0).unwrap();
    assert_eq!(few.times(), [0.25, 0.5]);
    assert_eq!(few.at(0.25).unwrap(), few.states()[0]);
    assert_eq!(few.at(1.0).unwrap(), few.end().1);
    assert_eq!(few.at(0.3), Err(TimeError::NotKept { t: 0.3 }));
    assert!(few.at_many(&[0.25, 0.3]).is_err());
}
