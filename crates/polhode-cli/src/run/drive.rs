//! A run from here to its end, or to Ctrl-C: the only place that knows of files, checkpoints and
//! progress at once.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use polhode::method::Stepper;
use polhode::observe::{Every, Invariants, Sample};
use polhode::{Plan, Problem, RunError, State, run_from};

use super::checkpoint::{self, Checkpoint, CheckpointNumbers, SavedOutput};
use super::job::RunJob;
use super::recorder::{Recorder, Target};
use super::summary::{self, Ending};
use super::{interrupt, progress};
use crate::failure::Failure;
use crate::output::{self, Output, Replace, Setting};

/// How often a run is saved that has no number of steps for it.
const MINUTE: Duration = Duration::from_mins(1);

/// Clock and progress bar are looked at once in so many steps: a step can be a tenth of a microsecond.
const GLANCE: u64 = 256;

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
    let bar = progress::bar(session.step, session.plan.steps);
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
    plan: Plan,
    stepper: Box<dyn Stepper>,
    targets: Vec<Target>,
    invariants: Invariants,
    step: u64,
    state: State,
    torque_evaluations: u64,
    iterations: u64,
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
        let plan = job.scenario.plan();
        let stepper = job.scenario.method().stepper(problem);
        let stepper = stepper.map_err(|e| Failure::Input(e.to_string()))?;
        let mut session = Self {
            job,
            problem,
            plan,
            stepper,
            targets: Vec::new(),
            invariants: Invariants::default(),
            step: 0,
            state: problem.start(),
            torque_evaluations: 0,
            iterations: 0,
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
        let CheckpointNumbers { state, carried, max_errors } = checkpoint.reached();
        self.stepper.restore(&carried).map_err(|e| {
            Failure::Input(format!(
                "{}: damaged: what the method {} carries does not fit it: {e}",
                self.job.saving.path.as_deref().unwrap_or(Path::new("")).display(),
                self.job.scenario.method_id()
            ))
        })?;
        self.invariants =
            Invariants::resumed(self.problem, self.problem.t0(), &self.problem.start(), max_errors);
        self.step = checkpoint.step;
        self.state = state;
        self.torque_evaluations = checkpoint.torque_evaluations;
        self.iterations = checkpoint.iterations;
        self.seconds_before = checkpoint.wall_seconds;
        self.saved = self.job.saving.path.clone();
        Ok(())
    }

    fn open(&mut self, from: Option<&Checkpoint>, replace: Replace) -> Result<(), Failure> {
        let job = self.job;
        let name = Path::new(job.scenario.name()).file_stem().unwrap_or_default().to_string_lossy();
        let title = format!("{name}, {}", job.scenario.method_id());
        let setting = Setting {
            problem: self.problem,
            conserves_energy: self.problem.torques().conserves_energy(),
            attitude: job.attitude,
            degrees: job.degrees,
            aem: job.scenario.output().aem.as_ref(),
            title: &title,
            rows: rows(&self.plan, job.scenario.every()),
            spacing: job.scenario.every() as f64 * self.plan.step,
            end: self.plan.time(self.problem.t0(), self.plan.steps),
        };
        for (i, file) in job.files.iter().enumerate() {
            let opened = match from {
                None => output::create(file, replace, &setting).map(Some),
                Some(checkpoint) if checkpoint.finishing && is_complete(file) => Ok(None),
                Some(checkpoint) => match &checkpoint.outputs[i].mark {
                    Some(mark) => output::reopen(file, mark, &setting).map(Some),
                    None => Ok(None),
                },
            };
            match opened {
                Ok(output) => self.targets.push(Target { file: file.clone(), output }),
                Err(failure) => return Err(self.given_up(failure)),
            }
        }
        Ok(())
    }

    /// Steps until the plan is done.
    fn run(&mut self, bar: &ProgressBar) -> Result<(), Failure> {
        while self.step < self.plan.steps || (self.step == 0 && self.saved.is_none()) {
            if let Err(e) = self.run_some(bar) {
                return Err(self.failed(&e));
            }
            if self.step == self.plan.steps {
                break;
            }
            self.save(false).map_err(|failure| self.given_up(failure))?;
            if interrupt::wished() {
                return Err(self.interrupted());
            }
        }
        Ok(())
    }

    /// Steps until it is time to save, or the plan is done.
    fn run_some(&mut self, bar: &ProgressBar) -> Result<(), RunError> {
        let saving = &self.job.saving;
        let begun = Instant::now();
        let is_time = |step: u64| match saving.every {
            _ if saving.path.is_none() => false,
            Some(every) => step.is_multiple_of(every),
            None => step.is_multiple_of(GLANCE) && begun.elapsed() >= MINUTE,
        };
        let mut watch = |sample: &Sample<'_>| {
            if sample.step.is_multiple_of(GLANCE) {
                bar.set_position(sample.step);
            }
            // Not after the start, which a resumed run would be shown again.
            if sample.step > 0 && (interrupt::wished() || is_time(sample.step)) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let recorder = Recorder::new(self.problem, &mut self.targets);
        let mut recorder = Every::new(self.job.scenario.every(), recorder);
        let end = run_from(
            self.problem,
            &mut *self.stepper,
            &self.plan,
            (self.step, self.state),
            &mut [&mut self.invariants, &mut recorder, &mut watch],
        )?;
        (self.step, self.state) = (end.step, end.state);
        self.torque_evaluations += end.torque_evaluations;
        self.iterations += end.iterations;
        Ok(())
    }

    fn save(&mut self, finishing: bool) -> Result<(), Failure> {
        let mut outputs = Vec::new();
        for Target { file, output } in &mut self.targets {
            let mark = output.as_mut().map(|output| output.sync()).transpose();
            let mark = mark.map_err(|e| Failure::file(file, "cannot write", &e))?;
            outputs.push(SavedOutput { file: file.clone(), mark });
        }
        let reached = CheckpointNumbers {
            state: self.state,
            carried: self.stepper.carried(),
            max_errors: self.max_errors(),
        };
        let checkpoint = Checkpoint {
            attitude: self.job.attitude.to_string(),
            degrees: self.job.degrees,
            save_every: self.job.saving.every,
            outputs,
            finishing,
            step: self.step,
            torque_evaluations: self.torque_evaluations,
            iterations: self.iterations,
            wall_seconds: self.seconds(),
            ..Checkpoint::new(&self.job.scenario, &reached)
        };
        let path = match (&self.saved, &self.job.saving.path) {
            (Some(path), _) | (None, Some(path)) => path.clone(),
            (None, None) => {
                let scenario = Path::new(self.job.scenario.name());
                checkpoint::reserve(scenario)
                    .map_err(|e| Failure::file(scenario, "no place to save the run", &e))?
            }
        };
        checkpoint.write(&path)?;
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
        let ending = Ending {
            step: self.step,
            t: self.plan.time(self.problem.t0(), self.step),
            state: self.state,
            invariants: self.invariants,
            torque_evaluations: self.torque_evaluations,
            iterations: self.iterations,
            seconds: self.seconds(),
        };
        while let Some(Target { file, output }) = self.targets.pop() {
            if let Some(output) = output
                && let Err(e) = output.finish()
            {
                if self.saved.is_none() {
                    // Else the rows stay, for another try.
                    let _ = fs::remove_file(output::part(&file));
                }
                return Err(self.given_up(Failure::file(&file, "cannot write", &e)));
            }
        }
        if let Some(path) = &self.saved {
            fs::remove_file(path).map_err(|e| Failure::file(path, "cannot remove", &e))?;
        }
        Ok(ending)
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.begun.elapsed().as_secs_f64()
    }

    /// After a failure the spools go, unless a checkpoint needs them; then the message says so.
    fn given_up(&mut self, failure: Failure) -> Failure {
        let Some(path) = &self.saved else {
            self.targets.drain(..).filter_map(|t| t.output).for_each(Output::discard);
            return failure;
        };
        match failure {
            Failure::Running(message) => Failure::Running(format!(
                "{message}\nThe run is saved up to some step before: `polhode resume {}` goes on \
                 from there",
                checkpoint::shown(path)
            )),
            other => other,
        }
    }

    fn failed(&mut self, e: &RunError) -> Failure {
        let name = self.job.scenario.name();
        self.given_up(Failure::Running(match e {
            RunError::Step { t, .. } => {
                format!("{name}: {e}\nThe run gets as far as --until {t:?}; a shorter step may get further")
            }
            e => format!("{name}: {e}"),
        }))
    }

    fn interrupted(&self) -> Failure {
        let t = self.plan.time(self.problem.t0(), self.step);
        Failure::Interrupted(format!(
            "interrupted after step {} of {}, at t = {t:?}; go on with\n  polhode resume {}",
            self.step,
            self.plan.steps,
            checkpoint::shown(self.saved.as_deref().unwrap_or(Path::new("")))
        ))
    }
}

/// How many rows there will be: the start, every n-th step, and the last.
fn rows(plan: &Plan, every: u64) -> u64 {
    1 + plan.steps.div_ceil(every)
}

/// Renamed into place: there is no spool left.
fn is_complete(file: &Path) -> bool {
    !output::part(file).exists() && file.exists()
}
