//! A run to a tolerance, with rows at chosen times.
//!
//! A long span is divided into legs of equal time, in each of which the body turns so far that solving it takes
//! a moment, and is solved leg by leg, each to its part of the tolerance. So memory is bounded, and a run can
//! be saved: a checkpoint has the state at the start of a leg and how many rows are written, and can be taken
//! after any row. Legs depend on the scenario alone, so a resumed run solves what is left of its leg again and has
//! the same bits. A span that is no longer than a leg is solved as [`Problem::solve`] does.
//!
//! Beside it goes a second solution at a tenth of the tolerance. How far apart they end estimates the error.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::ProgressBar;
use polhode::observe::{Observer, Sample};
use polhode::solve::{self, BETTER, MIN_TOLERANCE, SolveMethod};
use polhode::{Control, Problem, Solution, SolveError, State, Stop};
use polhode_scenario::{RowTimes, SolutionPlan};

use super::checkpoint::{Checkpoint, CheckpointNumbers};
use super::course::{Extent, Finish, Position, RunCourse, RunWatch};
use super::leg::{self, LegStart, SolvedLeg};
use super::windows::Windows;
use super::{interrupt, progress};
use crate::failure::Failure;
use crate::numbers::time;

/// Progress and Ctrl-C are looked at once in so many steps or rows.
const GLANCE: u64 = 64;

/// Events are found to this part of the span.
const EVENT_TIME: f64 = 1e-12;

/// Thousandths of the span, which is what the bar shows.
const PARTS: f64 = 1000.0;

/// A solution, some of it done.
pub(super) struct SolutionLegs<'a> {
    name: &'a str,
    problem: &'a Problem,
    solving: &'a SolutionPlan,
    until: f64,
    legs: u64,
    /// Where the leg in hand starts.
    at: LegStart,
    /// The same leg if it is solved and not all of its rows are written.
    in_hand: Option<SolvedLeg>,
    rows_done: u64,
    /// When `[run] stop_when` has become true.
    stopped: Option<f64>,
}

impl<'a> SolutionLegs<'a> {
    pub(super) fn new(
        name: &'a str,
        problem: &'a Problem,
        solving: &'a SolutionPlan,
        until: f64,
    ) -> Self {
        let state = problem.start();
        let at =
            LegStart { leg: 0, state, better: Some(state), steps: 0, rejected: 0, evaluations: 0 };
        let legs = leg::count(problem, solving, until);
        Self { name, problem, solving, until, legs, at, in_hand: None, rows_done: 0, stopped: None }
    }

    /// The time at which a leg starts, or the one before ends.
    fn time(&self, leg: u64) -> f64 {
        let t0 = self.problem.t0();
        if leg == self.legs {
            return self.until;
        }
        t0 + (self.until - t0) * (leg as f64 / self.legs as f64)
    }

    /// The time of the last row written.
    fn last_row(&self) -> Option<f64> {
        self.rows_done.checked_sub(1).map(|last| self.solving.rows.time(last))
    }

    /// The time of the end: as said in the scenario, or where the run was stopped.
    fn end(&self) -> f64 {
        self.stopped.unwrap_or(self.until)
    }

    /// Solves a leg from a state until its end, to this tolerance for the whole run; the conditions are looked at if
    /// they are given, and then the whole solution is kept.
    fn solve(
        &self,
        from: State,
        end: f64,
        tolerance: f64,
        method: SolveMethod,
        control: Control,
        windows: Option<&Windows<'_>>,
    ) -> Result<Solution, SolveError> {
        let begin = self.time(self.at.leg);
        let problem = self.problem.clone().starting_at(begin).starting_from(from);
        // Stops at the ends of the leg count, too: the torque there is taken on the leg's own side.
        let within = |stop: &&f64| (begin.min(end)..=begin.max(end)).contains(*stop);
        let stops: Vec<f64> = self.solving.stops.iter().filter(within).copied().collect();
        let solver = problem.solver().method(method).stops(&stops).control(control);
        // An error of the momentum makes one of the phase in every leg that follows: they grow with the square.
        let square = (self.legs as f64).powi(2);
        let solver = solver.tolerance((tolerance / square).max(MIN_TOLERANCE));
        let solved = match windows {
            Some(windows) => windows.watched_by(solver).until(end),
            None => solver.times(&[]).until(end),
        };
        solved.map_err(|e| match e {
            // What is said of a leg holds for all of them.
            SolveError::Rounding { radians, floor, .. } => SolveError::Rounding {
                tolerance,
                radians: self.legs as f64 * radians,
                floor: square * floor,
            },
            SolveError::Sensitive { growth, floor, .. } => {
                SolveError::Sensitive { tolerance, growth, floor }
            }
            e => e,
        })
    }

    /// A better solution at the end of the leg in hand than this one.
    fn better(&self, first: &Solution, control: &Control) -> Result<Option<State>, SolveError> {
        let SolutionPlan { tolerance, method, .. } = *self.solving;
        let (Some(from), false) = (self.at.better, method == SolveMethod::ClosedForm) else {
            return Ok(None);
        };
        let solved = |tolerance: f64, method: SolveMethod| {
            self.solve(from, first.end().0, tolerance, method, control.clone(), None)
        };
        let mut found = None;
        for part in BETTER {
            match solved(part * tolerance, method) {
                Ok(solution) => {
                    found = Some(solution.end().1);
                    // In as many steps it is the same one: a few may be good enough for both.
                    if solve::is_better(solution.statistics(), first.statistics()) {
                        break;
                    }
                }
                Err(e @ SolveError::Stopped(_)) => return Err(e),
                Err(_) => break,
            }
        }
        if found.is_some() {
            return Ok(found);
        }
        // Where a tenth cannot be had, an independent method at the same tolerance tells as much.
        match solved(tolerance, SolveMethod::Dop853) {
            Err(e @ SolveError::Stopped(_)) => Err(e),
            other => Ok(other.ok().map(|solution| solution.end().1)),
        }
    }

    /// Solves the leg in hand. None if that was to be stopped.
    fn solve_leg(&self, watch: &RunWatch<'_, '_>) -> Result<Option<SolvedLeg>, Failure> {
        let stop = Stop::new();
        let SolutionPlan { tolerance, method, .. } = *self.solving;
        let (leg, legs) = (self.at.leg as f64, self.legs as f64);
        // Of the time for a leg a third goes into the solution, the rest into the better one and rows.
        let watching =
            |from: f64, part: f64| watching(&stop, watch.bar, (leg + from) / legs, part / legs);
        let (from, end) = (self.at.state, self.time(self.at.leg + 1));
        let control = watching(0.0, 0.3);
        let solved = self
            .solve(from, end, tolerance, method, control, Some(watch.windows))
            .and_then(|solution| {
                let better = self.better(&solution, &watching(0.3, 0.4))?;
                let mut leg = SolvedLeg::new(solution, better);
                if let Some(last) = self.last_row() {
                    leg.pass(last);
                }
                Ok(leg)
            });
        match solved {
            Ok(leg) => Ok(Some(leg)),
            Err(SolveError::Stopped(_)) => Ok(None),
            Err(e) => Err(self.failed(&e)),
        }
    }

    /// Solves the leg in hand and shows its rows. Whether it was done before a pause.
    fn leg(&mut self, watch: &mut RunWatch<'_, '_>) -> Result<bool, Failure> {
        let mut leg = match self.in_hand.take() {
            Some(leg) => leg,
            None => match self.solve_leg(watch)? {
                Some(leg) => leg,
                None => return Ok(false),
            },
        };
        if !self.rows(&mut leg, watch)? {
            self.in_hand = Some(leg);
            return Ok(false);
        }
        let rest = leg.pass(leg.solution.span().1);
        let SolvedLeg { solution, better, .. } = leg;
        watch.windows.see(&solution);
        let stopped = watch.windows.ends(&solution);
        if stopped {
            self.stopped = Some(solution.end().0);
        }
        let statistics = solution.statistics();
        let counts = self.solving.method != SolveMethod::ClosedForm;
        self.at = LegStart {
            leg: if stopped { self.legs } else { self.at.leg + 1 },
            state: solution.end().1,
            better,
            steps: self.at.steps + if counts { statistics.steps } else { 0 },
            rejected: self.at.rejected + statistics.rejected,
            evaluations: self.at.evaluations + statistics.evaluations,
        };
        watch.pause.after_steps(rest, false);
        if self.at.leg == self.legs {
            let left = self.stopped.is_some_and(|end| self.last_row() != Some(end));
            let row = left && self.shows_its_end();
            self.show(watch, self.rows_done, self.end(), &self.at.state, row)?;
            self.rows_done += u64::from(row);
        }
        Ok(true)
    }

    /// Whether there is a row where a run is stopped: rows at chosen times are those alone.
    fn shows_its_end(&self) -> bool {
        !matches!(self.solving.rows, RowTimes::List(_))
    }

    /// Shows the rows of a leg that are left. Whether that was done before a pause.
    fn rows(&mut self, leg: &mut SolvedLeg, watch: &mut RunWatch<'_, '_>) -> Result<bool, Failure> {
        let (t0, end) = (self.problem.t0(), leg.solution.span().1);
        let rows = &self.solving.rows;
        // Where the run is stopped there is a row, and none after the start that cannot be told from it.
        let stopped = watch.windows.ends(&leg.solution) && self.shows_its_end();
        let near = if stopped { EVENT_TIME * (self.until - t0).abs() } else { 0.0 };
        while self.rows_done < rows.len() {
            let t = rows.time(self.rows_done);
            let beyond = if self.until >= t0 { t - end } else { end - t };
            if beyond > 0.0 || self.rows_done > 0 && beyond > -near {
                break;
            }
            let state =
                leg.solution.at(t).map_err(|e| Failure::Running(format!("{}: {e}", self.name)))?;
            self.show(watch, self.rows_done, t, &state, true)?;
            self.rows_done += 1;
            let glance = self.rows_done.is_multiple_of(GLANCE);
            if watch.pause.after_steps(leg.pass(t), glance) && self.rows_done < rows.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Shows a moment to who looks at invariants, and as a row.
    fn show(
        &self,
        watch: &mut RunWatch<'_, '_>,
        step: u64,
        t: f64,
        state: &State,
        row: bool,
    ) -> Result<(), Failure> {
        let sample = Sample::new(self.problem, step, t, state);
        let fail = |e: polhode::observe::ObserveError| {
            Failure::Running(format!("{}: row {step} at t = {}: {e}", self.name, time(t)))
        };
        // Neither of the two asks for an end.
        let _ = watch.invariants.observe(&sample).map_err(fail)?;
        if row {
            let _ = watch.recorder.observe(&sample).map_err(fail)?;
        }
        Ok(())
    }

    fn failed(&self, e: &SolveError) -> Failure {
        let message = format!("{}: {e}", self.name);
        match e {
            SolveError::Rounding { .. } | SolveError::Sensitive { .. } => Failure::Input(message),
            _ => Failure::Running(message),
        }
    }
}

/// Tells how far a part of the run is, and stops it after Ctrl-C.
fn watching(stop: &Stop, bar: &ProgressBar, from: f64, part: f64) -> Control {
    let (asked, bar, looks) = (stop.clone(), bar.clone(), Arc::new(AtomicU64::new(0)));
    Control::stopped_by(stop).telling(move |done| {
        if looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(GLANCE) {
            bar.set_position(thousandths(from + part * done));
        }
        if interrupt::wished() {
            asked.request();
        }
    })
}

fn thousandths(part: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    let thousandths = (part.clamp(0.0, 1.0) * PARTS) as u64;
    thousandths
}

impl RunCourse for SolutionLegs<'_> {
    fn extent(&self) -> Extent {
        let rows = &self.solving.rows;
        Extent { rows: rows.len(), spacing: rows.spacing(), end: rows.time(rows.len() - 1) }
    }

    fn bar(&self) -> ProgressBar {
        progress::of_span(thousandths(self.at.leg as f64 / self.legs as f64))
    }

    fn take_up(&mut self, checkpoint: &Checkpoint) -> Result<(), String> {
        let CheckpointNumbers { state, carried, .. } = checkpoint.reached();
        let rows = self.solving.rows.len();
        let evaluations = checkpoint.torque_evaluations;
        let (at, stopped) = LegStart::from_carried(state, &carried, evaluations)?;
        if at.leg > self.legs || checkpoint.step > rows {
            return Err(format!(
                "at leg {} of {}, row {} of {rows}",
                at.leg, self.legs, checkpoint.step
            ));
        }
        if checkpoint.finishing != (at.leg == self.legs) {
            return Err(format!("finishing at leg {} of {}", at.leg, self.legs));
        }
        self.at = at;
        self.rows_done = checkpoint.step;
        self.stopped = stopped;
        Ok(())
    }

    fn go_on(&mut self, watch: &mut RunWatch<'_, '_>) -> Result<(), Failure> {
        while !self.is_done() {
            if !self.leg(watch)? || watch.pause.after_steps(0, true) {
                break;
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.at.leg == self.legs
    }

    /// Even the first row comes after a whole leg was solved.
    fn has_rows(&self) -> bool {
        self.rows_done > 0
    }

    fn position(&self) -> Position {
        Position {
            step: self.rows_done,
            state: self.at.state,
            carried: self.at.carried(self.stopped).to_vec(),
            torque_evaluations: self.at.evaluations,
            iterations: 0,
        }
    }

    fn place(&self) -> String {
        let (done, rows) = (self.rows_done, self.solving.rows.len());
        let t = self.last_row().unwrap_or(self.problem.t0());
        format!("after row {done} of {rows}, at t = {}", time(t))
    }

    fn finish(&self) -> Finish {
        Finish {
            steps: self.at.steps,
            rejected: self.at.rejected,
            rows: self.rows_done,
            t: self.end(),
            state: self.at.state,
            torque_evaluations: self.at.evaluations,
            inside: Vec::new(),
            iterations: 0,
            better: self.at.better,
            stopped: self.stopped.is_some(),
        }
    }
}
