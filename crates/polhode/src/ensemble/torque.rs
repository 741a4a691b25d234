//! What acts on the bodies of an ensemble: a field that all are in, and its torque over lanes.

use super::columns::Columns;
use super::error::EnsembleError;
use super::frame::{Axes, LaneFrame};
use crate::lanes::Packed;
use crate::lanes::vector::{
    Matrix, Quaternion, Vector, cross, divide, hat, multiply, product, scale, select, splat,
    to_body, transform, transpose,
};
use crate::torque::{
    self, CircularOrbit, GravityGradient, HeavyTop, KeyValues, NoTorque, Torque, TorqueError,
};
use crate::{Inertia, State};

/// What acts on every body of an ensemble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field(pub(super) Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    None,
    HeavyTop(HeavyTop),
    GravityGradient(CircularOrbit),
}

/// The torques that run in lanes.
pub const KINDS: [&str; 3] = ["none", "heavy-top", "gravity-gradient"];

impl Field {
    /// No torque: free bodies.
    pub const NONE: Self = Self(Kind::None);

    /// The field of that kind (`none`, `heavy-top` or `gravity-gradient`) with these values of its
    /// keys, as in [`torque::build`].
    ///
    /// # Errors
    /// [`EnsembleError::Torque`] if the kind or a key is unknown or a value not allowed;
    /// [`EnsembleError::TorqueNotInLanes`] for any other kind.
    pub fn build(kind: &str, values: &KeyValues) -> Result<Self, EnsembleError> {
        let entry = torque::find(kind)?;
        if !KINDS.contains(&entry.kind) {
            return Err(EnsembleError::TorqueNotInLanes { kind: entry.kind });
        }
        // What is wrong whatever the body; that the torque on this one overflows says nothing.
        if let Ok(body) = Inertia::principal([1.0; 3])
            && let Err(error) = entry.build(values, &body)
            && !matches!(error, TorqueError::TooLarge { key: "rate", .. })
        {
            return Err(error.into());
        }
        Ok(Self(match entry.kind {
            "heavy-top" => Kind::HeavyTop(HeavyTop::from_values(values)?),
            "gravity-gradient" => Kind::GravityGradient(CircularOrbit::from_values(values)?),
            _ => Kind::None,
        }))
    }

    /// The torque on one body.
    ///
    /// # Errors
    /// [`TorqueError`] if it overflows for this body.
    pub fn on(&self, inertia: &Inertia) -> Result<Box<dyn Torque>, TorqueError> {
        Ok(match self.0 {
            Kind::None => Box::new(NoTorque),
            Kind::HeavyTop(top) => Box::new(top),
            Kind::GravityGradient(orbit) => Box::new(orbit.torque(inertia)?),
        })
    }

    /// Kinetic plus potential energy of a body; not finite if the torque on it overflows.
    pub fn energy(&self, inertia: &Inertia, t: f64, state: &State) -> f64 {
        let potential = match self.0 {
            Kind::None => Some(0.0),
            Kind::HeavyTop(top) => top.potential(t, state.q),
            Kind::GravityGradient(orbit) => match orbit.torque(inertia) {
                Ok(torque) => torque.potential(t, state.q),
                Err(_) => Some(f64::INFINITY),
            },
        };
        state.kinetic_energy(inertia) + potential.unwrap_or(0.0)
    }

    /// True if kinetic plus potential energy stays what it is.
    pub fn conserves_energy(&self) -> bool {
        !matches!(self.0, Kind::GravityGradient(_))
    }

    /// True if there is no torque at all.
    pub fn is_none(&self) -> bool {
        self.0 == Kind::None
    }
}

/// The constants of a body that torque and gradient need.
pub(super) fn write(
    torque: Option<&GravityGradient>,
    inertia: &Inertia,
    gradient: bool,
    record: &mut Vec<f64>,
) {
    if let Some(torque) = torque {
        record.extend(torque.difference().to_array());
    }
    if gradient {
        record.extend(inertia.moments().to_array());
        record.extend(inertia.inverse_matrix().unwrap_or_default().to_cols_array());
        record.extend(inertia.sorted_frame().1.leave().to_cols_array());
    }
}

/// What is the same for all bodies of a block.
#[derive(Clone, Copy)]
pub(super) enum Shared {
    None,
    HeavyTop(HeavyTop),
    /// That of some body, for the line to the planet.
    GravityGradient(GravityGradient),
}

/// The torque over lanes.
pub(super) struct LaneTorque<L> {
    shared: Shared,
    difference: Vector<L>,
    moments: Vector<L>,
    inverse: Matrix<L>,
    leave: Matrix<L>,
}

impl<L: Packed> LaneTorque<L> {
    #[inline(always)]
    pub(super) fn read(shared: Shared, gradient: bool, columns: &mut Columns<'_>) -> Self {
        let zero = splat([0.0; 3]);
        let mut torque =
            Self { shared, difference: zero, moments: zero, inverse: [zero; 3], leave: [zero; 3] };
        if let Shared::GravityGradient(_) = shared {
            torque.difference = columns.three();
        }
        if gradient {
            torque.moments = columns.three();
            torque.inverse = columns.matrix();
            torque.leave = columns.matrix();
        }
        torque
    }

    /// Whether there is any.
    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        matches!(self.shared, Shared::None)
    }

    /// Whether it changes while the body stands still.
    #[inline(always)]
    pub(super) fn depends_on_time(&self) -> bool {
        matches!(self.shared, Shared::GravityGradient(_))
    }

    /// The torque in the body frame.
    #[inline(always)]
    pub(super) fn torque(&self, t: f64, q: Quaternion<L>, frame: &LaneFrame<L>) -> Vector<L> {
        match &self.shared {
            Shared::None => splat([0.0; 3]),
            Shared::HeavyTop(top) => {
                let [centre, up] = top.parts();
                cross(to_body(q, splat(up.to_array())), splat(centre.to_array()))
            }
            Shared::GravityGradient(torque) => {
                let c = frame.enter(to_body(q, splat(torque.line(t).to_array())));
                let products = [c[1] * c[2], c[2] * c[0], c[0] * c[1]];
                frame.leave(multiply(self.difference, products))
            }
        }
    }

    /// The torque of torque . I^-1 torque: -2 J^T I^-1 torque, J the derivative of the torque along a
    /// turn of the body.
    #[inline(always)]
    pub(super) fn of_square(
        &self,
        t: f64,
        q: Quaternion<L>,
        torque: Vector<L>,
        frame: &LaneFrame<L>,
        axes: Axes,
    ) -> Vector<L> {
        let mut omega = divide(torque, self.moments);
        if axes == Axes::Turned {
            omega = select(frame.turned(), transform(&self.inverse, torque), omega);
        }
        let jacobian = match &self.shared {
            Shared::None => [splat([0.0; 3]); 3],
            Shared::HeavyTop(top) => {
                let [centre, up] = top.parts();
                let u = to_body(q, splat(up.to_array()));
                let turned = cross(u, cross(splat(centre.to_array()), omega));
                return scale(turned, L::splat(2.0));
            }
            Shared::GravityGradient(torque) => {
                let c = frame.enter(to_body(q, splat(torque.line(t).to_array())));
                let (zero, d) = (L::splat(0.0), self.difference);
                let of_planet = [
                    [zero, d[1] * c[2], d[2] * c[1]],
                    [d[0] * c[2], zero, d[2] * c[0]],
                    [d[0] * c[1], d[1] * c[0], zero],
                ];
                let turning = product(&of_planet, &hat(c));
                product(&product(&self.leave, &turning), &transpose(&self.leave))
            }
        };
        scale(transform(&transpose(&jacobian), omega), L::splat(-2.0))
    }
}
