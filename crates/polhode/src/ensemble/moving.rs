//! What moves inside every body of an ensemble, and what controls them.

use super::error::Cause;
use super::member::Member;
use crate::control::ControlLoop;
use crate::inside::Inside;
use crate::{Inertia, InertiaError, Problem, Torque};

/// What an ensemble has beside a torque: its bodies are then stepped one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct MovingParts {
    pub(super) inside: Inside,
    pub(super) control: Vec<ControlLoop>,
    /// Whether the momenta of the bodies are without those of their wheels.
    pub(super) adds_spins: bool,
}

impl MovingParts {
    pub(super) fn is_nothing(&self) -> bool {
        self.inside.is_still() && self.control.is_empty()
    }

    /// The problem of one body.
    pub(super) fn problem(
        &self,
        &Member { inertia, start }: &Member,
        torque: &Torque,
        t0: f64,
    ) -> Result<Problem, Cause> {
        let mut problem = Problem::new(inertia, start).torque(torque.clone()).starting_at(t0);
        if !self.inside.is_still() {
            problem = problem.inside(self.inside.clone())?;
        }
        Ok(self.control.iter().cloned().fold(problem, Problem::controlled))
    }

    /// The body with the momentum of its wheels, if that is missing.
    pub(super) fn complete(&self, mut member: Member) -> Member {
        if self.adds_spins {
            member.start.m += self.inside.spins();
        }
        member
    }

    /// A sphere in which all of it has room.
    pub(super) fn sphere(&self) -> Result<Inertia, InertiaError> {
        let wheels: f64 = self.inside.wheels().iter().map(crate::inside::Wheel::inertia).sum();
        let ball = self.inside.damper.map_or(0.0, |damper| damper.inertia);
        Inertia::principal([1.0 + 2.0 * (wheels + ball); 3])
    }
}
