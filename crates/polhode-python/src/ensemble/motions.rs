//! What the free motions of many bodies are like.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::bodies::{Bodies, RemainingBodies};
use super::{BODIES_AT_A_TIME, refused};
use crate::arrays::{column, with_capacity};
use crate::threads::pool;

/// Regimes by number, periods, rates of precession and distances from the separatrix of free motions; and the bodies
/// that have none.
#[pyfunction]
pub(crate) fn motion_constants<'py>(
    py: Python<'py>,
    bodies: &Bodies,
) -> PyResult<Bound<'py, PyDict>> {
    let numbers = bodies.0.clone();
    let count = numbers.momentum.len() / 3;
    let mut names: Vec<&'static str> = with_capacity(count)?;
    let mut columns: [Vec<f64>; 3] =
        [with_capacity(count)?, with_capacity(count)?, with_capacity(count)?];
    let mut failures: Vec<(u64, u64, f64, String)> = Vec::new();
    let bad = numbers.bad();
    let mut remaining = RemainingBodies { numbers, next: 0 };
    while remaining.next < count {
        py.check_signals()?;
        let first = remaining.next;
        let members =
            remaining.some(BODIES_AT_A_TIME.min(count - first)).map_err(|e| refused(&e, false))?;
        let found = py.detach(|| pool().install(|| polhode::ensemble::motion_constants(&members)));
        for (i, constants) in (first as u64..).zip(found) {
            let is_bad =
                bad.binary_search_by_key(&i, |(body, _)| *body).ok().map(|place| &bad[place]);
            let (name, numbers) = match (is_bad, constants) {
                (None, Ok(c)) => (
                    c.regime.name(),
                    [
                        c.period.unwrap_or(f64::NAN),
                        c.precession_rate,
                        c.separatrix_distance.unwrap_or(f64::NAN),
                    ],
                ),
                (bad, other) => {
                    let why =
                        bad.map(|(_, why)| why.clone()).or(other.err().map(|e| e.to_string()));
                    failures.push((i, 0, f64::NAN, why.unwrap_or_default()));
                    ("", [f64::NAN; 3])
                }
            };
            names.push(name);
            columns.iter_mut().zip(numbers).for_each(|(column, x)| column.push(x));
        }
        remaining.next += members.len();
    }
    let found = PyDict::new(py);
    let [period, precession_rate, separatrix_distance] = columns;
    found.set_item("regime", names)?;
    found.set_item("period", column(py, period))?;
    found.set_item("precession_rate", column(py, precession_rate))?;
    found.set_item("separatrix_distance", column(py, separatrix_distance))?;
    found.set_item("failures", failures)?;
    Ok(found)
}
