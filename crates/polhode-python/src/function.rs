//! Torques that are Python callables.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use polhode::glam::{DQuat, DVec3};
use polhode::torque::{Dependence, TorqueFunction};
use polhode::{Inertia, State, so3};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyComplex, PyFloat};

use crate::errors::invalid;

/// The first exception of a callable. Torques cannot fail, so it waits here for the end of the step,
/// and until then the torque is NaN.
#[derive(Clone, Default)]
pub(crate) struct ExceptionSlot(Arc<Mutex<Option<PyErr>>>);

impl ExceptionSlot {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.lock().is_some()
    }

    /// From now on nothing is called any more.
    pub(crate) fn close(&self) {
        self.lock().get_or_insert_with(|| PyKeyboardInterrupt::new_err(()));
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.lock().take()
    }

    /// The value, or none once anything was raised.
    fn catch<T>(&self, call: impl FnOnce() -> PyResult<T>) -> Option<T> {
        if self.is_set() {
            return None;
        }
        // Of several threads the first one counts.
        let keep = |error| {
            self.lock().get_or_insert(error);
        };
        call().map_err(keep).ok()
    }
}

/// A torque by a callable (t, momentum, attitude) -> torque, and its potential, if any.
pub(crate) struct PyFunction {
    pub(crate) torque: Py<PyAny>,
    pub(crate) potential: Option<Py<PyAny>>,
    pub(crate) dependence: Dependence,
    pub(crate) depends_on_time: bool,
    pub(crate) raised: ExceptionSlot,
    /// The potential is asked for twice, for the invariants and for the table of results.
    pub(crate) last_potential: Mutex<Option<(f64, DQuat, f64)>>,
}

impl TorqueFunction for PyFunction {
    fn torque(&self, _body: &Inertia, t: f64, state: &State) -> DVec3 {
        let call = || Python::attach(|py| three(&self.call(py, t, state)?));
        self.raised.catch(call).unwrap_or(DVec3::NAN)
    }

    fn dependence(&self) -> Dependence {
        self.dependence
    }

    fn depends_on_time(&self) -> bool {
        self.depends_on_time
    }

    fn is_conservative(&self) -> bool {
        self.potential.is_some()
    }

    fn potential(&self, _body: &Inertia, t: f64, q: DQuat) -> Option<f64> {
        let potential = self.potential.as_ref()?;
        let mut last = self.last_potential.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, attitude, value)) = *last
            && (at, attitude) == (t, q)
        {
            return Some(value);
        }
        let call = || {
            Python::attach(|py| {
                let attitude = PyArray1::from_slice(py, &so3::to_wxyz(q));
                let value = potential.bind(py).call1((t, attitude))?;
                let number = real(&value).filter(|v| v.is_finite());
                number.ok_or_else(|| {
                    let text = format!(
                        "the potential returned {}: must be a finite number",
                        shown(&value)
                    );
                    invalid("potential", &text)
                })
            })
        };
        let value = self.raised.catch(call).unwrap_or(f64::NAN);
        *last = Some((t, q, value));
        Some(value)
    }
}

impl PyFunction {
    fn call<'py>(&self, py: Python<'py>, t: f64, state: &State) -> PyResult<Bound<'py, PyAny>> {
        let momentum = PyArray1::from_slice(py, &state.m.to_array());
        let attitude = PyArray1::from_slice(py, &state.attitude());
        self.torque.bind(py).call1((t, momentum, attitude))
    }
}

/// Three finite numbers, of an array or any sequence.
fn three(value: &Bound<'_, PyAny>) -> PyResult<DVec3> {
    let array = value.extract::<PyReadonlyArray1<'_, f64>>().ok();
    let numbers = match array.as_ref().map(PyReadonlyArray1::as_slice) {
        Some(Ok(slice)) => slice.try_into().ok(),
        // Strided or unaligned, of another type, or no array: number by number.
        _ => items(value).and_then(|[x, y, z]| Some([real(&x)?, real(&y)?, real(&z)?])),
    };
    numbers.map(DVec3::from_array).filter(|v| v.is_finite()).ok_or_else(|| {
        let text = format!("the torque returned {}: must be three finite numbers", shown(value));
        invalid("torque", &text)
    })
}

/// The three items of a sequence; bytes are one of small numbers for Python, but not for us.
fn items<'py>(value: &Bound<'py, PyAny>) -> Option<[Bound<'py, PyAny>; 3]> {
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        return None;
    }
    value.extract().ok()
}

/// A real number. NumPy would make one of a complex number too, with no more than a warning.
fn real(value: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(number) = value.cast_exact::<PyFloat>() {
        return Some(number.value());
    }
    let kind = || value.getattr("dtype")?.getattr("kind")?.extract::<char>();
    if value.is_instance_of::<PyComplex>() || kind().is_ok_and(|kind| kind == 'c') {
        return None;
    }
    value.extract().ok()
}

/// As Python shows it, but not a whole page of it.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 200;
    let text = value.repr().map_or_else(|_| "an object".to_owned(), |r| r.to_string());
    if text.chars().count() <= MOST {
        return text;
    }
    format!("{}...", text.chars().take(MOST).collect::<String>())
}
