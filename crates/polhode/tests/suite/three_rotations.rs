//! The rotor `three-rotations`: its order, what it keeps and what not.
//!
//! The bits of lanes are tested beside the kernel, the Poisson structure in `conformance`.

use glam::DVec3;
use polhode::rotor::{self, Rotor};
use polhode::{Inertia, State, StepError, so3};
use polhode_testkit::bodies::{Body, BodyClass, Rng, body};
use polhode_testkit::compare::slope;
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};

use crate::problems::distance;

const EPS: f64 = f64::EPSILON;

/// The first experiment of Celledoni & Säfström.
const FLAT: Body =
    Body { inertia: [1.0, 2.0, 3.0], momentum: [1.0, 0.0, 6.0], attitude: [1.0, 0.0, 0.0, 0.0] };

fn build(body: &Body) -> (Box<dyn Rotor>, Inertia, State) {
    let inertia = Inertia::principal(body.inertia).unwrap();
    let state = State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap();
    (rotor::build("three-rotations", &inertia).unwrap(), inertia, state)
}

fn after(body: &Body, h: f64, steps: u32) -> State {
    let (mut rotor, _, mut state) = build(body);
    for _ in 0..steps {
        rotor.step(h, &mut state).unwrap();
    }
    state
}

#[test]
fn order_2() {
    let mut rng = Rng::new(31);
    let bodies = [FLAT, body(BodyClass::Generic, &mut rng), body(BodyClass::Separatrix, &mut rng)];
    for body in bodies {
        let end = body.time_for(4.0);
        let counts = [64_u32, 90, 128, 181, 256];
        let want = FreeReference::new(body.inertia, body.momentum, body.attitude).at(end);
        let (mut steps, mut of_m, mut of_q) = (Vec::new(), Vec::new(), Vec::new());
        for n in counts {
            let h = end / f64::from(n);
            let state = after(&body, h, n);
            steps.push(h);
            of_m.push(momentum_error(state.m.to_array(), want.0));
            of_q.push(quaternion_distance(state.attitude(), want.1));
        }
        for errors in [of_m, of_q] {
            let measured = slope(&steps, &errors, 1e-10);
            assert!((measured - 2.0).abs() <= 0.25, "{body:?}: {measured}, {errors:?}");
        }
    }
}

#[test]
fn one_step_is_five_rotations() {
    // The definition, with unsorted axes: 3 is the smallest moment, 1 the middle one.
    let body = Body {
        inertia: [1.4, 1.9, 0.8],
        momentum: [0.5, -0.8, 0.3],
        attitude: [0.5, -0.5, 0.5, 0.5],
    };
    let (_, inertia, start) = build(&body);
    let h = 0.7;
    let (mut m, mut q) = (start.m, start.q);
    for (axis, time) in [(2, 0.5 * h), (0, 0.5 * h), (1, h), (0, 0.5 * h), (2, 0.5 * h)] {
        let mut turn = [0.0; 3];
        turn[axis] = inertia.omega(m)[axis] * time;
        let rotation = so3::exp(DVec3::from_array(turn));
        m = rotation.conjugate() * m;
        q *= rotation;
    }
    let off = distance(&State { m, q }, &after(&body, h, 1));
    assert!(off <= 8.0 * EPS, "{off:e}");
}

#[test]
fn keeps_the_momentum_in_space_but_not_the_energy() {
    let steps = 100_000;
    // A random walk, ten times over; a drift of an ulp a step would be 1e5.
    let walk = 10.0 * f64::from(steps).sqrt() * EPS;
    for angle in [0.01, 0.3, 1.0] {
        let (mut rotor, inertia, start) = build(&FLAT);
        let (h, mut end, mut change) = (FLAT.time_for(angle), start, 0.0_f64);
        for _ in 0..steps {
            rotor.step(h, &mut end).unwrap();
            let energy = end.kinetic_energy(&inertia) / start.kinetic_energy(&inertia);
            change = change.max((energy - 1.0).abs());
        }
        let norm = start.m.length();
        assert!((end.m.length() / norm - 1.0).abs() < walk);
        assert!((end.q.length() - 1.0).abs() < walk);
        let moved = (end.spatial_momentum() - start.spatial_momentum()).length() / norm;
        assert!(moved < walk, "{angle}: {moved:e}");
        // The energy oscillates with the square of the step, and does not drift.
        let square = angle * angle;
        assert!(change > 1e-4 * square && change < 0.5 * square, "{angle}: {change:e}");
    }
}

#[test]
fn the_length_of_the_attitude_walks_no_more_than_it_must() {
    // A rounding of q every step, a quarter of eps √n; that of the scalar part minus one by a
    // subtraction would be four times that.
    let mut squares = 0.0;
    for k in 0..30 {
        let mut body = FLAT;
        body.momentum[1] = f64::from(k) / 100.0;
        let end = after(&body, 0.005, 10_000);
        squares += ((end.q.length_squared() - 1.0) / EPS).powi(2) / 30.0;
    }
    assert!(squares.sqrt() < 0.5 * 1e4_f64.sqrt(), "{} eps", squares.sqrt());
}

#[test]
fn a_step_back_undoes_a_step() {
    let mut rng = Rng::new(33);
    for class in [BodyClass::Generic, BodyClass::Sphere, BodyClass::OnAxis(1), BodyClass::Flat] {
        for angle in [0.1, 1.0, 10.0] {
            let body = body(class, &mut rng);
            let (mut rotor, _, start) = build(&body);
            let (mut state, h) = (start, body.time_for(angle));
            rotor.step(h, &mut state).unwrap();
            rotor.step(-h, &mut state).unwrap();
            // Angles are known to eps of themselves.
            let off = distance(&start, &state);
            assert!(off <= 8.0 * EPS * (1.0 + angle), "{class:?}, {angle}: {off:e}");
        }
    }
}

#[test]
fn a_steady_rotation_is_exact() {
    let mut rng = Rng::new(34);
    for axis in 0..3 {
        // A full turn and more: the sign of the quaternion counts the turns.
        for angle in [0.1, 6.2, 9.0] {
            let body = body(BodyClass::OnAxis(axis), &mut rng);
            let h = body.time_for(angle);
            let (m, q) = FreeReference::new(body.inertia, body.momentum, body.attitude).at(h);
            let state = after(&body, h, 1);
            assert!(momentum_error(state.m.to_array(), m) == 0.0);
            let off = quaternion_distance(state.attitude(), q);
            assert!(off <= EPS * (1.0 + angle), "{angle}: {off:e}");
        }
    }
}

#[test]
fn units_do_not_matter() {
    let mut rng = Rng::new(35);
    let body = body(BodyClass::Generic, &mut rng);
    let h = body.time_for(0.5);
    let plain = after(&body, h, 5);
    for (i, m) in [(-150, -900), (-150, 800), (100, -900), (100, 800)] {
        let (i, m) = (2f64.powi(i), 2f64.powi(m));
        let scaled = after(&body.scaled(i, m), h * i / m, 5);
        assert_eq!((scaled.m, scaled.q), (plain.m * m, plain.q));
    }
}

#[test]
fn steps_without_digits_are_refused() {
    let (mut rotor, _, start) = build(&FLAT);
    for h in [1e14, f64::INFINITY, f64::NAN] {
        let mut state = start;
        assert!(matches!(rotor.step(h, &mut state), Err(StepError::OutOfRange { .. })), "{h}");
        assert_eq!(state, start);
    }
}
