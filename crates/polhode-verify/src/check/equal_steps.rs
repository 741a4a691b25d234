//! Times that are rounded, of steps that are not.
//!
//! Programs that step by 1/60 often write the time with a few decimals, or in single precision, or add it up in single
//! precision. The body turns on meanwhile, so such times make a right trajectory wrong. They are a hypothesis like any
//! other: the steps are taken to be equal, and that is said only if the trajectory is right then, or its mistake is
//! known.

use super::case::{Case, ReferenceSource};
use super::mistake::Mistake;
use super::report::{CheckReport, CheckVerdict};
use super::samples::Samples;
use super::{CheckError, CheckOptions};

/// Gaps between equal steps may differ by this part, the times of each being rounded.
const UNEQUAL: f64 = 0.02;

/// The report on the samples as they are given or, where that explains more, on equal steps.
pub(super) fn report(case: &Case, options: &CheckOptions) -> Result<CheckReport, CheckError> {
    let given = CheckReport::new(case, options)?;
    // The solution of a problem is known at the times of the samples only.
    if given.verdict != CheckVerdict::Wrong || !matches!(case.source, ReferenceSource::FirstSample)
    {
        return Ok(given);
    }
    let unexplained = |report: &CheckReport| {
        report.diagnoses.iter().any(|d| d.mistakes == [Mistake::Unexplained])
    };
    if !unexplained(&given) {
        return Ok(given);
    }
    for step in steps(&case.samples.times) {
        let start = case.samples.times[0];
        let times = (0..case.samples.len()).map(|k| start + k as f64 * step).collect();
        let samples = Samples { times, ..case.samples.clone() };
        let equal = CheckReport::new(&Case::free(&samples, case.inertia, case.control)?, options)?;
        if !unexplained(&equal) {
            let times = given.times;
            return Ok(CheckReport { equal_steps: Some(step), times, ..equal });
        }
    }
    Ok(given)
}

/// The steps that these may be the rounded times of, if they are about equal.
fn steps(times: &[f64]) -> Vec<f64> {
    let gaps = times.len() - 1;
    let mean = (times[gaps] - times[0]) / gaps as f64;
    let is_equal = |pair: &[f64]| ((pair[1] - pair[0]) / mean - 1.0).abs() <= UNEQUAL;
    if gaps < 2 || !times.windows(2).all(is_equal) {
        return Vec::new();
    }
    // The first time after the start has the most digits; a rate may be a whole number.
    let rate = (1.0 / mean).round();
    let mut steps = vec![times[1] - times[0], mean];
    if (rate * mean - 1.0).abs() <= 0.1 * UNEQUAL {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the step of a program in single precision"
        )]
        let single = f64::from((1.0 / rate) as f32);
        steps.extend([1.0 / rate, single]);
    }
    steps
}
