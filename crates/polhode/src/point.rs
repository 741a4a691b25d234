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

/// A state that kernels can read and kick: a [`Point`], or that of one body as its rotor has it, which
/// spares copies between the two.
pub trait PhasePoint<N: Number> {
    /// Momentum and attitude.
    fn point(&self) -> Point<N>;
    /// The momentum, to be changed.
    fn momentum(&mut self) -> &mut Vector<N>;
}

impl<N: Number> PhasePoint<N> for Point<N> {
    #[inline(always)]
    fn point(&self) -> Self {
        *self
    }
    #[inline(always)]
    fn momentum(&mut self) -> &mut Vector<N> {
        &mut self.m
    }
}

impl PhasePoint<f64> for State {
    #[inline(always)]
    fn point(&self) -> Point<f64> {
        Point::from(self)
    }
    #[inline(always)]
    fn momentum(&mut self) -> &mut Vector<f64> {
        self.m.as_mut()
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
