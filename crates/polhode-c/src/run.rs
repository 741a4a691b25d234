//! Runs: a method at work on a body under a torque.

use core::ffi::c_void;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use polhode_core::glam::DVec3;
use polhode_core::method::{Method, Stepper};
use polhode_core::observe::{Every, ObserveError, Observer, Sample};
use polhode_core::{Plan, Problem, RunError, run_from};

use crate::body::polhode_body;
use crate::error::{CallFailure, guard, polhode_status};
use crate::method::polhode_method;
use crate::pointer;
use crate::state::polhode_state;
use crate::torque::{polhode_torque, problem};

/// A run: a body, what acts on it, a method, and how far it has come.
///
/// It is used by one thread at a time. A call while another one is at work on the same run, from
/// another thread or from a callback, returns POLHODE_BUSY.
pub struct polhode_run {
    inner: Mutex<RunParts>,
}

/// As for a plan of the library: beyond, steps have no time of their own.
const MAX_STEPS: u64 = 1_000_000_000_000_000;

pub(crate) struct RunParts {
    problem: Problem,
    stepper: Box<dyn Stepper>,
    step: f64,
    report: polhode_run_report,
    /// Where functions leave the codes with which they refuse: the torque; controllers and what gives the inertia.
    refused: [Arc<AtomicI32>; 2],
}

/// Who leaves them.
const REFUSE: [&str; 2] = ["the torque function", "the controller or inertia function"];

/// How far a run has come.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_run_report {
    /// Steps done since the start.
    pub step: u64,
    /// The time, t0 + step * h.
    pub t: f64,
    /// Attitude and momentum at that time.
    pub state: polhode_state,
    /// Kinetic plus potential energy; kinetic alone where the torque has no potential.
    pub energy: f64,
    /// Evaluations of the torque, all in all.
    pub torque_evaluations: u64,
    /// Iterations of implicit equations, all in all.
    pub iterations: u64,
}

/// A moment of a run, as an observer sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_sample {
    /// Steps done since the start.
    pub step: u64,
    /// The time, t0 + step * h.
    pub t: f64,
    /// Attitude and momentum at that time.
    pub state: polhode_state,
    /// 1 for the last step of this call of polhode_run_advance(), else 0.
    pub last: i32,
}

/// Watches a run. Returns 0 to go on, a positive number to end the call after this step in good
/// order, a negative one to end it with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
pub type polhode_observer =
    Option<unsafe extern "C" fn(user: *mut c_void, sample: *const polhode_sample) -> i32>;

/// Begins a run.
///
/// - `body`, `method`: handles.
/// - `torque`: a handle; NULL for a free body.
/// - `start`: the state at t0; its attitude is normalised.
/// - `step`: the step h, of either sign. Step n ends at t0 + n h, which must be finite and not where
///   it begins.
/// - `run`: the handle; NULL after a failure. Free it with polhode_run_free().
///
/// Body, method and torque may be freed while the run goes on; what `user` of a torque function
/// points to may not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_new(
    body: *const polhode_body,
    torque: *const polhode_torque,
    method: *const polhode_method,
    start: *const polhode_state,
    t0: f64,
    step: f64,
    run: *mut *mut polhode_run,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            polhode_run::begin(run, method, step, || {
                let (problem, refused) = problem(body, torque, start, t0)?;
                Ok((problem, [refused, Arc::default()]))
            })
        }
    })
}

/// Frees a run. NULL is allowed. A run that is at work is not freed: the call leaves POLHODE_BUSY
/// as the last error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_free(run: *mut polhode_run) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe {
            if let Some(busy) = run.as_ref()
                && matches!(busy.inner.try_lock(), Err(TryLockError::WouldBlock))
            {
                return Err(busy_failure());
            }
            pointer::free(run);
        }
        Ok(())
    });
}

/// Takes `steps` more steps.
///
/// - `every`: show the observer every so many steps, counted from the start of the run, and the last
///   of this call; 0 counts as 1. The start is shown by a call that begins there.
/// - `observer`: watches; NULL if nobody does. `user` is passed to it.
///
/// Two calls of n steps end with the same bits as one of 2 n. After a failure the run stands where
/// the last good step ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_advance(
    run: *mut polhode_run,
    steps: u64,
    every: u64,
    observer: polhode_observer,
    user: *mut c_void,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        let mut inner = unsafe { pointer::get(run, "run")? }.lock()?;
        inner.advance(steps, every, observer, user)
    })
}

/// How far a run has come.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_describe(
    run: *const polhode_run,
    report: *mut polhode_run_report,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let found = pointer::get(run, "run")?.lock()?.described()?;
            pointer::put(report, found, "report")
        }
    })
}

/// How many steps lead from t0 to `until`: an end within a millionth of a step of a whole number of
/// steps counts as that number, otherwise the last step goes beyond.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_steps_until(
    t0: f64,
    step: f64,
    until: f64,
    steps: *mut u64,
) -> polhode_status {
    guard(|| {
        let plan = Plan::until(t0, step, until)?;
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(steps, plan.steps, "steps") }
    })
}

/// A plan of so many steps, if each has a time of its own.
pub(crate) fn checked_plan(t0: f64, step: f64, steps: u64) -> Result<Plan, CallFailure> {
    if !t0.is_finite() {
        return Err(CallFailure::invalid(format!("t0 = {t0:?}: must be finite")));
    }
    Plan::until(t0, step, t0)?;
    if steps > MAX_STEPS {
        return Err(CallFailure::invalid(format!("{steps} steps: more than 1e15")));
    }
    let plan = Plan { step, steps };
    // Times are the coarsest where they are the largest: at one end or the other.
    for n in [1, steps.max(1)] {
        let (before, t) = (plan.time(t0, n - 1), plan.time(t0, n));
        if !t.is_finite() || t == before {
            let why = if t.is_finite() { "where it begins" } else { "beyond the range of doubles" };
            let message = format!("step = {step:?} from t0 = {t0:?}: step {n} would end {why}");
            return Err(CallFailure::invalid(message));
        }
    }
    Ok(plan)
}

fn busy_failure() -> CallFailure {
    CallFailure::new(polhode_status::POLHODE_BUSY, "run: in use by another call")
}

impl polhode_run {
    /// Begins a run of a problem; with it comes where its functions leave the codes with which they refuse.
    ///
    /// # Safety
    /// Pointers as the header demands.
    pub(crate) unsafe fn begin(
        run: *mut *mut Self,
        method: *const polhode_method,
        step: f64,
        problem: impl FnOnce() -> Result<(Problem, [Arc<AtomicI32>; 2]), CallFailure>,
    ) -> Result<(), CallFailure> {
        // SAFETY: that of the caller.
        unsafe {
            pointer::new_handle(run, "run", || {
                let method = &pointer::get(method, "method")?.method;
                let (problem, refused) = problem()?;
                let inner = RunParts::new(problem, method, step, refused)?;
                Ok(Self { inner: Mutex::new(inner) })
            })
        }
    }

    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, RunParts>, CallFailure> {
        self.inner.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => busy_failure(),
            TryLockError::Poisoned(_) => CallFailure::new(
                polhode_status::POLHODE_INTERNAL,
                "run: left in an unknown state by an earlier internal fault",
            ),
        })
    }
}

impl RunParts {
    /// At the start of the problem.
    fn new(
        problem: Problem,
        method: &Method,
        step: f64,
        refused: [Arc<AtomicI32>; 2],
    ) -> Result<Self, CallFailure> {
        checked_plan(problem.t0(), step, 0)?;
        let stepper = method.stepper(&problem)?;
        let report = polhode_run_report {
            step: 0,
            t: problem.t0(),
            state: problem.start().into(),
            energy: 0.0,
            torque_evaluations: 0,
            iterations: 0,
        };
        Ok(Self { problem, stepper, step, report, refused })
    }

    /// The angular velocity, and the speeds of the wheels.
    pub(crate) fn moving(&self) -> (DVec3, Vec<f64>) {
        let (t, state, inside) =
            (self.report.t, self.report.state.unchecked(), self.stepper.inside());
        let speeds = self.problem.wheel_speeds(t, &state, inside);
        (self.problem.omega_inside(t, &state, inside), speeds)
    }

    fn advance(
        &mut self,
        steps: u64,
        every: u64,
        observer: polhode_observer,
        user: *mut c_void,
    ) -> Result<(), CallFailure> {
        let Self { problem, stepper, step, report, refused } = self;
        let total = report.step.saturating_add(steps);
        let plan = checked_plan(problem.t0(), *step, total)?;
        let from = (report.step, report.state.unchecked());
        let mut shown = Every::new(every, CallbackObserver { observer, user });
        let mut followed = ReportObserver { report, refused };
        let result = run_from(
            problem,
            stepper.as_mut(),
            &plan,
            from,
            // Followed first: what the observer is shown is what the run has come to.
            &mut [&mut followed, &mut shown],
        );
        let codes = refused.each_ref().map(|code| code.swap(0, Ordering::Relaxed));
        let Some(who) = codes.iter().position(|code| *code != 0) else {
            return result.map(|_| ()).map_err(CallFailure::from);
        };
        if matches!(result, Err(RunError::Observe { .. })) {
            // The stepper has taken a step that does not count.
            stepper.reset();
        }
        // What the stepper made of a torque that it was not given says nothing.
        let (step, t) = (report.step + 1, report.t);
        let (who, code) = (REFUSE[who], codes[who]);
        let message = format!("{who} returned {code} in step {step} at t = {t:?}");
        Err(CallFailure::new(polhode_status::POLHODE_CALLBACK, message))
    }

    fn described(&self) -> Result<polhode_run_report, CallFailure> {
        let (t, state) = (self.report.t, self.report.state.unchecked());
        let energy = self.problem.energy_inside(t, &state, self.stepper.inside());
        if energy.is_finite() {
            return Ok(polhode_run_report { energy, ..self.report });
        }
        let message = format!("the energy at t = {t:?} is not finite");
        Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message))
    }
}

/// Writes down every step, unless the torque function has refused a part of it.
struct ReportObserver<'a> {
    report: &'a mut polhode_run_report,
    refused: &'a [Arc<AtomicI32>; 2],
}

impl Observer for ReportObserver<'_> {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        if self.refused.iter().any(|code| code.load(Ordering::Relaxed) != 0) {
            return Err("a function of the caller's refused".into());
        }
        self.report.step = sample.step;
        self.report.t = sample.t;
        self.report.state = (*sample.state).into();
        self.report.torque_evaluations += u64::from(sample.report.torque_evaluations);
        self.report.iterations += u64::from(sample.report.iterations);
        Ok(ControlFlow::Continue(()))
    }
}

/// Calls the caller's observer.
struct CallbackObserver {
    observer: polhode_observer,
    user: *mut c_void,
}

impl Observer for CallbackObserver {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let Some(observer) = self.observer else { return Ok(ControlFlow::Continue(())) };
        let Sample { step, t, last, .. } = *sample;
        let shown = polhode_sample { step, t, state: (*sample.state).into(), last: last.into() };
        // SAFETY: the caller's function with the caller's pointer; the sample lives here.
        match unsafe { observer(self.user, &raw const shown) } {
            0 => Ok(ControlFlow::Continue(())),
            code if code > 0 => Ok(ControlFlow::Break(())),
            code => Err(format!("the observer returned {code}").into()),
        }
    }
}
