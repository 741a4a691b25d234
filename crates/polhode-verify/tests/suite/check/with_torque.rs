//! Bodies under torque, against a converged solution.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::observe::Trajectory;
use polhode::torque::{Damping, HeavyTop, Torque};
use polhode::{Control, Inertia, Plan, Problem, State, run, so3};
use polhode_verify::check::{
    self, CheckOptions, CheckReport, CheckVerdict, Mistake, ReferenceKind, Samples,
};

use super::{integrate, mistakes};

fn inertia() -> Inertia {
    Inertia::principal([1.0, 5.0, 6.0]).unwrap()
}

fn problem(torque: Torque) -> Problem {
    Problem::new(inertia(), State::aligned([1.0, 5.0, 6.0]).unwrap()).torque(torque)
}

fn top() -> Problem {
    problem(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap().into())
}

fn damped() -> Problem {
    problem(Damping::new([0.1; 3]).unwrap().into())
}

fn samples(problem: &Problem, id: &str, h: f64) -> Samples {
    let mut stepper = Method::parse(id).unwrap().stepper(problem).unwrap();
    let mut seen = Trajectory::default();
    let plan = Plan::until(0.0, h, 5.0).unwrap();
    run(problem, &mut *stepper, &plan, &mut [&mut seen]).unwrap();
    let times: Vec<f64> = seen.points.iter().map(|p| p.t).collect();
    let states: Vec<State> = seen.points.iter().map(|p| p.state).collect();
    Samples::of_states(&times, &states)
}

fn report(samples: &Samples, problem: &Problem) -> CheckReport {
    check::check_problem(samples, problem, &CheckOptions::default(), &Control::default()).unwrap()
}

#[test]
fn right_trajectories_are_right() {
    for problem in [top(), damped()] {
        let report = report(&samples(&problem, "rkmk:tableau=gauss3", 0.01), &problem);
        assert!(report.verdict <= CheckVerdict::Accurate, "{:e}", report.worst());
        assert!(
            matches!(report.reference, ReferenceKind::Converged { error, .. } if error < 1e-10)
        );
        // What the torque does not keep is not asked for.
        assert_eq!(report.energy.is_some(), problem.torques().conserves_energy());
        assert!(report.momentum_norm.is_none() && report.spatial_momentum.is_none());
        assert!(report.energy.is_none_or(|e| e.max < 1e-9));
    }
    let free = problem(Torque::none());
    let report = report(&samples(&free, "exact", 0.01), &free);
    assert_eq!((report.verdict, report.reference), (CheckVerdict::Exact, ReferenceKind::Exact));
    assert!(report.momentum_norm.is_some() && report.spatial_momentum.is_some());
}

#[test]
fn attitudes_alone_are_checked_where_the_start_is_known() {
    let problem = top();
    let attitudes = samples(&problem, "rkn6-14+exact", 0.01).with(|s| s.momentum = None);
    let report = report(&attitudes, &problem);
    assert!(report.verdict <= CheckVerdict::Accurate);
    assert!(report.momentum.is_none() && report.attitude.is_some() && report.energy.is_none());
}

#[test]
fn a_missing_gyroscopic_term_is_found_beside_a_torque() {
    let problem = top();
    let h = 0.001;
    let (times, states) = integrate(problem.start(), 5000, h, |t, s| {
        let m = s.m + problem.torque_at(t, s) * h;
        State { m, q: s.q * so3::exp(problem.inertia().omega(m) * h) }
    });
    let report = report(&Samples::of_states(&times, &states), &problem);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report), [Mistake::MissingGyroscopicTerm], "{:?}", report.diagnoses);
    assert!(report.diagnoses[0].text.contains("torque alone"));
}

#[test]
fn times_far_too_long_do_not_make_the_gyroscopic_term_missing() {
    // The torque is small beside m x omega: so are all changes beside what such times ask for.
    let problem = problem(HeavyTop::new([0.0, 0.0, 1e-3], [0.0, 0.0, 1.0]).unwrap().into());
    let mut samples = samples(&problem, "rkn6-14+exact", 0.01);
    let shorter =
        samples.clone().with(|s| s.times = samples.times.iter().map(|t| t / 500.0).collect());
    assert_eq!(mistakes(&report(&shorter, &problem)), [Mistake::Unexplained]);
    samples.times.iter_mut().for_each(|t| *t *= 500.0);
    assert_eq!(mistakes(&report(&samples, &problem)), [Mistake::Unexplained]);
}

#[test]
fn readings_are_tried_on_a_torqued_body_too() {
    let problem = top();
    let mut samples = samples(&problem, "rkn6-14+exact", 0.01);
    let Some(check::Attitudes::Quaternions(q)) = &mut samples.attitude else { panic!() };
    for q in q {
        *q = [q[0], -q[1], -q[2], -q[3]];
    }
    let report = report(&samples, &problem);
    assert_eq!(mistakes(&report), [Mistake::TransposedAttitude], "{:?}", report.diagnoses);
}

#[test]
fn another_start_is_named() {
    let mut start = top().start();
    start.m += DVec3::new(0.01, 0.0, 0.0);
    let other = top().starting_from(start);
    let samples = samples(&other, "rkn6-14+exact", 0.01);
    let report = report(&samples, &top());
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report), [Mistake::OtherStart], "{:?}", report.diagnoses);
}

#[test]
fn damping_without_its_torque_is_wrong() {
    let free = problem(Torque::none());
    let report = report(&samples(&free, "exact", 0.01), &damped());
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report), [Mistake::Unexplained]);
}
