//! The tests of references, checks and comparisons, one module each.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

mod check;
mod compare;
#[path = "../../../polhode/tests/suite/problems.rs"]
mod problems;
mod reference;
mod stop;

#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), folder.as_ref());
}
