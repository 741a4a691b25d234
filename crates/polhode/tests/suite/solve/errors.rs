//! Bad input, and motions that cannot be solved: errors that say what to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polhode::glam::DVec3;
use polhode::solve::{Change, Event, SolveError, SolveMethod};
use polhode::torque::{ConstantTorque, Damping, Dependence, Function, HeavyTop};
use polhode::{Control, Inertia, Problem, State, Stop, Torque, so3};

use super::{error, top};

fn text<T>(result: Result<T, SolveError>) -> String {
    match result {
        Ok(_) => panic!("this is no error"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn numbers_out_of_range_are_named() {
    for until in [f64::NAN, f64::INFINITY] {
        assert!(text(top().solve(until, 1e-6)).starts_with("until = "));
    }
    for tolerance in [0.0, -1e-6, 1e-17, 1.0, f64::NAN] {
        let said = text(top().solve(1.0, tolerance));
        assert!(said.ends_with("allowed are 1e-14 to 0.1"), "{said}");
    }
    assert!(text(top().solver().tolerance(0.5).until(1.0)).starts_with("tolerance = 0.5: "));
    assert!(text(top().solver().momentum(0.5, 0.0).until(1.0)).starts_with("rtol = 0.5: "));
    assert!(text(top().solver().momentum(1e-6, -1.0).until(1.0)).starts_with("atol = -1.0"));
    assert!(text(top().solver().angle(2.0).until(1.0)).starts_with("angle = 2.0"));
    assert!(text(top().solver().max_step(0.0).until(1.0)).starts_with("max_step = 0.0"));
    assert!(text(top().solver().max_step(1e-310).until(1.0)).starts_with("max_step = "));
    assert!(text(top().solver().first_step(1e-310).until(1.0)).ends_with("at least 1e-300"));
    assert!(text(top().solver().first_step(f64::NAN).until(1.0)).starts_with("first_step = NaN"));
    for times in [&[0.5, 0.5][..], &[0.5, 0.2], &[-0.1], &[1.5], &[f64::NAN]] {
        let said = text(top().solver().times(times).until(1.0));
        assert!(said.starts_with("times["), "{said}");
        let said = text(top().solver().stops(times).until(1.0));
        assert!(said.starts_with("stops["), "{said}");
    }
    // Backwards they fall.
    assert!(top().solver().times(&[0.0, -0.5, -1.0]).until(-1.0).is_ok());
    let said = text("rk4".parse::<SolveMethod>());
    assert!(said.ends_with("; known: extrapolation, dop853, closed-form"), "{said}");
    let said = text(top().solver().method(SolveMethod::ClosedForm).until(1.0));
    assert!(said.starts_with("method \"closed-form\""), "{said}");
    // Of those that repeat each other the first; what was given last counts.
    let top = top();
    let repeated = top.solver().tolerance(0.5).momentum(0.5, 0.0);
    assert!(text(repeated.until(1.0)).starts_with("tolerance = 0.5: "));
    let given_anew = top.solver().momentum(0.5, 0.0).angle(0.5).tolerance(0.7);
    assert!(text(given_anew.until(1.0)).starts_with("tolerance = 0.7: "));
}

#[test]
fn a_solver_is_told_from_a_method_of_fixed_steps() {
    let said = |id: &str| top().simulate(id, 0.01, 1.0).map(|_| ()).unwrap_err().to_string();
    for method in SolveMethod::ALL {
        let said = said(method.id());
        let expected = format!("'{method}' is no method of fixed steps: ");
        assert!(said.contains(&expected) && said.contains("to a tolerance"), "{said}");
    }
    assert!(said("dop583").ends_with("no method 'dop583'; did you mean 'dop853'?"));
    assert!(said("rk5").ends_with("no method 'rk5'; did you mean 'rk4'?"));
    assert!(said("nothing").contains("no method 'nothing'; known: rk4, "));
}

#[test]
fn an_estimate_that_cannot_be_had_names_the_tolerance_that_was_given() {
    let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
    let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5]).unwrap(), start);
    let solver = || problem.solver().tolerance(1e-10).method(SolveMethod::Extrapolation);
    assert!(solver().until(900.0).is_ok());
    let said = text(solver().estimating_error().until(900.0));
    assert_eq!(
        said,
        "tolerance = 1e-10: the error of the solution cannot be estimated, which takes another to a tenth of that: \
         over 1669 radians rounding alone adds up to about 3.3e-11; allow more, or solve for a shorter time, or do \
         without the estimate"
    );
}

fn with(torque: impl Fn(&Inertia, f64, &State) -> DVec3 + Send + Sync + 'static) -> Problem {
    let start = State::aligned([1.0, 2.0, 0.5]).unwrap();
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    Problem::new(inertia, start).torque(Function::new(Dependence::Momentum, torque))
}

#[test]
fn a_torque_that_is_not_finite_is_named_with_its_time() {
    let broken = with(|_, _, _| DVec3::NAN);
    assert!(text(broken.solve(1.0, 1e-6)).starts_with("the torque at t = 0.0 is not finite"));
    // From some time on: steps shrink towards it.
    for last in [0.0, 0.5] {
        let breaks = with(move |_, t, _| if t > last { DVec3::NAN } else { DVec3::X });
        for method in [SolveMethod::Dop853, SolveMethod::Extrapolation] {
            let error = breaks.solver().method(method).tolerance(1e-6).until(1.0).unwrap_err();
            let SolveError::TorqueNotFinite { t } = error else { panic!("{method}: {error}") };
            assert!((t - last).abs() < 1e-9, "{method}: {t}");
        }
    }
}

#[test]
fn a_singular_torque_is_said_to_be_one() {
    let singular = with(|_, t, _| DVec3::X / (0.5 - t));
    let said = text(singular.solve(1.0, 1e-8));
    assert!(said.contains("at t = 0.49") || said.contains("at t = 0.5"), "{said}");
}

#[test]
fn a_body_that_is_balanced_but_for_rounding_is_said_to_be_so() {
    // Upright along a direction that is not one of the axes, where two products cancel to 1e-17 or so.
    let attitude = so3::exp([0.3, -0.8, 0.4].into());
    let torque = HeavyTop::new([0.2, 0.7, 1.0], attitude * DVec3::new(0.2, 0.7, 1.0)).unwrap();
    let start = State::new([0.0; 3], attitude).unwrap();
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let said = text(Problem::new(inertia, start).torque(torque).solve(3.0, 1e-8));
    assert!(
        said.starts_with("the body starts at rest where the torque cancels but for r"),
        "{said}"
    );
}

#[test]
fn next_to_a_singularity_it_is_soon_given_up() {
    // Where 0.7 - t has lost most of its digits, the torque jumps with the rounding of t: steps shorter than
    // those jumps are done, longer ones fail.
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let singular = with(move |_, t, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        DVec3::X / ((0.7 - t) * (0.7 - t))
    });
    let error = singular.solve(1.0, 1e-8).unwrap_err();
    let SolveError::StepTooSmall { t, .. } = error else { panic!("{error}") };
    assert!((t - 0.7).abs() < 1e-6, "{t}");
    // Without giving up, forty million.
    let calls = calls.load(Ordering::Relaxed);
    assert!(calls < 1_000_000, "{calls}");
}

#[test]
fn what_rounding_spoils_is_refused() {
    let said = text(top().solve(1000.0, 1e-12));
    assert!(said.starts_with("tolerance = 1e-12: over 17321 radians rounding"), "{said}");
    // A free body is known at any time.
    let free = Problem::new(*top().inertia(), top().start());
    assert!(free.solve(1e6, 1e-12).is_ok());
    // A top that falls over again and again.
    let start = State::aligned([0.3, 0.2, 0.1]).unwrap();
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let tumbling = Problem::new(inertia, start)
        .torque(HeavyTop::new([0.5, 0.3, 1.0], [0.0, 0.0, 1.0]).unwrap());
    let said = text(tumbling.solve(1000.0, 1e-10));
    assert!(said.contains("nothing is known of it; solve for a shorter time"), "{said}");
}

#[test]
fn an_end_next_to_the_start_is_refused() {
    let said = text(top().solve(1e-310, 1e-6));
    assert_eq!(said, "until = 1e-310: must be the start, 0.0, or at least 1e-300 from it");
    let end = top().solve(1e-299, 1e-6).unwrap().end().1;
    assert!(super::error(&end, &top().start()) < 1e-15, "{end:?}");
}

#[test]
fn times_that_steps_hardly_change_are_refused() {
    let near = top().solve(8.0, 1e-8).unwrap().end().1;
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let late = |t0: f64| {
            let top = top().starting_at(t0);
            top.solver().method(method).tolerance(1e-8).until(t0 + 8.0)
        };
        let end = late(1e13).unwrap().end().1;
        assert!(super::error(&end, &near) < 1e-8, "{end:?}");
        for (t0, apart) in [(1e14, "0.015625"), (1e15, "0.125"), (1e16, "2.0")] {
            let said = text(late(t0));
            let expected = format!("at t = {t0:?} doubles are {apart} apart");
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.ends_with(": count time from nearer to the start"), "{said}");
        }
    }
    // Under this torque the steps become as short on the way.
    let start = State::aligned([0.0, 0.0, 1.0]).unwrap();
    let spun = Problem::new(Inertia::principal([1.0, 2.0, 2.5]).unwrap(), start)
        .torque(ConstantTorque::body([0.0, 0.0, 100.0]).unwrap())
        .starting_at(1e13);
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let spun = spun.solver().method(method).tolerance(1e-4);
        let error = spun.until(1e13 + 50.0).unwrap_err();
        assert!(matches!(error, SolveError::TimeTooCoarse { t, .. } if t > 1e13), "{error}");
    }
}

#[test]
fn events_that_are_not_finite_are_named() {
    let event = Event::new(|t, _: &State| if t > 0.5 { f64::NAN } else { 1.0 });
    let said = text(top().solver().tolerance(1e-6).event(event).until(1.0));
    assert!(said.starts_with("event 0 at t = 0.5"), "{said}");
    let zero = |_, s: &State| s.m.x;
    let nowhere = |_, s: &State| Change::state(State { m: s.m * f64::NAN, q: s.q });
    let event = Event::new(zero).then(nowhere);
    let said = text(top().solver().tolerance(1e-6).event(event).until(1.0));
    assert!(said.starts_with("event 0 at t = 0.") && said.contains("momentum = "), "{said}");
}

#[test]
fn a_run_is_stopped_and_watched() {
    let stop = Stop::new();
    stop.request();
    let stopped = top().solver().control(Control::stopped_by(&stop)).until(1.0);
    assert!(matches!(stopped, Err(SolveError::Stopped(_))));
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let told_to = Arc::clone(&told);
    let control = Control::default().telling(move |part| told_to.lock().unwrap().push(part));
    top().solver().control(control).until(-1.0).unwrap();
    let parts = told.lock().unwrap();
    assert!(parts.is_sorted() && parts.last() == Some(&1.0) && parts[0] > 0.0);
}

#[test]
fn nothing_happens_in_no_time() {
    let solution = top().solve(0.0, 1e-6).unwrap();
    assert_eq!((solution.end(), solution.times()), ((0.0, top().start()), &[0.0][..]));
    assert_eq!(solution.at(0.0).unwrap(), top().start());
    assert_eq!(solution.statistics().steps, 0);
}

#[test]
fn steps_are_no_longer_than_allowed() {
    let top = top();
    let lengths = |first: Option<f64>, until: f64| -> Vec<f64> {
        let mut solver = top.solver().tolerance(1e-4).max_step(0.01);
        if let Some(first) = first {
            solver = solver.first_step(first);
        }
        let solution = solver.until(until).unwrap();
        solution.times().windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect()
    };
    // The last two are a little more than one step, and than a hundred and ten.
    for until in [1.0, 0.3, 0.011, -1.101] {
        let lengths = lengths(None, until);
        assert!(lengths.iter().all(|h| *h < 0.01 * (1.0 + 1e-12)), "{until}: {lengths:?}");
        // And not one too many, by rounding.
        assert_eq!(lengths.len() as f64, (until.abs() * 100.0 - 1e-9).ceil(), "{until}");
    }
    let lengths = lengths(Some(0.001), 1.0);
    assert!(lengths[0] < 0.0011 && lengths.iter().all(|h| *h < 0.01 * (1.0 + 1e-12)));
}

#[test]
fn steps_next_to_nothing_end() {
    let top = top().starting_at(1.0);
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let solver = || top.solver().method(method).tolerance(1e-6);
        let want = solver().until(2.0).unwrap().end().1;
        let found = solver().first_step(1e-20).until(2.0).unwrap();
        assert!(error(&found.end().1, &want) < 1e-5, "{method}");
        let refused = solver().max_step(1e-17).until(2.0).unwrap_err();
        assert!(matches!(refused, SolveError::Step { name: "max_step", .. }), "{refused}");
        assert_eq!(
            refused.to_string(),
            "max_step = 1e-17: must be positive, at least 3.552713678800501e-15"
        );
    }
}

#[test]
fn a_body_that_turns_ever_faster_is_refused_in_time() {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    let start = State::aligned([3.0, 5.0, 6.0]).unwrap();
    let grows = |_: &Inertia, _: f64, s: &State| s.m * 0.3;
    let later = |_: &Inertia, t: f64, _: &State| DVec3::X * (t * t).exp();
    let damping = Damping::new([0.3; 3]).unwrap();
    let problem = Problem::new(inertia, start);
    for (torque, until) in [
        (Function::new(Dependence::Momentum, grows).into(), 100.0),
        (Function::new(Dependence::Attitude, later).into(), 10.0),
        (Torque::from(damping), -300.0),
    ] {
        let calm = problem.clone().torque(torque);
        let refused = calm.solve(until, 1e-6).unwrap_err();
        assert!(matches!(refused, SolveError::Rounding { .. }), "{refused}");
        let radians = |error: &SolveError| match error {
            SolveError::Rounding { radians, .. } => *radians,
            _ => f64::NAN,
        };
        assert!(radians(&refused) < 1e6, "{refused}");
        // An event before does not mind.
        let event = Event::new(|t, _: &State| t.abs() - 0.5).terminal();
        let found = calm.solver().tolerance(1e-6).event(event).until(until).unwrap();
        assert!((found.end().0.abs() - 0.5).abs() < 1e-12);
    }
    let far = Event::new(|t, _: &State| t - 0.5).terminal();
    let found = problem.solver().tolerance(1e-9).event(far).until(1e15).unwrap();
    assert!((found.end().0 - 0.5).abs() < 1e-10);
}

#[test]
fn steps_that_are_far_too_short_grow_again() {
    let (problem, until) = (top(), 1.0);
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for tolerance in [1e-6, 1e-9, 1e-10, 1e-11, 1e-12] {
            let solver = problem.solver().method(method).tolerance(tolerance).first_step(1e-12);
            let steps = solver.until(until).unwrap().statistics().steps;
            assert!(steps < 2000, "{method}, {tolerance:e}: {steps} steps");
        }
    }
    // The extrapolation passes a jump that nobody has named in very short steps.
    let jump = |_: &Inertia, t: f64, _: &State| DVec3::new(1.0, 0.1, 0.0) * (t - 0.3).signum();
    let problem = problem.torque(Function::new(Dependence::Attitude, jump));
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
        let solver = problem.solver().method(SolveMethod::Extrapolation).tolerance(tolerance);
        let steps = solver.until(until).unwrap().statistics().steps;
        assert!(steps < 2000, "{tolerance:e}: {steps} steps");
    }
}
