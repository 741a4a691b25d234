//! Steps that err by a given amount, to see what becomes of errors until the end.

use std::sync::Arc;

use super::SolveMethod;
use super::engine::{Attempt, DoneStep, Engine, Node, Outcome, Scratch, forward_to_engine};
use crate::{State, so3};

/// How steps err.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nudge {
    /// By this much of the momentum, and of the quaternion.
    pub(super) size: f64,
    /// Chooses the directions.
    pub(super) seed: u64,
}

/// An engine whose steps start and end beside where they should.
pub(super) struct NudgeEngine {
    pub(super) engine: Arc<dyn Engine>,
    pub(super) nudge: Nudge,
}

impl NudgeEngine {
    /// A node beside one to which a step has led at that time. Directions look random, and depend on the time alone.
    fn beside(&self, t: f64, from: &Node, to: &Node, scratch: &mut Scratch) -> Node {
        let Nudge { size, seed } = self.nudge;
        let length = |node: &Node| so3::quick_length([node.y[0], node.y[1], node.y[2]].into());
        let momentum = size * length(from).max(length(to));
        // Products with this number differ in their upper bits wherever factors differ.
        let t_bits = t.to_bits() ^ (seed << 20);
        let mut bits = (t_bits ^ (t_bits >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut node = *to;
        for (i, y) in node.y[..7].iter_mut().enumerate() {
            bits = bits.rotate_left(1);
            let by = if i < 3 { momentum } else { size };
            *y += if bits & 1 == 0 { by } else { -by };
        }
        // Of unit length again: a torque may take the arc sine of an entry of the matrix.
        let square = |node: &Node| node.y[3..7].iter().map(|x| x * x).sum::<f64>();
        let scale = (square(to) / square(&node)).sqrt();
        node.y[3..7].iter_mut().for_each(|x| *x *= scale);
        self.engine.after_jump(t, &node, scratch)
    }
}

impl Engine for NudgeEngine {
    forward_to_engine!();

    fn enter(&self, t: f64, state: &State, scratch: &mut Scratch) -> Node {
        let node = self.engine.enter(t, state, scratch);
        self.beside(t, &node, &node, scratch)
    }

    fn leave(&self, t: f64, node: &Node) -> State {
        self.engine.leave(t, node)
    }

    fn attempt(&self, step: &Attempt<'_>, scratch: &mut Scratch, to: &mut Node) -> Outcome {
        let outcome = self.engine.attempt(step, scratch, to);
        if outcome.ratio <= 1.0 {
            *to = self.beside(step.t + step.h, step.from, to, scratch);
        }
        outcome
    }

    fn rate(&self, t: f64, node: &Node) -> f64 {
        self.engine.rate(t, node)
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        self.engine.fastest_turn(node)
    }
}
