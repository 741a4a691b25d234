//! Tests of the step.

mod accuracy;
mod bits;
mod conversions;
mod finite;
mod hour;
mod support;

#[test]
fn every_file_is_a_module() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), &folder);
}
