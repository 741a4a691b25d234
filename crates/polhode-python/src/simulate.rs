//! Runs of one body.

use core::ops::ControlFlow;
use std::time::Instant;

use numpy::PyArrayMethods;
use polhode::observe::{Drift, Every, Invariants, ObserveError, Observer, Sample};
use polhode::{Plan, Problem, RunError, Summary};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Doubles, Rows, column, copied, with_capacity};
use crate::at_times::AtTimes;
use crate::body::StartingBody;
use crate::errors::{RunFailed, invalid, of_method, of_plan, of_t0, of_torque};
use crate::fittings::Fittings;
use crate::function::ExceptionSlot;
use crate::method::Method;
use crate::threads::{LOOK_EVERY, look};
use crate::torque::{BoundTorque, TorquePart};

/// Runs a method; returns the states kept, at the times given or every so many steps, and what was seen on the
/// way.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    method: &Method,
    step: f64,
    until: f64,
    every: u64,
    times: Option<Doubles<'py>>,
    t0: f64,
    fittings: Option<Fittings>,
) -> PyResult<Bound<'py, PyDict>> {
    of_t0(t0)?;
    let plan = Plan::until(t0, step, until).map_err(|e| of_plan(&e))?;
    let BoundTorque { torque, raised, mut calls_python } =
        BoundTorque::probed(torque, body, (t0, until))?;
    let has_functions = torque.calls_functions();
    let mut problem = Problem::new(body.inertia, body.start).torque(torque).starting_at(t0);
    if let Some(fittings) = fittings {
        if times.is_some() {
            let text = "times: give every, with wheels, dissipation or a controller";
            return Err(invalid("times", &text));
        }
        let fitted = fittings.fit(problem, &raised);
        // What a callable raises is told before what follows from it.
        if let Some(error) = raised.take() {
            return Err(error);
        }
        let (fitted, calls) = fitted?;
        (problem, calls_python) = (fitted, calls_python || calls);
    }
    let problem = problem;
    let stepper = || method.method.stepper(&problem).map_err(|e| of_method(&e, has_functions));
    let mut kept = match times {
        Some(times) => {
            let times = copied(&times)?;
            let columns = SampleColumns::with_capacity(times.len())?;
            Collection::AtTimes(AtTimes::new(times, stepper()?, columns))
        }
        None => Collection::Every(Every::new(every, SampleColumns::for_plan(&plan, every)?)),
    };
    let mut stepper = stepper()?;
    let mut invariants = Invariants::default();
    let mut watch = RunGuard { raised: raised.clone(), looked: Instant::now() };
    let mut go = || {
        let observers: &mut [&mut dyn Observer] =
            &mut [kept.observer(), &mut invariants, &mut watch];
        polhode::run(&problem, &mut *stepper, &plan, observers)
    };
    // A run that calls Python all the time does better with the interpreter in hand.
    let ended = if calls_python { go() } else { py.detach(go) };
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let result = PyDict::new(py);
    let (columns, evaluations_between, iterations_between) = kept.into_columns();
    columns.fill(py, &result)?;
    fill_invariants(&invariants, &result)?;
    match ended {
        Ok(Summary { step, torque_evaluations, iterations, .. }) => {
            result.set_item("steps", step)?;
            result.set_item("torque_evaluations", torque_evaluations + evaluations_between)?;
            result.set_item("iterations", iterations + iterations_between)?;
            result.set_item("end", plan.time(t0, plan.steps))?;
            Ok(result)
        }
        Err(RunError::Observe { source, .. }) if source.is::<PyErr>() => {
            Err(source.downcast::<PyErr>().map_or_else(|e| failed(e.to_string(), &result), |e| *e))
        }
        Err(RunError::Torque(error)) => Err(of_torque(&error)),
        Err(error) => Err(failed(error.to_string(), &result)),
    }
}

fn failed(message: String, until_then: &Bound<'_, PyDict>) -> PyErr {
    RunFailed::new_err((message, until_then.clone().unbind()))
}

/// Which states are kept.
enum Collection {
    Every(Every<SampleColumns>),
    AtTimes(AtTimes<SampleColumns>),
}

impl Collection {
    fn observer(&mut self) -> &mut dyn Observer {
        match self {
            Self::Every(observer) => observer,
            Self::AtTimes(observer) => observer,
        }
    }

    /// The states, and the evaluations of the torque and iterations that they took besides those of the run.
    fn into_columns(self) -> (SampleColumns, u64, u64) {
        match self {
            Self::Every(every) => (every.into_inner(), 0, 0),
            Self::AtTimes(at) => (at.inner, at.torque_evaluations, at.iterations),
        }
    }
}

/// The states kept.
struct SampleColumns {
    step: Vec<i64>,
    t: Vec<f64>,
    energy: Vec<f64>,
    rows: Rows,
    /// Of all wheels, row after row.
    wheels: Vec<f64>,
}

impl SampleColumns {
    fn for_plan(plan: &Plan, every: u64) -> PyResult<Self> {
        // The start, every n-th, and the last, which may be none of these.
        let n = usize::try_from(plan.steps / every.max(1) + 2).unwrap_or(usize::MAX);
        Self::with_capacity(n)
    }

    fn with_capacity(n: usize) -> PyResult<Self> {
        Ok(Self {
            step: with_capacity(n)?,
            t: with_capacity(n)?,
            energy: with_capacity(n)?,
            rows: Rows::with_capacity(n)?,
            wheels: Vec::new(),
        })
    }

    fn fill(self, py: Python<'_>, result: &Bound<'_, PyDict>) -> PyResult<()> {
        let (momentum, omega, attitude) = self.rows.into_arrays(py)?;
        let wheels = if self.t.is_empty() { 0 } else { self.wheels.len() / self.t.len() };
        if wheels > 0 {
            let speeds = numpy::PyArray1::from_vec(py, self.wheels);
            result.set_item("wheels", speeds.reshape([self.t.len(), wheels])?)?;
        }
        result.set_item("step", numpy::PyArray1::from_vec(py, self.step))?;
        result.set_item("t", column(py, self.t))?;
        result.set_item("momentum", momentum)?;
        result.set_item("omega", omega)?;
        result.set_item("attitude", attitude)?;
        result.set_item("energy", column(py, self.energy))
    }
}

impl Observer for SampleColumns {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let Sample { step, t, state, .. } = *sample;
        // There are at most 1e15.
        self.step.push(i64::try_from(step)?);
        self.t.push(t);
        self.energy.push(sample.energy());
        self.rows.push(state.m, sample.omega(), state.q);
        self.wheels.extend(sample.wheel_speeds());
        Ok(ControlFlow::Continue(()))
    }
}

fn fill_invariants(invariants: &Invariants, result: &Bound<'_, PyDict>) -> PyResult<()> {
    if let Some(Drift { start, max_error, .. }) = invariants.energy() {
        result.set_item("energy_drift", (start, max_error))?;
    }
    if let Some(Drift { start, max_error, .. }) = invariants.momentum_norm() {
        result.set_item("momentum_norm_drift", (start, max_error))?;
    }
    if let Some(Drift { start, max_error, .. }) = invariants.spatial_momentum() {
        result.set_item("spatial_momentum_drift", (start.to_array(), max_error))?;
    }
    Ok(())
}

/// Ends a run when a callable has raised, or on Ctrl-C.
struct RunGuard {
    raised: ExceptionSlot,
    looked: Instant,
}

impl Observer for RunGuard {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        if self.raised.is_set() {
            return Ok(ControlFlow::Break(()));
        }
        // Reading the clock costs as much as a tenth of a step.
        if sample.step.is_multiple_of(16) && self.looked.elapsed() > LOOK_EVERY {
            self.looked = Instant::now();
            look()?;
        }
        Ok(ControlFlow::Continue(()))
    }
}
