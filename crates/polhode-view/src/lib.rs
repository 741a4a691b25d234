#![doc = include_str!("../README.md")]
//!
//! # Conventions
//! Moments have the momentum in the body frame and the attitude from body to space, as everywhere in `polhode`. Numbers
//! go to the page in single precision, more than a screen shows; times in double.
#![forbid(unsafe_code)]

mod body;
mod film;
mod page;
mod run;
mod still;
mod thinning;

pub use body::{Look, Solid};
pub use film::{Film, FilmMoment};
pub use page::Page;
pub use run::PageRun;

/// Why there is no film or no page.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A film without moments.
    #[error("there is nothing to show: no moment is given")]
    NoMoments,
    /// A time, a momentum or an attitude is infinite or not a number.
    #[error("moment {index}, counted from 0: a number is not finite")]
    NotFinite {
        /// Which one, in the order of time.
        index: usize,
    },
    /// Times must grow, or fall, from one moment to the next.
    #[error("t = {after:?} follows t = {before:?}: times must go in one direction")]
    Order {
        /// The time of a moment.
        before: f64,
        /// The time of the moment after it.
        after: f64,
    },
    /// A row of numbers that does not belong to the moments.
    #[error("{name}: {given} numbers for {moments} moments")]
    Length {
        /// What is watched.
        name: String,
        /// How many numbers were given.
        given: usize,
        /// How many moments the film has.
        moments: usize,
    },
    /// A page without a run.
    #[error("a page needs a run")]
    NoRuns,
    /// The motion could not be computed.
    #[error("the motion cannot be shown: {0}")]
    Motion(String),
}
