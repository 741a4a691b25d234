//! Observables of states, and when conditions hold.

use numpy::PyArray1;
use polhode::formula::{Constants, Formula};
use polhode::observe::{Condition, Directions, Intervals, Observable, Sample, Surroundings};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::VectorSource;
use polhode::{Inertia, Problem, State, so3};
use pyo3::prelude::*;

use crate::arrays::{BLOCK, Doubles, column, copied, with_capacity};
use crate::body::StartingBody;
use crate::ensemble::Bodies;
use crate::errors::invalid;
use crate::torque::{BoundTorque, KeyArgument, TorquePart};

/// What is looked at: a torque, and directions by name.
struct Viewpoint {
    bound: BoundTorque,
    directions: Directions,
}

impl Viewpoint {
    fn new(torque: Vec<TorquePart>, directions: &[(String, KeyArgument)]) -> PyResult<Self> {
        let bound = BoundTorque::new(torque)?;
        let directions = directions.iter().map(direction).collect::<PyResult<Directions>>()?;
        Ok(Self { bound, directions })
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings::new(&self.bound.torque, &self.directions)
    }

    /// Without the interpreter, unless the torque needs it; then what its callables raised.
    fn run<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let done = if self.bound.calls_python { work() } else { py.detach(work) };
        py.check_signals()?;
        self.bound.raised.take().map_or(Ok(done), Err)
    }
}

/// Times and states, as rows.
pub(crate) struct StateRows {
    pub(crate) t: Vec<f64>,
    momentum: Vec<f64>,
    attitude: Vec<f64>,
}

impl StateRows {
    pub(crate) fn new(
        t: &Doubles<'_>,
        momentum: &Doubles<'_>,
        attitude: &Doubles<'_>,
    ) -> PyResult<Self> {
        Ok(Self { t: copied(t)?, momentum: copied(momentum)?, attitude: copied(attitude)? })
    }

    /// The states, in their order.
    pub(crate) fn states(&self) -> impl Iterator<Item = (f64, State)> + Clone {
        let (m, q) = (self.momentum.as_chunks::<3>().0, self.attitude.as_chunks::<4>().0);
        let rows = self.t.iter().zip(m).zip(q);
        rows.map(|((t, m), q)| (*t, State { m: (*m).into(), q: so3::from_wxyz(*q) }))
    }

    /// Checks that the tables of directions go as far as the times.
    fn within(&self, span: Option<(f64, f64)>) -> PyResult<()> {
        let Some((first, last)) = span else { return Ok(()) };
        match self.t.iter().find(|t| !(first..=last).contains(*t)) {
            None => Ok(()),
            Some(bad) => {
                let text = format!(
                    "t = {bad:?}: the table of a direction goes from {first:?} to {last:?}"
                );
                Err(invalid("t", &text))
            }
        }
    }
}

/// The observable of a text at these times and states (rows of 3 and 4) of one body, or of as many rows of each of
/// many bodies.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
#[allow(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn observe<'py>(
    py: Python<'py>,
    bodies: ObservedBodies<'py>,
    torque: Vec<TorquePart>,
    directions: Vec<(String, KeyArgument)>,
    expression: &str,
    t: Doubles<'py>,
    momentum: Doubles<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let view = Viewpoint::new(torque, &directions)?;
    let observable = Observable::new(expression, &view.surroundings());
    let observable = observable.map_err(|e| invalid("expression", &e))?;
    let rows = StateRows::new(&t, &momentum, &attitude)?;
    rows.within(observable.span())?;
    let bodies = bodies.members()?;
    let each = rows.t.len() / bodies.len().max(1);
    let mut values = with_capacity(rows.t.len())?;
    let mut states = rows.states();
    let Some((_, first)) = states.clone().next() else { return Ok(column(py, values)) };
    let first = Problem::new(bodies[0], first).torque(view.bound.torque.clone());
    let (mut problem, mut body) = (Some(first), 0);
    for _ in 0..rows.t.len().div_ceil(BLOCK) {
        view.run(py, || {
            for (t, state) in states.by_ref().take(BLOCK) {
                let of_row = values.len() / each;
                if of_row != body {
                    problem = problem.take().map(|problem| problem.of_body(bodies[of_row]));
                    body = of_row;
                }
                let value = |problem: &Problem| observable.value(problem, t, &state);
                values.push(problem.as_ref().map_or(f64::NAN, value));
            }
        })?;
    }
    Ok(column(py, values))
}

/// Whose states are looked at.
#[derive(FromPyObject)]
pub(crate) enum ObservedBodies<'py> {
    #[pyo3(transparent)]
    One(PyRef<'py, StartingBody>),
    #[pyo3(transparent)]
    Many(PyRef<'py, Bodies>),
}

impl ObservedBodies<'_> {
    fn members(&self) -> PyResult<Vec<Inertia>> {
        match self {
            Self::One(body) => Ok(vec![body.inertia]),
            Self::Many(bodies) => bodies.inertias(),
        }
    }
}

/// From when to when a comparison holds, in a motion that has these states.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
#[allow(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn intervals<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    directions: Vec<(String, KeyArgument)>,
    condition: &str,
    t: Doubles<'py>,
    momentum: Doubles<'py>,
    attitude: Doubles<'py>,
) -> PyResult<Vec<[f64; 2]>> {
    let view = Viewpoint::new(torque, &directions)?;
    let condition = Condition::new(condition, &view.surroundings());
    let condition = condition.map_err(|e| invalid("condition", &e))?;
    let rows = StateRows::new(&t, &momentum, &attitude)?;
    rows.within(condition.span())?;
    let problem = Problem::new(body.inertia, body.start).torque(view.bound.torque.clone());
    let mut intervals = Intervals::default();
    let count = rows.t.len().saturating_sub(1);
    let mut pairs = rows.states().zip(rows.states().skip(1));
    // So that Ctrl-C is heard.
    for _ in 0..count.div_ceil(PAIRS) {
        view.run(py, || {
            pairs
                .by_ref()
                .take(PAIRS)
                .for_each(|pair| extend(&mut intervals, &condition, &problem, pair));
        })?;
    }
    Ok(rows.t.last().map_or(Vec::new(), |end| intervals.until(*end)))
}

/// So many at a time, each of which may have to be solved.
const PAIRS: usize = 256;

/// What a condition does from one state to the next.
pub(crate) fn extend(
    intervals: &mut Intervals,
    condition: &Condition,
    problem: &Problem,
    (before, after): ((f64, State), (f64, State)),
) {
    let [was, is] = [&before, &after].map(|(t, state)| Sample::new(problem, 0, *t, state));
    let mut holds = condition.margin(problem, before.0, &before.1) > 0.0;
    intervals.extend(before.0, holds);
    for t in condition.changes(&was, &is) {
        holds = !holds;
        intervals.extend(t, holds);
    }
}

/// A vector of space: three numbers, three expressions, or rows.
fn direction((name, value): &(String, KeyArgument)) -> PyResult<(String, VectorSource)> {
    let fail = |text: &dyn core::fmt::Display| {
        invalid("directions", &format!("directions: {name}: {text}"))
    };
    if let Some(why) = Surroundings::taken(name) {
        return Err(invalid("directions", &format!("directions: '{name}' {why}")));
    }
    let source = match value {
        KeyArgument::Numbers(v) => <[f64; 3]>::try_from(v.as_slice()).ok().map(VectorSource::from),
        KeyArgument::Texts(texts) => match &texts[..] {
            [x, y, z] => {
                let formula = |text: &String| {
                    Formula::new(text, &Constants::new()).map_err(|error| fail(&error))
                };
                Some([formula(x)?, formula(y)?, formula(z)?].into())
            }
            _ => None,
        },
        KeyArgument::Rows(rows) => {
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
