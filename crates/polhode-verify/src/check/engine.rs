//! The steps that physics engines take: which of them, and how long, would explain a wrong trajectory.
//!
//! They differ in the angular velocity at the end of a step. The explicit and the semi-implicit step change it by the
//! gyroscopic torque at the start; the implicit one takes that torque at the end, by one step of Newton's method
//! (Catto, GDC 2015); another brings the momentum of the explicit step back to its length. The explicit step then
//! turns the body by the angular velocity from before the change, all others by that from after it.

use glam::{DMat3, DQuat, DVec3};

use super::CheckError;
use super::case::{Case, SampleState};
use super::mistake::{Diagnosis, Mistake};
use super::reading::ColumnConvention;
use super::report::CheckReport;
use crate::Errors;
use polhode::{FreeMotion, Inertia, State, so3};

/// Steps from one sample to the next: engines write every frame, or one of a few.
const COUNTS: [u32; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 30, 60];

/// A hypothesis fits if it leaves this part of the distance from the exact motion.
const FITS: f64 = 0.05;

/// On no more pairs of samples than this.
const PAIRS: usize = 200;

/// How the angular velocity is changed.
#[derive(Clone, Copy, PartialEq)]
enum EngineStep {
    Explicit,
    SemiImplicit,
    Implicit,
    LengthKept,
}

/// How a quaternion is turned.
#[derive(Clone, Copy)]
enum AttitudeUpdate {
    /// By a rotation.
    Rotation,
    /// By the first-order sum, brought back to length one.
    Sum,
}

const STEPS: [EngineStep; 4] =
    [EngineStep::Explicit, EngineStep::SemiImplicit, EngineStep::Implicit, EngineStep::LengthKept];

/// I omega' + h omega' x I omega' = I omega, by one step of Newton's method from omega.
fn implicit(inertia: &Inertia, m: DVec3, omega: DVec3, h: f64) -> DVec3 {
    let column = |axis: DVec3| {
        let moment = inertia.momentum(axis);
        moment + (omega.cross(moment) - m.cross(axis)) * h
    };
    let jacobian = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
    inertia.momentum(omega - jacobian.inverse() * (omega.cross(m) * h))
}

fn step(case: &Case, state: State, h: f64, kind: EngineStep, update: AttitudeUpdate) -> State {
    let omega = case.inertia.omega(state.m);
    let explicit = state.m + state.m.cross(omega) * h;
    let m = match kind {
        EngineStep::Explicit | EngineStep::SemiImplicit => explicit,
        EngineStep::Implicit => implicit(case.inertia, state.m, omega, h),
        EngineStep::LengthKept => explicit * (so3::length(state.m) / so3::length(explicit)),
    };
    let by = (if kind == EngineStep::Explicit { omega } else { case.inertia.omega(m) }) * h;
    let q = match update {
        AttitudeUpdate::Rotation => state.q * so3::exp(by),
        AttitudeUpdate::Sum => {
            let half = by * 0.5;
            state.q * DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize()
        }
    };
    State { m, q }
}

/// The step that explains the motion of a free body from sample to sample, as the columns are given, or read in
/// another way.
pub(super) fn engine_step(
    case: &Case,
    report: &CheckReport,
) -> Result<Option<Diagnosis>, CheckError> {
    if !case.is_free() {
        return Ok(None);
    }
    let others = ColumnConvention::others(case.samples);
    for reading in core::iter::once(ColumnConvention::default()).chain(others) {
        let found = of_reading(case, report, reading)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What fits, and how much of the distance it leaves.
struct LinearMatch {
    kind: EngineStep,
    steps: u32,
    left: f64,
}

fn of_reading(
    case: &Case,
    report: &CheckReport,
    reading: ColumnConvention,
) -> Result<Option<Diagnosis>, CheckError> {
    let attitudes = case.samples.attitude.is_some();
    let state = |row: SampleState| Some(State { m: row.m?, q: row.q.unwrap_or(DQuat::IDENTITY) });
    let count = (case.samples.len() - 1).min(PAIRS);
    let Some(states) = (0..=count).map(|k| state(case.row(reading, k))).collect::<Option<Vec<_>>>()
    else {
        return Ok(None);
    };
    let times = &case.samples.times;
    let distance = |got: &State, want: &State, size: f64| {
        let Errors { momentum, attitude, .. } = Errors::new(got, want, size);
        momentum + if attitudes { attitude } else { 0.0 }
    };
    let size = states.iter().fold(0.0, |most: f64, s| most.max(so3::length(s.m)));
    let mut exact = 0.0;
    for k in 0..count {
        case.control.check()?;
        let motion = FreeMotion::new(case.inertia, states[k]);
        let Ok(want) = motion.and_then(|motion| motion.at(times[k + 1] - times[k])) else {
            return Ok(None);
        };
        exact += distance(&states[k + 1], &want, size);
    }
    let mut best: Option<LinearMatch> = None;
    for steps in COUNTS {
        for kind in STEPS {
            for update in [AttitudeUpdate::Rotation, AttitudeUpdate::Sum] {
                case.control.check()?;
                let end = |k: usize| {
                    let h = (times[k + 1] - times[k]) / f64::from(steps);
                    (0..steps).fold(states[k], |state, _| step(case, state, h, kind, update))
                };
                let mut left = 0.0;
                // Most hypotheses are out after a few samples.
                for k in 0..count {
                    left += distance(&states[k + 1], &end(k), size) / exact;
                    if left > FITS {
                        break;
                    }
                }
                if left <= FITS && best.as_ref().is_none_or(|best| left < best.left) {
                    best = Some(LinearMatch { kind, steps, left });
                }
            }
        }
        // More and shorter steps would fit no better.
        if best.is_some() {
            break;
        }
    }
    Ok(best.map(|fit| named(case, report, reading, &fit)))
}

fn named(
    case: &Case,
    report: &CheckReport,
    reading: ColumnConvention,
    fit: &LinearMatch,
) -> Diagnosis {
    let attitudes = case.samples.attitude.is_some();
    let (mistake, name, why) = match fit.kind {
        EngineStep::Explicit | EngineStep::SemiImplicit if !attitudes => {
            (Mistake::ExplicitEuler, "Euler's explicit step, or the semi-implicit one,", GAINS)
        }
        EngineStep::Explicit => (Mistake::ExplicitEuler, "Euler's explicit step", GAINS),
        EngineStep::SemiImplicit => {
            (Mistake::SemiImplicitEuler, "Euler's semi-implicit step", GAINS)
        }
        EngineStep::Implicit => (
            Mistake::ImplicitEuler,
            "Euler's implicit step (one step of Newton's method, after Catto)",
            "the gyroscopic torque is taken at the end of a step. Such steps lose energy, faster the longer they are",
        ),
        EngineStep::LengthKept => (
            Mistake::LengthKept,
            "Euler's explicit step with the length of the momentum kept",
            "the gyroscopic torque is taken at the start of a step. Such steps keep the momentum, but not the energy",
        ),
    };
    let often = if fit.steps == 1 { String::new() } else { format!(", {} times,", fit.steps) };
    // The energies of the report are those of the columns as they are given.
    let energy = match report.energy_change.filter(|_| reading.is_default()) {
        Some(change) if change > 0.0 => format!("; the energy has grown by {change:.1e} of itself"),
        Some(change) if change < 0.0 => {
            format!("; the energy has fallen by {:.1e} of itself", -change)
        }
        _ => String::new(),
    };
    let read = if reading.is_default() {
        String::new()
    } else {
        let (done, meant) = reading.words(case.samples);
        format!("{meant}. With {done}, ")
    };
    let left = fit.left;
    let text = format!(
        "{read}from sample to sample {name}{often} explains all but {left:.1e} of the distance from the exact \
         motion: {why}{energy}. An exact step costs two to three times as much: the crate polhode-step has it"
    );
    let mistakes = reading.mistakes().into_iter().chain([mistake]).collect();
    Diagnosis { mistakes, text }
}

const GAINS: &str = "the gyroscopic torque is taken at the start of a step. Such steps gain energy, faster the \
                     longer they are";
