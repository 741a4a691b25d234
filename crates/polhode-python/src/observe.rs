//! Observables of states.

use numpy::PyArray1;
use polhode::formula::{Constants, Formula};
use polhode::observe::{Directions, Observable, Surroundings};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::Source;
use polhode::{Problem, State, so3};
use pyo3::prelude::*;

use crate::arrays::{BLOCK, Doubles, column, copied, with_capacity};
use crate::body::Body;
use crate::errors::invalid;
use crate::torque::{BoundTorque, Part, Value};

/// The observable of a text at these times and states (rows of 3 and 4).
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
#[allow(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn observe<'py>(
    py: Python<'py>,
    body: &Body,
    torque: Vec<Part>,
    directions: Vec<(String, Value)>,
    expression: &str,
    t: Doubles<'py>,
    momentum: Doubles<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let BoundTorque { torque, raised, calls_python } = BoundTorque::new(torque)?;
    let directions = directions.iter().map(direction).collect::<PyResult<Directions>>()?;
    let around = Surroundings { torque: &torque, directions: &directions, named: &[] };
    let observable = Observable::new(expression, &around).map_err(|e| invalid("expression", &e))?;
    let problem = Problem::new(body.inertia, body.start).torque(torque.clone());
    let (t, m, q) = (copied(&t)?, copied(&momentum)?, copied(&attitude)?);
    let (m, q) = (m.as_chunks::<3>().0, q.as_chunks::<4>().0);
    if let (Some((first, last)), Some(bad)) =
        (observable.span(), t.iter().find(|t| !is_known(&observable, **t)))
    {
        let text = format!("t = {bad:?}: the table of a direction goes from {first:?} to {last:?}");
        return Err(invalid("t", &text));
    }
    let mut values = with_capacity(t.len())?;
    for ((t, m), q) in t.chunks(BLOCK).zip(m.chunks(BLOCK)).zip(q.chunks(BLOCK)) {
        let mut all = || {
            for ((t, m), q) in t.iter().zip(m).zip(q) {
                let state = State { m: (*m).into(), q: so3::from_wxyz(*q) };
                values.push(observable.value(&problem, *t, &state));
            }
        };
        if calls_python {
            all();
        } else {
            py.detach(all);
        }
        if let Some(error) = raised.take() {
            return Err(error);
        }
        py.check_signals()?;
    }
    Ok(column(py, values))
}

fn is_known(observable: &Observable, t: f64) -> bool {
    observable.span().is_none_or(|(first, last)| (first..=last).contains(&t))
}

/// A vector of space: three numbers, three expressions, or rows.
fn direction((name, value): &(String, Value)) -> PyResult<(String, Source)> {
    let fail = |text: &dyn core::fmt::Display| {
        invalid("directions", &format!("directions: {name}: {text}"))
    };
    if let Some(why) = Surroundings::taken(name) {
        return Err(invalid("directions", &format!("directions: '{name}' {why}")));
    }
    let source = match value {
        Value::Numbers(v) => <[f64; 3]>::try_from(v.as_slice()).ok().map(Source::from),
        Value::Texts(texts) => match &texts[..] {
            [x, y, z] => {
                let formula = |text: &String| {
                    Formula::new(text, &Constants::new()).map_err(|error| fail(&error))
                };
                Some([formula(x)?, formula(y)?, formula(z)?].into())
            }
            _ => None,
        },
        Value::Rows(rows) => {
            let table = VectorTable::from_rows(rows, Interpolation::Linear, Beyond::Error);
            Some(table.map_err(|error| fail(&error))?.into())
        }
        _ => None,
    };
    let source = source.ok_or_else(|| {
        fail(&"must be three numbers, three expressions, or rows of four numbers (t, x, y, z)")
    })?;
    Ok((name.clone(), source))
}
