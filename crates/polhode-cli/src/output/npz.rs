//! `.npz`: arrays for NumPy, in an archive without compression.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem::ManuallyDrop;

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System};

use super::bodies::BodyRow;
use super::file::Writer;
use super::format::Format;
use super::spool::{Assembly, SpoolRow, SpoolRows};
use super::{ExtraColumns, Row, RowUnits};

pub(super) const FORMAT: Format = Format {
    extension: "npz",
    about: "has the same as .csv, as arrays for NumPy, and how it was made in the entry meta, a JSON text",
    made_beside: false,
    run: |_, setting| {
        let (units, columns) = (RowUnits::of(setting), ExtraColumns::of(setting));
        let meta = setting.meta.to_owned();
        Ok(Writer::Spool(Box::new(Npz { units, columns, meta })))
    },
    bodies: Some(|_, setting| {
        let (watched, meta) = (setting.watched.to_vec(), setting.meta.to_owned());
        Writer::Spool(Box::new(BodiesNpz { watched, meta }))
    }),
    comparison: None,
};

struct Npz {
    units: RowUnits,
    columns: ExtraColumns,
    /// How it was made.
    meta: String,
}

struct BodiesNpz {
    /// The names of what is watched.
    watched: Vec<String>,
    /// How it was made.
    meta: String,
}

/// An array with one entry a row, of so many words of eight bytes.
struct Array<'a, R> {
    name: &'a str,
    /// NumPy's name for the type of its numbers.
    kind: &'static str,
    /// The shape of an entry.
    shape: &'static [usize],
    entry: ArrayEntry<'a, R>,
}

/// What an array has of a row.
type ArrayEntry<'a, R> = Box<dyn Fn(&R) -> Vec<u64> + 'a>;

impl<'a, R: 'a> Array<'a, R> {
    fn doubles<const N: usize>(
        name: &'a str,
        shape: &'static [usize],
        numbers: impl Fn(&R) -> [f64; N] + 'a,
    ) -> Self {
        let entry = Box::new(move |row: &R| numbers(row).map(f64::to_bits).to_vec());
        Self { name, kind: "<f8", shape, entry }
    }

    fn number(name: &'a str, number: impl Fn(&R) -> f64 + 'a) -> Self {
        Self::doubles(name, &[], move |row| [number(row)])
    }

    fn integer(name: &'a str, kind: &'static str, word: fn(&R) -> u64) -> Self {
        Self { name, kind, shape: &[], entry: Box::new(move |row| vec![word(row)]) }
    }
}

type RunArray<'a> = Array<'a, Row>;
type BodiesArray<'a> = Array<'a, BodyRow>;

impl Assembly<Row> for Npz {
    fn assemble(&self, rows: &mut SpoolRows<Row>, out: &mut BufWriter<File>) -> io::Result<()> {
        let Self { units, columns, meta } = self;
        let attitude: ArrayEntry<'_, Row> =
            Box::new(|row| units.attitude(row).into_iter().map(f64::to_bits).collect());
        let mut arrays = vec![
            RunArray::integer("step", "<u8", |row| row.step),
            RunArray::number("t", |row| row.t),
            RunArray::doubles("momentum", &[3], |row| row.state.m.to_array()),
            RunArray::doubles("omega", &[3], |row| units.omega(row)),
            Array { name: "attitude", kind: "<f8", shape: units.attitude.shape(), entry: attitude },
            RunArray::number("energy", |row| row.energy),
            RunArray::number("energy_error", |row| row.energy_error),
            RunArray::number("momentum_error", |row| row.momentum_error),
            RunArray::number("spatial_momentum_error", |row| row.spatial_momentum_error),
        ];
        for (which, name) in columns.names().enumerate() {
            arrays.push(RunArray::number(name, move |row| columns.value(which, row)));
        }
        archive(out, &arrays, meta, rows)
    }
}

impl Assembly<BodyRow> for BodiesNpz {
    fn assemble(&self, rows: &mut SpoolRows<BodyRow>, out: &mut BufWriter<File>) -> io::Result<()> {
        let mut arrays = vec![
            BodiesArray::integer("body", "<u8", |row| row.body),
            BodiesArray::integer("step", "<u8", |row| row.step),
            BodiesArray::number("t", |row| row.t),
            BodiesArray::doubles("momentum", &[3], |row| row.state.m.to_array()),
            BodiesArray::doubles("omega", &[3], |row| row.omega.to_array()),
            BodiesArray::doubles("attitude", &[4], |row| row.state.attitude()),
            BodiesArray::number("energy", |row| row.energy),
            BodiesArray::doubles("inertia", &[3], |row| row.moments.to_array()),
            BodiesArray::integer("regime", "<i8", |row| row.motion.code()),
            BodiesArray::number("period", |row| row.motion.period),
            BodiesArray::number("precession_period", |row| row.motion.precession_period),
        ];
        for (which, name) in self.watched.iter().enumerate() {
            arrays.push(BodiesArray::number(name, move |row| row.watched[which]));
        }
        archive(out, &arrays, &self.meta, rows)
    }
}

/// Writes the arrays, going through the rows once for each.
fn archive<R: SpoolRow>(
    out: &mut BufWriter<File>,
    arrays: &[Array<'_, R>],
    meta: &str,
    rows: &mut SpoolRows<R>,
) -> io::Result<()> {
    let count = rows.count();
    // Not dropped after an error: it would try to write its end, and complain on stderr.
    let mut archive = ManuallyDrop::new(ZipWriter::new(out));
    // The earliest date there is, and the same system everywhere: no trace of when and where it was written.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .system(System::Unix);
    for array in arrays {
        let heading = heading(array, count);
        let words: usize = array.shape.iter().product();
        let size = heading.len() as u64 + count * 8 * words as u64;
        let large = size >= u64::from(u32::MAX);
        archive.start_file(format!("{}.npy", array.name), options.large_file(large))?;
        archive.write_all(&heading)?;
        let mut buffered = BufWriter::new(&mut *archive);
        for row in rows.all()? {
            for word in (array.entry)(&row?) {
                buffered.write_all(&word.to_le_bytes())?;
            }
        }
        buffered.flush()?;
    }
    archive.start_file("meta.npy", options)?;
    archive.write_all(&preamble(&format!("|S{}", meta.len()), ""))?;
    archive.write_all(meta.as_bytes())?;
    ManuallyDrop::into_inner(archive).finish()?;
    Ok(())
}

/// What stands before the numbers of an array: NumPy's format, version 1.0.
fn heading<R>(array: &Array<'_, R>, rows: u64) -> Vec<u8> {
    let lengths = [rows].into_iter().chain(array.shape.iter().map(|&n| n as u64));
    let shape: Vec<_> = lengths.map(|n| format!("{n},")).collect();
    preamble(array.kind, &shape.join(" "))
}

fn preamble(kind: &str, shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // With magic, version and length, ten bytes, and a newline the numbers begin at a multiple of 64.
    let blanks = (10 + text.len() + 1).next_multiple_of(64) - (10 + text.len() + 1);
    let text = text + &" ".repeat(blanks) + "\n";
    #[allow(clippy::cast_possible_truncation, reason = "two lines of text at most")]
    let length = (text.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes()].concat()
}
