//! Bodies from a table.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use csv::{Reader, StringRecord};
use polhode::ensemble::{Member, Members};
use polhode::glam::DQuat;
use polhode::observe::ObserveError;
use polhode::{Inertia, InertiaError, State, so3};

use crate::failure::Failure;
use crate::numbers::quote;

const INERTIA: [&str; 3] = ["i1", "i2", "i3"];
const MOMENTUM: [&str; 3] = ["m1", "m2", "m3"];
const OMEGA: [&str; 3] = ["w1", "w2", "w3"];
const ATTITUDE: [&str; 4] = ["q0", "q1", "q2", "q3"];

/// A table of bodies, read line by line.
pub(super) struct BodyTable {
    path: PathBuf,
    reader: Reader<Box<dyn Read + Send>>,
    names: StringRecord,
    record: StringRecord,
    inertia: InertiaSource,
    spin: [usize; 3],
    spin_is_omega: bool,
    attitude: Option<[usize; 4]>,
    /// Where rows that are no bodies are told, if they do not end everything.
    bad: Option<BadBodies>,
    /// How many rows were read.
    rows: u64,
}

/// Rows that are no bodies: their numbers, and why.
pub(super) type BadBodies = Arc<Mutex<BTreeMap<u64, String>>>;

/// Where inertia comes from.
enum InertiaSource {
    /// One for all, from the ensemble.
    Shared(Inertia),
    /// Three columns.
    Columns { columns: [usize; 3], allow_unphysical: bool },
}

impl BodyTable {
    /// Opens a table and looks at its columns. One that the program carries is in no file.
    pub(super) fn open(
        path: &Path,
        carried: Option<&'static str>,
        inertia: Option<Inertia>,
        allow_unphysical: bool,
        bad: Option<BadBodies>,
    ) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        if carried.is_none() && path.is_dir() {
            return Err(refuse("is a directory; name a .csv file in it".into()));
        }
        let file: Box<dyn Read + Send> = match carried {
            Some(table) => Box::new(table.as_bytes()),
            None => Box::new(File::open(path).map_err(|e| refuse(unopened(path, &e)))?),
        };
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .flexible(true)
            .from_reader(file);
        let names = reader.headers().map_err(|e| refuse(unread(&e)))?.clone();
        check_names(&names).map_err(refuse)?;
        let found = || format!("found: {}", shown(&names));
        let inertia = match (columns(&names, INERTIA), inertia) {
            (Some(Err(why)), _) => return Err(refuse(why)),
            (Some(Ok(_)), Some(_)) => {
                return Err(refuse(
                    "has columns i1, i2, i3, and [body] has inertia; keep one".into(),
                ));
            }
            (Some(Ok(columns)), None) => InertiaSource::Columns { columns, allow_unphysical },
            (None, Some(inertia)) => InertiaSource::Shared(inertia),
            (None, None) => {
                return Err(refuse(format!(
                    "no columns i1, i2, i3; or give [body] inertia for all; {}",
                    found()
                )));
            }
        };
        let (spin, spin_is_omega) = match (columns(&names, MOMENTUM), columns(&names, OMEGA)) {
            (Some(_), Some(_)) => {
                return Err(refuse("has columns of m and of w; keep those of one".into()));
            }
            (Some(columns), None) => (columns.map_err(refuse)?, false),
            (None, Some(columns)) => (columns.map_err(refuse)?, true),
            (None, None) => {
                return Err(refuse(format!(
                    "no columns m1, m2, m3 (momentum) or w1, w2, w3 (angular velocity); {}",
                    found()
                )));
            }
        };
        let attitude = columns(&names, ATTITUDE).transpose().map_err(refuse)?;
        let record = StringRecord::new();
        let path = path.to_owned();
        let rows = 0;
        Ok(Self { path, reader, names, record, inertia, spin, spin_is_omega, attitude, bad, rows })
    }

    /// Whether it has angular velocities, not momenta.
    pub(super) fn spin_is_omega(&self) -> bool {
        self.spin_is_omega
    }

    /// The next body; none after the last.
    fn next(&mut self) -> Result<Option<Member>, String> {
        if !self.reader.read_record(&mut self.record).map_err(|e| self.here(&unread(&e)))? {
            return Ok(None);
        }
        let (fields, needed) = (self.record.len(), self.names.len());
        if fields != needed {
            return Err(self.here(&format_args!(
                "the number of fields is {fields}; needed are {needed}: {}",
                shown(&self.names)
            )));
        }
        let inertia = match &self.inertia {
            InertiaSource::Shared(inertia) => *inertia,
            InertiaSource::Columns { columns, allow_unphysical } => {
                let moments = self.numbers(*columns)?;
                Inertia::from_slice(&moments, *allow_unphysical).map_err(|e| match e {
                    InertiaError::Impossible { .. } => self.here(&format_args!(
                        "inertia: principal moments {moments:?}: no body has these, the largest \
                         exceeds the sum of the other two; correct them, or set allow_unphysical = \
                         true in [body] of the ensemble"
                    )),
                    other => self.here(&other),
                })?
            }
        };
        let v = self.numbers(self.spin)?;
        let q = match self.attitude {
            None => DQuat::IDENTITY,
            Some(columns) => so3::from_wxyz(self.numbers(columns)?),
        };
        let start =
            if self.spin_is_omega { State::from_omega(&inertia, v, q) } else { State::new(v, q) };
        Ok(Some(Member { inertia, start: start.map_err(|e| self.here(&e))? }))
    }

    fn numbers<const N: usize>(&self, columns: [usize; N]) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        for (number, column) in numbers.iter_mut().zip(columns) {
            let text = self.record.get(column).unwrap_or_default();
            *number = polhode_number::read(text).map_err(|why| {
                let (name, position) = (&self.names[column], column + 1);
                self.here(&format_args!("{name} (column {position}): {} {why}", quote(text)))
            })?;
        }
        Ok(numbers)
    }

    /// What is wrong with the row that was read last.
    fn here(&self, why: &dyn Display) -> String {
        let position = self.reader.position();
        let line = line_of(&self.path, position.byte()).unwrap_or(position.line());
        format!("{}:{line}: {why}", self.path.display())
    }
}

/// The line in which a row ends, from the byte after it: the reader's own count is of where comments
/// before the row begin, and lags behind where lines end with CR LF. None for what is no plain file,
/// which may not be there a second time.
fn line_of(path: &Path, after: u64) -> Option<u64> {
    if !path.is_file() {
        return None;
    }
    let before = BufReader::new(File::open(path).ok()?.take(after));
    let lines = before.split(b'\n').try_fold(0, |count, line| line.map(|_| count + 1));
    lines.ok()
}

/// Why the file cannot be opened.
fn unopened(path: &Path, error: &io::Error) -> String {
    if error.kind() != io::ErrorKind::NotFound {
        return format!("cannot be read: {error}");
    }
    let folder = std::path::absolute(path).ok();
    let folder = folder.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    format!(
        "no such file; [bodies] file is looked for beside the ensemble, in {}",
        folder.display()
    )
}

/// Why a row cannot be read.
fn unread(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save it as a UTF-8 text".into(),
        csv::ErrorKind::Io(error) => format!("cannot be read: {error}"),
        _ => error.to_string(),
    }
}

/// Checks that the first line names columns, each once, and that no name is a misspelt one of those that are read.
/// There may be other columns, which are not read.
fn check_names(names: &StringRecord) -> Result<(), String> {
    let known: Vec<&str> =
        INERTIA.into_iter().chain(MOMENTUM).chain(OMEGA).chain(ATTITUDE).collect();
    let example = "the first line must name the columns, e.g. i1,i2,i3,w1,w2,w3";
    if names.iter().all(str::is_empty) {
        return Err(format!("nothing in it; {example}"));
    }
    if let [Some(only), None] = [names.get(0), names.get(1)]
        && let Some(mark) = only.chars().find(|c| [';', '\t', '|', ' '].contains(c))
    {
        return Err(format!("columns must be separated by commas, not by {mark:?}; {example}"));
    }
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err(format!("no names of columns, but {}; {example}", shown(names)));
    }
    for (i, name) in names.iter().enumerate() {
        if known.contains(&name) {
            if names.iter().take(i).any(|before| before == name) {
                return Err(format!("column '{name}' is there twice"));
            }
        } else if let Some(meant) = nearly(name) {
            return Err(format!(
                "no column {}; did you mean one of {}? Columns with quite other names are not read",
                quote(name),
                meant.join(", ")
            ));
        }
    }
    Ok(())
}

/// The columns that a name may be meant for. Names of two characters are all alike, so it is the letter
/// and what follows it that counts: `I1`, `q_4` and `wx` are meant for something, `id` is not.
fn nearly(name: &str) -> Option<&'static [&'static str]> {
    const WORDS: [(&str, &[&str]); 6] = [
        ("inertia", &INERTIA),
        ("momentum", &MOMENTUM),
        ("moment", &INERTIA),
        ("omega", &OMEGA),
        ("quat", &ATTITUDE),
        ("attitude", &ATTITUDE),
    ];
    const LETTERS: [(&str, &[&str]); 4] =
        [("i", &INERTIA), ("m", &MOMENTUM), ("w", &OMEGA), ("q", &ATTITUDE)];
    let name: String =
        name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    if let Some((_, meant)) = WORDS.iter().find(|(word, _)| name.starts_with(word)) {
        return Some(meant);
    }
    let (_, meant) = LETTERS.iter().find(|(letter, _)| name.starts_with(letter))?;
    let index = &name[1..];
    let is_index = (1..=2).contains(&index.len())
        && index.chars().all(|c| c.is_ascii_digit() || "imqwxyz".contains(c));
    is_index.then_some(*meant)
}

/// The first names, or what stands in their place.
fn shown(names: &StringRecord) -> String {
    let text = names.iter().take(12).collect::<Vec<_>>().join(", ");
    quote(&text)
}

/// The columns of these names: all of them, or none.
fn columns<const N: usize>(
    names: &StringRecord,
    wanted: [&str; N],
) -> Option<Result<[usize; N], String>> {
    let places = wanted.map(|wanted| names.iter().position(|name| name == wanted));
    let missing = (0..N).find(|&i| places[i].is_none());
    match missing {
        None => Some(Ok(places.map(Option::unwrap_or_default))),
        Some(_) if places.iter().all(Option::is_none) => None,
        Some(i) => Some(Err(format!("column '{}' is missing; found: {}", wanted[i], shown(names)))),
    }
}

impl Members for BodyTable {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        for _ in 0..most {
            match (self.next(), &self.bad) {
                (Ok(Some(body)), _) => bodies.push(body),
                (Ok(None), _) => break,
                (Err(why), Some(bad)) => {
                    bad.lock().unwrap_or_else(PoisonError::into_inner).insert(self.rows, why);
                    // One that rests stands in its place, so that the others keep their numbers.
                    let inertia = Inertia::principal([1.0; 3])?;
                    bodies.push(Member { inertia, start: State::aligned([0.0; 3])? });
                }
                (Err(why), None) => return Err(why.into()),
            }
            self.rows += 1;
        }
        Ok(())
    }
}
