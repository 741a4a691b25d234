//! Bodies: their inertia.

use polhode_core::glam::DVec3;
use polhode_core::{Inertia, so3};

use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;

/// A body: its moments of inertia, or its inertia tensor.
pub struct polhode_body {
    pub(crate) inertia: Inertia,
}

/// Makes a body from its inertia.
///
/// - `inertia`: three principal moments in any order, or the nine entries of a symmetric tensor row
///   by row (off the diagonal, minus the integrals of xy, yz, zx over the mass).
/// - `count`: 3 or 9.
/// - `allow_unphysical`: 0 to refuse moments that no body can have (the largest above the sum of the
///   others), anything else to compute with them all the same.
/// - `body`: the handle; NULL after a failure. Free it with polhode_body_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_body_new(
    inertia: *const f64,
    count: usize,
    allow_unphysical: i32,
    body: *mut *mut polhode_body,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(body, "body", || {
                let numbers = pointer::slice(inertia, count, "inertia")?;
                let inertia = Inertia::from_slice(numbers, allow_unphysical != 0)?;
                Ok(polhode_body { inertia })
            })
        }
    })
}

/// Frees a body. Runs and free motions made from it are not affected. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_body_free(body: *mut polhode_body) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(body) };
        Ok(())
    });
}

/// The principal moments of a body (three numbers, in the order given) and the rotation from
/// principal to body coordinates (a quaternion w, x, y, z; 1, 0, 0, 0 where moments were given).
/// Either pointer may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_body_principal(
    body: *const polhode_body,
    moments: *mut f64,
    axes: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let inertia = &pointer::get(body, "body")?.inertia;
            if !moments.is_null() {
                pointer::put_numbers(moments, inertia.moments().to_array(), "moments")?;
            }
            if !axes.is_null() {
                pointer::put_numbers(axes, so3::to_wxyz(inertia.axes()), "axes")?;
            }
        }
        Ok(())
    })
}

/// The result, if it and what it was made from are finite.
fn finite(name: &str, given: [f64; 3], result: DVec3) -> Result<[f64; 3], CallFailure> {
    if !given.iter().all(|x| x.is_finite()) {
        return Err(CallFailure::invalid(format!(
            "{name} = {given:?}: every component must be finite"
        )));
    }
    if !result.is_finite() {
        let message = format!("{name} = {given:?}: the result is beyond the range of doubles");
        return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
    }
    Ok(result.to_array())
}

/// The angular velocity (three numbers, body frame) that belongs to a momentum.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_body_omega(
    body: *const polhode_body,
    momentum: *const f64,
    omega: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let inertia = &pointer::get(body, "body")?.inertia;
            let momentum: [f64; 3] = pointer::read(momentum, "momentum")?;
            let found = finite("momentum", momentum, inertia.omega(momentum))?;
            pointer::put_numbers(omega, found, "omega")
        }
    })
}

/// The angular momentum (three numbers, body frame) that belongs to an angular velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_body_momentum(
    body: *const polhode_body,
    omega: *const f64,
    momentum: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let inertia = &pointer::get(body, "body")?.inertia;
            let omega: [f64; 3] = pointer::read(omega, "omega")?;
            let found = finite("omega", omega, inertia.momentum(omega))?;
            pointer::put_numbers(momentum, found, "momentum")
        }
    })
}
