//! Properties of the free motion over random bodies of every kind and scale.

use glam::DVec3;
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_testkit::bodies::{Body, BodyClass, Rng, body};
use proptest::prelude::*;

use crate::problems::distance;

/// A class with its distance from degeneracy drawn from 1e-1 to 1e-16.
fn class() -> impl Strategy<Value = BodyClass> {
    let d = (1.0..16.0).prop_map(|n: f64| 10f64.powf(-n));
    prop_oneof![
        Just(BodyClass::Generic),
        Just(BodyClass::Separatrix),
        Just(BodyClass::SymmetricOblate),
        Just(BodyClass::SymmetricProlate),
        Just(BodyClass::Sphere),
        Just(BodyClass::Extreme),
        Just(BodyClass::Flat),
        (0..3usize).prop_map(BodyClass::OnAxis),
        d.clone().prop_map(BodyClass::NearSeparatrix),
        d.clone().prop_map(|d| BodyClass::NearSeparatrix(-d)),
        d.clone().prop_map(BodyClass::NearSymmetricOblate),
        d.clone().prop_map(BodyClass::NearSymmetricProlate),
        d.clone().prop_map(BodyClass::NearSphere),
        (0..3usize, d).prop_map(|(axis, d)| BodyClass::NearAxis { axis, d }),
    ]
}

/// A body in units between 1e-46 and 1e30 for inertia and 1e-150 and 1e150 for momentum; powers of
/// two, so that exact degeneracies stay exact.
fn any_body() -> impl Strategy<Value = Body> {
    (class(), any::<u64>(), -150..100i32, -490..490i32).prop_map(|(class, seed, i, m)| {
        body(class, &mut Rng::new(seed)).scaled(2f64.powi(i), 2f64.powi(m))
    })
}

fn motion(body: &Body) -> FreeMotion {
    let inertia = Inertia::principal(body.inertia).unwrap();
    let start = State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap();
    FreeMotion::new(&inertia, start).unwrap()
}

/// What restarting from a rounded state may cost after the body has turned by `angle`: an ulp in
/// the state, carried on. It grows with the angle, and exponentially where neighbouring orbits part
/// (at most like exp(angle), near the middle axis).
fn restart_tolerance(angle: f64) -> f64 {
    4e-15 * (1.0 + angle.abs()) * angle.abs().min(4.0).exp()
}

/// Failures are printed with their seed; no files are left behind.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn group_law(body in any_body(), s in -3.0..3.0f64, t in -3.0..3.0f64) {
        // The needle turns a million times about its axis while the rest moves once.
        let whole = motion(&body);
        let unit = body.time_for(1.0);
        let (s, t) = (s * unit, t * unit);
        let middle = whole.at(s).unwrap();
        let there = FreeMotion::new(whole.inertia(), middle).unwrap().at(t).unwrap();
        let direct = whole.at(s + t).unwrap();
        let angle = (s.abs() + t.abs()) / unit;
        prop_assert!(distance(&direct, &there) <= restart_tolerance(angle),
            "{:e}", distance(&direct, &there));
    }

    #[test]
    fn back_and_forth(body in any_body(), t in -3.0..3.0f64) {
        let forth = motion(&body);
        let time = t * body.time_for(1.0);
        let back = FreeMotion::new(forth.inertia(), forth.at(time).unwrap()).unwrap();
        let state = back.at(-time).unwrap();
        prop_assert!(distance(forth.start(), &state) <= restart_tolerance(2.0 * t));
    }

    #[test]
    fn conserved_quantities(body in any_body(), angle in -1e6..1e6f64) {
        let motion = motion(&body);
        let start = motion.start();
        let state = motion.at(angle * body.time_for(1.0)).unwrap();
        // Lengths scaled, for the squares of 1e150 and 1e-150 are no doubles.
        let scale = start.m.abs().max_element();
        let length = |v: DVec3| (v / scale).length();
        let norm = length(start.m);
        prop_assert!((length(state.m) / norm - 1.0).abs() <= 2e-15);
        prop_assert!((state.q.length() - 1.0).abs() <= 1e-15);
        prop_assert!(length(state.spatial_momentum() - start.spatial_momentum()) <= 4e-15 * norm);
        let energy = |s: &State| (s.m / scale).dot(motion.inertia().omega(s.m / scale));
        let moments = motion.inertia().moments();
        // An error of eps |m| in a component changes 2 T by that times the fastest angular velocity.
        let fastest = norm * norm / moments.min_element();
        prop_assert!((energy(&state) - energy(start)).abs() <= 4e-15 * fastest);
    }

    #[test]
    fn turning_space_turns_the_attitude(body in any_body(), angle in -100.0..100.0f64,
                                        turn in prop::array::uniform3(-3.0..3.0f64)) {
        let plain = motion(&body);
        let turn = so3::exp(DVec3::from_array(turn));
        let start = State::new(plain.start().m, turn * plain.start().q).unwrap();
        let turned = FreeMotion::new(plain.inertia(), start).unwrap();
        let t = angle * body.time_for(1.0);
        let (a, b) = (plain.at(t).unwrap(), turned.at(t).unwrap());
        prop_assert_eq!(a.m, b.m);
        prop_assert!((turn * a.q - b.q).length() <= 2e-15);
    }

    #[test]
    fn permuting_axes_permutes_the_motion(body in any_body(), angle in -100.0..100.0f64,
                                          order in 0..6usize) {
        // A rotation that takes axis order[j] to axis j: with all signs changed if it is odd.
        let order = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]][order];
        let sign = if [[0, 1, 2], [1, 2, 0], [2, 0, 1]].contains(&order) { 1.0 } else { -1.0 };
        let permute = |v: [f64; 3]| order.map(|i| sign * v[i]);
        let columns = [0, 1, 2].map(|j| {
            let mut column = [0.0; 3];
            column[order.iter().position(|&i| i == j).unwrap()] = sign;
            DVec3::from_array(column)
        });
        let matrix = glam::DMat3::from_cols(columns[0], columns[1], columns[2]);
        let rotation = glam::DQuat::from_mat3(&matrix);
        let plain = motion(&body);
        let inertia = Inertia::principal(order.map(|i| body.inertia[i])).unwrap();
        let start = State::new(permute(body.momentum), plain.start().q * rotation.conjugate());
        let permuted = FreeMotion::new(&inertia, start.unwrap()).unwrap();
        let t = angle * body.time_for(1.0);
        let (a, b) = (plain.at(t).unwrap(), permuted.at(t).unwrap());
        let expected = State { m: DVec3::from_array(permute(a.m.to_array())),
                               q: a.q * rotation.conjugate() };
        // The same constants in the same order: only the quaternion is rounded differently.
        prop_assert!(distance(&expected, &b) <= 2e-15, "{:e}", distance(&expected, &b));
    }

    #[test]
    fn other_units_are_the_same_motion(body in any_body(), angle in -100.0..100.0f64,
                                       i in -60..60i32, m in -60..60i32) {
        let plain = motion(&body);
        let (inertia, momentum) = (2f64.powi(i), 2f64.powi(m));
        let scaled = motion(&body.scaled(inertia, momentum));
        let t = angle * body.time_for(1.0);
        let (a, b) = (plain.at(t).unwrap(), scaled.at(t * inertia / momentum).unwrap());
        prop_assert_eq!(a.m * momentum, b.m);
        prop_assert_eq!(a.q, b.q);
    }
}

/// Any finite double whatever, from the smallest to the largest.
fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        2 => -10.0..10.0f64,
        1 => Just(0.0),
    ]
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn every_finite_input_gives_a_finite_answer_or_a_typed_error(
        moments in prop::array::uniform3(finite()),
        momentum in prop::array::uniform3(finite()),
        attitude in prop::array::uniform4(finite()),
        t in finite(),
    ) {
        let Ok(inertia) = Inertia::principal_unphysical(moments.map(f64::abs)) else {
            return Ok(()); // zero moments, zero attitude: typed errors
        };
        let Ok(start) = State::new(momentum, so3::from_wxyz(attitude)) else {
            return Ok(()); // zero moments, zero attitude: typed errors
        };
        let Ok(motion) = FreeMotion::new(&inertia, start) else { return Ok(()) };
        prop_assert!(motion.precession_rate().is_finite());
        prop_assert!(motion.period().is_none_or(|p| p.is_finite() && p > 0.0));
        prop_assert!(motion.separatrix_distance().is_none_or(f64::is_finite));
        if let Ok(Some(flip)) = motion.next_flip(t) {
            prop_assert!(flip.is_finite() && flip > t);
        }
        if let Ok(state) = motion.at(t) {
            prop_assert!(state.m.is_finite() && state.q.is_finite());
            prop_assert!((state.q.length() - 1.0).abs() < 1e-14);
            prop_assert!(motion.omega_at(t).unwrap().is_finite());
            prop_assert!(motion.angular_acceleration_at(t).map_or(true, DVec3::is_finite));
        }
    }

    #[test]
    fn moderate_numbers_are_never_out_of_range(
        moments in prop::array::uniform3(-46.0..30.0f64),
        spread in prop::array::uniform3(0.0..3.0f64),
        size in -150.0..150.0f64,
        momentum in prop::array::uniform3(-1.0..1.0f64),
        angle in -1e9..1e9f64,
    ) {
        // One scale for the body, moments within a factor of a thousand.
        let moments = spread.map(|s| 10f64.powf(moments[0] + s));
        let momentum = momentum.map(|m| m * 10f64.powf(size));
        let inertia = Inertia::principal_unphysical(moments).unwrap();
        let motion = FreeMotion::new(&inertia, State::aligned(momentum).unwrap()).unwrap();
        let scale = 10f64.powf(size);
        let rate = momentum.iter().zip(moments).map(|(m, i)| (m / scale / i).abs()).sum::<f64>();
        prop_assume!(rate > 0.0);
        let t = angle / rate / scale;
        prop_assert!(motion.at(t).is_ok(), "{:?}", motion.at(t));
    }
}
