//! A motion as moments in time.

use std::ops::ControlFlow;

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::observe::Sample;
use polhode::{FreeMotion, Inertia, Plan, Problem, RunError, Solution, SolveError, State, so3};

use crate::ViewError;

/// One picture of a film: a state and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FilmMoment {
    /// The time that is shown.
    pub t: f64,
    /// The momentum and attitude of the body at that time.
    pub state: State,
}

impl FilmMoment {
    /// The state at a time.
    pub fn new(t: f64, state: State) -> Self {
        Self { t, state }
    }
}

/// A motion as moments so close that the states between them follow from their neighbours.
#[derive(Clone, Debug)]
pub struct Film {
    inertia: Inertia,
    moments: Vec<FilmMoment>,
    /// What belongs to each moment where something moves inside the body; else none.
    within: Vec<WheelState>,
    /// The end of the motion, where the film does not go so far.
    cut: Option<f64>,
}

/// The wheels, and how fast the body turns with them: what a state does not say.
#[derive(Clone, Debug)]
struct WheelState {
    omega: DVec3,
    numbers: Vec<f64>,
}

/// From one moment of a dense solution to the next the body turns by about this, in radians.
const TURN: f64 = 0.1;

/// A motion has at least so many moments, however slow it is.
const LEAST: f64 = 1000.0;

/// Moments farther apart than this, in radians, cannot be connected without a guess.
const GUESS: f64 = 0.8;

/// So many steps are done for a moment, on average, before a film ends: those that are shorter take longer to do than
/// to look at.
const STEPS: u64 = 50;

impl Film {
    /// So many moments a film has, if nothing else is said: some four hundred turns.
    pub const MOST: usize = 24_000;

    /// A film of these moments, in the order of time or against it.
    ///
    /// # Errors
    /// [`ViewError`] if there are none, their times do not go in one direction, or a number is not finite.
    pub fn new(
        inertia: &Inertia,
        moments: impl IntoIterator<Item = FilmMoment>,
    ) -> Result<Self, ViewError> {
        let mut moments: Vec<FilmMoment> = moments.into_iter().collect();
        let (Some(first), Some(last)) = (moments.first(), moments.last()) else {
            return Err(ViewError::NoMoments);
        };
        if last.t < first.t {
            moments.reverse();
        }
        let finite =
            |m: &FilmMoment| m.t.is_finite() && m.state.m.is_finite() && m.state.q.is_finite();
        if let Some(index) = moments.iter().position(|m| !finite(m)) {
            return Err(ViewError::NotFinite { index });
        }
        if let Some(index) = moments.windows(2).position(|pair| pair[1].t <= pair[0].t) {
            let (before, after) = (moments[index].t, moments[index + 1].t);
            return Err(ViewError::Order { before, after });
        }
        Ok(Self { inertia: *inertia, moments, within: Vec::new(), cut: None })
    }

    /// The film of a motion that is known at every time, from one time to another. It ends sooner after `most`
    /// moments.
    ///
    /// # Errors
    /// What `at` says of a time, and what [`Film::new`] says.
    pub fn along<E>(
        inertia: &Inertia,
        (from, to): (f64, f64),
        most: usize,
        mut at: impl FnMut(f64) -> Result<State, E>,
    ) -> Result<Result<Self, ViewError>, E> {
        let span = to - from;
        let speed = |state: &State| so3::length(state.omega(inertia));
        let mut moments = vec![FilmMoment { t: from, state: at(from)? }];
        while moments.len() < most.max(2) {
            let FilmMoment { t, state } = moments[moments.len() - 1];
            // In the direction of time, and not beyond its end.
            let left = (to - t) / span;
            if left.is_nan() || left <= 0.0 {
                break;
            }
            let mut part = (TURN / speed(&state) / span.abs()).min(1.0 / LEAST);
            let next = loop {
                let t = if part >= left { to } else { t + part * span };
                let next = FilmMoment { t, state: at(t)? };
                // A torque may have made it faster on the way.
                if speed(&next.state) * part * span.abs() <= 2.0 * TURN || part < 1e-9 {
                    break next;
                }
                part /= 2.0;
            };
            if next.t == t {
                break;
            }
            moments.push(next);
        }
        let reached = moments[moments.len() - 1].t;
        let film = Self::new(inertia, moments);
        Ok(film.map(|film| Self { cut: (reached != to).then_some(to), ..film }))
    }

    /// The film of a free body until a time.
    ///
    /// # Errors
    /// [`ViewError`] if the time is out of reach.
    pub fn free(motion: &FreeMotion, until: f64, most: usize) -> Result<Self, ViewError> {
        Self::along(motion.inertia(), (0.0, until), most, |t| motion.at(t))
            .map_err(|e| ViewError::Motion(e.to_string()))?
    }

    /// The film of a solution with dense output.
    ///
    /// # Errors
    /// [`ViewError`] if the solution is not known at every time.
    pub fn solution(
        inertia: &Inertia,
        solution: &Solution,
        most: usize,
    ) -> Result<Self, ViewError> {
        Self::along(inertia, solution.span(), most, |t| solution.at(t))
            .map_err(|e| ViewError::Motion(e.to_string()))?
    }

    /// The film of a problem that is solved to a tolerance, leg by leg until there are `most` moments.
    ///
    /// # Errors
    /// [`ViewError`] if it cannot be solved.
    pub fn solved(
        problem: &Problem,
        until: f64,
        tolerance: f64,
        stops: &[f64],
        most: usize,
    ) -> Result<Self, ViewError> {
        let t0 = problem.t0();
        if problem.torques().is_none() {
            let motion = FreeMotion::new(problem.inertia(), problem.start());
            let motion = motion.map_err(|e| ViewError::Motion(e.to_string()))?;
            return Self::along(problem.inertia(), (t0, until), most, |t| motion.at(t - t0))
                .map_err(|e| ViewError::Motion(e.to_string()))?;
        }
        // Solving takes a moment for as long as a film lasts; a motion of years is not solved for its first hour.
        let speed = so3::length(problem.start().omega(problem.inertia()));
        let enough = 2.0 * most as f64 * TURN / speed.max(f64::MIN_POSITIVE);
        let end =
            if (until - t0).abs() > enough { t0 + enough.copysign(until - t0) } else { until };
        // Stops at the ends count, too: the torque there is taken on the film's own side.
        let within = |stop: &&f64| (t0.min(end)..=t0.max(end)).contains(*stop);
        let stops: Vec<f64> = stops.iter().filter(within).copied().collect();
        let solve = |tolerance: f64| problem.solver().tolerance(tolerance).stops(&stops).until(end);
        // What rounding does not allow is not seen, either.
        let solved = match solve(tolerance) {
            Err(SolveError::Rounding { .. } | SolveError::Sensitive { .. }) => solve(1e-6),
            solved => solved,
        };
        let solution = solved.map_err(|e| ViewError::Motion(e.to_string()))?;
        let film = Self::solution(problem.inertia(), &solution, most)?;
        let cut = film.cut.is_some() || end != until;
        Ok(Self { cut: cut.then_some(until), ..film })
    }

    /// The film of a run in steps of one length: every step, unless they are shorter than can be seen. Where the body
    /// turns far in a step, shorter steps of the method from its start show what lies between, unless something moves
    /// inside the body or controls it: that has a memory of its own.
    ///
    /// # Errors
    /// [`ViewError`] if the method does not go with the problem, or fails before the second moment. A run that
    /// fails later is shown as far as it went.
    pub fn steps(
        problem: &Problem,
        method: &Method,
        plan: &Plan,
        until: f64,
        most: usize,
    ) -> Result<Self, ViewError> {
        let inertia = problem.inertia();
        let mut stepper = method.stepper(problem).map_err(|e| ViewError::Motion(e.to_string()))?;
        let mut moments: Vec<FilmMoment> = Vec::new();
        let mut within: Vec<WheelState> = Vec::new();
        let (mut turned, mut skipped) = (0.0, None);
        let (mut before, span) = (problem.t0(), (until - problem.t0()).abs());
        let beyond = |t: f64| (t - until) * plan.step.signum() > 1e-9 * plan.step.abs();
        let mut take = |sample: &Sample<'_>| {
            let enough = moments.len() >= most.max(2) || sample.step > STEPS * most as u64;
            if beyond(sample.t) || enough {
                return ControlFlow::Break(());
            }
            let moment = FilmMoment { t: sample.t, state: *sample.state };
            let inside = problem
                .moving()
                .map(|_| WheelState { omega: sample.omega(), numbers: sample.inside.to_vec() });
            turned += so3::length(sample.omega()) * (sample.t - before).abs();
            before = sample.t;
            let waited = moments.last().map_or(f64::INFINITY, |m| (sample.t - m.t).abs());
            if turned >= TURN || waited >= span / LEAST {
                moments.push(moment);
                within.extend(inside);
                (turned, skipped) = (0.0, None);
            } else {
                skipped = Some((moment, inside));
            }
            ControlFlow::Continue(())
        };
        let ran = polhode::run(problem, &mut *stepper, plan, &mut [&mut take]);
        if moments.len() < most.max(2) {
            // The last step, however short.
            if let Some((moment, inside)) = skipped {
                moments.push(moment);
                within.extend(inside);
            }
        }
        match ran {
            Err(RunError::Step { .. }) | Ok(_) if moments.len() > 1 || plan.steps == 0 => {}
            Err(e) => return Err(ViewError::Motion(e.to_string())),
            Ok(_) => {}
        }
        let moments =
            if problem.needs_steps() { moments } else { filled(problem, method, &moments, most) };
        let reached = moments.last().map_or(until, |m| m.t);
        if plan.step < 0.0 {
            within.reverse();
        }
        let film = Self { within, ..Self::new(inertia, moments)? };
        let whole = (until - reached).abs() <= 1.5 * plan.step.abs();
        Ok(Self { cut: (!whole).then_some(until), ..film })
    }

    /// The inertia of the body that is shown.
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// The moments, in the order in which the motion goes through them.
    pub fn moments(&self) -> &[FilmMoment] {
        &self.moments
    }

    /// The angular velocity of the body at a moment, counted from 0.
    pub fn omega(&self, index: usize) -> DVec3 {
        let state = &self.moments[index].state;
        self.within.get(index).map_or_else(|| state.omega(&self.inertia), |within| within.omega)
    }

    /// What the state at a moment has beside, where something moves inside the body: the numbers of
    /// [`Sample::inside`]. Empty elsewhere.
    pub fn inside(&self, index: usize) -> &[f64] {
        self.within.get(index).map_or(&[], |within| &within.numbers)
    }

    /// Whether something moves inside the body.
    pub fn has_inside(&self) -> bool {
        !self.within.is_empty()
    }

    /// Whether the angular velocity is another than that of a rigid body of this momentum: wheels turn in the body, or
    /// its moments vary.
    pub fn is_gyrostat(&self) -> bool {
        self.moments.iter().zip(&self.within).any(|(moment, within)| {
            let rigid = moment.state.omega(&self.inertia);
            so3::length(within.omega - rigid) > 1e-9 * so3::length(rigid)
        })
    }

    /// The first and the last time shown.
    pub fn span(&self) -> (f64, f64) {
        (self.moments[0].t, self.moments[self.moments.len() - 1].t)
    }

    /// The end of the motion, where the film does not go so far.
    pub fn cut(&self) -> Option<f64> {
        self.cut
    }

    /// Whether the body turns so far from one moment to the next that what lies between is a guess: by how much,
    /// in radians.
    ///
    /// By the angular velocity at both, since a whole turn does not show in the attitudes.
    pub fn coarse(&self) -> Option<f64> {
        let speed = |i: usize| so3::length(self.omega(i));
        let turn = |i: usize| {
            (self.moments[i + 1].t - self.moments[i].t) * 0.5 * (speed(i) + speed(i + 1))
        };
        let most = (0..self.moments.len() - 1).map(turn).fold(0.0, f64::max);
        (most > GUESS).then_some(most)
    }
}

/// Moments between steps in which the body turns far: reached from the first of them by shorter steps of the method.
/// At most so many in all.
fn filled(
    problem: &Problem,
    method: &Method,
    steps: &[FilmMoment],
    most: usize,
) -> Vec<FilmMoment> {
    let speed = |m: &FilmMoment| so3::length(m.state.omega(problem.inertia()));
    let mut moments: Vec<FilmMoment> = Vec::new();
    for pair in steps.windows(2) {
        if moments.len() >= most {
            return moments;
        }
        moments.push(pair[0]);
        let span = pair[1].t - pair[0].t;
        let turn = span.abs() * speed(&pair[0]).max(speed(&pair[1]));
        // A step of hundreds of turns is not filled: there the film is coarse, and says so.
        if !(3.0 * TURN..=200.0).contains(&turn) {
            continue;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "3 to 2000")]
        let parts = (turn / TURN).ceil() as u64;
        let plan = Plan { step: span / parts as f64, steps: parts - 1 };
        let from = problem.clone().starting_at(pair[0].t).starting_from(pair[0].state);
        let Ok(mut stepper) = method.stepper(&from) else { continue };
        let mut between = Vec::new();
        let mut take = |sample: &Sample<'_>| {
            if sample.step > 0 {
                between.push(FilmMoment { t: sample.t, state: *sample.state });
            }
            ControlFlow::Continue(())
        };
        if polhode::run(&from, &mut *stepper, &plan, &mut [&mut take]).is_ok() {
            moments.append(&mut between);
        }
    }
    moments.extend(steps.last());
    moments
}
