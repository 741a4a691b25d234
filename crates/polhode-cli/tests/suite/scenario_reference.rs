//! The reference of scenarios, as a document and from the program.

use std::fs;
use std::path::Path;

use crate::support::Folder;

#[test]
fn the_document_is_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.md");
    let text = Folder::new().good("scenario-reference");
    if std::env::var_os("POLHODE_UPDATE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/scenario.md: `cargo xtask docs` writes it anew");
}

#[test]
fn one_section_alone() {
    let folder = Folder::new();
    let start = folder.good("scenario-reference start");
    assert!(start.starts_with("[start]\n") && start.contains("| `attitude` |"), "{start}");
    assert!(!start.contains("[run]"));
    assert!(folder.good("scenario-reference [output.aem]").contains("start_epoch"));
    assert!(folder.refused("scenario-reference strat").contains("did you mean 'start'?"));
}
