//! The one switch of the library.

use core::sync::atomic::{AtomicBool, Ordering};

static EXACT: AtomicBool = AtomicBool::new(false);

/// Whether the Fortran routines step by the rotor `exact`.
pub(crate) fn exact() -> bool {
    EXACT.load(Ordering::Relaxed)
}

/// Chooses what the Fortran routines frb_step and quat_step compute with: 0, as at the start, for
/// the algorithms as published (`frb-matrix`, `frb-quaternion`); anything else for the exact step by
/// addition theorems, which gives the same motion in a fraction of the time. Returns what was set
/// before, 0 or 1.
///
/// The published argument lists have no room for a choice, so this is the only state of the library
/// that is global. It holds for all threads, because a program sets it once and then steps in many;
/// it is atomic, so that changing it while others step is safe: each call uses one or the other.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_use_exact(exact: i32) -> i32 {
    EXACT.swap(exact != 0, Ordering::Relaxed).into()
}
