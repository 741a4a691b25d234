//! The rows of an ensemble.

use std::path::Path;

use polhode::ensemble::MotionConstants;
use polhode::glam::DVec3;
use polhode::so3::from_wxyz;
use polhode::{Regime, State};

use super::BodiesSetting;
use super::file::{FileRow, Writer};
use super::format::Format;
use super::spool::SpoolRow;
use crate::failure::Failure;

/// One body at one time.
#[derive(Clone, Debug, PartialEq)]
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
    /// What is watched.
    pub(crate) watched: Vec<f64>,
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

    pub(super) fn name(&self) -> &'static str {
        self.regime.map_or("", Regime::name)
    }
}

/// The numbers of the regimes in an archive, in words; none is -1.
pub(crate) fn regimes() -> String {
    let numbered =
        Regime::ALL.iter().enumerate().map(|(n, regime)| format!("{} {n}", regime.name()));
    numbered.collect::<Vec<_>>().join(", ")
}

/// Words of a row, before what is watched.
const WORDS: usize = 20;

impl FileRow for BodyRow {
    type Setting<'a> = BodiesSetting<'a>;

    fn writer(path: &Path, setting: &BodiesSetting<'_>) -> Result<Writer<Self>, Failure> {
        Format::bodies_writer(path, setting)
    }

    fn width(setting: &BodiesSetting<'_>) -> usize {
        WORDS + setting.watched.len()
    }
}

impl BodyMotion {
    /// The number of the regime; all bits set, -1 as a signed number, for none.
    pub(super) fn code(&self) -> u64 {
        let place = self.regime.and_then(|regime| Regime::ALL.iter().position(|r| *r == regime));
        place.map_or(u64::MAX, |place| place as u64)
    }
}

impl BodyRow {
    /// What follows body and step.
    pub(super) fn numbers(&self) -> [f64; 12] {
        let (m, w, q) = (self.state.m, self.omega, self.state.attitude());
        [self.t, m.x, m.y, m.z, w.x, w.y, w.z, q[0], q[1], q[2], q[3], self.energy]
    }
}

impl SpoolRow for BodyRow {
    fn words(&self) -> Vec<u64> {
        let words = [self.body, self.step].into_iter();
        let words = words.chain(self.numbers().map(f64::to_bits));
        let motion = [self.motion.period, self.motion.precession_period];
        let words = words.chain(self.moments.to_array().map(f64::to_bits));
        let words = words.chain([self.motion.code()]).chain(motion.map(f64::to_bits));
        words.chain(self.watched.iter().map(|x| x.to_bits())).collect()
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
                regime: usize::try_from(words[17])
                    .ok()
                    .and_then(|code| Regime::ALL.get(code))
                    .copied(),
                period: x(18),
                precession_period: x(19),
            },
            watched: words[WORDS..].iter().map(|&word| f64::from_bits(word)).collect(),
        }
    }
}
