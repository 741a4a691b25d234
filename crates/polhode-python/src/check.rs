//! Checks of trajectories.

use numpy::PyArray1;
use polhode::Problem;
use polhode_verify::ReferenceError;
use polhode_verify::check::{
    Attitudes, CheckError, CheckOptions, Deviation, Diagnosis, Growth, OrderPair, Samples,
    VectorFrame, check_free, check_problem,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Doubles, column, copied, require, rows, with_capacity};
use crate::body::StartingBody;
use crate::errors::{invalid, of_motion, of_state, of_t0};
use crate::torque::{BoundTorque, TorquePart};

/// What was found out about a trajectory.
#[pyclass(frozen, name = "Report", module = "polhode._polhode")]
pub(crate) struct CheckReport {
    report: polhode_verify::check::CheckReport,
}

/// What a check takes at its peak, with all columns given: measured, 440 and some for growing vectors.
const BYTES_A_SAMPLE: usize = 512;

/// Checks samples, flat arrays of as many rows as there are times: of a free body from its first
/// sample if no torque is given, else from the start of the body.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn check<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Option<Vec<TorquePart>>,
    t0: f64,
    t: Doubles<'py>,
    momentum: Option<Doubles<'py>>,
    momentum_in_space: bool,
    omega: Option<Doubles<'py>>,
    omega_in_space: bool,
    attitude: Option<Doubles<'py>>,
    matrices: bool,
    tolerance: f64,
    rounding: f64,
) -> PyResult<CheckReport> {
    of_t0(t0)?;
    let frame = |in_space: bool| if in_space { VectorFrame::Space } else { VectorFrame::Body };
    let attitude = match (attitude, matrices) {
        (None, _) => None,
        (Some(a), false) => Some(Attitudes::Quaternions(rows(&a)?)),
        (Some(a), true) => Some(Attitudes::Matrices(rows(&a)?)),
    };
    require(t.as_slice()?.len().saturating_mul(BYTES_A_SAMPLE))?;
    let mut samples = Samples::default();
    samples.times = copied(&t)?;
    samples.momentum = momentum.map(|m| rows(&m)).transpose()?;
    samples.momentum_frame = frame(momentum_in_space);
    samples.omega = omega.map(|w| rows(&w)).transpose()?;
    samples.omega_frame = frame(omega_in_space);
    samples.attitude = attitude;
    let options = CheckOptions::default().tolerance(tolerance).rounding(rounding);
    let (inertia, is_free) = (body.inertia, torque.is_none());
    let BoundTorque { torque: acting, raised, calls_python } =
        BoundTorque::new(torque.unwrap_or_default())?;
    let problem = Problem::new(inertia, body.start).torque(acting).starting_at(t0);
    let control = raised.control();
    let result = raised.guard(py, calls_python, move || {
        if is_free {
            check_free(&samples, &inertia, &options, &control)
        } else {
            check_problem(&samples, &problem, &options, &control)
        }
    })?;
    Ok(CheckReport { report: result.map_err(|e| refused(&e))? })
}

fn refused(error: &CheckError) -> PyErr {
    let argument = match error {
        CheckError::TooFew { count } => {
            let text = format!("samples: {count} given; at least two are needed");
            return invalid("samples", &text);
        }
        CheckError::NotFinite { field: "time", .. }
        | CheckError::Times { .. }
        | CheckError::Reference(ReferenceError::Time { .. } | ReferenceError::Order { .. }) => {
            "samples"
        }
        CheckError::Length { field, .. }
        | CheckError::Option { field, .. }
        | CheckError::NotFinite { field, .. } => field,
        CheckError::NoAttitude { .. } | CheckError::SpaceWithoutAttitude { .. } => "attitude",
        CheckError::State(state) => return of_state(state),
        CheckError::Free(free) | CheckError::Reference(ReferenceError::Free(free)) => {
            return of_motion(free);
        }
        CheckError::Reference(_) => "torque",
        _ => "momentum",
    };
    invalid(argument, error)
}

#[pymethods]
impl CheckReport {
    /// All there is to know.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let r = &self.report;
        let found = PyDict::new(py);
        found.set_item("verdict", r.verdict.id())?;
        let diagnoses: Vec<_> = r.diagnoses.iter().map(diagnosis).collect();
        found.set_item("diagnoses", diagnoses)?;
        found.set_item("reference", r.reference.id())?;
        found.set_item("reference_error", r.reference.error())?;
        found.set_item("tolerance", r.tolerance)?;
        found.set_item("allowance", r.allowance)?;
        found.set_item("sign_changes", r.sign_changes)?;
        found.set_item("energy_change", r.energy_change)?;
        found.set_item("single_precision", r.single_precision)?;
        found.set_item("equal_steps", r.equal_steps)?;
        found.set_item("worst", r.worst())?;
        for (name, deviation) in [
            ("energy", r.energy),
            ("momentum_norm", r.momentum_norm),
            ("spatial_momentum", r.spatial_momentum),
            ("orthogonality", r.orthogonality),
            ("consistency", r.consistency),
            ("momentum", r.momentum),
            ("attitude", r.attitude),
        ] {
            found.set_item(name, deviation.map(numbers))?;
        }
        found.set_item("t", copy_of(py, &r.times)?)?;
        for (name, errors) in
            [("momentum_errors", &r.momentum_errors), ("attitude_errors", &r.attitude_errors)]
        {
            found.set_item(name, errors.as_ref().map(|e| copy_of(py, e)).transpose()?)?;
        }
        Ok(found)
    }
}

fn copy_of<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let mut copy = with_capacity(numbers.len())?;
    copy.extend_from_slice(numbers);
    Ok(column(py, copy))
}

fn diagnosis(d: &Diagnosis) -> (Vec<&'static str>, String) {
    (d.mistakes.iter().map(|m| m.id()).collect(), d.text.clone())
}

/// max, at, end, slope, growth, power, beyond.
type DeviationTuple = (f64, f64, f64, f64, Option<&'static str>, Option<f64>, Option<f64>);

fn numbers(d: Deviation) -> DeviationTuple {
    let power = d.growth.and_then(Growth::power);
    (d.max, d.at, d.end, d.slope, d.growth.map(Growth::id), power, d.beyond)
}

/// The order at which trajectories in these steps converge.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn convergence<'py>(
    py: Python<'py>,
    steps: Vec<f64>,
    reports: Vec<PyRef<'py, CheckReport>>,
    order: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let runs: Vec<_> = steps.into_iter().zip(reports.iter().map(|r| &r.report)).collect();
    let seen =
        py.detach(|| polhode_verify::check::convergence(&runs, order)).map_err(|e| match e {
            CheckError::Option { field: "order", .. } => invalid("order", &e),
            _ => invalid("reports", &e),
        })?;
    let found = PyDict::new(py);
    found.set_item("verdict", seen.verdict.id())?;
    found.set_item("observed", seen.observed)?;
    found.set_item("claimed", seen.claimed)?;
    found.set_item("diagnosis", seen.diagnosis.as_ref().map(diagnosis))?;
    let pair = |p: &OrderPair| (p.steps, p.momentum, p.attitude);
    found.set_item("pairs", seen.pairs.iter().map(pair).collect::<Vec<_>>())?;
    Ok(found)
}
