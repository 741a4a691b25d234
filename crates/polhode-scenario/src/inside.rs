//! What moves inside the body: `[[wheel]]`, `[dissipation]`, `[damper]`, and `[body] inertia` as a function of time.
//!
//! ```toml
//! [body]
//! inertia = ["1 + 0.1*sin(t)", "2", "2.5"]    # moments as expressions of t, or rows [t, I1, I2, I3], or
//! # inertia = { rows = "moments.csv", interpolation = "linear", beyond = "hold" }
//! [[wheel]]                                   # the inertia of the body is that with all wheels locked
//! axis = [0, 0, 1]
//! inertia = 1e-4
//! speed = 300                                 # relative to the body, kept unless one of the following is given
//! driven = true                               # turns freely; so it does with any of the following
//! torque = 1e-4                               # of its motor
//! torque_limit = 1e-3
//! speed_limit = 600
//! viscous_friction = 1e-7
//! coulomb_friction = 1e-6
//! [dissipation]
//! quality_factor = 100                        # or rate
//! [damper]
//! inertia = 0.01
//! coefficient = 0.1
//! ```

use super::document::{Item, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::source::{ReadResult, Trouble};
use super::torques::{rows, texts};
use polhode::formula::{Constants, Formula};
use polhode::glam::{DQuat, DVec3};
use polhode::inside::{BallDamper, Dissipation, Inside, InsideError, VaryingInertia, Wheel};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{KeyValue, VectorSource};
use polhode::{Inertia, Problem, State};

const WHEEL: &[&str] = &[
    "axis",
    "inertia",
    "speed",
    "driven",
    "torque",
    "torque_limit",
    "speed_limit",
    "viscous_friction",
    "coulomb_friction",
];
const NUMBER: &str = "a number";
const AXIS: &str = "three numbers, not all zero, in the body frame";
const POSITIVE: &str = "a positive number";
const MOMENTS: &str = "three expressions of t, or rows [t, I1, I2, I3]";
const ROWS: &str =
    "two rows [t, I1, I2, I3] or more, or the name of a file beside the scenario that has them";
const INTERPOLATIONS: &str = "one of spline, linear, hold";
const BEYOND: &str = "error or hold";

/// All that moves inside the body.
pub(super) fn read(document: &TomlTable, varying: Option<VaryingInertia>) -> ReadResult<Inside> {
    let mut inside = wheels(document)?.into_iter().fold(Inside::default(), Inside::wheel);
    if let Some(entry) = document.get("dissipation") {
        inside = inside.dissipation(read_sink(Section::new("dissipation", &entry.item)?)?);
    }
    if let Some(entry) = document.get("damper") {
        let section = Section::new("damper", &entry.item)?;
        section.only(&["inertia", "coefficient"])?;
        let inertia = section.require("inertia", POSITIVE)?.number(POSITIVE)?;
        let coefficient = section.require("coefficient", NUMBER)?.number(NUMBER)?;
        let damper = BallDamper::new(inertia, coefficient);
        inside = inside.damper(damper.map_err(|e| at_key(section, e))?);
    }
    Ok(match varying {
        Some(varying) => inside.varying(varying),
        None => inside,
    })
}

/// The wheels, in their order.
pub(super) fn wheels(document: &TomlTable) -> ReadResult<Vec<Wheel>> {
    several("wheel", document)?.into_iter().map(read_wheel).collect()
}

/// The body with what moves inside it; trouble is that of the first of its sections.
pub(super) fn body(document: &TomlTable, inertia: &Inertia, inside: Inside) -> ReadResult<Problem> {
    let still = State { m: DVec3::ZERO, q: DQuat::IDENTITY };
    Problem::new(*inertia, still).inside(inside).map_err(|error| {
        let sections = ["wheel", "damper", "body"];
        let found = sections.into_iter().find_map(|name| document.get(name).map(|e| (name, e)));
        let fault = ScenarioFault::Inside(error);
        match found {
            Some((name, entry)) => {
                let item = match &entry.item.value {
                    TomlValue::List(list) if !list.is_empty() => &list[0],
                    _ => &entry.item,
                };
                let span = super::source::Span {
                    over: item.span.over,
                    bytes: item.span.bytes.start..item.span.bytes.start,
                };
                Box::new(Trouble { span, field: format!("[{name}]"), fault })
            }
            None => Box::new(Trouble {
                span: super::source::Span { over: None, bytes: 0..0 },
                field: String::new(),
                fault,
            }),
        }
    })
}

/// A section that may be given several times.
pub(super) fn several<'a>(
    name: &'static str,
    document: &'a TomlTable,
) -> ReadResult<Vec<Section<'a>>> {
    let items: &[Item] = match document.get(name).map(|entry| &entry.item) {
        None => &[],
        Some(Item { value: TomlValue::List(list), .. }) => list,
        Some(item) => core::slice::from_ref(item),
    };
    items.iter().map(|item| Section::new(name, item)).collect()
}

fn read_wheel(section: Section<'_>) -> ReadResult<Wheel> {
    section.only(WHEEL)?;
    let number = |key: &'static str| section.get(key).map(|f| f.number(NUMBER)).transpose();
    let axis = section.require("axis", AXIS)?.vector::<3>(AXIS)?;
    let inertia = section.require("inertia", POSITIVE)?.number(POSITIVE)?;
    let fail = |error| at_key(section, error);
    let mut wheel = Wheel::new(axis, inertia, number("speed")?.unwrap_or(0.0)).map_err(fail)?;
    if section.flag("driven")? {
        wheel = wheel.driven();
    }
    if let Some(torque) = number("torque")? {
        wheel = wheel.torque(torque).map_err(fail)?;
    }
    if let Some(limit) = number("torque_limit")? {
        wheel = wheel.torque_limit(limit).map_err(fail)?;
    }
    if let Some(limit) = number("speed_limit")? {
        wheel = wheel.speed_limit(limit).map_err(fail)?;
    }
    let friction = (number("viscous_friction")?, number("coulomb_friction")?);
    if friction != (None, None) {
        let (viscous, coulomb) = (friction.0.unwrap_or(0.0), friction.1.unwrap_or(0.0));
        wheel = wheel.friction(viscous, coulomb).map_err(fail)?;
    }
    Ok(wheel)
}

fn read_sink(section: Section<'_>) -> ReadResult<Dissipation> {
    section.only(&["rate", "quality_factor"])?;
    let sink = match (section.get("rate"), section.get("quality_factor")) {
        (Some(field), None) => Dissipation::rate(field.number(NUMBER)?),
        (None, Some(field)) => Dissipation::quality(field.number(POSITIVE)?),
        (Some(_), Some(field)) => {
            return Err(field.fail(ScenarioFault::Both { key: "quality_factor", other: "rate" }));
        }
        (None, None) => {
            let allowed = format!("{POSITIVE} (or give 'rate')");
            return Err(section.fail(ScenarioFault::MissingKey { key: "quality_factor", allowed }));
        }
    };
    sink.map_err(|error| at_key(section, error))
}

/// Trouble at the key that it is about.
fn at_key(section: Section<'_>, error: InsideError) -> Box<Trouble> {
    let key = match &error {
        InsideError::Value { key, .. } => Some(*key),
        _ => None,
    };
    match key.and_then(|key| section.get(key)) {
        Some(field) => field.fail(ScenarioFault::Inside(error)),
        None => section.fail(ScenarioFault::Inside(error)),
    }
}

/// Moments of inertia that vary, if that is what the field says; and those at t = 0.
pub(super) fn varying(
    field: SectionField<'_>,
    allow_unphysical: bool,
) -> ReadResult<Option<(VaryingInertia, Inertia)>> {
    let fail = |error: InsideError| field.fail(ScenarioFault::Inside(error));
    let source: Option<VectorSource> = match field.value() {
        TomlValue::List(list) => match formulas(field, list)? {
            Some(formulas) => Some(formulas.into()),
            None => {
                table(field, list, Interpolation::Spline, Beyond::Error)?.map(VectorSource::from)
            }
        },
        TomlValue::Table(form) if form.get("rows").is_some() => Some(form_of_rows(field)?.into()),
        _ => None,
    };
    let Some(source) = source else { return Ok(None) };
    let mut law = VaryingInertia::moments(source).map_err(fail)?;
    if allow_unphysical {
        law = law.allow_unphysical();
    }
    let first = law.at(0.0).map_err(|source| fail(InsideError::Varying { t: 0.0, source }))?;
    Ok(Some((law, first)))
}

/// Three expressions, among which numbers may stand.
fn formulas(field: SectionField<'_>, list: &[Item]) -> ReadResult<Option<[Formula; 3]>> {
    let is_text = |item: &Item| matches!(item.value, TomlValue::Text(_));
    let fits = |item: &Item| is_text(item) || matches!(item.value, TomlValue::Number(_));
    if !(list.len() == 3 && list.iter().all(fits) && list.iter().any(is_text)) {
        return Ok(None);
    }
    let KeyValue::Texts(texts) = texts(field, list, MOMENTS)? else { return Ok(None) };
    let mut formulas = Vec::new();
    for text in &texts {
        match Formula::new(text, &Constants::new()) {
            Ok(formula) => formulas.push(formula),
            // A text among numbers is a slip.
            Err(_) if !list.iter().all(is_text) => return Ok(None),
            Err(e) => return Err(field.fail(ScenarioFault::Formula(e))),
        }
    }
    Ok(<[Formula; 3]>::try_from(formulas).ok())
}

/// Rows of four numbers.
fn table(
    field: SectionField<'_>,
    list: &[Item],
    interpolation: Interpolation,
    beyond: Beyond,
) -> ReadResult<Option<VectorTable>> {
    let is_row = |item: &Item| matches!(&item.value, TomlValue::List(row) if row.len() == 4);
    if list.len() < 2 || !list.iter().all(is_row) {
        return Ok(None);
    }
    let KeyValue::Rows(rows) = rows(field, list, MOMENTS)? else { return Ok(None) };
    let table = VectorTable::from_rows(&rows, interpolation, beyond);
    table.map(Some).map_err(|e| field.fail(ScenarioFault::Table(e)))
}

/// `{ rows = .., interpolation = .., beyond = .. }`, the keys of the torque `table`.
fn form_of_rows(field: SectionField<'_>) -> ReadResult<VectorTable> {
    let form = Section::new("body.inertia", field.item())?;
    form.only(&["rows", "interpolation", "beyond"])?;
    let choice =
        |key: &'static str, allowed: &str| form.get(key).map(|f| f.text(allowed)).transpose();
    let interpolation = match choice("interpolation", INTERPOLATIONS)? {
        None => Interpolation::Spline,
        Some(name) => Interpolation::named(name)
            .ok_or_else(|| form.refused("interpolation", INTERPOLATIONS))?,
    };
    let beyond = match choice("beyond", BEYOND)? {
        None | Some("error") => Beyond::Error,
        Some("hold") => Beyond::Hold,
        Some(_) => return Err(form.refused("beyond", BEYOND)),
    };
    let rows = form.require("rows", ROWS)?;
    match rows.value() {
        // A scenario that is loaded from a file has the rows in its place.
        TomlValue::Text(_) => {
            Err(rows.fail(ScenarioFault::NoFolder { instead: "the rows themselves" }))
        }
        TomlValue::List(list) => {
            table(rows, list, interpolation, beyond)?.ok_or_else(|| rows.refuse(ROWS))
        }
        other => Err(rows.refuse_part(other.kind().into(), ROWS)),
    }
}
