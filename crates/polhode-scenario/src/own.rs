//! `[method]` of the user's own: the stages of a splitting, or the tableau of a Runge-Kutta method.
//!
//! ```toml
//! [method]
//! stages = [["kick", 0.5], ["drift", 1.0], ["kick", 0.5]]   # or ["gradient", b, c]
//! # coefficients = "strang.csv"        # or from a file beside the scenario: lines "kick,0.5"
//! order = 2
//! rotor = "exact"                      # with its parameters: "dmv:order=6"
//! id = "mine"                          # optional
//! accepts = "attitude"                 # optional: refuse torques that depend on the momentum
//! compensated = true                   # optional: carry the digits that adding a kick drops
//! step = 0.01
//! ```
//!
//! ```toml
//! [method]
//! tableau = { a = [[0, 0], [1, 0]], b = [0.5, 0.5], c = [0, 1] }   # c may be left out
//! order = 2
//! id = "heun"                          # optional
//! step = 0.01
//! ```

use std::fmt::Write;
use std::path::Path;

use super::document::{Item, TomlTable, TomlValue};
use super::error::{ScenarioError, TextPlace};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::source::{self, ReadResult, ScenarioText, quote};
use polhode::catalog;
use polhode::composition::{Scheme, Stage};
use polhode::method::{Custom, Method, Tableau};

/// What makes a method one of the user's own; at most one of these.
pub(super) const KINDS: [&str; 3] = ["stages", "coefficients", "tableau"];
/// The name of a method that is given none.
const NAME: &str = "own";
const STAGES: &str = "a list of [\"kick\", b], [\"drift\", a] and [\"gradient\", b, c]";
const COEFFICIENTS: &str = "the name of a file beside the scenario, with lines like kick,0.5";
const TABLEAU: &str = "{ a = [[..], ..], b = [..], c = [..] }, with one to seven stages";
const ORDER: &str = "a whole number from 1 to 100: the order the method is said to have";
const ROTOR: &str = "a rotor, e.g. \"exact\": see `polhode methods`";
const ACCEPTS: &str = "\"attitude\" or \"momentum\": what a torque may depend on";

/// The key that makes the method one of the user's own, if it is one. A text as `tableau` is the
/// parameter of `rkmk`.
pub(super) fn key(section: Section<'_>) -> Option<SectionField<'_>> {
    let is_own = |field: &SectionField<'_>| {
        KINDS.contains(&field.key())
            && (field.key() != "tableau" || !matches!(field.value(), TomlValue::Text(_)))
    };
    section.fields().find(is_own)
}

/// The same, of a table that is not yet known to be a section.
pub(super) fn is_own(method: &TomlTable) -> bool {
    let is_text = |item: &Item| matches!(item.value, TomlValue::Text(_));
    let own = |key: &&str| {
        method.get(key).is_some_and(|entry| *key != "tableau" || !is_text(&entry.item))
    };
    KINDS.iter().any(own)
}

/// All keys that may stand beside one another; for what is misspelt.
pub(super) const KEYS: [&str; 7] =
    ["stages", "coefficients", "tableau", "order", "rotor", "accepts", "compensated"];

/// The method that `key` is the heart of.
pub(super) fn read(section: Section<'_>, key: SectionField<'_>) -> ReadResult<Method> {
    let kind = KINDS.into_iter().find(|kind| *kind == key.key()).unwrap_or("stages");
    for other in KINDS.into_iter().filter(|other| *other != kind) {
        if let Some(field) = section.get(other) {
            return Err(field.fail(ScenarioFault::Both { key: other, other: kind }));
        }
    }
    match kind {
        "tableau" => section.only(&["id", "step", "tableau", "order"])?,
        _ => section.only(&["id", "step", kind, "order", "rotor", "accepts", "compensated"])?,
    }
    let name = name(section)?;
    let order = order(section)?;
    match kind {
        "tableau" => read_tableau(key, name, order),
        "stages" => read_scheme(section, key, name, order),
        // A scenario that is loaded from a file has the stages in its place.
        _ => Err(key.fail(ScenarioFault::NoFolder { instead: "'stages'" })),
    }
}

/// A word that is no method of the library: what it does must be plain from its name.
fn name(section: Section<'_>) -> ReadResult<&str> {
    let allowed = "a name for your method: a word without spaces, '+', ':' and '='";
    let Some(field) = section.get("id") else { return Ok(NAME) };
    let name = field.text(allowed)?;
    if name.contains(|c: char| c.is_whitespace() || "+:=".contains(c)) {
        return Err(field.refuse(allowed));
    }
    if catalog().entries().any(|entry| entry.id == name) {
        let name = name.to_owned();
        return Err(field.fail(ScenarioFault::Taken { name }));
    }
    Ok(name)
}

fn order(section: Section<'_>) -> ReadResult<u32> {
    let field = section.require("order", ORDER)?;
    let x = field.number(ORDER)?;
    if !(1.0..=100.0).contains(&x) || x.fract() != 0.0 {
        return Err(field.refuse(ORDER));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 100")]
    Ok(x as u32)
}

fn read_scheme(
    section: Section<'_>,
    key: SectionField<'_>,
    name: &str,
    order: u32,
) -> ReadResult<Method> {
    let TomlValue::List(list) = key.value() else {
        return Err(key.refuse_part(key.value().kind().into(), STAGES));
    };
    let mut stages = Vec::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        stages.push(read_stage(key, item, i + 1)?);
    }
    let scheme =
        Scheme::new(name, order, stages).map_err(|e| key.fail(ScenarioFault::Scheme(e)))?;
    let scheme = match section.get("accepts") {
        None => scheme,
        Some(field) => match field.text(ACCEPTS)? {
            "attitude" => scheme.for_torques_of_attitude(),
            "momentum" => scheme,
            _ => return Err(field.refuse(ACCEPTS)),
        },
    };
    let rotor = section.require("rotor", ROTOR)?;
    let method = Method::splitting(scheme, rotor.text(ROTOR)?.trim());
    let method =
        if section.flag("compensated")? { method.and_then(Method::compensated) } else { method };
    method.map_err(|e| rotor.fail(ScenarioFault::Method(e)))
}

/// `["kick", 0.5]`.
fn read_stage(key: SectionField<'_>, item: &Item, position: usize) -> ReadResult<Stage> {
    let refuse = |found: &str| {
        let found = format!("{found} at position {position}");
        Err(key.refuse_part(found, STAGES))
    };
    let TomlValue::List(parts) = &item.value else { return refuse(item.value.kind()) };
    let [Item { value: TomlValue::Text(word), .. }, numbers @ ..] = &parts[..] else {
        return refuse("a list that does not begin with a word");
    };
    let numbers = key.numbers_at(numbers, position, STAGES)?;
    stage(word, &numbers).or_else(|found| refuse(&found))
}

/// A stage by its name, or what is wrong with it.
fn stage(word: &str, numbers: &[f64]) -> Result<Stage, String> {
    match (word, numbers) {
        ("drift", [a]) => Ok(Stage::Drift(*a)),
        ("kick", [b]) => Ok(Stage::Kick(*b)),
        ("gradient", [b, c]) => Ok(Stage::Gradient(*b, *c)),
        ("drift" | "kick" | "gradient", _) => {
            let count = numbers.len();
            let s = if count == 1 { "" } else { "s" };
            Err(format!("a {word} with {count} number{s}"))
        }
        _ => Err(format!("a stage \"{}\"", quote(word))),
    }
}

fn read_tableau(key: SectionField<'_>, name: &str, order: u32) -> ReadResult<Method> {
    let TomlValue::Table(_) = key.value() else {
        return Err(key.refuse_part(key.value().kind().into(), TABLEAU));
    };
    let parts = Section::new("method.tableau", key.item())?;
    parts.only(&["a", "b", "c"])?;
    let b = list(parts.require("b", "the weights, a list of numbers")?)?;
    let rows = parts.require("a", "rows of numbers, as many and as long as b")?;
    let TomlValue::List(items) = rows.value() else { return Err(rows.refuse(TABLEAU)) };
    let mut a = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let TomlValue::List(row) = &item.value else {
            let found = format!("{} at position {}", item.value.kind(), i + 1);
            return Err(rows.refuse_part(found, TABLEAU));
        };
        a.push(rows.numbers_at(row, i + 1, TABLEAU)?);
    }
    let c = match parts.get("c") {
        Some(field) => list(field)?,
        None => a.iter().map(|row| row.iter().sum()).collect(),
    };
    let a: Vec<&[f64]> = a.iter().map(Vec::as_slice).collect();
    let tableau = Tableau::new(&a, &b, &c).map_err(|e| key.fail(ScenarioFault::Tableau(e)))?;
    Ok(Custom::tableau(name, order, tableau).into())
}

fn list(field: SectionField<'_>) -> ReadResult<Vec<f64>> {
    let TomlValue::List(list) = field.value() else {
        return Err(field.refuse_part(field.value().kind().into(), "a list of numbers"));
    };
    field.numbers(list, 1, "a list of numbers")
}

/// Puts the stages of a coefficients file, looked for in this folder, in the place of its name: what is
/// left is the whole scenario, and a run of it can be resumed whatever becomes of the file.
pub(super) fn inline(source: &mut ScenarioText, folder: &Path) -> Result<(), ScenarioError> {
    // What cannot be read here is told by the reader of the scenario.
    let Ok(document) = source.tree() else { return Ok(()) };
    let method = document.get("method").and_then(|e| Section::new("method", &e.item).ok());
    let Some(section) = method.filter(|section| section.get("stages").is_none()) else {
        return Ok(());
    };
    let Some(field) = section.get("coefficients") else { return Ok(()) };
    let file = field.text(COEFFICIENTS).map_err(|trouble| source.locate(*trouble))?;
    let stages = read_file(&folder.join(file)).map_err(|error| match error.line() {
        Some(_) => error,
        // It is not in the file that something is wrong.
        None => source.locate(*field.fail(error.fault().clone())),
    })?;
    let (key, value) = (field.key_span(), &field.item().span.bytes);
    let text = match key.over {
        Some(i) => &mut source.overrides[i],
        None => &mut source.text,
    };
    let (over, key) = (key.over, key.bytes.clone());
    // An override names its section, too.
    let whole = over.is_some() && key == (0..text.len());
    let name = if whole { "method.stages" } else { "stages" };
    let end = if whole { text.len() } else { value.end };
    text.replace_range(key.start..end, &format!("{name}={stages}"));
    Ok(())
}

/// The stages of a file with lines like `kick,0.5`, as they stand in a scenario.
fn read_file(path: &Path) -> Result<String, ScenarioError> {
    let text = source::read(path)?;
    let mut stages = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let mut cells = line.split(',').map(str::trim);
        let word = cells.next().unwrap_or_default();
        // Empty lines, and the names of the columns.
        if line.is_empty() || (stages.is_empty() && word == "stage") {
            continue;
        }
        let fail = |fault| {
            let place =
                TextPlace { line: Some(number), given: quote(line), ..TextPlace::default() };
            ScenarioError::new(&path.display().to_string(), place, fault)
        };
        let number = |cell| {
            let which = || format!("'{}'", quote(cell));
            polhode_number::read(cell)
                .map_err(|why| fail(ScenarioFault::Number { which: which(), why }))
        };
        let numbers = cells.map(number).collect::<Result<Vec<f64>, _>>()?;
        stage(word, &numbers).map_err(|found| {
            let allowed = "kick,b or drift,a or gradient,b,c".into();
            fail(ScenarioFault::Value { found, allowed })
        })?;
        let _ = write!(stages, "{}[\"{word}\"", if stages.is_empty() { "" } else { ", " });
        for x in numbers {
            // The shortest text that reads back as this double.
            let _ = write!(stages, ", {x:?}");
        }
        stages.push(']');
    }
    Ok(format!("[{stages}]"))
}
