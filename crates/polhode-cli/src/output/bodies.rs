//! Files with the states of many bodies; [`FORMATS`] says which there are.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use polhode::ensemble::MotionConstants;
use polhode::glam::DVec3;
use polhode::so3::from_wxyz;
use polhode::{Regime, State};
use serde::Serialize;

use super::cloud;
use super::npz::{Array, archive, bits};
use super::part::{Mark, PartFile, RESUMABLE, Replace};
use super::{is_standard, unknown_format, write_beside};
use crate::failure::Failure;
use crate::numbers::shortest;

/// One body at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyRow {
    pub(crate) body: u64,
    pub(crate) step: u64,
    pub(crate) t: f64,
    pub(crate) state: State,
    pub(crate) omega: DVec3,
    pub(crate) energy: f64,
    /// The principal moments.
    pub(crate) moments: DVec3,
    pub(crate) motion: BodyMotion,
}

/// What the free motion from the start of a body is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyMotion {
    pub(crate) regime: Option<Regime>,
    /// NaN where there is none, as also below.
    pub(crate) period: f64,
    pub(crate) precession_period: f64,
}

impl BodyMotion {
    /// Of a body whose numbers are out of range.
    pub(crate) const NONE: Self =
        Self { regime: None, period: f64::NAN, precession_period: f64::NAN };

    pub(crate) fn new(constants: &MotionConstants) -> Self {
        Self {
            regime: Some(constants.regime),
            period: constants.period.unwrap_or(f64::NAN),
            precession_period: match constants.regime {
                Regime::Rest | Regime::Separatrix => f64::NAN,
                _ => std::f64::consts::TAU / constants.precession_rate,
            },
        }
    }

    fn name(&self) -> &'static str {
        self.regime.map_or("", Regime::name)
    }
}

/// The regimes as numbers in an archive; none is -1.
const REGIMES: [Regime; 6] = [
    Regime::Rest,
    Regime::Steady,
    Regime::SymmetricTop,
    Regime::AboutMinor,
    Regime::AboutMajor,
    Regime::Separatrix,
];

/// A file in the making. Given up unless it is finished.
pub(crate) struct BodyFile {
    format: BodiesFormat,
    part: PartFile,
    path: PathBuf,
    /// How it was made.
    meta: String,
    /// The names of what is watched.
    watched: Vec<String>,
}

/// A row as it stands in a spool, with what is watched.
pub(super) struct SpoolRow {
    pub(super) row: BodyRow,
    pub(super) watched: Vec<f64>,
}

#[derive(Clone, Copy)]
enum BodiesFormat {
    Csv,
    Jsonl,
    /// Rows are spooled as words, and put together at the end, as also below.
    Npz,
    /// How the bodies are distributed.
    Svg,
}

/// Every format, by the extension of its files.
const FORMATS: [(&str, BodiesFormat); 4] = [
    ("csv", BodiesFormat::Csv),
    ("jsonl", BodiesFormat::Jsonl),
    ("npz", BodiesFormat::Npz),
    ("svg", BodiesFormat::Svg),
];

/// How files of bodies may end.
pub(crate) fn body_extensions() -> Vec<&'static str> {
    FORMATS.iter().map(|(extension, _)| *extension).collect()
}

const HEADING: &str =
    "body,step,t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3,energy,i1,i2,i3,period,precession_period,regime";

/// Words of a row in the spool, before what is watched.
const WORDS: usize = 20;

#[derive(Serialize)]
struct BodyLine {
    body: u64,
    step: u64,
    t: f64,
    momentum: [f64; 3],
    omega: [f64; 3],
    attitude: [f64; 4],
    energy: f64,
    inertia: [f64; 3],
    regime: &'static str,
    /// Null where there is none.
    period: Option<f64>,
    precession_period: Option<f64>,
    /// What is watched, by its name.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    watch: serde_json::Map<String, serde_json::Value>,
}

impl BodyFile {
    /// Opens `FILE.part`.
    ///
    /// # Errors
    /// [`Failure::Input`] if there is no such format or the file cannot be made there.
    pub(crate) fn create(
        path: &Path,
        force: bool,
        meta: &str,
        watched: Vec<String>,
    ) -> Result<Self, Failure> {
        let extension =
            if is_standard(path) { Some("csv") } else { path.extension().and_then(|e| e.to_str()) };
        let known = FORMATS.iter().find(|(known, _)| Some(*known) == extension);
        let (_, format) = *known.ok_or_else(|| unknown_format(path, &body_extensions()))?;
        let mut part = PartFile::create(path, Replace::forced(force), RESUMABLE)?;
        if let BodiesFormat::Csv = format {
            let mut heading = HEADING.to_owned();
            for name in &watched {
                heading.extend([",", name]);
            }
            part.write(format!("{heading}\n").as_bytes())?;
        }
        Ok(Self { format, part, path: path.to_owned(), meta: meta.to_owned(), watched })
    }

    /// Goes on with `FILE.part` where a mark was set.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is not there or not what it was.
    pub(crate) fn reopen(
        path: &Path,
        mark: &Mark,
        meta: &str,
        watched: Vec<String>,
    ) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|e| e.to_str());
        let known = FORMATS.iter().find(|(known, _)| Some(*known) == extension);
        let (_, format) = *known.ok_or_else(|| unknown_format(path, &body_extensions()))?;
        let part = PartFile::reopen(path, mark)?;
        Ok(Self { format, part, path: path.to_owned(), meta: meta.to_owned(), watched })
    }

    /// How many bytes it has.
    pub(crate) fn length(&self) -> u64 {
        self.part.length()
    }

    /// A mark at what was its length some time ago.
    pub(crate) fn mark_at(&mut self, length: u64) -> io::Result<Mark> {
        self.part.mark_at(length)
    }

    /// What was appended is on the disk, as far as there is room.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.part.sync().map(drop)
    }

    /// Appends a row, with what is watched.
    pub(crate) fn row(&mut self, row: &BodyRow, watched: &[f64]) -> io::Result<()> {
        match self.format {
            BodiesFormat::Csv => {
                let mut fields = vec![row.body.to_string(), row.step.to_string()];
                fields.extend(row.numbers().map(shortest));
                fields.extend(row.moments.to_array().map(shortest));
                // An empty field where there is no such number.
                let number = |x: f64| if x.is_nan() { String::new() } else { shortest(x) };
                fields.extend([row.motion.period, row.motion.precession_period].map(number));
                fields.push(row.motion.name().to_owned());
                fields.extend(watched.iter().copied().map(number));
                self.part.write((fields.join(",") + "\n").as_bytes())
            }
            BodiesFormat::Jsonl => {
                let line = BodyLine {
                    body: row.body,
                    step: row.step,
                    t: row.t,
                    momentum: row.state.m.to_array(),
                    omega: row.omega.to_array(),
                    attitude: row.state.attitude(),
                    energy: row.energy,
                    inertia: row.moments.to_array(),
                    regime: row.motion.name(),
                    period: Some(row.motion.period).filter(|x| !x.is_nan()),
                    precession_period: Some(row.motion.precession_period).filter(|x| !x.is_nan()),
                    watch: {
                        let values = watched.iter().map(|&x| x.into());
                        self.watched.iter().cloned().zip(values).collect()
                    },
                };
                self.part.write((serde_json::to_string(&line)? + "\n").as_bytes())
            }
            BodiesFormat::Npz | BodiesFormat::Svg => {
                let words = row.to_words().into_iter().chain(watched.iter().map(|x| x.to_bits()));
                self.part.write(&words.flat_map(u64::to_le_bytes).collect::<Vec<_>>())
            }
        }
    }

    /// Completes the file and renames it into place.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { format, part, path, meta, watched } = self;
        if let BodiesFormat::Csv | BodiesFormat::Jsonl = format {
            part.finish()?;
            return write_beside(&path, &meta);
        }
        part.replace(|part, out| {
            let size = 8 * (WORDS + watched.len());
            let count = part.length() / size as u64;
            let mut rows = |show: &mut dyn FnMut(&SpoolRow) -> io::Result<()>| {
                let mut file: BufReader<File> = BufReader::new(part.read()?);
                let mut bytes = vec![0; size];
                for _ in 0..count {
                    file.read_exact(&mut bytes)?;
                    show(&SpoolRow::from_bytes(&bytes))?;
                }
                Ok(())
            };
            if let BodiesFormat::Svg = format {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let picture = cloud::draw(&name, &watched, &meta, &mut rows)?;
                return out.write_all(picture.as_bytes());
            }
            let array = |name, kind, shape, entry: fn(&BodyRow) -> Vec<u64>| Array {
                name,
                kind,
                shape,
                entry: Box::new(move |spooled: &SpoolRow| entry(&spooled.row)),
            };
            let double = |name, shape, entry| array(name, "<f8", shape, entry);
            let mut arrays: Vec<Array<'_, SpoolRow>> = vec![
                array("body", "<u8", &[], |r| vec![r.body]),
                array("step", "<u8", &[], |r| vec![r.step]),
                double("t", &[], |r| bits([r.t])),
                double("momentum", &[3], |r| bits(r.state.m.to_array())),
                double("omega", &[3], |r| bits(r.omega.to_array())),
                double("attitude", &[4], |r| bits(r.state.attitude())),
                double("energy", &[], |r| bits([r.energy])),
                double("inertia", &[3], |r| bits(r.moments.to_array())),
                array("regime", "<i8", &[], |r| vec![r.motion.code()]),
                double("period", &[], |r| bits([r.motion.period])),
                double("precession_period", &[], |r| bits([r.motion.precession_period])),
            ];
            for (which, name) in watched.iter().enumerate() {
                let entry = Box::new(move |spooled: &SpoolRow| bits([spooled.watched[which]]));
                arrays.push(Array { name, kind: "<f8", shape: &[], entry });
            }
            archive(out, count, &arrays, &meta, &mut rows)
        })
    }

    /// Gives the file up and leaves nothing behind.
    pub(crate) fn discard(self) {
        self.part.discard();
    }
}

impl BodyMotion {
    /// The number of the regime; all bits set, -1 as a signed number, for none.
    fn code(&self) -> u64 {
        let place = self.regime.and_then(|regime| REGIMES.iter().position(|r| *r == regime));
        place.map_or(u64::MAX, |place| place as u64)
    }
}

impl BodyRow {
    /// What follows body and step.
    fn numbers(&self) -> [f64; 12] {
        let (m, w, q) = (self.state.m, self.omega, self.state.attitude());
        [self.t, m.x, m.y, m.z, w.x, w.y, w.z, q[0], q[1], q[2], q[3], self.energy]
    }

    fn to_words(self) -> Vec<u64> {
        let words = [self.body, self.step].into_iter();
        let words = words.chain(self.numbers().map(f64::to_bits));
        let motion = [self.motion.period, self.motion.precession_period];
        let words = words.chain(self.moments.to_array().map(f64::to_bits));
        words.chain([self.motion.code()]).chain(motion.map(f64::to_bits)).collect()
    }

    fn from_words(words: &[u64]) -> Self {
        let x = |n: usize| f64::from_bits(words[n]);
        let vector = |n: usize| DVec3::new(x(n), x(n + 1), x(n + 2));
        let q = from_wxyz([x(9), x(10), x(11), x(12)]);
        Self {
            body: words[0],
            step: words[1],
            t: x(2),
            state: State { m: vector(3), q },
            omega: vector(6),
            energy: x(13),
            moments: vector(14),
            motion: BodyMotion {
                regime: usize::try_from(words[17]).ok().and_then(|code| REGIMES.get(code)).copied(),
                period: x(18),
                precession_period: x(19),
            },
        }
    }
}

impl SpoolRow {
    fn from_bytes(bytes: &[u8]) -> Self {
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (row, watched) = words.split_at(WORDS);
        let watched = watched.iter().map(|word| f64::from_bits(*word)).collect();
        Self { row: BodyRow::from_words(row), watched }
    }
}
