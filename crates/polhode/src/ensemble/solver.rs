//! Motions of many bodies to a tolerance, at requested times.

use polhode_number::Registers;
use rayon::prelude::*;

use super::block::cells;
use super::error::{BodyFailure, EnsembleError};
use super::member::{Member, Members};
use super::sink::{BodySamples, CELL, EnsembleSummary, Sink};
use super::workers::{EnsembleProgress, Portion, Workers, worker_methods};
use super::{check_times, report};
use crate::solve::{SolveError, Solver, solve_all};
use crate::{Inertia, Interruption, Problem, State, Torque};

/// Bodies that a thread takes at a time: eight are solved side by side, and where some are done others follow.
const TASK: usize = 64;

/// States in memory at a time.
const STATES: usize = 1 << 20;

/// Solves the motions of many bodies under a torque to a tolerance, and shows them at requested times.
///
/// Each body has its own steps, and the bits that [`Problem::solver`] gives it alone, whatever the number of
/// threads. Steps of several bodies are made side by side in SIMD lanes; bodies under a torque that is a function of
/// the user's are solved one by one. Free bodies are evaluated in closed form.
///
/// ```
/// use polhode::ensemble::{EnsembleSolver, FinalStates, Member};
/// use polhode::torque::HeavyTop;
/// use polhode::{Inertia, State};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let bodies = (1..=9).map(|i| {
///     Member { inertia, start: State::aligned([0.1, f64::from(i), 0.0]).unwrap() }
/// });
/// let mut end = FinalStates::default();
/// EnsembleSolver::new(1e-9).torque(HeavyTop::lagrange(0.1)?).run(bodies, &[0.5, 3.0], &mut end)?;
/// assert_eq!(end.states.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EnsembleSolver {
    tolerance: f64,
    torque: Torque,
    t0: f64,
    stops: Vec<f64>,
    workers: Workers,
    registers: Registers,
}

impl EnsembleSolver {
    /// To this error at the last time, of every body: see [`Solver::tolerance`](crate::solve::Solver::tolerance).
    pub fn new(tolerance: f64) -> Self {
        let (torque, workers) = (Torque::none(), Workers::default());
        let (t0, stops, registers) = (0.0, Vec::new(), Registers::fastest());
        Self { tolerance, torque, t0, stops, workers, registers }
    }

    /// Lets this torque act on every body.
    #[must_use]
    pub fn torque(self, torque: impl Into<Torque>) -> Self {
        Self { torque: torque.into(), ..self }
    }

    /// Sets the time of the start, which is zero otherwise.
    #[must_use]
    pub fn from_time(self, t0: f64) -> Self {
        Self { t0, ..self }
    }

    /// Steps of every body end at these times, in the order in which they are passed and no later than the last time
    /// that is requested: where the torque jumps. See [`Solver::stops`](crate::solve::Solver::stops).
    #[must_use]
    pub fn stops(self, stops: &[f64]) -> Self {
        Self { stops: stops.to_vec(), ..self }
    }

    /// In these registers, which the processor has: for tests that the bits are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn registers(self, registers: Registers) -> Self {
        Self { registers, ..self }
    }

    worker_methods!();

    /// Solves for every body until the last of these times, which follow each other away from the start. The sink
    /// sees the times one after the other, [`BodySamples::step`] being the number of the time. Where there are many
    /// times, fewer bodies are in memory than [`EnsembleSolver::block`] says: no more than a million states.
    ///
    /// # Errors
    /// [`EnsembleError`] if the tolerance, a time or a stop is not allowed, the end is requested, or source or sink
    /// fail. A body that cannot be solved (the tolerance cannot be reached, the torque is singular) is no error: it
    /// fails with the first of the times, and stays where it started.
    pub fn run(
        &self,
        mut source: impl Members + Send,
        times: &[f64],
        sink: &mut (dyn Sink + Send),
    ) -> Result<EnsembleSummary, EnsembleError> {
        self.check(times)?;
        let most = (STATES / times.len().max(1)).max(1);
        let workers = Workers { block: self.workers.block.min(most), ..self.workers.clone() };
        let size = times.len() as u64;
        workers.each_block(&mut source, size, &mut |progress, portion, summary| {
            self.run_block(progress, &portion, times, sink, summary)
        })
    }

    /// Checks that tolerance, times and stops are allowed, whatever the body.
    ///
    /// # Errors
    /// [`EnsembleError`] if they are not.
    pub fn check(&self, times: &[f64]) -> Result<(), EnsembleError> {
        check_times(times)?;
        self.torque.check_times([self.t0, until(times, self.t0)])?;
        let sphere = Inertia::principal([1.0; 3]).ok().zip(State::aligned([0.0; 3]).ok());
        let Some((inertia, start)) = sphere else { return Ok(()) };
        let problem = Problem::new(inertia, start).starting_at(self.t0);
        let solver = problem.solver().tolerance(self.tolerance).times(times).stops(&self.stops);
        Ok(solver.check(until(times, self.t0))?)
    }

    /// The states of some bodies at these times, or why there are none.
    fn solve(
        &self,
        bodies: &[Member],
        times: &[f64],
        progress: &EnsembleProgress<'_>,
    ) -> Vec<Result<Vec<State>, SolveError>> {
        let problem = |body: &Member| {
            Problem::new(body.inertia, body.start).torque(self.torque.clone()).starting_at(self.t0)
        };
        let problems: Vec<Problem> = bodies.iter().map(problem).collect();
        let control = self.workers.control.silent();
        let solver = |problem| {
            let solver = Problem::solver(problem).tolerance(self.tolerance).times(times);
            let solver = solver.stops(&self.stops);
            solver.control(control.clone()).registers(self.registers)
        };
        let mut solvers: Vec<Solver<'_>> = problems.iter().map(solver).collect();
        // Whether it is to be stopped is asked at every step.
        let tell = || _ = progress.more(times.len() as u64);
        solve_all(&mut solvers, until(times, self.t0), &tell)
    }

    fn run_block(
        &self,
        progress: &EnsembleProgress<'_>,
        &Portion { first, ref bodies }: &Portion,
        times: &[f64],
        sink: &mut (dyn Sink + Send),
        summary: &mut EnsembleSummary,
    ) -> Result<(), EnsembleError> {
        let solve = |bodies: &[Member]| {
            let solutions = self.solve(bodies, times, progress);
            for solution in &solutions {
                if let Err(SolveError::Stopped(stopped)) = solution {
                    return Err(*stopped);
                }
            }
            progress.check()?;
            Ok(solutions)
        };
        let solutions: Vec<_> =
            bodies.par_chunks(TASK).map(solve).collect::<Result<_, Interruption>>()?;
        let (mut cells, mut failures) = (cells(bodies), Vec::new());
        let (t, mut moving) = (times.first().copied().unwrap_or(self.t0), Vec::new());
        for (i, solution) in solutions.into_iter().flatten().enumerate() {
            match solution {
                Ok(states) => moving.push((i, states)),
                Err(error) => {
                    cells[i / CELL].alive &= !(1 << (i % CELL));
                    let (body, state) = (first + i as u64, bodies[i].start);
                    failures.push(BodyFailure { body, step: 0, t, state, cause: error.into() });
                }
            }
        }
        report(failures, sink, summary)?;
        for (step, &t) in times.iter().enumerate() {
            for (i, states) in &moving {
                cells[i / CELL].set(i % CELL, &states[step]);
            }
            let last = step + 1 == times.len();
            let (cells, torque) = (&cells[..], &self.torque);
            let (step, moving) = (step as u64, None);
            let samples =
                BodySamples { first, step, t, last, bodies, cells, torque, moving, alone: &[] };
            sink.samples(&samples).map_err(EnsembleError::Sink)?;
        }
        Ok(())
    }
}

/// The end of a solution that is wanted at these times: the one farthest away, so that one that is out of order is
/// named, and not one that is in order beyond the last.
fn until(times: &[f64], t0: f64) -> f64 {
    let farther = |a: &f64, b: &f64| (a - t0).abs().total_cmp(&(b - t0).abs());
    times.iter().copied().max_by(farther).unwrap_or(t0)
}
