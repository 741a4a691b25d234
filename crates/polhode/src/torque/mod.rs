//! Torques: what acts on a body, not on whom.
//!
//! [`TORQUES`] lists the models, [`Torque::build`] makes one from its kind and the values of its keys, each
//! has a type of its own, [`Function`] makes one of any closure, and torques are added with `+`.
//!
//! ```
//! use polhode::torque::HeavyTop;
//! use polhode::{Inertia, Problem, State};
//! let start = State::aligned([1.0, 2.0, 3.0])?;
//! let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start)
//!     .torque(HeavyTop::new([0.0, 0.0, 9.81], [0.0, 0.0, 1.0])?);
//! assert_eq!(top.potential(0.0, start.q), Some(9.81));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acting;
mod affine;
mod calls;
mod constant;
mod coulomb_wall;
mod damping;
mod dipole;
mod dipole_field;
mod error;
mod formula;
mod function;
mod given;
mod gravity_gradient;
mod heavy_top;
mod keys;
mod lagrange_top;
mod magnetic_dipole;
mod model;
mod none;
mod orbit;
mod summand;
mod table;
mod total;

pub use dipole_field::DipoleField;
pub use error::TorqueError;
pub use function::{Call, Function, TorqueFunction};
pub use given::{VectorFrame, VectorSource};
pub use keys::{Key, KeyKind, KeyValue, KeyValues};
pub use model::types::*;
pub use model::{Acts, Body, Record, TORQUES};
pub use orbit::Orbit;
pub use total::Torque;

use glam::DMat3;

use crate::cite::Citation;
use keys::KeyReader;

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
    /// The Jacobian of a torque that does not depend on the momentum.
    pub const fn of_attitude(rotation: DMat3) -> Self {
        Self { rotation, momentum: DMat3::ZERO }
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
    /// The publications to cite for it.
    pub cites: &'static [Citation],
    example: fn() -> Vec<(&'static str, KeyValue)>,
    make: Make,
}

type Make = fn(&KeyReader<'_>) -> Result<Torque, TorqueError>;

impl TorqueEntry {
    /// Values for its keys, away from their defaults, of a torque that is neither strong nor weak: documents show
    /// them, and the tests of all torques try them.
    pub fn example(&self) -> KeyValues {
        (self.example)().into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// The torque with these values.
    ///
    /// # Errors
    /// [`TorqueError`] for a key that is unknown or missing, or a value that is not allowed.
    pub fn build(&'static self, values: &KeyValues) -> Result<Torque, TorqueError> {
        Ok((self.make)(&KeyReader::new(self.kind, self.keys, values)?)?.built_by(self))
    }
}

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
