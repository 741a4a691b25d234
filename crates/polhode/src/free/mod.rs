//! The free motion of a rigid body at any time, exactly.
//!
//! [`FreeMotion::new`] computes the constants of a motion once, in double-double; after that
//! [`FreeMotion::at`] costs the same for any t, and its error does not grow with t. How it goes:
//!
//! 1. `invariants`: units away by powers of two, moments sorted, the constants of the motion as
//!    sums of positive terms, the side of the separatrix by exact arithmetic (`side`).
//! 2. `orbit`: the phase, linear in time and reduced in double-double; then sn, cn, dn of the rest,
//!    the momentum, and the periodic part of the angle about the momentum.
//! 3. `attitude`: momentum and angle put together to a quaternion, on its continuous branch.
//!
//! # References
//! Formulas after Celledoni & Zanna, sections 2 and 3.1, with errata corrected; the angle by
//! theta functions instead of its integral of the third kind (Jacobi1850), see `orbit`.

use glam::{DQuat, DVec3};
use polhode_elliptic::{Dd, Theta};

use crate::scale::ldexp;
use crate::tangent::HeldQuantity;
use crate::{Inertia, State};

mod attitude;
mod canonical;
mod clock;
mod error;
mod gradients;
mod invariants;
mod orbit;
mod regime;
mod side;
mod tangent;
mod tangent_constants;
mod tumbling;

pub use error::FreeMotionError;
pub use regime::Regime;

use clock::{Clock, phase, time};
use invariants::{MotionInvariants, Spin};
use orbit::{CanonicalOrbit, unreachable_domain as undefined};
pub(crate) use side::separatrix_side;
use tangent_constants::TangentConstants;
use tumbling::TumblingMotion;

/// The free motion of a rigid body: random access in time.
///
/// Time zero is the state given. Accuracy: momentum (relative to its length) and quaternion
/// (signed) within a few 1e-16 for every body, regime and time, up to phases of 1e13 rad; see
/// `docs/accuracy.md`.
///
/// ```
/// use polhode::{FreeMotion, Inertia, State};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let motion = FreeMotion::new(&inertia, State::aligned([0.5, 2.0, 0.0])?)?;
/// let there = motion.at(12.5)?;
/// let back = FreeMotion::new(&inertia, there)?.at(-12.5)?;
/// assert!((back.m - motion.start().m).length() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FreeMotion {
    inertia: Inertia,
    start: State,
    kind: MotionKind,
    separatrix_distance: Option<f64>,
    /// None at rest.
    tangent: Option<TangentConstants>,
    held: HeldQuantity,
}

#[derive(Clone, Copy, Debug)]
enum MotionKind {
    Rest,
    /// Constant momentum: the body turns uniformly about it.
    Steady {
        axis: DVec3,
        /// Half turns of the half angle per unit of scaled time.
        rate: Dd,
        clock: Clock,
    },
    Tumbling(TumblingMotion),
}

impl FreeMotion {
    /// The free motion of a body with this inertia from this state at time zero.
    ///
    /// The attitude is taken as it is if of unit length, which [`State::new`] sees to.
    ///
    /// # Errors
    /// [`FreeMotionError`] if the state is not finite, or if the numbers are so far apart that their
    /// quotients leave the range of doubles (moments beyond 1 : 1e100, angular velocities beyond
    /// 1e-250 .. 1e250).
    pub fn new(inertia: &Inertia, start: State) -> Result<Self, FreeMotionError> {
        let start = State::new(start.m, start.q)?;
        Self::spinning(inertia, Spin::Momentum(start.m), start)
    }

    /// The free motion that has this angular velocity (body frame) and this attitude, which is normalised, at time
    /// zero.
    ///
    /// More accurate over long times than [`FreeMotion::new`] with the momentum of
    /// [`State::from_omega`], which is rounded: here the angular velocity counts as exact.
    ///
    /// # Errors
    /// As [`FreeMotion::new`].
    pub fn from_omega(
        inertia: &Inertia,
        omega: impl Into<DVec3>,
        attitude: DQuat,
    ) -> Result<Self, FreeMotionError> {
        let omega = omega.into();
        let start = State::from_omega(inertia, omega, attitude)?;
        Self::spinning(inertia, Spin::Omega(omega), start)
    }

    fn spinning(inertia: &Inertia, spin: Spin, start: State) -> Result<Self, FreeMotionError> {
        let invariants = MotionInvariants::new(inertia, spin)?;
        let separatrix_distance = invariants.map(|i| i.separatrix_distance());
        let kind = MotionKind::new(invariants, &start)?;
        let tangent = invariants.map(|i| TangentConstants::new(&i, &kind)).transpose()?;
        let held = match spin {
            Spin::Momentum(_) => HeldQuantity::Momentum,
            Spin::Omega(_) => HeldQuantity::AngularVelocity,
        };
        Ok(Self { inertia: *inertia, start, kind, separatrix_distance, tangent, held })
    }

    /// The inertia of the body.
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// The state at time zero.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// The state at time t: any t, also before the start.
    ///
    /// # Errors
    /// [`FreeMotionError`] if t is not finite, or so large that the phase has lost its digits
    /// (beyond 1e13 rad).
    pub fn at(&self, t: f64) -> Result<State, FreeMotionError> {
        if t == 0.0 {
            return Ok(self.start);
        }
        match &self.kind {
            MotionKind::Rest => time(t).map(|_| self.start),
            MotionKind::Steady { axis, rate, clock } => {
                let turns = phase(*rate, clock.scaled(t)?, t)?;
                let (s, c) = polhode_elliptic::sin_cos_turns(turns.split_integer().1);
                let turn = DQuat::from_xyzw(s * axis.x, s * axis.y, s * axis.z, c);
                Ok(State { m: self.start.m, q: self.start.q * turn })
            }
            MotionKind::Tumbling(tumbling) => tumbling.at(t),
        }
    }

    /// The states at many times, in the order given.
    ///
    /// # Errors
    /// As [`FreeMotion::at`], for the first time that has one; the states before it are there.
    ///
    /// # Panics
    /// If there is no room for as many states as there are times.
    ///
    /// ```
    /// use polhode::{FreeMotion, Inertia, State};
    /// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
    /// let motion = FreeMotion::new(&inertia, State::aligned([0.5, 2.0, 0.0])?)?;
    /// let times = [0.0, 1.0, 1e6];
    /// let mut states = [*motion.start(); 3];
    /// motion.at_many(&times, &mut states)?;
    /// assert_eq!(states[2], motion.at(1e6)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_many(&self, times: &[f64], states: &mut [State]) -> Result<(), FreeMotionError> {
        self.at_leading(times, &mut states[..times.len()]).1
    }

    /// The states at many times, as of [`FreeMotion::at_many`], and how many they are: all, or those before the first
    /// time that has none.
    ///
    /// # Panics
    /// If there are not as many states as times.
    pub fn at_leading(
        &self,
        times: &[f64],
        states: &mut [State],
    ) -> (usize, Result<(), FreeMotionError>) {
        assert_eq!(times.len(), states.len(), "as many states as times");
        let mut done = 0;
        if let MotionKind::Tumbling(tumbling) = &self.kind {
            done = tumbling.leading(times, states);
            // Time zero is the start to the last bit.
            for (state, _) in states[..done].iter_mut().zip(times).filter(|(_, t)| **t == 0.0) {
                *state = self.start;
            }
        }
        for (state, &t) in states[done..].iter_mut().zip(&times[done..]) {
            match self.at(t) {
                Ok(there) => *state = there,
                Err(error) => return (done, Err(error)),
            }
            done += 1;
        }
        (done, Ok(()))
    }

    /// The angular momentum (body frame) at time t.
    ///
    /// # Errors
    /// As [`FreeMotion::at`].
    pub fn momentum_at(&self, t: f64) -> Result<DVec3, FreeMotionError> {
        if t == 0.0 {
            return Ok(self.start.m);
        }
        match &self.kind {
            MotionKind::Tumbling(tumbling) => tumbling.momentum_at(t),
            MotionKind::Rest | MotionKind::Steady { .. } => time(t).map(|_| self.start.m),
        }
    }

    /// The angular velocity (body frame) at time t.
    ///
    /// # Errors
    /// As [`FreeMotion::at`].
    pub fn omega_at(&self, t: f64) -> Result<DVec3, FreeMotionError> {
        Ok(self.inertia.omega(self.momentum_at(t)?))
    }

    /// The derivative of the angular velocity's body components at time t, `I^-1 (m x omega)`.
    ///
    /// It is also the angular acceleration in space, taken along the body axes: the two derivatives
    /// of omega differ by `omega x omega = 0`.
    ///
    /// # Errors
    /// As [`FreeMotion::at`]; also if the result is beyond the range of doubles.
    pub fn angular_acceleration_at(&self, t: f64) -> Result<DVec3, FreeMotionError> {
        let m = self.momentum_at(t)?;
        if let MotionKind::Rest | MotionKind::Steady { .. } = self.kind {
            return Ok(DVec3::ZERO);
        }
        let acceleration = self.inertia.acceleration(m);
        if acceleration.is_finite() {
            return Ok(acceleration);
        }
        let largest = m.abs().max_element();
        let allowed = "the angular acceleration must be below 1e308";
        Err(FreeMotionError::OutOfRange { field: "momentum", value: largest, allowed })
    }

    fn clock(&self) -> Clock {
        match &self.kind {
            MotionKind::Rest => Clock::new(0),
            MotionKind::Steady { clock, .. } => *clock,
            MotionKind::Tumbling(tumbling) => tumbling.clock,
        }
    }

    /// What the momentum does in the body frame.
    pub fn regime(&self) -> Regime {
        match &self.kind {
            MotionKind::Rest => Regime::Rest,
            MotionKind::Steady { .. } => Regime::Steady,
            MotionKind::Tumbling(t) => t.regime(),
        }
    }

    /// The period of the momentum in the body frame: the least T > 0 with `m(t + T) = m(t)` always.
    ///
    /// None where there is none: the momentum stands still (rest, steady rotation) or never returns
    /// (separatrix), or not within the range of doubles. The attitude is in general not periodic. The
    /// body flips (see [`FreeMotion::next_flip`]) twice a period.
    pub fn period(&self) -> Option<f64> {
        match &self.kind {
            MotionKind::Tumbling(t) => {
                let period = t.clock.unscaled(t.orbit.period()?.hi());
                period.is_finite().then_some(period)
            }
            MotionKind::Rest | MotionKind::Steady { .. } => None,
        }
    }

    /// The mean rate, in radians per time, at which the axis that the momentum circles turns about
    /// the (fixed) momentum in space; always positive.
    ///
    /// For a symmetric top this is the rate of its regular precession, |m|/J with J the two equal
    /// moments. On the separatrix it is the limit, |m|/I2. Where the momentum stands still in the
    /// body, the rate at which the body turns about it, |omega|; zero at rest.
    pub fn precession_rate(&self) -> f64 {
        match &self.kind {
            MotionKind::Rest => 0.0,
            MotionKind::Steady { rate, clock, .. } => {
                ldexp((*rate * Dd::PI.scale(4.0)).hi(), clock.exponent)
            }
            // A rate is the inverse of a time.
            MotionKind::Tumbling(t) => ldexp(t.orbit.precession_rate(), t.clock.exponent),
        }
    }

    /// How far the motion is from the separatrix: `1 - 2 T I2/|m|²`, T the kinetic energy and I2 the
    /// middle moment.
    ///
    /// Negative while the momentum circles the axis of the least moment, positive while it circles
    /// that of the greatest, zero only exactly on the separatrix (or for a turn about the middle
    /// axis, which has the same energy; or where it underflows, below 1e-308). Computed without
    /// cancellation: the value is good to all digits however small it is. None at rest.
    pub fn separatrix_distance(&self) -> Option<f64> {
        self.separatrix_distance
    }

    /// The first flip after time t: the first time at which the momentum's component along the
    /// middle axis passes through zero.
    ///
    /// This is the moment in which a body thrown about its middle axis (tennis racket, T-handle)
    /// turns over. Flips follow each other at half the [`FreeMotion::period`]. None where there is
    /// no further flip (separatrix, once it is past), or no middle axis or motion along it (steady
    /// rotation, symmetric top, rest).
    ///
    /// # Errors
    /// As [`FreeMotion::at`].
    pub fn next_flip(&self, t: f64) -> Result<Option<f64>, FreeMotionError> {
        time(t)?;
        match &self.kind {
            MotionKind::Tumbling(tumbling) if !tumbling.symmetric => tumbling.next_flip(t),
            _ => Ok(None),
        }
    }
}

impl MotionKind {
    /// The theta functions of a periodic motion, and its half periods in a unit of scaled time.
    fn phase(&self) -> Option<(Theta, Dd)> {
        match self {
            Self::Tumbling(tumbling) => tumbling.orbit.phase(),
            Self::Rest | Self::Steady { .. } => None,
        }
    }

    fn new(invariants: Option<MotionInvariants>, start: &State) -> Result<Self, FreeMotionError> {
        let Some(invariants) = invariants else { return Ok(Self::Rest) };
        let clock = Clock::new(invariants.time_exponent);
        let Some((orbit, frame)) = CanonicalOrbit::new(&invariants)? else {
            let omega = invariants.steady_rate();
            // The half angle, in turns.
            let rate = omega * Dd::FRAC_1_PI.scale(0.25);
            return Ok(Self::Steady { axis: direction(start.m), rate, clock });
        };
        Ok(Self::Tumbling(TumblingMotion::new((orbit, frame), clock, &invariants, start)))
    }
}

/// Unit vector; v is not zero.
fn direction(v: DVec3) -> DVec3 {
    let v = v / v.abs().max_element();
    v / v.length()
}
