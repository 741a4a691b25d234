//! The tables of the library.

use polhode::cite::Citation;
use polhode::method::{Keeps, Order};
use polhode::torque::{Dependence, KeyValue, TorqueEntry};
use polhode::{CatalogEntry, catalog};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every scheme, rotor, other method and preset: a record each.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    catalog().methods.iter().map(|entry| record(py, entry)).collect()
}

/// Every way to solve to a tolerance: a record each.
#[pyfunction]
pub(crate) fn solvers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    catalog().solvers.iter().map(|entry| record(py, entry)).collect()
}

fn record<'py>(py: Python<'py>, entry: &CatalogEntry) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    record.set_item("kind", entry.kind.name())?;
    record.set_item("id", entry.id)?;
    record.set_item("title", entry.title)?;
    let order = match entry.order {
        Order::Of(order) => Some(order),
        Order::Exact => None,
    };
    record.set_item("order", order)?;
    record.set_item("keeps", entry.keeps.map(kept))?;
    let accepts = match entry.accepts {
        Dependence::None => "none",
        Dependence::Attitude => "attitude",
        Dependence::Momentum => "momentum",
    };
    record.set_item("accepts", accepts)?;
    record.set_item("in_lanes", entry.in_lanes)?;
    record.set_item("derivatives", entry.derivatives.name())?;
    let parameters: Vec<_> =
        entry.parameters.iter().map(|p| (p.name, p.doc, p.kind.allowed())).collect();
    record.set_item("parameters", parameters)?;
    record.set_item("cites", citations(&entry.cites))?;
    Ok(record)
}

fn kept(keeps: Keeps) -> Vec<&'static str> {
    keeps.claims().into_iter().filter(|(_, kept)| *kept).map(|(word, _)| word).collect()
}

/// Key, place, BibTeX.
fn citations(cites: &[Citation]) -> Vec<(&'static str, &'static str, String)> {
    let bibtex = |c: &Citation| c.bibtex().unwrap_or_default().to_owned();
    cites.iter().map(|c| (c.key, c.at, bibtex(c))).collect()
}

/// Every model of torque: a record each.
#[pyfunction]
pub(crate) fn torques(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let record = |entry: &&TorqueEntry| {
        let record = PyDict::new(py);
        record.set_item("kind", entry.kind)?;
        record.set_item("title", entry.title)?;
        let mut keys = Vec::new();
        for key in entry.keys {
            let default = key.kind.default().map(|value| to_python(py, &value)).transpose()?;
            keys.push((key.name, key.doc, key.kind.allowed(), default));
        }
        record.set_item("keys", keys)?;
        let example = PyDict::new(py);
        for (key, value) in entry.example() {
            example.set_item(key, to_python(py, &value)?)?;
        }
        record.set_item("example", example)?;
        record.set_item("cites", citations(entry.cites))?;
        Ok(record)
    };
    catalog().torques.iter().map(record).collect()
}

fn to_python<'py>(py: Python<'py>, value: &KeyValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        KeyValue::Number(x) => x.into_pyobject(py)?.into_any(),
        KeyValue::Numbers(v) => pyo3::types::PyTuple::new(py, v)?.into_any(),
        KeyValue::Texts(texts) => pyo3::types::PyTuple::new(py, texts)?.into_any(),
        KeyValue::Rows(rows) => pyo3::types::PyTuple::new(py, rows)?.into_any(),
        KeyValue::Constants(constants) => constants.into_pyobject(py)?.into_any(),
        other => other.to_string().trim_matches('"').into_pyobject(py)?.into_any(),
    })
}
