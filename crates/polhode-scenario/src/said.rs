//! What a scenario says of what moves inside the body and controls it, for those who tell how results were made.

use super::document::{Item, TomlTable, TomlValue};
use super::source::ScenarioText;

/// Longer lists are told by their length: a table of a thousand rows is no remark.
const MOST_ITEMS: usize = 64;

/// Sections, and under which names they are told.
const SECTIONS: [(&str, &str); 4] = [
    ("wheel", "wheels"),
    ("dissipation", "dissipation"),
    ("damper", "damper"),
    ("controller", "controllers"),
];

/// Each part that is said, by its name, as a JSON text.
pub(super) fn inside(source: &ScenarioText) -> Vec<(&'static str, String)> {
    let Ok(document) = source.tree() else { return Vec::new() };
    let mut said: Vec<(&'static str, String)> = SECTIONS
        .iter()
        .filter_map(|(section, name)| {
            let item = &document.get(section)?.item;
            // One of those that there may be several of is a list of one.
            let several = name.ends_with('s') && !matches!(item.value, TomlValue::List(_));
            Some((*name, if several { format!("[{}]", json(item)) } else { json(item) }))
        })
        .collect();
    said.extend(varying(&document).map(|inertia| ("varying_inertia", json(inertia))));
    said
}

/// `[body] inertia`, if it is a function of time.
fn varying(document: &TomlTable) -> Option<&Item> {
    let TomlValue::Table(body) = &document.get("body")?.item.value else { return None };
    let item = &body.get("inertia")?.item;
    let varies = match &item.value {
        TomlValue::List(list) => list.iter().any(|item| match &item.value {
            TomlValue::Text(_) => true,
            TomlValue::List(row) => row.len() == 4,
            _ => false,
        }),
        TomlValue::Table(form) => form.get("rows").is_some(),
        _ => false,
    };
    varies.then_some(item)
}

fn json(item: &Item) -> String {
    match &item.value {
        TomlValue::Number(Ok(number)) => format!("{number:?}"),
        TomlValue::Number(Err(_)) => "null".into(),
        TomlValue::Text(text) | TomlValue::Date(text) => quoted(text),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::List(list) if list.len() > MOST_ITEMS => {
            format!("{{\"count\":{}}}", list.len())
        }
        TomlValue::List(list) => {
            format!("[{}]", list.iter().map(json).collect::<Vec<_>>().join(","))
        }
        TomlValue::Table(table) => {
            let entry = |(key, item): (&str, &Item)| format!("{}:{}", quoted(key), json(item));
            let entries = table.0.iter().map(|e| entry((e.key.as_str(), &e.item)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let code = u32::from(c);
                let digit = |shift: u32| char::from_digit(code >> shift & 15, 16);
                quoted.push_str("\\u");
                quoted.extend([12, 8, 4, 0].into_iter().filter_map(digit));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
