//! Free motions of many bodies at requested times.

use rayon::prelude::*;

use super::block::cells;
use super::error::{BodyFailure, EnsembleError};
use super::member::{Member, Members};
use super::sink::{BodySamples, CELL, Cell, EnsembleSummary, Sink};
use super::workers::{EnsembleProgress, Portion, Workers, worker_methods};
use super::{check_times, report};
use crate::{FreeMotion, FreeMotionError, Interruption, Torque};

/// Cells that a thread takes at a time.
const TASK: usize = 8;

/// Free motions of many bodies at requested times.
///
/// ```
/// use polhode::{Inertia, State};
/// use polhode::ensemble::{Member, FinalStates, FreeEnsemble};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let bodies = (1..=9).map(|i| {
///     Member { inertia, start: State::aligned([0.1, f64::from(i), 0.0]).unwrap() }
/// });
/// let mut end = FinalStates::default();
/// FreeEnsemble::new().run(bodies, &[1.0, 1e6], &mut end)?;
/// assert_eq!(end.states.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FreeEnsemble {
    workers: Workers,
}

impl FreeEnsemble {
    /// An ensemble that is evaluated on all cores, unless [`FreeEnsemble::threads`] says otherwise.
    pub fn new() -> Self {
        Self::default()
    }

    worker_methods!();

    /// Evaluates the free motion of every body at these times, in the order given; the start of each
    /// body is at time zero. The sink sees the times one after the other, [`BodySamples::step`] being the
    /// number of the time.
    ///
    /// # Errors
    /// [`EnsembleError`] if a time is not finite, the end is requested, or source or sink fail. A body that fails
    /// (its numbers or the time out of range) is no error; it is not evaluated any more.
    pub fn run(
        &self,
        mut source: impl Members + Send,
        times: &[f64],
        sink: &mut (dyn Sink + Send),
    ) -> Result<EnsembleSummary, EnsembleError> {
        check_times(times)?;
        let size = times.len() as u64;
        self.workers.each_block(&mut source, size, &mut |progress, portion, summary| {
            run_block(progress, &portion, times, sink, summary)
        })
    }
}

type MotionResult = Result<FreeMotion, FreeMotionError>;

/// Times that are evaluated together, in lanes.
const GROUP: usize = 16;

fn run_block(
    progress: &EnsembleProgress<'_>,
    &Portion { first, ref bodies }: &Portion,
    times: &[f64],
    sink: &mut (dyn Sink + Send),
    summary: &mut EnsembleSummary,
) -> Result<(), EnsembleError> {
    let none = Torque::none();
    let start = cells(bodies);
    let mut groups: Vec<[Cell; GROUP]> = start.iter().map(|cell| [*cell; GROUP]).collect();
    let motion = |body: &Member| {
        progress.check()?;
        Ok(FreeMotion::new(&body.inertia, body.start))
    };
    let motions: Vec<MotionResult> =
        bodies.par_iter().map(motion).collect::<Result<_, Interruption>>()?;
    let mut cells = start;
    for (index, group) in times.chunks(GROUP).enumerate() {
        let base = index * GROUP;
        let failures: Vec<Vec<BodyFailure>> = groups
            .par_chunks_mut(TASK)
            .zip(motions.par_chunks(TASK * CELL))
            .enumerate()
            .map(|(i, (cells, motions))| {
                progress.check()?;
                let number = first + (i * TASK * CELL) as u64;
                Ok(evaluate(number, motions, (base, group), cells))
            })
            .collect::<Result<_, Interruption>>()?;
        let mut failures: Vec<BodyFailure> = failures.into_iter().flatten().collect();
        for (i, &t) in group.iter().enumerate() {
            let step = base + i;
            let now = failures.extract_if(.., |failure| failure.step == step as u64).collect();
            report(now, sink, summary)?;
            for (cell, group) in cells.iter_mut().zip(&groups) {
                *cell = group[i];
            }
            let samples = BodySamples {
                first,
                step: step as u64,
                t,
                last: step + 1 == times.len(),
                bodies,
                cells: &cells,
                torque: &none,
                moving: None,
                alone: &[],
            };
            sink.samples(&samples).map_err(EnsembleError::Sink)?;
        }
        progress.reach(first, (bodies.len(), (base + group.len()) as u64))?;
    }
    Ok(())
}

/// Bodies, from number `first` on, at a group of times, the first of which is the `base`-th. The last
/// state before such a group is where the last group ended.
fn evaluate(
    first: u64,
    motions: &[MotionResult],
    (base, times): (usize, &[f64]),
    groups: &mut [[Cell; GROUP]],
) -> Vec<BodyFailure> {
    let mut failures = Vec::new();
    for (i, motion) in motions.iter().enumerate() {
        let (cells, lane) = (&mut groups[i / CELL], i % CELL);
        let before = cells[GROUP - 1];
        if before.alive & (1 << lane) == 0 {
            // In every cell: those before the failure still hold the states of the last group.
            for cell in cells.iter_mut() {
                cell.set(lane, &before.state(lane));
                cell.alive &= !(1 << lane);
            }
            continue;
        }
        let mut states = [before.state(lane); GROUP];
        let (done, outcome) = match motion {
            Ok(motion) => motion.at_leading(times, &mut states[..times.len()]),
            Err(error) => (0, Err(*error)),
        };
        // What has failed stays at the last good state.
        let last = if done == 0 { before.state(lane) } else { states[done - 1] };
        for (time, cell) in cells.iter_mut().enumerate() {
            cell.set(lane, if time < done { &states[time] } else { &last });
            if time >= done && outcome.is_err() {
                cell.alive &= !(1 << lane);
            }
        }
        if let Err(cause) = outcome {
            failures.push(BodyFailure {
                body: first + i as u64,
                step: (base + done) as u64,
                t: times[done],
                state: last,
                cause: cause.into(),
            });
        }
    }
    failures
}
