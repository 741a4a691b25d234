//! Derivatives of motions: what a small change of the start, of the body or of time does to the state.
//!
//! # Conventions
//! A state is varied by six numbers: a change dm of the momentum (body frame) and a rotation vector del **in
//! the body frame**, applied on the right, q -> q exp(del). This is the right perturbation of manif and GTSAM
//! and the local angle error of a multiplicative Kalman filter. Variations in space are Q del, with Q the
//! matrix of q.
//!
//! Derivatives with respect to an entry of the inertia off the diagonal change it together with its mirror image.

mod blocks;
mod chaos;
mod equations;
mod flow;
mod momentum;
mod phase;
mod run;
mod solution;
mod varying;

pub(crate) use blocks::{Blocks, Units};
pub(crate) use momentum::MomentumBlock;
pub(crate) use phase::Phase;

pub use chaos::{Covariance, Lyapunov, Verdict, propagated};
pub use run::{MotionTangent, TangentRun};
pub use solution::{EventTangent, TangentSolution};

use crate::State;

/// A state with its derivatives with respect to the state at the start and to time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tangent {
    /// The state itself.
    pub state: State,
    /// The state transition matrix by rows: d(dm, del) at the time by d(dm, del) at the start.
    pub state_transition: [[f64; 6]; 6],
    /// The derivative with respect to time, `(m x omega + torque, omega)`.
    pub time: [f64; 6],
}

/// The derivatives of a state with respect to the inertia of the body, in the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InertiaTangent {
    /// By rows: d(dm, del) by d(I11, I22, I33).
    pub inertia: [[f64; 3]; 6],
    /// By rows: d(dm, del) by d(I12, I13, I23).
    pub inertia_off: [[f64; 3]; 6],
    /// What of the start stays the same while the inertia changes.
    pub held: Held,
}

/// What a state is differentiated by, besides the start, and where that is to be written.
pub(crate) enum By<'a> {
    /// Nothing else.
    Start,
    /// The principal moments, by rows.
    Moments(&'a mut [[f64; 3]; 6]),
    /// All entries of the inertia.
    Inertia(&'a mut InertiaTangent),
}

impl By<'_> {
    /// The same for a while.
    #[inline(always)]
    pub(crate) fn again(&mut self) -> By<'_> {
        match self {
            Self::Start => By::Start,
            Self::Moments(made) => By::Moments(made),
            Self::Inertia(made) => By::Inertia(made),
        }
    }

    /// Nothing changes.
    pub(crate) fn nothing(self, held: Held) {
        match self {
            Self::Start => {}
            Self::Moments(made) => *made = [[0.0; 3]; 6],
            Self::Inertia(made) => *made = InertiaTangent { held, ..InertiaTangent::NOTHING },
        }
    }
}

/// What of the start stays the same while the inertia changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Held {
    /// The momentum: the motion was given one.
    Momentum,
    /// The angular velocity: the motion was given one, and the momentum at the start changes with the inertia.
    AngularVelocity,
}

impl Held {
    /// Its name: `momentum` or `angular velocity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Momentum => "momentum",
            Self::AngularVelocity => "angular velocity",
        }
    }
}

/// The derivatives of one number that belongs to a motion, in the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gradient {
    /// By the momentum at the start. The attitude at the start does not matter.
    pub momentum: [f64; 3],
    /// By I11, I22, I33.
    pub inertia: [f64; 3],
    /// By I12, I13, I23.
    pub inertia_off: [f64; 3],
    /// What of the start stays the same while the inertia changes.
    pub held: Held,
}

impl Gradient {
    pub(crate) fn holding_omega(mut self, [x, y, z]: [f64; 3]) -> Self {
        let [a, b, c] = self.momentum;
        for (slope, change) in self.inertia.iter_mut().zip([x * a, y * b, z * c]) {
            *slope += change;
        }
        let mixed = [y * a + x * b, z * a + x * c, z * b + y * c];
        for (slope, change) in self.inertia_off.iter_mut().zip(mixed) {
            *slope += change;
        }
        self.held = Held::AngularVelocity;
        self
    }
}

impl Tangent {
    /// A state that does not change: where derivatives are to be written.
    #[inline(always)]
    pub(crate) fn still(state: State) -> Self {
        Self { state, state_transition: [[0.0; 6]; 6], time: [0.0; 6] }
    }

    /// True if all numbers are.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        all_finite(self.state_transition.as_flattened()) && all_finite(&self.time)
    }
}

/// Whether all of some rows of six are finite: zero times each is then zero. Six sums side by side, none of which
/// waits for the others, and one branch.
#[inline(always)]
fn all_finite(numbers: &[f64]) -> bool {
    let (rows, rest) = numbers.as_chunks::<6>();
    debug_assert!(rest.is_empty());
    let mut sums = [0.0; 6];
    for row in rows {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += 0.0 * x;
        }
    }
    sums.iter().sum::<f64>() == 0.0
}

impl InertiaTangent {
    /// No derivatives: in place of those that are not asked for.
    pub(crate) const NOTHING: Self =
        Self { inertia: [[0.0; 3]; 6], inertia_off: [[0.0; 3]; 6], held: Held::Momentum };

    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        all_finite(self.inertia.as_flattened()) && all_finite(self.inertia_off.as_flattened())
    }

    /// The same at a fixed angular velocity at the start, which is this: the momentum changes by dI omega.
    pub(crate) fn holding_omega(mut self, tangent: &Tangent, omega: [f64; 3]) -> Self {
        let [x, y, z] = omega;
        for (row, phi) in tangent.state_transition.iter().enumerate() {
            for (j, w) in omega.into_iter().enumerate() {
                self.inertia[row][j] += w * phi[j];
            }
            self.inertia_off[row][0] += y * phi[0] + x * phi[1];
            self.inertia_off[row][1] += z * phi[0] + x * phi[2];
            self.inertia_off[row][2] += z * phi[1] + y * phi[2];
        }
        self.held = Held::AngularVelocity;
        self
    }
}
