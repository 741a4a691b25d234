//! Every entry of the tables does what it claims, and does not do what it does not claim.
//!
//! Loops over the tables: every scheme with `exact`, every rotor with `strang`, every other method,
//! and a seeded sample of the remaining pairs. A new entry is tested by being in its table.

mod invariants;
mod order;
mod structure;

use std::collections::BTreeMap;

use polhode::composition::SCHEMES;
use polhode::method::{METHODS, Method};
use polhode::parameters::ParameterKind;
use polhode::rotor::ROTORS;
use polhode::torque::{Damping, Dependence, Function, GravityGradient, HeavyTop, Torque};
use polhode::{Inertia, Problem, State, so3};
use polhode_testkit::bodies::Rng;

/// The heavy top of the splitting literature here: no symmetry, torque as strong as the rest.
fn top() -> Problem {
    problem(HeavyTop::new([0.3, -0.2, 0.9], [0.1, 0.5, -0.8]).unwrap().into())
}

fn free() -> Problem {
    problem(Torque::none())
}

fn problem(torque: Torque) -> Problem {
    let inertia = Inertia::principal_unphysical([0.345, 0.653, 1.0]).unwrap();
    let q = so3::from_wxyz([0.8, -0.1, 0.5, 0.3]);
    let start = State::new([0.5, 0.2, 0.71f64.sqrt()], q).unwrap();
    Problem::new(inertia, start).torque(torque)
}

/// A rotor with parameters for which its approximations show: five Gauss points or order 10, the
/// defaults, leave nothing to measure.
fn visible(rotor: &str) -> &str {
    match rotor {
        "semi-exact" => "semi-exact:nodes=2",
        "dmv" => "dmv:order=4",
        other => other,
    }
}

/// Every method, once: all that the tables hold, and some pairs drawn at random.
fn specs() -> Vec<String> {
    let mut specs: Vec<String> = SCHEMES.iter().map(|s| format!("{}+exact", s.id)).collect();
    specs.extend(ROTORS.iter().map(|r| format!("strang+{}", visible(r.id))));
    for method in METHODS {
        // A parameter that is a choice is a method for each of its values, unless it is how a
        // solve is done.
        let choice = method
            .parameters
            .iter()
            .find(|p| matches!(p.kind, ParameterKind::Choice(_)) && p.name != "solver");
        match choice.map(|p| (p.name, p.kind)) {
            Some((name, ParameterKind::Choice(words))) => {
                specs.extend(words.iter().map(|w| format!("{}:{name}={w}", method.id)));
            }
            _ => specs.push(method.id.to_string()),
        }
    }
    let mut rng = Rng::new(31);
    for _ in 0..20 {
        let scheme = &SCHEMES[rng.below(SCHEMES.len())].id;
        let rotor = visible(ROTORS[rng.below(ROTORS.len())].id);
        specs.push(format!("{scheme}+{rotor}"));
    }
    specs
}

fn methods() -> impl Iterator<Item = (String, Method)> {
    specs().into_iter().map(|spec| {
        let method = Method::parse(&spec).unwrap();
        (spec, method)
    })
}

/// Claims and what was seen of them: a claim must hold for every method that makes it; a property
/// that is not claimed must be seen to fail, for some parameters of the method.
#[derive(Default)]
struct Claims {
    broken: Vec<String>,
    /// By method (without parameters) and property: the largest defect where it is not claimed.
    unclaimed: BTreeMap<(String, &'static str), f64>,
}

impl Claims {
    fn see(&mut self, spec: &str, property: &'static str, claimed: bool, kept: f64, defect: f64) {
        if !claimed {
            let id = if spec.contains('+') { spec } else { spec.split(':').next().unwrap() };
            let worst = self.unclaimed.entry((id.to_string(), property)).or_insert(0.0);
            *worst = worst.max(defect);
        } else if defect > kept || defect.is_nan() {
            self.broken.push(format!("{spec}: {property} is claimed, defect {defect:.1e}"));
        }
    }

    fn check(mut self, lost: f64) {
        for ((id, property), defect) in self.unclaimed {
            if defect < lost {
                self.broken.push(format!("{id}: {property} is not claimed, defect {defect:.1e}"));
            }
        }
        assert!(self.broken.is_empty(), "{:#?}", self.broken);
    }
}

/// The state after some steps.
fn after(method: &Method, problem: &Problem, h: f64, steps: u32) -> State {
    let mut stepper = method.stepper(problem).unwrap();
    let mut state = problem.start();
    for n in 0..steps {
        stepper.step(problem, problem.t0() + f64::from(n) * h, h, &mut state).unwrap();
    }
    state
}

#[test]
fn the_state_is_untouched_on_error() {
    let problem = top();
    for (spec, method) in methods() {
        let mut stepper = method.stepper(&problem).unwrap();
        for h in [f64::NAN, f64::INFINITY, 1e300] {
            let mut state = problem.start();
            let result = stepper.step(&problem, 0.0, h, &mut state);
            assert!(result.is_err(), "{spec}: a step of {h}");
            assert_eq!(state, problem.start(), "{spec}: a step of {h}");
        }
        // And goes on as if nothing had happened.
        let mut state = problem.start();
        stepper.reset();
        stepper.step(&problem, 0.0, 0.01, &mut state).unwrap();
        assert_eq!(state, after(&method, &problem, 0.01, 1), "{spec}");
    }
}

#[test]
fn torques_that_a_scheme_cannot_take_are_refused_with_the_reason() {
    let damped = problem(Damping::new([0.1, 0.2, 0.3]).unwrap().into());
    let closure = problem(Function::new(Dependence::Attitude, |_, _, s: &State| s.m * 0.0).into());
    let refused = |spec: &str, problem: &Problem| {
        Method::parse(spec).unwrap().stepper(problem).err().map(|e| e.to_string())
    };
    for scheme in SCHEMES {
        let spec = format!("{}+exact", scheme.id);
        assert_eq!(refused(&spec, &damped).is_some(), scheme.torques_of_attitude_only, "{spec}");
        assert_eq!(refused(&spec, &closure).is_some(), scheme.needs_gradient(), "{spec}");
    }
    let why = refused("rkn6-14+exact", &damped).unwrap();
    assert!(why.contains("depend on the momentum") && why.contains("s6-10"), "{why}");
    let why = refused("chin4b+exact", &closure).unwrap();
    assert!(why.contains("derivative of the torque"), "{why}");
    let parse = |text: &str| Method::parse(text).unwrap_err().to_string();
    assert!(parse("strang").contains("strang+exact"));
    assert!(parse("frb:form=quaternion").contains("rkn6-14+frb-matrix"));
    let why = refused("dmv", &top()).unwrap();
    assert!(why.contains("strang+dmv"), "{why}");
}

#[test]
fn time_passes_with_the_drifts() {
    // A torque that changes with time, from a start that is not at zero: orders would be lost.
    let orbit = GravityGradient::new(1.3, [0.0, 0.3, 1.0], [1.0, 0.2, 0.1]).unwrap();
    let orbit = problem(orbit.into()).starting_at(0.7);
    let want = after(&Method::parse("kahanli8+exact").unwrap(), &orbit, 1.0 / 200.0, 200);
    for (spec, order, counts) in [
        ("strang+exact", 2.0, [16u32, 32, 64]),
        ("strang-aba+exact", 2.0, [16, 32, 64]),
        ("s4-6+exact", 4.0, [6, 8, 12]),
        ("suzuki-chin4+exact", 4.0, [8, 12, 16]),
        ("rkn6-11+exact", 6.0, [5, 6, 8]),
    ] {
        let method = Method::parse(spec).unwrap();
        let errors =
            counts.map(|n| (after(&method, &orbit, 1.0 / f64::from(n), n).m - want.m).length());
        let steps = counts.map(|n| 1.0 / f64::from(n));
        let measured = polhode_testkit::compare::slope(&steps, &errors, 1e-13);
        assert!((measured - order).abs() < 0.3, "{spec}: {measured} {errors:?}");
    }
}

#[test]
fn a_damped_body_has_the_order_of_its_scheme() {
    // The kick of a torque of the momentum is its exact flow.
    let damped = problem(Damping::new([0.1, 0.2, 0.3]).unwrap().into());
    let want = after(&Method::parse("kahanli8+exact").unwrap(), &damped, 1.0 / 200.0, 200);
    for (spec, order, counts) in
        [("strang+exact", 2.0, [16u32, 32, 64]), ("s4-6+exact", 4.0, [6, 8, 12])]
    {
        let method = Method::parse(spec).unwrap();
        let errors =
            counts.map(|n| (after(&method, &damped, 1.0 / f64::from(n), n).m - want.m).length());
        let steps = counts.map(|n| 1.0 / f64::from(n));
        let measured = polhode_testkit::compare::slope(&steps, &errors, 1e-13);
        assert!((measured - order).abs() < 0.25, "{spec}: {measured}");
    }
}

#[test]
fn citations_are_in_the_bibliography() {
    for (spec, method) in methods() {
        assert!(!method.cites().is_empty(), "{spec}");
        for cite in method.cites() {
            assert!(cite.bibtex().is_some(), "{spec}: {}", cite.key);
        }
    }
}
