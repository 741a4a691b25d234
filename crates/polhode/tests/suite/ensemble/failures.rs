//! Bodies that cannot go on, beside others that can.

use polhode::ensemble::{BodySamples, Cause, Ensemble, FinalStates, FreeEnsemble, Member, Width};
use polhode::{FreeMotion, Inertia, Plan, State, StepError, Torque};

use super::{mixed, values};

#[test]
fn a_body_that_fails_stays_and_the_others_go_on() {
    // Body 5 turns more than a quarter turn a step, which dmv cannot do; body 12 is a hair slower.
    let mut bodies = mixed(20, 6);
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    bodies[5] = Member { inertia, start: State::aligned([40.0, 3.0, 1.0]).unwrap() };
    let plan = Plan { step: 0.1, steps: 4 };
    for width in Width::available() {
        for threads in [1, 2] {
            let mut end = FinalStates::default();
            let ensemble = Ensemble::new("dmv").unwrap().width(width).threads(threads);
            let summary = ensemble.run(bodies.iter().copied(), &plan, 1, &mut end).unwrap();
            let failed = end.failures.iter().map(|f| f.body).collect::<Vec<_>>();
            assert!(failed.contains(&5), "{failed:?}");
            assert_eq!(summary.failed, failed.len() as u64);
            let failure = end.failures.iter().find(|f| f.body == 5).unwrap();
            assert_eq!((failure.step, failure.t), (1, 0.0));
            assert!(matches!(failure.cause, Cause::Step(StepError::NoConvergence { .. })));
            assert_eq!(end.states[5], bodies[5].start);
            assert_ne!(end.states[6].q, bodies[6].start.q);
            let text = failure.to_string();
            let why = "dmv: no convergence: the body turns too far in a step of 0.1 for its equation \
                       to be solved; take a smaller step";
            assert_eq!(text, format!("body 5 at step 1, t = 0.0: {why}"));
        }
    }
}

#[test]
fn momentum_that_grows_out_of_range_is_the_failure_of_that_body() {
    let light = Inertia::principal([1e-140, 1.1e-140, 1.2e-140]).unwrap();
    let heavy = Inertia::principal([1.0, 1.1, 1.2]).unwrap();
    let start = State::aligned([0.0, 0.0, 0.0]).unwrap();
    let bodies = [heavy, light, heavy].map(|inertia| Member { inertia, start });
    let field = Torque::build("heavy-top", &values(&[("centre", [1e3, 0.0, 0.0].into())])).unwrap();
    let mut end = FinalStates::default();
    let ensemble = Ensemble::new("strang+exact").unwrap().torque(field.clone());
    ensemble.run(bodies.into_iter(), &Plan { step: 0.1, steps: 3 }, 1, &mut end).unwrap();
    assert_eq!(end.failures.len(), 1);
    assert_eq!(end.failures[0].body, 1);
    assert_eq!(end.states[1], start);
    assert_eq!(end.states[0], end.states[2]);
}

#[test]
fn a_torque_that_overflows_fails_before_the_first_step() {
    let field = Torque::build("gravity-gradient", &values(&[("rate", 1e100.into())])).unwrap();
    let inertias = [[1e120, 1e120, 1.5e120], [1e-100, 1e-100, 1.5e-100]];
    let start = State::aligned([0.0; 3]).unwrap();
    let bodies = inertias.map(|i| Member { inertia: Inertia::principal(i).unwrap(), start });
    for bodies in [&bodies[..], &bodies[..1]] {
        let mut end = FinalStates::default();
        let ensemble = Ensemble::new("strang+exact").unwrap().torque(field.clone());
        let plan = Plan { step: 1e-103, steps: 2 };
        let summary = ensemble.run(bodies.iter().copied(), &plan, 1, &mut end).unwrap();
        assert_eq!((summary.bodies, summary.failed), (bodies.len() as u64, 1));
        let failure = summary.first_failure.unwrap();
        assert_eq!((failure.body, failure.step), (0, 0));
        assert!(matches!(failure.cause, Cause::Torque(_)), "{failure}");
        assert_eq!(end.states[0], start);
    }
}

#[test]
fn a_free_motion_out_of_range() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let body = |m: f64| Member { inertia, start: State::aligned([m, 0.1 * m, 0.2 * m]).unwrap() };
    let mut end = FinalStates::default();
    let bodies = [body(1.0), body(1e6), body(2.0)];
    let times = [1.0, 1e9, 2.0];
    let summary = FreeEnsemble::new().run(bodies.into_iter(), &times, &mut end).unwrap();
    assert_eq!(summary.failed, 1);
    let failure = summary.first_failure.unwrap();
    assert_eq!((failure.body, failure.step, failure.t), (1, 1, 1e9));
    assert!(failure.to_string().contains("1e13 rad"), "{failure}");
}

#[test]
fn a_free_motion_that_has_failed_stays_where_it_was() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let body = |m: f64| Member { inertia, start: State::aligned([m, 0.1 * m, 0.2 * m]).unwrap() };
    let bodies = [body(1.0), body(1e6), body(2.0)];
    let motions = bodies.map(|body| FreeMotion::new(&inertia, body.start).unwrap());
    // The second body fails at one of the times, wherever that lies among those evaluated together.
    for failing in [0, 3, 7, 8, 11, 20] {
        let mut times: Vec<f64> = (1..=21).map(f64::from).collect();
        times[failing] = 1e9;
        let last_good = match failing {
            0 => bodies[1].start,
            n => motions[1].at(times[n - 1]).unwrap(),
        };
        let mut seen = 0;
        let mut sink = |samples: &BodySamples<'_>| {
            let step = usize::try_from(samples.step)?;
            seen += 1;
            for i in [0, 2] {
                assert!(samples.is_running(i));
                assert_eq!(samples.state(i), motions[i].at(samples.t).unwrap());
            }
            assert_eq!(samples.is_running(1), step < failing, "time {step}, failing at {failing}");
            let want = if step < failing { motions[1].at(samples.t).unwrap() } else { last_good };
            assert_eq!(samples.state(1), want, "time {step}, failing at {failing}");
            Ok(())
        };
        let summary = FreeEnsemble::new().run(bodies.into_iter(), &times, &mut sink).unwrap();
        assert_eq!((seen, summary.failed), (21, 1));
        let failure = summary.first_failure.unwrap();
        assert_eq!((failure.body, failure.step, failure.t), (1, failing as u64, 1e9));
        assert_eq!(failure.state, last_good);
    }
}
