//! Bodies from a table.

use std::fs::File;
use std::path::{Path, PathBuf};

use csv::{Position, Reader, StringRecord};
use polhode::ensemble::{Body, Source};
use polhode::glam::DQuat;
use polhode::observe::ObserveError;
use polhode::{Inertia, State, so3};

use crate::failure::Failure;

const INERTIA: [&str; 3] = ["i1", "i2", "i3"];
const MOMENTUM: [&str; 3] = ["m1", "m2", "m3"];
const OMEGA: [&str; 3] = ["w1", "w2", "w3"];
const ATTITUDE: [&str; 4] = ["q0", "q1", "q2", "q3"];

/// A table of bodies, read line by line.
pub(super) struct BodyTable {
    path: PathBuf,
    reader: Reader<File>,
    record: StringRecord,
    inertia: Moments,
    spin: [usize; 3],
    spin_is_omega: bool,
    attitude: Option<[usize; 4]>,
}

/// Where inertia comes from.
enum Moments {
    /// One for all, from the ensemble.
    Shared(Inertia),
    /// Three columns.
    Columns { columns: [usize; 3], allow_unphysical: bool },
}

impl BodyTable {
    /// Opens a table and looks at its columns.
    pub(super) fn open(
        path: &Path,
        inertia: Option<Inertia>,
        allow_unphysical: bool,
    ) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_path(path)
            .map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let names = reader.headers().map_err(|e| refuse(e.to_string()))?.clone();
        let known: Vec<&str> =
            INERTIA.into_iter().chain(MOMENTUM).chain(OMEGA).chain(ATTITUDE).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            let known = known.join(", ");
            return Err(refuse(format!("no column '{name}'; known: {known}")));
        }
        if let Some(name) =
            names.iter().enumerate().find(|(i, n)| names.iter().take(*i).any(|m| m == *n))
        {
            return Err(refuse(format!("column '{}' is there twice", name.1)));
        }
        let inertia = match (columns(&names, INERTIA), inertia) {
            (Some(Err(why)), _) => return Err(refuse(why)),
            (Some(Ok(_)), Some(_)) => {
                return Err(refuse(
                    "has columns i1, i2, i3, and [body] has inertia; keep one".into(),
                ));
            }
            (Some(Ok(columns)), None) => Moments::Columns { columns, allow_unphysical },
            (None, Some(inertia)) => Moments::Shared(inertia),
            (None, None) => {
                return Err(refuse("no columns i1, i2, i3; or give [body] inertia for all".into()));
            }
        };
        let (spin, spin_is_omega) = match (columns(&names, MOMENTUM), columns(&names, OMEGA)) {
            (Some(_), Some(_)) => {
                return Err(refuse("has columns of m and of w; keep those of one".into()));
            }
            (Some(columns), None) => (columns.map_err(refuse)?, false),
            (None, Some(columns)) => (columns.map_err(refuse)?, true),
            (None, None) => {
                return Err(refuse(
                    "no columns m1, m2, m3 (momentum) or w1, w2, w3 (angular velocity)".into(),
                ));
            }
        };
        let attitude = columns(&names, ATTITUDE).transpose().map_err(refuse)?;
        let record = StringRecord::new();
        Ok(Self { path: path.to_owned(), reader, record, inertia, spin, spin_is_omega, attitude })
    }

    /// The next body; none after the last.
    fn next(&mut self) -> Result<Option<Body>, String> {
        if !self.reader.read_record(&mut self.record).map_err(|e| self.at(None, &e))? {
            return Ok(None);
        }
        let inertia = match &self.inertia {
            Moments::Shared(inertia) => *inertia,
            Moments::Columns { columns, allow_unphysical } => {
                let moments = self.numbers(*columns)?;
                Inertia::from_slice(&moments, *allow_unphysical).map_err(|e| self.here(&e))?
            }
        };
        let v = self.numbers(self.spin)?;
        let q = match self.attitude {
            None => DQuat::IDENTITY,
            Some(columns) => so3::from_wxyz(self.numbers(columns)?),
        };
        let start =
            if self.spin_is_omega { State::from_omega(&inertia, v, q) } else { State::new(v, q) };
        Ok(Some(Body { inertia, start: start.map_err(|e| self.here(&e))? }))
    }

    fn numbers<const N: usize>(&self, columns: [usize; N]) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        for (number, column) in numbers.iter_mut().zip(columns) {
            let text = self.record.get(column).unwrap_or_default();
            *number = text.parse().map_err(|_| {
                self.here(&format_args!("'{text}' in column {} is no number", column + 1))
            })?;
        }
        Ok(numbers)
    }

    fn here(&self, why: &dyn std::fmt::Display) -> String {
        self.at(self.record.position(), why)
    }

    fn at(&self, position: Option<&Position>, why: &dyn std::fmt::Display) -> String {
        match position {
            Some(position) => format!("{}:{}: {why}", self.path.display(), position.line()),
            None => format!("{}: {why}", self.path.display()),
        }
    }
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
        Some(i) => Some(Err(format!("column '{}' is missing", wanted[i]))),
    }
}

impl Source for BodyTable {
    fn fill(&mut self, bodies: &mut Vec<Body>, most: usize) -> Result<(), ObserveError> {
        for _ in 0..most {
            match self.next()? {
                Some(body) => bodies.push(body),
                None => break,
            }
        }
        Ok(())
    }
}
