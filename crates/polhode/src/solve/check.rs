//! Checks of what is asked of a solver, before it begins.

use super::course::SHORTEST;
use super::solver::{SHORTEST_SPAN, Solver};
use super::{MAX_TOLERANCE, MIN_TOLERANCE, SolveError};

/// The option by which a tolerance was given, for messages of errors. One byte, because a solver is moved whenever an
/// option is given.
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
        // The attitude first: if `tolerance` is wrong and `rtol` repeats its value, the error names `tolerance`.
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
        let from = self.problem.t0();
        // Steps that are all shorter would not change the time.
        let least = (SHORTEST * from.abs().max(until.abs())).max(SHORTEST_SPAN);
        let steps = [
            ("max_step", Some(self.max_step), least),
            ("first_step", self.first_step, SHORTEST_SPAN),
        ];
        for (name, value, least) in steps {
            if let Some(value) = value.filter(|step| step.is_nan() || *step < least) {
                return Err(SolveError::Step { name, value, least });
            }
        }
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
