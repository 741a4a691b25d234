//! What physics engines write: single precision, the world's coordinates, rounded times.

use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, State};
use polhode_testkit::engines::{EngineStep, explicit, implicit, length_kept};
use polhode_verify::check::{Attitudes, CheckVerdict, Mistake, Samples, VectorFrame};

use super::{mistakes, report};

const MOMENTS: [f32; 3] = [1.0, 2.0, 2.6];
const RATE: u32 = 60;

fn inertia() -> Inertia {
    Inertia::principal(MOMENTS.map(f64::from)).unwrap()
}

/// Three seconds of a handle that flips, with the angular velocity in the world.
fn log(step: EngineStep) -> Samples {
    let (mut omega, mut q) = ([0.3_f32, 8.0, 0.3], [0.0_f32, 0.0, 0.0, 1.0]);
    let mut samples = Samples::default().with(|s| s.omega_frame = VectorFrame::Space);
    let (mut omegas, mut attitudes) = (Vec::new(), Vec::new());
    for k in 0..=3 * RATE {
        samples.times.push(f64::from(k) / f64::from(RATE));
        omegas.push(omega.map(f64::from));
        let [x, y, z, w] = q.map(f64::from);
        attitudes.push([w, x, y, z]);
        step(MOMENTS, &mut omega, &mut q, 1.0 / 60.0);
    }
    samples.omega = Some(omegas);
    samples.attitude = Some(Attitudes::Quaternions(attitudes));
    samples
}

#[test]
fn the_steps_of_engines_are_named_in_either_frame() {
    for (step, mistake) in [
        (explicit as EngineStep, Mistake::SemiImplicitEuler),
        (implicit, Mistake::ImplicitEuler),
        (length_kept, Mistake::LengthKept),
    ] {
        let mut samples = log(step);
        let told = report(&samples, &inertia());
        assert_eq!(told.verdict, CheckVerdict::Wrong);
        assert_eq!(mistakes(&told), [mistake], "{:?}", told.diagnoses);
        // The program of which nobody said that its angular velocity is in the world.
        samples.omega_frame = VectorFrame::Body;
        let untold = report(&samples, &inertia());
        assert_eq!(mistakes(&untold), [Mistake::VectorFrame, mistake], "{:?}", untold.diagnoses);
    }
}

/// The exact motion at 60 steps a second, each of this length, and with these times.
fn exact(step: f64, times: impl Fn(u32) -> f64) -> Samples {
    let start = State::new([0.3, 16.0, 0.78], DQuat::IDENTITY).unwrap();
    let motion = FreeMotion::new(&inertia(), start).unwrap();
    let at = |k: u32| motion.at(f64::from(k) * step).unwrap();
    let states: Vec<State> = (0..=10 * RATE).map(at).collect();
    let times: Vec<f64> = (0..=10 * RATE).map(times).collect();
    Samples::of_states(&times, &states)
}

#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "single precision")]
fn rounded_times_of_equal_steps_are_taken_as_such() {
    let single = f64::from(1.0_f32 / 60.0);
    let added_up = |k: u32| f64::from((0..k).fold(0.0_f32, |t, _| t + 1.0 / 60.0));
    for (name, samples) in [
        ("products", exact(single, |k| f64::from(k as f32 * (1.0 / 60.0)))),
        ("sums", exact(single, added_up)),
        ("quotients", exact(1.0 / 60.0, |k| f64::from((f64::from(k) / 60.0) as f32))),
        ("four decimals", exact(1.0 / 60.0, |k| (f64::from(k) * 1e4 / 60.0).round() * 1e-4)),
    ] {
        let found = report(&samples, &inertia());
        assert_ne!(found.verdict, CheckVerdict::Wrong, "{name}: {:?}", found.diagnoses);
        let step = found.equal_steps.unwrap();
        assert!((60.0 * step - 1.0).abs() < 1e-7, "{name}: {step}");
    }
    // Times that are right need no explanation.
    let right = report(&exact(1.0 / 60.0, |k| f64::from(k) / 60.0), &inertia());
    assert_eq!((right.verdict, right.equal_steps), (CheckVerdict::Exact, None));
    // Equal steps do not make a wrong motion right.
    let mut wrong = exact(1.0 / 60.0, |k| f64::from(k as f32 * (1.0 / 60.0)));
    wrong.momentum.as_mut().unwrap()[300] = DVec3::new(0.4, 16.0, 0.78).to_array();
    assert_eq!(report(&wrong, &inertia()).verdict, CheckVerdict::Wrong);
}
