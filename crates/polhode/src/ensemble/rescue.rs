//! Lanes that go another way than the kernel, and bodies that can go no further.

use super::advance::Job;
use super::error::{BodyFailure, Cause};
use super::member::Member;
use super::sink::{CELL, Cell};
use crate::method::{MethodError, Stepper};
use crate::{Problem, State, StepError};

/// The method of one body, built when it is first needed.
#[derive(Default)]
pub(super) struct ScalarStepper(Option<(Problem, Box<dyn Stepper>)>);

impl ScalarStepper {
    /// Advances the state by a step of the job.
    pub(super) fn step(
        &mut self,
        job: &Job<'_>,
        body: &Member,
        t: f64,
        state: &mut State,
    ) -> Result<(), Cause> {
        let h = job.plan.step;
        let (problem, stepper) = match &mut self.0 {
            Some(built) => built,
            empty => {
                let Member { inertia, start } = *body;
                let problem = match job.moving {
                    None => Problem::new(inertia, start).torque(job.torque.clone()),
                    Some(moving) => moving.problem(body, job.torque, job.t0)?,
                };
                let problem = problem.starting_at(job.t0);
                let stepper = job.method.stepper(&problem).map_err(|error| match error {
                    MethodError::Torque(error) => Cause::Torque(error),
                    // That method and torque go together was seen before the first block.
                    _ => StepError::OutOfRange { h, momentum: start.m.to_array() }.into(),
                })?;
                empty.insert((problem, stepper))
            }
        };
        stepper.step(problem, t, h, state)?;
        Ok(())
    }

    /// The problem, if a step was done, and what moves inside the body.
    pub(super) fn reached(&self) -> Option<(&Problem, &[f64])> {
        self.0.as_ref().map(|(problem, stepper)| (problem, stepper.inside()))
    }
}

/// The scalar method, for lanes that went another way than it.
pub(super) struct Rescue<'a> {
    job: &'a Job<'a>,
    /// The number of the first body of the task, and its bodies.
    first: u64,
    bodies: &'a [Member],
    /// Methods built so far, with the lanes they belong to.
    scalar: Vec<(usize, ScalarStepper)>,
}

impl<'a> Rescue<'a> {
    #[inline(always)]
    pub(super) fn new(job: &'a Job<'a>, first: u64, bodies: &'a [Member]) -> Self {
        Self { job, first, bodies, scalar: Vec::new() }
    }

    /// Brings the lanes of a cell in `mask` to the end of step n + 1: `after` where that is `done`,
    /// else by the scalar method, and not at all where they have failed.
    #[cold]
    #[inline(never)]
    pub(super) fn lanes(
        &mut self,
        n: u64,
        (cell, index): (&mut Cell, usize),
        (after, done): (&Cell, u32),
        mask: u32,
        failures: &mut Vec<BodyFailure>,
    ) {
        for lane in (0..CELL).filter(|lane| mask & (1 << lane) != 0) {
            if done & (1 << lane) != 0 {
                cell.set(lane, &after.state(lane));
            } else if cell.alive & (1 << lane) != 0 {
                self.lane(n, (cell, index), lane, failures);
            }
        }
    }

    fn lane(
        &mut self,
        n: u64,
        (cell, index): (&mut Cell, usize),
        lane: usize,
        failures: &mut Vec<BodyFailure>,
    ) {
        let job = self.job;
        let place = index * CELL + lane;
        let mut state = cell.state(lane);
        let t = job.plan.time(job.t0, n);
        let known = self.scalar.iter().position(|(of, _)| *of == lane).unwrap_or_else(|| {
            self.scalar.push((lane, ScalarStepper::default()));
            self.scalar.len() - 1
        });
        let body = &self.bodies[place.min(self.bodies.len() - 1)];
        let Err(cause) = self.scalar[known].1.step(job, body, t, &mut state) else {
            return cell.set(lane, &state);
        };
        cell.alive &= !(1 << lane);
        // The last cell is filled up with copies, of which nobody wants to hear.
        if place < self.bodies.len() {
            let body = self.first + place as u64;
            failures.push(BodyFailure { body, step: n + 1, t, state, cause });
        }
    }
}
