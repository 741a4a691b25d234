//! One step of the extrapolated midpoint rule, all sequences at once in four or eight lanes.
//!
//! In units of a lane's own substep h, X = h omega, kappa1 = (I2 - I3)/I1 and so on, the leapfrog is
//!
//! ```text
//! q+  = q-  + q (0, X)
//! X1+ = X1- + 2 kappa1 X2 X3 + 2 h² torque1/I1          (and cyclic)
//! ```
//!
//! It begins with half a leap from the start, Euler's step, and is not smoothed at its end: for an even number
//! of substeps the error is a series in h² without.
//!
//! # References
//! Gragg (1965); Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, section II.9.

use polhode_number::vector::Vector;
use polhode_number::{Kernel, PackedNumber};

use super::engine::{Eight, Node};
use super::field::{Field, Gains, Instant, Push};
use super::sequences::{Sequences, Weights};

/// Angular velocity along the principal axes, then the quaternion.
pub(super) type Seven<N> = [N; 7];

/// A step from t to t + h.
pub(super) struct Step<'a, F> {
    pub(super) field: &'a F,
    pub(super) sequences: &'a Sequences,
    /// (I2 - I3)/I1 and so on.
    pub(super) kappa: Vector<f64>,
    /// The moments of inertia over the largest, and zeros.
    pub(super) relative: &'a Eight,
    /// How fast the frame of the attitude turns.
    pub(super) spin: f64,
    /// Whether sums keep what they drop.
    pub(super) compensated: bool,
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) from: &'a Node,
}

/// Squares of lengths that tell how large the error of a step is. Momenta are over the largest moment, and all but the
/// attitude times the step: radians, whatever the units.
pub(super) struct Squares {
    /// Of the momentum where the step starts and ends.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Of the error of the momentum, as the difference from the result without the shortest sequence tells.
    pub(super) momentum: f64,
    /// Of that of the quaternion.
    pub(super) attitude: f64,
    /// Of the angular velocity where the step ends.
    pub(super) turn: f64,
}

/// Does a step, and measures its error.
pub(super) struct RunStep<'a, F>(pub(super) Step<'a, F>, pub(super) &'a mut Node);

impl<F: Field> Kernel for RunStep<'_, F> {
    type Output = Squares;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> Squares {
        let Self(step, to) = self;
        if step.compensated { step.with::<L, true>(to) } else { step.with::<L, false>(to) }
    }
}

impl<F: Field> Step<'_, F> {
    #[inline(always)]
    fn with<L: PackedNumber, const C: bool>(&self, to: &mut Node) -> Squares {
        let Sequences { eight, result, error, .. } = self.sequences;
        let mut sums = WeightedSums { result: [0.0; 8], error: [0.0; 8] };
        // As many as there are lanes, in one go or in two.
        for first in (0..if *eight { 8 } else { 4 }).step_by(L::WIDTH) {
            let added = self.added::<L, C>(first);
            sums.add(first, weighted(result, first, &added), weighted(error, first, &added));
        }
        self.combine::<L, C>(&sums, to)
    }

    /// What the sequences of the lanes from this one on add to the start.
    #[inline(always)]
    fn added<L: PackedNumber, const C: bool>(&self, first: usize) -> Seven<L> {
        let sequences = self.sequences;
        let field = self.field.over::<L>();
        let zero = L::splat(0.0);
        let h = L::splat(self.h) * L::load(&sequences.parts[first..]);
        let [k1, k2, k3] = self.kappa;
        let mut leaping = Leapfrog {
            kappa: [L::splat(2.0 * k1), L::splat(2.0 * k2), L::splat(2.0 * k3)],
            gains: field.gains(h),
            spin: L::splat(self.spin) * h,
            h,
            t: L::splat(self.t),
            passed: zero,
            field,
        };
        // Half a leap from the start.
        let start = scaled_start(&self.from.y, h);
        let (half, mut leap) = (L::splat(0.5), leaping.increment(&start, [zero; 7]));
        for part in &mut leap {
            *part = half * *part;
        }
        let mut before = Line { y: start, low: [zero; 7] };
        let mut newest = Line::<L>::after(&start, &leap);
        let mut ends = before;
        leaping.passed = h;
        leaping.leap::<C>(&mut before, &newest);
        // Two leaps at a time, so that no line is ever moved: here `before` is the newest.
        let mut leaps = 1;
        for end in sequences.ends(first..first + L::WIDTH) {
            while leaps < end.leaps {
                leaping.leap::<C>(&mut newest, &before);
                leaping.leap::<C>(&mut before, &newest);
                leaps += 2;
            }
            let lanes = L::splat(0.5).less(L::load(&end.lanes[first..]));
            ends.take::<C>(lanes, &before);
            leaping.rest(lanes);
        }
        ends.since::<C>(&start)
    }

    /// The result, from what the sequences have added to the start.
    #[inline(always)]
    fn combine<L: PackedNumber, const C: bool>(
        &self,
        sums: &WeightedSums,
        to: &mut Node,
    ) -> Squares {
        let Node { y: y0, with: low0 } = self.from;
        let WeightedSums { result, error } = sums;
        // H omega becomes omega; lanes are not put together from numbers, which takes long.
        let (h, over) = (L::splat(self.h), L::splat(1.0 / self.h));
        let (zero, mut squares) = (L::splat(0.0), [0.0; 8]);
        for at in (0..8).step_by(L::WIDTH) {
            let (turning, attitude) = (L::load(&TURNING[at..]), L::load(&ATTITUDE[at..]));
            let from = L::load(&y0[at..]);
            let mut added = L::load(&result[at..]) * (over * turning + attitude);
            if C {
                added = added + L::load(&low0[at..]);
            }
            // Zeros are positive, whichever sign the sums of lanes without weight have.
            let end = (from + added) + zero;
            end.store(&mut to.y[at..]);
            if C {
                (added - (end - from)).store(&mut to.with[at..]);
            }
            let (relative, error) = (L::load(&self.relative[at..]), L::load(&error[at..]));
            let momenta = h * relative;
            let square = |x: L| x * x;
            // Added up in the same order whatever the number of lanes.
            let of_these = L::sums([
                square(momenta * from),
                square(momenta * end),
                square(relative * error),
                square(error * attitude),
                square((h * turning) * end),
                zero,
                zero,
                zero,
            ]);
            for i in 0..5 {
                squares[i] += of_these[i];
            }
        }
        let [from, to, momentum, attitude, turn, ..] = squares;
        Squares { from, to, momentum, attitude, turn }
    }
}

/// Which of the eight numbers of a node are those of the angular velocity, and of the attitude.
const TURNING: Eight = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
const ATTITUDE: Eight = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];

/// What the sequences add to the start with the weights of the result, and with those of the error.
struct WeightedSums {
    result: Eight,
    error: Eight,
}

impl WeightedSums {
    /// Those of the lanes from this one on.
    #[inline(always)]
    fn add(&mut self, first: usize, result: Eight, error: Eight) {
        if first == 0 {
            *self = Self { result, error };
            return;
        }
        for i in 0..8 {
            self.result[i] += result[i];
            self.error[i] += error[i];
        }
    }
}

/// Sums of increments with the weights of the lanes from this one on; those of X = h omega become increments of
/// H omega.
#[inline(always)]
fn weighted<L: PackedNumber>(weights: &Weights, first: usize, added: &Seven<L>) -> Eight {
    let turning = L::load(&weights.turning[first..]);
    let quaternion = L::load(&weights.quaternion[first..]);
    let mut parts = [L::splat(0.0); 8];
    for i in 0..7 {
        parts[i] = (if i < 3 { turning } else { quaternion }) * added[i];
    }
    L::sums(parts)
}

/// The start in units of a substep.
#[inline(always)]
fn scaled_start<L: PackedNumber>(y0: &Eight, h: L) -> Seven<L> {
    let mut start = [h; 7];
    for i in 0..7 {
        start[i] = if i < 3 { h * L::splat(y0[i]) } else { L::splat(y0[i]) };
    }
    start
}

/// Where each sequence is, with what its sums have dropped.
#[derive(Clone, Copy)]
struct Line<L> {
    y: Seven<L>,
    low: Seven<L>,
}

impl<L: PackedNumber> Line<L> {
    /// A start with an increment.
    #[inline(always)]
    fn after(start: &Seven<L>, increment: &Seven<L>) -> Self {
        let (mut y, mut low) = (*start, *start);
        for i in 0..7 {
            y[i] = start[i] + increment[i];
            low[i] = increment[i] - (y[i] - start[i]);
        }
        Self { y, low }
    }

    /// What was added since the start.
    #[inline(always)]
    fn since<const C: bool>(&self, start: &Seven<L>) -> Seven<L> {
        let mut added = self.y;
        for i in 0..7 {
            added[i] = self.y[i] - start[i];
            if C {
                added[i] = added[i] + self.low[i];
            }
        }
        added
    }

    /// That of another one in these lanes.
    #[inline(always)]
    fn take<const C: bool>(&mut self, lanes: L::Mask, other: &Self) {
        for i in 0..7 {
            self.y[i] = L::select(lanes, other.y[i], self.y[i]);
            if C {
                self.low[i] = L::select(lanes, other.low[i], self.low[i]);
            }
        }
    }
}

/// The leapfrog in its course.
struct Leapfrog<P, L> {
    field: P,
    kappa: Vector<L>,
    gains: Gains<L>,
    spin: L,
    h: L,
    t: L,
    /// Time since the start of the step.
    passed: L,
}

impl<L: PackedNumber, P: Push<L>> Leapfrog<P, L> {
    /// What a leap over this point adds, and what is added to.
    #[inline(always)]
    fn increment(&self, at: &Seven<L>, onto: Seven<L>) -> Seven<L> {
        let [x1, x2, x3, w, x, y, z] = *at;
        let [k1, k2, k3] = self.kappa;
        // Sums in an order in which what is known last is added last: the leaps wait for each other.
        let onto_x = [onto[0] + (x2 * x3) * k1, onto[1] + (x3 * x1) * k2, onto[2] + (x1 * x2) * k3];
        let at = Instant { t: self.t + self.passed, x: [x1, x2, x3], q: [w, x, y, z] };
        let pushed = self.field.push(&self.gains, &at, onto_x);
        let mut base = [onto[3], onto[4], onto[5], onto[6]];
        if P::SPINS {
            base[0] = base[0] + self.spin * z;
            base[1] = base[1] + self.spin * y;
            base[2] = base[2] - self.spin * x;
            base[3] = base[3] - self.spin * w;
        }
        [
            pushed[0],
            pushed[1],
            pushed[2],
            (base[0] - x * x1) - (y * x2 + z * x3),
            (base[1] + w * x1) + (y * x3 - z * x2),
            (base[2] + w * x2) + (z * x1 - x * x3),
            (base[3] + w * x3) + (x * x2 - y * x1),
        ]
    }

    /// From the point before the current one to the one after it.
    #[inline(always)]
    fn leap<const C: bool>(&mut self, line: &mut Line<L>, current: &Line<L>) {
        if C {
            let before = line.y;
            let added = self.increment(&current.y, line.low);
            *line = Line::after(&before, &added);
        } else {
            line.y = self.increment(&current.y, line.y);
        }
        self.passed = self.passed + self.h;
    }

    /// Lanes that have nothing more to do leap on, but not to times that the step does not reach: the torque may not be
    /// known there.
    #[inline(always)]
    fn rest(&mut self, lanes: L::Mask) {
        let zero = L::splat(0.0);
        self.h = L::select(lanes, zero, self.h);
        self.passed = L::select(lanes, zero, self.passed);
    }
}

/// The slope of the angular velocity where a step starts, times the square of its length.
pub(super) struct Slope<'a, F>(pub(super) Step<'a, F>);

impl<F: Field> Kernel for Slope<'_, F> {
    type Output = Vector<f64>;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> Vector<f64> {
        let Step { field, kappa: [k1, k2, k3], t, h, from, .. } = self.0;
        let (h, zero) = (L::splat(h), L::splat(0.0));
        let field = field.over::<L>();
        let leaping = Leapfrog {
            kappa: [L::splat(2.0 * k1), L::splat(2.0 * k2), L::splat(2.0 * k3)],
            gains: field.gains(h),
            spin: zero,
            h,
            t: L::splat(t),
            passed: zero,
            field,
        };
        let leap = leaping.increment(&scaled_start(&from.y, h), [zero; 7]);
        let mut lanes = [[0.0; 4]; 3];
        for i in 0..3 {
            leap[i].store(&mut lanes[i]);
        }
        // A leap adds twice the slope.
        [0.5 * lanes[0][0], 0.5 * lanes[1][0], 0.5 * lanes[2][0]]
    }
}

#[cfg(test)]
mod tests {
    use polhode_number::Registers;

    use super::*;
    use crate::Inertia;
    use crate::solve::field::Pull;
    use crate::solve::sequences::{FINE, LONG};

    #[test]
    fn errors_have_the_same_bits_in_any_lanes() {
        let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
        let field = Pull::new(&inertia, [0.1, -0.2, 1.0], [0.0, 0.0, 3.0]);
        let (relative, kappa) = ([0.2, 0.8, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 1.0, -2.0 / 3.0]);
        for round in 0..50 {
            let x = f64::from(round);
            let q = [0.3 + 0.01 * x, 0.7, -0.2, 0.1 - 0.02 * x];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            let [w, x1, y1, z1] = q.map(|x| x / length);
            let y = [1.0 + 0.1 * x, 0.7 - 0.03 * x, 0.9, w, x1, y1, z1, 0.0];
            let from = Node { y, with: [1e-17; 8] };
            let run = |sequences: &Sequences, registers: Registers, all: bool| {
                let mut to = from;
                let (spin, t, h) = (0.0, 0.0, 1.3);
                let compensated = core::ptr::eq(sequences, &raw const FINE);
                let step = Step {
                    field: &field,
                    sequences,
                    kappa,
                    relative: &relative,
                    spin,
                    compensated,
                    t,
                    h,
                    from: &from,
                };
                let step = RunStep(step, &mut to);
                let squares = if all { registers.eight(step) } else { registers.four(step) };
                let Squares { from, to: end, momentum, attitude, turn } = squares;
                (to, [from, end, momentum, attitude, turn])
            };
            for sequences in [&LONG, &FINE] {
                let want = run(sequences, Registers::fastest(), true);
                assert_eq!(run(sequences, Registers::fastest(), false), want);
                assert_eq!(run(sequences, Registers::portable(), true), want);
                assert_eq!(run(sequences, Registers::portable(), false), want);
            }
        }
    }
}
