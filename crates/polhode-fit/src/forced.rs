//! The fit of a body under a torque: starts from the weak form, or from a free motion in the middle of the arc.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use polhode::{Inertia, Problem, State, Torque, so3};

use crate::data::{FitOptions, FitUnits};
use crate::descend::{Optimum, descend, refine};
use crate::drive::Drive;
use crate::driving::{MOST_UNKNOWN, ScaledDrive};
use crate::error::FitError;
use crate::guess::{Guess, at};
use crate::model::Observations;
use crate::search::{self, growing, same, structure};
use crate::start;
use crate::weak::{self, RateSample};

/// Lengths of windows, radians.
const WINDOWS: [f64; 4] = [2.5, 1.2, 5.0, 0.6];

/// The search has no more samples than this: each costs a step of the solver.
const MOST_SEARCHED: usize = 2000;

/// The weak form has no more samples than this.
const MOST_WEAK: usize = 20_000;

/// Checks that the torque can be fitted to these data.
pub(crate) fn validate(
    drive: &Drive,
    observations: &Observations,
    units: &FitUnits,
) -> Result<(), FitError> {
    let count = drive.unknown().len();
    if count > MOST_UNKNOWN {
        return Err(FitError::TooManyUnknown { count, most: MOST_UNKNOWN });
    }
    let values = drive.values();
    let torque = drive.torque(&values)?;
    torque.check_times(observations.span().map(|t| units.epoch + t / units.rate))?;
    for (k, (name, parameter)) in drive.unknown().iter().enumerate() {
        parameter.validate("torque")?;
        let mut moved = values.clone();
        moved[k] += 1e-3 * if values[k] == 0.0 { 1.0 } else { values[k].abs() };
        if !parameter.fixed && drive.torque(&moved)?.parameters() == torque.parameters() {
            return Err(FitError::NoDerivative { name: name.clone() });
        }
    }
    let attitudes = !(observations.attitude.is_empty() && observations.directions.is_empty());
    if !attitudes && depends_on_attitude(&torque)? {
        return Err(FitError::TorqueNeedsAttitude);
    }
    Ok(())
}

/// Whether the torque on some body is another one when the body is turned.
fn depends_on_attitude(torque: &Torque) -> Result<bool, FitError> {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).map_err(|_| FitError::NotFound)?;
    let m = DVec3::new(0.3, 0.5, 0.7);
    let problem = Problem::new(inertia, State { m, q: DQuat::IDENTITY }).torque(torque.clone());
    let turns = [DVec3::ZERO, DVec3::new(0.3, -0.8, 0.5), DVec3::new(-1.4, 0.2, 0.9)];
    let knots = torque.knots();
    let times = knots.first().copied().into_iter().chain([0.0, 0.7, 13.1]);
    for t in times.filter(|t| torque.check_times([*t, *t]).is_ok()) {
        let there = turns.map(|turn| problem.torque_at(t, &State { m, q: so3::exp(turn) }));
        let size = there[0].length().max(there[1].length());
        if there[1..].iter().any(|x| (*x - there[0]).length() > 1e-9 * size) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The data with what acts in the units of the fit, and the optima that were found, best first.
pub(crate) fn search(
    observations: &Observations,
    ideal: &Observations,
    (options, drive): (&FitOptions, &Drive),
    units: FitUnits,
    active: &[usize],
    sensor: impl Fn(Guess) -> Guess,
) -> Result<(Observations, Vec<Optimum>), FitError> {
    let samples = samples(observations, ideal)?;
    let weak = |radians: f64| {
        observations.control.check().map_err(|_| FitError::Stopped)?;
        weak::start(middle(&samples), radians, drive, units, options.largest_moment)
    };
    let first = weak(WINDOWS[0])?;
    let begin = first.as_ref().map_or_else(|| drive.values(), |start| start.values.clone());
    let size = first.as_ref().map_or(0.0, |start| start.size);
    let driving = Arc::new(ScaledDrive::new(drive, units, &begin, &options.control));
    let whole = acting(observations.clone(), &driving);
    let some = whole.clone().thinned(MOST_SEARCHED);
    let [from, to] = whole.span();
    // Two turns, or thirty samples.
    let reach = f64::max(6.0, 15.0 * (to - from) / whole.samples() as f64);
    let part = whole.near(reach).thinned(MOST_SEARCHED);
    let nearest = samples.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let Some(&(_, omega, q)) = nearest else { return Err(FitError::NotFound) };
    let mut found: Vec<Optimum> = Vec::new();
    // Whether noise alone is left, or two starts have led here: then what is left is no matter of the start.
    let mut follow = |guess: Guess| -> Result<bool, FitError> {
        let near = growing(&whole, sensor(guess), &part, active);
        match near.and_then(|near| descend(&some, near, active, 60)) {
            Ok(fitted) => {
                let again = found.iter().any(|other| same(other, &fitted));
                let done = again || structure(&some, &fitted.guess) < 1.0;
                found.push(fitted);
                Ok(done)
            }
            Err(FitError::Stopped) => Err(FitError::Stopped),
            Err(_) => Ok(false),
        }
    };
    let mut done = false;
    let mut start = first;
    for radians in WINDOWS.into_iter().skip(1).map(Some).chain([None]) {
        if let Some(start) = &start {
            let torque = driving.scaled(&start.values);
            let guess = Guess::new(start.shape, omega);
            done = follow(Guess { attitude: q, size: start.size, torque, ..guess })?;
        }
        start = match radians {
            Some(radians) if !done => weak(radians)?,
            _ => break,
        };
    }
    if !done {
        // A short arc is nearly that of a free body.
        for free in search::quick(&ideal.near(reach)).into_iter().take(2) {
            let torque = driving.scaled(&begin);
            done = done || follow(Guess { attitude: q, size, torque, ..free.guess })?;
        }
    }
    found.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
    if whole.samples() > some.samples() {
        found.truncate(1);
        for fitted in &mut found {
            *fitted = refine(&whole, fitted.guess, active)?;
        }
    }
    Ok((whole, found))
}

/// Whether windows of the data show the opposite of a torque all of which is known.
pub(crate) fn reversed(
    observations: &Observations,
    ideal: &Observations,
    drive: &Drive,
    units: FitUnits,
) -> Result<bool, FitError> {
    let samples = samples(observations, ideal)?;
    let start = weak::start(middle(&samples), WINDOWS[0], drive, units, None)?;
    Ok(start.is_some_and(|start| start.reversed))
}

/// The samples about the epoch, if there are very many.
fn middle(samples: &[RateSample]) -> &[RateSample] {
    let left = samples.len().saturating_sub(MOST_WEAK) / 2;
    &samples[left..samples.len() - left]
}

/// Data of a body on which this acts, with what is known of its numbers.
pub(crate) fn acting(observations: Observations, driving: &Arc<ScaledDrive>) -> Observations {
    let mut acting = Observations { driving: Some(driving.clone()), ..observations };
    for (k, ((_, p), size)) in driving.drive.unknown().iter().zip(&driving.sizes).enumerate() {
        let place = at::TORQUE + k;
        if p.fixed {
            continue;
        }
        if let Some(prior) = p.prior {
            acting.priors.push((place, p.value / size, prior / size));
        }
        acting.bounds.push((place, p.min / size, p.max / size));
    }
    acting
}

/// Angular velocities with attitudes beside them, where there are any.
fn samples(observations: &Observations, ideal: &Observations) -> Result<Vec<RateSample>, FitError> {
    let attitudes = if observations.attitude.is_empty() && observations.directions.is_empty() {
        Vec::new()
    } else {
        start::attitudes(observations)?
    };
    let each = |&(t, w): &(f64, DVec3)| {
        let after = attitudes.partition_point(|a| a.0 < t);
        let near = attitudes[after.saturating_sub(1)..attitudes.len().min(after + 1)].iter();
        let near = near.min_by(|a, b| (a.0 - t).abs().total_cmp(&(b.0 - t).abs()));
        let q = near.map_or(DQuat::IDENTITY, |(time, q)| *q * so3::exp(w * (t - time)));
        (t, w, q)
    };
    Ok(ideal.gyro.iter().map(each).collect())
}
