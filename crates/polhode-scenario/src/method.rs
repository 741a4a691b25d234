//! `[method]`: an id, and parameters as further keys; or a method of the user's own.

use super::document::TomlValue;
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::own;
use super::source::{ReadResult, Trouble, quote};
use polhode::method::{Method, MethodError};
use polhode::parameters::{MethodParameter, ParameterError, ParameterKind, split};
use polhode::{Catalog, EntryKind, catalog};

/// One of the (at most two) entries that an id names.
struct EntryText {
    id: &'static str,
    known: &'static [MethodParameter],
    /// As it stands in the id, with the parameters added so far.
    text: String,
}

impl EntryText {
    /// The entry that the text names, which is of one of these kinds.
    fn new(all: &Catalog, kinds: &[EntryKind], text: &str) -> Option<Self> {
        let id = split(text).0;
        let entry = all.methods.iter().find(|e| e.id == id && kinds.contains(&e.kind))?;
        Some(Self { id: entry.id, known: entry.parameters, text: text.trim().to_owned() })
    }

    fn parameter(&self, name: &str) -> Option<&'static MethodParameter> {
        self.known.iter().find(|p| p.name == name)
    }
}

/// The method of a section, and its text with all parameters.
pub(super) fn read(section: Section<'_>) -> ReadResult<(Method, String)> {
    if let Some(key) = own::key(section) {
        let method = own::read(section, key)?;
        let id = method.to_string();
        return Ok((method, id));
    }
    let allowed = "a method, e.g. \"rkn6-14+exact\" (or give 'stages' or 'tableau')";
    if section.get("id").is_none() {
        // What has no id may have it under a misspelt name.
        section.only(&all_keys())?;
    }
    let id = section.require("id", allowed)?;
    let text = id.text(allowed)?.trim();
    let mut method = Method::parse(text).map_err(|e| id.fail(ScenarioFault::Method(e)))?;
    let all = catalog();
    // The title of a preset is its pair.
    let text = all.of(EntryKind::Preset).find(|preset| preset.id == text).map_or(text, |p| p.title);
    let part = |kinds: &[EntryKind], text| EntryText::new(&all, kinds, text);
    let parts = match text.split_once('+') {
        Some((scheme, rotor)) => {
            [part(&[EntryKind::Scheme], scheme), part(&[EntryKind::Rotor], rotor)]
        }
        None => [part(&[EntryKind::Rotor, EntryKind::Method], text), None],
    };
    let mut parts: Vec<EntryText> = parts.into_iter().flatten().collect();
    for field in section.fields().filter(|f| !["id", "step"].contains(&f.key())) {
        add(&mut parts, field)?;
        // One by one, so that whatever is wrong is this key's.
        method = Method::parse(&join(&parts)).map_err(|e| field.fail(ScenarioFault::Method(e)))?;
    }
    Ok((method, join(&parts)))
}

/// Trouble with the method as a whole, where it is named or made.
pub(super) fn fail(section: Section<'_>, fault: ScenarioFault) -> Box<Trouble> {
    match own::key(section).or_else(|| section.get("id")) {
        Some(field) => field.fail(fault),
        None => section.fail(fault),
    }
}

/// Whatever may stand in the section, with one method or another.
fn all_keys() -> Vec<&'static str> {
    let mut keys = vec!["id", "step"];
    keys.extend(own::KEYS);
    for MethodParameter { name, .. } in catalog().methods.iter().flat_map(|entry| entry.parameters)
    {
        if !keys.contains(name) {
            keys.push(name);
        }
    }
    keys
}

fn join(parts: &[EntryText]) -> String {
    parts.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("+")
}

/// Appends a key to the part that knows it.
fn add(parts: &mut [EntryText], field: SectionField<'_>) -> ReadResult<()> {
    let names = parts.iter().flat_map(|p| p.known.iter().map(|p| p.name));
    let mut known = vec!["id", "step"];
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let mut knowing: Vec<(&mut EntryText, &'static MethodParameter)> = parts
        .iter_mut()
        .filter_map(|part| part.parameter(field.key()).map(|parameter| (part, parameter)))
        .collect();
    match &mut knowing[..] {
        [] => Err(field.unknown(known)),
        [(part, parameter)] => {
            let value = value(field, part.id, parameter)?;
            part.text.extend([":", parameter.name, "=", &value]);
            Ok(())
        }
        [(scheme, parameter), (rotor, _), ..] => Err(field.fail(ScenarioFault::Ambiguous {
            key: parameter.name,
            scheme: scheme.id,
            rotor: rotor.id,
        })),
    }
}

/// The value as it is written after an id.
fn value(
    field: SectionField<'_>,
    id: &'static str,
    parameter: &MethodParameter,
) -> ReadResult<String> {
    if parameter.kind == ParameterKind::Flag {
        return Ok(field.flag()?.to_string());
    }
    let refuse = |value: String| {
        let MethodParameter { name, kind, .. } = *parameter;
        let error = ParameterError::Value { id: id.into(), name, value, allowed: kind.allowed() };
        field.fail(ScenarioFault::Method(MethodError::Parameter(error)))
    };
    match field.value() {
        TomlValue::Number(_) => Ok(field.number("a number")?.to_string()),
        // More than a word would be read as further parameters.
        TomlValue::Text(text) if !text.is_empty() && text.chars().all(is_word) => Ok(text.clone()),
        TomlValue::Text(text) => Err(refuse(quote(text))),
        other => Err(refuse(other.kind().into())),
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(c)
}
