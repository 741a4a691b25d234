//! The free motion of a body, at many times at once.

use numpy::{PyArray1, PyArray2, PyReadwriteArray1};
use polhode::glam::DVec3;
use polhode::{FreeMotionError, so3};
use pyo3::prelude::*;

use crate::arrays::{BLOCK, Doubles, NewArray, StateArrays, column, copied, table, with_capacity};
use crate::body::StartingBody;
use crate::errors::of_motion;
use crate::tangent::{GradientParts, WIDTH, fill, name_of, parts_of};
use crate::threads::in_parallel;

/// The free motion of a body.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct FreeMotion {
    motion: polhode::FreeMotion,
}

#[pymethods]
impl FreeMotion {
    /// The free motion of a body from its start.
    #[new]
    fn new(body: &StartingBody) -> PyResult<Self> {
        Ok(Self { motion: body.free_motion()? })
    }

    /// What the momentum does in the body frame.
    #[getter]
    fn regime(&self) -> &'static str {
        self.motion.regime().name()
    }

    /// The period of the momentum in the body frame, if there is one.
    #[getter]
    fn period(&self) -> Option<f64> {
        self.motion.period()
    }

    /// The mean rate of the precession about the momentum.
    #[getter]
    fn precession_rate(&self) -> f64 {
        self.motion.precession_rate()
    }

    /// 1 - 2 T I2/|m|^2; none at rest.
    #[getter]
    fn separatrix_distance(&self) -> Option<f64> {
        self.motion.separatrix_distance()
    }

    /// Fills in momentum, angular velocity and attitude (flat) at these times, on all cores. Nobody
    /// else may change the times meanwhile.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn at<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        momentum: PyReadwriteArray1<'py, f64>,
        omega: PyReadwriteArray1<'py, f64>,
        attitude: PyReadwriteArray1<'py, f64>,
    ) -> PyResult<()> {
        let into = StateArrays { momentum, omega, attitude };
        let filled = into.fill(py, &t, TASK, |t, m, w, q| self.fill(t, m, w, q))?;
        filled.map_err(|e| of_motion(&e))
    }

    /// Momentum, angular velocity and attitude at one time.
    fn at_one<'py>(
        &self,
        py: Python<'py>,
        t: f64,
    ) -> PyResult<(NewArray<'py>, NewArray<'py>, NewArray<'py>)> {
        let state = self.motion.at(t).map_err(|e| of_motion(&e))?;
        let omega = state.omega(self.motion.inertia()).to_array();
        Ok((
            PyArray1::from_slice(py, &state.m.to_array()),
            PyArray1::from_slice(py, &omega),
            PyArray1::from_slice(py, &state.attitude()),
        ))
    }

    /// The derivative of the angular velocity's body components at these times.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn angular_acceleration<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let times = copied(&t)?;
        let mut numbers = with_capacity(times.len().saturating_mul(3))?;
        in_blocks(py, &times, |t| {
            numbers.extend(self.motion.angular_acceleration_at(t)?.to_array());
            Ok(())
        })?;
        table(py, numbers, 3)
    }

    /// The first flips after these times; NaN where there is none.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn next_flip<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times = copied(&t)?;
        let mut flips = with_capacity(times.len())?;
        in_blocks(py, &times, |t| {
            flips.push(self.motion.next_flip(t)?.unwrap_or(f64::NAN));
            Ok(())
        })?;
        Ok(column(py, flips))
    }

    /// Fills in rows (see `tangent::fill`) at these times, on all cores and in lanes.
    /// Nobody else may change the times meanwhile.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn tangent<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        mut rows: PyReadwriteArray1<'py, f64>,
        by_inertia: bool,
    ) -> PyResult<&'static str> {
        let t = t.as_slice()?;
        let (rows, _) = rows.as_slice_mut()?.as_chunks_mut::<WIDTH>();
        let task = |times: &[f64], rows: &mut [[f64; WIDTH]]| {
            let inertia = self.motion.inertia();
            for (times, rows) in times.chunks(GROUP).zip(rows.chunks_mut(GROUP)) {
                if by_inertia {
                    let made = self.motion.inertia_tangents_at(times)?;
                    for ((tangent, by_inertia), row) in made.iter().zip(rows) {
                        fill(row, inertia, tangent, Some(by_inertia));
                    }
                } else {
                    for (tangent, row) in self.motion.tangents_at(times)?.iter().zip(rows) {
                        fill(row, inertia, tangent, None);
                    }
                }
            }
            Ok::<(), FreeMotionError>(())
        };
        let filled = if t.len() <= TANGENTS {
            py.detach(|| task(t, rows))
        } else {
            let pieces = t.chunks(TANGENTS).zip(rows.chunks_mut(TANGENTS));
            in_parallel(py, pieces, |(t, rows)| task(t, rows))?
        };
        let held = filled.and_then(|()| Ok(self.motion.inertia_tangent_at(0.0)?.1.held));
        Ok(name_of(held.map_err(|e| of_motion(&e))?))
    }

    /// The derivatives of the period.
    fn period_gradient(&self) -> PyResult<GradientParts> {
        self.motion.period_gradient().map(|g| parts_of(&g)).map_err(|e| of_motion(&e))
    }

    /// The derivatives of the rate of precession.
    fn precession_rate_gradient(&self) -> PyResult<GradientParts> {
        self.motion.precession_rate_gradient().map(|g| parts_of(&g)).map_err(|e| of_motion(&e))
    }

    /// The next flip after t, and its derivatives.
    fn next_flip_gradient(&self, t: f64) -> PyResult<(f64, GradientParts)> {
        let made = self.motion.next_flip_gradient(t);
        made.map(|(flip, g)| (flip, parts_of(&g))).map_err(|e| of_motion(&e))
    }
}

/// What a thread does at a time: a quarter of a millisecond or so, long against what it costs to ask for more.
const TASK: usize = 2048;

/// The same of derivatives.
const TANGENTS: usize = 512;

/// States that are computed together, in lanes: as many as stay in the nearest cache.
const GROUP: usize = 64;

impl FreeMotion {
    /// Fills in the states at these times.
    fn fill(
        &self,
        times: &[f64],
        momentum: &mut [[f64; 3]],
        omega: &mut [[f64; 3]],
        attitude: &mut [[f64; 4]],
    ) -> Result<(), FreeMotionError> {
        let mut states = [*self.motion.start(); GROUP];
        let mut results = momentum.iter_mut().zip(omega).zip(attitude);
        for times in times.chunks(GROUP) {
            let states = &mut states[..times.len()];
            self.motion.at_many(times, states)?;
            for (state, ((m, w), q)) in states.iter().zip(&mut results) {
                *m = state.m.to_array();
                *w = state.omega(self.motion.inertia()).to_array();
                *q = state.attitude();
            }
        }
        Ok(())
    }
}

/// Calls f for every time, letting others run Python meanwhile, and Ctrl-C end it.
fn in_blocks(
    py: Python<'_>,
    times: &[f64],
    mut f: impl FnMut(f64) -> Result<(), FreeMotionError> + Send,
) -> PyResult<()> {
    for block in times.chunks(BLOCK) {
        py.detach(|| block.iter().try_for_each(|&t| f(t))).map_err(|e| of_motion(&e))?;
        py.check_signals()?;
    }
    Ok(())
}

/// Rotation matrices of attitudes (rows of 4), row by row.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn matrices<'py>(
    py: Python<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let attitudes = copied(&attitude)?;
    let mut numbers = with_capacity((attitudes.len() / 4).saturating_mul(9))?;
    for block in attitudes.as_chunks::<4>().0.chunks(BLOCK) {
        py.detach(|| numbers.extend(block.iter().flat_map(|&q| so3::to_rows(so3::from_wxyz(q)))));
        py.check_signals()?;
    }
    table(py, numbers, 9)
}

/// Vectors of the body (rows of 3) in space, by attitudes (rows of 4).
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn to_space<'py>(
    py: Python<'py>,
    attitude: Doubles<'py>,
    vector: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (attitudes, vectors) = (copied(&attitude)?, copied(&vector)?);
    let mut numbers = with_capacity(vectors.len())?;
    let rows = attitudes.as_chunks::<4>().0.chunks(BLOCK);
    for (attitudes, vectors) in rows.zip(vectors.as_chunks::<3>().0.chunks(BLOCK)) {
        let turned = attitudes
            .iter()
            .zip(vectors)
            .flat_map(|(&q, &v)| (so3::from_wxyz(q) * DVec3::from_array(v)).to_array());
        py.detach(|| numbers.extend(turned));
        py.check_signals()?;
    }
    table(py, numbers, 3)
}
