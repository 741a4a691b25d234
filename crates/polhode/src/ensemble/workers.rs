//! Who does the work of an ensemble, and who watches it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::error::EnsembleError;
use super::member::{Member, Members};
use super::sink::EnsembleSummary;
use crate::{Control, Interruption};

/// Bodies that are in memory at a time, unless said otherwise.
const BLOCK: usize = 16384;

/// How many bodies in memory, on how many threads, and how they are watched.
#[derive(Clone, Debug)]
pub(super) struct Workers {
    pub(super) threads: Option<usize>,
    pub(super) block: usize,
    pub(super) control: Control,
}

impl Default for Workers {
    fn default() -> Self {
        Self { threads: None, block: BLOCK, control: Control::default() }
    }
}

/// Bodies that follow each other, the first of which has this number.
pub(super) struct Portion {
    pub(super) first: u64,
    pub(super) bodies: Vec<Member>,
}

/// What is done with a block; bodies that fail are counted in the summary.
type BlockWork<'a> = dyn FnMut(&EnsembleProgress<'_>, Portion, &mut EnsembleSummary) -> Result<(), EnsembleError>
    + Send
    + 'a;

/// The methods of an ensemble that set its field `workers`: the same for each kind of ensemble.
macro_rules! worker_methods {
    () => {
        /// Sets the number of threads: 0, the default, for all cores, and no more than
        /// [`MAX_THREADS`](crate::MAX_THREADS). The bits are the same for any number.
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.workers.threads = (threads > 0).then_some(threads.min(crate::MAX_THREADS));
            self
        }

        /// Sets how many bodies are in memory at a time, 16384 by default. The bits are the same for any number, but
        /// the sink sees blocks of this size.
        #[must_use]
        pub fn block(mut self, bodies: usize) -> Self {
            self.workers.block = bodies;
            self
        }

        /// Sets who is told how far the ensemble is, and who may stop it. How much is done can only be told where the
        /// number of bodies is known: see [`Members::left`](crate::ensemble::Members::left).
        #[must_use]
        pub fn control(mut self, control: crate::Control) -> Self {
            self.workers.control = control;
            self
        }
    };
}
pub(super) use worker_methods;

impl Workers {
    /// Calls `work` with block after block, on the threads asked for. Each body has this many steps or times.
    pub(super) fn each_block(
        &self,
        source: &mut (dyn Members + Send),
        size: u64,
        work: &mut BlockWork<'_>,
    ) -> Result<EnsembleSummary, EnsembleError> {
        if self.block == 0 {
            return Err(EnsembleError::Block);
        }
        let progress = EnsembleProgress::new(&self.control, source.left(), size);
        let mut blocks = || {
            let mut summary = EnsembleSummary::default();
            loop {
                progress.check()?;
                let mut bodies = Vec::new();
                source.fill(&mut bodies, self.block).map_err(EnsembleError::Source)?;
                let count = bodies.len() as u64;
                if count > 0 {
                    work(&progress, Portion { first: summary.bodies, bodies }, &mut summary)?;
                }
                summary.bodies += count;
                if count < self.block as u64 {
                    self.control.report(1.0);
                    return Ok(summary);
                }
            }
        };
        match self.threads {
            None => {
                crate::start_shared_threads();
                blocks()
            }
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool =
                    pool.map_err(|e| EnsembleError::Threads { threads, reason: e.to_string() })?;
                pool.install(blocks)
            }
        }
    }
}

/// How far an ensemble is, counted in steps or times of one body.
pub(super) struct EnsembleProgress<'a> {
    control: &'a Control,
    /// What each body has to do.
    size: u64,
    /// What all have to do; none if the source does not know how many there are.
    whole: Option<f64>,
    done: AtomicU64,
}

impl<'a> EnsembleProgress<'a> {
    fn new(control: &'a Control, bodies: Option<u64>, size: u64) -> Self {
        let whole = bodies.map(|bodies| bodies as f64 * size as f64).filter(|whole| *whole > 0.0);
        Self { control, size, whole, done: AtomicU64::new(0) }
    }

    /// An error once the end is requested.
    pub(super) fn check(&self) -> Result<(), Interruption> {
        self.control.check()
    }

    /// So much more is done. Kept out of the loops over steps.
    ///
    /// # Errors
    /// [`Interruption`] once the end is requested.
    #[inline(never)]
    pub(super) fn more(&self, work: u64) -> Result<(), Interruption> {
        let before = self.done.fetch_add(work, Ordering::Relaxed);
        self.tell(before.saturating_add(work));
        self.check()
    }

    /// As many bodies as this are done, and each of some others as far as that, unless they were stopped on the way.
    ///
    /// # Errors
    /// [`Interruption`] then.
    pub(super) fn reach(
        &self,
        bodies: u64,
        (others, to): (usize, u64),
    ) -> Result<(), Interruption> {
        self.check()?;
        let before = bodies.saturating_mul(self.size);
        let done = before.saturating_add((others as u64).saturating_mul(to));
        self.done.store(done, Ordering::Relaxed);
        self.tell(done);
        Ok(())
    }

    fn tell(&self, done: u64) {
        if let Some(whole) = self.whole {
            self.control.report(done as f64 / whole);
        }
    }
}
