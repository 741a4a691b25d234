//! Reference solutions against the oracle, against each other, and what they refuse.

use polhode::glam::DVec3;
use polhode::torque::{Damping, Dependence, Function, HeavyTop, KeyValues, Torque};
use polhode::{Control, FreeMotion, Inertia, Problem, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::oracle::{Potential, TorquedCase, torqued_cases};
use polhode_verify::taylor::{momentum_error, quaternion_distance};
use polhode_verify::{Reference, ReferenceError};

use crate::problems;

fn solution(problem: &Problem, times: &[f64]) -> Result<Reference, ReferenceError> {
    Reference::at_times(problem, times, &Control::default())
}

fn oracle_problem(case: &TorquedCase) -> Problem {
    let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
    let (kind, keys) = match case.potential {
        Potential::Linear(c) => {
            let keys = [("centre", [0.0, 0.0, c].into()), ("up", case.u_space.into())];
            ("heavy-top", keys.map(|(k, v)| (k.to_string(), v)).to_vec())
        }
        Potential::CoulombWall { sign } => {
            let sign = if sign > 0.0 { "printed" } else { "physical" };
            ("coulomb-wall", vec![("sign".to_string(), sign.into())])
        }
        _ => panic!("{}: a potential unknown here", case.name),
    };
    let torque = Torque::build(kind, &KeyValues::from_iter(keys)).unwrap();
    let q = so3::from_wxyz(case.quaternion0.map(Dd::hi));
    let start = State::new(case.momentum0.map(Dd::hi), q).unwrap();
    Problem::new(inertia, start).torque(torque)
}

#[test]
fn the_oracle_is_reached_and_the_estimate_is_fair() {
    assert_eq!(torqued_cases().len(), 18);
    for case in torqued_cases() {
        let reference = solution(&oracle_problem(case), &[case.t.hi()]).unwrap();
        let state = reference.states()[0];
        let error = momentum_error(state.m.to_array(), case.momentum)
            .max(quaternion_distance(state.attitude(), case.quaternion));
        let estimate = reference.error();
        eprintln!("{}: {error:.1e}, estimated {estimate:.1e}", case.name);
        assert!(error <= 4.0 * estimate, "{}: {error:e}, estimated {estimate:e}", case.name);
        let bound = match case.name.as_str() {
            // 170 rad per unit of time with moments of thousands.
            "p000_exp3_t1" => 5e-12,
            // Unstable: an ulp of its start is 1.7e-14 in the end, and every step has its own.
            "p003_slowtop_t20" => 1e-12,
            _ => 2e-13,
        };
        assert!(estimate <= bound, "{}: {estimate:e}", case.name);
    }
}

fn apart(a: &State, b: &State) -> f64 {
    ((a.m - b.m).length() / b.m.length()).max(so3::angle_between(a.q, b.q))
}

#[test]
fn a_free_body_is_exact_on_both_sides_of_its_start() {
    let problem = problems::free();
    let times = [-20.0, 0.3, 0.4, 1e3];
    let reference = solution(&problem, &times).unwrap();
    assert_eq!(reference.converged(), None);
    let motion = FreeMotion::new(problem.inertia(), problem.start()).unwrap();
    for (t, state) in times.iter().zip(reference.states()) {
        assert_eq!(*state, motion.at(t - 0.3).unwrap());
    }
    // A thousand less 0.3 is rounded, by up to 6e-14, and the body turns by 2 rad in a unit.
    assert!((4e-15..2e-13).contains(&reference.error()), "{:e}", reference.error());
}

#[test]
fn times_may_be_anywhere_and_in_either_direction() {
    let problem = problems::forced();
    let times = [-1.5, -0.7, 0.3, 0.31, 2.0, 5.0];
    let rising = solution(&problem, &times).unwrap();
    assert_eq!(rising.times(), times);
    assert_eq!(rising.states()[2], problem.start());
    let reversed: Vec<f64> = times.iter().rev().copied().collect();
    let falling = solution(&problem, &reversed).unwrap();
    let back: Vec<State> = falling.states().iter().rev().copied().collect();
    assert_eq!(rising.states(), back);
    for (t, state) in times.iter().zip(rising.states()) {
        let alone = solution(&problem, &[*t]).unwrap();
        let apart = apart(&alone.states()[0], state);
        assert!(apart <= 2.0 * (rising.error() + alone.error()), "{t}: {apart:e}");
        assert!(alone.error() < 1e-13, "{t}: {:e}", alone.error());
    }
    assert_eq!(solution(&problem, &[]).unwrap().states(), []);
}

/// A sphere: its momentum keeps its direction, and |m| is known.
fn sphere(torque: impl Into<Torque>) -> Problem {
    let inertia = Inertia::principal([2.0, 2.0, 2.0]).unwrap();
    problems::problem(&inertia, torque, problems::tumbling())
}

#[test]
fn drag_of_either_kind_has_its_closed_form() {
    let start = problems::tumbling();
    let (length, c) = (start.m.length(), 0.2);
    let linear = sphere(Damping::new([c; 3]).unwrap());
    let square = sphere(Function::new(Dependence::Momentum, move |_, _, s: &State| {
        s.m * (-c * s.m.length())
    }));
    for (problem, method, factor) in [
        (linear, "kahanli8:compensated+exact:compensated", (-c / 2.0 * 7.0_f64).exp()),
        (square, "rkmk:tableau=gauss3:compensated", 1.0 / (1.0 + c * length * 7.0)),
    ] {
        let reference = solution(&problem, &[7.3]).unwrap();
        assert_eq!(reference.converged().unwrap().method, method);
        let m = reference.states()[0].m;
        let error = (m - start.m * factor).length() / length;
        assert!(error <= 4.0 * reference.error(), "{error:e} {:e}", reference.error());
        assert!(reference.error() < 1e-13, "{method}: {:e}", reference.error());
    }
}

#[test]
fn a_body_at_rest_stays_or_falls() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.0; 3]).unwrap();
    let rest = |torque: Torque| Problem::new(inertia, start).torque(torque);
    let upright = rest(HeavyTop::lagrange(1.0).unwrap().into());
    let reference = solution(&upright, &[1.0, 100.0]).unwrap();
    assert_eq!(reference.states(), [start; 2]);
    let lying = HeavyTop::new([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]).unwrap();
    let reference = solution(&rest(lying.into()), &[1.0, 10.0]).unwrap();
    assert!(reference.error() < 1e-13, "{:e}", reference.error());
    assert!(reference.states()[1].m.length() > 0.1);
}

#[test]
fn what_cannot_be_told_is_refused() {
    let problem = problems::forced();
    let refused = |times: &[f64]| solution(&problem, times).unwrap_err();
    assert_eq!(refused(&[0.0, f64::INFINITY]), ReferenceError::Time { index: 1, t: f64::INFINITY });
    for times in [[0.0, 1.0, 1.0], [0.0, 1.0, 0.5], [1.0, 0.5, 0.7], [1.0, 1.0, 2.0]] {
        let error = refused(&times);
        assert!(matches!(error, ReferenceError::Order { .. }), "{times:?}: {error}");
    }
    let error = refused(&[1e12]);
    assert!(matches!(error, ReferenceError::TooLong { .. }), "{error}");
}

#[test]
fn a_singular_torque_is_told_with_its_time() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.3, 0.2, 0.1]).unwrap();
    let blow_up =
        |_: &Inertia, t: f64, _: &State| DVec3::splat(if t < 2.0 { 1.0 } else { f64::NAN });
    let torque = Function::new(Dependence::Attitude, blow_up);
    let problem = Problem::new(inertia, start).torque(torque);
    match solution(&problem, &[1.0, 3.0]).unwrap_err() {
        ReferenceError::Step { t, .. } => assert!((1.9..2.1).contains(&t), "{t}"),
        other => panic!("{other}"),
    }
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn chaos_is_told_and_how_far_the_motion_is_known() {
        // Slow, off its axis, and heavy: far from any integrable top.
        let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
        let start = State::aligned([0.3, 0.2, 0.1]).unwrap();
        let torque = HeavyTop::new([0.7, 0.2, 0.5], [0.0, 0.0, 1.0]).unwrap();
        let problem = Problem::new(inertia, start).torque(torque);
        let times: Vec<f64> = (1..=20).map(|n| 50.0 * f64::from(n)).collect();
        let error = solution(&problem, &times).unwrap_err();
        let ReferenceError::NotConverged { error: apart, agree_until: Some(until), .. } = error
        else {
            panic!("{error}");
        };
        assert!(apart > 0.1, "{apart:e}");
        assert!((50.0..1000.0).contains(&until), "{until}");
        let text = error.to_string();
        assert!(text.contains(&format!("they agree until t = {until:?}")), "{text}");
        assert!(solution(&problem, &[until]).unwrap().error() < 1e-5);
    }
}
