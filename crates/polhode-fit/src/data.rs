//! Measurements as they are given, and what is known besides.

use glam::{DQuat, DVec3};
use polhode::{Control, so3};

use crate::drive::Drive;
use crate::error::FitError;
use crate::guess::at;
use crate::loss::Loss;
use crate::model::Observations;
use crate::sensor::{FitParameter, Sensor};

/// What was measured: of each sensor its times and its samples.
///
/// Units are the caller's, angles in radians; conventions are those of `polhode`: angular velocity in the body
/// frame, quaternions (w, x, y, z) from body to space.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Data {
    /// The angular velocity, body frame: times and samples.
    pub gyro: Option<(Vec<f64>, Vec<[f64; 3]>)>,
    /// The attitude: times and quaternions of any length but zero; the sign does not count.
    pub attitude: Option<(Vec<f64>, Vec<[f64; 4]>)>,
    /// Directions of known vectors, seen from the body.
    pub directions: Vec<DirectionMeasurements>,
}

/// A vector known in space (that of the sun, or the magnetic field), and where it was seen in the body frame.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DirectionMeasurements {
    /// The vector in space, of any length but zero.
    pub known: [f64; 3],
    /// The times at which it was seen, rising.
    pub times: Vec<f64>,
    /// Its direction in the body frame, of any length but zero.
    pub seen: Vec<[f64; 3]>,
}

impl DirectionMeasurements {
    /// Where this vector, known in space, was seen in the body frame at each time.
    pub fn new(known: [f64; 3], times: Vec<f64>, seen: Vec<[f64; 3]>) -> Self {
        Self { known, times, seen }
    }
}

impl Data {
    /// Makes a change: `Data::default().with(|data| data.directions = directions)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// What a gyro measured: the angular velocity in the body frame, at each time.
    pub fn gyro(times: &[f64], omega: &[[f64; 3]]) -> Self {
        Self { gyro: Some((times.to_vec(), omega.to_vec())), ..Self::default() }
    }

    /// What a star tracker measured: the attitude (w, x, y, z), at each time.
    pub fn attitude(times: &[f64], quaternions: &[[f64; 4]]) -> Self {
        Self { attitude: Some((times.to_vec(), quaternions.to_vec())), ..Self::default() }
    }
}

/// What is known besides the data.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FitOptions {
    /// Standard deviation of the noise of each channel of the gyro; estimated from the residuals if not given.
    pub gyro_noise: Option<[f64; 3]>,
    /// Standard deviation of the noise of the attitude, in radians about each axis; estimated if not given.
    pub attitude_noise: Option<f64>,
    /// Standard deviation of the noise of each component of a direction of unit length; estimated if not given.
    pub direction_noise: Option<f64>,
    /// How outliers are weighed.
    pub loss: Loss,
    /// The sensor model of the gyro.
    pub sensor: Sensor,
    /// Skips samples that hold NaN instead of refusing them.
    pub skip_missing: bool,
    /// What acts on the body, by the clock and in the units of the data; nothing if it is free. It tells the scale of
    /// the inertia.
    pub torque: Option<Drive>,
    /// The largest moment of inertia, if it is known where a torque acts, in the unit of torque times time squared.
    pub largest_moment: Option<f64>,
    /// Who may end the fit before it is done.
    pub control: Control,
}

/// Units of computation: rates of order one, times from the epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FitUnits {
    pub(crate) epoch: f64,
    /// The root mean square of the angular velocity.
    pub(crate) rate: f64,
}

impl FitOptions {
    /// Makes a change: `FitOptions::default().with(|options| options.skip_missing = true)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn validate(&self, data: &Data) -> Result<(), FitError> {
        let positive = |field, value: f64| {
            let allowed = "a standard deviation must be positive and finite";
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(FitError::Option { field, value, allowed })
            }
        };
        for value in self.gyro_noise.into_iter().flatten() {
            positive("gyro_noise", value)?;
        }
        self.attitude_noise.map_or(Ok(()), |x| positive("attitude_noise", x))?;
        self.direction_noise.map_or(Ok(()), |x| positive("direction_noise", x))?;
        self.loss.constant().map_or(Ok(()), |x| positive("loss", x))?;
        if let Some(value) = self.largest_moment {
            if !(value > 0.0 && value.is_finite()) {
                let allowed = "a moment of inertia must be positive and finite";
                return Err(FitError::Option { field: "largest_moment", value, allowed });
            }
            if self.torque.is_none() {
                let allowed = "it only counts beside a torque: a free body has the same motion whatever its scale";
                return Err(FitError::Option { field: "largest_moment", value, allowed });
            }
        }
        let Sensor { bias, scale, misalignment, time_offset } = &self.sensor;
        let groups = [("bias", bias), ("scale", scale), ("misalignment", misalignment)];
        for (field, group) in groups {
            group.iter().try_for_each(|p| p.validate(field))?;
        }
        time_offset.validate("time_offset")?;
        let attitudes = data.attitude.is_some() || !data.directions.is_empty();
        if !attitudes {
            if misalignment.iter().any(|p| !p.fixed && p.prior.is_none()) {
                let why = "turned principal axes look the same";
                return Err(FitError::NeedsAttitude { field: "misalignment", why });
            }
            if !time_offset.fixed && time_offset.prior.is_none() {
                let why = "a motion that began earlier looks the same";
                return Err(FitError::NeedsAttitude { field: "time_offset", why });
            }
        }
        Ok(())
    }

    /// The parameters of the sensor in their order among all unknowns, in units of computation.
    pub(crate) fn parameters(&self, units: &FitUnits) -> Vec<(usize, FitParameter)> {
        let scaled = |p: FitParameter, unit: f64| FitParameter {
            value: p.value / unit,
            min: p.min / unit,
            max: p.max / unit,
            prior: p.prior.map(|x| x / unit),
            ..p
        };
        let Sensor { bias, scale, misalignment, time_offset } = self.sensor;
        let mut all: Vec<(usize, FitParameter)> = Vec::new();
        let bias = bias.map(|p| scaled(p, units.rate));
        for (first, group) in
            [(at::BIAS, bias), (at::SCALE, scale), (at::MISALIGNMENT, misalignment)]
        {
            all.extend(group.into_iter().enumerate().map(|(i, p)| (first + i, p)));
        }
        all.push((at::OFFSET, scaled(time_offset, 1.0 / units.rate)));
        all
    }
}

fn ordered<T: Copy>(
    what: &'static str,
    times: &[f64],
    rows: &[T],
    numbers: impl Fn(&T) -> Vec<f64>,
    skip: bool,
) -> Result<Vec<(f64, T)>, FitError> {
    if times.len() != rows.len() {
        return Err(FitError::Length { what, given: rows.len(), times: times.len() });
    }
    let mut kept = Vec::with_capacity(rows.len());
    for (index, (&t, row)) in times.iter().zip(rows).enumerate() {
        if !t.is_finite() {
            return Err(FitError::NotFinite { what: "time", index, value: t });
        }
        if let Some(&value) = numbers(row).iter().find(|x| !x.is_finite()) {
            if skip {
                continue;
            }
            return Err(FitError::NotFinite { what, index, value });
        }
        kept.push((t, *row));
    }
    let falling = times.len() > 1 && times[1] < times[0];
    if let Some(i) = times.windows(2).position(|w| w[0] == w[1] || (w[1] < w[0]) != falling) {
        let (before, t) = (times[i], times[i + 1]);
        return Err(FitError::Times { what, index: i + 1, before, t });
    }
    if falling {
        kept.reverse();
    }
    Ok(kept)
}

/// The data in the units they are computed with. The noise is one of the unit where it is not known.
pub(crate) fn prepared(
    data: &Data,
    options: &FitOptions,
) -> Result<(Observations, FitUnits), FitError> {
    options.validate(data)?;
    let skip = options.skip_missing;
    let mut gyro = Vec::new();
    if let Some((times, rows)) = &data.gyro {
        gyro = ordered("angular velocity", times, rows, |r| r.to_vec(), skip)?;
    }
    let mut attitude: Vec<(f64, DQuat)> = Vec::new();
    if let Some((times, rows)) = &data.attitude {
        let rows = ordered("attitude", times, rows, |r| r.to_vec(), skip)?;
        for (index, (t, q)) in rows.into_iter().enumerate() {
            let q = so3::from_wxyz(q);
            let length = q.length();
            if length == 0.0 || !length.is_finite() {
                return Err(FitError::NoDirection { what: "attitude", index });
            }
            attitude.push((t, q / length));
        }
    }
    let mut directions = Vec::new();
    for DirectionMeasurements { known, times, seen } in &data.directions {
        let known = DVec3::from_array(*known).try_normalize();
        let known = known.ok_or(FitError::NoDirection { what: "known vector", index: 0 })?;
        let rows = ordered("direction", times, seen, |r| r.to_vec(), skip)?;
        for (index, (t, v)) in rows.into_iter().enumerate() {
            let v = DVec3::from_array(v).try_normalize();
            let v = v.ok_or(FitError::NoDirection { what: "direction", index })?;
            directions.push((t, known, v));
        }
    }
    directions.sort_by(|a, b| a.0.total_cmp(&b.0));
    let gyro: Vec<(f64, DVec3)> =
        gyro.into_iter().map(|(t, w)| (t, DVec3::from_array(w))).collect();
    let mut observations = Observations {
        control: options.control.clone(),
        gyro,
        attitude,
        directions,
        sigma_gyro: DVec3::ONE,
        sigma_attitude: 1.0,
        sigma_direction: 1.0,
        loss: options.loss,
        ..Observations::default()
    };
    let units = units(&observations)?;
    let scaled = |t: f64| (t - units.epoch) * units.rate;
    for (t, w) in &mut observations.gyro {
        (*t, *w) = (scaled(*t), *w / units.rate);
    }
    observations.attitude.iter_mut().for_each(|row| row.0 = scaled(row.0));
    observations.directions.iter_mut().for_each(|row| row.0 = scaled(row.0));
    // What is an outlier, and what a prior is worth, depends on the noise: a few percent to begin with.
    let priors = options.parameters(&units).iter().any(|(_, p)| !p.fixed && p.prior.is_some());
    let unknown = if options.loss == Loss::Squares && !priors { 1.0 } else { 0.03 };
    let gyro_noise = options.gyro_noise.map(|noise| DVec3::from_array(noise) / units.rate);
    observations.sigma_gyro = gyro_noise.unwrap_or(DVec3::splat(unknown));
    observations.sigma_attitude = options.attitude_noise.unwrap_or(unknown);
    observations.sigma_direction = options.direction_noise.unwrap_or(unknown);
    for (place, parameter) in options.parameters(&units) {
        if let (false, Some(prior)) = (parameter.fixed, parameter.prior) {
            observations.priors.push((place, parameter.value, prior));
        }
        if !parameter.fixed {
            observations.bounds.push((place, parameter.min, parameter.max));
        }
    }
    Ok((observations, units))
}

/// The middle, or that of the stretch with the most samples if there is a gap in the middle: a fit begins there.
fn without_gap(gyro: &[(f64, DVec3)], middle: f64) -> f64 {
    let mut steps: Vec<f64> = gyro.windows(2).map(|w| w[1].0 - w[0].0).collect();
    let after = gyro.partition_point(|x| x.0 < middle).clamp(1, gyro.len() - 1);
    let here = steps[after - 1];
    let usual = *steps.select_nth_unstable_by((gyro.len() - 1) / 2, f64::total_cmp).1;
    let gap = 10.0 * usual;
    if here <= gap {
        return middle;
    }
    let stretches = gyro.chunk_by(|a, b| b.0 - a.0 <= gap);
    let longest = stretches.max_by_key(|stretch| stretch.len()).unwrap_or(gyro);
    0.5 * (longest[0].0 + longest[longest.len() - 1].0)
}

/// The middle of the arc, at a sample where attitudes count, and the size of the rates.
fn units(observations: &Observations) -> Result<FitUnits, FitError> {
    let Observations { gyro, attitude, directions, .. } = observations;
    if gyro.is_empty() && attitude.is_empty() && directions.is_empty() {
        return Err(FitError::Nothing);
    }
    let few = |what, count, needed| Err(FitError::TooFew { what, count, needed });
    let [first, last] = observations.span();
    let middle = 0.5 * (first + last);
    let nearest = |times: &mut dyn Iterator<Item = f64>| {
        times.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).unwrap_or(middle)
    };
    if !gyro.is_empty() {
        if gyro.len() < 4 {
            return few("angular velocity", gyro.len(), 4);
        }
        let square = gyro.iter().map(|x| x.1.length_squared()).sum::<f64>() / gyro.len() as f64;
        if !(square > 0.0 && square.is_finite()) {
            return Err(FitError::NoMotion { what: "the angular velocity" });
        }
        let epoch = if attitude.is_empty() {
            without_gap(gyro, middle)
        } else {
            nearest(&mut attitude.iter().map(|x| x.0))
        };
        return Ok(FitUnits { epoch, rate: square.sqrt() });
    }
    let turns = crate::start::rates(observations)?;
    if turns.len() < 4 {
        let (what, count) = if attitude.is_empty() {
            ("directions", directions.len())
        } else {
            ("attitude", attitude.len())
        };
        return few(what, count, 5);
    }
    let square = turns.iter().map(|x| x.1.length_squared()).sum::<f64>() / turns.len() as f64;
    if !(square > 0.0 && square.is_finite()) {
        return Err(FitError::NoMotion { what: "the attitude" });
    }
    let epoch = nearest(&mut attitude.iter().map(|x| x.0).chain(directions.iter().map(|x| x.0)));
    Ok(FitUnits { epoch, rate: square.sqrt() })
}
