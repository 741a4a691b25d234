//! The same sample by sample: an extended Kalman filter over the exact motion, with the inertia in its state.
//!
//! Errors are small changes of the shape of the body, of the angular velocity, of the attitude (a rotation vector in
//! the body frame, applied on the right) and of the bias of the gyro: a multiplicative filter. Between samples the
//! state moves exactly, and its covariance by the exact derivatives, whatever the time between them.

use glam::{DQuat, DVec3};
use polhode::so3;

use crate::course::Sensitivities;
use crate::error::FitError;
use crate::filter_options::{FilterOptions, positive};
use crate::fit::{Estimate, Fit};
use crate::guess::{Guess, SensorState, at};
use crate::information::RANGE;
use crate::model::error_angle;
use crate::shape::{MassShape, SHAPE};

/// The unknowns: shape, angular velocity, attitude, bias.
const N: usize = SHAPE + 9;
const BIAS: usize = SHAPE + 6;

type Square = [[f64; N]; N];

/// An estimate that moves on with every sample.
///
/// ```
/// use polhode_fit::{Filter, FilterOptions};
/// # use polhode::{FreeMotion, Inertia, State};
/// # let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// # let motion = FreeMotion::new(&inertia, State::aligned([0.8, 1.9, 0.6])?)?;
/// # let gyro = |t: f64| motion.omega_at(t).map(|w| w.to_array());
/// let mut filter = Filter::new(0.0, gyro(0.0)?, 1e-3, FilterOptions::default())?;
/// for k in 1..300 {
///     let t = 0.1 * f64::from(k);
///     filter.gyro(t, gyro(t)?, 1e-3)?;
/// }
/// let [ratio, _] = filter.ratios();
/// assert!((ratio.value - 0.4).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    t: f64,
    guess: Guess,
    covariance: Square,
    options: FilterOptions,
    oriented: bool,
}

/// What a sample was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Innovation {
    /// What was measured less what was expected.
    pub residual: [f64; 3],
    /// Its square in units of its variance: three on average, if the model is right.
    pub square: f64,
    /// False if it was left aside.
    pub used: bool,
}

impl Filter {
    /// Begins with an angular velocity at time t, known to a standard deviation, and any body.
    ///
    /// # Errors
    /// [`FitError::Option`] for numbers that cannot be.
    pub fn new(
        t: f64,
        omega: [f64; 3],
        deviation: f64,
        options: FilterOptions,
    ) -> Result<Self, FitError> {
        options.validate()?;
        positive("deviation", deviation)?;
        if let Some(value) = omega.into_iter().chain([t]).find(|x| !x.is_finite()) {
            let allowed = "time and angular velocity must be finite";
            return Err(FitError::Option { field: "omega", value, allowed });
        }
        let mut covariance = [[0.0; N]; N];
        for (i, row) in covariance.iter_mut().enumerate() {
            row[i] = match i {
                0..SHAPE => RANGE * RANGE / 4.0,
                SHAPE..8 => deviation * deviation,
                // Any attitude, until one is measured.
                8..BIAS => 10.0,
                _ => options.bias * options.bias,
            };
        }
        let guess = Guess::new(MassShape::SPHERE, DVec3::from_array(omega));
        Ok(Self { t, guess, covariance, options, oriented: false })
    }

    /// Goes on from a fit.
    ///
    /// # Errors
    /// [`FitError::Option`] for numbers that cannot be.
    pub fn from_fit(fit: &Fit, options: FilterOptions) -> Result<Self, FitError> {
        if fit.observations.driving.is_some() {
            return Err(FitError::NotFree { what: "filter" });
        }
        options.validate()?;
        let rate = fit.units.rate;
        let places: [usize; N] = core::array::from_fn(|i| i);
        let unit =
            |i: usize| if matches!(i, at::OMEGA..at::ATTITUDE | at::BIAS..) { rate } else { 1.0 };
        let mut covariance = [[0.0; N]; N];
        for (i, &a) in places.iter().enumerate() {
            for (j, &b) in places.iter().enumerate() {
                let free =
                    fit.information.active.contains(&a) && fit.information.active.contains(&b);
                let known = if free { fit.information.between(a, b) } else { 0.0 };
                covariance[i][j] = known * unit(a) * unit(b);
            }
            if a < SHAPE && covariance[i][i] == 0.0 {
                covariance[i][i] = RANGE * RANGE / 4.0;
            }
            if a >= at::BIAS && covariance[i][i] == 0.0 {
                covariance[i][i] = options.bias * options.bias;
            }
        }
        let oriented = fit.attitude.is_some();
        if !oriented {
            for (i, row) in covariance.iter_mut().enumerate().take(at::BIAS).skip(at::ATTITUDE) {
                row[i] = 10.0;
            }
        }
        let bias = fit.guess.sensor.bias * rate;
        let sensor = SensorState { bias, ..SensorState::IDEAL };
        let guess = Guess { omega: fit.guess.omega * rate, sensor, ..fit.guess };
        Ok(Self { t: fit.epoch, guess, covariance, options, oriented })
    }

    /// The time it stands at.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// The angular velocity, body frame, and its standard deviations.
    pub fn omega(&self) -> ([f64; 3], [f64; 3]) {
        (self.guess.omega.to_array(), self.deviations(SHAPE))
    }

    /// The attitude, scalar first, and its standard deviations as angles; none until one was measured.
    pub fn attitude(&self) -> Option<([f64; 4], [f64; 3])> {
        self.oriented.then(|| (so3::to_wxyz(self.guess.attitude), self.deviations(SHAPE + 3)))
    }

    /// The bias of the gyro and its standard deviations.
    pub fn bias(&self) -> ([f64; 3], [f64; 3]) {
        (self.guess.sensor.bias.to_array(), self.deviations(BIAS))
    }

    /// I1/I3 and I2/I3.
    pub fn ratios(&self) -> [Estimate; 2] {
        let moments = self.guess.shape.moments();
        [("I1/I3", 0), ("I2/I3", 1)].map(|(name, i)| {
            let row = crate::estimates::ratio_gradient(&self.guess.shape, i);
            let mut variance = 0.0;
            for a in 0..2 {
                for b in 0..2 {
                    variance += row[a] * row[b] * self.covariance[a][b];
                }
            }
            let (value, deviation) = (moments[i] / moments[2], variance.max(0.0).sqrt());
            Estimate { name: name.to_owned(), value, deviation }
        })
    }

    /// The principal axes, that of the smallest moment first, in the body frame.
    pub fn axes(&self) -> [[f64; 3]; 3] {
        self.guess.shape.axes.to_cols_array_2d()
    }

    /// Moves on to a time, also backwards, without a measurement.
    ///
    /// # Errors
    /// [`FitError`] if the time is too far away.
    pub fn advance(&mut self, t: f64) -> Result<(), FitError> {
        let time = t - self.t;
        if time == 0.0 {
            return Ok(());
        }
        let there = Sensitivities::new(&self.guess)?.at(time)?;
        let mut f = [[0.0; N]; N];
        for i in (0..SHAPE).chain(BIAS..N) {
            f[i][i] = 1.0;
        }
        for i in 0..3 {
            for (j, rate) in there.rates.iter().enumerate() {
                f[SHAPE + i][j] = rate[i];
            }
            for (j, turn) in there.turns.iter().enumerate() {
                f[SHAPE + 3 + i][j] = turn[i];
            }
        }
        self.covariance = propagated(&f, &self.covariance);
        let FilterOptions { acceleration, bias_walk, .. } = self.options;
        for i in 0..3 {
            let (q, h) = (acceleration * acceleration, time.abs());
            let (omega, angle) = (SHAPE + i, SHAPE + 3 + i);
            self.covariance[omega][omega] += q * h;
            self.covariance[angle][angle] += q * h * h * h / 3.0;
            self.covariance[omega][angle] += 0.5 * q * h * time;
            self.covariance[angle][omega] += 0.5 * q * h * time;
            self.covariance[BIAS + i][BIAS + i] += bias_walk * bias_walk * h;
        }
        self.guess.omega = there.omega;
        self.guess.attitude = there.attitude.normalize();
        self.t = t;
        Ok(())
    }

    /// Takes an angular velocity measured at time t with this noise.
    ///
    /// # Errors
    /// [`FitError`] for numbers that are not finite, or a time too far away. The filter is then as it was.
    pub fn gyro(&mut self, t: f64, omega: [f64; 3], noise: f64) -> Result<Innovation, FitError> {
        let shown = DVec3::from_array(omega);
        self.sample("angular velocity", t, noise, shown.is_finite(), |filter| {
            let residual = shown - filter.guess.omega - filter.guess.sensor.bias;
            (residual, [SHAPE, BIAS])
        })
    }

    /// Takes an attitude, scalar first, measured at time t with this noise (radians about each axis).
    ///
    /// # Errors
    /// As [`Filter::gyro`]; also for a quaternion of length zero.
    pub fn star_tracker(
        &mut self,
        t: f64,
        attitude: [f64; 4],
        noise: f64,
    ) -> Result<Innovation, FitError> {
        let q = so3::from_wxyz(attitude);
        let length = q.length();
        if length == 0.0 {
            return Err(FitError::NoDirection { what: "attitude", index: 0 });
        }
        let shown: DQuat = q / length;
        if !self.oriented && shown.is_finite() {
            // The first one says where the body is.
            self.advance(t)?;
            self.guess.attitude = shown;
            self.oriented = true;
        }
        self.sample("attitude", t, noise, shown.is_finite(), |filter| {
            (error_angle(filter.guess.attitude, shown), [SHAPE + 3, usize::MAX])
        })
    }

    fn sample(
        &mut self,
        what: &'static str,
        t: f64,
        noise: f64,
        finite: bool,
        residual: impl Fn(&Self) -> (DVec3, [usize; 2]),
    ) -> Result<Innovation, FitError> {
        positive("noise", noise)?;
        if !(finite && t.is_finite()) {
            let (what, value) = if finite { ("time", t) } else { (what, f64::NAN) };
            return Err(FitError::NotFinite { what, index: 0, value });
        }
        let before = self.clone();
        self.advance(t)?;
        let (residual, places) = residual(self);
        let Some(innovation) = self.update(residual, places, noise) else {
            *self = before;
            return Err(FitError::NotFound);
        };
        Ok(innovation)
    }

    /// The step of Kalman: the residual is that of the sum of one or two groups of three unknowns.
    fn update(&mut self, residual: DVec3, places: [usize; 2], noise: f64) -> Option<Innovation> {
        let groups: Vec<usize> = places.into_iter().filter(|p| *p < N).collect();
        // H P, three rows.
        let hp: [[f64; N]; 3] = core::array::from_fn(|i| {
            core::array::from_fn(|j| groups.iter().map(|g| self.covariance[g + i][j]).sum())
        });
        let mut s = crate::linear::Symmetric::zero(3);
        for (i, row) in hp.iter().enumerate() {
            for j in 0..3 {
                *s.at_mut(i, j) = groups.iter().map(|g| row[g + j]).sum();
            }
            *s.at_mut(i, i) += noise * noise;
        }
        let weighted = s.solve(&residual.to_array())?;
        let square = weighted.iter().zip(residual.to_array()).map(|(a, b)| a * b).sum();
        let used = square <= self.options.gate;
        let innovation = Innovation { residual: residual.to_array(), square, used };
        if !used {
            return Some(innovation);
        }
        // The gain, column by column of H P: K = P H^T S^-1.
        let columns: Vec<Vec<f64>> =
            (0..N).map(|j| s.solve(&[hp[0][j], hp[1][j], hp[2][j]])).collect::<Option<_>>()?;
        let step: Vec<f64> = columns
            .iter()
            .map(|k| k.iter().zip(residual.to_array()).map(|(a, b)| a * b).sum())
            .collect();
        // Joseph's form keeps the covariance positive.
        let mut a = [[0.0; N]; N];
        for i in 0..N {
            a[i][i] += 1.0;
            for g in &groups {
                for k in 0..3 {
                    a[i][g + k] -= columns[i][k];
                }
            }
        }
        let mut covariance = propagated(&a, &self.covariance);
        for i in 0..N {
            for j in 0..N {
                let product: f64 = (0..3).map(|k| columns[i][k] * columns[j][k]).sum();
                covariance[i][j] += noise * noise * product;
            }
        }
        self.covariance = covariance;
        self.correct(&step);
        Some(innovation)
    }

    /// Adds a correction to the state; the directions of the shape turn with its axes.
    fn correct(&mut self, step: &[f64]) {
        let before = self.guess.shape.directions();
        let places: [usize; N] = core::array::from_fn(|i| i);
        self.guess = self.guess.stepped(&places, step);
        let after = self.guess.shape.directions();
        let mut turn = [[0.0; N]; N];
        for (i, row) in turn.iter_mut().enumerate().skip(SHAPE) {
            row[i] = 1.0;
        }
        for (i, new) in after.iter().enumerate() {
            for (j, old) in before.iter().enumerate() {
                turn[i][j] =
                    new.to_cols_array().iter().zip(old.to_cols_array()).map(|(a, b)| a * b).sum();
            }
        }
        self.covariance = propagated(&turn, &self.covariance);
    }

    fn deviations(&self, from: usize) -> [f64; 3] {
        core::array::from_fn(|i| self.covariance[from + i][from + i].max(0.0).sqrt())
    }
}

/// `F P F^T`, symmetric to the last bit.
fn propagated(f: &Square, p: &Square) -> Square {
    let mut fp = [[0.0; N]; N];
    for i in 0..N {
        for (k, row) in p.iter().enumerate() {
            if f[i][k] != 0.0 {
                for j in 0..N {
                    fp[i][j] += f[i][k] * row[j];
                }
            }
        }
    }
    let mut result = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let sum: f64 = (0..N).map(|k| fp[i][k] * f[j][k]).sum();
            (result[i][j], result[j][i]) = (sum, sum);
        }
    }
    result
}
