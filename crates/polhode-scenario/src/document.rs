//! A TOML text as a tree whose every part knows its place.

use std::ops::Range;

use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::fault::ScenarioFault;
use super::source::{ReadResult, Span, Trouble, line_around, quote};

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) value: TomlValue,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TomlValue {
    /// A double, or why the number cannot be one.
    Number(Result<f64, &'static str>),
    Text(String),
    Flag(bool),
    Date(String),
    List(Vec<Item>),
    Table(TomlTable),
}

/// Entries in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct TomlTable(pub(super) Vec<KeyEntry>);

#[derive(Clone, Debug)]
pub(super) struct KeyEntry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) item: Item,
}

impl TomlTable {
    pub(super) fn get(&self, key: &str) -> Option<&KeyEntry> {
        self.0.iter().find(|e| e.key == key)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut KeyEntry> {
        self.0.iter_mut().find(|e| e.key == key)
    }
}

impl TomlValue {
    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Flag(_) => "true or false",
            Self::Date(_) => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// The tree of a text; `over` is the number of the override it belongs to.
pub(super) fn parse(text: &str, over: Option<usize>) -> ReadResult<TomlTable> {
    match DeTable::parse(text) {
        Ok(table) => Ok(convert_table(table.into_inner(), over)),
        Err(error) => {
            let bytes = error.span().unwrap_or(0..0);
            let why = explain(text, error.message(), bytes.clone());
            let fault = ScenarioFault::Syntax { why };
            Err(Box::new(Trouble { span: Span { over, bytes }, field: String::new(), fault }))
        }
    }
}

/// What is wrong and what is allowed, in the place of the parser's message.
fn explain(text: &str, message: &str, span: Range<usize>) -> String {
    let line = &text[line_around(text, span.start)];
    if message == "duplicate key" {
        let key = quote(text.get(span).unwrap_or_default());
        return format!("'{key}' is given a second time; keep one of the two");
    }
    if line.trim_end().ends_with('=') {
        return "the value is missing after '='".into();
    }
    // What it expects follows a comma.
    let what = message.split(", expected").next().unwrap_or_default();
    let remedy = REMEDIES.iter().find(|(words, _)| words.iter().any(|word| what.contains(word)));
    match remedy {
        Some((_, remedy)) => (*remedy).to_owned(),
        None => format!("this is no TOML: {message}"),
    }
}

/// Words of the parser's messages, and what to say instead; the first that fits is taken.
const REMEDIES: &[(&[&str], &str)] = &[
    (
        &["string values must be quoted", "boolean"],
        "no value; values are \"a text\", 12, -0.5, 1e-6, true, [1, 2, 3] or { key = 1, other = 2 }, and a fraction is \
         a text, \"1/60\"",
    ),
    (&["inline table", "comma between key-value pairs"], TABLE),
    (
        &["unclosed table", "array table", "table open"],
        "the name of a section is not closed; write [name] or [[name]]",
    ),
    (
        &["array"],
        "a list is not closed before this, or has a comma too few or too many; lists are [1, 2, 3]",
    ),
    (&["unquoted key"], "no key; keys are made of letters, digits, '_' and '-'"),
    (
        &["string", "quote", "escape", "unicode"],
        "a text is not closed, or has a character or an escape that no text has; texts are \"like this\" or, with \\ \
         as a plain character, 'like this'",
    ),
    (
        &["value for key", "no value", "assignment", "`=`", "key-value pair", "missing value"],
        "neither a section nor a key with its value; write [name] or key = value, and commas between those in \
         braces",
    ),
    (
        &["key or value", "unexpected content"],
        "more than one thing on a line; write each key = value on a line of its own",
    ),
    (
        &[
            "zero",
            "sign",
            "prefix",
            "radix",
            "digits",
            "fraction",
            "mantissa",
            "exponent",
            "number",
            "integer",
            "float",
            "invalid value",
        ],
        "no number; numbers are 12, -0.5 or 1e-6, and a fraction is a text, \"1/60\"",
    ),
    (&["date", "time"], "no time; times are 2026-01-31T12:00:00"),
    (&["carriage return", "comment character"], "a control character; leave it out"),
    (&["recur"], "nested too deeply"),
];

const TABLE: &str = "a table in braces is not closed before this, or has a comma too few or too many; such tables are \
                     { key = 1, other = 2 }";

fn convert_table(table: DeTable<'_>, over: Option<usize>) -> TomlTable {
    let mut entries: Vec<KeyEntry> = table
        .into_iter()
        .map(|(key, value)| KeyEntry {
            key_span: Span { over, bytes: key.span() },
            key: key.into_inner().into_owned(),
            item: convert(value.span(), value.into_inner(), over),
        })
        .collect();
    entries.sort_by_key(|e| e.key_span.bytes.start);
    TomlTable(entries)
}

fn convert(bytes: Range<usize>, value: DeValue<'_>, over: Option<usize>) -> Item {
    let value = match value {
        DeValue::String(text) => TomlValue::Text(text.into_owned()),
        DeValue::Integer(n) => TomlValue::Number(integer(&n)),
        DeValue::Float(x) => TomlValue::Number(float(&x)),
        DeValue::Boolean(flag) => TomlValue::Flag(flag),
        DeValue::Datetime(date) => TomlValue::Date(date.to_string()),
        DeValue::Array(list) => TomlValue::List(
            list.into_iter().map(|v| convert(v.span(), v.into_inner(), over)).collect(),
        ),
        DeValue::Table(table) => TomlValue::Table(convert_table(table, over)),
    };
    Item { value, span: Span { over, bytes } }
}

fn float(x: &DeFloat<'_>) -> Result<f64, &'static str> {
    polhode_number::read(x.as_str())
}

fn integer(n: &DeInteger<'_>) -> Result<f64, &'static str> {
    if n.radix() == 10 {
        return polhode_number::read(n.as_str());
    }
    let digits = u128::from_str_radix(n.as_str(), n.radix());
    digits.map(|n| n as f64).map_err(|_| "has too many digits")
}
