//! The time loop: one for every method and every problem.

use core::ops::ControlFlow;

use crate::inside::InsideError;
use crate::method::StepError;
use crate::method::{Method, MethodError, StepReport, Stepper};
use crate::observe::{ObserveError, Observer, Sample, Trajectory};
use crate::problem::Problem;
use crate::torque::TorqueError;
use crate::{Interruption, State};

/// How far to go, and in which steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The step, of either sign.
    pub step: f64,
    /// The number of steps.
    pub steps: u64,
}

/// Why there is no plan.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A step of zero, or not finite.
    #[error("step = {step:?}: must be finite and not zero")]
    Step {
        /// The step that was given.
        step: f64,
    },
    /// An end that is not finite, or not in the direction of the step.
    #[error(
        "until = {until:?}: must be finite, and not before the start at {t0:?} for step {step:?}"
    )]
    Until {
        /// The end that was given.
        until: f64,
        /// The time of the start.
        t0: f64,
        /// The step, whose sign is the direction of time.
        step: f64,
    },
    /// More steps than can be counted.
    #[error("until = {until:?} in steps of {step:?}: more than 1e15 steps")]
    TooMany {
        /// The end that was given.
        until: f64,
        /// The step, whose sign is the direction of time.
        step: f64,
    },
}

/// Steps beyond this number have no time of their own: t0 + n h is rounded to its neighbour.
const MAX_STEPS: f64 = 1e15;

impl Plan {
    /// The plan from t0 until a time: as many whole steps as reach it. An end within a millionth of
    /// a step of a whole number of steps counts as that number; otherwise the last step goes beyond.
    ///
    /// # Errors
    /// [`PlanError`] if a number is not finite, the step is zero, or the end is before the start.
    pub fn until(t0: f64, step: f64, until: f64) -> Result<Self, PlanError> {
        if !step.is_finite() || step == 0.0 {
            return Err(PlanError::Step { step });
        }
        let exact = (until - t0) / step;
        if !(exact >= 0.0 && until.is_finite()) {
            return Err(PlanError::Until { until, t0, step });
        }
        let near = exact.round();
        let count = if (exact - near).abs() <= 1e-6 { near } else { exact.ceil() };
        if count > MAX_STEPS {
            return Err(PlanError::TooMany { until, step });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1e15")]
        let steps = count as u64;
        Ok(Self { step, steps })
    }

    /// The time of step n: computed, never accumulated.
    #[inline]
    pub fn time(&self, t0: f64, n: u64) -> f64 {
        t0 + n as f64 * self.step
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The last step done.
    pub step: u64,
    /// The time after that step.
    pub t: f64,
    /// Momentum and attitude at that time.
    pub state: State,
    /// Evaluations of the torque, all in all.
    pub torque_evaluations: u64,
    /// Iterations of implicit solves, all in all.
    pub iterations: u64,
    /// An observer asked to stop before the plan was done.
    pub stopped: bool,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A step could not be done.
    #[error("step {step} at t = {t:?}: {source}")]
    Step {
        /// The step that failed, counted from 1.
        step: u64,
        /// The time at its beginning.
        t: f64,
        /// The state then, from which another method could go on.
        state: State,
        /// Why the step could not be done.
        source: StepError,
    },
    /// The torque is not known at all times of the run.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// Moments of inertia are not known at all times of the run.
    #[error(transparent)]
    Inside(#[from] InsideError),
    /// An observer could not do its work, e.g. write a file.
    #[error("step {step} at t = {t:?}: {source}")]
    Observe {
        /// The number of the step that it was shown, 0 for the start.
        step: u64,
        /// The time after that step.
        t: f64,
        /// What the observer reports.
        source: ObserveError,
    },
}

/// Runs a method on a problem from its start, showing every step (and the start) to the observers.
///
/// # Errors
/// [`RunError`] if a step or an observer fails, or a tabulated torque ends before the run.
pub fn run(
    problem: &Problem,
    stepper: &mut dyn Stepper,
    plan: &Plan,
    observers: &mut [&mut dyn Observer],
) -> Result<Summary, RunError> {
    run_from(problem, stepper, plan, (0, problem.start()), observers)
}

/// Runs a method as [`run`] does, going on from a step that was reached before. The observers see that step again only
/// if it is the start.
///
/// # Errors
/// [`RunError`] if a step or an observer fails.
pub fn run_from(
    problem: &Problem,
    stepper: &mut dyn Stepper,
    plan: &Plan,
    (first, from): (u64, State),
    observers: &mut [&mut dyn Observer],
) -> Result<Summary, RunError> {
    let end = plan.time(problem.t0(), plan.steps);
    let span = [plan.time(problem.t0(), first), end];
    problem.torques().check_times(span)?;
    if let Some(interior) = problem.interior() {
        interior.check_times(span)?;
    }
    let mut summary = Summary {
        step: first,
        t: plan.time(problem.t0(), first),
        state: from,
        torque_evaluations: 0,
        iterations: 0,
        stopped: false,
    };
    if first == 0 {
        let inside = stepper.inside();
        show(problem, &mut summary, (StepReport::default(), inside), plan, observers)?;
    }
    while summary.step < plan.steps && !summary.stopped {
        let (step, t) = (summary.step + 1, summary.t);
        let report = stepper
            .step(problem, t, plan.step, &mut summary.state)
            .map_err(|source| RunError::Step { step, t, state: summary.state, source })?;
        summary.step = step;
        summary.t = plan.time(problem.t0(), step);
        summary.torque_evaluations += u64::from(report.torque_evaluations);
        summary.iterations += u64::from(report.iterations);
        show(problem, &mut summary, (report, stepper.inside()), plan, observers)?;
    }
    Ok(summary)
}

fn show(
    problem: &Problem,
    summary: &mut Summary,
    (report, inside): (StepReport, &[f64]),
    plan: &Plan,
    observers: &mut [&mut dyn Observer],
) -> Result<(), RunError> {
    let Summary { step, t, state, .. } = *summary;
    let sample =
        Sample { problem, step, t, state: &state, inside, report, last: step == plan.steps };
    for observer in observers {
        let next =
            observer.observe(&sample).map_err(|source| RunError::Observe { step, t, source })?;
        if next == ControlFlow::Break(()) {
            summary.stopped = true;
        }
    }
    Ok(())
}

/// Why a simulation did not come to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// There is no such method, or it does not go with the problem.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The steps do not lead from the start to the end.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A step failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its end was requested.
    #[error(transparent)]
    Stopped(#[from] Interruption),
    /// A matrix given as a covariance is not one: an entry is not finite, the matrix is not symmetric, or a variance is
    /// negative.
    #[error(
        "covariance {which}[{row}][{column}] = {value:?}: it must be finite and that of [{column}][{row}], and on the \
         diagonal not negative"
    )]
    Covariance {
        /// `start` or `noise`.
        which: &'static str,
        /// The row of the entry, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// What was given there.
        value: f64,
    },
}

/// What can stand for a method: a text like `rkn6-14+exact`, or a [`Method`].
pub trait IntoMethod {
    /// The method that this text or value stands for.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such method.
    fn into_method(self) -> Result<Method, MethodError>;
}

impl IntoMethod for &str {
    fn into_method(self) -> Result<Method, MethodError> {
        Method::parse(self)
    }
}

impl IntoMethod for Method {
    fn into_method(self) -> Result<Method, MethodError> {
        Ok(self)
    }
}

impl IntoMethod for &Method {
    fn into_method(self) -> Result<Method, MethodError> {
        Ok(self.clone())
    }
}

impl Problem {
    /// Steps the body from its start until a time, in whole steps of fixed length: the start, and the
    /// state after every step. An end that is no whole number of steps away is passed by the last one.
    ///
    /// ```
    /// use polhode::{Inertia, Problem, State, torque::HeavyTop};
    /// let start = State::aligned([1.0, 2.0, 3.0])?;
    /// let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start).torque(HeavyTop::lagrange(1.0)?);
    /// let trajectory = top.simulate("rkn6-14+exact", 0.01, 10.0)?;
    /// assert_eq!(trajectory.points.len(), 1001);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SimulateError`] if there is no such method, it does not go with the torque, the steps do not lead
    /// to the end, or one of them fails.
    pub fn simulate(
        &self,
        method: impl IntoMethod,
        step: f64,
        until: f64,
    ) -> Result<Trajectory, SimulateError> {
        let mut trajectory = Trajectory::default();
        self.observe(method, step, until, &mut [&mut trajectory])?;
        Ok(trajectory)
    }

    /// Runs as [`Problem::simulate`] does, showing the steps to observers, which may be closures, instead of keeping
    /// them.
    ///
    /// # Errors
    /// As for [`Problem::simulate`], or if an observer fails.
    pub fn observe(
        &self,
        method: impl IntoMethod,
        step: f64,
        until: f64,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Summary, SimulateError> {
        let mut stepper = method.into_method()?.stepper(self)?;
        let plan = Plan::until(self.t0(), step, until)?;
        Ok(run(self, &mut *stepper, &plan, observers)?)
    }
}
