//! The torqued reference solutions of `oracle/`, reached by splitting methods.

use polhode::method::Method;
use polhode::torque::{KeyValues, Torque};
use polhode::{Inertia, Plan, Problem, State, run, so3};
use polhode_elliptic::Dd;
use polhode_testkit::oracle::{Potential, TorquedCase, torqued_cases};
use polhode_verify::taylor::{momentum_error, quaternion_distance};

fn problem(case: &TorquedCase) -> Problem {
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

/// The error of momentum (relative) and signed quaternion after `steps` steps.
fn error(case: &TorquedCase, method: &Method, steps: u64) -> f64 {
    let problem = problem(case);
    let mut stepper = method.stepper(&problem).unwrap();
    // The time of the oracle is a decimal; its double is within half an ulp.
    let plan = Plan { step: case.t.hi() / steps as f64, steps };
    let state = run(&problem, &mut *stepper, &plan, &mut []).unwrap().state;
    momentum_error(state.m.to_array(), case.momentum)
        .max(quaternion_distance(state.attitude(), case.quaternion))
}

/// Above this an error says nothing: through a wall of repulsion a long step lands anywhere.
const RESOLVED: f64 = 1e-2;

/// The least error over ever smaller steps: truncation falls until rounding takes over.
fn floor(case: &TorquedCase, method: &str) -> (f64, u64) {
    let method = Method::parse(method).unwrap();
    // From about a radian of the fastest rotation a step.
    let problem = problem(case);
    let omega = problem.inertia().omega(problem.start().m).length();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "hundreds")]
    let mut steps = ((omega * case.t.hi()).ceil() as u64).max(4);
    let mut best = (f64::INFINITY, 0);
    let mut worse = 0;
    while worse < 2 && steps < 300_000 {
        let error = error(case, &method, steps);
        if error < best.0 {
            (best, worse) = ((error, steps), 0);
        } else if best.0 < RESOLVED {
            worse += 1;
        }
        steps = steps * 3 / 2;
    }
    best
}

#[test]
fn all_cases_are_reached() {
    assert_eq!(torqued_cases().len(), 18);
    for method in ["rkn6-14+exact", "aba1064+exact", "kahanli8+exact"] {
        for case in torqued_cases() {
            let (error, steps) = floor(case, method);
            // The slow top is unstable: it amplifies what is rounded by a factor of a thousand.
            let bound = if case.name == "p003_slowtop_t20" { 2e-11 } else { 5e-12 };
            eprintln!("{method} {}: {error:.1e} in {steps} steps", case.name);
            assert!(error <= bound, "{method} on {}: {error:e} in {steps} steps", case.name);
        }
    }
}

#[test]
fn compensation_lowers_the_floor() {
    // Where rounding is all the error there is: many steps of a method far below truncation.
    let mut lower = 0_usize;
    let mut log = Vec::new();
    for case in
        torqued_cases().iter().filter(|c| c.name.ends_with("_t10") || c.name.ends_with("_t20"))
    {
        let plain = Method::parse("rkn6-14+exact").unwrap();
        let compensated = Method::parse("rkn6-14:compensated+exact:compensated").unwrap();
        let (_, steps) = floor(case, "rkn6-14+exact");
        let (a, b) = (error(case, &plain, 4 * steps), error(case, &compensated, 4 * steps));
        log.push(format!("{} {a:.1e} {b:.1e}", case.name));
        lower += usize::from(b < 0.5 * a);
    }
    assert!(lower * 2 > log.len(), "{log:#?}");
}
