//! From when to when conditions hold, and the one that ends a run.

use polhode::observe::Condition;
use polhode::solve::{Direction, Event};
use polhode::{Problem, Solution, Solver, State};

/// To this tolerance a step of fixed length is solved again to find out when a condition changes within it.
const TOLERANCE: f64 = 1e-10;

/// A moment of a run in steps.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) t: f64,
    pub(super) state: &'a State,
    /// Of what moves inside the body.
    pub(super) inside: &'a [f64],
}

/// The conditions of a run, and when they held until now.
pub(super) struct Windows<'a> {
    problem: &'a Problem,
    conditions: &'a [(String, Condition)],
    stop_when: Option<&'a Condition>,
    /// Of each condition: the beginning and end of each interval, one after the other; an interval that lasts has no
    /// end.
    bounds: Vec<Vec<f64>>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        conditions: &'a [(String, Condition)],
        stop_when: Option<&'a Condition>,
    ) -> Self {
        Self { problem, conditions, stop_when, bounds: vec![Vec::new(); conditions.len()] }
    }

    /// As a checkpoint keeps them.
    pub(super) fn bits(&self) -> Vec<Vec<u64>> {
        let bits = |bounds: &Vec<f64>| bounds.iter().map(|t| t.to_bits()).collect();
        self.bounds.iter().map(bits).collect()
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
        self.bounds = bits.iter().map(times).collect();
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
        let (begin, end) = solution.span();
        for i in 0..self.conditions.len() {
            let changes = solution.events()[i].iter().map(|point| point.t);
            let mut from = begin;
            for to in changes.chain([end]) {
                if to != from {
                    // Between two changes it holds everywhere or nowhere; where it is not known it does not.
                    let middle = from + 0.5 * (to - from);
                    let margin = |state: State| self.margin(i, middle, &state);
                    let holds = solution.at(middle).map_or(f64::NAN, margin) > 0.0;
                    self.extend(i, from, holds);
                }
                from = to;
            }
        }
    }

    /// Looks at a step of fixed length; whether the run ends after it. What changes twice within it is not seen.
    pub(super) fn see_step(&mut self, before: Seen<'_>, after: Seen<'_>) -> bool {
        let problem = self.problem;
        let margin = |condition: &Condition, at: Seen<'_>| {
            condition.margin_inside(problem, at.t, at.state, at.inside)
        };
        for i in 0..self.conditions.len() {
            let margins = [before, after].map(|at| margin(&self.conditions[i].1, at));
            let holds = margins.map(|margin| margin > 0.0);
            self.extend(i, before.t, holds[0]);
            if holds[0] != holds[1] {
                self.extend(i, self.change(i, before, after.t, margins), holds[1]);
            }
        }
        self.stop_when.is_some_and(|condition| {
            let [was, is] = [before, after].map(|at| margin(condition, at) > 0.0);
            is && !was
        })
    }

    fn margin(&self, i: usize, t: f64, state: &State) -> f64 {
        self.conditions[i].1.margin(self.problem, t, state)
    }

    /// When a condition changes within a step.
    fn change(&self, i: usize, Seen { t, state, .. }: Seen<'_>, end: f64, [a, b]: [f64; 2]) -> f64 {
        let straight = t + (end - t) * (a / (a - b)).clamp(0.0, 1.0);
        let straight = if straight.is_nan() { end } else { straight };
        if self.problem.needs_steps() {
            return straight;
        }
        let problem = self.problem.clone().starting_at(t).starting_from(*state);
        let condition = &self.conditions[i].1;
        let event = Event::new(|t, state: &State| condition.margin(self.problem, t, state));
        let solved = problem.solver().tolerance(TOLERANCE).times(&[]).event(event).until(end);
        let found = solved.ok().and_then(|s| s.events()[0].first().map(|point| point.t));
        // The steps of the run may be further off than the solution, which then does not meet the change.
        found.unwrap_or(straight)
    }

    /// From this time on a condition holds, or does not.
    fn extend(&mut self, i: usize, from: f64, holds: bool) {
        let lasts = self.bounds[i].len() % 2 == 1;
        if holds != lasts {
            self.bounds[i].push(from);
        }
    }

    /// All intervals of each condition in a run that ends at this time.
    pub(super) fn finish(&self, end: f64) -> Vec<Vec<[f64; 2]>> {
        let intervals = |bounds: &Vec<f64>| {
            let pair = |pair: &[f64]| [pair[0], pair.get(1).copied().unwrap_or(end)];
            bounds.chunks(2).map(pair).filter(|[from, to]| from != to).collect()
        };
        self.bounds.iter().map(intervals).collect()
    }
}
