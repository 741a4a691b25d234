//! What can be wrong with a scenario.

use core::fmt;

use super::fault::ScenarioFault;

/// What is wrong with a scenario, and where.
///
/// Its message is one line: file, line, the text at fault, why, and what is allowed. Of a mistake in a formula two
/// more follow: the formula, and a caret below it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioError(Box<ErrorParts>);

#[derive(Clone, Debug, PartialEq)]
struct ErrorParts {
    name: String,
    place: TextPlace,
    fault: ScenarioFault,
}

/// Where, as far as there is a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextPlace {
    pub(super) over: Option<String>,
    pub(super) line: Option<usize>,
    pub(super) column: Option<usize>,
    pub(super) field: String,
    pub(super) given: String,
}

impl ScenarioError {
    pub(super) fn new(name: &str, place: TextPlace, fault: ScenarioFault) -> Self {
        Self(Box::new(ErrorParts { name: name.to_owned(), place, fault }))
    }

    /// The name the scenario was read under: the path of the file.
    pub fn file(&self) -> &str {
        &self.0.name
    }

    /// The line in the file, from 1; none if the file could not be read, or for an override.
    pub fn line(&self) -> Option<usize> {
        self.0.place.line
    }

    /// The column in the line (or in the override), from 1, in characters.
    pub fn column(&self) -> Option<usize> {
        self.0.place.column
    }

    /// The override that is at fault, if it is one.
    pub fn override_text(&self) -> Option<&str> {
        self.0.place.over.as_deref()
    }

    /// The field at fault, `[method] step`; empty if it is no field.
    pub fn field(&self) -> &str {
        &self.0.place.field
    }

    /// The text at fault, on one line and cut if it is long; empty if something is missing.
    pub fn given(&self) -> &str {
        &self.0.place.given
    }

    /// What is wrong there.
    pub fn fault(&self) -> &ScenarioFault {
        &self.0.fault
    }
}

/// `file:line: [section] key = text: why`; for overrides `file with key=value: why`.
impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorParts { name, place: TextPlace { over, line, field, given, .. }, fault } =
            &*self.0;
        f.write_str(name)?;
        if let Some(over) = over {
            return write!(f, " with {over}: {fault}");
        }
        if let Some(line) = line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        match (field.is_empty(), given.is_empty()) {
            (true, true) => {}
            (true, false) => write!(f, "{given}: ")?,
            (false, true) => write!(f, "{field}: ")?,
            (false, false) => write!(f, "{field} = {given}: ")?,
        }
        write!(f, "{fault}")
    }
}

// No source: the message has all of it.
impl core::error::Error for ScenarioError {}
