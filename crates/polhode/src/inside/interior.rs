//! What moves inside one body: its numbers, and what follows from them.

use glam::{DMat3, DVec3};
use polhode_number::Number;
use polhode_number::vector::Vector;

use super::{Inside, InsideError, MAX_WHEELS, Wheel};
use crate::torque::Body;
use crate::{Inertia, InertiaError, InertiaOver, State};

/// What moves inside a body, with the body.
///
/// The numbers that belong to its state are, in this order, the absolute axial momenta of the driven wheels and the
/// momentum of the ball of a damper in space.
#[derive(Clone, Debug)]
pub(crate) struct Interior {
    pub(super) inside: Inside,
    locked: Inertia,
    /// The inertia of what turns by itself: driven wheels and the ball of a damper.
    missing: DMat3,
    /// The inertia of what turns with the body: all but what turns by itself.
    pub(super) rest: Inertia,
    /// The locked inertia with the inverse of that of what turns with the body, as torques see them.
    over: InertiaOver<f64>,
    /// The momentum of the wheels at constant speed.
    pub(super) steady: DVec3,
}

/// A body in which something moves, as its torques see it at one moment: they act on its whole mass, and its angular
/// velocity is that of the part that turns as a whole.
pub(crate) struct SeenBody<N> {
    /// The inertia with everything locked.
    inertia: Inertia,
    over: InertiaOver<N>,
    /// Whether something turns by itself.
    in_parts: bool,
    /// The momentum of what turns as a whole.
    pub(crate) m: Vector<N>,
}

impl<N: Number> SeenBody<N> {
    #[inline(always)]
    pub(crate) fn body(&self) -> Body<'_, N> {
        let body = Body::new(&self.over, core::slice::from_ref(&self.inertia));
        if self.in_parts { body.in_parts() } else { body }
    }
}

impl Interior {
    pub(crate) fn new(inside: Inside, locked: &Inertia, t0: f64) -> Result<Self, InsideError> {
        let count = inside.wheels.len();
        if count > MAX_WHEELS {
            return Err(InsideError::TooManyWheels { count });
        }
        let mut locked = *locked;
        if let Some(varying) = &inside.varying {
            varying.check_times([t0; 2])?;
            locked = varying.at(t0).map_err(|source| InsideError::Varying { t: t0, source })?;
        }
        let mut missing = DMat3::ZERO;
        for wheel in inside.wheels.iter().filter(|w| w.is_driven()) {
            let a = wheel.axis;
            missing += DMat3::from_cols(a * a.x, a * a.y, a * a.z) * wheel.inertia;
        }
        if let Some(damper) = &inside.damper {
            missing += DMat3::from_diagonal(DVec3::splat(damper.inertia));
        }
        let rest = less(&locked, missing).map_err(InsideError::Inertia)?;
        let over = over(&locked, &rest, missing);
        let steady = inside.wheels.iter().filter(|w| !w.is_driven()).map(Wheel::spin).sum();
        Ok(Self { inside, locked, missing, rest, over, steady })
    }

    pub(crate) fn inside(&self) -> &Inside {
        &self.inside
    }

    /// The inertia of what turns with the body, where it does not vary.
    pub(crate) fn rest(&self) -> &Inertia {
        &self.rest
    }

    /// The driven wheels, in the order of their numbers.
    pub(super) fn driven(&self) -> impl Iterator<Item = &Wheel> {
        self.inside.wheels.iter().filter(|wheel| wheel.is_driven())
    }

    /// Checks that moments that vary are known at these times, and so between them.
    pub(crate) fn check_times(&self, times: [f64; 2]) -> Result<(), InsideError> {
        self.inside.varying.as_ref().map_or(Ok(()), |varying| varying.check_times(times))
    }

    /// The locked body's inertia, at a time.
    pub(crate) fn locked_at(&self, t: f64) -> Result<Inertia, InertiaError> {
        self.inside.varying.as_ref().map_or(Ok(self.locked), |varying| varying.at(t))
    }

    /// The momentum of the body with this angular velocity, the wheels turning as at the start.
    pub(crate) fn momentum_of(&self, t: f64, omega: DVec3) -> Result<DVec3, InertiaError> {
        Ok(self.locked_at(t)?.momentum(omega) + self.inside.spins())
    }

    /// The numbers of what moves inside, at the start.
    pub(crate) fn numbers(&self, t0: f64, start: &State) -> Vec<f64> {
        let inertia = self.locked_at(t0).unwrap_or(self.locked);
        let omega = inertia.omega(start.m - self.inside.spins());
        let momentum = |wheel: &Wheel| wheel.inertia * (wheel.speed + wheel.axis.dot(omega));
        let mut numbers: Vec<f64> = self.driven().map(momentum).collect();
        if let Some(damper) = &self.inside.damper {
            numbers.extend((start.q * (omega * damper.inertia)).to_array());
        }
        numbers
    }

    /// The momentum of all wheels relative to the rest of the body.
    pub(crate) fn held(&self, numbers: &[f64]) -> DVec3 {
        let axes = self.driven().zip(numbers);
        axes.fold(self.steady, |h, (wheel, momentum)| h + wheel.axis * *momentum)
    }

    /// The momentum of the ball, in the body frame.
    pub(super) fn ball(&self, state: &State, numbers: &[f64]) -> DVec3 {
        match numbers[self.driven().count().min(numbers.len())..] {
            [x, y, z] => state.q.conjugate() * DVec3::new(x, y, z),
            _ => DVec3::ZERO,
        }
    }

    /// The inertia of what turns with the body, at a time.
    pub(super) fn rest_at(&self, t: f64) -> Result<Inertia, InertiaError> {
        let Some(varying) = &self.inside.varying else { return Ok(self.rest) };
        less(&varying.at(t)?, self.missing)
    }

    /// The torques of the motors of the wheels without any command.
    pub(super) fn motors(&self) -> [f64; MAX_WHEELS] {
        let mut motors = [0.0; MAX_WHEELS];
        for (torque, wheel) in motors.iter_mut().zip(&self.inside.wheels) {
            *torque = wheel.motor.map_or(0.0, |motor| motor.torque);
        }
        motors
    }

    /// The body as torques see it.
    pub(crate) fn seen(
        &self,
        t: f64,
        state: &State,
        numbers: &[f64],
    ) -> Result<SeenBody<f64>, InertiaError> {
        let own = state.m - self.ball(state, numbers) - self.held(numbers);
        let (inertia, over) = match &self.inside.varying {
            None => (self.locked, self.over),
            Some(varying) => {
                let locked = varying.at(t)?;
                (locked, over(&locked, &less(&locked, self.missing)?, self.missing))
            }
        };
        Ok(SeenBody { inertia, over, in_parts: self.missing != DMat3::ZERO, m: own.to_array() })
    }

    /// The angular velocity of the body; NaN where moments that vary are not those of a body.
    pub(crate) fn omega(&self, t: f64, state: &State, numbers: &[f64]) -> DVec3 {
        let own = state.m - self.ball(state, numbers) - self.held(numbers);
        self.rest_at(t).map_or(DVec3::NAN, |inertia| inertia.omega(own))
    }

    /// The kinetic energy: that of the body, of the driven wheels and of the ball. That of wheels at constant speed,
    /// which their motors change, is left out.
    pub(crate) fn energy(&self, t: f64, state: &State, numbers: &[f64]) -> f64 {
        let ball = self.ball(state, numbers);
        let own = state.m - ball - self.held(numbers);
        let mut energy =
            self.rest_at(t).map_or(f64::NAN, |inertia| 0.5 * own.dot(inertia.omega(own)));
        for (wheel, p) in self.driven().zip(numbers) {
            energy += 0.5 * p * p / wheel.inertia;
        }
        if let Some(damper) = &self.inside.damper {
            energy += 0.5 * ball.length_squared() / damper.inertia;
        }
        energy
    }

    /// The speeds of all wheels relative to the body, in their order.
    pub(crate) fn speeds(
        &self,
        t: f64,
        state: &State,
        numbers: &[f64],
    ) -> impl Iterator<Item = f64> {
        let omega = self.omega(t, state, numbers);
        let mut momenta = numbers.iter();
        self.inside.wheels.iter().map(move |wheel| match wheel.motor {
            None => wheel.speed,
            Some(_) => {
                momenta.next().map_or(wheel.speed, |p| p / wheel.inertia - wheel.axis.dot(omega))
            }
        })
    }

    /// Whether the energy stays what it is if no torque acts.
    pub(crate) fn conserves_energy(&self) -> bool {
        let Inside { wheels, sink, damper, varying } = &self.inside;
        sink.is_none()
            && damper.is_none()
            && varying.is_none()
            && wheels.iter().all(|w| w.motor.is_none_or(|motor| motor.conserves_energy()))
    }
}

/// The inertia that torques see: that of the whole body, with the inverse of that without what turns by itself.
fn over(locked: &Inertia, rest: &Inertia, missing: DMat3) -> InertiaOver<f64> {
    let over = InertiaOver::new(locked);
    if missing == DMat3::ZERO {
        return over;
    }
    let along_axes = || DMat3::from_diagonal(1.0 / rest.moments());
    over.with_inverse(rest.inverse_matrix().unwrap_or_else(along_axes))
}

/// The inertia less a part of it; along the same axes if it is diagonal.
fn less(locked: &Inertia, missing: DMat3) -> Result<Inertia, InertiaError> {
    if missing == DMat3::ZERO {
        return Ok(*locked);
    }
    let column = |axis: DVec3| locked.momentum(axis) - missing * axis;
    let columns = [column(DVec3::X), column(DVec3::Y), column(DVec3::Z)].map(|c| c.to_array());
    Inertia::tensor_unphysical(columns)
}
