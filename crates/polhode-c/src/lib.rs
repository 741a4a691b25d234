//! The C and Fortran interface of polhode.
//!
//! `include/polhode.h` is written from the doc comments of this crate by cbindgen and documents the C
//! interface; `fortran/polhode.f90` is the Fortran module. Here is what holds for all of it:
//!
//! - Everything that can fail returns a [`error::polhode_status`] and leaves a message for its thread.
//! - [`error::guard`] stands between what an exported function computes and its caller: no panic
//!   crosses. Only what reads or sets a value, and cannot panic, does without.
//! - Pointers are checked for NULL and sizes for sense; what lies behind a pointer is the caller's word.
//! - Handles are boxes; what the library allocates, a function of the library frees.
//! - No state is global but one switch, for the Fortran routines: [`fortran::polhode_use_exact`].
#![allow(unsafe_code, reason = "pointers are what a C interface is made of")]
#![allow(non_camel_case_types, reason = "one name for a type, in Rust and in the header")]
#![allow(unreachable_pub, reason = "cbindgen writes the header from what is pub")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the doc comments become the header, which says once what callers owe"
)]

mod body;
mod catalog;
mod controller;
mod elliptic;
mod elliptic_m;
mod ensemble;
mod error;
mod event;
/// cbindgen:ignore
mod fortran;
/// cbindgen:ignore
mod fortran_components;
mod free_motion;
mod inside;
mod method;
mod pointer;
mod run;
mod so3;
mod solve;
mod state;
mod switch;
mod tangent;
mod torque;

/// Handles may be shared between threads, as the header promises.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<body::polhode_body>();
    shared::<ensemble::polhode_ensemble>();
    shared::<free_motion::polhode_free_motion>();
    shared::<method::polhode_method>();
    shared::<run::polhode_run>();
    shared::<solve::polhode_solution>();
    shared::<torque::polhode_torque>();
};
