//! An observer that compares with a reference.

use core::ops::ControlFlow;

use super::{ObserveError, Observer, Sample};
use crate::State;

/// The largest errors against a reference solution: a function of time, such as
/// [`FreeMotion::at`](crate::FreeMotion::at).
pub struct ErrorAgainst<F> {
    reference: F,
    /// Of the momentum, relative to its length.
    pub momentum: f64,
    /// Of the attitude, as the angle (rad) between the two, whatever the sign of the quaternion.
    pub attitude: f64,
}

impl<F> ErrorAgainst<F>
where
    F: Fn(f64) -> Result<State, ObserveError>,
{
    /// Compares with this reference.
    pub fn new(reference: F) -> Self {
        Self { reference, momentum: 0.0, attitude: 0.0 }
    }
}

impl<F> Observer for ErrorAgainst<F>
where
    F: Fn(f64) -> Result<State, ObserveError>,
{
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let want = (self.reference)(sample.t)?;
        let momentum = (sample.state.m - want.m).length() / want.m.length();
        let attitude = crate::so3::angle_between(want.q, sample.state.q);
        for (max, error) in [(&mut self.momentum, momentum), (&mut self.attitude, attitude)] {
            *max = if error.is_nan() { f64::NAN } else { max.max(error) };
        }
        Ok(ControlFlow::Continue(()))
    }
}
