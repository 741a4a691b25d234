//! What becomes of the bodies of an ensemble: statistics, files, the bar, and how far it has come.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polhode::ensemble::{BodyFailure, BodySamples, Sink, motion_constants};
use polhode::observe::ObserveError;
use polhode_scenario::{EnsembleScenario, Work};

use super::checkpoint::EnsembleCheckpoint;
use super::statistics::{EnsembleStatistics, InvariantStatistics, MomentsWords};
use super::table::BadBodies;
use super::watched::WatchColumns;
use crate::failure::Failure;
use crate::output::{
    BodiesSetting, BodyMotion, BodyRow, Replace, RowFile, absolute, distinct, is_complete, parts,
    write_beside,
};

/// Statistics, files and the bar.
pub(super) struct Collector<'a> {
    pub(super) statistics: EnsembleStatistics,
    watched: WatchColumns<'a>,
    pub(super) files: Vec<(&'a Path, RowFile<BodyRow>)>,
    pub(super) bar: ProgressBar,
    /// The step that the block was last seen at.
    pub(super) seen: u64,
    /// What the free motions of the block are like, if they are written.
    pub(super) motions: Vec<BodyMotion>,
    /// Whether something moves inside the bodies.
    moving: bool,
    /// How many bodies there are, if that is known before.
    count: Option<u64>,
    /// Bodies done in earlier sessions.
    pub(super) offset: u64,
    pub(super) tally: Tally,
    /// Rows of a table that are no bodies.
    pub(super) bad: BadBodies,
    /// What there was after the last block that is done.
    pub(super) whole: Option<Snapshot>,
    pub(super) interrupted: bool,
    has_rows: bool,
    saving: EnsembleSaver,
}

/// How far it has come, for a file.
struct EnsembleSaver {
    /// What does not change, and what it took in earlier sessions.
    checkpoint: EnsembleCheckpoint,
    /// Saved there after every block of bodies.
    path: Option<PathBuf>,
    begun: Instant,
}

/// Bodies that could not go on.
#[derive(Clone, Default)]
pub(super) struct Tally {
    pub(super) failed: u64,
    pub(super) first_failure: Option<String>,
}

/// What is known of all blocks that are done.
pub(super) struct Snapshot {
    pub(super) bodies: u64,
    /// Of the files.
    pub(super) lengths: Vec<u64>,
    pub(super) statistics: Vec<MomentsWords>,
    pub(super) tally: Tally,
}

impl<'a> Collector<'a> {
    /// With what a checkpoint has beside the bodies, and where it is saved on the way.
    pub(super) fn new(
        scenario: &'a EnsembleScenario,
        checkpoint: EnsembleCheckpoint,
        path: Option<PathBuf>,
    ) -> Self {
        let begun = Instant::now();
        let torque = scenario.work.torque();
        let (energy, momentum, moving, steps) = match &scenario.work {
            Work::Steps { ensemble, plan, .. } => (
                ensemble.conserves_energy(),
                ensemble.conserves_momentum(),
                ensemble.needs_steps(),
                plan.steps,
            ),
            work => (torque.conserves_energy(), torque.is_none(), false, work.count() - 1),
        };
        let conserved = InvariantStatistics { energy, momentum };
        let count = scenario.bodies.count();
        let watched = WatchColumns::new(&scenario.watching, torque.clone());
        let acting = (!moving).then_some(torque);
        Self {
            statistics: EnsembleStatistics::new(conserved, acting, watched.names()),
            watched,
            files: Vec::new(),
            bar: bar(count.map(|count| count.saturating_mul(steps))),
            count,
            seen: 0,
            motions: Vec::new(),
            moving,
            offset: 0,
            tally: Tally::default(),
            bad: BadBodies::default(),
            whole: None,
            interrupted: false,
            has_rows: false,
            saving: EnsembleSaver { checkpoint, path, begun },
        }
    }

    /// Opens all files, or leaves none behind.
    pub(super) fn open(
        &mut self,
        paths: &'a [PathBuf],
        force: bool,
        meta: &str,
    ) -> Result<(), Failure> {
        distinct(paths)?;
        let setting = BodiesSetting { watched: &self.watched.names(), meta };
        for path in paths {
            match RowFile::create(path, Replace::forced(force), &setting) {
                Ok(file) => self.files.push((path, file)),
                Err(failure) => {
                    self.discard();
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// Goes on where an ensemble was saved.
    pub(super) fn take_up(
        &mut self,
        checkpoint: &'a EnsembleCheckpoint,
        path: &Path,
        meta: &str,
    ) -> Result<(), Failure> {
        self.offset = checkpoint.bodies;
        self.tally =
            Tally { failed: checkpoint.failed, first_failure: checkpoint.first_failure.clone() };
        if !self.statistics.take_up(&checkpoint.statistics) {
            return Err(Failure::Input(format!("{}: damaged: other statistics", path.display())));
        }
        let setting = BodiesSetting { watched: &self.watched.names(), meta };
        for (file, mark) in &checkpoint.outputs {
            // Completed before another file could not be.
            if self.count == Some(checkpoint.bodies) && is_complete(file) {
                continue;
            }
            self.files.push((file, RowFile::reopen(file, mark, &setting)?));
        }
        self.has_rows = true;
        self.end_block(self.offset);
        Ok(())
    }

    /// The seconds that it has taken, in all sessions.
    pub(super) fn seconds(&self) -> f64 {
        self.saving.checkpoint.wall_seconds + self.saving.begun.elapsed().as_secs_f64()
    }

    /// What the blocks that are done go on from, with their rows on the disk; none before the first of them.
    pub(super) fn checkpoint(&mut self) -> Result<Option<EnsembleCheckpoint>, Failure> {
        let done = self.whole.as_ref().filter(|whole| whole.bodies > 0);
        let Some(whole) = done else { return Ok(None) };
        let mut outputs = Vec::new();
        for ((path, file), length) in self.files.iter_mut().zip(&whole.lengths) {
            let mark = file.mark_at(*length);
            let mark = mark.map_err(|e| Failure::file(path, "cannot write it", &e))?;
            outputs.push((absolute(path)?, mark));
        }
        Ok(Some(EnsembleCheckpoint {
            outputs,
            bodies: whole.bodies,
            failed: whole.tally.failed,
            first_failure: whole.tally.first_failure.clone(),
            statistics: whole.statistics.clone(),
            wall_seconds: self.seconds(),
            ..self.saving.checkpoint.clone()
        }))
    }

    /// Saves the blocks that are done.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        self.checkpoint()?.map_or(Ok(()), |checkpoint| checkpoint.write(path))
    }

    /// Notes what there is after so many bodies: what an interrupted ensemble goes on from.
    fn end_block(&mut self, bodies: u64) {
        self.whole = Some(Snapshot {
            bodies,
            lengths: self.files.iter().map(|(_, file)| file.length()).collect(),
            statistics: self.statistics.words(),
            tally: self.tally.clone(),
        });
    }

    /// Completes all files; after one that cannot be, there are no more.
    pub(super) fn finish(&mut self, meta: &str) -> Result<(), Failure> {
        let paths: Vec<&Path> = self.files.iter().map(|(path, _)| *path).collect();
        for (path, file) in self.files.drain(..) {
            // The rows are still in the parts, those of the other files too.
            let left = |failure: Failure| failure.leaving(parts(paths.iter().copied()));
            file.finish().map_err(|e| left(Failure::file(path, "cannot write it", &e)))?;
            write_beside(path, meta)
                .map_err(|e| left(Failure::file(path, "cannot say how it was made", &e)))?;
        }
        Ok(())
    }

    /// After a failure rows stay where they are, and the message says where. Before there are any, nothing is left
    /// behind.
    pub(super) fn given_up(&mut self, failure: Failure) -> Failure {
        if !self.has_rows {
            self.discard();
            return failure;
        }
        for (_, file) in &mut self.files {
            // As many rows as there is room for.
            let _ = file.sync();
        }
        failure.leaving(self.parts())
    }

    /// The files in which the rows so far are, if there are any.
    pub(super) fn parts(&self) -> Option<String> {
        parts(self.files.iter().map(|(path, _)| *path))
    }

    fn discard(&mut self) {
        for (_, file) in self.files.drain(..) {
            file.discard();
        }
    }
}

impl Sink for Collector<'_> {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        let first = self.offset + samples.first;
        let bad = self.bad.clone();
        let bad = bad.lock().unwrap_or_else(PoisonError::into_inner);
        if samples.step == 0 {
            for (_, why) in bad.range(first..first + samples.len() as u64) {
                self.tally.failed += 1;
                self.tally.first_failure.get_or_insert_with(|| why.clone());
            }
        }
        let is_body = |i: usize| !bad.contains_key(&(first + i as u64));
        let asked = samples.last || !self.files.is_empty();
        let watched = if asked { self.watched.values(samples) } else { Vec::new() };
        self.statistics.samples(samples, &watched, is_body);
        // The period of a body with wheels is not that of a rigid one.
        if !self.files.is_empty() && samples.step == 0 && !self.moving {
            let constants = motion_constants(samples.bodies());
            let motion = |c: &Result<_, _>| c.as_ref().map_or(BodyMotion::NONE, BodyMotion::new);
            self.motions = constants.iter().map(motion).collect();
        }
        let writing = !self.files.is_empty();
        let written = |&i: &usize| writing && samples.is_running(i) && is_body(i);
        for i in (0..samples.len()).filter(written) {
            let width = self.watched.len();
            let row = BodyRow {
                body: first + i as u64,
                step: samples.step,
                t: samples.t,
                state: samples.state(i),
                omega: samples.omega(i),
                energy: samples.energy(i),
                moments: samples.bodies()[i].inertia.moments(),
                motion: self.motions.get(i).copied().unwrap_or(BodyMotion::NONE),
                watched: watched[i * width..(i + 1) * width].to_vec(),
            };
            self.has_rows = true;
            for (path, file) in &mut self.files {
                let failed = |e| format!("{}: cannot write it: {e}", path.display());
                file.row(&row).map_err(failed)?;
            }
        }
        let since = samples.step.saturating_sub(self.seen);
        self.seen = if samples.last { 0 } else { samples.step };
        self.bar.inc(since * samples.len() as u64);
        if samples.last {
            self.end_block(first + samples.len() as u64);
            if let Some(path) = self.saving.path.clone() {
                self.save(&path).map_err(|failure| match failure {
                    Failure::Running(why) | Failure::Input(why) => why,
                    _ => "the ensemble cannot be saved".into(),
                })?;
            }
        }
        Ok(())
    }

    fn failure(&mut self, failure: &BodyFailure) -> Result<(), ObserveError> {
        let mut failure = failure.clone();
        failure.body += self.offset;
        self.tally.failed += 1;
        self.tally.first_failure.get_or_insert_with(|| failure.to_string());
        Ok(())
    }
}

/// A bar on stderr; hidden where that is no terminal.
fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let template = match total {
        Some(_) => {
            "{bar:30} {percent:>3}%  {human_pos} of {human_len} body steps, {per_sec}, {eta} left"
        }
        None => "{human_pos} body steps, {per_sec}",
    };
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
