//! The figures and claims of five papers, computed anew.
//!
//! [`PAPERS`] has the names of the papers, `docs/notation.md` their misprints. There is one module per
//! paper and one function per figure. Each gives the figure as data and the paper's claims about it as
//! [`Claim`]s: what was expected, what is measured, and whether that holds. A claim that does not hold
//! is reported as it is.
//!
//! [`reproduce`] runs a selection and writes figures (SVG), their data (CSV), `claims.json` and
//! `index.html` into a folder.

mod celledoni_safstrom;
mod chunks;
mod claim;
mod context;
mod drivers;
mod error;
mod files;
mod frb_fortran;
mod krysl;
mod measure;
mod page;
mod product;
mod report;
mod reproduce;
mod select;
mod spread;
mod structure;
mod thread;
mod timing;
mod vilmart;

pub use claim::{Claim, ClaimVerdict};
pub use context::{Context, Progress, Silent, Size};
pub use error::ExperimentError;
pub use product::{Experiment, Product};
pub use report::report;
pub use reproduce::{ExperimentOutcome, estimate, reproduce};
pub use select::{PAPERS, Paper, experiments, select};
