//! Rows as bytes, for formats that can be written only when all rows are known.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;

use polhode::State;
use polhode::glam::{DQuat, DVec3};

use super::part::{Mark, PartFile, changed};
use super::{InsideNumbers, Output, Row};
use crate::failure::Failure;

/// Doubles of a row beside its step.
const NUMBERS: usize = 15;
const BYTES: usize = 8 + 8 * NUMBERS;

/// The bytes of a row with so many numbers of what moves inside the body.
fn bytes_with(inside: usize) -> usize {
    BYTES + 8 * inside
}

/// A format that is put together from all rows.
pub(super) trait Assembly {
    fn assemble(&self, rows: &mut Rows, out: &mut BufWriter<File>) -> io::Result<()>;
}

/// Rows of a file in the making.
pub(super) struct SpoolOutput {
    part: PartFile,
    assembly: Box<dyn Assembly>,
    inside: usize,
}

impl SpoolOutput {
    /// Of rows with so many numbers of what moves inside the body.
    pub(super) fn new(part: PartFile, assembly: Box<dyn Assembly>, inside: usize) -> Self {
        Self { part, assembly, inside }
    }

    pub(super) fn reopen(
        path: &Path,
        mark: &Mark,
        assembly: Box<dyn Assembly>,
        inside: usize,
    ) -> Result<Self, Failure> {
        let part = PartFile::reopen(path, mark)?;
        if !part.length().is_multiple_of(bytes_with(inside) as u64) {
            return Err(changed(path));
        }
        Ok(Self { part, assembly, inside })
    }
}

impl Output for SpoolOutput {
    fn row(&mut self, row: &Row) -> io::Result<()> {
        self.part.write(&to_bytes(row))?;
        for number in row.inside.all() {
            self.part.write(&number.to_le_bytes())?;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<Mark> {
        self.part.sync()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { part, assembly, inside } = *self;
        part.replace(|part, out| {
            let count = part.length() / bytes_with(inside) as u64;
            let mut rows = Rows { file: BufReader::new(part.read()?), count, inside };
            assembly.assemble(&mut rows, out)
        })
    }

    fn discard(self: Box<Self>) {
        self.part.discard();
    }
}

/// The rows of a spool, to be read as often as needed.
pub(super) struct Rows {
    file: BufReader<File>,
    count: u64,
    inside: usize,
}

impl Rows {
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn first(&mut self) -> io::Result<Option<Row>> {
        self.all()?.next().transpose()
    }

    pub(super) fn last(&mut self) -> io::Result<Option<Row>> {
        let Some(before) = self.count.checked_sub(1) else { return Ok(None) };
        self.file.seek(SeekFrom::Start(before * bytes_with(self.inside) as u64))?;
        read(&mut self.file, self.inside).map(Some)
    }

    /// From the first to the last.
    pub(super) fn all(&mut self) -> io::Result<impl Iterator<Item = io::Result<Row>>> {
        self.file.rewind()?;
        let (file, inside) = (&mut self.file, self.inside);
        Ok((0..self.count).map(move |_| read(file, inside)))
    }
}

fn read(file: &mut impl Read, inside: usize) -> io::Result<Row> {
    let mut bytes = [0; BYTES];
    file.read_exact(&mut bytes)?;
    let mut row = from_bytes(&bytes);
    if inside > 0 {
        let mut numbers = vec![0.0; inside];
        for number in &mut numbers {
            let mut eight = [0; 8];
            file.read_exact(&mut eight)?;
            *number = f64::from_le_bytes(eight);
        }
        row.inside = InsideNumbers::new(&numbers);
    }
    Ok(row)
}

fn to_bytes(row: &Row) -> [u8; BYTES] {
    let State { m, q } = row.state;
    let w = row.omega;
    let numbers: [f64; NUMBERS] = [
        row.t,
        m.x,
        m.y,
        m.z,
        w.x,
        w.y,
        w.z,
        q.x,
        q.y,
        q.z,
        q.w,
        row.energy,
        row.energy_error,
        row.momentum_error,
        row.spatial_momentum_error,
    ];
    let mut bytes = [0; BYTES];
    bytes[..8].copy_from_slice(&row.step.to_le_bytes());
    for (place, x) in bytes[8..].chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&x.to_le_bytes());
    }
    bytes
}

fn from_bytes(bytes: &[u8; BYTES]) -> Row {
    let mut words = [0; NUMBERS + 1];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        *word = u64::from_le_bytes(eight);
    }
    let x = |n: usize| f64::from_bits(words[n]);
    let vector = |n: usize| DVec3::new(x(n), x(n + 1), x(n + 2));
    Row {
        step: words[0],
        t: x(1),
        state: State { m: vector(2), q: DQuat::from_xyzw(x(8), x(9), x(10), x(11)) },
        omega: vector(5),
        energy: x(12),
        energy_error: x(13),
        momentum_error: x(14),
        spatial_momentum_error: x(15),
        inside: InsideNumbers::NONE,
    }
}
