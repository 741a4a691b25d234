//! How far a state is from another one: the one measure of observers, references, checks and comparisons.

use glam::{DQuat, DVec3};

use crate::{State, so3};

/// How far a state is from the one wanted, or a run from its reference.
///
/// ```
/// use polhode::{Errors, State, so3};
/// let want = State::aligned([0.0, 0.0, 2.0])?;
/// let got = State { m: want.m * 1.5, q: so3::exp([0.0, 0.25, 0.0].into()) };
/// let errors = Errors::new(&got, &want, 2.0);
/// assert_eq!(errors.momentum, 0.5);
/// assert!((errors.attitude - 0.25).abs() < 1e-15);
/// # Ok::<(), polhode::StateError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Errors {
    /// Of the momentum, relative to a length: the greatest that the momentum of the reference has.
    pub momentum: f64,
    /// Of the attitude, in radians; the sign of the quaternion does not count.
    pub attitude: f64,
}

impl Errors {
    /// The errors of a state; of the momentum relative to `size`. They are infinite where they are
    /// undefined, so that no maximum hides it.
    pub fn new(got: &State, want: &State, size: f64) -> Self {
        Self {
            momentum: Self::of_momentum(got.m, want.m, size),
            attitude: Self::of_attitude(got.q, want.q),
        }
    }

    /// The larger one of the two.
    pub fn worst(&self) -> f64 {
        self.momentum.max(self.attitude)
    }

    /// The larger ones, part by part.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            momentum: self.momentum.max(other.momentum),
            attitude: self.attitude.max(other.attitude),
        }
    }

    /// The distance of two momenta relative to a length.
    pub fn of_momentum(got: DVec3, want: DVec3, size: f64) -> f64 {
        Self::relative(so3::length(got - want), size)
    }

    /// The angle in radians between two attitudes.
    pub fn of_attitude(got: DQuat, want: DQuat) -> f64 {
        let angle = so3::angle_between(want, got);
        if angle.is_nan() { f64::INFINITY } else { angle }
    }

    /// A quotient: zero where nothing differs, whatever the size, and infinite where it is undefined,
    /// so that no maximum hides it.
    pub fn relative(difference: f64, size: f64) -> f64 {
        let quotient = if difference == 0.0 { 0.0 } else { difference / size };
        if quotient.is_nan() { f64::INFINITY } else { quotient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximum_hides_nothing() {
        assert_eq!(Errors::relative(0.0, 0.0), 0.0);
        assert_eq!(Errors::relative(1.0, 0.0), f64::INFINITY);
        assert_eq!(Errors::relative(f64::NAN, 1.0), f64::INFINITY);
        assert_eq!(Errors::relative(f64::INFINITY, f64::INFINITY), f64::INFINITY);
        let right = State::aligned([1.0, 2.0, 2.0]).expect("a state");
        let lost = State { m: DVec3::NAN, q: DQuat::NAN };
        let errors = Errors::new(&lost, &right, 3.0);
        assert_eq!((errors.momentum, errors.attitude), (f64::INFINITY, f64::INFINITY));
        assert_eq!(Errors::default().max(errors), errors);
    }

    #[test]
    fn both_parts_are_measured() {
        let want = State::aligned([1.0, 2.0, 2.0]).expect("a state");
        let turned = State { m: want.m * 1.5, q: -so3::exp(DVec3::new(0.0, 0.25, 0.0)) };
        let errors = Errors::new(&turned, &want, 6.0);
        assert_eq!(errors.momentum, 0.25);
        assert!((errors.attitude - 0.25).abs() < 1e-15);
        assert_eq!(Errors::new(&want, &want, 0.0), Errors::default());
    }
}
