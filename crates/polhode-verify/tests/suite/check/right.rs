//! No false alarm: bodies, methods and units of every kind.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::observe::Trajectory;
use polhode::{Control, Inertia, Plan, Problem, State, run, so3};
use polhode_testkit::bodies::{BodyClass, Rng};
use polhode_verify::check::{self, Attitudes, CheckOptions, CheckVerdict, Growth, Samples};

use super::{body, exact, exact_samples, report, times};

fn method_samples(id: &str, inertia: Inertia, start: State, h: f64, until: f64) -> Samples {
    let problem = Problem::new(inertia, start);
    let mut stepper = Method::parse(id).unwrap().stepper(&problem).unwrap();
    let mut seen = Trajectory::default();
    let plan = Plan::until(0.0, h, until).unwrap();
    run(&problem, &mut *stepper, &plan, &mut [&mut seen]).unwrap();
    let times: Vec<f64> = seen.points.iter().map(|p| p.t).collect();
    let states: Vec<State> = seen.points.iter().map(|p| p.state).collect();
    Samples::of_states(&times, &states)
}

/// Motions of every regime: (what, moments, momentum).
const MOTIONS: &[(&str, [f64; 3], [f64; 3])] = &[
    ("tumbling", [1.0, 2.0, 2.5], [0.5, 1.1, -0.4]),
    ("prolate", [1.0, 2.0, 2.0], [0.9, 0.3, 0.2]),
    ("oblate", [1.0, 1.0, 1.8], [0.1, 0.3, 0.8]),
    ("sphere", [2.0, 2.0, 2.0], [1.0, 0.4, -0.3]),
    ("rest", [1.0, 2.0, 2.5], [0.0, 0.0, 0.0]),
    ("steady", [1.0, 2.0, 2.5], [0.0, 0.0, 1.5]),
    ("unstable axis", [1.0, 2.0, 2.5], [0.0, 1.5, 0.0]),
    ("flat", [1.0, 2.0, 3.0], [1.0, 1.0, 1.0]),
    ("near the middle axis", [1.0, 2.0, 2.8], [0.01, 5.0, 0.0]),
];

#[test]
fn exact_motions_are_exact() {
    for (what, moments, m) in MOTIONS {
        let inertia = Inertia::principal(*moments).unwrap();
        let start = State::new(*m, body().1.q).unwrap();
        // Rows close together and far apart, forward and backward, from any time.
        for (t0, h) in [(0.0, 0.01), (0.0, 3.7), (-1e3, 0.1), (50.0, -0.2)] {
            let times: Vec<f64> = times(300, h).iter().map(|t| t0 + t).collect();
            let states = exact(&inertia, start, &times);
            let report = report(&Samples::of_states(&times, &states), &inertia);
            assert_eq!(report.verdict, CheckVerdict::Exact, "{what} {h} {report:?}");
            assert!(report.diagnoses.is_empty() && report.sign_changes == 0, "{what}");
            for d in [report.energy, report.momentum_norm, report.spatial_momentum] {
                assert!(d.is_some_and(|d| d.max < 1e-13), "{what} {h}: {d:?}");
            }
        }
    }
}

/// The handle of `scenarios/dzhanibekov.toml`, which enlarges what rounding does.
fn handle() -> (Inertia, State) {
    (Inertia::principal([3.0, 8.0, 11.0]).unwrap(), State::aligned([0.03, 96.0, 0.0]).unwrap())
}

#[test]
fn rounding_that_has_added_up_is_no_error_of_the_method() {
    let (inertia, start) = handle();
    let exact = report(&method_samples("exact", inertia, start, 0.01, 3000.0), &inertia);
    let worst = exact.worst();
    assert!(worst > 1e-6, "{worst:e} is within the tolerance, and tests nothing");
    assert_eq!(exact.verdict, CheckVerdict::Accurate, "{:?}", exact.diagnoses);
    assert!(exact.diagnoses.is_empty() && exact.allowance >= worst);
    // Most of it is the rounding of times of some thousands.
    assert!(exact.between_samples.is_some_and(|between| between < 1e-11));
    // Between rows that are many steps apart as well.
    let mut sparse = method_samples("exact", inertia, start, 0.01, 3000.0);
    let every = |n: usize| n.is_multiple_of(1000);
    let keep: Vec<usize> = (0..sparse.len()).filter(|n| every(*n)).collect();
    let Some(Attitudes::Quaternions(q)) = &sparse.attitude else { panic!() };
    sparse.attitude = Some(Attitudes::Quaternions(keep.iter().map(|&n| q[n]).collect()));
    sparse.momentum = sparse.momentum.map(|m| keep.iter().map(|&n| m[n]).collect());
    sparse.times = keep.iter().map(|&n| sparse.times[n]).collect();
    let sparse = report(&sparse, &inertia);
    assert_eq!(sparse.verdict, CheckVerdict::Accurate, "{:?}", sparse.diagnoses);
    // A method's error shows between rows, however small it is there.
    let rk4 = report(&method_samples("rk4", inertia, start, 0.001, 300.0), &inertia);
    assert_eq!(
        (rk4.verdict, rk4.between_samples),
        (CheckVerdict::Wrong, None),
        "{:e}",
        rk4.worst()
    );
}

#[test]
fn a_jump_and_another_start_are_not_rounding() {
    let (inertia, start) = handle();
    let times = times(3000, 0.01);
    let mut states = exact(&inertia, start, &times[..1500]);
    let moved = State { m: states[1499].m * (1.0 + 1e-5), q: states[1499].q };
    states.extend(exact(&inertia, moved, &times[1500..]));
    let jumped = report(&Samples::of_states(&times, &states), &inertia);
    assert_eq!((jumped.verdict, jumped.between_samples), (CheckVerdict::Wrong, None));
    let other = State { m: start.m * (1.0 + 1e-5), q: start.q };
    let samples = Samples::of_states(&times, &exact(&inertia, other, &times));
    let problem = Problem::new(inertia, start);
    let (options, control) = (CheckOptions::default(), Control::default());
    let other = check::check_problem(&samples, &problem, &options, &control).unwrap();
    assert_eq!((other.verdict, other.between_samples), (CheckVerdict::Wrong, None));
}

#[test]
fn right_methods_are_right() {
    for (what, moments, m) in MOTIONS {
        let inertia = Inertia::principal(*moments).unwrap();
        let start = State::new(*m, body().1.q).unwrap();
        for (id, expected) in [
            ("exact", CheckVerdict::Exact),
            ("dmv:order=10", CheckVerdict::Accurate),
            ("rk4", CheckVerdict::Accurate),
            ("rkmk4", CheckVerdict::Accurate),
            ("strang+three-rotations", CheckVerdict::Wrong),
        ] {
            // Every flip multiplies the error of all steps before it.
            let until = if *what == "near the middle axis" { 4.0 } else { 20.0 };
            let samples = method_samples(id, inertia, start, 0.01, until);
            let report = report(&samples, &inertia);
            // A method of second order is not that accurate in such steps, save where it is exact.
            assert!(
                report.verdict <= expected,
                "{what} {id}: {:?} {:e}",
                report.verdict,
                report.worst()
            );
            // But its error is its own: no mistake of another kind is seen in it.
            for d in &report.diagnoses {
                assert_eq!(d.mistakes, [check::Mistake::Unexplained], "{what} {id}: {}", d.text);
            }
        }
    }
}

#[test]
fn the_separatrix_excuses_what_rounding_explains_and_no_more() {
    let mut rng = Rng::new(7);
    let b = polhode_testkit::bodies::body(BodyClass::Separatrix, &mut rng);
    let inertia = Inertia::principal(b.inertia).unwrap();
    let start = State::new(b.momentum, so3::from_wxyz(b.attitude)).unwrap();
    let rate = start.omega(&inertia).length();
    let (h, until) = (0.01 / rate, 200.0 / rate);
    let samples = method_samples("exact", inertia, start, h, until);
    let right = report(&samples, &inertia);
    assert_eq!(right.verdict, CheckVerdict::Exact, "{:e} {:e}", right.worst(), right.allowance);
    // An error of 1e-5 long before rounding has grown.
    let mut wrong = samples;
    wrong.momentum.as_mut().unwrap()[100][0] += 1e-5 * start.m.length();
    let wrong = report(&wrong, &inertia);
    assert_eq!(wrong.verdict, CheckVerdict::Wrong);
    assert_eq!(wrong.momentum.unwrap().beyond, Some(wrong.times[100]));
}

#[test]
fn units_do_not_matter() {
    let (_, start) = body();
    for (i, m) in [(1e-46, 1e-34), (1e30, 1e40), (1.0, 1e-150), (1.0, 1e150)] {
        let inertia = Inertia::principal([1.0 * i, 2.0 * i, 2.5 * i]).unwrap();
        let start = State { m: start.m * m, ..start };
        let times = times(200, 0.1 * i / m);
        let states = exact(&inertia, start, &times);
        let report = report(&Samples::of_states(&times, &states), &inertia);
        assert_eq!(report.verdict, CheckVerdict::Exact, "{i:e} {m:e} {report:?}");
        assert!(report.energy.unwrap().max < 1e-13, "{i:e} {m:e}");
    }
}

#[test]
fn every_form_of_the_same_motion_is_right() {
    let (inertia, samples) = exact_samples();
    let Some(Attitudes::Quaternions(q)) = &samples.attitude else { panic!() };
    let matrices = q.iter().map(|q| so3::to_rows(so3::from_wxyz(*q))).collect();
    let matrices = Some(Attitudes::Matrices(matrices));
    let momentum = samples.momentum.as_ref().unwrap().iter();
    let omega = Some(momentum.map(|m| inertia.omega(DVec3::from_array(*m)).to_array()).collect());
    let forms = [
        samples.clone().with(|s| s.attitude = matrices.clone()),
        samples.clone().with(|s| s.attitude = None),
        samples.clone().with(|s| s.omega = omega.clone()),
        samples.clone().with(|s| {
            s.omega = omega.clone();
            s.momentum = None;
        }),
        samples.clone().with(|s| {
            s.omega = omega;
            s.momentum = None;
            s.attitude = matrices;
        }),
    ];
    for form in forms {
        let report = report(&form, &inertia);
        assert_eq!(report.verdict, CheckVerdict::Exact, "{report:?}");
        assert_eq!(report.attitude.is_some(), form.attitude.is_some());
        assert_eq!(report.spatial_momentum.is_some(), form.attitude.is_some());
        let both = form.omega.is_some() && form.momentum.is_some();
        assert_eq!(report.consistency.is_some(), both);
    }
}

#[test]
fn numbers_of_few_digits_are_right_to_their_digits() {
    let (inertia, mut samples) = exact_samples();
    let round = |x: &mut f64| *x = (*x * 1e6).round() / 1e6;
    samples.momentum.as_mut().unwrap().iter_mut().flatten().for_each(round);
    let Some(Attitudes::Quaternions(q)) = &mut samples.attitude else { panic!() };
    q.iter_mut().flatten().for_each(round);
    let rounding = 5e-7;
    let told = CheckOptions::default().rounding(rounding);
    let report = check::check_free(&samples, &inertia, &told, &Control::default()).unwrap();
    assert_eq!(report.verdict, CheckVerdict::Exact, "{:e}", report.worst());
    assert!(report.worst() > 1e-6 && report.allowance > report.worst() && report.allowance < 1e-3);
    assert_eq!(super::report(&samples, &inertia).verdict, CheckVerdict::Wrong);
}

#[test]
fn growth_tells_bounded_from_drifting_energy() {
    let (inertia, start) = body();
    let kept =
        report(&method_samples("strang+three-rotations", inertia, start, 0.05, 400.0), &inertia);
    assert_eq!(kept.energy.unwrap().growth, Some(Growth::Bounded));
    let lost = report(&method_samples("rk4", inertia, start, 0.05, 400.0), &inertia);
    let energy = lost.energy.unwrap();
    assert!(
        matches!(energy.growth, Some(Growth::Power(p)) if (0.9..1.1).contains(&p)),
        "{energy:?}"
    );
    assert!((energy.slope * 400.0 / energy.max - 1.0).abs() < 0.1, "{energy:?}");
}
