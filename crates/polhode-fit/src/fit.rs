//! The answer: estimates with what they are worth.

use glam::{DMat3, DQuat};
use polhode::{FreeMotion, Inertia, Problem, Regime, so3};

use crate::course::TangentMotion;
use crate::data::{FitOptions, FitUnits};
use crate::descend::Optimum;
use crate::diagnose;
use crate::driving::tensor;
use crate::error::FitError;
use crate::guess::{Guess, at};
use crate::information::Information;
use crate::model::Observations;
use crate::weak::{self, WeakForm};
use crate::words::{Doubt, Indeterminacy};

/// What the search hands over.
pub(crate) struct Parts {
    pub(crate) observations: Observations,
    pub(crate) units: FitUnits,
    pub(crate) active: Vec<usize>,
    pub(crate) best: Optimum,
    pub(crate) rivals: Vec<(Guess, f64)>,
    pub(crate) structure: f64,
}

/// Residuals below this share of the data are those of rounding and of ending the iteration.
const ROUNDING: f64 = 1e-9;

/// A number with its standard deviation, which is infinite where the data do not determine it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// What it is: `I1/I3`, `omega.x`, `bias.y`.
    pub name: String,
    /// The estimated value, in the units of the data.
    pub value: f64,
    /// The standard deviation of the value, in its units.
    pub deviation: f64,
}

/// Another solution, which fits the data nearly as well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rival {
    /// Its ratios of moments, I1/I3 and I2/I3.
    pub ratios: [f64; 2],
    /// How much less likely than the best, in units of log-likelihood.
    pub less: f64,
    /// What its momentum does in the body frame.
    pub regime: Regime,
}

/// Where the motion will be, or was.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prediction {
    /// The angular velocity at that time, body frame.
    pub omega: [f64; 3],
    /// The standard deviations of the angular velocity.
    pub omega_deviation: [f64; 3],
    /// The attitude, scalar first, if attitudes were measured.
    pub attitude: Option<[f64; 4]>,
    /// The standard deviations of the attitude, as angles about the axes of the body.
    pub attitude_deviation: [f64; 3],
}

/// A body and its motion, as the data tell them.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The principal moments in ascending order, relative to the largest.
    pub moments: [f64; 3],
    /// The principal axes, one after the other, in the body frame.
    pub axes: [[f64; 3]; 3],
    /// The inertia tensor in the body frame: its largest moment one, or in the unit that a torque gives it.
    pub inertia: [[f64; 3]; 3],
    /// The time that `omega` and `attitude` belong to, in the middle of the data.
    pub epoch: f64,
    /// The angular velocity at the epoch, body frame.
    pub omega: [f64; 3],
    /// The attitude at the epoch, scalar first, if attitudes were measured.
    pub attitude: Option<[f64; 4]>,
    /// All estimates: ratios, turns of the principal axes about themselves, start, sensor.
    pub estimates: Vec<Estimate>,
    /// Their covariance, by rows. Of what is not determined the variance is infinite and the rest zero.
    pub covariance: Vec<Vec<f64>>,
    /// What the data cannot tell.
    pub undetermined: Vec<Indeterminacy>,
    /// Why not to trust it; empty for a good fit.
    pub doubts: Vec<Doubt>,
    /// Other solutions, most likely first.
    pub rivals: Vec<Rival>,
    /// The sum of the squares of the residuals in units of the noise (of the losses, where they are robust).
    pub chi_square: f64,
    /// How many numbers there are beyond those the unknowns take.
    pub degrees: usize,
    /// Whether the noise was given; else it is estimated, and chi-square says nothing.
    pub noise_given: bool,
    /// Standard deviations of the noise of the gyro, given or found.
    pub gyro_noise: Option<[f64; 3]>,
    /// Standard deviation of the noise of the attitude, given or found, in radians.
    pub attitude_noise: Option<f64>,
    /// Standard deviation of the noise of the directions, given or found.
    pub direction_noise: Option<f64>,
    /// What is left in the residuals besides noise, in units of what noise alone leaves once in ten thousand cases.
    pub structure: f64,
    /// I1/I3 and I2/I3 of the body that would show the same angular velocities in left-handed columns (two
    /// exchanged, or one of the wrong sign): a gyro alone cannot tell which is right. None with attitudes.
    pub mirrored: Option<[f64; 2]>,
    /// What single windows of the data show of the inertia; none if samples are too few or too sparse.
    pub weak: Option<WeakForm>,
    /// What the momentum does in the body frame (would do from the epoch on, where a torque acts).
    pub regime: Regime,
    /// The times of the gyro, rising, with what it showed less what the motion says.
    pub gyro_residuals: Vec<(f64, [f64; 3])>,
    /// The times of the attitudes, rising, with the rotation from the motion's to the measured one, as a rotation
    /// vector in the body frame.
    pub attitude_residuals: Vec<(f64, [f64; 3])>,
    /// The times of the directions, rising, with what was measured less what the motion says.
    pub direction_residuals: Vec<(f64, [f64; 3])>,
    pub(crate) guess: Guess,
    pub(crate) units: FitUnits,
    pub(crate) information: Information,
    pub(crate) observations: Observations,
}

impl Fit {
    pub(crate) fn new(parts: Parts, options: &FitOptions) -> Result<Self, FitError> {
        let Parts { observations, units, active, best, rivals, structure } = parts;
        let guess = best.guess;
        let motion = guess.motion()?;
        let steady = active.first() != Some(&0);
        let information = Information::new(&best.normal.matrix, &active);
        let moments = guess.shape.moments();
        let relative = moments.map(|i| i / moments[2]);
        let driven = observations.driving.is_some();
        let largest = if driven { libm::exp(guess.size) } else { 1.0 };
        let tensor = guess.shape.inertia_matrix() * (largest / moments[2]);
        let rows = |m: DMat3| m.transpose().to_cols_array_2d();
        let attitudes = active.contains(&at::ATTITUDE);
        let degrees = observations.count().saturating_sub(active.len());
        let noise_given = (observations.gyro.is_empty() || options.gyro_noise.is_some())
            && (observations.attitude.is_empty() || options.attitude_noise.is_some())
            && (observations.directions.is_empty() || options.direction_noise.is_some());
        let residuals = observations.residuals(&guess)?;
        let (gyro, rest) = residuals.split_at(observations.gyro.len());
        let (attitude, direction) = rest.split_at(observations.attitude.len());
        let time = |t: f64| t / units.rate + units.epoch;
        let gyro_residuals = observations.gyro.iter().zip(gyro);
        let gyro_residuals = gyro_residuals
            .map(|(row, r)| (time(row.0), (*r * observations.sigma_gyro * units.rate).to_array()))
            .collect();
        let attitude_residuals = observations.attitude.iter().zip(attitude);
        let attitude_residuals = attitude_residuals
            .map(|(row, r)| (time(row.0), (*r * observations.sigma_attitude).to_array()))
            .collect();
        let direction_residuals = observations.directions.iter().zip(direction);
        let direction_residuals = direction_residuals
            .map(|(row, r)| (time(row.0), (*r * observations.sigma_direction).to_array()))
            .collect();
        let some = |there: bool, x: f64| there.then_some(x);
        let mut fit = Self {
            moments: relative,
            axes: guess.shape.axes.to_cols_array_2d(),
            inertia: rows(tensor),
            epoch: units.epoch,
            omega: (guess.omega * units.rate).to_array(),
            attitude: attitudes.then(|| so3::to_wxyz(guess.attitude)),
            estimates: Vec::new(),
            covariance: Vec::new(),
            undetermined: if driven { Vec::new() } else { vec![Indeterminacy::Scale] },
            doubts: Vec::new(),
            rivals: rivals.iter().filter_map(rival).collect(),
            chi_square: best.normal.cost,
            degrees,
            noise_given,
            gyro_noise: (!observations.gyro.is_empty())
                .then(|| (observations.sigma_gyro * units.rate).to_array()),
            attitude_noise: some(!observations.attitude.is_empty(), observations.sigma_attitude),
            direction_noise: some(
                !observations.directions.is_empty(),
                observations.sigma_direction,
            ),
            structure,
            mirrored: (!attitudes && !steady && !driven).then(|| mirrored(moments)),
            weak: weak_form(&observations, &guess),
            regime: motion.regime(),
            gyro_residuals,
            attitude_residuals,
            direction_residuals,
            guess,
            units,
            information,
            observations,
        };
        fit.estimate();
        fit.name_undetermined(steady);
        fit.doubt();
        Ok(fit)
    }

    /// The estimate of this name.
    pub fn get(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|e| e.name == name)
    }

    /// Correlations of the estimates, by rows; zero where one is not determined.
    pub fn correlation(&self) -> Vec<Vec<f64>> {
        let size = |i: usize| self.covariance[i][i].sqrt();
        let entry = |i: usize, j: usize| {
            let product = size(i) * size(j);
            if i == j {
                1.0
            } else if product > 0.0 && product.is_finite() {
                self.covariance[i][j] / product
            } else {
                0.0
            }
        };
        let n = self.estimates.len();
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }

    /// Chi-square per degree of freedom.
    pub fn reduced_chi_square(&self) -> f64 {
        self.chi_square / self.degrees.max(1) as f64
    }

    /// The body: with its largest moment one, or in the unit that a torque gives it.
    ///
    /// # Errors
    /// [`FitError`] if it is a needle beyond what can be computed.
    pub fn body(&self) -> Result<Inertia, FitError> {
        tensor(DMat3::from_cols_array_2d(&self.inertia))
    }

    /// The motion of a free body; its time zero is the epoch. Without measured attitudes it begins with none turned.
    ///
    /// # Errors
    /// [`FitError::NotFree`] if a torque acts (see [`Fit::problem`]); others if the numbers leave the range of doubles.
    pub fn motion(&self) -> Result<FreeMotion, FitError> {
        if self.observations.driving.is_some() {
            return Err(FitError::NotFree { what: "motion" });
        }
        let attitude = self.attitude.map_or(DQuat::IDENTITY, so3::from_wxyz);
        Ok(FreeMotion::from_omega(&self.body()?, self.omega, attitude)?)
    }

    /// The body with what acts on it, starting at the epoch, by the clock of the data.
    ///
    /// # Errors
    /// [`FitError`] if the numbers leave the range of doubles.
    pub fn problem(&self) -> Result<Problem, FitError> {
        if let Some(driving) = &self.observations.driving {
            return driving.problem(&self.guess);
        }
        let start = *self.motion()?.start();
        Ok(Problem::new(self.body()?, start).starting_at(self.epoch))
    }

    /// The motion at many times of the data with its standard deviations, before, in and after them.
    ///
    /// What is not determined counts with the whole of its range, so that a band is never too narrow for it.
    ///
    /// # Errors
    /// [`FitError`] if a time is too far away.
    pub fn predict(&self, times: &[f64]) -> Result<Vec<Prediction>, FitError> {
        let scaled = |t: &f64| (t - self.units.epoch) * self.units.rate;
        let finite = times.iter().filter(|t| t.is_finite()).map(scaled);
        let span = finite.fold([0.0_f64; 2], |[a, b], t| [a.min(t), b.max(t)]);
        let body = self.observations.course(&self.guess, span)?;
        times.iter().map(|t| self.prediction(&body, *t)).collect()
    }

    fn prediction(&self, body: &TangentMotion, t: f64) -> Result<Prediction, FitError> {
        let FitUnits { epoch, rate } = self.units;
        let there = body.at((t - epoch) * rate)?;
        let deviation = |columns: &[glam::DVec3]| {
            core::array::from_fn(|i| {
                let row: Vec<f64> = columns.iter().map(|c| c[i]).collect();
                self.information.band(&row)
            })
        };
        let mut rates = there.rates.to_vec();
        let mut turns = there.turns.to_vec();
        for &(place, rate, turn) in &there.by_torque {
            let size = rates.len().max(place + 1);
            rates.resize(size, glam::DVec3::ZERO);
            turns.resize(turns.len().max(place + 1), glam::DVec3::ZERO);
            (rates[place], turns[place]) = (rate, turn);
        }
        let omega_deviation: [f64; 3] = deviation(&rates);
        let attitude_deviation = match self.attitude {
            Some(_) => deviation(&turns),
            None => [f64::INFINITY; 3],
        };
        Ok(Prediction {
            omega: (there.omega * rate).to_array(),
            omega_deviation: omega_deviation.map(|x| x * rate),
            attitude: self.attitude.map(|_| so3::to_wxyz(there.attitude)),
            attitude_deviation,
        })
    }

    fn doubt(&mut self) {
        let reduced = self.reduced_chi_square();
        let spread = (2.0 / self.degrees.max(1) as f64).sqrt();
        if self.noise_given && reduced > 1.0 + 6.0 * spread {
            self.doubts.push(Doubt::TooLarge { reduced });
        }
        let share = self.share();
        // What is left of exact data is rounding, which is no noise.
        if self.structure >= 1.0 && share > ROUNDING {
            self.doubts.push(Doubt::Structure);
        }
        if share > 0.35 {
            self.doubts.push(Doubt::Poor { share });
        }
        if let Some(rival) = self.rivals.first().filter(|r| r.less < 3.0) {
            self.doubts.push(Doubt::Rival { less: rival.less });
        }
        // A spin about one axis and a bias look the same.
        let tumbles = self.information.active.first() == Some(&0);
        if tumbles && share > ROUNDING {
            let bias = diagnose::bias(self);
            // Of what does not fit anyway, a bias explains a little; it is named if it explains most.
            let least = if self.doubts.is_empty() { 0.0 } else { 0.7 };
            self.doubts.extend(bias.filter(|less| *less > least).map(|less| Doubt::Bias { less }));
        }
        if !self.noise_given && self.degrees < 10 {
            self.doubts.push(Doubt::Few { degrees: self.degrees });
        }
    }

    /// The share of the residuals of the gyro, or of the attitude in radians.
    fn share(&self) -> f64 {
        let mean = |rows: &[(f64, [f64; 3])]| {
            let sum: f64 = rows.iter().flat_map(|r| r.1).map(|x| x * x).sum();
            (sum / rows.len().max(1) as f64).sqrt()
        };
        let gyro = mean(&self.gyro_residuals) / self.units.rate;
        gyro.max(mean(&self.attitude_residuals)).max(mean(&self.direction_residuals))
    }
}

/// What windows of the gyro show.
fn weak_form(observations: &Observations, guess: &Guess) -> Option<WeakForm> {
    let row = |&(t, w): &(f64, glam::DVec3)| (t, w - guess.sensor.bias, DQuat::IDENTITY);
    let samples: Vec<weak::RateSample> = observations.gyro.iter().map(row).collect();
    let noise = observations.sigma_gyro.length() / 3.0_f64.sqrt();
    let free = observations.driving.is_none();
    free.then(|| weak::shown(&samples, guess.shape.inertia_matrix(), noise)).flatten()
}

/// Ascending ratios of the body whose (I3 - I2)/I1 and cyclic ones are the negatives of this body's: it is always
/// a physical one, as those are the numbers of absolute value one at most whose sum is minus their product.
fn mirrored([i1, i2, i3]: [f64; 3]) -> [f64; 2] {
    let (a, b) = ((i2 - i3) / i1, (i3 - i1) / i2);
    let mut moments = [(1.0 + b) / (1.0 + a * b), (1.0 - a) / (1.0 + a * b), 1.0];
    moments.sort_by(f64::total_cmp);
    [moments[0] / moments[2], moments[1] / moments[2]]
}

fn rival((guess, less): &(Guess, f64)) -> Option<Rival> {
    let moments = guess.shape.moments();
    let regime = guess.motion().ok()?.regime();
    let ratios = [moments[0] / moments[2], moments[1] / moments[2]];
    Some(Rival { ratios, less: *less, regime })
}
