//! How the methods that are not splittings conduct themselves: compensated sums, what is carried
//! from step to step, errors, units, solvers, memory.

use crate::problems::{forced, free, problem, run, specs, stepper, tensor, tumbling};
use polhode::glam::DVec3;
use polhode::method::{METHODS, Method};
use polhode::torque::{Damping, Dependence, Function, HeavyTop};
use polhode::{Inertia, Problem, State, StepError};

#[test]
fn compensation_leaves_the_rounding_of_one_step() {
    let problem = free();
    let start = problem.start();
    let drift = |spec: &str| {
        let end = run(&mut *stepper(spec, &problem), &problem, 1e-3, 50_000);
        let space = (end.spatial_momentum() - start.spatial_momentum()).length();
        let length = (end.m.length() / start.m.length() - 1.0).abs();
        (space / start.m.length(), length)
    };
    for entry in METHODS {
        assert!(entry.parameters.iter().any(|p| p.name == "compensated"), "{}", entry.id);
        let (space, length) = drift(&format!("{}:compensated", entry.id));
        // A few roundings of the state as it is seen, whatever the number of steps.
        if entry.keeps.spatial_momentum {
            assert!(space < 1e-15, "{}: {space:e}", entry.id);
        }
        if entry.keeps.momentum_norm {
            assert!(length < 5e-16, "{}: {length:e}", entry.id);
        }
    }
    // Not so without: the walk of 50000 roundings is seen.
    assert!(drift("rkmk4").0 > 3e-15);
    // The length of the momentum of RK4 drifts by its truncation, here below rounding.
    assert!(drift("rk4:compensated").1 < 2e-15);
}

#[test]
fn attitudes_stay_of_unit_length() {
    let problem = free();
    for spec in specs() {
        for spec in [spec.clone(), format!("{spec}:compensated")] {
            let (mut method, mut state) = (stepper(&spec, &problem), problem.start());
            for n in 0..20_000 {
                method.step(&problem, f64::from(n) * 1e-3, 1e-3, &mut state).unwrap();
                let off = (state.q.length() - 1.0).abs();
                assert!(off < 4e-16, "{spec}, step {n}: {off:e}");
            }
        }
    }
}

#[test]
fn a_run_goes_on_from_what_was_carried() {
    for problem in [free(), forced()] {
        for spec in specs() {
            for spec in [spec.clone(), format!("{spec}:compensated")] {
                let whole = run(&mut *stepper(&spec, &problem), &problem, 0.05, 20);
                let mut first = stepper(&spec, &problem);
                let mut state = run(&mut *first, &problem, 0.05, 7);
                let mut second = stepper(&spec, &problem);
                second.restore(&first.carried()).unwrap();
                assert_eq!(second.carried(), first.carried(), "{spec}");
                for n in 7..20 {
                    let t = problem.t0() + f64::from(n) * 0.05;
                    second.step(&problem, t, 0.05, &mut state).unwrap();
                }
                assert_eq!(state, whole, "{spec}");
                // And from nothing after a reset.
                second.reset();
                assert_eq!(second.carried(), stepper(&spec, &problem).carried(), "{spec}");
                let fresh = run(&mut *second, &problem, 0.05, 20);
                assert_eq!(fresh, whole, "{spec}");
            }
        }
    }
}

#[test]
fn a_step_that_fails_leaves_everything_as_it_was() {
    let nan = Function::new(
        Dependence::Momentum,
        |_: &Inertia, t: f64, s: &State| {
            if t > 0.5 { s.m * f64::NAN } else { DVec3::X }
        },
    );
    let problem = problem(&tensor(), nan, tumbling());
    for spec in specs() {
        for spec in [spec.clone(), format!("{spec}:compensated")] {
            let mut method = stepper(&spec, &problem);
            let mut state = run(&mut *method, &problem, 0.02, 5);
            let (before, carried) = (state, method.carried());
            for (t, h) in [(1.0, 0.1), (0.0, f64::NAN), (0.0, f64::INFINITY), (0.0, 1e14)] {
                let error = method.step(&problem, t, h, &mut state).unwrap_err();
                let h_of = match error {
                    StepError::OutOfRange { h, .. } | StepError::NoConvergence { h, .. } => h,
                    other => panic!("{spec}: {other}"),
                };
                assert_eq!(h_of.to_bits(), h.to_bits(), "{spec}");
                assert_eq!((state, method.carried()), (before, carried.clone()), "{spec}");
            }
            let mut broken = State { m: DVec3::new(1.0, f64::NAN, 0.0), q: state.q };
            assert!(method.step(&problem, 0.0, 0.1, &mut broken).is_err(), "{spec}");
        }
    }
}

#[test]
fn what_cannot_be_solved_is_an_error_with_the_name_of_the_method() {
    let problem = free();
    // Forty radians in a step.
    for (spec, id) in [
        ("be:solver=fixed-point", "be"),
        ("imidm:solver=fixed-point", "imidm"),
        ("rkmk:tableau=gauss2:solver=fixed-point", "rkmk"),
    ] {
        let mut state = problem.start();
        let error = stepper(spec, &problem).step(&problem, 0.0, 20.0, &mut state).unwrap_err();
        let StepError::NoConvergence { rotor, .. } = error else { panic!("{spec}: {error}") };
        assert_eq!(rotor, id);
        assert_eq!(state, problem.start());
    }
}

#[test]
fn both_solvers_come_to_the_same() {
    for problem in [free(), forced()] {
        for spec in specs() {
            let entry = METHODS.iter().find(|m| spec.split(':').next() == Some(m.id)).unwrap();
            if !entry.parameters.iter().any(|p| p.name == "solver") {
                continue;
            }
            let newton = run(&mut *stepper(&spec, &problem), &problem, 0.1, 10);
            let fixed = format!("{spec}:solver=fixed-point");
            let fixed = run(&mut *stepper(&fixed, &problem), &problem, 0.1, 10);
            let off = (newton.m - fixed.m).length() + (newton.q - fixed.q).length();
            assert!(off < 1e-14, "{spec}: {off:e}");
        }
    }
}

#[test]
fn methods_have_no_units() {
    let start = tumbling();
    let inertia = [1.1, 1.4, 1.9];
    for spec in specs() {
        let go = |i: i32, m: i32| {
            let (i, m) = (2f64.powi(i), 2f64.powi(m));
            let inertia = Inertia::principal(inertia.map(|x| x * i)).unwrap();
            let start = State { m: start.m * m, q: start.q };
            // Energies scale with m²/i, times with i/m.
            let top = HeavyTop::new(DVec3::new(0.3, -0.2, 0.7) * (m / i) * m, [0.0, 0.0, 1.0]);
            let problem = problem(&inertia, top.unwrap(), start);
            let mut method = stepper(&spec, &problem);
            let mut state = start;
            for _ in 0..5 {
                method.step(&problem, 0.0, 0.125 * i / m, &mut state).unwrap();
            }
            State { m: state.m / m, q: state.q }
        };
        let plain = go(0, 0);
        for (i, m) in [(-150, -490), (-150, 400), (100, -400), (100, 490)] {
            assert_eq!(go(i, m), plain, "{spec}, 2^{i}, 2^{m}");
        }
    }
}

#[test]
fn a_body_at_rest_starts_to_turn() {
    let start = State::aligned([0.0; 3]).unwrap();
    let inertia = Inertia::principal([1.1, 1.4, 1.9]).unwrap();
    let torque = |_: &Inertia, _: f64, s: &State| DVec3::new(0.0, 0.0, 0.3) - s.m * 0.1;
    let pushed = problem(&inertia, Function::new(Dependence::Momentum, torque), start);
    let resting = problem(&inertia, polhode::Torque::none(), start);
    let damped = problem(&inertia, Damping::new(DVec3::splat(0.2)).unwrap(), start);
    for spec in specs() {
        let end = run(&mut *stepper(&spec, &pushed), &pushed, 1e-3, 100);
        let want = 3.0 * (1.0 - (-0.01_f64).exp());
        assert!((end.m - DVec3::Z * want).length() < 2e-4 * want, "{spec}: {}", end.m);
        for problem in [&resting, &damped] {
            assert_eq!(run(&mut *stepper(&spec, problem), problem, 0.1, 3), start, "{spec}");
        }
    }
}

#[test]
fn a_step_of_length_zero_changes_nothing() {
    let rest = State::aligned([0.0; 3]).unwrap();
    for spec in specs() {
        for problem in [free(), forced(), free().starting_from(rest)] {
            let mut state = problem.start();
            stepper(&spec, &problem).step(&problem, 0.7, 0.0, &mut state).unwrap();
            // But that the length of q is brought to 1.
            assert_eq!(state.m, problem.start().m, "{spec}");
            assert!((state.q - problem.start().q).length() < 3e-16, "{spec}");
        }
    }
}

#[test]
fn a_momentum_that_turns_out_of_the_range_of_doubles_is_refused() {
    let inertia = Inertia::principal([1e300, 2e300, 2.5e300]).unwrap();
    let start = State::aligned([1.7e308, 1.7e308, 0.0]).unwrap();
    let problem = Problem::new(inertia, start);
    for rotor in polhode::rotor::ROTORS {
        for spec in [rotor.id.to_owned(), format!("strang+{}", rotor.id)] {
            let mut method = Method::parse(&spec).unwrap().stepper(&problem).unwrap();
            let mut refused = 0;
            for n in 0..100 {
                let mut state = start;
                if method.step(&problem, 0.0, f64::from(n) * 1e-9, &mut state).is_err() {
                    assert_eq!(state, start, "{spec}");
                    refused += 1;
                }
                assert!(state.m.is_finite() && state.q.is_finite(), "{spec}: {state:?}");
            }
            assert!(refused > 0, "{spec}");
        }
    }
}

#[test]
fn the_length_of_a_symmetric_body_does_not_drift() {
    let start = State::aligned([0.6, 0.5, 0.8]).unwrap();
    for (id, moments) in [("rkmk4", [1.0, 1.0, 2.0]), ("cf4", [1.0, 1.0, 1.5])] {
        let inertia = Inertia::principal(moments).unwrap();
        let problem = Problem::new(inertia, start);
        let mut stepper = Method::parse(id).unwrap().stepper(&problem).unwrap();
        let mut state = start;
        for _ in 0..40_000 {
            stepper.step(&problem, 0.0, 0.05, &mut state).unwrap();
        }
        // A walk of half an ulp in the length; added plainly it is 3000 and more.
        let drift = (state.m.length() / start.m.length() - 1.0) / f64::EPSILON;
        assert!(drift.abs() < 50.0, "{id}: {drift}");
    }
}
