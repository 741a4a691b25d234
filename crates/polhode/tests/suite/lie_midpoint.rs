//! The midpoint rule on the group as a rotor.

use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Problem, State, rotor, so3};

#[test]
fn without_torque_it_is_the_midpoint_rule_with_half_the_step() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.6, -0.5, 0.8]).unwrap();
    let problem = Problem::new(inertia, start);
    let mut imidm = Method::parse("imidm").unwrap().stepper(&problem).unwrap();
    let mut rotor = rotor::build("lie-midpoint", &inertia).unwrap();
    let (mut a, mut b) = (start, start);
    for n in 0..50 {
        rotor.step(0.4, &mut a).unwrap();
        for _ in 0..2 {
            imidm.step(&problem, 0.2 * f64::from(n), 0.2, &mut b).unwrap();
        }
    }
    assert!((a.m - b.m).length() < 1e-12 && (a.q - b.q).length() < 1e-12, "{a:?} {b:?}");
}

#[test]
fn it_is_of_second_order_alone_and_with_a_torque() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.6, -0.5, 0.8]).unwrap();
    let free = Problem::new(inertia, start);
    let top = free.clone().torque(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap());
    let exact = FreeMotion::new(&inertia, start).unwrap().at(2.0).unwrap();
    let solved = top.solve(2.0, 1e-12).unwrap().at(2.0).unwrap();
    for (problem, method, want) in
        [(&free, "lie-midpoint", exact), (&top, "strang+lie-midpoint", solved)]
    {
        let error = |n: u32| {
            let mut stepper = Method::parse(method).unwrap().stepper(problem).unwrap();
            let (mut state, h) = (start, 2.0 / f64::from(n));
            for i in 0..n {
                stepper.step(problem, h * f64::from(i), h, &mut state).unwrap();
            }
            so3::angle_between(state.q, want.q) + (state.m - want.m).length()
        };
        let seen = (error(40) / error(80)).log2();
        assert!((seen - 2.0).abs() < 0.05, "{method}: {seen}");
    }
}

#[test]
fn steps_that_are_too_long_are_refused() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.6, -0.5, 0.8]).unwrap();
    let mut rotor = rotor::build("lie-midpoint", &inertia).unwrap();
    let mut state = start;
    assert!(rotor.step(f64::NAN, &mut state).is_err() && state == start);
    let mut rest = State::aligned([0.0; 3]).unwrap();
    rotor.step(0.1, &mut rest).unwrap();
    assert_eq!(rest, State::aligned([0.0; 3]).unwrap());
}
