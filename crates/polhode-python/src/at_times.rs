//! The states of a run of fixed steps at times between them.

use core::ops::ControlFlow;

use polhode::method::Stepper;
use polhode::observe::{ObserveError, Observer, Sample};
use polhode::{Problem, State};

/// Shows another observer the states at given times, each reached from the step before it by a shorter one, which
/// the run knows nothing of.
pub(crate) struct AtTimes<O> {
    times: Vec<f64>,
    /// How many of them have been shown.
    shown: usize,
    /// Makes the shorter steps.
    stepper: Box<dyn Stepper>,
    /// Number, time and state of the step before.
    before: Option<(u64, f64, State)>,
    pub(crate) torque_evaluations: u64,
    pub(crate) iterations: u64,
    pub(crate) inner: O,
}

impl<O: Observer> AtTimes<O> {
    /// Times in the order in which they are passed, and a stepper of the run's method.
    pub(crate) fn new(times: Vec<f64>, stepper: Box<dyn Stepper>, inner: O) -> Self {
        Self { times, shown: 0, stepper, before: None, torque_evaluations: 0, iterations: 0, inner }
    }

    /// Shows the state at a time after a step.
    fn show(
        &mut self,
        problem: &Problem,
        (step, from, state): (u64, f64, State),
        t: f64,
        last: bool,
    ) -> Result<ControlFlow<()>, ObserveError> {
        let (mut state, mut report) = (state, polhode::method::StepReport::default());
        if t != from {
            // What another step has left is not of this one.
            self.stepper.reset();
            report = self.stepper.step(problem, from, t - from, &mut state)?;
            self.torque_evaluations += u64::from(report.torque_evaluations);
            self.iterations += u64::from(report.iterations);
        }
        self.shown += 1;
        let mut sample = Sample::new(problem, step, t, &state);
        (sample.report, sample.last) = (report, last);
        self.inner.observe(&sample)
    }
}

impl<O: Observer> Observer for AtTimes<O> {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let Sample { problem, step, t, state, last, .. } = *sample;
        let before = self.before.replace((step, t, *state));
        while let Some(&time) = self.times.get(self.shown) {
            // Between the two steps, or at the later one; after the last, what a rounding leaves.
            let from = match before {
                Some(before) if (time < t) != (t < before.1) && time != t => before,
                _ if time == t || last => (step, t, *state),
                _ => break,
            };
            let next = self.show(problem, from, time, self.shown + 1 == self.times.len())?;
            if next == ControlFlow::Break(()) {
                return Ok(next);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
