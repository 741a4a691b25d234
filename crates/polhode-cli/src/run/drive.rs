//! A run from here to its end, or to Ctrl-C: the only place that knows of files, checkpoints and
//! progress at once.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::ProgressBar;
use polhode::Problem;
use polhode::observe::Invariants;
use polhode_scenario::Computation;

use super::checkpoint::{self, Checkpoint, CheckpointNumbers, SavedOutput};
use super::course::{Extent, Pause, Position, RunCourse, RunWatch};
use super::interrupt;
use super::job::RunJob;
use super::recorder::{OutputTarget, Recorder};
use super::solution::SolutionLegs;
use super::stepping::FixedSteps;
use super::summary::{self, Ending};
use super::windows::Windows;
use crate::failure::Failure;
use crate::output::{self, Replace, RowFile, RunSetting};

/// Runs a job from its start, or from a checkpoint of it, and writes the summary.
pub(super) fn drive(
    job: &RunJob,
    from: Option<&Checkpoint>,
    replace: Replace,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let problem = job.scenario.problem();
    let mut session = Session::begin(job, &problem, from, replace)?;
    interrupt::watch();
    let bar = session.course.bar();
    let ran = session.run(&bar);
    bar.finish_and_clear();
    ran?;
    let ending = session.finish()?;
    summary::write(job, &problem, &ending, json, out)
}

/// A run under way.
struct Session<'a> {
    job: &'a RunJob,
    problem: &'a Problem,
    course: Box<dyn RunCourse + 'a>,
    targets: Vec<OutputTarget>,
    invariants: Invariants,
    windows: Windows<'a>,
    begun: Instant,
    /// Of earlier sessions.
    seconds_before: f64,
    /// The checkpoint of this run that is on the disk.
    saved: Option<PathBuf>,
}

impl<'a> Session<'a> {
    fn begin(
        job: &'a RunJob,
        problem: &'a Problem,
        from: Option<&Checkpoint>,
        replace: Replace,
    ) -> Result<Self, Failure> {
        let name = job.scenario.name();
        let course: Box<dyn RunCourse> = match job.scenario.computation() {
            Computation::Steps(steps) => Box::new(FixedSteps::new(name, problem, steps)?),
            Computation::Solution(solving) => {
                Box::new(SolutionLegs::new(name, problem, solving, job.scenario.until()))
            }
            _ => return Err(Failure::Input(format!("{name}: this program cannot run it"))),
        };
        let watching = job.scenario.watching();
        let windows = Windows::new(problem, &watching.conditions, watching.stop_when.as_ref());
        let mut session = Self {
            job,
            windows,
            problem,
            course,
            targets: Vec::new(),
            invariants: Invariants::default(),
            begun: Instant::now(),
            seconds_before: 0.0,
            saved: None,
        };
        if let Some(checkpoint) = from {
            session.take_up(checkpoint)?;
        }
        session.open(from, replace)?;
        Ok(session)
    }

    /// Goes to where a checkpoint was taken.
    fn take_up(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let taken = self.course.take_up(checkpoint);
        taken.and_then(|()| self.windows.restore(&checkpoint.windows)).map_err(|why| {
            let path = self.job.saving.path.as_deref().unwrap_or(Path::new(""));
            Failure::Input(format!("{}: damaged: {why}", path.display()))
        })?;
        let max_errors = checkpoint.reached().max_errors;
        self.invariants =
            Invariants::resumed(self.problem, self.problem.t0(), &self.problem.start(), max_errors);
        self.seconds_before = checkpoint.wall_seconds;
        self.saved = self.job.saving.path.clone();
        Ok(())
    }

    fn open(&mut self, from: Option<&Checkpoint>, replace: Replace) -> Result<(), Failure> {
        let job = self.job;
        let name = Path::new(job.scenario.name()).file_stem().unwrap_or_default().to_string_lossy();
        let title = format!("{name}, {}", job.scenario.method_id());
        let Extent { rows, spacing, end } = self.course.extent();
        let meta = job.meta();
        let setting = RunSetting {
            problem: self.problem,
            scenario: Some(&job.scenario),
            conserves_energy: self.problem.conserves_energy(),
            attitude: job.attitude,
            degrees: job.degrees,
            aem: job.scenario.output().aem.as_ref(),
            columns: &job.scenario.watching().columns,
            title: &title,
            rows,
            spacing,
            end,
            meta: &meta,
        };
        for (i, file) in job.files.iter().enumerate() {
            let opened = match from {
                None => RowFile::create(file, replace, &setting).map(Some),
                Some(checkpoint) if checkpoint.finishing && output::is_complete(file) => Ok(None),
                Some(checkpoint) => match &checkpoint.outputs[i].mark {
                    Some(mark) => RowFile::reopen(file, mark, &setting).map(Some),
                    None => Ok(None),
                },
            };
            match opened {
                Ok(output) => self.targets.push(OutputTarget { file: file.clone(), output }),
                Err(failure) => return Err(self.given_up(failure)),
            }
        }
        Ok(())
    }

    /// Goes on until all is done.
    fn run(&mut self, bar: &ProgressBar) -> Result<(), Failure> {
        while !self.course.is_done() {
            let mut watch = RunWatch {
                invariants: &mut self.invariants,
                recorder: Recorder::new(self.problem, &mut self.targets),
                windows: &mut self.windows,
                bar,
                pause: Pause::new(&self.job.saving),
            };
            let went = self.course.go_on(&mut watch);
            went.map_err(|failure| self.given_up(failure))?;
            if self.course.is_done() {
                break;
            }
            if interrupt::wished() && self.job.writes_rows() {
                return Err(Failure::Interrupted(format!(
                    "interrupted {}; rows on standard output cannot be continued: to go on after Ctrl-C, \
                    name a file, --out FILE.csv",
                    self.course.place()
                )));
            }
            self.save(false).map_err(|failure| self.given_up(failure))?;
            if interrupt::wished() {
                return Err(self.interrupted());
            }
        }
        Ok(())
    }

    fn save(&mut self, finishing: bool) -> Result<(), Failure> {
        let mut outputs = Vec::new();
        for OutputTarget { file, output } in &mut self.targets {
            let mark = output.as_mut().map(RowFile::sync).transpose();
            let mark = mark.map_err(|e| Failure::file(file, "cannot write", &e))?;
            outputs.push(SavedOutput { file: file.clone(), mark });
        }
        let Position { step, state, carried, torque_evaluations, iterations } =
            self.course.position();
        let reached = CheckpointNumbers { state, carried, max_errors: self.max_errors() };
        let checkpoint = Checkpoint {
            attitude: self.job.attitude.to_string(),
            degrees: self.job.degrees,
            save_every: self.job.saving.every,
            outputs,
            finishing,
            windows: self.windows.bits(),
            step,
            torque_evaluations,
            iterations,
            wall_seconds: self.seconds(),
            ..Checkpoint::new(&self.job.scenario, &reached)
        };
        let path = match (&self.saved, &self.job.saving.path) {
            (Some(path), _) | (None, Some(path)) => {
                checkpoint.write(path)?;
                path.clone()
            }
            (None, None) => {
                let scenario = Path::new(self.job.scenario.name());
                let write = |path: &Path| checkpoint.write(path);
                checkpoint::save_somewhere(scenario, &self.job.files, write)?
            }
        };
        self.saved = Some(path);
        Ok(())
    }

    fn max_errors(&self) -> [f64; 3] {
        let energy = self.invariants.energy().map(|d| d.max_error);
        let norm = self.invariants.momentum_norm().map(|d| d.max_error);
        let spatial = self.invariants.spatial_momentum().map(|d| d.max_error);
        [energy, norm, spatial].map(Option::unwrap_or_default)
    }

    /// Completes the files. From here on a resumed run has nothing left but this.
    fn finish(mut self) -> Result<Ending, Failure> {
        if self.job.saving.path.is_some() {
            self.save(true).map_err(|failure| self.given_up(failure))?;
        }
        let course = self.course.finish();
        let ending = Ending {
            windows: self.windows.finish(course.t),
            course,
            invariants: self.invariants,
            seconds: self.seconds(),
        };
        while let Some(OutputTarget { file, output }) = self.targets.pop() {
            if let Some(output) = output
                && let Err(e) = output.finish()
            {
                // The rows are still in the part.
                self.targets.push(OutputTarget { file: file.clone(), output: None });
                return Err(self.given_up(Failure::file(&file, "cannot write", &e)));
            }
        }
        let meta = self.job.meta();
        for file in &self.job.files {
            output::write_beside(file, &meta)
                .map_err(|e| Failure::file(file, "cannot say how it was made", &e))?;
        }
        if let Some(path) = &self.saved {
            fs::remove_file(path).map_err(|e| Failure::file(path, "cannot remove", &e))?;
        }
        Ok(ending)
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.begun.elapsed().as_secs_f64()
    }

    /// After a failure rows stay where they are, and the message says where. Before there are any, nothing is
    /// left behind.
    fn given_up(&mut self, failure: Failure) -> Failure {
        if self.saved.is_none() && !self.course.has_rows() {
            self.targets.drain(..).filter_map(|t| t.output).for_each(RowFile::discard);
            return failure;
        }
        for output in self.targets.iter_mut().filter_map(|target| target.output.as_mut()) {
            // As many rows as there is room for.
            let _ = output.sync();
        }
        let save = self.saved.as_deref().map_or_else(String::new, |path| {
            format!(
                "\nThe run is saved up to some step before: `polhode resume {}` goes on from there",
                checkpoint::shown(path)
            )
        });
        match failure.leaving(self.parts()) {
            Failure::Running(message) => Failure::Running(format!("{message}{save}")),
            other => other,
        }
    }

    /// The files in which the rows so far are, if there are any.
    fn parts(&self) -> Option<String> {
        output::parts(self.targets.iter().map(|target| target.file.as_path()))
    }

    fn interrupted(&self) -> Failure {
        let rows = self
            .parts()
            .map_or_else(String::new, |parts| format!("; the rows so far are in {parts}"));
        Failure::Interrupted(format!(
            "interrupted {}{rows}; go on with\n  polhode resume {}",
            self.course.place(),
            checkpoint::shown(self.saved.as_deref().unwrap_or(Path::new("")))
        ))
    }
}
