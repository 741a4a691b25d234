//! What becomes of the bodies of an ensemble: statistics, files, the bar, and how far it has come.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polhode::Torque;
use polhode::ensemble::{BodySamples, Failure as BodyFailure, Sink, motion_constants};
use polhode::observe::ObserveError;
use polhode_scenario::{Bodies, EnsembleScenario, Work};

use super::checkpoint::EnsembleCheckpoint;
use super::statistics::{Conserved, MomentsWords, Statistics};
use super::table::BadBodies;
use crate::failure::Failure;
use crate::output::{BodyFile, BodyMotion, BodyRow, distinct, part};
use crate::run::interrupt;

/// Statistics, files and the bar.
pub(super) struct Collector<'a> {
    pub(super) statistics: Statistics,
    pub(super) files: Vec<(&'a Path, BodyFile)>,
    pub(super) bar: ProgressBar,
    /// The step that the block was last seen at.
    pub(super) seen: u64,
    /// What the free motions of the block are like, if they are written.
    pub(super) motions: Vec<BodyMotion>,
    /// Whether something moves inside the bodies.
    moving: bool,
    /// Bodies done in earlier sessions.
    pub(super) offset: u64,
    pub(super) tally: Tally,
    /// Rows of a table that are no bodies.
    pub(super) bad: BadBodies,
    /// What there was when the block began.
    pub(super) whole: Option<Snapshot>,
    pub(super) interrupted: bool,
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
    pub(super) fn new(scenario: &EnsembleScenario) -> Self {
        let of = |torque: &Torque| Conserved {
            energy: torque.conserves_energy(),
            momentum: torque.is_none(),
        };
        let (conserved, torque, steps) = match &scenario.work {
            Work::Steps { ensemble, torque, plan, .. } => {
                let (energy, momentum) =
                    (ensemble.conserves_energy(), ensemble.conserves_momentum());
                let torque = (!ensemble.needs_steps()).then(|| torque.clone());
                (Conserved { energy, momentum }, torque, plan.steps)
            }
            Work::Times(times) => {
                (of(&Torque::none()), Some(Torque::none()), times.len() as u64 - 1)
            }
            Work::Solution { torque, times, .. } => {
                (of(torque), Some(torque.clone()), times.len() as u64 - 1)
            }
        };
        let moving = torque.is_none();
        let total = match &scenario.bodies {
            Bodies::Drawn(draw) => Some(draw.count.saturating_mul(steps)),
            Bodies::Table { .. } => None,
        };
        let statistics = Statistics::new(conserved, torque);
        Self {
            statistics,
            files: Vec::new(),
            bar: bar(total),
            seen: 0,
            motions: Vec::new(),
            moving,
            offset: 0,
            tally: Tally::default(),
            bad: BadBodies::default(),
            whole: None,
            interrupted: false,
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
        for path in paths {
            match BodyFile::create(path, force, meta) {
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
        for (file, mark) in &checkpoint.outputs {
            self.files.push((file, BodyFile::reopen(file, mark, meta)?));
        }
        Ok(())
    }

    /// Completes all files; after one that cannot be, there are no more.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        while !self.files.is_empty() {
            let (path, file) = self.files.remove(0);
            if let Err(e) = file.finish() {
                // Nothing goes on with its rows.
                let _ = fs::remove_file(part(path));
                self.discard();
                return Err(Failure::file(path, "cannot write it", &e));
            }
        }
        Ok(())
    }

    pub(super) fn discard(&mut self) {
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
            self.whole = Some(Snapshot {
                bodies: first,
                lengths: self.files.iter().map(|(_, file)| file.length()).collect(),
                statistics: self.statistics.words(),
                tally: self.tally.clone(),
            });
            for (_, why) in bad.range(first..first + samples.len() as u64) {
                self.tally.failed += 1;
                self.tally.first_failure.get_or_insert_with(|| why.clone());
            }
        }
        if interrupt::wished() {
            self.interrupted = true;
            return Err("interrupted".into());
        }
        let is_body = |i: usize| !bad.contains_key(&(first + i as u64));
        self.statistics.samples(samples, is_body);
        // The period of a body with wheels is not that of a rigid one.
        if !self.files.is_empty() && samples.step == 0 && !self.moving {
            let constants = motion_constants(samples.bodies());
            let motion = |c: &Result<_, _>| c.as_ref().map_or(BodyMotion::NONE, BodyMotion::new);
            self.motions = constants.iter().map(motion).collect();
        }
        for (path, file) in &mut self.files {
            for i in (0..samples.len()).filter(|&i| samples.is_running(i) && is_body(i)) {
                let state = samples.state(i);
                let row = BodyRow {
                    body: first + i as u64,
                    step: samples.step,
                    t: samples.t,
                    state,
                    omega: samples.omega(i),
                    energy: samples.energy(i),
                    moments: samples.bodies()[i].inertia.moments(),
                    motion: self.motions.get(i).copied().unwrap_or(BodyMotion::NONE),
                };
                file.row(&row).map_err(|e| format!("{}: cannot write it: {e}", path.display()))?;
            }
        }
        let since = samples.step.saturating_sub(self.seen);
        self.seen = if samples.last { 0 } else { samples.step };
        self.bar.inc(since * samples.len() as u64);
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
