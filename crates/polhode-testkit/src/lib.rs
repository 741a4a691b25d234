//! Test support: reference data, reference solutions, random bodies and error measures.
//!
//! | what | where |
//! |---|---|
//! | reference solutions stored in `oracle/`, checked against their hashes | [`oracle`], [`manifest`] |
//! | a reference for any free body, without elliptic functions | [`FreeReference`], [`ulp_sensitivity`] |
//! | random bodies of every kind | [`bodies`] |
//! | errors, their distribution, observed orders | [`compare`] |
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
pub mod compare;
mod dd_math;
mod decimal;
mod elliptic_reference;
mod elliptic_rows;
mod equations;
pub mod manifest;
pub mod oracle;
mod recurrence;
mod reference;
mod rng;
mod sensitivity;
mod special;
mod special_errors;
mod taylor;

pub use dd_math::{atan2, sin_cos};
pub use decimal::parse_dd;
pub use elliptic_reference::reference;
pub use elliptic_rows::{ELLIPTIC_BOUNDS, EllipticRow, elliptic_rows, evaluate};
pub use reference::FreeReference;
pub use sensitivity::ulp_sensitivity;
pub use special_errors::{FunctionErrors, special_function_errors};
