//! The leapfrog of the midpoint rule, in lanes: of several sequences of one step, or of several bodies.
//!
//! In units of a lane's own substep h, X = h omega, kappa1 = (I2 - I3)/I1 and so on, the leapfrog is
//!
//! ```text
//! q+  = q-  + q (0, X)
//! X1+ = X1- + 2 kappa1 X2 X3 + 2 h² torque1/I1          (and cyclic)
//! ```
//!
//! It begins with half a leap from the start, which is a step of Euler's. Nothing is smoothed at its end, for with an
//! even number of substeps the error is a series in h² anyway.
//!
//! # References
//! Gragg (1965); Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, section II.9.

use polhode_number::vector::Vector;
use polhode_number::{KernelPart, PackedNumber, fast_two_sum};

use super::field::{Gains, Instant, Push};
use super::sequences::SequenceEnd;

/// Angular velocity along the principal axes, then the quaternion.
pub(super) type Seven<N> = [N; 7];

/// A state in units of a substep: X = h omega.
#[inline(always)]
pub(super) fn scaled<L: PackedNumber>(mut state: Seven<L>, h: L) -> Seven<L> {
    for x in &mut state[..3] {
        *x = h * *x;
    }
    state
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
            (y[i], low[i]) = fast_two_sum(start[i], increment[i]);
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

    /// Takes the values of another line in these lanes.
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

/// All leaps of a step, as one piece of machine code where [`Push::SHARED`] says so.
struct Leaps<'a, P, L, const C: bool> {
    leapfrog: Leapfrog<'a, P, L>,
    start: &'a Seven<L>,
    ends: &'a [SequenceEnd],
    first: usize,
}

impl<L: PackedNumber, P: Push<L>, const C: bool> KernelPart for Leaps<'_, P, L, C> {
    type Output = Seven<L>;

    #[inline(always)]
    fn run(self) -> Seven<L> {
        self.leapfrog.leaps::<C>(self.start, self.ends, self.first)
    }
}

/// The leapfrog in its course.
pub(super) struct Leapfrog<'a, P, L> {
    field: &'a P,
    kappa: Vector<L>,
    gains: Gains<L>,
    spin: L,
    h: L,
    t: L,
    /// Time since the start of the step.
    passed: L,
}

impl<'a, L: PackedNumber, P: Push<L>> Leapfrog<'a, P, L> {
    /// With this field, these (I2 - I3)/I1 and so on, in a frame that turns so fast; from that time on in substeps of
    /// length h.
    #[inline(always)]
    pub(super) fn new(field: &'a P, [k1, k2, k3]: Vector<L>, spin: L, t: L, h: L) -> Self {
        let two = L::splat(2.0);
        Self {
            kappa: [two * k1, two * k2, two * k3],
            gains: field.gains(h),
            spin: spin * h,
            h,
            t,
            passed: L::splat(0.0),
            field,
        }
    }

    /// What is added to the start until the ends of all sequences, in units of substeps.
    #[inline(always)]
    pub(super) fn added<const C: bool>(
        self,
        start: &Seven<L>,
        ends: &[SequenceEnd],
        first: usize,
    ) -> Seven<L> {
        let leaps = Leaps::<P, L, C> { leapfrog: self, start, ends, first };
        if P::SHARED { L::outline(leaps) } else { leaps.run() }
    }

    #[inline(always)]
    fn leaps<const C: bool>(
        mut self,
        start: &Seven<L>,
        ends: &[SequenceEnd],
        first: usize,
    ) -> Seven<L> {
        let zero = L::splat(0.0);
        // Half a leap from the start.
        let (half, mut leap) = (L::splat(0.5), self.increment(start, [zero; 7]));
        for part in &mut leap {
            *part = half * *part;
        }
        let mut before = Line { y: *start, low: [zero; 7] };
        let mut newest = Line::<L>::after(start, &leap);
        let mut at_ends = before;
        self.passed = self.h;
        self.leap::<C>(&mut before, &newest);
        // Two leaps at a time, so that no line is ever moved: here `before` is the newest.
        let mut leaps = 1;
        for end in ends {
            while leaps < end.leaps {
                self.leap::<C>(&mut newest, &before);
                self.leap::<C>(&mut before, &newest);
                leaps += 2;
            }
            let lanes = half.less(L::load(&end.lanes[first..]));
            at_ends.take::<C>(lanes, &before);
            self.rest(lanes);
        }
        at_ends.since::<C>(start)
    }

    /// The slope of the angular velocity, times the square of the substep.
    #[inline(always)]
    pub(super) fn slope(&self, at: &Seven<L>) -> Vector<L> {
        let [x, y, z, ..] = self.increment(at, [L::splat(0.0); 7]);
        // A leap adds twice the slope.
        let half = L::splat(0.5);
        [half * x, half * y, half * z]
    }

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
