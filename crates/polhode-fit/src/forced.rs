//! The fit of a body under a torque: starts from the weak form, or from a free motion in the middle of the arc.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use polhode::{Inertia, Problem, State, Torque, so3};

use crate::data::{Options, Units};
use crate::descend::{Fitted, refine};
use crate::drive::Drive;
use crate::driving::{Driving, MOST_UNKNOWN};
use crate::error::FitError;
use crate::model::{Guess, Observations, at};
use crate::search::{self, grown, structure};
use crate::start;
use crate::weak::{self, Sample, Start};

/// Lengths of windows, radians.
const WINDOWS: [f64; 4] = [2.5, 1.2, 5.0, 0.6];

/// The search has no more samples than this: each costs a step of the solver.
const MOST_SEARCHED: usize = 2000;

/// That the torque can be fitted to these data.
pub(crate) fn validate(drive: &Drive, observations: &Observations) -> Result<(), FitError> {
    let count = drive.unknown().len();
    if count > MOST_UNKNOWN {
        return Err(FitError::TooManyUnknown { count, most: MOST_UNKNOWN });
    }
    let values = drive.values();
    let torque = drive.torque(&values)?;
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

/// The optima that were found, best first, and what acts in the units of the fit.
pub(crate) fn search(
    observations: &Observations,
    ideal: &Observations,
    (options, drive): (&Options, &Drive),
    units: Units,
    active: &[usize],
    sensor: impl Fn(Guess) -> Guess,
) -> Result<(Arc<Driving>, Vec<Fitted>), FitError> {
    let samples = samples(observations, ideal)?;
    let known = options.largest_moment;
    let mut starts: Vec<Start> = Vec::new();
    for radians in WINDOWS {
        observations.control.check().map_err(|_| FitError::Stopped)?;
        starts.extend(weak::start(&samples, radians, drive, units, known)?);
    }
    let begin = starts.first().map_or_else(|| drive.values(), |start| start.values.clone());
    let driving = Arc::new(Driving::new(drive, units, &begin));
    let every = observations.clone().thinned(MOST_SEARCHED);
    let mut every = Observations { driving: Some(driving.clone()), ..every };
    scale_told(&mut every, drive, &driving);
    let [first, last] = every.span();
    // Two turns, or thirty samples.
    let reach = f64::max(6.0, 15.0 * (last - first) / every.samples() as f64);
    let part = every.near(reach);
    let nearest = samples.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let Some(&(_, omega, q)) = nearest else { return Err(FitError::NotFound) };
    let mut found: Vec<Fitted> = Vec::new();
    let mut follow = |guess: Guess| -> Result<bool, FitError> {
        match grown(&every, sensor(guess), &part, active) {
            Ok(fitted) => {
                let white = structure(&every, &fitted.guess) < 1.0;
                found.push(fitted);
                Ok(white)
            }
            Err(FitError::Stopped) => Err(FitError::Stopped),
            Err(_) => Ok(false),
        }
    };
    let guess = |start: &Start| Guess {
        attitude: q,
        size: start.size,
        torque: driving.scaled(&start.values),
        ..Guess::new(start.shape, omega)
    };
    let mut done = false;
    for start in &starts {
        done = done || follow(guess(start))?;
    }
    if !done {
        // A short arc is nearly that of a free body.
        let size = starts.first().map_or(0.0, |start| start.size);
        for free in search::quick(&ideal.near(reach)).into_iter().take(2) {
            let torque = driving.scaled(&begin);
            done = done || follow(Guess { attitude: q, size, torque, ..free.guess })?;
        }
    }
    found.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
    if observations.samples() > MOST_SEARCHED {
        let mut whole = Observations { driving: Some(driving.clone()), ..observations.clone() };
        scale_told(&mut whole, drive, &driving);
        found.truncate(1);
        for fitted in &mut found {
            *fitted = refine(&whole, fitted.guess, active)?;
        }
    }
    Ok((driving, found))
}

/// What is known of the unknown numbers of the torque, in their units.
pub(crate) fn scale_told(observations: &mut Observations, drive: &Drive, driving: &Driving) {
    for (k, ((_, p), size)) in drive.unknown().iter().zip(&driving.sizes).enumerate() {
        let place = at::TORQUE + k;
        if p.fixed {
            continue;
        }
        if let Some(prior) = p.prior {
            observations.priors.push((place, p.value / size, prior / size));
        }
        observations.bounds.push((place, p.min / size, p.max / size));
    }
}

/// Angular velocities with attitudes beside them, where there are any.
fn samples(observations: &Observations, ideal: &Observations) -> Result<Vec<Sample>, FitError> {
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
