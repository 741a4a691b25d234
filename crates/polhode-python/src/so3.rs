//! Rotations: exponential, logarithm and their derivatives, over arrays.

use numpy::PyArray1;
use polhode::glam::{DMat3, DVec3};
use polhode::so3;
use pyo3::prelude::*;

use crate::arrays::{BLOCK, Doubles, column, copied, with_capacity};
use crate::errors::invalid;

/// Calls f for every row of an array that is called `name`, letting others run Python meanwhile.
fn rows<'py, const N: usize, const M: usize>(
    py: Python<'py>,
    name: &str,
    given: &Doubles<'py>,
    f: impl Fn([f64; N]) -> [f64; M] + Sync,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let given = copied(given)?;
    let given = given.as_chunks::<N>().0;
    let mut found: Vec<f64> = with_capacity(given.len().saturating_mul(M))?;
    for block in given.chunks(BLOCK / M) {
        let from = found.len() / M;
        py.detach(|| found.extend(block.iter().flat_map(|&row| f(row))));
        // Nothing that is not finite comes of what is.
        if let Some(bad) = found[from * M..].iter().position(|x| !x.is_finite()) {
            let row = given[from + bad / M];
            let why = match row.iter().all(|x| x.is_finite()) {
                false => "must be finite",
                true if row == [0.0; N] => "must not be zero",
                true => "the result is beyond the range of doubles",
            };
            return Err(invalid(name, &format!("{name} = {row:?}: {why}")));
        }
        py.check_signals()?;
    }
    Ok(column(py, found))
}

fn row_by_row(matrix: DMat3) -> [f64; 9] {
    matrix.transpose().to_cols_array()
}

/// Quaternions of rotation vectors.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_exp<'py>(
    py: Python<'py>,
    vector: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "vector", &vector, |v: [f64; 3]| so3::to_wxyz(so3::exp(v.into())))
}

/// Rotation vectors of quaternions.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_log<'py>(
    py: Python<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "attitude", &attitude, |q: [f64; 4]| of_rotation(q, |q| so3::log(q).to_array()))
}

/// What a function makes of the rotation of a quaternion, whose length does not matter; NaN if it is zero.
fn of_rotation<const M: usize>(
    q: [f64; 4],
    f: impl Fn(polhode::glam::DQuat) -> [f64; M],
) -> [f64; M] {
    let normalised = polhode::State::new(DVec3::ZERO, so3::from_wxyz(q));
    normalised.map_or([f64::NAN; M], |state| f(state.q))
}

/// Derivatives of the exponential.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_dexp<'py>(
    py: Python<'py>,
    vector: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "vector", &vector, |v: [f64; 3]| row_by_row(so3::dexp(v.into())))
}

/// Their inverses.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_dexpinv<'py>(
    py: Python<'py>,
    vector: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "vector", &vector, |v: [f64; 3]| row_by_row(so3::dexpinv_matrix(v.into())))
}

/// Derivatives of the logarithm.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_dlog<'py>(
    py: Python<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "attitude", &attitude, |q: [f64; 4]| of_rotation(q, |q| row_by_row(so3::dlog(q))))
}

/// Skew matrices of vectors.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn so3_hat<'py>(
    py: Python<'py>,
    vector: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    rows(py, "vector", &vector, |v: [f64; 3]| row_by_row(so3::hat(v.into())))
}
