//! Problems, and how the tests of methods run them.
#![allow(dead_code, reason = "no test uses all of it")]

use polhode::glam::DVec3;
use polhode::method::{METHODS, Method, Stepper};
use polhode::torque::{Dependence, Function, Torque};
use polhode::{Inertia, Problem, State, so3};

pub(crate) fn tensor() -> Inertia {
    Inertia::tensor([[1.1, 0.1, -0.05], [0.1, 1.4, 0.2], [-0.05, 0.2, 1.9]]).unwrap()
}

pub(crate) fn tumbling() -> State {
    State::new([-1.1, -0.6, 2.5], so3::exp(DVec3::new(0.3, -0.5, 0.8))).unwrap()
}

pub(crate) fn problem(inertia: &Inertia, torque: impl Into<Torque>, start: State) -> Problem {
    Problem::new(*inertia, start).torque(torque).starting_at(0.3)
}

pub(crate) fn free() -> Problem {
    problem(&tensor(), Torque::none(), tumbling())
}

/// Depends on time, attitude and momentum, and does not know its derivatives.
pub(crate) fn forced() -> Problem {
    let torque = |_: &Inertia, t: f64, s: &State| {
        let u = s.q.conjugate() * DVec3::new(0.2, 0.1, 0.9);
        u.cross(DVec3::new(1.5, -3.0, 2.1)) * (1.3 * t).cos() - s.m * 0.4
    };
    problem(&tensor(), Function::new(Dependence::Momentum, torque), tumbling())
}

pub(crate) fn stepper(spec: &str, problem: &Problem) -> Box<dyn Stepper> {
    Method::parse(spec).unwrap().stepper(problem).unwrap()
}

pub(crate) fn run(stepper: &mut dyn Stepper, problem: &Problem, h: f64, steps: u32) -> State {
    let mut state = problem.start();
    for n in 0..steps {
        stepper.step(problem, problem.t0() + f64::from(n) * h, h, &mut state).unwrap();
    }
    state
}

/// Every method, and `rkmk` with every tableau.
pub(crate) fn specs() -> Vec<String> {
    let tableaux = [
        "forward-euler",
        "backward-euler",
        "midpoint",
        "trapezoid",
        "kutta3",
        "dopri5",
        "gauss2",
        "gauss3",
    ];
    let ids = METHODS.iter().map(|m| m.id.to_owned());
    ids.chain(tableaux.map(|t| format!("rkmk:tableau={t}"))).collect()
}

/// How far two states are apart: their momenta relative to the size of the first, or their quaternions,
/// sign included, whichever is larger.
pub(crate) fn distance(a: &State, b: &State) -> f64 {
    let scale = a.m.abs().max_element();
    ((a.m / scale - b.m / scale).length()).max((a.q - b.q).length())
}
