//! Numbers of bodies in cells: how constants get into lanes.

use polhode_number::{Lift, PackedNumber};

/// Bodies in a cell: as many as the widest lanes.
pub(super) const CELL: usize = 16;

/// The same number of each body of a cell.
pub(super) type Column = [f64; CELL];

/// Reads the numbers of a cell, one after the other, in the order in which they were written.
pub(super) struct Columns<'a> {
    cells: &'a [Column],
    next: usize,
    /// The first lane.
    at: usize,
}

impl<'a> Columns<'a> {
    #[inline(always)]
    pub(super) fn new(cells: &'a [Column], at: usize) -> Self {
        Self { cells, next: 0, at }
    }

    #[inline(always)]
    pub(super) fn one<L: PackedNumber>(&mut self) -> L {
        let lanes = L::load(&self.cells[self.next][self.at..]);
        self.next += 1;
        lanes
    }
}

/// Reads in the place of a number that number of each body.
impl<L: PackedNumber> Lift<f64, L> for Columns<'_> {
    #[inline(always)]
    fn lift(&mut self, _: f64) -> L {
        self.one()
    }
}

/// Writes down the numbers of one body.
pub(super) struct NumberRecorder<'a>(pub(super) &'a mut Vec<f64>);

impl Lift<f64, f64> for NumberRecorder<'_> {
    fn lift(&mut self, x: f64) -> f64 {
        self.0.push(x);
        x
    }
}
