//! `polhode_verify::check`: right trajectories pass, planted mistakes are found and named.

mod engines;
mod mistakes;
mod order;
mod refused;
mod right;
mod with_torque;

use polhode::glam::{DQuat, DVec3};
use polhode::{Control, FreeMotion, Inertia, State, so3};
use polhode_verify::check::{self, CheckOptions, CheckReport, Mistake, Samples};

/// A tumbling body, and a start with no component zero.
pub(crate) fn body() -> (Inertia, State) {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let q = so3::exp(DVec3::new(0.4, -0.7, 0.2));
    (inertia, State::new([0.5, 1.1, -0.4], q).unwrap())
}

pub(crate) fn times(count: u32, step: f64) -> Vec<f64> {
    (0..=count).map(|n| f64::from(n) * step).collect()
}

/// The exact motion at these times.
pub(crate) fn exact(inertia: &Inertia, start: State, times: &[f64]) -> Vec<State> {
    let motion = FreeMotion::new(inertia, start).unwrap();
    times.iter().map(|&t| motion.at(t - times[0]).unwrap()).collect()
}

pub(crate) fn exact_samples() -> (Inertia, Samples) {
    let (inertia, start) = body();
    let times = times(400, 0.05);
    let states = exact(&inertia, start, &times);
    (inertia, Samples::of_states(&times, &states))
}

pub(crate) fn report(samples: &Samples, inertia: &Inertia) -> CheckReport {
    check::check_free(samples, inertia, &CheckOptions::default(), &Control::default()).unwrap()
}

pub(crate) fn mistakes(report: &CheckReport) -> Vec<Mistake> {
    report.diagnoses.iter().flat_map(|d| d.mistakes.clone()).collect()
}

/// What an integrator written for these tests does at every step, from (t, h, state).
pub(crate) fn integrate(
    start: State,
    count: u32,
    h: f64,
    step: impl Fn(f64, &State) -> State,
) -> (Vec<f64>, Vec<State>) {
    let times = times(count, h);
    let mut states = vec![start];
    for n in 0..count as usize {
        states.push(step(times[n], &states[n]));
    }
    (times, states)
}

/// q + h q', not normalised.
pub(crate) fn euler_attitude(q: DQuat, omega: DVec3, h: f64) -> DQuat {
    q + q * DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * (0.5 * h)
}
