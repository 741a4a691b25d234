//! What to watch: `[watch]`, `[directions]`, and `[run] stop_when`.
//!
//! ```toml
//! [directions]                             # vectors of space: constant, expressions, rows, or a file with rows
//! sun = [0.2, 0.9, 0.4]
//! [watch]
//! off_nadir = "deg(angle(z, nadir))"       # a column of every table
//! brightness = "area_box(1, 2, 4, sun)"
//! pointing = "off_nadir < 10"              # a comparison: from when to when it holds, in the summary
//! [run]
//! stop_when = "norm(omega) > 3"            # the run ends when this becomes true
//! ```

use super::document::{Item, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField, is_name};
use super::source::{ReadResult, quote};
use super::torques::{rows, texts};
use polhode::Problem;
use polhode::formula::{Constants, Formula};
use polhode::inside::Wheel;
use polhode::observe::{Condition, Directions, Observable, Surroundings};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{KeyValue, Torque, VectorSource};

const OBSERVABLE: &str = "a formula, or a comparison of two, as a text";
const CONDITION: &str = "a comparison as a text, e.g. \"norm(omega) > 3\"";
const DIRECTION: &str = "three numbers, three expressions, rows [t, x, y, z], or the name of a file beside the \
                         scenario that has them";

/// Columns that tables have, and entries of archives.
const COLUMNS: &[&str] = &[
    "step",
    "attitude",
    "meta",
    "energy_error",
    "momentum_error",
    "spatial_momentum_error",
    "e1",
    "e2",
    "e3",
];

/// Columns that tables of many bodies have beside.
const COLUMNS_OF_BODIES: &[&str] =
    &["inertia", "i1", "i2", "i3", "period", "precession_period", "regime"];

/// What is watched in a run, or of every body of an ensemble.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WatchList {
    /// Numbers that are columns of every table, in the order of the file.
    pub columns: Vec<(String, Observable)>,
    /// Comparisons whose times are told in the summary; of an ensemble, columns of 1 where they hold and 0 elsewhere.
    pub conditions: Vec<(String, Condition)>,
    /// The run ends when this becomes true.
    pub stop_when: Option<Condition>,
}

/// Whether something that is watched names one of these.
pub(super) fn names(document: &TomlTable, wanted: &[&str]) -> bool {
    let section = |name| match document.get(name).map(|e| &e.item.value) {
        Some(TomlValue::Table(table)) => &table.0[..],
        _ => &[],
    };
    let stop = section("run").iter().filter(|e| e.key == "stop_when");
    let mut values = section("watch").iter().chain(stop).map(|e| &e.item.value);
    values.any(|value| match value {
        TomlValue::Text(text) => {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.any(|word| wanted.contains(&word))
        }
        _ => false,
    })
}

/// Reads what is watched until the end of the run; the torque is what has orbit, field and potential.
pub(super) fn read(
    document: &TomlTable,
    run: Section<'_>,
    problem: &Problem,
    torque: &Torque,
    end: f64,
) -> ReadResult<WatchList> {
    let wheels = problem.moving().map_or(&[][..], |inside| inside.wheels());
    let setting = WatchReader { torque, wheels, span: [0.0, end], taken: &[] };
    setting.read(document, run)
}

/// Reads what is watched of every body of an ensemble, from the first of these times to the last.
pub(super) fn read_for_many(
    document: &TomlTable,
    run: Section<'_>,
    torque: &Torque,
    wheels: &[Wheel],
    span: [f64; 2],
) -> ReadResult<WatchList> {
    WatchReader { torque, wheels, span, taken: COLUMNS_OF_BODIES }.read(document, run)
}

/// What is watched, and when.
struct WatchReader<'a> {
    torque: &'a Torque,
    wheels: &'a [Wheel],
    /// The first and the last time.
    span: [f64; 2],
    /// Names of columns that there are beside [`COLUMNS`].
    taken: &'a [&'a str],
}

impl WatchReader<'_> {
    fn read(&self, document: &TomlTable, run: Section<'_>) -> ReadResult<WatchList> {
        let Self { torque, wheels, span, taken } = *self;
        let directions = match document.get("directions") {
            None => Directions::new(),
            Some(entry) => read_directions(Section::new("directions", &entry.item)?, taken)?,
        };
        let mut watching = WatchList::default();
        if let Some(entry) = document.get("watch") {
            let section = Section::new("watch", &entry.item)?;
            for field in section.fields() {
                let name = free_name(field, taken)?;
                let text = text(field, OBSERVABLE)?;
                let named = &watching.columns;
                let around = Surroundings::new(torque, &directions).with_named(named);
                if text.contains(['<', '>']) {
                    let condition = Condition::new(text, &around);
                    let condition = condition.map_err(|e| field.fail(ScenarioFault::Formula(e)))?;
                    known(field, condition.span(), span)?;
                    has_wheels(field, condition.last_wheel(), wheels)?;
                    watching.conditions.push((name, condition));
                } else {
                    let observable = Observable::new(text, &around);
                    let observable =
                        observable.map_err(|e| field.fail(ScenarioFault::Formula(e)))?;
                    known(field, observable.span(), span)?;
                    has_wheels(field, observable.last_wheel(), wheels)?;
                    watching.columns.push((name, observable));
                }
            }
        }
        if let Some(field) = run.get("stop_when") {
            let around = Surroundings::new(torque, &directions).with_named(&watching.columns);
            let condition = Condition::new(text(field, CONDITION)?, &around);
            let condition = condition.map_err(|e| field.fail(ScenarioFault::Formula(e)))?;
            known(field, condition.span(), span)?;
            has_wheels(field, condition.last_wheel(), wheels)?;
            watching.stop_when = Some(condition);
        }
        // The speeds of wheels that change are columns, unless the user has columns of that name.
        let around = Surroundings::new(torque, &directions);
        for (number, _) in (1..).zip(wheels).filter(|(_, wheel)| wheel.is_driven()) {
            let name = format!("wheel{number}");
            let speed = Observable::new(&format!("wheel_speed({number})"), &around);
            if let (Ok(speed), false) = (speed, watching.columns.iter().any(|(n, _)| *n == name)) {
                watching.columns.push((name, speed));
            }
        }
        Ok(watching)
    }
}

/// Checks that there is a wheel of that number.
fn has_wheels(field: SectionField<'_>, number: usize, wheels: &[Wheel]) -> ReadResult<()> {
    if number <= wheels.len() {
        return Ok(());
    }
    Err(field.fail(ScenarioFault::NoWheel { number, count: wheels.len() }))
}

fn text<'a>(field: SectionField<'a>, allowed: &str) -> ReadResult<&'a str> {
    match field.value() {
        TomlValue::Text(text) => Ok(text),
        other => Err(field.refuse_part(other.kind().into(), allowed)),
    }
}

/// A name that means nothing else.
fn free_name(field: SectionField<'_>, taken: &[&str]) -> ReadResult<String> {
    let name = field.key();
    let is_column = COLUMNS.contains(&name) || taken.contains(&name);
    let taken = is_column.then_some("is a column already; choose another name");
    match Surroundings::taken(name).or(taken) {
        None if is_name(name) => Ok(name.to_owned()),
        why => {
            let why = why.unwrap_or("is no name; take a shorter one");
            Err(field.fail(ScenarioFault::Name { name: quote(name), why }))
        }
    }
}

/// Checks that the tables of directions go as far as the run.
fn known(field: SectionField<'_>, table: Option<(f64, f64)>, span: [f64; 2]) -> ReadResult<()> {
    let Some((first, last)) = table else { return Ok(()) };
    // Times of steps are rounded.
    let slack = 1e-12 * (last - first);
    match span.into_iter().find(|t| !(first - slack..=last + slack).contains(t)) {
        None => Ok(()),
        Some(t) => Err(field.fail(ScenarioFault::DirectionEnds { first, last, t })),
    }
}

fn read_directions(section: Section<'_>, taken: &[&str]) -> ReadResult<Directions> {
    section.fields().map(|field| Ok((free_name(field, taken)?, direction(field)?))).collect()
}

fn direction(field: SectionField<'_>) -> ReadResult<VectorSource> {
    let list = match field.value() {
        TomlValue::List(list) => list,
        // A scenario that is loaded from a file has the rows in its place.
        TomlValue::Text(_) => {
            return Err(field.fail(ScenarioFault::NoFolder { instead: "the rows themselves" }));
        }
        other => return Err(field.refuse_part(other.kind().into(), DIRECTION)),
    };
    if list.iter().any(|item| matches!(item.value, TomlValue::List(_))) {
        let KeyValue::Rows(rows) = rows(field, list, DIRECTION)? else {
            return Err(field.refuse(DIRECTION));
        };
        let table = VectorTable::from_rows(&rows, Interpolation::Linear, Beyond::Error);
        return Ok(table.map_err(|e| field.fail(ScenarioFault::Table(e)))?.into());
    }
    if list.iter().any(|item| matches!(item.value, TomlValue::Text(_))) {
        return expressions(field, list);
    }
    Ok(field.vector::<3>(DIRECTION)?.into())
}

fn expressions(field: SectionField<'_>, list: &[Item]) -> ReadResult<VectorSource> {
    let KeyValue::Texts(texts) = texts(field, list, DIRECTION)? else {
        return Err(field.refuse(DIRECTION));
    };
    let [x, y, z] = &texts[..] else {
        return Err(field.refuse_part(format!("a list of {}", texts.len()), DIRECTION));
    };
    let formula = |text: &str| {
        Formula::new(text, &Constants::new()).map_err(|e| field.fail(ScenarioFault::Formula(e)))
    };
    Ok([formula(x)?, formula(y)?, formula(z)?].into())
}
