//! `frb_step` and `quat_step` with the argument lists of FRB-FORTRAN (001, section 3), as Fortran
//! compilers call them: lower case, an underscore at the end, every argument by reference.
//!
//! What is new behind them: moments in any order, equal ones included; momentum of any length; any
//! motion, special cases included; inputs and outputs may be the same variables. There is no error
//! argument, so that a step which cannot be done leaves the state as it was, with the status in
//! `polhode_last_error`: no output is NaN for finite input.

use core::ffi::c_char;

use polhode_core::glam::{DMat3, DQuat, DVec3};
use polhode_core::rotor::{self, Exact, Rotor};
use polhode_core::{Inertia, State, so3};

use crate::error::{
    Failure, guard, polhode_clear_error, polhode_last_error, polhode_last_error_message,
    polhode_status,
};
use crate::pointer;
use crate::switch::{exact, polhode_use_exact};

/// The free motion of a body over h.
fn step(published: &str, h: f64, moments: [f64; 3], state: &mut State) -> Result<(), Failure> {
    let inertia = Inertia::principal_unphysical(moments)?;
    if exact() {
        Exact::new(&inertia).step(h, state)?;
    } else {
        rotor::build(published, &inertia)?.step(h, state)?;
    }
    if state.m.is_finite() && state.q.is_finite() { Ok(()) } else { Err(overflow("Piout")) }
}

fn check_finite(name: &str, values: &[f64]) -> Result<(), Failure> {
    if values.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Failure::invalid(format!("{name} = {values:?}: every number must be finite")))
}

fn overflow(name: &str) -> Failure {
    let message = format!("{name}: the result is beyond the range of doubles");
    Failure::new(polhode_status::POLHODE_OUT_OF_RANGE, message)
}

/// Algorithm 1: Qout = Qin R with R the rotation of the step, as published: Qin is not made
/// orthogonal, whatever it is. Columns first.
fn matrix_step(
    h: f64,
    moments: [f64; 3],
    pi: [f64; 3],
    q: [f64; 9],
) -> Result<([f64; 3], [f64; 9]), Failure> {
    check_finite("Piin", &pi)?;
    check_finite("Qin", &q)?;
    let mut state = State { m: pi.into(), q: DQuat::IDENTITY };
    step("frb-matrix", h, moments, &mut state)?;
    let q = DMat3::from_cols_array(&q) * DMat3::from_quat(state.q);
    if !q.is_finite() {
        return Err(overflow("Qout"));
    }
    Ok((state.m.to_array(), q.to_cols_array()))
}

/// Algorithm 2: qout = qin r, of unit length. The bits of the rotor, if qin is of unit length.
fn quaternion_step(
    h: f64,
    moments: [f64; 3],
    pi: [f64; 3],
    q: [f64; 4],
) -> Result<([f64; 3], [f64; 4]), Failure> {
    check_finite("Piin", &pi)?;
    check_finite("qin", &q)?;
    // A quaternion of unit length goes in as it is: the product is then the library's own, to the bit.
    let square = q.iter().map(|x| x * x).sum::<f64>();
    let q = if (square - 1.0).abs() <= 1e-12 {
        so3::from_wxyz(q)
    } else {
        State::new(DVec3::ZERO, so3::from_wxyz(q))?.q
    };
    let mut state = State { m: pi.into(), q };
    step("frb-quaternion", h, moments, &mut state)?;
    Ok((state.m.to_array(), state.attitude()))
}

/// `call frb_step(Piout, Qout, h, aInert, Piin, Qin)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frb_step_(
    pi_out: *mut f64,
    q_out: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
    q_in: *const f64,
) {
    guard(|| {
        // SAFETY: Fortran passes addresses of arrays of these sizes; inputs are read before outputs
        // are written.
        unsafe {
            let pi = pointer::read(pi_in, "Piin")?;
            let q = pointer::read(q_in, "Qin")?;
            let [h] = pointer::read(h, "h")?;
            let stepped = matrix_step(h, pointer::read(inertia, "aInert")?, pi, q);
            let (pi, q) = *stepped.as_ref().unwrap_or(&(pi, q));
            pointer::put_numbers(pi_out, pi, "Piout")?;
            pointer::put_numbers(q_out, q, "Qout")?;
            stepped.map(|_| ())
        }
    });
}

/// `call quat_step(Piout, qout, h, aInert, Piin, qin)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quat_step_(
    pi_out: *mut f64,
    q_out: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
    q_in: *const f64,
) {
    guard(|| {
        // SAFETY: as for `frb_step_`.
        unsafe {
            let pi = pointer::read(pi_in, "Piin")?;
            let q = pointer::read(q_in, "qin")?;
            let [h] = pointer::read(h, "h")?;
            let stepped = quaternion_step(h, pointer::read(inertia, "aInert")?, pi, q);
            let (pi, q) = *stepped.as_ref().unwrap_or(&(pi, q));
            pointer::put_numbers(pi_out, pi, "Piout")?;
            pointer::put_numbers(q_out, q, "qout")?;
            stepped.map(|_| ())
        }
    });
}

/// `call polhode_use_exact(1)`, for programs that do not use the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_use_exact_(exact: *const i32) {
    guard(|| {
        // SAFETY: Fortran passes the address of an integer.
        polhode_use_exact(*unsafe { pointer::get(exact, "exact")? });
        Ok(())
    });
}

/// `call polhode_last_error(status, message)`, for programs that do not use the module: the status
/// and the message of the last failure on this thread, which are then forgotten.
///
/// `length` is that of `message`, which Fortran compilers append to the arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_last_error_(
    status: *mut i32,
    message: *mut c_char,
    length: usize,
) {
    guard(|| {
        // SAFETY: Fortran passes the address of an integer and of `length` characters.
        unsafe {
            let text = core::ffi::CStr::from_ptr(polhode_last_error_message()).to_bytes();
            if !message.is_null() {
                for n in 0..length {
                    let byte = text.get(n).copied().unwrap_or(b' ');
                    message.add(n).write(byte.cast_signed() as c_char);
                }
            }
            pointer::put(status, polhode_last_error() as i32, "status")?;
        }
        polhode_clear_error();
        Ok(())
    });
}
