//! Moments of inertia that vary.

use polhode::InertiaError;
use polhode::formula::{Constants, Formula};
use polhode::inside::VaryingInertia;
use polhode::observe::Invariants;
use polhode::torque::{Damping, GravityGradient};

use super::*;

pub(super) fn varying() -> VaryingInertia {
    // The order of the moments changes again and again: the case of figure 3 of Celledoni and Zanna.
    let texts = ["1.5 + 0.6*sin(2*t)", "1.7 + 0.2*cos(t)", "1.5 - 0.5*sin(2*t + 1)"];
    let constants = Constants::new();
    VaryingInertia::moments(texts.map(|text| Formula::new(text, &constants).unwrap())).unwrap()
}

#[test]
fn moments_that_vary_and_change_their_order() {
    let law = varying();
    let first = law.at(0.0).unwrap();
    let problem = Problem::new(first, start()).torque(top());
    let problem = problem.inside(Inside::default().varying(law.clone())).unwrap();
    let mut orders = Vec::new();
    for k in 0..40 {
        let [a, b, c] = law.at(0.1 * f64::from(k)).unwrap().moments().to_array();
        orders.push((a < b, b < c, a < c));
    }
    orders.dedup();
    assert!(orders.len() > 4, "{orders:?}");
    let slope = |t: f64, y: &[f64]| {
        let w = law.at(t).unwrap().omega(DVec3::new(y[0], y[1], y[2]));
        let torque = Problem::new(first, state_of(y)).torque(top()).torque_at(t, &state_of(y));
        kinematics(y, w, torque)
    };
    let want = state_of(&integrate(&numbers(&start(), &[]), 2.0, 8000, slope));
    for (method, claimed) in [
        ("strang+exact", 2.0),
        ("suzuki4+exact", 4.0),
        ("kahanli6+exact", 6.0),
        ("rkn6-14+exact", 6.0),
        ("s6-10+exact", 6.0),
    ] {
        let found = order(&problem, method, 2.0, &want);
        assert!(found > claimed - 0.4, "{method}: {found}");
    }
    let error = distance(&end(&problem, "kahanli8+exact", 0.02, 2.0), &want);
    assert!(error < 1e-11, "{error:e}");
    let free = Problem::new(first, start()).inside(Inside::default().varying(law)).unwrap();
    let mut invariants = Invariants::default();
    free.observe("strang+exact", 0.05, 500.0, &mut [&mut invariants]).unwrap();
    let momentum = invariants.spatial_momentum().unwrap().max_error;
    assert!(momentum < 1e-13, "{momentum:e}");
}

#[test]
fn a_closure_may_give_the_inertia() {
    let law = VaryingInertia::function(|t| {
        let c = 0.2 * libm::sin(t);
        Inertia::tensor([[2.0, c, 0.0], [c, 2.0, 0.0], [0.0, 0.0, 3.0]])
    });
    let first = law.at(0.0).unwrap();
    let problem =
        Problem::new(first, start()).inside(Inside::default().varying(law.clone())).unwrap();
    let slope = |t: f64, y: &[f64]| {
        let w = law.at(t).unwrap().omega(DVec3::new(y[0], y[1], y[2]));
        kinematics(y, w, DVec3::ZERO)
    };
    let want = state_of(&integrate(&numbers(&start(), &[]), 2.0, 4000, slope));
    let error = distance(&end(&problem, "kahanli8+exact", 0.05, 2.0), &want);
    assert!(error < 1e-11, "{error:e}");
}

/// Torques of the inertia, gravity and damping, see that of the moment; so do driven wheels.
#[test]
fn gravity_and_wheels_go_with_moments_that_vary() {
    let law = varying();
    let first = law.at(0.0).unwrap();
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.2, 3.0).unwrap().friction(0.04, 0.0).unwrap();
    let orbit = GravityGradient::new(0.7, DVec3::Z, DVec3::X).unwrap();
    let c = DVec3::new(0.1, 0.2, 0.05);
    for (damping, methods) in [
        (DVec3::ZERO, &[("rkn6-14+exact", 6.0), ("suzuki-chin4+exact", 4.0)][..]),
        (c, &[("strang+exact", 2.0), ("kahanli6+exact", 6.0)]),
    ] {
        let mut torque = Torque::from(orbit);
        if damping != DVec3::ZERO {
            torque = torque + Damping::new(damping).unwrap();
        }
        let problem = Problem::new(first, start()).torque(torque);
        let inside = Inside::default().varying(law.clone()).wheel(wheel);
        let problem = problem.inside(inside).unwrap();
        let axis = wheel.axis();
        let slope = |t: f64, y: &[f64]| {
            let state = state_of(y);
            let locked = law.at(t).unwrap();
            let w = without(&locked, &[wheel]).omega(state.m - axis * y[7]);
            let u = state.q.conjugate() * DVec3::new(libm::cos(0.7 * t), libm::sin(0.7 * t), 0.0);
            let pull = u.cross(locked.momentum(u)) * (3.0 * 0.7 * 0.7);
            let mut slope = kinematics(y, w, pull - damping * w);
            slope.push(-0.04 * (y[7] / 0.2 - axis.dot(w)));
            slope
        };
        let from = numbers(&start(), &problem.inside_at_start());
        let want = state_of(&integrate(&from, 2.0, 4000, slope));
        for (method, claimed) in methods {
            let found = order(&problem, method, 2.0, &want);
            assert!(found > claimed - 0.4, "{method}: {found}");
        }
    }
}

/// Moments that no body has are refused, at the start and where they become so, unless they are allowed.
#[test]
fn moments_of_no_body_are_refused_unless_they_are_allowed() {
    let law = |texts: [&str; 3]| {
        let formulas = texts.map(|text| Formula::new(text, &Constants::new()).unwrap());
        VaryingInertia::moments(formulas).unwrap()
    };
    let never = law(["1", "1", "3 + t"]);
    assert!(matches!(never.at(0.0), Err(InertiaError::Impossible { .. })));
    assert!(never.allow_unphysical().at(0.0).is_ok());
    let later = law(["1", "1", "1.5 + t"]);
    let run = |law: VaryingInertia| {
        let problem = Problem::new(law.at(0.0).unwrap(), start());
        let problem = problem.inside(Inside::default().varying(law)).unwrap();
        problem.simulate("strang+exact", 0.1, 1.0).map(|_| ())
    };
    let error = run(later.clone()).unwrap_err().to_string();
    assert!(error.contains("at t = 0.55") && error.contains("those of no body"), "{error}");
    assert!(run(later.allow_unphysical()).is_ok());
}
