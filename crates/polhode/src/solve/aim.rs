//! What a step is allowed, so that the end is as good as wanted.
//!
//! Errors of steps add up, and grow with the motion. Over many radians they add up to more than one of them, so a
//! step is allowed the less the farther the body turns. Where a torque is strong, neighbouring motions may part much
//! faster than that, and from some moments on faster than from others: a top that falls from nearly upright comes back
//! there as near as its energy says, to which errors made at the bottom add most. Trial solutions whose steps err at
//! random then tell what comes of it.

use super::engine::{ErrorBounds, larger};
use super::nudge::Nudge;
use super::rounding::{
    REFUSED, SHORT_TURN, check_rounding, least_rounding, most_radians, rounding,
};
use super::solver::Solver;
use super::strength::{ATTITUDES, TorqueBound, strongest};
use super::{SolveError, SolveMethod, Statistics, drive};
use crate::{Errors, Inertia, so3};

/// Over four radians, errors of steps add up to about what a step is allowed.
const PER_RADIAN: f64 = 0.25;

/// Over a hundred radians an error of the momentum, to which every step adds, has turned the body by as much again.
const PER_RADIAN_SQUARED: f64 = 0.01;

/// The same of Dop853, whose estimate of the error is not as cautious: of the radians of the whole motion times those
/// that are left.
const PER_RADIAN_SQUARED_DOP853: f64 = 0.04;

/// Of the errors at the end, so much is left where every step errs by what it is allowed: estimates are cautious. With
/// 0.2, two of 6,000 tops that fall from nearly upright were off by more than ten tolerances; with this, none.
const GROWTH: f64 = 0.3;

/// A torque that changes the momentum by less than this in a radian is weak: neighbouring motions part about as
/// slowly as those of a free body.
const WEAK: f64 = 0.02;

/// One that changes it by more than this is so strong that the motion at the start tells nothing.
const STRONG: f64 = 0.5;

/// Radians over which not even a torque between those parts motions by much.
const SHORT: f64 = 5.0;

/// Twice the energy times the middle moment over the momentum squared differs from one by less than this where the body
/// turns near its middle axis.
const NEAR_MIDDLE: f64 = 1e-2;

/// Trial solutions: by how much all steps together err at random, and to which tolerance they are solved. The later
/// ones are for motions in which errors grow so fast that those before are anywhere at the end.
const TRIALS: [(f64, f64); 3] = [(1e-4, 1e-5), (1e-9, 1e-11), (1e-12, 2e-14)];

/// A body that ends slower than it was by this factor has come to rest: its momentum is all rounding, and errors
/// count relative to this part of what it was.
pub(super) const AT_REST: f64 = 1e4;

/// A momentum that falls by more than this has errors at the end that count more than those of the steps before: to
/// what it had there they are relative. A fall by less is within what is left of a tolerance.
const FALL: f64 = 10.0;

/// To this tolerance a body is followed to see whether its momentum falls.
const SCOUT: f64 = 1e-3;

/// Differences larger than this are no longer small.
const LARGE: f64 = 0.1;

/// At the end they may be small by chance: they are also looked at this part of the span before.
const LATE: f64 = 0.125;

/// Between motions that tip over they vanish while both wait next to the middle axis: they are looked at whenever they
/// may have grown by a factor of e, but no more often than this.
const LOOKS: f64 = 32.0;

/// In more steps than this, errors may grow by much and still happen to cancel in one solution: two are compared.
const FEW: u64 = 12;

/// The error of a step by rounding alone.
const ROUNDING: f64 = 1e-16;

/// The least error that can be reached where nothing is known of the end.
pub(super) const UNKNOWN: f64 = 1.0;

/// What is aimed at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    wanted: ErrorBounds,
    /// What trials have told, if the torque may matter so much.
    trial: GrowthTrial,
    /// The end is aimed at, not every single step.
    end: bool,
    /// The least tolerance of the solution, and after how many radians rounding has spoilt it: a torque may make the
    /// body turn ever faster.
    tolerance: f64,
    most_radians: f64,
    /// How far the body turns in a step at most: longer ones would round too much.
    most_turn: f64,
}

/// What trial solutions tell about a motion.
#[derive(Clone, Copy, Debug, Default)]
struct GrowthTrial {
    /// The error at the end, for steps that err by one in all.
    growth: f64,
    /// How far the body turns: a torque may make it ever faster.
    radians: f64,
    /// How many times the rounding of a step all of them add up to.
    roundings: f64,
    /// How often the torque was evaluated.
    evaluations: u64,
}

impl Aim {
    /// Every step is allowed this much, in a trial for a solution of that tolerance.
    fn steps(wanted: ErrorBounds, tolerance: f64) -> Self {
        let [most_radians, _] = most_radians(tolerance);
        let (trial, most_turn) = (GrowthTrial::default(), f64::INFINITY);
        Self { wanted, trial, end: false, tolerance, most_radians, most_turn }
    }

    /// The end is to be off by this much, for a motion that starts as the solver's problem does, at this speed.
    pub(super) fn end(
        wanted: ErrorBounds,
        solver: &Solver<'_>,
        until: f64,
        speed: f64,
    ) -> Result<Self, SolveError> {
        let problem = solver.problem;
        let method = solver.method_for(problem.torques(), false);
        if method == SolveMethod::ClosedForm {
            let most_radians = f64::INFINITY;
            return Ok(Self { end: true, most_radians, ..Self::steps(wanted, wanted.least()) });
        }
        let turns = speed * (until - problem.t0()).abs();
        check_rounding(turns, &wanted)?;
        let (fate, mut evaluations) = fate(solver, until);
        let mut trial = GrowthTrial::default();
        let parts = match fate {
            Fate::Known => None,
            Fate::MayPart => Some(GrowthPlan::of_any(problem.t0(), until)),
            Fate::TipsOver(near) => Some(GrowthPlan::of_tipping(problem.t0(), until, &near)),
            Fate::MayFall => {
                let (falls, asked) = falls(solver, until, wanted.least())?;
                evaluations += asked;
                falls.then(|| GrowthPlan::of_any(problem.t0(), until))
            }
        };
        if let Some(plan) = parts {
            trial = GrowthTrial::new(solver, until, &wanted, &plan)?;
            check_rounding(trial.radians, &wanted)?;
        }
        trial.evaluations += evaluations;
        let aim = Self { end: true, trial, ..Self::steps(wanted, wanted.least()) };
        if method == SolveMethod::Dop853 {
            return Ok(aim);
        }
        // Steps that are as long as the error of each allows, unless they would round too much.
        let [_, most_radians] = most_radians(wanted.least());
        Ok(if turns.max(trial.radians) <= most_radians {
            Self { most_radians, ..aim }
        } else {
            Self { most_turn: SHORT_TURN, ..aim }
        })
    }

    /// Checks that rounding has not spoilt what is wanted, once the body has turned so far.
    #[inline(always)]
    pub(super) fn check_turned(&self, radians: f64) -> Result<(), SolveError> {
        if radians <= self.most_radians {
            return Ok(());
        }
        let Self { tolerance, .. } = *self;
        Err(SolveError::Rounding { tolerance, radians, floor: least_rounding(radians) })
    }

    /// How far the body turns in a step at most.
    pub(super) fn most_turn(&self) -> f64 {
        self.most_turn
    }

    /// How often trials have evaluated the torque.
    pub(super) fn evaluations(&self) -> u64 {
        self.trial.evaluations
    }

    /// What rounding alone makes of the end of a motion that turns so far.
    pub(super) fn rounding(&self, radians: f64) -> f64 {
        rounding(radians).max(self.trial.rounding())
    }

    /// What is wanted.
    pub(super) fn wanted(&self) -> ErrorBounds {
        self.wanted
    }

    /// How many times less than is wanted a step is allowed, of the momentum and of the attitude, in a motion that has
    /// turned so far and will by so much more.
    ///
    /// An error of the attitude stays what it is, and one of the momentum turns the body the less the later it is made.
    /// Dop853 divides the error at the end so among its steps: to the same error it takes up to 5 per cent fewer.
    #[inline]
    pub(super) fn strictness(&self, turned: f64, ahead: f64, method: SolveMethod) -> [f64; 2] {
        if !self.end {
            return [1.0; 2];
        }
        let GrowthTrial { growth: parting, radians: found, .. } = self.trial;
        let radians = larger(turned + ahead, found);
        let added = |growth: f64| 1.0 + larger(radians * PER_RADIAN, growth * parting);
        if method == SolveMethod::Dop853 {
            let (attitude, ahead) = (added(10.0 * GROWTH), larger(ahead, radians - turned));
            return [attitude + PER_RADIAN_SQUARED_DOP853 * radians * ahead, attitude];
        }
        let squared = radians * PER_RADIAN_SQUARED;
        [added(GROWTH) + squared * squared; 2]
    }
}

/// The momentum that errors at the end count relative to, given its length there and another that it had.
pub fn counted_at_end(end: f64, largest: f64) -> f64 {
    end.max(largest / AT_REST)
}

/// What may become of the errors of a motion.
enum Fate {
    /// They grow about as those of a free body do.
    Known,
    /// Neighbouring motions may part faster than that.
    MayPart,
    /// They do, whenever it tips over.
    TipsOver(NearMiddle),
    /// They do not, but the momentum to which errors are relative may fall.
    MayFall,
}

/// What may become of errors, and how often the torque was evaluated to find out.
fn fate(solver: &Solver<'_>, until: f64) -> (Fate, u64) {
    let problem = solver.problem;
    let torque = problem.torques();
    if torque.is_steep() && !solver.is_compiled() {
        return (Fate::MayPart, 0);
    }
    let (inertia, m) = (problem.inertia(), problem.start().m);
    let omega = inertia.omega(m);
    let (size, speed) = (so3::quick_length(m), so3::quick_length(omega));
    let span = (until - problem.t0()).abs();
    let known = torque.choose_field(TorqueBound(inertia));
    let (strongest, evaluations) = match (solver.strongest_compiled(until), known) {
        (Some(strongest), _) => (strongest, ATTITUDES),
        (None, Some(strongest)) => (strongest, 0),
        (None, None) => (strongest(problem, torque, until, solver.registers), ATTITUDES),
    };
    // Of a body at rest, or hardly moving, it is not known how far it turns.
    let turns_far = speed * span > SHORT || strongest > STRONG * size * speed;
    let parts = strongest > WEAK * (size * speed) && turns_far;
    let energy = omega.dot(m) / (size * size);
    // What the torque makes of it in a radian counts, too.
    let off = strongest / (size * speed);
    let fate = if parts {
        Fate::MayPart
    } else if let Some(near) = tips_over(inertia, energy, off, size * span) {
        Fate::TipsOver(near)
    } else if known.is_none() && strongest * span > (1.0 - 1.0 / FALL) * size {
        // One of a known form has a potential, and is too weak to take much of the energy.
        Fate::MayFall
    } else {
        Fate::Known
    };
    (fate, evaluations)
}

/// Whether the momentum falls until the end, and how often the torque was evaluated to find out.
fn falls(solver: &Solver<'_>, until: f64, tolerance: f64) -> Result<(bool, u64), SolveError> {
    let problem = solver.problem;
    if problem.torques().conserves_energy() && !solver.is_compiled() {
        return Ok((false, 0));
    }
    let allowed = ErrorBounds { relative: SCOUT, absolute: 0.0, angle: SCOUT };
    let mut scout = solver.trial(problem, Aim::steps(allowed, tolerance), until);
    let solution = drive::solve(&mut scout, until)?;
    let [before, after] = [problem.start().m, solution.end().1.m].map(so3::quick_length);
    Ok((FALL * after < before, solution.statistics().evaluations))
}

/// How a body turns that tips over.
struct NearMiddle {
    /// By which part of it the energy differs from that of a turn about the middle axis: errors as large make another
    /// motion of it.
    near: f64,
    /// By how many factors of e errors may grow until the end.
    exponent: f64,
}

/// Where a body turns so near its middle axis, and for so long, that it tips over, whatever else acts. Given are twice
/// its energy over the square of its momentum, the part of that which a torque may change in a radian, and the momentum
/// times the span.
fn tips_over(inertia: &Inertia, energy: f64, off: f64, long: f64) -> Option<NearMiddle> {
    let moments = inertia.moments();
    let (least, most) = (moments.min_element(), moments.max_element());
    let middle = moments.element_sum() - least - most;
    let near = (energy * middle - 1.0).abs().max(off);
    // Of a body at rest it is NaN.
    if near.is_nan() || near >= NEAR_MIDDLE {
        return None;
    }
    let exponent = long * ((1.0 / least - 1.0 / middle) * (1.0 / middle - 1.0 / most)).sqrt();
    (exponent > SHORT).then_some(NearMiddle { near, exponent })
}

/// How trials are made.
struct GrowthPlan {
    /// Trials with larger errors tell nothing; the last is made all the same.
    most: f64,
    /// When differences are looked at before the end.
    looks: Vec<f64>,
    /// Roundings of all steps matter, like steps of a random walk: they are enlarged again and again. Of tops, which
    /// fall from nearly upright, those of a few do.
    all_matter: bool,
}

impl GrowthPlan {
    /// Of any motion from one time to another.
    fn of_any(t0: f64, until: f64) -> Self {
        let looks = vec![until - LATE * (until - t0)];
        Self { most: f64::INFINITY, looks, all_matter: false }
    }

    /// Of a body that is so near to turning about its middle axis.
    fn of_tipping(t0: f64, until: f64, &NearMiddle { near, exponent }: &NearMiddle) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 32")]
        let parts = exponent.ceil().min(LOOKS) as u32;
        let look = |i: u32| t0 + (until - t0) * (f64::from(i) / f64::from(parts));
        Self { most: near, looks: (1..parts).map(look).collect(), all_matter: true }
    }
}

impl GrowthTrial {
    /// Solves to ever smaller tolerances, until it is told what becomes of errors.
    fn new(
        solver: &Solver<'_>,
        until: f64,
        wanted: &ErrorBounds,
        plan: &GrowthPlan,
    ) -> Result<Self, SolveError> {
        let (mut trial, mut floor) = (Self::default(), UNKNOWN);
        let first = TRIALS.iter().position(|&(errors, _)| errors <= plan.most);
        for &(errors, tolerance) in &TRIALS[first.unwrap_or(TRIALS.len() - 1)..] {
            let allowed = ErrorBounds { relative: tolerance, absolute: 0.0, angle: tolerance };
            let aim = Aim::steps(allowed, wanted.least());
            let found = Self::of(solver, until, plan, (errors, aim));
            let (found, farthest) = match found {
                // So near rounding no step may be good enough: nothing more is found out.
                Err(SolveError::StepTooSmall { .. } | SolveError::TimeTooCoarse { .. })
                    if trial.growth > 0.0 =>
                {
                    break;
                }
                found => found?,
            };
            trial = Self { evaluations: trial.evaluations + found.evaluations, ..found };
            if farthest < LARGE {
                floor = trial.rounding();
                break;
            }
        }
        // Where even the last of them are far apart, the end is anybody's guess.
        if floor > REFUSED * wanted.least() {
            let (tolerance, growth) = (wanted.least(), trial.growth);
            return Err(SolveError::Sensitive { tolerance, growth, floor });
        }
        Ok(trial)
    }

    /// Compares a solution with that aim with others whose steps err besides: what is told, and how far apart they
    /// are.
    fn of(
        solver: &Solver<'_>,
        until: f64,
        plan: &GrowthPlan,
        (errors, aim): (f64, Aim),
    ) -> Result<(Self, f64), SolveError> {
        let solve = |nudge| {
            let mut trial = solver.trial(solver.problem, aim, until);
            (trial.times, trial.nudge) = (Some(plan.looks.clone()), nudge);
            drive::solve(&mut trial, until)
        };
        let solution = solve(None)?;
        let Statistics { steps, mut evaluations, .. } = solution.statistics();
        let radians = solution.radians;
        let roundings = if plan.all_matter { (steps as f64).sqrt() } else { 1.0 };
        // It rests where it was, to the bit: there are no errors.
        if radians == 0.0 {
            return Ok((Self { growth: 0.0, radians, roundings, evaluations }, 0.0));
        }
        let end = solution.end().1;
        let at_end = so3::quick_length(end.m) * (solution.slowed / AT_REST).max(1.0);
        let size = errors / (steps as f64).sqrt();
        let (mut difference, mut earlier) = (0.0_f64, 0.0_f64);
        for seed in 0..if steps > FEW { 2 } else { 1 } {
            let nudged = solve(Some(Nudge { size, seed }))?;
            evaluations += nudged.statistics().evaluations;
            difference = difference.max(Errors::new(&end, &nudged.end().1, at_end).worst());
            for (before, nudged) in solution.states().iter().zip(nudged.states()) {
                let size = at_end.max(so3::quick_length(before.m));
                earlier = earlier.max(Errors::new(before, nudged, size).worst());
            }
        }
        let growth = difference / errors;
        Ok((Self { growth, radians, roundings, evaluations }, difference.max(earlier)))
    }

    /// What rounding alone makes of the end.
    fn rounding(&self) -> f64 {
        GROWTH * self.growth * ROUNDING * self.roundings
    }
}
