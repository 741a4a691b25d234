//! From when to when conditions hold, and the one that ends a run.

use core::f64::consts::PI;

use polhode::method::Stepper;
use polhode::observe::{Condition, Intervals, Sample};
use polhode::solve::{Direction, Event};
use polhode::{Problem, Solution, Solver, State, so3};

/// Conditions are looked at where the body has turned by so much, as the solver does.
const SPACING: f64 = PI / 8.0;

/// The most that a step is looked at between its ends.
const MOST_LOOKS: f64 = 64.0;

/// When a condition changes is found to this part of a step.
const ROUNDING: f64 = 1e-13;

/// A moment of a run in steps.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) t: f64,
    pub(super) state: &'a State,
    /// Of what moves inside the body.
    pub(super) inside: &'a [f64],
}

/// A step of fixed length, to be done again in part: with the method of the run, so that what is seen within a step is
/// as accurate as its end.
pub(super) struct Again<'a> {
    pub(super) problem: &'a Problem,
    /// Another one of the same method.
    pub(super) stepper: &'a mut dyn Stepper,
    /// What the method carried before the step.
    pub(super) carried: &'a [f64],
    pub(super) before: Seen<'a>,
    pub(super) after: Seen<'a>,
}

impl Again<'_> {
    /// How often to look within the step, and at its end.
    fn looks(&self) -> u32 {
        let turning = |at: Seen<'_>| {
            so3::length(self.problem.omega_inside(at.t, at.state, at.inside))
                * (self.after.t - self.before.t)
        };
        let angle = turning(self.before).abs().max(turning(self.after).abs());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 64")]
        let looks = (angle / SPACING).ceil().clamp(1.0, MOST_LOOKS) as u32;
        looks
    }

    /// The margin of a condition at a time within the step; not a number where that cannot be done.
    fn margin(&mut self, condition: &Condition, t: f64) -> f64 {
        let Self { problem, stepper, carried, before, after } = self;
        for end in [*before, *after] {
            if t == end.t {
                return condition.margin_inside(problem, t, end.state, end.inside);
            }
        }
        let mut state = *before.state;
        stepper.reset();
        let done = stepper.restore(carried).is_ok()
            && stepper.step(problem, before.t, t - before.t, &mut state).is_ok();
        if done { condition.margin_inside(problem, t, &state, stepper.inside()) } else { f64::NAN }
    }

    fn held_before(&mut self, condition: &Condition) -> bool {
        self.margin(condition, self.before.t) > 0.0
    }

    /// When a condition changes in the step. Where the motion between its ends can be solved that also finds what
    /// changes twice between two looks.
    fn changes(&mut self, condition: &Condition) -> Vec<f64> {
        if !self.problem.needs_steps() {
            let [was, is] = [self.before, self.after]
                .map(|seen| Sample::new(self.problem, 0, seen.t, seen.state));
            return condition.changes(&was, &is);
        }
        let (before, after, looks) = (self.before.t, self.after.t, self.looks());
        let mut from = (before, self.margin(condition, before));
        let mut changes = Vec::new();
        for look in 1..=looks {
            let part = f64::from(look) / f64::from(looks);
            let t = if look == looks { after } else { before + part * (after - before) };
            let to = (t, self.margin(condition, t));
            if (to.1 > 0.0) != (from.1 > 0.0) {
                changes.push(self.change(condition, from, to));
            }
            from = to;
        }
        changes
    }

    /// When a condition changes between two times at which its margins have these signs: by false position, the end
    /// that stays counting half (Illinois).
    fn change(&mut self, condition: &Condition, mut from: (f64, f64), mut to: (f64, f64)) -> f64 {
        let holds = to.1 > 0.0;
        let shortest = ROUNDING * (self.after.t - self.before.t).abs();
        while (to.0 - from.0).abs() > shortest {
            let straight = from.0 + (to.0 - from.0) * (from.1 / (from.1 - to.1));
            let between = straight > from.0.min(to.0) && straight < from.0.max(to.0);
            let t = if between { straight } else { 0.5 * (from.0 + to.0) };
            if t == from.0 || t == to.0 {
                break;
            }
            let margin = self.margin(condition, t);
            if (margin > 0.0) == holds {
                to = (t, margin);
                from.1 *= 0.5;
            } else {
                from = (t, margin);
                to.1 *= 0.5;
            }
        }
        to.0
    }
}

/// The conditions of a run, and when they held until now.
pub(super) struct Windows<'a> {
    problem: &'a Problem,
    conditions: &'a [(String, Condition)],
    stop_when: Option<&'a Condition>,
    /// Of each condition.
    intervals: Vec<Intervals>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        conditions: &'a [(String, Condition)],
        stop_when: Option<&'a Condition>,
    ) -> Self {
        let intervals = vec![Intervals::default(); conditions.len()];
        Self { problem, conditions, stop_when, intervals }
    }

    /// As a checkpoint keeps them.
    pub(super) fn bits(&self) -> Vec<Vec<u64>> {
        let bits = |of_one: &Intervals| of_one.bounds().iter().map(|t| t.to_bits()).collect();
        self.intervals.iter().map(bits).collect()
    }

    /// From a checkpoint.
    ///
    /// # Errors
    /// Why it does not fit.
    pub(super) fn restore(&mut self, bits: &[Vec<u64>]) -> Result<(), String> {
        if bits.len() != self.conditions.len() {
            return Err(format!("{} conditions, not {}", bits.len(), self.conditions.len()));
        }
        let times = |bits: &Vec<u64>| bits.iter().map(|t| f64::from_bits(*t)).collect();
        self.intervals = bits.iter().map(times).map(Intervals::from_bounds).collect();
        Ok(())
    }

    /// Whether there is nothing to look at.
    pub(super) fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.stop_when.is_none()
    }

    /// All that is looked for, in the order of the events: the conditions, then what ends the run.
    fn all(&self) -> impl Iterator<Item = &'a Condition> + use<'a> {
        self.conditions.iter().map(|(_, condition)| condition).chain(self.stop_when)
    }

    /// The solver, looking for changes of the conditions; it stops where the run is to end.
    pub(super) fn watched_by<'s>(&self, solver: Solver<'s>) -> Solver<'s>
    where
        'a: 's,
    {
        let (problem, count) = (self.problem, self.conditions.len());
        self.all().enumerate().fold(solver, |solver, (i, condition)| {
            let event = Event::new(move |t, state: &State| condition.margin(problem, t, state));
            let ends = i == count;
            solver.event(if ends {
                event.direction(Direction::Rising).terminal()
            } else {
                event.direction(Direction::Either)
            })
        })
    }

    /// Whether the run ends where this solution does.
    pub(super) fn ends(&self, solution: &Solution) -> bool {
        self.stop_when.is_some() && solution.ended_by() == Some(self.conditions.len())
    }

    /// Looks at a solution from its start to its end.
    pub(super) fn see(&mut self, solution: &Solution) {
        for (i, (_, condition)) in self.conditions.iter().enumerate() {
            for (from, holds) in condition.in_solution(self.problem, solution, i) {
                self.intervals[i].extend(from, holds);
            }
        }
    }

    /// Looks at a step of fixed length; whether the run ends after it.
    pub(super) fn see_step(&mut self, step: &mut Again<'_>) -> bool {
        for ((_, condition), intervals) in self.conditions.iter().zip(&mut self.intervals) {
            let mut holds = step.held_before(condition);
            intervals.extend(step.before.t, holds);
            for t in step.changes(condition) {
                holds = !holds;
                intervals.extend(t, holds);
            }
        }
        self.stop_when.is_some_and(|condition| {
            // What holds already has to cease before it can become true.
            let needed = if step.held_before(condition) { 2 } else { 1 };
            step.changes(condition).len() >= needed
        })
    }

    /// All intervals of each condition in a run that ends at this time.
    pub(super) fn finish(&self, end: f64) -> Vec<Vec<[f64; 2]>> {
        self.intervals.iter().map(|intervals| intervals.until(end)).collect()
    }
}
