//! Derivatives of motions: against reference data, identities, and differences.

mod gradients;
mod identities;
mod reference;
mod runs;
mod solutions;
