//! Torques that are compiled functions, given by their addresses.

// Called through a pointer.
#![allow(unsafe_code)]

use core::ffi::c_void;
use core::mem::transmute;

use polhode::State;
use polhode::glam::DVec3;
use pyo3::prelude::*;

use crate::errors::{RunFailed, invalid};
use crate::function::ExceptionSlot;

type Plain = unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64);
type PlainStatus = unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64) -> i32;
type WithData = unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64, *mut c_void);
type WithDataStatus =
    unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64, *mut c_void) -> i32;

/// A function (t, momentum, attitude, torque) or (t, momentum, attitude, torque, user data), which returns
/// nothing or, as an int, zero unless it refuses.
enum CompiledCall {
    Plain(Plain),
    PlainStatus(PlainStatus),
    WithData(WithData),
    WithDataStatus(WithDataStatus),
}

/// A compiled torque as the Python part gives it: what owns it, its address, its user data, whether it takes
/// them, and whether it returns a status.
#[derive(FromPyObject)]
pub(crate) struct CompiledPart(Py<PyAny>, usize, usize, bool, bool);

/// A compiled torque.
pub(crate) struct CompiledFunction {
    function: CompiledCall,
    user_data: *mut c_void,
    /// What has the function and its data in memory.
    _owner: Py<PyAny>,
}

// SAFETY: whether function and data may be used by other threads is the word of whoever gives them, as the
// documentation of `polhode.torques.Function` says.
unsafe impl Send for CompiledFunction {}
// SAFETY: as above.
unsafe impl Sync for CompiledFunction {}

impl CompiledPart {
    pub(crate) fn build(self) -> PyResult<CompiledFunction> {
        let Self(owner, address, user_data, takes_data, returns_status) = self;
        if address == 0 {
            return Err(invalid("torque", &"torque: the compiled function is NULL"));
        }
        let pointer = core::ptr::with_exposed_provenance::<c_void>(address);
        // SAFETY: not NULL, and the address of a function of this signature: `_compiled.py` has read it from
        // the owner.
        let function = unsafe {
            match (takes_data, returns_status) {
                (false, false) => CompiledCall::Plain(transmute::<*const c_void, Plain>(pointer)),
                (false, true) => {
                    CompiledCall::PlainStatus(transmute::<*const c_void, PlainStatus>(pointer))
                }
                (true, false) => {
                    CompiledCall::WithData(transmute::<*const c_void, WithData>(pointer))
                }
                (true, true) => CompiledCall::WithDataStatus(transmute::<
                    *const c_void,
                    WithDataStatus,
                >(pointer)),
            }
        };
        let user_data = core::ptr::with_exposed_provenance_mut(user_data);
        Ok(CompiledFunction { function, user_data, _owner: owner })
    }
}

impl CompiledFunction {
    /// The torque; NaN once the function has refused, or anything was raised.
    pub(crate) fn call(&self, t: f64, state: &State, raised: &ExceptionSlot) -> DVec3 {
        if raised.is_set() {
            return DVec3::NAN;
        }
        let (m, q, mut torque) = (state.m.to_array(), state.attitude(), [0.0; 3]);
        let (momentum, attitude, into) = (m.as_ptr(), q.as_ptr(), torque.as_mut_ptr());
        // SAFETY: the arrays live here, three, four and three numbers long; the rest is the user's.
        let status = unsafe {
            match self.function {
                CompiledCall::Plain(f) => {
                    f(t, momentum, attitude, into);
                    0
                }
                CompiledCall::PlainStatus(f) => f(t, momentum, attitude, into),
                CompiledCall::WithData(f) => {
                    f(t, momentum, attitude, into, self.user_data);
                    0
                }
                CompiledCall::WithDataStatus(f) => f(t, momentum, attitude, into, self.user_data),
            }
        };
        if status == 0 {
            return DVec3::from_array(torque);
        }
        raised.set(|| {
            let text = format!("the compiled torque returned {status} at t = {t:?}");
            RunFailed::new_err((text, None::<Py<PyAny>>))
        });
        DVec3::NAN
    }
}
