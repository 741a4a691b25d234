//! What Krysl's implicit algorithms share: one unknown momentum, one equation for it, one solve.
//!
//! Each algorithm is a function of the start of the step and of an unknown p in R^3 (the momentum at
//! the end of the step, or in its middle) that gives a new p and what the step adds. It is solved
//! where the new p is the old one. The formulas are those of the paper; their derivative comes along
//! in [`DualVector`], so that Newton's matrix is exact.
//!
//! Krysl takes the turn psi of the step as the unknown of some algorithms. There p = I psi/h: the same
//! equation, in the one unit that all of them share.
//!
//! The solve starts where the last two steps lead by extrapolation, of p - m; where there are none, or
//! that fails, at m. It ends at round-off; see [`super::newton`].

use glam::{DMat3, DVec3};

use super::dual::{DualTurn, DualVector};
use super::newton::{EquationSolver, SOLVER, relative};
use super::start::Start;
use super::turn::Turn;
use super::update::{COMPENSATED, Increment, Update};
use super::{RestoreError, StepReport, Stepper};
use crate::parameters::{Parameter, Parameters};
use crate::problem::Problem;
use crate::{State, StepError};

/// The parameters of every implicit algorithm.
pub(super) const PARAMETERS: &[Parameter] = &[SOLVER, COMPENSATED];

/// What an algorithm makes of a guess.
pub(super) struct Iterate {
    /// What the guess should have been.
    p: DualVector,
    /// The change of the momentum over the step.
    dm: DVec3,
    /// The turn of the step.
    turn: Turn,
}

impl Iterate {
    /// What the unknown should have been, the change of the momentum, and the turn.
    pub(super) fn new(p: DualVector, change: DualVector, turn: DualTurn) -> Self {
        Self { p, dm: change.value, turn: turn.turn }
    }
}

/// The equations of an algorithm.
pub(super) type AlgorithmEquations = fn(&StepStart, DualVector) -> Iterate;

/// The start of a step, as the equations see it.
pub(super) struct StepStart<'a> {
    start: &'a Start<'a>,
    /// Whether derivatives of the torque are wanted.
    slopes: bool,
}

impl StepStart<'_> {
    /// The momentum at the start.
    pub(super) fn m(&self) -> DualVector {
        DualVector::constant(self.start.m)
    }

    /// h I^-1 p.
    pub(super) fn psi(&self, p: DualVector) -> DualVector {
        p.map(|v| self.start.psi_of(v))
    }

    /// I psi / h, for a psi that is h I^-1 times something.
    pub(super) fn momentum(&self, psi: DualVector) -> DualVector {
        psi.map(|v| self.start.problem.inertia().momentum(v / self.start.h))
    }

    /// -h skew[I^-1 p] p.
    pub(super) fn gyroscopic(&self, p: DualVector) -> DualVector {
        p.cross(self.psi(p))
    }

    /// h T at the start of the step.
    pub(super) fn first_impulse(&self) -> DualVector {
        DualVector::constant(self.start.first_impulse())
    }

    /// h T at t + c h, where the body has turned by that much and has that momentum.
    pub(super) fn impulse(&self, c: f64, turn: DualTurn, m: DualVector) -> DualVector {
        let value = self.start.impulse(c, turn.turn, m.value);
        if !self.slopes || self.start.is_free() {
            return DualVector::constant(value);
        }
        let slopes = self.start.impulse_slopes(c, turn.turn, m.value);
        DualVector { value, slope: slopes.rotation * turn.slope + slopes.momentum * m.slope }
    }

    /// The unknown is the momentum at the end of the step.
    pub(super) fn end(&self, change: DualVector, turn: DualTurn) -> Iterate {
        Iterate::new(self.m() + change, change, turn)
    }

    /// The unknown is the mean of the momenta at both ends of the step.
    pub(super) fn mean(&self, change: DualVector, turn: DualTurn) -> Iterate {
        Iterate::new(self.m() + change * 0.5, change, turn)
    }
}

/// An implicit algorithm at work.
pub(super) struct Implicit {
    id: &'static str,
    equations: AlgorithmEquations,
    solver: EquationSolver,
    update: Update,
    warm: WarmStart,
}

impl Implicit {
    /// The stepper of these equations.
    pub(super) fn stepper(
        id: &'static str,
        equations: AlgorithmEquations,
        parameters: &Parameters,
    ) -> Box<dyn Stepper> {
        Box::new(Self {
            id,
            equations,
            solver: EquationSolver::new(parameters),
            update: Update::from_parameters(parameters),
            warm: WarmStart::default(),
        })
    }

    /// Solves the equations from that guess: p - m, the increment of the step and the iterations.
    fn solve(&self, start: &Start, guess: DVec3) -> Result<(DVec3, Increment, u32), StepError> {
        let mut p = start.m + guess;
        let mut found = Increment::new(start, DVec3::ZERO, Turn::NONE);
        let mut inverse = DMat3::IDENTITY;
        let iterations = self.solver.settle(self.id, start.h, |slopes| {
            let trial = (self.equations)(&StepStart { start, slopes }, DualVector::unknown(p));
            if slopes {
                inverse = (DMat3::IDENTITY - trial.p.slope).inverse();
            }
            let update = inverse * (trial.p.value - p);
            if !update.is_finite() {
                return f64::NAN;
            }
            p += update;
            found = Increment::new(start, trial.dm, trial.turn);
            let size = p.abs().max_element().max(start.m.abs().max_element());
            relative(update.abs().max_element(), size)
        })?;
        Ok((p - start.m, found, iterations))
    }
}

impl Stepper for Implicit {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let start = Start::new(problem, t, h, state)?;
        if h == 0.0 {
            return Ok(start.report(0));
        }
        let solved = match self.warm.guess(h) {
            Some(guess) => self.solve(&start, guess).or_else(|_| self.solve(&start, DVec3::ZERO)),
            None => self.solve(&start, DVec3::ZERO),
        };
        let (offset, increment, iterations) = solved?;
        self.update.add(h, state, increment)?;
        self.warm.remember(h, offset);
        Ok(start.report(iterations))
    }

    fn reset(&mut self) {
        self.update.reset();
        self.warm = WarmStart::default();
    }

    fn carried(&self) -> Vec<f64> {
        let mut numbers = self.update.carried();
        numbers.extend(self.warm.carried());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let rest = self.update.restore(carried)?;
        self.warm.restore(rest)
    }
}

/// p - m of the last two steps, if they had the same length.
#[derive(Clone, Copy, Debug, Default)]
struct WarmStart {
    h: f64,
    known: u8,
    last: DVec3,
    before: DVec3,
}

impl WarmStart {
    fn guess(&self, h: f64) -> Option<DVec3> {
        (self.h == h && self.known == 2).then(|| self.last * 2.0 - self.before)
    }

    fn remember(&mut self, h: f64, offset: DVec3) {
        let known = if self.h == h { 2.min(self.known + 1) } else { 1 };
        *self = Self { h, known, last: offset, before: self.last };
    }

    fn carried(&self) -> [f64; 8] {
        let ([a, b, c], [d, e, f]) = (self.last.to_array(), self.before.to_array());
        [self.h, f64::from(self.known), a, b, c, d, e, f]
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let [h, known, a, b, c, d, e, f] = *carried else {
            return Err(RestoreError { found: carried.len(), needed: "eight" });
        };
        let known = if known == 2.0 { 2 } else { u8::from(known == 1.0) };
        *self = Self { h, known, last: DVec3::new(a, b, c), before: DVec3::new(d, e, f) };
        Ok(())
    }
}
