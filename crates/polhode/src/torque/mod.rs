//! Torques: what acts on a body.
//!
//! [`TORQUES`] lists the models, [`build`] makes one from its kind and the values of its keys, each
//! has a type of its own, [`FnTorque`] makes one of any closure, and [`Sum`] adds them up.
//!
//! ```
//! use polhode::{Inertia, torque};
//! let inertia = Inertia::principal([1.0, 5.0, 6.0])?;
//! let values = [("centre".to_owned(), [0.0, 0.0, 9.81].into())].into();
//! let top = torque::build("heavy-top", &values, &inertia)?;
//! assert_eq!(top.potential(0.0, polhode::glam::DQuat::IDENTITY), Some(9.81));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod affine;
mod constant;
mod coulomb_wall;
mod damping;
mod error;
mod gravity_gradient;
mod heavy_top;
mod keys;
mod lagrange_top;
mod magnetic_dipole;
mod none;
mod sum;

pub use constant::ConstantTorque;
pub use coulomb_wall::CoulombWall;
pub use damping::Damping;
pub use error::TorqueError;
pub(crate) use gravity_gradient::CircularOrbit;
pub use gravity_gradient::GravityGradient;
pub use heavy_top::HeavyTop;
pub use keys::{Key, KeyKind, KeyValue, KeyValues};
pub use magnetic_dipole::MagneticDipole;
pub use none::NoTorque;
pub use sum::Sum;

use glam::{DMat3, DQuat, DVec3};

use crate::cite::Citation;
use crate::{Inertia, State};
use keys::Given;

/// What a torque depends on, besides time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dependence {
    /// There is no torque.
    None,
    /// On the attitude at most.
    Attitude,
    /// On the momentum as well.
    Momentum,
}

/// How a torque changes with the state: what an implicit method's Newton iteration and a gradient
/// scheme need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorqueJacobian {
    /// The derivative along a turn of the body: `d torque(q exp(s v))/ds = rotation v`.
    pub rotation: DMat3,
    /// The derivative with respect to the momentum.
    pub momentum: DMat3,
}

impl TorqueJacobian {
    /// That of a torque which does not depend on the momentum.
    pub const fn of_attitude(rotation: DMat3) -> Self {
        Self { rotation, momentum: DMat3::ZERO }
    }
}

/// A torque on a rigid body.
pub trait Torque: Send + Sync {
    /// The torque in the body frame.
    fn torque(&self, t: f64, state: &State) -> DVec3;

    /// What it depends on.
    fn dependence(&self) -> Dependence;

    /// Whether it changes with time while the state stands still. A torque that does not is not
    /// evaluated twice at the same attitude.
    fn depends_on_time(&self) -> bool {
        true
    }

    /// The potential energy, if the torque has one: `torque . v = -d potential(q exp(s v))/ds`.
    fn potential(&self, _t: f64, _q: DQuat) -> Option<f64> {
        None
    }

    /// True if kinetic plus potential energy stays what it is: there is a potential, and it does not
    /// change with time by itself.
    fn conserves_energy(&self) -> bool {
        !self.depends_on_time() && self.potential(0.0, DQuat::IDENTITY).is_some()
    }

    /// Its derivatives, if known; implicit methods take differences where they are not.
    fn jacobian(&self, _t: f64, _state: &State) -> Option<TorqueJacobian> {
        None
    }

    /// The torque, and that of W = torque . I^-1 torque, which the modified kick of a gradient scheme
    /// needs: `-2 rotation^T I^-1 torque` wherever the torque has a potential. None if its derivatives
    /// are not known.
    fn with_square(&self, t: f64, state: &State, inertia: &Inertia) -> Option<[DVec3; 2]> {
        let torque = self.torque(t, state);
        let jacobian = self.jacobian(t, state)?;
        Some([torque, jacobian.rotation.transpose() * inertia.omega(torque) * -2.0])
    }

    /// The matrix A, if the torque is that on the body at rest plus A m.
    fn momentum_matrix(&self, _t: f64, _q: DQuat) -> Option<DMat3> {
        (self.dependence() < Dependence::Momentum).then_some(DMat3::ZERO)
    }

    /// The flow of m' = torque over dt with time and attitude standing still: the kick of a
    /// splitting method.
    ///
    /// Where the torque does not depend on the momentum that is the torque times dt. Where it is
    /// affine in it ([`Torque::momentum_matrix`]) the flow is exact too. For any other this default
    /// is a step of classical Runge-Kutta, of order 4; a torque whose flow is known does better.
    fn kick(&self, t: f64, dt: f64, state: &mut State) {
        if self.dependence() < Dependence::Momentum {
            state.m += self.torque(t, state) * dt;
            return;
        }
        let at = |m: DVec3| self.torque(t, &State { m, q: state.q });
        if let Some(matrix) = self.momentum_matrix(t, state.q) {
            state.m = affine::flow(matrix, at(DVec3::ZERO), dt, state.m);
            return;
        }
        let k1 = at(state.m);
        let k2 = at(state.m + k1 * (0.5 * dt));
        let k3 = at(state.m + k2 * (0.5 * dt));
        let k4 = at(state.m + k3 * dt);
        state.m += (k1 + (k2 + k3) * 2.0 + k4) * (dt / 6.0);
    }
}

/// A model of torque: what it is, its keys, whom to cite, how to build it.
#[derive(Debug)]
pub struct TorqueEntry {
    /// Its name everywhere: command line, scenario, Python, C.
    pub kind: &'static str,
    /// One line on what it is.
    pub title: &'static str,
    /// What it is made from.
    pub keys: &'static [Key],
    /// Whom to cite.
    pub cites: &'static [Citation],
    make: Make,
}

type Make = fn(&Given<'_>, &Inertia) -> Result<Box<dyn Torque>, TorqueError>;

impl TorqueEntry {
    /// The torque with these values on that body.
    ///
    /// # Errors
    /// [`TorqueError`] for a key that is unknown or missing, or a value that is not allowed.
    pub fn build(
        &self,
        values: &KeyValues,
        inertia: &Inertia,
    ) -> Result<Box<dyn Torque>, TorqueError> {
        (self.make)(&Given::new(self.kind, self.keys, values)?, inertia)
    }
}

/// Every model.
pub static TORQUES: &[&TorqueEntry] = &[
    &none::ENTRY,
    &heavy_top::ENTRY,
    &lagrange_top::ENTRY,
    &coulomb_wall::ENTRY,
    &gravity_gradient::ENTRY,
    &magnetic_dipole::ENTRY,
    &constant::ENTRY,
    &damping::ENTRY,
];

fn kinds() -> Vec<&'static str> {
    TORQUES.iter().map(|t| t.kind).collect()
}

/// The model of that kind.
///
/// # Errors
/// [`TorqueError::UnknownKind`] if there is none.
pub fn find(kind: &str) -> Result<&'static TorqueEntry, TorqueError> {
    let entry = TORQUES.iter().find(|t| t.kind == kind).copied();
    entry.ok_or_else(|| TorqueError::UnknownKind { kind: kind.into() })
}

/// The torque of that kind, with these values, on that body.
///
/// # Errors
/// [`TorqueError`] for an unknown kind, a key that is unknown or missing, or a value that is not
/// allowed.
pub fn build(
    kind: &str,
    values: &KeyValues,
    inertia: &Inertia,
) -> Result<Box<dyn Torque>, TorqueError> {
    find(kind)?.build(values, inertia)
}

/// A torque made of a closure.
///
/// ```
/// use polhode::torque::{Dependence, FnTorque, Torque};
/// use polhode::{State, glam::DVec3};
/// let spring = FnTorque::new(Dependence::Attitude, |_t, s: &State| s.q.conjugate() * DVec3::X * 0.1);
/// assert_eq!(spring.torque(0.0, &State::aligned([0.0; 3])?), DVec3::new(0.1, 0.0, 0.0));
/// # Ok::<(), polhode::StateError>(())
/// ```
pub struct FnTorque<F> {
    dependence: Dependence,
    depends_on_time: bool,
    torque: F,
    potential: Option<Potential>,
}

type Potential = Box<dyn Fn(f64, DQuat) -> f64 + Send + Sync>;

impl<F: Fn(f64, &State) -> DVec3 + Send + Sync> FnTorque<F> {
    /// The torque of a closure (time, state) -> torque in the body frame, which depends on no more
    /// than it says.
    pub fn new(dependence: Dependence, torque: F) -> Self {
        Self { dependence, depends_on_time: true, torque, potential: None }
    }

    /// The same, said not to change with time while the state stands still.
    #[must_use]
    pub fn independent_of_time(self) -> Self {
        Self { depends_on_time: false, ..self }
    }

    /// The same with its potential energy, a closure (time, attitude) -> energy.
    #[must_use]
    pub fn with_potential(
        self,
        potential: impl Fn(f64, DQuat) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { potential: Some(Box::new(potential)), ..self }
    }
}

impl<F: Fn(f64, &State) -> DVec3 + Send + Sync> Torque for FnTorque<F> {
    fn torque(&self, t: f64, state: &State) -> DVec3 {
        (self.torque)(t, state)
    }

    fn dependence(&self) -> Dependence {
        self.dependence
    }

    fn depends_on_time(&self) -> bool {
        self.depends_on_time
    }

    fn potential(&self, t: f64, q: DQuat) -> Option<f64> {
        self.potential.as_ref().map(|v| v(t, q))
    }
}
