//! When conditions change within a step of a method.

use super::condition::{SPACING, turned};
use super::{Condition, Sample};
use crate::method::Stepper;

/// The most that a step is looked at between its ends.
const MOST_LOOKS: f64 = 64.0;

/// When a condition changes is found to this part of a step.
const ROUNDING: f64 = 1e-13;

/// A step of a run, to be done again in part: with the method of the run, so that what is seen within the step is as
/// accurate as its end.
pub struct StepAgain<'a> {
    stepper: &'a mut dyn Stepper,
    carried: &'a [f64],
    before: Sample<'a>,
    after: Sample<'a>,
}

impl<'a> StepAgain<'a> {
    /// The step between two moments of a run: `stepper` is another one of the same method, `carried` what that of the
    /// run [carried](Stepper::carried) before the step.
    pub fn new(
        stepper: &'a mut dyn Stepper,
        carried: &'a [f64],
        before: Sample<'a>,
        after: Sample<'a>,
    ) -> Self {
        Self { stepper, carried, before, after }
    }

    /// When the step begins.
    pub fn begin(&self) -> f64 {
        self.before.t
    }

    /// Whether a condition holds when the step begins.
    pub fn held_before(&mut self, condition: &Condition) -> bool {
        self.margin(condition, self.before.t) > 0.0
    }

    /// The times in the step at which a condition begins or ceases to hold, in their order.
    ///
    /// It is looked at where the body has turned by pi/8. Where the motion [can be
    /// solved](crate::Problem::can_be_solved), what changes twice between two looks is found too.
    pub fn changes(&mut self, condition: &Condition) -> Vec<f64> {
        if self.before.problem.can_be_solved() {
            return condition.changes(&self.before, &self.after);
        }
        let (before, after, looks) = (self.before.t, self.after.t, self.looks());
        let mut from = (before, self.margin(condition, before));
        let mut changes = Vec::new();
        for look in 1..=looks {
            let part = f64::from(look) / f64::from(looks);
            let t = if look == looks { after } else { before + part * (after - before) };
            let to = (t, self.margin(condition, t));
            if (to.1 > 0.0) != (from.1 > 0.0) {
                changes.push(self.change(condition, from, to));
            }
            from = to;
        }
        changes
    }

    /// How often to look within the step, and at its end.
    fn looks(&self) -> u32 {
        let angle = turned([&self.before, &self.after]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 64")]
        let looks = (angle / SPACING).ceil().clamp(1.0, MOST_LOOKS) as u32;
        looks
    }

    /// The margin of a condition at a time within the step; not a number where that cannot be done.
    fn margin(&mut self, condition: &Condition, t: f64) -> f64 {
        let Self { stepper, carried, before, after } = self;
        let problem = before.problem;
        for end in [before, after] {
            if t == end.t {
                return condition.margin_inside(problem, t, end.state, end.inside);
            }
        }
        let mut state = *self.before.state;
        stepper.reset();
        let done = stepper.restore(carried).is_ok()
            && stepper.step(problem, self.before.t, t - self.before.t, &mut state).is_ok();
        if done { condition.margin_inside(problem, t, &state, stepper.inside()) } else { f64::NAN }
    }

    /// When a condition changes between two times at which its margins have these signs: by false position, the end
    /// that stays counting half (Illinois).
    fn change(&mut self, condition: &Condition, mut from: (f64, f64), mut to: (f64, f64)) -> f64 {
        let holds = to.1 > 0.0;
        let shortest = ROUNDING * (self.after.t - self.before.t).abs();
        while (to.0 - from.0).abs() > shortest {
            let straight = from.0 + (to.0 - from.0) * (from.1 / (from.1 - to.1));
            let between = straight > from.0.min(to.0) && straight < from.0.max(to.0);
            let t = if between { straight } else { 0.5 * (from.0 + to.0) };
            if t == from.0 || t == to.0 {
                break;
            }
            let margin = self.margin(condition, t);
            if (margin > 0.0) == holds {
                to = (t, margin);
                from.1 *= 0.5;
            } else {
                from = (t, margin);
                to.1 *= 0.5;
            }
        }
        to.0
    }
}
