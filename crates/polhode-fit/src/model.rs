//! What the sensors should have shown, its derivatives, and the normal equations they make.
//!
//! Everything here is in units of the data: rates in units of their root mean square, times from the epoch in
//! units of its inverse (see `crate::data`).

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use polhode::{Control, so3};

use crate::course::{PlainMotion, TangentMotion};
use crate::driving::ScaledDrive;
use crate::error::FitError;
use crate::estimates::ratio_gradient;
use crate::guess::{Guess, SensorState, at};
use crate::linear::Symmetric;
use crate::loss::Loss;

/// Measurements in their units, sorted by time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observations {
    pub(crate) gyro: Vec<(f64, DVec3)>,
    pub(crate) attitude: Vec<(f64, DQuat)>,
    /// Time, direction in space, direction as seen in the body.
    pub(crate) directions: Vec<(f64, DVec3, DVec3)>,
    /// Standard deviations: of each rate, of an angle, of a component of a direction.
    pub(crate) sigma_gyro: DVec3,
    pub(crate) sigma_attitude: f64,
    pub(crate) sigma_direction: f64,
    pub(crate) loss: Loss,
    /// What is known beforehand: which unknown, its value, its standard deviation.
    pub(crate) priors: Vec<(usize, f64, f64)>,
    /// Which unknown of the sensor, and the least and the most it may be.
    pub(crate) bounds: Vec<(usize, f64, f64)>,
    /// A ratio of moments (0 for I1/I3, 1 for I2/I3) held at a value, to a standard deviation.
    pub(crate) pinned: Option<(usize, f64, f64)>,
    /// What acts on the body; none if it is free.
    pub(crate) driving: Option<Arc<ScaledDrive>>,
    /// Looked at whenever the normal equations are set up.
    pub(crate) control: Control,
}

/// A least-squares problem, linearised.
#[derive(Clone, Debug)]
pub(crate) struct Normal {
    /// The information matrix of the unknowns that are free.
    pub(crate) matrix: Symmetric,
    /// Minus half the gradient of the cost.
    pub(crate) right: Vec<f64>,
    /// The sum of the losses.
    pub(crate) cost: f64,
    /// How many numbers were measured.
    pub(crate) count: usize,
}

impl Normal {
    /// The same where the noise is so many times larger.
    pub(crate) fn in_units_of(&self, noise: f64) -> Self {
        let by = 1.0 / (noise * noise);
        let scaled = |numbers: &[f64]| numbers.iter().map(|x| x * by).collect();
        let matrix = Symmetric { entries: scaled(&self.matrix.entries), ..self.matrix.clone() };
        Self { matrix, right: scaled(&self.right), cost: self.cost * by, count: self.count }
    }
}

/// Rows of a least-squares problem, added up as they come.
struct Sum<'a> {
    active: &'a [usize],
    normal: Normal,
    loss: Loss,
}

impl Sum<'_> {
    /// One measurement of three numbers: residuals and the derivatives of the model, both in units of the noise.
    fn add(&mut self, residual: DVec3, by: &[DVec3; at::ALL]) {
        let (cost, weight) = self.loss.of(residual.length_squared());
        let Normal { matrix, right, cost: total, count } = &mut self.normal;
        *total += cost;
        *count += 3;
        for (i, &place) in self.active.iter().enumerate() {
            let column = by[place] * weight;
            right[i] += column.dot(residual);
            for (j, &other) in self.active[..=i].iter().enumerate() {
                matrix.entries[i * matrix.n + j] += column.dot(by[other]);
            }
        }
    }
}

impl Observations {
    /// How many numbers are measured: two by a direction of unit length.
    pub(crate) fn count(&self) -> usize {
        3 * (self.gyro.len() + self.attitude.len()) + 2 * self.directions.len()
    }

    pub(crate) fn samples(&self) -> usize {
        self.gyro.len() + self.attitude.len() + self.directions.len()
    }

    /// Whether attitudes are known from directions of one vector only, or of parallel ones.
    pub(crate) fn sees_one_vector(&self) -> bool {
        let Some((_, one, _)) = self.directions.first() else { return false };
        let parallel = |(_, other, _): &(f64, DVec3, DVec3)| one.cross(*other).length() < 1e-3;
        self.attitude.is_empty() && self.directions.iter().all(parallel)
    }

    /// The first and the last time.
    pub(crate) fn span(&self) -> [f64; 2] {
        let times = self.gyro.iter().map(|x| x.0);
        let times = times.chain(self.attitude.iter().map(|x| x.0));
        let times = times.chain(self.directions.iter().map(|x| x.0));
        times.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], t| [a.min(t), b.max(t)])
    }

    /// Those within so much of the epoch.
    pub(crate) fn near(&self, reach: f64) -> Self {
        let mut part = self.clone();
        part.gyro.retain(|x| x.0.abs() <= reach);
        part.attitude.retain(|x| x.0.abs() <= reach);
        part.directions.retain(|x| x.0.abs() <= reach);
        part
    }

    /// Every n-th of them, so that no more than about so many are left.
    pub(crate) fn thinned(mut self, most: usize) -> Self {
        let every = self.samples().div_ceil(most).max(1);
        if every > 1 {
            self.gyro = self.gyro.into_iter().step_by(every).collect();
            self.attitude = self.attitude.into_iter().step_by(every).collect();
            self.directions = self.directions.into_iter().step_by(every).collect();
        }
        self
    }

    /// A guess with the unknowns of the sensor brought within their bounds.
    pub(crate) fn bounded(&self, guess: Guess) -> Guess {
        let mut step = [0.0; at::ALL];
        for &(place, min, max) in &self.bounds {
            let value = guess.told_value(place);
            step[place] = value.clamp(min, max) - value;
        }
        if step.iter().all(|x| *x == 0.0) {
            return guess;
        }
        let all: [usize; at::ALL] = core::array::from_fn(|i| i);
        guess.stepped(&all, &step)
    }

    /// The same problem with the unknowns held that stand at a bound and would go beyond it, if there are any.
    pub(crate) fn held(&self, guess: &Guess, normal: &Normal, active: &[usize]) -> Option<Normal> {
        let beyond = |i: &usize| {
            self.bounds.iter().any(|&(place, min, max)| {
                let (value, right) = (guess.told_value(place), normal.right[*i]);
                place == active[*i]
                    && ((value <= min && right < 0.0) || (value >= max && right > 0.0))
            })
        };
        let held: Vec<usize> = (0..active.len()).filter(beyond).collect();
        if held.is_empty() {
            return None;
        }
        let mut within = normal.clone();
        for i in held {
            within.right[i] = 0.0;
            for j in (0..active.len()).filter(|&j| j != i) {
                *within.matrix.at_mut(i, j) = 0.0;
                *within.matrix.at_mut(j, i) = 0.0;
            }
        }
        Some(within)
    }

    /// The problem linearised about a guess, for the unknowns that are free.
    pub(crate) fn normal(&self, guess: &Guess, active: &[usize]) -> Result<Normal, FitError> {
        self.control.check().map_err(|_| FitError::Stopped)?;
        let n = active.len();
        let empty = Normal { matrix: Symmetric::zero(n), right: vec![0.0; n], cost: 0.0, count: 0 };
        let mut sum = Sum { active, normal: empty, loss: self.loss };
        let body = self.course(guess, self.span())?;
        let SensorState { bias, scale, misalignment, offset } = guess.sensor;
        let to_gyro = DMat3::from_quat(misalignment);
        let gain = DVec3::ONE + scale;
        let per_sigma = self.sigma_gyro.recip();
        let mut by = [DVec3::ZERO; at::ALL];
        for &(t, shown) in &self.gyro {
            let there = body.at(t + offset)?;
            let turned = to_gyro * there.omega;
            let residual = (shown - gain * turned - bias) * per_sigma;
            let factor = gain * per_sigma;
            for (column, rate) in by.iter_mut().zip(there.rates) {
                *column = factor * (to_gyro * rate);
            }
            for (k, axis) in DVec3::AXES.into_iter().enumerate() {
                by[at::BIAS + k] = axis * per_sigma;
                by[at::SCALE + k] = axis * turned * per_sigma;
                by[at::MISALIGNMENT + k] = factor * axis.cross(turned);
            }
            by[at::OFFSET] = factor * (to_gyro * there.acceleration);
            for &(place, rate, _) in &there.by_torque {
                by[place] = factor * (to_gyro * rate);
            }
            sum.add(residual, &by);
        }
        let mut by = [DVec3::ZERO; at::ALL];
        let per_sigma = 1.0 / self.sigma_attitude;
        for &(t, shown) in &self.attitude {
            let there = body.at(t)?;
            let residual = error_angle(there.attitude, shown);
            // Of the logarithm, where the residual is not small.
            let slope = so3::dexpinv_matrix(-residual);
            for (column, turn) in by.iter_mut().zip(there.turns) {
                *column = slope * turn * per_sigma;
            }
            for &(place, _, turn) in &there.by_torque {
                by[place] = slope * turn * per_sigma;
            }
            sum.add(residual * per_sigma, &by);
        }
        let mut by = [DVec3::ZERO; at::ALL];
        let per_sigma = 1.0 / self.sigma_direction;
        for &(t, known, shown) in &self.directions {
            let there = body.at(t)?;
            let seen = there.attitude.conjugate() * known;
            for (column, turn) in by.iter_mut().zip(there.turns) {
                *column = seen.cross(turn) * per_sigma;
            }
            for &(place, _, turn) in &there.by_torque {
                by[place] = seen.cross(turn) * per_sigma;
            }
            sum.add((shown - seen) * per_sigma, &by);
        }
        let mut normal = sum.normal;
        for &(place, value, sigma) in &self.priors {
            if let Some(i) = active.iter().position(|&a| a == place) {
                let residual = (value - guess.told_value(place)) / sigma;
                normal.cost += residual * residual;
                normal.right[i] += residual / sigma;
                *normal.matrix.at_mut(i, i) += 1.0 / (sigma * sigma);
            }
        }
        if let Some((which, value, sigma)) = self.pinned {
            let moments = guess.shape.moments();
            let residual = (value - moments[which] / moments[2]) / sigma;
            let row = ratio_gradient(&guess.shape, which);
            normal.cost += residual * residual;
            // The first two unknowns are those of the moments.
            for i in 0..2 {
                normal.right[i] += residual * row[i] / sigma;
                for j in 0..=i {
                    *normal.matrix.at_mut(i, j) += row[i] * row[j] / (sigma * sigma);
                }
            }
        }
        normal.matrix.mirror();
        Ok(normal)
    }

    /// The motion of a guess over a span of times, with derivatives.
    pub(crate) fn course(&self, guess: &Guess, span: [f64; 2]) -> Result<TangentMotion, FitError> {
        TangentMotion::new(guess, self.driving.as_deref(), widened(span, guess))
    }

    /// The residuals, in units of the noise: gyro, attitude, directions one after the other.
    pub(crate) fn residuals(&self, guess: &Guess) -> Result<Vec<DVec3>, FitError> {
        let span = widened(self.span(), guess);
        let motion = PlainMotion::new(guess, self.driving.as_deref(), span)?;
        let SensorState { bias, scale, misalignment, offset } = guess.sensor;
        let mut all = Vec::with_capacity(self.samples());
        for &(t, shown) in &self.gyro {
            let omega = misalignment * motion.omega_at(t + offset)?;
            all.push((shown - (DVec3::ONE + scale) * omega - bias) / self.sigma_gyro);
        }
        for &(t, shown) in &self.attitude {
            all.push(error_angle(motion.attitude_at(t)?, shown) / self.sigma_attitude);
        }
        for &(t, known, shown) in &self.directions {
            let seen = motion.attitude_at(t)?.conjugate() * known;
            all.push((shown - seen) / self.sigma_direction);
        }
        Ok(all)
    }
}

/// A span of times by the clock of the gyro as well.
fn widened([first, last]: [f64; 2], guess: &Guess) -> [f64; 2] {
    let offset = guess.sensor.offset;
    [first.min(first + offset), last.max(last + offset)]
}

/// The rotation vector from one attitude to another in the body frame, the shorter way round.
pub(crate) fn error_angle(from: DQuat, to: DQuat) -> DVec3 {
    let q = from.conjugate() * to;
    so3::log(if q.w < 0.0 { -q } else { q })
}
