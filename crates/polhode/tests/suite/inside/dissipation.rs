//! Sinks of energy.

use core::ops::ControlFlow;

use polhode::inside::Dissipation;
use polhode::method::Method;
use polhode::observe::{Invariants, Sample};
use polhode::{Plan, run};

use super::*;

/// Of a symmetric body, x = sin^2 of the angle between momentum and axis follows x' = -r x (1 - x) with
/// r = 2 kappa M^2 (1/A - 1/C).
#[test]
fn a_sink_of_energy_relaxes_a_symmetric_body_as_it_should() {
    let (a, c, kappa) = (1.0, 1.6, 0.02);
    let inertia = Inertia::principal([a, a, c]).unwrap();
    let m = start().m;
    let x = |m: DVec3| 1.0 - m.z * m.z / m.length_squared();
    let size = m.length();
    for (sink, kappa) in [
        (Dissipation::rate(kappa).unwrap(), kappa),
        (Dissipation::quality(12.5).unwrap(), 0.5 / (12.5 * size)),
    ] {
        let problem =
            Problem::new(inertia, start()).inside(Inside::default().dissipation(sink)).unwrap();
        assert!(!problem.conserves_energy() && problem.conserves_momentum());
        let rate = 2.0 * kappa * size * size * (1.0 / a - 1.0 / c);
        for t in [5.0, 60.0] {
            let ratio = x(m) / (1.0 - x(m)) * libm::exp(-rate * t);
            let got = end(&problem, "strang+exact", 0.5, t);
            let (got, want) = (x(got.m), ratio / (1.0 + ratio));
            assert!((got / want - 1.0).abs() < 1e-11, "{t}: {got} {want}");
        }
    }
}

#[test]
fn a_sink_of_energy_with_wheels_against_its_equations() {
    let kappa = 0.05;
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.05, 9.0).unwrap();
    let h = wheel.axis() * 0.45;
    let inside = Inside::default().wheel(wheel).dissipation(Dissipation::rate(kappa).unwrap());
    let problem = Problem::new(body(), start()).torque(top()).inside(inside).unwrap();
    let slope = |_: f64, y: &[f64]| {
        let m = DVec3::new(y[0], y[1], y[2]);
        let w = body().omega(m - h);
        let torque = Problem::new(body(), state_of(y)).torque(top()).torque_at(0.0, &state_of(y));
        kinematics(y, w + m.cross(w) * kappa, torque)
    };
    let want = state_of(&integrate(&numbers(&start(), &[]), 2.0, 4000, slope));
    for (method, claimed) in [
        ("strang+exact", 2.0),
        ("suzuki4+exact", 4.0),
        ("kahanli6+exact", 6.0),
        ("s4-6+exact", 4.0),
        ("s6-10+exact", 6.0),
    ] {
        let found = order(&problem, method, 2.0, &want);
        assert!(found > claimed - 0.4, "{method}: {found}");
    }
    let error = distance(&end(&problem, "kahanli8+exact", 0.05, 2.0), &want);
    assert!(error < 1e-11, "{error:e}");
    let free = Problem::new(body(), start())
        .inside(Inside::default().wheel(wheel).dissipation(Dissipation::rate(kappa).unwrap()))
        .unwrap();
    let mut invariants = Invariants::default();
    let mut seen = Vec::new();
    let mut see = |sample: &Sample<'_>| {
        let lost = kappa * sample.state.m.cross(sample.omega()).length_squared();
        seen.push((sample.energy(), lost));
        ControlFlow::Continue(())
    };
    let step = 0.05;
    free.observe("kahanli8+exact", step, 25.0, &mut [&mut invariants, &mut see]).unwrap();
    let momentum = invariants.spatial_momentum().unwrap().max_error;
    // A walk: 8,500 drifts, each of seven turns.
    assert!(momentum < 5e-14, "{momentum:e}");
    // The energy falls by kappa |M x omega|^2 in a unit of time: by Simpson's rule.
    for three in seen.windows(3) {
        let [(before, a), (_, b), (after, c)] = [three[0], three[1], three[2]];
        let (fell, want) = (before - after, step / 3.0 * (a + 4.0 * b + c));
        assert!(fell > 0.0 && (fell - want).abs() < 2e-7 * a.max(c), "{fell:e} {want:e}");
    }
    // At the end it turns about the momentum.
    let last = end(&free, "strang+exact", 0.1, 4000.0);
    let omega = body().omega(last.m - h);
    // But for the error of the splitting: it is no fixed point of each of its parts.
    assert!(last.m.cross(omega).length() < 1e-5, "{omega}");
}

/// With a small wobble, of which every step takes away the same part, the rounding of the momentum's length is a walk.
#[test]
fn a_sink_of_energy_keeps_the_length_of_the_momentum() {
    let steps = 200_000;
    for wobble in [0.3, 1e-3] {
        let start = State::new([wobble, -0.7 * wobble, 0.9], start().q).unwrap();
        let inside = Inside::default().dissipation(Dissipation::rate(1e-4).unwrap());
        let problem = Problem::new(body(), start).inside(inside).unwrap();
        let mut stepper = Method::parse("strang+exact").unwrap().stepper(&problem).unwrap();
        let mut invariants = Invariants::default();
        let plan = Plan { step: 0.1, steps };
        run(&problem, &mut *stepper, &plan, &mut [&mut invariants]).unwrap();
        let length = invariants.momentum_norm().unwrap().max_error;
        let momentum = invariants.spatial_momentum().unwrap().max_error;
        let walk = 2e-16 * (steps as f64).sqrt();
        assert!(length < walk && momentum < 2.0 * walk, "{wobble}: {length:e} {momentum:e}");
    }
}
