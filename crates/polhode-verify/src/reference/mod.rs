//! Reference solutions: the motion of a problem at given times, as well as doubles can tell it.
//!
//! A free body's motion is known exactly. With a torque it is computed by a method of high order in
//! ever shorter steps, until two successive solutions agree or come no closer to each other; what
//! still separates them estimates the error. The methods are compensated, which keeps rounding small
//! over many steps:
//!
//! | torque depends on | method |
//! |---|---|
//! | nothing: there is none | [`FreeMotion`] |
//! | the attitude | `rkn6-14:compensated+exact:compensated` |
//! | the momentum as well, linearly | `kahanli8:compensated+exact:compensated` |
//! | the momentum otherwise | `rkmk:tableau=gauss3:compensated` |
//! | anything, where something moves inside the body, or it has a controller | `kahanli8:compensated+exact` |
//!
//! Between two wanted times all steps are equally long, so every wanted time is the end of a step.

mod error;
mod walk;

pub use error::ReferenceError;

use crate::Errors;
use polhode::method::Method;
use polhode::torque::Dependence;
use polhode::{Control, FreeMotion, Problem, State, so3};
use polhode_number::two_sum;
use walk::Walk;

/// What [`FreeMotion`] promises; see `docs/accuracy.md`.
const EXACT: f64 = 4e-15;

/// Solutions this close agree to rounding.
const ROUNDING: f64 = 4e-15;

/// Below this a method of order 6 or more gains a factor of tens with every halving: where a
/// difference does not even shrink to a half, it is rounding.
const ASYMPTOTIC: f64 = 1e-8;

/// A solution with a larger error is no reference.
const ACCEPTED: f64 = 1e-6;

/// Halvings without gain after which a solution that is not yet asymptotic is given up. Steps have
/// then shrunk from a radian to a sixteenth, short enough for any motion that is smooth.
const PATIENCE: u32 = 4;

/// The most steps of one solution: about a minute.
const MOST_STEPS: f64 = 2e7;

/// The solution of a problem at some times, with an estimate of its error.
///
/// ```
/// use polhode::{Control, Inertia, Problem, State, torque::HeavyTop};
/// use polhode_verify::Reference;
/// let inertia = Inertia::principal([1.0, 5.0, 6.0])?;
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(1.0)?);
/// let reference = Reference::at_times(&problem, &[0.5, 1.0], &Control::default())?;
/// assert_eq!(reference.states().len(), 2);
/// assert!(reference.error() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reference {
    times: Vec<f64>,
    states: Vec<State>,
    error: f64,
    converged: Option<ConvergedSolution>,
}

/// How a solution that is not exact was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvergedSolution {
    /// The method, as [`Method::parse`] reads it.
    pub method: &'static str,
    /// The number of its steps.
    pub steps: f64,
}

impl Reference {
    /// The solution at these times, which rise or fall strictly and may lie on either side of the
    /// problem's start, or on both. The progress told is the part of the times that is done, for a free
    /// body; under torque, where nobody knows how many steps it will take, only the end is told.
    ///
    /// # Errors
    /// [`ReferenceError`] for times that are not finite or not in order, and where there is no
    /// solution to trust: a chaotic motion over too long a time, a torque that is singular on the
    /// way, more steps than can be done. [`ReferenceError::Stopped`] once `control` asks for the end.
    pub fn at_times(
        problem: &Problem,
        times: &[f64],
        control: &Control,
    ) -> Result<Self, ReferenceError> {
        check(times)?;
        let found = if problem.is_free() {
            exact(problem, times, control)
        } else {
            converge(problem, times, method(problem), control)
        }?;
        control.report(1.0);
        Ok(found)
    }

    /// The times of the solution, in the order given.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The states at these times.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The estimated error, the larger one of two over all times: that of the momentum, relative to
    /// the greatest length it has at any of them, and that of the attitude, an angle in radians.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// How it was found; none if it is exact.
    pub fn converged(&self) -> Option<ConvergedSolution> {
        self.converged
    }
}

fn check(times: &[f64]) -> Result<(), ReferenceError> {
    if let Some(index) = times.iter().position(|t| !t.is_finite()) {
        return Err(ReferenceError::Time { index, t: times[index] });
    }
    let rising = matches!(times, [first, second, ..] if first < second);
    let ordered = |pair: &[f64]| if rising { pair[0] < pair[1] } else { pair[0] > pair[1] };
    match times.windows(2).position(|pair| !ordered(pair)) {
        Some(i) => Err(ReferenceError::Order { index: i + 1, before: times[i], t: times[i + 1] }),
        None => Ok(()),
    }
}

/// Progress is told once in so many exact states: each takes about a microsecond.
const TOLD_EVERY: usize = 1000;

fn exact(problem: &Problem, times: &[f64], control: &Control) -> Result<Reference, ReferenceError> {
    let motion = FreeMotion::new(problem.inertia(), problem.start())?;
    let rate = so3::length(problem.inertia().omega(problem.start().m));
    let mut states = Vec::with_capacity(times.len());
    let mut error = EXACT;
    for (done, &t) in times.iter().enumerate() {
        control.check()?;
        if done % TOLD_EVERY == 0 {
            control.report(done as f64 / times.len() as f64);
        }
        // What rounding the difference drops: nothing for a problem that starts at zero.
        let (passed, dropped) = two_sum(t, -problem.t0());
        error = error.max(EXACT + dropped.abs() * rate);
        states.push(motion.at(passed)?);
    }
    Ok(Reference { times: times.to_vec(), states, error, converged: None })
}

fn method(problem: &Problem) -> &'static str {
    let torque = problem.torques();
    if problem.needs_steps() {
        // A composition of Strang steps goes with everything that moves inside a body.
        "kahanli8:compensated+exact"
    } else if torque.dependence() < Dependence::Momentum {
        "rkn6-14:compensated+exact:compensated"
    } else if torque.kicks_are_exact() {
        "kahanli8:compensated+exact:compensated"
    } else {
        "rkmk:tableau=gauss3:compensated"
    }
}

/// The solution that agreed best with the one in steps twice as long.
struct BestSolution {
    states: Vec<State>,
    steps: f64,
    difference: Difference,
}

fn converge(
    problem: &Problem,
    times: &[f64],
    method: &'static str,
    control: &Control,
) -> Result<Reference, ReferenceError> {
    let mut stepper = Method::parse(method)?.stepper(problem)?;
    let mut walk = Walk::new(problem, times);
    let fresh = problem.needs_steps().then(|| stepper.carried());
    let mut solve = |walk: &Walk| {
        if walk.steps() > MOST_STEPS {
            return Err(ReferenceError::TooLong { steps: walk.steps() });
        }
        walk.solve(problem, (&mut *stepper, fresh.as_deref()), control)
    };
    let mut coarse = solve(&walk);
    control.check()?;
    let mut best: Option<BestSolution> = None;
    // In chaos the solutions that are least apart at the end are so by chance: what is known is what
    // any two agreed on.
    let mut known: Option<f64> = None;
    let mut in_vain = 0;
    while in_vain < PATIENCE && !matches!(coarse, Err(ReferenceError::TooLong { .. })) {
        walk.halve();
        let fine = solve(&walk);
        control.check()?;
        in_vain += 1;
        if let (Ok(coarse), Ok(fine)) = (&coarse, &fine) {
            let difference = Difference::new(problem, times, coarse, fine);
            let from_start = |t: Option<f64>| t.map_or(-1.0, |t| (t - problem.t0()).abs());
            if from_start(difference.agree_until) > from_start(known) {
                known = difference.agree_until;
            }
            let before = best.as_ref().map_or(f64::INFINITY, |b| b.difference.largest);
            if difference.largest <= 0.5 * before {
                in_vain = 0;
            }
            if difference.largest <= before {
                best = Some(BestSolution { states: fine.clone(), steps: walk.steps(), difference });
            }
        }
        coarse = fine;
        let error = best.as_ref().map_or(f64::INFINITY, |b| b.difference.largest);
        if error <= ROUNDING || (error <= ASYMPTOTIC && in_vain > 0) {
            break;
        }
    }
    match (best, coarse) {
        (Some(BestSolution { states, steps, difference }), _) if difference.largest <= ACCEPTED => {
            let error = difference.largest.max(ROUNDING);
            let converged = Some(ConvergedSolution { method, steps });
            Ok(Reference { times: times.to_vec(), states, error, converged })
        }
        // Also where shorter steps get farther into a singularity than long ones, which jump it.
        (_, Err(failed @ ReferenceError::Step { .. })) | (None, Err(failed)) => Err(failed),
        (Some(BestSolution { steps, difference: Difference { largest, .. }, .. }), _) => {
            Err(ReferenceError::NotConverged { error: largest, steps, agree_until: known })
        }
        (None, Ok(_)) => Err(ReferenceError::NotConverged {
            error: f64::INFINITY,
            steps: walk.steps(),
            agree_until: None,
        }),
    }
}

/// How far two solutions are apart.
struct Difference {
    largest: f64,
    /// The time farthest from the start up to which it is acceptable.
    agree_until: Option<f64>,
}

impl Difference {
    fn new(problem: &Problem, times: &[f64], a: &[State], b: &[State]) -> Self {
        let lengths = a.iter().chain(b).map(|s| so3::length(s.m));
        let scale = lengths.fold(so3::length(problem.start().m), f64::max);
        let mut largest = 0.0_f64;
        let mut bad = f64::INFINITY;
        for ((a, b), t) in a.iter().zip(b).zip(times) {
            let error = Errors::new(b, a, scale).worst();
            largest = largest.max(error);
            if error > ACCEPTED {
                bad = bad.min((t - problem.t0()).abs());
            }
        }
        let before = times.iter().copied().filter(|t| (t - problem.t0()).abs() < bad);
        let farthest =
            |a: &f64, b: &f64| (a - problem.t0()).abs().total_cmp(&(b - problem.t0()).abs());
        Self { largest, agree_until: before.max_by(farthest) }
    }
}
