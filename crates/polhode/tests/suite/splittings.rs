//! What a splitting counts and carries from step to step.

use polhode::composition::{SCHEMES, Scheme, Stage};
use polhode::method::{Method, MethodError};
use polhode::torque::{Damping, Dependence, Function, HeavyTop, Torque};
use polhode::{Inertia, Plan, Problem, State, run};

fn problem(torque: impl Into<Torque>) -> Problem {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
    Problem::new(inertia, start).torque(torque)
}

#[test]
fn a_step_of_a_run_costs_the_kicks_of_its_scheme() {
    let top = problem(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap());
    for scheme in SCHEMES {
        let method = Method::splitting((*scheme).clone(), "exact").unwrap();
        let evaluations = |steps| {
            let mut stepper = method.stepper(&top).unwrap();
            let plan = Plan { step: 0.01, steps };
            run(&top, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations
        };
        let kicks = scheme.kicks() as u64;
        assert_eq!(evaluations(15) - evaluations(5), 10 * kicks, "{}", scheme.id);
    }
}

#[test]
fn every_call_of_the_torque_is_counted() {
    use core::sync::atomic::{AtomicU64, Ordering};
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let air = |_: &Inertia, _: f64, s: &State| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        s.m * -s.m.length()
    };
    let drag = problem(Function::new(Dependence::Momentum, air));
    for id in ["strang+exact", "kahanli8+exact", "rk4", "cf4"] {
        CALLS.store(0, Ordering::Relaxed);
        let mut stepper = Method::parse(id).unwrap().stepper(&drag).unwrap();
        let plan = Plan { step: 0.01, steps: 10 };
        let counted = run(&drag, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations;
        assert_eq!(counted, CALLS.load(Ordering::Relaxed), "{id}");
    }
    let damped = problem(Damping::new([0.1; 3]).unwrap());
    let mut stepper = Method::parse("strang+exact").unwrap().stepper(&damped).unwrap();
    let plan = Plan { step: 0.01, steps: 10 };
    let counted = run(&damped, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations;
    // Two kicks in a step, each exact.
    assert_eq!(counted, 20);
}

#[test]
fn what_is_kept_between_steps_changes_no_bit() {
    let top = problem(HeavyTop::new([0.0, 0.3, 1.0], [0.0, 0.0, 1.0]).unwrap());
    for scheme in SCHEMES {
        let method = Method::splitting((*scheme).clone(), "exact").unwrap();
        let mut memory = method.stepper(&top).unwrap();
        let (mut a, mut b) = (top.start(), top.start());
        for n in 0..10 {
            memory.step(&top, 0.1 * f64::from(n), 0.1, &mut a).unwrap();
            let mut fresh = method.stepper(&top).unwrap();
            fresh.step(&top, 0.1 * f64::from(n), 0.1, &mut b).unwrap();
            assert_eq!(a, b, "{}", scheme.id);
        }
    }
}

#[test]
fn the_gradient_of_a_torque_of_the_momentum_is_refused() {
    let stages = [Stage::Gradient(0.5, 0.01), Stage::Drift(1.0), Stage::Gradient(0.5, 0.01)];
    let scheme = Scheme::new("mine", 2, stages).unwrap();
    let damped = problem(Damping::new([0.5, 0.5, 0.5]).unwrap());
    let error = Method::splitting(scheme, "exact").unwrap().stepper(&damped).err();
    assert_eq!(error, Some(MethodError::TorqueOfMomentum { id: "mine".into() }));
}
