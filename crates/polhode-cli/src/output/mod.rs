//! Files of results: trajectories, ensembles, comparisons. The extension says the format; rows go to `FILE.part`,
//! and `FILE` is there when it is whole.
//!
//! Text that can be written from top to bottom grows in `FILE.part` as it will be. Formats whose
//! beginning depends on their end have their rows spooled there, and are put together when all
//! are known: no format keeps rows in memory. Equal rows make equal bytes in every format.

mod aem;
mod bodies;
mod cloud;
mod csv;
mod curves;
mod document;
mod efficiency;
mod file;
mod format;
mod html;
mod jsonl;
mod meta;
mod npz;
mod panels;
mod part;
mod row;
mod scene;
mod spool;
mod svg;
#[cfg(test)]
mod tests;
mod thinning;

use std::path::{self, Path, PathBuf};

use polhode::Problem;
use polhode::observe::Observable;
use polhode_scenario::{Aem, Scenario};

use crate::attitude::{AttitudeFormat, angle_unit};
use crate::failure::Failure;

pub(crate) use bodies::{BodyMotion, BodyRow, regimes};
pub(crate) use document::Document;
pub(crate) use file::RowFile;
pub(crate) use format::{
    ComparisonWriter, about_comparisons, about_formats, body_extensions, comparison_writer, listed,
    made_beside, run_extensions,
};
pub(crate) use meta::{FileMeta, Origin, Provenance, SCHEMA, meta_beside, write_beside};
pub(crate) use panels::PANEL_NAMES;
pub(crate) use part::{PartMark, Replace, is_complete, part, parts};
pub(crate) use row::{InsideNumbers, Row};

/// What writers of a run need to know beside the rows.
pub(crate) struct RunSetting<'a> {
    pub(crate) problem: &'a Problem,
    /// What is run, for pictures; without it they are drawn from the rows.
    pub(crate) scenario: Option<&'a Scenario>,
    /// The energy should stay what it is: its error is one.
    pub(crate) conserves_energy: bool,
    pub(crate) attitude: AttitudeFormat,
    pub(crate) degrees: bool,
    pub(crate) aem: Option<&'a Aem>,
    /// What is watched, as further columns.
    pub(crate) columns: &'a [(String, Observable)],
    /// Scenario and method, for the plot.
    pub(crate) title: &'a str,
    /// How many are expected.
    pub(crate) rows: u64,
    /// The time from one row to the next (the last may come sooner); negative where time runs
    /// backwards.
    pub(crate) spacing: f64,
    /// The time of the last row.
    pub(crate) end: f64,
    /// How it was made, as a JSON document.
    pub(crate) meta: &'a str,
}

/// The same of an ensemble.
pub(crate) struct BodiesSetting<'a> {
    /// The names of what is watched, as further columns.
    pub(crate) watched: &'a [String],
    /// How it was made, as a JSON document.
    pub(crate) meta: &'a str,
}

/// The name under which a table goes to standard output.
pub(crate) const STANDARD: &str = "-";

/// Whether rows go to standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// How numbers of a row are written.
#[derive(Clone, Copy)]
struct RowUnits {
    attitude: AttitudeFormat,
    degrees: bool,
}

impl RowUnits {
    fn of(setting: &RunSetting<'_>) -> Self {
        Self { attitude: setting.attitude, degrees: setting.degrees }
    }

    fn omega(self, row: &Row) -> [f64; 3] {
        angle_unit(row.omega, self.degrees).to_array()
    }

    fn attitude(self, row: &Row) -> Vec<f64> {
        self.attitude.numbers(row.state.q, self.degrees)
    }
}

/// Columns that the user has asked for.
struct ExtraColumns {
    problem: Problem,
    observables: Vec<(String, Observable)>,
}

impl ExtraColumns {
    fn of(setting: &RunSetting<'_>) -> Self {
        Self { problem: setting.problem.clone(), observables: setting.columns.to_vec() }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.observables.iter().map(|(name, _)| name.as_str())
    }

    fn value(&self, which: usize, row: &Row) -> f64 {
        self.observables[which].1.value_inside(&self.problem, row.t, &row.state, row.inside.all())
    }

    fn values(&self, row: &Row) -> impl Iterator<Item = f64> {
        (0..self.observables.len()).map(|which| self.value(which, row))
    }
}

/// The same for every way to write it, as far as its folder exists.
pub(crate) fn absolute(file: &Path) -> Result<PathBuf, Failure> {
    if is_standard(file) {
        return Ok(file.to_owned());
    }
    let mut absolute =
        path::absolute(file).map_err(|e| Failure::Input(format!("'{}': {e}", file.display())))?;
    if let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name())
        && let Ok(folder) = folder.canonicalize()
    {
        absolute = folder.join(name);
    }
    Ok(absolute)
}

/// Files as absolute paths, none of them twice: two writers would spoil each other's rows.
pub(crate) fn distinct(files: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut distinct = Vec::new();
    for file in files {
        let place = absolute(file)?;
        if let Some(before) = distinct.iter().position(|other| *other == place) {
            let (file, before) = (file.display(), files[before].display());
            return Err(Failure::Input(format!(
                "--out: {file}: the same file as {before}; name each once"
            )));
        }
        distinct.push(place);
    }
    Ok(distinct)
}

/// An output as messages name it: its file, or the words for `-`.
pub(crate) fn in_words(file: &str) -> &str {
    if file == "-" { "standard output" } else { file }
}

fn refuse(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {why}", path.display()))
}
