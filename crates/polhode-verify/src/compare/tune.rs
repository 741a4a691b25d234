//! The longest step with which a method reaches a wanted error.
//!
//! The steps tried already tell where to look. Between one that is too long and one that is short
//! enough the search goes on, by interpolating log(error) over log(step) and by halving in turn;
//! beyond them, by extrapolating. Every step it proposes is run and measured: what it finds did reach
//! the error.

use super::order::observed;
use super::trial::{Measurement, Trial, TrialError, TrialRuler};
use super::{CHECKS, RESOLVED};
use polhode::method::Method;
use polhode::method::Order;

/// How much longer than the step found one may be that is too long.
const CLOSE: f64 = 1.03;

/// Runs of one search.
const MOST_RUNS: u32 = 12;

/// How many times more steps than any run before are tried.
const FARTHEST: f64 = 32.0;

/// The most steps of all runs of one search: some ten seconds.
const MOST_STEPS: f64 = 5e6;

/// What the search for a step came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tuning {
    /// The place of the method among the contenders.
    pub contender: usize,
    /// The longest step found that reaches the wanted error, measured.
    pub trial: Result<Trial, TuningError>,
}

/// Why a method does not reach an error.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// It failed with every step.
    #[error("failed with every step")]
    Failed,
    /// Shorter steps do not help any more: rounding.
    #[error("shorter steps than {step:?} do not take it below {error:.1e}")]
    Floor {
        /// The least error of all runs: relative, or radians.
        error: f64,
        /// The step that had it.
        step: f64,
    },
    /// It needs steps far shorter than those tried.
    #[error("{error:.1e} with step {step:?}; it would take far shorter ones")]
    TooFar {
        /// The least error of all runs: relative, or radians.
        error: f64,
        /// The step that had it.
        step: f64,
    },
}

/// A run with a number of steps.
#[derive(Clone, Copy)]
struct Probe {
    step: f64,
    /// How many steps are a span.
    count: f64,
    /// None if it failed on the way.
    measured: Option<Measurement>,
}

impl Probe {
    fn error(&self) -> f64 {
        self.measured.map_or(f64::INFINITY, |m| m.error.worst())
    }
}

struct StepSearch<'a> {
    ruler: &'a TrialRuler<'a>,
    method: &'a Method,
    wanted: f64,
    runs: u32,
    steps: f64,
}

pub(super) fn search<'a>(
    ruler: &TrialRuler<'_>,
    contender: usize,
    method: &Method,
    tried: impl Iterator<Item = &'a Trial>,
    wanted: f64,
) -> Tuning {
    let span = (ruler.until - ruler.problem.t0()).abs();
    let point = |trial: &Trial| {
        let measured = match &trial.result {
            Ok(measured) => Some(*measured),
            Err(TrialError::Run(_)) => None,
            Err(_) => return None,
        };
        let step = trial.step;
        Some(Probe { step, count: span / step.abs(), measured })
    };
    let mut points: Vec<Probe> = tried.filter_map(point).collect();
    points.sort_by(|a, b| a.count.total_cmp(&b.count));
    let mut search = StepSearch { ruler, method, wanted, runs: 0, steps: 0.0 };
    let found = search.bracket(&points).map(|(good, bad)| search.narrow(good, bad));
    let trial = found.and_then(|Probe { step, measured, .. }| {
        let measured = measured.ok_or(TuningError::Failed)?;
        Ok(Trial { contender, step, result: Ok(measured) })
    });
    Tuning { contender, trial }
}

impl StepSearch<'_> {
    fn reaches(&self, point: &Probe) -> bool {
        point.error() <= self.wanted
    }

    /// Whether a run of so many steps may follow.
    fn may_run(&self, count: f64) -> bool {
        self.runs < MOST_RUNS && self.steps + count <= MOST_STEPS
    }

    /// A run of about so many steps: a multiple of the moments it is looked at.
    fn run(&mut self, count: f64) -> Probe {
        self.run_parts((count / f64::from(CHECKS)).round().max(1.0))
    }

    fn run_parts(&mut self, parts: f64) -> Probe {
        self.runs += 1;
        let count = parts * f64::from(CHECKS);
        self.steps += count;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let parts = parts as u64;
        let span = self.ruler.until - self.ruler.problem.t0();
        let measured = self.ruler.measure_parts(self.method, parts).ok();
        Probe { step: span / count, count, measured }
    }

    /// A step that is short enough and, unless the longest one possible is, one that is too long.
    /// The points are in the order of shorter steps.
    fn bracket(&mut self, points: &[Probe]) -> Result<(Probe, Option<Probe>), TuningError> {
        // A single error may be small by accident, so the next one must be, too.
        let good = (0..points.len()).find(|i| points[*i..].iter().take(2).all(|p| self.reaches(p)));
        match good {
            Some(0) => Ok(self.lengthen(points[0])),
            Some(i) => Ok((points[i], Some(points[i - 1]))),
            None => self.shorten(points),
        }
    }

    /// From a step that is short enough to one that is not.
    fn lengthen(&mut self, mut good: Probe) -> (Probe, Option<Probe>) {
        while good.count > f64::from(CHECKS) && self.may_run(good.count / 2.0) {
            let longer = self.run(good.count / 2.0);
            if !self.reaches(&longer) {
                return (good, Some(longer));
            }
            good = longer;
        }
        (good, None)
    }

    /// From steps that are too long to one that is not.
    fn shorten(&mut self, points: &[Probe]) -> Result<(Probe, Option<Probe>), TuningError> {
        let best = points.iter().filter(|p| p.measured.is_some());
        let best = best.min_by(|a, b| a.error().total_cmp(&b.error()));
        let Some(mut bad) = best.or(points.last()).copied() else {
            return Err(TuningError::Failed);
        };
        let most = points.last().map_or(bad.count, |p| p.count);
        let farthest = FARTHEST * most;
        let floor = RESOLVED * self.ruler.reference.error();
        let order = observed(points.iter().map(|p| (p.step.abs(), p.error())).collect(), floor)
            .unwrap_or(match self.method.order() {
                Order::Of(order) => f64::from(order),
                Order::Exact => 2.0,
            });
        loop {
            let factor = (bad.error() / self.wanted).powf(1.0 / order) * 1.05;
            // A run that failed, or an error as large as the motion, tells no distance.
            let factor = if bad.error() < 0.1 { factor.max(1.2) } else { 2.0 };
            if bad.count * factor > farthest || !self.may_run(bad.count * factor) {
                return Err(match bad.measured {
                    Some(_) => TuningError::TooFar { error: bad.error(), step: bad.step },
                    None => TuningError::Failed,
                });
            }
            let shorter = self.run(bad.count * factor);
            if self.reaches(&shorter) {
                return Ok((shorter, Some(bad)));
            }
            if shorter.error() >= bad.error() && bad.error() < 0.1 {
                return Err(TuningError::Floor { error: bad.error(), step: bad.step });
            }
            bad = shorter;
        }
    }

    /// The longest step between one that is short enough and one that is too long.
    fn narrow(&mut self, mut good: Probe, bad: Option<Probe>) -> Probe {
        let Some(mut bad) = bad else { return good };
        let mut interpolate = true;
        let parts = |count: f64| count / f64::from(CHECKS);
        while good.count > CLOSE * bad.count && self.may_run(good.count) {
            // Strictly between the two.
            let [least, most] = [parts(bad.count).floor() + 1.0, parts(good.count).ceil() - 1.0];
            if least > most {
                break;
            }
            let middle = (good.count * bad.count).sqrt();
            let slope = (bad.error() / good.error()).ln() / (good.count / bad.count).ln();
            let there = bad.count * (bad.error() / self.wanted).powf(1.0 / slope) * 1.01;
            let inside = there > bad.count && there < good.count;
            let next = if interpolate && inside { there } else { middle };
            interpolate = !interpolate;
            let next = self.run_parts(parts(next).round().clamp(least, most));
            if self.reaches(&next) {
                good = next;
            } else {
                bad = next;
            }
        }
        good
    }
}
