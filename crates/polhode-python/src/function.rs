//! Torques that are functions of the user's.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::torque::{Call, Dependence, TorqueFunction, TorqueJacobian};
use polhode::{Control, Inertia, State, so3};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyComplex, PyFloat};

use crate::compiled::CompiledFunction;
use crate::errors::invalid;
use crate::threads::interruptible;

/// The first exception of a callable. Torques cannot fail, so it waits here for the end of the step,
/// and until then the torque is NaN.
#[derive(Clone, Default)]
pub(crate) struct ExceptionSlot(Arc<Slot>);

#[derive(Default)]
struct Slot {
    /// Whether there is one: a compiled torque takes less time than the lock.
    is_set: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl ExceptionSlot {
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Acquire)
    }

    /// Of several threads the first one counts.
    pub(crate) fn set(&self, error: impl FnOnce() -> PyErr) {
        self.lock().get_or_insert_with(error);
        self.0.is_set.store(true, Ordering::Release);
    }

    /// Ends a computation once anything was raised.
    pub(crate) fn control(&self) -> Control {
        let slot = self.clone();
        Control::default().looking(move |stop| {
            if slot.is_set() {
                stop.request();
            }
        })
    }

    /// What the work returns, while others run Python. Ctrl-C ends the waiting, and what a callable has raised is the
    /// error; after either nothing is called any more.
    pub(crate) fn guard<T: Send + 'static>(
        &self,
        py: Python<'_>,
        calls_python: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        let work = move || {
            // A thread that the interpreter meets for the first time in every call costs microseconds each.
            if calls_python { Python::attach(|py| py.detach(work)) } else { work() }
        };
        let done = interruptible(py, || self.close(), work)?;
        self.take().map_or(Ok(done), Err)
    }

    /// From now on nothing is called any more.
    pub(crate) fn close(&self) {
        self.set(|| PyKeyboardInterrupt::new_err(()));
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut error = self.lock();
        self.0.is_set.store(false, Ordering::Release);
        error.take()
    }

    /// The value, or none once anything was raised.
    pub(crate) fn catch<T>(&self, call: impl FnOnce() -> PyResult<T>) -> Option<T> {
        if self.is_set() {
            return None;
        }
        call().map_err(|error| self.set(|| error)).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.error.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What computes a torque.
pub(crate) enum Callee {
    /// A callable (t, momentum, attitude) -> torque.
    Python(Py<PyAny>),
    /// The same for many states at once, a row each.
    Vectorized(Py<PyAny>),
    Compiled(CompiledFunction),
}

/// A torque by a function of the user's, with its potential and its derivatives, if any.
pub(crate) struct UserFunction {
    pub(crate) torque: Callee,
    pub(crate) potential: Option<Py<PyAny>>,
    pub(crate) jacobian: Option<Py<PyAny>>,
    pub(crate) dependence: Dependence,
    pub(crate) depends_on_time: bool,
    pub(crate) raised: ExceptionSlot,
    /// The potential is asked for twice, for the invariants and for the table of results.
    pub(crate) last_potential: Mutex<Option<(f64, DQuat, f64)>>,
}

impl UserFunction {
    pub(crate) fn calls_python(&self) -> bool {
        !matches!(self.torque, Callee::Compiled(_))
            || self.potential.is_some()
            || self.jacobian.is_some()
    }

    /// Fails if it is seen to depend on what it is said not to depend on: another momentum, or another time of
    /// the span, must give the same numbers, at the start and at an attitude aside of it, for at the start many a
    /// torque is zero. Where not even the same state does, there is no telling; nor aside, if it cannot be called
    /// there.
    pub(crate) fn probe(
        &self,
        inertia: &Inertia,
        t0: f64,
        start: &State,
        until: f64,
    ) -> PyResult<()> {
        let size = start.m.abs().max_element();
        let size = if size > 0.0 { size } else { 1.0 };
        let [x, y, z] = start.m.to_array();
        let m = DVec3::new(0.6 * y - size, 1.7 * z + 0.5 * size, 0.8 * size - 2.3 * x);
        let aside = State { q: start.q * ASIDE, ..*start };
        let t = t0 + 0.37 * (until - t0);
        for (at, place) in [(*start, "at the start"), (aside, "at another attitude")] {
            let probes = [
                (self.dependence != Dependence::Momentum, "momentum", t0, State { m, ..at }),
                (!self.depends_on_time, "time", t, at),
            ];
            for (_, what, t, state) in probes.into_iter().filter(|(denied, ..)| *denied) {
                let (first, other) =
                    (self.torque(inertia, t0, &at), self.torque(inertia, t, &state));
                let differs = first != other && first == self.torque(inertia, t0, &at);
                if let Some(error) = self.raised.take() {
                    let fails = Python::attach(|py| error.is_instance_of::<PyException>(py));
                    if fails && at != *start {
                        return Ok(());
                    }
                    return Err(error);
                }
                if differs {
                    let (argument, said) = match what {
                        "time" => ("depends_on_time", "depends_on_time=False"),
                        _ => ("depends_on", "depends_on=\"attitude\""),
                    };
                    let text = format!(
                        "the torque changes with the {what}, from {:?} to {:?} {place}, which {said} denies",
                        first.to_array(),
                        other.to_array()
                    );
                    return Err(invalid(argument, &text));
                }
            }
        }
        Ok(())
    }
}

/// To the attitude aside of the start at which a torque is probed.
const ASIDE: DQuat = DQuat::from_xyzw(0.4, -0.2, 0.4, 0.8);

impl TorqueFunction for UserFunction {
    fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3 {
        let callable = match &self.torque {
            Callee::Compiled(function) => return function.call(t, state, &self.raised),
            Callee::Vectorized(_) => {
                let mut torque = [DVec3::NAN];
                self.torques(&[Call::new(body, t, *state)], &mut torque);
                return torque[0];
            }
            Callee::Python(callable) => callable,
        };
        let call = || Python::attach(|py| three(&called(py, callable, t, state)?, t));
        self.raised.catch(call).unwrap_or(DVec3::NAN)
    }

    fn torques(&self, calls: &[Call<'_>], torques: &mut [DVec3]) {
        let Callee::Vectorized(callable) = &self.torque else {
            for (call, torque) in calls.iter().zip(torques) {
                *torque = self.torque(call.body, call.t, &call.state);
            }
            return;
        };
        let call = || Python::attach(|py| called_at_once(py, callable, calls, torques));
        if self.raised.catch(call).is_none() {
            torques.fill(DVec3::NAN);
        }
    }

    fn is_vectorized(&self) -> bool {
        matches!(self.torque, Callee::Vectorized(_))
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
                finite(&potential.bind(py).call1((t, attitude))?, "potential", "the potential")
            })
        };
        let value = self.raised.catch(call).unwrap_or(f64::NAN);
        *last = Some((t, q, value));
        Some(value)
    }

    fn has_jacobian(&self) -> bool {
        self.jacobian.is_some()
    }

    fn jacobian(&self, _body: &Inertia, t: f64, state: &State) -> Option<TorqueJacobian> {
        let jacobian = self.jacobian.as_ref()?;
        let call =
            || Python::attach(|py| derivatives(&called(py, jacobian, t, state)?, self.dependence));
        let unknown = TorqueJacobian { rotation: DMat3::NAN, momentum: DMat3::NAN };
        Some(self.raised.catch(call).unwrap_or(unknown))
    }
}

fn called<'py>(
    py: Python<'py>,
    callable: &Py<PyAny>,
    t: f64,
    state: &State,
) -> PyResult<Bound<'py, PyAny>> {
    let momentum = PyArray1::from_slice(py, &state.m.to_array());
    let attitude = PyArray1::from_slice(py, &state.attitude());
    callable.bind(py).call1((t, momentum, attitude))
}

/// Calls with times (n,), momenta (n, 3) and attitudes (n, 4), for torques (n, 3).
fn called_at_once(
    py: Python<'_>,
    callable: &Py<PyAny>,
    calls: &[Call<'_>],
    torques: &mut [DVec3],
) -> PyResult<()> {
    let n = calls.len();
    let t = PyArray1::from_iter(py, calls.iter().map(|call| call.t));
    let momentum = PyArray1::from_iter(py, calls.iter().flat_map(|call| call.state.m.to_array()));
    let attitude = PyArray1::from_iter(py, calls.iter().flat_map(|call| call.state.attitude()));
    let value =
        callable.bind(py).call1((t, momentum.reshape([n, 3])?, attitude.reshape([n, 4])?))?;
    let rows = value.extract::<PyReadonlyArray2<'_, f64>>().ok();
    let rows = rows.as_ref().map(PyReadonlyArray2::as_array).filter(|rows| rows.dim() == (n, 3));
    if let Some(rows) = rows
        && rows.iter().all(|x| x.is_finite())
    {
        for (torque, row) in torques.iter_mut().zip(rows.rows()) {
            *torque = DVec3::new(row[0], row[1], row[2]);
        }
        return Ok(());
    }
    let text = format!(
        "the vectorized torque returned {} for {n} states: must be an array of doubles of shape \
         ({n}, 3), all finite",
        shown(&value)
    );
    Err(invalid("torque", &text))
}

/// A finite number that a callable, given in that argument, has returned; an array of one is one, as it is to SciPy.
pub(crate) fn finite(value: &Bound<'_, PyAny>, argument: &str, what: &str) -> PyResult<f64> {
    let of_array = || {
        let one = value.getattr("size").ok()?.extract::<usize>().ok()? == 1;
        real(&value.call_method0("item").ok().filter(|_| one)?)
    };
    real(value).or_else(of_array).filter(|v| v.is_finite()).ok_or_else(|| {
        let text = format!("{what} returned {}: must be a finite number", shown(value));
        invalid(argument, &text)
    })
}

/// The derivatives of a torque: along turns and by the momentum; of one without momentum, along turns.
fn derivatives(value: &Bound<'_, PyAny>, dependence: Dependence) -> PyResult<TorqueJacobian> {
    let pair = value.extract::<[Bound<'_, PyAny>; 2]>().ok();
    let found = match &pair {
        Some([rotation, momentum]) => matrix(rotation)
            .zip(matrix(momentum))
            .map(|(rotation, momentum)| TorqueJacobian { rotation, momentum }),
        None if dependence == Dependence::Momentum => None,
        None => matrix(value).map(TorqueJacobian::of_attitude),
    };
    found.ok_or_else(|| {
        let one = if dependence == Dependence::Momentum { "" } else { "a 3 x 3 matrix, or " };
        let text =
            format!("the jacobian returned {}: must be {one}two 3 x 3 matrices", shown(value));
        invalid("jacobian", &text)
    })
}

/// Three rows of three finite numbers.
fn matrix(value: &Bound<'_, PyAny>) -> Option<DMat3> {
    let rows = items(value)?;
    let mut numbers = [[0.0; 3]; 3];
    for (row, into) in rows.iter().zip(&mut numbers) {
        for (number, into) in items(row)?.iter().zip(into) {
            *into = real(number).filter(|x| x.is_finite())?;
        }
    }
    Some(DMat3::from_cols_array_2d(&numbers).transpose())
}

/// The torque at a time: three finite numbers, of an array or any sequence.
fn three(value: &Bound<'_, PyAny>, t: f64) -> PyResult<DVec3> {
    let array = value.extract::<PyReadonlyArray1<'_, f64>>().ok();
    let numbers = match array.as_ref().map(PyReadonlyArray1::as_slice) {
        Some(Ok(slice)) => slice.try_into().ok(),
        // Strided or unaligned, of another type, or no array: number by number.
        _ => items(value).and_then(|[x, y, z]| Some([real(&x)?, real(&y)?, real(&z)?])),
    };
    numbers.map(DVec3::from_array).filter(|v| v.is_finite()).ok_or_else(|| {
        let shown = shown(value);
        let text =
            format!("the torque returned {shown}: must be three finite numbers (at t = {t:?})");
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
