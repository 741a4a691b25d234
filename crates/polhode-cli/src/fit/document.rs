//! What was found, as one JSON document.

use std::io::Write;

use polhode_fit::{Fit, Prediction};
use serde::Serialize;
use serde_json::{Value, json};

use super::FitFindings;
use crate::failure::Failure;
use crate::output::Origin;

/// Null stands for an infinite deviation: what is not determined.
#[derive(Serialize)]
struct FitJson<'a> {
    #[serde(flatten)]
    origin: Origin,
    /// `good` or `doubtful`.
    verdict: &'static str,
    file: &'a str,
    rows: usize,
    skipped: usize,
    columns: &'a str,
    body: Value,
    start: Value,
    estimates: Vec<Value>,
    covariance: Vec<Vec<Option<f64>>>,
    correlation: Vec<Vec<f64>>,
    undetermined: Vec<String>,
    doubts: Vec<String>,
    rivals: Vec<Value>,
    quality: Value,
    predictions: Vec<Value>,
    residuals: Value,
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

pub(super) fn write(out: &mut impl Write, findings: &FitFindings) -> Result<(), Failure> {
    let FitFindings { table, fit, .. } = findings;
    let rows = |rows: &[Vec<f64>]| -> Vec<Vec<Option<f64>>> {
        rows.iter().map(|row| row.iter().map(|x| finite(*x)).collect()).collect()
    };
    let estimates = fit.estimates.iter();
    let rivals = fit.rivals.iter();
    let predictions = findings.times.iter().zip(&findings.predictions);
    let document = FitJson {
        origin: Origin::THIS,
        verdict: if fit.doubts.is_empty() { "good" } else { "doubtful" },
        file: &table.name,
        rows: table.samples.times.len(),
        skipped: table.skipped,
        columns: &table.columns,
        body: json!({
            "moments": fit.moments,
            "axes": fit.axes,
            "inertia": fit.inertia,
            "regime": fit.regime.name(),
            "mirrored": fit.mirrored,
        }),
        start: json!({ "t": fit.epoch, "omega": fit.omega, "attitude": fit.attitude }),
        estimates: estimates
            .map(|e| json!({"name": e.name, "value": e.value, "deviation": finite(e.deviation)}))
            .collect(),
        covariance: rows(&fit.covariance),
        correlation: fit.correlation(),
        undetermined: fit.undetermined.iter().map(ToString::to_string).collect(),
        doubts: fit.doubts.iter().map(ToString::to_string).collect(),
        rivals: rivals
            .map(|r| json!({"ratios": r.ratios, "less": r.less, "regime": r.regime.name()}))
            .collect(),
        quality: quality(fit),
        predictions: predictions.map(|(t, there)| prediction(*t, there)).collect(),
        residuals: json!({
            "omega": fit.gyro_residuals,
            "attitude": fit.attitude_residuals,
            "directions": fit.direction_residuals,
        }),
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn quality(fit: &Fit) -> Value {
    json!({
        "chi_square": fit.chi_square,
        "degrees_of_freedom": fit.degrees,
        "reduced_chi_square": fit.reduced_chi_square(),
        "noise_given": fit.noise_given,
        "omega_noise": fit.gyro_noise,
        "attitude_noise": fit.attitude_noise,
        "direction_noise": fit.direction_noise,
        "structure": finite(fit.structure),
        "weak_form": fit.weak.map(|weak| json!({
            "singular_values": weak.singular_values,
            "noise": weak.noise,
            "shown": weak.shown(),
        })),
    })
}

fn prediction(t: f64, there: &Prediction) -> Value {
    json!({
        "t": t,
        "omega": there.omega,
        "omega_deviation": there.omega_deviation,
        "attitude": there.attitude,
        "attitude_deviation": there.attitude.map(|_| there.attitude_deviation),
    })
}
