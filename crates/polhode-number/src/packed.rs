//! Lanes and memory.

use crate::pack::PackMask;
use crate::{Number, Pack};

/// The most lanes that a kernel runs in: two registers of the widest.
pub const MAX_WIDTH: usize = 16;

/// Lanes that are read from consecutive doubles and written back.
pub trait PackedNumber: Number {
    /// How many lanes.
    const WIDTH: usize;

    /// One number per lane, from a slice of that many or more.
    fn load(from: &[f64]) -> Self;
    /// One number per lane, into a slice of that many or more.
    fn store(self, into: &mut [f64]);
    /// A mask as bits, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;

    /// For each of eight numbers the sum of its lanes, four or eight: (a0 + a1) + (a2 + a3), and in eight lanes
    /// (a4 + a5) + (a6 + a7) added to it.
    #[inline(always)]
    fn sums(of: [Self; 8]) -> [f64; 8] {
        sums_by_lanes(of)
    }
}

/// [`PackedNumber::sums`] by way of memory.
#[inline(always)]
pub(crate) fn sums_by_lanes<L: PackedNumber>(of: [L; 8]) -> [f64; 8] {
    let mut sums = [0.0; 8];
    for (sum, number) in sums.iter_mut().zip(of) {
        let mut lanes = [0.0; MAX_WIDTH];
        number.store(&mut lanes);
        *sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        if L::WIDTH > 4 {
            *sum += (lanes[4] + lanes[5]) + (lanes[6] + lanes[7]);
        }
    }
    sums
}

impl PackedNumber for f64 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        from[0]
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        into[0] = self;
    }
    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

impl<const N: usize> PackedNumber for Pack<N> {
    const WIDTH: usize = N;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        let mut lanes = [0.0; N];
        lanes.copy_from_slice(&from[..N]);
        Self(lanes)
    }
    #[inline(always)]
    fn store(self, into: &mut [f64]) {
        into[..N].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn bits(mask: PackMask<N>) -> u32 {
        let mut bits = 0;
        for i in 0..N {
            bits |= u32::from(mask.0[i]) << i;
        }
        bits
    }
}

/// [`Number::each_lane`] by way of memory.
#[inline(always)]
pub(crate) fn each_packed<L: PackedNumber, const I: usize, const O: usize>(
    inputs: [L; I],
    mut function: impl FnMut([f64; I]) -> [f64; O],
) -> [L; O] {
    let mut given = [[0.0; MAX_WIDTH]; I];
    let mut made = [[0.0; MAX_WIDTH]; O];
    for (lanes, x) in given.iter_mut().zip(inputs) {
        x.store(lanes);
    }
    for lane in 0..L::WIDTH {
        let of_lane = function(core::array::from_fn(|i| given[i][lane]));
        for (lanes, x) in made.iter_mut().zip(of_lane) {
            lanes[lane] = x;
        }
    }
    core::array::from_fn(|i| L::load(&made[i]))
}
