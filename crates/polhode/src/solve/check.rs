//! Checks of what is asked of a solver, before it begins.

use super::solver::{SHORTEST_SPAN, Solver};
use super::{MAX_TOLERANCE, MIN_TOLERANCE, SolveError};

/// By which name a tolerance was given: an error tells the caller of what he has said. A byte, for a solver is moved
/// whenever an option is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum ToleranceName {
    Tolerance,
    Rtol,
    Angle,
}

impl ToleranceName {
    fn text(self) -> &'static str {
        match self {
            Self::Tolerance => "tolerance",
            Self::Rtol => "rtol",
            Self::Angle => "angle",
        }
    }
}

impl Solver<'_> {
    /// Checks that this solution may be asked for, whether or not it can be reached.
    pub(crate) fn check(&self, until: f64) -> Result<(), SolveError> {
        if !until.is_finite() {
            return Err(SolveError::Until { until });
        }
        let span = (until - self.problem.t0()).abs();
        if span > 0.0 && span < SHORTEST_SPAN {
            return Err(SolveError::Span { until, from: self.problem.t0() });
        }
        // That of the attitude first: what is given for both is named as that, where rtol repeats it.
        let [relative, angle] = self.given_as;
        for (name, value) in [(angle, self.angle), (relative, self.relative)] {
            let name = name.text();
            if !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(&value) {
                return Err(SolveError::Tolerance { name, value });
            }
        }
        if !(self.absolute >= 0.0 && self.absolute.is_finite()) {
            return Err(SolveError::Absolute { value: self.absolute });
        }
        let steps = [("max_step", Some(self.max_step)), ("first_step", self.first_step)];
        for (name, value) in steps {
            if let Some(value) = value.filter(|step| step.is_nan() || *step < SHORTEST_SPAN) {
                return Err(SolveError::Step { name, value });
            }
        }
        let from = self.problem.t0();
        let lists = [("times", self.times.as_deref().unwrap_or(&[])), ("stops", &self.stops)];
        for (name, list) in lists {
            // How far from the start, in the direction of the run.
            let along = |t: f64| if until < from { from - t } else { t - from };
            let mut before = -1.0;
            for (index, &t) in list.iter().enumerate() {
                let far = along(t);
                if !(far >= 0.0 && far > before && far <= along(until)) {
                    return Err(SolveError::Time { name, index, t, from, until });
                }
                before = far;
            }
        }
        if self.problem.needs_steps() && (self.held().is_none() || self.is_compiled()) {
            return Err(SolveError::MovesInside);
        }
        self.problem.torques().check(self.problem.inertia())?;
        if !self.is_compiled() {
            self.problem.torques().check_times([from, until])?;
        }
        Ok(())
    }
}
