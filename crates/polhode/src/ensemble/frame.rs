//! The principal axes of each body, over lanes.

use super::columns::Columns;
use crate::inertia::Frame;
use polhode_number::Packed;
use polhode_number::vector::{Matrix, Vector, scale, select, transform, transpose};

/// What the frames of a block of bodies have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Axes {
    /// The moments of all stand in increasing order.
    Sorted,
    /// Those of some are to be sorted.
    Permuted,
    /// Some have tensors.
    Turned,
}

/// Numbers in the record of a body.
const LENGTH: usize = 17;

/// What this body needs.
pub(super) fn axes(frame: &Frame) -> Axes {
    match frame.parts() {
        (_, _, Some(_)) => Axes::Turned,
        ([0, 1, 2], _, None) => Axes::Sorted,
        _ => Axes::Permuted,
    }
}

pub(super) fn write(frame: &Frame, record: &mut Vec<f64>) {
    let (order, sign, matrix) = frame.parts();
    record.extend(order.map(|i| i as f64));
    // Where in that order each axis stands.
    for axis in 0..3 {
        record.push(order.iter().position(|&i| i == axis).map_or(0.0, |i| i as f64));
    }
    record.push(sign);
    record.push(if matrix.is_some() { 1.0 } else { 0.0 });
    record.extend(matrix.unwrap_or_default().to_cols_array());
}

/// Frames, one in each lane.
#[derive(Clone, Copy)]
pub(super) struct LaneFrame<L> {
    axes: Axes,
    order: Vector<L>,
    place: Vector<L>,
    sign: L,
    turned: L,
    matrix: Matrix<L>,
}

/// The component with that number.
#[inline(always)]
fn pick<L: Packed>(v: Vector<L>, index: L) -> L {
    let second = L::select(index.less(L::splat(1.5)), v[1], v[2]);
    L::select(index.less(L::splat(0.5)), v[0], second)
}

#[inline(always)]
fn permute<L: Packed>(v: Vector<L>, order: Vector<L>) -> Vector<L> {
    [pick(v, order[0]), pick(v, order[1]), pick(v, order[2])]
}

impl<L: Packed> LaneFrame<L> {
    #[inline(always)]
    pub(super) fn read(axes: Axes, columns: &mut Columns<'_>) -> Self {
        let zero = L::splat(0.0);
        let mut frame = Self {
            axes,
            order: [zero; 3],
            place: [zero; 3],
            sign: zero,
            turned: zero,
            matrix: [[zero; 3]; 3],
        };
        if axes == Axes::Sorted {
            columns.skip(LENGTH);
            return frame;
        }
        frame.order = columns.three();
        frame.place = columns.three();
        (frame.sign, frame.turned) = columns.two();
        frame.matrix = columns.matrix();
        frame
    }

    /// A vector of the body frame, along the sorted axes.
    #[inline(always)]
    pub(super) fn enter(&self, v: Vector<L>) -> Vector<L> {
        if self.axes == Axes::Sorted {
            return v;
        }
        let mut principal = v;
        if self.axes == Axes::Turned {
            principal = select(self.turned(), transform(&transpose(&self.matrix), v), v);
        }
        scale(permute(principal, self.order), self.sign)
    }

    /// A vector along the sorted axes, in the body frame.
    #[inline(always)]
    pub(super) fn leave(&self, v: Vector<L>) -> Vector<L> {
        if self.axes == Axes::Sorted {
            return v;
        }
        let principal = permute(scale(v, self.sign), self.place);
        if self.axes == Axes::Turned {
            return select(self.turned(), transform(&self.matrix, principal), principal);
        }
        principal
    }

    /// Where the body has a tensor.
    #[inline(always)]
    pub(super) fn turned(&self) -> L::Mask {
        L::splat(0.5).less(self.turned)
    }
}
