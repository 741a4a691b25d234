//! Quantities as people have them: angular velocity with a unit, attitude in any of its forms, inertia from a shape.
//!
//! Each is a table in the place of the plain numbers. Its keys say what the numbers are.

use std::path::Path;

use super::document::{Item, TomlTable, TomlValue};
use super::error::ScenarioError;
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::mesh;
use super::source::{ReadResult, ScenarioText};
use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::periods::{Mode, from_periods};
use polhode::shape::{MassProperties, ShapeError};
use polhode::so3::{self, EulerSequence};
use polhode::{Inertia, InertiaError, State};

pub(super) const OMEGA: &str = "three numbers, in the body frame, or the same with their unit: { deg_per_s = [..] }, \
                                { rpm = [..] } or { rad_per_s = [..] }";
pub(super) const ATTITUDE: &str = "four numbers (w, x, y, z), body to space, or one of { wxyz = [..] }, \
     { xyzw = [..] }, { matrix = [[..], [..], [..]] }, { euler_deg = [..], sequence = \"zyx\" }, { axis = [..], \
     angle_deg = .. } (or _rad)";
pub(super) const INERTIA: &str = "three principal moments, or a tensor as three rows of three numbers, or one of \
     { box = [..], mass = .. }, { ellipsoid = [..], mass = .. }, { cylinder = [radius, height], mass = .. }, \
     { points = [[mass, x, y, z], ..] }, { mesh = \"FILE.stl\", density = .. }; or moments that vary: three \
     expressions of t, rows [t, I1, I2, I3], { rows = .. }";

/// The units an angular velocity may have beside it, and how many radians per second each is.
pub(super) const RATES: [(&str, f64); 3] = [
    ("rad_per_s", 1.0),
    ("deg_per_s", core::f64::consts::PI / 180.0),
    ("rpm", core::f64::consts::PI / 30.0),
];

const SHAPES: [&str; 6] = ["box", "ellipsoid", "cylinder", "points", "mesh", "tensor"];
const ATTITUDES: [&str; 7] =
    ["wxyz", "xyzw", "matrix", "euler_deg", "euler_rad", "angle_deg", "angle_rad"];

/// A table in the place of numbers, and the key of it that says what it is.
#[derive(Clone, Copy)]
struct Form<'a> {
    of: SectionField<'a>,
    table: &'a TomlTable,
    kind: &'static str,
}

/// Whether a value is a table with one of these keys: one of the forms here, and no law.
fn is_form(field: SectionField<'_>, kinds: &[&str]) -> bool {
    matches!(field.value(), TomlValue::Table(table) if kinds.iter().any(|key| table.get(key).is_some()))
}

pub(super) fn is_omega(field: SectionField<'_>) -> bool {
    is_form(field, &RATES.map(|(unit, _)| unit))
}

pub(super) fn is_attitude(field: SectionField<'_>) -> bool {
    is_form(field, &ATTITUDES)
}

pub(super) fn is_shape(field: SectionField<'_>) -> bool {
    is_form(field, &SHAPES)
}

impl<'a> Form<'a> {
    /// None for what is no table; an error for one with none of the kinds, or two.
    fn new(
        of: SectionField<'a>,
        kinds: &[&'static str],
        allowed: &str,
    ) -> ReadResult<Option<Self>> {
        let TomlValue::Table(table) = of.value() else { return Ok(None) };
        let mut found = kinds.iter().filter(|kind| table.get(kind).is_some());
        match (found.next(), found.next()) {
            (Some(kind), None) => Ok(Some(Self { of, table, kind })),
            (Some(key), Some(other)) => Err(of.fail(ScenarioFault::Both { key, other })),
            (None, _) => match table.0.first() {
                // Most likely the key that is meant, misspelt.
                Some(entry) if entry.key != "sequence" && entry.key != "mass" => {
                    let key = super::source::quote(&entry.key);
                    Err(of.fail(ScenarioFault::UnknownKey { key, known: kinds.to_vec() }))
                }
                _ => Err(of.refuse(allowed)),
            },
        }
    }

    /// Checks that it has these keys beside its kind, and no others.
    fn with(&self, others: &[&'static str]) -> ReadResult<()> {
        let mut known = vec![self.kind];
        known.extend(others);
        match self.table.0.iter().find(|e| !known.contains(&e.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let key = super::source::quote(&entry.key);
                Err(self.of.fail(ScenarioFault::UnknownKey { key, known }))
            }
        }
    }

    fn item(&self, key: &'static str, allowed: &str) -> ReadResult<&'a Item> {
        let missing = || ScenarioFault::MissingKey { key, allowed: allowed.into() };
        Ok(&self.table.get(key).ok_or_else(|| self.of.fail(missing()))?.item)
    }

    fn refuse(&self, key: &str, found: &str, allowed: &str) -> Box<super::source::Trouble> {
        let found = if found.is_empty() { String::new() } else { format!("{key}: {found}") };
        self.of.refuse_part(found, &format!("{key} = {allowed}"))
    }

    fn finite(&self, key: &str, number: Result<f64, &'static str>) -> ReadResult<f64> {
        number.map_err(|why| self.of.fail(ScenarioFault::Number { which: key.into(), why }))
    }

    fn number(&self, key: &'static str, allowed: &str) -> ReadResult<f64> {
        match &self.item(key, allowed)?.value {
            TomlValue::Number(number) => self.finite(key, *number),
            other => Err(self.refuse(key, other.kind(), allowed)),
        }
    }

    fn list(&self, key: &'static str, value: &TomlValue, allowed: &str) -> ReadResult<Vec<f64>> {
        let TomlValue::List(list) = value else {
            return Err(self.refuse(key, value.kind(), allowed));
        };
        let number = |(i, item): (usize, &Item)| match &item.value {
            TomlValue::Number(number) => self.finite(&format!("{key}, position {i},"), *number),
            other => Err(self.refuse(key, &format!("{} at position {i}", other.kind()), allowed)),
        };
        (1..).zip(list).map(number).collect()
    }

    fn array<const N: usize>(&self, key: &'static str, allowed: &str) -> ReadResult<[f64; N]> {
        let list = self.list(key, &self.item(key, allowed)?.value, allowed)?;
        list.try_into().map_err(|given: Vec<f64>| {
            self.refuse(key, &format!("a list of {}", given.len()), allowed)
        })
    }

    /// Rows of N numbers each.
    fn rows<const N: usize>(&self, key: &'static str, allowed: &str) -> ReadResult<Vec<[f64; N]>> {
        let value = &self.item(key, allowed)?.value;
        let TomlValue::List(rows) = value else {
            return Err(self.refuse(key, value.kind(), allowed));
        };
        let row = |(i, item): (usize, &Item)| {
            let row = self.list(key, &item.value, allowed)?;
            row.try_into().map_err(|given: Vec<f64>| {
                self.refuse(key, &format!("a list of {} in row {i}", given.len()), allowed)
            })
        };
        (1..).zip(rows).map(row).collect()
    }
}

/// An angular velocity in radians per unit of time.
pub(super) fn omega(field: SectionField<'_>) -> ReadResult<[f64; 3]> {
    let units = RATES.map(|(unit, _)| unit);
    let Some(form) = Form::new(field, &units, OMEGA)? else { return field.vector(OMEGA) };
    form.with(&[])?;
    let factor = RATES.iter().find(|(unit, _)| *unit == form.kind).map_or(1.0, |(_, x)| *x);
    Ok(form.array::<3>(form.kind, "three numbers, in the body frame")?.map(|x| x * factor))
}

/// An attitude; a unit quaternion from body to space.
pub(super) fn attitude(field: SectionField<'_>) -> ReadResult<DQuat> {
    let q = match Form::new(field, &ATTITUDES, ATTITUDE)? {
        None => so3::from_wxyz(field.vector(ATTITUDE)?),
        Some(form) => attitude_of(form)?,
    };
    let state = State::new([0.0; 3], q).map_err(|e| field.fail(ScenarioFault::State(e)))?;
    Ok(state.q)
}

fn attitude_of(form: Form<'_>) -> ReadResult<DQuat> {
    let radians = |x: f64| if form.kind.ends_with("_deg") { x.to_radians() } else { x };
    match form.kind {
        "wxyz" => {
            form.with(&[])?;
            Ok(so3::from_wxyz(form.array("wxyz", "four numbers, the scalar first")?))
        }
        "xyzw" => {
            form.with(&[])?;
            Ok(DQuat::from_array(form.array("xyzw", "four numbers, the scalar last")?))
        }
        "matrix" => {
            form.with(&[])?;
            let allowed = "three rows of three numbers, which take body to space coordinates";
            let rows = form.rows::<3>("matrix", allowed)?;
            let rows: [[f64; 3]; 3] =
                rows.try_into().map_err(|_| form.refuse("matrix", "", allowed))?;
            rotation(rows).ok_or_else(|| {
                let allowed =
                    "a rotation: rows of length 1 at right angles, to 1e-6, and right-handed";
                form.refuse("matrix", "no rotation", allowed)
            })
        }
        "euler_deg" | "euler_rad" => {
            form.with(&["sequence"])?;
            let names = EulerSequence::ALL.map(|s| s.name());
            let allowed = format!(
                "the axes of the turns, each as the turns before have left it: one of {}",
                names.join(", ")
            );
            let sequence = match &form.item("sequence", &allowed)?.value {
                TomlValue::Text(name) => EulerSequence::named(name),
                _ => None,
            };
            let sequence = sequence.ok_or_else(|| form.refuse("sequence", "", &allowed))?;
            let angles =
                form.array::<3>(form.kind, "three angles, in the order of the sequence")?;
            Ok(so3::from_euler_angles(angles.map(radians), sequence))
        }
        _ => {
            form.with(&["axis"])?;
            let allowed = "three numbers, not all zero: what the body is turned about";
            let axis = DVec3::from_array(form.array("axis", allowed)?);
            let length = so3::length(axis);
            if length == 0.0 {
                return Err(form.refuse("axis", "of length zero", allowed));
            }
            let angle = radians(form.number(form.kind, "a number")?);
            Ok(so3::exp(axis / length * angle))
        }
    }
}

/// The rotation nearest to a matrix that is one to 1e-6.
fn rotation(rows: [[f64; 3]; 3]) -> Option<DQuat> {
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    let departure = matrix.transpose() * matrix - DMat3::IDENTITY;
    let largest = departure.to_cols_array().into_iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let is_one = largest < 1e-6 && matrix.determinant() > 0.0;
    is_one.then(|| DQuat::from_mat3(&matrix).normalize())
}

/// The inertia, and the mass properties it comes from if it is that of a shape.
pub(super) fn inertia(
    field: SectionField<'_>,
    allow_unphysical: bool,
) -> ReadResult<(Inertia, Option<MassProperties>)> {
    let fail = |e: InertiaError| field.fail(ScenarioFault::Inertia(e));
    if let Some(form) = Form::new(field, &SHAPES, INERTIA)? {
        let properties = shape(form)?;
        return Ok((properties.inertia().map_err(fail)?, Some(properties)));
    }
    let numbers = match field.value() {
        TomlValue::List(rows)
            if matches!(rows[..], [Item { value: TomlValue::List(_), .. }, ..]) =>
        {
            let mut numbers = Vec::new();
            for row in rows {
                match &row.value {
                    TomlValue::List(row) if row.len() == 3 && rows.len() == 3 => {
                        numbers.extend(field.numbers(row, numbers.len() + 1, INERTIA)?);
                    }
                    _ => return Err(field.refuse(INERTIA)),
                }
            }
            numbers
        }
        _ => field.vector::<3>(INERTIA)?.to_vec(),
    };
    Ok((Inertia::from_slice(&numbers, allow_unphysical).map_err(fail)?, None))
}

/// What a body looks like whose inertia is given as that of a shape: the shape, or the file of the mesh.
pub(super) fn look(body: Section<'_>) -> Option<String> {
    let field = body.get("inertia")?;
    let form = Form::new(field, &SHAPES, INERTIA).ok()??;
    match (form.kind, form.table.get("drawn").map(|e| &e.item.value)) {
        (_, Some(TomlValue::Text(file))) => Some(file.clone()),
        (kind @ ("box" | "ellipsoid" | "cylinder"), _) => Some(kind.to_owned()),
        _ => None,
    }
}

const POINTS: &str = "a list of [mass, x, y, z]";
const MASS: &str = "a positive number";

fn shape(form: Form<'_>) -> ReadResult<MassProperties> {
    let made = match form.kind {
        "box" => {
            form.with(&["mass"])?;
            let size =
                form.array::<3>("box", "the lengths of three edges, along the body's axes")?;
            MassProperties::cuboid(form.number("mass", MASS)?, size)
        }
        "ellipsoid" => {
            form.with(&["mass"])?;
            let axes = form.array::<3>("ellipsoid", "three semi-axes, along the body's axes")?;
            MassProperties::ellipsoid(form.number("mass", MASS)?, axes)
        }
        "cylinder" => {
            form.with(&["mass"])?;
            let allowed = "radius and height; its axis is the third of the body";
            let [radius, height] = form.array("cylinder", allowed)?;
            MassProperties::cylinder(form.number("mass", MASS)?, radius, height)
        }
        "points" => {
            form.with(&[])?;
            let rows = form.rows::<4>("points", POINTS)?;
            let points: Vec<_> = rows.into_iter().map(|[m, x, y, z]| (m, [x, y, z])).collect();
            MassProperties::points(&points)
        }
        "tensor" => return resolved(form),
        // With a file of its own it has been read by now.
        _ => {
            let instead = "the tensor, as three rows,";
            return Err(form.of.fail(ScenarioFault::NoFolder { instead }));
        }
    };
    made.map_err(|e| form.of.fail(ScenarioFault::Shape(e)))
}

/// What a mesh has become.
fn resolved(form: Form<'_>) -> ReadResult<MassProperties> {
    form.with(&["mass", "centre", "drawn"])?;
    let allowed = "three rows of three numbers";
    let rows: [[f64; 3]; 3] = form
        .rows::<3>("tensor", allowed)?
        .try_into()
        .map_err(|_| form.refuse("tensor", "", allowed))?;
    let mass = form.number("mass", MASS)?;
    let centre = form.array::<3>("centre", "three numbers: the centre of mass")?;
    Ok(MassProperties::new(mass, centre, rows))
}

const PERIODS: &str = "{ rotation = .., precession = .. }, two positive numbers, and mode = \"long-axis\" or \
                       \"short-axis\" where both are possible";

/// The momentum of the motion that has two observed periods.
pub(super) fn periods(field: SectionField<'_>, inertia: &Inertia) -> ReadResult<DVec3> {
    let Some(form) = Form::new(field, &["rotation"], PERIODS)? else {
        return Err(field.refuse_part(field.value().kind().into(), PERIODS));
    };
    form.with(&["precession", "mode"])?;
    let (rotation, precession) =
        (form.number("rotation", PERIODS)?, form.number("precession", PERIODS)?);
    let mode = match form.table.get("mode").map(|e| &e.item.value) {
        None => None,
        Some(TomlValue::Text(name)) if Mode::named(name).is_some() => Mode::named(name),
        Some(_) => return Err(form.refuse("mode", "", "\"long-axis\" or \"short-axis\"")),
    };
    let found = from_periods(inertia, rotation, precession, mode);
    found.map(|found| found.start.m).map_err(|e| field.fail(ScenarioFault::Periods(e)))
}

/// Puts in the place of a mesh what comes out of its file, which is looked for beside the scenario.
pub(super) fn inline(source: &mut ScenarioText, folder: &Path) -> Result<(), ScenarioError> {
    // What cannot be read here is told by the reader of the scenario.
    let Ok(document) = source.tree() else { return Ok(()) };
    let Some(body) = document.get("body").and_then(|e| Section::new("body", &e.item).ok()) else {
        return Ok(());
    };
    let Some(field) = body.get("inertia").filter(|f| is_form(*f, &["mesh"])) else { return Ok(()) };
    let found = of_mesh(field, folder).map_err(|trouble| source.locate(*trouble))?;
    let text = found.map_err(|error| match error.line() {
        Some(_) => error,
        // It is not in the file that something is wrong.
        None => source.locate(*field.fail(error.fault().clone())),
    })?;
    source.overrides.push(format!("body.inertia={text}"));
    Ok(())
}

/// The mass properties of a mesh as a table; outside what is wrong in the scenario, inside in the file.
fn of_mesh(field: SectionField<'_>, folder: &Path) -> ReadResult<Result<String, ScenarioError>> {
    let Some(form) = Form::new(field, &SHAPES, INERTIA)? else { return Err(field.refuse(INERTIA)) };
    form.with(&["density", "mass", "scale"])?;
    let allowed = "the name of an .stl or .obj file beside the scenario";
    let file = match &form.item("mesh", allowed)?.value {
        TomlValue::Text(name) if super::field::is_name(name) => name,
        _ => return Err(form.refuse("mesh", "", allowed)),
    };
    let fail = |e: ShapeError| field.fail(ScenarioFault::Shape(e));
    let scale = match form.table.get("scale") {
        None => 1.0,
        Some(_) => form.number("scale", "a positive number: the unit of length of the file")?,
    };
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(fail(ShapeError::NotPositive { what: "scale", value: scale }));
    }
    let (density, mass) = match (form.table.get("density"), form.table.get("mass")) {
        (Some(_), Some(_)) => {
            return Err(field.fail(ScenarioFault::Both { key: "density", other: "mass" }));
        }
        (None, Some(_)) => (1.0, Some(form.number("mass", MASS)?)),
        _ => (form.number("density", "a positive number (or give 'mass')")?, None),
    };
    let mesh = match mesh::read_mesh(folder.join(file), scale) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(Err(error)),
    };
    let made = MassProperties::mesh(&mesh, density);
    let made = made.and_then(|made| mass.map_or(Ok(made), |mass| made.with_mass(mass)));
    let MassProperties { mass, centre, tensor, .. } = made.map_err(fail)?;
    Ok(Ok(format!("{{mass={mass:?}, centre={centre:?}, tensor={tensor:?}, drawn={file:?}}}")))
}
