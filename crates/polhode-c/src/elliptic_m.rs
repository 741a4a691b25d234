//! Elliptic functions and integrals of the parameter m = k^2 and the characteristic n themselves, which near zero
//! have digits that 1 - m and 1 - n have not; and the quotients of Jacobi's functions.

use polhode_elliptic::{Parameter, SnCnDn};

use crate::elliptic::{all_exist, polhode_jacobi_values, put, put_jacobi};
use crate::error::{guard, polhode_status};
use crate::pointer;

/// Jacobi's functions of u at m = k^2, for any u and any real m: m < 0 and m > 1 too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi_m(
    u: f64,
    m: f64,
    values: *mut polhode_jacobi_values,
) -> polhode_status {
    // SAFETY: pointers as the header demands.
    unsafe { put_jacobi(u, Parameter::new(m), values) }
}

/// The nine quotients of sn, cn and dn: the first letter is above, the second below; n is one. Infinite where
/// the one below is zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_jacobi_quotient_values {
    /// 1/sn.
    pub ns: f64,
    /// 1/cn.
    pub nc: f64,
    /// 1/dn.
    pub nd: f64,
    /// sn/cn.
    pub sc: f64,
    /// sn/dn.
    pub sd: f64,
    /// cn/dn.
    pub cd: f64,
    /// cn/sn.
    pub cs: f64,
    /// dn/sn.
    pub ds: f64,
    /// dn/cn.
    pub dc: f64,
}

fn quotients(j: &SnCnDn) -> polhode_jacobi_quotient_values {
    polhode_jacobi_quotient_values {
        ns: j.ns(),
        nc: j.nc(),
        nd: j.nd(),
        sc: j.sc(),
        sd: j.sd(),
        cd: j.cd(),
        cs: j.cs(),
        ds: j.ds(),
        dc: j.dc(),
    }
}

unsafe fn put_quotients(
    u: f64,
    parameter: Parameter,
    values: *mut polhode_jacobi_quotient_values,
) -> polhode_status {
    guard(|| {
        let j = polhode_elliptic::sn_cn_dn(u, parameter)?;
        all_exist(&[j.sn, j.cn, j.dn])?;
        let found = quotients(&j);
        // SAFETY: pointers as the header demands.
        unsafe { pointer::put(values, found, "values") }
    })
}

/// The quotients of Jacobi's functions of u at mc = 1 - k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi_quotients(
    u: f64,
    mc: f64,
    values: *mut polhode_jacobi_quotient_values,
) -> polhode_status {
    // SAFETY: pointers as the header demands.
    unsafe { put_quotients(u, Parameter::complementary(mc), values) }
}

/// The quotients of Jacobi's functions of u at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi_quotients_m(
    u: f64,
    m: f64,
    values: *mut polhode_jacobi_quotient_values,
) -> polhode_status {
    // SAFETY: pointers as the header demands.
    unsafe { put_quotients(u, Parameter::new(m), values) }
}

/// The complete integral of the first kind K(k) at m = k^2 < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_k_m(m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_k(Parameter::new(m))) }
}

/// The complete integral of the second kind E(k) at m = k^2 <= 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_e_m(m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_e(Parameter::new(m))) }
}

/// The complete integral D = (K - E)/k^2 at m = k^2 < 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_d_m(m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_d(Parameter::new(m))) }
}

/// The complete integral B = K - D at m = k^2 <= 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_b_m(m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_b(Parameter::new(m))) }
}

/// The complete integral of the third kind at n and m = k^2 < 1; for n > 1 the Cauchy principal value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_complete_pi_m(n: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::complete_pi(Parameter::new(n), Parameter::new(m))) }
}

/// Legendre's incomplete integral of the first kind F(phi, k) at m = k^2; for m > 1 while it is real.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_f_m(phi: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_f(phi, Parameter::new(m))) }
}

/// Legendre's incomplete integral of the second kind E(phi, k) at m = k^2; for m > 1 while it is real.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_e_m(phi: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_e(phi, Parameter::new(m))) }
}

/// The incomplete integral D = (F - E)/k^2 at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_d_m(phi: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_d(phi, Parameter::new(m))) }
}

/// The incomplete integral B = F - D at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_b_m(phi: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::incomplete_b(phi, Parameter::new(m))) }
}

/// Legendre's incomplete integral of the third kind at n and m = k^2; for n > 1 the Cauchy principal value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_elliptic_pi_m(
    phi: f64,
    n: f64,
    m: f64,
    value: *mut f64,
) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe {
        put(value, || polhode_elliptic::incomplete_pi(phi, Parameter::new(n), Parameter::new(m)))
    }
}

/// Jacobi's zeta function of the amplitude phi at m = k^2 <= 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_jacobi_zeta_m(
    phi: f64,
    m: f64,
    value: *mut f64,
) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::jacobi_zeta(phi, Parameter::new(m))) }
}

/// The u of least size with sn u = x, at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_sn_m(x: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_sn(x, Parameter::new(m))) }
}

/// The least u >= 0 with cn u = x, at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_cn_m(x: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_cn(x, Parameter::new(m))) }
}

/// The least u >= 0 with dn u = x, at m = k^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inverse_dn_m(x: f64, m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::inverse_dn(x, Parameter::new(m))) }
}

/// The nome q at m = k^2 <= 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_nome_m(m: f64, value: *mut f64) -> polhode_status {
    // SAFETY: the pointer as the header demands.
    unsafe { put(value, || polhode_elliptic::nome(Parameter::new(m))) }
}
