//! Wall times of runs.
//!
//! Runs that are timed while others go on share caches, memory and the clock of the processor with
//! them. So they are timed here one after another, in short slices that take turns: what disturbs
//! the machine for a second then disturbs one slice of each, and the least of them counts.

use std::time::Instant;

use super::{Contender, Measurement, Trial};
use polhode::method::Stepper;
use polhode::{Control, Interruption, Plan, Problem, run};

/// How often each run has its turn.
const ROUNDS: u32 = 5;

/// A slice lasts about that long: far longer than the clock's resolution and a change of tasks.
const SLICE_SECONDS: f64 = 0.01;

/// One run, or its beginning, some times over.
struct Slice<'a> {
    stepper: Box<dyn Stepper>,
    plan: Plan,
    repeats: u32,
    /// Seconds of a step, the least so far.
    best: f64,
    measured: &'a mut Measurement,
}

/// Times all trials that have a result.
pub(super) fn time<'a>(
    problem: &Problem,
    contenders: &[Contender],
    trials: impl Iterator<Item = &'a mut Trial>,
    control: &Control,
) -> Result<(), Interruption> {
    let mut slices: Vec<Slice<'_>> = trials
        .filter_map(|trial| {
            let measured = trial.result.as_mut().ok()?;
            let stepper = contenders[trial.contender].method.stepper(problem).ok()?;
            let plan = Plan { step: trial.step, steps: measured.steps.min(16) };
            Some(Slice { stepper, plan, repeats: 1, best: f64::INFINITY, measured })
        })
        .collect();
    for slice in &mut slices {
        slice.fill(problem, control)?;
    }
    for _ in 0..ROUNDS {
        for slice in &mut slices {
            control.check()?;
            slice.take(problem);
        }
    }
    for Slice { best, measured, .. } in slices {
        measured.cost.seconds = best * measured.steps as f64;
    }
    Ok(())
}

impl Slice<'_> {
    /// Makes the slice as long as it should be; the first turns also warm up.
    fn fill(&mut self, problem: &Problem, control: &Control) -> Result<(), Interruption> {
        loop {
            control.check()?;
            let seconds = self.take(problem);
            if seconds >= 0.5 * SLICE_SECONDS {
                return Ok(());
            }
            if self.plan.steps < self.measured.steps {
                self.plan.steps = self.measured.steps.min(self.plan.steps * 2);
            } else {
                self.repeats *= 2;
            }
        }
    }

    /// Its turn; the seconds it took.
    fn take(&mut self, problem: &Problem) -> f64 {
        let clock = Instant::now();
        for _ in 0..self.repeats {
            self.stepper.reset();
            // The whole run succeeded before, so its beginning does.
            let _ = std::hint::black_box(run(problem, &mut *self.stepper, &self.plan, &mut []));
        }
        let seconds = clock.elapsed().as_secs_f64();
        let steps = self.plan.steps as f64 * f64::from(self.repeats);
        self.best = self.best.min(seconds / steps);
        seconds
    }
}
