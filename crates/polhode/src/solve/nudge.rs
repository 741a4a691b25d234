//! Steps that err by a given amount, to see what becomes of errors until the end.

use std::sync::Arc;

use glam::{DQuat, DVec3};

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
        let mut state = self.engine.leave(t, to);
        let before = self.engine.leave(t, from);
        let momentum = size * so3::quick_length(before.m).max(so3::quick_length(state.m));
        // Products with this number differ in their upper bits wherever factors differ.
        let t_bits = t.to_bits() ^ (seed << 20);
        let mut bits = (t_bits ^ (t_bits >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut either = |by: f64| {
            bits = bits.rotate_left(1);
            if bits & 1 == 0 { by } else { -by }
        };
        state.m += DVec3::new(either(momentum), either(momentum), either(momentum));
        let q = state.q + DQuat::from_xyzw(either(size), either(size), either(size), either(size));
        // Of unit length again: a torque may take the arc sine of an entry of the matrix.
        state.q = q / q.length();
        self.engine.enter(t, &state, scratch)
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
