//! Planted mistakes, each found for what it is.

use polhode::glam::{DMat3, DVec3};
use polhode::{Inertia, State, so3};
use polhode_verify::check::{Attitudes, CheckVerdict, Mistake, Samples, VectorFrame};

use super::{body, euler_attitude, exact, exact_samples, integrate, mistakes, report, times};

fn quaternions(samples: &mut Samples) -> &mut Vec<[f64; 4]> {
    match samples.attitude.as_mut().unwrap() {
        Attitudes::Quaternions(q) => q,
        Attitudes::Matrices(_) => panic!("quaternions are given"),
    }
}

fn matrices(samples: &Samples, transposed: bool) -> Attitudes {
    let Some(Attitudes::Quaternions(q)) = &samples.attitude else { panic!() };
    let rows = |q: &[f64; 4]| {
        let q = so3::from_wxyz(*q);
        so3::to_rows(if transposed { q.conjugate() } else { q })
    };
    Attitudes::Matrices(q.iter().map(rows).collect())
}

fn in_space(samples: &Samples) -> Vec<[f64; 3]> {
    let Some(Attitudes::Quaternions(q)) = &samples.attitude else { panic!() };
    let momentum = samples.momentum.as_ref().unwrap().iter();
    momentum.zip(q).map(|(m, q)| (so3::from_wxyz(*q) * DVec3::from_array(*m)).to_array()).collect()
}

/// A wrong trajectory, explained by exactly these mistakes.
fn found(samples: &Samples, inertia: &Inertia, expected: &[Mistake]) {
    let report = report(samples, inertia);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report), expected, "{:?}", report.diagnoses);
}

#[test]
fn a_missing_gyroscopic_term() {
    let (inertia, start) = body();
    // Semi-explicit: no torque, so the momentum never changes; the attitude follows it exactly.
    let (times, states) = integrate(start, 500, 0.02, |_, s| {
        let omega = inertia.omega(s.m);
        State { m: s.m, q: s.q * so3::exp(omega * 0.02) }
    });
    let samples = Samples::of_states(&times, &states);
    found(&samples, &inertia, &[Mistake::MissingGyroscopicTerm]);
    // Also in rows so far apart that nothing can be said of slopes, and without attitudes.
    let pick = |step: usize| states.iter().copied().step_by(step).collect::<Vec<_>>();
    let far: Vec<f64> = times.iter().copied().step_by(100).collect();
    found(&Samples::of_states(&far, &pick(100)), &inertia, &[Mistake::MissingGyroscopicTerm]);
    let momentum = samples.clone().with(|s| s.attitude = None);
    found(&momentum, &inertia, &[Mistake::MissingGyroscopicTerm]);
    assert!(report(&momentum, &inertia).diagnoses[0].text.contains("momentum in space"));
    let omega = states.iter().map(|s| s.omega(&inertia).to_array()).collect();
    let omega = samples.with(|s| {
        s.momentum = None;
        s.omega = Some(omega);
    });
    found(&omega, &inertia, &[Mistake::MissingGyroscopicTerm]);
}

#[test]
fn a_gyroscopic_term_of_the_wrong_sign() {
    let (inertia, start) = body();
    let h = 0.01;
    let (times, states) = integrate(start, 800, h, |_, s| {
        let slope = |m: DVec3| inertia.omega(m).cross(m);
        let m = s.m + slope(s.m + slope(s.m) * (0.5 * h)) * h;
        State { m, q: s.q * so3::exp(inertia.omega((s.m + m) * 0.5) * h) }
    });
    found(&Samples::of_states(&times, &states), &inertia, &[Mistake::GyroscopicSign]);
}

#[test]
fn eulers_steps() {
    let (inertia, start) = body();
    let h = 0.02;
    let step = |s: &State, semi: bool, sum: bool| {
        let omega = inertia.omega(s.m);
        let m = s.m + s.m.cross(omega) * h;
        let by = (if semi { inertia.omega(m) } else { omega }) * h;
        let half = by * 0.5;
        let first_order = so3::from_wxyz([1.0, half.x, half.y, half.z]).normalize();
        State { m, q: s.q * if sum { first_order } else { so3::exp(by) } }
    };
    for (semi, mistake) in [(false, Mistake::ExplicitEuler), (true, Mistake::SemiImplicitEuler)] {
        for sum in [false, true] {
            let (times, states) = integrate(start, 600, h, |_, s| step(s, semi, sum));
            let samples = Samples::of_states(&times, &states);
            found(&samples, &inertia, &[mistake]);
            let all = report(&samples, &inertia);
            assert!(all.energy_change.is_some_and(|change| change > 1e-3));
            assert!(all.diagnoses[0].text.contains("the energy has grown"), "{:?}", all.diagnoses);
            // Every fourth row only, and in single precision.
            let pick = |step: usize| states.iter().copied().step_by(step).map(single);
            let every: Vec<f64> = times.iter().copied().step_by(4).collect();
            let samples = Samples::of_states(&every, &pick(4).collect::<Vec<_>>());
            found(&samples, &inertia, &[mistake]);
            let few = report(&samples, &inertia);
            assert!(few.single_precision && !all.single_precision);
            assert!(few.diagnoses[0].text.contains("4 times"), "{:?}", few.diagnoses);
        }
    }
}

/// Rounded to single precision.
#[allow(clippy::cast_possible_truncation, reason = "as it says")]
fn single(s: State) -> State {
    State { m: s.m.as_vec3().as_dvec3(), q: s.q.as_quat().as_dquat() }
}

#[test]
fn a_loss_of_energy_is_told() {
    // The gyroscopic torque of the end of the step, by one step of Newton's method, as engines have it.
    let (inertia, start) = body();
    let h = 0.02;
    let (times, states) = integrate(start, 600, h, |_, s| {
        let omega = inertia.omega(s.m);
        let slope = |m: DVec3| m.cross(inertia.omega(m));
        let newton = (0..8).fold(s.m, |m, _| s.m + slope(m) * h);
        State { m: newton, q: s.q * so3::exp(omega * h) }
    });
    let report = report(&Samples::of_states(&times, &states), &inertia);
    assert_eq!(mistakes(&report), [Mistake::Unexplained], "{:?}", report.diagnoses);
    assert!(report.energy_change.is_some_and(|change| change < -1e-3));
    assert!(report.diagnoses[0].text.contains("energy is lost"), "{:?}", report.diagnoses);
}

#[test]
fn a_transposed_attitude() {
    let (inertia, mut samples) = exact_samples();
    let matrices = samples.clone().with(|s| s.attitude = Some(matrices(&samples, true)));
    found(&matrices, &inertia, &[Mistake::TransposedAttitude]);
    for q in quaternions(&mut samples) {
        *q = [q[0], -q[1], -q[2], -q[3]];
    }
    found(&samples, &inertia, &[Mistake::TransposedAttitude]);
}

#[test]
fn a_transposed_attitude_of_an_inaccurate_method() {
    let (inertia, start) = body();
    let h = 0.01;
    let (times, mut states) = integrate(start, 500, h, |_, s| {
        let m = s.m + s.m.cross(inertia.omega(s.m)) * h;
        State { m, q: s.q * so3::exp(inertia.omega(m) * h) }
    });
    for s in &mut states {
        s.q = s.q.conjugate();
    }
    let report = report(&Samples::of_states(&times, &states), &inertia);
    assert_eq!(mistakes(&report), [Mistake::TransposedAttitude], "{:?}", report.diagnoses);
}

#[test]
fn a_scalar_at_the_other_end() {
    let (inertia, samples) = exact_samples();
    let mut last = samples.clone();
    for q in quaternions(&mut last) {
        q.rotate_left(1);
    }
    found(&last, &inertia, &[Mistake::ScalarLast]);
    assert!(report(&last, &inertia).diagnoses[0].text.contains("stands last, not first"));
    let mut first = samples.clone();
    for q in quaternions(&mut first) {
        q.rotate_right(1);
    }
    found(&first, &inertia, &[Mistake::ScalarFirst]);
    assert!(report(&first, &inertia).diagnoses[0].text.contains("first and was taken to be last"));
    // Two misunderstandings at once.
    for q in quaternions(&mut last) {
        *q = [-q[0], -q[1], -q[2], q[3]];
    }
    found(&last, &inertia, &[Mistake::TransposedAttitude, Mistake::ScalarLast]);
}

#[test]
fn vectors_in_the_other_frame() {
    let (inertia, body) = exact_samples();
    let in_space = body.clone().with(|s| s.momentum = Some(in_space(&body)));
    found(&in_space, &inertia, &[Mistake::VectorFrame]);
    let told = in_space.clone().with(|s| s.momentum_frame = VectorFrame::Space);
    assert_eq!(report(&told, &inertia).verdict, CheckVerdict::Exact);
    let untold = body.clone().with(|s| s.momentum_frame = VectorFrame::Space);
    found(&untold, &inertia, &[Mistake::VectorFrame]);
    // Angular velocities in space.
    let Some(Attitudes::Quaternions(q)) = &body.attitude else { panic!() };
    let omega = body
        .momentum
        .as_ref()
        .unwrap()
        .iter()
        .zip(q)
        .map(|(m, q)| (so3::from_wxyz(*q) * inertia.omega(DVec3::from_array(*m))).to_array());
    let omega = body.clone().with(|s| {
        s.momentum = None;
        s.omega = Some(omega.collect());
    });
    found(&omega, &inertia, &[Mistake::VectorFrame]);
}

#[test]
fn degrees() {
    let (inertia, body) = exact_samples();
    let momentum = body.momentum.as_ref().unwrap().iter();
    let omega: Vec<_> = momentum
        .map(|m| inertia.omega(DVec3::from_array(*m)).map(f64::to_degrees).to_array())
        .collect();
    let alone = body.clone().with(|s| {
        s.momentum = None;
        s.omega = Some(omega.clone());
    });
    found(&alone, &inertia, &[Mistake::Degrees]);
    // The same beside the momentum, which is right.
    found(&body.with(|s| s.omega = Some(omega)), &inertia, &[Mistake::Degrees]);
}

#[test]
fn times_in_another_unit() {
    let (inertia, samples) = exact_samples();
    let momentum_alone = samples.clone().with(|s| s.attitude = None);
    for (factor, words) in [
        (1e3, "the times divided by 1000,"),
        (1e6, "the times divided by 1000000,"),
        (1.0 / 60.0, "the times multiplied by 60,"),
    ] {
        for samples in [&samples, &momentum_alone] {
            let times = samples.times.iter().map(|t| t * factor).collect();
            let samples = samples.clone().with(|s| s.times = times);
            found(&samples, &inertia, &[Mistake::TimeUnit]);
            let text = &report(&samples, &inertia).diagnoses[0].text;
            assert!(text.contains(words), "{text}");
        }
    }
    // No unit is 700 of another; the body moves, so its gyroscopic term is not missing either.
    let times = samples.times.iter().map(|t| t * 700.0).collect();
    found(&samples.clone().with(|s| s.times = times), &inertia, &[Mistake::Unexplained]);
    // A body that turns about an axis shows it in its attitude alone.
    let start = State::aligned([0.0, 0.0, 1.0]).unwrap();
    let states = exact(&inertia, start, &super::times(400, 0.05));
    let samples = Samples::of_states(&super::times(400, 50.0), &states);
    found(&samples, &inertia, &[Mistake::TimeUnit]);
}

#[test]
fn a_momentum_that_hardly_moves_is_no_other_unit_of_time() {
    let (inertia, samples) = exact_samples();
    let first = samples.momentum.as_ref().unwrap()[0];
    let drifting = |k: usize| [first[0] + 1e-9 * k as f64, first[1], first[2]];
    let momentum = (0..samples.len()).map(drifting).collect();
    let samples = samples.with(|s| {
        s.momentum = Some(momentum);
        s.attitude = None;
    });
    found(&samples, &inertia, &[Mistake::Unexplained]);
}

#[test]
fn an_attitude_turned_from_the_left() {
    let (inertia, start) = body();
    let times = times(1000, 0.01);
    let mut states = exact(&inertia, start, &times);
    let mut q = start.q;
    for k in 1..states.len() {
        let middle = inertia.omega((states[k - 1].m + states[k].m) * 0.5);
        q = so3::exp(middle * 0.01) * q;
        states[k].q = q;
    }
    found(&Samples::of_states(&times, &states), &inertia, &[Mistake::AttitudeFromLeft]);
}

#[test]
fn an_attitude_that_is_no_rotation() {
    let (inertia, start) = body();
    let h = 0.001;
    let states = exact(&inertia, start, &times(2000, h));
    let mut samples = Samples::of_states(&times(2000, h), &states);
    let mut q = start.q;
    let column = quaternions(&mut samples);
    for k in 0..states.len() - 1 {
        q = euler_attitude(q, inertia.omega(states[k].m), h);
        column[k + 1] = so3::to_wxyz(q);
    }
    let report = report(&samples, &inertia);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert!(mistakes(&report).contains(&Mistake::NotARotation), "{:?}", report.diagnoses);
    assert!(report.diagnoses[0].text.contains("that grows"), "{:?}", report.diagnoses);
}

#[test]
fn a_reflection() {
    let (inertia, samples) = exact_samples();
    let Attitudes::Matrices(mut rows) = matrices(&samples, false) else { panic!() };
    let flip = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
    for row in &mut rows {
        let q = DMat3::from_cols_array(row).transpose();
        *row = (q * flip).transpose().to_cols_array();
    }
    let samples = samples.with(|s| s.attitude = Some(Attitudes::Matrices(rows)));
    let report = report(&samples, &inertia);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report)[0], Mistake::Reflection);
}

#[test]
fn columns_that_do_not_belong_together() {
    let (inertia, samples) = exact_samples();
    let other = Inertia::principal([2.0, 1.0, 2.5]).unwrap();
    let momentum = samples.momentum.as_ref().unwrap().iter();
    let omega = momentum.map(|m| other.omega(DVec3::from_array(*m)).to_array()).collect();
    found(&samples.with(|s| s.omega = Some(omega)), &inertia, &[Mistake::InconsistentColumns]);
}

#[test]
fn a_sign_flip_is_no_mistake() {
    let (inertia, mut samples) = exact_samples();
    let q = quaternions(&mut samples);
    for (n, q) in q.iter_mut().enumerate() {
        if (100..200).contains(&n) || n == 300 {
            *q = q.map(|x| -x);
        }
    }
    let report = report(&samples, &inertia);
    assert_eq!((report.verdict, report.sign_changes), (CheckVerdict::Exact, 4));
    assert!(report.diagnoses.is_empty());
    // A matrix has none, whatever quaternion it is turned into.
    let matrices = matrices(&samples, false);
    let matrices = samples.with(|s| s.attitude = Some(matrices));
    assert_eq!(super::report(&matrices, &inertia).sign_changes, 0);
}

#[test]
fn what_nothing_explains_is_not_explained() {
    let (inertia, mut samples) = exact_samples();
    for m in samples.momentum.as_mut().unwrap().iter_mut().skip(300) {
        m[0] += 0.01;
    }
    let report = report(&samples, &inertia);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    assert_eq!(mistakes(&report), [Mistake::Unexplained]);
    assert_eq!(report.momentum.unwrap().beyond, Some(300.0 * 0.05));
    assert_eq!(report.attitude.unwrap().beyond, None);
}
