//! Quantities as options of a command line: written as in a scenario, but without the braces.

use std::path::Path;

use super::document::{self, TomlTable};
use super::error::ScenarioError;
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::given::{attitude, inertia, inline, omega};
use super::source::{ReadResult, ScenarioText};
use super::{overrides, tables, torques};
use polhode::glam::DQuat;
use polhode::shape::MassProperties;
use polhode::torque::KeyValues;

/// The value of an option, `rpm=[0,0,30]`.
struct Alone {
    source: ScenarioText,
    document: TomlTable,
}

impl Alone {
    fn new(section: &str, key: &str, text: &str) -> Result<Self, ScenarioFault> {
        let text = format!("{section}.{key} = {{ {text} }}");
        let source = ScenarioText { name: String::new(), text, overrides: Vec::new() };
        let document = document::parse(&source.text, None).map_err(|_| unreadable())?;
        Ok(Self { source, document })
    }

    fn read<T>(
        &self,
        section: &'static str,
        key: &str,
        read: impl FnOnce(SectionField<'_>) -> ReadResult<T>,
    ) -> Result<T, ScenarioFault> {
        let missing = || ScenarioFault::Override { allowed: "write key=value".into() };
        let entry = self.document.get(section).ok_or_else(missing)?;
        let section = Section::new(section, &entry.item).map_err(|trouble| trouble.fault)?;
        read(section.get(key).ok_or_else(missing)?).map_err(|trouble| trouble.fault)
    }
}

/// The angular velocity that an option gives with its unit, `rpm=[0,0,30]`, in radians per unit of time.
///
/// # Errors
/// [`ScenarioFault`] if the text is not that of an angular velocity.
pub fn read_omega(text: &str) -> Result<[f64; 3], ScenarioFault> {
    Alone::new("start", "omega", text)?.read("start", "omega", omega)
}

/// The attitude that an option gives in one of its forms, `axis=[0,0,1], angle_deg=90`.
///
/// # Errors
/// [`ScenarioFault`] if the text is not that of an attitude.
pub fn read_attitude(text: &str) -> Result<DQuat, ScenarioFault> {
    Alone::new("start", "attitude", text)?.read("start", "attitude", attitude)
}

/// The torque that an option gives, `kind="damping", coefficient=0.1`: its kind and its keys. Files of tables are
/// looked for in the current folder.
///
/// # Errors
/// [`ScenarioFault`] if the text is not that of a torque.
pub fn read_torque(text: &str) -> Result<(String, KeyValues), ScenarioFault> {
    let text = format!("torque = {{ {text} }}");
    let mut source = ScenarioText { name: String::new(), text, overrides: Vec::new() };
    let mut document = document::parse(&source.text, None).map_err(|_| unreadable())?;
    tables::inline(&mut source, Path::new("")).map_err(|error| elsewhere(&error))?;
    overrides::apply(&source, &mut document).map_err(|trouble| trouble.fault)?;
    let item = &document.get("torque").ok_or_else(unreadable)?.item;
    let read = Section::new("torque", item).and_then(|section| {
        let (entry, keys) = torques::model(section)?;
        entry.build(&keys).map_err(|e| section.fail(ScenarioFault::Torque(e)))?;
        Ok((entry.kind.to_owned(), keys))
    });
    read.map_err(|trouble| trouble.fault)
}

fn unreadable() -> ScenarioFault {
    let allowed = "write key=value, separated by commas, as between the braces of a scenario";
    ScenarioFault::Override { allowed: allowed.into() }
}

/// What is wrong in a file of its own, which must be named.
fn elsewhere(error: &ScenarioError) -> ScenarioFault {
    match error.line() {
        Some(_) if !error.file().is_empty() => ScenarioFault::Elsewhere(error.to_string()),
        _ => error.fault().clone(),
    }
}

/// The mass properties that an option gives as a shape, `box=[1,2,3], mass=12`; files are looked for in the
/// current folder.
///
/// # Errors
/// [`ScenarioError`] or, within it, what is wrong with a mesh.
pub fn read_shape(text: &str) -> Result<MassProperties, ScenarioFault> {
    let Alone { mut source, .. } = Alone::new("body", "inertia", text)?;
    inline(&mut source, Path::new("")).map_err(|error| elsewhere(&error))?;
    let document = source.tree().map_err(|trouble| trouble.fault)?;
    let (_, properties) =
        Alone { source, document }.read("body", "inertia", |field| inertia(field, false))?;
    properties.ok_or_else(|| ScenarioFault::Override { allowed: "give a shape".into() })
}
