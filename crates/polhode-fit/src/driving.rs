//! The motion under a torque with its derivatives, in the units of the fit.
//!
//! It is solved in the units of the data, those of the torque, both ways from the epoch.

use glam::{DMat3, DVec3};
use polhode::tangent::TangentSolution;
use polhode::{Control, Inertia, Problem, Solution, State, Torque};

use crate::course::{MotionDerivatives, along, block};
use crate::data::FitUnits;
use crate::drive::Drive;
use crate::error::FitError;
use crate::guess::{Guess, at};
use crate::shape::{MassShape, SHAPE};

/// How many numbers of a torque may be unknown.
pub(crate) const MOST_UNKNOWN: usize = 8;

/// Of every column of the derivatives, relative: far below any noise.
const TOLERANCE: f64 = 1e-9;

/// What acts on the body, in the units of the fit.
#[derive(Clone, Debug)]
pub(crate) struct ScaledDrive {
    pub(crate) drive: Drive,
    pub(crate) units: FitUnits,
    /// What one of each unknown number of the torque is.
    pub(crate) sizes: Vec<f64>,
    /// Of the fit: a solution over all data may take as long as everything else.
    control: Control,
}

impl ScaledDrive {
    /// Unknown numbers in units of where they begin.
    pub(crate) fn new(drive: &Drive, units: FitUnits, values: &[f64], control: &Control) -> Self {
        let pairs = drive.unknown().iter().zip(values);
        let sizes = pairs.map(|((_, p), value)| {
            let known = [value.abs(), p.value.abs(), p.prior.unwrap_or(0.0)];
            known.into_iter().find(|x| *x > 0.0 && x.is_finite()).unwrap_or(1.0)
        });
        let control = control.silent();
        Self { sizes: sizes.collect(), drive: drive.clone(), units, control }
    }

    /// Unknown numbers of a guess, in the units of the data.
    pub(crate) fn values(&self, guess: &Guess) -> Vec<f64> {
        self.sizes.iter().zip(guess.torque).map(|(size, x)| size * x).collect()
    }

    /// The same the other way round.
    pub(crate) fn scaled(&self, values: &[f64]) -> [f64; MOST_UNKNOWN] {
        core::array::from_fn(|i| self.sizes.get(i).map_or(0.0, |size| values[i] / size))
    }

    /// Times of the fit by the clock of the data.
    pub(crate) fn clock(&self, times: [f64; 2]) -> [f64; 2] {
        times.map(|t| self.units.epoch + t / self.units.rate)
    }

    /// The motion of a guess over times of the fit: backwards and forwards from the start.
    pub(crate) fn solved(&self, guess: &Guess, span: [f64; 2]) -> Result<[Solution; 2], FitError> {
        let (problem, [first, last]) = (self.problem(guess)?, self.clock(span));
        let solver = || problem.solver().tolerance(TOLERANCE).control(self.control.clone());
        let until = |t: f64| solver().until(t);
        Ok([until(first.min(problem.t0()))?, until(last.max(problem.t0()))?])
    }

    pub(crate) fn torque(&self, guess: &Guess) -> Result<Torque, FitError> {
        self.drive.torque(&self.values(guess))
    }

    /// Whether the torque of a guess is twice as large on a body with twice the inertia that turns alike.
    pub(crate) fn grows_with_inertia(&self, guess: &Guess) -> bool {
        let torque = |factor: f64| {
            let larger = Guess { size: guess.size + libm::log(factor), ..*guess };
            let problem = self.problem(&larger).ok()?;
            Some(problem.torque_at(self.units.epoch, &problem.start()))
        };
        let (Some(once), Some(twice)) = (torque(1.0), torque(2.0)) else { return false };
        once != DVec3::ZERO && (twice - 2.0 * once).length() < 1e-9 * twice.length()
    }

    /// The problem of a guess, in the units of the data.
    pub(crate) fn problem(&self, guess: &Guess) -> Result<Problem, FitError> {
        let matrix = guess.sized_inertia();
        let inertia = tensor(matrix)?;
        let start = State { m: matrix * guess.omega * self.units.rate, q: guess.attitude };
        let torque = self.torque(guess)?;
        Ok(Problem::new(inertia, start).torque(torque).starting_at(self.units.epoch))
    }
}

/// Symmetric to the last bit.
pub(crate) fn tensor(m: DMat3) -> Result<Inertia, FitError> {
    let [a, b, c] = m.transpose().to_cols_array_2d();
    let rows = [a, [a[1], b[1], b[2]], [a[2], b[2], c[2]]];
    Inertia::tensor_unphysical(rows).map_err(|_| FitError::NotFound)
}

/// A motion under a torque over a span of times, with its derivatives.
pub(crate) struct DrivenMotion {
    problem: Problem,
    parts: [TangentSolution; 2],
    units: FitUnits,
    inertia: DMat3,
    inverse: DMat3,
    omega: DVec3,
    /// The change of the inertia along each direction of the shape, and with the logarithm of its size.
    changes: [DMat3; SHAPE + 1],
    /// How the parameters of the torque change with each unknown number.
    chain: Vec<Vec<f64>>,
}

impl DrivenMotion {
    pub(crate) fn new(
        guess: &Guess,
        driving: &ScaledDrive,
        span: [f64; 2],
    ) -> Result<Self, FitError> {
        let problem = driving.problem(guess)?;
        let [first, last] = driving.clock(span);
        let solver = problem.tangent_solver().tolerance(TOLERANCE).control(driving.control.clone());
        let until = |t: f64| solver.clone().until(t);
        let parts = [until(first.min(problem.t0()))?, until(last.max(problem.t0()))?];
        let inertia = guess.sized_inertia();
        let (shape, largest) = (guess.shape.inertia_matrix(), guess.shape.moments()[2]);
        let scale = libm::exp(guess.size) / largest;
        let directions = guess.shape.directions();
        let changes = core::array::from_fn(|k| {
            let Some(direction) = directions.get(k) else { return inertia };
            // The largest moment stays what it is, so the others change with it.
            let of_largest = if k < 2 { -MassShape::EIGENVALUES[2][k] } else { 0.0 };
            (-*direction - shape * (of_largest / largest)) * scale
        });
        Ok(Self {
            chain: chain(guess, driving)?,
            problem,
            parts,
            units: driving.units,
            inertia,
            inverse: inertia.inverse(),
            omega: guess.omega * driving.units.rate,
            changes,
        })
    }

    pub(crate) fn at(&self, t: f64) -> Result<MotionDerivatives, FitError> {
        let FitUnits { epoch, rate } = self.units;
        let time = epoch + t / rate;
        let there = self.parts[usize::from(t > 0.0)].at(time).map_err(|_| FitError::NotFound)?;
        let Some(by_inertia) = &there.by_inertia else { return Err(FitError::NotFound) };
        let state = there.tangent.state;
        let phi = &there.tangent.state_transition;
        let omega = self.inverse * state.m;
        let (m_by_m, m_by_q) = (block(phi, 0, 0), block(phi, 0, 3));
        let (q_by_m, q_by_q) = (block(phi, 3, 0), block(phi, 3, 3));
        // At a fixed angular velocity at the epoch: the momentum there changes with the inertia.
        let changed = |change: &DMat3| {
            let start = *change * self.omega;
            let m = along(by_inertia, 0, change) + m_by_m * start;
            let turn = along(by_inertia, 3, change) + q_by_m * start;
            (self.inverse * (m - *change * omega) / rate, turn)
        };
        let (mut rates, mut turns) = ([DVec3::ZERO; SHAPE + 3], [DVec3::ZERO; SHAPE + 6]);
        for (k, change) in self.changes[..SHAPE].iter().enumerate() {
            (rates[k], turns[k]) = changed(change);
        }
        let by_omega = self.inverse * m_by_m * self.inertia;
        let turned = q_by_m * self.inertia * rate;
        let by_attitude = self.inverse * m_by_q * (1.0 / rate);
        let mut by_torque = Vec::with_capacity(4 + self.chain.len());
        for k in 0..3 {
            rates[SHAPE + k] = by_omega.col(k);
            turns[SHAPE + k] = turned.col(k);
            turns[SHAPE + 3 + k] = q_by_q.col(k);
            by_torque.push((at::ATTITUDE + k, by_attitude.col(k), q_by_q.col(k)));
        }
        let (size_rate, size_turn) = changed(&self.changes[SHAPE]);
        by_torque.push((at::SIZE, size_rate, size_turn));
        for (k, chain) in self.chain.iter().enumerate() {
            let mut sum = [DVec3::ZERO; 2];
            for (column, x) in there.by_parameters.iter().zip(chain) {
                sum[0] += *x * DVec3::new(column[0], column[1], column[2]);
                sum[1] += *x * DVec3::new(column[3], column[4], column[5]);
            }
            by_torque.push((at::TORQUE + k, self.inverse * sum[0] / rate, sum[1]));
        }
        let torque = self.problem.torque_at(time, &state);
        let acceleration = self.inverse * (state.m.cross(omega) + torque) / (rate * rate);
        let (omega, attitude) = (omega / rate, state.q);
        Ok(MotionDerivatives { omega, acceleration, attitude, rates, turns, by_torque })
    }
}

/// The derivatives of the parameters of the torque by each unknown number, in its unit.
fn chain(guess: &Guess, driving: &ScaledDrive) -> Result<Vec<Vec<f64>>, FitError> {
    let parameters = |k: usize, step: f64| {
        let mut moved = *guess;
        moved.torque[k] += step;
        Ok::<_, FitError>(driving.torque(&moved)?.parameters())
    };
    let each = |k: usize| {
        // Parameters are mostly the numbers themselves, of which a difference is exact; one way only, as a number at
        // its bound may not go the other way.
        let step = 1e-6 * guess.torque[k].abs().max(1e-3);
        let (here, there) = (parameters(k, 0.0)?, parameters(k, step)?);
        let slope = |((_, a), (_, b)): (&(String, f64), &(String, f64))| (b - a) / step;
        Ok(here.iter().zip(&there).map(slope).collect())
    };
    (0..driving.sizes.len()).map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Observations;
    use crate::sensor::FitParameter;
    use glam::DQuat;
    use polhode::so3;
    use polhode::torque::{ConstantTorque, Damping};
    use std::sync::Arc;

    #[test]
    fn derivatives_are_those_of_the_cost() {
        let drive = Drive::new([("c", FitParameter::free(0.3))], |[c]| {
            let push = Torque::from(ConstantTorque::space([0.1, 0.2, -0.3])?);
            Ok(push + Damping::new([c, 2.0 * c, c])?)
        });
        let units = FitUnits { epoch: 2.0, rate: 1.7 };
        let driving = ScaledDrive::new(&drive, units, &[0.3], &Control::default());
        let turned = |v: DVec3| DMat3::from_quat(so3::exp(v));
        let shape = MassShape::of_moments([1.0, 1.8, 2.3], turned(DVec3::new(0.3, -0.5, 1.1)));
        let mut guess = Guess::new(shape, DVec3::new(0.4, -0.8, 0.3));
        (guess.size, guess.torque[0]) = (0.7, 1.2);
        guess.attitude = so3::exp(DVec3::new(0.2, 0.9, -0.4));
        let (t, w, q) = (3.1, DVec3::new(0.2, 0.1, -0.6), so3::exp(DVec3::new(1.0, 0.3, 0.2)));
        let observations = Observations {
            gyro: vec![(-2.0, w), (t, -w)],
            attitude: vec![(-1.0, q), (2.2, DQuat::IDENTITY)],
            sigma_gyro: DVec3::ONE,
            sigma_attitude: 1.0,
            driving: Some(Arc::new(driving)),
            ..Observations::default()
        };
        let mut active: Vec<usize> = (0..at::BIAS).collect();
        active.extend([at::OFFSET, at::SIZE, at::TORQUE]);
        let normal = observations.normal(&guess, &active).unwrap();
        for (k, right) in normal.right.iter().enumerate() {
            let h = 1e-5;
            let cost = |x: f64| {
                let mut step = vec![0.0; active.len()];
                step[k] = x;
                observations.normal(&guess.stepped(&active, &step), &active).unwrap().cost
            };
            let slope = -0.25 * (cost(h) - cost(-h)) / h;
            assert!((slope - right).abs() < 1e-6, "{}: {slope} {right}", active[k]);
        }
    }
}
