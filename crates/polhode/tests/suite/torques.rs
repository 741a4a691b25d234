//! Torques: that they are the derivatives of their potentials, that their own derivatives are right,
//! that kicks are flows, that energy is kept, and what is refused.

use glam::{DQuat, DVec3};
use polhode::torque::{
    Body, Dependence, Function, HeavyTop, KeyValue, KeyValues, TORQUES, Torque, TorqueFunction,
    find,
};
use polhode::{Inertia, InertiaOver, Point, Problem, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::bodies::Rng;
use polhode_testkit::oracle::{Potential, torqued_cases};

fn values(given: &[(&str, KeyValue)]) -> KeyValues {
    given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn principal() -> Inertia {
    Inertia::principal([1.5, 2.0, 3.0]).unwrap()
}

fn full() -> Inertia {
    Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]]).unwrap()
}

/// Every model with the values of its example, some also with others, and sums.
fn models() -> Vec<(&'static str, Torque)> {
    let orbit = [
        ("rate", 0.7.into()),
        ("normal", [0.2, -0.3, 2.0].into()),
        ("eccentricity", 0.3.into()),
        ("anomaly", 0.4.into()),
    ];
    let constant = [("torque", [0.3, -0.2, 0.5].into()), ("frame", "body".into())];
    let row = |k: i32| vec![f64::from(k), 0.1 * f64::from(k), f64::from(k % 3), 0.7];
    let table = [("rows", KeyValue::Rows((-6..=6).map(row).collect()))];
    let others = [
        ("heavy-top", values(&[])),
        ("lagrange-top", values(&[])),
        ("coulomb-wall", values(&[])),
        ("gravity-gradient", values(&orbit)),
        ("constant", values(&constant)),
        ("damping", values(&[("coefficient", 0.4.into())])),
        ("table", values(&table)),
    ];
    let example = |kind| find(kind).unwrap().build(&find(kind).unwrap().example()).unwrap();
    let mut models: Vec<_> = TORQUES.iter().map(|t| (t.kind, example(t.kind))).collect();
    models.extend(others.iter().map(|(kind, keys)| (*kind, Torque::build(kind, keys).unwrap())));
    models.push(("conservative sum", example("heavy-top") + example("gravity-gradient")));
    models.push(("damped sum", example("magnetic-dipole") + example("damping")));
    models
}

fn random_state(rng: &mut Rng) -> State {
    let m = DVec3::from_array(rng.direction()) * rng.uniform(0.5, 2.0);
    State::new(m, so3::from_wxyz(rng.direction())).unwrap()
}

/// Calls f for every model on both bodies at random times and states.
fn everywhere(mut f: impl FnMut(&str, &Problem, f64, &State)) {
    let mut rng = Rng::new(17);
    for inertia in [principal(), full()] {
        for (name, torque) in models() {
            let problem = Problem::new(inertia, random_state(&mut Rng::new(1))).torque(torque);
            for _ in 0..20 {
                f(name, &problem, rng.uniform(-5.0, 5.0), &random_state(&mut rng));
            }
        }
    }
}

/// The derivative of f at 0 by differences of order 4.
fn slope<T>(width: f64, f: impl Fn(f64) -> T) -> T
where
    T: core::ops::Sub<Output = T> + core::ops::Mul<f64, Output = T>,
{
    let e = width;
    (f(e) - f(-e)) * (2.0 / 3.0 / e) - (f(2.0 * e) - f(-2.0 * e)) * (1.0 / 12.0 / e)
}

fn turned(state: &State, v: DVec3) -> State {
    State { q: state.q * so3::exp(v), ..*state }
}

/// Width and error of differences: e^4/30 times a fifth derivative, which for a torque of 20 is
/// 1e-11, twice that for a term in the double angle, and rounding 20 eps/e; next to the wall,
/// (0.01/s^11)^(5) e^4/30 = 2e-9/s^12.
fn differences(name: &str, state: &State) -> (f64, f64) {
    let s = 1.1 + (state.q.conjugate() * DVec3::Z).z;
    if name == "coulomb-wall" { (2e-3 * s, 2e-10 + 4e-9 * s.powi(-12)) } else { (2e-3, 2e-10) }
}

#[test]
fn models_are_affine_in_the_momentum() {
    // Kicks by them are in closed form; those by formulas are not.
    everywhere(|name, problem, t, state| {
        let of = |factor: f64| problem.torque_at(t, &State { m: state.m * factor, ..*state });
        let (bend, size) = (of(2.0) - of(1.0) * 2.0 + of(0.0), of(1.0).length());
        assert!(name == "formula" || bend.length() <= 1e-14 * (1.0 + size), "{name}: {bend}");
    });
}

#[test]
fn torque_is_minus_the_derivative_of_the_potential() {
    let with_potential = [
        "none",
        "heavy-top",
        "lagrange-top",
        "coulomb-wall",
        "gravity-gradient",
        "magnetic-dipole",
        "dipole",
        "conservative sum",
    ];
    everywhere(|name, problem, t, state| {
        if problem.potential(t, state.q).is_none() {
            assert!(!with_potential.contains(&name), "{name}");
            assert!(!problem.torques().conserves_energy(), "{name}");
            return;
        }
        let (width, limit) = differences(name, state);
        let v = |v: DVec3| problem.potential(t, turned(state, v).q).unwrap();
        let along = |axis: DVec3| -slope(width, |e| v(axis * e));
        let want = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        let got = problem.torque_at(t, state);
        assert!((got - want).length() <= limit, "{name}: {got} {want}");
    });
}

#[test]
fn jacobians_are_derivatives() {
    everywhere(|name, problem, t, state| {
        let same = problem.torque_at(t, state) == problem.torque_at(t + 0.3, state);
        assert_eq!(same, !problem.torques().depends_on_time(), "{name}");
        let jacobian = problem.torque_jacobian(t, state).unwrap();
        let (width, limit) = differences(name, state);
        for v in [DVec3::X, DVec3::Y, DVec3::Z] {
            let want = slope(width, |e| problem.torque_at(t, &turned(state, v * e)));
            let got = jacobian.rotation * v;
            assert!((got - want).length() <= limit, "{name}: {got} {want}");
            // Linear: only rounding is left, divided by the width.
            let want =
                slope(1.0, |e| problem.torque_at(t, &State { m: state.m + v * e, ..*state }));
            let got = jacobian.momentum * v;
            assert!((got - want).length() <= 1e-14, "{name}: {got} {want}");
        }
    });
}

#[test]
fn gradient_schemes_get_the_torque_of_the_square() {
    // W = torque . I^-1 torque, and its torque is minus the derivative of W.
    everywhere(|name, problem, t, state| {
        if problem.potential(t, state.q).is_none() || name == "coulomb-wall" {
            return;
        }
        let w = |v: DVec3| {
            let tau = problem.torque_at(t, &turned(state, v));
            tau.dot(problem.inertia().omega(tau))
        };
        let along = |v: DVec3| -slope(2e-3, |e| w(v * e));
        let want = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        let over = InertiaOver::new(problem.inertia());
        let body = Body::one(problem.inertia(), &over);
        let torque = problem.torque_at(t, state).to_array();
        let got = problem.torques().of_square(&body, t, &Point::from(state), torque);
        let got = DVec3::from(got);
        assert!((got - want).length() <= 1e-11 * want.length().max(400.0), "{name}: {got} {want}");
    });
}

/// m' = torque with time and attitude standing still, by many steps of Runge-Kutta.
fn slow_kick(problem: &Problem, t: f64, dt: f64, state: &State) -> DVec3 {
    let steps = 2000;
    let h = dt / f64::from(steps);
    let f = |m: DVec3| problem.torque_at(t, &State { m, q: state.q });
    (0..steps).fold(state.m, |m, _| {
        let k1 = f(m);
        let k2 = f(m + k1 * (0.5 * h));
        let k3 = f(m + k2 * (0.5 * h));
        let k4 = f(m + k3 * h);
        m + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
    })
}

fn kick(problem: &Problem, t: f64, dt: f64, state: &State) -> DVec3 {
    let over = InertiaOver::new(problem.inertia());
    let body = Body::one(problem.inertia(), &over);
    problem.torques().kick(&body, t, dt, &Point::from(state)).into()
}

#[test]
fn kicks_are_flows() {
    everywhere(|name, problem, t, state| {
        for dt in [0.3, -0.8, 5.0] {
            let want = slow_kick(problem, t, dt, state);
            let got = kick(problem, t, dt, state);
            // 2000 roundings of the sum, and (0.7/1.5 5/2000)^4 of Runge-Kutta; one step of it for a formula, with
            // (0.3 dt)^5/120 at most, no moment being less than 1.
            let size = state.m.length().max(want.length());
            let limit = if name == "formula" { (0.3 * dt).abs().powi(5) / 120.0 } else { 2e-12 };
            assert!((got - want).length() <= limit.max(2e-12) * size, "{name} {dt}: {got} {want}");
        }
    });
}

#[test]
fn a_sum_with_an_unknown_flow_takes_runge_kutta() {
    let cubic =
        || Function::new(Dependence::Momentum, |_, _, s: &State| -s.m * s.m.length_squared());
    let torque = Torque::from(cubic()) + HeavyTop::lagrange(1.0).unwrap();
    let state = State::new([0.3, 0.2, -0.4], so3::exp(DVec3::new(1.0, 0.2, 0.3))).unwrap();
    assert!(!torque.kicks_are_exact() && torque.evaluations_in_a_kick() == 4);
    let problem = Problem::new(principal(), state).torque(torque);
    assert!(problem.torque_jacobian(0.0, &state).is_none());
    assert!(problem.potential(0.0, state.q).is_none());
    let error =
        |dt: f64| (kick(&problem, 0.0, dt, &state) - slow_kick(&problem, 0.0, dt, &state)).length();
    let order = (error(0.1) / error(0.05)).log2();
    assert!((order - 5.0).abs() < 0.25, "{order}"); // of one step
    let free = problem.torque(Torque::none());
    let none = free.torques();
    assert_eq!((none.dependence(), free.potential(0.0, state.q)), (Dependence::None, Some(0.0)));
    assert!(none.conserves_energy());
}

#[test]
fn a_closure_can_have_a_potential() {
    let top = Function::new(Dependence::Attitude, |_, _, s: &State| {
        (s.q.conjugate() * DVec3::Z).cross(DVec3::Z)
    });
    assert!(!top.is_conservative());
    let top = top.with_potential(|_, _, q| (q.conjugate() * DVec3::Z).z).independent_of_time();
    let problem = Problem::new(principal(), State::aligned([0.0; 3]).unwrap()).torque(top);
    assert!(problem.torques().conserves_energy());
    assert_eq!(problem.potential(0.0, DQuat::IDENTITY), Some(1.0));
    let changing = Function::new(Dependence::Attitude, |_, _, _| DVec3::ZERO);
    let changing = Torque::from(changing.with_potential(|_, _, _| 0.0));
    assert!(changing.is_conservative() && !changing.conserves_energy());
}

/// A step of Runge-Kutta for momentum, quaternion, and the work of what changes with time.
fn step(problem: &Problem, t: f64, h: f64, at: (State, f64)) -> (State, f64) {
    let f = |t: f64, (s, _): (State, f64)| {
        let s = State { q: s.q.normalize(), ..s };
        let omega = problem.inertia().omega(s.m);
        let spin = DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0);
        let power = slope(2e-3, |e| problem.potential(t + e, s.q).unwrap());
        (State { m: s.m.cross(omega) + problem.torque_at(t, &s), q: s.q * spin * 0.5 }, power)
    };
    let plus = |(a, w): (State, f64), (b, v): (State, f64), h: f64| {
        (State { m: a.m + b.m * h, q: a.q + b.q * h }, w + v * h)
    };
    let k1 = f(t, at);
    let k2 = f(t + 0.5 * h, plus(at, k1, 0.5 * h));
    let k3 = f(t + 0.5 * h, plus(at, k2, 0.5 * h));
    let k4 = f(t + h, plus(at, k3, h));
    let sum = plus(plus(plus(at, k1, h / 6.0), k2, h / 3.0), k3, h / 3.0);
    let (state, work) = plus(sum, k4, h / 6.0);
    (State { q: state.q.normalize(), ..state }, work)
}

#[test]
fn energy_changes_by_what_time_does_to_the_potential() {
    for inertia in [principal(), full()] {
        let mut rng = Rng::new(3);
        for (name, torque) in models() {
            let start = random_state(&mut rng);
            let problem = Problem::new(inertia, start).torque(torque);
            let energy = |t: f64, s: &State| {
                problem.potential(t, s.q).map(|v| v + s.kinetic_energy(&inertia))
            };
            let Some(before) = energy(0.0, &start) else { continue };
            let (steps, h) = (4000_i32, 5e-4);
            let (end, work) =
                (0..steps).fold((start, 0.0), |at, n| step(&problem, f64::from(n) * h, h, at));
            let after = energy(f64::from(steps) * h, &end).unwrap();
            assert!((start.m - end.m).length() > 1e-2, "{name}: nothing happened");
            // h^4 times derivatives of rates up to 10.
            let limit = 1e-10 * (before.abs() + after.abs() + 1.0);
            assert!((after - before - work).abs() < limit, "{name}: {before} {after} {work}");
            assert_eq!(problem.torques().conserves_energy(), work == 0.0, "{name}: {work}");
        }
    }
}

#[test]
fn oracle_potentials_are_those_of_the_models() {
    for case in torqued_cases() {
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let up = KeyValue::from(case.u_space);
        let torque = match case.potential {
            Potential::Linear(1.0) => Torque::build("heavy-top", &values(&[("up", up)])),
            Potential::Linear(20.0) => Torque::build("lagrange-top", &values(&[])),
            Potential::CoulombWall { sign } => {
                let sign = if sign > 0.0 { "printed" } else { "physical" };
                Torque::build("coulomb-wall", &values(&[("sign", sign.into())]))
            }
            _ => panic!("{}: {:?}", case.name, case.potential),
        };
        let torque = torque.unwrap();
        let q = so3::from_wxyz(case.quaternion.map(Dd::hi));
        let state = State::new(case.momentum.map(Dd::hi), q).unwrap();
        let energy = Problem::new(inertia, state).torque(torque).energy(0.0, &state);
        let want = case.energy0.hi();
        assert!((energy / want - 1.0).abs() < 1e-14, "{}: {energy} {want}", case.name);
    }
}

/// The attitude of Romano's closed form: a symmetric body, its torque along the axis of symmetry.
///
/// With M(t) the integral of m3, the body turns as exp of the integral of m3 (1/I3 - 1/I1) about its axis beside
/// a frame that turns with m/I1, in which the momentum across the axis stands still: Q' = Q hat(p, 0, m3)/I1 there,
/// p its length. In complex form that is Weber's equation, u' = i/2 (m3 u + p v)/I1, v' = i/2 (p u - m3 v)/I1,
/// which a power series solves: m3 is linear in t.
fn romano([i1, _, i3]: [f64; 3], [m1, m2, m3]: [f64; 3], grows: f64, t: f64) -> State {
    let impulse = m3 * t + 0.5 * grows * t * t;
    let across = m1.hypot(m2);
    // The quaternion (a, b, c, d) of q' = q (0, p, 0, m3(t))/(2 I1): q_(n+1) (n + 1) = products of q_n, q_(n-1).
    let by = |q: DQuat, x: f64, z: f64| q * DQuat::from_xyzw(x, 0.0, z, 0.0) * (0.5 / i1);
    let (mut before, mut term) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::IDENTITY);
    let mut sum = term;
    for n in 1..200 {
        // Powers of t are in the terms.
        let next =
            (by(term, across, m3) * t + by(before, 0.0, grows) * (t * t)) * (1.0 / f64::from(n));
        (before, term) = (term, next);
        sum += term;
    }
    // The frame lies with its first axis along the momentum across the axis; it lags behind the body by -spin.
    let lies = so3::exp(DVec3::Z * m2.atan2(m1));
    let spin = so3::exp(DVec3::Z * (impulse * (1.0 / i3 - 1.0 / i1)));
    let q = lies * sum * lies.conjugate() * spin;
    let (s, c) = (impulse * (1.0 / i3 - 1.0 / i1)).sin_cos();
    State { m: DVec3::new(c * m1 + s * m2, c * m2 - s * m1, m3 + grows * t), q }
}

/// Romano, Exact analytic solutions for the rotation of an axially symmetric rigid body subjected to a
/// constant torque (2008): momentum and attitude, by steps and by the solver.
#[test]
fn a_constant_torque_on_the_axis_of_a_symmetric_body() {
    let (end, grows) = (3.0, 0.7);
    for moments in [[2.0, 2.0, 1.2], [1.0, 1.0, 1.8]] {
        let inertia = Inertia::principal(moments).unwrap();
        for m in [[0.4, -0.3, 0.5], [-1.1, 0.6, -0.9], [0.0, 0.0, 0.5]] {
            let keys = values(&[("torque", [0.0, 0.0, grows].into()), ("frame", "body".into())]);
            let torque = Torque::build("constant", &keys).unwrap();
            let problem = Problem::new(inertia, State::aligned(m).unwrap()).torque(torque);
            let want = romano(moments, m, grows, end);
            let by_steps = problem.simulate("kahanli8+exact", 0.01, end).unwrap();
            let solved = problem.solve(end, 1e-12).unwrap().at(end).unwrap();
            let stepped = by_steps.last().unwrap().state;
            for (state, limit) in [(stepped, 1e-13), (solved, 1e-11)] {
                assert!((state.m - want.m).length() < limit, "{} {}", state.m, want.m);
                assert!((state.q - want.q).length() < limit, "{} {}", state.q, want.q);
            }
        }
    }
}

#[test]
fn contributing_shows_a_torque_as_it_is() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = std::fs::read_to_string(format!("{root}/CONTRIBUTING.md")).unwrap();
    let file = "crates/polhode/src/torque/magnetic_dipole.rs";
    let shown = std::fs::read_to_string(format!("{root}/{file}")).unwrap();
    assert!(text.contains(&format!("```rust,ignore\n{shown}```\n")), "{file} is not as shown");
}
