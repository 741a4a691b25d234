//! Solutions to a tolerance, measured as runs are.

use std::time::Instant;

use super::trial::{Cost, Measurement, TrialRuler};
use polhode::solve::SolveMethod;
use polhode::{Control, Interruption, Problem, Solution, SolveError};

/// How often each solution has its turn at the clock.
const ROUNDS: u32 = 5;

/// A turn lasts about that long.
const TURN_SECONDS: f64 = 0.005;

/// A solution to a tolerance.
#[derive(Debug)]
#[non_exhaustive]
pub struct SolutionTrial {
    /// How it is solved.
    pub method: SolveMethod,
    /// The error that was asked for.
    pub tolerance: f64,
    /// The numbers of the solution, or why there are none.
    pub result: Result<Measurement, SolveError>,
}

/// A solution that is measured against the reference.
pub(super) fn measure(
    ruler: &TrialRuler<'_>,
    method: SolveMethod,
    tolerance: f64,
) -> SolutionTrial {
    let times = ruler.parts();
    let solved = solve(ruler.problem, method, tolerance, &times, ruler.until, ruler.control);
    let result = solved.map(|solution| {
        let states = solution.times().iter().zip(solution.states());
        let errors: Vec<_> = states.map(|(t, state)| ruler.errors(*t, state)).collect();
        let statistics = solution.statistics();
        Measurement {
            steps: statistics.steps,
            error: errors.iter().fold(crate::Errors::default(), |max, e| max.max(*e)),
            error_at_end: errors.last().copied().unwrap_or_default(),
            cost: Cost { torque_evaluations: statistics.evaluations, ..Cost::default() },
        }
    });
    SolutionTrial { method, tolerance, result }
}

fn solve(
    problem: &Problem,
    method: SolveMethod,
    tolerance: f64,
    times: &[f64],
    until: f64,
    control: &Control,
) -> Result<Solution, SolveError> {
    let solver = problem.solver().method(method).tolerance(tolerance).times(times);
    solver.control(control.silent()).until(until)
}

/// Times all solutions that have a result, one at a time and in turns: the least counts.
pub(super) fn time(
    problem: &Problem,
    until: f64,
    trials: &mut [SolutionTrial],
    control: &Control,
) -> Result<(), Interruption> {
    for _ in 0..ROUNDS {
        for SolutionTrial { method, tolerance, result } in &mut *trials {
            let Ok(measured) = result else { continue };
            control.check()?;
            let (clock, mut repeats) = (Instant::now(), 0.0);
            while repeats == 0.0 || clock.elapsed().as_secs_f64() < TURN_SECONDS {
                // It succeeded before.
                let solved = solve(problem, *method, *tolerance, &[], until, control);
                let _ = std::hint::black_box(solved);
                repeats += 1.0;
            }
            let seconds = clock.elapsed().as_secs_f64() / repeats;
            let best = &mut measured.cost.seconds;
            *best = if *best > 0.0 { best.min(seconds) } else { seconds };
        }
    }
    Ok(())
}
