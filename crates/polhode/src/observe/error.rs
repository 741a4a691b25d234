//! An observer that compares with a reference.

use core::ops::ControlFlow;

use super::{ObserveError, Observer, Sample};
use crate::{Errors, State, so3};

/// The largest errors against a reference solution: a function of time, such as
/// [`FreeMotion::at`](crate::FreeMotion::at).
///
/// ```
/// use polhode::{FreeMotion, Inertia, Problem, State, observe::ErrorAgainst};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let start = State::aligned([0.4, 1.0, 0.3])?;
/// let motion = FreeMotion::new(&inertia, start)?;
/// let worst = [0.1, 0.05].map(|step| {
///     let mut error = ErrorAgainst::new(|t| Ok(motion.at(t)?));
///     Problem::new(inertia, start).observe("rk4", step, 1.0, &mut [&mut error]).unwrap();
///     error.largest.worst()
/// });
/// let order = (worst[0] / worst[1]).log2();
/// assert!((order - 4.0).abs() < 0.1, "{worst:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ErrorAgainst<F> {
    reference: F,
    /// The largest errors so far; of the momentum relative to the length that the momentum of the
    /// reference has at the same time.
    pub largest: Errors,
}

impl<F> ErrorAgainst<F>
where
    F: Fn(f64) -> Result<State, ObserveError>,
{
    /// Compares with this reference.
    pub fn new(reference: F) -> Self {
        Self { reference, largest: Errors::default() }
    }
}

impl<F> Observer for ErrorAgainst<F>
where
    F: Fn(f64) -> Result<State, ObserveError>,
{
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let want = (self.reference)(sample.t)?;
        let errors = Errors::new(sample.state, &want, so3::length(want.m));
        self.largest = self.largest.max(errors);
        Ok(ControlFlow::Continue(()))
    }
}
