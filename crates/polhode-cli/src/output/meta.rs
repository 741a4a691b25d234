//! How a file was made: beside a table in `FILE.meta.json`, in an archive as the entry `meta`, in a picture as its
//! metadata, in an attitude ephemeris as comments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use polhode::glam::DMat3;
use polhode::solve::SolveMethod;
use polhode::{Inertia, Torque, so3};
use polhode_scenario::{EnsembleScenario, Scenario, Work};
use serde_json::{Value, json};

use super::format::Format;
use super::part::with_suffix;
use crate::attitude::AttitudeFormat;

/// Raised when a key changes its meaning or goes; new keys do not count.
pub(crate) const SCHEMA: u32 = 1;

/// What every document begins with: its schema, and the program that wrote it.
#[derive(Clone, Copy, serde::Serialize)]
pub(crate) struct Origin {
    schema: u32,
    polhode: &'static str,
}

impl Origin {
    pub(crate) const THIS: Self = Self { schema: SCHEMA, polhode: env!("CARGO_PKG_VERSION") };
}

/// How a computation was made.
pub(crate) struct Provenance<'a> {
    pub(crate) scenario: &'a str,
    pub(crate) method: &'a str,
    /// Of fixed steps.
    pub(crate) step: Option<f64>,
    /// Of a solution.
    pub(crate) tolerance: Option<f64>,
    /// The kinds of what acts.
    pub(crate) torque: Vec<&'static str>,
    /// What moves inside the body and controls it: names and JSON texts.
    pub(crate) inside: Vec<(&'static str, String)>,
    /// None where bodies differ.
    pub(crate) inertia: Option<&'a Inertia>,
    pub(crate) attitude: AttitudeFormat,
    pub(crate) degrees: bool,
}

impl<'a> Provenance<'a> {
    /// Of a scenario, with attitudes and angles as they are.
    pub(crate) fn of(scenario: &'a Scenario) -> Self {
        Self {
            scenario: scenario.name(),
            method: scenario.method_id(),
            step: scenario.steps().map(|steps| steps.plan.step),
            tolerance: scenario.solving().map(|solving| solving.tolerance),
            torque: kinds(scenario.torque()),
            inside: scenario.inside_as_json(),
            inertia: Some(scenario.inertia()),
            attitude: AttitudeFormat::Quaternion,
            degrees: false,
        }
    }

    /// Of an ensemble.
    pub(crate) fn of_many(scenario: &'a EnsembleScenario) -> Self {
        let (method, step, tolerance) = match &scenario.work {
            Work::Steps { method_id, plan, .. } => (method_id.as_str(), Some(plan.step), None),
            Work::Solution { tolerance, .. } => ("solved", None, Some(*tolerance)),
            _ => (SolveMethod::ClosedForm.id(), None, None),
        };
        let torque = kinds(&scenario.work.torque());
        let inertia = scenario.bodies.inertia();
        let (attitude, degrees) = (AttitudeFormat::Quaternion, false);
        let (inside, scenario) = (scenario.inside_as_json(), &scenario.name);
        Self { scenario, method, step, tolerance, torque, inside, inertia, attitude, degrees }
    }

    /// Of a free body, in closed form.
    pub(crate) fn free(inertia: &'a Inertia) -> Self {
        Self {
            scenario: "",
            method: SolveMethod::ClosedForm.id(),
            step: None,
            tolerance: None,
            torque: Vec::new(),
            inside: Vec::new(),
            inertia: Some(inertia),
            attitude: AttitudeFormat::Quaternion,
            degrees: false,
        }
    }

    /// The document, on one line.
    pub(crate) fn document(&self) -> String {
        let unit = if self.degrees { "degree" } else { "radian" };
        let mut document = json!({
            "schema": SCHEMA,
            "polhode": Origin::THIS.polhode,
            "scenario": Path::new(self.scenario).file_name().map(|name| name.to_string_lossy()),
            "method": self.method,
            "step": self.step,
            "tolerance": self.tolerance,
            "torque": self.torque,
            "inertia": self.inertia.map(inertia),
            "attitude": { "form": self.attitude.to_string(), "columns": self.attitude.header(self.degrees) },
            "units": {
                "angle": unit,
                "omega": format!("{unit} per unit of time"),
                "others": "those of the scenario",
            },
            "frames": { "momentum": "body", "omega": "body", "attitude": "body to space" },
        });
        for (name, text) in &self.inside {
            document[*name] = serde_json::from_str(text).unwrap_or(Value::Null);
        }
        document.to_string()
    }
}

/// The kinds of all that acts.
fn kinds(torque: &Torque) -> Vec<&'static str> {
    torque.entries().map(|entry| entry.kind).collect()
}

fn inertia(inertia: &Inertia) -> Value {
    let tensor = DMat3::IDENTITY.to_cols_array_2d().map(|axis| inertia.momentum(axis).to_array());
    json!({
        "principal_moments": inertia.moments().to_array(),
        "principal_axes": so3::to_wxyz(inertia.axes()),
        "tensor": tensor,
    })
}

/// `FILE.meta.json`.
pub(crate) fn meta_path(file: &Path) -> PathBuf {
    with_suffix(file, ".meta.json")
}

/// Writes it beside a table; other files hold it themselves.
pub(crate) fn write_beside(file: &Path, document: &str) -> io::Result<()> {
    if !Format::is_made_beside(file) {
        return Ok(());
    }
    let path = meta_path(file);
    let part = with_suffix(&path, ".part");
    let mut out = std::fs::File::create(&part)?;
    out.write_all(document.as_bytes())?;
    out.write_all(b"\n")?;
    std::fs::rename(&part, &path)
}

/// Such a document as lines of text, one for each key, for files whose attitudes and units are always the same. Keys
/// that have nothing to say are left out.
pub(super) fn lines(document: &str) -> Vec<String> {
    let Ok(Value::Object(all)) = serde_json::from_str(document) else { return Vec::new() };
    let keys = ["polhode", "scenario", "method", "step", "tolerance", "torque", "inertia"];
    let mut lines = Vec::new();
    for (key, value) in keys.iter().filter_map(|key| Some((key, all.get(*key)?))) {
        match value {
            Value::Null => {}
            Value::Object(inner) => {
                lines.extend(inner.iter().map(|(part, value)| format!("{key} {part}: {value}")));
            }
            Value::String(text) => lines.push(format!("{key}: {text}")),
            value => lines.push(format!("{key}: {value}")),
        }
    }
    lines
}

/// What is read again of such a document: how attitudes and angular velocities are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileMeta {
    pub(crate) attitude: AttitudeFormat,
    pub(crate) degrees: bool,
}

impl FileMeta {
    /// None if the text is no such document, or one of a later schema.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        (value["schema"].as_u64()? <= SCHEMA.into()).then_some(())?;
        let attitude = value["attitude"]["form"].as_str()?.parse().ok()?;
        let degrees = value["units"]["angle"].as_str()? == "degree";
        Some(Self { attitude, degrees })
    }
}

/// What stands beside a file.
pub(crate) fn meta_beside(file: &Path) -> Option<FileMeta> {
    FileMeta::parse(&std::fs::read_to_string(meta_path(file)).ok()?)
}
