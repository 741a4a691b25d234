//! What mistake would explain that no free motion fits.

use glam::DVec3;

use crate::fit::Fit;
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

/// Adds the mistake that would explain the data, if there is one.
pub(crate) fn explain(observations: &Observations, fit: &mut Fit) {
    let count = observations.gyro.len();
    let [first, last] = observations.span();
    let reach = last.max(-first);
    let part = if count > ENOUGH {
        observations.near(reach * ENOUGH as f64 / count as f64)
    } else {
        observations.clone()
    };
    if part.gyro.len() < 8 {
        return;
    }
    let unit = Observations { sigma_gyro: DVec3::ONE, ..part };
    let left = |observations: &Observations| {
        let found = search::quick(observations);
        found.first().map_or(f64::INFINITY, |best| best.normal.cost)
    };
    let as_given = left(&unit);
    let mut best: Option<(f64, &'static str)> = None;
    for (factor, words) in MISTAKES {
        let mut other = unit.clone();
        other.gyro.iter_mut().for_each(|row| row.0 *= factor);
        other.gyro.sort_by(|a, b| a.0.total_cmp(&b.0));
        let cost = left(&other);
        // A different reading has to leave much less: noise alone gains a little with every try.
        if cost < 0.3 * as_given && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, words));
        }
    }
    if let Some((cost, words)) = best {
        let gain = (as_given / cost.max(f64::MIN_POSITIVE)).sqrt();
        fit.doubts.insert(0, Doubt::Reading { words, gain });
    }
}
