//! Lines of a table, and the fields of a line.

use std::io::{self, Read};

use csv::ByteRecord;

use crate::numbers::{quote, read};

/// A longer line is not one of a table.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// A row under its header.
pub(super) struct Fields<'a> {
    pub(super) record: &'a ByteRecord,
    pub(super) header: &'a [String],
    pub(super) delimiter: u8,
}

impl Fields<'_> {
    /// The number at a place, and its digits.
    pub(super) fn number(&self, place: usize) -> Result<(f64, usize), String> {
        let mut field = String::from_utf8_lossy(&self.record[place]);
        // Where semicolons separate, commas may be decimal ones.
        if self.delimiter == b';' && field.contains(',') {
            field = field.replace(',', ".").into();
        }
        let refuse = |why: &str| {
            let column = quote(&self.header[place]);
            format!("column {column}: {} {why}; needed: a finite number", quote(&field))
        };
        read(&field).map(|x| (x, significant_digits(&field))).map_err(refuse)
    }

    /// Several of them; `digits` keeps the most seen.
    pub(super) fn numbers<const N: usize>(
        &self,
        places: [usize; N],
        digits: &mut usize,
    ) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        for (number, place) in numbers.iter_mut().zip(places) {
            let (x, written) = self.number(place)?;
            *number = x;
            *digits = (*digits).max(written);
        }
        Ok(numbers)
    }
}

/// Whether a field stands for a number that is not there.
pub(super) fn is_missing(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    field.is_empty() || [&b"nan"[..], b"na", b"null"].iter().any(|x| field.eq_ignore_ascii_case(x))
}

/// What separates the columns: of the first line that is no comment, the most frequent of three.
pub(super) fn delimiter(start: &[u8]) -> u8 {
    let lines = start.split(|byte| *byte == b'\n' || *byte == b'\r');
    let is_header = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let header = { lines }.find(is_header).unwrap_or_default();
    let count = |mark: u8| header.split(|byte| *byte == mark).count();
    // Of equals the last is taken: a comma, unless there is none.
    [b'\t', b';', b','].into_iter().max_by_key(|mark| count(*mark)).unwrap_or(b',')
}

pub(super) fn varies<T: PartialEq>(column: &[T]) -> bool {
    column.windows(2).any(|pair| pair[0] != pair[1])
}

pub(super) fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

pub(super) fn check_header(header: &[String]) -> Result<(), String> {
    let needed = "the first line must name the columns, separated by commas, semicolons or tabs";
    if header.iter().all(String::is_empty) {
        return Err(format!("no header; {needed}"));
    }
    if header.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err(format!("no header, but numbers; {needed}"));
    }
    match header {
        [one] if one.contains([' ', '|']) => {
            Err(format!("only one column, {}; {needed}", quote(one)))
        }
        _ => Ok(()),
    }
}

/// The significant digits of a number as it is written.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    digits.skip_while(|c| *c == '0').count()
}

/// Refuses lines that never end, which would be kept in memory as one row.
pub(super) struct LineLimit<R> {
    pub(super) input: R,
    /// Of the line so far.
    pub(super) length: usize,
}

impl<R: Read> Read for LineLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        for &byte in &buffer[..count] {
            self.length = if byte == b'\n' || byte == b'\r' { 0 } else { self.length + 1 };
            if self.length > LONGEST_LINE {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "a line of more than 1 MiB; this is no table",
                ));
            }
        }
        Ok(count)
    }
}
