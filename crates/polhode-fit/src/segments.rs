//! Direct multiple shooting: a start for gyro data without any guess.
//!
//! The arc is cut into short segments, each with its own angular velocity at its beginning; all share one body.
//! The jumps between them are free at first and punished more and more. Short segments are nearly linear in the
//! unknowns, so the first stage finds a body from a sphere, and no number of turns is chosen before the data
//! have chosen it.
//!
//! Unknowns are the five of the shape and three for each segment. The normal equations are block tridiagonal with
//! a border, and are solved by elimination from the first segment to the last.

use glam::{DMat3, DVec3};
use polhode::Control;

use crate::course::Sensitivities;
use crate::error::FitError;
use crate::guess::Guess;
use crate::linear::Symmetric;
use crate::loss::Loss;
use crate::model::Observations;
use crate::shape::{MassShape, SHAPE};

/// A cut of the arc: the samples from one index up to another.
type SampleRange = core::ops::Range<usize>;

/// The body and the angular velocities at the beginnings of the segments.
#[derive(Clone, Debug)]
struct Pieces {
    shape: MassShape,
    starts: Vec<DVec3>,
}

/// What the samples and the jumps of one segment add to the normal equations.
#[derive(Clone)]
struct SegmentEquations {
    /// Of the start of the segment.
    own: DMat3,
    right: DVec3,
    /// With the start of the next one; none for the last.
    next: DMat3,
    /// With the shape, one column each.
    border: [DVec3; SHAPE],
}

struct System {
    blocks: Vec<SegmentEquations>,
    corner: Symmetric,
    corner_right: Vec<f64>,
    cost: f64,
}

/// The samples of the gyro cut into segments of so many, the last one longer.
fn cuts(count: usize, length: usize) -> Vec<SampleRange> {
    let segments = (count / length).max(1);
    let bound = |i: usize| if i == segments { count } else { i * length };
    (0..segments).map(|i| bound(i)..bound(i + 1)).collect()
}

/// A guess for the whole arc from segments of so many samples, beginning with this shape.
pub(crate) fn shoot(
    observations: &Observations,
    length: usize,
    shape: MassShape,
) -> Result<Guess, FitError> {
    let gyro = &observations.gyro;
    let cuts = cuts(gyro.len(), length);
    let starts = cuts.iter().map(|cut| gyro[cut.start].1).collect();
    let mut pieces = Pieces { shape, starts };
    // The noise is not known yet; weights are relative to what the free segments leave.
    // What is an outlier depends on the noise, though: then it is told, or taken to be a few percent.
    let loss = observations.loss;
    let plain = loss == Loss::Squares;
    let sigma = if plain { DVec3::ONE } else { observations.sigma_gyro };
    let control = &observations.control;
    let mut job = SegmentJob { gyro, cuts: &cuts, loss, sigma, weight: 0.0, control };
    job.descend(&mut pieces, 12)?;
    let degrees = (3 * gyro.len()).saturating_sub(3 * cuts.len() + SHAPE).max(1);
    let noise = if plain {
        (System::new(&job, &pieces)?.cost / degrees as f64).sqrt().max(1e-9)
    } else {
        sigma.max_element()
    };
    job.sigma = if plain { DVec3::splat(noise) } else { sigma };
    for slack in [10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4] {
        job.weight = 1.0 / (slack * noise * slack * noise);
        job.descend(&mut pieces, 4)?;
    }
    // The epoch is time zero: from the segment that holds it.
    let holds = cuts.partition_point(|cut| gyro[cut.start].0 <= 0.0).saturating_sub(1);
    let body = Sensitivities::new(&Guess::new(pieces.shape, pieces.starts[holds]))?;
    let omega = body.motion().omega_at(-gyro[cuts[holds].start].0)?;
    Ok(Guess::new(pieces.shape, omega))
}

/// The samples, how they are cut and weighed, and the weight of the jumps.
struct SegmentJob<'a> {
    gyro: &'a [(f64, DVec3)],
    cuts: &'a [SampleRange],
    loss: Loss,
    sigma: DVec3,
    weight: f64,
    control: &'a Control,
}

impl SegmentJob<'_> {
    fn descend(&self, pieces: &mut Pieces, iterations: usize) -> Result<(), FitError> {
        self.control.check().map_err(|_| FitError::Stopped)?;
        let mut system = System::new(self, pieces)?;
        let mut damping = 1e-3;
        for _ in 0..iterations {
            let mut gain = 0.0;
            while damping < 1e5 {
                let Some((shape, starts)) = system.step(damping, &pieces.shape) else {
                    damping *= 10.0;
                    continue;
                };
                let trial = Pieces {
                    shape: pieces.shape.stepped(&shape),
                    starts: pieces.starts.iter().zip(&starts).map(|(x, d)| *x + *d).collect(),
                };
                match System::new(self, &trial) {
                    Ok(next) if next.cost < system.cost => {
                        gain = (system.cost - next.cost) / system.cost;
                        *pieces = trial;
                        system = next;
                        damping = (damping * 0.1).max(1e-8);
                        break;
                    }
                    _ => damping *= 8.0,
                }
            }
            if gain < 1e-4 {
                break;
            }
        }
        Ok(())
    }
}

impl System {
    fn new(job: &SegmentJob<'_>, pieces: &Pieces) -> Result<Self, FitError> {
        let &SegmentJob { gyro, cuts, loss, sigma, weight, .. } = job;
        let empty = SegmentEquations {
            own: DMat3::ZERO,
            right: DVec3::ZERO,
            next: DMat3::ZERO,
            border: [DVec3::ZERO; SHAPE],
        };
        let mut system = Self {
            blocks: vec![empty; cuts.len()],
            corner: Symmetric::zero(SHAPE),
            corner_right: vec![0.0; SHAPE],
            cost: 0.0,
        };
        let per_variance = (sigma * sigma).recip();
        let mut shared: Option<Sensitivities> = None;
        for (i, cut) in cuts.iter().enumerate() {
            let body = match &shared {
                Some(body) => body.again(pieces.starts[i])?,
                None => Sensitivities::new(&Guess::new(pieces.shape, pieces.starts[i]))?,
            };
            let begin = gyro[cut.start].0;
            for &(t, shown) in &gyro[cut.clone()] {
                let there = body.at(t - begin)?;
                system.add(i, &there.rates, shown - there.omega, per_variance, loss);
            }
            if let Some(next) = cuts.get(i + 1).filter(|_| weight > 0.0) {
                let there = body.at(gyro[next.start].0 - begin)?;
                let jump = pieces.starts[i + 1] - there.omega;
                let per_variance = DVec3::splat(weight);
                system.add(i, &there.rates, jump, per_variance, Loss::Squares);
                // The start of the next segment enters with minus one.
                let by_start = DMat3::from_cols(
                    there.rates[SHAPE],
                    there.rates[SHAPE + 1],
                    there.rates[SHAPE + 2],
                );
                let [block, after] = &mut system.blocks[i..i + 2] else { continue };
                block.next -= by_start.transpose() * weight;
                after.own += DMat3::from_diagonal(per_variance);
                after.right -= jump * weight;
                for (column, rate) in after.border.iter_mut().zip(there.rates) {
                    *column -= rate * weight;
                }
            }
            shared.get_or_insert(body);
        }
        system.corner.mirror();
        Ok(system)
    }

    fn add(
        &mut self,
        i: usize,
        rates: &[DVec3; SHAPE + 3],
        residual: DVec3,
        per_variance: DVec3,
        loss: Loss,
    ) {
        let block = &mut self.blocks[i];
        let (cost, weight) = loss.of((residual * residual).dot(per_variance));
        let per_variance = per_variance * weight;
        self.cost += cost;
        let by_start = DMat3::from_cols(rates[SHAPE], rates[SHAPE + 1], rates[SHAPE + 2]);
        let weighted = by_start.transpose() * DMat3::from_diagonal(per_variance);
        block.own += weighted * by_start;
        block.right += weighted * residual;
        for k in 0..SHAPE {
            block.border[k] += weighted * rates[k];
            let scaled = rates[k] * per_variance;
            self.corner_right[k] += scaled.dot(residual);
            for (j, other) in rates[..=k].iter().enumerate() {
                *self.corner.at_mut(k, j) += scaled.dot(*other);
            }
        }
    }

    /// The damped step of the shape and of the starts.
    fn step(&self, damping: f64, shape: &MassShape) -> Option<(Vec<f64>, Vec<DVec3>)> {
        let count = self.blocks.len();
        let mut corner = self.corner.clone();
        let mut corner_right = self.corner_right.clone();
        let largest = (0..SHAPE).fold(0.0, |max: f64, i| max.max(corner.at(i, i)));
        for i in 0..SHAPE {
            *corner.at_mut(i, i) += damping * (corner.at(i, i) + 1e-6 * largest) + 1e-13 * largest;
        }
        // Forward: each start is expressed by the next one and the shape.
        let mut inverses = Vec::with_capacity(count);
        let mut rights = Vec::with_capacity(count);
        let mut borders = Vec::with_capacity(count);
        let (mut own, mut right, mut border) = (DMat3::ZERO, DVec3::ZERO, [DVec3::ZERO; SHAPE]);
        for block in &self.blocks {
            let diagonal = DVec3::new(block.own.x_axis.x, block.own.y_axis.y, block.own.z_axis.z);
            own += block.own + DMat3::from_diagonal(diagonal * damping);
            right += block.right;
            for (sum, column) in border.iter_mut().zip(block.border) {
                *sum += column;
            }
            let inverse = own.inverse();
            if !inverse.is_finite() {
                return None;
            }
            for k in 0..SHAPE {
                let weighted = inverse * border[k];
                corner_right[k] -= weighted.dot(right);
                for (j, other) in border.iter().enumerate() {
                    *corner.at_mut(k, j) -= weighted.dot(*other);
                }
            }
            inverses.push(inverse);
            rights.push(right);
            borders.push(border);
            let back = block.next.transpose() * inverse;
            own = -(back * block.next);
            right = -(back * right);
            border = border.map(|column| -(back * column));
        }
        let body = bounded(&corner, &corner_right, shape)?;
        let mut starts = vec![DVec3::ZERO; count];
        for i in (0..count).rev() {
            let mut right = rights[i];
            for (column, x) in borders[i].iter().zip(&body) {
                right -= *column * *x;
            }
            if i + 1 < count {
                right -= self.blocks[i].next * starts[i + 1];
            }
            starts[i] = inverses[i] * right;
        }
        starts.iter().all(|x| x.is_finite()).then_some((body, starts))
    }
}

/// The solution that leaves no second moment negative.
fn bounded(matrix: &Symmetric, right: &[f64], shape: &MassShape) -> Option<Vec<f64>> {
    let normal =
        crate::model::Normal { matrix: matrix.clone(), right: right.to_vec(), cost: 0.0, count: 0 };
    crate::descend::step(&normal, shape, &[0, 1, 2, 3, 4], 0.0)
}
