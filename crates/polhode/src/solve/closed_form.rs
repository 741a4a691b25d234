//! A free body, whose motion is known: any time in one step.

use super::SolveMethod;
use super::engine::{Attempt, DoneStep, Engine, Node, Outcome, Scratch};
use crate::{FreeMotion, FreeMotionError, Inertia, State, so3};

/// The free motion from a time on.
pub(super) struct ClosedForm {
    motion: FreeMotion,
    t0: f64,
}

impl ClosedForm {
    /// The motion from this state at t0, known until that time.
    pub(super) fn new(
        inertia: &Inertia,
        (t0, start): (f64, State),
        until: f64,
    ) -> Result<Self, FreeMotionError> {
        let motion = FreeMotion::new(inertia, start)?;
        // Whatever is between is nearer.
        motion.at(until - t0)?;
        Ok(Self { motion, t0 })
    }

    fn node(&self, t: f64) -> Node {
        let nothing = Node { y: [f64::NAN; 8], with: [0.0; 8] };
        self.motion.at(t - self.t0).map_or(nothing, |state| node(&state))
    }
}

fn node(state: &State) -> Node {
    let ([m1, m2, m3], [w, x, y, z]) = (state.m.to_array(), state.attitude());
    Node { y: [m1, m2, m3, w, x, y, z, 0.0], with: [0.0; 8] }
}

impl Engine for ClosedForm {
    fn method(&self) -> SolveMethod {
        SolveMethod::ClosedForm
    }

    fn error_order(&self) -> i32 {
        1
    }

    fn first(&self) -> f64 {
        f64::INFINITY
    }

    fn floor(&self) -> f64 {
        0.0
    }

    fn enter(&self, _t: f64, state: &State, _scratch: &mut Scratch) -> Node {
        node(state)
    }

    fn leave(&self, _t: f64, node: &Node) -> State {
        let [m1, m2, m3, w, x, y, z, _] = node.y;
        State { m: [m1, m2, m3].into(), q: so3::from_wxyz([w, x, y, z]) }
    }

    fn attempt(&self, step: &Attempt<'_>, _: &mut Scratch, to: &mut Node) -> Outcome {
        *to = self.node(step.t + step.h);
        Outcome { ratio: if to.y[0].is_nan() { f64::NAN } else { 0.0 }, angle: 0.0 }
    }

    fn longest(&self, _node: &Node) -> f64 {
        f64::INFINITY
    }

    fn rate(&self, _t: f64, _node: &Node) -> f64 {
        0.0
    }

    fn turn(&self, _node: &Node) -> f64 {
        0.0
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        let [m1, m2, m3, ..] = node.y;
        so3::length([m1, m2, m3].into()) / self.motion.inertia().moments().min_element()
    }

    fn within(&self, _step: &DoneStep, _dense: &[f64], t: f64) -> Node {
        self.node(t)
    }
}
