//! The tests of the program, one module per subject: most of them start it as a user would.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

mod bad_ensembles;
mod bad_input;
mod bad_runs;
mod body_table;
mod carried;
mod catalogue;
mod check;
#[cfg(unix)]
mod checkpoint;
mod compare;
mod ensemble;
mod ensemble_alone;
mod ensemble_more;
mod fit;
mod free;

mod given;
mod inside;
#[cfg(target_os = "linux")]
mod memory;
mod origins;
mod own_methods;
mod reproduce;
#[cfg(target_os = "linux")]
mod resume;
mod run;
mod scenario_reference;
mod solution;
mod support;
mod tangent;
mod tasks;
#[cfg(unix)]
mod terminal;
mod view;
#[cfg(unix)]
mod watch;

#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), folder.as_ref());
}
