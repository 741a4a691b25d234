//! Derivatives of motions, runs and solutions.

use numpy::PyReadwriteArray1;
use polhode::rotor::Exact;
use polhode::tangent::{
    Covariance, Gradient, HeldQuantity, InertiaTangent, MotionTangent, TangentRun,
};
use polhode::{Control, Inertia, Plan, Problem, SimulateError, State, Tangent};
use pyo3::prelude::*;

use crate::arrays::{Doubles, NewArray, NewTable, column, copied, require, table, with_capacity};
use crate::body::StartingBody;
use crate::ensemble::refused;
use crate::errors::{RunFailed, invalid, of_method, of_plan, of_t0};
use crate::function::{ExceptionSlot, finite};
use crate::method::Method;
use crate::solve::{Given, arrays, of_solve};
use crate::step::state;
use crate::torque::{BoundTorque, TorquePart};

/// Numbers of a row: momentum, angular velocity, attitude, the state transition, the columns of the inertia and of its
/// entries off the diagonal, and that of time. The columns of the torque's parameters follow.
pub(crate) const WIDTH: usize = 3 + 3 + 4 + 36 + 18 + 18 + 6;

/// Fills in a row; numbers that a tangent does not have stay as they are.
pub(crate) fn fill(
    row: &mut [f64],
    inertia: &Inertia,
    tangent: &Tangent,
    by_inertia: Option<&InertiaTangent>,
) {
    let state = &tangent.state;
    let mut rest = row;
    let mut put = |numbers: &[f64]| {
        let (here, after) = core::mem::take(&mut rest).split_at_mut(numbers.len());
        here.copy_from_slice(numbers);
        rest = after;
    };
    put(&state.m.to_array());
    put(&state.omega(inertia).to_array());
    put(&state.attitude());
    put(tangent.state_transition.as_flattened());
    let none = [[0.0; 3]; 6];
    let (inertia, off) = by_inertia.map_or((&none, &none), |by| (&by.inertia, &by.inertia_off));
    put(inertia.as_flattened());
    put(off.as_flattened());
    put(&tangent.time);
}

/// Rows of what runs and solutions have.
fn rows<'a>(
    inertia: &Inertia,
    parameters: usize,
    tangents: impl ExactSizeIterator<Item = &'a MotionTangent>,
) -> PyResult<Vec<f64>> {
    let width = WIDTH + 6 * parameters;
    let mut numbers: Vec<f64> = with_capacity(tangents.len().saturating_mul(width))?;
    for made in tangents {
        let start = numbers.len();
        numbers.resize(start + WIDTH, 0.0);
        fill(&mut numbers[start..], inertia, &made.tangent, made.by_inertia.as_ref());
        numbers.extend((0..6).flat_map(|i| made.by_parameters.iter().map(move |column| column[i])));
    }
    Ok(numbers)
}

pub(crate) fn name_of(held: HeldQuantity) -> &'static str {
    match held {
        HeldQuantity::AngularVelocity => "angular velocity",
        _ => "momentum",
    }
}

/// The derivatives by momentum, by I11, I22, I33 and by I12, I13, I23, and what is held.
pub(crate) type GradientParts = ([f64; 3], [f64; 3], [f64; 3], &'static str);

pub(crate) fn parts_of(gradient: &Gradient) -> GradientParts {
    (gradient.momentum, gradient.inertia, gradient.inertia_off, name_of(gradient.held))
}

/// The names and values of the parameters of a torque.
#[pyfunction]
pub(crate) fn torque_parameters(torque: Vec<TorquePart>) -> PyResult<Vec<(String, f64)>> {
    Ok(BoundTorque::new(torque)?.torque.parameters())
}

/// A problem, and what its callables raise.
struct TangentRequest {
    problem: Problem,
    raised: ExceptionSlot,
    calls_python: bool,
}

impl TangentRequest {
    fn new(
        body: &StartingBody,
        torque: Vec<TorquePart>,
        (t0, until): (f64, f64),
    ) -> PyResult<Self> {
        of_t0(t0)?;
        let BoundTorque { torque, raised, calls_python } =
            BoundTorque::probed(torque, body, (t0, until))?;
        let problem = Problem::new(body.inertia, body.start).torque(torque).starting_at(t0);
        Ok(Self { problem, raised, calls_python })
    }

    fn parameters(&self) -> usize {
        self.problem.torques().parameters().len()
    }

    /// What the work on the problem returns. Ctrl-C ends it, and so does what a callable raises; callables are then not
    /// called any more.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Problem, Control) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (problem, control) = (self.problem.clone(), self.raised.control());
        self.raised.guard(py, self.calls_python, move || work(&problem, control))
    }

    fn error(&self, error: &SimulateError) -> PyErr {
        match error {
            SimulateError::Method(error) => {
                of_method(error, self.problem.torques().calls_functions())
            }
            SimulateError::Plan(error) => of_plan(error),
            SimulateError::Run(_) => RunFailed::new_err((error.to_string(), None::<Py<PyAny>>)),
            _ => invalid("method", error),
        }
    }

    /// A run keeps so many states, of so many bytes each: there must be room.
    fn plan(&self, step: f64, until: f64, every: u64, bytes: usize) -> PyResult<()> {
        let plan = Plan::until(self.problem.t0(), step, until).map_err(|e| of_plan(&e))?;
        let kept = usize::try_from(plan.steps / every.max(1) + 2).unwrap_or(usize::MAX);
        require(kept.saturating_mul(bytes))
    }
}

/// Fails if a method has no derivatives, or does not go with the torque.
#[pyfunction]
pub(crate) fn check_tangent(
    body: &StartingBody,
    torque: Vec<TorquePart>,
    method: &Method,
) -> PyResult<()> {
    let BoundTorque { torque, raised, calls_python } = BoundTorque::new(torque)?;
    let problem = Problem::new(body.inertia, body.start).torque(torque);
    let asked = TangentRequest { problem, raised, calls_python };
    match TangentRun::new(&asked.problem, method.method.clone()) {
        Ok(_) => Ok(()),
        Err(error) => Err(asked.error(&error.into())),
    }
}

/// Times and rows of a run with derivatives, and whether there are any by the inertia.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub(crate) fn simulate_tangent<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    method: &Method,
    step: f64,
    until: f64,
    every: u64,
    t0: f64,
) -> PyResult<(NewArray<'py>, NewTable<'py>, bool)> {
    let asked = TangentRequest::new(body, torque, (t0, until))?;
    let parameters = asked.parameters();
    let row = 8 * (WIDTH + 6 * parameters);
    asked.plan(step, until, every, 2 * row + size_of::<MotionTangent>())?;
    let method = method.method.clone();
    let done = asked.run(py, move |problem, control| {
        TangentRun::new(problem, method)?.control(control).until(step, until, every)
    })?;
    let kept = done.map_err(|e| asked.error(&e))?;
    let numbers = rows(&body.inertia, parameters, kept.iter().map(|(_, tangent)| tangent))?;
    let by_inertia = kept.iter().all(|(_, tangent)| tangent.by_inertia.is_some());
    let times = kept.iter().map(|(t, _)| *t).collect();
    Ok((column(py, times), table(py, numbers, WIDTH + 6 * parameters)?, by_inertia))
}

/// The largest Lyapunov exponent, the times and values of its convergence, their spread, what they tell, and whether
/// the motion is chaotic, if that is known.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "as many as the Python function has"
)]
pub(crate) fn lyapunov<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    method: &Method,
    step: f64,
    until: f64,
    t0: f64,
) -> PyResult<(f64, NewArray<'py>, NewArray<'py>, f64, &'static str, Option<bool>)> {
    let asked = TangentRequest::new(body, torque, (t0, until))?;
    let plan = Plan::until(t0, step, until).map_err(|e| of_plan(&e))?;
    if plan.steps == 0 {
        return Err(invalid("until", &format!("until = {until:?}: must not be the start")));
    }
    let method = method.method.clone();
    let done = asked.run(py, move |problem, control| {
        TangentRun::new(problem, method)?.control(control).lyapunov(step, until)
    })?;
    let found = done.map_err(|e| asked.error(&e))?;
    let (verdict, chaotic) = (found.verdict.name(), found.chaotic());
    let (times, rates) = found.convergence.into_iter().unzip();
    Ok((found.exponent, column(py, times), column(py, rates), found.spread, verdict, chaotic))
}

/// A matrix of 6 x 6 of its rows in a row.
fn matrix(numbers: &[f64; 36]) -> Covariance {
    core::array::from_fn(|i| core::array::from_fn(|j| numbers[6 * i + j]))
}

/// Times, states (rows of 10) and covariances (rows of 36) along a run.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub(crate) fn covariance<'py>(
    py: Python<'py>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    method: &Method,
    step: f64,
    until: f64,
    every: u64,
    t0: f64,
    start: [f64; 36],
    noise: [f64; 36],
) -> PyResult<(NewArray<'py>, NewTable<'py>, NewTable<'py>)> {
    let asked = TangentRequest::new(body, torque, (t0, until))?;
    asked.plan(step, until, every, 2 * 8 * (1 + 10 + 36))?;
    let (method, start, noise) = (method.method.clone(), matrix(&start), matrix(&noise));
    let done = asked.run(py, move |problem, control| {
        let run = TangentRun::new(problem, method)?.control(control);
        run.covariance((step, until, every), &start, &noise)
    })?;
    let kept = done.map_err(|e| asked.error(&e))?;
    let (mut states, mut matrices) =
        (with_capacity(10 * kept.len())?, with_capacity(36 * kept.len())?);
    for (_, state, covariance) in &kept {
        states.extend(state.m.to_array());
        states.extend(state.omega(&body.inertia).to_array());
        states.extend(state.attitude());
        matrices.extend_from_slice(covariance.as_flattened());
    }
    let times = kept.iter().map(|(t, ..)| *t).collect();
    Ok((column(py, times), table(py, states, 10)?, table(py, matrices, 36)?))
}

/// One free step of many bodies with its derivatives; arguments as for `step`, and a row for each body.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn step_tangent<'py>(
    inertia: Doubles<'py>,
    width: usize,
    allow_unphysical: bool,
    h: Doubles<'py>,
    momentum: Doubles<'py>,
    attitude: Doubles<'py>,
    mut rows: PyReadwriteArray1<'py, f64>,
) -> PyResult<()> {
    use polhode::ensemble::EnsembleError;
    let (inertia, h) = (inertia.as_slice()?, h.as_slice()?);
    let (m, _) = momentum.as_slice()?.as_chunks::<3>();
    let (q, _) = attitude.as_slice()?.as_chunks::<4>();
    let (rows, _) = rows.as_slice_mut()?.as_chunks_mut::<WIDTH>();
    let bodies = inertia.chunks_exact(width).zip(h).zip(m.iter().zip(q)).zip(rows);
    for (index, (((numbers, &h), (&m, &q)), row)) in bodies.enumerate() {
        let number = index as u64;
        let body = Inertia::from_slice(numbers, allow_unphysical)
            .map_err(|source| refused(&EnsembleError::Inertia { body: number, source }, false))?;
        let mut at: State = state(m, q)
            .map_err(|source| refused(&EnsembleError::State { body: number, source }, false))?;
        let made = Exact::new(&body).inertia_tangent_step(h, &mut at);
        let (tangent, by) = made
            .map_err(|source| refused(&EnsembleError::OneStep { body: number, source }, false))?;
        fill(row, &body, &tangent, Some(&by));
    }
    Ok(())
}

/// A solution with its derivatives.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct TangentSolution {
    solution: polhode::tangent::TangentSolution,
    asked: TangentRequest,
}

/// So many times between two looks at the signals: some milliseconds.
const BLOCK: usize = 64;

/// Solves a problem with its derivatives.
#[pyfunction]
pub(crate) fn solve_tangent(
    py: Python<'_>,
    body: &StartingBody,
    torque: Vec<TorquePart>,
    t0: f64,
    until: f64,
    tolerance: f64,
    stops: Vec<f64>,
) -> PyResult<TangentSolution> {
    let asked = TangentRequest::new(body, torque, (t0, until))?;
    let work = move |problem: &Problem, control| {
        problem.tangent_solver().tolerance(tolerance).stops(&stops).control(control).until(until)
    };
    let solution = asked.run(py, work)?.map_err(|e| of_solve(&e, Given::default()))?;
    Ok(TangentSolution { solution, asked })
}

#[pymethods]
impl TangentSolution {
    /// Rows at these times.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn at<'py>(&self, py: Python<'py>, t: Doubles<'py>) -> PyResult<NewTable<'py>> {
        let times = copied(&t)?;
        let mut made = with_capacity(times.len())?;
        for times in times.chunks(BLOCK) {
            let part = || times.iter().map(|&t| self.solution.at(t)).collect::<Result<Vec<_>, _>>();
            let part = if self.asked.calls_python { part() } else { py.detach(part) };
            self.raised()?;
            made.extend(part.map_err(|e| invalid("t", &e))?);
            py.check_signals()?;
        }
        self.table(py, made.iter())
    }

    /// Rows at the times of events of a callable (t, momentum, omega, attitude), with the events moving along; and how
    /// fast the callable changes there, with the derivatives of these times by start, inertia and parameters.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn at_events<'py>(
        &self,
        py: Python<'py>,
        t: Doubles<'py>,
        event: Py<PyAny>,
    ) -> PyResult<(NewTable<'py>, NewTable<'py>)> {
        let width = 13 + self.asked.parameters();
        let (mut moves, mut there) = (Vec::new(), Vec::new());
        for t in copied(&t)? {
            let value = |inertia: &Inertia, t: f64, state: &State| {
                let called = self.asked.raised.catch(|| {
                    let (m, w, q) = arrays(py, inertia, state);
                    let value = event.bind(py).call1((t, m, w, q))?;
                    finite(&value, "events", "the function of an event")
                });
                called.unwrap_or(f64::NAN)
            };
            let made = self.solution.at_event(t, value);
            self.raised()?;
            let made = made.map_err(|e| invalid("t", &e))?;
            moves.push(made.speed);
            moves.extend(made.time_by_start);
            moves.extend(made.time_by_inertia);
            moves.extend(made.time_by_parameters);
            there.push(made.there);
            py.check_signals()?;
        }
        Ok((self.table(py, there.iter())?, table(py, moves, width)?))
    }
}

impl TangentSolution {
    fn raised(&self) -> PyResult<()> {
        self.asked.raised.take().map_or(Ok(()), Err)
    }

    fn table<'py, 'a>(
        &self,
        py: Python<'py>,
        made: impl ExactSizeIterator<Item = &'a MotionTangent>,
    ) -> PyResult<NewTable<'py>> {
        let parameters = self.asked.parameters();
        let numbers = rows(self.asked.problem.inertia(), parameters, made)?;
        table(py, numbers, WIDTH + 6 * parameters)
    }
}
