//! Many bodies.

use std::sync::Arc;

use polhode::ensemble::{
    Arrays, BodySamples, Ensemble, EnsembleError, EnsembleSolver, Failure, FreeEnsemble,
    MAX_THREADS, Member, Sink, Source,
};
use polhode::observe::ObserveError;
use polhode::{Control, Inertia, Plan, State, Stop, Stopped};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{BLOCK, Doubles, column, copied, require, with_capacity};
use crate::errors::{field_of, invalid, of_method, of_plan, of_t0, of_torque, with_keyword};
use crate::function::ExceptionSlot;
use crate::method::Method;
use crate::solve::of_solve;
use crate::threads::{interruptible, on_calling_threads, pool};
use crate::torque::{BoundTorque, Part};

/// The bodies, as flat arrays: inertia (of all, or one each), momentum or angular velocity, attitude
/// (or none).
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Bodies(Arc<Numbers>);

struct Numbers {
    inertia: Vec<f64>,
    /// Numbers of each inertia if there is one for each body; zero if one for all.
    inertia_width: usize,
    allow_unphysical: bool,
    momentum: Vec<f64>,
    omega: bool,
    attitude: Vec<f64>,
    /// The number of the first body, where these are a part of an ensemble.
    first: u64,
    /// A body that is none fails alone, and stands for itself at rest until then.
    keep_going: bool,
}

#[pymethods]
impl Bodies {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "a column each")]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn new(
        inertia: Doubles<'_>,
        inertia_width: usize,
        allow_unphysical: bool,
        momentum: Doubles<'_>,
        omega: bool,
        attitude: Doubles<'_>,
        first: u64,
        keep_going: bool,
    ) -> PyResult<Self> {
        Ok(Self(Arc::new(Numbers {
            inertia: copied(&inertia)?,
            inertia_width,
            allow_unphysical,
            momentum: copied(&momentum)?,
            omega,
            attitude: copied(&attitude)?,
            first,
            keep_going,
        })))
    }

    /// Fails if one of the bodies is none.
    fn validate(&self, py: Python<'_>) -> PyResult<()> {
        let (numbers, stop) = (self.0.clone(), Stop::new());
        let asked = stop.clone();
        let validated = interruptible(py, || stop.request(), move || numbers.validate(&asked))?;
        validated.map_err(|e| refused(&e, false))
    }
}

/// The bodies from one on.
struct Remaining {
    numbers: Arc<Numbers>,
    next: usize,
}

impl Remaining {
    /// The next ones; of those that are none, where it is allowed, one that rests in their place.
    fn some(&self, count: usize) -> Result<Vec<Member>, EnsembleError> {
        match self.exactly(count) {
            Err(EnsembleError::Inertia { .. } | EnsembleError::State { .. })
                if self.numbers.keep_going =>
            {
                let one = |next: usize| {
                    let alone = Self { numbers: self.numbers.clone(), next };
                    alone.exactly(1).ok().and_then(|mut bodies| bodies.pop()).or_else(resting)
                };
                Ok((self.next..self.next + count).filter_map(one).collect())
            }
            other => other,
        }
    }

    fn exactly(&self, count: usize) -> Result<Vec<Member>, EnsembleError> {
        let (n, first) = (&self.numbers, self.next);
        // Of no bodies there are no inertias either, unless there is one for all.
        if count == 0 && n.inertia_width != 0 {
            return Ok(Vec::new());
        }
        // No attitudes stay none.
        let part = |numbers: &[f64], width: usize| {
            let end = |row: usize| (width * row).min(numbers.len());
            end(first)..end(first + count)
        };
        let arrays = Arrays {
            inertia: match n.inertia_width {
                0 => &n.inertia,
                width => &n.inertia[part(&n.inertia, width)],
            },
            shared: n.inertia_width == 0,
            allow_unphysical: n.allow_unphysical,
            momentum: &n.momentum[part(&n.momentum, 3)],
            omega: n.omega,
            attitude: &n.attitude[part(&n.attitude, 4)],
        };
        let before = n.first + first as u64;
        arrays.bodies().map_err(|error| match error {
            EnsembleError::Inertia { body, source } => {
                EnsembleError::Inertia { body: body + before, source }
            }
            EnsembleError::State { body, source } => {
                EnsembleError::State { body: body + before, source }
            }
            other => other,
        })
    }
}

/// A body that does nothing.
fn resting() -> Option<Member> {
    let inertia = Inertia::principal([1.0; 3]).ok()?;
    Some(Member { inertia, start: State::aligned([0.0; 3]).ok()? })
}

impl Source for Remaining {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        let more = self.some(most.min(self.numbers.momentum.len() / 3 - self.next))?;
        self.next += more.len();
        bodies.extend(more);
        Ok(())
    }
}

impl Numbers {
    /// The bodies that are none, and why; only where they are allowed.
    fn bad(self: &Arc<Self>) -> Vec<(u64, String)> {
        let whole = |next: usize, count: usize| {
            Remaining { numbers: self.clone(), next }.exactly(count).map(|_| ())
        };
        let count = self.momentum.len() / 3;
        let mut bad = Vec::new();
        for first in (0..count).step_by(4096) {
            let end = count.min(first + 4096);
            if self.keep_going && whole(first, end - first).is_err() {
                let one = |i: usize| Some((i as u64, whole(i, 1).err()?.to_string()));
                bad.extend((first..end).filter_map(one));
            }
        }
        bad
    }

    /// Finds a bad body before hours are spent on the good ones.
    fn validate(self: &Arc<Self>, stop: &Stop) -> Result<(), EnsembleError> {
        let mut remaining = Remaining { numbers: self.clone(), next: 0 };
        let count = self.momentum.len() / 3;
        while remaining.next < count {
            stop.check().map_err(|e| EnsembleError::Source(e.into()))?;
            remaining.next += remaining.some(4096.min(count - remaining.next))?.len();
        }
        Ok(())
    }
}

/// The states of all bodies at all times kept, body by body.
struct Table {
    rows: usize,
    /// How many times are kept of each body, and which steps: every so many-th and the last.
    kept: usize,
    every: u64,
    momentum: Vec<f64>,
    omega: Vec<f64>,
    attitude: Vec<f64>,
    energy: Vec<f64>,
    failures: Vec<Failure>,
    stop: Stop,
    raised: ExceptionSlot,
}

impl Table {
    fn new(bodies: usize, work: &Work, stop: Stop) -> PyResult<Self> {
        let &Work { kept, every, .. } = work;
        let rows = bodies.saturating_mul(kept);
        let room = |width: usize| with_capacity(rows.saturating_mul(width));
        Ok(Self {
            rows,
            kept,
            every,
            momentum: room(3)?,
            omega: room(3)?,
            attitude: room(4)?,
            energy: room(1)?,
            failures: Vec::new(),
            stop,
            raised: work.raised.clone(),
        })
    }

    /// Gives every row a value, which takes seconds for gigabytes: not for the thread that has the
    /// interpreter.
    fn fill(&mut self) -> Result<(), Stopped> {
        let Self { rows, momentum, omega, attitude, energy, stop, .. } = self;
        for (numbers, width) in [(momentum, 3), (omega, 3), (attitude, 4), (energy, 1)] {
            let size = *rows * width;
            while numbers.len() < size {
                stop.check()?;
                numbers.resize(size.min(numbers.len() + BLOCK), 0.0);
            }
        }
        Ok(())
    }
}

impl Sink for Table {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        self.stop.check()?;
        if self.raised.is_set() {
            return Err(Stopped.into());
        }
        let index = if samples.step.is_multiple_of(self.every) {
            usize::try_from(samples.step / self.every)?
        } else if samples.last {
            self.kept - 1
        } else {
            return Ok(());
        };
        for (i, body) in samples.bodies().iter().enumerate() {
            let row = (usize::try_from(samples.first)? + i) * self.kept + index;
            let state = samples.state(i);
            self.momentum[3 * row..3 * row + 3].copy_from_slice(&state.m.to_array());
            let omega = state.omega(&body.inertia).to_array();
            self.omega[3 * row..3 * row + 3].copy_from_slice(&omega);
            self.attitude[4 * row..4 * row + 4].copy_from_slice(&state.attitude());
            self.energy[row] = samples.energy(i);
        }
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> Result<(), ObserveError> {
        self.failures.push(failure.clone());
        Ok(())
    }
}

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
    let mut remaining = Remaining { numbers, next: 0 };
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

/// Free motions of many bodies at these times.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn free_ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    times: Doubles<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let times = copied(&times)?;
    let run = FreeEnsemble::new().threads(threads);
    let work =
        Work { kept: times.len(), every: 1, raised: ExceptionSlot::default(), calling: None };
    go(py, bodies, work, move |source, table| run.run(source, &times, table).map(|_| ()))
}

/// Solves the motions of many bodies to a tolerance, at these times.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn solved_ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    torque: Vec<Part>,
    tolerance: f64,
    times: Doubles<'py>,
    t0: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    of_t0(t0)?;
    let times = copied(&times)?;
    let BoundTorque { torque, raised, calls_python: calls } = BoundTorque::new(torque)?;
    let run = EnsembleSolver::new(tolerance).torque(torque).from_time(t0);
    let calling = calls.then_some(threads.clamp(1, MAX_THREADS));
    // Where Python is called the threads are there already.
    let run = if calls { run } else { run.threads(threads) };
    let work = Work { kept: times.len(), every: 1, raised, calling };
    go(py, bodies, work, move |source, table| {
        let control = Control::stopped_by(&table.stop);
        run.control(&control).run(source, &times, table).map(|_| ())
    })
}

/// Steps many bodies through time.
///
/// A callable of Python's is called by one thread at a time in any case: one is enough unless more are
/// asked for.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
pub(crate) fn ensemble<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    torque: Vec<Part>,
    method: &Method,
    step: f64,
    until: f64,
    every: u64,
    t0: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    of_t0(t0)?;
    let plan = Plan::until(t0, step, until).map_err(|e| of_plan(&e))?;
    let BoundTorque { torque, raised, calls_python: calls } = BoundTorque::new(torque)?;
    let has_functions = torque.calls_functions();
    let run = Ensemble::with(method.method.clone()).torque(torque).from_time(t0);
    run.check().map_err(|e| refused(&e, has_functions))?;
    let calling = calls.then_some(threads.clamp(1, MAX_THREADS));
    // Where Python is called the threads are there already.
    let mut run = if calls { run } else { run.threads(threads) };
    let mut most = SHOWN;
    if calls || !method.method.runs_in_lanes() {
        let all = || if threads == 0 { pool().current_num_threads() } else { threads };
        let workers = calling.unwrap_or_else(all);
        (run, most) = (run.block((TASK * workers).min(BODIES_AT_A_TIME)), SHOWN_ONE_BY_ONE);
    }
    let steps = kept_steps(&plan, every)?;
    let mut times = with_capacity(steps.len())?;
    times.extend(steps.iter().map(|n| plan.time(t0, *n)));
    // Shown more often than kept, so that Ctrl-C is heard.
    let shown = (1..=most).rev().find(|n| every.is_multiple_of(*n)).unwrap_or(1);
    let work = Work { kept: steps.len(), every, raised, calling };
    let found = go(py, bodies, work, move |source, table| {
        run.run(source, &plan, shown, table).map(|_| ())
    })?;
    found.set_item("t", column(py, times))?;
    Ok(found)
}

/// The most steps between two looks at whether to stop: 16384 bodies take a tenth of a second.
const SHOWN: u64 = 64;

/// The same where bodies are stepped one by one, or Python is called for each, and how many bodies a
/// thread then has at a time: at ten microseconds a step this is less than a tenth of a second.
const SHOWN_ONE_BY_ONE: u64 = 16;
const TASK: usize = 512;

/// The start, every so many-th step, and the last.
fn kept_steps(plan: &Plan, every: u64) -> PyResult<Vec<u64>> {
    let whole = plan.steps / every;
    let mut steps = with_capacity(usize::try_from(whole + 2).unwrap_or(usize::MAX))?;
    steps.extend((0..=whole).map(|k| k * every));
    if !plan.steps.is_multiple_of(every) {
        steps.push(plan.steps);
    }
    Ok(steps)
}

/// As many as the library works on at a time, and what they take there: measured, 2700
/// for free bodies, but more than 4096 at times: a margin, found by trying.
const BODIES_AT_A_TIME: usize = 16384;
const BYTES_A_BODY: usize = 8192;

/// What is to be kept, and how it is done.
struct Work {
    /// How many times of each body, and which steps: every so many-th and the last.
    kept: usize,
    every: u64,
    /// What callables raise.
    raised: ExceptionSlot,
    /// How many threads call Python; none if those of the pool do it without.
    calling: Option<usize>,
}

fn go<'py>(
    py: Python<'py>,
    bodies: &Bodies,
    work: Work,
    run: impl FnOnce(Remaining, &mut Table) -> Result<(), EnsembleError> + Send + 'static,
) -> PyResult<Bound<'py, PyDict>> {
    let stop = Stop::new();
    let asked = stop.clone();
    let count = bodies.0.momentum.len() / 3;
    let mut table = Table::new(count, &work, stop.clone())?;
    require(count.min(BODIES_AT_A_TIME) * BYTES_A_BODY)?;
    let numbers = bodies.0.clone();
    let Work { raised, calling, .. } = work;
    let work = move || {
        let all = || {
            numbers.validate(&asked)?;
            table.fill().map_err(|e| EnsembleError::Sink(e.into()))?;
            run(Remaining { numbers: numbers.clone(), next: 0 }, &mut table)
        };
        let ended = match calling {
            None => pool().install(all),
            Some(threads) => on_calling_threads(threads, all).unwrap_or_else(|reason| {
                Err(EnsembleError::Threads { threads, reason: reason.to_string() })
            }),
        };
        (ended, table)
    };
    let interrupt = || {
        stop.request();
        // Callables are not called any more either.
        raised.close();
    };
    let (ended, table) = interruptible(py, interrupt, work)?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    ended.map_err(|e| refused(&e, false))?;
    let bad = bodies.0.bad();
    let mut table = table;
    for (body, _) in &bad {
        let body = usize::try_from(*body)?;
        let rows = body * table.kept..(body + 1) * table.kept;
        let columns =
            [&mut table.momentum, &mut table.omega, &mut table.attitude, &mut table.energy];
        for (numbers, width) in columns.into_iter().zip([3, 3, 4, 1]) {
            numbers[width * rows.start..width * rows.end].fill(f64::NAN);
        }
    }
    let found = PyDict::new(py);
    found.set_item("momentum", column(py, table.momentum))?;
    found.set_item("omega", column(py, table.omega))?;
    found.set_item("attitude", column(py, table.attitude))?;
    found.set_item("energy", column(py, table.energy))?;
    let before = bodies.0.first;
    let failure = |f: &Failure| (before + f.body, f.step, f.t, f.cause.to_string());
    let mut failures: Vec<_> = table.failures.iter().map(failure).collect();
    failures.extend(bad.into_iter().map(|(body, why)| (before + body, 0, f64::NAN, why)));
    failures.sort_by_key(|(body, ..)| *body);
    found.set_item("failures", failures)?;
    Ok(found)
}

/// `calls`: whether the torque has callables.
pub(crate) fn refused(error: &EnsembleError, calls: bool) -> PyErr {
    match error {
        EnsembleError::Method(method) => of_method(method, calls),
        EnsembleError::Torque(torque) => of_torque(torque),
        EnsembleError::Solve(error) => of_solve(error, false),
        EnsembleError::Length { field, .. } => invalid(field, error),
        EnsembleError::Inertia { source, .. } => invalid("inertia", &with_keyword(source, error)),
        EnsembleError::State { source, .. } => invalid(field_of(source), error),
        EnsembleError::Time { .. } => invalid("times", error),
        EnsembleError::Step { .. } => invalid("step", error),
        EnsembleError::OneStep { .. } => invalid("h", error),
        EnsembleError::Threads { .. } => invalid("threads", error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}
