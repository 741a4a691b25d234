//! A file of rows in the making: those of a run, or of the bodies of an ensemble.

use std::io;
use std::path::Path;

use super::part::{PartFile, PartMark, RESUMABLE, Replace, changed};
use super::spool::{Assembly, SpoolRow, SpoolRows, to_bytes};
use crate::failure::Failure;

/// How a format makes a file of rows.
pub(crate) enum Writer<R> {
    /// From top to bottom.
    Text(Box<dyn Lines<R>>),
    /// From all rows together.
    Spool(Box<dyn Assembly<R>>),
}

/// A format of text that is written from top to bottom.
pub(crate) trait Lines<R>: Send {
    /// What stands before the rows.
    fn heading(&self) -> String;

    fn line(&self, row: &R) -> io::Result<String>;
}

/// A row that files are made of.
pub(crate) trait FileRow: SpoolRow {
    /// What writers need to know beside the rows.
    type Setting<'a>;

    /// The writer of the format that the extension says.
    ///
    /// # Errors
    /// [`Failure::Input`] if there is no such format, or it lacks what it needs.
    fn writer(path: &Path, setting: &Self::Setting<'_>) -> Result<Writer<Self>, Failure>;

    /// How many words a row has.
    fn width(setting: &Self::Setting<'_>) -> usize;
}

/// A file in the making. It stays when dropped: a resumed run goes on with it.
pub(crate) struct RowFile<R> {
    part: PartFile,
    writer: Writer<R>,
    /// The bytes of a row in a spool.
    width: u64,
}

impl<R: FileRow> RowFile<R> {
    /// Opens `FILE.part` for a new file.
    ///
    /// # Errors
    /// [`Failure::Input`] if there is no such format, it lacks what it needs, or the file cannot be
    /// made there.
    pub(crate) fn create(
        path: &Path,
        replace: Replace,
        setting: &R::Setting<'_>,
    ) -> Result<Self, Failure> {
        let writer = R::writer(path, setting)?;
        let mut part = PartFile::create(path, replace, RESUMABLE)?;
        if let Writer::Text(lines) = &writer {
            part.write(lines.heading().as_bytes())?;
        }
        Ok(Self { part, writer, width: 8 * R::width(setting) as u64 })
    }

    /// Goes on with `FILE.part`: cuts it where a mark was set, and appends.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is not there or not what it was.
    pub(crate) fn reopen(
        path: &Path,
        mark: &PartMark,
        setting: &R::Setting<'_>,
    ) -> Result<Self, Failure> {
        let writer = R::writer(path, setting)?;
        let part = PartFile::reopen(path, mark)?;
        let width = 8 * R::width(setting) as u64;
        if matches!(writer, Writer::Spool(_)) && !part.length().is_multiple_of(width) {
            return Err(changed(path));
        }
        Ok(Self { part, writer, width })
    }

    pub(crate) fn row(&mut self, row: &R) -> io::Result<()> {
        match &self.writer {
            Writer::Text(lines) => self.part.write(lines.line(row)?.as_bytes()),
            Writer::Spool(_) => self.part.write(&to_bytes(row)),
        }
    }

    /// How many bytes `FILE.part` has.
    pub(crate) fn length(&self) -> u64 {
        self.part.length()
    }

    /// Everything written so far is on the disk; how far `FILE.part` goes.
    pub(crate) fn sync(&mut self) -> io::Result<PartMark> {
        self.part.sync()
    }

    /// A mark at what was its length some time ago.
    pub(crate) fn mark_at(&mut self, length: u64) -> io::Result<PartMark> {
        self.part.mark_at(length)
    }

    /// Completes the file and renames it into place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Text(_) => self.part.finish(),
            Writer::Spool(assembly) => self.part.replace(|part, out| {
                let mut rows = SpoolRows::new(part.read()?, part.length(), self.width);
                assembly.assemble(&mut rows, out)
            }),
        }
    }

    /// Gives the file up and leaves nothing behind.
    pub(crate) fn discard(self) {
        self.part.discard();
    }
}
