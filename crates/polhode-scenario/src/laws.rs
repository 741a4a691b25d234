//! Laws `{ law = "..", .. }`, which stand in ensembles in the place of numbers.

use super::document::{Item, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::given;
use super::inside;
use super::read::{VECTOR, read_body};
use super::source::{self, ReadResult};
use polhode::Inertia;
use polhode::ensemble::{AttitudeLaw, InertiaLaw, SpinLaw};

const LARGEST: &str = "a number from 1e-290 to 1e290";
/// No number is drawn beyond 8.7 deviations, and e^(8.7 * 70) is 1e264: ordinary moments stay in range.
const WIDTH: &str = "a number from 0 to 70";
const LENGTH: &str = "a number, not negative";
const SIGMA: &str = "one number or three, none negative";

/// A value that is a table `{ law = "..", .. }`: the law's name and its keys.
struct NamedLaw<'a> {
    of: SectionField<'a>,
    name: &'a str,
    table: &'a TomlTable,
}

impl<'a> NamedLaw<'a> {
    /// None if the value is no table.
    fn new(of: SectionField<'a>, known: &[&'static str]) -> ReadResult<Option<Self>> {
        let TomlValue::Table(table) = of.value() else { return Ok(None) };
        let Some(TomlValue::Text(name)) = table.get("law").map(|e| &e.item.value) else {
            let allowed = format!("a law: {{ law = \"{}\", .. }}", known.join("\" or \""));
            return Err(of.refuse(allowed));
        };
        let name = name.as_str();
        if !known.contains(&name) {
            let known = known.to_vec();
            return Err(of.fail(ScenarioFault::UnknownLaw { law: source::quote(name), known }));
        }
        Ok(Some(Self { of, name, table }))
    }

    fn only(&self, known: &[&'static str]) -> ReadResult<()> {
        match self.table.0.iter().find(|e| e.key != "law" && !known.contains(&e.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let (key, known) = (source::quote(&entry.key), known.to_vec());
                Err(self.of.fail(ScenarioFault::UnknownKey { key, known }))
            }
        }
    }

    fn item(&self, key: &'static str, allowed: &str) -> ReadResult<&'a Item> {
        let missing = || ScenarioFault::MissingKey { key, allowed: allowed.into() };
        Ok(&self.table.get(key).ok_or_else(|| self.of.fail(missing()))?.item)
    }

    /// Trouble with the value of a key: what it is, or nothing if that is plain to see.
    fn refuse(&self, key: &str, found: &str, allowed: &str) -> Box<source::Trouble> {
        let found = if found.is_empty() { String::new() } else { format!("{key}: {found}") };
        self.of.refuse_part(found, &format!("{key} = {allowed}"))
    }

    /// The number of an item, which is called `which`.
    fn finite(&self, item: &Item, which: String) -> ReadResult<Option<f64>> {
        let TomlValue::Number(number) = item.value else { return Ok(None) };
        number.map(Some).map_err(|why| self.of.fail(ScenarioFault::Number { which, why }))
    }

    /// One number, not in a list.
    fn number(&self, key: &'static str, allowed: &str) -> ReadResult<f64> {
        let item = self.item(key, allowed)?;
        self.finite(item, key.into())?.ok_or_else(|| self.refuse(key, item.value.kind(), allowed))
    }

    /// A number of this range.
    fn in_range(&self, key: &'static str, least: f64, most: f64, allowed: &str) -> ReadResult<f64> {
        let x = self.number(key, allowed)?;
        if !(least..=most).contains(&x) {
            return Err(self.refuse(key, "", allowed));
        }
        Ok(x)
    }

    /// How many radians per unit of time the unit of an angular velocity is; 1 unless one is named.
    fn unit(&self) -> ReadResult<f64> {
        let Some(entry) = self.table.get("unit") else { return Ok(1.0) };
        let found = match &entry.item.value {
            TomlValue::Text(name) => given::RATES.iter().find(|(unit, _)| unit == name),
            _ => None,
        };
        let names = given::RATES.map(|(unit, _)| format!("\"{unit}\""));
        found
            .map(|(_, factor)| *factor)
            .ok_or_else(|| self.refuse("unit", "", &format!("one of {}", names.join(", "))))
    }

    /// A list of three numbers.
    fn three(&self, key: &'static str, allowed: &str) -> ReadResult<[f64; 3]> {
        let value = &self.item(key, allowed)?.value;
        let TomlValue::List(list) = value else {
            return Err(self.refuse(key, value.kind(), allowed));
        };
        let number = |(i, item): (usize, &Item)| {
            self.finite(item, format!("{key}, position {i},"))?.ok_or_else(|| {
                let found = format!("{} at position {i}", item.value.kind());
                self.refuse(key, &found, allowed)
            })
        };
        let numbers: Vec<f64> = (1..).zip(list).map(number).collect::<ReadResult<_>>()?;
        numbers.try_into().map_err(|given: Vec<f64>| {
            self.refuse(key, &format!("a list of {}", given.len()), allowed)
        })
    }
}

pub(super) fn read_inertia(body: Section<'_>) -> ReadResult<InertiaLaw> {
    let allowed = format!("{}, or a law", given::INERTIA);
    let field = body.require("inertia", &allowed)?;
    if let Some((_, first)) = inside::varying(field, body.flag("allow_unphysical")?)? {
        return Ok(InertiaLaw::Fixed(first));
    }
    let law =
        if given::is_shape(field) { None } else { NamedLaw::new(field, &["any", "log-normal"])? };
    let Some(law) = law else {
        return Ok(InertiaLaw::Fixed(read_body(body)?.0));
    };
    let allow_unphysical = body.flag("allow_unphysical")?;
    if law.name == "any" {
        law.only(&["largest"])?;
        return Ok(InertiaLaw::Any { largest: law.in_range("largest", 1e-290, 1e290, LARGEST)? });
    }
    law.only(&["about", "sigma"])?;
    let about = law.three("about", "three principal moments")?;
    Inertia::from_slice(&about, allow_unphysical)
        .map_err(|e| field.fail(ScenarioFault::Inertia(e)))?;
    Ok(InertiaLaw::LogNormal { about, sigma: law.in_range("sigma", 0.0, 70.0, WIDTH)? })
}

pub(super) fn read_spin(field: SectionField<'_>, spin_is_omega: bool) -> ReadResult<SpinLaw> {
    if spin_is_omega && given::is_omega(field) {
        return Ok(SpinLaw::Fixed(given::omega(field)?));
    }
    let Some(law) = NamedLaw::new(field, &["isotropic", "gaussian"])? else {
        return Ok(SpinLaw::Fixed(field.vector::<3>(&format!("{VECTOR}, or a law"))?));
    };
    let unit = if spin_is_omega { law.unit()? } else { 1.0 };
    let units: &[&'static str] = if spin_is_omega { &["unit"] } else { &[] };
    if law.name == "isotropic" {
        law.only(&[&["length"], units].concat())?;
        let length = law.in_range("length", 0.0, f64::MAX, LENGTH)? * unit;
        return Ok(SpinLaw::Isotropic { length });
    }
    law.only(&[&["mean", "sigma"], units].concat())?;
    let mean = law.three("mean", "three numbers")?.map(|x| x * unit);
    let sigma = match law.item("sigma", SIGMA)?.value {
        TomlValue::List(_) => law.three("sigma", SIGMA)?,
        _ => [law.number("sigma", SIGMA)?; 3],
    };
    if sigma.iter().any(|&s| s < 0.0) {
        return Err(law.refuse("sigma", "", SIGMA));
    }
    Ok(SpinLaw::Gaussian { mean, sigma: sigma.map(|s| s * unit) })
}

pub(super) fn read_attitude(field: SectionField<'_>) -> ReadResult<AttitudeLaw> {
    if !given::is_attitude(field)
        && let Some(law) = NamedLaw::new(field, &["uniform"])?
    {
        law.only(&[])?;
        return Ok(AttitudeLaw::Uniform);
    }
    Ok(AttitudeLaw::Fixed(given::attitude(field)?))
}
