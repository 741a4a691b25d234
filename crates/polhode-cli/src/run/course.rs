//! How a run gets on: what fixed steps and solutions have in common.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use polhode::State;
use polhode::observe::Invariants;

use super::checkpoint::Checkpoint;
use super::interrupt;
use super::job::SavePlan;
use super::recorder::Recorder;
use super::windows::Windows;
use crate::failure::Failure;

/// How often a run is saved that has no number of steps for it.
const MINUTE: Duration = Duration::from_mins(1);

/// A motion that is computed piece by piece, shown row by row, and can be taken up again where it was left.
pub(super) trait RunCourse {
    /// The rows to be expected.
    fn extent(&self) -> Extent;

    /// A bar for all of it, standing where the course is.
    fn bar(&self) -> ProgressBar;

    /// Goes to where a checkpoint was taken.
    ///
    /// # Errors
    /// Why the checkpoint does not fit.
    fn take_up(&mut self, checkpoint: &Checkpoint) -> Result<(), String>;

    /// Goes on until it is time to pause, or all is done.
    ///
    /// # Errors
    /// What went wrong on the way; the rows shown until then are right.
    fn go_on(&mut self, watch: &mut RunWatch<'_, '_>) -> Result<(), Failure>;

    fn is_done(&self) -> bool;

    /// Whether a row has been shown that took some computing.
    fn has_rows(&self) -> bool;

    /// How far it is.
    fn position(&self) -> Position;

    /// How far it is, for a reader: "after step 7 of 9, at t = 3.5".
    fn place(&self) -> String;

    /// How it ended.
    fn finish(&self) -> Finish;
}

/// The rows of a run.
pub(super) struct Extent {
    pub(super) rows: u64,
    /// The least time from one row to the next.
    pub(super) spacing: f64,
    /// The time of the last row.
    pub(super) end: f64,
}

/// What a checkpoint keeps of a course.
pub(super) struct Position {
    /// Steps done, or rows written of a solution.
    pub(super) step: u64,
    pub(super) state: State,
    pub(super) carried: Vec<f64>,
    pub(super) torque_evaluations: u64,
    pub(super) iterations: u64,
}

/// The end of a course.
pub(super) struct Finish {
    pub(super) steps: u64,
    pub(super) rejected: u64,
    pub(super) rows: u64,
    pub(super) t: f64,
    pub(super) state: State,
    /// Of what moves inside the body.
    pub(super) inside: Vec<f64>,
    pub(super) torque_evaluations: u64,
    pub(super) iterations: u64,
    /// The end of a better solution, by which the error is estimated.
    pub(super) better: Option<State>,
    /// Whether `[run] stop_when` has ended it.
    pub(super) stopped: bool,
}

/// Who is shown what, and when to pause.
pub(super) struct RunWatch<'a, 'p> {
    pub(super) invariants: &'a mut Invariants,
    pub(super) recorder: Recorder<'a>,
    pub(super) windows: &'a mut Windows<'p>,
    pub(super) bar: &'a ProgressBar,
    pub(super) pause: Pause<'a>,
}

/// When it is time to save.
pub(super) struct Pause<'a> {
    saving: &'a SavePlan,
    begun: Instant,
    /// Steps since the run was saved, of a solution.
    steps: Cell<u64>,
}

impl<'a> Pause<'a> {
    pub(super) fn new(saving: &'a SavePlan) -> Self {
        Self { saving, begun: Instant::now(), steps: Cell::new(0) }
    }

    /// After a step of fixed length, which is the `step`-th. The clock is looked at once in `glance` steps.
    pub(super) fn after_step(&self, step: u64, glance: u64) -> bool {
        interrupt::wished()
            || self.saving.path.is_some()
                && match self.saving.every {
                    Some(every) => step.is_multiple_of(every),
                    None => step.is_multiple_of(glance) && self.begun.elapsed() >= MINUTE,
                }
    }

    /// After so many steps of a solution. The clock is looked at if there is time for a glance.
    pub(super) fn after_steps(&self, steps: u64, glance: bool) -> bool {
        self.steps.set(self.steps.get() + steps);
        interrupt::wished()
            || self.saving.path.is_some()
                && match self.saving.every {
                    Some(every) => self.steps.get() >= every,
                    None => glance && self.begun.elapsed() >= MINUTE,
                }
    }
}
