//! Ctrl-C: the first one is a wish, the second an order. So are the signals by which a terminal that is
//! closed, or a scheduler whose time is up, ends a program.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use polhode::Control;

use crate::failure::INTERRUPTED;

static WISHED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C only sets a flag, once; the next one ends the program.
///
/// Where the system refuses, Ctrl-C stays what it was: the end of the program.
pub(crate) fn watch() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let _ = ctrlc::set_handler(|| {
            if WISHED.swap(true, Ordering::SeqCst) {
                process::exit(INTERRUPTED.into());
            }
        });
    });
}

/// True after the first Ctrl-C.
pub(crate) fn wished() -> bool {
    WISHED.load(Ordering::Relaxed)
}

/// Ends a computation after the first Ctrl-C.
pub(crate) fn control() -> Control {
    Control::default().looking(|stop| {
        if wished() {
            stop.request();
        }
    })
}
