//! How long the steps are.

use super::SolveMethod;
use super::engine::{larger, smaller};

/// Rules for the length of steps.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// The step changes only if the squared ratio of error and tolerance leaves this range: a step that is held
    /// needs not wait for the estimate of the one before.
    held: (f64, f64),
    /// Of the step that would just do, so much is taken.
    safety: f64,
    /// The most that a step grows by at the first change, later, and where it is far too short.
    growth: (f64, f64, f64),
    /// The most that the step that would do may seem to grow by from one step to the next: along an orbit the error
    /// may vanish for a moment.
    steady: f64,
    /// The least that is left of a step that failed.
    shrink: f64,
}

const EXTRAPOLATION: Rules = Rules {
    held: (1e-6, 0.5),
    safety: 0.8,
    growth: (3.0, 1.1, 1.5),
    steady: f64::INFINITY,
    shrink: 0.25,
};

// With a safety of 0.9, as others have it, up to a fifth of the steps fail: errors change along an orbit. Of sixty tops
// over 10 to 25 radians, to 1e-3 .. 1e-10, these numbers take the fewest evaluations of those tried.
const DOP853: Rules =
    Rules { held: (1.0, 0.0), safety: 0.75, growth: (6.0, 3.0, 6.0), steady: 1.1, shrink: 0.25 };

/// The step is far too short where the squared ratio is below this.
const FAR_TOO_SHORT: f64 = 1e-8;

/// Of the step that is guessed at the start, a step below this part is very short; it is held only if the squared ratio
/// of error and tolerance is above the second number.
const SHORT: f64 = 1.0 / 64.0;
const SHORT_HELD: f64 = 1e-3;

/// Quotients of times are off by less than this part.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Of the span, the first step of a body that is at rest and that nothing moves yet.
const AT_REST: f64 = 1e-3;

/// The length of the next step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    rules: &'static Rules,
    /// The order of the difference that estimates the error.
    order: i32,
    most: f64,
    limit: f64,
    /// The error of shorter steps may be all rounding, which does not tell how much longer they might be.
    short: f64,
    /// The most that the next step may be by the one before the last.
    steady: f64,
    /// The length that is wanted.
    pub(super) want: f64,
}

/// The next integer, without a call to a library where the processor has no instruction for it.
#[allow(clippy::cast_possible_truncation, reason = "only where it is exact")]
fn ceil(x: f64) -> f64 {
    if x.abs() < 1e15 {
        let whole = x as i64 as f64;
        if whole < x { whole + 1.0 } else { whole }
    } else {
        x.ceil()
    }
}

/// x^(1/p) to a per cent or so, on the bits of the exponent.
fn root(x: f64, p: i32) -> f64 {
    const ONE: i64 = 0x3ff0_0000_0000_0000;
    let bits = x.to_bits().cast_signed() - ONE;
    f64::from_bits((bits / i64::from(p) + ONE).cast_unsigned())
}

impl Pace {
    /// The first step, for a motion of this rate over this span.
    pub(super) fn new(
        method: SolveMethod,
        (order, first): (i32, f64),
        (rate, span): (f64, f64),
        tolerance: f64,
        limit: f64,
    ) -> Self {
        let rules = match method {
            SolveMethod::Dop853 => &DOP853,
            _ => &EXTRAPOLATION,
        };
        let guess = first * root(tolerance * 1e8, order) / rate;
        let want = match method {
            SolveMethod::ClosedForm => span,
            _ if rate > 0.0 => guess,
            _ => AT_REST * span,
        };
        Self {
            rules,
            order,
            most: rules.growth.0,
            limit,
            short: if rate > 0.0 { SHORT * guess } else { 0.0 },
            steady: f64::INFINITY,
            want: want.min(limit),
        }
    }

    /// Starts with this step instead.
    pub(super) fn starting_with(self, step: f64) -> Self {
        Self { want: step.min(self.limit), ..self }
    }

    /// After a step of length h that met the tolerance: whether the next is to be of another length.
    pub(super) fn accepted(&mut self, h: f64, ratio: f64) -> bool {
        let Rules { held, safety, growth: (_, later, far), steady, .. } = *self.rules;
        let hold_from = if h < self.short { SHORT_HELD } else { held.0 };
        if ratio >= hold_from && ratio <= held.1 {
            return false;
        }
        let factor = safety * root(1.0 / larger(ratio, 1e-60), 2 * self.order);
        let most = if ratio < FAR_TOO_SHORT { larger(self.most, far) } else { self.most };
        let want = h * smaller(factor, most);
        self.want = smaller(smaller(want, self.limit), self.steady);
        self.most = later;
        self.steady = steady * (h * factor);
        true
    }

    /// After a step of length h that did not, or failed altogether.
    pub(super) fn rejected(&mut self, h: f64, ratio: f64) {
        let Rules { safety, shrink, growth, steady, .. } = *self.rules;
        // False for NaN.
        let factor = if ratio < 1e200 {
            (safety * root(1.0 / ratio, 2 * self.order)).max(shrink)
        } else {
            shrink
        };
        self.want = h * factor.min(safety);
        self.most = growth.1;
        self.steady = steady * (h * factor);
    }

    /// Into how many equal steps to divide what is left. Each may be a little longer than wanted, but not longer than
    /// the limit, apart from rounding.
    pub(super) fn parts(&self, left: f64, longest: f64) -> f64 {
        let parts = larger(ceil(left / smaller(self.want, longest) - 0.1), 1.0);
        // The wanted step is no longer than the limit, so one more step is enough.
        if left > parts * self.limit * (1.0 + ROUNDING) { parts + 1.0 } else { parts }
    }
}
