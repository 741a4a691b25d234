//! What there is, by name: the tables of the library.

use core::ffi::{CStr, c_char};
use std::ffi::CString;
use std::sync::OnceLock;

use polhode_core::{EntryKind, catalog};

use crate::error::guard;

/// A table of names.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum polhode_catalog {
    /// Splitting schemes: the first part of a pair like "rkn6-14+exact".
    POLHODE_SCHEMES = 0,
    /// Flows of the free body: the second part of a pair, or alone a method for free bodies.
    POLHODE_ROTORS = 1,
    /// Methods that are not splittings.
    POLHODE_METHODS = 2,
    /// Names for some pairs.
    POLHODE_PRESETS = 3,
    /// Kinds of torque.
    POLHODE_TORQUES = 4,
    /// Ways to solve to a tolerance.
    POLHODE_SOLVERS = 5,
}

/// Id and title of every entry, as C text.
type EntryTexts = Vec<(CString, CString)>;

/// The order in which `tables` has them.
const ORDER: [polhode_catalog; 6] = [
    polhode_catalog::POLHODE_SCHEMES,
    polhode_catalog::POLHODE_ROTORS,
    polhode_catalog::POLHODE_METHODS,
    polhode_catalog::POLHODE_PRESETS,
    polhode_catalog::POLHODE_TORQUES,
    polhode_catalog::POLHODE_SOLVERS,
];

fn tables() -> &'static [EntryTexts; 6] {
    static TABLES: OnceLock<[EntryTexts; 6]> = OnceLock::new();
    TABLES.get_or_init(|| {
        let catalog = catalog();
        let of = |kind| table(catalog.of(kind).map(|e| (e.id, e.title)));
        [
            of(EntryKind::Scheme),
            of(EntryKind::Rotor),
            of(EntryKind::Method),
            of(EntryKind::Preset),
            table(catalog.torques.iter().map(|e| (e.kind, e.title))),
            of(EntryKind::Solver),
        ]
    })
}

fn table(entries: impl Iterator<Item = (&'static str, &'static str)>) -> EntryTexts {
    // No entry has a zero byte: a test looks at them all.
    let text = |s: &str| CString::new(s).unwrap_or_default();
    entries.map(|(id, title)| (text(id), text(title))).collect()
}

/// Takes the number, not the enumeration: C may pass any.
fn find(catalog: i32) -> Option<&'static EntryTexts> {
    let mut found = None;
    guard(|| {
        found = ORDER.iter().position(|c| *c as i32 == catalog).map(|n| &tables()[n]);
        Ok(())
    });
    found
}

/// The name of a solver as C has it.
pub(crate) fn solver_text(id: &str) -> &'static CStr {
    let solvers = tables().last();
    let found =
        solvers.and_then(|all| all.iter().find(|(text, _)| text.as_bytes() == id.as_bytes()));
    found.map_or(c"", |(text, _)| text)
}

/// How many entries a table has; 0 if there is no such table. `catalog` is one of polhode_catalog.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_catalog_size(catalog: i32) -> usize {
    find(catalog).map_or(0, Vec::len)
}

/// The name of an entry, counted from 0; NULL if there is none. The text belongs to the library.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_catalog_id(catalog: i32, index: usize) -> *const c_char {
    let entry = find(catalog).and_then(|table| table.get(index));
    entry.map_or(core::ptr::null(), |(id, _)| id.as_ptr())
}

/// One line on what an entry is (of a preset: the pair it stands for); NULL if there is none. The
/// text belongs to the library.
#[unsafe(no_mangle)]
pub extern "C" fn polhode_catalog_title(catalog: i32, index: usize) -> *const c_char {
    let entry = find(catalog).and_then(|table| table.get(index));
    entry.map_or(core::ptr::null(), |(_, title)| title.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::tables;

    #[test]
    fn every_entry_has_a_name_and_a_title() {
        for table in tables() {
            assert!(table.iter().all(|(id, title)| !id.is_empty() && !title.is_empty()));
        }
    }
}
