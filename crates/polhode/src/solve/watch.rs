//! Looking for events in the steps of a solution.

use core::f64::consts::FRAC_PI_8;

use super::engine::{DoneStep, Engine};
use super::event::{Direction, Event, EventPoint};
use super::roots::{dips_below_zero, zero_between};
use super::{Change, SolveError};
use crate::{Control, State};

/// Of an interval that starts at a zero, where it is asked which way the function leaves.
const LEAVING: f64 = 1.0 / 256.0;

/// Of an interval, where it is asked which way the function goes into it.
const SLOPE: f64 = 1.0 / 4096.0;

/// Zeros closer together than this part of the run are simultaneous: rounding decides which comes first.
const SIMULTANEOUS: f64 = 1e-12;

/// A step of a solution, to be looked into.
pub(super) struct StepView<'a> {
    pub(super) engine: &'a dyn Engine,
    pub(super) step: &'a DoneStep,
    pub(super) dense: &'a [f64],
    /// Where the step ends, and how fast the body turns in it at most.
    pub(super) end: f64,
    pub(super) rate: f64,
    /// Where the run ends, or the torque jumps: nothing is asked beyond.
    pub(super) limit: f64,
    /// The length of the whole run.
    pub(super) span: f64,
}

impl StepView<'_> {
    pub(super) fn state(&self, t: f64) -> State {
        let node = self.engine.within(self.step, self.dense, t);
        self.engine.leave(t, &node)
    }
}

/// An event that ends the step there.
pub(super) struct Cut {
    pub(super) t: f64,
    /// The state then, and that after the event.
    pub(super) state: State,
    pub(super) change: Change,
    /// The event that ends the run.
    pub(super) ended_by: Option<usize>,
}

/// A value of a function.
#[derive(Clone, Copy)]
struct EventValue {
    t: f64,
    value: f64,
}

/// A zero that was found.
#[derive(Clone, Copy)]
struct EventZero {
    t: f64,
    of: usize,
    /// Which way the function passes; either, where it starts at zero and stays there.
    passes: Direction,
}

struct WatchedEvent<'e, 'a> {
    event: &'e mut Event<'a>,
    points: Vec<EventPoint>,
    /// The last values but one, and the last.
    before: Option<EventValue>,
    last: EventValue,
    /// Its sign; zero also just after an event that has cut a step.
    sign: i8,
    /// The function was zero at the start of the run, and has not left it.
    zero_at_start: bool,
}

/// All functions whose zeros are wanted.
#[derive(Default)]
pub(super) struct Watch<'e, 'a> {
    watched: Vec<WatchedEvent<'e, 'a>>,
    found: Vec<EventZero>,
    /// Values at the next point, and at the one after it.
    here: Vec<EventValue>,
    ahead: Vec<EventValue>,
}

fn simultaneous(a: f64, b: f64, span: f64) -> bool {
    (a - b).abs() <= SIMULTANEOUS * span.abs() + 4.0 * f64::EPSILON * b.abs()
}

/// Which way a function passes zero that has this sign afterwards.
fn passing(sign: i8) -> Direction {
    match sign {
        1.. => Direction::Rising,
        0 => Direction::Either,
        _ => Direction::Falling,
    }
}

fn sign(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

impl WatchedEvent<'_, '_> {
    fn sample(&mut self, index: usize, t: f64, state: &State) -> Result<EventValue, SolveError> {
        let value = (self.event.function)(t, state);
        if value.is_finite() {
            return Ok(EventValue { t, value });
        }
        Err(SolveError::EventNotFinite { index, t })
    }

    /// Zeros between the last sample and the next one; beyond that one there may be one more.
    fn zeros(
        &mut self,
        index: usize,
        view: &StepView<'_>,
        (next, beyond): (EventValue, Option<EventValue>),
        found: &mut Vec<EventZero>,
    ) -> Result<(), SolveError> {
        let mut from = self.last;
        let (mut sign_from, sign_next) = (self.sign, sign(next.value));
        if sign_from == 0 {
            let t = from.t + LEAVING * (next.t - from.t);
            from = self.sample(index, t, &view.state(t))?;
            sign_from = sign(from.value);
            if core::mem::take(&mut self.zero_at_start) {
                let leaves = if sign_from == 0 { sign_next } else { sign_from };
                found.push(EventZero { t: self.last.t, of: index, passes: passing(leaves) });
            }
        }
        if sign_from == 0 {
            return Ok(());
        }
        let before = self.before;
        let mut failed = None;
        let mut value = |t: f64| {
            if failed.is_none() {
                match self.sample(index, t, &view.state(t)) {
                    Ok(sample) => return sample.value,
                    Err(error) => failed = Some(error),
                }
            }
            // Ends every search.
            0.0
        };
        let (accuracy, direction) = (f64::EPSILON * view.span.abs(), (next.t - from.t).signum());
        let mut root = |a: EventValue, b: EventValue, value: &mut dyn FnMut(f64) -> f64| {
            let (start, end) = ((a.t, a.value), (b.t, b.value));
            let mut zero =
                if b.value == 0.0 { end } else { zero_between(start, end, accuracy, value) };
            let just_before = (4.0 * accuracy).max(f64::EPSILON * zero.0.abs()) * direction;
            if zero.1 == 0.0 && value(zero.0 - just_before) == 0.0 {
                // It has been zero for a while. For the search, zeros count as the other sign: it finds where they
                // begin.
                let mut jumping = |t: f64| {
                    let value = value(t);
                    if value == 0.0 { -a.value } else { value }
                };
                zero = zero_between(start, (zero.0, -a.value), accuracy, &mut jumping);
            }
            found.push(EventZero { t: zero.0, of: index, passes: passing(-sign(a.value)) });
        };
        if sign_next == sign_from {
            // Going down towards zero before, and up again after: is there a dip below zero between? Where the points
            // beside deny it, the function may have turned since: it is asked for its slope.
            let side = f64::from(sign_from);
            let mut distance = |t: f64| side * value(t);
            let mut falls = |end: EventValue, other: EventValue| {
                distance(end.t + SLOPE * (other.t - end.t)) < side * end.value
            };
            let is_larger = |beside: Option<EventValue>, end: EventValue| {
                beside.is_none_or(|beside| beside.value.abs() > end.value.abs())
            };
            if (is_larger(before, from) || falls(from, next))
                && (is_larger(beyond, next) || falls(next, from))
            {
                let ends = ((from.t, side * from.value), (next.t, side * next.value));
                if let Some((t, depth)) = dips_below_zero(ends.0, ends.1, &mut distance) {
                    let lowest = EventValue { t, value: side * depth };
                    root(from, lowest, &mut value);
                    root(lowest, next, &mut value);
                }
            }
        } else {
            root(from, next, &mut value);
        }
        failed.map_or(Ok(()), Err)
    }
}

impl<'e, 'a> Watch<'e, 'a> {
    #[inline]
    pub(super) fn new(events: &'e mut [Event<'a>]) -> Self {
        if events.is_empty() {
            return Self::default();
        }
        let nowhere = EventValue { t: f64::NAN, value: 0.0 };
        let watched = events.iter_mut().map(|event| WatchedEvent {
            event,
            points: Vec::new(),
            before: None,
            last: nowhere,
            sign: 0,
            zero_at_start: false,
        });
        let watched: Vec<_> = watched.collect();
        let here = vec![nowhere; watched.len()];
        Self { watched, found: Vec::new(), ahead: here.clone(), here }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    /// All events that happened, function by function.
    #[inline]
    pub(super) fn into_points(self) -> Vec<Vec<EventPoint>> {
        if self.is_empty() {
            return Vec::new();
        }
        self.watched.into_iter().map(|watched| watched.points).collect()
    }

    /// The motion starts here, or goes on from here after a change, in a run of that length.
    pub(super) fn begin(
        &mut self,
        t: f64,
        state: &State,
        (run, span): (bool, f64),
    ) -> Result<(), SolveError> {
        for (index, watched) in self.watched.iter_mut().enumerate() {
            let last = watched.points.last();
            let just_happened = !run && last.is_some_and(|point| simultaneous(point.t, t, span));
            watched.last = watched.sample(index, t, state)?;
            watched.before = None;
            watched.sign = if just_happened { 0 } else { sign(watched.last.value) };
            watched.zero_at_start = run && watched.sign == 0;
        }
        Ok(())
    }

    /// Looks for events in a step; the first that ends or changes the motion cuts the step.
    pub(super) fn search(
        &mut self,
        view: &StepView<'_>,
        control: &Control,
    ) -> Result<Option<Cut>, SolveError> {
        let (start, h) = (view.step.t, view.end - view.step.t);
        let parts = (h.abs() * view.rate / FRAC_PI_8).ceil().max(1.0);
        let mut part = 1.0;
        self.look_ahead(view, if parts > 1.0 { start + h / parts } else { view.end })?;
        while part <= parts {
            control.check()?;
            core::mem::swap(&mut self.here, &mut self.ahead);
            // One point further, beyond the step if need be.
            let t = if part + 1.0 < parts {
                start + h * ((part + 1.0) / parts)
            } else if part < parts {
                view.end
            } else {
                view.end + h / parts
            };
            let known = if h < 0.0 { t >= view.limit } else { t <= view.limit };
            if known {
                self.look_ahead(view, t)?;
            }
            self.found.clear();
            for (index, watched) in self.watched.iter_mut().enumerate() {
                let ahead = known.then(|| self.ahead[index]);
                watched.zeros(index, view, (self.here[index], ahead), &mut self.found)?;
            }
            if let Some(cut) = self.happen(view)? {
                return Ok(Some(cut));
            }
            for (watched, here) in self.watched.iter_mut().zip(&self.here) {
                watched.before = Some(watched.last);
                watched.last = *here;
                watched.sign = sign(here.value);
            }
            part += 1.0;
        }
        Ok(None)
    }

    fn look_ahead(&mut self, view: &StepView<'_>, t: f64) -> Result<(), SolveError> {
        let state = view.state(t);
        for (index, watched) in self.watched.iter_mut().enumerate() {
            self.ahead[index] = watched.sample(index, t, &state)?;
        }
        Ok(())
    }

    /// The events that were found happen, in order, until one cuts the step.
    fn happen(&mut self, view: &StepView<'_>) -> Result<Option<Cut>, SolveError> {
        let backwards = view.end < view.step.t;
        self.found.sort_by(|a, b| {
            let order = a.t.total_cmp(&b.t);
            (if backwards { order.reverse() } else { order }).then(a.of.cmp(&b.of))
        });
        let mut cut: Option<Cut> = None;
        for found in &self.found {
            let mut found = *found;
            if let Some(cut) = &cut {
                if !simultaneous(found.t, cut.t, view.span) {
                    break;
                }
                // Where the motion goes on the function may be past its zero already.
                found.t = cut.t;
            }
            let watched = &mut self.watched[found.of];
            let directions = [watched.event.direction, found.passes];
            let wanted = directions[0] == directions[1] || directions.contains(&Direction::Either);
            if !wanted || watched.points.last().is_some_and(|point| point.t == found.t) {
                continue;
            }
            let state = if found.t == view.step.t {
                view.engine.leave(found.t, &view.step.from)
            } else {
                view.state(found.t)
            };
            watched.points.push(EventPoint { t: found.t, state });
            let ends = watched.event.terminal_after == Some(watched.points.len() as u64);
            let (index, action) = (found.of, &mut watched.event.action);
            if !ends && action.is_none() {
                continue;
            }
            let cut = cut.get_or_insert_with(|| Cut {
                t: found.t,
                state,
                change: Change::none(),
                ended_by: None,
            });
            if let Some(action) = action {
                let now = cut.change.state.unwrap_or(state);
                let change = action(found.t, &now);
                if let Some(state) = change.state {
                    let checked = State::new(state.m, state.q);
                    let t = found.t;
                    let state =
                        checked.map_err(|source| SolveError::EventState { index, t, source })?;
                    cut.change.state = Some(state);
                }
                cut.change.torque = change.torque.or(cut.change.torque.take());
            }
            if ends && cut.ended_by.is_none() {
                cut.ended_by = Some(index);
            }
        }
        Ok(cut)
    }
}
