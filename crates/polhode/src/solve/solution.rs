//! A solved problem.

use std::sync::Arc;

use super::engine::{BODIES, DoneStep, Engine, FEW};
use super::{EventPoint, SolveMethod, TimeError};
use crate::{Errors, State};

/// How many steps and evaluations of the torque a solution took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Steps that met their tolerance.
    pub steps: u64,
    /// Steps that did not, and were done again, shorter.
    pub rejected: u64,
    /// Evaluations of the torque; in lanes each counts, and those of trials too. Those for states within steps of the
    /// extrapolation (chosen times, events, [`Solution::at`]) and for an estimate of the error are not among them.
    pub evaluations: u64,
}

/// Steps with one torque, one after the other.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) engine: Arc<dyn Engine>,
    pub(super) steps: Vec<DoneStep>,
    /// What the engine stores with each step.
    pub(super) dense: Vec<f64>,
}

/// The motion of a problem over a span of time.
///
/// Its value at a time does not depend on which other times are asked for.
#[derive(Clone)]
pub struct Solution {
    pub(super) t0: f64,
    pub(super) end: (f64, State),
    pub(super) times: Vec<f64>,
    pub(super) states: Vec<State>,
    /// None if only some times were kept.
    pub(super) pieces: Option<Vec<Piece>>,
    pub(super) method: SolveMethod,
    pub(super) statistics: Statistics,
    pub(super) events: Vec<Vec<EventPoint>>,
    /// The event that ended the run.
    pub(super) ended_by: Option<usize>,
    /// Whether an event has changed the motion.
    pub(super) changed: bool,
    pub(super) error_estimate: Option<Errors>,
    /// The fastest turn at the end of a step, over that at the last one.
    pub(super) slowed: f64,
    /// How far the body has turned, in radians.
    pub(super) radians: f64,
}

impl Solution {
    /// The state at a time of the span, as good as those at the ends of steps.
    ///
    /// Where an event has changed the state, it is that after the event.
    ///
    /// # Errors
    /// [`TimeError`] if the time is outside the span, or nothing was kept there.
    pub fn at(&self, t: f64) -> Result<State, TimeError> {
        Ok(match self.find(t)? {
            Place::Kept(state) => state,
            Place::Within { piece, index, t } => piece.state(index, t),
        })
    }

    /// Where the state at a time is to be found.
    fn find(&self, t: f64) -> Result<Place<'_>, TimeError> {
        let (from, to) = (self.t0, self.end.0);
        let (low, high) = if to < from { (to, from) } else { (from, to) };
        if !(t >= low && t <= high) {
            return Err(TimeError::OutsideSpan { t, from, to });
        }
        if t == to {
            return Ok(Place::Kept(self.end.1));
        }
        let along = |other: f64| if to < from { other >= t } else { other <= t };
        let Some(pieces) = &self.pieces else {
            let last = self.times.partition_point(|&kept| along(kept)).checked_sub(1);
            let found = last.filter(|&last| self.times[last] == t);
            let found = found.map(|i| Place::Kept(self.states[i]));
            return found.ok_or(TimeError::NotKept { t });
        };
        // The last piece, and the last of its steps, that does not start after the time.
        let starts = |piece: &Piece| piece.steps.first().is_some_and(|step| along(step.t));
        let before = pieces.partition_point(starts);
        let Some(piece) = before.checked_sub(1).map(|last| &pieces[last]) else {
            return Err(TimeError::NotKept { t });
        };
        let index = piece.steps.partition_point(|step| along(step.t)) - 1;
        let step = &piece.steps[index];
        Ok(if t == step.t {
            Place::Kept(piece.engine.leave(t, &step.from))
        } else {
            Place::Within { piece, index, t }
        })
    }

    /// The states at many times, with the bits of [`Solution::at`].
    ///
    /// A state within a step is the step done again; several of them are done side by side.
    ///
    /// # Errors
    /// [`TimeError`] for the first time that is outside the span, or where nothing was kept.
    pub fn at_many(&self, times: &[f64]) -> Result<Vec<State>, TimeError> {
        let places = times.iter().map(|&t| self.find(t)).collect::<Result<Vec<_>, _>>()?;
        let mut states = Vec::with_capacity(times.len());
        for places in places.chunk_by(Place::is_beside) {
            match places {
                [Place::Kept(state)] => states.push(*state),
                [Place::Within { piece, .. }, ..] => piece.states(places, &mut states),
                _ => {}
            }
        }
        Ok(states)
    }

    /// The times that are kept: those that were chosen, or the start and the end of every step.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The states at these times.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The states at the times that are kept, taken out of the solution without a copy.
    pub fn into_states(self) -> Vec<State> {
        self.states
    }

    /// When it starts and when it ends.
    pub fn span(&self) -> (f64, f64) {
        (self.t0, self.end.0)
    }

    /// Time and state at the end: where it was to be, or at the event that ended the run.
    pub fn end(&self) -> (f64, State) {
        self.end
    }

    /// How it was solved.
    pub fn method(&self) -> SolveMethod {
        self.method
    }

    /// How many steps and evaluations of the torque the solution took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The events of each function, in the order in which the functions were given; those of one in the order
    /// in which they happened.
    pub fn events(&self) -> &[Vec<EventPoint>] {
        &self.events
    }

    /// Which function's event ended the run before its time, counted from 0.
    pub fn ended_by(&self) -> Option<usize> {
        self.ended_by
    }

    /// The estimated error at the end, if it was asked for and no event has changed the motion: of the momentum
    /// relative to its length there. It is no less than what rounding makes of the end, and then a bound. For a free
    /// body it is zero: its motion is exact to rounding.
    pub fn error_estimate(&self) -> Option<Errors> {
        self.error_estimate
    }

    pub(super) fn was_changed(&self) -> bool {
        self.changed
    }

    pub(super) fn set_error_estimate(&mut self, errors: Errors) {
        self.error_estimate = Some(errors);
    }
}

/// Where a state is to be found.
#[derive(Clone, Copy)]
enum Place<'a> {
    Kept(State),
    /// Within the step of that index.
    Within {
        piece: &'a Piece,
        index: usize,
        t: f64,
    },
}

impl Place<'_> {
    /// Both are within steps of one piece.
    fn is_beside(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Within { piece, .. }, Self::Within { piece: other, .. }) => {
                core::ptr::eq(*piece, *other)
            }
            _ => false,
        }
    }
}

impl Piece {
    /// The state at a time within that step.
    fn state(&self, index: usize, t: f64) -> State {
        let step = &self.steps[index];
        let size = self.engine.dense_size();
        let dense = &self.dense[index * size..(index + 1) * size];
        self.engine.leave(t, &self.engine.within(step, dense, t))
    }

    /// The states at these places, which are all within it.
    fn states(&self, places: &[Place<'_>], states: &mut Vec<State>) {
        let mut lanes = if places.len() > FEW { Arc::clone(&self.engine).lanes() } else { None };
        let mut node = self.steps[0].from;
        for places in places.chunks(BODIES) {
            if let Some(lanes) = &mut lanes {
                // Where there are fewer, the last is done again.
                for lane in 0..BODIES {
                    if let Place::Within { index, t, .. } = places[lane.min(places.len() - 1)] {
                        let step = &self.steps[index];
                        lanes.set(lane, step.asked, t - step.t, &step.from);
                    }
                }
                lanes.run();
            }
            for (lane, place) in places.iter().enumerate() {
                let Place::Within { index, t, .. } = *place else { continue };
                states.push(match &lanes {
                    Some(lanes) => {
                        lanes.end(lane, &mut node);
                        self.engine.leave(t, &node)
                    }
                    None => self.state(index, t),
                });
            }
        }
    }
}

impl core::fmt::Debug for Solution {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Solution")
            .field("span", &self.span())
            .field("method", &self.method)
            .field("statistics", &self.statistics)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
