//! How a filter trusts its model, and which numbers that may be.

use crate::error::FitError;

/// How a filter trusts its model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FilterOptions {
    /// Random angular acceleration that the body is subject to: the variance of the angular velocity grows by its
    /// square in a unit of time. Zero for a free body.
    pub acceleration: f64,
    /// Random walk of the gyro's bias: the variance of the bias grows by its square in a unit of time. Zero for a
    /// constant bias.
    pub bias_walk: f64,
    /// Standard deviation of the bias at the start. Zero if there is none.
    pub bias: f64,
    /// Samples whose residual has a larger square, in units of its variance, are left aside: 3 numbers, so 30 is
    /// beyond chance.
    pub gate: f64,
}

impl Default for FilterOptions {
    fn default() -> Self {
        Self { acceleration: 0.0, bias_walk: 0.0, bias: 0.0, gate: f64::INFINITY }
    }
}

impl FilterOptions {
    /// Makes a change: `FilterOptions::default().with(|options| options.gate = 30.0)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn validate(&self) -> Result<(), FitError> {
        let all = [
            ("acceleration", self.acceleration),
            ("bias_walk", self.bias_walk),
            ("bias", self.bias),
        ];
        for (field, value) in all {
            if !(value >= 0.0 && value.is_finite()) {
                let allowed = "must be zero or positive";
                return Err(FitError::Option { field, value, allowed });
            }
        }
        if self.gate.is_nan() || self.gate <= 0.0 {
            let allowed = "must be positive";
            return Err(FitError::Option { field: "gate", value: self.gate, allowed });
        }
        Ok(())
    }
}

pub(crate) fn positive(field: &'static str, value: f64) -> Result<(), FitError> {
    let allowed = "a standard deviation must be positive and finite";
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(FitError::Option { field, value, allowed })
    }
}
