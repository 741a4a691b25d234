//! Tables over time that stand in files beside a scenario: lines of four numbers, t, x, y, z.

use std::path::Path;

use super::document::{Item, KeyEntry, TomlValue};
use super::error::{ScenarioError, TextPlace};
use super::fault::ScenarioFault;
use super::field::Section;
use super::source::{self, ScenarioText, quote};
use super::torques::FIELD_OF_ORBIT;
use polhode::table::{Beyond, Interpolation, VectorTable};

/// The largest table that is read, in bytes.
pub(super) const MAX_TABLE_BYTES: usize = 16_000_000;

/// Keys of torques whose value may be the name of a file; the first also of moments of inertia.
const KEYS: [&str; 2] = ["rows", "field"];

const ALLOWED: &str = "the name of a file beside the scenario, with lines of four numbers t,x,y,z";

/// Overrides the names of files, looked for in this folder, by what they hold: the scenario is whole then, and a
/// run of it can be resumed whatever becomes of the files.
pub(super) fn inline(source: &mut ScenarioText, folder: &Path) -> Result<(), ScenarioError> {
    // What cannot be read here is told by the reader of the scenario.
    let Ok(document) = source.tree() else { return Ok(()) };
    let mut found = Vec::new();
    if let Some(torque) = document.get("torque") {
        let (items, several) = match &torque.item.value {
            TomlValue::List(list) => (&list[..], true),
            _ => (core::slice::from_ref(&torque.item), false),
        };
        for (number, item) in (1..).zip(items) {
            let path = if several { format!("torque.{number}") } else { "torque".to_owned() };
            found.extend(read_all(source, ("torque", &path), item, folder, &KEYS)?);
        }
    }
    if let Some(directions) = document.get("directions") {
        let named = ("directions", "directions");
        found.extend(read_all(source, named, &directions.item, folder, &[])?);
    }
    if let Some(KeyEntry { item: Item { value: TomlValue::Table(body), .. }, .. }) =
        document.get("body")
        && let Some(inertia) = body.get("inertia")
    {
        let named = ("body.inertia", "body.inertia");
        found.extend(read_all(source, named, &inertia.item, folder, &KEYS[..1])?);
    }
    source.overrides.extend(found);
    Ok(())
}

/// The overrides for one section, which has names of files under these keys, or under any.
fn read_all(
    source: &ScenarioText,
    (name, path): (&'static str, &str),
    item: &Item,
    folder: &Path,
    keys: &[&str],
) -> Result<Vec<String>, ScenarioError> {
    let Ok(section) = Section::new(name, item) else { return Ok(Vec::new()) };
    let fields = section.fields().filter(|f| keys.is_empty() || keys.contains(&f.key()));
    let mut found = Vec::new();
    let is_file = |text: &String| keys.is_empty() || text != FIELD_OF_ORBIT;
    for field in fields.filter(|f| matches!(f.value(), TomlValue::Text(text) if is_file(text))) {
        let file = field.text(ALLOWED).map_err(|trouble| source.locate(*trouble))?;
        let rows = read(&folder.join(file)).map_err(|error| match error.line() {
            Some(_) => error,
            // It is not in the file that something is wrong.
            None => source.locate(*field.fail(error.fault().clone())),
        })?;
        found.push(format!("{path}.{}={rows:?}", field.key()));
    }
    Ok(found)
}

/// Whether nothing stands between two commas or semicolons, or before the first.
fn has_gap(line: &str) -> bool {
    // A line may end with one.
    line.split([',', ';']).rev().skip(1).any(|cell| cell.trim().is_empty())
}

/// Whether a column of this name holds times.
fn is_time(name: &str) -> bool {
    let name = name.trim_matches('"').to_lowercase();
    name == "t" || name.starts_with("time")
}

/// The rows of a file: four numbers a line, separated by commas, semicolons, tabs or blanks. What follows a `#`
/// is skipped, and so is a first line of names, but for one whose time is not the first.
fn read(path: &Path) -> Result<Vec<[f64; 4]>, ScenarioError> {
    let text = source::read_at_most(path, MAX_TABLE_BYTES)?;
    let name = path.display().to_string();
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let mut named = false;
    for (number, line) in (1..).zip(source::without_mark(&text).lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let place = || TextPlace { line: Some(number), given: quote(line), ..TextPlace::default() };
        let fail = |fault| ScenarioError::new(&name, place(), fault);
        let cells: Vec<&str> = line
            .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
            .filter(|cell| !cell.is_empty())
            .collect();
        if cells.is_empty() {
            continue;
        }
        let names = |cell: &&str| cell.starts_with(|c: char| c.is_alphabetic() || c == '"');
        if rows.is_empty() && !named && cells.iter().all(names) {
            let place = cells.iter().position(|cell| is_time(cell));
            if let Some(place @ 1..) = place {
                let found = format!("the time in column {}", place + 1);
                let allowed =
                    "the time in the first column, and the components x, y, z after it".into();
                return Err(fail(ScenarioFault::Value { found, allowed }));
            }
            named = true;
            continue;
        }
        let allowed = || "four numbers a line: t,x,y,z".into();
        if has_gap(line) {
            let found = "an empty cell".into();
            return Err(fail(ScenarioFault::Value { found, allowed: allowed() }));
        }
        let Ok(cells) = <[&str; 4]>::try_from(cells.as_slice()) else {
            let s = if cells.len() == 1 { "" } else { "s" };
            let found = format!("a line of {} cell{s}", cells.len());
            return Err(fail(ScenarioFault::Value { found, allowed: allowed() }));
        };
        let mut row = [0.0; 4];
        for (x, cell) in row.iter_mut().zip(cells) {
            let which = || format!("'{}'", quote(cell));
            *x = polhode_number::read(cell)
                .map_err(|why| fail(ScenarioFault::Number { which: which(), why }))?;
        }
        rows.push(row);
        lines.push((number, quote(line)));
    }
    // What is wrong with the rows as such is told here, where their lines are known.
    if let Err(error) = VectorTable::new(&rows, Interpolation::Linear, Beyond::Error) {
        let at = error.row().and_then(|row| lines.get(row - 1));
        let (line, given) = match at {
            Some((line, text)) => (*line, text.clone()),
            None => (1, String::new()),
        };
        let place = TextPlace { line: Some(line), given, ..TextPlace::default() };
        return Err(ScenarioError::new(&name, place, ScenarioFault::Table(error)));
    }
    Ok(rows)
}
