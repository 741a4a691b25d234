//! Status codes and the last error of a thread.

use core::cell::RefCell;
use core::ffi::c_char;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use polhode_core::composition::SchemeError;
use polhode_core::control::ControlError;
use polhode_core::formula::FormulaError;
use polhode_core::inside::InsideError;
use polhode_core::method::{MethodError, TableauError};
use polhode_core::solve::TimeError;
use polhode_core::table::TableError;
use polhode_core::torque::TorqueError;
use polhode_core::{
    FreeMotionError, InertiaError, PlanError, RunError, SolveError, StateError, StepError, rotor,
};
use polhode_elliptic::DomainError;

/// How a call ended. Every function that can fail returns one of these.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum polhode_status {
    /// Everything that was asked for has been done.
    POLHODE_OK = 0,
    /// A pointer is NULL that must not be.
    POLHODE_NULL = 1,
    /// A value, a size or a name is not allowed.
    POLHODE_INVALID = 2,
    /// The numbers are finite, but no right answer fits into doubles.
    POLHODE_OUT_OF_RANGE = 3,
    /// An implicit method did not solve its equation: take a smaller step. Or a solution does not meet
    /// its tolerance, however short the steps.
    POLHODE_NO_CONVERGENCE = 4,
    /// A callback reported a failure.
    POLHODE_CALLBACK = 5,
    /// The handle is in use: by another thread, or by the call whose callback this is.
    POLHODE_BUSY = 6,
    /// A fault of the library. Please report it, with the message.
    POLHODE_INTERNAL = 7,
}

use polhode_status::{
    POLHODE_INTERNAL, POLHODE_INVALID, POLHODE_NO_CONVERGENCE, POLHODE_NULL, POLHODE_OK,
    POLHODE_OUT_OF_RANGE,
};

/// A call that failed: the status it returns and the message it leaves.
#[derive(Debug)]
pub(crate) struct CallFailure {
    pub(crate) status: polhode_status,
    pub(crate) message: String,
}

impl CallFailure {
    pub(crate) fn new(status: polhode_status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(POLHODE_INVALID, message)
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(POLHODE_NULL, format!("{name} is NULL"))
    }
}

macro_rules! invalid {
    ($($error:ty),*) => {
        $(impl From<$error> for CallFailure {
            fn from(error: $error) -> Self {
                Self::invalid(error.to_string())
            }
        })*
    };
}

invalid!(
    ControlError,
    FormulaError,
    InertiaError,
    InsideError,
    TableError,
    MethodError,
    SchemeError,
    TableauError,
    TorqueError,
    TimeError,
    PlanError,
    DomainError,
    rotor::BuildError
);

impl From<StateError> for CallFailure {
    fn from(error: StateError) -> Self {
        let status = match error {
            StateError::MomentumOutOfRange { .. } => POLHODE_OUT_OF_RANGE,
            _ => POLHODE_INVALID,
        };
        Self::new(status, error.to_string())
    }
}

impl From<FreeMotionError> for CallFailure {
    fn from(error: FreeMotionError) -> Self {
        match error {
            FreeMotionError::State(error) => error.into(),
            FreeMotionError::OutOfRange { .. } => {
                Self::new(POLHODE_OUT_OF_RANGE, error.to_string())
            }
            _ => Self::invalid(error.to_string()),
        }
    }
}

fn step_status(error: &StepError) -> polhode_status {
    match error {
        StepError::NoConvergence { .. } => POLHODE_NO_CONVERGENCE,
        _ => POLHODE_OUT_OF_RANGE,
    }
}

impl From<StepError> for CallFailure {
    fn from(error: StepError) -> Self {
        Self::new(step_status(&error), error.to_string())
    }
}

impl From<RunError> for CallFailure {
    fn from(error: RunError) -> Self {
        let status = match &error {
            RunError::Step { source, .. } => step_status(source),
            // The only observers are callbacks.
            _ => polhode_status::POLHODE_CALLBACK,
        };
        Self::new(status, error.to_string())
    }
}

impl From<SolveError> for CallFailure {
    fn from(error: SolveError) -> Self {
        let status = match error {
            SolveError::Torque(error) => return error.into(),
            SolveError::Free(error) => return error.into(),
            SolveError::TorqueNotFinite { .. } => POLHODE_OUT_OF_RANGE,
            SolveError::StepTooSmall { .. } | SolveError::Balanced { .. } => POLHODE_NO_CONVERGENCE,
            SolveError::Stopped(_) => polhode_status::POLHODE_CALLBACK,
            _ => POLHODE_INVALID,
        };
        Self::new(status, error.to_string())
    }
}

struct LastError {
    status: polhode_status,
    message: CString,
}

thread_local! {
    static LAST: RefCell<Option<LastError>> = const { RefCell::new(None) };
}

fn remember(failure: CallFailure) -> polhode_status {
    let CallFailure { status, message } = failure;
    // A message quotes what it was given, but C text ends at a zero byte.
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    // While a thread ends its error may be gone; the status is returned all the same.
    let _ = LAST.try_with(|last| *last.borrow_mut() = Some(LastError { status, message }));
    status
}

/// Runs the body of an exported function: its failure becomes the thread's last error, and a panic
/// becomes a failure.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), CallFailure>) -> polhode_status {
    // A panic may leave a run's state half made; its lock is then poisoned and the run refused.
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(CallFailure::new(POLHODE_INTERNAL, format!("internal fault of polhode: {text}")))
    });
    match outcome {
        Ok(()) => POLHODE_OK,
        Err(failure) => remember(failure),
    }
}

/// The status of the last call that failed on this thread, `POLHODE_OK` if none did.
///
/// A call that succeeds does not change it, so that a program can look once after a thousand steps;
/// polhode_clear_error() does. This is the only way to learn of a failure of the Fortran routines
/// frb_step and quat_step, which have no error argument.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_last_error() -> polhode_status {
    let status = LAST.try_with(|last| last.borrow().as_ref().map(|last| last.status));
    status.ok().flatten().unwrap_or(POLHODE_OK)
}

/// What went wrong in the last call that failed on this thread: UTF-8, one line, never NULL.
///
/// The text belongs to the library. It is valid until the next call that fails on this thread, or
/// polhode_clear_error(), or the end of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_last_error_message() -> *const c_char {
    let message = LAST.try_with(|last| last.borrow().as_ref().map(|last| last.message.as_ptr()));
    message.ok().flatten().unwrap_or(c"".as_ptr())
}

/// Forgets the last error of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_clear_error() {
    let _ = LAST.try_with(|last| *last.borrow_mut() = None);
}

/// The version of the library, for example "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn polhode_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    fn message() -> String {
        // SAFETY: never NULL, and valid until the next failure.
        unsafe { CStr::from_ptr(polhode_last_error_message()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(guard(|| panic!("seven is {}", 7)), POLHODE_INTERNAL);
        assert_eq!(message(), "internal fault of polhode: seven is 7");
    }

    #[test]
    fn the_last_error_stays_until_it_is_cleared() {
        polhode_clear_error();
        assert_eq!((polhode_last_error(), message().as_str()), (POLHODE_OK, ""));
        assert_eq!(guard(|| Err(CallFailure::null("body"))), POLHODE_NULL);
        assert_eq!(guard(|| Ok(())), POLHODE_OK);
        assert_eq!((polhode_last_error(), message().as_str()), (POLHODE_NULL, "body is NULL"));
        // Another thread has its own.
        std::thread::spawn(|| assert_eq!(polhode_last_error(), POLHODE_OK)).join().unwrap();
        polhode_clear_error();
        assert_eq!((polhode_last_error(), message().as_str()), (POLHODE_OK, ""));
    }

    #[test]
    fn a_zero_byte_does_not_cut_a_message() {
        guard(|| Err(CallFailure::invalid("a\0b")));
        assert_eq!(message(), "a\\0b");
    }
}
