//! Euler's steps, as engines take them: which of them, and how long, would explain a wrong trajectory.
//!
//! Both change the angular velocity by the gyroscopic torque at the start of the step. The explicit one then turns
//! the body by the angular velocity from before the change, the semi-implicit one by that from after it.

use glam::DQuat;

use super::CheckError;
use super::case::{Case, SampleState};
use super::mistake::{Diagnosis, Mistake};
use super::report::Report;
use crate::Errors;
use polhode::{FreeMotion, State, so3};

/// Steps from one sample to the next: engines write every frame, or one of a few.
const COUNTS: [u32; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 30, 60];

/// A hypothesis fits if it leaves this part of the distance from the exact motion.
const FITS: f64 = 0.05;

/// On no more pairs of samples than this.
const PAIRS: usize = 200;

/// How a quaternion is turned.
#[derive(Clone, Copy)]
enum Turning {
    /// By a rotation.
    Rotation,
    /// By the first-order sum, brought back to length one.
    Sum,
}

/// One step: whether the new angular velocity turns the body.
fn step(case: &Case, state: State, h: f64, semi: bool, turning: Turning) -> State {
    let omega = case.inertia.omega(state.m);
    let m = state.m + state.m.cross(omega) * h;
    let by = (if semi { case.inertia.omega(m) } else { omega }) * h;
    let q = match turning {
        Turning::Rotation => state.q * so3::exp(by),
        Turning::Sum => {
            let half = by * 0.5;
            state.q * DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize()
        }
    };
    State { m, q }
}

/// Tries both on a free body, sample by sample.
pub(super) fn euler(case: &Case, report: &Report) -> Result<Option<Diagnosis>, CheckError> {
    if !case.is_free() {
        return Ok(None);
    }
    let attitudes = case.samples.attitude.is_some();
    let state = |row: SampleState| Some(State { m: row.m?, q: row.q.unwrap_or(DQuat::IDENTITY) });
    let Some(states) =
        (0..case.samples.len()).map(|k| state(case.given(k))).collect::<Option<Vec<_>>>()
    else {
        return Ok(None);
    };
    let times = &case.samples.times;
    let count = (states.len() - 1).min(PAIRS);
    let distance = |got: &State, want: &State, size: f64| {
        let Errors { momentum, attitude, .. } = Errors::new(got, want, size);
        momentum + if attitudes { attitude } else { 0.0 }
    };
    let size = states[..=count].iter().fold(0.0, |most: f64, s| most.max(so3::length(s.m)));
    let mut exact = 0.0;
    for k in 0..count {
        case.control.check()?;
        let motion = FreeMotion::new(case.inertia, states[k]);
        let Ok(want) = motion.and_then(|motion| motion.at(times[k + 1] - times[k])) else {
            return Ok(None);
        };
        exact += distance(&states[k + 1], &want, size);
    }
    for steps in COUNTS {
        for (semi, turning) in [
            (false, Turning::Rotation),
            (true, Turning::Rotation),
            (false, Turning::Sum),
            (true, Turning::Sum),
        ] {
            case.control.check()?;
            let left: f64 = (0..count)
                .map(|k| {
                    let h = (times[k + 1] - times[k]) / f64::from(steps);
                    let end =
                        (0..steps).fold(states[k], |state, _| step(case, state, h, semi, turning));
                    distance(&states[k + 1], &end, size)
                })
                .sum();
            if left <= FITS * exact {
                return Ok(Some(named(report, steps, semi, attitudes, left / exact)));
            }
        }
    }
    Ok(None)
}

fn named(report: &Report, steps: u32, semi: bool, attitudes: bool, left: f64) -> Diagnosis {
    let (mistake, name) = match (attitudes, semi) {
        (false, _) => (Mistake::ExplicitEuler, "Euler's explicit step, or the semi-implicit one,"),
        (true, false) => (Mistake::ExplicitEuler, "Euler's explicit step"),
        (true, true) => (Mistake::SemiImplicitEuler, "Euler's semi-implicit step"),
    };
    let often = if steps == 1 { String::new() } else { format!(", {steps} times,") };
    let energy = match report.energy_change {
        Some(change) if change > 0.0 => {
            format!("; the energy has grown by {change:.1e} of itself")
        }
        _ => String::new(),
    };
    let text = format!(
        "from sample to sample {name}{often} explains all but {left:.1e} of the distance from the exact motion: \
         the gyroscopic torque is taken at the start of a step. Such steps gain energy, faster the longer they \
         are{energy}. An exact step costs about twice as much: the crate polhode-step has it"
    );
    Diagnosis::new(mistake, text)
}
