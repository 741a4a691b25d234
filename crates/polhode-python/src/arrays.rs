//! Arrays in and out.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use polhode::glam::{DQuat, DVec3};
use polhode::so3;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::threads::in_parallel;

/// A flat array of doubles, as the Python part prepares it.
pub(crate) type Doubles<'py> = PyReadonlyArray1<'py, f64>;

/// An array of doubles that is given back, of one dimension.
pub(crate) type NewArray<'py> = Bound<'py, PyArray1<f64>>;

/// The same of two dimensions.
pub(crate) type NewTable<'py> = Bound<'py, PyArray2<f64>>;

/// Corners, and three of their numbers for each triangle.
pub(crate) type Triangles = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// So many numbers between two looks at the signals: less than a tenth of a second.
pub(crate) const BLOCK: usize = 1 << 16;

/// A copy: the array may change while others run Python.
pub(crate) fn copied(array: &Doubles<'_>) -> PyResult<Vec<f64>> {
    let slice = array.as_slice()?;
    let mut copy = with_capacity(slice.len())?;
    copy.extend_from_slice(slice);
    Ok(copy)
}

/// A copy by rows of N numbers.
pub(crate) fn rows<const N: usize>(flat: &Doubles<'_>) -> PyResult<Vec<[f64; N]>> {
    let rows = flat.as_slice()?.as_chunks::<N>().0;
    let mut copy = with_capacity(rows.len())?;
    copy.extend_from_slice(rows);
    Ok(copy)
}

/// An empty vector with room for n, or a `MemoryError`: Rust would end the process.
pub(crate) fn with_capacity<T>(n: usize) -> PyResult<Vec<T>> {
    let mut v = Vec::new();
    v.try_reserve_exact(n).map_err(|_| no_memory(n))?;
    Ok(v)
}

/// A `MemoryError` unless there are so many bytes for a part of the library that takes them unasked:
/// it keeps no account of its memory, and Rust would end the process.
pub(crate) fn require(bytes: usize) -> PyResult<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes)
        .map_err(|_| PyMemoryError::new_err(format!("no memory for {bytes} bytes")))?;
    // What nobody looks at need not be asked for.
    drop(std::hint::black_box(room));
    Ok(())
}

fn no_memory(n: usize) -> PyErr {
    PyMemoryError::new_err(format!("no memory for {n} numbers"))
}

/// Flat arrays that momenta, angular velocities and attitudes are written to.
pub(crate) struct StateArrays<'py> {
    pub(crate) momentum: PyReadwriteArray1<'py, f64>,
    pub(crate) omega: PyReadwriteArray1<'py, f64>,
    pub(crate) attitude: PyReadwriteArray1<'py, f64>,
}

impl StateArrays<'_> {
    /// By rows.
    #[allow(clippy::type_complexity, reason = "three slices")]
    pub(crate) fn rows(&mut self) -> PyResult<(&mut [[f64; 3]], &mut [[f64; 3]], &mut [[f64; 4]])> {
        Ok((
            self.momentum.as_slice_mut()?.as_chunks_mut().0,
            self.omega.as_slice_mut()?.as_chunks_mut().0,
            self.attitude.as_slice_mut()?.as_chunks_mut().0,
        ))
    }

    /// Has the rows at all times filled in, without the interpreter; more of them than a task on all cores.
    pub(crate) fn fill<E: Send>(
        mut self,
        py: Python<'_>,
        t: &Doubles<'_>,
        task: usize,
        fill: impl Fn(&[f64], &mut [[f64; 3]], &mut [[f64; 3]], &mut [[f64; 4]]) -> Result<(), E> + Sync,
    ) -> PyResult<Result<(), E>> {
        let t = t.as_slice()?;
        let (m, w, q) = self.rows()?;
        if t.len() <= task {
            return Ok(py.detach(|| fill(t, m, w, q)));
        }
        let results = m.chunks_mut(task).zip(w.chunks_mut(task)).zip(q.chunks_mut(task));
        in_parallel(py, t.chunks(task).zip(results), |(t, ((m, w), q))| fill(t, m, w, q))
    }
}

/// Momenta, angular velocities and attitudes, row by row.
pub(crate) struct Rows {
    momentum: Vec<f64>,
    omega: Vec<f64>,
    attitude: Vec<f64>,
}

/// The arrays of [`Rows`]: n x 3, n x 3, n x 4.
pub(crate) type RowArrays<'py> = (NewTable<'py>, NewTable<'py>, NewTable<'py>);

impl Rows {
    pub(crate) fn with_capacity(n: usize) -> PyResult<Self> {
        let room = |width: usize| with_capacity(n.saturating_mul(width));
        Ok(Self { momentum: room(3)?, omega: room(3)?, attitude: room(4)? })
    }

    pub(crate) fn push(&mut self, m: DVec3, omega: DVec3, q: DQuat) {
        self.momentum.extend(m.to_array());
        self.omega.extend(omega.to_array());
        self.attitude.extend(so3::to_wxyz(q));
    }

    pub(crate) fn into_arrays(self, py: Python<'_>) -> PyResult<RowArrays<'_>> {
        Ok((table(py, self.momentum, 3)?, table(py, self.omega, 3)?, table(py, self.attitude, 4)?))
    }
}

/// Numbers as a table of that width.
pub(crate) fn table(
    py: Python<'_>,
    numbers: Vec<f64>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = numbers.len() / width;
    column(py, numbers).reshape([rows, width])
}

pub(crate) fn column(py: Python<'_>, numbers: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    numbers.into_pyarray(py)
}
