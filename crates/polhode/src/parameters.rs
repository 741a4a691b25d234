//! Parameters of rotors and methods, and how they are written: `dmv:order=10:compensated`.

use core::fmt;

/// A parameter that an entry of a table takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MethodParameter {
    /// Its name, as written after the id.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// What it may be, and is if nothing is said.
    pub kind: ParameterKind,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// On if named, off by default.
    Flag,
    /// A whole number from `min` to `max` in steps of `step`.
    Integer {
        /// The least value that is allowed.
        min: u32,
        /// The greatest value that is allowed.
        max: u32,
        /// The distance of two values.
        step: u32,
        /// The value if nothing is said.
        default: u32,
    },
    /// One of some words, the first by default.
    Choice(&'static [&'static str]),
}

impl ParameterKind {
    /// The values allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            Self::Flag => "no value: it is on if named".into(),
            Self::Integer { min, max, step: 1, .. } => format!("a whole number, {min} to {max}"),
            Self::Integer { min, max, step, .. } => {
                format!("a whole number, {min} to {max} in steps of {step}")
            }
            Self::Choice(words) => words.join(" or "),
        }
    }

    /// The values allowed, in words, and which of them may be meant by a value that is not.
    #[doc(hidden)]
    pub fn instead_of(&self, given: &str) -> String {
        let mut text = self.allowed();
        if let Self::Choice(words) = self {
            let near = suggestion(words, given);
            text += if near.starts_with("; did you mean") { &near } else { "" };
        }
        text
    }
}

/// What is wrong with the parameters given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The entry has no parameter of that name.
    #[error("{id}: no parameter '{name}'{}", suggestion(.known, .name))]
    Unknown {
        /// The method, scheme or rotor.
        id: String,
        /// The name that was given.
        name: String,
        /// The parameters that it has.
        known: Vec<&'static str>,
    },
    /// A value outside what is allowed.
    #[error("{id}: {name} = '{value}' is not allowed; allowed is {allowed}")]
    Value {
        /// The method, scheme or rotor.
        id: String,
        /// The name of the parameter.
        name: &'static str,
        /// The value that was given, as text.
        value: String,
        /// What would have been accepted, and what may have been meant.
        allowed: String,
    },
    /// The same parameter twice.
    #[error("{id}: parameter '{name}' is given twice")]
    Twice {
        /// The method, scheme or rotor.
        id: String,
        /// The name of the parameter.
        name: &'static str,
    },
}

/// "; did you mean 'x'?" or the list of what there is: how messages about an unknown name end. Capital
/// letters make no distance.
#[doc(hidden)]
pub fn suggestion(known: &[&str], given: &str) -> String {
    if known.is_empty() {
        return "; it takes none".into();
    }
    let given = given.to_lowercase();
    match known.iter().map(|k| (distance(&k.to_lowercase(), &given), k)).min() {
        Some((d, near)) if d <= 2 => format!("; did you mean '{near}'?"),
        _ => format!("; known: {}", known.join(", ")),
    }
}

/// Levenshtein's distance of two short words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ParameterValue {
    Flag(bool),
    Integer(u32),
    Choice(&'static str),
}

/// Values for all parameters of an entry. Written as they are read, those that are not the default:
/// `:order=6:compensated`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters(Vec<ParameterSetting>);

/// A parameter and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ParameterSetting {
    parameter: &'static MethodParameter,
    value: ParameterValue,
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ParameterSetting { parameter, value } in &self.0 {
            let name = parameter.name;
            match *value {
                value if value == parameter.kind.default() => {}
                ParameterValue::Flag(on) if on => write!(f, ":{name}")?,
                ParameterValue::Flag(_) => write!(f, ":{name}=false")?,
                ParameterValue::Integer(n) => write!(f, ":{name}={n}")?,
                ParameterValue::Choice(word) => write!(f, ":{name}={word}")?,
            }
        }
        Ok(())
    }
}

impl Parameters {
    /// The defaults, changed by what is given as (name, value); a flag has no value.
    ///
    /// # Errors
    /// [`ParameterError`] for a name that is unknown or given twice, or a value not allowed.
    pub fn new<'a>(
        id: &str,
        known: &'static [MethodParameter],
        given: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<Self, ParameterError> {
        let Self(mut values) = Self::defaults(known);
        let mut seen = vec![false; known.len()];
        for (name, value) in given {
            let Some(i) = known.iter().position(|p| p.name == name) else {
                let known = known.iter().map(|p| p.name).collect();
                return Err(ParameterError::Unknown { id: id.into(), name: name.into(), known });
            };
            let MethodParameter { name, kind, .. } = known[i];
            if core::mem::replace(&mut seen[i], true) {
                return Err(ParameterError::Twice { id: id.into(), name });
            }
            values[i].value = kind.parse(value).ok_or_else(|| ParameterError::Value {
                id: id.into(),
                name,
                value: value.unwrap_or_default().into(),
                allowed: kind.instead_of(value.unwrap_or_default()),
            })?;
        }
        Ok(Self(values))
    }

    /// Every parameter with its default.
    pub fn defaults(known: &'static [MethodParameter]) -> Self {
        let default = |parameter: &'static MethodParameter| ParameterSetting {
            parameter,
            value: parameter.kind.default(),
        };
        Self(known.iter().map(default).collect())
    }

    fn get(&self, name: &str) -> Option<ParameterValue> {
        self.0.iter().find(|chosen| chosen.parameter.name == name).map(|chosen| chosen.value)
    }

    /// True if the flag is on.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(ParameterValue::Flag(true))
    }

    /// The whole number of that name, zero if there is none.
    pub(crate) fn integer(&self, name: &str) -> u32 {
        match self.get(name) {
            Some(ParameterValue::Integer(n)) => n,
            _ => 0,
        }
    }

    /// The word of that name, empty if there is none.
    pub(crate) fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(ParameterValue::Choice(word)) => word,
            _ => "",
        }
    }
}

impl ParameterKind {
    fn default(&self) -> ParameterValue {
        match *self {
            Self::Flag => ParameterValue::Flag(false),
            Self::Integer { default, .. } => ParameterValue::Integer(default),
            Self::Choice(words) => ParameterValue::Choice(words[0]),
        }
    }

    fn parse(&self, given: Option<&str>) -> Option<ParameterValue> {
        match (*self, given) {
            (Self::Flag, None | Some("true")) => Some(ParameterValue::Flag(true)),
            (Self::Flag, Some("false")) => Some(ParameterValue::Flag(false)),
            (Self::Integer { min, max, step, .. }, Some(text)) => {
                let n: u32 = text.parse().ok()?;
                let fits = (min..=max).contains(&n) && (n - min).is_multiple_of(step);
                fits.then_some(ParameterValue::Integer(n))
            }
            (Self::Choice(words), Some(text)) => {
                words.iter().find(|w| **w == text).map(|w| ParameterValue::Choice(w))
            }
            _ => None,
        }
    }
}

/// An id and the parameters that follow it, each as (name, value).
#[doc(hidden)]
pub type Split<'a> = (&'a str, Vec<(&'a str, Option<&'a str>)>);

/// Takes `id:name=value:flag` apart.
#[doc(hidden)]
pub fn split(spec: &str) -> Split<'_> {
    let mut parts = spec.split(':').map(str::trim);
    let id = parts.next().unwrap_or_default();
    let given = parts.map(|part| match part.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (part, None),
    });
    (id, given.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    static KNOWN: [MethodParameter; 3] = [
        MethodParameter {
            name: "order",
            doc: "The order.",
            kind: ParameterKind::Integer { min: 2, max: 20, step: 2, default: 10 },
        },
        MethodParameter { name: "compensated", doc: "Sums.", kind: ParameterKind::Flag },
        MethodParameter {
            name: "solver",
            doc: "How.",
            kind: ParameterKind::Choice(&["newton", "fixed"]),
        },
    ];

    fn parse(spec: &str) -> Result<Parameters, ParameterError> {
        Parameters::new("dmv", &KNOWN, split(spec).1)
    }

    #[test]
    fn defaults_and_given_values() {
        let p = parse("dmv").unwrap();
        assert_eq!(
            (p.integer("order"), p.flag("compensated"), p.choice("solver")),
            (10, false, "newton")
        );
        let p = parse("dmv:order=4:compensated:solver=fixed").unwrap();
        assert_eq!(
            (p.integer("order"), p.flag("compensated"), p.choice("solver")),
            (4, true, "fixed")
        );
    }

    #[test]
    fn what_is_not_the_default_is_written() {
        for (given, written) in [
            ("dmv", ""),
            ("dmv:order=10:solver=newton:compensated=false", ""),
            ("dmv:solver=fixed:order=4:compensated", ":order=4:compensated:solver=fixed"),
        ] {
            let parameters = parse(given).unwrap();
            assert_eq!(parameters.to_string(), written);
            assert_eq!(parse(&format!("dmv{written}")).unwrap(), parameters);
        }
    }

    #[test]
    fn errors_say_what_is_allowed() {
        for (spec, text) in [
            ("dmv:ordr=4", "dmv: no parameter 'ordr'; did you mean 'order'?"),
            ("dmv:ORDER=4", "dmv: no parameter 'ORDER'; did you mean 'order'?"),
            ("dmv:colour=4", "dmv: no parameter 'colour'; known: order, compensated, solver"),
            (
                "dmv:order=5",
                "dmv: order = '5' is not allowed; allowed is a whole number, 2 to 20 in steps of 2",
            ),
            (
                "dmv:order",
                "dmv: order = '' is not allowed; allowed is a whole number, 2 to 20 in steps of 2",
            ),
            (
                "dmv:compensated=3",
                "dmv: compensated = '3' is not allowed; allowed is no value: it is on if named",
            ),
            ("dmv:solver=x", "dmv: solver = 'x' is not allowed; allowed is newton or fixed"),
            (
                "dmv:solver=nwton",
                "dmv: solver = 'nwton' is not allowed; allowed is newton or fixed; did you mean 'newton'?",
            ),
            ("dmv:order=4:order=4", "dmv: parameter 'order' is given twice"),
        ] {
            assert_eq!(parse(spec).unwrap_err().to_string(), text);
        }
    }
}
