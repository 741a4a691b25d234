//! The tests of the experiments, one module per subject, in one program. Only the page in a browser (`page.rs`) is a
//! program of its own: it needs what not every machine has.
#![allow(clippy::unwrap_used)]

mod document;
mod reproduce;

#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), folder.as_ref());
}
