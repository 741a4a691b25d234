//! Elliptic functions and integrals of flat arrays of the same length.

use numpy::PyArray1;
use polhode_elliptic as elliptic;
use polhode_elliptic::DomainError;
use pyo3::prelude::*;

use crate::arrays::{BLOCK, Doubles, column, copied, with_capacity};
use crate::errors::invalid;

type Column<'py> = Bound<'py, PyArray1<f64>>;

/// M columns of what f makes of N columns of arguments.
fn map<'py, const N: usize, const M: usize>(
    py: Python<'py>,
    arguments: [&Doubles<'py>; N],
    f: impl Fn([f64; N]) -> Result<[f64; M], DomainError> + Sync,
) -> PyResult<[Column<'py>; M]> {
    let columns: Vec<Vec<f64>> = arguments.into_iter().map(copied).collect::<PyResult<_>>()?;
    let length = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut results: Vec<Vec<f64>> =
        (0..M).map(|_| with_capacity(length)).collect::<PyResult<_>>()?;
    let mut rows = 0..length;
    while !rows.is_empty() {
        let done = py.detach(|| {
            for row in rows.by_ref().take(BLOCK) {
                let values = f(core::array::from_fn(|j| columns[j][row]))?;
                for (result, value) in results.iter_mut().zip(values) {
                    result.push(value);
                }
            }
            Ok(())
        });
        done.map_err(|DomainError { argument, value, allowed, .. }| {
            let message = format!("{argument} = {value:?} is outside its domain ({allowed})");
            invalid(argument, &message)
        })?;
        py.check_signals()?;
    }
    let mut results = results.into_iter();
    Ok(core::array::from_fn(|_| column(py, results.next().unwrap_or_default())))
}

/// A Python function of one result, of the library function of the same arguments.
macro_rules! function {
    ($(#[$doc:meta])* $name:ident($($argument:ident),+)) => {
        $(#[$doc])*
        #[pyfunction]
        #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
        pub(crate) fn $name<'py>(
            py: Python<'py>,
            $($argument: Doubles<'py>),+
        ) -> PyResult<Column<'py>> {
            let [result] = map(py, [$(&$argument),+], |[$($argument),+]| {
                Ok([elliptic::$name($($argument),+)?])
            })?;
            Ok(result)
        }
    };
}

function!(
    /// K at mc = 1 - k^2.
    complete_k(mc)
);
function!(
    /// Complete E at mc = 1 - k^2.
    complete_e(mc)
);
function!(
    /// Complete Pi at nc = 1 - n, mc = 1 - k^2.
    complete_pi(nc, mc)
);
function!(
    /// F at mc = 1 - k^2.
    incomplete_f(phi, mc)
);
function!(
    /// E at mc = 1 - k^2.
    incomplete_e(phi, mc)
);
function!(
    /// Pi at nc = 1 - n, mc = 1 - k^2.
    incomplete_pi(phi, nc, mc)
);
function!(
    /// Carlson's R_F.
    rf(x, y, z)
);
function!(
    /// Carlson's R_C.
    rc(x, y)
);
function!(
    /// Carlson's R_D.
    rd(x, y, z)
);
function!(
    /// Carlson's R_J.
    rj(x, y, z, p)
);

/// sn, cn, dn and am at mc = 1 - k^2.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn jacobi<'py>(
    py: Python<'py>,
    u: Doubles<'py>,
    mc: Doubles<'py>,
) -> PyResult<(Column<'py>, Column<'py>, Column<'py>, Column<'py>)> {
    let [sn, cn, dn, am] = map(py, [&u, &mc], |[u, mc]| {
        let j = elliptic::jacobi(u, mc)?;
        Ok([j.sn, j.cn, j.dn, j.am])
    })?;
    Ok((sn, cn, dn, am))
}
