//! `[torque]`, once or several times.

use polhode::glam::DVec3;

use super::document::{Item, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::source::{ReadResult, Trouble, quote};
use polhode::torque::{
    self, DipoleField, KeyKind, KeyValue, KeyValues, Torque, TorqueEntry, TorqueError,
};
use polhode::{Inertia, Problem, State, catalog};

/// The field of a dipole that is no file: that of a planet along the orbit.
pub(super) const FIELD_OF_ORBIT: &str = "orbit";

/// What `[orbit]` may say.
const ORBIT_KEYS: &[&str] =
    &["rate", "normal", "towards", "eccentricity", "anomaly", "strength", "axis", "pole", "spin"];

/// What is wrong with `[orbit]` where nothing asks for one.
pub(super) const UNUSED_ORBIT: ScenarioFault = ScenarioFault::Unused {
    what: "nothing is on this orbit",
    remedy: "give [torque] kind = \"gravity-gradient\", kind = \"dipole\" with field = \"orbit\", a controller that \
             needs one, or name nadir, velocity or field in [watch]",
};

/// All torques together, finite on this body where the motion starts.
pub(super) fn read(
    item: Option<&Item>,
    orbit: Option<Section<'_>>,
    inertia: &Inertia,
    start: &State,
) -> ReadResult<Torque> {
    let mut all = Torque::none();
    let (mut total, mut energy) = (DVec3::ZERO, 0.0);
    for section in sections(item)? {
        let part = read_one(section, orbit)?;
        part.check(inertia).map_err(|error| at_key(section, orbit, error))?;
        part.check_times([0.0, 0.0]).map_err(|error| at_key(section, orbit, error))?;
        let problem = Problem::new(*inertia, *start).torque(part.clone());
        total += problem.torque_at(0.0, start);
        energy += problem.potential(0.0, start.q).unwrap_or(0.0);
        all = all + part;
        if !total.is_finite() {
            let torque = total.to_array();
            return Err(section.fail(ScenarioFault::TorqueNotFinite { torque }));
        }
        if !energy.is_finite() {
            return Err(section.fail(ScenarioFault::OutOfRange { what: "the energy at the start" }));
        }
    }
    Ok(all)
}

/// Checks that each torque is known from t = 0 until the end.
pub(super) fn check_times(
    item: Option<&Item>,
    orbit: Option<Section<'_>>,
    until: f64,
) -> ReadResult<()> {
    for section in sections(item)? {
        let known = read_one(section, orbit)?.check_times([0.0, until]);
        known.map_err(|error| at_key(section, orbit, error))?;
    }
    Ok(())
}

/// All torques together, whatever the body.
pub(super) fn read_for_many(item: Option<&Item>, orbit: Option<Section<'_>>) -> ReadResult<Torque> {
    sections(item)?.into_iter().map(|section| read_one(section, orbit)).sum()
}

fn sections(item: Option<&Item>) -> ReadResult<Vec<Section<'_>>> {
    let items = match item {
        None => &[],
        Some(Item { value: TomlValue::List(list), .. }) => &list[..],
        Some(item) => core::slice::from_ref(item),
    };
    items.iter().map(|item| Section::new("torque", item)).collect()
}

/// The model that a section names, and its keys.
pub(super) fn model(section: Section<'_>) -> ReadResult<(&'static TorqueEntry, KeyValues)> {
    let models = catalog().torques;
    let kinds: Vec<&str> = models.iter().map(|t| t.kind).collect();
    let allowed = format!("one of {}", kinds.join(", "));
    if section.get("kind").is_none() {
        // What has no kind may have it under a misspelt name.
        let mut keys: Vec<&str> = models.iter().flat_map(|t| t.keys).map(|k| k.name).collect();
        keys.push("kind");
        keys.sort_unstable();
        keys.dedup();
        section.only(&keys)?;
    }
    let kind = section.require("kind", &allowed)?;
    let entry =
        torque::find(kind.text(&allowed)?).map_err(|e| kind.fail(ScenarioFault::Torque(e)))?;
    Ok((entry, key_values(section, entry)?))
}

fn read_one(section: Section<'_>, orbit: Option<Section<'_>>) -> ReadResult<Torque> {
    let (entry, mut values) = model(section)?;
    let knows = |name| entry.keys.iter().any(|key| key.name == name);
    let along_it = !knows("field") || values.get("field") == Some(&FIELD_OF_ORBIT.into());
    let on_orbit = knows("rate") && along_it;
    if let Some(orbit) = orbit.filter(|_| on_orbit) {
        for field in orbit.fields().filter(|f| entry.keys.iter().any(|k| k.name == f.key())) {
            // What the torque itself says comes first.
            if !values.contains_key(field.key()) {
                values.insert(field.key().to_owned(), key_value(field, entry)?);
            }
        }
    }
    entry.build(&values).map_err(|error| at_key(section, orbit, error))
}

/// The section `[orbit]`, which torques on an orbit share.
pub(super) fn read_orbit(document: &TomlTable) -> ReadResult<Option<Section<'_>>> {
    let Some(entry) = document.get("orbit") else { return Ok(None) };
    let section = Section::new("orbit", &entry.item)?;
    section.only(ORBIT_KEYS)?;
    Ok(Some(section))
}

/// The orbit that `[orbit]` says, with the planet's magnetic field along it: of no strength unless that is said.
pub(super) fn along(orbit: Section<'_>) -> ReadResult<DipoleField> {
    let fail = |error: TorqueError| at_key(orbit, None, error);
    orbit.require("rate", "a number: radians per time")?;
    let magnet = torque::find("dipole").map_err(fail)?;
    let mut values = key_values(orbit, magnet)?;
    values.insert("dipole".into(), [1.0, 0.0, 0.0].into());
    values.insert("field".into(), FIELD_OF_ORBIT.into());
    match magnet.build(&values).map_err(fail)?.field() {
        Some(torque::VectorSource::Orbit(field)) => Ok(*field),
        _ => Err(orbit.fail(UNUSED_ORBIT)),
    }
}

fn key_values(section: Section<'_>, entry: &'static TorqueEntry) -> ReadResult<KeyValues> {
    let mut values = KeyValues::new();
    for field in section.fields().filter(|f| f.key() != "kind") {
        values.insert(field.key().to_owned(), key_value(field, entry)?);
    }
    Ok(values)
}

/// Trouble with a torque, at the key it is about.
fn at_key(section: Section<'_>, orbit: Option<Section<'_>>, error: TorqueError) -> Box<Trouble> {
    if let TorqueError::Formula { key, component, .. } = error
        && let Some(field) = section.get(key)
        && let TomlValue::List(list) = field.value()
        && let Some(item) = list.get(component - 1)
    {
        let mut trouble = field.fail(ScenarioFault::Torque(error));
        trouble.span = item.span.clone();
        return trouble;
    }
    let keys = match error {
        TorqueError::Formula { key, .. }
        | TorqueError::Table { key, .. }
        | TorqueError::Value { key, .. }
        | TorqueError::TooLarge { key, .. } => vec![key],
        TorqueError::Parallel { key, other, .. } => vec![key, other],
        _ => vec![],
    };
    // A key that is not given has a default, with which another one may not go together.
    let given = |key| section.get(key).or_else(|| orbit.and_then(|orbit| orbit.get(key)));
    match keys.into_iter().find_map(given) {
        Some(field) => field.fail(ScenarioFault::Torque(error)),
        None => section.fail(ScenarioFault::Torque(error)),
    }
}

/// Three expressions, among which numbers may stand.
pub(super) fn texts(field: SectionField<'_>, list: &[Item], allowed: &str) -> ReadResult<KeyValue> {
    let text = |(i, item): (usize, &Item)| match &item.value {
        TomlValue::Text(text) => Ok(text.clone()),
        TomlValue::Number(Ok(number)) => Ok(format!("{number:?}")),
        other => Err(field.refuse_part(format!("{} at position {i}", other.kind()), allowed)),
    };
    Ok((1..).zip(list).map(text).collect::<Result<Vec<_>, _>>()?.into())
}

/// Rows of numbers.
pub(super) fn rows(field: SectionField<'_>, list: &[Item], allowed: &str) -> ReadResult<KeyValue> {
    let row = |(i, item): (usize, &Item)| match &item.value {
        TomlValue::List(row) => field.numbers_at(row, i, allowed),
        other => Err(field.refuse_part(format!("{} at position {i}", other.kind()), allowed)),
    };
    Ok((1..).zip(list).map(row).collect::<Result<Vec<_>, _>>()?.into())
}

/// Numbers by their names.
fn constants(field: SectionField<'_>, allowed: &str) -> ReadResult<KeyValue> {
    let TomlValue::Table(_) = field.value() else {
        return Err(field.refuse_part(field.value().kind().into(), allowed));
    };
    let named = Section::new("torque.constants", field.item())?;
    let number = |f: SectionField<'_>| Ok((f.key().to_owned(), f.number("a finite number")?));
    Ok(KeyValue::Constants(named.fields().map(number).collect::<ReadResult<_>>()?))
}

fn key_value(field: SectionField<'_>, entry: &'static TorqueEntry) -> ReadResult<KeyValue> {
    let Some(key) = entry.keys.iter().find(|k| k.name == field.key()) else {
        let known = entry.keys.iter().map(|k| k.name).collect();
        let error = TorqueError::UnknownKey { kind: entry.kind, key: quote(field.key()), known };
        return Err(field.fail(ScenarioFault::Torque(error)));
    };
    let allowed = key.kind.allowed();
    let is_text = |item: &Item| matches!(item.value, TomlValue::Text(_));
    let is_list = |item: &Item| matches!(item.value, TomlValue::List(_));
    match (field.value(), key.kind) {
        (_, KeyKind::Constants) => constants(field, &allowed),
        (TomlValue::List(list), KeyKind::Expressions) => texts(field, list, &allowed),
        (TomlValue::List(list), KeyKind::Field) if list.iter().any(is_text) => {
            texts(field, list, &allowed)
        }
        (TomlValue::List(list), KeyKind::Rows) => rows(field, list, &allowed),
        (TomlValue::List(list), KeyKind::Field) if list.iter().any(is_list) => {
            rows(field, list, &allowed)
        }
        (TomlValue::Text(text), KeyKind::Field) if text == FIELD_OF_ORBIT => {
            Ok(FIELD_OF_ORBIT.into())
        }
        // A scenario that is loaded from a file has the rows in its place.
        (TomlValue::Text(_), KeyKind::Rows | KeyKind::Field) => {
            Err(field.fail(ScenarioFault::NoFolder { instead: "the rows themselves" }))
        }
        (TomlValue::List(list), _) => Ok(field.numbers(list, 1, &allowed)?.into()),
        (_, KeyKind::Choice(_)) => Ok(field.text(&allowed)?.into()),
        _ => Ok(field.number(&allowed)?.into()),
    }
}
