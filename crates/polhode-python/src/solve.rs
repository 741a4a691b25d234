//! Solutions to a given accuracy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use numpy::{PyArray1, PyReadwriteArray1};
use polhode::solve::{
    Change, Direction, Event, MAX_TOLERANCE, MIN_TOLERANCE, SolveMethod, TimeError,
};
use polhode::{Control, Inertia, Problem, SolveError, Solver, State, Stop, so3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Doubles, NewArray, RowArrays, Rows, StateArrays, column, copied};
use crate::body::StartingBody;
use crate::errors::{RunFailed, invalid, of_motion, of_state, of_t0, of_torque};
use crate::function::{ExceptionSlot, finite};
use crate::threads::{LOOK_EVERY, look};
use crate::torque::{BoundTorque, TorquePart};

/// How to solve, as the Python part gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SolveSettings {
    /// Of the attitude, and of the momentum unless `rtol` is given; then that is for both, unless this is given too.
    tolerance: Option<f64>,
    rtol: Option<f64>,
    atol: f64,
    method: Option<String>,
    stops: Vec<f64>,
    dense: bool,
    max_step: f64,
    first_step: Option<f64>,
    events: Vec<EventPart>,
    estimate_error: bool,
}

/// A callable (t, momentum, omega, attitude) -> number, the sign of the direction, which event ends the run (0 for
/// none), and a callable of the same -> what changes.
#[derive(FromPyObject)]
struct EventPart(Py<PyAny>, f64, u64, Option<Py<PyAny>>);

/// What an event changes, as the Python part gives it: momentum and attitude, and torque. What is `None` stays.
#[derive(FromPyObject)]
struct ChangePart(Option<([f64; 3], [f64; 4])>, Option<Vec<TorquePart>>);

/// What callables of a run share.
struct SharedCallables {
    raised: ExceptionSlot,
    stop: Stop,
    /// Whether a torque calls Python: from the start, or from an event on.
    calls_python: AtomicBool,
}

impl SharedCallables {
    /// Calls Python; once anything was raised the run is stopped.
    fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        let done = self.raised.catch(|| Python::attach(call));
        if done.is_none() {
            self.stop.request();
        }
        done
    }
}

/// Solves a problem; `times` are the only ones kept, if they are given.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the problem, and how to solve it")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn solve(
    py: Python<'_>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    t0: f64,
    until: f64,
    times: Option<Doubles<'_>>,
    settings: SolveSettings,
) -> PyResult<Solution> {
    of_t0(t0)?;
    let times = times.map(|times| copied(&times)).transpose()?;
    let BoundTorque { torque, raised, calls_python } =
        BoundTorque::probed(torque, body, (t0, until))?;
    let problem = Problem::new(body.inertia, body.start).torque(torque).starting_at(t0);
    let has_events = !settings.events.is_empty();
    let given = settings.given();
    let run = SharedCallables { raised, stop: Stop::new(), calls_python: calls_python.into() };
    let go = || settings.solver(&problem, times.as_deref(), &run)?.until(until);
    // What calls Python all the time does better with the interpreter in hand.
    let solved = if calls_python || has_events { go() } else { py.detach(go) };
    let SharedCallables { raised, calls_python, .. } = run;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let solved = solved.map_err(|e| of_solve(&e, given))?;
    let calls_python = calls_python.into_inner();
    Ok(Solution { solved, inertia: body.inertia, raised, calls_python })
}

/// The tolerances as the user gave them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given {
    tolerance: Option<f64>,
    rtol: Option<f64>,
}

impl Given {
    /// The argument that had this value.
    fn name_of(self, value: f64) -> &'static str {
        let is = |given: Option<f64>| given.is_some_and(|given| given.to_bits() == value.to_bits());
        if is(self.rtol) && !is(self.tolerance) { "rtol" } else { "tolerance" }
    }
}

/// The tolerance unless another is given: that of the library.
const DEFAULT_TOLERANCE: f64 = 1e-10;

impl SolveSettings {
    fn given(&self) -> Given {
        Given { tolerance: self.tolerance, rtol: self.rtol }
    }

    fn solver<'a>(
        &'a self,
        problem: &'a Problem,
        times: Option<&[f64]>,
        run: &'a SharedCallables,
    ) -> Result<Solver<'a>, SolveError> {
        let tolerance = self.tolerance.or(self.rtol).unwrap_or(DEFAULT_TOLERANCE);
        let mut solver = problem
            .solver()
            .tolerance(tolerance)
            .momentum(self.rtol.unwrap_or(tolerance), self.atol)
            .stops(&self.stops)
            .dense(self.dense)
            .max_step(self.max_step)
            .control(watched(&run.raised, &run.stop));
        if let Some(method) = &self.method {
            solver = solver.method(method.parse::<SolveMethod>()?);
        }
        if let Some(step) = self.first_step {
            solver = solver.first_step(step);
        }
        if let Some(times) = times {
            solver = solver.times(times);
        }
        if self.estimate_error {
            solver = solver.estimating_error();
        }
        let inertia = problem.inertia();
        for event in &self.events {
            solver = solver.event(event.build(inertia, run));
        }
        Ok(solver)
    }
}

impl EventPart {
    fn build<'a>(&'a self, inertia: &'a Inertia, run: &'a SharedCallables) -> Event<'a> {
        let Self(callable, direction, terminal, action) = self;
        let mut event = Event::new(move |t, state| {
            let value = run.call(|py| {
                let (m, w, q) = arrays(py, inertia, state);
                let value = callable.bind(py).call1((t, m, w, q))?;
                finite(&value, "events", "the function of an event")
            });
            // Of no account any more once anything was raised.
            value.unwrap_or(1.0)
        });
        event = event.direction(match *direction {
            d if d > 0.0 => Direction::Rising,
            d if d < 0.0 => Direction::Falling,
            _ => Direction::Either,
        });
        if let Some(action) = action {
            event = event.then(move |t, state| {
                let change = run.call(|py| {
                    let (m, w, q) = arrays(py, inertia, state);
                    action.bind(py).call1((t, m, w, q))?.extract::<ChangePart>()?.build(run)
                });
                change.unwrap_or_default()
            });
        }
        if *terminal == 0 { event } else { event.terminal_after(*terminal) }
    }
}

impl ChangePart {
    fn build(self, run: &SharedCallables) -> PyResult<Change> {
        let Self(state, torque) = self;
        let change = match state {
            None => Change::none(),
            Some((m, q)) => {
                Change::state(State::new(m, so3::from_wxyz(q)).map_err(|e| of_state(&e))?)
            }
        };
        let Some(parts) = torque else { return Ok(change) };
        let BoundTorque { torque, calls_python, .. } = BoundTorque::raising(parts, &run.raised)?;
        run.calls_python.fetch_or(calls_python, Ordering::Relaxed);
        Ok(change.and_torque(torque))
    }
}

/// Ends when a callable has raised, or on Ctrl-C.
fn watched(raised: &ExceptionSlot, stop: &Stop) -> Control {
    let raised = raised.clone();
    let looked = Mutex::new((Instant::now(), 0_u32));
    Control::stopped_by(stop).looking(move |stop| {
        if raised.is_set() {
            stop.request();
            return;
        }
        let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.1 = looked.1.wrapping_add(1);
        // Reading the clock costs as much as a tenth of a step.
        if looked.1.is_multiple_of(16) && looked.0.elapsed() > LOOK_EVERY {
            looked.0 = Instant::now();
            if let Err(interrupt) = look() {
                raised.set(|| interrupt);
                stop.request();
            }
        }
    })
}

/// Momentum, angular velocity and attitude of a state.
pub(crate) fn arrays<'py>(
    py: Python<'py>,
    inertia: &Inertia,
    state: &State,
) -> (NewArray<'py>, NewArray<'py>, NewArray<'py>) {
    (
        PyArray1::from_slice(py, &state.m.to_array()),
        PyArray1::from_slice(py, &state.omega(inertia).to_array()),
        PyArray1::from_slice(py, &state.attitude()),
    )
}

pub(crate) fn of_solve(error: &SolveError, given: Given) -> PyErr {
    match error {
        SolveError::Until { .. } | SolveError::Span { .. } => invalid("until", error),
        SolveError::Tolerance { value, .. } => {
            let argument = given.name_of(*value);
            let text = format!(
                "{argument} = {value:?}: allowed are {MIN_TOLERANCE:?} to {MAX_TOLERANCE:?}"
            );
            invalid(argument, &text)
        }
        SolveError::Absolute { .. } => invalid("atol", error),
        SolveError::Step { name, .. } | SolveError::Time { name, .. } => invalid(name, error),
        SolveError::Method { .. } => invalid("method", error),
        SolveError::Torque(error) => of_torque(error),
        SolveError::Rounding { tolerance, .. }
        | SolveError::Sensitive { tolerance, .. }
        | SolveError::NoEstimate { tolerance, .. } => {
            let argument = given.name_of(*tolerance);
            invalid(argument, &error.to_string().replacen("tolerance", argument, 1))
        }
        SolveError::EventNotFinite { .. } | SolveError::EventState { .. } => {
            invalid("events", error)
        }
        SolveError::Free(error) => of_motion(error),
        _ => RunFailed::new_err((error.to_string(), None::<Py<PyAny>>)),
    }
}

/// A solved problem.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Solution {
    solved: polhode::Solution,
    inertia: Inertia,
    raised: ExceptionSlot,
    calls_python: bool,
}

/// So many times a thread does at once: some milliseconds.
const TASK: usize = 1024;

#[pymethods]
impl Solution {
    /// The times that are kept, and the states there.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<(NewArray<'py>, RowArrays<'py>)> {
        let times = self.solved.times();
        let mut rows = Rows::with_capacity(times.len())?;
        for state in self.solved.states() {
            rows.push(state.m, state.omega(&self.inertia), state.q);
        }
        Ok((column(py, times.to_vec()), rows.into_arrays(py)?))
    }

    /// Times and states of the events of each function.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<(NewArray<'py>, RowArrays<'py>)>> {
        let of_one = |points: &Vec<polhode::solve::EventPoint>| {
            let mut rows = Rows::with_capacity(points.len())?;
            for point in points {
                rows.push(point.state.m, point.state.omega(&self.inertia), point.state.q);
            }
            let times = points.iter().map(|point| point.t).collect();
            Ok((column(py, times), rows.into_arrays(py)?))
        };
        self.solved.events().iter().map(of_one).collect()
    }

    /// What it took, how it was solved, and how it ended.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let statistics = self.solved.statistics();
        let counts = (statistics.steps, statistics.rejected, statistics.evaluations);
        found.set_item("statistics", counts)?;
        found.set_item("method", self.solved.method().id())?;
        found.set_item("ended_by", self.solved.ended_by())?;
        found.set_item("span", self.solved.span())?;
        let estimate = self.solved.error_estimate().map(|e| (e.momentum, e.attitude));
        found.set_item("error_estimate", estimate)?;
        Ok(found)
    }

    /// Fills in momentum, angular velocity and attitude (flat) at these times, on all cores. Nobody
    /// else may change the times meanwhile.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn at<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        momentum: PyReadwriteArray1<'py, f64>,
        omega: PyReadwriteArray1<'py, f64>,
        attitude: PyReadwriteArray1<'py, f64>,
    ) -> PyResult<()> {
        let mut into = StateArrays { momentum, omega, attitude };
        let filled = if self.calls_python {
            let (m, w, q) = into.rows()?;
            self.fill(t.as_slice()?, m, w, q)
        } else {
            into.fill(py, &t, TASK, |t, m, w, q| self.fill(t, m, w, q))?
        };
        // The extrapolation repeats a part of a step, and with it calls the torque.
        if let Some(error) = self.raised.take() {
            return Err(error);
        }
        filled.map_err(|e| invalid("t", &e))
    }
}

impl Solution {
    fn fill(
        &self,
        t: &[f64],
        m: &mut [[f64; 3]],
        w: &mut [[f64; 3]],
        q: &mut [[f64; 4]],
    ) -> Result<(), TimeError> {
        for (((state, m), w), q) in self.solved.at_many(t)?.into_iter().zip(m).zip(w).zip(q) {
            *m = state.m.to_array();
            *w = state.omega(&self.inertia).to_array();
            *q = state.attitude();
        }
        Ok(())
    }
}
