//! The table of formats, and what each of them can write.

use std::path::Path;

use super::bodies::BodyRow;
use super::file::Writer;
use super::row::Row;
use super::{BodiesSetting, RunSetting, aem, csv, html, is_standard, jsonl, npz, refuse, svg};
use crate::compare::ComparisonView;
use crate::failure::Failure;

/// A format of files. Its record is the constant `FORMAT` of the format's own file.
pub(crate) struct Format {
    /// How its files end.
    pub(crate) extension: &'static str,
    /// What its files of a run are, in words that follow the extension.
    pub(super) about: &'static str,
    /// Whether a second file says how it was made; other formats have a place for that.
    pub(super) made_beside: bool,
    /// The rows of a run.
    pub(super) run: fn(&Path, &RunSetting<'_>) -> Result<Writer<Row>, Failure>,
    /// The states of the bodies of an ensemble.
    pub(super) bodies: Option<fn(&Path, &BodiesSetting<'_>) -> Writer<BodyRow>>,
    /// A comparison of methods.
    pub(super) comparison: Option<ComparisonWriter>,
}

/// How a comparison becomes a file.
#[derive(Clone, Copy)]
pub(crate) struct ComparisonWriter {
    /// What the file shows of it.
    pub(super) shows: &'static str,
    /// The file, from the comparison and how it was made.
    pub(crate) contents: fn(&ComparisonView<'_>, &str) -> Result<Vec<u8>, Failure>,
}

/// Every format.
pub(super) static FORMATS: &[Format] =
    &[csv::FORMAT, npz::FORMAT, jsonl::FORMAT, aem::FORMAT, svg::FORMAT, html::FORMAT];

impl Format {
    /// By the extension.
    fn of(path: &Path) -> Option<&'static Self> {
        let extension = path.extension().and_then(|e| e.to_str());
        FORMATS.iter().find(|f| Some(f.extension) == extension)
    }

    /// The same, where standard output is a table.
    fn of_rows(path: &Path) -> Option<&'static Self> {
        if is_standard(path) { FORMATS.first() } else { Self::of(path) }
    }

    /// How the rows of a run become this file.
    pub(super) fn run_writer(
        path: &Path,
        setting: &RunSetting<'_>,
    ) -> Result<Writer<Row>, Failure> {
        let format = Self::of_rows(path).ok_or_else(|| unknown_format(path, &run_extensions()))?;
        (format.run)(path, setting)
    }

    /// How the bodies of an ensemble become this file.
    pub(super) fn bodies_writer(
        path: &Path,
        setting: &BodiesSetting<'_>,
    ) -> Result<Writer<BodyRow>, Failure> {
        let make = Self::of_rows(path).and_then(|f| f.bodies);
        Ok(make.ok_or_else(|| unknown_format(path, &body_extensions()))?(path, setting))
    }

    /// Whether a second file beside this one says how it was made.
    pub(super) fn is_made_beside(path: &Path) -> bool {
        Self::of(path).is_some_and(|f| f.made_beside)
    }
}

/// How a comparison becomes this file.
///
/// # Errors
/// [`Failure::Input`] if there is no such format.
pub(crate) fn comparison_writer(path: &Path) -> Result<ComparisonWriter, Failure> {
    let writer = Format::of(path).and_then(|f| f.comparison);
    writer.ok_or_else(|| {
        let able = FORMATS.iter().filter(|f| f.comparison.is_some());
        unknown_format(path, &able.map(|f| f.extension).collect::<Vec<_>>())
    })
}

/// How files of a run may end, in the order of the formats.
pub(crate) fn run_extensions() -> Vec<&'static str> {
    FORMATS.iter().map(|f| f.extension).collect()
}

/// How files of bodies may end.
pub(crate) fn body_extensions() -> Vec<&'static str> {
    FORMATS.iter().filter(|f| f.bodies.is_some()).map(|f| f.extension).collect()
}

/// What each format is, as sentences.
pub(crate) fn about_formats() -> String {
    let about: Vec<_> = FORMATS.iter().map(|f| format!(".{} {}.", f.extension, f.about)).collect();
    about.join(" ")
}

/// What files show of a comparison: `the numbers (.csv) or the plots (.svg)`.
pub(crate) fn about_comparisons() -> String {
    let shown = FORMATS.iter().filter_map(|f| Some((f.comparison?.shows, f.extension)));
    either(&shown.map(|(shows, extension)| format!("{shows} (.{extension})")).collect::<Vec<_>>())
}

/// Files beside which stands how they were made.
pub(crate) fn made_beside() -> String {
    let beside = FORMATS.iter().filter(|f| f.made_beside).map(|f| f.extension);
    listed(&beside.collect::<Vec<_>>())
}

/// Extensions as they are listed in texts: `.csv, .npz or .svg`.
pub(crate) fn listed(extensions: &[&str]) -> String {
    either(&extensions.iter().map(|e| format!(".{e}")).collect::<Vec<_>>())
}

fn either(texts: &[String]) -> String {
    match texts {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.concat(),
    }
}

/// The file has none of these extensions.
pub(super) fn unknown_format(path: &Path, extensions: &[&str]) -> Failure {
    refuse(path, format_args!("the extension says the format: {}", listed(extensions)))
}
