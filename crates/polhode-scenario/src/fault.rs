//! What can be wrong with a scenario.

use std::io;

use super::MAX_BYTES;
use polhode::composition::SchemeError;
use polhode::control::ControlError;
use polhode::formula::FormulaError;
use polhode::inside::InsideError;
use polhode::method::{MethodError, TableauError};
use polhode::parameters::suggestion;
use polhode::periods::PeriodsError;
use polhode::shape::ShapeError;
use polhode::table::TableError;
use polhode::torque::TorqueError;
use polhode::{InertiaError, PlanError, StateError};

/// What can be wrong with a scenario.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioFault {
    /// There is no such file.
    #[error("no such file{}", near_file(.near.as_deref()))]
    NoFile {
        /// A file beside it with nearly that name.
        near: Option<String>,
    },
    /// The file cannot be read.
    #[error("cannot be read: {reason}; check the path and its permissions")]
    Unreadable {
        /// The kind of the failure.
        kind: io::ErrorKind,
        /// What the system says.
        reason: String,
    },
    /// It is no file.
    #[error("is a directory; name a scenario file in it")]
    Directory,
    /// It is too large to be a scenario.
    #[error("more than {MAX_BYTES} bytes: no scenario; is it the right file?")]
    TooLarge,
    /// It is too large to be a table, or a list of times.
    #[error("more than {limit} bytes; leave out rows, or cut the file into parts")]
    TableTooLarge {
        /// How many bytes there may be.
        limit: usize,
    },
    /// It is no text.
    #[error("not UTF-8 from here on; save it as a UTF-8 text")]
    NotUtf8,
    /// What moves inside the body cannot.
    #[error(transparent)]
    Inside(InsideError),
    /// A wheel is named that there is not.
    #[error("there is no wheel {number}; there are {count}, counted from 1")]
    NoWheel {
        /// The number that was asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A controller cannot be made from what is said of it.
    #[error(transparent)]
    Control(ControlError),
    /// Something is said that nothing makes use of.
    #[error("{what}; {remedy}, or leave it out")]
    Unused {
        /// What is missing.
        what: &'static str,
        /// What would make use of it.
        remedy: &'static str,
    },
    /// There is nothing in it.
    #[error("nothing in it; a scenario needs [body], [start] and [run]")]
    Empty,
    /// There is nothing in it.
    #[error("nothing in it; an ensemble needs [bodies], [body], [start] and [run]")]
    EmptyEnsemble,
    /// It is an ensemble, where a scenario is wanted.
    #[error("many bodies are no scenario but an ensemble; use `polhode ensemble`")]
    IsEnsemble,
    /// It is not TOML.
    #[error("{why}")]
    Syntax {
        /// What it is, and what is allowed there.
        why: String,
    },
    /// A text that is not `key=value`.
    #[error("not an override; {allowed}")]
    Override {
        /// What it must be.
        allowed: String,
    },
    /// Scenarios have no section of that name.
    #[error("no section '{name}'{}", suggestion(.known, .name))]
    UnknownSection {
        /// The name that was given.
        name: String,
        /// The names of the sections there are.
        known: &'static [&'static str],
    },
    /// A key that stands before the first section.
    #[error("stands in no section; sections are [{}]", .known.join("], ["))]
    NoSection {
        /// The names of the sections there are.
        known: &'static [&'static str],
    },
    /// The section has no key of that name.
    #[error("no key '{key}'{}", suggestion(.known, .key))]
    UnknownKey {
        /// The key that was given.
        key: String,
        /// The keys that the section has.
        known: Vec<&'static str>,
    },
    /// A section that must be there is not.
    #[error("section [{name}] is missing; it must have {needs}")]
    MissingSection {
        /// The name of the section.
        name: &'static str,
        /// What belongs into it.
        needs: &'static str,
    },
    /// A key that must be there is not.
    #[error("'{key}' is missing; it must be {allowed}")]
    MissingKey {
        /// The name of the key.
        key: &'static str,
        /// What it may be.
        allowed: String,
    },
    /// Two keys that exclude each other.
    #[error("'{key}' and '{other}' exclude each other; keep one of them")]
    Both {
        /// The name of the key.
        key: &'static str,
        /// The name of the key that it excludes.
        other: &'static str,
    },
    /// A value of the wrong type, count or range.
    #[error("{}not allowed; allowed is {allowed}", found_is(.found))]
    Value {
        /// What it is, or which part of it: "a text at position 2"; empty if that is plain to see.
        found: String,
        /// What would have been accepted.
        allowed: String,
    },
    /// A number that no double holds.
    #[error("{which} {why}; needed is a finite number")]
    Number {
        /// Which one: "it", "position 2" or, in a law, its key.
        which: String,
        /// Why no double holds it.
        why: &'static str,
    },
    /// Numbers that are allowed each by itself, but not together.
    #[error("{what} is beyond the range of a double; take other units")]
    OutOfRange {
        /// What comes out of them.
        what: &'static str,
    },
    /// What acts where the motion starts is infinite, or no number.
    #[error(
        "the torque at the start is {torque:?}: divided by zero, a root or logarithm of what has none, or numbers \
         beyond the range of a double, which other units avoid"
    )]
    TorqueNotFinite {
        /// In the body frame.
        torque: [f64; 3],
    },
    /// The shape cannot be a body.
    #[error(transparent)]
    Shape(ShapeError),
    /// No motion has the periods.
    #[error(transparent)]
    Periods(PeriodsError),
    /// The file is no mesh.
    #[error("{why}")]
    Mesh {
        /// What is wrong with it.
        why: String,
    },
    /// What is wrong stands in another file, which the message names.
    #[error("{0}")]
    Elsewhere(String),
    /// No body has this inertia.
    #[error("{}", of_inertia(.0))]
    Inertia(InertiaError),
    /// No body starts like this.
    #[error("{}", of_state(.0))]
    State(StateError),
    /// A text that is no formula.
    #[error("{0}")]
    Formula(FormulaError),
    /// A name that cannot be given.
    #[error("'{name}' {why}")]
    Name {
        /// The name that was given.
        name: String,
        /// Why it cannot be.
        why: &'static str,
    },
    /// The table of a direction does not go as far as the run.
    #[error(
        "the table of its direction goes from t = {first:?} to {last:?}, and t = {t:?} is wanted; add rows, or end \
         the run before"
    )]
    DirectionEnds {
        /// The time of the first row.
        first: f64,
        /// The time of the last row.
        last: f64,
        /// The time that is wanted.
        t: f64,
    },
    /// The rows are no table.
    #[error(transparent)]
    Table(TableError),
    /// The torque cannot be built.
    #[error(transparent)]
    Torque(TorqueError),
    /// The method cannot be built, or does not accept the torque.
    #[error(transparent)]
    Method(MethodError),
    /// Both parts of a pair know the parameter.
    #[error(
        "both {scheme} and {rotor} have a parameter '{key}'; write it in the id: \
         \"{scheme}:{key}+{rotor}\", \"{scheme}+{rotor}:{key}\" or with both"
    )]
    Ambiguous {
        /// The name of the parameter.
        key: &'static str,
        /// The name of the scheme.
        scheme: &'static str,
        /// The name of the rotor.
        rotor: &'static str,
    },
    /// The stages of a scheme of the user's own do not make a scheme.
    #[error("{}", of_scheme(.0))]
    Scheme(SchemeError),
    /// The tableau of the user's own is not that of a method.
    #[error("{}", .0.to_string().trim_start_matches("tableau: "))]
    Tableau(TableauError),
    /// The name of a method of the user's own is one of the library's.
    #[error("'{name}' is a method of the library, and this is another one; choose another name")]
    Taken {
        /// The name that is taken.
        name: String,
    },
    /// A file beside a scenario that is itself in no file.
    #[error("only a scenario that is read from a file can name another; give {instead} instead")]
    NoFolder {
        /// What may stand in the scenario itself.
        instead: &'static str,
    },
    /// A section that does not go with the others.
    #[error("not wanted here: {why}")]
    Unwanted {
        /// Why the section does not belong here.
        why: &'static str,
    },
    /// There is no law of that name for this quantity.
    #[error("no law '{law}'{}", suggestion(.known, .law))]
    UnknownLaw {
        /// The law that was given.
        law: String,
        /// The laws there are.
        known: Vec<&'static str>,
    },
    /// Method or torque are not for ensembles.
    #[error("{0}")]
    Ensemble(String),
    /// The problem cannot be solved to a tolerance.
    #[error("{0}")]
    Solve(String),
    /// The span cannot be stepped through.
    #[error("{}", of_plan(.0))]
    Plan(PlanError),
}

fn found_is(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!("{found} is ") }
}

fn near_file(near: Option<&str>) -> String {
    near.map_or_else(|| "; check the path".into(), |name| format!("; did you mean '{name}'?"))
}

// The errors below name the field, which a scenario's error does already.

fn of_scheme(error: &SchemeError) -> String {
    let text = error.to_string();
    text.split_once(": ").map(|(_, rest)| rest.to_owned()).unwrap_or(text)
}

fn of_inertia(error: &InertiaError) -> String {
    match error {
        InertiaError::Impossible { moments } => format!(
            "principal moments {moments:?}: no body has these, the largest exceeds the sum of the \
             other two; correct them, or set allow_unphysical = true in [body]"
        ),
        other => other.to_string().trim_start_matches("inertia: ").to_owned(),
    }
}

fn of_state(error: &StateError) -> String {
    match error {
        StateError::ZeroAttitude => {
            "of length zero; an attitude is four numbers (w, x, y, z), not all zero".into()
        }
        StateError::MomentumOutOfRange { .. } => {
            "times the inertia is beyond the range of a double; take other units".into()
        }
        other => other.to_string(),
    }
}

fn of_plan(error: &PlanError) -> String {
    match error {
        PlanError::Step { .. } => "must be finite and not zero".into(),
        PlanError::Until { t0, step, .. } => format!(
            "with step {step:?} the end must not be before the start at {t0:?}; change the sign of \
             one of them"
        ),
        PlanError::TooMany { step, .. } => {
            format!("more than 1e15 steps of {step:?}; take a larger step or an earlier end")
        }
        other => other.to_string(),
    }
}
