//! Many bodies at once: SIMD lanes and all cores.

use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;

use polhode_core::ensemble::{
    Arrays, BodyFailure, BodySamples, Cause, Ensemble, EnsembleError, FreeEnsemble, Member, Sink,
};
use polhode_core::method::Method;
use polhode_core::observe::ObserveError;
use polhode_core::{MAX_THREADS, default_threads};

use crate::error::{CallFailure, guard, polhode_status};
use crate::method::polhode_method;
use crate::pointer;
use crate::run::checked_plan;
use crate::state::polhode_state;
use crate::torque::{ActingTorque, polhode_torque};

/// A method and a torque for many bodies.
///
/// Every method and every torque will do. Methods for which polhode_method_runs_in_lanes() is true advance
/// several bodies at once in SIMD registers; others, one by one. A function of the caller's is called for one
/// body after the other. Each body has the bits that a run of its own would give it, whatever the number
/// of threads and its neighbours.
pub struct polhode_ensemble {
    /// Without its torque: functions become one when a run begins.
    ensemble: Ensemble,
    torque: Option<polhode_torque>,
}

/// The bodies of an ensemble: their inertia.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_bodies {
    /// How many bodies.
    pub count: usize,
    /// Their inertia, body by body: principal moments, or tensors row by row.
    pub inertia: *const f64,
    /// Numbers for one body: 3 or 9.
    pub inertia_size: usize,
    /// 0 if every body has its inertia, anything else if the first one is that of all.
    pub shared: i32,
    /// As in polhode_body_new().
    pub allow_unphysical: i32,
}

/// Consecutive bodies of an ensemble at one time, as an observer sees them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_ensemble_sample {
    /// The number of the first body, counted from 0.
    pub first: u64,
    /// How many bodies.
    pub count: usize,
    /// Their states; of a body that has failed, the last good one.
    pub states: *const polhode_state,
    /// Steps done since the start; of a free ensemble, the place of the time in the list, from 0.
    pub step: u64,
    /// The time of these states.
    pub t: f64,
}

/// Watches an ensemble: all times of the first bodies, then all times of the next. Returns 0 to go
/// on, anything else to end the run with POLHODE_CALLBACK. It may be called on a thread of the
/// library, but never on two at once. No longjmp, no C++ exception may leave it.
pub type polhode_ensemble_observer =
    Option<unsafe extern "C" fn(user: *mut c_void, sample: *const polhode_ensemble_sample) -> i32>;

/// Makes an ensemble.
///
/// - `method`: for example "rkn6-14+exact".
/// - `torque`: a handle; NULL for free bodies. It may be freed afterwards; what `user` of a torque function
///   points to may not.
/// - `threads`: how many, up to 256; 0 for all cores. Every call has its own, so that a process may
///   fork between calls.
/// - `ensemble`: the handle; NULL after a failure. Free it with polhode_ensemble_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_ensemble_new(
    method: *const c_char,
    torque: *const polhode_torque,
    threads: usize,
    ensemble: *mut *mut polhode_ensemble,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(ensemble, "ensemble", || {
                let method = Method::parse(pointer::text(method, "method")?)?;
                polhode_ensemble::new(method, torque.as_ref(), threads)
            })
        }
    })
}

/// Makes an ensemble, as polhode_ensemble_new() does, with a method by its handle, which may be one of the caller's
/// own. The handle may be freed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_ensemble_with_method(
    method: *const polhode_method,
    torque: *const polhode_torque,
    threads: usize,
    ensemble: *mut *mut polhode_ensemble,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(ensemble, "ensemble", || {
                let method = pointer::get(method, "method")?.method.clone();
                polhode_ensemble::new(method, torque.as_ref(), threads)
            })
        }
    })
}

impl polhode_ensemble {
    fn new(
        method: Method,
        torque: Option<&polhode_torque>,
        threads: usize,
    ) -> Result<Self, CallFailure> {
        let ensemble = Ensemble::with(method).threads(workers(threads)?);
        let made = Self { ensemble, torque: torque.cloned() };
        made.acting().0.check()?;
        Ok(made)
    }

    /// With its torque, and where a function leaves the code with which it refuses.
    fn acting(&self) -> (Ensemble, Arc<AtomicI32>) {
        let ActingTorque { torque, refused } =
            self.torque.as_ref().map(polhode_torque::acting).unwrap_or_default();
        (self.ensemble.clone().torque(torque), refused)
    }
}

/// Frees an ensemble. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_ensemble_free(ensemble: *mut polhode_ensemble) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(ensemble) };
        Ok(())
    });
}

/// Runs every body from its state at t0 through `steps` steps.
///
/// - `bodies`: their number and inertia.
/// - `states`: one for each body, the start; at the end the state then. Of a body that fails, its
///   last good state; the others go on.
/// - `every`: show the observer every so many steps, the start and the last; 0 counts as 1.
/// - `observer`: watches, with `user`; NULL if nobody does.
/// - `outcomes`: one for each body, POLHODE_OK or why it failed; NULL if nobody asks.
///
/// That a body fails is not a failure of the call, which leaves the message of the first one as the
/// last error, though. After a failure of the call `states` is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_ensemble_run(
    ensemble: *const polhode_ensemble,
    bodies: *const polhode_bodies,
    states: *mut polhode_state,
    t0: f64,
    step: f64,
    steps: u64,
    every: u64,
    observer: polhode_ensemble_observer,
    user: *mut c_void,
    outcomes: *mut polhode_status,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let (ensemble, refused) = pointer::get(ensemble, "ensemble")?.acting();
            let started = started(pointer::get(bodies, "bodies")?, states)?;
            let watcher = Watcher { observer, user };
            let mut ends = Ends::new(started.len(), 1, watcher, Arc::clone(&refused));
            // Without an observer only the end matters.
            let every = if observer.is_some() { every } else { u64::MAX };
            let plan = checked_plan(t0, step, steps)?;
            let ended = ensemble.from_time(t0).run(started.into_iter(), &plan, every, &mut ends);
            let code = refused.load(Ordering::Relaxed);
            if code != 0 {
                // What bodies made of a torque that they were not given says nothing.
                let message = format!("the torque function returned {code}");
                return Err(CallFailure::new(polhode_status::POLHODE_CALLBACK, message));
            }
            ended?;
            ends.write(states, outcomes)
        }
    })
}

/// The free motion of every body at `times`, from the states at time zero.
///
/// - `starts`: one for each body.
/// - `states`: for each time, in turn, one for each body: `times_count` times the number of bodies.
///   From the time on at which a body fails, its last good state.
/// - `threads`: as in polhode_ensemble_new().
/// - `outcomes`: as in polhode_ensemble_run().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_ensemble_at_times(
    bodies: *const polhode_bodies,
    starts: *const polhode_state,
    times: *const f64,
    times_count: usize,
    threads: usize,
    states: *mut polhode_state,
    outcomes: *mut polhode_status,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let started = started(pointer::get(bodies, "bodies")?, starts)?;
            let times = pointer::slice(times, times_count, "times")?;
            let total = started.len().saturating_mul(times_count);
            pointer::check_count::<polhode_state>(total, "states")?;
            let nobody = Watcher { observer: None, user: core::ptr::null_mut() };
            let mut ends = Ends::new(started.len(), times_count, nobody, Arc::default());
            let ensemble = FreeEnsemble::new().threads(workers(threads)?);
            ensemble.run(started.into_iter(), times, &mut ends)?;
            ends.write(states, outcomes)
        }
    })
}

/// The threads of a call. Also for 0 they are the call's own: those that a process shares do not
/// survive a fork, and a child that waited for them would wait for ever.
fn workers(threads: usize) -> Result<usize, CallFailure> {
    match threads {
        0 => Ok(default_threads()),
        1..=MAX_THREADS => Ok(threads),
        _ => Err(CallFailure::invalid(format!(
            "threads = {threads}: must be at most {MAX_THREADS}, or 0 for all cores"
        ))),
    }
}

/// The bodies with their states.
unsafe fn started(
    bodies: &polhode_bodies,
    states: *const polhode_state,
) -> Result<Vec<Member>, CallFailure> {
    let &polhode_bodies { count, inertia, inertia_size, shared, allow_unphysical } = bodies;
    if inertia_size != 3 && inertia_size != 9 {
        return Err(CallFailure::invalid(format!("inertia_size = {inertia_size}: must be 3 or 9")));
    }
    let numbers = if shared != 0 { inertia_size } else { count.saturating_mul(inertia_size) };
    // SAFETY: pointers as the header demands.
    let (inertia, states) = unsafe {
        (pointer::slice(inertia, numbers, "inertia")?, pointer::slice(states, count, "states")?)
    };
    let momentum: Vec<f64> = states.iter().flat_map(|s| s.momentum).collect();
    let attitude: Vec<f64> = states.iter().flat_map(|s| s.attitude).collect();
    let arrays = Arrays {
        inertia,
        shared: shared != 0,
        allow_unphysical: allow_unphysical != 0,
        momentum: &momentum,
        omega: false,
        attitude: &attitude,
    };
    // Without bodies there is nothing that the numbers could fit.
    if count == 0 { Ok(Vec::new()) } else { Ok(arrays.bodies()?) }
}

/// The caller's observer.
struct Watcher {
    observer: polhode_ensemble_observer,
    user: *mut c_void,
}

// SAFETY: the header says that the observer is called on any thread, one at a time.
unsafe impl Send for Watcher {}

/// Keeps states and outcomes, and shows them to the observer.
struct Ends {
    bodies: usize,
    /// Times that are kept: all of them, or only the last.
    times: usize,
    states: Vec<polhode_state>,
    outcomes: Vec<polhode_status>,
    first: Option<CallFailure>,
    watcher: Watcher,
    /// Not zero once the torque function has refused.
    refused: Arc<AtomicI32>,
}

const NOWHERE: polhode_state = polhode_state { momentum: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] };

impl Ends {
    fn new(bodies: usize, times: usize, watcher: Watcher, refused: Arc<AtomicI32>) -> Self {
        Self {
            bodies,
            times,
            states: vec![NOWHERE; bodies * times],
            outcomes: vec![polhode_status::POLHODE_OK; bodies],
            first: None,
            watcher,
            refused,
        }
    }

    unsafe fn write(
        self,
        states: *mut polhode_state,
        outcomes: *mut polhode_status,
    ) -> Result<(), CallFailure> {
        if states.is_null() && !self.states.is_empty() {
            return Err(CallFailure::null("states"));
        }
        // SAFETY: pointers as the header demands; copies of as many elements as it says.
        unsafe {
            if !states.is_null() {
                states.copy_from_nonoverlapping(self.states.as_ptr(), self.states.len());
            }
            if !outcomes.is_null() {
                outcomes.copy_from_nonoverlapping(self.outcomes.as_ptr(), self.outcomes.len());
            }
        }
        if let Some(first) = self.first {
            guard(|| Err(first));
        }
        Ok(())
    }
}

impl Sink for Ends {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        if self.refused.load(Ordering::Relaxed) != 0 {
            return Err("the torque function refused".into());
        }
        let first = usize::try_from(samples.first)?;
        let time = if self.times == 1 { 0 } else { usize::try_from(samples.step)? };
        if self.times > 1 || samples.last || self.watcher.observer.is_some() {
            let from = time * self.bodies + first;
            let kept = &mut self.states[from..from + samples.len()];
            for (i, state) in kept.iter_mut().enumerate() {
                *state = samples.state(i).into();
            }
            if let Some(observer) = self.watcher.observer {
                let sample = polhode_ensemble_sample {
                    first: samples.first,
                    count: kept.len(),
                    states: kept.as_ptr(),
                    step: samples.step,
                    t: samples.t,
                };
                // SAFETY: the caller's function with the caller's pointer; the sample lives here.
                let code = unsafe { observer(self.watcher.user, &raw const sample) };
                if code != 0 {
                    return Err(format!("the observer returned {code}").into());
                }
            }
        }
        Ok(())
    }

    fn failure(&mut self, failure: &BodyFailure) -> Result<(), ObserveError> {
        let found = CallFailure {
            status: match &failure.cause {
                Cause::Step(error) => CallFailure::from(*error).status,
                Cause::Motion(error) => CallFailure::from(*error).status,
                _ => polhode_status::POLHODE_OUT_OF_RANGE,
            },
            message: failure.to_string(),
        };
        self.outcomes[usize::try_from(failure.body)?] = found.status;
        self.first.get_or_insert(found);
        Ok(())
    }
}

impl From<EnsembleError> for CallFailure {
    fn from(error: EnsembleError) -> Self {
        let status = match &error {
            EnsembleError::Sink(_) => polhode_status::POLHODE_CALLBACK,
            EnsembleError::Threads { .. } => polhode_status::POLHODE_OUT_OF_RANGE,
            _ => polhode_status::POLHODE_INVALID,
        };
        Self::new(status, error.to_string())
    }
}
