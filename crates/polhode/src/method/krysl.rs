//! What Krysl's implicit algorithms share: one unknown momentum, one equation for it, one solve.
//!
//! Each algorithm is a function of the start of the step and of an unknown p in R^3 (the momentum at
//! the end of the step, or in its middle) that gives a new p and what the step adds. It is solved
//! where the new p is the old one. The formulas are those of the paper; their derivative comes along
//! where they are computed over [`Dual`], so that Newton's matrix is exact.
//!
//! Krysl takes the turn psi of the step as the unknown of some algorithms. There p = I psi/h: the same
//! equation, in the one unit that all of them share.
//!
//! The solve starts where the last two steps lead by extrapolation, of p - m; where there are none, or
//! that fails, at m. It ends at round-off; see [`super::newton`].

use glam::{DMat3, DVec3};
use polhode_number::Dual;

use super::newton::{EquationSolver, SOLVER, relative};
use super::start::Start;
use super::step_number::{StepNumber, StepVector};
use super::turn::Turn;
use super::update::{COMPENSATED, StateIncrement, Update};
use super::{RestoreError, StepReport, Stepper};
use crate::parameters::{MethodParameter, Parameters};
use crate::problem::Problem;
use crate::{State, StepError};

/// The parameters of every implicit algorithm.
pub(super) const PARAMETERS: &[MethodParameter] = &[SOLVER, COMPENSATED];

/// The unknown with its derivatives by itself.
type UnknownDual = Dual<f64, 3>;

/// What an algorithm makes of a guess.
pub(super) struct Iterate<N> {
    /// What the guess should have been.
    p: StepVector<N>,
    /// The change of the momentum over the step.
    change: StepVector<N>,
    /// The turn of the step.
    turn: Turn<N>,
}

impl<N: StepNumber> Iterate<N> {
    /// What the unknown should have been, the change of the momentum, and the turn.
    #[inline(always)]
    pub(super) fn new(p: StepVector<N>, change: StepVector<N>, turn: Turn<N>) -> Self {
        Self { p, change, turn }
    }

    /// What the guess should have been, and the increment.
    fn found(self, start: &Start) -> (DVec3, StateIncrement) {
        (self.p.value(), StateIncrement::new(start, self.change.value(), self.turn.value()))
    }
}

/// The equations of an algorithm over some number.
type EquationsOver<N> = fn(&StepStart, StepVector<N>) -> Iterate<N>;

/// The equations of an algorithm: over doubles, and with derivatives.
pub(super) type AlgorithmEquations = (EquationsOver<f64>, EquationsOver<UnknownDual>);

/// The start of a step, as the equations see it.
pub(super) struct StepStart<'a>(&'a Start<'a>);

impl StepStart<'_> {
    /// The momentum at the start.
    #[inline(always)]
    pub(super) fn m<N: StepNumber>(&self) -> StepVector<N> {
        StepVector::constant(self.0.m)
    }

    /// h I^-1 p.
    #[inline(always)]
    pub(super) fn psi<N: StepNumber>(&self, p: StepVector<N>) -> StepVector<N> {
        p.map(|v| self.0.psi_of(v))
    }

    /// I psi / h, for a psi that is h I^-1 times something.
    #[inline(always)]
    pub(super) fn momentum<N: StepNumber>(&self, psi: StepVector<N>) -> StepVector<N> {
        psi.map(|v| self.0.problem.inertia().momentum(v / self.0.h))
    }

    /// -h skew[I^-1 p] p.
    #[inline(always)]
    pub(super) fn gyroscopic<N: StepNumber>(&self, p: StepVector<N>) -> StepVector<N> {
        p.cross(self.psi(p))
    }

    /// h T at the start of the step.
    #[inline(always)]
    pub(super) fn first_impulse<N: StepNumber>(&self) -> StepVector<N> {
        StepVector::constant(self.0.first_impulse())
    }

    /// h T at t + c h, where the body has turned by that much and has that momentum.
    #[inline(always)]
    pub(super) fn impulse<N: StepNumber>(
        &self,
        c: f64,
        turn: Turn<N>,
        m: StepVector<N>,
    ) -> StepVector<N> {
        N::impulse(self.0, c, turn, m)
    }

    /// The unknown is the momentum at the end of the step.
    #[inline(always)]
    pub(super) fn end<N: StepNumber>(&self, change: StepVector<N>, turn: Turn<N>) -> Iterate<N> {
        Iterate::new(self.m() + change, change, turn)
    }

    /// The unknown is the mean of the momenta at both ends of the step.
    #[inline(always)]
    pub(super) fn mean<N: StepNumber>(&self, change: StepVector<N>, turn: Turn<N>) -> Iterate<N> {
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
    fn solve(
        &self,
        start: &Start,
        guess: DVec3,
    ) -> Result<(DVec3, StateIncrement, u32), StepError> {
        let mut p = start.m + guess;
        let mut found = StateIncrement::new(start, DVec3::ZERO, Turn::NONE);
        let mut inverse = DMat3::IDENTITY;
        let iterations = self.solver.settle(self.id, start.h, |slopes| {
            let (plain, with_slopes) = self.equations;
            let (wanted, increment) = if slopes {
                let trial = with_slopes(&StepStart(start), StepVector::unknown(p, 0));
                inverse = (DMat3::IDENTITY - trial.p.slopes()).inverse();
                trial.found(start)
            } else {
                plain(&StepStart(start), p.into()).found(start)
            };
            let update = inverse * (wanted - p);
            if !update.is_finite() {
                return f64::NAN;
            }
            p += update;
            found = increment;
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
