//! What came of an ensemble, for a reader and as JSON.

use std::io::Write;

use polhode_scenario::{EnsembleScenario, Work};
use serde::Serialize;

use super::collector::{Collector, Tally};
use super::sketch;
use super::statistics::EnsembleStatistics;
use crate::failure::Failure;
use crate::numbers::{counted, elapsed, time};
use crate::output::{Origin, in_words};

/// Whatever is shown at the end.
#[derive(Serialize)]
pub(super) struct EnsembleReport<'a> {
    #[serde(flatten)]
    pub(super) origin: Origin,
    pub(super) ensemble: &'a str,
    pub(super) bodies: u64,
    pub(super) failed: u64,
    pub(super) first_failure: Option<String>,
    pub(super) method: &'a str,
    /// Steps of each body, or times.
    pub(super) steps: u64,
    /// What those are, one and many.
    #[serde(skip)]
    pub(super) unit: [&'static str; 2],
    pub(super) t: f64,
    pub(super) statistics: &'a EnsembleStatistics,
    pub(super) wall_seconds: f64,
    pub(super) body_steps_per_second: f64,
    pub(super) outputs: Vec<String>,
    /// Whether histograms are wanted in the text; the document has them always.
    #[serde(skip)]
    pub(super) histograms: bool,
}

impl<'a> EnsembleReport<'a> {
    /// Of so many bodies of an ensemble, done in this time.
    pub(super) fn new(
        scenario: &'a EnsembleScenario,
        collector: &'a Collector<'_>,
        bodies: u64,
        seconds: f64,
    ) -> Self {
        let (method, unit) = match &scenario.work {
            Work::Steps { method_id, .. } => (method_id.as_str(), ["step", "steps"]),
            Work::Times(_) => ("free motion", ["time", "times"]),
            _ => ("solved", ["time", "times"]),
        };
        let Tally { failed, first_failure } = collector.tally.clone();
        let steps = scenario.work.count();
        Self {
            origin: Origin::THIS,
            ensemble: &scenario.name,
            bodies,
            failed,
            first_failure,
            method,
            steps,
            unit,
            t: scenario.work.end(),
            statistics: &collector.statistics,
            wall_seconds: seconds,
            body_steps_per_second: bodies as f64 * steps as f64 / seconds,
            outputs: Vec::new(),
            histograms: false,
        }
    }

    /// How many bodies failed, and the first reason.
    pub(super) fn failures(&self) -> Option<String> {
        let first = self.first_failure.as_ref()?;
        let bodies = counted(self.bodies, "body", "bodies");
        Some(format!("{} of {bodies} could not go on; the first: {first}", self.failed))
    }

    /// For a reader.
    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Self { ensemble, failed, method, t, unit: [one, many], .. } = self;
        let bodies = counted(self.bodies, "body", "bodies");
        let steps = counted(self.steps, one, many);
        writeln!(out, "{ensemble}: {bodies}, {method}, {steps} to t = {}", time(*t))?;
        if let Some(first) = &self.first_failure {
            writeln!(out, "{failed} could not go on; the first: {first}")?;
        }
        let names = ["mean", "deviation", "least", "greatest"];
        let [a, b, c, d] = names;
        writeln!(out, "\n{:<24}{a:>14}{b:>14}{c:>14}{d:>14}", "at the end")?;
        for (name, moments) in self.statistics.rows() {
            let [a, b, c, d] =
                [moments.mean, moments.deviation, moments.min, moments.max].map(brief);
            writeln!(out, "{name:<24}{a:>14}{b:>14}{c:>14}{d:>14}")?;
        }
        let told = [1, 2, 3, 4, 5];
        write!(out, "\n{:<24}", "quantiles")?;
        for name in told.map(|i| sketch::QUANTILES[i].0) {
            write!(out, "{name:>14}")?;
        }
        writeln!(out)?;
        for (name, moments) in self.statistics.rows() {
            write!(out, "{name:<24}")?;
            for part in told.map(|i| sketch::QUANTILES[i].1) {
                write!(out, "{:>14}", brief(moments.quantile(part)))?;
            }
            writeln!(out)?;
        }
        if self.histograms {
            self.write_histograms(out)?;
        }
        let (took, rate) = (elapsed(self.wall_seconds), self.body_steps_per_second);
        writeln!(out, "\n{took}, {rate:.2e} body {many}/s")?;
        for output in &self.outputs {
            writeln!(out, "wrote {}", in_words(output))?;
        }
        Ok(())
    }
}

impl EnsembleReport<'_> {
    /// How many bodies lie between two values, in ten equal parts from the least to the greatest.
    fn write_histograms(&self, out: &mut impl Write) -> Result<(), Failure> {
        for (name, moments) in self.statistics.rows() {
            let Some(sketch::Histogram { edges, counts }) = moments.histogram() else { continue };
            writeln!(out, "\n{name:<24}{:>14}{:>14}", "up to", "bodies")?;
            for (pair, count) in edges.windows(2).zip(counts) {
                writeln!(out, "{:>24}{:>14}{count:>14}", brief(pair[0]), brief(pair[1]))?;
            }
        }
        Ok(())
    }
}

/// Six digits: this is for reading, the files have them all.
fn brief(x: f64) -> String {
    if !x.is_finite() {
        return "-".into();
    }
    let size = x.abs();
    if size == 0.0 || (1e-3..1e6).contains(&size) { format!("{x:.6}") } else { format!("{x:.4e}") }
}
