//! Files that are written at once, when everything is known.

use std::path::{Path, PathBuf};

use super::format::unknown_format;
use super::part::{ABANDONED, PartFile, Replace};
use super::write_beside;
use crate::failure::Failure;

/// A file to be.
pub(crate) struct Document {
    path: PathBuf,
    force: bool,
}

impl Document {
    /// Sees to it that the file may be written, before any work is done for it.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is there already and may not be replaced, or cannot be made.
    pub(crate) fn new(path: PathBuf, force: bool) -> Result<Self, Failure> {
        // Nothing is left behind, however the command ends before the file is written.
        PartFile::create(&path, Replace::forced(force), ABANDONED)?.discard();
        Ok(Self { path, force })
    }

    /// [`Document::new`] for a page.
    ///
    /// # Errors
    /// The same, and if its name does not end as that of a page.
    pub(crate) fn page(path: &Path, force: bool) -> Result<Self, Failure> {
        if path.extension().is_none_or(|e| e != "html") {
            return Err(unknown_format(path, &["html"]));
        }
        Self::new(path.to_owned(), force)
    }

    /// Writes it, and beside it how it was made if its format has no place for that.
    ///
    /// # Errors
    /// [`Failure::Running`] if they cannot be written.
    pub(crate) fn write_with_meta(self, contents: &[u8], meta: &str) -> Result<(), Failure> {
        let path = self.path.clone();
        self.write(contents)?;
        write_beside(&path, meta)
            .map_err(|e| Failure::file(&path, "cannot say how it was made", &e))
    }

    /// Writes it: to `FILE.part`, renamed when it is whole.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be written.
    pub(crate) fn write(self, contents: &[u8]) -> Result<(), Failure> {
        let mut part = PartFile::create(&self.path, Replace::forced(self.force), ABANDONED)?;
        if let Err(e) = part.write(contents) {
            part.discard();
            return Err(Failure::file(&self.path, "cannot write it", &e));
        }
        part.finish().map_err(|e| Failure::file(&self.path, "cannot write it", &e))
    }
}
