//! Test support: reference data, random bodies and error measures.
//!
//! | what | where |
//! |---|---|
//! | reference solutions stored in `oracle/`, checked against their hashes | [`oracle`] |
//! | random bodies of every kind | [`bodies`] |
//! | errors, their distribution, observed orders | [`compare`] |
//! | steps that physics engines have | [`engines`] |
//! | whether colours can be told apart, also by the colour-blind | [`colour`] |
//! | kernels in double-double | [`Wide`] |
//! | test programs of many files | [`suite`] |
//!
//! Plain arrays are the interface: vectors `[x, y, z]`, quaternions `[w, x, y, z]` taking body to
//! space coordinates. This crate does not depend on the library it tests.
//!
//! Elementary functions are those of the `libm` crate: what is random here, and what is measured
//! with it, is the same on every platform.
//!
//! Functions here panic on misuse and on damaged data: a test that cannot run must not pass.
#![forbid(unsafe_code)]

pub mod bodies;
pub mod colour;
pub mod compare;
mod decimal;
mod elliptic_reference;
mod elliptic_rows;
pub mod engines;
mod manifest;
pub mod markdown;
pub mod oracle;
mod rng;
mod special;
mod special_errors;
pub mod suite;
pub mod tangents;
mod wide;

pub use decimal::parse_dd;
pub use elliptic_reference::reference;
pub use elliptic_rows::{ELLIPTIC_BOUNDS, EllipticRow, elliptic_rows, evaluate};
pub use special_errors::{FunctionErrors, special_function_errors};
pub use wide::Wide;

/// The examples of the repository's README, compiled and run; they lie outside of every package.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The example of the page on solving, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/solving.md")]
struct SolvingPage;

/// The worked example of CONTRIBUTING, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct ContributingPage;
