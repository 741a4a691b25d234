//! Ending a long computation before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish to end a computation early: one side keeps a copy and may request it, the other looks at
/// every step or sample.
///
/// ```
/// use polhode::{Stop, Interruption};
/// let stop = Stop::new();
/// let asking = stop.clone();
/// std::thread::spawn(move || asking.request()).join().unwrap();
/// assert_eq!(stop.check(), Err(Interruption));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The computation was ended on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped on request")]
pub struct Interruption;

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

    /// Whether the end has been requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once it is requested.
    ///
    /// # Errors
    /// [`Interruption`] then.
    pub fn check(&self) -> Result<(), Interruption> {
        if self.is_requested() { Err(Interruption) } else { Ok(()) }
    }
}

/// Something that looks whether to request a stop.
type StopCheck = Arc<dyn Fn(&Stop) + Send + Sync>;

/// How a long computation is watched from outside: a wish to end it, and who is told how far it is.
///
/// ```
/// use polhode::{Control, Stop};
/// let control = Control::default(); // nobody stops it, nobody watches
/// assert!(control.check().is_ok());
/// let stop = Stop::new();
/// let control = Control::stopped_by(&stop).telling(|part| eprintln!("{:.0} %", 100.0 * part));
/// stop.request();
/// assert!(control.check().is_err());
/// // Or by whatever a closure finds out, in parts of the computation too.
/// let control = Control::default().looking(|stop| stop.request());
/// assert!(control.silent().check().is_err());
/// ```
#[derive(Clone, Default)]
pub struct Control {
    /// None if nobody ends it.
    stop: Option<Stop>,
    progress: Option<Arc<dyn Fn(f64) + Send + Sync>>,
    look: Option<StopCheck>,
}

impl Control {
    /// Ended by this wish.
    pub fn stopped_by(stop: &Stop) -> Self {
        Self { stop: Some(stop.clone()), ..Self::default() }
    }

    /// Tells a closure how much is done, from 0 to 1, as often as the computation knows it. Where several
    /// threads work it is called by all of them, and a smaller part may be told after a larger one.
    #[must_use]
    pub fn telling(self, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Arc::new(progress)), ..self }
    }

    /// Calls a closure whenever the computation looks whether it is to end, so that it can find out: whether a key
    /// was pressed, for instance. Parts of a computation call it too, and several threads where they work.
    #[must_use]
    pub fn looking(self, look: impl Fn(&Stop) + Send + Sync + 'static) -> Self {
        let stop = Some(self.stop.unwrap_or_default());
        Self { look: Some(Arc::new(look)), stop, ..self }
    }

    /// The same wish to end, with nobody told how far it is: for a part of a computation, whose
    /// progress is not that of the whole.
    #[must_use]
    pub fn silent(&self) -> Self {
        Self { progress: None, ..self.clone() }
    }

    /// An error once the end is requested.
    ///
    /// # Errors
    /// [`Interruption`] then.
    pub fn check(&self) -> Result<(), Interruption> {
        let Some(stop) = &self.stop else { return Ok(()) };
        if let Some(look) = &self.look {
            look(stop);
        }
        stop.check()
    }

    /// Tells that this part of the whole is done.
    pub fn report(&self, part: f64) {
        if let Some(progress) = &self.progress {
            progress(part);
        }
    }
}

impl core::fmt::Debug for Control {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let watched = self.progress.is_some();
        let control = &mut f.debug_struct("Control");
        control.field("stop", &self.stop).field("watched", &watched).finish_non_exhaustive()
    }
}
