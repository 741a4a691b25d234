//! A method with controllers: steps are cut where commands change.

use std::collections::VecDeque;

use glam::DVec3;

use super::{Command, ControlLoop, Controller, Moment};
use crate::inside::MAX_WHEELS;
use crate::method::{RestoreError, StepError, StepReport, Stepper};
use crate::torque::Source;
use crate::{Point, Problem, State, Torque};

/// Times this part of a period apart are the same.
const SAME: f64 = 1e-9;

/// The doubles of a command: torque, dipole, motors, and for how long each axis of the torque is on.
const NUMBERS: usize = 9 + MAX_WHEELS;

/// A command, and for how long the pulses of thrusters last; infinite where there are none.
#[derive(Clone, Copy)]
struct Acting {
    command: Command,
    pulses: DVec3,
}

impl Acting {
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
struct Running {
    spec: ControlLoop,
    controller: Box<dyn Controller>,
    field: Option<Source>,
    /// The number of the next call.
    tick: u64,
    /// What acts now, its pulses as times of their ends.
    acting: Acting,
    /// Commands under way, with the times from which they act.
    pending: VecDeque<(f64, Acting)>,
    /// The torque of its dipole, where there is a field.
    magnet: Option<Torque>,
}

impl Running {
    fn new(spec: &ControlLoop, problem: &Problem) -> Self {
        let field = spec.field.clone().or_else(|| problem.torques().field());
        let magnet = field.clone().and_then(|field| Torque::dipole(DVec3::ZERO, field).ok());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        let under_way = (spec.delay / spec.period) as usize;
        Self {
            spec: spec.clone(),
            controller: (spec.make)(),
            field,
            tick: 0,
            acting: Acting::NOTHING,
            pending: VecDeque::with_capacity(under_way + 2),
            magnet,
        }
    }

    fn next_call(&self, t0: f64) -> f64 {
        t0 + self.tick as f64 * self.spec.period
    }

    /// The next time at which something changes.
    fn next_change(&self, t0: f64) -> f64 {
        let pending = self.pending.front().map_or(f64::INFINITY, |(from, _)| *from);
        self.next_call(t0).min(pending).min(self.acting.pulses.min_element())
    }

    /// Calls the controller if it is time, and lets commands act whose time has come; whether one has.
    fn act(
        &mut self,
        (t0, now): (f64, f64),
        problem: &Problem,
        state: &State,
        inside: &[f64],
    ) -> Result<bool, StepError> {
        let reached = now + SAME * self.spec.period;
        // A run that starts in the middle of time has missed the calls before.
        while self.next_call(t0) <= reached {
            let t = self.next_call(t0);
            self.tick += 1;
            if self.next_call(t0) <= reached {
                continue;
            }
            let field = self.field.as_ref().map(|source| {
                let in_space: DVec3 = source.vector(&problem.body(), t, &Point::from(state)).into();
                state.q.conjugate() * in_space
            });
            let mut speeds = [0.0; MAX_WHEELS];
            let at = Moment {
                problem,
                t,
                state,
                omega: problem.omega_inside(t, state, inside),
                wheels: problem.write_wheel_speeds(t, (state, inside), &mut speeds),
                field,
                orbit: problem.torques().orbit(),
            };
            let command = self.controller.command_checked(&at)?;
            let acting = self.made_of(command, t)?;
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

    /// What the actuators make of a command.
    fn made_of(&self, mut command: Command, t: f64) -> Result<Acting, StepError> {
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
        Ok(Acting { command, pulses })
    }

    fn carried(&self, numbers: &mut Vec<f64>) {
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

    fn restore(&mut self, rest: &mut Numbers<'_>) -> Result<(), RestoreError> {
        self.tick = rest.count(f64::MAX)?;
        self.acting = Acting::of(rest.take()?);
        let pending = rest.count(1e4)?;
        self.pending.clear();
        for _ in 0..pending {
            let [from] = *rest.take::<1>()?;
            self.pending.push_back((from, Acting::of(rest.take()?)));
        }
        let own = rest.count(1e9)?;
        self.controller.restore(rest.slice(own)?)
    }
}

trait Checked {
    fn command_checked(&mut self, at: &Moment<'_>) -> Result<Command, StepError>;
}

impl Checked for Box<dyn Controller> {
    fn command_checked(&mut self, at: &Moment<'_>) -> Result<Command, StepError> {
        let command = self.command(at);
        if command.is_finite() {
            return Ok(command);
        }
        Err(StepError::Control { t: at.t, reason: "commands what is not finite" })
    }
}

/// Carried numbers, taken one after the other.
struct Numbers<'a> {
    all: usize,
    rest: &'a [f64],
}

impl<'a> Numbers<'a> {
    fn missing(&self) -> RestoreError {
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

/// A method with controllers.
pub(crate) struct Controlled {
    inner: Box<dyn Stepper>,
    /// The problem with what is commanded now.
    problem: Problem,
    /// What acts by itself.
    base: Torque,
    /// What is commanded from outside.
    push: Torque,
    loops: Vec<Running>,
    /// Whether what acts is to be put together again.
    stale: bool,
    /// A step was given up in its middle: wheels and controllers are beyond the state.
    failed: bool,
}

impl Controlled {
    pub(crate) fn new(inner: Box<dyn Stepper>, problem: &Problem) -> Self {
        let loops = problem.control_loops().iter();
        let loops = loops.map(|spec| Running::new(spec, problem)).collect();
        let base = problem.torques().clone();
        Self {
            inner,
            problem: problem.clone(),
            base,
            push: Torque::none(),
            loops,
            stale: true,
            failed: false,
        }
    }

    /// Lets new commands act.
    fn refresh(&mut self, t: f64) -> Result<(), StepError> {
        self.put_together(t)?;
        // What is kept of the torque belongs to the one before.
        self.inner.reset();
        self.stale = false;
        Ok(())
    }

    /// Puts together what acts, all in all, in the memory of what acted before.
    fn put_together(&mut self, t: f64) -> Result<(), StepError> {
        let not_built =
            |_| StepError::Control { t, reason: "commands what is beyond the range of doubles" };
        let torque = self.problem.torque_mut();
        // Whatever it shares with the parts that are to change.
        torque.clear();
        torque.extend(&self.base);
        let mut motors = [0.0; MAX_WHEELS];
        let mut pushed = DVec3::ZERO;
        for running in &mut self.loops {
            let Command { torque: push, dipole, motors: asked } = running.acting.command;
            pushed += push;
            for (sum, motor) in motors.iter_mut().zip(asked) {
                *sum += motor;
            }
            if let Some(magnet) = running.magnet.as_mut().filter(|_| dipole != DVec3::ZERO) {
                magnet.set_dipole(dipole);
                torque.extend(magnet);
            }
        }
        if pushed != DVec3::ZERO {
            self.push.set_constant(pushed).map_err(not_built)?;
            torque.extend(&self.push);
        }
        self.inner.command(&motors);
        Ok(())
    }
}

impl Controlled {
    /// A step, cut where commands change.
    fn pieces(&mut self, t: f64, h: f64, state: &mut State) -> Result<StepReport, StepError> {
        let (t0, end) = (self.problem.t0(), t + h);
        let mut next = *state;
        let mut report = StepReport::default();
        let mut now = t;
        loop {
            let mut until = f64::INFINITY;
            for running in &mut self.loops {
                let inside = self.inner.inside();
                self.stale |= running.act((t0, now), &self.problem, &next, inside)?;
                let change = running.next_change(t0);
                // A change at the very end of the step is left to the next one.
                if change < end - SAME * running.spec.period {
                    until = until.min(change);
                }
            }
            if self.stale {
                self.refresh(now)?;
            }
            let whole = until == f64::INFINITY;
            let part = match (whole, now == t) {
                (true, true) => h,
                (true, false) => end - now,
                (false, _) => until - now,
            };
            let done = self.inner.step(&self.problem, now, part, &mut next)?;
            report.torque_evaluations += done.torque_evaluations;
            report.iterations += done.iterations;
            if whole {
                *state = next;
                return Ok(report);
            }
            now = until;
        }
    }
}

impl Stepper for Controlled {
    fn step(
        &mut self,
        _problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let refused = match (h < 0.0, self.failed) {
            (true, _) => Some("cannot be run backwards in time"),
            (_, true) => Some("has failed before, in the middle of a step; begin anew"),
            _ => None,
        };
        if let Some(reason) = refused {
            return Err(StepError::Control { t, reason });
        }
        let done = self.pieces(t, h, state);
        self.failed = done.is_err();
        done
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn inside(&self) -> &[f64] {
        self.inner.inside()
    }

    fn carried(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        for running in &self.loops {
            running.carried(&mut numbers);
        }
        numbers.extend(self.inner.carried());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let mut rest = Numbers { all: carried.len(), rest: carried };
        for running in &mut self.loops {
            running.restore(&mut rest)?;
        }
        // What the method inside carries stays: the command is no new one.
        self.put_together(0.0).map_err(|_| rest.missing())?;
        (self.stale, self.failed) = (false, false);
        self.inner.restore(rest.rest)
    }
}
