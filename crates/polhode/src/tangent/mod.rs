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
mod solver;
mod variation;

pub(crate) use blocks::{Blocks, KernelUnits};
pub(crate) use flow::TangentRotor;
pub(crate) use momentum::{MomentumBlock, MomentumShape};
pub(crate) use phase::Phase;

pub use chaos::{ChaosVerdict, Covariance, Lyapunov, propagated};
pub use run::{MotionTangent, TangentRun};
pub use solution::{EventTangent, TangentSolution};
pub use solver::TangentSolver;

use glam::{DQuat, DVec3};

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
    /// The derivatives by rows: d(dm, del) by d(I11, I22, I33).
    pub inertia: [[f64; 3]; 6],
    /// The derivatives by rows: d(dm, del) by d(I12, I13, I23).
    pub inertia_off: [[f64; 3]; 6],
    /// What of the start stays the same while the inertia changes.
    pub held: HeldQuantity,
}

/// The derivatives of a state by the principal moments, by rows.
pub(crate) type MomentColumns = [[f64; 3]; 6];

/// What a state is differentiated by. All is made in one piece, by value and in line: a borrowed result would be copied
/// once more to where the caller wants it, and hundreds of bytes that have just been written one by one are slow to
/// copy.
pub(crate) trait By {
    /// The derivatives.
    type Output: Copy;

    /// The derivatives at fixed momentum, from those by the start.
    fn make(units: &KernelUnits<'_>, tangent: Tangent, block: &MomentumBlock<f64>) -> Self::Output;

    /// The result for a body at rest.
    fn still(tangent: Tangent, held: HeldQuantity) -> Self::Output;

    /// Those by the start.
    fn tangent(made: &mut Self::Output) -> &mut Tangent;

    /// The same at a fixed angular velocity at the start, which is this; the axes are those of the body.
    fn hold_omega(made: &mut Self::Output, omega: [f64; 3], axes: DQuat);

    /// True if all numbers are finite.
    fn is_finite(made: &Self::Output) -> bool;
}

/// Derivatives by the start alone.
pub(crate) struct ByStart;

/// Derivatives by the start and the principal moments.
pub(crate) struct ByMoments;

/// Derivatives by the start and all entries of the inertia.
pub(crate) struct ByInertia;

impl By for ByStart {
    type Output = Tangent;

    #[inline(always)]
    fn make(_: &KernelUnits<'_>, tangent: Tangent, _: &MomentumBlock<f64>) -> Tangent {
        tangent
    }

    fn still(tangent: Tangent, _: HeldQuantity) -> Tangent {
        tangent
    }

    #[inline(always)]
    fn tangent(made: &mut Tangent) -> &mut Tangent {
        made
    }

    #[inline(always)]
    fn hold_omega(_: &mut Tangent, _: [f64; 3], _: DQuat) {}

    #[inline(always)]
    fn is_finite(made: &Tangent) -> bool {
        made.is_finite()
    }
}

impl By for ByMoments {
    type Output = (Tangent, MomentColumns);

    #[inline(always)]
    fn make(units: &KernelUnits<'_>, tangent: Tangent, block: &MomentumBlock<f64>) -> Self::Output {
        (tangent, units.by_moments(block))
    }

    fn still(tangent: Tangent, _: HeldQuantity) -> Self::Output {
        (tangent, [[0.0; 3]; 6])
    }

    #[inline(always)]
    fn tangent(made: &mut Self::Output) -> &mut Tangent {
        &mut made.0
    }

    /// The momentum changes along the axes.
    fn hold_omega((tangent, columns): &mut Self::Output, omega: [f64; 3], axes: DQuat) {
        for (j, axis) in DVec3::AXES.into_iter().enumerate() {
            let axis = axes * axis;
            let change = (axis * axis.dot(DVec3::from_array(omega))).to_array();
            for (row, phi) in columns.iter_mut().zip(&tangent.state_transition) {
                row[j] += change[0] * phi[0] + change[1] * phi[1] + change[2] * phi[2];
            }
        }
    }

    #[inline(always)]
    fn is_finite((tangent, columns): &Self::Output) -> bool {
        tangent.is_finite() && all_finite(columns.as_flattened())
    }
}

impl By for ByInertia {
    type Output = (Tangent, InertiaTangent);

    #[inline(always)]
    fn make(units: &KernelUnits<'_>, tangent: Tangent, block: &MomentumBlock<f64>) -> Self::Output {
        (tangent, units.by_inertia(block))
    }

    fn still(tangent: Tangent, held: HeldQuantity) -> Self::Output {
        (tangent, InertiaTangent { held, ..InertiaTangent::NOTHING })
    }

    #[inline(always)]
    fn tangent(made: &mut Self::Output) -> &mut Tangent {
        &mut made.0
    }

    /// The momentum changes by dI omega.
    fn hold_omega((tangent, by): &mut Self::Output, omega: [f64; 3], _: DQuat) {
        let [x, y, z] = omega;
        for (row, phi) in tangent.state_transition.iter().enumerate() {
            for (j, w) in omega.into_iter().enumerate() {
                by.inertia[row][j] += w * phi[j];
            }
            by.inertia_off[row][0] += y * phi[0] + x * phi[1];
            by.inertia_off[row][1] += z * phi[0] + x * phi[2];
            by.inertia_off[row][2] += z * phi[1] + y * phi[2];
        }
        by.held = HeldQuantity::AngularVelocity;
    }

    #[inline(always)]
    fn is_finite((tangent, by): &Self::Output) -> bool {
        let InertiaTangent { inertia, inertia_off, .. } = by;
        tangent.is_finite()
            && all_finite(inertia.as_flattened())
            && all_finite(inertia_off.as_flattened())
    }
}

/// What of the start stays the same while the inertia changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldQuantity {
    /// The momentum: the motion was given one.
    Momentum,
    /// The angular velocity: the motion was given one, and the momentum at the start changes with the inertia.
    AngularVelocity,
}

impl HeldQuantity {
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
    /// The derivative by the momentum at the start. The attitude at the start does not matter.
    pub momentum: [f64; 3],
    /// The derivatives by I11, I22, I33.
    pub inertia: [f64; 3],
    /// The derivatives by I12, I13, I23.
    pub inertia_off: [f64; 3],
    /// What of the start stays the same while the inertia changes.
    pub held: HeldQuantity,
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
        self.held = HeldQuantity::AngularVelocity;
        self
    }
}

impl Tangent {
    /// True if all numbers are finite. Those by the attitude always are: a rotation.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        let mut sums = [0.0; 3];
        for row in &self.state_transition {
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += 0.0 * x;
            }
        }
        sums == [0.0; 3] && all_finite(&self.time)
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
        Self { inertia: [[0.0; 3]; 6], inertia_off: [[0.0; 3]; 6], held: HeldQuantity::Momentum };
}
