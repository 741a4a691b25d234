//! The order at which trajectories in different steps converge.

use super::deviation::ROUNDING;
use super::mistake::{Diagnosis, Mistake};
use super::report::CheckReport;
use super::{CheckError, positive};

/// Errors of two trajectories and the order they show.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OrderPair {
    /// The longer step and the shorter one.
    pub steps: [f64; 2],
    /// The largest errors of the momentum over the time both cover, and the order; none if one of
    /// them is rounding, or so large that it shows no order.
    pub momentum: Option<([f64; 2], Option<f64>)>,
    /// The largest errors of the attitude over that time, and the order; none as for the momentum.
    pub attitude: Option<([f64; 2], Option<f64>)>,
}

/// What the trajectories say about an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderVerdict {
    /// It is at least the order claimed, or none was claimed.
    Holds,
    /// It is lower than claimed.
    TooLow,
    /// All errors are rounding: there is no order to see.
    Rounding,
    /// The errors are too large for an order to show.
    TooCoarse,
}

impl OrderVerdict {
    /// `holds`, `too-low`, `rounding` or `too-coarse`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::TooLow => "too-low",
            Self::Rounding => "rounding",
            Self::TooCoarse => "too-coarse",
        }
    }
}

/// How trajectories in different steps converge to the reference.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Convergence {
    /// Neighbours, from the longest steps to the shortest.
    pub pairs: Vec<OrderPair>,
    /// The order seen: the lower one of momentum and attitude, in the shortest steps that show one.
    pub observed: Option<f64>,
    /// The order that the method is said to have.
    pub claimed: Option<f64>,
    /// Whether the order seen is at least the order claimed.
    pub verdict: OrderVerdict,
    /// What may be wrong where it is not.
    pub diagnosis: Option<Diagnosis>,
}

/// Larger errors have left the range in which they shrink like a power of the step.
const LARGEST: f64 = 0.3;

/// Orders are whole numbers: one that is lower shows at least half below the one claimed.
const MARGIN: f64 = 0.5;

/// The order at which trajectories of the same motion converge, each with the step it was computed in.
///
/// # Errors
/// [`CheckError`] unless there are at least two, with different steps.
pub fn convergence(
    runs: &[(f64, &CheckReport)],
    claimed: Option<f64>,
) -> Result<Convergence, CheckError> {
    if runs.len() < 2 {
        return Err(CheckError::TooFew { count: runs.len() });
    }
    if let Some(order) = claimed {
        positive("order", order)?;
    }
    let mut runs = runs.to_vec();
    for (step, _) in &mut runs {
        *step = step.abs();
        positive("step", *step)?;
    }
    runs.sort_by(|a, b| b.0.total_cmp(&a.0));
    if let Some(pair) = runs.windows(2).find(|w| w[0].0 == w[1].0) {
        return Err(CheckError::SameStep { step: pair[0].0 });
    }
    let pairs: Vec<OrderPair> = runs.windows(2).map(|w| OrderPair::new(w[0], w[1])).collect();
    let observed = pairs.iter().rev().find_map(OrderPair::order);
    let finest = runs[runs.len() - 1].1;
    let verdict = match (observed, claimed) {
        (Some(order), Some(claimed)) if order < claimed - MARGIN => OrderVerdict::TooLow,
        (Some(_), _) => OrderVerdict::Holds,
        (None, _) if finest.worst() <= floor(finest) => OrderVerdict::Rounding,
        (None, _) => OrderVerdict::TooCoarse,
    };
    let diagnosis = diagnose(&pairs, observed, claimed, verdict);
    Ok(Convergence { pairs, observed, claimed, verdict, diagnosis })
}

fn floor(report: &CheckReport) -> f64 {
    ROUNDING.max(10.0 * report.allowance)
}

impl OrderPair {
    fn new(long: (f64, &CheckReport), short: (f64, &CheckReport)) -> Self {
        let span = |r: &CheckReport| (r.times[r.times.len() - 1] - r.times[0]).abs();
        let common = span(long.1).min(span(short.1)) * (1.0 + 1e-9);
        let largest = |report: &CheckReport, errors: &[f64]| {
            let within = report.times.iter().zip(errors);
            let within = within.filter(|(t, _)| (*t - report.times[0]).abs() <= common);
            within.fold(0.0, |max: f64, (_, e)| max.max(*e))
        };
        let measure = |errors: fn(&CheckReport) -> Option<&Vec<f64>>| {
            let pair = [largest(long.1, errors(long.1)?), largest(short.1, errors(short.1)?)];
            let floor = floor(long.1).max(floor(short.1));
            let telling = pair.iter().all(|e| (floor..LARGEST).contains(e));
            let order = libm::log2(pair[0] / pair[1]) / libm::log2(long.0 / short.0);
            Some((pair, telling.then_some(order)))
        };
        Self {
            steps: [long.0, short.0],
            momentum: measure(|r| r.momentum_errors.as_ref()),
            attitude: measure(|r| r.attitude_errors.as_ref()),
        }
    }

    /// The lower one of the two.
    fn order(&self) -> Option<f64> {
        let orders = [self.momentum, self.attitude].into_iter().flatten().filter_map(|(_, p)| p);
        orders.reduce(f64::min)
    }

    fn words(&self) -> String {
        let part = |name: &str, measured: Option<([f64; 2], Option<f64>)>| {
            let ([long, short], _) = measured?;
            Some(format!("of the {name} goes from {long:.1e} to {short:.1e}"))
        };
        let parts = [part("momentum", self.momentum), part("attitude", self.attitude)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let [long, short] = self.steps;
        format!("in steps of {long:?} and {short:?} the error {}", parts.join(", that "))
    }
}

fn diagnose(
    pairs: &[OrderPair],
    observed: Option<f64>,
    claimed: Option<f64>,
    verdict: OrderVerdict,
) -> Option<Diagnosis> {
    let claimed = claimed?;
    let finest = pairs.iter().rev().find(|p| p.order().is_some()).or(pairs.last())?;
    match (verdict, observed) {
        (OrderVerdict::TooLow, Some(order)) => {
            let text = format!(
                "{}: that is order {order:.2}, not {claimed:?}. A term of the method is missing or \
                 evaluated at the wrong time, or the start or the output is of lower order",
                finest.words()
            );
            Some(Diagnosis::new(Mistake::OrderTooLow, text))
        }
        (OrderVerdict::TooCoarse, _) => {
            let text = format!(
                "{}: no order shows in errors so large, or so close to rounding. Take shorter steps, \
                 or a shorter time",
                finest.words()
            );
            Some(Diagnosis::new(Mistake::Unexplained, text))
        }
        _ => None,
    }
}
