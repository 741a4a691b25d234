//! Elliptic functions and integrals, of complementary parameters.

use polhode_elliptic::{DomainError, Jacobi, Parameter};

use crate::error::{CallFailure, guard, polhode_status};
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

/// Jacobi's functions of u at mc = 1 - k^2, for any u and any real mc: k^2 < 0 and k^2 > 1 too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi(
    u: f64,
    mc: f64,
    values: *mut polhode_jacobi_values,
) -> polhode_status {
    // SAFETY: pointers as the header demands.
    unsafe { put_jacobi(u, Parameter::complementary(mc), values) }
}

pub(crate) unsafe fn put_jacobi(
    u: f64,
    parameter: Parameter,
    values: *mut polhode_jacobi_values,
) -> polhode_status {
    guard(|| {
        let Jacobi { am, sn, cn, dn, .. } = polhode_elliptic::jacobi(u, parameter)?;
        all_exist(&[am, sn, cn, dn])?;
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(values, polhode_jacobi_values { am, sn, cn, dn }, "values") }
    })
}

/// Refuses values of which some have no limit at an infinite argument.
pub(crate) fn all_exist(values: &[f64]) -> Result<(), CallFailure> {
    if values.iter().any(|x| x.is_nan()) {
        let message = "u or the parameter is infinite, where not every function has a limit";
        return Err(CallFailure::invalid(message));
    }
    Ok(())
}

pub(crate) unsafe fn put(
    value: *mut f64,
    compute: impl FnOnce() -> Result<f64, DomainError>,
) -> polhode_status {
    guard(|| {
        let found = compute()?;
        if !found.is_finite() {
            let message = "the integral diverges";
            return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
        }
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(value, found, "value") }
    })
}

/// Legendre's incomplete integral of the first kind F(phi, k) at mc = 1 - k^2, for any phi; for mc < 0 while
/// it is real.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_f(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_f(phi, mc)) }
}

/// Legendre's incomplete integral of the second kind E(phi, k) at mc = 1 - k^2, for any phi; for mc < 0 while
/// it is real.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_e(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_e(phi, mc)) }
}

/// Legendre's incomplete integral of the third kind, of 1/((1 - n sin^2) sqrt(1 - k^2 sin^2)) from 0
/// to phi, at nc = 1 - n and mc = 1 - k^2; for n > 1 the Cauchy principal value.
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

/// The complete integral of the third kind at nc = 1 - n and mc = 1 - k^2 > 0; for n > 1 the Cauchy principal
/// value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_pi(nc: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_pi(nc, mc)) }
}

/// Carlson's R_F(x, y, z): none negative, at most one zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rf(x: f64, y: f64, z: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rf(x, y, z)) }
}

/// Carlson's R_C(x, y): x not negative, y not zero; for y < 0 the Cauchy principal value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rc(x: f64, y: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rc(x, y)) }
}

/// Carlson's R_D(x, y, z): none negative, z not zero, nor both x and y.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rd(x: f64, y: f64, z: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rd(x, y, z)) }
}

/// Carlson's R_J(x, y, z, p): x, y, z not negative, at most one zero; p not zero, and for p < 0 the Cauchy
/// principal value.
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

/// Carlson's R_G(x, y, z): none negative.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_rg(x: f64, y: f64, z: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::rg(x, y, z)) }
}

/// The complete integral D = (K - E)/k^2 at mc = 1 - k^2 > 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_d(mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_d(mc)) }
}

/// The complete integral B = K - D at mc = 1 - k^2 >= 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_b(mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_b(mc)) }
}

/// The incomplete integral D = (F - E)/k^2 at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_d(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_d(phi, mc)) }
}

/// The incomplete integral B = F - D at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_b(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_b(phi, mc)) }
}

/// Jacobi's zeta function of the amplitude phi at mc = 1 - k^2 >= 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi_zeta(phi: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::jacobi_zeta(phi, mc)) }
}

/// The u of least size with sn u = x, at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_sn(x: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_sn(x, mc)) }
}

/// The least u >= 0 with cn u = x, at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_cn(x: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_cn(x, mc)) }
}

/// The least u >= 0 with dn u = x, at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_dn(x: f64, mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_dn(x, mc)) }
}

/// Bulirsch's complete integral of (a cos^2 + b sin^2)/((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_cel(
    kc: f64,
    p: f64,
    a: f64,
    b: f64,
    value: *mut f64,
) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::cel(kc, p, a, b)) }
}

/// The nome q at mc = 1 - k^2 >= 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_nome(mc: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::nome(mc)) }
}

/// Jacobi's theta_1(z, q), 0 <= q < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_theta1(z: f64, q: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::theta1(z, q)) }
}

/// Jacobi's theta_2(z, q), 0 <= q < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_theta2(z: f64, q: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::theta2(z, q)) }
}

/// Jacobi's theta_3(z, q), -1 < q < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_theta3(z: f64, q: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::theta3(z, q)) }
}

/// Jacobi's theta_4(z, q), -1 < q < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_theta4(z: f64, q: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::theta4(z, q)) }
}

/// The parameter m = k^2 that has the nome q, -1 < q <= 1, and mc = 1 - m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_nome(q: f64, m: *mut f64, mc: *mut f64) -> polhode_status {
    guard(|| {
        let found = polhode_elliptic::inverse_nome(q)?;
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::put(m, found.value(), "m")?;
            pointer::put(mc, found.complement(), "mc")
        }
    })
}
