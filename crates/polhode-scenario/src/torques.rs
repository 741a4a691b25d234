//! `[torque]`, once or several times.

use polhode::glam::DVec3;

use super::TorqueSpec;
use super::document::{Item, Value};
use super::error::ScenarioFault;
use super::field::{Field, Section};
use super::source::{Outcome, Trouble, quote};
use polhode::torque::{
    self, KeyKind, KeyValue, KeyValues, NoTorque, Sum, TORQUES, Torque, TorqueEntry, TorqueError,
};
use polhode::{Inertia, State};

/// The torques, and all of them together, finite where the motion starts.
pub(super) fn read(
    item: Option<&Item>,
    inertia: &Inertia,
    start: &State,
) -> Outcome<(Vec<TorqueSpec>, Box<dyn Torque>)> {
    let sections: Vec<&Item> = match item {
        None => Vec::new(),
        Some(Item { value: Value::List(list), .. }) => list.iter().collect(),
        Some(item) => vec![item],
    };
    let (mut specs, mut parts) = (Vec::new(), Vec::new());
    let (mut total, mut energy) = (DVec3::ZERO, 0.0);
    for item in sections {
        let section = Section::new("torque", item)?;
        let (spec, part) = read_one(section, inertia)?;
        total += part.torque(0.0, start);
        energy += part.potential(0.0, start.q).unwrap_or(0.0);
        if !(total.is_finite() && energy.is_finite()) {
            return Err(section.fail(ScenarioFault::OutOfRange { what: "the torque at the start" }));
        }
        specs.push(spec);
        parts.push(part);
    }
    Ok((specs, sum(parts)))
}

/// All of them together.
pub(super) fn sum(mut parts: Vec<Box<dyn Torque>>) -> Box<dyn Torque> {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, Some(last)) => Box::new(Sum::new(parts.into_iter().chain([last]))),
        (_, None) => Box::new(NoTorque),
    }
}

fn read_one(section: Section<'_>, inertia: &Inertia) -> Outcome<(TorqueSpec, Box<dyn Torque>)> {
    let kinds: Vec<&str> = TORQUES.iter().map(|t| t.kind).collect();
    let allowed = format!("one of {}", kinds.join(", "));
    let kind = section.require("kind", &allowed)?;
    let entry =
        torque::find(kind.text(&allowed)?).map_err(|e| kind.fail(ScenarioFault::Torque(e)))?;
    let values = key_values(section, entry)?;
    let torque = entry.build(&values, inertia).map_err(|error| at_key(section, error))?;
    Ok((TorqueSpec { kind: entry.kind, values }, torque))
}

/// The torque of an ensemble: one, of those that run in lanes.
pub(super) fn read_field(item: &Item) -> Outcome<polhode::ensemble::Field> {
    use polhode::ensemble::{EnsembleError, Field as Lanes, KINDS};
    use polhode::parameters::suggestion;
    let item = match &item.value {
        Value::List(list) if list.len() == 1 => &list[0],
        _ => item,
    };
    let section = Section::new("torque", item)?;
    let allowed = format!("one of {}", KINDS.join(", "));
    if section.get("kind").is_none() {
        // What has no kind may have it under a misspelt name.
        let of_kinds = TORQUES.iter().filter(|t| KINDS.contains(&t.kind));
        let mut keys: Vec<&str> = of_kinds.flat_map(|t| t.keys).map(|k| k.name).collect();
        keys.push("kind");
        keys.sort_unstable();
        keys.dedup();
        section.only(&keys)?;
    }
    let kind = section.require("kind", &allowed)?;
    let name = kind.text(&allowed)?;
    let refuse = |why: String| kind.fail(ScenarioFault::Ensemble(why));
    let entry = torque::find(name)
        .map_err(|_| refuse(format!("no torque '{}'{}", quote(name), suggestion(&KINDS, name))))?;
    if !KINDS.contains(&entry.kind) {
        return Err(refuse(EnsembleError::TorqueNotInLanes { kind: entry.kind }.to_string()));
    }
    let values = key_values(section, entry)?;
    Lanes::build(entry.kind, &values).map_err(|error| match error {
        EnsembleError::Torque(error) => at_key(section, error),
        error => refuse(error.to_string()),
    })
}

fn key_values(section: Section<'_>, entry: &'static TorqueEntry) -> Outcome<KeyValues> {
    let mut values = KeyValues::new();
    for field in section.fields().filter(|f| f.key() != "kind") {
        values.insert(field.key().to_owned(), key_value(field, entry)?);
    }
    Ok(values)
}

/// Trouble with a torque, at the key it is about.
fn at_key(section: Section<'_>, error: TorqueError) -> Box<Trouble> {
    let keys = match error {
        TorqueError::Value { key, .. } | TorqueError::TooLarge { key, .. } => vec![key],
        TorqueError::Parallel { key, other, .. } => vec![key, other],
        _ => vec![],
    };
    // A key that is not given has a default, with which another one may not go together.
    match keys.into_iter().find_map(|key| section.get(key)) {
        Some(field) => field.fail(ScenarioFault::Torque(error)),
        None => section.fail(ScenarioFault::Torque(error)),
    }
}

fn key_value(field: Field<'_>, entry: &'static TorqueEntry) -> Outcome<KeyValue> {
    let Some(key) = entry.keys.iter().find(|k| k.name == field.key()) else {
        let known = entry.keys.iter().map(|k| k.name).collect();
        let error = TorqueError::UnknownKey { kind: entry.kind, key: quote(field.key()), known };
        return Err(field.fail(ScenarioFault::Torque(error)));
    };
    let allowed = key.kind.allowed();
    match (field.value(), key.kind) {
        (Value::List(list), _) => Ok(field.numbers(list, 1, &allowed)?.into()),
        (_, KeyKind::Choice(_)) => Ok(field.text(&allowed)?.into()),
        _ => Ok(field.number(&allowed)?.into()),
    }
}
