//! How a gyro deviates from the body, and what is known of that.

use crate::error::FitError;

/// A number of the sensor model: fixed, free, or known to a standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FitParameter {
    /// Its value, or where the fit begins.
    pub value: f64,
    /// The least it may be.
    pub min: f64,
    /// The most it may be.
    pub max: f64,
    /// Whether the fit leaves the value as it is.
    pub fixed: bool,
    /// The standard deviation with which the value is known beforehand.
    pub prior: Option<f64>,
}

impl Default for FitParameter {
    /// A number that is zero and fixed.
    fn default() -> Self {
        Self::fixed(0.0)
    }
}

impl FitParameter {
    /// A number that is fixed at this value.
    pub const fn fixed(value: f64) -> Self {
        Self { value, min: f64::NEG_INFINITY, max: f64::INFINITY, fixed: true, prior: None }
    }

    /// A number that is unknown; the fit begins with this value.
    pub const fn free(value: f64) -> Self {
        Self { fixed: false, ..Self::fixed(value) }
    }

    /// A number that is known to a standard deviation.
    pub const fn known(value: f64, deviation: f64) -> Self {
        Self { fixed: false, prior: Some(deviation), ..Self::fixed(value) }
    }

    /// Keeps the number within bounds.
    #[must_use]
    pub const fn within(self, min: f64, max: f64) -> Self {
        Self { min, max, ..self }
    }

    pub(crate) fn validate(&self, field: &'static str) -> Result<(), FitError> {
        let refuse = |value, allowed| Err(FitError::Option { field, value, allowed });
        if !self.value.is_finite() {
            return refuse(self.value, "the value must be finite");
        }
        if let Some(prior) = self.prior.filter(|p| !(*p > 0.0 && p.is_finite())) {
            return refuse(prior, "the standard deviation of a prior must be positive");
        }
        if !(self.min <= self.value && self.value <= self.max) {
            return refuse(self.value, "the value must lie between min and max");
        }
        Ok(())
    }
}

/// How a gyro deviates from the body: it shows `(1 + scale) R omega(t + time_offset) + bias`, where R turns the
/// body frame by the rotation vector `misalignment`. All is zero and fixed unless told otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Sensor {
    /// What the gyro shows of a body at rest, in units of the angular velocity.
    pub bias: [FitParameter; 3],
    /// By what part the gyro shows too much, about each axis.
    pub scale: [FitParameter; 3],
    /// The rotation vector of R, in radians. Needs attitudes besides: a gyro alone cannot tell it from turned principal
    /// axes.
    pub misalignment: [FitParameter; 3],
    /// How much later the gyro measured than its times say. Needs attitudes besides.
    pub time_offset: FitParameter,
}

impl Sensor {
    /// Makes a change: `Sensor::default().with(|sensor| sensor.bias = bias)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}
