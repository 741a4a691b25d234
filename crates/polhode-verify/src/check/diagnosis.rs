//! Which mistake would explain a wrong trajectory.
//!
//! Every mistake is a hypothesis that is tried on the samples: undone, or put into the equations. It
//! is named only if the error then all but vanishes.

use super::case::{Case, ErrorSeries, MARGIN, ReferenceSource};
use super::deviation::Growth;
use super::engine::engine_step;
use super::mistake::{Diagnosis, Mistake};
use super::reading::ColumnConvention;
use super::report::CheckReport;
use super::{CheckError, CheckOptions};
use polhode::{State, so3};

/// A hypothesis fits if it leaves this part of the error.
const FITS: f64 = 1e-2;

/// The same where the hypothesis is tried step by step, to second order only.
const FITS_LOCALLY: f64 = 0.05;

/// Hypotheses on how to read the columns are tried on no more samples than this.
const TRIED: usize = 500;

pub(super) fn diagnose(
    case: &Case,
    against: &ErrorSeries,
    report: &CheckReport,
    options: &CheckOptions,
) -> Result<Vec<Diagnosis>, CheckError> {
    let mut found = Vec::new();
    found.extend(reflection(case));
    found.extend(not_a_rotation(case, report));
    found.extend(inconsistent(case, report));
    if !beyond(report.momentum) && !beyond(report.attitude) {
        return Ok(found);
    }
    let readings = readings(case)?;
    if !readings.is_empty() {
        found.extend(readings);
        return Ok(found);
    }
    if let Some(other) = other_start(case, against, report) {
        found.push(other);
        return Ok(found);
    }
    if beyond(report.momentum) {
        found.extend(gyroscopic(case, options));
    } else {
        found.extend(from_left(case, against));
    }
    if found.is_empty() {
        found.extend(engine_step(case, report)?);
    }
    if found.is_empty() {
        found.push(match time_unit(case)? {
            Some(unit) => unit,
            None => unexplained(report),
        });
    }
    Ok(found)
}

fn beyond(deviation: Option<super::Deviation>) -> bool {
    deviation.is_some_and(|d| d.beyond.is_some())
}

fn reflection(case: &Case) -> Option<Diagnosis> {
    let t = case.samples.times[case.samples.reflection()?];
    let text = format!(
        "the attitude at t = {t:?} is a reflection: its determinant is negative. Two of the axes are \
         exchanged, or one is reversed"
    );
    Some(Diagnosis::new(Mistake::Reflection, text))
}

fn not_a_rotation(case: &Case, report: &CheckReport) -> Option<Diagnosis> {
    let d = report.orthogonality.filter(|d| d.beyond.is_some())?;
    let what = match case.samples.attitude {
        Some(super::Attitudes::Matrices(_)) => "Q^T Q differs from 1",
        _ => "the length of the quaternion differs from 1",
    };
    let growth = match d.growth {
        Some(Growth::Power(_)) => {
            ", and that grows: the attitude is updated by a sum instead of a rotation, and not \
             normalised"
        }
        _ => "",
    };
    let text = format!("the attitude is no rotation: {what} by up to {:.1e}{growth}", d.max);
    Some(Diagnosis::new(Mistake::NotARotation, text))
}

fn inconsistent(case: &Case, report: &CheckReport) -> Option<Diagnosis> {
    let d = report.consistency.filter(|d| d.beyond.is_some())?;
    let (mut plain, mut in_degrees) = (0.0_f64, 0.0_f64);
    for k in 0..case.samples.len() {
        let omega = case.omega(k)?;
        let want = case.inertia.omega(case.given(k).m?);
        plain = plain.max(so3::length(omega - want));
        in_degrees = in_degrees.max(so3::length(omega.map(f64::to_radians) - want));
    }
    if in_degrees <= FITS * plain {
        let text = format!(
            "omega differs from I^-1 m by up to {:.1e} of its length, and no more than {:.1e} once it \
             is divided by 180/pi: it is in degrees, not in radians",
            d.max,
            d.max * in_degrees / plain
        );
        return Some(Diagnosis::new(Mistake::Degrees, text));
    }
    let text = format!(
        "omega differs from I^-1 m by up to {:.1e} of its length: the columns belong to different \
         bodies or frames, or the inertia is not that of the program",
        d.max
    );
    Some(Diagnosis::new(Mistake::InconsistentColumns, text))
}

/// The simplest other ways to read the columns under which the trajectory is right.
fn readings(case: &Case) -> Result<Vec<Diagnosis>, CheckError> {
    let rows = tried_rows(case);
    let given = case.against(ColumnConvention::default(), &rows)?.worst();
    let mut fitting: Vec<(ColumnConvention, f64)> = Vec::new();
    for reading in ColumnConvention::others(case.samples) {
        // A hypothesis under which there is no motion is no explanation.
        let Ok(against) = case.against(reading, &rows) else { continue };
        if against.worst() <= FITS * given {
            fitting.push((reading, against.worst()));
        }
    }
    let simplest = fitting.iter().map(|(r, _)| r.mistakes().len()).min();
    fitting.retain(|(r, _)| Some(r.mistakes().len()) == simplest);
    let best = fitting.iter().fold(f64::MAX, |min, (_, e)| min.min(*e));
    // Those that leave much more than the best one fit by accident.
    fitting.retain(|(_, error)| FITS * error <= best);
    Ok(fitting.into_iter().map(|(r, error)| undone(case, r, given, error)).collect())
}

/// The samples on which readings are tried.
fn tried_rows(case: &Case) -> Vec<usize> {
    let count = case.samples.len();
    let tried = count.min(TRIED);
    (0..tried).map(|i| i * (count - 1) / (tried - 1)).collect()
}

/// A reading under which the largest error falls from `given` to `error`.
fn undone(case: &Case, reading: ColumnConvention, given: f64, error: f64) -> Diagnosis {
    let (done, meant) = reading.words(case.samples);
    let text =
        format!("with {done}, the largest error falls from {given:.1e} to {error:.1e}: {meant}");
    Diagnosis { mistakes: reading.mistakes(), text }
}

/// The unit of time in which the trajectory of a free body is right.
fn time_unit(case: &Case) -> Result<Option<Diagnosis>, CheckError> {
    // The solution of a problem is known at the times of the samples only.
    let ReferenceSource::FirstSample = &case.source else { return Ok(None) };
    let rows = tried_rows(case);
    let given = case.against(ColumnConvention::default(), &rows)?.worst();
    let mut best: Option<(ColumnConvention, f64)> = None;
    for reading in ColumnConvention::other_times() {
        let Ok(against) = case.against(reading, &rows) else { continue };
        let error = against.worst();
        // In times short enough every body stands still: the motion must be there to be right.
        let fits = error <= FITS * given.min(against.moved());
        if fits && best.is_none_or(|(_, least)| error < least) {
            best = Some((reading, error));
        }
    }
    Ok(best.map(|(reading, error)| undone(case, reading, given, error)))
}

fn other_start(case: &Case, against: &ErrorSeries, report: &CheckReport) -> Option<Diagnosis> {
    let ReferenceSource::Problem { .. } = &case.source else { return None };
    let first = |errors: &Option<Vec<f64>>| errors.as_ref().map_or(0.0, |e| e[0]);
    let (m, a) = (first(&against.momentum), first(&against.attitude));
    let limit = report.tolerance + report.allowance;
    if m <= limit && a <= limit {
        return None;
    }
    let t = case.samples.times[0];
    let text = format!(
        "the first sample, t = {t:?}, is not on the motion of the scenario: its momentum is off by \
         {m:.1e} and its attitude by {a:.1e} rad. Everything after it follows from another start"
    );
    Some(Diagnosis::new(Mistake::OtherStart, text))
}

/// Tries the equation of the momentum without its gyroscopic term, and with the wrong sign.
fn gyroscopic(case: &Case, options: &CheckOptions) -> Option<Diagnosis> {
    let times = &case.samples.times;
    let problem = match &case.source {
        ReferenceSource::FirstSample => None,
        ReferenceSource::Problem { problem, .. } => Some(problem),
    };
    // Slopes at a sample: m x omega, and the torque.
    let slopes = |k: usize| {
        let row = case.given(k);
        let m = row.m?;
        let tau = match problem {
            None => glam::DVec3::ZERO,
            Some(problem) => problem.torque_at(times[k], &State { m, q: row.q? }),
        };
        Some((m, m.cross(case.inertia.omega(m)), tau))
    };
    let (mut missing, mut reversed, mut expected) = (0.0, 0.0, 0.0);
    // What no torque accounts for so far, the most it ever was, and the most of all change.
    let (mut left, mut drift, mut change) = (glam::DVec3::ZERO, 0.0_f64, 0.0_f64);
    let start = slopes(0)?;
    let (mut before, mut size) = (start, so3::length(start.0));
    for k in 1..times.len() {
        let here = slopes(k)?;
        let half = 0.5 * (times[k] - times[k - 1]);
        let turn = (before.1 + here.1) * half;
        let rest = here.0 - before.0 - (before.2 + here.2) * half;
        missing += so3::length(rest);
        reversed += so3::length(rest + turn);
        expected += so3::length(turn);
        left += rest;
        drift = drift.max(so3::length(left));
        change = change.max(so3::length(here.0 - start.0));
        size = size.max(so3::length(here.0));
        before = here;
    }
    // Little beside m x omega are also the changes of a body whose times are far too long.
    let quadrature = if problem.is_some() { FITS_LOCALLY * change } else { 0.0 };
    let still = drift <= quadrature.max(MARGIN * options.rounding * size);
    if still && missing <= FITS * expected {
        let seen = match problem {
            None => format!(
                "the momentum stands still in the body frame: all its changes together are {:.1e} of \
                 what m x omega should have brought about",
                missing / expected
            ),
            Some(_) => format!(
                "the changes of the momentum are those of the torque alone: {:.1e} of what m x omega \
                 should have brought about is left",
                missing / expected
            ),
        };
        let space = if problem.is_none() && case.samples.attitude.is_none() {
            ", unless these columns are the momentum in space"
        } else {
            ""
        };
        let text = format!(
            "{seen}. The gyroscopic term is missing from m' = m x omega + torque (in terms of omega: \
             I omega' = (I omega) x omega + torque){space}"
        );
        return Some(Diagnosis::new(Mistake::MissingGyroscopicTerm, text));
    }
    if reversed <= FITS_LOCALLY * expected {
        let text = format!(
            "the momentum changes by omega x m, to {:.1e}: the gyroscopic term of m' = m x omega + \
             torque has the wrong sign",
            reversed / expected
        );
        return Some(Diagnosis::new(Mistake::GyroscopicSign, text));
    }
    None
}

/// Tries q' = (0, omega) q/2 in place of q' = q (0, omega)/2.
fn from_left(case: &Case, against: &ErrorSeries) -> Option<Diagnosis> {
    let (mut left, mut right) = (0.0, 0.0);
    let mut before = case.given(0).q?;
    for k in 1..case.samples.len() {
        let here = case.given(k).q?;
        let turn = against.reference[k - 1].q.conjugate() * against.reference[k].q;
        left += so3::angle_between(here * before.conjugate(), turn);
        right += so3::angle_between(before.conjugate() * here, turn);
        before = here;
    }
    if left > FITS_LOCALLY * right {
        return None;
    }
    let text = format!(
        "from sample to sample the attitude is turned by the right angle about the wrong axis: the \
         turns are off by {right:.1e} rad in all, but by {left:.1e} if applied from the left. The \
         angular velocity, which is that of the body frame, is used as if it were in space: \
         q' = q (0, omega)/2 and Q' = Q hat(omega) are right"
    );
    Some(Diagnosis::new(Mistake::AttitudeFromLeft, text))
}

fn unexplained(report: &CheckReport) -> Diagnosis {
    let errors = [("momentum", report.momentum), ("attitude", report.attitude)];
    let describe = |(name, d): (&str, Option<super::Deviation>)| {
        let d = d?;
        let beyond = d.beyond?;
        let growth = match d.growth {
            Some(Growth::Bounded) => " and does not grow".to_owned(),
            Some(Growth::Power(p)) => format!(" and grows like t^{p:.1}"),
            Some(Growth::Steep) => " and comes suddenly, or grows exponentially".to_owned(),
            Some(Growth::Rounding) | None => String::new(),
        };
        Some(format!("that of the {name} is beyond the tolerance from t = {beyond:?} on{growth}"))
    };
    let mut seen: Vec<String> = errors.into_iter().filter_map(describe).collect();
    if let Some(change) = report.energy_change.filter(|_| beyond(report.energy)) {
        let word = if change > 0.0 { "gained" } else { "lost" };
        seen.push(format!("energy is {word}, {:.1e} of it at the end", change.abs()));
    }
    let text = format!(
        "no mistake known here explains the error: {}. If it is that of the method, it shrinks with \
         the step: check two trajectories in different steps, with the order claimed",
        seen.join("; ")
    );
    Diagnosis::new(Mistake::Unexplained, text)
}
