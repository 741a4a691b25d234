//! The components of FRB-FORTRAN that Celledoni & Zanna, section 3.4, name, for programs that call them
//! directly.
//!
//! The paper prints the arguments of `ellint_pi` and `eint_gauss` only; the others are defined here,
//! and documented in docs/c-and-fortran.md. Out of its domain a routine gives 0, with the status in
//! `polhode_last_error`: never NaN for finite input.

use polhode_core::Inertia;
use polhode_core::rotor::components::{momentum_step, quadrature_pi};
use polhode_elliptic::{DomainError, incomplete_pi, rc, rf, rj};

use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;

/// A number, by reference.
unsafe fn number(pointer: *const f64, name: &str) -> Result<f64, CallFailure> {
    // SAFETY: Fortran passes the address of a number.
    let [x] = unsafe { pointer::read(pointer, name)? };
    if x.is_finite() {
        return Ok(x);
    }
    Err(CallFailure::invalid(format!("{name} = {x:?}: must be finite")))
}

/// What the body finds, or 0 with the error left for the caller.
fn value(body: impl FnOnce() -> Result<f64, CallFailure>) -> f64 {
    let mut value = 0.0;
    guard(|| {
        let found = body()?;
        if !found.is_finite() {
            let message = "the integral diverges";
            return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
        }
        value = found;
        Ok(())
    });
    value
}

/// Characteristic and modulus as the caller gave them, with their complements 1 - n and 1 - k².
struct PiArguments {
    n: f64,
    nc: f64,
    mc: f64,
}

impl PiArguments {
    /// `ann` and `ak`, if there is such a modulus.
    unsafe fn read(n: *const f64, k: *const f64) -> Result<Self, CallFailure> {
        // SAFETY: Fortran passes addresses of numbers.
        let (n, k) = unsafe { (number(n, "ann")?, number(k, "ak")?) };
        if k.abs() > 1.0 {
            return Err(CallFailure::invalid(format!("ak = {k:?}: must be -1 to 1")));
        }
        Ok(Self { n, nc: 1.0 - n, mc: (1.0 - k) * (1.0 + k) })
    }

    /// The failure of an integral: the caller has no `nc`.
    fn refused(&self, error: &DomainError) -> CallFailure {
        match error.argument {
            "nc" => CallFailure::invalid(format!(
                "ann = {:?}: must be such that {}",
                self.n, error.allowed
            )),
            _ => CallFailure::invalid(error.to_string()),
        }
    }

    fn pi(&self, phi: f64) -> Result<f64, CallFailure> {
        incomplete_pi(phi, self.nc, self.mc).map_err(|error| self.refused(&error))
    }
}

/// `call EgellipX_step(Piout, phinoll, phiout, ak, h, aInert, Piin)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn egellipx_step_(
    pi_out: *mut f64,
    phi_in: *mut f64,
    phi_out: *mut f64,
    k: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
) {
    guard(|| {
        // SAFETY: Fortran passes addresses of numbers and of arrays of three.
        unsafe {
            let pi: [f64; 3] = pointer::read(pi_in, "Piin")?;
            let [h] = pointer::read(h, "h")?;
            let moments: [f64; 3] = pointer::read(inertia, "aInert")?;
            let stepped = Inertia::principal_unphysical(moments)
                .map_err(CallFailure::from)
                .and_then(|inertia| Ok(momentum_step(&inertia, pi, h)?));
            let (momentum, amplitudes, modulus) = match &stepped {
                Ok(step) => (step.momentum.to_array(), step.amplitudes, step.modulus),
                Err(_) => (pi, [0.0; 2], 0.0),
            };
            pointer::put_numbers(pi_out, momentum, "Piout")?;
            pointer::put(phi_in, amplitudes[0], "phinoll")?;
            pointer::put(phi_out, amplitudes[1], "phiout")?;
            pointer::put(k, modulus, "ak")?;
            stepped.map(|_| ())
        }
    });
}

/// `EgellipX_step` under the other name that the paper has for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn egellpjx_step_(
    pi_out: *mut f64,
    phi_in: *mut f64,
    phi_out: *mut f64,
    k: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
) {
    // SAFETY: the same arguments.
    unsafe { egellipx_step_(pi_out, phi_in, phi_out, k, h, inertia, pi_in) }
}

/// `call ellint_pi(ellpival, phinoll, phiout, ak, ann)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ellint_pi_(
    result: *mut f64,
    phi_in: *const f64,
    phi_out: *const f64,
    k: *const f64,
    n: *const f64,
) {
    // SAFETY: Fortran passes addresses of numbers.
    let found = value(|| unsafe {
        let phi = [number(phi_in, "phinoll")?, number(phi_out, "phiout")?];
        let parameters = PiArguments::read(n, k)?;
        Ok(parameters.pi(phi[1])? - parameters.pi(phi[0])?)
    });
    // SAFETY: as above.
    guard(|| unsafe { pointer::put(result, found, "ellpival") });
}

/// `call eint_gauss(ellpival, phinoll, phiout, ak, ann, np)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eint_gauss_(
    result: *mut f64,
    phi_in: *const f64,
    phi_out: *const f64,
    k: *const f64,
    n: *const f64,
    points: *const i32,
) {
    // SAFETY: Fortran passes addresses of numbers.
    let found = value(|| unsafe {
        let phi = [number(phi_in, "phinoll")?, number(phi_out, "phiout")?];
        let parameters = PiArguments::read(n, k)?;
        let np = *pointer::get(points, "np")?;
        let points = u32::try_from(np).ok().filter(|points| (1..=10).contains(points));
        let points =
            points.ok_or_else(|| CallFailure::invalid(format!("np = {np}: must be 1 to 10")))?;
        quadrature_pi(phi, parameters.nc, parameters.mc, points).map_err(|_| {
            // All else has been checked.
            let message = format!(
                "phinoll = {:?}, phiout = {:?}: the rule meets a pole between them",
                phi[0], phi[1]
            );
            CallFailure::invalid(message)
        })
    });
    // SAFETY: as above.
    guard(|| unsafe { pointer::put(result, found, "ellpival") });
}

/// `x = ellpi(phi, ann, ak)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ellpi_(phi: *const f64, n: *const f64, k: *const f64) -> f64 {
    // SAFETY: Fortran passes addresses of numbers.
    value(|| unsafe { PiArguments::read(n, k)?.pi(number(phi, "phi")?) })
}

/// `x = rf(x, y, z)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_(x: *const f64, y: *const f64, z: *const f64) -> f64 {
    // SAFETY: Fortran passes addresses of numbers.
    value(|| unsafe { Ok(rf(number(x, "x")?, number(y, "y")?, number(z, "z")?)?) })
}

/// `x = rj(x, y, z, p)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rj_(x: *const f64, y: *const f64, z: *const f64, p: *const f64) -> f64 {
    // SAFETY: Fortran passes addresses of numbers.
    value(|| unsafe { Ok(rj(number(x, "x")?, number(y, "y")?, number(z, "z")?, number(p, "p")?)?) })
}

/// `x = rc(x, y)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rc_(x: *const f64, y: *const f64) -> f64 {
    // SAFETY: Fortran passes addresses of numbers.
    value(|| unsafe { Ok(rc(number(x, "x")?, number(y, "y")?)?) })
}
