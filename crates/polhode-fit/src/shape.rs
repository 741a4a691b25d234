//! The distribution of mass of a body up to its scale, always one that a body can have.
//!
//! P is the matrix of second moments of the mass, scaled to trace one; the inertia is then I = 1 - P, of trace
//! two. Every symmetric P >= 0 belongs to some body and every body has one, so "physical", triangle inequality
//! included, is "no negative eigenvalue". Free motion does not determine the scale that is left out.

use glam::{DMat3, DVec3};
use polhode::{Inertia, InertiaError};

use crate::linear::Symmetric;

/// How many numbers a shape has.
pub(crate) const SHAPE: usize = 5;

/// The least moment that is computed with, of a trace of two: the needle is a limit.
const LEAST_MOMENT: f64 = 1e-7;

/// Second moments of the mass, trace one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassShape {
    /// Eigenvalues in descending order, so that those of the inertia, 1 - p, ascend.
    pub(crate) p: [f64; 3],
    /// The principal axes as columns, right-handed.
    pub(crate) axes: DMat3,
}

impl MassShape {
    /// The sphere.
    pub(crate) const SPHERE: Self = Self { p: [1.0 / 3.0; 3], axes: DMat3::IDENTITY };

    /// The nearest shape to a symmetric matrix, by its eigenvectors: negative eigenvalues become zero.
    pub(crate) fn nearest(matrix: DMat3) -> Self {
        let rows = matrix.transpose().to_cols_array();
        let mut pairs = Symmetric { n: 3, entries: rows.to_vec() }.eigen();
        pairs.reverse();
        let vector = |i: usize| DVec3::new(pairs[i].1[0], pairs[i].1[1], pairs[i].1[2]);
        let (a, b) = (vector(0), vector(1));
        let axes = DMat3::from_cols(a, b, a.cross(b));
        Self::with([pairs[0].0, pairs[1].0, pairs[2].0], axes)
    }

    /// Eigenvalues in descending order, clipped and brought to trace one, with their axes.
    fn with(p: [f64; 3], axes: DMat3) -> Self {
        let mut p = p.map(|x| if x > 0.0 { x } else { 0.0 });
        let sum = p[0] + p[1] + p[2];
        if !(sum > 0.0 && sum.is_finite()) {
            return Self::SPHERE;
        }
        p = p.map(|x| x / sum);
        if p[0] > 1.0 - LEAST_MOMENT {
            let rest = p[1] + p[2];
            let share = if rest > 0.0 { p[1] / rest } else { 0.5 };
            p = [1.0 - LEAST_MOMENT, share * LEAST_MOMENT, (1.0 - share) * LEAST_MOMENT];
        }
        Self { p, axes }
    }

    /// The shape of principal moments in proportion to these, along the columns.
    pub(crate) fn of_moments(moments: [f64; 3], axes: DMat3) -> Self {
        let sum: f64 = moments.iter().sum();
        let p = moments.map(|i| 1.0 - 2.0 * i / sum);
        Self::nearest(axes * DMat3::from_diagonal(DVec3::from_array(p)) * axes.transpose())
    }

    pub(crate) fn matrix(&self) -> DMat3 {
        self.axes * DMat3::from_diagonal(DVec3::from_array(self.p)) * self.axes.transpose()
    }

    /// The principal moments in ascending order, of sum two.
    pub(crate) fn moments(&self) -> [f64; 3] {
        let [a, b, c] = self.p;
        [b + c, c + a, a + b]
    }

    /// 1 - P in the body frame.
    pub(crate) fn inertia_matrix(&self) -> DMat3 {
        let moments = DVec3::from_array(self.moments());
        self.axes * DMat3::from_diagonal(moments) * self.axes.transpose()
    }

    /// The inertia of trace two.
    pub(crate) fn inertia(&self) -> Result<Inertia, InertiaError> {
        let m = self.inertia_matrix();
        let row = |i: usize| [m.col(0)[i], m.col(1)[i], m.col(2)[i]];
        let [a, b, c] = [row(0), row(1), row(2)];
        // Symmetric to the last bit; the triangle inequality holds up to the rounding of the products.
        Inertia::tensor_unphysical([a, [a[1], b[1], b[2]], [a[2], b[2], c[2]]])
    }

    /// The directions in which P is varied, in the body frame, orthonormal: two that keep the axes, three that
    /// turn them. The last are differences of pairs (1,2), (1,3), (2,3) of principal axes.
    pub(crate) fn directions(&self) -> [DMat3; SHAPE] {
        let turned = |m: DMat3| self.axes * m * self.axes.transpose();
        let diagonal = |v: [f64; 3]| turned(DMat3::from_diagonal(DVec3::from_array(v)));
        let mixed = |i: usize, j: usize| {
            let mut m = DMat3::ZERO;
            m.col_mut(i)[j] = R2;
            m.col_mut(j)[i] = R2;
            turned(m)
        };
        [
            diagonal([R2, -R2, 0.0]),
            diagonal([R6, R6, -2.0 * R6]),
            mixed(0, 1),
            mixed(0, 2),
            mixed(1, 2),
        ]
    }

    /// The shape after a step along [`MassShape::directions`].
    pub(crate) fn stepped(&self, step: &[f64]) -> Self {
        let mut p = self.matrix();
        for (direction, &x) in self.directions().iter().zip(step) {
            p += *direction * x;
        }
        Self::nearest(p)
    }

    /// How the three eigenvalues change along the first two directions; along the others they do not.
    pub(crate) const EIGENVALUES: [[f64; 2]; 3] = [[R2, R6], [-R2, R6], [0.0, -2.0 * R6]];

    /// The moment that the step would make impossible: the index of the most negative eigenvalue.
    pub(crate) fn violated(&self, step: &[f64]) -> Option<usize> {
        let after = Self::EIGENVALUES
            .map(|row| row[0] * step[0] + row[1] * step[1])
            .into_iter()
            .zip(self.p);
        let after = after.enumerate().map(|(i, (change, p))| (i, p + change));
        after.filter(|(_, p)| *p < -1e-12).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }
}

const R2: f64 = core::f64::consts::FRAC_1_SQRT_2;
/// 1/sqrt(6).
const R6: f64 = 0.408_248_290_463_863_02;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_become_a_shape_and_back() {
        let axes = DMat3::from_quat(polhode::so3::exp(DVec3::new(0.3, -0.5, 1.1)));
        let shape = MassShape::of_moments([1.0, 2.0, 2.5], axes);
        let sum = 5.5;
        for (got, want) in shape.moments().into_iter().zip([1.0, 2.0, 2.5]) {
            assert!((got - 2.0 * want / sum).abs() < 1e-15);
        }
        assert!(
            (shape.inertia_matrix() + shape.matrix() - DMat3::IDENTITY)
                .abs_diff_eq(DMat3::ZERO, 1e-15)
        );
        // A flat body stays flat; what is beyond becomes flat.
        assert!(MassShape::of_moments([1.0, 1.0, 2.0], axes).p[2].abs() < 1e-16);
        assert_eq!(MassShape::of_moments([1.0, 1.0, 2.5], axes).p[2], 0.0);
    }

    #[test]
    fn directions_are_orthonormal_and_keep_the_trace() {
        let shape = MassShape::of_moments([1.0, 2.0, 2.5], DMat3::IDENTITY);
        let all = shape.directions();
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                let product: f64 =
                    a.to_cols_array().iter().zip(b.to_cols_array()).map(|(x, y)| x * y).sum();
                let want = if i == j { 1.0 } else { 0.0 };
                assert!((product - want).abs() < 1e-15);
            }
            assert!((a.col(0)[0] + a.col(1)[1] + a.col(2)[2]).abs() < 1e-15);
        }
    }
}
