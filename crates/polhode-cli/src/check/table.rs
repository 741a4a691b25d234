//! Tables of numbers in CSV files, read row by row.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use csv::ByteRecord;
use polhode::so3;
use polhode_verify::check::{Attitudes, CheckError, Samples};

use super::columns::{AttitudePlaces, ColumnNames, Places, listed};
use super::fields::{
    Fields, LONGEST_LINE, LineLimit, check_header, delimiter, is_missing, text, varies,
};
use super::source::{self, OpenError, TableText};
use crate::attitude::AttitudeFormat;
use crate::failure::Failure;
use crate::numbers::quote;

/// More rows are refused: they would fill gigabytes.
const MOST_ROWS: usize = 5_000_000;

/// A trajectory from a file.
pub(crate) struct TrajectoryTable {
    pub(crate) name: String,
    pub(crate) samples: Samples,
    /// The directions seen of each vector.
    pub(crate) directions: Vec<Vec<[f64; 3]>>,
    /// How many rows were left out because something is missing in them.
    pub(crate) skipped: usize,
    /// What was not read and looks as if it were meant to be.
    pub(crate) note: Option<String>,
    /// Which columns were read, and which there are.
    pub(crate) columns: String,
    header: String,
    /// The line of every sample, from 1.
    lines: Vec<u64>,
    /// The most significant digits that a number of momentum, omega and attitude has.
    digits: [usize; 3],
}

/// What is said of a file that is not there.
pub(super) const NO_FILE: &str = "no such file; check the path";

impl TrajectoryTable {
    pub(crate) fn load(path: &Path, columns: &ColumnNames) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let unreadable = |e: &io::Error| {
            let why = match e.kind() {
                io::ErrorKind::NotFound => NO_FILE.to_owned(),
                io::ErrorKind::IsADirectory => "is a directory; name a CSV file in it".to_owned(),
                _ => format!("cannot be read: {e}; check the path and its permissions"),
            };
            Failure::Input(format!("{name}: {why}"))
        };
        let TableText { input, shift, meta } = source::open(path).map_err(|e| match e {
            OpenError::Io(e) => unreadable(&e),
            OpenError::Form(Some(line), why) => Failure::Input(format!("{name}:{line}: {why}")),
            OpenError::Form(None, why) => Failure::Input(format!("{name}: {why}")),
        })?;
        let mut columns = columns.clone();
        // A file of this program's that says what its angles are need not be told.
        if let (None, Some(AttitudeFormat::Euler(sequence))) =
            (columns.euler, meta.map(|m| m.attitude))
        {
            columns.euler = Some(sequence);
        }
        Self::read_shifted(input, &name, &columns, shift).map_err(Failure::Input)
    }

    /// Reads a table; the name is for messages, which are one line, `name:line: ...`.
    pub(crate) fn read(
        input: impl Read,
        name: &str,
        columns: &ColumnNames,
    ) -> Result<Self, String> {
        Self::read_shifted(input, name, columns, 0)
    }

    /// The same, where the first lines do not come from the file.
    fn read_shifted(
        input: impl Read,
        name: &str,
        columns: &ColumnNames,
        shift: u64,
    ) -> Result<Self, String> {
        let mut input = BufReader::with_capacity(LONGEST_LINE, LineLimit { input, length: 0 });
        let delimiter = match input.fill_buf() {
            Ok(start) => delimiter(start),
            Err(e) => return Err(format!("{name}: cannot be read: {e}")),
        };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .comment(Some(b'#'))
            // Rows of other lengths are ours to complain about, blank ones to skip.
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(input);
        let failed = |e: &csv::Error| {
            let line = e.position().map_or(String::new(), |p| format!(":{}", p.line()));
            let why = match e.kind() {
                csv::ErrorKind::Io(e) => format!("cannot be read: {e}"),
                _ => e.to_string(),
            };
            format!("{name}{line}: {why}")
        };
        let header = reader.byte_headers().map_err(|e| failed(&e))?.clone();
        let line = header.position().map_or(1, csv::Position::line);
        let header: Vec<String> = header.iter().map(text).collect();
        check_header(&header).map_err(|why| format!("{name}:{line}: {why}"))?;
        let places = columns.find(&header).map_err(|why| format!("{name}:{line}: {why}"))?;
        let mut table = Self::empty(name, &places, columns);
        table.columns = places.described(&header);
        table.header = listed(&header);
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|e| failed(&e))? {
            let line = record.position().map_or(0, csv::Position::line).saturating_sub(shift);
            if record.len() == 1 && record[0].is_empty() {
                continue;
            }
            let count = table.lines.len();
            if count == MOST_ROWS {
                let why = "take every tenth row, say";
                return Err(format!("{name}:{line}: more than {MOST_ROWS} rows; {why}"));
            }
            let missing = |i: usize| is_missing(record.get(i).unwrap_or_default());
            if columns.skip_missing && places.measured().into_iter().any(missing) {
                table.skipped += 1;
                continue;
            }
            table
                .push(&Fields { record: &record, header: &header, delimiter }, &places, line)
                .map_err(|why| format!("{name}:{line}: {why}"))?;
        }
        match table.lines.len() {
            0 => Err(format!("{name}: no rows after the header; at least two are needed")),
            1 => Err(format!(
                "{name}: only one row, in line {}; at least two are needed",
                table.lines[0]
            )),
            _ => Ok(table),
        }
    }

    fn empty(name: &str, places: &Places, columns: &ColumnNames) -> Self {
        let attitude = places.attitude.map(|places| match places {
            AttitudePlaces::Quaternion(_) | AttitudePlaces::Euler { .. } => {
                Attitudes::Quaternions(Vec::new())
            }
            AttitudePlaces::Matrix(_) => Attitudes::Matrices(Vec::new()),
        });
        let samples = Samples::default().with(|samples| {
            samples.momentum = places.momentum.map(|_| Vec::new());
            samples.momentum_frame = columns.momentum_frame;
            samples.omega = places.omega.map(|_| Vec::new());
            samples.omega_frame = columns.omega_frame;
            samples.attitude = attitude;
        });
        let note = places.unread.map(|names| {
            format!(
                "no attitude: the columns {} look like Euler angles; --euler zyx, say, tells their turns, in that \
                 order, and reads them",
                names.join(", ")
            )
        });
        let directions = vec![Vec::new(); places.directions.len()];
        Self {
            name: name.to_owned(),
            samples,
            directions,
            skipped: 0,
            note,
            columns: String::new(),
            header: String::new(),
            lines: Vec::new(),
            digits: [0; 3],
        }
    }

    fn push(&mut self, row: &Fields<'_>, places: &Places, line: u64) -> Result<(), String> {
        let Fields { record, header, .. } = row;
        if record.len() != header.len() {
            let (given, s) = (record.len(), if record.len() == 1 { "" } else { "s" });
            return Err(format!(
                "{given} field{s}, where the header has {}; every row needs one for each column",
                header.len()
            ));
        }
        let (t, _) = row.number(places.time)?;
        if let (Some(&before), [.., last]) = (self.samples.times.last(), &*self.lines) {
            let first = self.samples.times.len() == 1;
            let falls = !first && self.samples.times[1] < self.samples.times[0];
            if t == before || (!first && (t < before) != falls) {
                let column = quote(&header[places.time]);
                return Err(format!(
                    "column {column}: {t:?} after {before:?} in line {last}; times must rise from \
                     row to row, or fall"
                ));
            }
        }
        let Self { samples, digits, .. } = self;
        let in_degrees = places.omega_in_degrees;
        if let (Some(column), Some(places)) = (&mut samples.momentum, places.momentum) {
            column.push(row.numbers(places, &mut digits[0])?);
        }
        if let (Some(column), Some(places)) = (&mut samples.omega, places.omega) {
            let omega = row.numbers(places, &mut digits[1])?;
            column.push(if in_degrees { omega.map(f64::to_radians) } else { omega });
        }
        match (&mut samples.attitude, places.attitude) {
            (Some(Attitudes::Quaternions(column)), Some(AttitudePlaces::Quaternion(places))) => {
                column.push(row.numbers(places, &mut digits[2])?);
            }
            (
                Some(Attitudes::Quaternions(column)),
                Some(AttitudePlaces::Euler { places, sequence, degrees }),
            ) => {
                let angles = row.numbers(places, &mut digits[2])?;
                let angles = if degrees { angles.map(f64::to_radians) } else { angles };
                column.push(so3::to_wxyz(so3::from_euler_angles(angles, sequence)));
            }
            (Some(Attitudes::Matrices(column)), Some(AttitudePlaces::Matrix(places))) => {
                column.push(row.numbers(places, &mut digits[2])?);
            }
            _ => {}
        }
        for (column, places) in self.directions.iter_mut().zip(&places.directions) {
            column.push(row.numbers(*places, &mut 0)?);
        }
        samples.times.push(t);
        self.lines.push(line);
        Ok(())
    }

    /// How well its numbers say what they mean, relative: from the digits they are written with.
    pub(super) fn rounding(&self) -> f64 {
        let Some(digits) = self.short_digits() else { return f64::EPSILON };
        let exponent = i32::try_from(digits).unwrap_or(0);
        (5.0 * 10f64.powi(-exponent)).max(f64::EPSILON)
    }

    /// The digits its numbers are written with, if that is what limits them: those of the columns
    /// that have the fewest. With a fixed count of decimals, small quantities have fewer than large.
    pub(super) fn short_digits(&self) -> Option<usize> {
        let Samples { momentum, omega, attitude, .. } = &self.samples;
        // What never changes may have few digits because it needs no more.
        let changes = [
            momentum.as_deref().is_some_and(varies),
            omega.as_deref().is_some_and(varies),
            match attitude {
                Some(Attitudes::Quaternions(q)) => varies(q),
                Some(Attitudes::Matrices(rows)) => varies(rows),
                None => false,
            },
        ];
        let digits = self.digits.into_iter().zip(changes);
        let digits = digits.filter_map(|(digits, changes)| changes.then_some(digits));
        // Fewer than four are not digits cut off, but simple numbers.
        digits.filter(|digits| (4..=16).contains(digits)).min()
    }

    /// The time from row to row: the middle one of all.
    pub(super) fn spacing(&self) -> f64 {
        let mut gaps: Vec<f64> =
            self.samples.times.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
        let middle = gaps.len() / 2;
        let gap = *gaps.select_nth_unstable_by(middle, f64::total_cmp).1;
        // A gap has the rounding of two times; the whole span is as good as its last one.
        let times = &self.samples.times;
        let span = (times[times.len() - 1] - times[0]).abs();
        let even = span / (span / gap).round();
        if even.is_finite() && even > 0.0 { even } else { gap }
    }

    /// The line of a sample.
    pub(crate) fn line(&self, index: usize) -> Option<u64> {
        self.lines.get(index).copied()
    }

    /// The names of its columns.
    pub(crate) fn header(&self) -> &str {
        &self.header
    }

    /// The failure that says where in the file it is.
    pub(crate) fn refuse(&self, error: &CheckError) -> Failure {
        let mut why = error.to_string();
        if matches!(error, CheckError::NoMotion) {
            why = format!(
                "neither momentum nor omega is given: no columns m1, m2, m3 or w1, w2, w3 (or wx, wy, wz) among {}; \
                 --momentum or --omega says which to take",
                self.header
            );
        }
        let place = error.index().and_then(|index| self.lines.get(index));
        Failure::Input(match place {
            // The line says which sample.
            Some(line) => {
                let why = why.split_once(": ").map_or(&*why, |(_, why)| why);
                format!("{}:{line}: {why}", self.name)
            }
            None => format!("{}: {why}", self.name),
        })
    }
}
