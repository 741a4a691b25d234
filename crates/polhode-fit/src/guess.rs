//! The unknowns of a fit, and a value for each of them. Everything is in the units of the data, as in `crate::model`.

use glam::{DMat3, DQuat, DVec3};
use polhode::{FreeMotion, FreeMotionError, so3};

use crate::driving::MOST_UNKNOWN;
use crate::shape::{MassShape, SHAPE};

/// How far the logarithm of the size may go in a step. Where a torque hardly shows, a step may be any length, and the
/// motion of a body that is far too light takes the solver for ever.
const FURTHEST: f64 = 1.5;

/// Where the unknowns stand in a full vector of them.
pub(crate) mod at {
    pub(crate) const OMEGA: usize = super::SHAPE;
    pub(crate) const ATTITUDE: usize = OMEGA + 3;
    pub(crate) const BIAS: usize = ATTITUDE + 3;
    pub(crate) const SCALE: usize = BIAS + 3;
    pub(crate) const MISALIGNMENT: usize = SCALE + 3;
    pub(crate) const OFFSET: usize = MISALIGNMENT + 3;
    /// The logarithm of the largest moment, where a torque tells it.
    pub(crate) const SIZE: usize = OFFSET + 1;
    /// Unknown numbers of the torque.
    pub(crate) const TORQUE: usize = SIZE + 1;
    pub(crate) const ALL: usize = TORQUE + super::MOST_UNKNOWN;
}

/// A value for every unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    pub(crate) shape: MassShape,
    /// At the epoch.
    pub(crate) omega: DVec3,
    pub(crate) attitude: DQuat,
    pub(crate) sensor: SensorState,
    /// The logarithm of the largest moment, in units of the torque; of a free body it does not count.
    pub(crate) size: f64,
    /// Unknown numbers of the torque, in the units of [`ScaledDrive`](crate::driving::ScaledDrive).
    pub(crate) torque: [f64; MOST_UNKNOWN],
}

/// How the gyro deviates from the body: it shows `(1 + scale) R omega(t + offset) + bias`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SensorState {
    pub(crate) bias: DVec3,
    pub(crate) scale: DVec3,
    /// From the body frame to that of the gyro.
    pub(crate) misalignment: DQuat,
    pub(crate) offset: f64,
}

impl SensorState {
    pub(crate) const IDEAL: Self =
        Self { bias: DVec3::ZERO, scale: DVec3::ZERO, misalignment: DQuat::IDENTITY, offset: 0.0 };
}

impl Guess {
    pub(crate) fn new(shape: MassShape, omega: DVec3) -> Self {
        Self {
            shape,
            omega,
            attitude: DQuat::IDENTITY,
            sensor: SensorState::IDEAL,
            size: 0.0,
            torque: [0.0; MOST_UNKNOWN],
        }
    }

    pub(crate) fn motion(&self) -> Result<FreeMotion, FreeMotionError> {
        let inertia = self.shape.inertia().map_err(|_| out_of_range())?;
        FreeMotion::from_omega(&inertia, self.omega, self.attitude)
    }

    /// The inertia in the unit that a torque gives it.
    pub(crate) fn sized_inertia(&self) -> DMat3 {
        self.shape.inertia_matrix() * (libm::exp(self.size) / self.shape.moments()[2])
    }

    /// The guess after a step of the unknowns that are free.
    pub(crate) fn stepped(&self, active: &[usize], step: &[f64]) -> Self {
        let mut full = [0.0; at::ALL];
        for (&place, &x) in active.iter().zip(step) {
            full[place] = x;
        }
        let vector = |from: usize| DVec3::new(full[from], full[from + 1], full[from + 2]);
        let shape = if full[..SHAPE].iter().any(|x| *x != 0.0) {
            self.shape.stepped(&full[..SHAPE])
        } else {
            self.shape
        };
        let SensorState { bias, scale, misalignment, offset } = self.sensor;
        Self {
            shape,
            omega: self.omega + vector(at::OMEGA),
            attitude: (self.attitude * so3::exp(vector(at::ATTITUDE))).normalize(),
            sensor: SensorState {
                bias: bias + vector(at::BIAS),
                scale: scale + vector(at::SCALE),
                misalignment: (so3::exp(vector(at::MISALIGNMENT)) * misalignment).normalize(),
                offset: offset + full[at::OFFSET],
            },
            size: self.size + full[at::SIZE].clamp(-FURTHEST, FURTHEST),
            torque: core::array::from_fn(|i| self.torque[i] + full[at::TORQUE + i]),
        }
    }

    /// The value of an unknown of the sensor or the torque, to hold against what is known of it.
    pub(crate) fn told_value(&self, place: usize) -> f64 {
        let SensorState { bias, scale, misalignment, offset } = self.sensor;
        match place {
            at::BIAS..at::SCALE => bias[place - at::BIAS],
            at::SCALE..at::MISALIGNMENT => scale[place - at::SCALE],
            at::MISALIGNMENT..at::OFFSET => so3::log(misalignment)[place - at::MISALIGNMENT],
            at::OFFSET => offset,
            at::SIZE => self.size,
            at::TORQUE.. => self.torque[place - at::TORQUE],
            _ => 0.0,
        }
    }
}

fn out_of_range() -> FreeMotionError {
    let allowed = "a body with positive moments";
    FreeMotionError::OutOfRange { field: "inertia", value: 0.0, allowed }
}
