//! The loop over steps.

use std::borrow::Cow;
use std::sync::Arc;

use super::SolveError;
use super::aim::Aim;
use super::engine::{Attempt, DoneStep, Engine, Node, Outcome, Scratch};
use super::pace::Pace;
use super::solution::{Piece, Solution, Statistics};
use super::solver::Solver;
use super::watch::{Cut, StepView, Watch};
use crate::{Control, State};

/// Steps that fail one after the other until there is no hope: each is at most 0.8 of the one before.
const MOST_REJECTED: u32 = 200;

/// A step shorter than so many ulp of the time is none.
const SHORTEST: f64 = 8.0 * f64::EPSILON;

/// So many failed steps within this part of the time: no hope either. Next to a singularity the rounded time lets
/// the torque jump from step to step, and of steps a little longer than the shortest it would take millions.
const STUCK: (u32, f64) = (100, 1e-9);

/// What is kept of a solution.
struct Storage {
    times: Vec<f64>,
    states: Vec<State>,
    /// None if only the chosen times are kept, or the ends of steps.
    pieces: Option<Vec<Piece>>,
    /// The times that were chosen, and how many of them are passed; none if the ends of steps are kept.
    chosen: Option<(Vec<f64>, usize)>,
    forwards: bool,
}

/// How a piece of the motion ended.
enum PieceEnd {
    AtTheEnd,
    Cut(Cut),
}

/// A solution in the making.
struct Run<'s, 'a> {
    solver: &'s Solver<'a>,
    until: f64,
    watch: Watch<'a>,
    control: &'s Control,
    kept: Storage,
    scratch: Scratch,
    statistics: Statistics,
    /// What the engine stores with the step in hand.
    dense: Vec<f64>,
    /// The first step of the next piece, once one is known.
    want: Option<f64>,
    /// How fast the body turned at most, and last.
    speeds: (f64, f64),
    /// How far it has turned.
    radians: f64,
    /// Where the torque jumps, as the user says and as it says itself, in the order in which they are passed.
    stops: Vec<f64>,
}

/// Solves until a time.
pub(super) fn solve(solver: &mut Solver<'_>, until: f64) -> Result<Solution, SolveError> {
    let watch = Watch::new(core::mem::take(&mut solver.events));
    let chosen = solver.times.take().map(|times| (times, 0));
    let whole = solver.dense && chosen.is_none();
    let pieces = whole.then(Vec::new);
    let run = Run {
        until,
        watch,
        control: &solver.control,
        kept: Storage {
            times: Vec::new(),
            states: Vec::new(),
            pieces,
            chosen,
            forwards: until >= solver.problem.t0(),
        },
        scratch: Scratch { stages: Vec::new(), evaluations: 0, last: f64::NAN, least: 0.0 },
        statistics: Statistics::default(),
        dense: Vec::new(),
        want: solver.first_step,
        speeds: (0.0, 0.0),
        radians: 0.0,
        stops: Vec::new(),
        solver,
    };
    run.all()
}

impl Run<'_, '_> {
    fn all(mut self) -> Result<Solution, SolveError> {
        let problem = self.solver.problem;
        let (t0, start) = (problem.t0(), problem.start());
        let mut torque = Cow::Borrowed(problem.torques());
        let (mut at, mut changed) = ((t0, start), false);
        let mut speed = self.solver.speed(&start);
        let aim = self.solver.aim(self.until, speed)?;
        let span = self.until - t0;
        self.watch.begin(t0, &start, (true, span))?;
        self.kept.start(t0, &start);
        let (method, end, ended_by) = loop {
            let method = self.solver.method_for(&torque, changed);
            let ahead = speed * (self.until - at.0).abs();
            let strict = aim.strictness(self.radians + ahead, method);
            let tolerance = aim.wanted().least() / strict;
            let engine = self.solver.engine(&torque, changed, tolerance, at, self.until)?;
            self.stops = self.solver.all_stops(&torque, changed, at.0, self.until);
            match self.piece(&engine, &aim, at)? {
                (PieceEnd::AtTheEnd, end) => break (method, end, None),
                (PieceEnd::Cut(cut), _) => {
                    let state = cut.change.state.unwrap_or(cut.state);
                    at = (cut.t, state);
                    changed |= cut.change.torque.is_some() || cut.change.state.is_some();
                    if let Some(new) = cut.change.torque {
                        new.check(problem.inertia())?;
                        new.check_times([cut.t, self.until])?;
                        torque = Cow::Owned(new);
                    }
                    self.kept.replace_last(cut.t, &state);
                    if cut.ended_by.is_some() || cut.t == self.until {
                        break (method, at, cut.ended_by);
                    }
                    self.watch.begin(cut.t, &state, (false, span))?;
                    speed = self.solver.speed(&state);
                }
            }
        };
        self.control.report(1.0);
        if ended_by.is_some() {
            self.kept.end(end);
        }
        self.kept.drop_empty_piece();
        self.statistics.evaluations = self.scratch.evaluations + aim.evaluations();
        let Storage { times, states, pieces, .. } = self.kept;
        Ok(Solution {
            t0,
            end,
            times,
            states,
            pieces,
            method,
            statistics: self.statistics,
            events: self.watch.into_points(),
            ended_by,
            changed,
            error_estimate: None,
            slowed: if self.speeds.1 > 0.0 { self.speeds.0 / self.speeds.1 } else { 1.0 },
            radians: self.radians,
        })
    }

    /// The motion with one torque, until the end or an event that changes it.
    fn piece(
        &mut self,
        engine: &Arc<dyn Engine>,
        aim: &Aim,
        (t0, state): (f64, State),
    ) -> Result<(PieceEnd, (f64, State)), SolveError> {
        let size = engine.dense_size();
        self.dense.resize(size, 0.0);
        let mut nodes = [engine.enter(t0, &state, &mut self.scratch); 2];
        // Taken by turns, so that none is moved.
        let [mut node, mut next] = nodes.each_mut();
        let start = self.solver.problem.t0();
        let mut t = t0;
        let span = (self.until - t0).abs();
        let rate = engine.rate(t, node);
        if !rate.is_finite() {
            return Err(SolveError::TorqueNotFinite { t });
        }
        let limit = self.solver.max_step;
        // By how far the body will have turned if it goes on so.
        let (method, wanted) = (engine.method(), aim.wanted());
        let strictest = wanted.strictest(engine.floor());
        let mut strict = aim.strictness(self.radians + engine.turn(node).max(rate) * span, method);
        let tolerance = wanted.least() / strict.min(strictest[0].min(strictest[1]));
        let order = (engine.error_order(), engine.first());
        let mut pace = Pace::new(method, order, (rate, span), tolerance, limit);
        if let Some(want) = self.want {
            pace = pace.starting_with(want);
        }
        self.kept.drop_empty_piece();
        if let Some(pieces) = &mut self.kept.pieces {
            pieces.push(Piece { engine: Arc::clone(engine), steps: Vec::new(), dense: Vec::new() });
        }
        let forwards = self.until >= t0;
        let stops = core::mem::take(&mut self.stops);
        let passed =
            |t: f64| stops.partition_point(|stop| if forwards { *stop <= t } else { *stop >= t });
        // Next to a time, on the side where the run goes.
        let after = |t: f64| if forwards { t.next_up() } else { t.next_down() };
        let before = |t: f64| if forwards { t.next_down() } else { t.next_up() };
        let jumps = |t: f64| passed(t).checked_sub(1).is_some_and(|last| stops[last] == t);
        let mut jumped = jumps(t0);
        for target in stops[passed(t0)..].iter().copied().chain([self.until]) {
            if t == target {
                continue;
            }
            self.scratch.last = if jumps(target) { before(target) } else { target };
            if jumped {
                *node = engine.after_jump(after(t), node, &mut self.scratch);
            }
            let mut left = pace.parts((target - t).abs(), engine.longest(node));
            let mut h = (target - t) / left;
            let mut failed = 0;
            // Failed steps since that time.
            let mut stuck = (0, t);
            while left > 0.5 {
                // The time after the step is a double; the step is what lies between.
                let end = if left < 1.5 { target } else { t + h };
                let step = end - t;
                let at = if jumped { after(t) } else { t };
                let strict_step = strictest.map(|most| strict.min(most));
                let tried =
                    Attempt { t: at, h: step, from: node, wanted: &wanted, strict: strict_step };
                let Outcome { ratio, angle } = engine.attempt(&tried, &mut self.scratch, next);
                if ratio <= 1.0 {
                    self.control.check()?;
                    self.statistics.steps += 1;
                    if !self.watch.is_empty() || self.kept.asks(end) {
                        let done = DoneStep { t, h: step, from: *node };
                        if let Some(cut) = self.accept(engine, &done, end, next, target)? {
                            let (t, state) = (cut.t, cut.state);
                            self.want = Some(pace.want);
                            return Ok((PieceEnd::Cut(cut), (t, state)));
                        }
                    }
                    self.control.report((end - start) / (self.until - start));
                    t = end;
                    core::mem::swap(&mut node, &mut next);
                    jumped = t == target && jumps(t);
                    let over = 1.0 / step.abs();
                    let speed = angle * over;
                    self.radians += angle;
                    self.speeds = (self.speeds.0.max(speed), speed);
                    let rest = (self.until - t).abs() * over;
                    strict = aim.strictness(self.radians + angle * rest, method);
                    failed = 0;
                    left -= 1.0;
                    if left > 0.5 && pace.accepted(step.abs(), ratio) {
                        left = pace.parts((target - t).abs(), engine.longest(node));
                        h = (target - t) / left;
                    }
                } else {
                    self.statistics.rejected += 1;
                    failed += 1;
                    pace.rejected(step.abs(), ratio);
                    stuck.0 += 1;
                    let still = stuck.0 == STUCK.0 && (t - stuck.1).abs() <= STUCK.1 * t.abs();
                    if failed > MOST_REJECTED || pace.want <= SHORTEST * t.abs() || still {
                        return Err(too_small(&**engine, t, node, step));
                    }
                    if stuck.0 == STUCK.0 {
                        stuck = (0, t);
                    }
                    left = ((target - t).abs() / pace.want).ceil().max(1.0);
                    h = (target - t) / left;
                    self.control.check()?;
                }
            }
        }
        self.want = Some(pace.want);
        Ok((PieceEnd::AtTheEnd, (t, engine.leave(t, node))))
    }

    /// A step that met its tolerance: shown to the events, and kept. If an event cuts it, where.
    fn accept(
        &mut self,
        engine: &Arc<dyn Engine>,
        step: &DoneStep,
        end: f64,
        to: &Node,
        target: f64,
    ) -> Result<Option<Cut>, SolveError> {
        let (kept, watched) = (&mut self.kept, !self.watch.is_empty());
        if !self.dense.is_empty() && (watched || kept.looks_within(end)) {
            engine.dense(step, to, &mut self.scratch, &mut self.dense);
        }
        let view = StepView {
            engine: &**engine,
            step,
            dense: &self.dense,
            end,
            rate: if watched {
                engine.fastest_turn(&step.from).max(engine.fastest_turn(to))
            } else {
                0.0
            },
            limit: target,
            span: self.until - self.solver.problem.t0(),
        };
        let cut = if watched { self.watch.search(&view, self.control)? } else { None };
        let (end, after) = match &cut {
            Some(cut) => (cut.t, cut.state),
            None => (end, engine.leave(end, to)),
        };
        kept.step(&view, end, &after);
        Ok(cut)
    }
}

/// Why steps do not become short enough.
fn too_small(engine: &dyn Engine, t: f64, node: &Node, step: f64) -> SolveError {
    if engine.rate(t, node).is_finite() {
        return SolveError::StepTooSmall { t, step };
    }
    SolveError::TorqueNotFinite { t }
}

impl Storage {
    fn start(&mut self, t: f64, state: &State) {
        match &mut self.chosen {
            Some((times, passed)) if times.first() == Some(&t) => *passed = 1,
            Some(_) => return,
            None => {}
        }
        self.times.push(t);
        self.states.push(*state);
    }

    /// A piece that an event has cut where it started has no steps, and is none.
    fn drop_empty_piece(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.pop_if(|piece| piece.steps.is_empty());
        }
    }

    /// Whether a time within the step that ends there may be asked for.
    fn looks_within(&self, end: f64) -> bool {
        match &self.chosen {
            Some((times, passed)) => {
                times.get(*passed).is_some_and(|&t| if self.forwards { t <= end } else { t >= end })
            }
            None => self.pieces.is_some(),
        }
    }

    /// Whether anything of the step that ends there is kept.
    fn asks(&self, end: f64) -> bool {
        self.chosen.is_none() || self.looks_within(end)
    }

    fn step(&mut self, view: &StepView<'_>, end: f64, after: &State) {
        let start = view.step.t;
        if end == start {
            return;
        }
        if let Some(piece) = self.pieces.as_mut().and_then(|pieces| pieces.last_mut()) {
            piece.steps.push(*view.step);
            piece.dense.extend_from_slice(view.dense);
        }
        let Some((times, passed)) = &mut self.chosen else {
            self.times.push(end);
            self.states.push(*after);
            return;
        };
        while let Some(&t) = times.get(*passed) {
            if if self.forwards { t > end } else { t < end } {
                break;
            }
            self.times.push(t);
            self.states.push(if t == end { *after } else { view.state(t) });
            *passed += 1;
        }
    }

    /// The state at a time that was just kept, if it was, is another one.
    fn replace_last(&mut self, t: f64, state: &State) {
        if self.times.last() == Some(&t) {
            let last = self.states.len() - 1;
            self.states[last] = *state;
        }
    }

    /// Where an event ends the run is kept in any case.
    fn end(&mut self, (t, state): (f64, State)) {
        if self.times.last() != Some(&t) {
            self.times.push(t);
            self.states.push(state);
        }
    }
}
