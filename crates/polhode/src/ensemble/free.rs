//! Free motions of many bodies at requested times.

use rayon::prelude::*;

use super::block::cells;
use super::body::{Body, Source};
use super::columns::CELL;
use super::error::{EnsembleError, Failure};
use super::sink::{Cell, EnsembleSummary, Samples, Sink};
use super::torque::Field;
use super::{Workers, report};
use crate::{FreeMotion, FreeMotionError};

/// Cells that a thread takes at a time.
const TASK: usize = 8;

/// Free motions of many bodies at requested times.
///
/// ```
/// use polhode::{Inertia, State};
/// use polhode::ensemble::{Body, FinalStates, FreeEnsemble};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let bodies = (1..=9).map(|i| {
///     Body { inertia, start: State::aligned([0.1, f64::from(i), 0.0]).unwrap() }
/// });
/// let mut end = FinalStates::default();
/// FreeEnsemble::new().run(bodies, &[1.0, 1e6], &mut end)?;
/// assert_eq!(end.states.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FreeEnsemble {
    workers: Workers,
}

impl Default for FreeEnsemble {
    fn default() -> Self {
        Self::new()
    }
}

impl FreeEnsemble {
    /// On all cores.
    pub fn new() -> Self {
        Self { workers: Workers::DEFAULT }
    }

    /// On this many threads; 0, as if nothing is said, for all cores. The bits are the same.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.workers.threads = (threads > 0).then_some(threads);
        self
    }

    /// With this many bodies in memory at a time: see [`Ensemble::block`](super::Ensemble::block).
    #[must_use]
    pub fn block(mut self, bodies: usize) -> Self {
        self.workers.block = bodies;
        self
    }

    /// Evaluates the free motion of every body at these times, in the order given; the start of each
    /// body is at time zero. The sink sees the times one after the other, [`Samples::step`] being the
    /// number of the time.
    ///
    /// # Errors
    /// [`EnsembleError`] if a time is not finite, or source or sink fail. A body that fails (its
    /// numbers or the time out of range) is no error; it is not evaluated any more.
    pub fn run(
        &self,
        source: impl Source + Send,
        times: &[f64],
        sink: &mut (dyn Sink + Send),
    ) -> Result<EnsembleSummary, EnsembleError> {
        if let Some(i) = times.iter().position(|t| !t.is_finite()) {
            return Err(EnsembleError::Time { position: i + 1, t: times[i] });
        }
        let mut source = source;
        let mut summary = EnsembleSummary::default();
        summary.bodies = self.workers.each_block(&mut source, &mut |first, bodies| {
            run_block(first, &bodies, times, sink, &mut summary)
        })?;
        Ok(summary)
    }
}

type Motion = Result<FreeMotion, FreeMotionError>;

fn run_block(
    first: u64,
    bodies: &[Body],
    times: &[f64],
    sink: &mut (dyn Sink + Send),
    summary: &mut EnsembleSummary,
) -> Result<(), EnsembleError> {
    let mut cells = cells(bodies);
    let motions: Vec<Motion> =
        bodies.par_iter().map(|body| FreeMotion::new(&body.inertia, body.start)).collect();
    for (step, &t) in times.iter().enumerate() {
        let failures: Vec<Vec<Failure>> = cells
            .par_chunks_mut(TASK)
            .enumerate()
            .map(|(i, cells)| evaluate(first, i * TASK * CELL, &motions, bodies, (step, t), cells))
            .collect();
        report(failures.into_iter().flatten().collect(), sink, summary)?;
        let samples = Samples {
            first,
            step: step as u64,
            t,
            last: step + 1 == times.len(),
            bodies,
            cells: &cells,
            field: Field::NONE,
        };
        sink.samples(&samples).map_err(EnsembleError::Sink)?;
    }
    Ok(())
}

/// The bodies from `at` on, as many as the cells hold, at one time.
fn evaluate(
    first: u64,
    at: usize,
    motions: &[Motion],
    bodies: &[Body],
    (step, t): (usize, f64),
    cells: &mut [Cell],
) -> Vec<Failure> {
    let mut failures = Vec::new();
    let count = (cells.len() * CELL).min(motions.len() - at);
    for i in 0..count {
        let (cell, lane) = (&mut cells[i / CELL], i % CELL);
        if cell.alive & (1 << lane) == 0 {
            continue;
        }
        match motions[at + i].as_ref().map_err(Clone::clone).and_then(|motion| motion.at(t)) {
            Ok(state) => cell.set(lane, &state),
            Err(cause) => {
                cell.alive &= !(1 << lane);
                failures.push(Failure {
                    body: first + (at + i) as u64,
                    step: step as u64,
                    t,
                    state: bodies[at + i].start,
                    cause: cause.into(),
                });
            }
        }
    }
    failures
}
