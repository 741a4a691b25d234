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
use super::part::{ABANDONED, Mark, PartFile, Replace};
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
    "body,step,t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3,energy,i1,i2,i3,period,precession_period,regime\n";

/// Words of a row in the spool.
const WORDS: usize = 20;
const BYTES: usize = 8 * WORDS;

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
}

impl BodyFile {
    /// Opens `FILE.part`.
    ///
    /// # Errors
    /// [`Failure::Input`] if there is no such format or the file cannot be made there.
    pub(crate) fn create(path: &Path, force: bool, meta: &str) -> Result<Self, Failure> {
        let extension =
            if is_standard(path) { Some("csv") } else { path.extension().and_then(|e| e.to_str()) };
        let known = FORMATS.iter().find(|(known, _)| Some(*known) == extension);
        let (_, format) = *known.ok_or_else(|| unknown_format(path, &body_extensions()))?;
        let mut part = PartFile::create(path, Replace::forced(force), ABANDONED)?;
        if let BodiesFormat::Csv = format {
            part.write(HEADING.as_bytes())?;
        }
        Ok(Self { format, part, path: path.to_owned(), meta: meta.to_owned() })
    }

    /// Goes on with `FILE.part` where a mark was set.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is not there or not what it was.
    pub(crate) fn reopen(path: &Path, mark: &Mark, meta: &str) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|e| e.to_str());
        let known = FORMATS.iter().find(|(known, _)| Some(*known) == extension);
        let (_, format) = *known.ok_or_else(|| unknown_format(path, &body_extensions()))?;
        let part = PartFile::reopen(path, mark)?;
        Ok(Self { format, part, path: path.to_owned(), meta: meta.to_owned() })
    }

    /// How many bytes it has.
    pub(crate) fn length(&self) -> u64 {
        self.part.length()
    }

    /// A mark at what was its length some time ago.
    pub(crate) fn mark_at(&mut self, length: u64) -> io::Result<Mark> {
        self.part.mark_at(length)
    }

    /// Appends a row.
    pub(crate) fn row(&mut self, row: &BodyRow) -> io::Result<()> {
        match self.format {
            BodiesFormat::Csv => {
                let mut fields = vec![row.body.to_string(), row.step.to_string()];
                fields.extend(row.numbers().map(shortest));
                fields.extend(row.moments.to_array().map(shortest));
                // An empty field where there is no such number.
                let number = |x: f64| if x.is_nan() { String::new() } else { shortest(x) };
                fields.extend([row.motion.period, row.motion.precession_period].map(number));
                fields.push(row.motion.name().to_owned());
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
                };
                self.part.write((serde_json::to_string(&line)? + "\n").as_bytes())
            }
            BodiesFormat::Npz | BodiesFormat::Svg => self.part.write(&row.to_bytes()),
        }
    }

    /// Completes the file and renames it into place.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { format, part, path, meta } = self;
        if let BodiesFormat::Csv | BodiesFormat::Jsonl = format {
            part.finish()?;
            return write_beside(&path, &meta);
        }
        part.replace(|part, out| {
            let count = part.length() / BYTES as u64;
            let mut rows = |show: &mut dyn FnMut(&BodyRow) -> io::Result<()>| {
                let mut file: BufReader<File> = BufReader::new(part.read()?);
                let mut bytes = [0; BYTES];
                for _ in 0..count {
                    file.read_exact(&mut bytes)?;
                    show(&BodyRow::from_bytes(&bytes))?;
                }
                Ok(())
            };
            if let BodiesFormat::Svg = format {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                return out.write_all(cloud::draw(&name, &mut rows)?.as_bytes());
            }
            let array = |name, kind, shape, entry: fn(&BodyRow) -> Vec<u64>| Array {
                name,
                kind,
                shape,
                entry: Box::new(entry),
            };
            let double = |name, shape, entry| array(name, "<f8", shape, entry);
            let arrays: [Array<'_, BodyRow>; 11] = [
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

    fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let words = [self.body, self.step].into_iter();
        let words = words.chain(self.numbers().map(f64::to_bits));
        let motion = [self.motion.period, self.motion.precession_period];
        let words = words.chain(self.moments.to_array().map(f64::to_bits));
        let words = words.chain([self.motion.code()]).chain(motion.map(f64::to_bits));
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> Self {
        let mut words = [0; WORDS];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            *word = u64::from_le_bytes(eight);
        }
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
