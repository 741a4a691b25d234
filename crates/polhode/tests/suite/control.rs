//! Controllers: called at their ticks, held, delayed, resumed bit for bit.

use core::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use polhode::control::{
    BDot, Command, ControlError, ControlLoop, Controller, ControllerInput, MomentumDump,
    PdQuaternion, Target, Thrusters,
};
use polhode::glam::{DQuat, DVec3};
use polhode::inside::{Inside, Wheel};
use polhode::method::Method;
use polhode::observe::{Invariants, Sample};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{ConstantTorque, DipoleField, GravityGradient, MagneticDipole, Orbit};
use polhode::{Inertia, Problem, State, Torque, so3};

fn body() -> Inertia {
    Inertia::principal([1.0, 1.6, 2.1]).unwrap()
}

fn start() -> State {
    State::new([0.5, -0.4, 0.9], so3::exp(DVec3::new(0.3, -0.8, 0.2))).unwrap()
}

fn end(problem: &Problem, method: &str, step: f64, until: f64) -> State {
    let trajectory = problem.simulate(method, step, until).unwrap_or_else(|e| panic!("{e}"));
    trajectory.points.last().unwrap().state
}

fn distance(a: &State, b: &State) -> f64 {
    (a.m - b.m).length().max(so3::angle_between(a.q, b.q))
}

fn three_wheels() -> Inside {
    let wheel = |axis: DVec3| {
        Wheel::new(axis, 0.02, 0.0).unwrap().torque_limit(0.05).unwrap().speed_limit(500.0).unwrap()
    };
    DVec3::AXES.into_iter().fold(Inside::default(), |inside, axis| inside.wheel(wheel(axis)))
}

/// A controller that commands a torque against the turning, and the times at which it was called.
fn recorded(period: f64, gain: f64) -> (ControlLoop, Arc<Mutex<Vec<f64>>>) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = times.clone();
    let make = move || {
        let seen = seen.clone();
        move |at: &ControllerInput<'_>| {
            seen.lock().unwrap().push(at.t);
            Command::torque(at.omega * -gain)
        }
    };
    (ControlLoop::new(period, make).unwrap(), times)
}

#[test]
fn it_is_called_at_its_ticks_whatever_the_step() {
    let calls = |step: f64| {
        let (control, times) = recorded(0.3, 0.3);
        let problem = Problem::new(body(), start()).controlled(control);
        let state = end(&problem, "kahanli8+exact", step, 3.0);
        let times = times.lock().unwrap().clone();
        (times, state)
    };
    let want: Vec<f64> = (0..10).map(|n| f64::from(n) * 0.3).collect();
    let (times, whole) = calls(0.3);
    assert_eq!(times, want);
    // Finer than a step, coarser, and neither: the same motion, as each piece is as good as exact.
    for step in [1.5, 0.1, 0.25] {
        let (times, state) = calls(step);
        assert_eq!(times, want, "{step}");
        assert!(distance(&state, &whole) < 1e-12, "{step}: {:e}", distance(&state, &whole));
    }
}

/// A torque about a principal axis of a body at rest: angle and speed are those of a text book.
#[test]
fn commands_are_held_and_delayed() {
    let rest = State::aligned([0.0; 3]).unwrap();
    let make = || {
        |at: &ControllerInput<'_>| Command::torque([if at.t < 0.5 { 0.2 } else { 0.0 }, 0.0, 0.0])
    };
    let control = ControlLoop::new(1.0, make).unwrap();
    for (delay, held) in [(0.0, 1.0), (0.25, 1.0), (2.6, 1.0)] {
        let control = control.clone().delayed(delay).unwrap();
        let problem = Problem::new(body(), rest).controlled(control);
        let last = end(&problem, "strang+exact", 0.7, 7.0);
        // On from the delay for one period, then the body turns on with 0.2 rad per time.
        let angle = 0.2 * held * (7.0 - delay - 0.5 * held);
        assert!((last.m.x - 0.2 * held).abs() < 1e-14, "{}", last.m);
        let turned = so3::angle_between(DQuat::IDENTITY, last.q);
        assert!((turned - angle).abs() < 1e-13, "{delay}: {turned} {angle}");
    }
}

#[test]
fn thrusters_are_on_for_part_of_a_period_or_not_at_all() {
    let rest = State::aligned([0.0; 3]).unwrap();
    let first = |at: &ControllerInput<'_>| {
        if at.t < 0.5 { Command::torque([0.03, -0.5, 0.001]) } else { Command::default() }
    };
    let control = ControlLoop::new(1.0, move || first).unwrap();
    let thrusters = Thrusters::new([0.1, 0.1, 0.1], 0.05).unwrap();
    let problem = Problem::new(body(), rest).controlled(control.thrusters(thrusters));
    let got = end(&problem, "kahanli6+exact", 1.0, 2.0);
    // About the first axis 0.3 of the period; about the second all of it, as more is asked for than there is; the
    // third pulse were too short.
    let mut want = rest;
    for (torque, lasts) in [([0.1, -0.1, 0.0], 0.3), ([0.0, -0.1, 0.0], 0.7), ([0.0; 3], 1.0)] {
        let torque = ConstantTorque::body(torque).unwrap();
        want = end(&Problem::new(body(), want).torque(torque), "kahanli6+exact", lasts, lasts);
    }
    assert!(distance(&got, &want) < 1e-15, "{:e}", distance(&got, &want));
    let half = Problem::new(body(), rest).torque(ConstantTorque::body([0.1, -0.1, 0.0]).unwrap());
    assert!(distance(&got, &end(&half, "kahanli6+exact", 1.0, 2.0)) > 0.01);
}

#[test]
fn a_motor_keeps_its_own_torque_beside_a_controller() {
    let wheel = Wheel::new(DVec3::Z, 0.02, 0.0).unwrap().torque(1e-3).unwrap();
    let alone = Problem::new(body(), start()).inside(Inside::default().wheel(wheel)).unwrap();
    let idle =
        ControlLoop::new(0.1, || |_: &ControllerInput<'_>| Command::torque([0.0; 3])).unwrap();
    let steered = alone.clone().controlled(idle);
    let [want, got] = [alone, steered].map(|problem| end(&problem, "strang+exact", 0.1, 5.0));
    assert_eq!(want, got);
}

#[test]
fn wheels_point_a_body_and_conserve_the_total_momentum() {
    let inside = three_wheels();
    let target = so3::exp(DVec3::new(0.4, 0.2, -0.7));
    let law = PdQuaternion::new(Target::Fixed(target), 0.05, 0.5).unwrap();
    let law = law.by_wheels(inside.wheels()).unwrap();
    let control = ControlLoop::new(0.5, move || law).unwrap().internal();
    let slow = State::new([0.05, -0.04, 0.09], start().q).unwrap();
    let problem = Problem::new(body(), slow).inside(inside).unwrap().controlled(control);
    assert!(problem.conserves_momentum() && !problem.conserves_energy());
    let mut invariants = Invariants::default();
    let mut omega = DVec3::NAN;
    let mut see = |sample: &Sample<'_>| {
        omega = sample.omega();
        ControlFlow::Continue(())
    };
    problem.observe("strang+exact", 0.25, 200.0, &mut [&mut invariants, &mut see]).unwrap();
    assert!(invariants.spatial_momentum().unwrap().max_error < 1e-14);
    let last = end(&problem, "strang+exact", 0.25, 200.0);
    assert!(so3::angle_between(last.q, target) < 1e-3 && omega.length() < 1e-4, "{omega}");
}

fn on_orbit() -> (Torque, Orbit) {
    let orbit = Orbit::circular(1.1e-3, [0.0, -0.99, 0.14], [1.0, 0.0, 0.0]).unwrap();
    let field = DipoleField::new(orbit, 2.6e-5, [0.17, 0.0, -0.98]).unwrap();
    let field = field.turning(DVec3::Z, 7.29e-5).unwrap();
    (Torque::from(GravityGradient::on(orbit)) + Torque::dipole([0.0; 3], field).unwrap(), orbit)
}

fn small() -> Inertia {
    Inertia::tensor([[0.03, 0.001, 0.0], [0.001, 0.032, -0.0005], [0.0, -0.0005, 0.01]]).unwrap()
}

#[test]
fn b_dot_detumbles() {
    let (torque, _) = on_orbit();
    let omega = DVec3::new(0.05, -0.06, 0.04);
    let tumbling = State::from_omega(&small(), omega, start().q).unwrap();
    let law = BDot::new(2e4).unwrap();
    let control = ControlLoop::new(1.0, move || law).unwrap().dipole_limit(0.2).unwrap();
    let problem = Problem::new(small(), tumbling).torque(torque).controlled(control);
    let last = end(&problem, "strang+exact", 1.0, 11_400.0);
    let rate = last.omega(&small()).length();
    assert!(rate < 0.1 * omega.length(), "{rate}");
}

#[test]
fn nadir_is_pointed_at_and_wheels_are_unloaded() {
    let (torque, orbit) = on_orbit();
    let wheel = |axis: DVec3, speed: f64| {
        let wheel = Wheel::new(axis, 1e-4, speed).unwrap();
        wheel.torque_limit(1e-3).unwrap().speed_limit(600.0).unwrap()
    };
    let inside = Inside::default()
        .wheel(wheel(DVec3::X, 60.0))
        .wheel(wheel(DVec3::Y, -40.0))
        .wheel(wheel(DVec3::Z, 50.0));
    let held = |speeds: &[f64]| speeds.iter().map(|s| s * s).sum::<f64>().sqrt() * 1e-4;
    let law = PdQuaternion::new(Target::Nadir, 2e-5, 1e-3).unwrap();
    let law = law.by_wheels(inside.wheels()).unwrap();
    let point = ControlLoop::new(1.0, move || law).unwrap();
    let dump = MomentumDump::new(1e-3).unwrap();
    let dump = ControlLoop::new(5.0, move || dump).unwrap().dipole_limit(0.5).unwrap();
    let still = State::new([0.0; 3], start().q).unwrap();
    let problem = Problem::new(small(), still).torque(torque).inside(inside).unwrap();
    let problem = problem.controlled(point).controlled(dump);
    let mut last = (f64::NAN, 0.0);
    let mut first = None;
    let mut see = |sample: &Sample<'_>| {
        let down = sample.state.q.conjugate() * -orbit.direction(sample.t);
        let speeds = sample.wheel_speeds();
        first.get_or_insert(held(&speeds));
        last = (down.angle_between(DVec3::Z), held(&speeds));
        ControlFlow::Continue(())
    };
    problem.observe("strang+exact", 1.0, 6000.0, &mut [&mut see]).unwrap();
    assert!(last.0 < 0.01, "{} rad", last.0);
    assert!(last.1 < 0.3 * first.unwrap(), "{first:?} {last:?}");
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let (torque, _) = on_orbit();
    let law = PdQuaternion::new(Target::Nadir, 2e-3, 5e-2).unwrap();
    let law = law.by_wheels(three_wheels().wheels()).unwrap();
    let push =
        ControlLoop::new(0.7, || |at: &ControllerInput<'_>| Command::torque(at.omega * -0.2))
            .unwrap();
    let thrusters = Thrusters::new([0.3; 3], 0.01).unwrap();
    let magnets = BDot::new(1e4).unwrap();
    let problem = Problem::new(body(), start())
        .torque(torque)
        .inside(three_wheels())
        .unwrap()
        .controlled(ControlLoop::new(0.5, move || law).unwrap().delayed(1.3).unwrap())
        .controlled(push.thrusters(thrusters).delayed(0.15).unwrap())
        .controlled(ControlLoop::new(0.25, move || magnets).unwrap().dipole_limit(5.0).unwrap());
    let method = Method::parse("suzuki4:compensated+dmv").unwrap();
    let mut whole = method.stepper(&problem).unwrap();
    let mut a = start();
    let mut halts = Vec::new();
    for n in 0..60 {
        halts.push((a, whole.carried()));
        whole.step(&problem, 0.2 * f64::from(n), 0.2, &mut a).unwrap();
    }
    for from in [0, 1, 7, 33, 59] {
        let (mut b, carried) = halts[from].clone();
        let mut rest = method.stepper(&problem).unwrap();
        rest.restore(&carried).unwrap();
        for n in from..60 {
            rest.step(&problem, 0.2 * n as f64, 0.2, &mut b).unwrap();
        }
        assert_eq!(
            (a, whole.inside(), whole.carried()),
            (b, rest.inside(), rest.carried()),
            "{from}"
        );
        assert!(rest.restore(&carried[1..]).is_err() && rest.restore(&[]).is_err());
    }
}

#[test]
fn what_cannot_be_is_told() {
    let free = || |_: &ControllerInput<'_>| Command::default();
    for (made, text) in [
        (ControlLoop::new(0.0, free), "controller: period = 0.0 is not allowed"),
        (ControlLoop::new(1.0, free).unwrap().delayed(-1.0), "delay = -1.0"),
        (ControlLoop::new(1.0, free).unwrap().dipole_limit(0.0), "dipole_limit = 0.0"),
    ] {
        let error = made.unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    let error = Thrusters::new([0.1, 0.0, 0.1], 0.0).unwrap_err().to_string();
    assert!(error.contains("thrust = [0.1, 0.0, 0.1]"), "{error}");
    let law = PdQuaternion::new(Target::Nadir, 1.0, 1.0).unwrap();
    let wheels = [three_wheels().wheels()[0], three_wheels().wheels()[1]];
    assert!(law.by_wheels(&wheels).unwrap_err().to_string().contains("lie in a plane"));

    let magnet =
        ControlLoop::new(1.0, || |_: &ControllerInput<'_>| Command::dipole([1.0, 0.0, 0.0]))
            .unwrap();
    let problem = Problem::new(body(), start()).controlled(magnet.clone());
    let error = problem.simulate("strang+exact", 0.1, 1.0).unwrap_err().to_string();
    assert!(error.contains("there is no magnetic field"), "{error}");
    let field = problem.torque(MagneticDipole::new([0.0; 3], [0.0, 0.0, 1.0]).unwrap());
    assert!(field.simulate("strang+exact", 0.1, 1.0).is_ok());
    let error = field.simulate("strang+exact", -0.1, -1.0).unwrap_err().to_string();
    assert!(error.contains("backwards"), "{error}");
    let error = field.simulate("exact", 0.1, 1.0).unwrap_err().to_string();
    assert!(error.contains("a rotor alone"), "{error}");
    assert!(field.solve(1.0, 1e-8).unwrap_err().to_string().contains("a controller"));
    let wild =
        ControlLoop::new(1.0, || |_: &ControllerInput<'_>| Command::torque([f64::NAN; 3])).unwrap();
    let error = Problem::new(body(), start()).controlled(wild).simulate("strang+exact", 0.1, 1.0);
    assert!(error.unwrap_err().to_string().contains("not finite"));
}

fn refused(problem: &Problem) -> String {
    problem.simulate("strang+exact", 0.1, 1.0).unwrap_err().to_string()
}

/// Demands that the body stands still.
struct DemandingController;
impl Controller for DemandingController {
    fn command(&mut self, _: &ControllerInput<'_>) -> Command {
        Command::default()
    }
    fn missing(&self, at: &ControllerInput<'_>) -> Option<ControlError> {
        let (what, remedy) = ("it turns", "stop it");
        (at.omega != DVec3::ZERO).then_some(ControlError::Missing { what, remedy })
    }
}

/// Asked before the run begins: a law that would do nothing is refused.
#[test]
fn a_law_says_what_it_misses() {
    let alone = Problem::new(body(), start());
    let (bdot, dump) = (BDot::new(1.0).unwrap(), MomentumDump::new(1.0).unwrap());
    let nadir = PdQuaternion::new(Target::Nadir, 1.0, 1.0).unwrap();
    let loops = [
        ControlLoop::new(1.0, move || bdot).unwrap(),
        ControlLoop::new(1.0, move || dump).unwrap(),
        ControlLoop::new(1.0, move || nadir).unwrap(),
    ];
    for (control, text) in
        loops.iter().zip(["no magnetic field", "no magnetic field", "no nadir without an orbit"])
    {
        let error = control.check(&alone).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        assert_eq!(refused(&alone.clone().controlled(control.clone())), error);
    }
    let [bdot, dump, nadir] = loops.map(|control| control.field([0.0, 0.0, 1.0]));
    assert!(bdot.check(&alone).is_ok());
    assert!(dump.check(&alone).unwrap_err().to_string().contains("no wheels"));
    assert!(dump.check(&alone.clone().inside(three_wheels()).unwrap()).is_ok());
    assert!(nadir.check(&alone).is_err());
    let (_, orbit) = on_orbit();
    assert!(nadir.clone().orbit(orbit).check(&alone).is_ok());
    // The orbit of its field will do.
    let field = DipoleField::new(orbit, 1.0, [0.0, 0.0, -1.0]).unwrap();
    assert!(nadir.field(field).check(&alone).is_ok());
    let own = ControlLoop::new(1.0, || DemandingController).unwrap();
    assert_eq!(refused(&alone.controlled(own.clone())), "controller: it turns; stop it");
    assert!(own.check(&Problem::new(body(), State::aligned([0.0; 3]).unwrap())).is_ok());
}

/// What one loop commands is no orbit for another.
#[test]
fn the_orbit_is_none_of_another_loops_dipole() {
    let (_, orbit) = on_orbit();
    let field = DipoleField::new(orbit, 1e-3, [0.17, 0.0, -0.98]).unwrap();
    let magnet =
        ControlLoop::new(0.1, || |_: &ControllerInput<'_>| Command::dipole([1.0, 0.0, 0.0]));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let look = move || {
        let told = told.clone();
        move |at: &ControllerInput<'_>| {
            told.lock().unwrap().push((at.orbit.is_some(), at.field.is_some()));
            Command::default()
        }
    };
    let problem = Problem::new(body(), start())
        .controlled(magnet.unwrap().field(field))
        .controlled(ControlLoop::new(0.3, look).unwrap());
    end(&problem, "strang+exact", 0.1, 1.0);
    assert_eq!(*seen.lock().unwrap(), [(false, false); 4]);
}

#[test]
fn a_command_to_no_motor_ends_the_run() {
    let kept = Wheel::new(DVec3::X, 0.02, 3.0).unwrap();
    let inside =
        Inside::default().wheel(kept).wheel(Wheel::new(DVec3::Y, 0.02, 0.0).unwrap().driven());
    let problem = Problem::new(body(), start()).inside(inside).unwrap();
    let asking = |torques: &'static [f64]| {
        let make = move || move |_: &ControllerInput<'_>| Command::motors(torques);
        problem.clone().controlled(ControlLoop::new(0.5, make).unwrap())
    };
    assert!(asking(&[0.0, 0.1]).simulate("strang+exact", 0.1, 1.0).is_ok());
    for (torques, text) in [
        (&[0.1][..], "at t = 0.0 the controller commands a torque of the motor of wheel 1"),
        (&[0.0, 0.1, 0.0, -0.1], "the motor of wheel 4, and the body has no driven wheel"),
        (&[0.0; 9], "motors of more wheels than there may be"),
    ] {
        let error = refused(&asking(torques));
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn a_pulse_longer_than_the_period_is_refused() {
    let control = ControlLoop::new(1.0, || |_: &ControllerInput<'_>| Command::default()).unwrap();
    let with =
        |shortest: f64| control.clone().thrusters(Thrusters::new([0.1; 3], shortest).unwrap());
    let problem = Problem::new(body(), start());
    assert!(with(1.0).check(&problem).is_ok());
    let error = refused(&problem.controlled(with(1.5)));
    assert!(error.contains("shortest_pulse = 1.5") && error.contains("the period"), "{error}");
}

#[test]
fn a_field_that_is_none_is_told() {
    let law = BDot::new(1.0).unwrap();
    let control = ControlLoop::new(0.2, move || law).unwrap();
    let problem = Problem::new(body(), start());
    let error = refused(&problem.clone().controlled(control.clone().field([0.0, f64::NAN, 0.0])));
    assert!(error.contains("controller: field: ") && error.contains("NaN"), "{error}");
    let rows = [[0.0, 1.0, 0.0, 0.0], [0.5, 1.0, 1.0, 0.0]];
    let table = VectorTable::new(&rows, Interpolation::Linear, Beyond::Error).unwrap();
    let idle = BDot::new(0.0).unwrap();
    let idle = ControlLoop::new(0.2, move || idle).unwrap();
    let error = refused(&problem.controlled(idle.field(table)));
    assert!(error.contains("at t = 0.60") && error.contains("field that is not finite"), "{error}");
}

/// A quaternion of any length is an attitude, but for zero.
#[test]
fn a_target_is_normalised() {
    let target = so3::exp(DVec3::new(0.4, 0.2, -0.7));
    let ends = [1.0, 5.0, 1e-300].map(|size| {
        let law = PdQuaternion::new(Target::Fixed(target * size), 0.05, 0.5).unwrap();
        let control = ControlLoop::new(0.5, move || law).unwrap();
        end(&Problem::new(body(), start()).controlled(control), "strang+exact", 0.25, 20.0)
    });
    assert!(distance(&ends[0], &ends[1]) < 1e-14 && distance(&ends[0], &ends[2]) < 1e-14);
    for q in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)] {
        let error = PdQuaternion::new(Target::Fixed(q), 1.0, 1.0).unwrap_err().to_string();
        assert!(error.contains("controller: target = ["), "{error}");
    }
}

/// Neither a period far below the step nor a start long after the first call takes for ever.
#[test]
fn ticks_are_bounded() {
    let idle = |period: f64| {
        ControlLoop::new(period, || |_: &ControllerInput<'_>| Command::default()).unwrap()
    };
    let problem = Problem::new(body(), start());
    let error = refused(&problem.clone().controlled(idle(1e-12)));
    assert!(error.contains("more than a million times in a step"), "{error}");
    let (control, times) = recorded(0.5, 0.1);
    let late = problem.controlled(control);
    let mut stepper = Method::parse("strang+exact").unwrap().stepper(&late).unwrap();
    let mut state = start();
    for n in 0..3 {
        stepper.step(&late, 1e12 + 0.25 + 0.5 * f64::from(n), 0.5, &mut state).unwrap();
    }
    assert_eq!(*times.lock().unwrap(), [1e12, 1e12 + 0.5, 1e12 + 1.0, 1e12 + 1.5]);
}
