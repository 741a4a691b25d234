//! The free motion of a body: random access in time.

use core::ffi::{CStr, c_char};

use polhode_core::{FreeMotion, Regime, so3};

use crate::body::polhode_body;
use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;
use crate::state::polhode_state;

/// The free motion of a body, from a state at time zero.
pub struct polhode_free_motion {
    pub(crate) motion: FreeMotion,
}

const ALIGNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// The free motion from a momentum at time zero.
///
/// - `momentum`: three numbers, body frame.
/// - `attitude`: quaternion w, x, y, z, which is normalised; NULL for body and space axes aligned.
/// - `motion`: the handle; NULL after a failure. Free it with polhode_free_motion_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_from_momentum(
    body: *const polhode_body,
    momentum: *const f64,
    attitude: *const f64,
    motion: *mut *mut polhode_free_motion,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(motion, "motion", || {
                let inertia = &pointer::get(body, "body")?.inertia;
                let momentum = pointer::read(momentum, "momentum")?;
                let attitude = pointer::read_or(attitude, ALIGNED);
                let start = polhode_state { momentum, attitude }.checked()?;
                Ok(polhode_free_motion { motion: FreeMotion::new(inertia, start)? })
            })
        }
    })
}

/// Makes the free motion that starts with an angular velocity (three numbers, body frame), which counts as exact:
/// over long times more accurate than the rounded momentum that belongs to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_from_omega(
    body: *const polhode_body,
    omega: *const f64,
    attitude: *const f64,
    motion: *mut *mut polhode_free_motion,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(motion, "motion", || {
                let inertia = &pointer::get(body, "body")?.inertia;
                let omega: [f64; 3] = pointer::read(omega, "omega")?;
                let attitude = so3::from_wxyz(pointer::read_or(attitude, ALIGNED));
                Ok(polhode_free_motion {
                    motion: FreeMotion::from_omega(inertia, omega, attitude)?,
                })
            })
        }
    })
}

/// Frees a free motion. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_free(motion: *mut polhode_free_motion) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(motion) };
        Ok(())
    });
}

/// The state at time t: any t, also before the start. The sign of the quaternion is that of the
/// motion, which is continuous.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_at(
    motion: *const polhode_free_motion,
    t: f64,
    state: *mut polhode_state,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let motion = &pointer::get(motion, "motion")?.motion;
            pointer::put(state, motion.at(t)?.into(), "state")
        }
    })
}

/// States that are computed before they are copied to the caller.
const BLOCK: usize = 64;

/// The states at `count` times, in any order. `times` and `states` must not overlap.
///
/// On failure the states before the time at fault are written; the message gives its place, counted
/// from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_at_times(
    motion: *const polhode_free_motion,
    times: *const f64,
    count: usize,
    states: *mut polhode_state,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands; states[n] is within `count` elements.
        unsafe {
            let motion = &pointer::get(motion, "motion")?.motion;
            let times = pointer::slice(times, count, "times")?;
            pointer::check_count::<polhode_state>(count, "states")?;
            if states.is_null() && count > 0 {
                return Err(CallFailure::null("states"));
            }
            let mut buffer = [*motion.start(); BLOCK];
            for (block, times) in times.chunks(BLOCK).enumerate() {
                let (done, outcome) = motion.at_leading(times, &mut buffer[..times.len()]);
                for (n, state) in buffer[..done].iter().enumerate() {
                    pointer::put(states.add(block * BLOCK + n), (*state).into(), "states")?;
                }
                outcome.map_err(|error| {
                    let failure = CallFailure::from(error);
                    let n = block * BLOCK + done;
                    CallFailure::new(failure.status, format!("times[{n}]: {}", failure.message))
                })?;
            }
        }
        Ok(())
    })
}

/// What is to be known of a free motion as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_free_motion_properties {
    /// "rest", "steady", "symmetric-top", "about-minor", "about-major" or "separatrix": what the
    /// momentum does in the body. A text of the library: not to be freed.
    pub regime: *const c_char,
    /// The period of the momentum in the body; infinite where it has none.
    pub period: f64,
    /// The mean rate, in radians per time, at which the axis that the momentum circles turns about
    /// the momentum in space.
    pub precession_rate: f64,
    /// 1 - 2 T I2/|m|^2: negative while the momentum circles the axis of the least moment, positive
    /// for the greatest, zero on the separatrix and at rest.
    pub separatrix_distance: f64,
}

const fn regime_name(regime: Regime) -> &'static CStr {
    match regime {
        Regime::Rest => c"rest",
        Regime::Steady => c"steady",
        Regime::SymmetricTop => c"symmetric-top",
        Regime::AboutMinor => c"about-minor",
        Regime::AboutMajor => c"about-major",
        Regime::Separatrix => c"separatrix",
        _ => c"unknown",
    }
}

/// Regime, period, precession rate and distance from the separatrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_describe(
    motion: *const polhode_free_motion,
    properties: *mut polhode_free_motion_properties,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let motion = &pointer::get(motion, "motion")?.motion;
            let found = polhode_free_motion_properties {
                regime: regime_name(motion.regime()).as_ptr(),
                period: motion.period().unwrap_or(f64::INFINITY),
                precession_rate: motion.precession_rate(),
                separatrix_distance: motion.separatrix_distance().unwrap_or(0.0),
            };
            pointer::put(properties, found, "properties")
        }
    })
}

/// The first time after t at which the body turns over: the momentum's component along the middle
/// axis passes through zero. Infinite if that never happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_free_motion_next_flip(
    motion: *const polhode_free_motion,
    t: f64,
    flip: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let motion = &pointer::get(motion, "motion")?.motion;
            pointer::put(flip, motion.next_flip(t)?.unwrap_or(f64::INFINITY), "flip")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::regime_name;
    use polhode_core::Regime;

    #[test]
    fn regimes_have_the_names_of_the_library() {
        for regime in Regime::ALL {
            assert_eq!(regime_name(regime).to_str(), Ok(regime.name()));
        }
    }
}
