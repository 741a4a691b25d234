//! Rotations: exponential, logarithm and their derivatives.

use polhode_core::glam::{DMat3, DQuat, DVec3};
use polhode_core::{State, so3};

use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;

/// A vector of finite numbers.
unsafe fn vector(pointer: *const f64, name: &str) -> Result<DVec3, CallFailure> {
    // SAFETY: pointers as the header demands.
    let v: [f64; 3] = unsafe { pointer::read(pointer, name)? };
    if v.iter().all(|x| x.is_finite()) {
        return Ok(v.into());
    }
    Err(CallFailure::invalid(format!("{name} = {v:?}: every component must be finite")))
}

/// A quaternion of unit length; of any other, the one that it is a multiple of.
unsafe fn attitude(pointer: *const f64) -> Result<DQuat, CallFailure> {
    // SAFETY: pointers as the header demands.
    let q = unsafe { pointer::read(pointer, "attitude")? };
    Ok(State::new([0.0; 3], so3::from_wxyz(q))?.q)
}

/// Writes a matrix row by row, if the vector that it belongs to is not too long for one.
unsafe fn put_matrix(found: DMat3, of: DVec3, matrix: *mut f64) -> Result<(), CallFailure> {
    if !found.is_finite() {
        let message =
            format!("vector = {:?}: the result is beyond the range of doubles", of.to_array());
        return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
    }
    // SAFETY: pointers as the header demands.
    unsafe { pointer::put_numbers(matrix, found.transpose().to_cols_array(), "matrix") }
}

/// The exponential: the rotation by the angle |vector| about `vector` (three numbers), as a quaternion
/// w, x, y, z. It is not reduced: after a full turn it is the negative of what it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_exp(vector: *const f64, attitude: *mut f64) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let found = so3::exp(self::vector(vector, "vector")?);
            if !found.is_finite() {
                let message = "vector: its length is beyond the range of doubles";
                return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
            }
            pointer::put_numbers(attitude, so3::to_wxyz(found), "attitude")
        }
    })
}

/// The logarithm, the inverse of polhode_so3_exp(): the rotation vector of a quaternion, which is
/// normalised. Its length is up to 2 pi, and more than pi if the scalar w is negative: for the shorter of
/// the two ways give the quaternion with w >= 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_log(attitude: *const f64, vector: *mut f64) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let found = so3::log(self::attitude(attitude)?);
            pointer::put_numbers(vector, found.to_array(), "vector")
        }
    })
}

/// The derivative of the exponential, a matrix D (nine numbers, row by row):
/// exp(vector + v) = exp(vector) exp(D v) to first order in v.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_dexp(vector: *const f64, matrix: *mut f64) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let psi = self::vector(vector, "vector")?;
            put_matrix(so3::dexp(psi), psi, matrix)
        }
    })
}

/// The inverse of polhode_so3_dexp(), a matrix. It grows without bound as |vector| comes near 2 pi.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_dexpinv(
    vector: *const f64,
    matrix: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let psi = self::vector(vector, "vector")?;
            put_matrix(so3::dexpinv_matrix(psi), psi, matrix)
        }
    })
}

/// The derivative of the logarithm at a quaternion, a matrix D: log(q exp(v)) = log(q) + D v to first
/// order in v.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_dlog(
    attitude: *const f64,
    matrix: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let q = self::attitude(attitude)?;
            put_matrix(so3::dlog(q), so3::log(q), matrix)
        }
    })
}

/// The skew matrix of a vector: hat(a) b = a x b.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_so3_hat(vector: *const f64, matrix: *mut f64) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let a = self::vector(vector, "vector")?;
            put_matrix(so3::hat(a), a, matrix)
        }
    })
}
