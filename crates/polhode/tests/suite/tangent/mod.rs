//! Derivatives of motions: against reference data, identities, and differences.
#![allow(clippy::needless_range_loop, reason = "rows and columns of several matrices at once")]

mod gradients;
mod identities;
mod long_steps;
mod motions;
mod program;
mod reference;
mod runs;
mod schemes;
mod solutions;
mod symmetries;
mod watched;
