//! Every section and key of a scenario and of an ensemble, as data: what `polhode scenario-reference` prints.

mod ensemble;
mod forms;
mod page;
mod scenario;

pub use ensemble::ENSEMBLE;
pub use page::reference;
pub use scenario::SCENARIO;

/// A key of a section.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyReference {
    /// The key as it is written, without its section.
    pub name: &'static str,
    /// What it decides, in a sentence or two.
    pub doc: &'static str,
    /// What values it takes.
    pub kind: &'static str,
    /// The unit of its numbers; a dash for none.
    pub unit: &'static str,
    /// What holds if it is not given; "needed" where it must be.
    pub default: &'static str,
    /// A value, as TOML.
    pub example: &'static str,
}

/// A section of a scenario and what may stand in it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SectionReference {
    /// Its name, `output.aem`.
    pub name: &'static str,
    /// What it says, and whether it must be there.
    pub doc: &'static str,
    /// Its keys, in the order in which they are told.
    pub keys: &'static [KeyReference],
}

const fn key(
    name: &'static str,
    kind: &'static str,
    unit: &'static str,
    default: &'static str,
    example: &'static str,
    doc: &'static str,
) -> KeyReference {
    KeyReference { name, doc, kind, unit, default, example }
}

const FLAG: &str = "true or false";
const NUMBER: &str = "a number";
const TEXT: &str = "a text";
