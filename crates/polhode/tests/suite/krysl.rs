//! What Krysl proves or states about his algorithms, with a torque that depends on time, attitude and
//! momentum unless the statement is about free bodies.
//!
//! What they keep of a free body's motion is tested in `methods.rs`, with IMIDM's conjectured
//! symplecticity.

use crate::problems::{forced, free, problem, run, stepper, tensor, tumbling};
use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Problem, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::oracle::torqued_cases;

/// One step of a method, from a time and a state.
fn step(id: &str, problem: &Problem, t: f64, h: f64, mut state: State) -> State {
    stepper(id, problem).step(problem, t, h, &mut state).unwrap();
    state
}

fn distance(a: &State, b: &State) -> f64 {
    (a.m - b.m).length() + (a.q - b.q).length()
}

/// Some roundings of numbers of size 3.
const SAME: f64 = 1e-14;

#[test]
fn the_pairs_are_compositions_of_euler_steps() {
    let problem = forced();
    let (t, h) = (problem.t0(), 0.3);
    for (id, first, second) in [
        ("trap", "fe", "be"),
        ("imid", "be", "fe"),
        ("trapm", "fem", "bem"),
        ("imidm", "bem", "fem"),
    ] {
        let whole = step(id, &problem, t, h, problem.start());
        let half = step(first, &problem, t, 0.5 * h, problem.start());
        let composed = step(second, &problem, t + 0.5 * h, 0.5 * h, half);
        let off = distance(&whole, &composed);
        assert!(off < SAME, "{id}: {off:e}");
        // In the other order it is the other one of the pair, and that is not the same.
        let half = step(second, &problem, t, 0.5 * h, problem.start());
        let other = step(first, &problem, t + 0.5 * h, 0.5 * h, half);
        assert!(distance(&whole, &other) > 1e-3, "{id}");
    }
}

#[test]
fn the_algorithms_of_a_pair_are_conjugate() {
    let problem = forced();
    let h = 0.2;
    for (trapezoid, midpoint, euler) in [("trap", "imid", "fe"), ("trapm", "imidm", "fem")] {
        // fe after ten steps of trap.
        let mut a = run(&mut *stepper(trapezoid, &problem), &problem, h, 10);
        a = step(euler, &problem, problem.t0() + 10.0 * h, 0.5 * h, a);
        // Ten steps of imid after fe.
        let pushed = step(euler, &problem, problem.t0(), 0.5 * h, problem.start());
        let later = forced().starting_at(problem.t0() + 0.5 * h).starting_from(pushed);
        let b = run(&mut *stepper(midpoint, &later), &later, h, 10);
        let off = distance(&a, &b);
        assert!(off < 10.0 * SAME, "{trapezoid}: {off:e}");
        let unpushed = run(&mut *stepper(midpoint, &problem), &problem, h, 10);
        assert!(distance(&a, &unpushed) > 1e-2, "{trapezoid}");
    }
}

#[test]
fn forward_and_backward_euler_undo_each_other() {
    let problem = forced();
    let (t, h) = (0.7, 0.3);
    for (forward, backward) in [("fe", "be"), ("fem", "bem")] {
        for (there, back) in [(forward, backward), (backward, forward)] {
            let end = step(there, &problem, t, h, problem.start());
            let start = step(back, &problem, t + h, -h, end);
            let off = distance(&start, &problem.start());
            assert!(off < SAME, "{there}, {back}: {off:e}");
            let same = step(there, &problem, t + h, -h, end);
            assert!(distance(&same, &problem.start()) > 1e-2, "{there} is not symmetric");
        }
    }
}

#[test]
fn all_but_bbtrapwd_are_symmetric_with_a_torque_too() {
    let problem = forced();
    let (t, h) = (0.7, 0.3);
    for id in ["trap", "imid", "trapm", "imidm", "akw", "swc1", "bbtrap", "bbtrapwd"] {
        let end = step(id, &problem, t, h, problem.start());
        let off = distance(&step(id, &problem, t + h, -h, end), &problem.start());
        let symmetric = id != "bbtrapwd";
        assert_eq!(off < SAME, symmetric, "{id}: {off:e}");
        assert!(symmetric || off > 1e-4, "{id}: {off:e}");
    }
}

#[test]
fn some_are_munthe_kaas_runge_kutta_methods() {
    for problem in [free(), forced()] {
        for (id, tableau) in [
            ("fem", "forward-euler"),
            ("bem", "backward-euler"),
            ("imidm", "midpoint"),
            ("bbtrapwd", "trapezoid"),
        ] {
            let rkmk = format!("rkmk:tableau={tableau}");
            let a = run(&mut *stepper(id, &problem), &problem, 0.1, 10);
            let b = run(&mut *stepper(&rkmk, &problem), &problem, 0.1, 10);
            let off = distance(&a, &b);
            assert!(off < 10.0 * SAME, "{id}: {off:e}");
        }
        // The trapezoidal rule of the pair is another method.
        let a = run(&mut *stepper("trapm", &problem), &problem, 0.1, 10);
        let b = run(&mut *stepper("rkmk:tableau=trapezoid", &problem), &problem, 0.1, 10);
        assert!(distance(&a, &b) > 1e-6);
    }
}

#[test]
fn some_coincide_for_free_bodies() {
    let problem = free();
    let end = |id: &str| run(&mut *stepper(id, &problem), &problem, 0.3, 20);
    assert!(distance(&end("bbtrap"), &end("swc1")) < 10.0 * SAME);
    let (akw, imid) = (end("akw"), end("imid"));
    assert!((akw.m - imid.m).length() < 10.0 * SAME);
    assert!((akw.q - imid.q).length() > 1e-3);
    // And not with a torque.
    let problem = forced();
    let end = |id: &str| run(&mut *stepper(id, &problem), &problem, 0.3, 20);
    assert!(distance(&end("bbtrap"), &end("swc1")) > 1e-4);
    assert!((end("akw").m - end("imid").m).length() > 1e-4);
}

#[test]
fn trap_keeps_the_energy_at_its_midpoints() {
    let problem = free();
    let energy = |s: &State| s.kinetic_energy(problem.inertia());
    let h = 0.3;
    let at_midpoint = |s: State| energy(&step("fe", &problem, 0.0, 0.5 * h, s));
    let mut method = stepper("trap", &problem);
    let mut state = problem.start();
    let (start, start_midpoint) = (energy(&state), at_midpoint(state));
    let mut largest: f64 = 0.0;
    for n in 0..200 {
        method.step(&problem, f64::from(n) * h, h, &mut state).unwrap();
        let drift = (at_midpoint(state) / start_midpoint - 1.0).abs();
        assert!(drift < 3e-14, "step {n}: {drift:e}");
        largest = largest.max((energy(&state) / start - 1.0).abs());
    }
    assert!(largest > 1e-3, "at the ends of the steps it is not kept: {largest:e}");
}

#[test]
fn akw_keeps_the_energy_of_the_heavy_top() {
    // Lagrange's top of section 5.2, and one without any symmetry.
    let lagrange = problem(
        &Inertia::principal([5.0, 5.0, 1.0]).unwrap(),
        HeavyTop::lagrange(20.0).unwrap(),
        State::new([0.0, 0.0, 5.0], so3::exp(DVec3::new(0.05, 0.0, 0.0))).unwrap(),
    );
    let top = HeavyTop::new([0.3, -0.2, 1.7], [0.1, 0.4, 0.9]).unwrap();
    for problem in [lagrange, problem(&tensor(), top, tumbling())] {
        let energy = |s: &State| problem.energy(0.0, s);
        let start = energy(&problem.start());
        for (id, kept) in [("akw", true), ("imid", false), ("swc1", false), ("bbtrap", false)] {
            let (mut method, mut state) = (stepper(id, &problem), problem.start());
            let mut drift: f64 = 0.0;
            for _ in 0..300 {
                method.step(&problem, 0.0, 0.07, &mut state).unwrap();
                drift = drift.max((energy(&state) / start - 1.0).abs());
            }
            assert_eq!(drift < 1e-13, kept, "{id}: {drift:e}");
            assert!(kept || drift > 1e-6, "{id}: {drift:e}");
        }
    }
}

/// Compares the errors of momentum and attitude matrix, in Euclidean norms, with numbers from another
/// implementation, which have two or three digits.
fn check_errors(problem: &Problem, h: f64, steps: u32, want: &State, errors: &[(&str, f64, f64)]) {
    for &(id, of_momentum, of_attitude) in errors {
        let end = run(&mut *stepper(id, problem), problem, h, steps);
        let momentum = (end.m - want.m).length();
        // The 2-norm of a difference of two rotations.
        let attitude = 2.0 * (0.5 * so3::angle_between(end.q, want.q)).sin();
        assert!((momentum / of_momentum - 1.0).abs() < 1e-2, "{id}: {momentum:e}");
        assert!((attitude / of_attitude - 1.0).abs() < 1e-2, "{id}: {attitude:e}");
    }
}

/// A free body, t = 100.
#[test]
fn the_errors_of_section_5_1() {
    let inertia = Inertia::principal([0.9144, 1.098, 1.66]).unwrap();
    let momentum = inertia.momentum([0.45549, 0.82623, 0.03476]);
    let problem = problem(&inertia, polhode::Torque::none(), State::aligned(momentum).unwrap());
    let want = FreeMotion::new(&inertia, problem.start()).unwrap().at(100.0).unwrap();
    let errors = [
        ("imid", 2.46e-3, 2.26e-2),
        ("trap", 5.05e-3, 2.05e-2),
        ("akw", 2.46e-3, 4.61e-1),
        ("trapm", 2.12e-2, 2.47e-2),
        ("imidm", 2.80e-2, 3.19e-2),
        ("swc1", 7.56e-2, 7.89e-2),
        ("bbtrap", 7.56e-2, 7.89e-2),
        ("bbtrapwd", 5.97e-2, 6.61e-2),
    ];
    check_errors(&problem, 0.25, 400, &want, &errors);
}

/// The slow Lagrangian top, t = 20.
#[test]
fn the_errors_of_section_5_2() {
    let case = torqued_cases().iter().find(|c| c.name == "p003_slowtop_t20").unwrap();
    let state =
        |m: [Dd; 3], q: [Dd; 4]| State::new(m.map(Dd::hi), so3::from_wxyz(q.map(Dd::hi))).unwrap();
    let problem = problem(
        &Inertia::principal(case.inertia).unwrap(),
        HeavyTop::lagrange(20.0).unwrap(),
        state(case.momentum0, case.quaternion0),
    );
    let errors = [
        ("trap", 2.89e-4, 1.47e-4),
        ("imid", 2.70e-4, 1.47e-4),
        ("trapm", 1.74e-4, 2.37e-4),
        ("imidm", 1.79e-4, 2.37e-4),
        ("swc1", 9.0e-5, 1.75e-4),
        ("akw", 5.7e-4, 6.05e-4),
        ("bbtrap", 2.09e-4, 3.5e-4),
        ("bbtrapwd", 3.88e-4, 2.55e-4),
    ];
    let want = state(case.momentum, case.quaternion);
    check_errors(&problem, 20.0 / 12800.0, 12800, &want, &errors);
}

/// The torque of the midpoint rules is that at t + h/2 (erratum 5), of Euler's that at the ends.
#[test]
fn torques_are_taken_at_the_right_times() {
    use polhode::torque::{Dependence, Function};
    use std::sync::{Arc, Mutex};
    for (id, want) in [
        ("fe", &[0.0][..]),
        ("be", &[1.0]),
        ("imid", &[0.5]),
        ("imidm", &[0.5]),
        ("swc1", &[0.5]),
        ("trap", &[0.0, 1.0]),
        ("trapm", &[0.0, 1.0]),
        ("akw", &[0.0, 1.0]),
        ("bbtrap", &[0.0, 1.0]),
        ("bbtrapwd", &[0.0, 1.0]),
        ("rk4", &[0.0, 0.5, 1.0]),
        ("cf4", &[0.0, 0.5, 1.0]),
        ("rkmk4", &[0.0, 0.5, 1.0]),
        ("rkmk:tableau=midpoint", &[0.5]),
    ] {
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&times);
        let torque = Function::new(Dependence::Attitude, move |_, t: f64, _: &State| {
            seen.lock().unwrap().push(t);
            DVec3::new(0.1, t, -0.3)
        });
        let problem = problem(&tensor(), torque, tumbling());
        let mut state = problem.start();
        let method = Method::parse(id).unwrap();
        let report = method.stepper(&problem).unwrap().step(&problem, 2.0, 0.25, &mut state);
        let mut times = times.lock().unwrap().clone();
        assert_eq!(report.unwrap().torque_evaluations as usize, times.len(), "{id}");
        times.sort_by(f64::total_cmp);
        times.dedup();
        let want: Vec<f64> = want.iter().map(|c| 2.0 + 0.25 * c).collect();
        assert_eq!(times, want, "{id}");
    }
}
