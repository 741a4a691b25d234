//! What the free motions of many bodies are like.

use rayon::prelude::*;

use super::member::Member;
use crate::{FreeMotion, FreeMotionError, Regime};

/// The constants of a free motion: see the functions of [`FreeMotion`] of the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MotionConstants {
    /// What the momentum does in the body frame.
    pub regime: Regime,
    /// Its period there, if it has one.
    pub period: Option<f64>,
    /// The mean rate at which the axis that it circles turns about it in space.
    pub precession_rate: f64,
    /// How far the motion is from the separatrix; none at rest.
    pub separatrix_distance: Option<f64>,
}

/// The constants of the free motion of every body from its start, on all cores. A body that has none, because its
/// numbers are out of range, does not concern the others.
pub fn motion_constants(bodies: &[Member]) -> Vec<Result<MotionConstants, FreeMotionError>> {
    crate::start_shared_threads();
    let constants = |Member { inertia, start }: &Member| {
        let motion = FreeMotion::new(inertia, *start)?;
        Ok(MotionConstants {
            regime: motion.regime(),
            period: motion.period(),
            precession_rate: motion.precession_rate(),
            separatrix_distance: motion.separatrix_distance(),
        })
    };
    bodies.par_iter().map(constants).collect()
}
