//! The figures and claims of five papers, computed anew.
//!
//! The papers are called 000 to 004 as everywhere in polhode; `docs/notation.md` has their titles and
//! their misprints. There is one module per paper and one function per figure. Each
//! gives the figure as data and the paper's claims about it as [`Claim`]s: what was expected, what is
//! measured, and whether that holds. A claim that does not hold is reported as it is.
//!
//! [`reproduce`] runs a selection and writes figures (SVG), their data (CSV), `claims.json` and
//! `index.html` into a folder.

mod chunks;
mod claim;
mod context;
pub mod drivers;
mod error;
mod files;
mod measure;
mod p000;
mod p001;
mod p002;
mod p003;
mod p004;
mod page;
mod product;
mod report;
mod reproduce;
mod select;
mod spread;
mod structure;
mod timing;

pub use claim::{Claim, Verdict};
pub use context::{Context, Progress, Silent, Size};
pub use error::ExperimentError;
pub use product::{Experiment, Product};
pub use report::report;
pub use reproduce::{Outcome, estimate, reproduce};
pub use select::{PAPERS, Paper, experiments, select};
