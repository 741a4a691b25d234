//! One free step of many bodies.

use numpy::PyReadwriteArray1;
use polhode::ensemble::{EnsembleError, FreeStep};
use polhode::glam::DVec3;
use polhode::{Inertia, State, so3};
use pyo3::prelude::*;

use crate::arrays::Doubles;
use crate::ensemble::refused;
use crate::errors::invalid;
use crate::threads::in_parallel;

/// Bodies that a thread does at a time: some tens of microseconds in lanes.
const TASK: usize = 2048;

/// How far the length of an attitude may be from one to be taken as it is: far more than rounding makes of
/// it in a long loop, and less than anybody would notice.
const UNIT: f64 = 1e-8;

/// Advances momenta (rows of 3) and attitudes (rows of 4) by a step each. Inertia (rows of `width`) and
/// step are those of each body, or one for all.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "an array each")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn step<'py>(
    py: Python<'py>,
    rotor: &str,
    inertia: Doubles<'py>,
    width: usize,
    allow_unphysical: bool,
    h: Doubles<'py>,
    mut momentum: PyReadwriteArray1<'py, f64>,
    mut attitude: PyReadwriteArray1<'py, f64>,
) -> PyResult<()> {
    let rotor = FreeStep::new(rotor).map_err(|e| invalid("rotor", &e))?;
    let (inertia, h) = (inertia.as_slice()?, h.as_slice()?);
    let (m, _) = momentum.as_slice_mut()?.as_chunks_mut::<3>();
    let (q, _) = attitude.as_slice_mut()?.as_chunks_mut::<4>();
    if let Some(body) = h.iter().position(|h| !h.is_finite()) {
        let text = format!("h = {:?} of body {body}: must be finite", h[body]);
        return Err(invalid("h", &text));
    }
    let body_of = |row: usize| {
        let numbers = &inertia[width * row..][..width];
        Inertia::from_slice(numbers, allow_unphysical)
            .map_err(|source| EnsembleError::Inertia { body: row as u64, source })
    };
    let shared = inertia.len() == width;
    let of_all = if shared { Some(body_of(0).map_err(|e| refused(&e, false))?) } else { None };
    let task = |number: usize, m: &mut [[f64; 3]], q: &mut [[f64; 4]]| {
        let first = number * TASK;
        let bodies: Vec<Inertia> = match of_all {
            Some(inertia) => vec![inertia],
            None => (first..first + m.len()).map(body_of).collect::<Result<_, _>>()?,
        };
        let steps = if h.len() == 1 { h } else { &h[first..first + m.len()] };
        let rows = m.iter().zip(&*q).enumerate();
        let mut states: Vec<State> = rows
            .map(|(i, (&m, &q))| {
                state(m, q)
                    .map_err(|source| EnsembleError::State { body: (first + i) as u64, source })
            })
            .collect::<Result<_, _>>()?;
        let stepped = rotor.step(&bodies, steps, &mut states);
        for (state, (m, q)) in states.iter().zip(m.iter_mut().zip(q)) {
            (*m, *q) = (state.m.to_array(), state.attitude());
        }
        stepped.map_err(|error| match error {
            EnsembleError::OneStep { body, source } => {
                EnsembleError::OneStep { body: body + first as u64, source }
            }
            other => other,
        })
    };
    let done = if m.len() <= TASK {
        py.detach(|| task(0, m, q))
    } else {
        let tasks = m.chunks_mut(TASK).zip(q.chunks_mut(TASK)).enumerate();
        in_parallel(py, tasks, |(number, (m, q))| task(number, m, q))?
    };
    done.map_err(|e| refused(&e, false))
}

/// A state as it is if its attitude is of unit length but for rounding, so that steps after each other have
/// the bits of a run; else with the attitude normalised.
pub(crate) fn state(m: [f64; 3], q: [f64; 4]) -> Result<State, polhode::StateError> {
    let size: f64 = q.iter().map(|x| x * x).sum();
    let m = DVec3::from_array(m);
    if m.is_finite() && (size - 1.0).abs() <= UNIT {
        return Ok(State { m, q: so3::from_wxyz(q) });
    }
    State::new(m, so3::from_wxyz(q))
}
