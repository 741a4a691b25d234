//! What can go wrong with a solution.

use super::aim::UNKNOWN;
use super::solver::SHORTEST_SPAN;
use crate::torque::TorqueError;
use crate::{FreeMotionError, Interruption};

/// The smallest tolerance: rounding alone is this large after some steps.
pub const MIN_TOLERANCE: f64 = 1e-14;

/// The largest tolerance: beyond it a solution says nothing.
pub const MAX_TOLERANCE: f64 = 0.1;

/// Why a problem was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// An end that is infinite or NaN.
    #[error("until = {until:?}: must be finite")]
    Until {
        /// The end that was given.
        until: f64,
    },
    /// An end that is too near the start, and not the start itself.
    #[error(
        "until = {until:?}: must be the start, {from:?}, or at least {SHORTEST_SPAN:?} from it"
    )]
    Span {
        /// The end that was given.
        until: f64,
        /// The start.
        from: f64,
    },
    /// A tolerance that cannot be met, or means nothing.
    #[error("{name} = {value:?}: allowed are {MIN_TOLERANCE:?} to {MAX_TOLERANCE:?}")]
    Tolerance {
        /// Which of them, as it was given: `tolerance`, `rtol` or `angle`.
        name: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// An absolute tolerance that is negative or not finite.
    #[error("atol = {value:?}: must be finite and not negative")]
    Absolute {
        /// The value that was given.
        value: f64,
    },
    /// A step that is not positive, or so short that it has no inverse or that no time changes by it.
    #[error("{name} = {value:?}: must be positive, at least {least:?}")]
    Step {
        /// `max_step` or `first_step`.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// The least that is allowed.
        least: f64,
    },
    /// A time at which something is wanted is outside the span, not finite, or not in order.
    #[error(
        "{name}[{index}] = {t:?}: times must be finite, lie between {from:?} and {until:?}, and follow \
         each other in that direction"
    )]
    Time {
        /// `times` or `stops`.
        name: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The time that was given.
        t: f64,
        /// Where the solution starts.
        from: f64,
        /// Where it is to end.
        until: f64,
    },
    /// The way to solve does not go with the problem.
    #[error("method {method:?}: {reason}")]
    Method {
        /// The name of the method that was asked for.
        method: String,
        /// What rules it out.
        reason: String,
    },
    /// The torque on this body leaves the range of doubles.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// Something moves inside the body.
    #[error(
        "something moves inside this body (driven wheels, a damper, dissipation, moments of inertia that vary), or it \
         has a controller: such a motion is computed in steps of one length, not to a tolerance; give a method and a \
         step, e.g. kahanli8+exact"
    )]
    MovesInside,
    /// Derivatives of the motion of a body in which something moves.
    #[error(
        "derivatives are known for rigid bodies alone, and something moves inside this one, or it has a controller; \
         take differences of runs from neighbouring starts"
    )]
    NoDerivatives,
    /// The torque is infinite or NaN.
    #[error("the torque at t = {t:?} is not finite; is the motion singular there?")]
    TorqueNotFinite {
        /// The time at which it was asked for.
        t: f64,
    },
    /// An event's function is infinite or NaN.
    #[error("event {index} at t = {t:?}: its function is not finite")]
    EventNotFinite {
        /// Which event, counted from 0.
        index: usize,
        /// The time at which it was asked for.
        t: f64,
    },
    /// An event has set a state that no body can have, with a number that is not finite for instance.
    #[error("event {index} at t = {t:?}: {source}")]
    EventState {
        /// Which event, counted from 0.
        index: usize,
        /// The time of the event.
        t: f64,
        /// What is wrong with the state.
        source: crate::StateError,
    },
    /// Steps became shorter than the distance of two doubles.
    #[error(
        "at t = {t:?} the step has shrunk to {step:?} and the tolerance is still not met: the torque jumps or is \
         singular there (give times of jumps as stops), or the tolerance is too small for so long a time"
    )]
    StepTooSmall {
        /// The time at which the step was to begin.
        t: f64,
        /// The last step tried.
        step: f64,
    },
    /// A time so far from zero that steps as short as the motion needs hardly change it.
    #[error(
        "at t = {t:?} doubles are {apart:?} apart, and the motion needs steps of about {step:.1e}: count time from nearer \
         to the start"
    )]
    TimeTooCoarse {
        /// The time at which a step was to begin.
        t: f64,
        /// How far it is to the next double.
        apart: f64,
        /// The length of the steps that the motion needs.
        step: f64,
    },
    /// The body rests where the torque cancels, but for rounding.
    #[error(
        "the body starts at rest where the torque cancels but for rounding, {torque:.1e} where it is {elsewhere:.1e} \
         at other attitudes: which way it falls is anybody's guess; give it a tilt or a push, or an attitude in which \
         the torque is exactly zero"
    )]
    Balanced {
        /// The torque at the start.
        torque: f64,
        /// The torque at other attitudes.
        elsewhere: f64,
    },
    /// The motion is so sensitive that rounding alone is larger than the tolerance.
    #[error("tolerance = {tolerance:?}: {}", of_differences(*growth, *floor))]
    Sensitive {
        /// The tolerance that was given.
        tolerance: f64,
        /// How many times larger errors of the steps are at the end.
        growth: f64,
        /// The least that can be reached.
        floor: f64,
    },
    /// Rounding alone is larger than the tolerance.
    #[error(
        "tolerance = {tolerance:?}: over {} radians rounding alone adds up to {}; {}",
        whole(*radians),
        about(*floor),
        advice(*floor)
    )]
    Rounding {
        /// The tolerance that was given.
        tolerance: f64,
        /// How far the body turns.
        radians: f64,
        /// The least that can be reached.
        floor: f64,
    },
    /// The solution is there, but no better one to estimate its error by.
    #[error(
        "tolerance = {tolerance:?}: the error of the solution cannot be estimated, which takes another to a tenth of \
         that: {}, or do without the estimate",
        reason(why)
    )]
    NoEstimate {
        /// The tolerance that was given.
        tolerance: f64,
        /// Why a tenth of it cannot be had.
        why: Box<SolveError>,
    },
    /// The free motion cannot be evaluated.
    #[error(transparent)]
    Free(#[from] FreeMotionError),
    /// Ended on request.
    #[error(transparent)]
    Stopped(#[from] Interruption),
}

impl SolveError {
    /// Why a solution to this tolerance has no estimate of its error, if this is what became of one to a tenth of it.
    pub(super) fn of_estimate(self, tolerance: f64) -> Self {
        if !matches!(
            self,
            Self::Rounding { .. }
                | Self::Sensitive { .. }
                | Self::StepTooSmall { .. }
                | Self::TimeTooCoarse { .. }
        ) {
            return self;
        }
        Self::NoEstimate { tolerance, why: Box::new(self) }
    }
}

/// Why a solution has no state at a time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// Not within the span.
    #[error("t = {t:?}: the solution spans {from:?} to {to:?}")]
    OutsideSpan {
        /// The time that was asked for.
        t: f64,
        /// Where the solution starts.
        from: f64,
        /// Where it ends.
        to: f64,
    },
    /// Only the states at chosen times were kept.
    #[error(
        "t = {t:?}: only the states at chosen times were kept, and this is none of them; ask for it with \
         `times`, or keep the whole solution"
    )]
    NotKept {
        /// The time that was asked for.
        t: f64,
    },
}

/// Without a fraction, and not as hundreds of digits.
fn whole(number: f64) -> String {
    if number < 1e9 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

/// What is said of a tolerance, without its value.
fn reason(why: &SolveError) -> String {
    let said = why.to_string();
    said.split_once(": ").map(|(_, reason)| reason.to_owned()).unwrap_or(said)
}

/// An error, or that there is no telling.
fn about(floor: f64) -> String {
    if floor < UNKNOWN { format!("about {floor:.1e}") } else { "more than a whole turn".to_owned() }
}

fn advice(floor: f64) -> &'static str {
    if floor < MAX_TOLERANCE {
        "allow more, or solve for a shorter time"
    } else {
        "solve for a shorter time"
    }
}

/// What comes of small differences until the end.
fn of_differences(growth: f64, floor: f64) -> String {
    if floor >= UNKNOWN {
        return format!(
            "until the end differences as small as rounding grow so large that nothing is known of it; {}",
            advice(floor)
        );
    }
    format!(
        "until the end small differences grow by a factor of about {growth:.1e}, so that rounding alone makes \
         {floor:.1e}; {}",
        advice(floor)
    )
}
