//! States with their derivatives, as matrices.

use polhode_core::rotor::Exact;
use polhode_core::so3;
use polhode_core::tangent::{HeldQuantity, InertiaTangent, MotionTangent, Tangent};

use crate::body::polhode_body;
use crate::error::{CallFailure, guard, polhode_status};
use crate::free_motion::polhode_free_motion;
use crate::pointer;
use crate::solve::unless_refused;
use crate::state::polhode_state;
use crate::torque::{polhode_torque, problem};

/// A state with its derivatives. A state varies by six numbers: a change of the momentum, and a small
/// rotation vector del, both in the body frame, q -> q exp(del). Matrices are stored row by row.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_tangent {
    /// The state itself.
    pub state: polhode_state,
    /// 6 x 6: by the state at the start.
    pub state_transition: [f64; 36],
    /// 6 x 3: by I11, I22, I33.
    pub inertia: [f64; 18],
    /// 6 x 3: by I12, I13, I23, each with its mirror image.
    pub inertia_off: [f64; 18],
    /// 6: by time.
    pub time: [f64; 6],
    /// 1 if the angular velocity at the start stays the same while the inertia changes, 0 if the momentum does.
    pub holds_omega: i32,
}

fn flat<const N: usize, const M: usize>(rows: [[f64; N]; 6]) -> [f64; M] {
    let mut made = [0.0; M];
    made.copy_from_slice(rows.as_flattened());
    made
}

fn tangent(tangent: &Tangent, by: &InertiaTangent) -> polhode_tangent {
    polhode_tangent {
        state: tangent.state.into(),
        state_transition: flat(tangent.state_transition),
        inertia: flat(by.inertia),
        inertia_off: flat(by.inertia_off),
        time: tangent.time,
        holds_omega: i32::from(by.held == HeldQuantity::AngularVelocity),
    }
}

/// The state of a free motion at time t with its derivatives, in closed form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_tangent_at(
    motion: *const polhode_free_motion,
    t: f64,
    found: *mut polhode_tangent,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let motion = &pointer::get(motion, "motion")?.motion;
            pointer::get(found.cast_const(), "found")?;
            let (at, by) = motion.inertia_tangent_at(t)?;
            pointer::put(found, tangent(&at, &by), "found")
        }
    })
}

/// One exact step of a free body, of length h, with its derivatives: by the state before the step, the
/// inertia and h.
///
/// - `state`: the state before the step and after it; its attitude is taken as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_tangent_step(
    body: *const polhode_body,
    h: f64,
    state: *mut polhode_state,
    found: *mut polhode_tangent,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let inertia = &pointer::get(body, "body")?.inertia;
            let mut at = pointer::get(state.cast_const(), "state")?.unchecked();
            let (step, by) = Exact::new(inertia).inertia_tangent_step(h, &mut at)?;
            pointer::put(found, tangent(&step, &by), "found")?;
            pointer::put(
                state,
                polhode_state { momentum: at.m.to_array(), attitude: so3::to_wxyz(at.q) },
                "state",
            )
        }
    })
}

/// Solves the motion of a body with a torque and gives the state at the end with its derivatives, each column
/// to the tolerance, relative to the column; those by the inertia at a fixed momentum at the start.
///
/// - `body`, `torque` (NULL for a free body), `start`, `t0`, `until`: as for polhode_solve().
/// - `tolerance`: from 1e-14 to 0.1.
/// - `parameters`: the derivatives by the parameters of the torque, 6 numbers each; NULL if not wanted.
/// - `parameter_count`: room for so many; after the call, how many there are, in the order of the keys of the torques.
///   NULL if `parameters` is. More than there is room for: POLHODE_INVALID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_solve_tangent(
    body: *const polhode_body,
    torque: *const polhode_torque,
    start: *const polhode_state,
    t0: f64,
    until: f64,
    tolerance: f64,
    found: *mut polhode_tangent,
    parameters: *mut f64,
    parameter_count: *mut usize,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let (problem, refused) = problem(body, torque, start, t0)?;
            let solved = problem.solve_tangent(until, tolerance);
            unless_refused(&refused)?;
            let at = solved?.at(until)?;
            let MotionTangent { tangent: at, by_inertia, by_parameters, .. } = at;
            let by =
                by_inertia.ok_or_else(|| CallFailure::invalid("no derivatives by the inertia"))?;
            if !parameters.is_null() {
                let room = *pointer::get(parameter_count.cast_const(), "parameter_count")?;
                let needed = by_parameters.len();
                if needed > room {
                    let text =
                        format!("parameter_count = {room}: the torque has {needed} parameters");
                    return Err(CallFailure::invalid(text));
                }
                for (k, column) in by_parameters.iter().enumerate() {
                    for (row, x) in column.iter().enumerate() {
                        pointer::put(parameters.add(6 * k + row), *x, "parameters")?;
                    }
                }
                pointer::put(parameter_count, needed, "parameter_count")?;
            }
            pointer::put(found, tangent(&at, &by), "found")
        }
    })
}
