//! A scheme and a rotor: splitting into free motion and kicks.
//!
//! Phi_h = ... exp(b2 h K) exp(a2 h F) exp(b1 h K) exp(a1 h F): F the free motion by the rotor, K the
//! kick m' = torque with attitude and time standing still; time passes with the free motion.
//!
//! Keeps what the rotor keeps of a free body; symmetric and symplectic if the scheme is symmetric
//! and the rotor both. Cost: the scheme's kicks, the first of which is the last of the step before.
//!
//! # References
//! Celledoni & Safstrom, section 2 (strang); Celledoni & Zanna, section 4.3 (rkn6-14).

use glam::{DQuat, DVec3};
use polhode_number::vector::Vector;

use super::stages::{FreeFlow, KickMemory, SchemeStep};
use super::{RestoreError, StepReport, Stepper};
use crate::State;
use crate::composition::Scheme;
use crate::inside::{InsideRotor, SeenBody};
use crate::method::StepError;
use crate::problem::Problem;
use crate::rotor::Rotor;

/// What moves one body between two kicks.
pub(super) enum Mover {
    /// The free motion of a rigid body.
    Rigid(Box<dyn Rotor>),
    /// The motion of a body in which something moves.
    Inside(Box<InsideRotor>),
}

impl Mover {
    fn rotor(&self) -> &dyn Rotor {
        match self {
            Self::Rigid(rotor) => &**rotor,
            Self::Inside(rotor) => &**rotor,
        }
    }

    fn rotor_mut(&mut self) -> &mut dyn Rotor {
        match self {
            Self::Rigid(rotor) => &mut **rotor,
            Self::Inside(rotor) => &mut **rotor,
        }
    }
}

/// What torques see of a body that a rotor moves.
trait TorqueView {
    /// The body as it is now, where something moves inside it.
    #[inline(always)]
    fn seen_now(&self, _t: f64, _state: &State) -> Result<Option<SeenBody<f64>>, StepError> {
        Ok(None)
    }
}

/// A rigid body, which is not asked for: to ask at every stage what it looks like costs a fifth of a step.
impl TorqueView for dyn Rotor {}

impl TorqueView for InsideRotor {
    #[inline(always)]
    fn seen_now(&self, t: f64, state: &State) -> Result<Option<SeenBody<f64>>, StepError> {
        self.seen(t, state).map(Some)
    }
}

impl<R: Rotor + TorqueView + ?Sized> FreeFlow<f64> for Box<R> {
    type At = State;

    #[inline(always)]
    fn drift(
        &mut self,
        h: f64,
        state: &mut State,
        dropped: &mut Option<Vector<f64>>,
    ) -> Result<bool, StepError> {
        let Some(dropped) = dropped else { return self.step(h, state).map(|()| true) };
        let in_space = state.q * DVec3::from(*dropped);
        self.step(h, state)?;
        *dropped = (state.q.conjugate() * in_space).to_array();
        Ok(true)
    }

    #[inline(always)]
    fn seen(&self, t: f64, state: &State) -> Result<Option<SeenBody<f64>>, StepError> {
        (**self).seen_now(t, state)
    }
}

/// A scheme at work with a rotor.
pub(super) struct Splitting {
    scheme: Scheme,
    mover: Mover,
    memory: KickMemory<f64>,
    /// The attitude as the last step left it: what is kept of a torque belongs to it.
    left: Option<DQuat>,
}

impl Splitting {
    pub(super) fn new(scheme: Scheme, mover: Mover, compensated: bool) -> Self {
        let memory = KickMemory::new(compensated.then_some([0.0; 3]));
        Self { scheme, mover, memory, left: None }
    }

    fn given_up(&mut self) {
        if let Mover::Inside(rotor) = &mut self.mover {
            rotor.give_up();
        }
        self.reset();
    }
}

impl Stepper for Splitting {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let stages = SchemeStep {
            stages: &self.scheme.stages,
            torque: problem.torques(),
            body: problem.body(),
        };
        if self.left != Some(state.q) {
            self.memory.forget();
        }
        let (before, memory) = (*state, &mut self.memory);
        // Where the state is, not in a copy: see `FreeStepper`.
        let stepped = match &mut self.mover {
            Mover::Rigid(rotor) => stages.step(rotor, memory, (t, h), state),
            Mover::Inside(rotor) => {
                rotor.begin(t);
                stages.step(rotor, memory, (t, h), state)
            }
        };
        let stepped = match stepped {
            Ok(_) if !state.is_finite() => {
                Err(StepError::OutOfRange { h, momentum: before.m.to_array() })
            }
            stepped => stepped,
        };
        let (_, torque_evaluations) = stepped.inspect_err(|_| {
            *state = before;
            self.given_up();
        })?;
        self.left = Some(state.q);
        Ok(StepReport { torque_evaluations, iterations: 0 })
    }

    fn inside(&self) -> &[f64] {
        match &self.mover {
            Mover::Rigid(_) => &[],
            Mover::Inside(rotor) => rotor.inside(),
        }
    }

    fn command(&mut self, motors: &[f64]) {
        if let Mover::Inside(rotor) = &mut self.mover {
            rotor.command(motors);
        }
    }

    fn reset(&mut self) {
        self.mover.rotor_mut().reset();
        self.memory = KickMemory::new(self.memory.dropped.map(|_| [0.0; 3]));
        self.left = None;
    }

    fn carried(&self) -> Vec<f64> {
        // The last torque need not be kept: evaluated again it is the same.
        let mut numbers = self.memory.dropped.map_or(Vec::new(), |dropped| dropped.to_vec());
        numbers.extend(self.mover.rotor().carried());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let mut rest = carried;
        if let Some(dropped) = &mut self.memory.dropped {
            let found = carried.len();
            let needed = RestoreError { found, needed: "at least three" };
            let (first, tail) = carried.split_first_chunk().ok_or(needed)?;
            (*dropped, rest) = (*first, tail);
        }
        self.mover.rotor_mut().restore(rest)
    }
}

/// A rotor alone, for a free body.
pub(super) struct FreeStepper {
    pub(super) rotor: Box<dyn Rotor>,
}

impl Stepper for FreeStepper {
    fn step(
        &mut self,
        _problem: &Problem,
        _t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let before = *state;
        // Where the state is, not in a copy: a copy of numbers that were stored a moment ago, in other pairs than those
        // in which it is made, waits for them; a third of a step.
        self.rotor.step(h, state)?;
        if !state.is_finite() {
            self.rotor.reset();
            *state = before;
            return Err(StepError::OutOfRange { h, momentum: before.m.to_array() });
        }
        Ok(StepReport::default())
    }

    fn reset(&mut self) {
        self.rotor.reset();
    }

    fn carried(&self) -> Vec<f64> {
        self.rotor.carried()
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        self.rotor.restore(carried)
    }
}
