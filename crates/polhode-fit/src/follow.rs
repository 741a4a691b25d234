//! From the optima of a search to those of all data and all unknowns.

use crate::data::{FitOptions, FitUnits};
use crate::descend::{Optimum, refine};
use crate::estimate::{RIVAL, sensor};
use crate::guess::at;
use crate::model::Observations;
use crate::search::{GYRO, grown, same};
use crate::start;

/// Of more samples than this a part is searched with.
const MANY: usize = 20_000;

/// So many samples are a part of very many.
const PART: usize = 8000;

/// Samples in a turn that are left when a part is every n-th of all; else it is the middle of the arc.
const IN_A_TURN: f64 = 8.0;

/// So many optima are followed to the end.
const FOLLOWED: usize = 4;

/// What is searched with: everything, or of very many samples a part that tells the optima apart as well.
pub(crate) fn part(observations: &Observations) -> Observations {
    let count = observations.samples();
    if count <= MANY {
        return observations.clone();
    }
    let [first, last] = observations.span();
    if PART as f64 * core::f64::consts::TAU > IN_A_TURN * (last - first) {
        return observations.clone().thinned(PART);
    }
    observations.near(0.5 * (last - first) * PART as f64 / count as f64)
}

/// The best optima of the search as optima of all data and unknowns, best first.
pub(crate) fn followed(
    observations: &Observations,
    found: &[Optimum],
    active: &[usize],
    options: &FitOptions,
    units: &FitUnits,
) -> Vec<Optimum> {
    if active == GYRO && !observations.gyro.is_empty() {
        if observations.gyro.len() <= MANY {
            return found.to_vec();
        }
        return followed_by_many(observations, found, active);
    }
    let [first, last] = observations.span();
    let samples = observations.samples() as f64;
    // Two turns, or thirty samples.
    let reach = f64::max(6.0, 15.0 * (last - first) / samples);
    let mut fits: Vec<Optimum> = Vec::new();
    for fitted in { distinct_guesses(found) }.into_iter().take(FOLLOWED) {
        let guess = sensor(options, units, fitted.guess);
        let oriented = if active.contains(&at::ATTITUDE) {
            start::oriented(observations, &guess)
        } else {
            Ok(guess)
        };
        let Ok(guess) = oriented else { continue };
        let whole = |part: &Observations| grown(observations, guess, part, active);
        let part = observations.near(reach);
        fits.extend(whole(&part));
        // Over the whole arc at once: a short one may not tell a bias from a wobble.
        fits.extend(whole(observations));
    }
    fits.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
    fits
}

/// The same for very many samples of a gyro: over the whole arc with some of them, and to the end with all.
fn followed_by_many(
    observations: &Observations,
    found: &[Optimum],
    active: &[usize],
) -> Vec<Optimum> {
    let (part, some) = (part(observations), observations.clone().thinned(PART));
    let best = distinct_guesses(found).into_iter().take(FOLLOWED);
    let over =
        |fits: &mut Vec<Optimum>| fits.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
    let grown = best.map(|f| grown(&some, f.guess, &part, active));
    let mut fits: Vec<Optimum> = grown.filter_map(Result::ok).collect();
    over(&mut fits);
    let Some(least) = fits.first().map(|f| f.normal.cost) else { return fits };
    // What is far less likely already is no rival with more samples.
    let far = least * (1.0 + 2.0 * RIVAL / some.count() as f64);
    let kept = distinct_guesses(&fits).into_iter().filter(|f| f.normal.cost <= far);
    let whole = kept.map(|f| refine(observations, f.guess, active));
    let mut fits: Vec<Optimum> = whole.filter_map(Result::ok).collect();
    over(&mut fits);
    fits
}

/// Those that are not one of the better ones again.
pub(crate) fn distinct_guesses(found: &[Optimum]) -> Vec<&Optimum> {
    let mut kept: Vec<&Optimum> = Vec::new();
    for fitted in found {
        if kept.iter().all(|other| !same(other, fitted)) {
            kept.push(fitted);
        }
    }
    kept
}
