//! What is kept of a solution while it is made.

use super::solution::Piece;
use super::watch::StepView;
use crate::State;

/// What is kept of a solution.
pub(super) struct Storage {
    /// When: times that were chosen, all from the beginning, or the ends of steps.
    pub(super) times: Vec<f64>,
    pub(super) states: Vec<State>,
    chosen: bool,
    /// None if only the chosen times are kept, or the ends of steps.
    pub(super) pieces: Option<Vec<Piece>>,
    forwards: bool,
}

impl Storage {
    /// For these times if they are chosen, else for all, or for the ends of steps.
    pub(super) fn new(chosen: Option<Vec<f64>>, dense: bool, forwards: bool) -> Self {
        let pieces = (dense && chosen.is_none()).then(Vec::new);
        let is_chosen = chosen.is_some();
        let times = chosen.unwrap_or_default();
        let states = Vec::with_capacity(times.len());
        Self { times, states, chosen: is_chosen, pieces, forwards }
    }

    /// The time of the last state.
    fn last(&self) -> Option<f64> {
        self.states.len().checked_sub(1).map(|last| self.times[last])
    }

    pub(super) fn start(&mut self, t: f64, state: &State) {
        if !self.chosen {
            self.times.push(t);
        } else if self.times.first() != Some(&t) {
            return;
        }
        self.states.push(*state);
    }

    /// Removes the last piece if it has no steps, because an event has cut it where it started.
    pub(super) fn drop_empty_piece(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.pop_if(|piece| piece.steps.is_empty());
        }
    }

    /// Whether a time within any step may be asked for.
    pub(super) fn may_look_within(&self) -> bool {
        if self.chosen { !self.times.is_empty() } else { self.pieces.is_some() }
    }

    /// Whether a time within the step that ends there may be asked for.
    pub(super) fn looks_within(&self, end: f64) -> bool {
        if !self.chosen {
            return self.pieces.is_some();
        }
        let next = self.times.get(self.states.len());
        next.is_some_and(|&t| if self.forwards { t <= end } else { t >= end })
    }

    /// Whether anything of the step that ends there is kept.
    pub(super) fn asks(&self, end: f64) -> bool {
        !self.chosen || self.looks_within(end)
    }

    pub(super) fn step(&mut self, view: &StepView<'_>, end: f64, after: &State) {
        let start = view.step.t;
        if end == start {
            return;
        }
        if let Some(piece) = self.pieces.as_mut().and_then(|pieces| pieces.last_mut()) {
            piece.steps.push(*view.step);
            piece.dense.extend_from_slice(view.dense);
        }
        if !self.chosen {
            self.times.push(end);
            self.states.push(*after);
            return;
        }
        while let Some(&t) = self.times.get(self.states.len()) {
            if if self.forwards { t > end } else { t < end } {
                break;
            }
            self.states.push(if t == end { *after } else { view.state(t) });
        }
    }

    /// The state at a time that was just kept, if it was, is another one.
    pub(super) fn replace_last(&mut self, t: f64, state: &State) {
        if self.last() == Some(t)
            && let Some(last) = self.states.last_mut()
        {
            *last = *state;
        }
    }

    /// Nothing comes any more. Where an event has ended the run is kept in any case.
    pub(super) fn end(&mut self, by_event: Option<(f64, State)>) {
        self.drop_empty_piece();
        let last = self.last();
        self.times.truncate(self.states.len());
        if let Some((t, state)) = by_event.filter(|(t, _)| last != Some(*t)) {
            self.times.push(t);
            self.states.push(state);
        }
    }
}
