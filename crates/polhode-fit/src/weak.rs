//! Euler's equations over windows of the data: linear in the inertia, and without differentiation.
//!
//! Multiplied by a bump phi that vanishes at the ends of a window and integrated by parts, `(I w)' + w x I w = torque`
//! becomes `sum of h (phi (w x I w - torque) - phi' I w) = 0`: three equations for each window, linear in the six
//! entries of I. The smallest singular vector is the inertia; how many singular values stand out of the noise tells
//! how much of it the data show. A torque that is known gives the scale, and its unknown numbers are found beside it:
//! they enter without noise, so they are eliminated first.

use core::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use polhode::{Problem, State};

use crate::data::FitUnits;
use crate::drive::Drive;
use crate::driving::tensor;
use crate::error::FitError;
use crate::linear::Symmetric;
use crate::sensor::FitParameter;
use crate::shape::MassShape;

/// The entries of an inertia: xx, yy, zz, xy, xz, yz.
const ENTRIES: usize = 6;
const PLACES: [(usize, usize); ENTRIES] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Samples that a window must have.
const LEAST: usize = 6;

/// A torque explains the data if it leaves less than this share of the squares that are there without it.
const EXPLAINS: f64 = 0.2;

/// How often a torque that is not linear in its numbers is linearised anew.
const ROUNDS: usize = 4;

/// An angular velocity with its time, and the attitude where the torque needs one.
pub(crate) type RateSample = (f64, DVec3, DQuat);

/// What single windows of the data show of the inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WeakForm {
    /// The singular values of the six entries of the inertia, descending, relative to the largest. The last is that of
    /// the inertia itself, whose scale a free body does not tell.
    pub singular_values: [f64; 6],
    /// What noise alone makes of the last.
    pub noise: f64,
}

impl WeakForm {
    /// How many of the five numbers of the inertia besides its scale stand out of the noise, and of what sparse samples
    /// make of the last.
    pub fn shown(&self) -> usize {
        let least = 3.0 * self.noise.max(self.singular_values[5]);
        self.singular_values[..5].iter().filter(|x| **x > least).count()
    }
}

/// A body, and what acts on it, to begin with.
pub(crate) struct FitStart {
    pub(crate) shape: MassShape,
    /// The logarithm of the largest moment.
    pub(crate) size: f64,
    /// The unknown numbers of the torque.
    pub(crate) values: Vec<f64>,
    /// The torque, all of which is known, explains the data with the opposite sign.
    pub(crate) reversed: bool,
}

/// The samples of a window with the weights of phi and of minus its slope.
struct SampleWindow<'a> {
    rows: Vec<(&'a RateSample, f64, f64)>,
}

/// Windows of so many radians, each over half of the next; those with gaps are left out.
fn windows(samples: &[RateSample], radians: f64) -> Vec<SampleWindow<'_>> {
    let Some(last) = samples.last() else { return Vec::new() };
    let span = last.0 - samples[0].0;
    let count = samples.len();
    let length = radians.max((LEAST as f64 + 2.0) * span / (count as f64 - 1.0)).min(span);
    let mut all = Vec::new();
    let mut begin = samples[0].0;
    while begin + length <= last.0 * (1.0 + 1e-12) + 1e-12 {
        let from = samples.partition_point(|s| s.0 < begin);
        let to = samples.partition_point(|s| s.0 <= begin + length);
        let inside = &samples[from..to];
        let gap = inside.windows(2).map(|w| w[1].0 - w[0].0).fold(0.0, f64::max);
        if inside.len() >= LEAST && gap < 0.3 * length {
            let row = |i: usize| {
                let before = if i == 0 { begin } else { inside[i - 1].0 };
                let after = inside.get(i + 1).map_or(begin + length, |s| s.0);
                let weight = 0.5 * (after - before);
                let angle = PI * (inside[i].0 - begin) / length;
                let sine = libm::sin(angle);
                let slope = PI / length * libm::sin(2.0 * angle);
                (&inside[i], weight * sine * sine, -weight * slope)
            };
            all.push(SampleWindow { rows: (0..inside.len()).map(row).collect() });
        }
        begin += 0.5 * length;
    }
    all
}

fn entry(k: usize) -> DMat3 {
    let (i, j) = PLACES[k];
    let mut m = DMat3::ZERO;
    m.col_mut(i)[j] = 1.0;
    m.col_mut(j)[i] = 1.0;
    m
}

fn matrix(v: &[f64]) -> DMat3 {
    (0..ENTRIES).fold(DMat3::ZERO, |sum, k| sum + entry(k) * v[k])
}

/// The columns of a free body in a window.
fn free(window: &SampleWindow<'_>) -> [DVec3; ENTRIES] {
    let mut columns = [DVec3::ZERO; ENTRIES];
    for &((_, w, _), phi, slope) in &window.rows {
        for (k, column) in columns.iter_mut().enumerate() {
            let m = entry(k) * *w;
            *column += m * slope + w.cross(m) * phi;
        }
    }
    columns
}

fn add(normal: &mut Symmetric, columns: &[DVec3]) {
    for (i, a) in columns.iter().enumerate() {
        for (j, b) in columns.iter().enumerate() {
            *normal.at_mut(i, j) += a.dot(*b);
        }
    }
}

/// What windows show of this inertia, given the noise of the angular velocity. None if samples are too few or sparse.
pub(crate) fn shown(samples: &[RateSample], inertia: DMat3, noise: f64) -> Option<WeakForm> {
    let windows = windows(samples, WINDOW);
    // In a longer window samples miss the motion.
    let longest = windows.iter().map(|w| w.rows[w.rows.len() - 1].0.0 - w.rows[0].0.0);
    if windows.len() < 3 || longest.fold(0.0, f64::max) > 2.0 * WINDOW {
        return None;
    }
    let mut normal = Symmetric::zero(ENTRIES);
    let mut variance = 0.0;
    let size: f64 = PLACES.iter().map(|&(i, j)| inertia.col(i)[j] * inertia.col(i)[j]).sum();
    for window in &windows {
        add(&mut normal, &free(window));
        for &((_, w, _), phi, slope) in &window.rows {
            for axis in DVec3::AXES {
                let m = inertia * axis;
                let change = m * slope + (axis.cross(inertia * *w) + w.cross(m)) * phi;
                variance += change.length_squared() * noise * noise / size;
            }
        }
    }
    let mut values: Vec<f64> = normal.eigen().iter().map(|(x, _)| x.max(0.0).sqrt()).collect();
    values.reverse();
    let largest = values[0];
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let singular_values = core::array::from_fn(|i| values[i] / largest);
    Some(WeakForm { singular_values, noise: variance.sqrt() / largest })
}

/// The usual length of a window, radians.
const WINDOW: f64 = 2.5;

/// The torque at the samples of all windows.
struct DriveSamples<'a> {
    drive: &'a Drive,
    units: FitUnits,
}

impl DriveSamples<'_> {
    /// The integral of phi times the torque in each window, in units of the fit.
    fn integrals(
        &self,
        windows: &[SampleWindow<'_>],
        inertia: DMat3,
        values: &[f64],
    ) -> Result<Vec<DVec3>, FitError> {
        let FitUnits { epoch, rate } = self.units;
        let still = State { m: DVec3::X, q: DQuat::IDENTITY };
        let problem = Problem::new(tensor(inertia)?, still).torque(self.drive.torque(values)?);
        let each = |window: &SampleWindow<'_>| {
            let rows = window.rows.iter();
            rows.map(|&(&(t, w, q), phi, _)| {
                let state = State { m: inertia * w * rate, q };
                problem.torque_at(epoch + t / rate, &state) * (phi / (rate * rate))
            })
            .sum()
        };
        Ok(windows.iter().map(each).collect())
    }
}

/// The body and the unknown numbers of the torque that windows of so many radians tell. The size is that of the
/// largest moment where it is known.
pub(crate) fn start(
    samples: &[RateSample],
    radians: f64,
    drive: &Drive,
    units: FitUnits,
    largest: Option<f64>,
) -> Result<Option<FitStart>, FitError> {
    let windows = windows(samples, radians);
    if windows.len() < 3 {
        return Ok(None);
    }
    let acting = DriveSamples { drive, units };
    let mut inertia = DMat3::IDENTITY * largest.unwrap_or(1.0);
    let mut values = drive.values();
    let free_numbers: Vec<usize> =
        (0..values.len()).filter(|&l| !drive.unknown()[l].1.fixed).collect();
    let mut found = None;
    for round in 0..ROUNDS {
        let here = match acting.integrals(&windows, inertia, &values) {
            // Numbers that the torque does not take are no start; those before them may be.
            Err(FitError::Torque(_)) if round > 0 => return Ok(found),
            here => here?,
        };
        let difference = |there: Vec<DVec3>, step: f64| -> Vec<DVec3> {
            there.iter().zip(&here).map(|(a, b)| (*a - *b) / step).collect()
        };
        let mut by_inertia = Vec::new();
        let size = inertia.col(0)[0].abs().max(inertia.col(1)[1].abs());
        for k in 0..ENTRIES {
            let step = 1e-6 * size;
            let moved = acting.integrals(&windows, inertia + entry(k) * step, &values)?;
            by_inertia.push(difference(moved, step));
        }
        let mut by_number = Vec::new();
        for &l in &free_numbers {
            let mut moved = values.clone();
            let step = 1e-6 * if values[l] == 0.0 { 1.0 } else { values[l].abs() };
            moved[l] += step;
            by_number.push(difference(acting.integrals(&windows, inertia, &moved)?, step));
        }
        let n = ENTRIES + free_numbers.len() + 1;
        let mut normal = Symmetric::zero(n);
        let mut whole = 0.0;
        for (j, window) in windows.iter().enumerate() {
            let mut columns = vec![DVec3::ZERO; n];
            let mut rest = here[j];
            for (k, column) in free(window).into_iter().enumerate() {
                let (a, b) = PLACES[k];
                columns[k] = column - by_inertia[k][j];
                rest -= by_inertia[k][j] * inertia.col(a)[b];
            }
            for (i, &l) in free_numbers.iter().enumerate() {
                columns[ENTRIES + i] = -by_number[i][j];
                rest -= by_number[i][j] * values[l];
            }
            columns[n - 1] = -rest;
            whole += here[j].length_squared();
            add(&mut normal, &columns);
        }
        let Some(solved) = solved(&normal, whole) else { return Ok(None) };
        let body = matrix(&solved);
        let trace = body.col(0)[0] + body.col(1)[1] + body.col(2)[2];
        let shape = MassShape::nearest(DMat3::IDENTITY - body * (2.0 / trace));
        let moment = shape.moments()[2] * 0.5 * trace;
        // Of what is homogeneous in the inertia only the known size, or any, can be taken.
        let per = match (largest, solved[n - 1]) {
            (Some(largest), 0.0) => moment / largest,
            (None, 0.0) => moment,
            (_, per) => per,
        };
        if !(moment > 0.0 && per != 0.0 && (moment / per).is_finite()) {
            return Ok(found);
        }
        let size = libm::log(largest.unwrap_or((moment / per).abs()));
        for (i, &l) in free_numbers.iter().enumerate() {
            let FitParameter { min, max, .. } = drive.unknown()[l].1;
            values[l] = (solved[ENTRIES + i] / per).clamp(min, max);
        }
        inertia = shape.inertia_matrix() * (libm::exp(size) / shape.moments()[2]);
        let reversed = per < 0.0 && free_numbers.is_empty() && {
            let six = |m: &Symmetric| m.leading(ENTRIES).eigen().first().map(|pair| pair.0);
            six(&eliminated(&normal, whole).0) < six(&normal).map(|without| EXPLAINS * without)
        };
        found = Some(FitStart { shape, size, values: values.clone(), reversed });
    }
    Ok(found)
}

/// The vector that the columns take to zero best, its first six entries of length one and with a positive trace. The
/// others are eliminated; those that are nothing but rounding are zero.
fn solved(normal: &Symmetric, whole: f64) -> Option<Vec<f64>> {
    let (m, kept) = eliminated(normal, whole);
    let mut v = m.leading(ENTRIES).eigen().into_iter().next()?.1;
    if v[0] + v[1] + v[2] < 0.0 {
        v = v.iter().map(|x| -x).collect();
    }
    for (c, kept) in kept.into_iter().enumerate().skip(ENTRIES) {
        let sum: f64 = v.iter().enumerate().map(|(j, x)| m.at(c, j) * x).sum();
        v.push(if kept { -sum / m.at(c, c) } else { 0.0 });
    }
    v.iter().all(|x| x.is_finite()).then_some(v)
}

/// The equations with all but the first six columns eliminated, and which columns are more than rounding.
fn eliminated(normal: &Symmetric, whole: f64) -> (Symmetric, Vec<bool>) {
    let n = normal.n;
    let mut m = normal.clone();
    let mut kept = vec![true; n];
    for c in (ENTRIES..n).rev() {
        let least = if c == n - 1 { 1e-12 * whole } else { 1e-12 * normal.at(c, c) };
        kept[c] = m.at(c, c) > least && m.at(c, c) > 0.0;
        if !kept[c] {
            continue;
        }
        for i in 0..c {
            let factor = m.at(i, c) / m.at(c, c);
            for j in 0..c {
                *m.at_mut(i, j) -= factor * m.at(c, j);
            }
        }
    }
    (m, kept)
}
