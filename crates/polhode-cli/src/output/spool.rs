//! Rows as words of eight bytes, for formats that can be written only when all rows are known.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::marker::PhantomData;

/// A row that can be spooled: rows of one file have the same number of words.
pub(crate) trait SpoolRow: Sized {
    fn words(&self) -> Vec<u64>;

    fn from_words(words: &[u64]) -> Self;
}

/// A format that is put together from all rows.
pub(crate) trait Assembly<R>: Send {
    fn assemble(&self, rows: &mut SpoolRows<R>, out: &mut BufWriter<File>) -> io::Result<()>;
}

/// The bytes of a row in the spool.
pub(super) fn to_bytes(row: &impl SpoolRow) -> Vec<u8> {
    row.words().into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The rows of a spool, to be read as often as needed.
pub(crate) struct SpoolRows<R> {
    file: BufReader<File>,
    count: u64,
    /// Bytes of a row.
    width: u64,
    row: PhantomData<R>,
}

impl<R: SpoolRow> SpoolRows<R> {
    /// Of a spool of this length, with rows of so many bytes.
    pub(super) fn new(file: File, length: u64, width: u64) -> Self {
        Self { file: BufReader::new(file), count: length / width, width, row: PhantomData }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn first(&mut self) -> io::Result<Option<R>> {
        self.all()?.next().transpose()
    }

    pub(super) fn last(&mut self) -> io::Result<Option<R>> {
        let Some(before) = self.count.checked_sub(1) else { return Ok(None) };
        self.from(before)?.next().transpose()
    }

    /// From the first to the last.
    pub(super) fn all(&mut self) -> io::Result<impl Iterator<Item = io::Result<R>>> {
        self.from(0)
    }

    fn from(&mut self, first: u64) -> io::Result<impl Iterator<Item = io::Result<R>>> {
        self.file.seek(SeekFrom::Start(first * self.width))?;
        let words = usize::try_from(self.width / 8).map_err(io::Error::other)?;
        let file = &mut self.file;
        Ok((first..self.count).map(move |_| {
            let mut row = vec![0; words];
            for word in &mut row {
                let mut bytes = [0; 8];
                file.read_exact(&mut bytes)?;
                *word = u64::from_le_bytes(bytes);
            }
            Ok(R::from_words(&row))
        }))
    }
}
