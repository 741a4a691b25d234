//! The loop over steps.

use std::borrow::Cow;
use std::sync::Arc;

use super::aim::Aim;
use super::course::{Course, CoursePlan};
use super::engine::{DoneStep, Engine, Node, Outcome, Scratch, larger};
use super::solution::{Piece, Solution, Statistics};
use super::solver::Solver;
use super::storage::Storage;
use super::watch::{Cut, StepView, Watch};
use super::{Event, SolveError, SolveMethod};
use crate::{Control, State, Torque};

/// Over so many radians an event is looked for first that ends the run; where that is refused, over fewer.
const FIRST_RADIANS: f64 = 16.0;
const LEAST_RADIANS: f64 = 1.0;

/// Solves until a time, or to an event before it that ends the run.
pub(super) fn solve(solver: &mut Solver<'_>, until: f64) -> Result<Solution, SolveError> {
    let speed = solver.speed(&solver.problem.start());
    let mut events = core::mem::take(&mut solver.events);
    if events.iter().any(|event| event.terminal_after.is_some())
        && events.iter().all(|event| event.action.is_none())
    {
        return solve_to_event(solver, &mut events, until, speed);
    }
    let aim = solver.aim(until, speed)?;
    run(solver, &mut events, until, (aim, speed))
}

/// Solves until an event ends the run, over spans that double: what is aimed at is the end of the span in hand, not a
/// time that may be so late that nothing can be known of it. Not for events with actions, which would be done again
/// with every span.
#[cold]
fn solve_to_event<'a>(
    solver: &mut Solver<'a>,
    events: &mut [Event<'a>],
    until: f64,
    speed: f64,
) -> Result<Solution, SolveError> {
    let t0 = solver.problem.t0();
    let (radians, mut evaluations) = radians(solver, until)?;
    let reach = |part: f64| if part < 1.0 { t0 + part * (until - t0) } else { until };
    let mut part = (FIRST_RADIANS / radians).min(1.0);
    let mut aim = solver.aim(reach(part), speed);
    while aim.is_err() && part * radians > LEAST_RADIANS {
        solver.control.check()?;
        part *= 0.5;
        aim = solver.aim(reach(part), speed);
    }
    // Of such a run it is not known how much of it is done.
    let silent = solver.control.silent();
    let control = core::mem::replace(&mut solver.control, silent);
    let times = solver.times.clone();
    loop {
        solver.times.clone_from(&times);
        let mut solution = run(solver, events, reach(part), (aim?, speed))?;
        evaluations += solution.statistics.evaluations;
        if solution.ended_by.is_some() || reach(part) == until {
            solution.statistics.evaluations = evaluations;
            control.report(1.0);
            return Ok(solution);
        }
        part *= 2.0;
        aim = solver.aim(reach(part), speed);
    }
}

/// How far a body would turn until a time if it went on as it starts, and how often the torque was evaluated to tell.
fn radians(solver: &Solver<'_>, until: f64) -> Result<(f64, u64), SolveError> {
    let (t0, start) = (solver.problem.t0(), solver.problem.start());
    let (torque, tolerance) = (solver.problem.torques(), solver.relative.min(solver.angle));
    let engine = solver.engine(torque, false, tolerance, (t0, start), t0)?;
    let mut scratch = Scratch::new(false);
    let node = engine.enter(t0, &start, &mut scratch);
    let rate = finite_rate(&*engine, t0, &node)?;
    // The closed form, whose steps are as long as one likes, has no rate.
    let rate = if rate > 0.0 { rate } else { engine.fastest_turn(&node) };
    Ok((rate * (until - t0).abs(), scratch.evaluations))
}

/// Solves until a time, with that aim, for a motion that starts at that speed.
fn run<'a>(
    solver: &mut Solver<'a>,
    events: &mut [Event<'a>],
    until: f64,
    (aim, speed): (Aim, f64),
) -> Result<Solution, SolveError> {
    let mut run = Run::new(solver, events, until, (aim, speed));
    let mut at = run.begin()?;
    let problem = run.solver.problem;
    loop {
        let engine = run.engine(at)?;
        let mut node = engine.enter(at.0, &at.1, &mut run.scratch);
        let rate = finite_rate(&*engine, at.0, &node)?;
        let stops = run.stops(at.0);
        let mut course = run.course(&engine, at.0, (&node, rate), &stops)?;
        let Some(cut) = run.steps(&engine, &stops, &mut course, &mut node)? else {
            let t = course.t;
            return Ok(run.finish((t, engine.leave(t, &node)), None));
        };
        run.want = Some(course.pace.want);
        let ended_by = cut.ended_by;
        at = run.change(cut)?;
        if ended_by.is_some() || at.0 == until {
            return Ok(run.finish(at, ended_by));
        }
        run.watch.begin(at.0, &at.1, (false, until - problem.t0()))?;
    }
}

/// How fast things happen there, unless the torque is not finite.
#[inline(always)]
pub(super) fn finite_rate(engine: &dyn Engine, t: f64, node: &Node) -> Result<f64, SolveError> {
    let rate = engine.rate(t, node);
    if rate.is_finite() { Ok(rate) } else { Err(SolveError::TorqueNotFinite { t }) }
}

/// A solution in the making.
pub(super) struct Run<'s, 'a> {
    pub(super) solver: &'s Solver<'a>,
    until: f64,
    aim: Aim,
    /// What acts now, whether an event has changed it or the motion, and by which method it is solved.
    torque: Cow<'s, Torque>,
    changed: bool,
    method: SolveMethod,
    watch: Watch<'s, 'a>,
    control: &'s Control,
    kept: Storage,
    pub(super) scratch: Scratch,
    statistics: Statistics,
    /// What the engine stores with the step in hand.
    dense: Vec<f64>,
    /// The first step of the next piece, once one is known.
    want: Option<f64>,
    /// How fast the body turned at most, and last.
    speeds: (f64, f64),
    /// How far it has turned.
    radians: f64,
    /// How fast things happen at its start, or after an event, were there no torque.
    speed: f64,
}

impl<'s, 'a> Run<'s, 'a> {
    /// Takes from the solver what it is to keep.
    #[inline(always)]
    pub(super) fn new(
        solver: &'s mut Solver<'a>,
        events: &'s mut [Event<'a>],
        until: f64,
        (aim, speed): (Aim, f64),
    ) -> Self {
        let watch = Watch::new(events);
        let forwards = until >= solver.problem.t0();
        let kept = Storage::new(solver.times.take(), solver.dense, forwards);
        let within = !watch.is_empty() || kept.may_look_within();
        let solver: &Solver<'a> = solver;
        Self {
            until,
            aim,
            torque: Cow::Borrowed(solver.problem.torques()),
            changed: false,
            method: SolveMethod::Extrapolation,
            watch,
            control: &solver.control,
            kept,
            scratch: Scratch::new(within),
            statistics: Statistics::default(),
            dense: Vec::new(),
            want: solver.first_step,
            speeds: (0.0, 0.0),
            radians: 0.0,
            speed,
            solver,
        }
    }

    /// When and where it starts.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> Result<(f64, State), SolveError> {
        let (t0, start) = (self.solver.problem.t0(), self.solver.problem.start());
        self.watch.begin(t0, &start, (true, self.until - t0))?;
        self.kept.start(t0, &start);
        Ok((t0, start))
    }

    /// What makes the steps from this time and state on.
    #[inline(always)]
    pub(super) fn engine(&mut self, at: (f64, State)) -> Result<Arc<dyn Engine>, SolveError> {
        let Self { solver, until, aim, ref torque, changed, radians, .. } = *self;
        self.method = solver.method_for(torque, changed);
        let ahead = self.speed * (until - at.0).abs();
        let [strict, _] = aim.strictness(radians, ahead, self.method);
        let tolerance = aim.wanted().least() / strict;
        solver.engine(torque, changed, tolerance, at, until)
    }

    /// Where the torque jumps from this time on, in the order in which these times are passed.
    pub(super) fn stops(&self, t: f64) -> Vec<f64> {
        self.solver.all_stops(&self.torque, self.changed, t, self.until)
    }

    /// The steps by that engine from this time and node on, where things happen so fast.
    #[inline(always)]
    pub(super) fn course(
        &mut self,
        engine: &Arc<dyn Engine>,
        t: f64,
        (node, rate): (&Node, f64),
        stops: &[f64],
    ) -> Result<Course, SolveError> {
        let Self { solver, until, aim, radians, want: first, .. } = *self;
        if self.scratch.within {
            self.dense.resize(engine.dense_size(), 0.0);
        }
        self.kept.drop_empty_piece();
        if let Some(pieces) = &mut self.kept.pieces {
            pieces.push(Piece { engine: Arc::clone(engine), steps: Vec::new(), dense: Vec::new() });
        }
        let max_step = solver.max_step;
        let plan = CoursePlan { aim, stops, until, radians, rate, max_step, first };
        let course = Course::new(&**engine, (t, node), plan);
        course.check_times()?;
        Ok(course)
    }

    /// Makes all steps that are left, until an event cuts one.
    #[inline(always)]
    pub(super) fn steps(
        &mut self,
        engine: &Arc<dyn Engine>,
        stops: &[f64],
        course: &mut Course,
        start: &mut Node,
    ) -> Result<Option<Cut>, SolveError> {
        let mut nodes = [*start; 2];
        // Taken by turns, so that none is moved.
        let [mut node, mut next] = nodes.each_mut();
        while course.has_next(&**engine, stops, node, &mut self.scratch) {
            let outcome = engine.attempt(&course.attempt(node), &mut self.scratch, next);
            if outcome.ratio <= 1.0 {
                if let Some(cut) = self.accept(engine, course, outcome, [node, next])? {
                    return Ok(Some(cut));
                }
                core::mem::swap(&mut node, &mut next);
            } else {
                self.reject(engine, course, outcome, node)?;
            }
        }
        *start = *node;
        Ok(None)
    }

    /// A step that met its tolerance. If an event cuts it, where.
    #[inline(always)]
    pub(super) fn accept(
        &mut self,
        engine: &Arc<dyn Engine>,
        course: &mut Course,
        outcome: Outcome,
        [from, to]: [&Node; 2],
    ) -> Result<Option<Cut>, SolveError> {
        self.control.check()?;
        self.statistics.steps += 1;
        if !self.watch.is_empty() || self.kept.asks(course.end) {
            let asked = course.attempt(from).t;
            let done = DoneStep { t: course.t, asked, h: course.step, from: *from };
            if let Some(cut) = self.look_into(engine, &done, (course.end, to), course.target)? {
                return Ok(Some(cut));
            }
        }
        let start = self.solver.problem.t0();
        self.control.report((course.end - start) / (self.until - start));
        let speed = outcome.angle * (1.0 / course.step.abs());
        self.radians += outcome.angle;
        self.aim.check_turned(self.radians)?;
        self.speeds = (larger(self.speeds.0, speed), speed);
        course.accepted(&**engine, outcome, self.radians, to);
        Ok(None)
    }

    /// A step that did not.
    #[inline(always)]
    pub(super) fn reject(
        &mut self,
        engine: &Arc<dyn Engine>,
        course: &mut Course,
        outcome: Outcome,
        node: &Node,
    ) -> Result<(), SolveError> {
        self.statistics.rejected += 1;
        course.rejected(&**engine, outcome.ratio, node)?;
        Ok(self.control.check()?)
    }

    /// Does what an event says: when and where the motion goes on, if it does.
    fn change(&mut self, cut: Cut) -> Result<(f64, State), SolveError> {
        let state = cut.change.state.unwrap_or(cut.state);
        self.changed |= cut.change.torque.is_some() || cut.change.state.is_some();
        if let Some(new) = cut.change.torque {
            new.check(self.solver.problem.inertia())?;
            new.check_times([cut.t, self.until])?;
            self.torque = Cow::Owned(new);
        }
        self.kept.replace_last(cut.t, &state);
        self.speed = self.solver.speed(&state);
        Ok((cut.t, state))
    }

    /// All that is kept of a motion without events that has come to its end.
    pub(super) fn take_states(&mut self) -> Vec<State> {
        self.kept.end(None);
        core::mem::take(&mut self.kept.states)
    }

    /// The solution, which ends there.
    #[inline(always)]
    fn finish(mut self, end: (f64, State), ended_by: Option<usize>) -> Solution {
        self.control.report(1.0);
        self.kept.end(ended_by.map(|_| end));
        self.statistics.evaluations = self.scratch.evaluations + self.aim.evaluations();
        let Storage { times, states, pieces, .. } = self.kept;
        Solution {
            t0: self.solver.problem.t0(),
            end,
            times,
            states,
            pieces,
            method: self.method,
            statistics: self.statistics,
            events: self.watch.into_points(),
            ended_by,
            changed: self.changed,
            error_estimate: None,
            slowed: if self.speeds.1 > 0.0 { self.speeds.0 / self.speeds.1 } else { 1.0 },
            radians: self.radians,
        }
    }

    /// Shows a step to the events, and keeps it. If an event cuts it, where.
    fn look_into(
        &mut self,
        engine: &Arc<dyn Engine>,
        step: &DoneStep,
        (end, to): (f64, &Node),
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
