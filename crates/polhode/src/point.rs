//! The state of a body as kernels see it: over any number.

use polhode_number::Number;
use polhode_number::vector::{Quaternion, Vector};

use crate::{State, so3};

/// A point of phase space: momentum and attitude of one body, of one in each lane, or of one with
/// derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<N> {
    /// Angular momentum in the body frame.
    pub m: Vector<N>,
    /// Attitude, body to space, scalar first.
    pub q: Quaternion<N>,
}

impl From<&State> for Point<f64> {
    #[inline(always)]
    fn from(state: &State) -> Self {
        Self { m: state.m.to_array(), q: state.attitude() }
    }
}

impl From<Point<f64>> for State {
    #[inline(always)]
    fn from(point: Point<f64>) -> Self {
        Self { m: point.m.into(), q: so3::from_wxyz(point.q) }
    }
}

impl<N: Number> Point<N> {
    /// Where all components are finite, and far from the end of the range.
    #[inline(always)]
    pub fn is_finite(&self) -> N::Mask {
        let ([a, b, c], [w, x, y, z]) = (self.m, self.q);
        let m = a.abs() + b.abs() + c.abs();
        let q = (w.abs() + x.abs()) + (y.abs() + z.abs());
        (m + q).less(N::splat(f64::INFINITY))
    }
}
