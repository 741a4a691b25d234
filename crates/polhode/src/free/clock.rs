//! Times and phases of a motion: scaled by powers of two, and refused where a phase has no digits left.

use polhode_elliptic::Dd;

use super::FreeMotionError;
use crate::scale::ldexp;

/// The largest phase, in turns, that still has all its digits when reduced in double-double: 1e13
/// radians.
pub(super) const MAX_TURNS: f64 = 1e13 / core::f64::consts::TAU;

/// Scaled time is t 2^exponent, exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) exponent: i32,
    pub(super) power: PowerOfTwo,
}

/// A power of two to multiply by.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerOfTwo {
    exponent: i32,
    /// The power itself if it is a normal number, else zero: a product with it is what [`ldexp`] gives,
    /// which has to think of every case.
    pub(super) factor: f64,
}

impl PowerOfTwo {
    pub(super) fn new(exponent: i32) -> Self {
        let normal = (-1021..=1023).contains(&exponent);
        Self { exponent, factor: if normal { ldexp(1.0, exponent) } else { 0.0 } }
    }

    #[inline]
    pub(super) fn times(self, x: f64) -> f64 {
        if self.factor == 0.0 { ldexp(x, self.exponent) } else { x * self.factor }
    }
}

#[inline]
pub(super) fn time(t: f64) -> Result<f64, FreeMotionError> {
    if t.is_finite() { Ok(t) } else { Err(FreeMotionError::Time { t }) }
}

/// The phase `rate * scaled`, in turns, if it still has digits.
#[inline]
pub(super) fn phase(rate: Dd, scaled: f64, t: f64) -> Result<Dd, FreeMotionError> {
    let turns = rate * scaled;
    // False also for the undefined.
    if turns.hi().abs() < MAX_TURNS { Ok(turns) } else { Err(phase_lost(t)) }
}

#[cold]
pub(super) fn phase_lost(t: f64) -> FreeMotionError {
    if !t.is_finite() {
        return FreeMotionError::Time { t };
    }
    let allowed = "the motion has gone through more than 1e13 rad by then, its phase has no digits";
    FreeMotionError::OutOfRange { field: "t", value: t, allowed }
}

impl Clock {
    pub(super) fn new(exponent: i32) -> Self {
        Self { exponent, power: PowerOfTwo::new(exponent) }
    }

    #[inline]
    pub(super) fn scaled(self, t: f64) -> Result<f64, FreeMotionError> {
        Ok(self.power.times(time(t)?))
    }

    #[inline]
    pub(super) fn unscaled(self, scaled: f64) -> f64 {
        ldexp(scaled, -self.exponent)
    }
}
