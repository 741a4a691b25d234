//! Events of a solution: functions whose zeros are looked for, and what happens there.

use core::cell::Cell;
use core::ffi::c_void;

use polhode_core::solve::{Change, Direction, Event};
use polhode_core::{State, Stop};

use crate::error::CallFailure;
use crate::state::polhode_state;

/// Computes a function of time and state whose zeros are events, into `value`. Returns 0, or anything
/// else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
pub type polhode_event_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        t: f64,
        state: *const polhode_state,
        value: *mut f64,
    ) -> i32,
>;

/// Called at an event with the state then, which it may change: an impulse, another attitude. The motion
/// goes on from what it leaves there; the attitude is normalised. Returns 0, or anything else to end the
/// call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
///
/// What a torque function reads through its own `user` may be changed here too: it acts from this event on,
/// and Dop853, which functions are solved by, does not ask again about what was before.
pub type polhode_event_action =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, state: *mut polhode_state) -> i32>;

/// Events to look for: the zeros of a function.
///
/// A function that is zero at the start has an event there, and one that becomes zero just at the end
/// too. None is reported twice.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_event {
    /// The function whose zeros are looked for.
    pub function: polhode_event_function,
    /// Passed to it, and to the action.
    pub user: *mut c_void,
    /// Above zero: only where the function rises in the direction of the run; below: where it falls.
    pub direction: i32,
    /// Which of them ends the run: 1 for the first; 0 if none does.
    pub terminal: u64,
    /// What happens there; NULL for nothing. polhode_solution_events() gives the states before it,
    /// polhode_solution_at() those after it.
    pub action: polhode_event_action,
}

/// Function or action, the event whose it is, with what it returned, and when.
pub(crate) type CallbackFailure = Cell<Option<(&'static str, usize, i32, f64)>>;

impl polhode_event {
    pub(crate) fn build<'a>(
        &self,
        index: usize,
        failed: &'a CallbackFailure,
        stop: &Stop,
    ) -> Result<Event<'a>, CallFailure> {
        let Self { user, direction, terminal, action, .. } = *self;
        let Some(function) = self.function else {
            return Err(CallFailure::null(&format!("events[{index}].function")));
        };
        let refuse = {
            let stop = stop.clone();
            move |what, code, t| {
                failed.set(Some((what, index, code, t)));
                stop.request();
            }
        };
        let refuse_action = refuse.clone();
        let mut event = Event::new(move |t, state: &State| {
            // Of no account once one has refused, and then not called again.
            let mut value = 1.0;
            if failed.get().is_some() {
                return value;
            }
            let state = polhode_state::from(*state);
            // SAFETY: the caller's function with the caller's pointer; both others live here.
            let code = unsafe { function(user, t, &raw const state, &raw mut value) };
            if code != 0 {
                refuse("function", code, t);
                return 1.0;
            }
            value
        });
        if let Some(action) = action {
            event = event.then(move |t, state: &State| {
                if failed.get().is_some() {
                    return Change::none();
                }
                let mut state = polhode_state::from(*state);
                // SAFETY: the caller's function with the caller's pointer; the state lives here.
                let code = unsafe { action(user, t, &raw mut state) };
                if code != 0 {
                    refuse_action("action", code, t);
                    return Change::none();
                }
                Change::state(state.unchecked())
            });
        }
        let event = event.direction(match direction {
            0 => Direction::Either,
            1.. => Direction::Rising,
            _ => Direction::Falling,
        });
        Ok(if terminal == 0 { event } else { event.terminal_after(terminal) })
    }
}
