//! The free motion of a body, at many times at once.

use numpy::{PyArray1, PyArray2, PyReadwriteArray1};
use polhode::glam::DVec3;
use polhode::{FreeMotionError, so3};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{BLOCK, Doubles, column, copied, table, with_capacity};
use crate::body::Body;
use crate::errors::of_motion;
use crate::threads;

/// The free motion of a body.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct FreeMotion {
    motion: polhode::FreeMotion,
}

#[pymethods]
impl FreeMotion {
    /// The free motion of a body from its start.
    #[new]
    fn new(body: &Body) -> PyResult<Self> {
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

    /// Fills in momentum, angular velocity and attitude (flat) at these times, on all cores.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn at<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        mut momentum: PyReadwriteArray1<'py, f64>,
        mut omega: PyReadwriteArray1<'py, f64>,
        mut attitude: PyReadwriteArray1<'py, f64>,
    ) -> PyResult<()> {
        let times = copied(&t)?;
        let (m, _) = momentum.as_slice_mut()?.as_chunks_mut::<3>();
        let (w, _) = omega.as_slice_mut()?.as_chunks_mut::<3>();
        let (q, _) = attitude.as_slice_mut()?.as_chunks_mut::<4>();
        // Long, because threads wait for each other at the end of each.
        let block = 4 * BLOCK;
        let rows = times.chunks(block).zip(m.chunks_mut(block));
        for ((t, m), (w, q)) in rows.zip(w.chunks_mut(block).zip(q.chunks_mut(block))) {
            let done = py.detach(|| {
                let task = |(((t, m), w), q): Row<'_>| self.fill(*t, m, w, q);
                if t.len() <= TASK {
                    return t.iter().zip(m).zip(w).zip(q).try_for_each(task);
                }
                threads::pool().install(|| {
                    let rows = t.par_iter().zip(m).zip(w).zip(q);
                    rows.with_min_len(TASK).try_for_each(task)
                })
            });
            done.map_err(|e| of_motion(&e))?;
            py.check_signals()?;
        }
        Ok(())
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
}

/// A time and where its momentum, angular velocity and attitude go.
type Row<'a> = (((&'a f64, &'a mut [f64; 3]), &'a mut [f64; 3]), &'a mut [f64; 4]);

/// The least worth a thread: a tenth of a millisecond or so.
const TASK: usize = 512;

impl FreeMotion {
    fn fill(
        &self,
        t: f64,
        m: &mut [f64; 3],
        omega: &mut [f64; 3],
        q: &mut [f64; 4],
    ) -> Result<(), FreeMotionError> {
        let state = self.motion.at(t)?;
        *m = state.m.to_array();
        *omega = state.omega(self.motion.inertia()).to_array();
        *q = state.attitude();
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
    let (attitudes, _) = attitude.as_slice()?.as_chunks::<4>();
    let mut numbers = with_capacity(attitudes.len().saturating_mul(9))?;
    for &q in attitudes {
        numbers.extend(so3::to_rows(so3::from_wxyz(q)));
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
    let (attitudes, _) = attitude.as_slice()?.as_chunks::<4>();
    let (vectors, _) = vector.as_slice()?.as_chunks::<3>();
    let mut numbers = with_capacity(vectors.len().saturating_mul(3))?;
    for (&q, &v) in attitudes.iter().zip(vectors) {
        numbers.extend((so3::from_wxyz(q) * DVec3::from_array(v)).to_array());
    }
    table(py, numbers, 3)
}
