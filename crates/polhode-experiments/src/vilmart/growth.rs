//! How the errors of many trajectories grow.

use super::trajectories::{Invariant, InvariantErrors};
use crate::measure::slope;

pub(super) const EPS: f64 = f64::EPSILON;

/// How the errors of many trajectories grow.
pub(super) struct ErrorGrowth {
    /// Mean at the end, per step.
    pub(super) bias: f64,
    /// The exponent of the growth of the mean with the number of steps.
    pub(super) mean_exponent: f64,
    /// The exponent of the growth of the standard deviation over the last three quarters.
    pub(super) deviation_exponent: f64,
    /// Standard deviation at the end, over eps times the root of the number of steps.
    pub(super) sigma: f64,
    /// The exponent of the growth of changes with the number of steps between: 0.5 for a random
    /// walk, 1 for a drift, 0 for errors that do not add up.
    pub(super) walk_exponent: f64,
    /// The size of the mean at the end over the standard deviation.
    pub(super) share: f64,
    /// The mean at the end over its own uncertainty.
    pub(super) significance: f64,
    /// As sigma, from the median of the sizes: a few trajectories do not move it.
    pub(super) typical: f64,
    /// The exponent of its growth over the last three quarters.
    pub(super) typical_exponent: f64,
    /// Trajectories that end beyond eight times that.
    pub(super) strays: Vec<usize>,
}

impl ErrorGrowth {
    pub(super) fn of(errors: &InvariantErrors, invariant: Invariant) -> Self {
        let curves = errors.curves(invariant);
        let last = errors.samples() - 1;
        let steps = errors.steps(last);
        let [mean, deviation] = curves[last];
        let exponent = |from: usize, which: usize| {
            let logs = (from..errors.samples())
                .map(|s| [errors.steps(s).ln(), curves[s][which].abs().ln()])
                .filter(|p| p[1].is_finite());
            slope(&logs.collect::<Vec<_>>())
        };
        let share = mean.abs() / deviation;
        let size = |n: usize| errors.at(n, last, invariant).abs();
        let typical = median_size(errors, last, invariant);
        let quarter = (errors.samples() / 4..errors.samples())
            .map(|s| [errors.steps(s).ln(), median_size(errors, s, invariant).ln()])
            .filter(|p| p[1].is_finite());
        Self {
            bias: mean / steps,
            // The first tenth is left out: few steps, and steps of rounding to be seen.
            mean_exponent: exponent(errors.samples() / 10, 0),
            deviation_exponent: exponent(errors.samples() / 4, 1),
            sigma: deviation / (EPS * steps.sqrt()),
            walk_exponent: walk_exponent(errors, invariant),
            share,
            significance: share * (errors.trajectories() as f64).sqrt(),
            typical: typical / (EPS * steps.sqrt()),
            typical_exponent: slope(&quarter.collect::<Vec<_>>()),
            strays: (0..errors.trajectories()).filter(|n| size(*n) > 8.0 * typical).collect(),
        }
    }
}

/// The standard deviation at a sample as the median of the sizes tells it: that of a normal distribution
/// is 0.6745 standard deviations.
fn median_size(errors: &InvariantErrors, sample: usize, invariant: Invariant) -> f64 {
    let sizes = (0..errors.trajectories()).map(|n| errors.at(n, sample, invariant).abs());
    let mut sizes: Vec<f64> = sizes.collect();
    sizes.sort_by(f64::total_cmp);
    sizes[sizes.len() / 2] / 0.6745
}

/// Half the exponent of the mean square change over windows of one sample to an eighth of all.
///
/// Far sharper than the growth of the deviation: every part of every trajectory counts.
fn walk_exponent(errors: &InvariantErrors, invariant: Invariant) -> f64 {
    let mut logs = Vec::new();
    let mut window = 1;
    while window <= errors.samples() / 8 {
        let (mut sum, mut count) = (0.0, 0.0);
        for n in 0..errors.trajectories() {
            for s in (0..errors.samples() - window).step_by(window) {
                let change = errors.at(n, s + window, invariant) - errors.at(n, s, invariant);
                sum += change * change;
                count += 1.0;
            }
        }
        logs.push([(window as f64).ln(), 0.5 * (sum / count).ln()]);
        window *= 2;
    }
    slope(&logs)
}
