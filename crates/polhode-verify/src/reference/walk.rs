//! The way from the start of a problem through wanted times, in steps that end on each of them.

use super::ReferenceError;
use polhode::method::Stepper;
use polhode::{Control, Problem, State, so3};

/// The steps of one solution.
pub(super) struct Walk {
    /// Away from the start, on both sides of it.
    legs: Vec<Leg>,
}

/// From one time to the next.
struct Leg {
    from: f64,
    to: f64,
    /// The place of its end among the times.
    index: usize,
    /// How many steps, a whole number.
    steps: f64,
}

impl Walk {
    /// Steps of about a radian: of the rotation at the start, and of what the torque there makes of
    /// it.
    pub(super) fn new(problem: &Problem, times: &[f64]) -> Self {
        let (inertia, t0, start) = (problem.inertia(), problem.t0(), problem.start());
        let acceleration = inertia.omega(problem.torque_at(t0, &start));
        let rate = so3::length(inertia.omega(start.m)) + so3::length(acceleration).sqrt();
        let mut order: Vec<usize> = (0..times.len()).collect();
        let away = |i: &usize| (times[*i] - t0).abs();
        order.sort_by(|i, j| away(i).total_cmp(&away(j)));
        let span = order.last().map_or(0.0, away);
        // A body at rest tells nothing of what is to come.
        let longest = (1.0 / rate).min(span / 8.0);
        let mut at = [t0; 2];
        let legs = order.into_iter().map(|index| {
            let to = times[index];
            let side = &mut at[usize::from(to < t0)];
            let from = core::mem::replace(side, to);
            let steps = ((to - from).abs() / longest).ceil();
            // Not a number, where a time is the start, or the rate not finite.
            Leg { from, to, index, steps: if steps >= 1.0 { steps } else { 1.0 } }
        });
        Self { legs: legs.collect() }
    }

    /// The number of steps.
    pub(super) fn steps(&self) -> f64 {
        self.legs.iter().map(|leg| leg.steps).sum()
    }

    /// Makes all steps half as long.
    pub(super) fn halve(&mut self) {
        for leg in &mut self.legs {
            leg.steps *= 2.0;
        }
    }

    /// The states at the times; the stepper with what it carries at the start, if that is more than digits.
    pub(super) fn solve(
        &self,
        problem: &Problem,
        (stepper, fresh): (&mut dyn Stepper, Option<&[f64]>),
        control: &Control,
    ) -> Result<Vec<State>, ReferenceError> {
        let mut states = vec![problem.start(); self.legs.len()];
        // What a stepper carries belongs to one direction of time.
        for side in [false, true] {
            stepper.reset();
            // Momenta of wheels are taken up again; those that a new stepper has fit it.
            let _ = fresh.map(|carried| stepper.restore(carried));
            let mut state = problem.start();
            for leg in self.legs.iter().filter(|leg| (leg.to < problem.t0()) == side) {
                leg.go(problem, stepper, &mut state, control)?;
                states[leg.index] = state;
            }
        }
        Ok(states)
    }
}

impl Leg {
    fn go(
        &self,
        problem: &Problem,
        stepper: &mut dyn Stepper,
        state: &mut State,
        control: &Control,
    ) -> Result<(), ReferenceError> {
        let h = (self.to - self.from) / self.steps;
        if h == 0.0 {
            return Ok(());
        }
        let mut n = 0.0;
        while n < self.steps {
            control.check()?;
            let t = self.from + n * h;
            stepper
                .step(problem, t, h, state)
                .map_err(|source| ReferenceError::Step { t, source })?;
            n += 1.0;
        }
        Ok(())
    }
}
