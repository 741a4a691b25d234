//! Torques as the Python part gives them.

use polhode::Torque;
use polhode::torque::{Dependence, KeyValue, KeyValues, TorqueError};
use pyo3::prelude::*;

use crate::errors::{invalid, of_torque};
use crate::function::{ExceptionSlot, PyFunction};

/// One part of a torque.
#[derive(FromPyObject)]
pub(crate) enum Part {
    /// A callable, its potential, what it depends on, and whether it depends on time.
    Function(Py<PyAny>, Option<Py<PyAny>>, String, bool),
    /// The kind and keys of a model.
    Model(String, Vec<(String, Value)>),
}

/// The value of a key.
#[derive(FromPyObject, Clone)]
pub(crate) enum Value {
    Number(f64),
    Numbers(Vec<f64>),
    Text(String),
}

impl From<Value> for KeyValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(x) => Self::Number(x),
            Value::Numbers(v) => Self::Numbers(v),
            Value::Text(text) => Self::Text(text),
        }
    }
}

pub(crate) fn values(given: &[(String, Value)]) -> KeyValues {
    given.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}

/// Fails if there is no such torque; whether numbers are too large for a body is seen when there is one.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn check_torque(kind: &str, keys: Vec<(String, Value)>) -> PyResult<()> {
    match Torque::build(kind, &values(&keys)) {
        Ok(_) => Ok(()),
        Err(error) => Err(match &error {
            TorqueError::Missing { key, .. }
            | TorqueError::Value { key, .. }
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
}

impl BoundTorque {
    pub(crate) fn new(parts: Vec<Part>) -> PyResult<Self> {
        let raised = ExceptionSlot::default();
        let mut torque = Torque::none();
        for part in parts {
            torque = torque + part.build(&raised)?;
        }
        Ok(Self { torque, raised })
    }

    /// Whether Python is called.
    pub(crate) fn has_functions(&self) -> bool {
        self.torque.calls_functions()
    }
}

impl Part {
    fn build(self, raised: &ExceptionSlot) -> PyResult<Torque> {
        match self {
            Self::Model(kind, keys) => {
                Torque::build(&kind, &values(&keys)).map_err(|e| of_torque(&e))
            }
            Self::Function(torque, potential, depends_on, depends_on_time) => {
                let dependence = match depends_on.as_str() {
                    "attitude" => Dependence::Attitude,
                    "momentum" => Dependence::Momentum,
                    other => {
                        let text = format!("depends_on = {other:?}: attitude or momentum");
                        return Err(invalid("depends_on", &text));
                    }
                };
                Ok(Torque::function(PyFunction {
                    torque,
                    potential,
                    dependence,
                    depends_on_time,
                    raised: raised.clone(),
                    last_potential: None.into(),
                }))
            }
        }
    }
}
