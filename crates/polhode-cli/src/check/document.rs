//! What was found, as one JSON document.

use std::io::Write;

use polhode_verify::check::{
    CheckReport, Convergence, Deviation, Diagnosis, Growth, OrderPair, ReferenceKind,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{CheckFindings, TrajectoryTable};
use crate::failure::Failure;
use crate::output::Origin;

/// Null stands for what could not be measured from the columns given.
#[derive(Serialize)]
struct CheckJson<'a> {
    #[serde(flatten)]
    origin: Origin,
    /// `right` or `wrong`.
    verdict: &'static str,
    trajectories: Vec<Value>,
    convergence: Option<&'a Value>,
}

pub(super) fn write(out: &mut impl Write, findings: &CheckFindings) -> Result<(), Failure> {
    let each = findings.tables.iter().zip(&findings.reports).zip(&findings.steps);
    let convergence = findings.convergence.as_ref().map(convergence);
    let document = CheckJson {
        origin: Origin::THIS,
        verdict: if findings.right { "right" } else { "wrong" },
        trajectories: each
            .map(|((table, report), step)| trajectory(table, report, *step))
            .collect(),
        convergence: convergence.as_ref(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn trajectory(table: &TrajectoryTable, report: &CheckReport, step: f64) -> Value {
    let reference = match report.reference {
        ReferenceKind::FirstSample => json!({"kind": "exact", "start": "first row"}),
        ReferenceKind::Exact => json!({"kind": "exact", "start": "scenario"}),
        ReferenceKind::Converged { method, error, .. } => {
            json!({"kind": "converged", "start": "scenario", "method": method, "error": error})
        }
        other => json!({"kind": other.id(), "start": "scenario", "error": other.error()}),
    };
    json!({
        "file": table.name,
        "rows": report.times.len(),
        "step": step,
        "columns": table.columns,
        "note": table.note,
        "verdict": report.verdict.id(),
        "tolerance": report.tolerance,
        "allowance": report.allowance,
        "reference": reference,
        "errors": {
            "momentum": report.momentum.map(deviation),
            "attitude": report.attitude.map(deviation),
        },
        "invariants": {
            "energy": report.energy.map(deviation),
            "momentum_norm": report.momentum_norm.map(deviation),
            "spatial_momentum": report.spatial_momentum.map(deviation),
        },
        "orthogonality": report.orthogonality.map(deviation),
        "consistency": report.consistency.map(deviation),
        "sign_changes": report.sign_changes,
        "between_samples": report.between_samples,
        "energy_change": report.energy_change,
        "single_precision": report.single_precision,
        "equal_steps": report.equal_steps,
        "diagnoses": report.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
        "samples": {
            "t": report.times,
            "momentum_error": report.momentum_errors,
            "attitude_error": report.attitude_errors,
        },
    })
}

fn deviation(d: Deviation) -> Value {
    let (growth, power) = (d.growth.map(Growth::id), d.growth.and_then(Growth::power));
    json!({
        "max": d.max, "at": d.at, "end": d.end, "slope": d.slope,
        "growth": growth, "power": power, "beyond": d.beyond,
    })
}

fn diagnosis(d: &Diagnosis) -> Value {
    let mistakes: Vec<&str> = d.mistakes.iter().map(|m| m.id()).collect();
    json!({"mistakes": mistakes, "text": d.text})
}

fn convergence(c: &Convergence) -> Value {
    json!({
        "claimed": c.claimed,
        "observed": c.observed,
        "verdict": c.verdict.id(),
        "pairs": c.pairs.iter().map(pair).collect::<Vec<_>>(),
        "diagnosis": c.diagnosis.as_ref().map(diagnosis),
    })
}

fn pair(pair: &OrderPair) -> Value {
    let part = |measured: Option<([f64; 2], Option<f64>)>| {
        measured.map(|(errors, order)| json!({"errors": errors, "order": order}))
    };
    json!({
        "steps": pair.steps,
        "momentum": part(pair.momentum),
        "attitude": part(pair.attitude),
    })
}
