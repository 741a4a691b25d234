//! Scenario files, and shapes and periods in the place of numbers.

use std::path::PathBuf;

use numpy::PyArray1;
use polhode::glam::{DQuat, DVec3};
use polhode::observe::{Condition, Intervals, Observable, Sample};
use polhode::periods::{Mode, from_periods};
use polhode::shape::{MassProperties, Mesh, ShapeError};
use polhode::{Problem, State, Torque};
use polhode_scenario::{RowTimes, ScenarioError, read_mesh};
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;

use crate::arrays::{Doubles, Triangles, column};
use crate::body::StartingBody;
use crate::errors::{invalid, of_inertia};
use crate::fittings::ScenarioFittings;
use crate::method::Method;
use crate::observe::{StateRows, extend};

/// A scenario that was read.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Scenario {
    scenario: polhode_scenario::Scenario,
}

/// What acts on the body of a scenario; goes wherever a torque goes.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct ScenarioTorque {
    pub(crate) torque: Torque,
    /// Text, name and overrides of the scenario, which are all of it.
    source: (String, String, Vec<String>),
}

#[pymethods]
impl ScenarioTorque {
    /// The torque of the scenario that a text is.
    #[new]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn new(text: String, name: String, overrides: Vec<String>) -> PyResult<Self> {
        Ok(Scenario::parse(&text, &name, overrides)?.torque())
    }

    /// The same in every process.
    fn __repr__(&self) -> String {
        format!("ScenarioTorque{:?}", self.source)
    }

    /// For pickle.
    fn __getnewargs__(&self) -> (String, String, Vec<String>) {
        self.source.clone()
    }
}

/// How far `stop_when` is from becoming true, as an event of the solver.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct ScenarioMargin {
    condition: Condition,
    problem: Problem,
}

#[pymethods]
impl ScenarioMargin {
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn __call__(
        &self,
        t: f64,
        momentum: Doubles<'_>,
        _omega: Doubles<'_>,
        attitude: Doubles<'_>,
    ) -> PyResult<f64> {
        let (m, q) = (momentum.as_slice()?, attitude.as_slice()?);
        let ([x, y, z], [a, b, c, d]) = (m, q) else {
            return Err(invalid("state", &"must have three and four numbers"));
        };
        let state = State { m: DVec3::new(*x, *y, *z), q: DQuat::from_xyzw(*b, *c, *d, *a) };
        Ok(self.condition.margin(&self.problem, t, &state))
    }
}

fn refused(error: &ScenarioError) -> PyErr {
    match error.fault() {
        polhode_scenario::ScenarioFault::NoFile { .. } => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        _ => invalid("scenario", &error),
    }
}

#[pymethods]
impl Scenario {
    /// Reads a file.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn load(path: PathBuf, overrides: Vec<String>) -> PyResult<Self> {
        let scenario = polhode_scenario::Scenario::load_with(path, &overrides);
        Ok(Self { scenario: scenario.map_err(|e| refused(&e))? })
    }

    /// Reads a text.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn parse(text: &str, name: &str, overrides: Vec<String>) -> PyResult<Self> {
        let scenario = polhode_scenario::Scenario::parse_with(text, name, &overrides);
        Ok(Self { scenario: scenario.map_err(|e| refused(&e))? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.scenario.name()
    }

    #[getter]
    fn text(&self) -> &str {
        self.scenario.text()
    }

    #[getter]
    fn overrides(&self) -> Vec<String> {
        self.scenario.overrides().to_vec()
    }

    #[getter]
    fn method(&self) -> &str {
        self.scenario.method_id()
    }

    #[getter]
    fn until(&self) -> f64 {
        self.scenario.until()
    }

    /// Step, and of how many steps one is kept; none of a solution.
    #[getter]
    fn steps(&self) -> Option<(f64, u64)> {
        self.scenario.steps().map(|steps| (steps.plan.step, steps.every))
    }

    /// Tolerance, times of rows, whether these alone are wanted, and stops; none of fixed steps.
    #[getter]
    fn solving(&self) -> Option<(f64, Vec<f64>, bool, Vec<f64>)> {
        self.scenario.solving().map(|solving| {
            let times = (0..solving.rows.len()).map(|i| solving.rows.time(i)).collect();
            let chosen = matches!(solving.rows, RowTimes::List(_));
            (solving.tolerance, times, chosen, solving.stops.clone())
        })
    }

    #[getter]
    fn torque(&self) -> ScenarioTorque {
        let scenario = &self.scenario;
        let overrides = scenario.overrides().to_vec();
        let source = (scenario.text().to_owned(), scenario.name().to_owned(), overrides);
        ScenarioTorque { torque: scenario.torque().clone(), source }
    }

    /// Names and texts of the observables, and of the conditions.
    #[getter]
    fn watch(&self) -> [Vec<(String, String)>; 2] {
        let watching = self.scenario.watching();
        let columns = watching.columns.iter().map(|(name, o)| (name.clone(), o.text().to_owned()));
        let conditions =
            watching.conditions.iter().map(|(name, c)| (name.clone(), c.text().to_owned()));
        [columns.collect(), conditions.collect()]
    }

    /// What ends the run, as a text.
    #[getter]
    fn stop_when(&self) -> Option<String> {
        self.scenario.watching().stop_when.as_ref().map(|condition| condition.text().to_owned())
    }

    /// The same as an event.
    fn stop_event(&self) -> Option<ScenarioMargin> {
        let condition = self.scenario.watching().stop_when.clone()?;
        Some(ScenarioMargin { condition, problem: self.scenario.problem() })
    }

    /// The number of the row with which the run ends, if it does, in rows that are neighbouring steps.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn stop_row(
        &self,
        py: Python<'_>,
        t: Doubles<'_>,
        momentum: Doubles<'_>,
        attitude: Doubles<'_>,
    ) -> PyResult<Option<usize>> {
        let Some(condition) = &self.scenario.watching().stop_when else { return Ok(None) };
        let (rows, problem) = (StateRows::new(&t, &momentum, &attitude)?, self.scenario.problem());
        let becomes_true = |(before, after): ((f64, State), (f64, State))| {
            let [was, is] = [&before, &after].map(|(t, state)| Sample::new(&problem, 0, *t, state));
            // What holds already has to cease before it can become true.
            let held = condition.margin(&problem, before.0, &before.1) > 0.0;
            condition.changes(&was, &is).len() >= if held { 2 } else { 1 }
        };
        let mut pairs = rows.states().zip(rows.states().skip(1));
        Ok(py.detach(|| pairs.position(becomes_true)).map(|pair| pair + 1))
    }

    /// The observables of `[watch]` at these states.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        momentum: Doubles<'py>,
        attitude: Doubles<'py>,
    ) -> PyResult<Vec<(String, Bound<'py, PyArray1<f64>>)>> {
        let (rows, problem) = (StateRows::new(&t, &momentum, &attitude)?, self.scenario.problem());
        let values = |observable: &Observable| {
            py.detach(|| rows.states().map(|(t, s)| observable.value(&problem, t, &s)).collect())
        };
        let columns = self.scenario.watching().columns.iter();
        Ok(columns.map(|(name, o)| (name.clone(), column(py, values(o)))).collect())
    }

    /// From when to when each condition of `[watch]` holds, in a motion that has these states.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn intervals(
        &self,
        py: Python<'_>,
        t: Doubles<'_>,
        momentum: Doubles<'_>,
        attitude: Doubles<'_>,
    ) -> PyResult<Vec<(String, Vec<[f64; 2]>)>> {
        let (rows, problem) = (StateRows::new(&t, &momentum, &attitude)?, self.scenario.problem());
        let of_one = |condition: &Condition| {
            let mut intervals = Intervals::default();
            let pairs = rows.states().zip(rows.states().skip(1));
            pairs.for_each(|pair| extend(&mut intervals, condition, &problem, pair));
            rows.t.last().map_or(Vec::new(), |end| intervals.until(*end))
        };
        let conditions = self.scenario.watching().conditions.iter();
        Ok(conditions.map(|(name, c)| (name.clone(), py.detach(|| of_one(c)))).collect())
    }

    #[getter]
    fn is_free(&self) -> bool {
        self.scenario.torque().is_none()
    }

    /// What the body has in it and on it; none if nothing.
    #[getter]
    fn fittings(&self) -> Option<ScenarioFittings> {
        let problem = self.scenario.problem();
        problem.needs_steps().then_some(ScenarioFittings { problem })
    }

    /// The method of its fixed steps.
    fn stepper(&self) -> PyResult<Method> {
        let steps = self.scenario.steps();
        let steps = steps.ok_or_else(|| invalid("scenario", &"has no fixed steps"))?;
        Ok(Method { method: steps.method.clone() })
    }

    /// The body at the start.
    fn body(&self) -> StartingBody {
        StartingBody::of(*self.scenario.inertia(), *self.scenario.start())
    }

    /// The body in another state, whose bits are kept.
    fn body_at(&self, momentum: [f64; 3], attitude: [f64; 4]) -> StartingBody {
        let [w, x, y, z] = attitude;
        let state = State { m: DVec3::from_array(momentum), q: DQuat::from_xyzw(x, y, z, w) };
        StartingBody::of(*self.scenario.inertia(), state)
    }

    /// Mass, centre and tensor, if the inertia is that of a shape.
    #[getter]
    fn mass_properties(&self) -> Option<Properties> {
        self.scenario.mass_properties().map(properties)
    }
}

/// Mass, centre of mass, and tensor about it.
type Properties = (f64, [f64; 3], [[f64; 3]; 3]);

fn properties(p: &MassProperties) -> Properties {
    (p.mass, p.centre, p.tensor)
}

fn of_shape(error: &ShapeError) -> PyErr {
    match error {
        ShapeError::NotPositive { what, .. } => invalid(what, error),
        ShapeError::NotFinite { .. } | ShapeError::Empty { what: "points" } => {
            invalid("points", error)
        }
        _ => invalid("mesh", error),
    }
}

/// Mass properties of a box, an ellipsoid or a cylinder.
#[pyfunction]
pub(crate) fn solid(kind: &str, mass: f64, size: [f64; 3]) -> PyResult<Properties> {
    let made = match kind {
        "box" => MassProperties::cuboid(mass, size),
        "ellipsoid" => MassProperties::ellipsoid(mass, size),
        _ => MassProperties::cylinder(mass, size[0], size[1]),
    };
    made.map(|made| properties(&made)).map_err(|e| of_shape(&e))
}

/// Mass properties of points.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn points(points: Vec<(f64, [f64; 3])>) -> PyResult<Properties> {
    MassProperties::points(&points).map(|made| properties(&made)).map_err(|e| of_shape(&e))
}

/// Mass properties of the inside of a closed surface.
#[pyfunction]
pub(crate) fn mesh(
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[usize; 3]>,
    density: f64,
) -> PyResult<Properties> {
    let made = MassProperties::mesh(&Mesh { vertices, triangles }, density);
    made.map(|made| properties(&made)).map_err(|e| of_shape(&e))
}

/// Corners and triangles of an .stl or .obj file.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn load_mesh(path: PathBuf, scale: f64) -> PyResult<Triangles> {
    let mesh = read_mesh(path, scale).map_err(|e| match refused(&e) {
        other if e.line().is_none() => other,
        _ => invalid("mesh", &e),
    })?;
    Ok((mesh.vertices, mesh.triangles))
}

/// The momentum of the motion with these periods, and its mode.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn momentum_of_periods(
    inertia: Vec<f64>,
    allow_unphysical: bool,
    rotation: f64,
    precession: f64,
    mode: Option<&str>,
) -> PyResult<([f64; 3], &'static str)> {
    let inertia = polhode::Inertia::from_slice(&inertia, allow_unphysical);
    let inertia = inertia.map_err(|e| of_inertia(&e))?;
    let found = from_periods(&inertia, rotation, precession, mode.and_then(Mode::named));
    let found = found.map_err(|e| match e {
        polhode::periods::PeriodsError::Ambiguous => invalid("mode", &format!("{e}, by mode=")),
        e => invalid("periods", &e),
    })?;
    Ok((found.start.m.to_array(), found.mode.name()))
}
