//! `[output]`: files to write, what pictures show, and what an AEM needs to be told.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use super::document::{Item, TomlTable, TomlValue};
use super::epoch::{self, Epoch};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField, is_name};
use super::source::{ReadResult, quote};

/// How files that are attitude ephemerides end: they need `[output.aem]`. What other formats there are,
/// the program that writes them says: [`Scenario::check_formats`](crate::Scenario::check_formats).
pub const AEM_EXTENSION: &str = "aem";

/// The time systems an AEM may name.
pub const TIME_SYSTEMS: &[&str] =
    &["UTC", "TAI", "TT", "GPS", "TDB", "TCB", "TCG", "UT1", "GMST", "MET", "MRT", "SCLK"];

const FILES: &str = "a list of file names, each once, relative to out/ and without '..'; the \
                     extension says the format";

/// What a body may look like in a picture, if it is not a mesh. A macro, so that other texts can be made of it; a test
/// of the program compares the names with those of `polhode-view`.
macro_rules! looks {
    () => {
        "box, ellipsoid, cylinder, t-handle, book, top, satellite"
    };
}

/// The values of `[output] shape`, in words.
pub(crate) const SHAPES: &str = concat!(looks!(), ", or an .stl or .obj file beside the scenario");

const SHAPE: &str = concat!(
    "what the body looks like: ",
    looks!(),
    ", or the name of an .stl or .obj file beside the scenario"
);

const UNIT: &str = "the name of a unit, at most 24 characters";

const PLOT: &str = "a list of panels, each once";

/// What a scenario asks to be written.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Output {
    /// Names of files, relative to `out/`, each with an extension.
    pub files: Vec<String>,
    /// The panels of plots, if not those that suit the problem; what panels there are, the program that draws
    /// them says.
    pub plot: Vec<String>,
    /// What the body looks like: the name of a `Look` of `polhode-view`, or of a mesh.
    pub shape: Option<String>,
    /// The unit of time, as it is written beside axes.
    pub time_unit: Option<String>,
    /// The unit of the moments of inertia, likewise.
    pub inertia_unit: Option<String>,
    /// What an AEM needs to be told; there if a file is one.
    pub aem: Option<Aem>,
}

/// Metadata of an attitude ephemeris message (CCSDS AEM 2.0); a unit of time is a second then.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Aem {
    /// `OBJECT_NAME`.
    pub object_name: String,
    /// `OBJECT_ID`: the international designator, such as 1998-067A.
    pub object_id: String,
    /// `REF_FRAME_A`, `EME2000` unless given: what space coordinates are.
    pub ref_frame_a: String,
    /// `REF_FRAME_B`, `SC_BODY_1` unless given: what body coordinates are.
    pub ref_frame_b: String,
    /// `TIME_SYSTEM`, `UTC` unless given; one of [`TIME_SYSTEMS`].
    pub time_system: String,
    /// The time of t = 0.
    pub start_epoch: Epoch,
    /// Write angular rates beside the quaternion; false unless given.
    pub rates: bool,
}

impl Aem {
    /// What must be told; the rest is as it is unless given.
    pub fn new(
        object_name: impl Into<String>,
        object_id: impl Into<String>,
        start_epoch: Epoch,
    ) -> Self {
        Self {
            object_name: object_name.into(),
            object_id: object_id.into(),
            ref_frame_a: "EME2000".into(),
            ref_frame_b: "SC_BODY_1".into(),
            time_system: "UTC".into(),
            start_epoch,
            rates: false,
        }
    }
}

pub(super) fn read(item: Option<&Item>) -> ReadResult<Output> {
    let Some(item) = item else { return Ok(Output::default()) };
    let section = Section::new("output", item)?;
    section.only(&["files", "plot", "shape", "time_unit", "inertia_unit", "aem"])?;
    let plot = section.get("plot").map_or(Ok(Vec::new()), read_plot)?;
    let shape = section.get("shape").map(read_shape).transpose()?;
    let time_unit = section.get("time_unit").map(read_unit).transpose()?;
    let inertia_unit = section.get("inertia_unit").map(read_unit).transpose()?;
    let files_field = section.get("files");
    let files = match files_field {
        Some(field) => read_files(field)?,
        None => Vec::new(),
    };
    let aem = section.get("aem").map(|field| read_aem(field.item())).transpose()?;
    match files_field {
        Some(field) if aem.is_none() && files.iter().any(|f| extension(f) == AEM_EXTENSION) => {
            let needs = "object_name, object_id and start_epoch";
            Err(field.fail(ScenarioFault::MissingSection { name: "output.aem", needs }))
        }
        _ => Ok(Output { files, plot, shape, time_unit, inertia_unit, aem }),
    }
}

fn read_plot(field: SectionField<'_>) -> ReadResult<Vec<String>> {
    let TomlValue::List(list) = field.value() else { return Err(field.refuse(PLOT)) };
    let mut panels = Vec::new();
    for (item, i) in list.iter().zip(1..) {
        match &item.value {
            TomlValue::Text(name) if is_name(name) && !panels.contains(name) => {
                panels.push(name.clone());
            }
            other => {
                return Err(field.refuse_part(format!("{} at position {i}", other.kind()), PLOT));
            }
        }
    }
    Ok(panels)
}

fn read_shape(field: SectionField<'_>) -> ReadResult<String> {
    let shape = field.text(SHAPE)?;
    let is_mesh = ["stl", "obj"].contains(&&*extension(shape).to_lowercase());
    if looks!().split(", ").any(|look| look == shape) || is_mesh && is_name(shape) {
        return Ok(shape.to_owned());
    }
    Err(field.refuse(SHAPE))
}

fn read_unit(field: SectionField<'_>) -> ReadResult<String> {
    let unit = field.text(UNIT)?;
    if unit.chars().count() > 24 || unit.trim() != unit {
        return Err(field.refuse(UNIT));
    }
    Ok(unit.to_owned())
}

fn read_files(field: SectionField<'_>) -> ReadResult<Vec<String>> {
    let TomlValue::List(list) = field.value() else { return Err(field.refuse(FILES)) };
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    for (item, i) in list.iter().zip(1..) {
        match &item.value {
            TomlValue::Text(name) if is_file(name) && seen.insert(name) => files.push(name.clone()),
            other => {
                return Err(field.refuse_part(format!("{} at position {i}", other.kind()), FILES));
            }
        }
    }
    Ok(files)
}

/// A file in the folder for output or below, under a name that is one everywhere.
fn is_file(name: &str) -> bool {
    let path = Path::new(name);
    is_name(name)
        && !extension(name).is_empty()
        && !name.contains(['\\', ':'])
        && path.components().all(|c| matches!(c, Component::Normal(_)))
        && !name.ends_with('/')
}

/// Checks that every file has one of these extensions.
pub(super) fn check_formats(document: &TomlTable, extensions: &[&str]) -> ReadResult<()> {
    let Some(entry) = document.get("output") else { return Ok(()) };
    let Some(field) = Section::new("output", &entry.item)?.get("files") else { return Ok(()) };
    let files = read_files(field)?;
    match files.iter().position(|file| !extensions.contains(&extension(file))) {
        None => Ok(()),
        Some(i) => {
            let dotted: Vec<_> = extensions.iter().map(|e| format!(".{e}")).collect();
            let found = format!("'{}' at position {}", quote(&files[i]), i + 1);
            let allowed = format!("{FILES}, one of {}", dotted.join(", "));
            Err(field.refuse_part(found, &allowed))
        }
    }
}

fn extension(name: &str) -> &str {
    Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default()
}

fn read_aem(item: &Item) -> ReadResult<Aem> {
    let section = Section::new("output.aem", item)?;
    section.only(&[
        "object_name",
        "object_id",
        "ref_frame_a",
        "ref_frame_b",
        "time_system",
        "start_epoch",
        "rates",
    ])?;
    let mut aem = Aem::new(
        keyword(section.require("object_name", WORDS)?)?,
        keyword(section.require("object_id", WORDS)?)?,
        read_epoch(section.require("start_epoch", epoch::ALLOWED)?)?,
    );
    for (key, value) in [
        ("ref_frame_a", &mut aem.ref_frame_a),
        ("ref_frame_b", &mut aem.ref_frame_b),
        ("time_system", &mut aem.time_system),
    ] {
        if let Some(field) = section.get(key) {
            *value = keyword(field)?;
        }
    }
    if let Some(field) =
        section.get("time_system").filter(|_| !TIME_SYSTEMS.contains(&aem.time_system.as_str()))
    {
        return Err(field.refuse(format!("one of {}", TIME_SYSTEMS.join(", "))));
    }
    if let Some(field) = section.get("rates") {
        aem.rates = field.flag()?;
    }
    Ok(aem)
}

const WORDS: &str = "a text in ASCII";

/// A value of an AEM: printable ASCII that does not begin or end with a space.
fn keyword(field: SectionField<'_>) -> ReadResult<String> {
    let text = field.text(WORDS)?;
    if !text.is_ascii() || text.trim() != text {
        return Err(field.refuse(format!("{WORDS}, without spaces around it")));
    }
    Ok(text.to_owned())
}

fn read_epoch(field: SectionField<'_>) -> ReadResult<Epoch> {
    let text = match field.value() {
        TomlValue::Date(text) => text,
        _ => field.text(epoch::ALLOWED)?,
    };
    Epoch::parse(text).ok_or_else(|| field.refuse(epoch::ALLOWED))
}
