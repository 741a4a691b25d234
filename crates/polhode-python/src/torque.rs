//! Torques as the Python part gives them.

use std::collections::BTreeMap;

use polhode::Torque;
use polhode::torque::{Dependence, KeyValue, KeyValues, TorqueError};
use pyo3::prelude::*;

use crate::body::StartingBody;
use crate::compiled::CompiledPart;
use crate::errors::{invalid, of_torque};
use crate::function::{Callee, ExceptionSlot, UserFunction};
use crate::scenario::ScenarioTorque;

/// One part of a torque.
#[derive(FromPyObject)]
pub(crate) enum TorquePart {
    #[pyo3(transparent)]
    Function(FunctionPart),
    /// The torque of a scenario.
    #[pyo3(transparent)]
    Scenario(Py<ScenarioTorque>),
    /// The kind and keys of a model.
    Model(String, Vec<(String, KeyArgument)>),
}

/// A function of the user's, its potential, its derivatives, what it depends on, whether it depends on time, and
/// whether it takes many states at once.
#[derive(FromPyObject)]
pub(crate) struct FunctionPart(
    CalleePart,
    Option<Py<PyAny>>,
    Option<Py<PyAny>>,
    String,
    bool,
    bool,
);

#[derive(FromPyObject)]
enum CalleePart {
    #[pyo3(transparent)]
    Compiled(CompiledPart),
    #[pyo3(transparent)]
    Python(Py<PyAny>),
}

/// The value of a key.
#[derive(FromPyObject, Clone)]
pub(crate) enum KeyArgument {
    Number(f64),
    Numbers(Vec<f64>),
    Rows(Vec<Vec<f64>>),
    Text(String),
    Texts(Vec<String>),
    Constants(BTreeMap<String, f64>),
}

impl From<KeyArgument> for KeyValue {
    fn from(value: KeyArgument) -> Self {
        match value {
            KeyArgument::Number(x) => Self::Number(x),
            KeyArgument::Numbers(v) => Self::Numbers(v),
            KeyArgument::Rows(rows) => Self::Rows(rows),
            KeyArgument::Text(text) => Self::Text(text),
            KeyArgument::Texts(texts) => Self::Texts(texts),
            KeyArgument::Constants(constants) => Self::Constants(constants),
        }
    }
}

pub(crate) fn values(given: &[(String, KeyArgument)]) -> KeyValues {
    given.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}

/// Whether the energy should stay what it is under this torque.
#[pyfunction]
pub(crate) fn conserves_energy(torque: Vec<TorquePart>) -> PyResult<bool> {
    Ok(BoundTorque::new(torque)?.torque.conserves_energy())
}

/// Fails if there is no such torque; whether numbers are too large for a body is seen when there is one.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn check_torque(kind: &str, keys: Vec<(String, KeyArgument)>) -> PyResult<()> {
    match Torque::build(kind, &values(&keys)) {
        Ok(_) => Ok(()),
        Err(error) => Err(match &error {
            TorqueError::Missing { key, .. }
            | TorqueError::Value { key, .. }
            | TorqueError::Formula { key, .. }
            | TorqueError::Table { key, .. }
            | TorqueError::Parallel { key, .. } => invalid(key, &error),
            TorqueError::UnknownKey { key, .. } => invalid(key, &error),
            _ => invalid("kind", &error),
        }),
    }
}

/// A torque, and what its callables raise.
pub(crate) struct BoundTorque {
    pub(crate) torque: Torque,
    pub(crate) raised: ExceptionSlot,
    /// Whether Python is called.
    pub(crate) calls_python: bool,
}

impl BoundTorque {
    pub(crate) fn new(parts: Vec<TorquePart>) -> PyResult<Self> {
        Self::build(parts, ExceptionSlot::default(), |_| Ok(()))
    }

    /// The same for a run of one body, whose functions are first tried: whether they depend on no more than
    /// they say.
    pub(crate) fn probed(
        parts: Vec<TorquePart>,
        body: &StartingBody,
        (t0, until): (f64, f64),
    ) -> PyResult<Self> {
        let probe = |f: &UserFunction| f.probe(&body.inertia, t0, &body.start, until);
        Self::build(parts, ExceptionSlot::default(), probe)
    }

    /// The torque of a change in the middle of a run; its callables raise where those before it did.
    pub(crate) fn raising(parts: Vec<TorquePart>, raised: &ExceptionSlot) -> PyResult<Self> {
        Self::build(parts, raised.clone(), |_| Ok(()))
    }

    fn build(
        parts: Vec<TorquePart>,
        raised: ExceptionSlot,
        probe: impl Fn(&UserFunction) -> PyResult<()>,
    ) -> PyResult<Self> {
        let (mut torque, mut calls_python) = (Torque::none(), false);
        for part in parts {
            let of_part = match part {
                TorquePart::Model(kind, keys) => {
                    Torque::build(&kind, &values(&keys)).map_err(|e| of_torque(&e))?
                }
                TorquePart::Scenario(part) => part.get().torque.clone(),
                TorquePart::Function(part) => {
                    let function = part.build(&raised)?;
                    probe(&function)?;
                    calls_python |= function.calls_python();
                    Torque::function(function)
                }
            };
            torque = torque + of_part;
        }
        Ok(Self { torque, raised, calls_python })
    }
}

impl FunctionPart {
    fn build(self, raised: &ExceptionSlot) -> PyResult<UserFunction> {
        let Self(callee, potential, jacobian, depends_on, depends_on_time, vectorized) = self;
        let dependence = match depends_on.as_str() {
            "attitude" => Dependence::Attitude,
            "momentum" => Dependence::Momentum,
            other => {
                let text = format!("depends_on = {other:?}: attitude or momentum");
                return Err(invalid("depends_on", &text));
            }
        };
        let torque = match callee {
            CalleePart::Python(callable) if vectorized => Callee::Vectorized(callable),
            CalleePart::Python(callable) => Callee::Python(callable),
            CalleePart::Compiled(part) => Callee::Compiled(part.build()?),
        };
        Ok(UserFunction {
            torque,
            potential,
            jacobian,
            dependence,
            depends_on_time,
            raised: raised.clone(),
            last_potential: None.into(),
        })
    }
}
