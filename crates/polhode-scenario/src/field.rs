//! Sections and fields: typed reading, with errors that have their place.

use super::document::{Item, KeyEntry, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::source::{ReadResult, Span, Trouble, quote};

/// Longer texts, and texts with control characters, name nothing.
const LONGEST_TEXT: usize = 200;

/// A table that is a section of a scenario.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    name: &'static str,
    table: &'a TomlTable,
    span: &'a Span,
}

/// A key of a section and its value.
#[derive(Clone, Copy)]
pub(super) struct SectionField<'a> {
    section: &'static str,
    entry: &'a KeyEntry,
}

impl<'a> Section<'a> {
    /// The value as a section.
    pub(super) fn new(name: &'static str, item: &'a Item) -> ReadResult<Self> {
        match &item.value {
            TomlValue::Table(table) => Ok(Self { name, table, span: &item.span }),
            other => {
                let fault = ScenarioFault::Value {
                    found: other.kind().into(),
                    allowed: format!("a section [{name}]"),
                };
                let span = item.span.clone();
                Err(Box::new(Trouble { span, field: name.into(), fault }))
            }
        }
    }

    /// Trouble with the section as a whole.
    pub(super) fn fail(&self, fault: ScenarioFault) -> Box<Trouble> {
        // Its place is what opens it: no text is at fault.
        let start = self.span.bytes.start;
        let span = Span { over: self.span.over, bytes: start..start };
        Box::new(Trouble { span, field: format!("[{}]", self.name), fault })
    }

    /// Refuses keys that are not known.
    pub(super) fn only(&self, known: &[&'static str]) -> ReadResult<()> {
        match self.fields().find(|f| !known.contains(&f.key())) {
            None => Ok(()),
            Some(field) => Err(field.unknown(known.to_vec())),
        }
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = SectionField<'a>> + use<'a> {
        let section = self.name;
        self.table.0.iter().map(move |entry| SectionField { section, entry })
    }

    pub(super) fn get(&self, key: &str) -> Option<SectionField<'a>> {
        self.table.get(key).map(|entry| SectionField { section: self.name, entry })
    }

    pub(super) fn require(&self, key: &'static str, allowed: &str) -> ReadResult<SectionField<'a>> {
        let missing = || self.fail(ScenarioFault::MissingKey { key, allowed: allowed.into() });
        self.get(key).ok_or_else(missing)
    }

    /// Trouble with the value of a key.
    pub(super) fn refused(&self, key: &'static str, allowed: &str) -> Box<Trouble> {
        match self.get(key) {
            Some(field) => field.refuse(allowed),
            None => self.fail(ScenarioFault::MissingKey { key, allowed: allowed.into() }),
        }
    }

    /// True or false; false if nothing is said.
    pub(super) fn flag(&self, key: &str) -> ReadResult<bool> {
        self.get(key).map_or(Ok(false), |field| field.flag())
    }
}

impl<'a> SectionField<'a> {
    pub(super) fn key(&self) -> &'a str {
        &self.entry.key
    }

    pub(super) fn key_span(&self) -> &'a Span {
        &self.entry.key_span
    }

    pub(super) fn value(&self) -> &'a TomlValue {
        &self.entry.item.value
    }

    pub(super) fn item(&self) -> &'a Item {
        &self.entry.item
    }

    /// Trouble with this field.
    pub(super) fn fail(&self, fault: ScenarioFault) -> Box<Trouble> {
        let field = format!("[{}] {}", self.section, quote(self.key()));
        Box::new(Trouble { span: self.entry.item.span.clone(), field, fault })
    }

    /// Trouble with its key, which is not among those known.
    pub(super) fn unknown(&self, known: Vec<&'static str>) -> Box<Trouble> {
        let mut trouble = self.fail(ScenarioFault::UnknownKey { key: quote(self.key()), known });
        if matches!(self.value(), TomlValue::Table(_)) {
            // Of a table all that is shown is its name.
            trouble.field = format!("[{}.{}]", self.section, quote(self.key()));
            trouble.span.bytes.end = trouble.span.bytes.start;
        }
        trouble
    }

    /// Trouble with its value as a whole.
    pub(super) fn refuse(&self, allowed: impl Into<String>) -> Box<Trouble> {
        self.fail(ScenarioFault::Value { found: String::new(), allowed: allowed.into() })
    }

    /// Trouble with a part of its value: "a text at position 2".
    pub(super) fn refuse_part(&self, found: String, allowed: &str) -> Box<Trouble> {
        self.fail(ScenarioFault::Value { found, allowed: allowed.into() })
    }

    pub(super) fn number(&self, allowed: &str) -> ReadResult<f64> {
        match self.value() {
            TomlValue::Number(number) => self.finite(*number, None),
            // TOML has no fractions; as a text, and in overrides, they are numbers.
            TomlValue::Text(text) if text.contains('/') => {
                self.finite(polhode_number::read_fraction(text), None)
            }
            other => Err(self.refuse_part(other.kind().into(), allowed)),
        }
    }

    fn finite(
        &self,
        number: Result<f64, &'static str>,
        position: Option<usize>,
    ) -> ReadResult<f64> {
        number.map_err(|why| {
            let which = position.map_or_else(|| "it".into(), |i| format!("position {i}"));
            self.fail(ScenarioFault::Number { which, why })
        })
    }

    /// The numbers of a list, counted from `first` in messages.
    pub(super) fn numbers(
        &self,
        list: &[Item],
        first: usize,
        allowed: &str,
    ) -> ReadResult<Vec<f64>> {
        let number = |(i, item): (usize, &Item)| match &item.value {
            TomlValue::Number(number) => self.finite(*number, Some(i)),
            other => {
                let found = format!("{} at position {i}", other.kind());
                Err(self.refuse_part(found, allowed))
            }
        };
        (first..).zip(list).map(number).collect()
    }

    /// The numbers of a list that itself stands at a position of a list.
    pub(super) fn numbers_at(
        &self,
        list: &[Item],
        position: usize,
        allowed: &str,
    ) -> ReadResult<Vec<f64>> {
        let number = |item: &Item| match &item.value {
            TomlValue::Number(number) => self.finite(*number, Some(position)),
            other => {
                let found = format!("{} among the numbers at position {position}", other.kind());
                Err(self.refuse_part(found, allowed))
            }
        };
        list.iter().map(number).collect()
    }

    pub(super) fn vector<const N: usize>(&self, allowed: &str) -> ReadResult<[f64; N]> {
        let TomlValue::List(list) = self.value() else {
            return Err(self.refuse_part(self.value().kind().into(), allowed));
        };
        self.numbers(list, 1, allowed)?.try_into().map_err(|given: Vec<f64>| {
            self.refuse_part(format!("a list of {}", given.len()), allowed)
        })
    }

    pub(super) fn flag(&self) -> ReadResult<bool> {
        match self.value() {
            TomlValue::Flag(flag) => Ok(*flag),
            other => Err(self.refuse_part(other.kind().into(), "true or false")),
        }
    }

    /// A text that can be a name: on one line, and not long.
    pub(super) fn text(&self, allowed: &str) -> ReadResult<&'a str> {
        let TomlValue::Text(text) = self.value() else {
            return Err(self.refuse_part(self.value().kind().into(), allowed));
        };
        if !is_name(text) {
            return Err(self.refuse(format!("{allowed}, of 1 to 200 printable characters")));
        }
        Ok(text)
    }
}

/// On one line, not empty, and not too long to be printed.
pub(super) fn is_name(text: &str) -> bool {
    (1..=LONGEST_TEXT).contains(&text.chars().count()) && !text.contains(char::is_control)
}
