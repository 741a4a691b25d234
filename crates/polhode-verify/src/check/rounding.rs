//! Whether errors are those of a method, or rounding that the motion has enlarged.
//!
//! A method that is right but for rounding leads from each sample to the next one along the exact motion. Over
//! many of them its roundings add up, and near the separatrix the motion enlarges them; no step, however short,
//! would help. A method's own error shows between neighbours.

use glam::DQuat;

use super::case::{Case, MARGIN, SampleState};
use super::{CheckError, Options};
use crate::Errors;
use polhode::{FreeMotion, State, so3};

/// No more neighbours than these are looked at, evenly spread.
const TRIED: usize = 2000;

/// What the roundings of a million steps between two samples may add up to.
const BETWEEN: f64 = 1e-13;

/// The largest distance of a sample from the exact free motion that starts from the sample before it, if all of
/// them are rounding.
pub(super) fn between_samples(case: &Case, options: &Options) -> Result<Option<f64>, CheckError> {
    let pairs = case.samples.len() - 1;
    let tried = pairs.min(TRIED);
    let mut largest = 0.0_f64;
    for i in 0..tried {
        case.control.check()?;
        let k = i * pairs / tried;
        match of_pair(case, k, options) {
            Some((distance, allowed)) if distance <= allowed => largest = largest.max(distance),
            _ => return Ok(None),
        }
    }
    Ok(Some(largest))
}

/// How far sample k + 1 is from the exact motion from sample k, and how far rounding may have taken it.
fn of_pair(case: &Case, k: usize, options: &Options) -> Option<(f64, f64)> {
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
    let mut allowed = BETWEEN + MARGIN * options.rounding;
    // The numbers of a sample are rounded, and the motion carries that to the next.
    for axis in glam::DVec3::AXES {
        let nudge = axis * (MARGIN * options.rounding * size);
        if let Some(near) = at(State { m: from.m + nudge, q: from.q }) {
            allowed += distance(&near, &want);
        }
    }
    Some((distance(&to, &want), allowed))
}
