//! Numbers of bodies side by side: how constants get into lanes.

use polhode_number::{Lift, PackedNumber};

/// Reads the numbers of several bodies, one after the other, in the order in which they were written.
pub(crate) struct Columns<'a, const BODIES: usize> {
    /// One column for each number, which has that number of every body.
    all: &'a [[f64; BODIES]],
    next: usize,
    /// The first lane.
    at: usize,
}

impl<'a, const BODIES: usize> Columns<'a, BODIES> {
    #[inline(always)]
    pub(crate) fn new(all: &'a [[f64; BODIES]], at: usize) -> Self {
        Self { all, next: 0, at }
    }

    #[inline(always)]
    pub(crate) fn one<L: PackedNumber>(&mut self) -> L {
        let lanes = L::load(&self.all[self.next][self.at..]);
        self.next += 1;
        lanes
    }
}

/// Reads in the place of a number that number of each body.
impl<L: PackedNumber, const BODIES: usize> Lift<f64, L> for Columns<'_, BODIES> {
    #[inline(always)]
    fn lift(&mut self, _: f64) -> L {
        self.one()
    }
}

/// Writes down the numbers of one body.
pub(crate) struct NumberRecorder<'a>(pub(crate) &'a mut Vec<f64>);

impl Lift<f64, f64> for NumberRecorder<'_> {
    fn lift(&mut self, x: f64) -> f64 {
        self.0.push(x);
        x
    }
}
