//! The tests of the library, one module per subject. One program for all of them: linking and
//! optimising thirty would take longer than running them.
//!
//! Only what replaces the allocator (`no_allocation.rs`) is a program of its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

mod accuracy;
mod battery;
mod branches;
mod conformance;
mod control;
mod dmv;
mod dmv_poisson;
mod dmv_round_off;
mod engine_step;
mod ensemble;
mod exact_round_off;
mod given;
mod inside;
mod krysl;
mod lie_midpoint;
mod method_conduct;
mod method_tables;
mod methods;
mod motion;
mod observables;
mod oracle;
mod papers;
mod problems;
mod properties;
mod rotor_table;
mod rotors;
mod solve;
mod splittings;
mod tangent;
mod tensor;
mod three_rotations;
mod torqued;
mod torques;

#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");
    polhode_testkit::suite::every_file_is_a_module(include_str!("main.rs"), folder.as_ref());
}
