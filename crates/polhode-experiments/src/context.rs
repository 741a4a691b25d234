//! How large an experiment is to be, where it keeps what is finished, and whom it tells.

use std::path::{Path, PathBuf};

/// How much of an experiment is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Everything, at reduced size: seconds.
    Quick,
    /// As in the papers.
    Full,
}

/// Told how far an experiment has come.
pub trait Progress: Sync {
    /// An experiment begins, with so many equal parts.
    fn begin(&self, id: &str, parts: u64);
    /// One part is done.
    fn advance(&self);
    /// The experiment is done.
    fn end(&self);
}

/// Progress that nobody is told of.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _id: &str, _parts: u64) {}
    fn advance(&self) {}
    fn end(&self) {}
}

/// What an experiment is run with.
pub struct Context<'a> {
    /// Reduced or as in the paper.
    pub size: Size,
    /// Where the results go; finished parts of long runs are kept below it.
    pub out: &'a Path,
    /// Told how far it is.
    pub progress: &'a dyn Progress,
}

impl Context<'_> {
    /// One of two values, by size.
    pub(crate) fn pick<T>(&self, quick: T, full: T) -> T {
        match self.size {
            Size::Quick => quick,
            Size::Full => full,
        }
    }

    /// Where finished parts of long runs are kept.
    pub(crate) fn parts(&self) -> PathBuf {
        self.out.join("parts")
    }
}
