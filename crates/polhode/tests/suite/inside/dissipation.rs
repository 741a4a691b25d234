//! Sinks of energy.

use core::ops::ControlFlow;

use polhode::inside::Sink;
use polhode::observe::{Invariants, Sample};

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
    for (sink, kappa) in
        [(Sink::rate(kappa).unwrap(), kappa), (Sink::quality(12.5).unwrap(), 0.5 / (12.5 * size))]
    {
        let problem = Problem::new(inertia, start()).inside(Inside::default().sink(sink)).unwrap();
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
    let inside = Inside::default().wheel(wheel).sink(Sink::rate(kappa).unwrap());
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
        .inside(Inside::default().wheel(wheel).sink(Sink::rate(kappa).unwrap()))
        .unwrap();
    let mut invariants = Invariants::default();
    let mut energy = f64::INFINITY;
    let mut falls = |sample: &Sample<'_>| {
        assert!(sample.energy() < energy + 1e-3);
        energy = sample.energy();
        ControlFlow::Continue(())
    };
    free.observe("strang+exact", 0.1, 500.0, &mut [&mut invariants, &mut falls]).unwrap();
    assert!(invariants.spatial_momentum().unwrap().max_error < 1e-13);
    // At the end it turns about the momentum.
    let last = end(&free, "strang+exact", 0.1, 4000.0);
    let omega = body().omega(last.m - h);
    // But for the error of the splitting: it is no fixed point of each of its parts.
    assert!(last.m.cross(omega).length() < 1e-5, "{omega}");
}
