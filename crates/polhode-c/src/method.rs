//! Methods by name.

use core::ffi::c_char;

use polhode_core::method::Method;
use polhode_core::rotor::Order;

use crate::error::{guard, polhode_status};
use crate::pointer;

/// A method with its parameters.
pub struct polhode_method {
    pub(crate) method: Method,
}

/// What a method is and what it keeps of a free body's motion, to rounding. Flags are 0 or 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_method_properties {
    /// Its order; 0 stands for exact.
    pub order: u32,
    /// Keeps the length of the momentum.
    pub keeps_momentum_norm: i32,
    /// Keeps the momentum in space, as a vector.
    pub keeps_spatial_momentum: i32,
    /// Keeps the kinetic energy.
    pub keeps_energy: i32,
    /// A step back undoes a step.
    pub symmetric: i32,
    /// Keeps the Poisson structure.
    pub symplectic: i32,
}

/// The method of that text: a pair "rkn6-14+exact", a rotor "dmv:order=6" for free bodies, a preset
/// "frb", or another method "rkmk:tableau=gauss2". polhode_catalog_id() lists the names.
///
/// `method` is the handle; NULL after a failure. Free it with polhode_method_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_parse(
    text: *const c_char,
    method: *mut *mut polhode_method,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(method, "method", || {
                let method = Method::parse(pointer::text(text, "text")?)?;
                Ok(polhode_method { method })
            })
        }
    })
}

/// Frees a method. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_free(method: *mut polhode_method) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(method) };
        Ok(())
    });
}

/// The order of a method and what it keeps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_describe(
    method: *const polhode_method,
    properties: *mut polhode_method_properties,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let method = &pointer::get(method, "method")?.method;
            let keeps = method.keeps();
            let found = polhode_method_properties {
                order: match method.order() {
                    Order::Of(order) => order,
                    Order::Exact => 0,
                },
                keeps_momentum_norm: keeps.momentum_norm.into(),
                keeps_spatial_momentum: keeps.spatial_momentum.into(),
                keeps_energy: keeps.energy.into(),
                symmetric: keeps.symmetric.into(),
                symplectic: keeps.symplectic.into(),
            };
            pointer::put(properties, found, "properties")
        }
    })
}
