//! Solutions to a given accuracy: no method, no step, states at any time of the span, events.

use core::cell::Cell;
use core::ffi::c_char;
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;

use polhode_core::solve::{EventPoint, SolveMethod};
use polhode_core::{Control, Solution, SolveError, Solver, Stop};

use crate::body::polhode_body;
use crate::catalog::solver_text;
use crate::error::{CallFailure, guard, polhode_status};
use crate::event::{CallbackFailure, polhode_event};
use crate::pointer;
use crate::state::polhode_state;
use crate::torque::{polhode_torque, problem};

/// The motion of a body over a span of time.
///
/// It may be used by several threads at once, if the torque function, where there is one, allows that.
pub struct polhode_solution {
    solution: Solution,
    refused: Arc<AtomicI32>,
}

/// How to solve. What is zero or NULL has its default: `polhode_solve_options options = {0};`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_solve_options {
    /// The error wanted at the end: of the momentum relative to its length there, of the attitude in radians.
    /// From 1e-14 to 0.1; 1e-10 by default.
    pub tolerance: f64,
    /// The relative error of the momentum alone, if it is to be another one.
    pub rtol: f64,
    /// An absolute error of the momentum that is allowed besides.
    pub atol: f64,
    /// The longest step that is allowed; none by default.
    pub max_step: f64,
    /// The first step to try; by default the solver chooses it.
    pub first_step: f64,
    /// A name in POLHODE_SOLVERS; by default what suits the torque.
    pub method: *const c_char,
    /// Times, in the direction of the run, at which steps end: where the torque jumps.
    pub stops: *const f64,
    /// The number of entries of `stops`.
    pub stop_count: usize,
    /// Keep the states at these times only, in the direction of the run. By default the whole solution
    /// is kept, and the states at the ends of its steps.
    pub times: *const f64,
    /// The number of entries of `times`.
    pub time_count: usize,
    /// Not 0: keep the states at the ends of steps, but not what lies between them.
    pub ends_only: i32,
    /// Not 0: estimate the error at the end by a second solution at a tenth of the tolerance.
    pub estimate_error: i32,
    /// The events to look for.
    pub events: *const polhode_event,
    /// The number of entries of `events`.
    pub event_count: usize,
}

/// What a solution has come to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_solution_report {
    /// How it was solved: a name in POLHODE_SOLVERS. The text belongs to the library.
    pub method: *const c_char,
    /// The time of the start.
    pub t0: f64,
    /// The time of the end: as it was to be, or that of the event that ended the run.
    pub t: f64,
    /// The state at the end.
    pub state: polhode_state,
    /// How many states are kept: polhode_solution_kept() gives them.
    pub kept: usize,
    /// Steps that met their tolerance.
    pub steps: u64,
    /// Steps that did not, and were done again, shorter.
    pub rejected: u64,
    /// Evaluations of the torque.
    pub torque_evaluations: u64,
    /// Which event has ended the run, counted from 0; -1 if it came to its end.
    pub ended_by: i64,
    /// The estimated error of the momentum at the end, relative to its length there; NaN if it was not asked for. No
    /// less than what rounding makes of the end, and then a bound.
    pub momentum_error: f64,
    /// That of the attitude, in radians; NaN if it was not asked for.
    pub attitude_error: f64,
}

/// Solves the motion of a body to a given accuracy.
///
/// - `body`: a handle.
/// - `torque`: a handle; NULL for a free body.
/// - `start`: the state at t0; its attitude is normalised.
/// - `until`: the end, before or after t0, which is met exactly.
/// - `options`: NULL for all defaults. What it points to is not needed any more after the call.
/// - `solution`: the handle; NULL after a failure. Free it with polhode_solution_free().
///
/// Body and torque may be freed afterwards; what `user` of a torque function points to may not as long
/// as polhode_solution_at() is called: it may call the function again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solve(
    body: *const polhode_body,
    torque: *const polhode_torque,
    start: *const polhode_state,
    t0: f64,
    until: f64,
    options: *const polhode_solve_options,
    solution: *mut *mut polhode_solution,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(solution, "solution", || {
                let (problem, refused) = problem(body, torque, start, t0)?;
                let failed = Cell::new(None);
                let stop = Stop::new();
                let mut solver = problem.solver().control(Control::stopped_by(&stop));
                if let Some(options) = options.as_ref() {
                    solver = options.apply(solver, &failed, &stop)?;
                }
                let solved = solver.until(until);
                if let Some((what, index, code, t)) = failed.get() {
                    let text =
                        format!("the {what} of events[{index}] returned {code} at t = {t:?}");
                    return Err(CallFailure::new(polhode_status::POLHODE_CALLBACK, text));
                }
                unless_refused(&refused)?;
                let solved = solved.map_err(|error| match options.as_ref() {
                    Some(options) => options.failure(error),
                    None => error.into(),
                });
                Ok(polhode_solution { solution: solved?, refused })
            })
        }
    })
}

impl polhode_solve_options {
    /// A tolerance that cannot be reached is named as the field in which it was given.
    fn failure(&self, error: SolveError) -> CallFailure {
        let wanted = match error {
            SolveError::Rounding { tolerance, .. }
            | SolveError::Sensitive { tolerance, .. }
            | SolveError::NoEstimate { tolerance, .. } => tolerance,
            error => return error.into(),
        };
        let mut failure = CallFailure::from(error);
        if wanted.to_bits() == self.rtol.to_bits() && wanted.to_bits() != self.tolerance.to_bits() {
            failure.message = failure.message.replacen("tolerance", "rtol", 1);
        }
        failure
    }

    unsafe fn apply<'a>(
        &self,
        mut solver: Solver<'a>,
        failed: &'a CallbackFailure,
        stop: &Stop,
    ) -> Result<Solver<'a>, CallFailure> {
        let tolerance = if self.tolerance == 0.0 { DEFAULT_TOLERANCE } else { self.tolerance };
        let rtol = if self.rtol == 0.0 { tolerance } else { self.rtol };
        // A tolerance that is not allowed is named before an rtol that repeats it.
        solver = solver.tolerance(tolerance).momentum(rtol, self.atol);
        if self.max_step != 0.0 {
            solver = solver.max_step(self.max_step);
        }
        if self.first_step != 0.0 {
            solver = solver.first_step(self.first_step);
        }
        // SAFETY: pointers as the header demands.
        unsafe {
            if !self.method.is_null() {
                let method = pointer::text(self.method, "method")?;
                solver = solver.method(method.parse::<SolveMethod>()?);
            }
            solver = solver.stops(pointer::slice(self.stops, self.stop_count, "stops")?);
            if !self.times.is_null() || self.time_count != 0 {
                solver = solver.times(pointer::slice(self.times, self.time_count, "times")?);
            }
            let events = pointer::slice(self.events, self.event_count, "events")?;
            for (index, event) in events.iter().enumerate() {
                solver = solver.event(event.build(index, failed, stop)?);
            }
        }
        if self.estimate_error != 0 {
            solver = solver.estimating_error();
        }
        Ok(solver.dense(self.ends_only == 0))
    }
}

/// The tolerance unless another is given: that of the library.
const DEFAULT_TOLERANCE: f64 = 1e-10;

/// Fails if a torque function has refused.
pub(crate) fn unless_refused(refused: &AtomicI32) -> Result<(), CallFailure> {
    match refused.swap(0, Ordering::Relaxed) {
        0 => Ok(()),
        code => {
            let message = format!("the torque function returned {code}");
            Err(CallFailure::new(polhode_status::POLHODE_CALLBACK, message))
        }
    }
}

/// Frees a solution. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solution_free(solution: *mut polhode_solution) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(solution) };
        Ok(())
    });
}

/// What a solution has come to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solution_describe(
    solution: *const polhode_solution,
    report: *mut polhode_solution_report,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let solution = &pointer::get(solution, "solution")?.solution;
            pointer::put(report, described(solution), "report")
        }
    })
}

fn described(solution: &Solution) -> polhode_solution_report {
    let (t0, (t, state)) = (solution.span().0, solution.end());
    let (statistics, errors) = (solution.statistics(), solution.error_estimate());
    let ended_by = solution.ended_by().map_or(-1, |index| i64::try_from(index).unwrap_or(i64::MAX));
    polhode_solution_report {
        method: solver_text(solution.method().id()).as_ptr(),
        t0,
        t,
        state: state.into(),
        kept: solution.times().len(),
        steps: statistics.steps,
        rejected: statistics.rejected,
        torque_evaluations: statistics.evaluations,
        ended_by,
        momentum_error: errors.map_or(f64::NAN, |errors| errors.momentum),
        attitude_error: errors.map_or(f64::NAN, |errors| errors.attitude),
    }
}

/// The states at `count` times of the span.
///
/// A time outside the span, or between those that were kept, is POLHODE_INVALID. The state at a time does
/// not depend on which others are asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solution_at(
    solution: *const polhode_solution,
    times: *const f64,
    count: usize,
    states: *mut polhode_state,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let polhode_solution { solution, refused } = pointer::get(solution, "solution")?;
            let times = pointer::slice(times, count, "times")?;
            let found = solution.at_many(times);
            unless_refused(refused)?;
            put_all(states, found?.into_iter().map(polhode_state::from), "states")
        }
    })
}

/// The times that are kept and the states there: as many as polhode_solution_describe() says, in the
/// direction of the run. What is NULL is not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solution_kept(
    solution: *const polhode_solution,
    times: *mut f64,
    states: *mut polhode_state,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let solution = &pointer::get(solution, "solution")?.solution;
            if !times.is_null() {
                put_all(times, solution.times().iter().copied(), "times")?;
            }
            if !states.is_null() {
                put_all(states, solution.states().iter().copied().map(Into::into), "states")?;
            }
            Ok(())
        }
    })
}

/// The events of one function, counted from 0 as the functions were given, in the order in which they
/// happened.
///
/// - `capacity`: for how many of them there is room; those beyond are left out.
/// - `times`, `states`: when they happened, and the states then. What is NULL is not wanted.
/// - `count`: how many there are; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solution_events(
    solution: *const polhode_solution,
    event: usize,
    capacity: usize,
    times: *mut f64,
    states: *mut polhode_state,
    count: *mut usize,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let events = pointer::get(solution, "solution")?.solution.events();
            let points: &[EventPoint] = events.get(event).ok_or_else(|| {
                let given = events.len();
                CallFailure::invalid(format!("event = {event}: functions that were given: {given}"))
            })?;
            let wanted = &points[..points.len().min(capacity)];
            if !times.is_null() {
                put_all(times, wanted.iter().map(|point| point.t), "times")?;
            }
            if !states.is_null() {
                put_all(states, wanted.iter().map(|point| point.state.into()), "states")?;
            }
            if !count.is_null() {
                pointer::put(count, points.len(), "count")?;
            }
            Ok(())
        }
    })
}

/// Writes values one after the other.
unsafe fn put_all<T>(
    pointer: *mut T,
    values: impl ExactSizeIterator<Item = T>,
    name: &str,
) -> Result<(), CallFailure> {
    if values.len() > 0 && pointer.is_null() {
        return Err(CallFailure::null(name));
    }
    for (n, value) in values.enumerate() {
        // SAFETY: not NULL, and valid for as many values by the caller's word.
        unsafe { pointer.add(n).write(value) };
    }
    Ok(())
}
