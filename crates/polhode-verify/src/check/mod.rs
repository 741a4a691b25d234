//! Is this trajectory right? Somebody's samples of a motion, measured against the exact one.
//!
//! A free body is compared with [`FreeMotion`](polhode::FreeMotion) from its first sample
//! ([`check_free`]), a body under torque with a converged solution ([`check_problem`]). The [`CheckReport`]
//! has the drift of what should not change, the error at every time, a verdict, and, where it is
//! wrong, what mistake would explain it.
//!
//! ```
//! use polhode_verify::check::{self, Mistake, CheckOptions, Samples, CheckVerdict};
//! use polhode::{Control, FreeMotion, Inertia, State};
//!
//! let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
//! let motion = FreeMotion::new(&inertia, State::aligned([0.4, 1.0, 0.3])?)?;
//! let times: Vec<f64> = (0..100).map(|n| 0.1 * f64::from(n)).collect();
//! let mut states = times.iter().map(|&t| motion.at(t)).collect::<Result<Vec<_>, _>>()?;
//! let (options, control) = (CheckOptions::default(), Control::default());
//! let samples = Samples::of_states(&times, &states);
//! let report = check::check_free(&samples, &inertia, &options, &control)?;
//! assert_eq!(report.verdict, CheckVerdict::Exact);
//!
//! for state in &mut states {
//!     state.q = state.q.conjugate(); // space to body, where body to space is meant
//! }
//! let samples = Samples::of_states(&times, &states);
//! let report = check::check_free(&samples, &inertia, &options, &control)?;
//! assert_eq!(report.verdict, CheckVerdict::Wrong);
//! assert_eq!(report.diagnoses[0].mistakes, [Mistake::TransposedAttitude]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What counts as right
//! At every time the error of the momentum, relative to its length, and that of the attitude, as an
//! angle, must be within the tolerance, and so must the distance of the attitude from a rotation and
//! that of omega from I^-1 m. To the tolerance is added what the rounding of the samples
//! ([`CheckOptions::rounding`]) may have grown to by then: next to the separatrix that is soon everything,
//! and no trajectory can be called wrong for it. Nor can that of a free body that follows the exact motion from
//! each sample to the next, to rounding: its error is what the roundings of its steps have grown to
//! ([`CheckReport::between_samples`]), and a shorter step would only add to it. The sign of a quaternion never
//! counts. Samples in single precision are recognised, and allowed its rounding ([`CheckReport::single_precision`]);
//! so are times that are those of equal steps, rounded ([`CheckReport::equal_steps`]).

mod case;
mod convergence;
mod deviation;
mod diagnosis;
mod engine;
mod equal_steps;
mod error;
mod mistake;
mod reading;
mod report;
mod rounding;
mod samples;
mod single;

pub use convergence::{Convergence, OrderPair, OrderVerdict, convergence};
pub use deviation::{Deviation, Growth};
pub use error::CheckError;
pub use mistake::{Diagnosis, Mistake};
pub use polhode::torque::VectorFrame;
pub use report::{CheckReport, CheckVerdict, ReferenceKind};
pub use samples::{Attitudes, Samples};

use case::Case;
use polhode::{Control, Inertia, Problem};

/// What is asked of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The largest error of a right trajectory: relative, or radians. 1e-6 unless told.
    pub tolerance: f64,
    /// How well the samples say what they mean, relative: the spacing of doubles unless told. Where
    /// numbers were written with d digits it is half of 10^(1-d).
    pub rounding: f64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, rounding: f64::EPSILON }
    }
}

impl CheckOptions {
    /// Sets [`CheckOptions::tolerance`](field@CheckOptions::tolerance).
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets [`CheckOptions::rounding`](field@CheckOptions::rounding).
    #[must_use]
    pub fn rounding(self, rounding: f64) -> Self {
        Self { rounding, ..self }
    }

    fn validate(&self) -> Result<(), CheckError> {
        for (field, value) in [("tolerance", self.tolerance), ("rounding", self.rounding)] {
            positive(field, value)?;
        }
        Ok(())
    }
}

fn positive(field: &'static str, value: f64) -> Result<(), CheckError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(CheckError::Option { field, value })
}

/// Checks the trajectory of a free body against the exact motion from its first sample. Of the
/// progress only the end is told.
///
/// # Errors
/// [`CheckError`] for samples that cannot be used, where the exact motion is out of range, and
/// [`CheckError::Stopped`] once `control` asks for the end.
pub fn check_free(
    samples: &Samples,
    inertia: &Inertia,
    options: &CheckOptions,
    control: &Control,
) -> Result<CheckReport, CheckError> {
    options.validate()?;
    report(&Case::free(samples, inertia, control)?, options, control)
}

/// Checks a trajectory against the solution of a problem, from the start of that problem. Half of
/// the progress is told when that solution is found, the rest at the end.
///
/// # Errors
/// [`CheckError`] for samples that cannot be used, where there is no solution to trust, and
/// [`CheckError::Stopped`] once `control` asks for the end.
pub fn check_problem(
    samples: &Samples,
    problem: &Problem,
    options: &CheckOptions,
    control: &Control,
) -> Result<CheckReport, CheckError> {
    options.validate()?;
    let case = Case::problem(samples, problem, control)?;
    control.report(0.5);
    report(&case, options, control)
}

fn report(
    case: &Case<'_>,
    options: &CheckOptions,
    control: &Control,
) -> Result<CheckReport, CheckError> {
    // Numbers of single precision say no more than they can, whatever their digits.
    let single = case.samples.is_single_precision();
    let least = if single { f64::from(f32::EPSILON) / 2.0 } else { 0.0 };
    let options = options.rounding(options.rounding.max(least));
    let report = equal_steps::report(case, &options)?;
    let report = CheckReport { single_precision: single, ..report };
    // A hypothesis that was stopped looks like one that does not fit.
    control.check()?;
    control.report(1.0);
    Ok(report)
}
