//! What is no CSV file, brought to one: this program's `.npz`, `.jsonl` and `.aem` files.
//!
//! The text that comes out has the header in its first line and a row for each row of the file; where a message names
//! a line, it is that of the file, or the number of the row in an array, `shift` lines before.

use std::fmt::Write;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;

use polhode_scenario::Epoch;
use serde_json::Value;

use crate::attitude::AttitudeFormat;
use crate::numbers::shortest;
use crate::output::{FileMeta, listed, meta_beside};

/// A file as a table.
pub(super) struct TableText {
    pub(super) input: Box<dyn Read>,
    /// How many lines the table has before the first of the file.
    pub(super) shift: u64,
    /// What the file, or the one beside it, says of itself.
    pub(super) meta: Option<FileMeta>,
}

impl TableText {
    fn new(table: String, shift: u64, meta: Option<FileMeta>) -> Self {
        Self { input: Box::new(Cursor::new(table.into_bytes())), shift, meta }
    }
}

type Reader = fn(&Path) -> Result<TableText, OpenError>;

/// What is read beside CSV, by extension.
static READERS: [(&str, Reader); 3] = [
    ("npz", |path| {
        let (table, own) = npz(path)?;
        Ok(TableText::new(table, 1, own.or_else(|| meta_beside(path))))
    }),
    ("jsonl", |path| {
        let meta = meta_beside(path);
        Ok(TableText::new(jsonl(&fs::read_to_string(path)?, meta.as_ref())?, 1, meta))
    }),
    ("aem", |path| Ok(TableText::new(aem(&fs::read_to_string(path)?)?, 0, None))),
];

/// How files that are no CSV files end, as texts list them.
pub(crate) fn extensions() -> String {
    listed(&READERS.map(|(extension, _)| extension))
}

/// Opens a file; the extension says what it is.
pub(super) fn open(path: &Path) -> Result<TableText, OpenError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if let Some((_, read)) = READERS.iter().find(|(known, _)| *known == extension) {
        return read(path);
    }
    if extension == "toml" {
        return Err(form(
            "is a scenario, not the rows of a motion; name it with --scenario, and as FILE what was written of it",
        ));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    Ok(TableText { input: Box::new(file), shift: 0, meta: meta_beside(path) })
}

/// Why a file is no table.
pub(super) enum OpenError {
    Io(io::Error),
    /// With the line, if there is one.
    Form(Option<u64>, String),
}

impl From<io::Error> for OpenError {
    fn from(e: io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::InvalidData => Self::Form(None, format!("no text: {e}")),
            _ => Self::Io(e),
        }
    }
}

fn form(why: impl Into<String>) -> OpenError {
    OpenError::Form(None, why.into())
}

/// Names of the columns of a quantity with so many numbers.
fn names(quantity: &str, count: usize, meta: Option<&FileMeta>) -> Vec<String> {
    let numbered = |stem: &str| (1..=count).map(|i| format!("{stem}{i}")).collect();
    let known = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match (quantity, count) {
        ("attitude", _) if meta.is_some_and(|m| m.attitude.columns().len() == count) => {
            meta.map_or_else(Vec::new, |m| m.attitude.header(m.degrees))
        }
        ("omega", 3) if meta.is_some_and(|m| m.degrees) => known(&["w1_deg", "w2_deg", "w3_deg"]),
        ("momentum", 3) => numbered("m"),
        ("omega", 3) => numbered("w"),
        ("attitude", 4) => known(AttitudeFormat::Quaternion.columns()),
        ("attitude", 9) => known(AttitudeFormat::Matrix.columns()),
        ("attitude", 3) => numbered("e"),
        (other, 1) => vec![other.to_owned()],
        (other, _) => numbered(&format!("{other}_")),
    }
}

/// Lines of numbers under their names.
fn table(columns: &[String], rows: impl Iterator<Item = Vec<f64>>) -> String {
    let mut text = columns.join(",") + "\n";
    for row in rows {
        let numbers: Vec<String> = row.into_iter().map(shortest).collect();
        text.push_str(&numbers.join(","));
        text.push('\n');
    }
    text
}

fn jsonl(text: &str, meta: Option<&FileMeta>) -> Result<String, OpenError> {
    let mut columns: Vec<String> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fail = |why: String| OpenError::Form(Some(number), why);
        let value: Value = serde_json::from_str(line).map_err(|e| fail(format!("no JSON: {e}")))?;
        let Value::Object(object) = value else {
            return Err(fail("no JSON object; every line of .jsonl is one".into()));
        };
        let flat = |value: &Value| -> Option<Vec<f64>> {
            match value {
                Value::Number(x) => Some(vec![x.as_f64()?]),
                Value::Array(list) => list.iter().map(Value::as_f64).collect(),
                _ => None,
            }
        };
        if keys.is_empty() {
            for (key, value) in &object {
                if let Some(numbers) = flat(value) {
                    columns.extend(names(key, numbers.len(), meta));
                    keys.push(key.clone());
                }
            }
        }
        let mut row = Vec::new();
        for key in &keys {
            let numbers = object.get(key).and_then(flat);
            row.extend(numbers.ok_or_else(|| fail(format!("no numbers under '{key}'")))?);
        }
        if row.len() != columns.len() {
            return Err(fail(format!(
                "{} numbers, where the first line has {}",
                row.len(),
                columns.len()
            )));
        }
        rows.push(row);
    }
    Ok(table(&columns, rows.into_iter()))
}

/// An array of an archive: the lengths of its sides, and its numbers.
struct ArchiveArray {
    shape: Vec<usize>,
    values: Vec<f64>,
}

fn npz(path: &Path) -> Result<(String, Option<FileMeta>), OpenError> {
    let unreadable = |e: &dyn std::fmt::Display| form(format!("no .npz archive: {e}"));
    let mut archive = zip::ZipArchive::new(File::open(path)?).map_err(|e| unreadable(&e))?;
    let (mut arrays, mut meta) = (Vec::new(), None);
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).map_err(|e| {
            form(format!(
                "cannot be unpacked ({e}); save it without compression, as by numpy.savez"
            ))
        })?;
        let name = file.name().map_err(|e| unreadable(&e))?.trim_end_matches(".npy").to_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if name == "meta" {
            meta = npy_text(&bytes).and_then(|text| FileMeta::parse(&text));
        } else if let Some(numbers) = npy(&bytes) {
            arrays.push((name, numbers));
        }
    }
    let count = arrays.iter().find(|(name, _)| name == "t").map(|(_, t)| t.values.len());
    let Some(count) = count else {
        let found: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
        return Err(form(format!("no array 't' of times; found: {}", found.join(", "))));
    };
    arrays.retain(|(_, array)| array.shape.first() == Some(&count));
    let width = |array: &ArchiveArray| array.shape[1..].iter().product::<usize>();
    let columns: Vec<String> =
        arrays.iter().flat_map(|(name, array)| names(name, width(array), meta.as_ref())).collect();
    let row = |n: usize| {
        let part = |(_, array): &(String, ArchiveArray)| {
            let width = width(array);
            array.values[n * width..(n + 1) * width].to_vec()
        };
        arrays.iter().flat_map(part).collect()
    };
    Ok((table(&columns, (0..count).map(row)), meta))
}

/// The header and the data of an array in NumPy's format.
fn npy_parts(bytes: &[u8]) -> Option<(String, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (length, begin): (usize, usize) = match rest.first()? {
        1 => (usize::from(u16::from_le_bytes([*rest.get(2)?, *rest.get(3)?])), 4),
        _ => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 6),
    };
    let header = std::str::from_utf8(rest.get(begin..begin.checked_add(length)?)?).ok()?;
    Some((header.to_owned(), &rest[begin + length..]))
}

/// What follows a key of the header.
fn after<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    Some(header.split_once(&format!("'{key}':"))?.1.trim_start())
}

fn npy(bytes: &[u8]) -> Option<ArchiveArray> {
    let (header, data) = npy_parts(bytes)?;
    let kind = after(&header, "descr")?.trim_start_matches('\'').split('\'').next()?;
    if !after(&header, "fortran_order")?.starts_with("False") {
        return None;
    }
    let shape = after(&header, "shape")?.trim_start_matches('(').split(')').next()?;
    let shape: Vec<usize> = shape.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let count: usize = shape.iter().product();
    let size = kind.get(2..)?.parse::<usize>().ok()?;
    if data.len() != count.checked_mul(size)? {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "counts of steps")]
    let number = |x: &[u8]| -> Option<f64> {
        Some(match kind {
            "<f8" => f64::from_le_bytes(x.try_into().ok()?),
            "<f4" => f64::from(f32::from_le_bytes(x.try_into().ok()?)),
            "<i8" => i64::from_le_bytes(x.try_into().ok()?) as f64,
            "<u8" => u64::from_le_bytes(x.try_into().ok()?) as f64,
            "<i4" => f64::from(i32::from_le_bytes(x.try_into().ok()?)),
            _ => return None,
        })
    };
    let values = data.chunks_exact(size.max(1)).map(number).collect::<Option<Vec<f64>>>()?;
    Some(ArchiveArray { shape, values })
}

/// A text as an array of bytes.
fn npy_text(bytes: &[u8]) -> Option<String> {
    let (_, data) = npy_parts(bytes)?;
    Some(std::str::from_utf8(data).ok()?.trim_end_matches('\0').to_owned())
}

/// Of an attitude ephemeris the quaternions and, if it has them, the rates. Every line of the file is one of the
/// table, so that messages have its lines.
fn aem(text: &str) -> Result<String, OpenError> {
    let value = |key: &str| {
        let of = |line: &str| {
            Some(line.split_once('=').filter(|(k, _)| k.trim() == key)?.1.trim().to_owned())
        };
        text.lines().find_map(of)
    };
    let rates = match value("ATTITUDE_TYPE").as_deref() {
        Some("QUATERNION/ANGVEL") => true,
        Some("QUATERNION") => false,
        other => {
            let other = other.unwrap_or("none");
            return Err(form(format!(
                "ATTITUDE_TYPE = {other}: not read; needed: QUATERNION/ANGVEL (or QUATERNION)"
            )));
        }
    };
    if !rates {
        return Err(form(
            "no angular velocity in it, and from attitudes alone nothing is checked; write it with rates = true in \
             [output.aem]",
        ));
    }
    let mut table = String::from("t,q1,q2,q3,q0,w1_deg,w2_deg,w3_deg\n");
    let (mut first, mut inside) = (None, false);
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["DATA_START"] => inside = true,
            ["DATA_STOP"] => inside = false,
            ["COMMENT", ..] => {}
            [epoch, ref numbers @ ..] if inside => {
                let fail = |why: &str| OpenError::Form(Some(number), why.to_owned());
                let epoch = Epoch::parse(epoch).ok_or_else(|| fail("the epoch cannot be read"))?;
                let first = *first.get_or_insert(epoch);
                let t = epoch.since(first);
                // Written to a string: it cannot fail.
                let _ = writeln!(table, "{},{}", shortest(t), numbers.join(","));
                continue;
            }
            _ => {}
        }
        table.push_str("#\n");
    }
    Ok(table)
}
