//! Keys of torques and their values, from wherever these come: a scenario, Python or C.

use core::fmt;
use std::collections::BTreeMap;

use glam::DVec3;

use super::{TorqueError, VectorSource};
use crate::formula::{Constants, Formula};
use crate::table::{Beyond, Interpolation, VectorTable};

/// The value of a key, as given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum KeyValue {
    /// One number.
    Number(f64),
    /// A list of numbers.
    Numbers(Vec<f64>),
    /// A word: one of the choices of its key.
    Text(String),
    /// A list of expressions.
    Texts(Vec<String>),
    /// Rows of numbers.
    Rows(Vec<Vec<f64>>),
    /// Numbers by their names.
    Constants(Constants),
}

/// Values by the names of their keys.
pub type KeyValues = BTreeMap<String, KeyValue>;

impl From<f64> for KeyValue {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl From<[f64; 3]> for KeyValue {
    fn from(v: [f64; 3]) -> Self {
        Self::Numbers(v.into())
    }
}

impl From<DVec3> for KeyValue {
    fn from(v: DVec3) -> Self {
        v.to_array().into()
    }
}

impl From<Vec<f64>> for KeyValue {
    fn from(v: Vec<f64>) -> Self {
        Self::Numbers(v)
    }
}

impl From<Vec<Vec<f64>>> for KeyValue {
    fn from(rows: Vec<Vec<f64>>) -> Self {
        Self::Rows(rows)
    }
}

impl From<Vec<String>> for KeyValue {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl From<[&str; 3]> for KeyValue {
    fn from(texts: [&str; 3]) -> Self {
        Self::Texts(texts.map(str::to_owned).into())
    }
}

impl From<Constants> for KeyValue {
    fn from(constants: Constants) -> Self {
        Self::Constants(constants)
    }
}

impl From<&str> for KeyValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// As written in a scenario; numbers are the shortest text that reads back to the same double.
impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x:?}"),
            Self::Numbers(v) => write!(f, "{v:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Texts(texts) => write!(f, "{texts:?}"),
            // Of a table the beginning is enough.
            Self::Rows(rows) if rows.len() > 2 => write!(f, "[{:?}, {:?}, ..]", rows[0], rows[1]),
            Self::Rows(rows) => write!(f, "{rows:?}"),
            Self::Constants(constants) => {
                f.write_str("{")?;
                for (i, (name, value)) in constants.iter().enumerate() {
                    write!(f, "{} {name} = {value:?}", if i == 0 { "" } else { "," })?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// A key of a torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Its name, as written in scenarios and as a keyword in Python.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// What it may be, and is if nothing is said.
    pub kind: KeyKind,
}

/// What the value of a key may be; without a default it must be given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum KeyKind {
    /// One finite number.
    Number {
        /// The value if nothing is said.
        default: Option<f64>,
    },
    /// Three numbers.
    Vector {
        /// The value if nothing is said.
        default: Option<[f64; 3]>,
    },
    /// Three numbers, not all zero.
    Direction {
        /// The value if nothing is said.
        default: Option<[f64; 3]>,
    },
    /// One number for all axes or three for one each, none negative; must be given.
    Coefficients,
    /// One of some words, the first by default.
    Choice(&'static [&'static str]),
    /// Three expressions; must be given.
    Expressions,
    /// Rows of four numbers: a time and a vector; must be given.
    Rows,
    /// A vector over time: three numbers, three expressions or rows; must be given.
    Field,
    /// Numbers with names, none by default.
    Constants,
}

impl KeyKind {
    /// The values allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            Self::Number { .. } => "a finite number".into(),
            Self::Vector { .. } => "three finite numbers".into(),
            Self::Direction { .. } => "three finite numbers, not all zero".into(),
            Self::Coefficients => "one finite number or three, none negative".into(),
            Self::Choice(words) => words.join(" or "),
            Self::Expressions => "three expressions".into(),
            Self::Rows => "two rows of four numbers [t, x, y, z], or more".into(),
            Self::Field => {
                "three finite numbers, three expressions, or rows of four numbers [t, x, y, z]"
                    .into()
            }
            Self::Constants => "names with finite numbers, { a = 1.5, .. }".into(),
        }
    }

    /// The value if nothing is said; none for a key that must be given.
    pub fn default(&self) -> Option<KeyValue> {
        match *self {
            Self::Number { default } => default.map(KeyValue::from),
            Self::Vector { default } | Self::Direction { default } => default.map(KeyValue::from),
            Self::Coefficients | Self::Expressions | Self::Rows | Self::Field => None,
            Self::Constants => Some(Constants::new().into()),
            Self::Choice(words) => words.first().map(|w| KeyValue::from(*w)),
        }
    }

    fn admits(&self, v: DVec3) -> bool {
        v.is_finite()
            && match self {
                Self::Direction { .. } => v != DVec3::ZERO,
                Self::Coefficients => v.min_element() >= 0.0,
                _ => true,
            }
    }
}

impl Key {
    /// The vector, if this key of that torque may have it.
    pub(super) fn admit(
        &self,
        kind: &'static str,
        v: impl Into<DVec3>,
    ) -> Result<DVec3, TorqueError> {
        let v = v.into();
        if self.kind.admits(v) {
            return Ok(v);
        }
        Err(self.refuse(kind, &v.into()))
    }

    /// The number, if this key of that torque may have it.
    pub(super) fn admit_number(&self, kind: &'static str, x: f64) -> Result<f64, TorqueError> {
        if self.kind.admits(DVec3::splat(x)) {
            return Ok(x);
        }
        Err(self.refuse(kind, &x.into()))
    }

    /// Fails if the product of this value, or its size, is beyond the range of a double.
    pub(super) fn in_range(
        &self,
        kind: &'static str,
        given: impl Into<KeyValue>,
        factor: &'static str,
        product: f64,
    ) -> Result<(), TorqueError> {
        if product.is_finite() {
            return Ok(());
        }
        let given = given.into().to_string();
        Err(TorqueError::TooLarge { kind, key: self.name, given, factor })
    }

    fn refuse(&self, kind: &'static str, given: &KeyValue) -> TorqueError {
        TorqueError::Value {
            kind,
            key: self.name,
            given: given.to_string(),
            allowed: self.kind.allowed(),
        }
    }
}

/// The numbers of a row: a time and a vector.
const ROW: usize = 4;

/// Values for the keys of one torque.
#[derive(Debug)]
pub(super) struct KeyReader<'a> {
    kind: &'static str,
    values: &'a KeyValues,
}

impl<'a> KeyReader<'a> {
    pub(super) fn new(
        kind: &'static str,
        keys: &'static [Key],
        values: &'a KeyValues,
    ) -> Result<Self, TorqueError> {
        match values.keys().find(|name| !keys.iter().any(|k| k.name == name.as_str())) {
            None => Ok(Self { kind, values }),
            Some(name) => Err(TorqueError::UnknownKey {
                kind,
                key: name.clone(),
                known: keys.iter().map(|k| k.name).collect(),
            }),
        }
    }

    fn value(&self, key: &Key) -> Result<KeyValue, TorqueError> {
        let given = self.values.get(key.name).cloned().or_else(|| key.kind.default());
        given.ok_or_else(|| TorqueError::Missing {
            kind: self.kind,
            key: key.name,
            allowed: key.kind.allowed(),
        })
    }

    pub(super) fn number(&self, key: &Key) -> Result<f64, TorqueError> {
        match self.value(key)? {
            KeyValue::Number(x) => key.admit_number(self.kind, x),
            other => Err(key.refuse(self.kind, &other)),
        }
    }

    /// Three numbers, or one for all three where the key takes that.
    pub(super) fn vector(&self, key: &Key) -> Result<DVec3, TorqueError> {
        match self.value(key)? {
            KeyValue::Number(x) if key.kind == KeyKind::Coefficients => {
                Ok(DVec3::splat(key.admit_number(self.kind, x)?))
            }
            KeyValue::Numbers(v) if v.len() == 3 => key.admit(self.kind, [v[0], v[1], v[2]]),
            other => Err(key.refuse(self.kind, &other)),
        }
    }

    /// True if the value is given, and is that text.
    pub(super) fn says(&self, key: &Key, text: &str) -> bool {
        matches!(self.values.get(key.name), Some(KeyValue::Text(given)) if given == text)
    }

    /// True if the word is that one; it must be one of those allowed.
    pub(super) fn is(&self, key: &Key, word: &str) -> Result<bool, TorqueError> {
        Ok(self.word(key)? == word)
    }

    /// One of the words allowed.
    fn word(&self, key: &Key) -> Result<&'static str, TorqueError> {
        let value = self.value(key)?;
        let known = match (&value, key.kind) {
            (KeyValue::Text(text), KeyKind::Choice(words)) => words.iter().find(|w| *w == text),
            _ => None,
        };
        known.copied().ok_or_else(|| key.refuse(self.kind, &value))
    }

    /// Numbers with names; in one text they are written `a = 1.5; b = 2`.
    pub(super) fn constants(&self, key: &Key) -> Result<Constants, TorqueError> {
        let value = self.value(key)?;
        let read = |part: &str| {
            let (name, number) = part.split_once('=')?;
            Some((name.trim().to_owned(), polhode_number::read(number.trim()).ok()?))
        };
        let constants = match &value {
            KeyValue::Constants(constants) => Some(constants.clone()),
            KeyValue::Text(text) => {
                text.split(';').filter(|part| !part.trim().is_empty()).map(read).collect()
            }
            _ => None,
        };
        constants.ok_or_else(|| key.refuse(self.kind, &value))
    }

    /// Three expressions; in one text they have semicolons between them.
    pub(super) fn formulas(
        &self,
        key: &Key,
        constants: &Constants,
    ) -> Result<[Formula; 3], TorqueError> {
        let value = self.value(key)?;
        let texts: Vec<String> = match &value {
            KeyValue::Texts(texts) => texts.clone(),
            KeyValue::Text(text) => text.split(';').map(|part| part.trim().to_owned()).collect(),
            KeyValue::Numbers(numbers) => numbers.iter().map(|x| format!("{x:?}")).collect(),
            _ => Vec::new(),
        };
        let [x, y, z] = &texts[..] else { return Err(key.refuse(self.kind, &value)) };
        let formula = |component, text: &str| {
            let (kind, key) = (self.kind, key.name);
            Formula::new(text, constants).map_err(|error| TorqueError::Formula {
                kind,
                key,
                component,
                error,
            })
        };
        Ok([formula(1, x)?, formula(2, y)?, formula(3, z)?])
    }

    /// Rows of a table; they may follow each other in one list.
    pub(super) fn table(
        &self,
        key: &Key,
        interpolation: &Key,
        beyond: &Key,
    ) -> Result<VectorTable, TorqueError> {
        let value = self.value(key)?;
        let rows = match &value {
            KeyValue::Rows(rows) => rows.clone(),
            KeyValue::Numbers(numbers) => numbers.chunks(ROW).map(<[f64]>::to_vec).collect(),
            _ => return Err(key.refuse(self.kind, &value)),
        };
        // Words that are allowed have their meaning.
        let interpolation =
            Interpolation::named(self.word(interpolation)?).unwrap_or(Interpolation::Linear);
        let beyond = Beyond::named(self.word(beyond)?).unwrap_or(Beyond::Error);
        let (kind, key) = (self.kind, key.name);
        VectorTable::from_rows(&rows, interpolation, beyond).map_err(|error| TorqueError::Table {
            kind,
            key,
            error,
        })
    }

    /// A vector over time, in whichever way it is given.
    pub(super) fn source(
        &self,
        key: &Key,
        constants: &Key,
        interpolation: &Key,
        beyond: &Key,
    ) -> Result<VectorSource, TorqueError> {
        match self.value(key)? {
            KeyValue::Texts(_) | KeyValue::Text(_) => {
                Ok(self.formulas(key, &self.constants(constants)?)?.into())
            }
            KeyValue::Numbers(numbers) if numbers.len() >= 2 * ROW => {
                Ok(self.table(key, interpolation, beyond)?.into())
            }
            KeyValue::Rows(_) => Ok(self.table(key, interpolation, beyond)?.into()),
            _ => Ok(self.vector(key)?.into()),
        }
    }
}
