//! Files with trajectories. The extension says the format; rows go to `FILE.part`, and `FILE` is
//! there when it is whole.
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
mod html;
mod jsonl;
mod meta;
mod npz;
mod panels;
mod part;
mod scene;
mod spool;
mod svg;
#[cfg(test)]
mod tests;
mod thinning;

use std::io;
use std::path::{self, Path, PathBuf};

use polhode::glam::DVec3;
use polhode::inside::MAX_WHEELS;
use polhode::observe::Observable;
use polhode::{Problem, State};
use polhode_scenario::{Aem, Scenario};

use crate::attitude::{AttitudeFormat, angle_unit};
use crate::failure::Failure;
use part::{PartFile, RESUMABLE};
use spool::{Assembly, SpoolOutput};

pub(crate) use bodies::{BodyFile, BodyMotion, BodyRow, body_extensions};
pub(crate) use document::Document;
pub(crate) use meta::{FileMeta, Origin, Provenance, SCHEMA, meta_beside, write_beside};
pub(crate) use part::{Mark, Replace, part, parts};

/// One row of a trajectory file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) step: u64,
    pub(crate) t: f64,
    pub(crate) state: State,
    pub(crate) omega: DVec3,
    pub(crate) energy: f64,
    /// Departures from the start: E - E0, |m| - |m0|, |Qm - Q0 m0|.
    pub(crate) energy_error: f64,
    pub(crate) momentum_error: f64,
    pub(crate) spatial_momentum_error: f64,
    /// Of what moves inside the body.
    pub(crate) inside: InsideNumbers,
}

/// The numbers that a state has beside momentum and attitude; few, and of one count in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InsideNumbers {
    count: usize,
    numbers: [f64; Self::MOST],
}

impl InsideNumbers {
    /// Wheels, and the momentum of a damper's ball.
    const MOST: usize = MAX_WHEELS + 3;

    pub(crate) const NONE: Self = Self { count: 0, numbers: [0.0; Self::MOST] };

    pub(crate) fn new(given: &[f64]) -> Self {
        let count = given.len().min(Self::MOST);
        let mut numbers = [0.0; Self::MOST];
        numbers[..count].copy_from_slice(&given[..count]);
        Self { count, numbers }
    }

    pub(crate) fn all(&self) -> &[f64] {
        &self.numbers[..self.count]
    }
}

/// What writers need to know beside the rows.
pub(crate) struct Setting<'a> {
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

/// The name under which a table goes to standard output.
pub(crate) const STANDARD: &str = "-";

/// Whether rows go to standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// A file in the making.
pub(crate) trait Output {
    fn row(&mut self, row: &Row) -> io::Result<()>;

    /// Everything written so far is on the disk; how far `FILE.part` goes.
    fn sync(&mut self) -> io::Result<Mark>;

    /// Completes the file and renames it into place.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// Gives the file up and leaves nothing behind.
    fn discard(self: Box<Self>);
}

/// A format of text that is written from top to bottom.
trait Lines {
    /// What stands before the rows.
    fn heading(&self) -> String;

    fn line(&self, row: &Row) -> io::Result<String>;
}

/// A text in the making.
struct Text {
    part: PartFile,
    lines: Box<dyn Lines>,
}

impl Output for Text {
    fn row(&mut self, row: &Row) -> io::Result<()> {
        self.part.write(self.lines.line(row)?.as_bytes())
    }

    fn sync(&mut self) -> io::Result<Mark> {
        self.part.sync()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.part.finish()
    }

    fn discard(self: Box<Self>) {
        self.part.discard();
    }
}

/// How numbers of a row are written.
#[derive(Clone, Copy)]
struct Units {
    attitude: AttitudeFormat,
    degrees: bool,
}

impl Units {
    fn of(setting: &Setting<'_>) -> Self {
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
struct Columns {
    problem: Problem,
    observables: Vec<(String, Observable)>,
}

impl Columns {
    fn of(setting: &Setting<'_>) -> Self {
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
        let file = absolute(file)?;
        if distinct.contains(&file) {
            return Err(Failure::Input(format!("--out: {}: given twice", file.display())));
        }
        distinct.push(file);
    }
    Ok(distinct)
}

/// A format of trajectory files. Its record is the constant `FORMAT` of the format's own file.
pub(crate) struct Format {
    /// How its files end.
    pub(crate) extension: &'static str,
    /// What its files are, in words that follow the extension.
    about: &'static str,
    make: fn(&Path, &Setting<'_>) -> Result<Writer, Failure>,
}

/// Every format.
pub(crate) static FORMATS: &[Format] =
    &[csv::FORMAT, npz::FORMAT, jsonl::FORMAT, aem::FORMAT, svg::FORMAT, html::FORMAT];

/// How a format makes a file of rows.
enum Writer {
    /// From top to bottom.
    Text(Box<dyn Lines>),
    /// From all rows together.
    Spool(Box<dyn Assembly>),
}

impl Format {
    fn of(path: &Path) -> Result<&'static Self, Failure> {
        if is_standard(path) {
            return Ok(&FORMATS[0]);
        }
        let extension = path.extension().and_then(|e| e.to_str());
        FORMATS
            .iter()
            .find(|f| Some(f.extension) == extension)
            .ok_or_else(|| unknown_format(path, &extensions()))
    }
}

/// How files may end, in the order of the formats.
pub(crate) fn extensions() -> Vec<&'static str> {
    FORMATS.iter().map(|f| f.extension).collect()
}

/// What each format is, as sentences.
pub(crate) fn about_formats() -> String {
    let about: Vec<_> = FORMATS.iter().map(|f| format!(".{} {}.", f.extension, f.about)).collect();
    about.join(" ")
}

/// An output as messages name it: its file, or the words for `-`.
pub(crate) fn in_words(file: &str) -> &str {
    if file == "-" { "standard output" } else { file }
}

/// Extensions as they are listed in texts: `.csv, .npz or .svg`.
pub(crate) fn listed(extensions: &[&str]) -> String {
    let dotted: Vec<_> = extensions.iter().map(|e| format!(".{e}")).collect();
    match &dotted[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => dotted.concat(),
    }
}

/// The file has none of these extensions.
pub(crate) fn unknown_format(path: &Path, extensions: &[&str]) -> Failure {
    refuse(path, format_args!("the extension says the format: {}", listed(extensions)))
}

/// Opens `FILE.part` for a new file.
///
/// # Errors
/// [`Failure::Input`] if there is no such format, it lacks what it needs, or the file cannot be
/// made there.
pub(crate) fn create(
    path: &Path,
    replace: Replace,
    setting: &Setting<'_>,
) -> Result<Box<dyn Output>, Failure> {
    let writer = (Format::of(path)?.make)(path, setting)?;
    let mut part = PartFile::create(path, replace, RESUMABLE)?;
    Ok(match writer {
        Writer::Text(lines) => {
            part.write(lines.heading().as_bytes())?;
            Box::new(Text { part, lines })
        }
        Writer::Spool(assembly) => {
            Box::new(SpoolOutput::new(part, assembly, inside_count(setting)))
        }
    })
}

/// Goes on with `FILE.part`: cuts it where [`Output::sync`] has set its mark, and appends.
///
/// # Errors
/// [`Failure::Input`] if it is not there or not what it was.
pub(crate) fn reopen(
    path: &Path,
    mark: &Mark,
    setting: &Setting<'_>,
) -> Result<Box<dyn Output>, Failure> {
    Ok(match (Format::of(path)?.make)(path, setting)? {
        Writer::Text(lines) => Box::new(Text { part: PartFile::reopen(path, mark)?, lines }),
        Writer::Spool(assembly) => {
            Box::new(SpoolOutput::reopen(path, mark, assembly, inside_count(setting))?)
        }
    })
}

/// How many numbers a row has of what moves inside the body.
fn inside_count(setting: &Setting<'_>) -> usize {
    setting.problem.inside_at_start().len()
}

fn refuse(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {why}", path.display()))
}
