//! What mistake would explain that no free motion fits.

use glam::DVec3;

use crate::fit::Fit;
use crate::guess::at;
use crate::model::Observations;
use crate::search;
use crate::words::Doubt;

/// So many samples in the middle are enough to tell.
const ENOUGH: usize = 120;

/// A misunderstanding, and what undoes it: a factor of the angles turned.
///
/// Columns of the wrong handedness are not among them: they are those of another body, see [`Fit::mirrored`].
const MISTAKES: [(f64, &str); 12] = [
    (core::f64::consts::PI / 180.0, "the angular velocity is in degrees, not in radians"),
    (180.0 / core::f64::consts::PI, "the angular velocity was converted from degrees twice"),
    (core::f64::consts::TAU, "the angular velocity is in turns, not in radians"),
    (core::f64::consts::TAU / 60.0, "the angular velocity is in turns per minute beside seconds"),
    (1e-3, "the times are in milliseconds beside radians per second"),
    (1e-6, "the times are in microseconds beside radians per second"),
    (1e-9, "the times are in nanoseconds beside radians per second"),
    (1e3, "the unit of the times is a thousand times longer than that of the angular velocities"),
    (60.0, "the times are in minutes beside radians per second"),
    (3600.0, "the times are in hours beside radians per second"),
    (86400.0, "the times are in days beside radians per second"),
    (1.0 / 60.0, "the angular velocity is per minute beside seconds"),
];

/// A different reading has to leave so much less: noise alone gains a little with every try.
pub(crate) const MUCH_LESS: f64 = 0.3;

/// As many angular velocities about the middle as are enough, if they are not too few.
pub(crate) fn part(observations: &Observations) -> Option<Observations> {
    let count = observations.gyro.len();
    let [first, last] = observations.span();
    let reach = last.max(-first);
    let part = if count > ENOUGH {
        observations.near(reach * ENOUGH as f64 / count as f64)
    } else {
        observations.clone()
    };
    (part.gyro.len() >= 8).then_some(Observations { sigma_gyro: DVec3::ONE, ..part })
}

/// What the free motion that fits angular velocities best leaves of them.
pub(crate) fn left(observations: &Observations) -> Option<f64> {
    search::quick(observations).first().map(|best| best.normal.cost)
}

/// What chi-square is less by than once in ten thousand cases, if three numbers more are fitted to noise.
const THREE_MORE: f64 = 21.1;

/// No more samples than this are asked for a bias.
const ASKED: usize = 20_000;

/// By which share a bias of the gyro, which is fixed, would lower chi-square; none if that may be chance.
pub(crate) fn bias(fit: &Fit) -> Option<f64> {
    let (observations, active) = (&fit.observations, &fit.information.active);
    let places = at::BIAS..at::BIAS + 3;
    if observations.gyro.is_empty() || active.iter().any(|place| places.contains(place)) {
        return None;
    }
    let some = observations.clone().thinned(ASKED);
    let with: Vec<usize> = active.iter().copied().chain(places).collect();
    let normal = some.normal(&fit.guess, &with).ok()?;
    // Both gains are those of a whole step: at a bound, where there is none, they are the same.
    let gain = |n: usize| {
        let step = normal.matrix.leading(n).solve(&normal.right[..n])?;
        Some(step.iter().zip(&normal.right).map(|(a, b)| a * b).sum::<f64>())
    };
    let less = gain(with.len())? - gain(active.len())?;
    let share = less / normal.cost;
    // Where the noise is that of the residuals, few of them are lowered by chance by more.
    let beyond = some.count().saturating_sub(with.len()) as f64;
    let size = if fit.noise_given { less } else { -beyond * libm::log1p(-share.min(1.0)) };
    (size > THREE_MORE).then_some(share)
}

/// Adds the mistake that would explain the data, if there is one.
pub(crate) fn explain(observations: &Observations, fit: &mut Fit) {
    let Some(unit) = part(observations) else { return };
    let left = |observations: &Observations| left(observations).unwrap_or(f64::INFINITY);
    let as_given = left(&unit);
    let mut best: Option<(f64, &'static str)> = None;
    for (factor, words) in MISTAKES {
        let mut other = unit.clone();
        other.gyro.iter_mut().for_each(|row| row.0 *= factor);
        other.gyro.sort_by(|a, b| a.0.total_cmp(&b.0));
        let cost = left(&other);
        if cost < MUCH_LESS * as_given && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, words));
        }
    }
    if let Some((cost, words)) = best {
        let gain = (as_given / cost.max(f64::MIN_POSITIVE)).sqrt();
        fit.doubts.insert(0, Doubt::Reading { words, gain });
    }
}
