//! From when to when conditions hold, and the one that ends a run.

use polhode::observe::{Condition, Intervals, StepAgain};
use polhode::solve::{Direction, Event};
use polhode::{Problem, Solution, Solver, State};

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
    pub(super) fn see_step(&mut self, step: &mut StepAgain<'_>) -> bool {
        for ((_, condition), intervals) in self.conditions.iter().zip(&mut self.intervals) {
            let mut holds = step.held_before(condition);
            intervals.extend(step.begin(), holds);
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
