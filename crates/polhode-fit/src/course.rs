//! Motions at any time, free or under a torque, with derivatives by the unknowns.

use glam::{DMat3, DQuat, DVec3};
use polhode::tangent::InertiaTangent;
use polhode::{FreeMotion, FreeMotionError, Solution};

use crate::driving::{DrivenMotion, ScaledDrive};
use crate::error::FitError;
use crate::guess::Guess;
use crate::shape::SHAPE;

/// A motion over a span of times with its derivatives.
pub(crate) enum TangentMotion {
    Free(Sensitivities),
    Driven(Box<DrivenMotion>),
}

impl TangentMotion {
    /// The course of a guess, over a span that holds the epoch.
    pub(crate) fn new(
        guess: &Guess,
        driving: Option<&ScaledDrive>,
        span: [f64; 2],
    ) -> Result<Self, FitError> {
        Ok(match driving {
            None => Self::Free(Sensitivities::new(guess)?),
            Some(driving) => Self::Driven(Box::new(DrivenMotion::new(guess, driving, span)?)),
        })
    }

    pub(crate) fn at(&self, t: f64) -> Result<MotionDerivatives, FitError> {
        match self {
            Self::Free(body) => Ok(body.at(t)?),
            Self::Driven(body) => body.at(t),
        }
    }
}

/// The same without derivatives.
pub(crate) enum PlainMotion<'a> {
    Free(Box<FreeMotion>),
    Driven { driving: &'a ScaledDrive, inverse: DMat3, parts: Box<[Solution; 2]> },
}

impl<'a> PlainMotion<'a> {
    pub(crate) fn new(
        guess: &Guess,
        driving: Option<&'a ScaledDrive>,
        span: [f64; 2],
    ) -> Result<Self, FitError> {
        Ok(match driving {
            None => Self::Free(Box::new(guess.motion()?)),
            Some(driving) => {
                let inverse = guess.sized_inertia().inverse();
                let parts = Box::new(driving.solved(guess, span)?);
                Self::Driven { driving, inverse, parts }
            }
        })
    }

    pub(crate) fn omega_at(&self, t: f64) -> Result<DVec3, FitError> {
        match self {
            Self::Free(motion) => Ok(motion.omega_at(t)?),
            Self::Driven { driving, inverse, .. } => {
                Ok(*inverse * self.driven_at(t)?.m / driving.units.rate)
            }
        }
    }

    pub(crate) fn attitude_at(&self, t: f64) -> Result<DQuat, FitError> {
        match self {
            Self::Free(motion) => Ok(motion.at(t)?.q),
            Self::Driven { .. } => Ok(self.driven_at(t)?.q),
        }
    }

    fn driven_at(&self, t: f64) -> Result<polhode::State, FitError> {
        match self {
            Self::Free(motion) => Ok(motion.at(t)?),
            Self::Driven { driving, parts, .. } => {
                let part = usize::from(t > 0.0);
                parts[part].at(driving.clock([t, t])[0]).map_err(|_| FitError::NotFound)
            }
        }
    }
}

/// Three rows and three columns of a transition.
pub(crate) fn block(phi: &[[f64; 6]; 6], rows: usize, columns: usize) -> DMat3 {
    let column = |j: usize| DVec3::new(phi[rows][j], phi[rows + 1][j], phi[rows + 2][j]);
    DMat3::from_cols(column(columns), column(columns + 1), column(columns + 2))
}

/// Three rows of the derivatives along a change of the inertia.
pub(crate) fn along(by: &InertiaTangent, rows: usize, change: &DMat3) -> DVec3 {
    let each = |row: usize| {
        let (d, o) = (&by.inertia[row], &by.inertia_off[row]);
        d[0] * change.x_axis.x
            + d[1] * change.y_axis.y
            + d[2] * change.z_axis.z
            + o[0] * change.y_axis.x
            + o[1] * change.z_axis.x
            + o[2] * change.z_axis.y
    };
    DVec3::new(each(rows), each(rows + 1), each(rows + 2))
}

/// A free motion with what its derivatives are combined from.
pub(crate) struct Sensitivities {
    motion: FreeMotion,
    inertia: DMat3,
    inverse: DMat3,
    /// The change of the inertia along each direction of the shape.
    changes: [DMat3; SHAPE],
}

/// A motion at one time, and its derivatives by shape, angular velocity and attitude at the epoch.
pub(crate) struct MotionDerivatives {
    pub(crate) omega: DVec3,
    pub(crate) acceleration: DVec3,
    pub(crate) attitude: DQuat,
    /// Of the angular velocity; by the attitude they are zero, or among those below.
    pub(crate) rates: [DVec3; SHAPE + 3],
    /// Of the attitude, as rotation vectors in the body frame.
    pub(crate) turns: [DVec3; SHAPE + 6],
    /// Under a torque: further unknowns, with their derivatives of angular velocity and attitude. None if it is free.
    pub(crate) by_torque: Vec<(usize, DVec3, DVec3)>,
}

impl Sensitivities {
    pub(crate) fn new(guess: &Guess) -> Result<Self, FreeMotionError> {
        let motion = guess.motion()?;
        let inertia = guess.shape.inertia_matrix();
        let inverse = inertia.inverse();
        let changes = guess.shape.directions().map(|direction| -direction);
        Ok(Self { motion, inertia, inverse, changes })
    }

    /// The same body from another angular velocity.
    pub(crate) fn again(&self, omega: DVec3) -> Result<Self, FreeMotionError> {
        let motion = FreeMotion::from_omega(self.motion.inertia(), omega, DQuat::IDENTITY)?;
        Ok(Self { motion, ..*self })
    }

    pub(crate) fn motion(&self) -> &FreeMotion {
        &self.motion
    }

    pub(crate) fn at(&self, t: f64) -> Result<MotionDerivatives, FreeMotionError> {
        let (tangent, by_inertia) = self.motion.inertia_tangent_at(t)?;
        let state = tangent.state;
        let omega = self.inverse * state.m;
        let phi = &tangent.state_transition;
        let mut rates = [DVec3::ZERO; SHAPE + 3];
        let mut turns = [DVec3::ZERO; SHAPE + 6];
        for (k, change) in self.changes.iter().enumerate() {
            rates[k] = self.inverse * (along(&by_inertia, 0, change) - *change * omega);
            turns[k] = along(&by_inertia, 3, change);
        }
        // The angular velocity at the epoch changes the momentum by I times as much.
        let by_omega = self.inverse * block(phi, 0, 0) * self.inertia;
        let turned = block(phi, 3, 0) * self.inertia;
        let by_attitude = block(phi, 3, 3);
        for k in 0..3 {
            rates[SHAPE + k] = by_omega.col(k);
            turns[SHAPE + k] = turned.col(k);
            turns[SHAPE + 3 + k] = by_attitude.col(k);
        }
        let acceleration = self.inverse * state.m.cross(omega);
        let by_torque = Vec::new();
        Ok(MotionDerivatives { omega, acceleration, attitude: state.q, rates, turns, by_torque })
    }
}
