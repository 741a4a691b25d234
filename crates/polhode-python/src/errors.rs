//! From errors of the library to exceptions, which are defined in `python/polhode/_errors.py`.

use core::fmt::Display;

use polhode::method::MethodError;
use polhode::torque::TorqueError;
use polhode::{FreeMotionError, InertiaError, PlanError, StateError};
use pyo3::prelude::*;

pyo3::import_exception!(polhode._errors, InvalidInput);
pyo3::import_exception!(polhode._errors, RunFailed);

/// The exception for an argument that is not allowed. The library does not know in which argument a name
/// or a number has come; the message says it in any case.
pub(crate) fn invalid(argument: &str, message: &impl Display) -> PyErr {
    let mut message = message.to_string();
    let named = |word| word == argument;
    if !message.split(|c: char| !c.is_alphanumeric() && c != '_').any(named) {
        message.insert_str(0, &format!("{argument}: "));
    }
    InvalidInput::new_err((argument.to_owned(), message))
}

pub(crate) fn of_inertia(error: &InertiaError) -> PyErr {
    invalid("inertia", &with_keyword(error, error))
}

/// Where an inertia is refused that can be allowed, also by which argument.
pub(crate) fn with_keyword(error: &InertiaError, message: &impl Display) -> String {
    match error {
        InertiaError::Impossible { .. } => format!("{message}: allow_unphysical=True"),
        _ => message.to_string(),
    }
}

pub(crate) fn of_state(error: &StateError) -> PyErr {
    invalid(field_of(error), error)
}

pub(crate) fn field_of(error: &StateError) -> &'static str {
    match error {
        StateError::NotFinite { field, .. } => field,
        StateError::ZeroAttitude => "attitude",
        StateError::MomentumOutOfRange { .. } => "omega",
        _ => "momentum",
    }
}

pub(crate) fn of_motion(error: &FreeMotionError) -> PyErr {
    match error {
        FreeMotionError::State(state) => of_state(state),
        FreeMotionError::OutOfRange { field, .. } => invalid(field, error),
        // The motion is what its start makes it; the message names what of it has no derivative.
        FreeMotionError::NoDerivative { .. } => {
            InvalidInput::new_err(("momentum".to_owned(), error.to_string()))
        }
        _ => invalid("t", error),
    }
}

pub(crate) fn of_t0(t0: f64) -> PyResult<()> {
    if t0.is_finite() {
        return Ok(());
    }
    Err(invalid("t0", &format!("t0 = {t0:?}: must be finite")))
}

pub(crate) fn of_plan(error: &PlanError) -> PyErr {
    let argument = match error {
        PlanError::Step { .. } => "step",
        _ => "until",
    };
    invalid(argument, error)
}

/// Where a torque of the momentum is refused, a callable may just not have said what it depends on.
pub(crate) fn of_method(error: &MethodError, assumed_general: bool) -> PyErr {
    match error {
        MethodError::TorqueOfMomentum { .. } if assumed_general => {
            let hint = "a callable counts as depending on the momentum unless it says otherwise: \
                        polhode.torques.Function(f, depends_on=\"attitude\")";
            invalid("method", &format!("{error} ({hint})"))
        }
        MethodError::Torque(error) => of_torque(error),
        _ => invalid("method", error),
    }
}

pub(crate) fn of_torque(error: &TorqueError) -> PyErr {
    invalid("torque", error)
}
