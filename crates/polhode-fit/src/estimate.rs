//! From an optimum to the whole answer: noise, rivals, covariance.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::course::PlainMotion;
use crate::data::{Data, FitOptions, FitUnits, prepared};
use crate::descend::{Optimum, descend, refine};
use crate::driving::ScaledDrive;
use crate::error::FitError;
use crate::fit::{Fit, Parts};
use crate::follow::{distinct_guesses, followed, part};
use crate::guess::{Guess, SensorState, at};
use crate::model::Observations;
use crate::search::{self, GYRO, structure};
use crate::shape::{MassShape, SHAPE};
use crate::words::Doubt;
use crate::{convention, diagnose, forced, start};

/// Optima that are this much less likely than the best, in units of log-likelihood, are no rivals.
pub(crate) const RIVAL: f64 = 30.0;

/// So many samples tell a steady rotation from one that is not.
const ENOUGH: usize = 4000;

/// Inertia and start of a free body from measurements, without a guess.
///
/// # Errors
/// [`FitError`] for data that cannot be used, or if the end is requested. A poor fit is not an error; it says so itself
/// ([`Fit::doubts`]).
pub fn fit(data: &Data, options: &FitOptions) -> Result<Fit, FitError> {
    let (observations, units) = prepared(data, options)?;
    let active = active(&observations, options, &units);
    let searched = searched(&observations, options, &units)?;
    if let Some(drive) = &options.torque {
        forced::validate(drive, &observations, &units)?;
        let begin = |guess| sensor(options, &units, guess);
        let given = (options, drive);
        let (acting, fits) =
            forced::search(&observations, &searched, given, units, &active, begin)?;
        let mut fit = settled(acting, units, active, fits, options)?;
        if !fit.doubts.is_empty() {
            if forced::reversed(&observations, &searched, drive, units)? {
                fit.doubts.insert(0, Doubt::Reversed);
            }
            convention::explain(&mut fit);
        }
        return Ok(fit);
    }
    let found = search::search(&part(&searched));
    options.control.check().map_err(|_| FitError::Stopped)?;
    let fits = followed(&observations, &found, &active, options, &units);
    let mut fit = settled(observations, units, active, fits, options)?;
    if !fit.doubts.is_empty() {
        // A wrong unit is one of angular velocities: attitudes have none.
        if data.gyro.is_some() {
            diagnose::explain(&searched, &mut fit);
        }
        convention::explain(&mut fit);
    }
    Ok(fit)
}

impl Fit {
    /// The same body with other measurements (more of them, say) or other options: from this fit to the nearest
    /// optimum, without a search. Rivals are not looked for.
    ///
    /// # Errors
    /// As [`fit`].
    pub fn refit(&self, data: &Data, options: &FitOptions) -> Result<Self, FitError> {
        let (observations, units) = prepared(data, options)?;
        let active = active(&observations, options, &units);
        let time = (units.epoch - self.epoch) * self.units.rate;
        let driving = self.observations.driving.as_deref();
        let motion = PlainMotion::new(&self.guess, driving, [time.min(0.0), time.max(0.0)])?;
        let omega = motion.omega_at(time)? * (self.units.rate / units.rate);
        let guess = Guess { omega, attitude: motion.attitude_at(time)?, ..self.guess };
        let (mut observations, mut guess) = (observations, guess);
        if let Some(drive) = &options.torque {
            forced::validate(drive, &observations, &units)?;
            let before = driving.filter(|d| d.drive == *drive);
            let values = before.map_or_else(|| drive.values(), |d| d.values(&self.guess));
            let driving = Arc::new(ScaledDrive::new(drive, units, &values, &options.control));
            guess.torque = driving.scaled(&values);
            guess.size = options.largest_moment.map_or(guess.size, libm::log);
            observations = forced::acting(observations, &driving);
        }
        let mut guess = sensor(options, &units, Guess { sensor: SensorState::IDEAL, ..guess });
        if self.attitude.is_none() && active.contains(&at::ATTITUDE) {
            guess = start::oriented(&observations, &guess)?;
        }
        let fits = vec![refine(&observations, guess, &active)?];
        settled(observations, units, active, fits, options)
    }
}

/// From optima, best first, to the answer.
fn settled(
    mut observations: Observations,
    units: FitUnits,
    active: Vec<usize>,
    mut fits: Vec<Optimum>,
    options: &FitOptions,
) -> Result<Fit, FitError> {
    if fits.is_empty() {
        return Err(FitError::NotFound);
    }
    settle(&mut observations, &mut fits, &active, options)?;
    let best = fits[0].clone();
    let structure = structure(&observations, &best.guess);
    let rivals = distinct(&fits);
    let parts = match steady(&observations, &best, &active) {
        Some((active, best)) => {
            Parts { observations, units, active, best, rivals: Vec::new(), structure }
        }
        None => Parts { observations, units, active, best, rivals, structure },
    };
    Fit::new(parts, options)
}

/// Which unknowns are looked for.
fn active(observations: &Observations, options: &FitOptions, units: &FitUnits) -> Vec<usize> {
    let mut active = GYRO.to_vec();
    if !(observations.attitude.is_empty() && observations.directions.is_empty()) {
        active.extend(at::ATTITUDE..at::ATTITUDE + 3);
    }
    if !observations.gyro.is_empty() {
        let parameters = options.parameters(units).into_iter();
        active.extend(parameters.filter(|(_, p)| !p.fixed).map(|(place, _)| place));
    }
    if let Some(drive) = &options.torque {
        active.extend(options.largest_moment.is_none().then_some(at::SIZE));
        let unknown = drive.unknown().iter().enumerate().filter(|(_, (_, p))| !p.fixed);
        active.extend(unknown.map(|(k, _)| at::TORQUE + k));
    }
    active
}

/// Where the sensor begins.
pub(crate) fn sensor(options: &FitOptions, units: &FitUnits, guess: Guess) -> Guess {
    let mut step = [0.0; at::ALL];
    for (place, parameter) in options.parameters(units) {
        step[place] = parameter.value;
    }
    let all: [usize; at::ALL] = core::array::from_fn(|i| i);
    guess.stepped(&all, &step)
}

/// Angular velocities to search with: those measured, rid of what is known of the sensor, or those of attitudes.
fn searched(
    observations: &Observations,
    options: &FitOptions,
    units: &FitUnits,
) -> Result<Observations, FitError> {
    let (loss, control) = (observations.loss, observations.control.clone());
    let plain = Observations { loss, control, ..Observations::default() };
    if observations.gyro.is_empty() {
        let gyro = start::rates(observations)?;
        let sigma_gyro = if plain.loss == crate::Loss::Squares { 1.0 } else { 0.05 };
        return Ok(Observations { gyro, sigma_gyro: DVec3::splat(sigma_gyro), ..plain });
    }
    let sensor = sensor(options, units, Guess::new(MassShape::SPHERE, DVec3::X)).sensor;
    let ideal = |&(t, shown): &(f64, DVec3)| {
        let turned = (shown - sensor.bias) / (DVec3::ONE + sensor.scale);
        (t + sensor.offset, sensor.misalignment.conjugate() * turned)
    };
    let gyro = observations.gyro.iter().map(ideal).collect();
    Ok(Observations { gyro, sigma_gyro: observations.sigma_gyro, ..plain })
}

/// Finds the noise where it is not known, and brings costs to its unit.
fn settle(
    observations: &mut Observations,
    fits: &mut [Optimum],
    active: &[usize],
    options: &FitOptions,
) -> Result<(), FitError> {
    let robust = options.loss != crate::Loss::Squares;
    let sensors = [
        (0, observations.gyro.len(), options.gyro_noise.is_none()),
        (1, observations.attitude.len(), options.attitude_noise.is_none()),
        (2, observations.directions.len(), options.direction_noise.is_none()),
    ];
    if sensors.iter().all(|(_, count, unknown)| *count == 0 || !unknown) {
        return Ok(());
    }
    let sensed = sensors.iter().filter(|s| s.1 > 0).count();
    let several = sensed > 1 || robust || !observations.priors.is_empty();
    let used = active.len() as f64 / observations.count() as f64;
    let correction = 1.0 / (1.0 - used).max(1e-3).sqrt();
    let mut all = 1.0;
    for _ in 0..if several { 4 } else { 1 } {
        let residuals = observations.residuals(&fits[0].guess)?;
        let mut from = 0;
        for (which, count, unknown) in sensors {
            let part = &residuals[from..from + count];
            from += count;
            if count == 0 || !unknown {
                continue;
            }
            // A direction of unit length has two numbers, not three.
            let numbers = if which == 2 { 2.0 } else { 3.0 };
            let spread = spread(part, robust, numbers) * correction;
            let factor = if spread > 0.0 { spread } else { f64::EPSILON };
            all = factor;
            match which {
                0 => observations.sigma_gyro *= factor,
                1 => observations.sigma_attitude *= factor,
                _ => observations.sigma_direction *= factor,
            }
        }
        for (i, fitted) in fits.iter_mut().enumerate() {
            *fitted = if several && i == 0 {
                descend(observations, fitted.guess, active, 20)?
            } else if !several {
                Optimum { normal: fitted.normal.in_units_of(all), ..fitted.clone() }
            } else {
                let normal = observations.normal(&fitted.guess, active)?;
                Optimum { normal, ..fitted.clone() }
            };
        }
        fits.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
    }
    Ok(())
}

/// The standard deviation of residuals; by their median where there are outliers.
fn spread(residuals: &[DVec3], robust: bool, numbers: f64) -> f64 {
    if !robust {
        let square = residuals.iter().map(|r| r.length_squared()).sum::<f64>();
        return (square / (numbers * residuals.len() as f64)).sqrt();
    }
    let mut sizes: Vec<f64> = residuals.iter().flat_map(DVec3::to_array).map(f64::abs).collect();
    sizes.sort_by(f64::total_cmp);
    1.4826 * sizes[sizes.len() / 2]
}

/// Wobbles that a search over frequencies finds in noise alone once in ten thousand cases.
fn significant(observations: &Observations) -> f64 {
    let [first, last] = observations.span();
    let frequencies = (last - first).max(10.0);
    2.0 * libm::log(1e4 * frequencies) + 10.0
}

/// The rotation about one axis, and its unknowns, if nothing speaks against it.
fn steady(
    observations: &Observations,
    best: &Optimum,
    active: &[usize],
) -> Option<(Vec<usize>, Optimum)> {
    // Under a torque, what is not determined shows in the information alone.
    if observations.driving.is_some() {
        return None;
    }
    let without: Vec<usize> = active.iter().copied().filter(|a| *a >= SHAPE).collect();
    let guess = Guess { shape: MassShape::SPHERE, ..best.guess };
    if observations.samples() > 2 * ENOUGH {
        // Of many samples a few mostly tell that it is none.
        let few = observations.clone().thinned(ENOUGH);
        let null = descend(&few, guess, &without, 40).ok()?;
        let known = few.normal(&best.guess, &without).ok()?;
        if null.normal.cost - known.cost > 10.0 * significant(observations) {
            return None;
        }
    }
    let mut null = descend(observations, guess, &without, 40).ok()?;
    if null.normal.cost - best.normal.cost > significant(observations) {
        return None;
    }
    // The axis of the spin is a principal one.
    let axis = null.guess.omega.normalize_or(DVec3::Z);
    let (u, v) = axis.any_orthonormal_pair();
    null.guess.shape.axes = DMat3::from_cols(u, v, u.cross(v));
    Some((without, null))
}

/// The optima that are not the best one, and how much less likely they are.
fn distinct(fits: &[Optimum]) -> Vec<(Guess, f64)> {
    let best = &fits[0];
    let rivals = distinct_guesses(fits).into_iter().skip(1);
    let rivals = rivals.filter(|r| r.converged && far(best, r));
    let rivals = rivals.map(|r| (r.guess, 0.5 * (r.normal.cost - best.normal.cost)));
    rivals.filter(|(_, less)| *less < RIVAL).collect()
}

/// Whether another optimum is more than a standard deviation away, so that it is one.
fn far(best: &Optimum, other: &Optimum) -> bool {
    let change = other.guess.shape.matrix() - best.guess.shape.matrix();
    let along: Vec<f64> = best
        .guess
        .shape
        .directions()
        .iter()
        .map(|d| d.to_cols_array().iter().zip(change.to_cols_array()).map(|(a, b)| a * b).sum())
        .collect();
    // The information of the shape alone, whatever the start: the least there can be.
    let matrix = &best.normal.matrix;
    let square: f64 = (0..SHAPE)
        .map(|i| (0..SHAPE).map(|j| along[i] * matrix.at(i, j) * along[j]).sum::<f64>())
        .sum();
    square > 1.0
}
