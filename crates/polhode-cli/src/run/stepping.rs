//! A run in steps of one length.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;
use polhode::method::{StepError, StepReport, Stepper};
use polhode::observe::{Every, ObserveError, Observer, Sample, StepAgain};
use polhode::{Problem, RunError, State, run_from};
use polhode_scenario::Steps;

use super::checkpoint::{Checkpoint, CheckpointNumbers};
use super::course::{Extent, Finish, Position, RunCourse, RunWatch};
use super::progress;
use super::recorder::Recorder;
use crate::failure::Failure;
use crate::numbers::time;

/// Clock and progress bar are looked at once in so many steps: a step can be a tenth of a microsecond.
const GLANCE: u64 = 256;

/// Steps of one length, some of them done.
pub(super) struct FixedSteps<'a> {
    name: &'a str,
    problem: &'a Problem,
    steps: &'a Steps,
    stepper: Box<dyn Stepper>,
    begun: bool,
    step: u64,
    state: State,
    torque_evaluations: u64,
    iterations: u64,
    /// `[run] stop_when` has become true.
    stopped: bool,
}

impl<'a> FixedSteps<'a> {
    /// From the start; `name` is that of the scenario, for messages.
    pub(super) fn new(
        name: &'a str,
        problem: &'a Problem,
        steps: &'a Steps,
    ) -> Result<Self, Failure> {
        let stepper = steps.method.stepper(problem).map_err(|e| Failure::Input(e.to_string()))?;
        Ok(Self {
            name,
            problem,
            steps,
            stepper,
            begun: false,
            step: 0,
            state: problem.start(),
            torque_evaluations: 0,
            iterations: 0,
            stopped: false,
        })
    }

    fn time(&self, step: u64) -> f64 {
        self.steps.plan.time(self.problem.t0(), step)
    }

    /// How many rows a run has that ends after this step: the start, every n-th step, and the last.
    fn rows(&self, end: u64) -> u64 {
        1 + end.div_ceil(self.steps.every)
    }

    /// Whether the end of a run that was stopped is still to be written.
    fn lacks_a_row(&self) -> bool {
        !self.step.is_multiple_of(self.steps.every) && self.step < self.steps.plan.steps
    }

    fn failed(&self, e: &RunError) -> Failure {
        let name = self.name;
        Failure::Running(match e {
            RunError::Step { t, .. } => {
                format!(
                    "{name}: {e}\nThe run gets as far as --until {t:?}; a shorter step may get further"
                )
            }
            e => format!("{name}: {e}"),
        })
    }
}

/// The method of a run, which leaves what it carried before a step where it is wanted.
struct RecordingStepper<'a> {
    stepper: &'a mut dyn Stepper,
    carried: Option<&'a Mutex<Vec<f64>>>,
}

/// Nobody else holds it.
fn lock(carried: &Mutex<Vec<f64>>) -> MutexGuard<'_, Vec<f64>> {
    carried.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stepper for RecordingStepper<'_> {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        if let Some(carried) = self.carried {
            *lock(carried) = self.stepper.carried();
        }
        self.stepper.step(problem, t, h, state)
    }

    fn inside(&self) -> &[f64] {
        self.stepper.inside()
    }
}

/// The recorder, lent to the time loop.
struct LentRecorder<'r, 'a>(&'r mut Recorder<'a>);

impl Observer for LentRecorder<'_, '_> {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        self.0.observe(sample)
    }
}

impl RunCourse for FixedSteps<'_> {
    fn extent(&self) -> Extent {
        let Steps { plan, every, .. } = *self.steps;
        Extent {
            rows: self.rows(plan.steps),
            spacing: every as f64 * plan.step,
            end: self.time(plan.steps),
        }
    }

    fn bar(&self) -> ProgressBar {
        progress::of_steps(self.step, self.steps.plan.steps)
    }

    fn take_up(&mut self, checkpoint: &Checkpoint) -> Result<(), String> {
        let CheckpointNumbers { state, carried, .. } = checkpoint.reached();
        self.stepper.restore(&carried).map_err(|e| {
            format!("what the method {} carries does not fit it: {e}", self.steps.method_id)
        })?;
        self.begun = true;
        self.step = checkpoint.step;
        self.state = state;
        self.torque_evaluations = checkpoint.torque_evaluations;
        self.iterations = checkpoint.iterations;
        self.stopped = checkpoint.finishing && self.step < self.steps.plan.steps;
        Ok(())
    }

    fn go_on(&mut self, watch: &mut RunWatch<'_, '_>) -> Result<(), Failure> {
        self.begun = true;
        let RunWatch { invariants, recorder, windows, bar, pause } = watch;
        let (mut before, mut stopped) = ((self.time(self.step), self.state), false);
        let mut inside_before = self.stepper.inside().to_vec();
        let carried = Mutex::new(Vec::new());
        let watched = if windows.is_empty() { None } else { Some(&carried) };
        let mut remembered = RecordingStepper { stepper: &mut *self.stepper, carried: watched };
        let again = self.steps.method.stepper(self.problem);
        let mut again = again.map_err(|e| Failure::Input(e.to_string()))?;
        let mut see = |sample: &Sample<'_>| {
            if sample.step > 0 && watched.is_some() {
                let was = Sample::new(sample.problem, sample.step - 1, before.0, &before.1);
                let was = was.with_inside(&inside_before);
                let carried = lock(&carried);
                stopped |=
                    windows.see_step(&mut StepAgain::new(&mut *again, &carried, was, *sample));
                before = (sample.t, *sample.state);
                inside_before.copy_from_slice(sample.inside);
            }
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut look = |sample: &Sample<'_>| {
            if sample.step.is_multiple_of(GLANCE) {
                bar.set_position(sample.step);
            }
            // Not after the start, which a resumed run would be shown again.
            if sample.step > 0 && pause.after_step(sample.step, GLANCE) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let mut recorder = Every::new(self.steps.every, LentRecorder(recorder));
        let end = run_from(
            self.problem,
            &mut remembered,
            &self.steps.plan,
            (self.step, self.state),
            &mut [*invariants, &mut recorder, &mut see, &mut look],
        );
        if let Err(RunError::Step { step, .. } | RunError::Observe { step, .. }) = &end {
            // The stepper is beyond what was saved; only the number is of use.
            self.step = step.saturating_sub(1);
        }
        let end = end.map_err(|e| self.failed(&e))?;
        (self.step, self.state) = (end.step, end.state);
        self.stopped = stopped;
        if stopped && self.lacks_a_row() {
            let (step, inside) = (self.step, self.stepper.inside());
            let sample = Sample::new(self.problem, step, self.time(step), &self.state);
            let written = watch.recorder.observe(&sample.with_inside(inside));
            let source = |source| RunError::Observe { step, t: self.time(step), source };
            // It does not ask for an end, which is here.
            let _ = written.map_err(|e| self.failed(&source(e)))?;
        }
        self.torque_evaluations += end.torque_evaluations;
        self.iterations += end.iterations;
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.begun && (self.step == self.steps.plan.steps || self.stopped)
    }

    fn has_rows(&self) -> bool {
        self.step > 0
    }

    fn position(&self) -> Position {
        Position {
            step: self.step,
            state: self.state,
            carried: self.stepper.carried(),
            torque_evaluations: self.torque_evaluations,
            iterations: self.iterations,
        }
    }

    fn place(&self) -> String {
        let (step, steps) = (self.step, self.steps.plan.steps);
        format!("after step {step} of {steps}, at t = {}", time(self.time(step)))
    }

    fn finish(&self) -> Finish {
        Finish {
            steps: self.step,
            rejected: 0,
            rows: self.rows(self.step),
            t: self.time(self.step),
            state: self.state,
            inside: self.stepper.inside().to_vec(),
            torque_evaluations: self.torque_evaluations,
            iterations: self.iterations,
            better: None,
            stopped: self.stopped,
        }
    }
}
