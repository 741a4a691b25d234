//! Elliptic functions and integrals.

use polhode_elliptic::DomainError;

use crate::error::{Failure, guard, polhode_status};
use crate::pointer;

/// am, sn, cn and dn of one argument.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_jacobi_values {
    /// The amplitude, not reduced.
    pub am: f64,
    /// sin am.
    pub sn: f64,
    /// cos am.
    pub cn: f64,
    /// sqrt(1 - k^2 sn^2).
    pub dn: f64,
}

/// Jacobi's functions of u at mc = 1 - k^2, 0 <= mc <= 1, for any u.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi(
    u: f64,
    mc: f64,
    values: *mut polhode_jacobi_values,
) -> polhode_status {
    guard(|| {
        let found = polhode_elliptic::jacobi(u, mc)?;
        let found =
            polhode_jacobi_values { am: found.am, sn: found.sn, cn: found.cn, dn: found.dn };
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(values, found, "values") }
    })
}

unsafe fn put(
    value: *mut f64,
    compute: impl FnOnce() -> Result<f64, DomainError>,
) -> polhode_status {
    guard(|| {
        let found = compute()?;
        if !found.is_finite() {
            let message = "the integral diverges";
            return Err(Failure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
        }
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(value, found, "value") }
    })
}

/// Legendre's incomplete integral of the first kind F(phi, k) at mc = 1 - k^2, for any phi.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_f(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_f(phi, mc)) }
}

/// Legendre's incomplete integral of the second kind E(phi, k) at mc = 1 - k^2, for any phi.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_e(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_e(phi, mc)) }
}

/// Legendre's incomplete integral of the third kind, of 1/((1 - n sin^2) sqrt(1 - k^2 sin^2)) from 0
/// to phi, at nc = 1 - n and mc = 1 - k^2; for n >= 1 up to its pole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_pi(
    phi: f64,
    nc: f64,
    mc: f64,
    value: *mut f64,
) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_pi(phi, nc, mc)) }
}

/// The complete integral of the first kind K(k) at mc = 1 - k^2 > 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_k(mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_k(mc)) }
}

/// The complete integral of the second kind E(k) at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_e(mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_e(mc)) }
}

/// The complete integral of the third kind at nc = 1 - n > 0 and mc = 1 - k^2 > 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_pi(nc: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_pi(nc, mc)) }
}

/// Carlson's R_F(x, y, z): each zero or 1e-280 to 1e280, at most one zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rf(x: f64, y: f64, z: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rf(x, y, z)) }
}

/// Carlson's R_C(x, y): x zero or 1e-280 to 1e280, y 1e-280 to 1e280.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rc(x: f64, y: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rc(x, y)) }
}

/// Carlson's R_D(x, y, z): x and y zero or 1e-100 to 1e100, at most one zero; z 1e-100 to 1e100.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rd(x: f64, y: f64, z: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rd(x, y, z)) }
}

/// Carlson's R_J(x, y, z, p): x, y, z zero or 1e-100 to 1e100, at most one zero; p 1e-100 to 1e100.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rj(
    x: f64,
    y: f64,
    z: f64,
    p: f64,
    value: *mut f64,
) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rj(x, y, z, p)) }
}
