//! Many bodies.

mod bodies;
mod motions;
mod table;

use polhode::ensemble::{
    BodyFailure, Ensemble, EnsembleError, EnsembleSolver, FreeEnsemble, MAX_THREADS,
};
use polhode::{Control, Plan, SolveError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Doubles, column, copied, require, with_capacity};
use crate::errors::{field_of, invalid, of_method, of_plan, of_t0, of_torque, with_keyword};
use crate::function::ExceptionSlot;
use crate::method::Method;
use crate::solve::{Given, of_solve};
use crate::threads::{on_calling_threads, pool};
use crate::torque::{BoundTorque, TorquePart};

use bodies::RemainingBodies;
use table::StateTable;

pub(crate) use bodies::Bodies;
pub(crate) use motions::motion_constants;

/// Free motions of many bodies at these times.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn free_ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    times: Doubles<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let times = copied(&times)?;
    let run = FreeEnsemble::new().threads(threads);
    let work = EnsembleWork {
        kept: times.len(),
        every: 1,
        raised: ExceptionSlot::default(),
        calling: None,
    };
    go(py, bodies, work, move |source, table, control| {
        run.control(control).run(source, &times, table).map(|_| ())
    })
}

/// Solves the motions of many bodies to a tolerance, at these times.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn solved_ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    torque: Vec<TorquePart>,
    tolerance: f64,
    times: Doubles<'py>,
    stops: Vec<f64>,
    t0: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    of_t0(t0)?;
    let times = copied(&times)?;
    let BoundTorque { torque, raised, calls_python: calls } = BoundTorque::new(torque)?;
    let run = EnsembleSolver::new(tolerance).torque(torque).from_time(t0).stops(&stops);
    let calling = calls.then_some(threads.clamp(1, MAX_THREADS));
    // Where Python is called the threads are there already.
    let run = if calls { run } else { run.threads(threads) };
    let work = EnsembleWork { kept: times.len(), every: 1, raised, calling };
    go(py, bodies, work, move |source, table, control| {
        run.control(control).run(source, &times, table).map(|_| ())
    })
}

/// Steps many bodies through time.
///
/// A callable of Python's is called by one thread at a time in any case: one is enough unless more are
/// asked for.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub(crate) fn ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    torque: Vec<TorquePart>,
    method: &Method,
    step: f64,
    until: f64,
    every: u64,
    t0: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    of_t0(t0)?;
    let plan = Plan::until(t0, step, until).map_err(|e| of_plan(&e))?;
    let BoundTorque { torque, raised, calls_python: calls } = BoundTorque::new(torque)?;
    let has_functions = torque.calls_functions();
    let run = Ensemble::with(method.method.clone()).torque(torque).from_time(t0);
    run.check().map_err(|e| refused(&e, has_functions))?;
    let calling = calls.then_some(threads.clamp(1, MAX_THREADS));
    // Where Python is called the threads are there already.
    let run = if calls { run } else { run.threads(threads) };
    let steps = kept_steps(&plan, every)?;
    let mut times = with_capacity(steps.len())?;
    times.extend(steps.iter().map(|n| plan.time(t0, *n)));
    let work = EnsembleWork { kept: steps.len(), every, raised, calling };
    let found = go(py, bodies, work, move |source, table, control| {
        run.control(control).run(source, &plan, every, table).map(|_| ())
    })?;
    found.set_item("t", column(py, times))?;
    Ok(found)
}

/// The start, one step in so many, and the last.
fn kept_steps(plan: &Plan, every: u64) -> PyResult<Vec<u64>> {
    let whole = plan.steps / every;
    let mut steps = with_capacity(usize::try_from(whole + 2).unwrap_or(usize::MAX))?;
    steps.extend((0..=whole).map(|k| k * every));
    if !plan.steps.is_multiple_of(every) {
        steps.push(plan.steps);
    }
    Ok(steps)
}

/// As many as the library works on at a time, and what they take there: measured, 2700
/// for free bodies, but more than 4096 at times: a margin, found by trying.
const BODIES_AT_A_TIME: usize = 16384;
const BYTES_A_BODY: usize = 8192;

/// What is to be kept, and how it is done.
struct EnsembleWork {
    /// How many times of each body, and which steps: one in so many, and the last.
    kept: usize,
    every: u64,
    /// What callables raise.
    raised: ExceptionSlot,
    /// How many threads call Python; none if those of the pool do it without.
    calling: Option<usize>,
}

fn go<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    work: EnsembleWork,
    run: impl FnOnce(RemainingBodies, &mut StateTable, Control) -> Result<(), EnsembleError>
    + Send
    + 'static,
) -> PyResult<Bound<'py, PyDict>> {
    let control = work.raised.control();
    let count = bodies.0.momentum.len() / 3;
    let mut table = StateTable::new(count, &work)?;
    require(count.min(BODIES_AT_A_TIME) * BYTES_A_BODY)?;
    let numbers = bodies.0.clone();
    let EnsembleWork { raised, calling, .. } = work;
    let work = move || {
        let all = || {
            numbers.validate(&control)?;
            table.fill(&control)?;
            run(RemainingBodies { numbers: numbers.clone(), next: 0 }, &mut table, control)
        };
        let ended = match calling {
            None => pool().install(all),
            Some(threads) => on_calling_threads(threads, all).unwrap_or_else(|reason| {
                Err(EnsembleError::Threads { threads, reason: reason.to_string() })
            }),
        };
        (ended, table)
    };
    // Threads of its own call Python.
    let (ended, table) = raised.guard(py, false, work)?;
    ended.map_err(|e| refused(&e, false))?;
    let bad = bodies.0.bad();
    let mut table = table;
    for (body, _) in &bad {
        table.lose(usize::try_from(*body)?, 0);
    }
    for BodyFailure { body, step, .. } in table.failures.clone() {
        table.lose(usize::try_from(body)?, step);
    }
    let found = PyDict::new(py);
    found.set_item("momentum", column(py, table.momentum))?;
    found.set_item("omega", column(py, table.omega))?;
    found.set_item("attitude", column(py, table.attitude))?;
    found.set_item("energy", column(py, table.energy))?;
    let before = bodies.0.first;
    let failure = |f: &BodyFailure| (before + f.body, f.step, f.t, f.cause.to_string());
    let mut failures: Vec<_> = table.failures.iter().map(failure).collect();
    failures.extend(bad.into_iter().map(|(body, why)| (before + body, 0, f64::NAN, why)));
    failures.sort_by_key(|(body, ..)| *body);
    found.set_item("failures", failures)?;
    Ok(found)
}

/// `calls`: whether the torque has callables.
pub(crate) fn refused(error: &EnsembleError, calls: bool) -> PyErr {
    match error {
        EnsembleError::Method(method) => of_method(method, calls),
        EnsembleError::Torque(torque) => of_torque(torque),
        EnsembleError::Solve(SolveError::Span { until, from }) => {
            let text = format!(
                "times: the last, {until:?}, must be {from:?}, the start, or at least 1e-300 from it"
            );
            invalid("times", &text)
        }
        EnsembleError::Solve(error) => of_solve(error, Given::default()),
        EnsembleError::Length { field, .. } => invalid(field, error),
        EnsembleError::Inertia { source, .. } => invalid("inertia", &with_keyword(source, error)),
        EnsembleError::State { source, .. } => invalid(field_of(source), error),
        EnsembleError::Time { .. } => invalid("times", error),
        EnsembleError::Step { .. } => invalid("step", error),
        EnsembleError::OneStep { .. } => invalid("h", error),
        EnsembleError::Threads { .. } => invalid("threads", error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}
