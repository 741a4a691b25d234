//! Comparing methods on a problem: errors and costs over methods and steps.
//!
//! Every method is run with every step, in parallel, and measured against a [`Reference`]; methods
//! and steps that do not go together are trials with a reason instead of numbers. For a wanted error
//! the longest step that reaches it is searched, by further runs, for each method.
//!
//! # What is measured
//! The error of a run is taken at [`CHECKS`] moments evenly spread over it, the last of them its end:
//! the largest one counts. That of the momentum is relative to the greatest length the momentum of
//! the reference has, that of the attitude is an angle in radians.
//!
//! Solutions to a tolerance ([`SolutionTrial`]) are measured beside them in the same way.
//!
//! Errors, evaluations of the torque and iterations are the same bits however many threads there
//! are. Times are not measured in that pass, where runs disturb each other: they follow in a
//! second one, one run at a time on an otherwise idle process, see [`Cost::seconds`].
//!
//! ```
//! use polhode_verify::compare::{Comparison, Contender, Setup};
//! use polhode::{Control, Inertia, Problem, State, torque::HeavyTop};
//! let inertia = Inertia::principal([1.0, 5.0, 6.0])?;
//! let start = State::aligned([1.0, 2.0, 3.0])?;
//! let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(1.0)?);
//! let contenders = ["strang+exact", "rkn6-14+exact"].map(Contender::parse);
//! let contenders = contenders.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let setup = Setup::new(1.0, contenders, vec![0.1, 0.05, 0.025]).wanted(1e-8);
//! let comparison = Comparison::new(&problem, setup, &Control::default())?;
//! let cheapest = comparison.cheapest(|cost| cost.torque_evaluations as f64).unwrap();
//! assert_eq!(comparison.contenders()[cheapest.contender].id, "rkn6-14+exact");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod order;
mod solution;
mod trial;
mod tune;

pub use crate::Errors;
pub use order::NoOrder;
pub use solution::SolutionTrial;
pub use trial::{Cost, Measurement, Trial, TrialError};
pub use tune::{Tuning, TuningError};

use rayon::prelude::*;

use crate::{Reference, ReferenceError};
use polhode::method::{Method, MethodError};
use polhode::solve::SolveMethod;
use polhode::torque::Dependence;
use polhode::{Control, Interruption, Plan, Problem};
use trial::{TrialProgress, TrialRuler};

/// Tolerances worth trying, where none are given.
pub const TOLERANCES: [f64; 5] = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12];

/// At how many moments of a run its error is taken.
pub const CHECKS: u32 = 8;

/// A method that takes part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contender {
    /// The name under which it appears in results.
    pub id: String,
    /// The method of that name.
    pub method: Method,
}

impl Contender {
    /// A method under a name of its own.
    pub fn new(id: impl Into<String>, method: Method) -> Self {
        Self { id: id.into(), method }
    }

    /// The method of that text.
    ///
    /// # Errors
    /// As [`Method::parse`].
    pub fn parse(id: &str) -> Result<Self, MethodError> {
        Ok(Self { id: id.trim().into(), method: Method::parse(id)? })
    }
}

/// What is to be compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// How far the runs go, as [`Plan::until`](polhode::Plan::until) has it.
    pub until: f64,
    /// The methods that are compared.
    pub contenders: Vec<Contender>,
    /// The steps, each tried with every method.
    pub steps: Vec<f64>,
    /// The error for which the longest step of each method is searched.
    pub wanted: Option<f64>,
    /// Ways to solve to a tolerance, which are measured beside the methods with steps.
    pub solvers: Vec<SolveMethod>,
    /// The tolerances, each tried with every way to solve.
    pub tolerances: Vec<f64>,
}

impl Setup {
    /// These methods, each with these steps.
    pub fn new(until: f64, contenders: Vec<Contender>, steps: Vec<f64>) -> Self {
        Self { until, contenders, steps, wanted: None, solvers: Vec::new(), tolerances: Vec::new() }
    }

    /// Sets the error for which the longest step of each method is searched, or that there is none.
    #[must_use]
    pub fn wanted(self, wanted: impl Into<Option<f64>>) -> Self {
        Self { wanted: wanted.into(), ..self }
    }

    /// Measures these ways to solve, too, each to these tolerances.
    #[must_use]
    pub fn solving(self, solvers: Vec<SolveMethod>, tolerances: Vec<f64>) -> Self {
        Self { solvers, tolerances, ..self }
    }

    /// The steps of all runs together, those of the search for a wanted error not counted.
    pub fn total_steps(&self, t0: f64) -> u64 {
        let plans = self.steps.iter().filter_map(|h| Plan::until(t0, *h, self.until).ok());
        let one = plans.fold(0_u64, |sum, plan| sum.saturating_add(plan.steps));
        one.saturating_mul(self.contenders.len() as u64)
    }
}

/// Methods and steps, measured.
#[derive(Debug)]
pub struct Comparison {
    contenders: Vec<Contender>,
    reference: Reference,
    trials: Vec<Trial>,
    tuned: Vec<Tuning>,
    solutions: Vec<SolutionTrial>,
    /// Errors below it may be the motion's own enlargement of rounding.
    floor: f64,
}

/// Why nothing could be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// There is nothing to measure errors by.
    #[error(transparent)]
    Reference(ReferenceError),
    /// An end that is not finite, or is the start.
    #[error("until = {until:?}: must be finite, and not the start at {t0:?}")]
    Until {
        /// The end that was given.
        until: f64,
        /// The time of the start.
        t0: f64,
    },
    /// A wanted error that is not positive, or smaller than the reference can tell.
    #[error(
        "a wanted error of {wanted:e} cannot be told: it must be above {least:.1e}, ten times the \
         error of the reference"
    )]
    Wanted {
        /// The error that was asked for: relative, or radians.
        wanted: f64,
        /// The least that can be told.
        least: f64,
    },
    /// It was ended before it was done.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

impl From<ReferenceError> for CompareError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Reference(other),
        }
    }
}

/// Errors below this multiple of the reference's own are not told apart from it.
const RESOLVED: f64 = 10.0;

impl Comparison {
    /// Measures every method with every step. The progress told, by whichever thread it is, is the
    /// part of [`Setup::total_steps`] that is done: 1 in the end, also where methods fail on the way.
    ///
    /// # Errors
    /// [`CompareError`] if there is no reference, or the wanted error is beyond it;
    /// [`CompareError::Stopped`] once `control` asks for the end. That a method fails is no error but
    /// a result.
    pub fn new(problem: &Problem, setup: Setup, control: &Control) -> Result<Self, CompareError> {
        let progress = TrialProgress::new(setup.total_steps(problem.t0()), control);
        let Setup { until, contenders, steps, wanted, solvers, tolerances } = setup;
        if !until.is_finite() || until == problem.t0() {
            return Err(CompareError::Until { until, t0: problem.t0() });
        }
        let ruler = TrialRuler::new(problem, until, &steps, control)?;
        let least = RESOLVED * ruler.reference.error();
        if let Some(wanted) = wanted
            && !(wanted >= least && wanted.is_finite())
        {
            return Err(CompareError::Wanted { wanted, least });
        }
        polhode::start_shared_threads();
        let pairs: Vec<(usize, f64)> = (0..contenders.len())
            .flat_map(|contender| steps.iter().map(move |step| (contender, *step)))
            .collect();
        let mut trials: Vec<Trial> = pairs
            .into_par_iter()
            .map(|(contender, step)| {
                let result = ruler.measure(&contenders[contender].method, step, &progress);
                Trial { contender, step, result }
            })
            .collect();
        let mut tuned: Vec<Tuning> = wanted.map_or(Vec::new(), |wanted| {
            let search = |contender: usize| {
                let tried = trials.iter().filter(|t| t.contender == contender);
                tune::search(&ruler, contender, &contenders[contender].method, tried, wanted)
            };
            (0..contenders.len()).into_par_iter().map(search).collect()
        });
        let measured =
            trials.iter_mut().chain(tuned.iter_mut().filter_map(|t| t.trial.as_mut().ok()));
        clock::time(problem, &contenders, measured, control)?;
        let asked: Vec<(SolveMethod, f64)> = solvers
            .iter()
            .flat_map(|method| tolerances.iter().map(move |tolerance| (*method, *tolerance)))
            // The closed form has no tolerance: once is enough.
            .filter(|(method, tolerance)| {
                *method != SolveMethod::ClosedForm || Some(tolerance) == tolerances.first()
            })
            .collect();
        let mut solutions: Vec<SolutionTrial> = asked
            .into_par_iter()
            .map(|(method, tolerance)| solution::measure(&ruler, method, tolerance))
            .collect();
        solution::time(problem, until, &mut solutions, control)?;
        let floor = RESOLVED * rounding(&ruler, &steps).max(ruler.reference.error());
        // A run that was stopped looks like one that failed.
        control.check()?;
        control.report(1.0);
        Ok(Self { contenders, reference: ruler.reference, trials, tuned, solutions, floor })
    }

    /// The methods that were compared, in the order given.
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// What errors are measured by.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Method by method, every step.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// For each method the longest step that reaches the wanted error; empty if none is wanted.
    pub fn tuned(&self) -> &[Tuning] {
        &self.tuned
    }

    /// Every way to solve, with every tolerance.
    pub fn solutions(&self) -> &[SolutionTrial] {
        &self.solutions
    }

    /// Of the solutions whose error is at most this, the quickest.
    pub fn quickest_solution(&self, wanted: f64) -> Option<(&SolutionTrial, &Measurement)> {
        let measured = self.solutions.iter().filter_map(|s| Some((s, s.result.as_ref().ok()?)));
        let reaches = measured.filter(|(_, m)| m.error.worst() <= wanted);
        reaches.min_by(|a, b| a.1.cost.seconds.total_cmp(&b.1.cost.seconds))
    }

    /// For each step, in the order given, the trial with the least error; of equal ones the first. Steps with
    /// which no method got through are left out.
    pub fn best_at_steps(&self) -> Vec<&Trial> {
        let mut best: Vec<&Trial> = Vec::new();
        let error = |t: &Trial| t.result.as_ref().map_or(f64::INFINITY, |m| m.error.worst());
        for trial in self.trials.iter().filter(|t| t.result.is_ok()) {
            match best.iter_mut().find(|b| b.step == trial.step) {
                None => best.push(trial),
                Some(before) if error(trial) < error(before) => *before = trial,
                Some(_) => {}
            }
        }
        best
    }

    /// Errors up to this size show no order: they may be rounding, as the motion enlarges it.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// The trial that reaches the wanted error at the least cost, whatever that is counted in.
    pub fn cheapest(&self, count: impl Fn(&Cost) -> f64) -> Option<&Trial> {
        let cost = |trial: &Trial| trial.result.as_ref().map_or(f64::INFINITY, |m| count(&m.cost));
        let reached = self.tuned.iter().filter_map(|t| t.trial.as_ref().ok());
        reached.min_by(|a, b| cost(a).total_cmp(&cost(b)))
    }

    /// The order that the errors of a method show: read from three neighbouring steps between which
    /// the error falls with the same power, below the size of the motion itself and above rounding and
    /// what the motion makes of it. None where there are no such three: no order is seen, and
    /// [`Self::no_order`] tells why.
    pub fn observed_order(&self, contender: usize) -> Option<f64> {
        self.order(contender).ok()
    }

    /// Why the errors of a method show no order, if they do not.
    pub fn no_order(&self, contender: usize) -> Option<NoOrder> {
        self.order(contender).err()
    }

    fn order(&self, contender: usize) -> Result<f64, NoOrder> {
        let trials = self.trials.iter().filter(|t| t.contender == contender);
        let points =
            trials.filter_map(|t| Some((t.step.abs(), t.result.as_ref().ok()?.error.worst())));
        order::observed(points.collect(), self.floor)
    }
}

/// What the motion makes of the rounding of steps: the error of a free body's exact ones. Under torque
/// the reference, found in several steps, has that in its own error.
fn rounding(ruler: &TrialRuler<'_>, steps: &[f64]) -> f64 {
    if ruler.problem.torques().dependence() != Dependence::None {
        return 0.0;
    }
    // At the edge of what can be computed it may fail: then it counts for none.
    let Ok(exact) = Method::parse("exact") else { return 0.0 };
    let error = |step: &f64| {
        Some(ruler.measure(&exact, *step, &TrialProgress::untold()).ok()?.error.worst())
    };
    steps.par_iter().filter_map(error).reduce(|| 0.0, f64::max)
}

/// A handful of methods worth comparing on a problem.
pub fn suggested(problem: &Problem) -> &'static [&'static str] {
    if problem.needs_steps() {
        return &["strang+exact", "suzuki4+exact", "kahanli6+exact", "kahanli8+exact"];
    }
    match problem.torques().dependence() {
        Dependence::None => &["exact", "dmv", "three-rotations", "rkmk4", "rk4"],
        Dependence::Attitude => {
            &["strang+exact", "rkn4-6+exact", "rkn6-14+exact", "aba1064+exact", "rkmk4"]
        }
        Dependence::Momentum => {
            &["strang+exact", "s4-6+exact", "s6-10+exact", "rkmk4", "rkmk:tableau=gauss3"]
        }
    }
}
