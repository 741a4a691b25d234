//! Steps of several bodies at once, one in each lane, each as long as that body wants it.
//!
//! Here the sequences of a step follow one another. The bits are those of a step whose sequences are in the lanes: what
//! is added up is added up in the same order.

use std::sync::Arc;

use polhode_number::vector::Vector;
use polhode_number::{Kernel, PackedNumber};

use super::engine::{Attempt, BODIES, BodyLanes, Eight, Engine, Node, Outcome, Scratch};
use super::extrapolation::Extrapolation;
use super::field::Field;
use super::leapfrog::{Leapfrog, Seven, scaled};
use super::sequences::{SequenceEnd, Sequences};
use super::step::{EndSums, Squares, Which};
use crate::columns::{Columns, NumberRecorder};

/// What a step needs to know of a body, or of one in each lane.
pub(super) struct BodyOver<P, L> {
    pub(super) field: P,
    /// (I2 - I3)/I1 and so on.
    pub(super) kappa: Vector<L>,
    /// The moments of inertia over the largest.
    pub(super) relative: Vector<L>,
}

/// Bodies in lanes, with the steps that they try.
pub(super) struct ExtrapolationLanes<F> {
    /// The first of them, with which the others have in common what is no number.
    example: Arc<Extrapolation<F>>,
    /// The numbers of each, in columns.
    columns: Vec<Eight>,
    numbers: Vec<f64>,
    largest: Eight,
    t: Eight,
    h: Eight,
    from: StateColumns,
    to: StateColumns,
    squares: [Eight; 5],
}

/// States of all bodies: seven numbers, and what goes with them.
#[derive(Clone, Copy, Default)]
struct StateColumns {
    y: [Eight; 7],
    low: [Eight; 7],
}

impl<F: Field + 'static> ExtrapolationLanes<F> {
    /// This body in every lane.
    pub(super) fn new(example: &Arc<Extrapolation<F>>) -> Self {
        let mut lanes = Self {
            columns: Vec::new(),
            numbers: Vec::new(),
            largest: [0.0; BODIES],
            t: [0.0; BODIES],
            // That of a lane which has no step yet.
            h: [0.0; BODIES],
            from: StateColumns::default(),
            to: StateColumns::default(),
            squares: [[0.0; BODIES]; 5],
            example: Arc::clone(example),
        };
        for lane in 0..BODIES {
            lanes.put(lane, example);
        }
        lanes
    }

    fn put(&mut self, lane: usize, engine: &Extrapolation<F>) {
        self.numbers.clear();
        let _: BodyOver<F::Over<'_, f64>, f64> =
            engine.over(&mut NumberRecorder(&mut self.numbers));
        self.columns.resize(self.numbers.len(), [0.0; BODIES]);
        for (column, number) in self.columns.iter_mut().zip(&self.numbers) {
            column[lane] = *number;
        }
        self.largest[lane] = engine.largest();
    }
}

impl<F: Field + 'static> BodyLanes for ExtrapolationLanes<F> {
    fn place(&mut self, lane: usize, engine: &Arc<dyn Engine>) {
        let any: &dyn core::any::Any = &**engine;
        if let Some(engine) = any.downcast_ref() {
            self.put(lane, engine);
        }
    }

    fn set(&mut self, lane: usize, t: f64, h: f64, from: &Node) {
        (self.t[lane], self.h[lane]) = (t, h);
        for i in 0..7 {
            self.from.y[i][lane] = from.y[i];
            self.from.low[i][lane] = from.with[i];
        }
    }

    fn run(&mut self) {
        let Self { example, columns, t, h, from, to, squares, .. } = self;
        example.registers().up_to_eight(RunBodies { example, columns, t, h, from, to, squares });
    }

    fn end(&self, lane: usize, to: &mut Node) {
        for i in 0..7 {
            to.y[i] = self.to.y[i][lane];
            to.with[i] = self.to.low[i][lane];
        }
    }

    fn outcome(&self, lane: usize, step: &Attempt<'_>, scratch: &mut Scratch) -> Outcome {
        let [from, to, momentum, attitude, turn] = self.squares.map(|of| of[lane]);
        let squares = Squares { from, to, momentum, attitude, turn };
        scratch.evaluations += self.example.sequences().evaluations;
        squares.outcome(self.largest[lane], step, scratch)
    }
}

/// A step of each body.
struct RunBodies<'a, F> {
    example: &'a Extrapolation<F>,
    columns: &'a [Eight],
    t: &'a Eight,
    h: &'a Eight,
    from: &'a StateColumns,
    to: &'a mut StateColumns,
    squares: &'a mut [Eight; 5],
}

impl<F: Field> Kernel for RunBodies<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: PackedNumber>(mut self) {
        let compensated = self.example.is_compensated();
        for first in (0..BODIES).step_by(L::WIDTH) {
            if compensated {
                self.step::<L, true>(first);
            } else {
                self.step::<L, false>(first);
            }
        }
    }
}

impl<F: Field> RunBodies<'_, F> {
    /// The steps of the bodies from this one on, as many as there are lanes.
    #[inline(always)]
    fn step<L: PackedNumber, const C: bool>(&mut self, first: usize) {
        let zero = L::splat(0.0);
        let sequences = self.example.sequences();
        let body = self.example.over::<L>(&mut Columns::new(self.columns, first));
        let (h, t) = (L::load(&self.h[first..]), L::load(&self.t[first..]));
        let spin = L::splat(self.example.spin());
        let mut from = [zero; 7];
        for (from, column) in from.iter_mut().zip(&self.from.y) {
            *from = L::load(&column[first..]);
        }
        let mut added = [[zero; 7]; 8];
        for (j, end) in sequences.ends(0..8).iter().enumerate() {
            let part = h * L::splat(sequences.parts[j]);
            let end = SequenceEnd { leaps: end.leaps, lanes: [1.0; 8] };
            let leapfrog = Leapfrog::new(&body.field, body.kappa, spin, t, part);
            added[j] = leapfrog.added::<C>(&scaled(from, part), &[end], first);
        }
        let one = L::splat(1.0);
        let over = one / h;
        let mut squares = [[zero; 7]; 5];
        for i in 0..7 {
            let sums = EndSums {
                from: from[i],
                low: L::load(&self.from.low[i][first..]),
                result: weighted(sequences, false, i, &added),
                error: weighted(sequences, true, i, &added),
            };
            let which = if i < 3 {
                Which { turning: one, attitude: zero, relative: body.relative[i] }
            } else {
                Which { turning: zero, attitude: one, relative: zero }
            };
            let end = sums.end::<C>(h, over, &which);
            end.end.store(&mut self.to.y[i][first..]);
            if C {
                end.low.store(&mut self.to.low[i][first..]);
            }
            for (squares, square) in squares.iter_mut().zip(end.squares) {
                squares[i] = square;
            }
        }
        for (column, [a, b, c, d, e, f, g]) in self.squares.iter_mut().zip(squares) {
            (((a + b) + (c + d)) + ((e + f) + g)).store(&mut column[first..]);
        }
    }
}

/// The sum of the increments of a number with the weights of the result, or with those of the error.
#[inline(always)]
fn weighted<L: PackedNumber>(
    sequences: &Sequences,
    error: bool,
    i: usize,
    added: &[Seven<L>; 8],
) -> L {
    let weights = if error { &sequences.error } else { &sequences.result };
    let weights = if i < 3 { &weights.turning } else { &weights.quaternion };
    let mut halves = [L::splat(0.0); 2];
    for half in 0..if sequences.eight { 2 } else { 1 } {
        let at = 4 * half;
        let mut parts = [halves[0]; 4];
        for k in 0..4 {
            parts[k] = L::splat(weights[at + k]) * added[at + k][i];
        }
        halves[half] = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }
    halves[0] + halves[1]
}

#[cfg(test)]
mod tests {
    use polhode_number::Registers;

    use super::*;
    use crate::solve::engine::ErrorBounds;
    use crate::solve::field::Pull;
    use crate::{Inertia, State};

    /// One body of several, each of which does as it likes.
    fn body(i: usize, tolerance: f64, registers: Registers) -> Arc<Extrapolation<Pull<false>>> {
        let x = 0.1 * i as f64;
        let inertia = Inertia::principal([1.0 + x, 2.0 - x, 2.5]).unwrap();
        let field = Pull::new(&inertia, [0.1, -0.2, 1.0 + x], [0.3, 0.0, 2.0]);
        Arc::new(Extrapolation::new(&inertia, field, tolerance, registers))
    }

    #[test]
    fn steps_have_the_bits_that_they_have_alone() {
        let wanted = ErrorBounds { relative: 1e-9, absolute: 0.0, angle: 1e-9 };
        let scratch = || Scratch::new(false);
        for registers in Registers::available() {
            for tolerance in [1e-4, 1e-8, 1e-11, 1e-13] {
                let bodies: Vec<_> = (0..BODIES).map(|i| body(i, tolerance, registers)).collect();
                let mut lanes = ExtrapolationLanes::new(&bodies[3]);
                let start = State::aligned([0.3, -0.7, 1.1]).unwrap();
                let mut from = [bodies[0].enter(0.0, &start, &mut scratch()); BODIES];
                for (lane, engine) in bodies.iter().enumerate() {
                    from[lane] = engine.enter(0.0, &start, &mut scratch());
                    from[lane].with[lane % 7] = 1e-17;
                    let engine: Arc<dyn Engine> = engine.clone();
                    lanes.place(lane, &engine);
                    lanes.set(lane, 0.1, 0.3 + 0.2 * lane as f64, &from[lane]);
                }
                lanes.run();
                for (lane, engine) in bodies.iter().enumerate() {
                    let h = 0.3 + 0.2 * lane as f64;
                    let step = Attempt {
                        t: 0.1,
                        h,
                        from: &from[lane],
                        wanted,
                        strict: [1.0, 2.0],
                        last: false,
                    };
                    let mut nodes = [Node { y: [0.0; 8], with: [0.0; 8] }; 2];
                    let alone = engine.attempt(&step, &mut scratch(), &mut nodes[0]);
                    let here = lanes.outcome(lane, &step, &mut scratch());
                    lanes.end(lane, &mut nodes[1]);
                    assert_eq!((here.ratio, here.angle), (alone.ratio, alone.angle));
                    assert_eq!(nodes[0], nodes[1], "{lane} {tolerance}");
                }
            }
        }
    }
}
