//! Number that go another way than the kernel, and bodies that can go no further.

use super::advance::Job;
use super::body::Body;
use super::columns::CELL;
use super::error::{Cause, Failure};
use super::sink::Cell;
use crate::method::Stepper;
use crate::{Problem, StepError};

/// The scalar method, for lanes that went another way than it.
pub(super) struct Rescue<'a> {
    job: &'a Job<'a>,
    /// The number of the first body of the task, and its bodies.
    first: u64,
    bodies: &'a [Body],
    /// Steppers built so far, with the lanes they belong to.
    scalar: Vec<(usize, Problem, Box<dyn Stepper>)>,
}

impl<'a> Rescue<'a> {
    #[inline(always)]
    pub(super) fn new(job: &'a Job<'a>, first: u64, bodies: &'a [Body]) -> Self {
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
        failures: &mut Vec<Failure>,
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
        failures: &mut Vec<Failure>,
    ) {
        let job = self.job;
        let place = index * CELL + lane;
        let mut state = cell.state(lane);
        let t = job.plan.time(job.t0, n);
        let cause = match self.stepper(place, lane) {
            Err(cause) => cause,
            Ok((problem, stepper)) => match stepper.step(problem, t, job.plan.step, &mut state) {
                Ok(_) => return cell.set(lane, &state),
                Err(cause) => cause.into(),
            },
        };
        cell.alive &= !(1 << lane);
        // The last cell is filled up with copies, of which nobody wants to hear.
        if place < self.bodies.len() {
            let body = self.first + place as u64;
            failures.push(Failure { body, step: n + 1, t, state, cause });
        }
    }

    /// The scalar method of a body.
    fn stepper(
        &mut self,
        place: usize,
        lane: usize,
    ) -> Result<(&Problem, &mut dyn Stepper), Cause> {
        let known = self.scalar.iter().position(|(of, ..)| *of == lane);
        let known = known.map_or_else(|| self.build(place, lane), Ok)?;
        let (_, problem, stepper) = &mut self.scalar[known];
        Ok((problem, stepper.as_mut()))
    }

    /// Builds it; its place among those built.
    fn build(&mut self, place: usize, lane: usize) -> Result<usize, Cause> {
        let Body { inertia, start } = self.bodies[place.min(self.bodies.len() - 1)];
        let torque = self.job.field.on(&inertia)?;
        let problem = Problem { inertia, torque, t0: self.job.t0, start };
        // That method and field go together was seen before the first block.
        let refused = StepError::OutOfRange { h: self.job.plan.step, momentum: start.m.to_array() };
        let stepper = self.job.method.stepper(&problem).map_err(|_| refused)?;
        self.scalar.push((lane, problem, stepper));
        Ok(self.scalar.len() - 1)
    }
}
