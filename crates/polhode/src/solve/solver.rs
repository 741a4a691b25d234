//! What is asked for: tolerances, times, events, and limits.

use std::sync::Arc;

use glam::DVec3;
use polhode_number::Registers;

use super::aim::{Aim, counted_at_end};
use super::check::ToleranceName;
use super::choice::EngineSpec;
use super::drive;
use super::engine::{Engine, ErrorBounds};
use super::general_field::ByRecord;
use super::gyrostat::own;
use super::nudge::Nudge;
use super::strength::strongest;
use super::{Event, MIN_TOLERANCE, Solution, SolveError, SolveMethod, Statistics};
use crate::torque::Record;
use crate::{Control, Errors, Problem, State, Torque};

/// The tolerance unless another is given.
const DEFAULT_TOLERANCE: f64 = 1e-10;

/// Less of a torque than this is what rounding leaves where it cancels.
const CANCELS: f64 = 1e-14;

/// Parts of a tolerance to which a solution is solved once more to estimate its error, until that takes more steps:
/// [`is_better`].
pub const BETTER: [f64; 4] = [1e-1, 1e-3, 1e-6, 1e-9];

/// Of shorter spans there is no inverse.
pub(super) const SHORTEST_SPAN: f64 = 1e-300;

/// Whether a solution has shorter steps than another, all of them: one more may be at the end alone.
pub fn is_better(solution: Statistics, other: Statistics) -> bool {
    solution.steps > other.steps + 1
}

pub(super) type EngineMaker<'a> = Box<dyn Fn(EngineSpec<'_>) -> Arc<dyn Engine> + 'a>;

type StrengthFunction<'a> = Box<dyn Fn(&Problem, f64, Registers) -> f64 + 'a>;

/// A torque that is compiled into the steps.
pub(super) struct CompiledTorque<'a> {
    pub(super) make: EngineMaker<'a>,
    /// How strong it is on the body of a problem.
    strongest: StrengthFunction<'a>,
}

/// How a problem is to be solved. Made by [`Problem::solver`], run by [`Solver::until`].
///
/// ```
/// use polhode::{Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start).torque(HeavyTop::lagrange(1.0)?);
/// let solution = top.solver().tolerance(1e-8).times(&[0.0, 2.5, 5.0]).until(5.0)?;
/// assert_eq!(solution.times(), [0.0, 2.5, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Solver<'a> {
    pub(super) problem: &'a Problem,
    pub(super) relative: f64,
    pub(super) absolute: f64,
    pub(super) angle: f64,
    /// The options by which the tolerances of momentum and attitude were given.
    pub(super) given_as: [ToleranceName; 2],
    pub(super) method: Option<SolveMethod>,
    pub(super) compiled: Option<CompiledTorque<'a>>,
    pub(super) stops: Vec<f64>,
    pub(super) times: Option<Vec<f64>>,
    pub(super) dense: bool,
    pub(super) max_step: f64,
    pub(super) first_step: Option<f64>,
    pub(super) events: Vec<Event<'a>>,
    pub(super) control: Control,
    estimate: bool,
    aim: Option<Aim>,
    /// How steps err besides, in a trial.
    pub(super) nudge: Option<Nudge>,
    pub(super) has_events: bool,
    pub(super) registers: Registers,
}

impl<'a> Solver<'a> {
    #[inline]
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self {
            problem,
            relative: DEFAULT_TOLERANCE,
            absolute: 0.0,
            angle: DEFAULT_TOLERANCE,
            given_as: [ToleranceName::Tolerance; 2],
            method: None,
            compiled: None,
            stops: Vec::new(),
            times: None,
            dense: true,
            max_step: f64::INFINITY,
            first_step: None,
            events: Vec::new(),
            control: Control::default(),
            estimate: false,
            aim: None,
            nudge: None,
            has_events: false,
            registers: Registers::fastest(),
        }
    }

    /// The error wanted at the end: of the momentum relative to its length there, of the attitude in radians. 1e-10
    /// unless it is given. Of a body that comes to rest, its momentum counts as no less than a ten-thousandth of the
    /// largest that it had.
    #[inline]
    pub fn tolerance(self, tolerance: f64) -> Self {
        let given_as = [ToleranceName::Tolerance; 2];
        Self { relative: tolerance, angle: tolerance, given_as, ..self }
    }

    /// The error of the momentum alone: relative to its length, plus an absolute one.
    pub fn momentum(self, rtol: f64, atol: f64) -> Self {
        let given_as = [ToleranceName::Rtol, self.given_as[1]];
        Self { relative: rtol, absolute: atol, given_as, ..self }
    }

    /// The error of the attitude alone, in radians.
    pub fn angle(self, angle: f64) -> Self {
        let given_as = [self.given_as[0], ToleranceName::Angle];
        Self { angle, given_as, ..self }
    }

    /// By this method, instead of the one that suits the torque: the closed form for none, the extrapolation for
    /// models of this library and sums of them, Dop853 where a function is called and for formulas with jumps or kinks,
    /// which it sees where they are not named as [`Solver::stops`]. A function that is vectorized goes through the
    /// extrapolation too, with half the calls; but a state within a step then costs 18 to 26 calls, and where there are
    /// events it is Dop853.
    pub fn method(self, method: SolveMethod) -> Self {
        Self { method: Some(method), ..self }
    }

    /// With this torque instead of that of the problem, compiled into the steps: a model, an
    /// [`ClosureTorque`](super::ClosureTorque) closure, or a record of one's own that implements
    /// [`Record`] and [`Acts`](crate::torque::Acts). Always by the extrapolation.
    pub fn compiled(self, torque: impl Record + Send + Sync + 'static) -> Self {
        let compiled = CompiledTorque {
            make: Box::new(move |making| making.of_record(&torque)),
            strongest: Box::new(move |problem, until, registers| {
                strongest(problem, &ByRecord(torque), until, registers)
            }),
        };
        Self { compiled: Some(compiled), ..self }
    }

    /// Steps end at these times, in the order in which they are passed: where the torque jumps. The rows of a
    /// tabulated torque are such times without being named.
    pub fn stops(self, stops: &[f64]) -> Self {
        Self { stops: stops.to_vec(), ..self }
    }

    /// Only the states at these times are kept, in the order in which they are passed; and the end. Memory is
    /// that of these states, however long the run. The states are the same as without.
    #[inline]
    pub fn times(self, times: &[f64]) -> Self {
        Self { times: Some(times.to_vec()), ..self }
    }

    /// Whether the whole solution is kept, so that [`Solution::at`] works anywhere; it is unless said otherwise
    /// or [`Solver::times`] are chosen. Without, the states at the ends of steps are kept.
    pub fn dense(self, dense: bool) -> Self {
        Self { dense, ..self }
    }

    /// Sets the longest step that is allowed; there is no limit otherwise.
    pub fn max_step(self, step: f64) -> Self {
        Self { max_step: step, ..self }
    }

    /// Sets the first step to be tried, which the solver chooses otherwise.
    pub fn first_step(self, step: f64) -> Self {
        Self { first_step: Some(step), ..self }
    }

    /// Looks for the zeros of a function; may be called again for another one.
    pub fn event(mut self, event: Event<'a>) -> Self {
        self.events.push(event);
        self.has_events = true;
        self
    }

    /// Sets who is told how far the solution is, and who may stop it.
    #[inline]
    pub fn control(self, control: Control) -> Self {
        Self { control, ..self }
    }

    /// Estimates the error at the end by a second solution at a tenth of the tolerance, or at less where that leads to
    /// the same steps: [`Solution::error_estimate`]. Its time is about one and a half times that of the first.
    pub fn estimating_error(self) -> Self {
        Self { estimate: true, ..self }
    }

    /// In these registers, which the processor has: for tests that the bits are the same.
    #[doc(hidden)]
    pub fn registers(self, registers: Registers) -> Self {
        Self { registers, ..self }
    }

    /// Solves from the problem's start until this time, before or after it.
    ///
    /// # Errors
    /// [`SolveError`] if a number is out of range, the torque or an event is not finite, the accuracy cannot be
    /// reached, or the end is requested.
    pub fn until(mut self, until: f64) -> Result<Solution, SolveError> {
        self.check(until)?;
        let mut solution = match drive::solve(&mut self, until) {
            Ok(solution) => solution,
            Err(error) => return Err(self.reason(error)),
        };
        if self.estimate && !solution.was_changed() {
            let estimate = self.second(&solution)?;
            solution.set_error_estimate(estimate);
        }
        Ok(solution)
    }

    /// Why steps fail, where more is known: of a body that rests where a strong torque cancels, but for rounding, no
    /// step is short enough.
    pub(super) fn reason(&self, error: SolveError) -> SolveError {
        let (problem, t0) = (self.problem, self.problem.t0());
        let at_start = matches!(error, SolveError::StepTooSmall { t, .. } if t == t0);
        if !at_start || self.is_compiled() || self.speed(&problem.start()) > 0.0 {
            return error;
        }
        let torque = crate::so3::length(problem.torque_at(t0, &problem.start()));
        let elsewhere = strongest(problem, problem.torques(), t0, self.registers);
        if torque < CANCELS * elsewhere {
            SolveError::Balanced { torque, elsewhere }
        } else {
            error
        }
    }

    /// How far the end of a solution is from that of one at a tenth of the tolerance; or at less, where a tenth leads
    /// to the same steps: over a short span one may be good enough for both.
    fn second(&self, first: &Solution) -> Result<Errors, SolveError> {
        let (t, state) = first.end();
        if first.method() == SolveMethod::ClosedForm || t == self.problem.t0() {
            return Ok(Errors::new(&state, &state, 1.0));
        }
        let mut found = Errors::default();
        for part in BETTER {
            let (solution, least) = match self.better(part, first) {
                Ok(found) => found,
                // A smaller one cannot be had.
                Err(SolveError::Rounding { .. } | SolveError::Sensitive { .. })
                    if part < BETTER[0] =>
                {
                    break;
                }
                Err(e) => return Err(e.of_estimate(self.wanted().least())),
            };
            let (_, better) = solution.end();
            let [start, end] = [self.problem.start().m, better.m].map(crate::so3::length);
            let least = Errors { momentum: least, attitude: least };
            found = Errors::new(&state, &better, counted_at_end(end, start)).max(least);
            if is_better(solution.statistics(), first.statistics()) {
                break;
            }
        }
        Ok(found)
    }

    /// A solution like this one to that part of the tolerance, and what rounding alone makes of its end: where that
    /// decides how long the steps are, both solutions are the same.
    fn better(&self, part: f64, first: &Solution) -> Result<(Solution, f64), SolveError> {
        let until = first.end().0;
        let less = |x: f64| (part * x).max(MIN_TOLERANCE);
        let ErrorBounds { relative, absolute, angle } = self.wanted();
        let wanted =
            ErrorBounds { relative: less(relative), absolute: part * absolute, angle: less(angle) };
        let aim = Aim::end(wanted, self, until, self.speed(&self.problem.start()))?;
        let least = aim.rounding(first.radians);
        let mut second = self.trial(self.problem, aim, until);
        Ok((drive::solve(&mut second, until)?, least))
    }

    /// The solver of a problem with the same torque and options, that keeps its end alone.
    pub(super) fn trial<'b>(&'b self, problem: &'b Problem, aim: Aim, until: f64) -> Solver<'b> {
        let t0 = problem.t0();
        let reached = |stop: f64| (stop - t0).abs() <= (until - t0).abs();
        let again = |torque: &'b CompiledTorque<'_>| CompiledTorque::<'b> {
            make: Box::new(move |making| (torque.make)(making)),
            strongest: Box::new(move |problem, until, registers| {
                (torque.strongest)(problem, until, registers)
            }),
        };
        Solver {
            aim: Some(aim),
            method: self.method,
            has_events: self.has_events,
            compiled: self.compiled.as_ref().map(again),
            stops: self.stops.iter().copied().filter(|&stop| reached(stop)).collect(),
            times: Some(Vec::new()),
            max_step: self.max_step,
            control: self.control.silent(),
            registers: self.registers,
            ..Solver::new(problem)
        }
    }

    /// What is aimed at, in a motion that starts at this speed.
    pub(super) fn aim(&self, until: f64, speed: f64) -> Result<Aim, SolveError> {
        self.aim.map_or_else(|| Aim::end(self.wanted(), self, until, speed), Ok)
    }

    /// How strong the torque is that is compiled in, if one is.
    pub(super) fn strongest_compiled(&self, until: f64) -> Option<f64> {
        self.compiled.as_ref().map(|torque| (torque.strongest)(self.problem, until, self.registers))
    }

    /// Whether the torque is not that of the problem.
    pub(super) fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// What the end may be off.
    fn wanted(&self) -> ErrorBounds {
        ErrorBounds { relative: self.relative, absolute: self.absolute, angle: self.angle }
    }

    /// Where steps must end from this time on: at the stops of the user's and at the knots of the torque, in the
    /// order in which they are passed.
    pub(super) fn all_stops(
        &self,
        torque: &Torque,
        changed: bool,
        from: f64,
        until: f64,
    ) -> Vec<f64> {
        let knots = if self.is_compiled() && !changed { Vec::new() } else { torque.knots() };
        if self.stops.is_empty() && knots.is_empty() {
            return knots;
        }
        let between = |t: &f64| from.min(until) <= *t && *t <= from.max(until);
        let mut stops: Vec<f64> = self.stops.iter().copied().chain(knots).filter(between).collect();
        stops.sort_unstable_by(f64::total_cmp);
        stops.dedup();
        if until < from {
            stops.reverse();
        }
        stops
    }

    /// The momentum of wheels at constant speed, if there are such.
    pub(super) fn held(&self) -> Option<DVec3> {
        self.problem.steady_momentum()
    }

    /// How fast wheels make the body nod; zero if there are none.
    pub(super) fn nodding(&self) -> f64 {
        self.held().map_or(0.0, |held| crate::so3::length(self.problem.inertia().omega(held)))
    }

    /// How fast things happen in a state where there is no torque.
    pub(super) fn speed(&self, state: &State) -> f64 {
        let own = own(state, self.held().unwrap_or(DVec3::ZERO));
        crate::so3::quick_length(self.problem.inertia().omega(own.m)) + self.nodding()
    }
}
