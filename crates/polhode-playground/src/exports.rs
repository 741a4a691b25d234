//! What the page calls. Numbers are told one by one; texts and states are left in memory, where the page reads them.
#![allow(
    unsafe_code,
    reason = "a name that others can call is unsafe by itself; nothing else here is"
)]

use std::cell::RefCell;

use polhode::so3;

use crate::{Motion, Settings};

#[derive(Default)]
struct Desk {
    numbers: [f64; Settings::COUNT],
    motion: Option<Motion>,
    text: String,
    state: [f64; 7],
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::default());
}

fn at_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with(|desk| work(&mut desk.borrow_mut()))
}

/// Tells one of the numbers of [`Settings::from_numbers`].
#[unsafe(no_mangle)]
pub extern "C" fn playground_set(index: usize, value: f64) {
    at_desk(|desk| {
        if let Some(number) = desk.numbers.get_mut(index) {
            *number = value;
        }
    });
}

/// Solves for the numbers told. 1: the text is what is shown; 0: it says what is wrong, and the motion before is kept.
#[unsafe(no_mangle)]
pub extern "C" fn playground_solve() -> u32 {
    at_desk(|desk| {
        let settings = Settings::from_numbers(desk.numbers);
        let shown = Motion::new(&settings).and_then(|motion| {
            let text = motion.page()?.to_json().map_err(|e| e.to_string())?;
            Ok((motion, text))
        });
        match shown {
            Ok((motion, text)) => {
                desk.motion = Some(motion);
                desk.text = text;
                1
            }
            Err(text) => {
                desk.text = text;
                0
            }
        }
    })
}

/// Makes the text the scenario of the numbers told.
#[unsafe(no_mangle)]
pub extern "C" fn playground_scenario() {
    at_desk(|desk| desk.text = Settings::from_numbers(desk.numbers).scenario());
}

/// Where the text is.
#[unsafe(no_mangle)]
pub extern "C" fn playground_text() -> *const u8 {
    at_desk(|desk| desk.text.as_ptr())
}

/// How many bytes the text has.
#[unsafe(no_mangle)]
pub extern "C" fn playground_length() -> usize {
    at_desk(|desk| desk.text.len())
}

/// Where the state at a time is: w, x, y, z of the attitude and the momentum in the body frame, seven doubles; null if
/// there is none.
#[unsafe(no_mangle)]
pub extern "C" fn playground_state(t: f64) -> *const f64 {
    at_desk(|desk| {
        let Some(Ok(state)) = desk.motion.as_ref().map(|motion| motion.at(t)) else {
            return std::ptr::null();
        };
        desk.state[..4].copy_from_slice(&so3::to_wxyz(state.q));
        desk.state[4..].copy_from_slice(&state.m.to_array());
        desk.state.as_ptr()
    })
}
