//! One step of the extrapolated midpoint rule, all sequences at once in four or eight lanes.

use polhode_number::vector::Vector;
use polhode_number::{Kernel, Lift, PackedNumber, Splat, fast_two_sum};

use super::engine::{Attempt, Eight, Node, Outcome, Scratch, larger};
use super::field::Field;
use super::leapfrog::{Leapfrog, Seven, scaled};
use super::sequences::{Sequences, Weights};

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
    /// The square of the momentum where the step starts, and where it ends.
    pub(super) from: f64,
    pub(super) to: f64,
    /// The square of the error of the momentum: of the difference from the result without the shortest sequence.
    pub(super) momentum: f64,
    /// The square of the error of the quaternion, likewise.
    pub(super) attitude: f64,
    /// The square of the angular velocity where the step ends.
    pub(super) turn: f64,
}

impl Squares {
    /// What becomes of a step of a body with that largest moment.
    #[inline(always)]
    pub(super) fn outcome(
        &self,
        largest: f64,
        step: &Attempt<'_>,
        scratch: &mut Scratch,
    ) -> Outcome {
        let Attempt { h, wanted, strict: [strict, strict_angle], .. } = *step;
        // Sums over the step are of momenta times this.
        let scale = h.abs() / largest;
        let (size, off) = (larger(self.from, self.to), self.momentum);
        let counted = larger(size, scratch.least * (scale * scale));
        let mut may = wanted.relative * wanted.relative * counted;
        if wanted.absolute > 0.0 {
            may = (wanted.relative * counted.sqrt() + wanted.absolute * scale).powi(2);
        }
        // What is known before the step is divided first: there is no waiting for it.
        let per_angle = 2.0 * strict_angle / wanted.angle;
        // The angle of a rotation is twice that of its quaternion.
        let turned = self.attitude * (per_angle * per_angle);
        let momentum = if off == 0.0 { 0.0 } else { (off / may) * (strict * strict) };
        // A sum of which none is NaN or infinite; a quaternion that fails, fails in its error too.
        let finite = (size + turned + off).is_finite();
        let ratio = if finite { larger(turned, momentum) } else { f64::NAN };
        if ratio <= 1.0 {
            scratch.moved(size / (scale * scale));
        }
        Outcome { ratio, angle: self.turn.sqrt() }
    }
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
        let h = L::splat(self.h) * L::load(&self.sequences.parts[first..]);
        let field = self.field.over(&mut Splat);
        let (kappa, spin, t) = (Splat.vector(self.kappa), L::splat(self.spin), L::splat(self.t));
        let mut start = [h; 7];
        for (start, y) in start.iter_mut().zip(self.from.y) {
            *start = L::splat(y);
        }
        let ends = self.sequences.ends(first..first + L::WIDTH);
        let leapfrog = Leapfrog::new(&field, kappa, spin, t, h);
        leapfrog.added::<C>(&scaled(start, h), ends, first)
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
            let sums = EndSums {
                from: L::load(&y0[at..]),
                low: L::load(&low0[at..]),
                result: L::load(&result[at..]),
                error: L::load(&error[at..]),
            };
            let which = Which {
                turning: L::load(&TURNING[at..]),
                attitude: L::load(&ATTITUDE[at..]),
                relative: L::load(&self.relative[at..]),
            };
            let StepEnd { end, low, squares: [a, b, c, d, e] } = sums.end::<C>(h, over, &which);
            end.store(&mut to.y[at..]);
            if C {
                low.store(&mut to.with[at..]);
            }
            // Added up in the same order whatever the number of lanes.
            let of_these = L::sums([a, b, c, d, e, zero, zero, zero]);
            for i in 0..5 {
                squares[i] += of_these[i];
            }
        }
        let [from, to, momentum, attitude, turn, ..] = squares;
        Squares { from, to, momentum, attitude, turn }
    }
}

/// What the end of a step is made of, for some numbers of a node: one text for those of one body and of several.
pub(super) struct EndSums<L> {
    pub(super) from: L,
    /// What sums have dropped before.
    pub(super) low: L,
    /// What the sequences have added, with the weights of the result and of the error, to H omega and to the attitude.
    pub(super) result: L,
    pub(super) error: L,
}

/// Which numbers they are: 1 for those of the angular velocity or of the attitude, and 0 for others.
pub(super) struct Which<L> {
    pub(super) turning: L,
    pub(super) attitude: L,
    /// The moment of inertia over the largest, of an angular velocity; 0 for others.
    pub(super) relative: L,
}

/// Where these numbers end, what their sums have dropped, and the squares that [`Squares`] are the sums of.
pub(super) struct StepEnd<L> {
    pub(super) end: L,
    pub(super) low: L,
    pub(super) squares: [L; 5],
}

impl<L: PackedNumber> EndSums<L> {
    /// After a step as long as h, given its inverse, too.
    #[inline(always)]
    pub(super) fn end<const C: bool>(self, h: L, over: L, which: &Which<L>) -> StepEnd<L> {
        let Self { from, low, result, error } = self;
        let Which { turning, attitude, relative } = *which;
        let zero = L::splat(0.0);
        let mut added = result * (over * turning + attitude);
        if C {
            added = added + low;
        }
        let (end, dropped) = fast_two_sum(from, added);
        // Zeros are positive, whichever sign the sums of lanes without weight have.
        let end = end + zero;
        let low = if C { dropped } else { zero };
        let momenta = h * relative;
        let mut squares = [
            momenta * from,
            momenta * end,
            relative * error,
            error * attitude,
            (h * turning) * end,
        ];
        for x in &mut squares {
            *x = *x * *x;
        }
        StepEnd { end, low, squares }
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
                let want = run(sequences, Registers::portable(), true);
                for registers in Registers::available() {
                    assert_eq!(run(sequences, registers, true), want, "{registers:?}");
                    assert_eq!(run(sequences, registers, false), want, "{registers:?}");
                }
            }
        }
    }
}
