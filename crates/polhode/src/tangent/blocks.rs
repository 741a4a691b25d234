//! All blocks of a free motion's tangent from its momentum block, and their way to the body frame.
//!
//! The spatial momentum is constant, and so is the energy; a vector is known from its product and its cross product
//! with the momentum. So the attitude block follows from the momentum block without a derivative of the angle
//! about the momentum:
//!
//! B = (t m w0^T - m x (A - R^T))/|m|², and d del/db = (s m - m x dm/db)/|m|² with s from integrals of m_i m_j.

use glam::DMat3;
use polhode_number::Number;
use polhode_number::vector::{Matrix, Quaternion, Vector, add, cross, scale, subtract};

use super::{Gradient, HeldQuantity, InertiaTangent, MomentColumns, MomentumBlock, Tangent};
use crate::inertia::PrincipalFrame;
use crate::{Inertia, State};

/// The blocks of the state transition along the sorted axes, by columns, those of the diagonal without their one.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<N> {
    /// A - 1: momentum by momentum.
    pub(crate) momentum: Matrix<N>,
    /// B: attitude by momentum.
    pub(crate) attitude: Matrix<N>,
    /// R^T - 1: attitude by attitude.
    pub(crate) rotation: Matrix<N>,
}

impl<N: Number> Blocks<N> {
    /// From the momentum block and the rotation minus one of the motion.
    #[inline(always)]
    pub(crate) fn new(block: &MomentumBlock<N>, r: Quaternion<N>) -> Self {
        let (momentum, rotation) = (block.start(), inverse_rotation(r));
        let (m, n, b) = (block.m, block.n, block.b);
        let per_square = N::splat(1.0) / (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        let along = scale(n, block.phase.h);
        let mut attitude = momentum;
        for j in 0..3 {
            let across = cross(n, subtract(momentum[j], rotation[j]));
            let turn = subtract(scale(along, b[j] * m[j]), across);
            attitude[j] = scale(turn, per_square);
        }
        Self { momentum, attitude, rotation }
    }
}

/// R^T - 1 of the rotation 1 + r.
#[inline(always)]
fn inverse_rotation<N: Number>([r0, x, y, z]: Quaternion<N>) -> Matrix<N> {
    let two = N::splat(2.0);
    let w = two * (N::splat(1.0) + r0);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    let (xx, yy, zz) = (two * x * x, two * y * y, two * z * z);
    let (xy, xz, yz) = (two * x * y, two * x * z, two * y * z);
    [[-(yy + zz), xy - wz, xz + wy], [xy + wz, -(xx + zz), yz - wx], [xz - wy, yz + wx, -(xx + yy)]]
}

/// Derivatives with respect to the inverse tensor along the sorted axes: entries 11, 22, 33, 12, 13, 23.
#[derive(Clone, Copy)]
pub(crate) struct InertiaColumns<N> {
    pub(crate) momentum: [Vector<N>; 6],
    pub(crate) attitude: [Vector<N>; 6],
}

impl<N: Number> InertiaColumns<N> {
    #[inline(always)]
    pub(crate) fn new(block: &MomentumBlock<N>) -> Self {
        let ([d1, d2, d3], [e1, e2, e3]) = principal_columns(block);
        let (mut mixed, [s12, s13, s23]) = block.mixed();
        let ([m1, m2, m3], h) = (block.m, block.phase.h);
        let weights = [h * m1 * m2 + s12, h * m1 * m3 + s13, h * m2 * m3 + s23];
        let per_square = N::splat(1.0) / (m1 * m1 + m2 * m2 + m3 * m3);
        let mut turned = mixed;
        for i in 0..3 {
            (mixed[i], turned[i]) = column(block.n, per_square, mixed[i], weights[i]);
        }
        let ([d12, d13, d23], [e12, e13, e23]) = (mixed, turned);
        Self { momentum: [d1, d2, d3, d12, d13, d23], attitude: [e1, e2, e3, e12, e13, e23] }
    }
}

/// The columns of momentum and attitude by the inverse moments.
#[inline(always)]
fn principal_columns<N: Number>(block: &MomentumBlock<N>) -> (Matrix<N>, Matrix<N>) {
    let ([d1, d2, _], [s11, s22, _]) = (block.moments(), block.squares());
    let ([m1, m2, m3], n, h) = (block.m, block.n, block.phase.h);
    let half = N::splat(0.5);
    let per_square = N::splat(1.0) / (m1 * m1 + m2 * m2 + m3 * m3);
    let (d1, e1) = column(n, per_square, d1, half * (h * m1 * m1 + s11));
    let (d2, e2) = column(n, per_square, d2, half * (h * m2 * m2 + s22));
    // The same number added to all inverse moments turns the body about its momentum, and does nothing else.
    let (d, e) = (add(d1, d2), add(e1, e2));
    ([d1, d2, [-d[0], -d[1], -d[2]]], [e1, e2, subtract(scale(n, h), e)])
}

/// A column by the inertia, from that of the momentum and from an integral along the motion.
///
/// The length of the momentum does not change: what there is along it is rounding, and next to symmetry all of it.
#[inline(always)]
fn column<N: Number>(
    n: Vector<N>,
    per_square: N,
    dm: Vector<N>,
    weight: N,
) -> (Vector<N>, Vector<N>) {
    let along = (n[0] * dm[0] + n[1] * dm[1] + n[2] * dm[2]) * per_square;
    let dm = subtract(dm, scale(n, along));
    let turn = subtract(scale(n, weight), cross(n, dm));
    (dm, scale(turn, per_square))
}

/// The units of a kernel and the frame of its axes.
pub(crate) struct KernelUnits<'a> {
    pub(crate) inertia: &'a Inertia,
    pub(crate) frame: &'a PrincipalFrame,
    /// The caller's momentum is the kernel's times this; one over it.
    pub(crate) momentum: f64,
    pub(crate) per_momentum: f64,
    /// The kernel's moments are the caller's times this.
    pub(crate) per_moment: f64,
    /// The caller's rate of the momentum is the kernel's times this.
    pub(crate) rate: f64,
}

/// Places of the entries 11, 22, 33, 12, 13, 23.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

impl KernelUnits<'_> {
    /// The derivatives of a state, from blocks over doubles.
    #[inline(always)]
    pub(crate) fn tangent(
        &self,
        state: State,
        blocks: &Blocks<f64>,
        motion: Vector<f64>,
    ) -> Tangent {
        let a = self.frame.leave_matrix(blocks.momentum);
        let b = self.frame.leave_matrix(blocks.attitude);
        let r = self.frame.leave_matrix(blocks.rotation);
        let mut phi = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                let one = if i == j { 1.0 } else { 0.0 };
                phi[i][j] = a[j][i] + one;
                phi[3 + i][j] = b[j][i] * self.per_momentum;
                phi[3 + i][3 + j] = r[j][i] + one;
            }
        }
        let [x, y, z] = self.frame.leave_rounded(motion).to_array();
        let [u, v, w] = self.inertia.omega(state.m).to_array();
        let time = [x * self.rate, y * self.rate, z * self.rate, u, v, w];
        Tangent { state, state_transition: phi, time }
    }

    /// The derivatives by the principal moments, at fixed momentum.
    #[inline(always)]
    pub(super) fn by_moments(&self, block: &MomentumBlock<f64>) -> MomentColumns {
        let (mut momentum, mut attitude) = principal_columns(block);
        for i in 0..3 {
            let factor = -(block.b[i] * block.b[i]) * self.per_moment;
            momentum[i] = scale(momentum[i], factor * self.momentum);
            attitude[i] = scale(attitude[i], factor);
        }
        let momentum = self.frame.leave_by_axes(momentum);
        let attitude = self.frame.leave_by_axes(attitude);
        let mut made = [[0.0; 3]; 6];
        for i in 0..3 {
            for j in 0..3 {
                (made[i][j], made[3 + i][j]) = (momentum[j][i], attitude[j][i]);
            }
        }
        made
    }

    /// By all entries of the inertia, at fixed momentum.
    #[inline(always)]
    pub(super) fn by_inertia(&self, block: &MomentumBlock<f64>) -> InertiaTangent {
        let (columns, b) = (InertiaColumns::new(block), block.b);
        // By the entries of the inertia along the sorted axes: db = -b dI b.
        let mut sorted = [[0.0; 6]; 6];
        for (c, (i, j)) in ENTRIES.into_iter().enumerate() {
            let factor = -(b[i] * b[j]) * self.per_moment;
            let unit = factor * self.momentum;
            let ([x, y, z], [u, v, w]) = (columns.momentum[c], columns.attitude[c]);
            sorted[c] = [x * unit, y * unit, z * unit, u * factor, v * factor, w * factor];
        }
        match self.frame.places() {
            // With places that are known to the compiler this is a row of moves.
            Some([0, 1, 2]) => placed(sorted, [0, 1, 2], self.frame.sign()),
            Some(places) => placed(sorted, places, self.frame.sign()),
            None => self.by_axes(sorted),
        }
    }

    /// The derivatives of a number, from those by the momentum and by the inverse tensor `b`, in units of the
    /// kernel; `unit` is that of the number.
    pub(crate) fn gradient(
        &self,
        start: Vector<f64>,
        inverse: [f64; 6],
        b: Vector<f64>,
        unit: f64,
    ) -> Gradient {
        let leave = self.frame.leave();
        let momentum = self.frame.leave_rounded(start) * (unit * self.per_momentum);
        let mut entries = [0.0; 6];
        for (entry, (k, l)) in entries.iter_mut().zip(ENTRIES) {
            for (slope, (i, j)) in inverse.into_iter().zip(ENTRIES) {
                let factor = -(b[i] * b[j]) * (unit * self.per_moment);
                *entry += share(&leave, (k, l), (i, j)) * factor * slope;
            }
        }
        let [a, b, c, ab, ac, bc] = entries;
        Gradient {
            momentum: momentum.to_array(),
            inertia: [a, b, c],
            inertia_off: [ab, ac, bc],
            held: HeldQuantity::Momentum,
        }
    }

    /// The same for a body with a tensor.
    #[inline(never)]
    fn by_axes(&self, sorted: [[f64; 6]; 6]) -> InertiaTangent {
        let leave = self.frame.leave();
        let mut made = InertiaTangent::NOTHING;
        for (c, (k, l)) in ENTRIES.into_iter().enumerate() {
            let (mut m, mut del) = ([0.0; 3], [0.0; 3]);
            for (column, (i, j)) in sorted.iter().zip(ENTRIES) {
                let weight = share(&leave, (k, l), (i, j));
                let [x, y, z, u, v, w] = *column;
                m = add(m, scale([x, y, z], weight));
                del = add(del, scale([u, v, w], weight));
            }
            let (m, del) = (self.frame.leave_rounded(m), self.frame.leave_rounded(del));
            let block = if c < 3 { &mut made.inertia } else { &mut made.inertia_off };
            for row in 0..3 {
                block[row][c % 3] = m[row];
                block[3 + row][c % 3] = del[row];
            }
        }
        made
    }
}

/// Columns along sorted axes to the places of these axes in the body frame.
#[inline(always)]
fn placed(sorted: [[f64; 6]; 6], places: [usize; 3], sign: f64) -> InertiaTangent {
    let mut made = InertiaTangent::NOTHING;
    for (c, (k, l)) in ENTRIES.into_iter().enumerate() {
        let column = &sorted[ENTRY[places[k]][places[l]]];
        let block = if c < 3 { &mut made.inertia } else { &mut made.inertia_off };
        for row in 0..3 {
            block[row][c % 3] = sign * column[places[row]];
            block[3 + row][c % 3] = sign * column[3 + places[row]];
        }
    }
    made
}

/// The number of the entry at these places in either order.
const ENTRY: [[usize; 3]; 3] = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];

/// How much entry (i, j) along the axes of a frame changes with entry (k, l), and its mirror image, in the
/// body frame.
fn share(leave: &DMat3, (k, l): (usize, usize), (i, j): (usize, usize)) -> f64 {
    let u = |row: usize, column: usize| leave.col(column)[row];
    if k == l { u(k, i) * u(k, j) } else { u(k, i) * u(l, j) + u(l, i) * u(k, j) }
}
