//! Frames along the principal axes: sorted, with signs, to double-double.

use glam::{DMat3, DQuat, DVec3};
use polhode_elliptic::Dd;
use polhode_number::{Number, Splat};

use super::Axes;
use super::over::AxesOver;

/// Relative size of what turning a vector in double-double leaves by rounding, with a margin.
const TURN_NOISE: f64 = 1e-30;

/// A proper frame along the principal axes, in a chosen order.
///
/// An odd permutation of axes is a reflection: it would flip every cross product. So all three
/// axes change sign with it, which makes it a rotation again (figure 3 of Celledoni & Zanna leaves this
/// out).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrincipalFrame {
    pub(super) order: [usize; 3],
    /// +1 for an even order, -1 for an odd one.
    sign: f64,
    axes: Option<Axes>,
    /// The same in doubles.
    pub(crate) rounded: AxesOver<f64>,
}

impl PrincipalFrame {
    /// The same axes in reverse order.
    pub(crate) fn reversed(self) -> Self {
        let [a, b, c] = self.order;
        Self::new([c, b, a], self.axes)
    }

    pub(super) fn new(order: [usize; 3], axes: Option<Axes>) -> Self {
        let [a, b, c] = order;
        let even = (b + 3 - a) % 3 == 1 && (c + 3 - b) % 3 == 1;
        let sign = if even { 1.0 } else { -1.0 };
        let rounded = AxesOver::new(order, sign, axes.map(|axes| axes.matrix));
        Self { order, sign, axes, rounded }
    }

    /// A vector of the body frame, in this frame, to double-double.
    pub(crate) fn enter(&self, v: DVec3) -> [Dd; 3] {
        let v = v.to_array();
        let principal = match &self.axes {
            None => v.map(Dd::from),
            Some(axes) => {
                let [w, x, y, z] = axes.rotation;
                let turned = super::principal_axes::rotate([w, -x, -y, -z], v.map(Dd::from));
                // What is no more than the rounding of the turn is zero: a momentum along the
                // middle axis would otherwise leave it, e^(lambda t) times 1e-32.
                let largest = turned.iter().fold(0.0, |m: f64, x| m.max(x.hi().abs()));
                turned.map(|x| if x.hi().abs() <= TURN_NOISE * largest { Dd::ZERO } else { x })
            }
        };
        self.order.map(|i| principal[i] * self.sign)
    }

    /// A vector of the body frame, in this frame.
    #[inline(always)]
    pub(crate) fn enter_rounded(&self, v: DVec3) -> [f64; 3] {
        self.rounded.enter(v.to_array())
    }

    /// A vector of this frame, in the body frame.
    #[inline(always)]
    pub(crate) fn leave_rounded(&self, v: [f64; 3]) -> DVec3 {
        DVec3::from_array(self.rounded.leave(v))
    }

    /// The momentum in the body frame after a step: see [`AxesOver::leave_after`].
    pub(crate) fn leave_after(&self, before: DVec3, after: [f64; 3]) -> DVec3 {
        DVec3::from_array(self.rounded.leave_after(before.to_array(), after))
    }

    /// A linear map of vectors of this frame, by columns, as one of vectors of the body frame.
    #[inline(always)]
    pub(crate) fn leave_matrix(&self, map: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        if let ([0, 1, 2], None) = (self.order, &self.axes) {
            return map;
        }
        self.leave_turned(map)
    }

    /// By value: what is passed by reference has to be in memory before it is known whether this is called.
    #[inline(never)]
    fn leave_turned(&self, map: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        // An odd order changes the sign of vector and image.
        let mut principal = map;
        for (column, &j) in map.iter().zip(&self.order) {
            for (x, &i) in column.iter().zip(&self.order) {
                principal[j][i] = *x;
            }
        }
        let Some(axes) = &self.axes else { return principal };
        let principal = DMat3::from_cols_array_2d(&principal);
        (axes.matrix * principal * axes.matrix.transpose()).to_cols_array_2d()
    }

    /// The place of each axis of the body frame among those of this frame, if they are the same lines.
    pub(crate) fn places(&self) -> Option<[usize; 3]> {
        if self.axes.is_some() {
            return None;
        }
        let mut places = [0; 3];
        for (place, &axis) in self.order.iter().enumerate() {
            places[axis] = place;
        }
        Some(places)
    }

    /// A vector for each axis of this frame, as one of the body frame for each principal axis of the body.
    #[inline(always)]
    pub(crate) fn leave_by_axes(&self, vectors: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        if let ([0, 1, 2], None) = (self.order, &self.axes) {
            return vectors;
        }
        self.leave_in_order(vectors)
    }

    #[inline(never)]
    fn leave_in_order(&self, vectors: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        let mut made = vectors;
        for (vector, &axis) in vectors.iter().zip(&self.order) {
            made[axis] = self.leave_rounded(*vector).to_array();
        }
        made
    }

    /// This frame over other numbers.
    #[inline(always)]
    pub(crate) fn over<N: Number>(&self) -> AxesOver<N> {
        self.rounded.map(&mut Splat)
    }

    /// +1 if a vector along the axes of this frame only changes places in the body frame, -1 if its sign changes too.
    pub(crate) fn sign(&self) -> f64 {
        self.sign
    }

    /// The matrix from this frame to the body frame.
    pub(crate) fn leave(&self) -> DMat3 {
        let unit = [DVec3::X, DVec3::Y, DVec3::Z];
        let columns = self.order.map(|i| unit[i] * self.sign);
        let permutation = DMat3::from_cols(columns[0], columns[1], columns[2]);
        match &self.axes {
            None => permutation,
            Some(axes) => axes.matrix * permutation,
        }
    }

    /// The quaternion from this frame to the body frame, of length 2 or sqrt 2: with small integer
    /// components where the axes are principal, so that no rounding comes in.
    pub(crate) fn leave_quaternion(&self) -> DQuat {
        let permutation = match (self.sign > 0.0, self.order) {
            (true, [0, ..]) => [2.0, 0.0, 0.0, 0.0],
            (true, [1, ..]) => [1.0, 1.0, 1.0, 1.0],
            (true, _) => [1.0, -1.0, -1.0, -1.0],
            // Half turns about the bisector of the two axes that change places.
            (false, [0, ..]) => [0.0, 0.0, 1.0, -1.0],
            (false, [_, 1, _]) => [0.0, 1.0, 0.0, -1.0],
            (false, _) => [0.0, 1.0, -1.0, 0.0],
        };
        let q = crate::so3::from_wxyz(permutation);
        match &self.axes {
            None => q,
            Some(axes) => crate::so3::from_wxyz(axes.rotation.map(Dd::hi)) * q,
        }
    }
}
