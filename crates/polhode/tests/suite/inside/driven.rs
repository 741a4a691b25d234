//! Wheels with motors and friction, and a damper: what has a momentum of its own.

use core::ops::ControlFlow;

use polhode::composition::SCHEMES;
use polhode::inside::BallDamper;
use polhode::method::Method;
use polhode::observe::{Invariants, Sample};
use polhode::torque::Damping;

use super::*;

#[test]
fn driven_wheels_exchange_momentum_and_conserve_the_total() {
    let [u, v] = [0.02, -0.013];
    let wheel = |axis: [f64; 3], speed: f64, torque: f64| {
        Wheel::new(axis, 0.05, speed).unwrap().torque(torque).unwrap()
    };
    let wheels = [wheel([0.0, 0.6, 0.8], 9.0, u), wheel([1.0, 0.0, 0.2], -4.0, v)];
    let inside = wheels.iter().fold(Inside::default(), |inside, w| inside.wheel(*w));
    let problem = Problem::new(body(), start()).inside(inside).unwrap();
    assert!(problem.conserves_momentum() && !problem.conserves_energy());
    let first = problem.inside_at_start();
    let mut last = Vec::new();
    let mut invariants = Invariants::default();
    let mut see = |sample: &Sample<'_>| {
        last = sample.inside.to_vec();
        ControlFlow::Continue(())
    };
    let until = 10.0;
    problem.observe("kahanli8+exact", 0.1, until, &mut [&mut see, &mut invariants]).unwrap();
    let momentum = invariants.spatial_momentum().unwrap().max_error;
    // A walk of roundings: 1700 drifts, and turns before and after each.
    assert!(momentum < 2e-14, "{momentum:e}");
    for (k, torque) in [u, v].into_iter().enumerate() {
        // Some ten thousand additions.
        assert!((last[k] - first[k] - torque * until).abs() < 2e-13, "{last:?}");
    }
    // The rest of the body, with wheels whose momentum is known at each time.
    let axes = [wheels[0].axis(), wheels[1].axis()];
    let rest = without(&body(), &wheels);
    let at = move |t: f64| axes[0] * (first[0] + u * t) + axes[1] * (first[1] + v * t);
    let (before, after) = (at(0.0), at(until));
    let reaction = axes[0] * u + axes[1] * v;
    let torque = Torque::function(Function::new(Dependence::Momentum, move |body, t, state| {
        at(t).cross(body.omega(state.m)) - reaction
    }));
    let own = State { m: start().m - before, q: start().q };
    let own = Problem::new(rest, own).torque(torque);
    let solver = own.solver().method(SolveMethod::Dop853).tolerance(1e-14);
    let (_, want) = solver.until(until).unwrap().end();
    let want = State { m: want.m + after, q: want.q };
    let got = end(&problem, "kahanli8+exact", 0.1, until);
    assert!(distance(&got, &want) < 1e-12, "{:e}", distance(&got, &want));
}

#[test]
fn an_exchange_along_the_axes_conserves_the_total_to_rounding() {
    let wheel =
        |axis: DVec3, torque: f64| Wheel::new(axis, 0.05, 2.0).unwrap().torque(torque).unwrap();
    let inside = Inside::default().wheel(wheel(DVec3::X, 0.03)).wheel(wheel(DVec3::Z, -0.02));
    let problem = Problem::new(body(), start()).inside(inside).unwrap();
    let mut invariants = Invariants::default();
    problem.observe("kahanli8+exact", 0.05, 20.0, &mut [&mut invariants]).unwrap();
    let momentum = invariants.spatial_momentum().unwrap().max_error;
    assert!(momentum < 2e-14, "{momentum:e}");
}

#[test]
fn a_free_wheel_keeps_the_energy_and_its_momentum() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().driven();
    let problem = Problem::new(body(), start()).inside(Inside::default().wheel(wheel)).unwrap();
    assert!(problem.conserves_energy());
    let mut invariants = Invariants::default();
    let mut speeds = Vec::new();
    let mut see = |sample: &Sample<'_>| {
        speeds.push(sample.wheel_speeds()[0]);
        ControlFlow::Continue(())
    };
    problem.observe("kahanli8+exact", 0.05, 50.0, &mut [&mut invariants, &mut see]).unwrap();
    assert!(invariants.energy().unwrap().max_error < 1e-12);
    assert!((speeds[0] - 3.0).abs() < 1e-14);
    assert!(speeds.iter().any(|speed| (speed - 3.0).abs() > 0.1));
}

#[test]
fn friction_in_the_bearings() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().friction(0.04, 0.0).unwrap();
    let problem =
        Problem::new(body(), start()).torque(top()).inside(Inside::default().wheel(wheel));
    let problem = problem.unwrap();
    let axis = wheel.axis();
    let rest = without(&body(), &[wheel]);
    let slope = |_: f64, y: &[f64]| {
        let w = rest.omega(DVec3::new(y[0], y[1], y[2]) - axis * y[7]);
        let torque = Problem::new(body(), state_of(y)).torque(top()).torque_at(0.0, &state_of(y));
        let mut slope = kinematics(y, w, torque);
        slope.push(-0.04 * (y[7] / 0.3 - axis.dot(w)));
        slope
    };
    let from = numbers(&start(), &problem.inside_at_start());
    let want = integrate(&from, 2.0, 4000, slope);
    let found = order(&problem, "kahanli6+exact", 2.0, &state_of(&want));
    assert!(found > 5.6, "{found}");
    let got = end(&problem, "kahanli8+exact", 0.05, 2.0);
    assert!(distance(&got, &state_of(&want)) < 1e-11, "{:e}", distance(&got, &state_of(&want)));
}

#[test]
fn a_wheel_with_limits_saturates_and_sticks() {
    let wheel = Wheel::new([0.0, 0.0, 1.0], 0.1, 0.0).unwrap();
    let last_speed = |wheel: Wheel| {
        let problem = Problem::new(body(), State::aligned([0.0; 3]).unwrap())
            .inside(Inside::default().wheel(wheel))
            .unwrap();
        let mut last = f64::NAN;
        let mut see = |sample: &Sample<'_>| {
            last = sample.wheel_speeds()[0];
            ControlFlow::Continue(())
        };
        problem.observe("strang+exact", 0.1, 40.0, &mut [&mut see]).unwrap();
        last
    };
    let strong = wheel.torque(1.0).unwrap();
    let got = last_speed(strong.torque_limit(0.01).unwrap());
    // Its speed grows by u (1/J + 1/(C - J)) in a unit of time.
    assert!((got - 0.01 * 40.0 * (10.0 + 0.5)).abs() < 1e-12, "{got}");
    let got = last_speed(strong.speed_limit(7.0).unwrap());
    assert!((got - 7.0).abs() < 1e-12, "{got}");
    assert_eq!(last_speed(wheel.torque(0.01).unwrap().friction(0.0, 0.02).unwrap()), 0.0);
}

#[test]
fn a_ball_damper_takes_energy_and_no_momentum() {
    let (inertia, coefficient) = (0.2, 0.15);
    let damper = BallDamper::new(inertia, coefficient).unwrap();
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.05, 9.0).unwrap();
    let inside = Inside::default().damper(damper).wheel(wheel);
    let problem = Problem::new(body(), start()).inside(inside).unwrap();
    let rest = Inertia::principal(MOMENTS.map(|i| i - inertia)).unwrap();
    let h = wheel.axis() * 0.45;
    let slope = |_: f64, y: &[f64]| {
        let q = state_of(y).q;
        let in_space = DVec3::new(y[7], y[8], y[9]);
        let ball = q.conjugate() * in_space;
        let w = rest.omega(DVec3::new(y[0], y[1], y[2]) - ball - h);
        let push = q * ((w - ball / inertia) * coefficient);
        let mut slope = kinematics(y, w, DVec3::ZERO);
        slope.extend(push.to_array());
        slope
    };
    let from = numbers(&start(), &problem.inside_at_start());
    let want = integrate(&from, 3.0, 6000, slope);
    let want = state_of(&want);
    let found = order(&problem, "kahanli6+exact", 3.0, &want);
    assert!(found > 5.6, "{found}");
    let error = distance(&end(&problem, "kahanli8+exact", 0.05, 3.0), &want);
    assert!(error < 1e-11, "{error:e}");
    let mut energies = Vec::new();
    let mut invariants = Invariants::default();
    let mut see = |sample: &Sample<'_>| {
        energies.push(sample.energy());
        ControlFlow::Continue(())
    };
    problem.observe("strang+exact", 0.1, 300.0, &mut [&mut see, &mut invariants]).unwrap();
    assert!(invariants.spatial_momentum().unwrap().max_error < 1e-13);
    let energy = |i: usize| energies[i];
    assert!(energy(1000) < energy(0) && energy(2999) - energy(2000) < 1e-9, "{}", energy(2999));
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().friction(0.04, 0.01).unwrap();
    let inside = Inside::default()
        .wheel(wheel.torque(0.02).unwrap())
        .damper(BallDamper::new(0.1, 0.2).unwrap());
    let problem = Problem::new(body(), start()).torque(top()).inside(inside).unwrap();
    let method = Method::parse("yoshida4:compensated+dmv").unwrap();
    let mut whole = method.stepper(&problem).unwrap();
    let (mut a, mut carried) = (start(), Vec::new());
    for n in 0..40 {
        if n == 17 {
            carried = numbers(&a, &whole.carried());
        }
        whole.step(&problem, 0.1 * f64::from(n), 0.1, &mut a).unwrap();
    }
    let mut rest = method.stepper(&problem).unwrap();
    rest.restore(&carried[7..]).unwrap();
    let mut b = State {
        m: DVec3::new(carried[0], carried[1], carried[2]),
        q: so3::from_wxyz([carried[3], carried[4], carried[5], carried[6]]),
    };
    for n in 17..40 {
        rest.step(&problem, 0.1 * f64::from(n), 0.1, &mut b).unwrap();
    }
    assert_eq!((a, whole.inside()), (b, rest.inside()));
    assert!(rest.restore(&[1.0, 2.0]).is_err());
}

/// Torques see the angular velocity of what turns as a whole: damping is exact in a kick, a function gets the body and
/// the momentum that the whole of it would have.
#[test]
fn torques_of_the_angular_velocity_go_with_driven_wheels_and_a_damper() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().friction(0.04, 0.0).unwrap();
    let (ball, fluid) = (0.2, 0.15);
    let damper = BallDamper::new(ball, fluid).unwrap();
    let inside = Inside::default().wheel(wheel).damper(damper);
    let axis = wheel.axis();
    let without_ball = Inertia::principal(MOMENTS.map(|i| i - ball)).unwrap();
    let rest = without(&without_ball, &[wheel]);
    let c = DVec3::new(0.1, 0.2, 0.05);
    let air = |body: &Inertia, _: f64, state: &State| {
        let w = body.omega(state.m);
        w * (-0.1 * w.length())
    };
    let models = Torque::from(Damping::new(c).unwrap()) + top();
    let function = models.clone() + Torque::function(Function::new(Dependence::Momentum, air));
    for (torque, has_air, methods) in [
        (&models, 0.0, &[("strang+exact", 2.0), ("kahanli6+exact", 6.0), ("s6-10+exact", 6.0)][..]),
        // A function of the momentum is kicked with by a method of order 4.
        (&function, 0.1, &[("strang+exact", 2.0), ("suzuki4+exact", 4.0)]),
    ] {
        let problem = Problem::new(body(), start()).torque(torque.clone());
        let problem = problem.inside(inside.clone()).unwrap();
        let slope = |_: f64, y: &[f64]| {
            let state = state_of(y);
            let in_body = state.q.conjugate() * DVec3::new(y[8], y[9], y[10]);
            let w = rest.omega(state.m - axis * y[7] - in_body);
            let pull = Problem::new(body(), state).torque(top()).torque_at(0.0, &state);
            let mut slope = kinematics(y, w, pull - c * w - w * (has_air * w.length()));
            slope.push(-0.04 * (y[7] / 0.3 - axis.dot(w)));
            slope.extend((state.q * ((w - in_body / ball) * fluid)).to_array());
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

/// The commutators that schemes of Runge-Kutta-Nystrom and with gradients count on have the inertia of what turns as a
/// whole.
#[test]
fn every_scheme_keeps_its_order_with_a_driven_wheel() {
    let wheel = Wheel::new([0.0, 0.6, 0.8], 0.3, 3.0).unwrap().friction(0.04, 0.0).unwrap();
    let wheel = wheel.torque(0.2).unwrap();
    let problem = Problem::new(body(), start()).torque(top());
    let problem = problem.inside(Inside::default().wheel(wheel)).unwrap();
    let (axis, rest) = (wheel.axis(), without(&body(), &[wheel]));
    let slope = |_: f64, y: &[f64]| {
        let w = rest.omega(DVec3::new(y[0], y[1], y[2]) - axis * y[7]);
        let pull = Problem::new(body(), state_of(y)).torque(top()).torque_at(0.0, &state_of(y));
        let mut slope = kinematics(y, w, pull);
        slope.push(0.2 - 0.04 * (y[7] / 0.3 - axis.dot(w)));
        slope
    };
    let from = numbers(&start(), &problem.inside_at_start());
    let want = state_of(&integrate(&from, 2.0, 4000, slope));
    for scheme in SCHEMES {
        let found = order(&problem, &format!("{}+exact", scheme.id), 2.0, &want);
        let claimed = f64::from(scheme.order);
        assert!(found > claimed - 0.4, "{}: {found} instead of {claimed}", scheme.id);
    }
}
