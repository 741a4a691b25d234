//! Whether errors are those of a method, or rounding that the motion has enlarged.
//!
//! A method that is right but for rounding leads from each sample to the next one along the exact motion. Over
//! many of them its roundings add up, and near the separatrix the motion enlarges them; no step, however short,
//! would help. A method's own error shows between neighbours.

use glam::DQuat;

use super::case::{Case, MARGIN, SampleState};
use super::{CheckError, CheckOptions};
use crate::Errors;
use polhode::{FreeMotion, State, so3};

/// What the roundings of a million steps between two samples may add up to.
const BETWEEN: f64 = 1e-13;

/// Nobody takes shorter steps, in radians, and hopes for all digits.
const SHORTEST: f64 = 0.01;

/// The largest distance of a sample from the exact free motion that starts from the sample before it, if all of
/// them are rounding.
pub(super) fn between_samples(
    case: &Case,
    options: &CheckOptions,
) -> Result<Option<f64>, CheckError> {
    let mut largest = 0.0_f64;
    for k in 0..case.samples.len() - 1 {
        case.control.check()?;
        match of_pair(case, k, options) {
            Some((distance, allowed)) if distance <= allowed => largest = largest.max(distance),
            _ => return Ok(None),
        }
    }
    Ok(Some(largest))
}

/// How far sample k + 1 is from the exact motion from sample k, and how far rounding may have taken it.
fn of_pair(case: &Case, k: usize, options: &CheckOptions) -> Option<(f64, f64)> {
    let times = &case.samples.times;
    let passed = times[k + 1] - times[k];
    let state = |row: SampleState| Some(State { m: row.m?, q: row.q.unwrap_or(DQuat::IDENTITY) });
    let (from, to) = (state(case.given(k))?, state(case.given(k + 1))?);
    let size = so3::length(from.m);
    let distance = |got: &State, want: &State| {
        let Errors { momentum, attitude, .. } = Errors::new(got, want, size);
        if case.samples.attitude.is_some() { momentum.max(attitude) } else { momentum }
    };
    let at = |start: State| FreeMotion::new(case.inertia, start).and_then(|m| m.at(passed)).ok();
    let want = at(from)?;
    let off = distance(&to, &want);
    // The times of a sample are rounded as well, while steps are not.
    let of_times = options.rounding * (times[k].abs() + times[k + 1].abs());
    let rate = so3::length(from.omega(case.inertia));
    let mut allowed = BETWEEN + MARGIN * options.rounding + of_times * rate;
    if off <= allowed {
        return Some((off, allowed));
    }
    // The numbers of a sample are rounded, those of the steps to the next one as well, and the motion carries that
    // on. Steps are not rounded at random: near an axis each is like the one before.
    let steps = rate * passed.abs() / SHORTEST;
    let rounded = MARGIN * options.rounding + f64::EPSILON * steps;
    for axis in glam::DVec3::AXES {
        let nudge = axis * (rounded * size);
        if let Some(near) = at(State { m: from.m + nudge, q: from.q }) {
            allowed += distance(&near, &want);
        }
    }
    Some((off, allowed))
}
