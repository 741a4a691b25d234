//! Wheels, and how the speed of one changes.

use glam::DVec3;

use super::{InsideError, at_least_zero, positive};

/// The greatest number of wheels in a body.
pub const MAX_WHEELS: usize = 8;

const WHAT: &str = "wheel";

/// A wheel in a body, symmetric about its axis, which is fixed in the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// The axis in the body frame, of length one.
    pub(crate) axis: DVec3,
    pub(crate) inertia: f64,
    /// The speed at the start, relative to the body.
    pub(crate) speed: f64,
    pub(crate) motor: Option<Motor>,
}

/// What changes the speed of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motor {
    pub(crate) torque: f64,
    pub(crate) torque_limit: f64,
    pub(crate) speed_limit: f64,
    pub(crate) viscous: f64,
    pub(crate) coulomb: f64,
}

impl Motor {
    const FREE: Self = Self {
        torque: 0.0,
        torque_limit: f64::INFINITY,
        speed_limit: f64::INFINITY,
        viscous: 0.0,
        coulomb: 0.0,
    };
}

impl Wheel {
    /// A wheel that is kept at this speed relative to the body: its axis (body frame, any length), its moment of
    /// inertia about it, radians per time.
    ///
    /// # Errors
    /// [`InsideError`] if the axis is zero, the inertia not positive, or a number not finite.
    pub fn new(axis: impl Into<DVec3>, inertia: f64, speed: f64) -> Result<Self, InsideError> {
        let axis = axis.into();
        let size = axis.abs().max_element();
        if !(axis.is_finite() && size > 0.0) {
            let (given, allowed) =
                (format!("{:?}", axis.to_array()), "three finite numbers, not all zero");
            return Err(InsideError::Value { what: WHAT, key: "axis", given, allowed });
        }
        positive(WHAT, "inertia", inertia)?;
        if !(inertia * speed).is_finite() {
            let (given, allowed) = (format!("{speed:?}"), "a finite number");
            return Err(InsideError::Value { what: WHAT, key: "speed", given, allowed });
        }
        Ok(Self { axis: (axis / size).normalize(), inertia, speed, motor: None })
    }

    /// Lets the wheel turn freely about its axis: its momentum changes by the torque of its motor alone, zero unless
    /// it is given.
    #[must_use]
    pub fn driven(self) -> Self {
        Self { motor: Some(self.motor.unwrap_or(Motor::FREE)), ..self }
    }

    fn with(self, change: impl FnOnce(&mut Motor)) -> Self {
        let mut motor = self.motor.unwrap_or(Motor::FREE);
        change(&mut motor);
        Self { motor: Some(motor), ..self }
    }

    /// Gives it a motor of this constant torque on the wheel, and minus that on the body; a controller may command
    /// another.
    ///
    /// # Errors
    /// [`InsideError`] unless the torque is finite.
    pub fn torque(self, torque: f64) -> Result<Self, InsideError> {
        if !torque.is_finite() {
            let (given, allowed) = (format!("{torque:?}"), "a finite number");
            return Err(InsideError::Value { what: WHAT, key: "torque", given, allowed });
        }
        Ok(self.with(|motor| motor.torque = torque))
    }

    /// Gives it a motor of no more torque than this.
    ///
    /// # Errors
    /// [`InsideError`] unless the limit is positive and finite.
    pub fn torque_limit(self, limit: f64) -> Result<Self, InsideError> {
        positive(WHAT, "torque_limit", limit)?;
        Ok(self.with(|motor| motor.torque_limit = limit))
    }

    /// Gives it a motor that does not drive it beyond this speed relative to the body.
    ///
    /// # Errors
    /// [`InsideError`] unless the limit is positive and finite, and not below the speed at the start.
    pub fn speed_limit(self, limit: f64) -> Result<Self, InsideError> {
        positive(WHAT, "speed_limit", limit)?;
        if self.speed.abs() > limit {
            let (given, allowed) = (format!("{:?}", self.speed), "no more than the speed_limit");
            return Err(InsideError::Value { what: WHAT, key: "speed", given, allowed });
        }
        Ok(self.with(|motor| motor.speed_limit = limit))
    }

    /// Gives it bearings of viscous friction (torque per speed) and of Coulomb's (a torque against the motion, whatever
    /// the speed; a wheel at rest in the body stays so until the motor is stronger).
    ///
    /// # Errors
    /// [`InsideError`] unless both are finite and not negative.
    pub fn friction(self, viscous: f64, coulomb: f64) -> Result<Self, InsideError> {
        at_least_zero(WHAT, "viscous_friction", viscous)?;
        at_least_zero(WHAT, "coulomb_friction", coulomb)?;
        Ok(self.with(|motor| (motor.viscous, motor.coulomb) = (viscous, coulomb)))
    }

    /// Its axis, of length one; body frame.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Its moment of inertia about the axis.
    pub fn inertia(&self) -> f64 {
        self.inertia
    }

    /// Its speed at the start, relative to the body.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Its momentum relative to the body at the start, a J speed; body frame.
    pub fn spin(&self) -> DVec3 {
        self.spin_at(self.speed)
    }

    /// The momentum relative to the body that it has at this speed, a J speed; body frame.
    pub fn spin_at(&self, speed: f64) -> DVec3 {
        self.axis * (self.inertia * speed)
    }

    /// Whether its speed can change.
    pub fn is_driven(&self) -> bool {
        self.motor.is_some()
    }

    /// Whether it is at rest in the body and stays so.
    pub(crate) fn is_locked(&self) -> bool {
        self.motor.is_none() && self.speed == 0.0
    }
}

impl Motor {
    /// Whether nothing but the motor's torque changes the speed: no friction and no limit of speed.
    fn is_plain(&self) -> bool {
        self.viscous == 0.0 && self.coulomb == 0.0 && self.speed_limit == f64::INFINITY
    }

    /// Whether the energy of wheel and body stays what it is.
    pub(crate) fn conserves_energy(&self) -> bool {
        self.torque == 0.0 && self.viscous == 0.0 && self.coulomb == 0.0
    }

    /// By how much the wheel's momentum changes in a time h while nothing else moves. The torque `asked` of the motor
    /// acts; `gain` is by how much the relative speed of the wheel grows with its momentum.
    pub(super) fn impulse(&self, asked: f64, speed: f64, gain: f64, h: f64) -> f64 {
        let torque = asked.clamp(-self.torque_limit, self.torque_limit);
        if self.is_plain() {
            return torque * h;
        }
        let after = self.speed_after(torque, speed, gain, h);
        // The motor does not drive it beyond its limit; what is beyond by itself comes back by itself.
        let limit = self.speed_limit.max(speed.abs());
        (after.clamp(-limit, limit) - speed) / gain
    }

    /// The flow of speed' = gain (torque - viscous speed - coulomb sign(speed)).
    fn speed_after(&self, torque: f64, mut speed: f64, gain: f64, h: f64) -> f64 {
        let decay = gain * self.viscous;
        let mut left = h;
        // To zero, and on from there, if the motor is stronger than the friction.
        for _ in 0..2 {
            let side = if speed == 0.0 { sign(torque) } else { sign(speed) };
            if speed == 0.0 && torque.abs() <= self.coulomb {
                return 0.0;
            }
            let push = gain * (torque - self.coulomb * side) - decay * speed;
            let after = if decay == 0.0 {
                speed + push * left
            } else {
                speed - push / decay * libm::expm1(-decay * left)
            };
            // Without Coulomb's friction nothing happens at zero; backwards a wheel does not come to rest.
            if self.coulomb == 0.0 || speed * after >= 0.0 || h < 0.0 {
                return after;
            }
            let until = if decay == 0.0 {
                -speed / push
            } else {
                -libm::log1p(decay * speed / push) / decay
            };
            left -= until;
            speed = 0.0;
        }
        speed
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motor(torque_limit: f64, speed_limit: f64, viscous: f64, coulomb: f64) -> Motor {
        Motor { torque: 0.0, torque_limit, speed_limit, viscous, coulomb }
    }

    /// Against many short steps of Euler's method.
    #[test]
    fn the_speed_follows_its_equation() {
        let inf = f64::INFINITY;
        for (m, torque, speed) in [
            (motor(inf, inf, 0.3, 0.0), 0.4, -2.0),
            (motor(inf, inf, 0.0, 0.2), 0.1, 1.0),
            (motor(inf, inf, 0.3, 0.2), -0.5, 1.0),
            (motor(inf, inf, 0.3, 0.2), 0.1, -0.5),
            (motor(0.3, inf, 0.1, 0.0), 5.0, 0.0),
        ] {
            let (gain, h, n) = (1.7, 2.0, 2_000_000);
            let got = speed + gain * m.impulse(torque, speed, gain, h);
            let asked = torque.clamp(-m.torque_limit, m.torque_limit);
            let mut w = speed;
            for _ in 0..n {
                let stuck = w.abs() < 1e-5 && asked.abs() <= m.coulomb;
                let push = asked - m.viscous * w - m.coulomb * sign(w);
                w = if stuck { 0.0 } else { w + gain * push * h / f64::from(n) };
            }
            assert!((got - w).abs() < 1e-5, "{got} {w}");
        }
    }

    #[test]
    fn the_motor_stops_at_the_limit_and_a_free_wheel_takes_the_torque_alone() {
        let limited = motor(f64::INFINITY, 3.0, 0.0, 0.0);
        assert_eq!(2.0 + limited.impulse(1.0, 2.0, 1.0, 10.0), 3.0);
        assert_eq!(3.0 + limited.impulse(-1.0, 3.0, 1.0, 0.5), 2.5);
        assert_eq!(Motor::FREE.impulse(0.3, 7.0, 1.0, 0.5), 0.15);
    }

    #[test]
    fn what_is_no_wheel() {
        for (made, text) in [
            (Wheel::new([0.0; 3], 1.0, 1.0), "wheel: axis = [0.0, 0.0, 0.0] is not allowed"),
            (Wheel::new([0.0, 0.0, 1.0], 0.0, 1.0), "wheel: inertia = 0.0 is not allowed"),
            (Wheel::new([0.0, 0.0, 1.0], 1.0, f64::NAN), "wheel: speed = NaN is not allowed"),
            (
                Wheel::new([0.0, 0.0, 1.0], 1.0, 5.0).unwrap().speed_limit(4.0),
                "wheel: speed = 5.0 is not allowed; allowed is no more than the speed_limit",
            ),
        ] {
            let error = made.unwrap_err().to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }
}
