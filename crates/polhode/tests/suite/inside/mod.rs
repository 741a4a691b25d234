//! Bodies in which something moves: against closed forms, against Dop853, and against an integration of the equations
//! that shares nothing with the library.

mod dissipation;
mod driven;
mod together;
mod varying;
mod wheels;

use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::inside::{Inside, Wheel};
use polhode::solve::SolveMethod;
use polhode::torque::{Dependence, Function, HeavyTop};
use polhode::{Inertia, Problem, State, Torque, so3};

const MOMENTS: [f64; 3] = [1.0, 1.6, 2.1];

fn body() -> Inertia {
    Inertia::principal(MOMENTS).unwrap()
}

fn start() -> State {
    State::new([0.5, -0.4, 0.9], so3::exp(DVec3::new(0.3, -0.8, 0.2))).unwrap()
}

fn top() -> HeavyTop {
    HeavyTop::new([0.1, 0.0, 0.4], [0.0, 0.0, 1.0]).unwrap()
}

fn steady() -> Inside {
    let wheel = |axis: [f64; 3], speed| Wheel::new(axis, 0.05, speed).unwrap();
    Inside::default().wheel(wheel([0.0, 0.6, 0.8], 9.0)).wheel(wheel([1.0, 0.0, 0.2], -4.0))
}

/// The momentum of its wheels.
fn held(inside: &Inside) -> DVec3 {
    inside.spins()
}

fn end(problem: &Problem, method: &str, step: f64, until: f64) -> State {
    let trajectory = problem.simulate(method, step, until).unwrap_or_else(|e| panic!("{e}"));
    trajectory.points.last().unwrap().state
}

fn distance(a: &State, b: &State) -> f64 {
    (a.m - b.m).length().max(so3::angle_between(a.q, b.q))
}

/// The motion with wheels at constant speed as that of the body's own momentum e = M - h under the torque h x omega,
/// by Dop853.
fn by_dop853(inertia: Inertia, start: State, h: DVec3, torque: Torque, until: f64) -> State {
    let gyroscopic = move |body: &Inertia, _: f64, state: &State| h.cross(body.omega(state.m));
    let torque = torque + Torque::function(Function::new(Dependence::Momentum, gyroscopic));
    let own = State { m: start.m - h, q: start.q };
    let problem = Problem::new(inertia, own).torque(torque);
    let solver = problem.solver().method(SolveMethod::Dop853).tolerance(1e-14);
    let (_, end) = solver.until(until).unwrap().end();
    State { m: end.m + h, q: end.q }
}

/// The observed order: errors at halved steps until they drown in rounding.
fn order(problem: &Problem, method: &str, until: f64, want: &State) -> f64 {
    let (mut before, mut found) = (f64::NAN, f64::NAN);
    for k in 1..10 {
        let error = distance(&end(problem, method, until / f64::from(1 << k), until), want);
        if before < 0.02 && error > 1e-12 || found.is_nan() && before < 0.5 {
            found = (before / error).log2();
        }
        if error < 1e-12 {
            break;
        }
        before = error;
    }
    found
}

/// Classical Runge-Kutta, far below rounding of what it is compared with: M, q (scalar first) and what else there is.
fn integrate(
    y: &[f64],
    until: f64,
    steps: u32,
    slope: impl Fn(f64, &[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let h = until / f64::from(steps);
    let mut y = y.to_vec();
    let along = |y: &[f64], k: &[f64], c: f64| -> Vec<f64> {
        y.iter().zip(k).map(|(y, k)| y + c * k).collect()
    };
    for n in 0..steps {
        let t = f64::from(n) * h;
        let a = slope(t, &y);
        let b = slope(t + 0.5 * h, &along(&y, &a, 0.5 * h));
        let c = slope(t + 0.5 * h, &along(&y, &b, 0.5 * h));
        let d = slope(t + h, &along(&y, &c, h));
        for i in 0..y.len() {
            y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    y
}

fn numbers(state: &State, more: &[f64]) -> Vec<f64> {
    [&state.m.to_array()[..], &state.attitude(), more].concat()
}

fn state_of(y: &[f64]) -> State {
    let q = so3::from_wxyz([y[3], y[4], y[5], y[6]]).normalize();
    State::new([y[0], y[1], y[2]], q).unwrap()
}

/// m' = m x w + torque and q' = q w/2 for the angular velocity w.
fn kinematics(y: &[f64], w: DVec3, torque: DVec3) -> Vec<f64> {
    let m = DVec3::new(y[0], y[1], y[2]);
    let q = so3::from_wxyz([y[3], y[4], y[5], y[6]]);
    let turn = q * DQuat::from_xyzw(0.5 * w.x, 0.5 * w.y, 0.5 * w.z, 0.0);
    let slope = m.cross(w) + torque;
    [&slope.to_array()[..], &so3::to_wxyz(turn)].concat()
}

#[test]
fn wheels_have_the_momentum_of_their_speed() {
    let wheels = [([0.0, 0.6, 0.8], 9.0), ([1.0, 0.0, 0.2], -4.0)];
    let want = wheels.map(|(axis, speed)| DVec3::from(axis).normalize() * (0.05 * speed));
    assert!((steady().spins() - (want[0] + want[1])).length() < 1e-16);
}

/// The inertia of the body less that of wheels.
fn without(inertia: &Inertia, wheels: &[Wheel]) -> Inertia {
    let mut rest = DMat3::from_cols(
        inertia.momentum(DVec3::X),
        inertia.momentum(DVec3::Y),
        inertia.momentum(DVec3::Z),
    );
    for wheel in wheels {
        let a = wheel.axis();
        rest -= DMat3::from_cols(a * a.x, a * a.y, a * a.z) * wheel.inertia();
    }
    Inertia::tensor_unphysical(rest.to_cols_array_2d()).unwrap()
}
