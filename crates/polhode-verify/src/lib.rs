//! Is it right, and which method is the right one?
//!
//! | question | answer |
//! |---|---|
//! | What is the motion of this problem, as well as doubles can tell? | [`Reference`] |
//! | Is a trajectory that some program computed right, and if not, why? | [`check`] |
//! | Which method, in which step, reaches an error at the least cost? | [`compare`] |
#![forbid(unsafe_code)]

pub mod check;
pub mod compare;
mod reference;
#[doc(hidden)]
pub mod taylor;

pub use polhode::Errors;
pub use reference::{ConvergedSolution, Reference, ReferenceError};
