//! What a step is allowed, so that the end is as good as wanted.
//!
//! Errors of steps add up, and grow with the motion. Over many radians they add up to more than one of them, so a
//! step is allowed the less the farther the body turns. Where a torque is strong, neighbouring motions may part much
//! faster than that; two trial solutions that start a little apart then tell how much faster.

use super::choice::{ChooseField, OrbitForm, PullForm};
use super::engine::ErrorBounds;
use super::field::product;
use super::solver::Solver;
use super::{SolveError, SolveMethod, drive};
use crate::torque::{Body, Record};
use crate::{Errors, Inertia, InertiaOver, Point, Problem, State, so3};
use polhode_number::vector::splat;
use polhode_number::{Kernel, Packed, Splat};

/// Over so many radians, errors of steps add up to about what a step is allowed.
const RADIANS: f64 = 4.0;

/// Over so many radians an error of the momentum, to which every step adds, has turned the body by as much again.
const RADIANS_SQUARED: f64 = 100.0;

/// The same of Dop853, whose estimate of the error is not as cautious.
const RADIANS_SQUARED_DOP853: f64 = 10.0;

/// Of a difference between neighbouring motions at the end, so much is an error of the solution, where every step
/// errs by what it is allowed.
const GROWTH: f64 = 0.1;

/// A torque that changes the momentum by less than this in a radian is weak: neighbouring motions part about as
/// slowly as those of a free body.
const WEAK: f64 = 0.02;

/// One that changes it by more than this is so strong that the motion at the start tells nothing.
const STRONG: f64 = 0.5;

/// Radians over which not even a torque between those parts motions by much.
const SHORT: f64 = 5.0;

/// Trial solutions: how far apart they start, and to which tolerance they are solved. The later pairs are
/// for motions that part so fast that those before are anywhere at the end.
const TRIALS: [(f64, f64); 3] = [(1e-4, 1e-6), (1e-9, 1e-11), (1e-12, 2e-14)];

/// A body that ends slower than it was by this factor has come to rest: its momentum is all rounding, and errors
/// count relative to this part of what it was.
const AT_REST: f64 = 1e4;

/// Differences larger than this are no longer small.
const LARGE: f64 = 0.1;

/// The error of a step by rounding alone.
const ROUNDING: f64 = 1e-16;

/// The error by rounding after so many radians, divided by their square: it adds up in the momentum, and so turns
/// the body ever farther. Measured on heavy tops over 20 to 20,000 radians.
const ROUNDING_OF_RADIANS: f64 = 2.5e-17;

/// A tolerance is refused if rounding is more than this times as large.
const REFUSED: f64 = 3.0;

/// What is aimed at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    wanted: ErrorBounds,
    /// How much farther apart neighbouring motions are at the end than at the start, if that is known to matter.
    growth: f64,
    /// The end is aimed at, not every single step.
    end: bool,
}

impl Aim {
    /// Every step is allowed this much.
    pub(super) fn steps(wanted: ErrorBounds) -> Self {
        Self { wanted, growth: 0.0, end: false }
    }

    /// The end is to be off by this much, for a motion that starts as the solver's problem does.
    pub(super) fn end(
        wanted: ErrorBounds,
        solver: &Solver<'_>,
        until: f64,
    ) -> Result<Self, SolveError> {
        check_rounding(solver, until, &wanted)?;
        let growth = if may_part(solver, until) { growth(solver, until, &wanted)? } else { 0.0 };
        Ok(Self { wanted, growth, end: true })
    }

    /// What a step is allowed in a motion that turns so far, all in all.
    pub(super) fn step(&self, radians: f64, method: SolveMethod) -> ErrorBounds {
        if !self.end {
            return self.wanted;
        }
        let (squared, growth) = match method {
            SolveMethod::Dop853 => (radians / RADIANS_SQUARED_DOP853, 10.0 * GROWTH),
            _ => (radians / RADIANS_SQUARED, GROWTH),
        };
        let more = (radians / RADIANS).max(growth * self.growth) + squared * squared;
        let part = 1.0 / (1.0 + more);
        ErrorBounds {
            relative: self.wanted.relative * part,
            absolute: self.wanted.absolute * part,
            angle: self.wanted.angle * part,
        }
    }
}

/// That rounding does not spoil what is wanted.
fn check_rounding(solver: &Solver<'_>, until: f64, wanted: &ErrorBounds) -> Result<(), SolveError> {
    let problem = solver.problem;
    if solver.method_for(problem.torques(), false) == SolveMethod::ClosedForm {
        return Ok(());
    }
    let radians = solver.speed(&problem.start()) * (until - problem.t0()).abs();
    let (tolerance, floor) = (wanted.least(), ROUNDING_OF_RADIANS * radians * radians);
    if floor > REFUSED * tolerance {
        return Err(SolveError::Rounding { tolerance, radians, floor });
    }
    Ok(())
}

/// Whether neighbouring motions may part faster than those of a free body.
fn may_part(solver: &Solver<'_>, until: f64) -> bool {
    let problem = solver.problem;
    if solver.is_compiled() || problem.torques().is_none() || problem.torques().calls_functions() {
        return false;
    }
    if problem.torques().is_steep() {
        return true;
    }
    let start = problem.start();
    let speed = so3::quick_length(problem.inertia().omega(start.m));
    let size = so3::quick_length(start.m);
    let span = (until - problem.t0()).abs();
    let weak = WEAK * (size * speed);
    // What the torque can never exceed is known sooner than what it is.
    if problem.torques().choose_field(Bound(problem.inertia())).is_some_and(|most| most <= weak) {
        return false;
    }
    let strongest = solver.lanes.run(Strongest(problem));
    // Of a body at rest, or hardly moving, it is not known how far it turns.
    strongest > weak && (speed * span > SHORT || strongest > STRONG * size * speed)
}

/// What the length of the torque on this body never exceeds, where its form tells.
struct Bound<'a>(&'a Inertia);

impl ChooseField for Bound<'_> {
    type Output = Option<f64>;

    fn plain<R: Record + Send + Sync + 'static>(self, _record: &R) -> Option<f64> {
        None
    }

    fn pull(self, PullForm { centre, up }: PullForm) -> Option<f64> {
        Some(so3::quick_length(centre.into()) * so3::quick_length(up.into()))
    }

    /// 3 n² c x I c, where c is a unit vector.
    fn orbit(self, OrbitForm { rate, .. }: OrbitForm) -> Option<f64> {
        let moments = self.0.moments();
        Some(1.5 * (rate * rate) * (moments.max_element() - moments.min_element()))
    }

    fn general(self) -> Option<f64> {
        None
    }
}

/// The length of the torque at the start. It may be weak at one attitude and strong at another: half turns about all
/// axes are tried.
struct Strongest<'a>(&'a Problem);

impl Kernel for Strongest<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Packed>(self) -> f64 {
        let Self(problem) = self;
        let (inertia, start) = (problem.inertia(), problem.start());
        let over = InertiaOver::new(inertia).map(&mut Splat);
        let body = Body::new(&over, core::slice::from_ref(inertia));
        let turns = [
            L::load(&[1.0, 0.0, 0.0, 0.0]),
            L::load(&[0.0, 1.0, 0.0, 0.0]),
            L::load(&[0.0, 0.0, 1.0, 0.0]),
            L::load(&[0.0, 0.0, 0.0, 1.0]),
        ];
        let [w, x, y, z] = start.attitude();
        let q = product([L::splat(w), L::splat(x), L::splat(y), L::splat(z)], turns);
        let at = Point { m: splat(start.m.to_array()), q };
        let torque = problem.torques().torque(&body, L::splat(problem.t0()), &at);
        let mut lanes = [[0.0; 4]; 3];
        for i in 0..3 {
            torque[i].store(&mut lanes[i]);
        }
        let [x, y, z] = lanes;
        (0..4).fold(0.0, |most, i| so3::quick_length([x[i], y[i], z[i]].into()).max(most))
    }
}

/// How much farther apart two motions are at the end than at the start.
fn growth(solver: &Solver<'_>, until: f64, wanted: &ErrorBounds) -> Result<f64, SolveError> {
    let problem = solver.problem;
    let (mut growth, mut floor) = (0.0, 1.0);
    for (apart, tolerance) in TRIALS {
        let start = problem.start();
        let turn = so3::exp([apart, -0.7 * apart, 0.4 * apart].into());
        let moved = problem.clone().starting_from(State {
            m: turn * start.m * (1.0 + 0.5 * apart),
            q: start.q * so3::exp([-0.3 * apart, 0.8 * apart, apart].into()),
        });
        let allowed = ErrorBounds { relative: tolerance, absolute: 0.0, angle: tolerance };
        let solve =
            |problem| drive::solve(&mut solver.trial(problem, Aim::steps(allowed), until), until);
        let solution = solve(problem)?;
        let (_, a) = solution.end();
        let (_, b) = solve(&moved)?.end();
        let size = so3::quick_length(a.m) * (solution.slowed / AT_REST).max(1.0);
        let difference = Errors::new(&a, &b, size).worst();
        // Where the body was faster, steps were allowed more than is allowed at the end.
        growth = (difference / apart) * solution.slowed.min(AT_REST);
        if difference < LARGE {
            floor = GROWTH * growth * ROUNDING;
            break;
        }
    }
    // Where even the last pair is far apart, the end is anybody's guess.
    if floor > wanted.least() {
        return Err(SolveError::Sensitive { tolerance: wanted.least(), growth, floor });
    }
    Ok(growth)
}
