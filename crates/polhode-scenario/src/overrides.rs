//! Overrides: `key=value` on top of a file.

use super::document::{Item, KeyEntry, TomlTable, TomlValue, parse};
use super::fault::ScenarioFault;
use super::own;
use super::solving;
use super::source::{ReadResult, ScenarioText, Span, Trouble};

/// No key of a scenario is deeper than output.aem.rates; thousands of levels would fill the stack.
const DEEPEST: usize = 8;

struct Override {
    path: Vec<String>,
    item: Item,
    span: Span,
}

/// Changes a scenario by the overrides of its source.
pub(super) fn apply(source: &ScenarioText, document: &mut TomlTable) -> ReadResult<()> {
    let overrides: Vec<Override> =
        source.overrides.iter().enumerate().map(|(i, o)| read(i, o)).collect::<Result<_, _>>()?;
    for Override { path, item, .. } in &overrides {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        exclude(document, &path, item);
    }
    overrides.into_iter().try_for_each(|o| set(document, o))
}

fn fail(span: &Span, allowed: impl Into<String>) -> Box<Trouble> {
    let fault = ScenarioFault::Override { allowed: allowed.into() };
    Box::new(Trouble { span: span.clone(), field: String::new(), fault })
}

fn read(index: usize, text: &str) -> ReadResult<Override> {
    let over = Some(index);
    let span = Span { over, bytes: 0..text.len() };
    let shape = "write key=value, e.g. method.step=0.1 or body.inertia=[1,2,3]";
    let (key, value) = text.split_once('=').ok_or_else(|| fail(&span, shape))?;
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let path: Vec<String> = key.split('.').map(|part| part.trim().to_owned()).collect();
    if path.len() > DEEPEST || path.iter().any(|part| part.is_empty() || !part.chars().all(bare)) {
        return Err(fail(&span, shape));
    }
    // The value stands in this text where it stands in the override, so that columns agree.
    let assign = |value: &str| format!("v{}={value}", " ".repeat(key.len() - 1));
    let mut parsed = parse(&assign(value), over);
    let is_fraction = value.contains('/') && polhode_number::read_fraction(value.trim()).is_ok();
    if parsed.is_err() && (is_word(value.trim()) || is_fraction) {
        let quoted = format!("\"{}\"", value.trim());
        parsed = parse(&assign(&quoted), over);
    }
    // What the language finds wrong is said in its own words, of little use on a command line.
    let value = "after '=' stands a number 0.1, a list [1,2,3], true or false, or a text \"...\"";
    let mut entries = parsed.map_err(|_| fail(&span, value))?.0;
    match entries.pop() {
        Some(KeyEntry { key, mut item, .. }) if key == "v" && entries.is_empty() => {
            let end = item.span.bytes.end.min(text.len());
            item.span.bytes = item.span.bytes.start.min(end)..end;
            Ok(Override { path, item, span })
        }
        _ => Err(fail(&span, shape)),
    }
}

/// True for what is clearly a word, such as the id of a method: no quotes are asked for around it.
fn is_word(value: &str) -> bool {
    let first = value.starts_with(|c: char| c.is_ascii_alphabetic());
    first && value.chars().all(|c| c.is_ascii_alphanumeric() || "-_+:=./".contains(c))
}

/// The keys of `[run]` that choose rows; each excludes the others.
const ROWS: [&str; 3] = ["every", "interval", "times"];

/// Drops what the file says and the override excludes.
fn exclude(document: &mut TomlTable, path: &[&str], item: &Item) {
    let [section, key] = path else { return };
    match (*section, *key) {
        // A method of fixed steps has no tolerance.
        ("run", "tolerance") => {
            let fixed = |e: &KeyEntry| !solves(&e.item.value);
            if document.get("method").is_some_and(fixed) {
                document.0.retain(|e| e.key != "method");
                drop_keys(document, "run", &["every"]);
            }
        }
        ("method", "id") if matches!(&item.value, TomlValue::Text(id) if solving::by_id(id).is_some()) =>
        {
            drop_keys(document, "method", &["step"]);
            drop_keys(document, "run", &["every"]);
        }
        ("method", _) => drop_keys(document, "run", &["tolerance", "times", "stops"]),
        // Of an ensemble the last of the times is the end.
        ("run", "until") if document.get("bodies").is_some() => {
            drop_keys(document, "run", &["times"]);
        }
        ("run", "times") if document.get("bodies").is_some() => {
            drop_keys(document, "run", &["until"]);
        }
        _ => {}
    }
    let Some(KeyEntry { item: Item { value: TomlValue::Table(table), .. }, .. }) =
        document.get_mut(section)
    else {
        return;
    };
    match (*section, *key) {
        ("start", "omega" | "momentum" | "periods") => {
            table.0.retain(|e| e.key == *key || e.key == "attitude");
        }
        ("run", _) if ROWS.contains(key) => {
            table.0.retain(|e| e.key == *key || !ROWS.contains(&e.key.as_str()));
        }
        ("method", "stages" | "coefficients" | "tableau") if own::is_own(table) => {
            // Order, rotor and name stay, what makes the method goes.
            table.0.retain(|e| e.key == *key || !own::KINDS.contains(&e.key.as_str()));
        }
        ("method", "id") if own::is_own(table) => table.0.retain(|e| e.key == "step"),
        // Another method altogether; a text is the parameter of rkmk.
        ("method", "stages" | "coefficients" | "tableau")
            if !matches!(item.value, TomlValue::Text(_)) || *key == "coefficients" =>
        {
            table.0.retain(|e| e.key == "step");
        }
        ("method", "id") | ("torque", "kind") => {
            let name = |value: &TomlValue| match value {
                TomlValue::Text(text) => Some(text.clone()),
                _ => None,
            };
            let before = table.get(key).and_then(|e| name(&e.item.value));
            if before.is_some() && before != name(&item.value) {
                table.0.retain(|e| e.key == "step" && *section == "method");
            }
        }
        _ => {}
    }
}

/// Drops keys of a section.
fn drop_keys(document: &mut TomlTable, section: &str, keys: &[&str]) {
    if let Some(KeyEntry { item: Item { value: TomlValue::Table(table), .. }, .. }) =
        document.get_mut(section)
    {
        table.0.retain(|e| !keys.contains(&e.key.as_str()));
    }
}

/// Whether a `[method]` names a way to solve to a tolerance.
fn solves(method: &TomlValue) -> bool {
    let TomlValue::Table(table) = method else { return false };
    let id = table.get("id").map(|e| &e.item.value);
    matches!(id, Some(TomlValue::Text(id)) if solving::by_id(id).is_some())
}

fn set(document: &mut TomlTable, Override { path, item, span }: Override) -> ReadResult<()> {
    let mut table = document;
    let Some((last, sections)) = path.split_last() else { return Ok(()) };
    let mut depth = 0;
    while let Some(key) = sections.get(depth) {
        let position = table.0.iter().position(|e| e.key == *key).unwrap_or_else(|| {
            let new = Item { value: TomlValue::Table(TomlTable::default()), span: span.clone() };
            table.0.push(KeyEntry { key: key.clone(), key_span: span.clone(), item: new });
            table.0.len() - 1
        });
        // Of a list of tables the one of that number, from 1.
        let number = sections.get(depth + 1).and_then(|part| part.parse::<usize>().ok());
        table = match (&mut table.0[position].item.value, number) {
            (TomlValue::Table(table), _) => table,
            (TomlValue::List(list), Some(number)) => {
                let count = list.len();
                let element = number.checked_sub(1).and_then(|i| list.get_mut(i));
                let Some(Item { value: TomlValue::Table(table), .. }) = element else {
                    let outer = path[..=depth].join(".");
                    return Err(fail(&span, format!("{outer} has the tables 1 to {count}")));
                };
                depth += 1;
                table
            }
            (other, _) => {
                let outer = path[..=depth].join(".");
                let kind = other.kind();
                return Err(fail(
                    &span,
                    format!("{outer} is {kind}, not a table: set all of it, {outer}=..."),
                ));
            }
        };
        depth += 1;
    }
    let entry = KeyEntry { key: last.clone(), key_span: span, item };
    match table.get_mut(last) {
        Some(old) => *old = entry,
        None => table.0.push(entry),
    }
    Ok(())
}
