//! What rounding adds up to over many radians.

use super::SolveError;
use super::engine::ErrorBounds;

/// The error by rounding after so many radians, divided by their square: it adds up in the momentum, and so turns
/// the body ever farther. Measured on heavy tops over 20 to 20,000 radians.
const ROUNDING_OF_RADIANS: f64 = 2.5e-17;

/// The same of short steps: those of Dop853, and of the extrapolation where it is kept to them. What a step adds is
/// rounded, and the weights of the sequences make that larger: steps that add less round less. Of 300 problems over 300
/// to 10,000 radians, each to a tolerance of 0.35 to 0.67 of this, 90 % end within four tolerances; with long steps and
/// the number above, within five.
const ROUNDING_OF_SHORT_STEPS: f64 = 1.2e-17;

/// How far a body turns in a short step at most. Left alone, the extrapolation takes steps of one to two radians.
pub(super) const SHORT_TURN: f64 = 0.25;

/// The least of it, where the body turns little: every step rounds. Solutions to 1e-13 and 1e-14 of tops over up to
/// 20 radians, in which nothing else is left, differ by up to this.
const ROUNDING_OF_STEPS: f64 = 2e-14;

/// A tolerance is refused if rounding is more than this times as large.
pub(super) const REFUSED: f64 = 3.0;

/// About what rounding alone adds up to in a motion that turns so many radians, as measured on heavy tops: relative to
/// the momentum, and in radians of attitude.
pub fn rounding(radians: f64) -> f64 {
    ROUNDING_OF_STEPS.max(ROUNDING_OF_RADIANS * radians * radians)
}

/// The same at least, by steps that are short.
pub(super) fn least_rounding(radians: f64) -> f64 {
    ROUNDING_OF_STEPS.max(ROUNDING_OF_SHORT_STEPS * radians * radians)
}

/// After how many radians rounding has spoilt a tolerance: by steps that are short, and by steps as long as their
/// errors allow.
pub(super) fn most_radians(tolerance: f64) -> [f64; 2] {
    [ROUNDING_OF_SHORT_STEPS, ROUNDING_OF_RADIANS].map(|of| (REFUSED * tolerance / of).sqrt())
}

/// Checks that rounding does not spoil what is wanted in a motion that turns so far.
pub(super) fn check_rounding(radians: f64, wanted: &ErrorBounds) -> Result<(), SolveError> {
    let (tolerance, floor) = (wanted.least(), least_rounding(radians));
    if floor > REFUSED * tolerance {
        return Err(SolveError::Rounding { tolerance, radians, floor });
    }
    Ok(())
}
