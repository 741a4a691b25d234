//! The tables of methods and torques.

use polhode::cite::Citation;
use polhode::composition::{self, SCHEMES};
use polhode::method::{METHODS, Method, PRESETS};
use polhode::parameters::Parameter;
use polhode::rotor::{Keeps, Order, ROTORS};
use polhode::torque::{Dependence, KeyValue, TORQUES};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every scheme, rotor, other method and preset: a record each.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let mut records = Vec::new();
    for scheme in SCHEMES {
        let accepts = if scheme.torques_of_attitude_only {
            Dependence::Attitude
        } else {
            Dependence::Momentum
        };
        let row = Row {
            kind: "scheme",
            id: scheme.id,
            title: scheme.title,
            order: Order::Of(scheme.order),
            keeps: None,
            accepts,
            parameters: composition::PARAMETERS,
            cites: scheme.cites.to_vec(),
        };
        records.push(row.record(py)?);
    }
    for rotor in ROTORS {
        let row = Row {
            kind: "rotor",
            id: rotor.id,
            title: rotor.title,
            order: order_of(rotor.id),
            keeps: Some(rotor.keeps),
            accepts: Dependence::None,
            parameters: rotor.parameters,
            cites: rotor.cites.to_vec(),
        };
        records.push(row.record(py)?);
    }
    for method in METHODS {
        let row = Row {
            kind: "method",
            id: method.id,
            title: method.title,
            order: order_of(method.id),
            keeps: Some(method.keeps),
            accepts: method.accepts,
            parameters: method.parameters,
            cites: method.cites.to_vec(),
        };
        records.push(row.record(py)?);
    }
    for &(id, pair) in PRESETS {
        let Ok(method) = Method::parse(pair) else { continue };
        let of_attitude = SCHEMES
            .iter()
            .any(|s| pair.split('+').next() == Some(s.id) && s.torques_of_attitude_only);
        let row = Row {
            kind: "preset",
            id,
            title: pair,
            order: method.order(),
            keeps: Some(method.keeps()),
            accepts: if of_attitude { Dependence::Attitude } else { Dependence::Momentum },
            parameters: &[],
            cites: method.cites(),
        };
        records.push(row.record(py)?);
    }
    Ok(records)
}

/// The order of a method of the tables; those parse.
fn order_of(id: &str) -> Order {
    Method::parse(id).map_or(Order::Of(0), |m| m.order())
}

struct Row {
    kind: &'static str,
    id: &'static str,
    title: &'static str,
    order: Order,
    keeps: Option<Keeps>,
    accepts: Dependence,
    parameters: &'static [Parameter],
    cites: Vec<Citation>,
}

impl Row {
    fn record(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let record = PyDict::new(py);
        record.set_item("kind", self.kind)?;
        record.set_item("id", self.id)?;
        record.set_item("title", self.title)?;
        let order = match self.order {
            Order::Of(order) => Some(order),
            Order::Exact => None,
        };
        record.set_item("order", order)?;
        record.set_item("keeps", self.keeps.map(kept))?;
        let accepts = match self.accepts {
            Dependence::None => "none",
            Dependence::Attitude => "attitude",
            Dependence::Momentum => "momentum",
        };
        record.set_item("accepts", accepts)?;
        let parameters: Vec<_> =
            self.parameters.iter().map(|p| (p.name, p.doc, p.kind.allowed())).collect();
        record.set_item("parameters", parameters)?;
        record.set_item("cites", citations(&self.cites))?;
        Ok(record)
    }
}

fn kept(keeps: Keeps) -> Vec<&'static str> {
    let claims = [
        (keeps.momentum_norm, "momentum_norm"),
        (keeps.spatial_momentum, "spatial_momentum"),
        (keeps.energy, "energy"),
        (keeps.symmetric, "symmetric"),
        (keeps.symplectic, "symplectic"),
    ];
    claims.into_iter().filter(|(kept, _)| *kept).map(|(_, name)| name).collect()
}

/// Key, place, BibTeX.
fn citations(cites: &[Citation]) -> Vec<(&'static str, &'static str, String)> {
    let bibtex = |c: &Citation| c.bibtex().unwrap_or_default().to_owned();
    cites.iter().map(|c| (c.key, c.at, bibtex(c))).collect()
}

/// Every model of torque: a record each.
#[pyfunction]
pub(crate) fn torques(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let record = |entry: &&polhode::torque::TorqueEntry| {
        let record = PyDict::new(py);
        record.set_item("kind", entry.kind)?;
        record.set_item("title", entry.title)?;
        let mut keys = Vec::new();
        for key in entry.keys {
            let default = key.kind.default().map(|value| to_python(py, &value)).transpose()?;
            keys.push((key.name, key.doc, key.kind.allowed(), default));
        }
        record.set_item("keys", keys)?;
        record.set_item("cites", citations(entry.cites))?;
        Ok(record)
    };
    TORQUES.iter().map(record).collect()
}

fn to_python<'py>(py: Python<'py>, value: &KeyValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        KeyValue::Number(x) => x.into_pyobject(py)?.into_any(),
        KeyValue::Numbers(v) => pyo3::types::PyTuple::new(py, v)?.into_any(),
        other => other.to_string().trim_matches('"').into_pyobject(py)?.into_any(),
    })
}
