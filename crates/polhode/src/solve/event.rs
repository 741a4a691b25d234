//! Events: when a function of time and state passes through zero, and what happens then.

use crate::{State, Torque};

/// Which way a function passes through zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Both from negative to positive and from positive to negative.
    #[default]
    Either,
    /// From negative to positive, in the direction of the run.
    Rising,
    /// From positive to negative.
    Falling,
}

/// What an event changes; what is `None` stays as it is.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Change {
    /// The state after the event: an impulse.
    pub state: Option<State>,
    /// What acts from then on.
    pub torque: Option<Torque>,
}

impl Change {
    /// No change: the motion goes on as it is.
    pub fn none() -> Self {
        Self::default()
    }

    /// The body goes on from this state.
    pub fn state(state: State) -> Self {
        Self { state: Some(state), torque: None }
    }

    /// From now on this torque acts, instead of what acted before.
    pub fn torque(torque: impl Into<Torque>) -> Self {
        Self { state: None, torque: Some(torque.into()) }
    }

    /// Lets also this torque act from now on, instead of what acted before.
    #[must_use]
    pub fn and_torque(self, torque: impl Into<Torque>) -> Self {
        Self { torque: Some(torque.into()), ..self }
    }
}

pub(super) type EventFunction<'a> = Box<dyn FnMut(f64, &State) -> f64 + 'a>;
pub(super) type Action<'a> = Box<dyn FnMut(f64, &State) -> Change + 'a>;

/// A function of time and state whose zeros are wanted.
///
/// Sign changes are looked for at points so close that a function which oscillates no faster than four times
/// as fast as the body turns changes its sign at most once between two of them. A pair of zeros closer together
/// than that is found too, by way of the extremum between them, unless the function all but touches zero: such a
/// grazing event may be missed, and so may two of three zeros within a sixteenth of a turn.
///
/// As in SciPy, a function that is zero at the start has an event there (of the direction in which it leaves zero, as
/// far as these points tell, or if it stays there, of any direction), and one that becomes zero just at the end has an
/// event there. No event is reported twice. A function that stays zero for a while has one event, when it becomes so.
///
/// ```
/// use polhode::solve::Event;
/// use polhode::{Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start).torque(HeavyTop::lagrange(1.0)?);
/// // The first time that the third component of the momentum falls through zero ends the run.
/// let falls = Event::new(|_t, state| state.m.z).falling().terminal();
/// let solution = top.solver().tolerance(1e-9).event(falls).until(100.0)?;
/// assert!(solution.end().1.m.z.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Event<'a> {
    pub(super) function: EventFunction<'a>,
    pub(super) direction: Direction,
    pub(super) terminal_after: Option<u64>,
    pub(super) action: Option<Action<'a>>,
}

impl<'a> Event<'a> {
    /// The zeros of this function of time and state, whichever way it passes through.
    pub fn new(function: impl FnMut(f64, &State) -> f64 + 'a) -> Self {
        Self {
            function: Box::new(function),
            direction: Direction::Either,
            terminal_after: None,
            action: None,
        }
    }

    /// Only those that go this way.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// Only those where the function becomes positive.
    #[must_use]
    pub fn rising(self) -> Self {
        self.direction(Direction::Rising)
    }

    /// Only those where the function becomes negative.
    #[must_use]
    pub fn falling(self) -> Self {
        self.direction(Direction::Falling)
    }

    /// The first one ends the run, which then has it as its last point. The time until which the run is to go may be
    /// late: if no event has an action, the event is looked for over spans that double, so that a late time costs
    /// nothing and is no reason to refuse the run.
    #[must_use]
    pub fn terminal(self) -> Self {
        self.terminal_after(1)
    }

    /// The n-th one ends the run; 0 counts as 1.
    #[must_use]
    pub fn terminal_after(self, count: u64) -> Self {
        Self { terminal_after: Some(count.max(1)), ..self }
    }

    /// At each of them this is called with time and state, and the motion goes on with what it changes. Of a
    /// terminal event it is called too, and the run ends with the state that it sets. The growth of errors is
    /// estimated once, for the torque at the start.
    #[must_use]
    pub fn then(self, action: impl FnMut(f64, &State) -> Change + 'a) -> Self {
        Self { action: Some(Box::new(action)), ..self }
    }
}

impl core::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Event")
            .field("direction", &self.direction)
            .field("terminal_after", &self.terminal_after)
            .field("acts", &self.action.is_some())
            .finish_non_exhaustive()
    }
}

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventPoint {
    /// The time of the zero.
    pub t: f64,
    /// The state then, before the event changed anything.
    pub state: State,
}
