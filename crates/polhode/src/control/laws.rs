//! The laws of control that scenarios name.

use glam::{DMat3, DQuat, DVec3, DVec4};

use super::{Command, ControlError, Controller, ControllerInput, not_negative};
use crate::inside::{MAX_WHEELS, Wheel};
use crate::method::RestoreError;
use crate::so3;

/// The names of all laws that scenarios can name.
pub const LAWS: [&str; 3] = [BDot::KIND, PdQuaternion::KIND, MomentumDump::KIND];

/// `b-dot`: a dipole against the change of the magnetic field as the body sees it, which slows its rotation down.
///
/// dipole = -gain dB/dt, by the difference from one call to the next; nothing at the first call.
#[derive(Clone, Copy, Debug)]
pub struct BDot {
    gain: f64,
    last: Option<(f64, DVec3)>,
}

impl BDot {
    /// Its name in scenarios.
    pub const KIND: &'static str = "b-dot";

    /// The law with this gain.
    ///
    /// # Errors
    /// [`ControlError`] unless it is finite and not negative.
    pub fn new(gain: f64) -> Result<Self, ControlError> {
        not_negative("gain", gain)?;
        Ok(Self { gain, last: None })
    }
}

impl Controller for BDot {
    fn command(&mut self, at: &ControllerInput<'_>) -> Command {
        let Some(field) = at.field else { return Command::default() };
        let command = self
            .last
            .map_or(DVec3::ZERO, |(t, before)| (field - before) * (-self.gain / (at.t - t)));
        self.last = Some((at.t, field));
        Command::dipole(command)
    }

    fn missing(&self, at: &ControllerInput<'_>) -> Option<ControlError> {
        at.field.is_none().then_some(ControlError::NO_FIELD)
    }

    fn carried(&self) -> Vec<f64> {
        self.last.map_or_else(Vec::new, |(t, b)| vec![t, b.x, b.y, b.z])
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        self.last = match *carried {
            [] => None,
            [t, x, y, z] => Some((t, DVec3::new(x, y, z))),
            _ => return Err(RestoreError::new(carried.len(), "four or none")),
        };
        Ok(())
    }
}

/// Where a body is to point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// This attitude, body to space, at rest; a quaternion of any length but zero.
    Fixed(DQuat),
    /// The third axis to the planet, the second against the normal of the orbit, turning with it.
    Nadir,
}

/// `pd-quaternion`: a torque that is proportional to the error of the attitude and of the angular velocity.
///
/// torque = -stiffness 2 v - damping (omega - omega_target), v the vector part of the quaternion from the target to the
/// attitude, on the shorter way.
#[derive(Clone, Copy, Debug)]
pub struct PdQuaternion {
    target: Target,
    stiffness: f64,
    damping: f64,
    /// How wheels share a torque on the body; without them it comes from outside.
    share: Option<[DVec3; MAX_WHEELS]>,
}

impl PdQuaternion {
    /// Its name in scenarios.
    pub const KIND: &'static str = "pd-quaternion";

    /// A torque from outside.
    ///
    /// # Errors
    /// [`ControlError`] unless both gains are finite and not negative, and the target is an attitude.
    pub fn new(target: Target, stiffness: f64, damping: f64) -> Result<Self, ControlError> {
        let target = match target {
            Target::Nadir => Target::Nadir,
            Target::Fixed(q) => {
                let size = DVec4::from(q).abs().max_element();
                if !(q.is_finite() && size > 0.0) {
                    let (given, allowed) = (
                        format!("{:?}", so3::to_wxyz(q)),
                        "a quaternion of four finite numbers, not all zero",
                    );
                    return Err(ControlError::Value { key: "target", given, allowed });
                }
                Target::Fixed((q / size).normalize())
            }
        };
        not_negative("stiffness", stiffness)?;
        not_negative("damping", damping)?;
        Ok(Self { target, stiffness, damping, share: None })
    }

    /// Makes the torque by the motors of these wheels, with the smallest torques that add up to it.
    ///
    /// # Errors
    /// [`ControlError`] if the axes of those that are driven lie in a plane, or there are none.
    pub fn by_wheels(self, wheels: &[Wheel]) -> Result<Self, ControlError> {
        let mut square = DMat3::ZERO;
        for wheel in wheels.iter().filter(|w| w.is_driven()) {
            let a = wheel.axis();
            square += DMat3::from_cols(a * a.x, a * a.y, a * a.z);
        }
        // The determinant is the squared volume of unit vectors.
        if square.determinant() < 1e-12 {
            return Err(ControlError::Missing {
                what: "the axes of the driven wheels lie in a plane, or there are none",
                remedy: "give three driven wheels or more whose axes do not",
            });
        }
        let inverse = square.inverse();
        let mut share = [DVec3::ZERO; MAX_WHEELS];
        for (share, wheel) in share.iter_mut().zip(wheels) {
            if wheel.is_driven() {
                *share = inverse * wheel.axis();
            }
        }
        Ok(Self { share: Some(share), ..self })
    }

    /// Attitude and angular velocity (space frame) that are wanted.
    fn wanted(&self, at: &ControllerInput<'_>) -> Option<(DQuat, DVec3)> {
        match self.target {
            Target::Fixed(q) => Some((q, DVec3::ZERO)),
            Target::Nadir => {
                let orbit = at.orbit?;
                let (r, v) = (orbit.direction(at.t), orbit.velocity(at.t));
                let distance = orbit.distance(at.t);
                let turn = r.cross(v) / distance;
                let (z, y) = (-r, -turn.normalize());
                Some((DQuat::from_mat3(&DMat3::from_cols(y.cross(z), y, z)), turn))
            }
        }
    }
}

impl Controller for PdQuaternion {
    fn command(&mut self, at: &ControllerInput<'_>) -> Command {
        let Some((q, omega)) = self.wanted(at) else { return Command::default() };
        let error = q.conjugate() * at.state.q;
        // The shorter way round.
        let side = if error.w < 0.0 { -2.0 } else { 2.0 };
        let error = DVec3::new(error.x, error.y, error.z) * side;
        let rate = at.omega - at.state.q.conjugate() * omega;
        let torque = error * -self.stiffness - rate * self.damping;
        match &self.share {
            None => Command::torque(torque),
            // What turns the body turns the wheels the other way.
            Some(share) => Command {
                motors: core::array::from_fn(|i| -share[i].dot(torque)),
                ..Command::default()
            },
        }
    }

    fn missing(&self, at: &ControllerInput<'_>) -> Option<ControlError> {
        (self.target == Target::Nadir && at.orbit.is_none()).then_some(ControlError::NO_ORBIT)
    }
}

/// `momentum-dump`: a dipole whose torque takes away the momentum of the wheels, while another controller holds the
/// attitude with them.
///
/// dipole = gain (h x B)/|B|^2, of which the field makes the torque -gain (h - its part along B).
#[derive(Clone, Copy, Debug)]
pub struct MomentumDump {
    gain: f64,
}

impl MomentumDump {
    /// Its name in scenarios.
    pub const KIND: &'static str = "momentum-dump";

    /// The law with this gain, in torque for a momentum.
    ///
    /// # Errors
    /// [`ControlError`] unless it is finite and not negative.
    pub fn new(gain: f64) -> Result<Self, ControlError> {
        not_negative("gain", gain)?;
        Ok(Self { gain })
    }
}

impl Controller for MomentumDump {
    fn command(&mut self, at: &ControllerInput<'_>) -> Command {
        let (Some(field), Some(inside)) = (at.field, at.problem.moving()) else {
            return Command::default();
        };
        let spins = inside.wheels().iter().zip(at.wheels);
        let held: DVec3 = spins.map(|(wheel, speed)| wheel.spin_at(*speed)).sum();
        let square = field.length_squared();
        if square == 0.0 {
            return Command::default();
        }
        Command::dipole(held.cross(field) * (self.gain / square))
    }

    fn missing(&self, at: &ControllerInput<'_>) -> Option<ControlError> {
        if at.field.is_none() {
            return Some(ControlError::NO_FIELD);
        }
        at.wheels.is_empty().then_some(ControlError::NO_WHEELS)
    }
}
