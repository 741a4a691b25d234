//! Arrays in and out.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use polhode::glam::{DQuat, DVec3};
use polhode::so3;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

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
