//! The rows of a run.

use std::path::Path;

use polhode::State;
use polhode::glam::{DQuat, DVec3};
use polhode::inside::MAX_WHEELS;

use super::RunSetting;
use super::file::{FileRow, Writer};
use super::format::Format;
use super::spool::SpoolRow;
use crate::failure::Failure;

/// One row of a trajectory file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) step: u64,
    pub(crate) t: f64,
    pub(crate) state: State,
    pub(crate) omega: DVec3,
    pub(crate) energy: f64,
    /// Departures from the start: E - E0, |m| - |m0|, |Qm - Q0 m0|.
    pub(crate) energy_error: f64,
    pub(crate) momentum_error: f64,
    pub(crate) spatial_momentum_error: f64,
    /// Of what moves inside the body.
    pub(crate) inside: InsideNumbers,
}

/// The numbers that a state has beside momentum and attitude; few, and of one count in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InsideNumbers {
    count: usize,
    numbers: [f64; Self::MOST],
}

impl InsideNumbers {
    /// Wheels, and the momentum of a damper's ball.
    const MOST: usize = MAX_WHEELS + 3;

    pub(crate) fn new(given: &[f64]) -> Self {
        let count = given.len().min(Self::MOST);
        let mut numbers = [0.0; Self::MOST];
        numbers[..count].copy_from_slice(&given[..count]);
        Self { count, numbers }
    }

    pub(crate) fn all(&self) -> &[f64] {
        &self.numbers[..self.count]
    }
}

/// Words of a row, before what moves inside the body.
const WORDS: usize = 16;

impl FileRow for Row {
    type Setting<'a> = RunSetting<'a>;

    fn writer(path: &Path, setting: &RunSetting<'_>) -> Result<Writer<Self>, Failure> {
        Format::run_writer(path, setting)
    }

    fn width(setting: &RunSetting<'_>) -> usize {
        WORDS + setting.problem.inside_at_start().len()
    }
}

impl SpoolRow for Row {
    fn words(&self) -> Vec<u64> {
        let State { m, q } = self.state;
        let w = self.omega;
        let numbers = [
            self.t,
            m.x,
            m.y,
            m.z,
            w.x,
            w.y,
            w.z,
            q.x,
            q.y,
            q.z,
            q.w,
            self.energy,
            self.energy_error,
            self.momentum_error,
            self.spatial_momentum_error,
        ];
        let numbers = numbers.iter().chain(self.inside.all()).map(|x| x.to_bits());
        std::iter::once(self.step).chain(numbers).collect()
    }

    fn from_words(words: &[u64]) -> Self {
        let x = |n: usize| f64::from_bits(words[n]);
        let vector = |n: usize| DVec3::new(x(n), x(n + 1), x(n + 2));
        let inside: Vec<f64> = words[WORDS..].iter().map(|&word| f64::from_bits(word)).collect();
        Self {
            step: words[0],
            t: x(1),
            state: State { m: vector(2), q: DQuat::from_xyzw(x(8), x(9), x(10), x(11)) },
            omega: vector(5),
            energy: x(12),
            energy_error: x(13),
            momentum_error: x(14),
            spatial_momentum_error: x(15),
            inside: InsideNumbers::new(&inside),
        }
    }
}
