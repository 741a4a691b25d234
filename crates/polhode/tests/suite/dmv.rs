//! The rotor `dmv`: orders, symmetry, units, frames, where it ends.
//!
//! Orders 14 to 20 and the bits of lanes are tested beside the kernel, in double-double; invariants
//! in `dmv_round_off`, the Poisson structure in `dmv_poisson`.

use glam::{DQuat, DVec3};
use polhode::method::Order;
use polhode::rotor::{self, Rotor};
use polhode::{Inertia, State, StepError, so3};
use polhode_testkit::bodies::{Body, BodyClass, Rng, body};
use polhode_testkit::compare::slope;
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};

use crate::problems::distance;

const EPS: f64 = f64::EPSILON;

const WATER: Body = Body {
    inertia: [0.345, 0.653, 1.0],
    momentum: [0.5, 0.2, 0.8426149773176359],
    attitude: [1.0, 0.0, 0.0, 0.0],
};

/// The bodies at which other methods need a case of their own.
const DEGENERATE: [BodyClass; 8] = [
    BodyClass::OnAxis(0),
    BodyClass::OnAxis(1),
    BodyClass::OnAxis(2),
    BodyClass::SymmetricOblate,
    BodyClass::SymmetricProlate,
    BodyClass::Sphere,
    BodyClass::Separatrix,
    BodyClass::NearSymmetricOblate(1e-12),
];

fn start(body: &Body) -> (Inertia, State) {
    let inertia = Inertia::principal_unphysical(body.inertia).unwrap();
    (inertia, State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap())
}

fn build(spec: &str, body: &Body) -> (Box<dyn Rotor>, State) {
    let (inertia, state) = start(body);
    (rotor::build(spec, &inertia).unwrap(), state)
}

fn run(rotor: &mut dyn Rotor, h: f64, steps: u32, state: &mut State) {
    for _ in 0..steps {
        rotor.step(h, state).unwrap();
    }
}

/// The errors of momentum and attitude after `steps` steps to the time of `angle` radians.
fn errors(spec: &str, body: &Body, angle: f64, steps: u32) -> [f64; 2] {
    let (mut rotor, mut state) = build(spec, body);
    let h = body.time_for(angle) / f64::from(steps);
    run(&mut *rotor, h, steps, &mut state);
    // The time reached in doubles: the last ulp of h matters where errors are near rounding.
    let want = FreeReference::new(body.inertia, body.momentum, body.attitude);
    let (m, q) = want.at(h * f64::from(steps));
    [momentum_error(state.m.to_array(), m), quaternion_distance(state.attitude(), q)]
}

/// The observed orders of momentum and attitude over 20 radians, in at least `fewest` steps.
fn orders(spec: &str, body: &Body, fewest: u32) -> [f64; 2] {
    let angle = 20.0;
    let counts = [100, 120, 144, 173, 207, 249].map(|ratio| fewest * ratio / 100);
    let steps: Vec<f64> = counts.iter().map(|&n| angle / f64::from(n)).collect();
    let found: Vec<[f64; 2]> = counts.iter().map(|&n| errors(spec, body, angle, n)).collect();
    [0, 1].map(|of| {
        let errors: Vec<f64> = found.iter().map(|e| e[of]).collect();
        // A momentum that does not move has no error and any order.
        if errors.iter().all(|&e| e < 4e-15) { f64::NAN } else { slope(&steps, &errors, 1e-14) }
    })
}

/// (order, fewest steps over 20 radians)
const ORDERS: [(u32, u32); 6] = [(2, 200), (4, 80), (6, 50), (8, 34), (10, 29), (12, 25)];

#[test]
fn orders_2_to_12_are_reached() {
    let mut unordered = WATER;
    unordered.inertia.swap(0, 1);
    unordered.momentum.swap(1, 2);
    for (order, fewest) in ORDERS {
        let spec = format!("dmv:order={order}");
        let (entry, parameters) = rotor::find(&spec).unwrap();
        assert_eq!((entry.order)(&parameters).momentum, Order::Of(order));
        for body in [WATER, unordered] {
            for measured in orders(&spec, &body, fewest) {
                assert!((measured - f64::from(order)).abs() <= 0.25, "{spec}: {measured}");
            }
        }
    }
}

#[test]
fn degenerate_bodies_have_the_same_orders() {
    let mut rng = Rng::new(21);
    for class in DEGENERATE {
        let body = body(class, &mut rng);
        for (order, fewest) in [(4, 80), (10, 34)] {
            let [m, q] = orders(&format!("dmv:order={order}"), &body, fewest);
            let off = |measured: f64| (measured - f64::from(order)).abs();
            assert!(m.is_nan() || off(m) <= 0.25, "{class:?}, order {order}: momentum {m}");
            assert!(off(q) <= 0.25, "{class:?}, order {order}: attitude {q}");
        }
    }
}

#[test]
fn order_20_is_exact_to_half_a_radian() {
    let mut rng = Rng::new(22);
    let classes = [BodyClass::Generic, BodyClass::NearSeparatrix(1e-6), BodyClass::Flat];
    for class in classes.into_iter().chain(DEGENERATE) {
        for solver in ["newton", "fixed-point"] {
            let body = body(class, &mut rng);
            let [m, q] = errors(&format!("dmv:order=20:solver={solver}"), &body, 0.5, 1);
            assert!(m <= 4.0 * EPS && q <= 4.0 * EPS, "{class:?}, {solver}: {m:e}, {q:e}");
        }
    }
}

#[test]
fn a_step_back_undoes_a_step() {
    let mut rng = Rng::new(23);
    for class in DEGENERATE.into_iter().chain([BodyClass::Generic, BodyClass::Flat]) {
        for spec in ["dmv:order=2", "dmv", "dmv:solver=fixed-point", "dmv:compensated"] {
            let body = body(class, &mut rng);
            let (mut rotor, first) = build(spec, &body);
            let (h, mut state) = (body.time_for(0.4), first);
            rotor.step(h, &mut state).unwrap();
            assert!(distance(&first, &state) > 0.1, "{class:?}");
            rotor.step(-h, &mut state).unwrap();
            let off = distance(&first, &state);
            assert!(off <= 4.0 * EPS, "{spec}, {class:?}: {off:e}");
        }
    }
}

#[test]
fn both_solvers_solve_to_rounding() {
    let mut rng = Rng::new(24);
    for _ in 0..300 {
        let body = body(BodyClass::Generic, &mut rng);
        let h = body.time_for(rng.log_uniform(1e-4, 0.8));
        let after = |spec: &str| {
            let (mut rotor, mut state) = build(spec, &body);
            rotor.step(h, &mut state).unwrap();
            state
        };
        let off = distance(&after("dmv:solver=newton"), &after("dmv:solver=fixed-point"));
        assert!(off <= 2.0 * EPS, "{body:?}, {h}: {off:e}");
    }
}

#[test]
fn units_do_not_matter() {
    let mut rng = Rng::new(26);
    for class in DEGENERATE.into_iter().chain([BodyClass::Generic, BodyClass::Extreme]) {
        let body = body(class, &mut rng);
        let h = body.time_for(0.05);
        for spec in ["dmv", "dmv:compensated", "dmv:solver=fixed-point"] {
            let after = |body: &Body, h: f64| {
                let (mut rotor, mut state) = build(spec, body);
                run(&mut *rotor, h, 5, &mut state);
                state
            };
            let plain = after(&body, h);
            for (i, m) in [(-150, -900), (-150, 800), (100, -900), (100, 800)] {
                let (i, m) = (2f64.powi(i), 2f64.powi(m));
                let scaled = after(&body.scaled(i, m), h * i / m);
                assert_eq!((scaled.m, scaled.q), (plain.m * m, plain.q), "{spec}, {class:?}");
            }
        }
    }
}

#[test]
fn a_tensor_is_the_body_in_another_frame() {
    let turn = so3::exp(DVec3::new(0.4, -1.1, 0.7));
    let matrix = glam::DMat3::from_quat(turn);
    let tensor = matrix * glam::DMat3::from_diagonal(WATER.inertia.into()) * matrix.transpose();
    let rows = tensor.transpose().to_cols_array_2d();
    let inertia = Inertia::tensor_unphysical(rows).unwrap();
    for spec in ["dmv", "dmv:compensated"] {
        let (mut plain, mut want) = build(spec, &WATER);
        let mut turned = rotor::build(spec, &inertia).unwrap();
        let mut state = State::new(turn * want.m, turn.conjugate()).unwrap();
        let first = state;
        run(&mut *plain, 0.05, 20_000, &mut want);
        run(&mut *turned, 0.05, 20_000, &mut state);
        // The tensor above is rounded, and energies walk: phases part by some eps of 1e3 radians.
        let back = State { m: turn.conjugate() * state.m, q: state.q * turn };
        assert!(distance(&want, &back) < 3e-11, "{spec}: {:e}", distance(&want, &back));
        let change = (state.spatial_momentum() - first.spatial_momentum()).length() / EPS;
        // Compensated, the turns into the axes and out again do not add up.
        let most = if spec == "dmv" { 200.0 } else { 12.0 };
        assert!(change < most, "{spec}: {change} eps");
    }
}

#[test]
fn beyond_a_quarter_turn_it_says_so() {
    // The equation would be solved by the angle π - θ.
    let mut rng = Rng::new(27);
    for _ in 0..100 {
        let body = body(BodyClass::Generic, &mut rng);
        let (inertia, first) = start(&body);
        let quarter = core::f64::consts::FRAC_PI_2 / first.omega(&inertia).length();
        for solver in ["newton", "fixed-point"] {
            for compensated in ["", ":compensated"] {
                let spec = format!("dmv:order=20:solver={solver}{compensated}");
                let mut rotor = rotor::build(&spec, &inertia).unwrap();
                for h in [1.001, 1.5, -3.0, 100.0, 1e200] {
                    let mut state = first;
                    let error = rotor.step(h * quarter, &mut state).unwrap_err();
                    let expected = matches!(error, StepError::NoConvergence { rotor: "dmv", .. });
                    assert!(expected, "{spec}: {error:?}");
                    assert_eq!(state, first);
                }
                let mut state = first;
                rotor.step(0.7 * quarter, &mut state).unwrap();
            }
        }
    }
}

#[test]
fn a_momentum_that_is_not_finite_is_refused() {
    let (mut rotor, first) = build("dmv:compensated", &WATER);
    let mut state = first;
    rotor.step(0.1, &mut state).unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut spoilt = state;
        spoilt.m.y = bad;
        let error = rotor.step(0.1, &mut spoilt).unwrap_err();
        assert!(matches!(error, StepError::OutOfRange { .. }), "{error:?}");
        assert!(matches!(rotor.step(bad, &mut state), Err(StepError::OutOfRange { .. })));
    }
    // The square of this attitude is not finite and cannot be halved: not tried for ever.
    let mut spoilt = State { q: DQuat::from_xyzw(0.0, 0.0, 0.0, 1e200), ..first };
    rotor.step(0.1, &mut spoilt).unwrap();
}

#[test]
fn a_series_that_has_diverged_is_refused() {
    // A needle whose modified moments of order 20 are those of no body near it: the equation has a
    // root, and the momentum it gives is 1e80 times too long.
    let moments = [0.5436723631431606, 2.506788768882697e-6, 0.5436698563543917];
    let inertia = Inertia::principal(moments).unwrap();
    let start = State::aligned([9.13301461046794e-87, 0.0, 6.368447865538504e-87]).unwrap();
    for spec in ["dmv:order=20", "dmv:order=20:compensated", "dmv:order=20:solver=fixed-point"] {
        let mut state = start;
        let result = rotor::build(spec, &inertia).unwrap().step(3.1747738567351336e85, &mut state);
        assert!(
            matches!(result, Err(StepError::NoConvergence { .. })),
            "{spec}: {result:?} {state:?}"
        );
        assert_eq!(state, start, "{spec}");
    }
}
