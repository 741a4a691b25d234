//! What moves inside a body: wheels, a damper, dissipation, moments of inertia that change.
//!
//! None of it changes the momentum in space. The momentum of a [`State`](crate::State) is the total one,
//! M = I omega + h with h that of the wheels, so omega = I^-1 (M - h) and M' = M x omega + torque. The inertia of a
//! [`Problem`](crate::Problem) is that of the body with everything in it locked.
//!
//! - A wheel at constant speed relative to the body ([`Wheel::new`]) has h = a J speed.
//! - A wheel with a motor or friction ([`Wheel::driven`]) has an absolute axial momentum p = J (speed + a . omega),
//!   which changes by the torque of its motor alone: I is the locked inertia less J a a^T, h = a p.
//! - A [`Dissipation`] of energy moves the momentum towards the axis of the greatest moment, at constant momentum in
//!   space: M' = M x v, Q' = Q hat(v), v = kappa M x omega, which takes away kappa |M x omega|^2 of the energy in a
//!   unit of time.
//! - A [`BallDamper`] is a sphere in a cavity of a viscous fluid, with an own momentum.
//! - A [`VaryingInertia`] is a function of time.
//!
//! Each is a flow in closed form beside the free motion; a step of length h is made of them symmetrically, so it is
//! of order 2, and a composition of such steps has the order of the scheme (`flow.rs`).
//!
//! ```
//! use polhode::inside::{Inside, Wheel};
//! use polhode::{Inertia, Problem, State};
//! let wheel = Wheel::new([0.0, 0.0, 1.0], 0.02, 300.0)?;
//! let gyrostat = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, State::aligned([0.1, 0.2, 6.0])?)
//!     .inside(Inside::default().wheel(wheel))?;
//! let end = gyrostat.simulate("s6-10+exact", 0.05, 10.0)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! Hughes, Spacecraft Attitude Dynamics (1986), sections 3.5 and 6 (gyrostats), 5.4 (energy sinks); Bloch,
//! Krishnaprasad, Marsden and Ratiu, The Euler-Poincare equations and double bracket dissipation (1996).

mod flow;
mod interior;
mod varying;
mod wheel;

pub(crate) use flow::{InsideRotor, inner_steps};
pub(crate) use interior::{Interior, SeenBody};
pub use varying::VaryingInertia;
pub use wheel::{MAX_WHEELS, Wheel};

use glam::DVec3;

use crate::InertiaError;

/// All that moves inside a body; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Inside {
    pub(crate) wheels: Vec<Wheel>,
    pub(crate) sink: Option<Dissipation>,
    pub(crate) damper: Option<BallDamper>,
    pub(crate) varying: Option<VaryingInertia>,
}

impl Inside {
    /// Adds a wheel.
    #[must_use]
    pub fn wheel(mut self, wheel: Wheel) -> Self {
        self.wheels.push(wheel);
        self
    }

    /// Sets the dissipation of energy, instead of any other.
    #[must_use]
    pub fn dissipation(self, dissipation: Dissipation) -> Self {
        Self { sink: Some(dissipation), ..self }
    }

    /// Sets the damper, instead of any other.
    #[must_use]
    pub fn damper(self, damper: BallDamper) -> Self {
        Self { damper: Some(damper), ..self }
    }

    /// Makes the moments of inertia change with time.
    #[must_use]
    pub fn varying(self, varying: VaryingInertia) -> Self {
        Self { varying: Some(varying), ..self }
    }

    /// The wheels, in order.
    pub fn wheels(&self) -> &[Wheel] {
        &self.wheels
    }

    /// The momentum of the wheels relative to the body at the start; body frame.
    pub fn spins(&self) -> DVec3 {
        self.wheels.iter().map(Wheel::spin).sum()
    }

    /// Whether nothing moves: there is nothing inside but wheels at rest, locked to the body.
    pub fn is_still(&self) -> bool {
        self.wheels.iter().all(Wheel::is_locked)
            && self.sink.is_none()
            && self.damper.is_none()
            && self.varying.is_none()
    }
}

/// Dissipation inside a body, at constant momentum in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dissipation {
    pub(crate) strength: Strength,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Strength {
    /// The coefficient kappa itself, whatever the momentum.
    Rate(f64),
    /// The quality factor Q, which makes kappa = 1/(2 Q |M|).
    Quality(f64),
}

impl Dissipation {
    /// Dissipation that takes away kappa |M x omega|^2 of the energy in a unit of time.
    ///
    /// # Errors
    /// [`InsideError`] unless kappa is finite and not negative.
    pub fn rate(kappa: f64) -> Result<Self, InsideError> {
        at_least_zero("dissipation", "rate", kappa)?;
        Ok(Self { strength: Strength::Rate(kappa) })
    }

    /// Dissipation that takes away the part 2 pi/Q of the energy of a small wobble of a symmetric body in each of its
    /// periods.
    ///
    /// # Errors
    /// [`InsideError`] unless the quality factor is positive and finite.
    pub fn quality(quality: f64) -> Result<Self, InsideError> {
        positive("dissipation", "quality_factor", quality)?;
        Ok(Self { strength: Strength::Quality(quality) })
    }

    /// The coefficient kappa for a momentum of this length.
    pub(crate) fn kappa(&self, momentum: f64) -> f64 {
        match self.strength {
            Strength::Rate(kappa) => kappa,
            Strength::Quality(_) if momentum == 0.0 => 0.0,
            Strength::Quality(quality) => 0.5 / (quality * momentum),
        }
    }
}

/// A viscous ball damper: a sphere that turns freely in a spherical cavity filled with a viscous fluid.
///
/// The torque on the sphere is the coefficient times what it turns slower than the body. It starts turning with the
/// body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallDamper {
    pub(crate) inertia: f64,
    pub(crate) coefficient: f64,
}

impl BallDamper {
    /// The damper with a sphere of this inertia, and this torque for a unit of relative angular velocity.
    ///
    /// # Errors
    /// [`InsideError`] unless the inertia is positive and the coefficient not negative, both finite.
    pub fn new(inertia: f64, coefficient: f64) -> Result<Self, InsideError> {
        positive("damper", "inertia", inertia)?;
        at_least_zero("damper", "coefficient", coefficient)?;
        Ok(Self { inertia, coefficient })
    }
}

/// What can be wrong with what moves inside a body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InsideError {
    /// A number that is not allowed.
    #[error("{what}: {key} = {given} is not allowed; allowed is {allowed}")]
    Value {
        /// `wheel`, `dissipation`, `damper`.
        what: &'static str,
        /// Which number of it.
        key: &'static str,
        /// The value that was given, as text.
        given: String,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// More wheels than there may be.
    #[error("{count} wheels: there may be {MAX_WHEELS} at most")]
    TooManyWheels {
        /// How many there are.
        count: usize,
    },
    /// Without what moves inside, nothing is left of the body.
    #[error("the inertia of the body less that of the wheels or the damper in it: {0}")]
    Inertia(InertiaError),
    /// The moments at the start are not those of a body.
    #[error("moments of inertia at t = {t:?}: {source}")]
    Varying {
        /// The time of the start.
        t: f64,
        /// What is wrong.
        source: InertiaError,
    },
    /// The table of moments ends before the run.
    #[error(
        "the table of moments of inertia goes from t = {first:?} to {last:?}, and t = {t:?} is wanted"
    )]
    BeyondTable {
        /// The time of the first row.
        first: f64,
        /// The time of the last row.
        last: f64,
        /// The time that is wanted.
        t: f64,
    },
    /// A formula of moments that depends on more than time.
    #[error("moments of inertia may depend on time alone, not on the state")]
    OfState,
}

pub(crate) fn positive(what: &'static str, key: &'static str, x: f64) -> Result<(), InsideError> {
    if x > 0.0 && x.is_finite() {
        return Ok(());
    }
    let given = format!("{x:?}");
    Err(InsideError::Value { what, key, given, allowed: "a positive finite number" })
}

pub(crate) fn at_least_zero(
    what: &'static str,
    key: &'static str,
    x: f64,
) -> Result<(), InsideError> {
    if x >= 0.0 && x.is_finite() {
        return Ok(());
    }
    let given = format!("{x:?}");
    Err(InsideError::Value { what, key, given, allowed: "a finite number, not negative" })
}
