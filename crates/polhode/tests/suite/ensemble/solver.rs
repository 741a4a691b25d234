//! Many bodies solved to a tolerance.

use polhode::ensemble::{BodySamples, Cause, EnsembleSolver, FinalStates, Member};
use polhode::formula::{Constants, Formula};
use polhode::solve::SolveError;
use polhode::torque::{Damping, HeavyTop, TORQUES, VectorFrame};
use polhode::{Errors, Inertia, Problem, State, Torque};
use polhode_number::Registers;
use polhode_testkit::bodies::Rng;

const TIMES: [f64; 4] = [0.25, 0.5, 3.0, 4.5];

fn torque() -> Torque {
    Torque::from(HeavyTop::lagrange(0.3).unwrap()) + Damping::new([0.01, 0.02, 0.0]).unwrap()
}

/// Bodies of their own inertia, some with a full tensor.
fn bodies(count: usize) -> Vec<Member> {
    let mut rng = Rng::new(7);
    let body = |i: usize| {
        let moments = [1.0, rng.uniform(1.0, 2.0), 2.0];
        let inertia = if i.is_multiple_of(3) {
            Inertia::tensor([[moments[0], 0.1, 0.0], [0.1, moments[1], 0.05], [0.0, 0.05, 2.0]])
        } else {
            Inertia::principal(moments)
        };
        let momentum: [f64; 3] = rng.direction();
        Member { inertia: inertia.unwrap(), start: State::aligned(momentum).unwrap() }
    };
    (0..count).map(body).collect()
}

fn alone(body: &Member, t0: f64, times: &[f64]) -> Vec<State> {
    let problem = Problem::new(body.inertia, body.start).torque(torque()).starting_at(t0);
    let solver = problem.solver().tolerance(1e-9).times(times);
    solver.until(times[times.len() - 1]).unwrap().into_states()
}

#[test]
fn each_body_has_the_bits_it_has_alone() {
    let bodies = bodies(50);
    let mut shown = Vec::new();
    for (threads, block) in [(1, 50), (3, 7)] {
        let mut seen = vec![Vec::new(); bodies.len()];
        let mut sink = |samples: &BodySamples<'_>| {
            for i in 0..samples.len() {
                let body = usize::try_from(samples.first)? + i;
                seen[body].push((samples.t, samples.state(i), samples.is_running(i)));
            }
            Ok(())
        };
        let ensemble = EnsembleSolver::new(1e-9).torque(torque()).threads(threads).block(block);
        let summary = ensemble.run(bodies.clone().into_iter(), &TIMES, &mut sink).unwrap();
        assert_eq!((summary.bodies, summary.failed), (50, 0));
        shown.push(seen);
    }
    assert_eq!(shown[0], shown[1]);
    for (body, seen) in bodies.iter().zip(&shown[0]) {
        let want = alone(body, 0.0, &TIMES);
        let want: Vec<_> = TIMES.iter().zip(want).map(|(t, state)| (*t, state, true)).collect();
        assert_eq!(*seen, want);
    }
}

/// With its moments in any order, with a tensor, and some that cannot be solved; in all registers there are.
#[test]
fn every_torque_to_any_accuracy() {
    let mut bodies = bodies(24);
    for (i, body) in bodies.iter_mut().enumerate().filter(|(i, _)| i % 4 == 1) {
        body.inertia = Inertia::principal([2.0 + 0.01 * i as f64, 1.5, 1.0]).unwrap();
    }
    let models = TORQUES.iter().map(|entry| entry.build(&entry.example()).unwrap());
    for torque in models.chain([torque()]) {
        for tolerance in [1e-3, 1e-7, 1e-11, 1e-13] {
            let alone = |body: &Member| {
                let problem = Problem::new(body.inertia, body.start).torque(torque.clone());
                let solver = problem.solver().tolerance(tolerance).times(&TIMES);
                Some(solver.until(TIMES[3]).ok()?.into_states())
            };
            let want: Vec<_> = bodies.iter().map(alone).collect();
            for registers in Registers::available() {
                let (mut shown, mut failed) = (vec![Vec::new(); bodies.len()], Vec::new());
                let mut sink = |samples: &BodySamples<'_>| {
                    for (i, shown) in shown.iter_mut().enumerate() {
                        shown.push(samples.state(i));
                        failed.extend((!samples.is_running(i)).then_some(i));
                    }
                    Ok(())
                };
                let ensemble = EnsembleSolver::new(tolerance).torque(torque.clone());
                let ensemble = ensemble.registers(registers);
                ensemble.run(bodies.clone().into_iter(), &TIMES, &mut sink).unwrap();
                for (i, (want, shown)) in want.iter().zip(shown).enumerate() {
                    match want {
                        Some(want) => {
                            assert_eq!(shown, *want, "{torque:?} {tolerance} {registers:?}");
                        }
                        None => assert!(failed.contains(&i), "{torque:?} {tolerance}"),
                    }
                }
            }
        }
    }
}

#[test]
fn from_any_time_in_either_direction() {
    let bodies = bodies(3);
    let times = [1.5, 1.0, -2.0];
    let mut end = FinalStates::default();
    let ensemble = EnsembleSolver::new(1e-9).torque(torque()).from_time(2.0);
    ensemble.run(bodies.clone().into_iter(), &times, &mut end).unwrap();
    for (body, state) in bodies.iter().zip(end.states) {
        assert_eq!(state, alone(body, 2.0, &times)[2]);
    }
}

/// Of a force that is switched on at one time and turned round at another, each of which is a stop: with the bits that
/// each body has alone with the same stops, and the motion of the pieces solved one after the other.
#[test]
fn every_body_meets_the_stops() {
    const STOPS: [f64; 4] = [0.0, 0.7, 2.0, 3.0];
    let formula = |text: &str| Formula::new(text, &Constants::new()).unwrap();
    let torque = |x: &str| {
        let parts = [formula(x), formula("0.1*r31"), formula("0")];
        Torque::formula(parts, VectorFrame::Body)
    };
    let jumping = torque("0.4*sign(t) + 0.3*sign(t - 0.7) - 0.9*sign(t - 2)");
    let pieces = [("1.0", 0.7), ("1.6", 2.0), ("-0.2", 3.0)];
    let bodies = bodies(21);
    let run = |threads, block, registers| {
        let ensemble = EnsembleSolver::new(1e-9).torque(jumping.clone()).stops(&STOPS);
        let mut end = FinalStates::default();
        let ensemble = ensemble.threads(threads).block(block).registers(registers);
        ensemble.run(bodies.clone().into_iter(), &[0.5, 3.0], &mut end).unwrap();
        end.states
    };
    let found = run(1, 21, Registers::fastest());
    for registers in Registers::available() {
        assert_eq!(run(3, 5, registers), found);
    }
    for (body, found) in bodies.iter().zip(&found) {
        let problem = Problem::new(body.inertia, body.start).torque(jumping.clone());
        let alone = problem.solver().tolerance(1e-9).stops(&STOPS).until(3.0).unwrap().end().1;
        assert_eq!(*found, alone);
        let (mut state, mut t0) = (body.start, 0.0);
        for (strength, until) in pieces {
            let problem = Problem::new(body.inertia, state).torque(torque(strength));
            (t0, state) = problem.starting_at(t0).solve(until, 1e-12).unwrap().end();
        }
        assert!(Errors::new(found, &state, state.m.length()).worst() < 1e-9);
    }
    let refused = |stops: &[f64]| {
        let ensemble = EnsembleSolver::new(1e-9).torque(jumping.clone()).stops(stops);
        ensemble.check(&[0.5, 3.0]).unwrap_err().to_string()
    };
    let allowed = "times must be finite, lie between 0.0 and 3.0, and follow each other";
    for (stops, named) in [
        (&[-1.0][..], "stops[0] = -1.0: "),
        (&[1.0, 1.0], "stops[1] = 1.0: "),
        (&[1.0, 3.5], "stops[1] = 3.5: "),
        (&[2.0, 1.0], "stops[1] = 1.0: "),
        (&[f64::NAN], "stops[0] = NaN: "),
    ] {
        let said = refused(stops);
        assert!(said.starts_with(named) && said.contains(allowed), "{said}");
    }
}

#[test]
fn a_body_that_cannot_be_solved_leaves_the_others_alone() {
    let mut bodies = bodies(5);
    // So fast that rounding alone is more than the tolerance.
    bodies[2].start.m *= 1e5;
    let mut end = FinalStates::default();
    let ensemble = EnsembleSolver::new(1e-9).torque(torque());
    let summary = ensemble.run(bodies.clone().into_iter(), &TIMES, &mut end).unwrap();
    assert_eq!((summary.bodies, summary.failed), (5, 1));
    let failure = &end.failures[0];
    assert_eq!((failure.body, failure.step, failure.t), (2, 0, TIMES[0]));
    assert!(matches!(failure.cause, Cause::Solve(SolveError::Rounding { .. })), "{failure}");
    assert_eq!(end.states[2], bodies[2].start);
    for i in [0, 1, 3, 4] {
        assert_eq!(end.states[i], alone(&bodies[i], 0.0, &TIMES)[3]);
    }
}

#[test]
fn what_is_not_allowed_is_said_before_anything_is_done() {
    let sink = &mut FinalStates::default();
    let mut refused = |tolerance: f64, times: &[f64]| {
        let ensemble = EnsembleSolver::new(tolerance).torque(torque());
        ensemble.run(bodies(2).into_iter(), times, sink).unwrap_err().to_string()
    };
    assert_eq!(refused(0.5, &TIMES), "tolerance = 0.5: allowed are 1e-14 to 0.1");
    let text = refused(1e-9, &[1.0, 0.5, 2.0]);
    assert!(text.starts_with("times[1] = 0.5: times must be finite"), "{text}");
    let text = refused(1e-9, &[1.0, 3.0, 2.0]);
    assert!(text.starts_with("times[2] = 2.0: times must be finite"), "{text}");
    assert_eq!(refused(1e-9, &[1.0, f64::NAN]), "times: NaN at position 2 is not finite");
    assert!(sink.states.is_empty());
}

#[test]
fn no_times_need_no_solution() {
    let mut end = FinalStates::default();
    let summary = EnsembleSolver::new(1e-9).run(bodies(2).into_iter(), &[], &mut end).unwrap();
    assert_eq!((summary.bodies, end.states.len()), (2, 0));
}

#[test]
fn bodies_whose_steps_are_kept_short_have_the_bits_they_have_alone() {
    let mut bodies = bodies(6);
    for body in &mut bodies {
        // About 12,000 radians: by steps as long as their errors allow, rounding alone would be too much.
        let speed = body.inertia.omega(body.start.m).length();
        body.start.m *= 12_000.0 / (speed * TIMES[3]);
    }
    let mut end = FinalStates::default();
    let ensemble = EnsembleSolver::new(1e-9).torque(torque());
    let summary = ensemble.run(bodies.clone().into_iter(), &TIMES, &mut end).unwrap();
    assert_eq!((summary.bodies, summary.failed), (6, 0));
    for (body, state) in bodies.iter().zip(&end.states) {
        assert_eq!(*state, alone(body, 0.0, &TIMES)[3]);
    }
}
