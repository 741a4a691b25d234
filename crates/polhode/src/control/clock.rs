//! A controller at work: its calls, and what acts of its commands.

use std::collections::VecDeque;

use glam::DVec3;

use super::{Command, ControlError, ControlLoop, Controller, ControllerInput};
use crate::inside::{MAX_WHEELS, Wheel};
use crate::method::{RestoreError, StepError};
use crate::torque::{Orbit, VectorSource};
use crate::{Point, Problem, State, Torque};

/// Times this part of a period apart are the same.
pub(super) const SAME: f64 = 1e-9;

/// The doubles of a command: torque, dipole, motors, and for how long each axis of the torque is on.
const NUMBERS: usize = 9 + MAX_WHEELS;

/// A command, and for how long the pulses of thrusters last; infinite where there are none.
#[derive(Clone, Copy)]
pub(super) struct TimedCommand {
    pub(super) command: Command,
    pulses: DVec3,
}

impl TimedCommand {
    const NOTHING: Self = Self {
        command: Command { torque: DVec3::ZERO, dipole: DVec3::ZERO, motors: [0.0; MAX_WHEELS] },
        pulses: DVec3::INFINITY,
    };

    fn numbers(&self) -> [f64; NUMBERS] {
        let Command { torque, dipole, motors } = self.command;
        let mut numbers = [0.0; NUMBERS];
        numbers[..3].copy_from_slice(&torque.to_array());
        numbers[3..6].copy_from_slice(&dipole.to_array());
        numbers[6..6 + MAX_WHEELS].copy_from_slice(&motors);
        numbers[6 + MAX_WHEELS..].copy_from_slice(&self.pulses.to_array());
        numbers
    }

    fn of(numbers: &[f64; NUMBERS]) -> Self {
        let vector = |i: usize| DVec3::new(numbers[i], numbers[i + 1], numbers[i + 2]);
        let motors = core::array::from_fn(|i| numbers[6 + i]);
        let command = Command { torque: vector(0), dipole: vector(3), motors };
        Self { command, pulses: vector(6 + MAX_WHEELS) }
    }
}

/// A controller at work.
pub(super) struct ControlClock {
    pub(super) spec: ControlLoop,
    controller: Box<dyn Controller>,
    field: Option<VectorSource>,
    orbit: Option<Orbit>,
    /// The number of the next call.
    tick: u64,
    /// What acts now, its pulses as times of their ends.
    pub(super) acting: TimedCommand,
    /// Commands under way, with the times from which they act.
    pending: VecDeque<(f64, TimedCommand)>,
    /// The torque of its dipole, where there is a field.
    pub(super) magnet: Option<Torque>,
}

impl ControlClock {
    /// On a body on which no commands act yet.
    pub(super) fn new(spec: &ControlLoop, problem: &Problem) -> Result<Self, ControlError> {
        if let Some(thrusters) = spec.thrusters.filter(|t| t.shortest > spec.period) {
            return Err(ControlError::Value {
                key: "shortest_pulse",
                given: format!("{:?}", thrusters.shortest),
                allowed: "no more than the period, or the thrusters could never be on",
            });
        }
        let field = spec.field.clone().or_else(|| problem.torques().field());
        let magnet = field.clone().map(|field| Torque::dipole(DVec3::ZERO, field));
        let orbit = spec.orbit.or_else(|| problem.torques().orbit().copied()).or(match &field {
            Some(VectorSource::Orbit(field)) => Some(*field.orbit()),
            _ => None,
        });
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        let under_way = (spec.delay / spec.period) as usize;
        let running = Self {
            spec: spec.clone(),
            controller: (spec.make)(),
            field,
            orbit,
            tick: 0,
            acting: TimedCommand::NOTHING,
            pending: VecDeque::with_capacity(under_way + 2),
            magnet: magnet.transpose().map_err(ControlError::Field)?,
        };
        let (start, inside, mut speeds) =
            (problem.start(), problem.inside_at_start(), [0.0; MAX_WHEELS]);
        let around = (running.field.as_ref(), running.orbit.as_ref());
        let at = told(around, problem, problem.t0(), (&start, &inside), &mut speeds);
        match running.controller.missing(&at) {
            Some(missing) => Err(missing),
            None => Ok(running),
        }
    }

    fn next_call(&self, t0: f64) -> f64 {
        t0 + self.tick as f64 * self.spec.period
    }

    /// The next time at which something changes.
    pub(super) fn next_change(&self, t0: f64) -> f64 {
        let pending = self.pending.front().map_or(f64::INFINITY, |(from, _)| *from);
        self.next_call(t0).min(pending).min(self.acting.pulses.min_element())
    }

    /// Calls the controller if it is time, and lets commands act whose time has come; whether one has.
    pub(super) fn act(
        &mut self,
        (t0, now): (f64, f64),
        problem: &Problem,
        state: &State,
        inside: &[f64],
    ) -> Result<bool, StepError> {
        let reached = now + SAME * self.spec.period;
        self.skip_missed(t0, reached);
        if self.next_call(t0) <= reached {
            let t = self.next_call(t0);
            self.tick += 1;
            let command = self.called(problem, t, (state, inside))?;
            let acting = self.made_of(command, problem, t)?;
            self.pending.push_back((t + self.spec.delay, acting));
        }
        let mut changed = false;
        while let Some((_, acting)) = self.pending.front().filter(|(from, _)| *from <= reached) {
            self.acting = *acting;
            changed = true;
            self.pending.pop_front();
        }
        for axis in 0..3 {
            if self.acting.pulses[axis] <= reached {
                self.acting.command.torque[axis] = 0.0;
                self.acting.pulses[axis] = f64::INFINITY;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// A run that starts in the middle of time has missed the calls before the last that is due.
    fn skip_missed(&mut self, t0: f64, reached: f64) {
        let due = (reached - self.next_call(t0)) / self.spec.period;
        if due > 2.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above 0")]
            let missed = (due - 1.0) as u64;
            self.tick += missed;
        }
        while t0 + (self.tick + 1) as f64 * self.spec.period <= reached {
            self.tick += 1;
        }
    }

    /// Calls the controller.
    fn called(
        &mut self,
        problem: &Problem,
        t: f64,
        at: (&State, &[f64]),
    ) -> Result<Command, StepError> {
        let mut speeds = [0.0; MAX_WHEELS];
        // The controller changes while it is called, and what it is told of does not.
        let (field, orbit) = (self.field.as_ref(), self.orbit.as_ref());
        let at = told((field, orbit), problem, t, at, &mut speeds);
        if at.field.is_some_and(|field| !field.is_finite()) {
            let reason = "is in a magnetic field that is not finite; a table of it must reach as far as the run";
            return Err(StepError::Control { t, reason });
        }
        let command = self.controller.command(&at);
        if command.is_finite() {
            return Ok(command);
        }
        let reason = "commands what is not finite, or motors of more wheels than there may be";
        Err(StepError::Control { t, reason })
    }

    /// What the actuators make of a command.
    fn made_of(
        &self,
        mut command: Command,
        problem: &Problem,
        t: f64,
    ) -> Result<TimedCommand, StepError> {
        let wheels = problem.moving().map_or(&[][..], |inside| inside.wheels());
        let has_motor = |i: usize| wheels.get(i).is_some_and(Wheel::is_driven);
        let asked = command.motors.iter().enumerate();
        if let Some((i, _)) = asked.into_iter().find(|(i, u)| **u != 0.0 && !has_motor(*i)) {
            return Err(StepError::NoMotor { t, wheel: i + 1 });
        }
        if command.dipole != DVec3::ZERO && self.magnet.is_none() {
            return Err(StepError::Control {
                t,
                reason: "commands a dipole, and there is no magnetic field; give one, or a torque dipole that has one",
            });
        }
        let limit = DVec3::splat(self.spec.dipole_limit);
        command.dipole = command.dipole.clamp(-limit, limit);
        let mut pulses = DVec3::INFINITY;
        if let Some(thrusters) = &self.spec.thrusters {
            let (torque, lasts) = thrusters.pulses(command.torque, self.spec.period);
            let on = lasts.cmplt(DVec3::splat(self.spec.period)) & lasts.cmpgt(DVec3::ZERO);
            command.torque = torque;
            pulses = DVec3::select(on, lasts + (t + self.spec.delay), DVec3::INFINITY);
        }
        Ok(TimedCommand { command, pulses })
    }

    pub(super) fn carried(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.tick as f64);
        numbers.extend(self.acting.numbers());
        numbers.push(self.pending.len() as f64);
        for (from, acting) in &self.pending {
            numbers.push(*from);
            numbers.extend(acting.numbers());
        }
        let own = self.controller.carried();
        numbers.push(own.len() as f64);
        numbers.extend(own);
    }

    pub(super) fn restore(&mut self, rest: &mut CarriedNumbers<'_>) -> Result<(), RestoreError> {
        self.tick = rest.count(f64::MAX)?;
        self.acting = TimedCommand::of(rest.take()?);
        let pending = rest.count(1e4)?;
        self.pending.clear();
        for _ in 0..pending {
            let [from] = *rest.take::<1>()?;
            self.pending.push_back((from, TimedCommand::of(rest.take()?)));
        }
        let own = rest.count(1e9)?;
        self.controller.restore(rest.slice(own)?)
    }
}

/// What a controller in this field and on this orbit is told.
fn told<'a>(
    (field, orbit): (Option<&VectorSource>, Option<&'a Orbit>),
    problem: &'a Problem,
    t: f64,
    (state, inside): (&'a State, &[f64]),
    speeds: &'a mut [f64; MAX_WHEELS],
) -> ControllerInput<'a> {
    let field = field.map(|source| {
        let in_space: DVec3 = source.vector(&problem.body(), t, &Point::from(state)).into();
        state.q.conjugate() * in_space
    });
    ControllerInput {
        problem,
        t,
        state,
        omega: problem.omega_inside(t, state, inside),
        wheels: problem.write_wheel_speeds(t, (state, inside), speeds),
        field,
        orbit,
    }
}

/// Carried numbers, taken one after the other.
pub(super) struct CarriedNumbers<'a> {
    pub(super) all: usize,
    pub(super) rest: &'a [f64],
}

impl<'a> CarriedNumbers<'a> {
    pub(super) fn missing(&self) -> RestoreError {
        RestoreError::new(self.all, "those of the controllers")
    }

    fn take<const N: usize>(&mut self) -> Result<&'a [f64; N], RestoreError> {
        let (first, rest) = self.rest.split_first_chunk().ok_or_else(|| self.missing())?;
        self.rest = rest;
        Ok(first)
    }

    fn slice(&mut self, count: u64) -> Result<&'a [f64], RestoreError> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (first, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.missing())?;
        self.rest = rest;
        Ok(first)
    }

    fn count(&mut self, most: f64) -> Result<u64, RestoreError> {
        let [x] = *self.take::<1>()?;
        if !(0.0..=most.min(1e15)).contains(&x) || x.fract() != 0.0 {
            return Err(self.missing());
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1e15")]
        Ok(x as u64)
    }
}
