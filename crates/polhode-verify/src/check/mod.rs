//! Is this trajectory right? Somebody's samples of a motion, measured against the exact one.
//!
//! A free body is compared with [`FreeMotion`](polhode::FreeMotion) from its first sample
//! ([`check_free`]), a body under torque with a converged solution ([`check_problem`]). The [`Report`]
//! has the drift of what should not change, the error at every time, a verdict, and, where it is
//! wrong, what mistake would explain it.
//!
//! ```
//! use polhode_verify::check::{self, Mistake, Options, Samples, Verdict};
//! use polhode::{FreeMotion, Inertia, State};
//!
//! let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
//! let motion = FreeMotion::new(&inertia, State::aligned([0.4, 1.0, 0.3])?)?;
//! let times: Vec<f64> = (0..100).map(|n| 0.1 * f64::from(n)).collect();
//! let mut states = times.iter().map(|&t| motion.at(t)).collect::<Result<Vec<_>, _>>()?;
//! let report = check::check_free(&Samples::of_states(&times, &states), &inertia, &Options::default())?;
//! assert_eq!(report.verdict, Verdict::Exact);
//!
//! for state in &mut states {
//!     state.q = state.q.conjugate(); // space to body, where body to space is meant
//! }
//! let report = check::check_free(&Samples::of_states(&times, &states), &inertia, &Options::default())?;
//! assert_eq!(report.verdict, Verdict::Wrong);
//! assert_eq!(report.diagnoses[0].mistakes, [Mistake::TransposedAttitude]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What counts as right
//! At every time the error of the momentum, relative to its length, and that of the attitude, as an
//! angle, must be within the tolerance, and so must the distance of the attitude from a rotation and
//! that of omega from I^-1 m. To the tolerance is added what the rounding of the samples
//! ([`Options::rounding`]) may have grown to by then: next to the separatrix that is soon everything,
//! and no trajectory can be called wrong for it. The sign of a quaternion never counts.

mod case;
mod convergence;
mod deviation;
mod diagnosis;
mod error;
mod mistake;
mod reading;
mod report;
mod samples;

pub use convergence::{Convergence, OrderPair, OrderVerdict, convergence};
pub use deviation::{Deviation, Growth};
pub use error::CheckError;
pub use mistake::{Diagnosis, Mistake};
pub use report::{ReferenceKind, Report, Verdict};
pub use samples::{Attitudes, Frame, Samples};

use case::Case;
use polhode::{Inertia, Problem, Stop};

/// What is asked of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest error of a right trajectory: relative, or radians. 1e-6 unless told.
    pub tolerance: f64,
    /// How well the samples say what they mean, relative: the spacing of doubles unless told. Where
    /// numbers were written with d digits it is half of 10^(1-d).
    pub rounding: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, rounding: f64::EPSILON }
    }
}

impl Options {
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

/// Checks the trajectory of a free body against the exact motion from its first sample.
///
/// # Errors
/// [`CheckError`] for samples that cannot be used, and where the exact motion is out of range.
pub fn check_free(
    samples: &Samples,
    inertia: &Inertia,
    options: &Options,
) -> Result<Report, CheckError> {
    check_free_stoppable(samples, inertia, options, &Stop::new())
}

/// The same, until `stop` is requested.
///
/// # Errors
/// As [`check_free`], and [`CheckError::Stopped`] on request.
pub fn check_free_stoppable(
    samples: &Samples,
    inertia: &Inertia,
    options: &Options,
    stop: &Stop,
) -> Result<Report, CheckError> {
    options.validate()?;
    let report = Report::new(&Case::free(samples, inertia, stop)?, options)?;
    // A hypothesis that was stopped looks like one that does not fit.
    stop.check()?;
    Ok(report)
}

/// Checks a trajectory against the solution of a problem, from the start of that problem.
///
/// # Errors
/// [`CheckError`] for samples that cannot be used, and where there is no solution to trust.
pub fn check_problem(
    samples: &Samples,
    problem: &Problem,
    options: &Options,
) -> Result<Report, CheckError> {
    check_problem_stoppable(samples, problem, options, &Stop::new())
}

/// The same, until `stop` is requested.
///
/// # Errors
/// As [`check_problem`], and [`CheckError::Stopped`] on request.
pub fn check_problem_stoppable(
    samples: &Samples,
    problem: &Problem,
    options: &Options,
    stop: &Stop,
) -> Result<Report, CheckError> {
    options.validate()?;
    let report = Report::new(&Case::problem(samples, problem, stop)?, options)?;
    stop.check()?;
    Ok(report)
}
