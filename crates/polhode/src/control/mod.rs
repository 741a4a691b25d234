//! Controllers: called at their own rate, their command held until the next call, never inside a stage.
//!
//! A controller of period dt is called at t0, t0 + dt, t0 + 2 dt, .. with time, state and wheels, and answers with
//! torques of motors, a magnetic dipole and a torque, which act from then on, or a delay later, until the next. A step
//! of a method in which that happens is cut there, so that each piece is as accurate as a step; how often rows are
//! written changes nothing.
//!
//! ```
//! use polhode::control::{Command, ControlLoop, ControllerInput};
//! use polhode::{Inertia, Problem, State};
//! let slow_down = || |at: &ControllerInput<'_>| Command::torque(at.omega * -0.5);
//! let body = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, State::aligned([1.0, 0.5, 0.2])?)
//!     .controlled(ControlLoop::new(0.1, slow_down)?);
//! let end = body.simulate("strang+exact", 0.25, 20.0)?;
//! assert!(end.points.last().is_some_and(|p| p.state.m.length() < 0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod laws;
mod stepper;

use clock::ControlClock;
pub use laws::{BDot, LAWS, MomentumDump, PdQuaternion, Target};
pub(crate) use stepper::ControlledStepper;

use core::fmt;
use std::sync::Arc;

use glam::DVec3;

use crate::inside::MAX_WHEELS;
use crate::method::RestoreError;
use crate::torque::{Orbit, TorqueError, VectorSource};
use crate::{Problem, State};

/// What a controller is told.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ControllerInput<'a> {
    /// The body, and what acts on it now.
    pub problem: &'a Problem,
    /// The time of the call.
    pub t: f64,
    /// Total momentum (body frame) and attitude.
    pub state: &'a State,
    /// The angular velocity; body frame.
    pub omega: DVec3,
    /// The speeds of the wheels relative to the body.
    pub wheels: &'a [f64],
    /// The magnetic field, where one is known; body frame.
    pub field: Option<DVec3>,
    /// The orbit, where there is one: that of the loop, of a torque that acts by itself, or of the field.
    pub orbit: Option<&'a Orbit>,
}

/// What a controller answers. Whatever is not named is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Command {
    /// A torque on the body from outside, of thrusters for instance; body frame.
    pub torque: DVec3,
    /// A magnetic dipole, which the field turns; body frame.
    pub dipole: DVec3,
    /// The torques of the motors of the wheels, in their order.
    pub motors: [f64; MAX_WHEELS],
}

impl Command {
    /// A torque from outside; body frame.
    pub fn torque(torque: impl Into<DVec3>) -> Self {
        Self { torque: torque.into(), ..Self::default() }
    }

    /// A magnetic dipole, as coils make it; body frame.
    pub fn dipole(dipole: impl Into<DVec3>) -> Self {
        Self { dipole: dipole.into(), ..Self::default() }
    }

    /// Torques of motors, in the order of the wheels; of those that are not named, zero. A torque other than zero of a
    /// wheel that is not there or not driven ends the run, and so do more torques than there may be wheels.
    pub fn motors(torques: &[f64]) -> Self {
        let too_many = torques.len() > MAX_WHEELS;
        let mut motors = [if too_many { f64::NAN } else { 0.0 }; MAX_WHEELS];
        if !too_many {
            motors[..torques.len()].copy_from_slice(torques);
        }
        Self { motors, ..Self::default() }
    }

    fn is_finite(&self) -> bool {
        self.torque.is_finite()
            && self.dipole.is_finite()
            && self.motors.iter().all(|x| x.is_finite())
    }
}

/// A law of control: a closure, one of this module, or one's own.
///
/// What a closure remembers in variables of its own is not known to a checkpoint: a run that is resumed begins with a
/// new one. A law that remembers something implements [`Controller::carried`] and [`Controller::restore`].
pub trait Controller: Send {
    /// The command from now on.
    fn command(&mut self, at: &ControllerInput<'_>) -> Command;

    /// What it needs and is not there, asked with the start before a run begins, which it then refuses.
    fn missing(&self, _at: &ControllerInput<'_>) -> Option<ControlError> {
        None
    }

    /// What it remembers from call to call, as numbers: with these in a new one a run goes on bit for bit.
    fn carried(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes up what [`Controller::carried`] gave.
    ///
    /// # Errors
    /// [`RestoreError`] if it remembers another count of numbers.
    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        RestoreError::unless_empty(carried)
    }
}

impl<F: FnMut(&ControllerInput<'_>) -> Command + Send> Controller for F {
    fn command(&mut self, at: &ControllerInput<'_>) -> Command {
        self(at)
    }
}

/// Thrusters in pairs along the body axes that are on or off: how a torque that is commanded comes about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thrusters {
    pub(crate) level: DVec3,
    pub(crate) shortest: f64,
}

impl Thrusters {
    /// Thrusters of this torque about each axis, on for this time at least: at each call each pair is on for that part
    /// of the period that makes the mean torque the one commanded, or off if that were too short.
    ///
    /// # Errors
    /// [`ControlError`] unless the torques are positive and the shortest pulse is not negative.
    pub fn new(level: impl Into<DVec3>, shortest: f64) -> Result<Self, ControlError> {
        let level = level.into();
        if !(level.is_finite() && level.min_element() > 0.0) {
            let given = format!("{:?}", level.to_array());
            return Err(ControlError::Value { key: "thrust", given, allowed: POSITIVES });
        }
        not_negative("shortest_pulse", shortest)?;
        Ok(Self { level, shortest })
    }

    /// Of a torque that is commanded for a period: what is on, and for how long, along each axis.
    fn pulses(&self, torque: DVec3, period: f64) -> (DVec3, DVec3) {
        let asked = (torque.abs() / self.level * period).min(DVec3::splat(period));
        let on = asked.cmpge(DVec3::splat(self.shortest)) & asked.cmpgt(DVec3::ZERO);
        let level = self.level * torque.signum();
        (DVec3::select(on, level, DVec3::ZERO), DVec3::select(on, asked, DVec3::ZERO))
    }
}

/// A controller with its rate and its actuators.
#[derive(Clone)]
pub struct ControlLoop {
    pub(crate) period: f64,
    pub(crate) delay: f64,
    pub(crate) dipole_limit: f64,
    pub(crate) thrusters: Option<Thrusters>,
    pub(crate) field: Option<VectorSource>,
    pub(crate) orbit: Option<Orbit>,
    /// Whether it commands nothing but motors.
    pub(crate) is_internal: bool,
    pub(crate) make: Arc<dyn Fn() -> Box<dyn Controller> + Send + Sync>,
}

impl fmt::Debug for ControlLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("ControlLoop");
        text.field("period", &self.period).field("delay", &self.delay).finish_non_exhaustive()
    }
}

/// A delay of more periods than this is refused: so many commands would be under way.
const MAX_DELAY: f64 = 1000.0;

const POSITIVES: &str = "three positive finite numbers";

impl ControlLoop {
    /// A controller that is called every `period`; `make` makes a new one for each run.
    ///
    /// # Errors
    /// [`ControlError`] unless the period is positive and finite.
    pub fn new<C: Controller + 'static>(
        period: f64,
        make: impl Fn() -> C + Send + Sync + 'static,
    ) -> Result<Self, ControlError> {
        if !(period > 0.0 && period.is_finite()) {
            let (given, allowed) = (format!("{period:?}"), "a positive finite number");
            return Err(ControlError::Value { key: "period", given, allowed });
        }
        Ok(Self {
            period,
            delay: 0.0,
            dipole_limit: f64::INFINITY,
            thrusters: None,
            field: None,
            orbit: None,
            is_internal: false,
            make: Arc::new(move || Box::new(make())),
        })
    }

    /// Lets commands act this much later than they are given.
    ///
    /// # Errors
    /// [`ControlError`] unless the delay is from zero to a thousand periods.
    pub fn delayed(self, delay: f64) -> Result<Self, ControlError> {
        if !(0.0..=MAX_DELAY * self.period).contains(&delay) {
            let (given, allowed) = (format!("{delay:?}"), "from 0 to a thousand periods");
            return Err(ControlError::Value { key: "delay", given, allowed });
        }
        Ok(Self { delay, ..self })
    }

    /// Bounds the dipole of magnetorquers along each axis.
    ///
    /// # Errors
    /// [`ControlError`] unless the bound is positive and finite.
    pub fn dipole_limit(self, limit: f64) -> Result<Self, ControlError> {
        if !(limit > 0.0 && limit.is_finite()) {
            let (given, allowed) = (format!("{limit:?}"), "a positive finite number");
            return Err(ControlError::Value { key: "dipole_limit", given, allowed });
        }
        Ok(Self { dipole_limit: limit, ..self })
    }

    /// Makes the torques that are commanded by thrusters.
    #[must_use]
    pub fn thrusters(self, thrusters: Thrusters) -> Self {
        Self { thrusters: Some(thrusters), ..self }
    }

    /// Sets the magnetic field (space frame), which is otherwise that of a torque `dipole` or `magnetic-dipole`.
    #[must_use]
    pub fn field(self, field: impl Into<VectorSource>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Sets the orbit, which is otherwise that of a torque, or of the field.
    #[must_use]
    pub fn orbit(self, orbit: Orbit) -> Self {
        Self { orbit: Some(orbit), ..self }
    }

    /// Checks that it can do its work on this body, as is done before a run begins.
    ///
    /// # Errors
    /// [`ControlError`] if the field is not finite, thrusters could never be on, or the law misses something.
    pub fn check(&self, problem: &Problem) -> Result<(), ControlError> {
        ControlClock::new(self, problem).map(|_| ())
    }

    /// Says that nothing but motors is commanded: the total momentum is then known to stay what it is.
    #[must_use]
    pub fn internal(self) -> Self {
        Self { is_internal: true, ..self }
    }
}

/// What can be wrong with a controller.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// A number that is not allowed.
    #[error("controller: {key} = {given} is not allowed; allowed is {allowed}")]
    Value {
        /// Which number.
        key: &'static str,
        /// The value that was given, as text.
        given: String,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// Something is missing that the controller needs.
    #[error("controller: {what}; {remedy}")]
    Missing {
        /// What is missing.
        what: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The magnetic field cannot be used, for instance because it is not finite.
    #[error("controller: field: {0}")]
    Field(TorqueError),
}

impl ControlError {
    const NO_FIELD: Self = Self::Missing {
        what: "there is no magnetic field",
        remedy: "give the controller a field, or a torque dipole that has one (in a scenario, [orbit] strength)",
    };

    const NO_ORBIT: Self = Self::Missing {
        what: "there is no nadir without an orbit",
        remedy: "give the controller an orbit, or a torque on one, gravity-gradient for instance (in a scenario, \
                 [orbit])",
    };

    const NO_WHEELS: Self = Self::Missing {
        what: "there are no wheels to take momentum from",
        remedy: "give the body wheels that turn",
    };
}

fn not_negative(key: &'static str, x: f64) -> Result<(), ControlError> {
    if x >= 0.0 && x.is_finite() {
        return Ok(());
    }
    let given = format!("{x:?}");
    Err(ControlError::Value { key, given, allowed: "a finite number, not negative" })
}
