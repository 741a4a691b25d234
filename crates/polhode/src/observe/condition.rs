//! Comparisons of observables: whether they hold, and when that changes.

use core::f64::consts::FRAC_PI_8;

use super::{Observable, Sample, Surroundings};
use crate::formula::FormulaError;
use crate::problem::Problem;
use crate::solve::{Direction, Event, Solution};
use crate::{State, so3};

/// A condition may be taken to be monotonic while the body turns by so much.
pub(super) const SPACING: f64 = FRAC_PI_8;

/// To this tolerance the motion between two moments is solved to find out when a condition changes between them.
const TOLERANCE: f64 = 1e-10;

/// Over this part of the time between two moments slopes are taken.
const NEAR: f64 = 1e-4;

/// A comparison of two observables, which holds at some times and not at others: `deg(angle(z, nadir)) < 10`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(Observable);

impl Condition {
    /// The condition of a text, with one `<` or `>`.
    ///
    /// # Errors
    /// [`FormulaError`] with the place of the mistake.
    pub fn new(text: &str, around: &Surroundings<'_>) -> Result<Self, FormulaError> {
        Observable::read(text, true, around).map(Self)
    }

    /// The text it was read from, as it was given.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The difference of its two sides: positive where it holds, zero where that begins and ends.
    pub fn margin(&self, problem: &Problem, t: f64, state: &State) -> f64 {
        self.0.value(problem, t, state)
    }

    /// The difference of its two sides, as of [`Condition::margin`], where what moves inside the body has these numbers
    /// ([`Sample::inside`](super::Sample::inside)).
    pub fn margin_inside(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        self.0.value_inside(problem, t, state, inside)
    }

    /// The greatest number of a wheel whose speed it names, 0 if it names none.
    pub fn last_wheel(&self) -> usize {
        self.0.last_wheel()
    }

    /// From when to when it is known: see [`Observable::span`].
    pub fn span(&self) -> Option<(f64, f64)> {
        self.0.span()
    }

    /// From when on it holds, or does not, in a solution of which it is this event: the start, then every change.
    /// Where it is not known it does not hold.
    pub fn in_solution(
        &self,
        problem: &Problem,
        solution: &Solution,
        event: usize,
    ) -> Vec<(f64, bool)> {
        let (begin, end) = solution.span();
        let changes = solution.events()[event].iter().map(|point| point.t);
        let (mut found, mut from): (Vec<(f64, bool)>, f64) = (Vec::new(), begin);
        for to in changes.chain([end]) {
            if to != from {
                // Between two changes it holds everywhere or nowhere.
                let middle = from + 0.5 * (to - from);
                let margin = |state: State| self.margin(problem, middle, &state);
                let holds = solution.at(middle).map_or(f64::NAN, margin) > 0.0;
                if found.last().is_none_or(|(_, held)| *held != holds) {
                    found.push((from, holds));
                }
            }
            from = to;
        }
        found
    }

    /// The times between two moments of a motion at which it begins or ceases to hold, in their order.
    ///
    /// The motion between them is solved where something may have changed: the condition holds at one of them only,
    /// the body turns by more than pi/8 from one to the other, or both sides of the comparison approach each other
    /// so fast that they may have met twice. A condition that changes much faster than the body turns is not seen if
    /// it is the same at both moments. Of a body that [cannot be solved](Problem::can_be_solved) a single change is
    /// where a straight line puts it, and two are not seen: [`StepAgain`](super::StepAgain) finds them.
    pub fn changes(&self, before: &Sample<'_>, after: &Sample<'_>) -> Vec<f64> {
        let problem = before.problem;
        let ends = [before, after];
        let margins = ends.map(|at| self.margin_inside(problem, at.t, at.state, at.inside));
        let [held, holds] = margins.map(|margin| margin > 0.0);
        let by_a_line = || if held == holds { Vec::new() } else { vec![zero(ends, margins)] };
        if !problem.can_be_solved() {
            return by_a_line();
        }
        if held == holds && turned(ends) <= SPACING && !self.may_meet(ends, margins) {
            return Vec::new();
        }
        let start = problem.clone().starting_at(before.t).starting_from(*before.state);
        let event = Event::new(|t, state: &State| self.margin(problem, t, state));
        let event = event.direction(Direction::Either);
        let Ok(solution) = start.solver().tolerance(TOLERANCE).event(event).until(after.t) else {
            return by_a_line();
        };
        let mut known = held;
        let mut changes = Vec::new();
        // The end of the run may be a little off that of the solution.
        for (t, holds) in
            self.in_solution(problem, &solution, 0).into_iter().chain([(after.t, holds)])
        {
            if holds != known {
                changes.push(t);
                known = holds;
            }
        }
        changes
    }

    /// Whether it may change twice between two moments at which it is the same: both sides of the comparison
    /// approach each other at the first and part at the second, and the tangents meet near zero or beyond.
    fn may_meet(&self, [before, after]: [&Sample<'_>; 2], margins: [f64; 2]) -> bool {
        let near = NEAR * (after.t - before.t);
        let margin = |at: &Sample<'_>, dt: f64| self.margin(at.problem, at.t + dt, &moved(at, dt));
        let [a, b] = margins.map(f64::abs);
        let side = if margins[0] > 0.0 { 1.0 } else { -1.0 };
        let falls = side * (margin(before, near) - margins[0]) / NEAR;
        let rises = side * (margins[1] - margin(after, -near)) / NEAR;
        if !(falls < 0.0 && rises > 0.0) {
            return false;
        }
        let meeting = a + falls * (b - rises - a) / (falls - rises);
        meeting < 0.5 * a.min(b)
    }
}

/// The state a short time after a moment, or before it.
fn moved(at: &Sample<'_>, dt: f64) -> State {
    let (omega, state) = (at.omega(), at.state);
    let change = state.m.cross(omega) + at.problem.torque_at(at.t, state);
    State { m: state.m + change * dt, q: state.q * so3::exp(omega * dt) }
}

/// By how much the body turns from one moment to the other, about.
pub(super) fn turned([before, after]: [&Sample<'_>; 2]) -> f64 {
    let rate = before.omega().length().max(after.omega().length());
    (after.t - before.t).abs() * rate
}

/// Where a straight line has its zero; the end if that is not known.
fn zero([before, after]: [&Sample<'_>; 2], [a, b]: [f64; 2]) -> f64 {
    let zero = before.t + (after.t - before.t) * (a / (a - b)).clamp(0.0, 1.0);
    if zero.is_nan() { after.t } else { zero }
}
