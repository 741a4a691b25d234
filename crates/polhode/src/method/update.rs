//! How the increments of a step are added to the state: plainly, or with the digits kept that the
//! addition drops.
//!
//! Compensated: the sum is held as state plus remainder; an increment is added to the remainder, that
//! to the state, and what the rounding dropped is the next remainder (Vilmart, section 4.3). Errors of
//! the increments count by their own size, h, and no more by that of the state.

use glam::{DQuat, DVec3};
use polhode_number::{add_compensated, two_sum};

use super::start::Start;
use super::turn::Turn;
use super::{RestoreError, StepReport, Stepper};
use crate::parameters::{MethodParameter, ParameterKind, Parameters};
use crate::problem::Problem;
use crate::{State, StepError, so3};

/// The parameter that turns compensated summation on.
pub(super) const COMPENSATED: MethodParameter = MethodParameter {
    name: "compensated",
    doc: "Carry the digits that adding the increments of a step drops.",
    kind: ParameterKind::Flag,
};

/// What a step adds to the state; q + dq has the length of q.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateIncrement {
    pub(super) dm: DVec3,
    pub(super) dq: DQuat,
}

impl StateIncrement {
    /// What a turn from the start of a step adds to the attitude, and with it dm.
    pub(super) fn new(start: &Start, dm: DVec3, turn: Turn) -> Self {
        Self { dm, dq: turn.change(start.q) }
    }
}

/// The sum of all increments so far; the state holds all of it but the remainder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    remainder: Option<StateIncrement>,
}

const NOTHING: StateIncrement =
    StateIncrement { dm: DVec3::ZERO, dq: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) };

impl Update {
    pub(super) fn new(compensated: bool) -> Self {
        Self { remainder: compensated.then_some(NOTHING) }
    }

    pub(super) fn from_parameters(parameters: &Parameters) -> Self {
        Self::new(parameters.flag(COMPENSATED.name))
    }

    /// Adds the increment of a step of length h.
    ///
    /// # Errors
    /// [`StepError::OutOfRange`] if the result is not finite; nothing is changed then.
    pub(super) fn add(
        &mut self,
        h: f64,
        state: &mut State,
        increment: StateIncrement,
    ) -> Result<(), StepError> {
        let (mut next, mut lost) = (*state, self.remainder.unwrap_or(NOTHING));
        add_compensated(&mut next.m, &mut lost.dm, increment.dm);
        add_compensated(&mut next.q, &mut lost.dq, increment.dq);
        if !next.is_finite() {
            return Err(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        if let Some(remainder) = &mut self.remainder {
            *remainder = lost;
        } else {
            next.m = evened(state.m, increment.dm, next.m);
            // The length is 1 but for rounding: one step of Newton for its inverse keeps it so.
            next.q = next.q * (1.5 - 0.5 * next.q.length_squared());
        }
        *state = next;
        Ok(())
    }

    pub(super) fn reset(&mut self) {
        self.remainder = self.remainder.map(|_| NOTHING);
    }

    /// The remainder as seven numbers, or none.
    pub(super) fn carried(&self) -> Vec<f64> {
        self.remainder.map_or_else(Vec::new, |StateIncrement { dm, dq }| {
            dm.to_array().into_iter().chain(so3::to_wxyz(dq)).collect()
        })
    }

    /// Takes the remainder off the front of what was carried, and gives the rest.
    pub(super) fn restore<'a>(&mut self, carried: &'a [f64]) -> Result<&'a [f64], RestoreError> {
        let Some(remainder) = &mut self.remainder else { return Ok(carried) };
        let needed = RestoreError { found: carried.len(), needed: "at least seven" };
        let ([x, y, z, q @ ..], rest) = carried.split_first_chunk::<7>().ok_or(needed)?;
        *remainder = StateIncrement { dm: DVec3::new(*x, *y, *z), dq: so3::from_wxyz(*q) };
        Ok(rest)
    }
}

/// The sum m + dm, given as rounded, with the length that it has without rounding.
///
/// A body of two equal moments adds the same increment to its third component in every step, and that
/// is rounded in the same direction every time: the length would drift, by a tenth of an ulp a step.
/// What rounding took along the momentum is given back to the smallest component that is not too small
/// for it, whose ulp is finest.
fn evened(m: DVec3, dm: DVec3, sum: DVec3) -> DVec3 {
    let dropped = DVec3::from_array([0, 1, 2].map(|i| two_sum(m[i], dm[i]).1));
    let size = sum.abs();
    let enough = size.max_element() / 4.0;
    let fit = (0..3).filter(|&i| size[i] >= enough).min_by(|&i, &j| size[i].total_cmp(&size[j]));
    let Some(fine) = fit.filter(|&i| size[i] > 0.0) else { return sum };
    let mut evened = sum;
    // Quotients of at most four: no product leaves the range of doubles.
    evened[fine] += (sum / sum[fine]).dot(dropped);
    evened
}

/// A method that needs no solve: its increment is a function of the start.
pub(super) struct Explicit {
    increment: fn(&Start) -> StateIncrement,
    update: Update,
}

impl Explicit {
    /// The stepper of that function.
    pub(super) fn stepper(
        increment: fn(&Start) -> StateIncrement,
        parameters: &Parameters,
    ) -> Box<dyn Stepper> {
        Box::new(Self { increment, update: Update::from_parameters(parameters) })
    }
}

impl Stepper for Explicit {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let start = Start::new(problem, t, h, state)?;
        self.update.add(h, state, (self.increment)(&start))?;
        Ok(start.report(0))
    }

    fn reset(&mut self) {
        self.update.reset();
    }

    fn carried(&self) -> Vec<f64> {
        self.update.carried()
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        RestoreError::unless_empty(self.update.restore(carried)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_any_size_are_sums() {
        for (m, dm) in [
            (DVec3::ZERO, DVec3::ZERO),
            (DVec3::X, -DVec3::X),
            (DVec3::splat(1e300), DVec3::splat(-1e284)),
            (DVec3::new(1e-310, 0.0, 3e-310), DVec3::splat(1e-320)),
            (DVec3::new(1e-9, 1.0, -2e-9), DVec3::new(1e-3, -1e-17, 0.1)),
        ] {
            let sum = m + dm;
            let evened = evened(m, dm, sum);
            let size = sum.abs().max_element();
            assert!((evened - sum).abs().max_element() <= 4.0 * f64::EPSILON * size, "{m}, {dm}");
        }
    }
}
