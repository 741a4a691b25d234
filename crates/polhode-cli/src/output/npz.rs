//! `.npz`: arrays for NumPy, in an archive without compression.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem::ManuallyDrop;

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System};

use super::spool::{Assembly, Rows};
use super::{Columns, Format, Row, Units, Writer};

pub(super) const FORMAT: Format = Format {
    extension: "npz",
    about: "has the same as .csv, as arrays for NumPy, and how it was made in the entry meta, a JSON text",
    make: |_, setting| {
        let (units, columns) = (Units::of(setting), Columns::of(setting));
        let meta = setting.meta.to_owned();
        Ok(Writer::Spool(Box::new(Npz { units, columns, meta })))
    },
};

struct Npz {
    units: Units,
    columns: Columns,
    /// How it was made.
    meta: String,
}

/// An array with one entry a row, of so many words of eight bytes.
pub(super) struct Array<'a, R> {
    pub(super) name: &'a str,
    /// NumPy's name for the type of its numbers.
    pub(super) kind: &'static str,
    /// The shape of an entry.
    pub(super) shape: &'static [usize],
    pub(super) entry: Entry<'a, R>,
}

/// What an array has of a row.
pub(super) type Entry<'a, R> = Box<dyn Fn(&R) -> Vec<u64> + 'a>;

/// Shows all rows, one after the other.
pub(super) type Visit<'a, R> =
    dyn FnMut(&mut dyn FnMut(&R) -> io::Result<()>) -> io::Result<()> + 'a;

pub(super) fn bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    numbers.into_iter().map(f64::to_bits).collect()
}

impl Assembly for Npz {
    fn assemble(&self, rows: &mut Rows, out: &mut BufWriter<File>) -> io::Result<()> {
        let units = self.units;
        let double = |name, shape, entry: fn(&(Units, Row)) -> Vec<u64>| Array {
            name,
            kind: "<f8",
            shape,
            entry: Box::new(entry),
        };
        let step: Entry<'_, (Units, Row)> = Box::new(|(_, r)| vec![r.step]);
        let mut arrays: Vec<Array<'_, (Units, Row)>> = vec![
            Array { name: "step", kind: "<u8", shape: &[], entry: step },
            double("t", &[], |(_, r)| bits([r.t])),
            double("momentum", &[3], |(_, r)| bits(r.state.m.to_array())),
            double("omega", &[3], |(u, r)| bits(u.omega(r))),
            double("attitude", units.attitude.shape(), |(u, r)| bits(u.attitude(r))),
            double("energy", &[], |(_, r)| bits([r.energy])),
            double("energy_error", &[], |(_, r)| bits([r.energy_error])),
            double("momentum_error", &[], |(_, r)| bits([r.momentum_error])),
            double("spatial_momentum_error", &[], |(_, r)| bits([r.spatial_momentum_error])),
        ];
        for (which, name) in self.columns.names().enumerate() {
            let entry: Entry<'_, (Units, Row)> =
                Box::new(move |(_, r)| bits([self.columns.value(which, r)]));
            arrays.push(Array { name, kind: "<f8", shape: &[], entry });
        }
        let count = rows.count();
        archive(out, count, &arrays, &self.meta, &mut |show| {
            for row in rows.all()? {
                show(&(units, row?))?;
            }
            Ok(())
        })
    }
}

/// Writes arrays of so many rows, going through these once for each.
pub(super) fn archive<R>(
    out: &mut BufWriter<File>,
    count: u64,
    arrays: &[Array<'_, R>],
    meta: &str,
    rows: &mut Visit<'_, R>,
) -> io::Result<()> {
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
        rows(&mut |row| {
            for word in (array.entry)(row) {
                buffered.write_all(&word.to_le_bytes())?;
            }
            Ok(())
        })?;
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
