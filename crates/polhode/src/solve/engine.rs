//! What makes the steps of a solution: one interface for all ways to solve.

use core::any::{Any, TypeId};
use std::sync::Arc;

use super::SolveMethod;
use super::aim::AT_REST;
use super::sequences::Sequences;
use crate::State;
use crate::inertia::AxesKind;

/// Seven numbers and a zero, so that they fill registers.
pub(super) type Eight = [f64; 8];

/// A state as an engine keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// Seven numbers of the engine's own: of the extrapolation, angular velocity along principal axes and the
    /// quaternion in the frame of its field; of the others, momentum and quaternion, in an order of their own.
    pub(super) y: Eight,
    /// What goes with them: of the extrapolation, what sums have dropped; of Dop853, the slope.
    pub(super) with: Eight,
}

/// A step that was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoneStep {
    /// When it starts.
    pub(super) t: f64,
    /// The first time for which the torque was asked: the start, or after a jump the moment next to it.
    pub(super) asked: f64,
    /// How long it is.
    pub(super) h: f64,
    /// Where it starts.
    pub(super) from: Node,
}

/// Which error of a step is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ErrorBounds {
    /// Of the momentum, relative to its length.
    pub(super) relative: f64,
    /// Of the momentum, besides.
    pub(super) absolute: f64,
    /// Of the attitude, in radians.
    pub(super) angle: f64,
}

impl ErrorBounds {
    /// How strict to be at most, where no less than the floor can be estimated: with the momentum, and with the angle.
    pub(super) fn strictest(&self, floor: f64) -> [f64; 2] {
        [self.relative / floor, self.angle / floor]
    }

    /// The smaller one of the two that are numbers.
    pub(super) fn least(&self) -> f64 {
        self.relative.min(self.angle)
    }
}

/// A step to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt<'a> {
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) from: &'a Node,
    /// Of these errors, the step is allowed so many times less, of the momentum and of the angle.
    pub(super) wanted: ErrorBounds,
    pub(super) strict: [f64; 2],
    /// Whether no step follows.
    pub(super) last: bool,
}

/// What became of a step that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The square of the estimated error over the one allowed; NaN if the step failed.
    pub(super) ratio: f64,
    /// How far the body would turn in such a step as fast as it turns at its end; of use if the error is allowed.
    pub(super) angle: f64,
}

/// What an engine keeps between steps, so that they need not ask for memory.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub(super) stages: Vec<Eight>,
    /// Whether states within steps may be asked for, for which stages are kept.
    pub(super) within: bool,
    /// How often the torque was evaluated.
    pub(super) evaluations: u64,
    /// The torque is asked for at no time after this one, in the direction of the run: a jump comes next.
    pub(super) last: f64,
    /// The square of the least momentum that errors are relative to.
    pub(super) least: f64,
}

impl Scratch {
    /// Of a run that has not begun.
    pub(super) fn new(within: bool) -> Self {
        Self { stages: Vec::new(), within, evaluations: 0, last: f64::NAN, least: 0.0 }
    }

    /// A step was done between momenta of which the larger has that square.
    pub(super) fn moved(&mut self, size: f64) {
        self.least = self.least.max(size * (1.0 / (AT_REST * AT_REST)));
    }
}

/// The larger number, or the second one if either is NaN: `f64::max` passes over NaN, which takes longer where the next
/// step waits for it.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller number, likewise.
#[inline(always)]
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Bodies whose steps are made side by side.
pub(super) const BODIES: usize = 8;

/// So few steps are faster one after the other, each with its sequences in the lanes.
pub(super) const FEW: usize = 3;

/// What engines have in common whose steps are made side by side, besides their torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EngineKind {
    pub(super) engine: TypeId,
    pub(super) sequences: *const Sequences,
    pub(super) compensated: bool,
    pub(super) axes: AxesKind,
}

/// Places for bodies whose steps are made side by side. What is not set stays as it was.
pub(super) trait BodyLanes {
    /// A body takes a place.
    fn place(&mut self, lane: usize, engine: &Arc<dyn Engine>);

    /// The step that the body there tries next: from a time and a node on, as long as h.
    fn set(&mut self, lane: usize, t: f64, h: f64, from: &Node);

    /// Tries the steps of all.
    fn run(&mut self);

    /// Where that step leads.
    fn end(&self, lane: usize, to: &mut Node);

    /// What became of it.
    fn outcome(&self, lane: usize, step: &Attempt<'_>, scratch: &mut Scratch) -> Outcome;
}

/// A way to solve, bound to a body and its torque.
pub(super) trait Engine: Any + Send + Sync {
    /// Which way it is.
    fn method(&self) -> SolveMethod;

    /// The order of the difference by which it estimates its error.
    fn error_order(&self) -> i32;

    /// Radians of the first step for an error of 1e-8.
    fn first(&self) -> f64;

    /// The least error that it can estimate: below, differences are rounding.
    fn floor(&self) -> f64;

    /// A state as the engine keeps it.
    fn enter(&self, t: f64, state: &State, scratch: &mut Scratch) -> Node;

    /// The same node after a jump of the torque.
    fn after_jump(&self, _t: f64, node: &Node, _scratch: &mut Scratch) -> Node {
        *node
    }

    /// The state that it keeps so; its attitude is of unit length.
    fn leave(&self, t: f64, node: &Node) -> State;

    /// Tries a step, and says where it leads.
    fn attempt(&self, step: &Attempt<'_>, scratch: &mut Scratch, to: &mut Node) -> Outcome;

    /// Of which kind it is, if steps of several bodies can be made side by side.
    fn kind(&self) -> Option<EngineKind> {
        None
    }

    /// Places for bodies of that kind under the same torque.
    fn lanes(self: Arc<Self>) -> Option<Box<dyn BodyLanes>> {
        None
    }

    /// The longest step that is stable there.
    fn longest(&self, node: &Node) -> f64;

    /// How fast things happen there, in radians per time.
    fn rate(&self, t: f64, node: &Node) -> f64;

    /// How fast the body turns there.
    fn turn(&self, node: &Node) -> f64;

    /// How fast the body turns at most while it moves as it would without torque.
    fn fastest_turn(&self, node: &Node) -> f64;

    /// How many numbers are stored with a step for what lies within it.
    fn dense_size(&self) -> usize {
        0
    }

    /// These numbers, of the step that was tried last and ends at that node.
    fn dense(&self, _step: &DoneStep, _to: &Node, _scratch: &mut Scratch, _store: &mut [f64]) {}

    /// The node at a time within a step, from what was stored with it.
    fn within(&self, step: &DoneStep, dense: &[f64], t: f64) -> Node;
}

/// What an engine around another one, `self.engine`, leaves to it.
macro_rules! forward_to_engine {
    () => {
        fn method(&self) -> SolveMethod {
            self.engine.method()
        }

        fn error_order(&self) -> i32 {
            self.engine.error_order()
        }

        fn first(&self) -> f64 {
            self.engine.first()
        }

        fn floor(&self) -> f64 {
            self.engine.floor()
        }

        fn after_jump(&self, t: f64, node: &Node, scratch: &mut Scratch) -> Node {
            self.engine.after_jump(t, node, scratch)
        }

        fn longest(&self, node: &Node) -> f64 {
            self.engine.longest(node)
        }

        fn turn(&self, node: &Node) -> f64 {
            self.engine.turn(node)
        }

        fn dense_size(&self) -> usize {
            self.engine.dense_size()
        }

        fn dense(&self, step: &DoneStep, to: &Node, scratch: &mut Scratch, store: &mut [f64]) {
            self.engine.dense(step, to, scratch, store);
        }

        fn within(&self, step: &DoneStep, dense: &[f64], t: f64) -> Node {
            self.engine.within(step, dense, t)
        }
    };
}
pub(super) use forward_to_engine;
