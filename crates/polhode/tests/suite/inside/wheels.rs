//! Wheels at constant speed.

use core::ops::ControlFlow;

use polhode::composition::SCHEMES;
use polhode::method::Method;
use polhode::observe::{Every, Invariants, Sample};
use polhode::solve::Event;
use polhode::torque::Damping;
use polhode::{Plan, run};

use super::*;

#[test]
fn every_scheme_keeps_its_order_with_wheels() {
    let inside = steady();
    let h = held(&inside);
    let problem = Problem::new(body(), start()).torque(top()).inside(inside).unwrap();
    let want = by_dop853(body(), start(), h, top().into(), 2.0);
    for scheme in SCHEMES {
        let found = order(&problem, &format!("{}+exact", scheme.id), 2.0, &want);
        let claimed = f64::from(scheme.order);
        assert!(found > claimed - 0.4, "{}: {found} instead of {claimed}", scheme.id);
    }
}

#[test]
fn other_rotors_and_damping_go_with_wheels_too() {
    let inside = steady();
    let h = held(&inside);
    let damping = Torque::from(Damping::new([0.1, 0.2, 0.05]).unwrap()) + top();
    let damped = Problem::new(body(), start()).torque(damping.clone()).inside(inside).unwrap();
    let want = by_dop853(body(), start(), h, damping, 2.0);
    for (method, claimed) in [
        ("strang+exact", 2.0),
        ("strang+dmv:order=6", 2.0),
        ("yoshida4+three-rotations", 4.0),
        ("kahanli6+midpoint-attitude", 6.0),
        ("s6-10+exact", 6.0),
    ] {
        let found = order(&damped, method, 2.0, &want);
        assert!(found > claimed - 0.4, "{method}: {found}");
    }
}

#[test]
fn wheels_against_dop853() {
    let tensor = Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]]).unwrap();
    for inertia in [body(), tensor] {
        let inside = steady();
        let h = held(&inside);
        let problem = Problem::new(inertia, start()).torque(top()).inside(inside).unwrap();
        let want = by_dop853(inertia, start(), h, top().into(), 5.0);
        let error = distance(&end(&problem, "kahanli8+exact", 0.02, 5.0), &want);
        assert!(error < 1e-12, "{error:e}");
    }
}

/// The wheel along the axis of a symmetric body: the turn and the free motion commute, and one step of any length is
/// the motion: Q = exp(t L/A) Q0 exp(t b e3), L the momentum in space, b = (M3 - h)/C - M3/A.
#[test]
fn a_symmetric_body_with_an_axial_wheel_has_a_closed_form() {
    let (a, c, h) = (1.3, 2.0, 0.45);
    let inertia = Inertia::principal([a, a, c]).unwrap();
    let wheel = Wheel::new([0.0, 0.0, 1.0], 0.05, 9.0).unwrap();
    let problem = Problem::new(inertia, start()).inside(Inside::default().wheel(wheel)).unwrap();
    for t in [0.1, 3.0, 40.0] {
        let State { m, q } = start();
        let b = (m.z - h) / c - m.z / a;
        let attitude =
            so3::exp(start().spatial_momentum() * (t / a)) * q * so3::exp(DVec3::Z * (b * t));
        let want = State { m: so3::exp(DVec3::Z * (b * t)).conjugate() * m, q: attitude };
        let got = end(&problem, "strang+exact", t, t);
        // A few roundings, and those of angles of up to 40 rad.
        let error = distance(&got, &want);
        assert!(error < 1e-15 + 2e-16 * t, "{t}: {error:e}");
    }
}

fn drifts(steps: u64) -> ([f64; 2], f64) {
    let problem = Problem::new(body(), start()).inside(steady()).unwrap();
    let mut stepper = Method::parse("strang+exact").unwrap().stepper(&problem).unwrap();
    let from = problem.energy(0.0, &start());
    let mut largest = [0.0f64; 2];
    let mut see = |sample: &Sample<'_>| {
        let half = usize::from(sample.step > steps / 2);
        largest[half] = largest[half].max((sample.energy() - from).abs());
        ControlFlow::Continue(())
    };
    let mut invariants = Every::new(10, Invariants::default());
    let plan = Plan { step: 0.1, steps };
    run(&problem, &mut *stepper, &plan, &mut [&mut see, &mut invariants]).unwrap();
    let invariants = invariants.into_inner();
    (largest, invariants.spatial_momentum().unwrap().max_error)
}

fn bounded(steps: u64) {
    let ([first, second], momentum) = drifts(steps);
    // It oscillates with the square of the step; the second half is no worse than the first.
    assert!(first < 1e-3 && first > 1e-6, "{first:e}");
    assert!(second < 1.02 * first, "{first:e} {second:e}");
    // A walk of roundings.
    assert!(momentum < 4e-16 * (steps as f64).sqrt() + 1e-14, "{momentum:e}");
}

#[test]
fn energy_and_momentum_are_bounded_for_a_million_steps() {
    bounded(1_000_000);
}

#[test]
fn wheels_at_rest_change_no_bit() {
    let locked = Wheel::new([0.0, 0.0, 1.0], 0.05, 0.0).unwrap();
    let plain = Problem::new(body(), start()).torque(top());
    let with = plain.clone().inside(Inside::default().wheel(locked)).unwrap();
    assert!(with.moving().is_none());
    assert_eq!(end(&plain, "rkn6-14+exact", 0.1, 5.0), end(&with, "rkn6-14+exact", 0.1, 5.0));
}

/// In the solver the body's own momentum moves under the torque h x omega; states, events and the error are told of the
/// total one.
#[test]
fn wheels_at_constant_speed_are_solved_to_a_tolerance() {
    let inside = steady();
    let h = held(&inside);
    let problem = Problem::new(body(), start()).torque(top()).inside(inside).unwrap();
    assert!(problem.can_be_solved() && problem.needs_steps());
    let want = by_dop853(body(), start(), h, top().into(), 5.0);
    let zero = end(&problem, "kahanli8+exact", 0.01, 2.5);
    let event = Event::new(|_, state: &State| state.m.x - zero.m.x);
    let solution = problem.solver().tolerance(1e-12).event(event).until(5.0).unwrap();
    assert_eq!(solution.method(), SolveMethod::Dop853);
    assert!(distance(&solution.end().1, &want) < 1e-11, "{:e}", distance(&solution.end().1, &want));
    assert!(distance(&solution.at(2.5).unwrap(), &zero) < 1e-11);
    let found = solution.events()[0].iter().any(|point| (point.t - 2.5).abs() < 1e-10);
    assert!(found, "{:?}", solution.events());
    let by = problem.solver().method(SolveMethod::Extrapolation).tolerance(1e-12).until(5.0);
    assert!(distance(&by.unwrap().end().1, &want) < 1e-11);
    let free = Problem::new(body(), start()).inside(steady()).unwrap();
    let (_, last) = free.solve(30.0, 1e-11).unwrap().end();
    let change = (last.spatial_momentum() - start().spatial_momentum()).length();
    assert!(change < 1e-10, "{change:e}");
}
