//! The tests of the library, one module per subject, in one program.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

mod dd_math;
mod domains;
mod limits;
mod oracle;
mod support;
mod third_kind;

#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), folder.as_ref());
}
