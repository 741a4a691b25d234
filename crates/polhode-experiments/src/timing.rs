//! How long runs take.

use std::time::Instant;

use polhode::method::Method;
use polhode::{Plan, Problem, State};

use crate::ExperimentError;

/// A clock does not resolve less: shorter runs are repeated until they take as long.
const RESOLVED: f64 = 1e-4;
/// Fewer rounds than these may all be disturbed.
const ROUNDS: u32 = 10;

/// One run of one method with one step.
pub(crate) struct Case<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) method: &'a str,
    pub(crate) step: f64,
    pub(crate) until: f64,
}

/// What a case gives.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) state: State,
    /// The least time of a run.
    pub(crate) least: f64,
    /// The mean time of the runs.
    pub(crate) mean: f64,
}

/// The ends of runs, and how long they take: all cases in turn, round after round, and the mean and
/// the least time of each. What else the machine does makes a run longer, never shorter; in turn, because it
/// comes in spells longer than a round, which would make a kink in one curve.
pub(crate) fn timed(cases: &[Case<'_>], rounds: u32) -> Result<Vec<Timing>, ExperimentError> {
    let mut all = cases.iter().map(Clock::new).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..rounds.max(ROUNDS) {
        for clock in &mut all {
            clock.round()?;
        }
    }
    let timed = |c: Clock<'_>| Timing { state: c.state, least: c.least(), mean: c.mean() };
    Ok(all.into_iter().map(timed).collect())
}

/// A table of what was timed: with every case its method's name and its errors.
pub(crate) fn table<'a>(
    cases: &[Case<'_>],
    found: &[Timing],
    quantities: &[&str],
    rows: impl IntoIterator<Item = (&'a str, Vec<f64>)>,
) -> Result<String, ExperimentError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let errors = quantities.iter().map(|q| format!("error of {q}"));
    let columns = ["method", "step", "mean time in seconds", "least time in seconds"];
    table.write_record(columns.map(String::from).into_iter().chain(errors))?;
    for ((case, timed), (name, errors)) in cases.iter().zip(found).zip(rows) {
        table.serialize((name, case.step, timed.mean, timed.least, errors))?;
    }
    let bytes = table.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The least seconds of each of some functions, measured as [`timed`] measures runs; a function
/// does its work once.
pub(crate) fn least_seconds<const N: usize>(
    rounds: u32,
    work: &mut [&mut dyn FnMut(); N],
) -> [f64; N] {
    let repeats = work.each_mut().map(|work| repeats(&mut **work));
    let mut least = [f64::INFINITY; N];
    for _ in 0..rounds.max(ROUNDS) {
        for ((work, &repeats), least) in work.iter_mut().zip(&repeats).zip(&mut least) {
            let clock = Instant::now();
            (0..repeats).for_each(|_| work());
            *least = least.min(clock.elapsed().as_secs_f64() / f64::from(repeats));
        }
    }
    least
}

/// The least and the mean seconds of each of some functions, measured as [`timed`] measures runs.
pub(crate) fn clocked(rounds: u32, work: &mut [Box<dyn FnMut() + '_>]) -> Vec<[f64; 2]> {
    let repeats: Vec<u32> = work.iter_mut().map(|work| repeats(&mut **work)).collect();
    let rounds = rounds.max(ROUNDS);
    let mut times = vec![[f64::INFINITY, 0.0]; work.len()];
    for _ in 0..rounds {
        for ((work, &repeats), [least, mean]) in work.iter_mut().zip(&repeats).zip(&mut times) {
            let clock = Instant::now();
            (0..repeats).for_each(|_| work());
            let seconds = clock.elapsed().as_secs_f64() / f64::from(repeats);
            *least = least.min(seconds);
            *mean += seconds / f64::from(rounds);
        }
    }
    times
}

/// How often work must be done to be resolved.
fn repeats(work: &mut dyn FnMut()) -> u32 {
    let (clock, mut done) = (Instant::now(), 0);
    while done == 0 || clock.elapsed().as_secs_f64() < RESOLVED {
        work();
        done += 1;
    }
    done
}

/// A case, its run cut into laps of a fraction of a millisecond: a machine that is busy takes the
/// core away after a few milliseconds, so that a longer run never shows its own time.
struct Clock<'a> {
    case: &'a Case<'a>,
    method: Method,
    plan: Plan,
    /// How often a run is repeated to be resolved.
    repeats: u32,
    /// Steps of a lap.
    lap: u64,
    /// The least time of every lap.
    least: Vec<f64>,
    /// The time of all rounds, and how many they are.
    total: f64,
    rounds: u32,
    state: State,
}

impl<'a> Clock<'a> {
    fn new(case: &'a Case<'a>) -> Result<Self, ExperimentError> {
        let method = Method::parse(case.method)?;
        let plan = Plan::until(case.problem.t0(), case.step, case.until)?;
        let (state, least) = (case.problem.start(), vec![f64::INFINITY]);
        let lap = plan.steps;
        let mut clock =
            Self { case, method, plan, repeats: 1, lap, least, total: 0.0, rounds: 0, state };
        let mut failed = None;
        let begin = Instant::now();
        clock.repeats = repeats(&mut || failed = clock.round().err());
        let seconds = begin.elapsed().as_secs_f64() / f64::from(clock.repeats);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let laps = (seconds / (3.0 * RESOLVED)).ceil().max(1.0) as u64;
        clock.lap = plan.steps.div_ceil(laps).max(1);
        clock.least = vec![f64::INFINITY; usize::try_from(laps).unwrap_or(usize::MAX)];
        // What was done so far warmed the machine up.
        (clock.total, clock.rounds) = (0.0, 0);
        failed.map_or(Ok(clock), Err)
    }

    fn least(&self) -> f64 {
        self.least.iter().filter(|t| t.is_finite()).sum()
    }

    fn mean(&self) -> f64 {
        self.total / f64::from(self.rounds)
    }

    fn round(&mut self) -> Result<(), ExperimentError> {
        let problem = self.case.problem;
        let (h, steps) = (self.plan.step, self.plan.steps);
        let begin = Instant::now();
        let mut clock = begin;
        for _ in 0..self.repeats {
            // Making the stepper belongs to the first lap.
            let mut stepper = self.method.stepper(problem)?;
            let mut state = problem.start();
            let mut done = 0;
            for least in &mut self.least {
                let end = steps.min(done + self.lap);
                while done < end {
                    stepper.step(problem, problem.t0() + done as f64 * h, h, &mut state)?;
                    done += 1;
                }
                if self.repeats == 1 {
                    *least = least.min(clock.elapsed().as_secs_f64());
                    clock = Instant::now();
                }
            }
            self.state = state;
        }
        let seconds = begin.elapsed().as_secs_f64() / f64::from(self.repeats);
        if self.repeats > 1 {
            self.least[0] = self.least[0].min(seconds);
        }
        self.total += seconds;
        self.rounds += 1;
        Ok(())
    }
}
