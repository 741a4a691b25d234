//! Ending a long computation before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish to end a computation early: one side keeps a copy and may request it, the other looks at
/// every step or sample.
///
/// ```
/// use polhode::{Stop, Stopped};
/// let stop = Stop::new();
/// let asking = stop.clone();
/// std::thread::spawn(move || asking.request()).join().unwrap();
/// assert_eq!(stop.check(), Err(Stopped));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The computation was ended on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped on request")]
pub struct Stopped;

impl Stop {
    /// One that nobody has requested yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everybody who looks at this one, or at a copy of it, to end. There is no way back.
    pub fn request(&self) {
        // Nothing else is handed over with the wish.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once it is requested.
    ///
    /// # Errors
    /// [`Stopped`] then.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_requested() { Err(Stopped) } else { Ok(()) }
    }
}
