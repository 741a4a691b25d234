//! Files with trajectories. The extension says the format; rows go to `FILE.part`, and `FILE` is
//! there when it is whole.
//!
//! Text that can be written from top to bottom grows in `FILE.part` as it will be. Formats whose
//! beginning depends on their end have their rows spooled there, and are put together when all
//! are known: no format keeps rows in memory. Equal rows make equal bytes in every format.

mod aem;
mod bodies;
mod csv;
mod document;
mod jsonl;
mod npz;
mod part;
mod spool;
mod svg;
#[cfg(test)]
mod tests;
mod thinning;

use std::io;
use std::path::{self, Path, PathBuf};

use polhode::glam::DVec3;
use polhode::{Problem, State};
use polhode_scenario::{Aem, OUTPUT_FORMATS};

use crate::attitude::{AttitudeFormat, angle_unit};
use crate::failure::Failure;
use part::{PartFile, RESUMABLE};
use spool::SpoolOutput;

pub(crate) use bodies::{BodyFile, BodyRow};
pub(crate) use document::Document;
pub(crate) use part::{Mark, Replace, part};

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
}

/// What writers need to know beside the rows.
pub(crate) struct Setting<'a> {
    pub(crate) problem: &'a Problem,
    /// The energy should stay what it is: its error is one.
    pub(crate) conserves_energy: bool,
    pub(crate) attitude: AttitudeFormat,
    pub(crate) degrees: bool,
    pub(crate) aem: Option<&'a Aem>,
    /// Scenario and method, for the plot.
    pub(crate) title: &'a str,
    /// How many are expected.
    pub(crate) rows: u64,
    /// The time from one row to the next (the last may come sooner); negative where time runs
    /// backwards.
    pub(crate) spacing: f64,
    /// The time of the last row.
    pub(crate) end: f64,
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
struct Text<L> {
    part: PartFile,
    lines: L,
}

impl<L: Lines> Output for Text<L> {
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

/// The same for every way to write it, as far as its folder exists.
pub(crate) fn absolute(file: &Path) -> Result<PathBuf, Failure> {
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
    let format = Format::of(path, setting)?;
    let part = PartFile::create(path, replace, RESUMABLE)?;
    match format {
        Format::Csv(lines) => begin(part, lines),
        Format::Jsonl(lines) => begin(part, lines),
        Format::Npz(assembly) => Ok(Box::new(SpoolOutput::new(part, assembly))),
        Format::Aem(assembly) => Ok(Box::new(SpoolOutput::new(part, assembly))),
        Format::Svg(assembly) => Ok(Box::new(SpoolOutput::new(part, assembly))),
    }
}

fn begin<L: Lines + 'static>(mut part: PartFile, lines: L) -> Result<Box<dyn Output>, Failure> {
    part.write(lines.heading().as_bytes())?;
    Ok(Box::new(Text { part, lines }))
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
    Ok(match Format::of(path, setting)? {
        Format::Csv(lines) => Box::new(Text { part: PartFile::reopen(path, mark)?, lines }),
        Format::Jsonl(lines) => Box::new(Text { part: PartFile::reopen(path, mark)?, lines }),
        Format::Npz(assembly) => Box::new(SpoolOutput::reopen(path, mark, assembly)?),
        Format::Aem(assembly) => Box::new(SpoolOutput::reopen(path, mark, assembly)?),
        Format::Svg(assembly) => Box::new(SpoolOutput::reopen(path, mark, assembly)?),
    })
}

enum Format {
    Csv(csv::Csv),
    Jsonl(jsonl::Jsonl),
    Npz(npz::Npz),
    Aem(aem::Ephemeris),
    Svg(svg::Picture),
}

impl Format {
    fn of(path: &Path, setting: &Setting<'_>) -> Result<Self, Failure> {
        let units = Units::of(setting);
        match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
            "csv" => Ok(Self::Csv(csv::Csv(units))),
            "jsonl" => Ok(Self::Jsonl(jsonl::Jsonl(units))),
            "npz" => Ok(Self::Npz(npz::Npz(units))),
            "aem" => aem::Ephemeris::new(path, setting).map(Self::Aem),
            "svg" => Ok(Self::Svg(svg::Picture::new(setting))),
            _ => {
                let known: Vec<_> = OUTPUT_FORMATS.iter().map(|e| format!(".{e}")).collect();
                Err(refuse(
                    path,
                    format_args!("the extension says the format: one of {}", known.join(", ")),
                ))
            }
        }
    }
}

fn refuse(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {why}", path.display()))
}
