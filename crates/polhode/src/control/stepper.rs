//! A method with controllers: steps are cut where commands change.

use glam::DVec3;

use super::clock::{CarriedNumbers, ControlClock, SAME};
use super::{Command, ControlError};
use crate::inside::MAX_WHEELS;
use crate::method::{RestoreError, StepError, StepReport, Stepper};
use crate::{Problem, State, Torque};

/// A controller may be called so often in a step.
const MOST_CALLS: f64 = 1e6;

/// A method with controllers.
pub(crate) struct ControlledStepper {
    inner: Box<dyn Stepper>,
    /// The problem with what is commanded now.
    problem: Problem,
    /// What acts by itself.
    base: Torque,
    /// What is commanded from outside.
    push: Torque,
    loops: Vec<ControlClock>,
    /// Whether what acts is to be put together again.
    stale: bool,
    /// A step was given up in its middle: wheels and controllers are beyond the state.
    failed: bool,
}

impl ControlledStepper {
    pub(crate) fn new(inner: Box<dyn Stepper>, problem: &Problem) -> Result<Self, ControlError> {
        let loops = problem.control_loops().iter();
        let loops = loops.map(|spec| ControlClock::new(spec, problem)).collect::<Result<_, _>>()?;
        let base = problem.torques().clone();
        Ok(Self {
            inner,
            problem: problem.clone(),
            base,
            push: Torque::none(),
            loops,
            stale: true,
            failed: false,
        })
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

impl ControlledStepper {
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

impl Stepper for ControlledStepper {
    fn step(
        &mut self,
        _problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let often = |running: &ControlClock| h / running.spec.period > MOST_CALLS;
        let refused = if h < 0.0 {
            Some("cannot be run backwards in time")
        } else if self.failed {
            Some("has failed before, in the middle of a step; begin anew")
        } else if self.loops.iter().any(often) {
            Some(
                "would be called more than a million times in a step; take a longer period, or a shorter step",
            )
        } else {
            None
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
        let mut rest = CarriedNumbers { all: carried.len(), rest: carried };
        for running in &mut self.loops {
            running.restore(&mut rest)?;
        }
        // What the method inside carries stays: the command is no new one.
        self.put_together(0.0).map_err(|_| rest.missing())?;
        (self.stale, self.failed) = (false, false);
        self.inner.restore(rest.rest)
    }
}
