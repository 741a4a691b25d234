//! How much less likely other ratios of moments are, all else fitted anew.

use crate::descend::descend;
use crate::error::FitError;
use crate::fit::Fit;
use crate::model::Observations;

/// More samples than this are thinned out.
const ENOUGH: usize = 3000;

impl Fit {
    /// The log-likelihood, relative to that of the fit, at these values of I1/I3 (`which` 0) or I2/I3 (1), with
    /// everything else fitted anew. For more than 3,000 samples it is that of every n-th, times n.
    ///
    /// # Errors
    /// [`FitError::Option`] for another `which`, or a value that no body has.
    pub fn profile(&self, which: usize, values: &[f64]) -> Result<Vec<f64>, FitError> {
        if which > 1 {
            let allowed = "0 for I1/I3, 1 for I2/I3";
            return Err(FitError::Option { field: "which", value: which as f64, allowed });
        }
        if let Some(&value) = values.iter().find(|x| !(**x > 0.0 && **x <= 1.0)) {
            let allowed = "a ratio to the largest moment lies above 0 and is at most 1";
            return Err(FitError::Option { field: "values", value, allowed });
        }
        let every = self.observations.samples().div_ceil(ENOUGH).max(1);
        let thin = self.observations.clone().thinned(ENOUGH);
        let active = &self.information.active;
        let best = descend(&thin, self.guess, active, 30)?;
        let centre = self.moments[which];
        let mut likelihoods = vec![f64::NEG_INFINITY; values.len()];
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let (below, above): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|i| values[*i] < centre);
        // From the fit outwards, each value beginning where the one before ended.
        for side in [below.into_iter().rev().collect::<Vec<_>>(), above] {
            let mut guess = best.guess;
            for i in side {
                let sigma = 1e-4 * (values[i] - centre).abs().max(1e-6);
                let pinned = Some((which, values[i], sigma));
                let held = Observations { pinned, ..thin.clone() };
                let Ok(fitted) = descend(&held, guess, active, 30) else { continue };
                guess = fitted.guess;
                let Ok(free) = thin.normal(&guess, active) else { continue };
                let less = 0.5 * (best.normal.cost - free.cost) * every as f64;
                let moments = guess.shape.moments();
                // No body has this ratio together with the other one that the data want.
                let there = (moments[which] / moments[2] - values[i]).abs() < 10.0 * sigma;
                likelihoods[i] = if there { less.min(0.0) } else { f64::NEG_INFINITY };
            }
        }
        Ok(likelihoods)
    }
}
