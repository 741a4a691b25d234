//! Methods by name.

use core::ffi::c_char;

use polhode_core::composition::{Scheme, Stage};
use polhode_core::method::{Custom, Method, Order, Tableau};

use crate::error::{CallFailure, guard, polhode_status};
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

/// What a stage of a splitting method does.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum polhode_stage_kind {
    /// Free motion over this part of the step.
    POLHODE_DRIFT = 0,
    /// The torque's impulse over this part of the step.
    POLHODE_KICK = 1,
    /// The impulse of the potential b V - c h^2 W with W = torque . I^-1 torque. For torques that do not
    /// depend on the momentum and whose derivative is known: those of the library.
    POLHODE_GRADIENT = 2,
}

/// A stage of a splitting method.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_stage {
    /// One of polhode_stage_kind.
    pub kind: i32,
    /// The part of the step; of a gradient, b.
    pub part: f64,
    /// Of a gradient, c; else not looked at.
    pub gradient: f64,
}

/// A splitting method of the caller's own coefficients.
///
/// - `id`: its name, a word without '+', ':', '=' and spaces. With ":compensated" behind it, as in
///   "mine:compensated", the digits that adding a kick drops are carried to the next one.
/// - `order`: its order, which is believed, not measured.
/// - `stages`: the `count` stages of a step, in the order in which they are applied. The drifts add up to 1,
///   and so do the kicks.
/// - `attitude_only`: not 0 if its order conditions hold only for torques that do not depend on the
///   momentum; others are then refused.
/// - `rotor`: the flow of the free body for its drifts, for example "exact".
/// - `method`: the handle; NULL after a failure. Free it with polhode_method_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_from_stages(
    id: *const c_char,
    order: u32,
    stages: *const polhode_stage,
    count: usize,
    attitude_only: i32,
    rotor: *const c_char,
    method: *mut *mut polhode_method,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(method, "method", || {
                let given = pointer::slice(stages, count, "stages")?.iter().enumerate();
                let stages: Result<Vec<_>, _> = given.map(|(n, one)| stage(n, one)).collect();
                let text = pointer::text(id, "id")?;
                let plain = text.strip_suffix(":compensated");
                let mut scheme = Scheme::new(plain.unwrap_or(text), order, stages?)?;
                if attitude_only != 0 {
                    scheme = scheme.for_torques_of_attitude();
                }
                let method = Method::splitting(scheme, pointer::text(rotor, "rotor")?)?;
                let method = if plain.is_some() { method.compensated()? } else { method };
                Ok(polhode_method { method })
            })
        }
    })
}

fn stage(n: usize, one: &polhode_stage) -> Result<Stage, CallFailure> {
    let &polhode_stage { kind, part, gradient } = one;
    match kind {
        x if x == polhode_stage_kind::POLHODE_DRIFT as i32 => Ok(Stage::Drift(part)),
        x if x == polhode_stage_kind::POLHODE_KICK as i32 => Ok(Stage::Kick(part)),
        x if x == polhode_stage_kind::POLHODE_GRADIENT as i32 => {
            Ok(Stage::Gradient(part, gradient))
        }
        other => Err(CallFailure::invalid(format!(
            "stages[{n}].kind = {other}: must be POLHODE_DRIFT (0), POLHODE_KICK (1) or \
             POLHODE_GRADIENT (2)"
        ))),
    }
}

/// The Munthe-Kaas Runge-Kutta method of the caller's own tableau, explicit or implicit.
///
/// - `id`: its name.
/// - `order`: its order, at least 1, which is believed, not measured.
/// - `stages`: how many, 1 to 7.
/// - `a`: stages times stages numbers, row by row; each row sums to its node.
/// - `b`: the weights, which sum to 1.
/// - `c`: the nodes.
/// - `method`: the handle; NULL after a failure. Free it with polhode_method_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_from_tableau(
    id: *const c_char,
    order: u32,
    stages: usize,
    a: *const f64,
    b: *const f64,
    c: *const f64,
    method: *mut *mut polhode_method,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(method, "method", || {
                let id = pointer::text(id, "id")?;
                if order == 0 {
                    return Err(CallFailure::invalid(format!(
                        "{id}: order 0; it must be at least 1"
                    )));
                }
                let a = pointer::slice(a, stages.saturating_mul(stages), "a")?;
                let b = pointer::slice(b, stages, "b")?;
                let c = pointer::slice(c, stages, "c")?;
                let rows: Vec<&[f64]> = a.chunks(stages.max(1)).collect();
                let tableau = Tableau::new(&rows, b, c)?;
                Ok(polhode_method { method: Custom::tableau(id, order, tableau).into() })
            })
        }
    })
}

/// 1 if ensembles run this method in SIMD lanes, several bodies at once; 0 if one by one, or for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_method_runs_in_lanes(method: *const polhode_method) -> i32 {
    // SAFETY: a handle, or NULL.
    unsafe { method.as_ref() }.is_some_and(|method| method.method.runs_in_lanes()).into()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A method of two half kicks about a drift.
    fn own(id: &core::ffi::CStr) -> (polhode_status, Option<String>) {
        let [kick, drift] =
            [(1, 0.5), (0, 1.0)].map(|(kind, part)| polhode_stage { kind, part, gradient: 0.0 });
        let (stages, mut handle) = ([kick, drift, kick], core::ptr::null_mut());
        let (id, rotor) = (id.as_ptr(), c"exact".as_ptr());
        // SAFETY: texts that end, three stages, and a handle that is freed once.
        unsafe {
            let to = &raw mut handle;
            let status = polhode_method_from_stages(id, 2, stages.as_ptr(), 3, 0, rotor, to);
            let text = handle.as_ref().map(|handle| handle.method.to_string());
            polhode_method_free(handle);
            (status, text)
        }
    }

    #[test]
    fn stages_are_compensated_where_the_id_says_so() {
        let named = |text: &str| (polhode_status::POLHODE_OK, Some(text.to_owned()));
        assert_eq!(own(c"mine"), named("mine+exact"));
        assert_eq!(own(c"mine:compensated"), named("mine:compensated+exact"));
        for id in [c":compensated", c"mine:compensated:compensated", c"mine:order=2"] {
            assert_eq!(own(id), (polhode_status::POLHODE_INVALID, None), "{id:?}");
        }
    }
}
