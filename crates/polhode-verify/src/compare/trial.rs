//! One run, measured against the reference.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{CHECKS, CompareError};
use crate::{Errors, Reference};
use polhode::method::{Method, MethodError};
use polhode::observe::Sample;
use polhode::{Control, Interruption, Plan, PlanError, Problem, RunError, State, run, so3};

/// The most steps of one run: more would be hours.
const MOST_STEPS: u64 = 1_000_000_000;

/// A method with a step.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trial {
    /// The place of the method among the contenders.
    pub contender: usize,
    /// The length of the step, of either sign.
    pub step: f64,
    /// The numbers of the run, or why there are none.
    pub result: Result<Measurement, TrialError>,
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement {
    /// How many steps it took.
    pub steps: u64,
    /// The largest errors over the moments looked at.
    pub error: Errors,
    /// The errors at the end of the run.
    pub error_at_end: Errors,
    /// What the run cost: evaluations, iterations and time.
    pub cost: Cost,
}

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// Evaluations of the torque.
    pub torque_evaluations: u64,
    /// Iterations of implicit solves.
    pub iterations: u64,
    /// Wall time: the least of some repeats, which take turns with those of the other runs. A long
    /// run is timed over its first hundredths of a second, and the time taken in proportion.
    pub seconds: f64,
}

/// Why there are no numbers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The method is not for this problem.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The step is not for this span.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// It would take hours.
    #[error("{steps} steps are more than {MOST_STEPS}")]
    TooManySteps {
        /// The number of steps that the run would have.
        steps: u64,
    },
    /// It failed on the way.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It was ended before it was done.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

/// The steps done by all runs together, told as a part of those there are to do.
pub(super) struct TrialProgress<'a> {
    done: AtomicU64,
    total: u64,
    control: Option<&'a Control>,
}

impl<'a> TrialProgress<'a> {
    pub(super) fn new(total: u64, control: &'a Control) -> Self {
        Self { done: AtomicU64::new(0), total, control: Some(control) }
    }

    /// Of runs that do not count among the steps there are to do.
    pub(super) fn untold() -> Self {
        Self { done: AtomicU64::new(0), total: 0, control: None }
    }

    fn add(&self, steps: u64) {
        if let Some(control) = self.control {
            let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
            control.report(done as f64 / self.total as f64);
        }
    }
}

/// A problem, a span and the reference on it.
pub(super) struct TrialRuler<'a> {
    pub(super) problem: &'a Problem,
    pub(super) reference: Reference,
    pub(super) until: f64,
    scale: f64,
    pub(super) control: &'a Control,
}

impl<'a> TrialRuler<'a> {
    /// The reference at every moment that runs with these steps are looked at, and at even parts of
    /// the span, for runs whose steps fit it.
    pub(super) fn new(
        problem: &'a Problem,
        until: f64,
        steps: &[f64],
        control: &'a Control,
    ) -> Result<Self, CompareError> {
        let part = |k: u32| Self::part(problem.t0(), until, k);
        let mut times: Vec<f64> = (1..=CHECKS).map(part).collect();
        for step in steps {
            if let Ok(plan) = Plan::until(problem.t0(), *step, until) {
                times.extend(checks(plan).map(|n| plan.time(problem.t0(), n)));
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        let reference = Reference::at_times(problem, &times, &control.silent())?;
        let lengths = reference.states().iter().map(|s| so3::length(s.m));
        let scale = lengths.fold(so3::length(problem.start().m), f64::max);
        Ok(Self { problem, reference, until, scale, control })
    }

    /// The k-th of the even parts of a span.
    fn part(t0: f64, until: f64, k: u32) -> f64 {
        if k == CHECKS { until } else { t0 + (until - t0) * f64::from(k) / f64::from(CHECKS) }
    }

    /// All of them: the moments at which every run whose steps fit the span is looked at.
    pub(super) fn parts(&self) -> Vec<f64> {
        (1..=CHECKS).map(|k| Self::part(self.problem.t0(), self.until, k)).collect()
    }

    /// A run with a step as given.
    pub(super) fn measure(
        &self,
        method: &Method,
        step: f64,
        progress: &TrialProgress<'_>,
    ) -> Result<Measurement, TrialError> {
        let plan = Plan::until(self.problem.t0(), step, self.until)?;
        let checks: Vec<(u64, f64)> =
            checks(plan).map(|n| (n, plan.time(self.problem.t0(), n))).collect();
        self.run(method, plan, &checks, progress)
    }

    /// A run with a step that fits the span: this number times [`CHECKS`] steps.
    pub(super) fn measure_parts(
        &self,
        method: &Method,
        parts: u64,
    ) -> Result<Measurement, TrialError> {
        let steps = parts * u64::from(CHECKS);
        let step = (self.until - self.problem.t0()) / steps as f64;
        let part = |k| (parts * u64::from(k), Self::part(self.problem.t0(), self.until, k));
        let checks: Vec<(u64, f64)> = (1..=CHECKS).map(part).collect();
        self.run(method, Plan { step, steps }, &checks, &TrialProgress::untold())
    }

    /// A run looked at after these steps, which is at these times of the reference.
    fn run(
        &self,
        method: &Method,
        plan: Plan,
        checks: &[(u64, f64)],
        progress: &TrialProgress<'_>,
    ) -> Result<Measurement, TrialError> {
        if plan.steps > MOST_STEPS {
            return Err(TrialError::TooManySteps { steps: plan.steps });
        }
        let mut stepper = method.stepper(self.problem)?;
        let (mut error, mut error_at_end) = (Errors::default(), Errors::default());
        let mut rest = checks.iter().peekable();
        let mut seen = 0;
        let mut watch = |sample: &Sample<'_>| {
            if let Some((_, t)) = rest.next_if(|(n, _)| *n == sample.step) {
                error_at_end = self.errors(*t, sample.state);
                error = error.max(error_at_end);
                progress.add(sample.step - seen);
                seen = sample.step;
            }
            if self.control.check().is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let summary = run(self.problem, &mut *stepper, &plan, &mut [&mut watch])?;
        self.control.check()?;
        let cost = Cost {
            torque_evaluations: summary.torque_evaluations,
            iterations: summary.iterations,
            seconds: 0.0,
        };
        Ok(Measurement { steps: plan.steps, error, error_at_end, cost })
    }

    pub(super) fn errors(&self, t: f64, state: &State) -> Errors {
        let times = self.reference.times();
        // The nearest one: times by two formulas differ in their last bits.
        let above = times.partition_point(|x| *x < t).min(times.len() - 1);
        let nearer = above > 0 && t - times[above - 1] < times[above] - t;
        let want = &self.reference.states()[above - usize::from(nearer)];
        Errors::new(state, want, self.scale)
    }
}

/// After which steps a run is looked at: evenly spread, the last one included.
fn checks(plan: Plan) -> impl Iterator<Item = u64> {
    let count = u64::from(CHECKS);
    let mut before = 0;
    (1..=count)
        .map(move |k| k * plan.steps / count)
        .filter(move |n| *n > std::mem::replace(&mut before, *n))
}
