//! Bodies that are known, measured with noise that is known.

#![allow(clippy::unwrap_used)]

mod bad_data;
mod bodies;
mod filter;
mod open;
mod sensors;
mod simulated;
mod torques;

#[test]
fn every_file_is_a_module() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), &folder);
}
