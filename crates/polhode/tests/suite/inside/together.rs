//! What goes together, and what does not.

use core::ops::ControlFlow;

use polhode::Plan;
use polhode::control::{Command, ControlLoop, ControllerInput};
use polhode::ensemble::{BodySamples, Ensemble, Member};
use polhode::formula::{Constants, Formula};
use polhode::inside::{Dissipation, VaryingInertia};
use polhode::observe::Sample;

use super::*;

#[test]
fn what_does_not_go_together_is_told() {
    let steady = Problem::new(body(), start()).inside(steady()).unwrap();
    let sink = Inside::default().dissipation(Dissipation::rate(0.1).unwrap());
    let sink = Problem::new(body(), start()).torque(top()).inside(sink).unwrap();
    let driven = Wheel::new([0.0, 0.0, 1.0], 0.1, 0.0).unwrap().driven();
    let driven = Problem::new(body(), start()).inside(Inside::default().wheel(driven)).unwrap();
    let first = super::varying::varying().at(0.0).unwrap();
    let law = Inside::default().varying(super::varying::varying());
    let law = Problem::new(first, start()).inside(law).unwrap();
    for (problem, method, text) in [
        (&steady, "exact", "exact: is no splitting into free motion and kicks"),
        (&steady, "rk4", "rk4: is no splitting"),
        (&sink, "rkn6-14+exact", "would lose its order with dissipation"),
        (&sink, "suzuki-chin4+exact", "would lose its order with dissipation"),
        (&law, "strang+dmv", "has a rotor for constant inertia"),
    ] {
        let error = problem.simulate(method, 0.1, 1.0).unwrap_err().to_string();
        assert!(error.contains(text) && error.contains("strang+exact"), "{error}");
    }
    for problem in [&sink, &driven, &law] {
        let error = problem.solve(1.0, 1e-8).unwrap_err().to_string();
        assert!(error.contains("in steps of one length") && error.contains("kahanli8+exact"));
    }
    let error = steady.solve_tangent(1.0, 1e-8).err().unwrap().to_string();
    assert!(error.contains("differences of runs from neighbouring starts"), "{error}");
    let heavy = Wheel::new([0.0, 0.0, 1.0], 5.0, 1.0).unwrap().driven();
    let error = Problem::new(body(), start()).inside(Inside::default().wheel(heavy)).unwrap_err();
    assert!(error.to_string().contains("less that of the wheels"), "{error}");
    let of_state = Formula::new("1 + w1", &Constants::new()).unwrap();
    let formulas = [of_state.clone(), of_state.clone(), of_state];
    let error = VaryingInertia::moments(formulas).unwrap_err().to_string();
    assert!(error.contains("time alone"), "{error}");
    let texts = ["1 - t", "1", "1"].map(|t| Formula::new(t, &Constants::new()).unwrap());
    let law = VaryingInertia::moments(texts).unwrap();
    let gone = Problem::new(law.at(0.0).unwrap(), start()).inside(Inside::default().varying(law));
    let error = gone.unwrap().simulate("strang+exact", 0.1, 3.0).unwrap_err().to_string();
    assert!(error.contains("moments of inertia at t = 1.0"), "{error}");
}

/// Body by body, with the bits of each alone; energies are those with what moves inside.
#[test]
fn an_ensemble_of_bodies_with_wheels_and_controllers() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().torque(0.02).unwrap();
    let inside = Inside::default().wheel(wheel);
    let slow_down = || |at: &ControllerInput<'_>| Command::torque(at.omega * -0.1);
    let control = ControlLoop::new(0.25, slow_down).unwrap();
    let own = |i: u32| State::new([0.1, f64::from(i) * 0.01, 0.2], start().q).unwrap();
    let bodies = (0..40).map(|i| Member { inertia: body(), start: own(i) });
    let ensemble = Ensemble::new("strang+exact").unwrap().torque(top()).inside(inside.clone());
    let ensemble = ensemble.controlled(control.clone()).adding_wheels();
    assert!(ensemble.needs_steps() && !ensemble.conserves_energy());
    let plan = Plan::until(0.0, 0.1, 2.0).unwrap();
    let mut seen = Vec::new();
    let mut see = |samples: &BodySamples<'_>| {
        if samples.step == 0 || samples.last {
            for i in 0..samples.len() {
                seen.push((samples.state(i), samples.energy(i), samples.omega(i)));
            }
        }
        Ok(())
    };
    let summary = ensemble.run(bodies, &plan, 5, &mut see).unwrap();
    assert_eq!((summary.bodies, summary.failed, seen.len()), (40, 0, 80));
    for i in [0, 17, 39] {
        let mut from = own(i);
        from.m += held(&inside);
        let problem = Problem::new(body(), from).torque(top()).inside(inside.clone()).unwrap();
        let problem = problem.controlled(control.clone());
        let mut ends = Vec::new();
        let mut see = |sample: &Sample<'_>| {
            ends.push((*sample.state, sample.energy(), sample.omega()));
            ControlFlow::Continue(())
        };
        problem.observe("strang+exact", 0.1, 2.0, &mut [&mut see]).unwrap();
        let place = i as usize;
        assert_eq!((seen[place], seen[40 + place]), (ends[0], ends[20]));
    }
    let heavy = Wheel::new([0.0, 0.0, 1.0], 5.0, 1.0).unwrap().driven();
    let ensemble = Ensemble::new("strang+exact").unwrap().inside(Inside::default().wheel(heavy));
    let bodies = [Member { inertia: body(), start: start() }];
    let mut none = |_: &BodySamples<'_>| Ok(());
    let summary = ensemble.run(bodies.into_iter(), &plan, 5, &mut none).unwrap();
    let why = summary.first_failure.unwrap().to_string();
    assert!(why.contains("less that of the wheels"), "{why}");
    let refused = Ensemble::new("rk4").unwrap().inside(inside).check().unwrap_err().to_string();
    assert!(refused.contains("is no splitting"), "{refused}");
}
