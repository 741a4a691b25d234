//! Methods and steps compared.

use polhode::solve::{MAX_TOLERANCE, MIN_TOLERANCE, SolveMethod};
use polhode::{Plan, PlanError, Problem};
use polhode_verify::compare::{
    CompareError, Comparison, Contender, Measurement, Setup, SolutionTrial, TOLERANCES, Trial,
    suggested,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::body::StartingBody;
use crate::errors::{invalid, of_motion, of_t0};
use crate::method::Method;
use crate::threads::pool;
use crate::torque::{BoundTorque, TorquePart};

/// Runs every method with every step and measures errors and costs: a record each.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    methods: Option<Vec<(String, PyRef<'py, Method>)>>,
    steps: Vec<f64>,
    until: f64,
    wanted: Option<f64>,
    t0: f64,
    solvers: Vec<String>,
    tolerances: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyDict>> {
    check_span(t0, &steps, until)?;
    let BoundTorque { torque, raised, .. } = BoundTorque::probed(torque, body, (t0, until))?;
    let problem = Problem::new(body.inertia, body.start).torque(torque).starting_at(t0);
    let mut solvers = solvers
        .into_iter()
        .map(|id| id.parse())
        .collect::<Result<Vec<SolveMethod>, _>>()
        .map_err(|e| invalid("methods", &e))?;
    let contenders: Vec<Contender> = if let Some(methods) = methods {
        let named = methods.into_iter();
        named.map(|(id, m)| Contender::new(id, m.method.clone())).collect()
    } else {
        solvers.push(SolveMethod::suited_to(&problem));
        let parsed = suggested(&problem).iter().map(|m| Contender::parse(m));
        parsed.collect::<Result<_, _>>().map_err(|e| invalid("methods", &e))?
    };
    let names: Vec<String> = contenders.iter().map(|contender| contender.id.clone()).collect();
    let tolerances = checked_tolerances(tolerances)?;
    let setup = Setup::new(until, contenders, steps).wanted(wanted).solving(solvers, tolerances);
    let control = raised.control();
    // The threads of the pool call it, not the one that waits for them.
    let work = move || pool().install(|| Comparison::new(&problem, setup, &control));
    let compared = raised.guard(py, false, work)?.map_err(|e| refused(&e))?;
    let found = PyDict::new(py);
    found.set_item("methods", names)?;
    found.set_item("reference_error", compared.reference().error())?;
    let trials: PyResult<Vec<_>> = compared.trials().iter().map(|t| record(py, t)).collect();
    found.set_item("trials", trials?)?;
    let orders: Vec<_> =
        (0..compared.contenders().len()).map(|c| compared.observed_order(c)).collect();
    found.set_item("orders", orders)?;
    let why = |c| compared.no_order(c).map(|why| why.to_string());
    let no_order: Vec<_> = (0..compared.contenders().len()).map(why).collect();
    found.set_item("no_order", no_order)?;
    let solutions: PyResult<Vec<_>> = compared.solutions().iter().map(|s| solved(py, s)).collect();
    found.set_item("solutions", solutions?)?;
    let tuned: PyResult<Vec<_>> = compared
        .tuned()
        .iter()
        .map(|tuned| match &tuned.trial {
            Ok(trial) => record(py, trial),
            Err(reason) => unmeasured(py, tuned.contender, None, &reason.to_string()),
        })
        .collect();
    found.set_item("tuned", tuned?)?;
    Ok(found)
}

/// Tolerances that can be solved to, the largest first.
fn checked_tolerances(given: Option<Vec<f64>>) -> PyResult<Vec<f64>> {
    let Some(mut tolerances) = given else { return Ok(TOLERANCES.to_vec()) };
    for (i, tolerance) in tolerances.iter().enumerate() {
        if !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(tolerance) {
            let allowed = format!("must be from {MIN_TOLERANCE:?} to {MAX_TOLERANCE:?}");
            let why = format!("tolerances[{i}] = {tolerance:?}: {allowed}");
            return Err(invalid("tolerances", &why));
        }
    }
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    Ok(tolerances)
}

/// Steps that lead nowhere are mistakes of the caller, not trials that fail.
fn check_span(t0: f64, steps: &[f64], until: f64) -> PyResult<()> {
    of_t0(t0)?;
    for (i, &step) in steps.iter().enumerate() {
        let wrong = match Plan::until(t0, step, until) {
            Err(PlanError::Step { .. }) => "must be finite and not zero",
            Err(PlanError::Until { .. }) if until.is_finite() => "must lead from t0 to until",
            _ => continue,
        };
        return Err(invalid("steps", &format!("steps[{i}] = {step:?}: {wrong}")));
    }
    Ok(())
}

fn record<'py>(py: Python<'py>, trial: &Trial) -> PyResult<Bound<'py, PyDict>> {
    let measured = match &trial.result {
        Ok(measured) => measured,
        Err(e) => return unmeasured(py, trial.contender, Some(trial.step), &e.to_string()),
    };
    let record = PyDict::new(py);
    record.set_item("method", trial.contender)?;
    record.set_item("step", trial.step)?;
    numbers(&record, measured)?;
    Ok(record)
}

/// A solution to a tolerance.
fn solved<'py>(py: Python<'py>, trial: &SolutionTrial) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    record.set_item("method", trial.method.id())?;
    let tolerance = (trial.method != SolveMethod::ClosedForm).then_some(trial.tolerance);
    record.set_item("tolerance", tolerance)?;
    match &trial.result {
        Ok(measured) => numbers(&record, measured)?,
        Err(e) => record.set_item("failure", e.to_string())?,
    }
    Ok(record)
}

fn numbers(record: &Bound<'_, PyDict>, measured: &Measurement) -> PyResult<()> {
    record.set_item("steps", measured.steps)?;
    record.set_item("momentum_error", measured.error.momentum)?;
    record.set_item("attitude_error", measured.error.attitude)?;
    record.set_item("torque_evaluations", measured.cost.torque_evaluations)?;
    record.set_item("iterations", measured.cost.iterations)?;
    record.set_item("seconds", measured.cost.seconds)?;
    Ok(())
}

fn unmeasured<'py>(
    py: Python<'py>,
    contender: usize,
    step: Option<f64>,
    reason: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    record.set_item("method", contender)?;
    record.set_item("step", step)?;
    record.set_item("failure", reason)?;
    Ok(record)
}

fn refused(error: &CompareError) -> PyErr {
    match error {
        CompareError::Until { .. } => invalid("until", error),
        CompareError::Wanted { .. } => invalid("wanted", error),
        CompareError::Reference(polhode_verify::ReferenceError::Free(free)) => of_motion(free),
        _ => invalid("torque", error),
    }
}
