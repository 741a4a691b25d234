//! Wheels at constant speed: the body's own momentum M - h moves as that of a rigid body under the torque h x omega.

use std::sync::Arc;

use glam::DVec3;

use super::SolveMethod;
use super::engine::{Attempt, DoneStep, Engine, Node, Outcome, Scratch, forward_to_engine};
use crate::torque::{Dependence, Function};
use crate::{Inertia, State, Torque};

/// What acts on the body's own momentum: its torque, and that of the wheels, whose momentum is `held`.
pub(super) fn with_wheels(torque: &Torque, held: DVec3) -> Torque {
    let gyroscopic = move |body: &Inertia, _: f64, own: &State| held.cross(body.omega(own.m));
    let gyroscopic = Function::new(Dependence::Momentum, gyroscopic).independent_of_time();
    torque.clone() + Torque::function(gyroscopic)
}

/// The state with the body's own momentum.
pub(super) fn own(state: &State, held: DVec3) -> State {
    State { m: state.m - held, q: state.q }
}

/// An engine of the body's own momentum, which is told and asked the total one.
pub(super) struct Gyrostat {
    pub(super) engine: Arc<dyn Engine>,
    pub(super) held: DVec3,
    /// How fast the wheels make the body nod: |I^-1 h|.
    pub(super) nodding: f64,
}

impl Engine for Gyrostat {
    forward_to_engine!();

    fn enter(&self, t: f64, state: &State, scratch: &mut Scratch) -> Node {
        self.engine.enter(t, &own(state, self.held), scratch)
    }

    fn leave(&self, t: f64, node: &Node) -> State {
        own(&self.engine.leave(t, node), -self.held)
    }

    fn attempt(&self, step: &Attempt<'_>, scratch: &mut Scratch, to: &mut Node) -> Outcome {
        self.engine.attempt(step, scratch, to)
    }

    fn rate(&self, t: f64, node: &Node) -> f64 {
        self.engine.rate(t, node) + self.nodding
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        self.engine.fastest_turn(node) + self.nodding
    }
}
