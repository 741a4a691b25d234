//! Bodies from measurements.

use numpy::{PyArray1, PyArray2};
use polhode::{Control, Stop};
use polhode_fit::{
    Data, DirectionMeasurements, Drive, Filter as CoreFilter, FilterOptions, FitError, FitOptions,
    FitParameter, Innovation, Loss,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Doubles, column, copied, rows, table};
use crate::errors::{invalid, of_motion, of_torque};
use crate::function::ExceptionSlot;
use crate::threads::interruptible;
use crate::torque::{BoundTorque, TorquePart, values};

/// A parameter of the sensor: value, min, max, fixed, prior.
pub(crate) type ParameterTuple = (f64, f64, f64, bool, Option<f64>);

/// A vector in space, the times, and its directions in the body, flat.
pub(crate) type DirectionTuple<'py> = ([f64; 3], Doubles<'py>, Doubles<'py>);

/// What was found.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Fit {
    found: polhode_fit::Fit,
    /// What callables of the torque raise.
    raised: ExceptionSlot,
    calls_python: bool,
}

impl Fit {
    /// What a function of the fit returns, while others run Python; Ctrl-C ends the waiting.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&polhode_fit::Fit) -> Result<T, FitError> + Send + 'static,
    ) -> PyResult<T> {
        let fit = self.found.clone();
        let answer = self.raised.guard(py, self.calls_python, move || ask(&fit))?;
        answer.map_err(|e| refused(&e))
    }
}

/// Fits a body to measurements: flat arrays of as many rows as there are times.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the Python function has")]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    gyro: Option<(Doubles<'py>, Doubles<'py>)>,
    attitude: Option<(Doubles<'py>, Doubles<'py>)>,
    directions: Vec<DirectionTuple<'py>>,
    noise: (Option<[f64; 3]>, Option<f64>, Option<f64>),
    loss: (String, f64),
    sensor: Vec<ParameterTuple>,
    skip_missing: bool,
    acting: (Vec<TorquePart>, Vec<(String, ParameterTuple)>, Option<f64>),
) -> PyResult<Fit> {
    let mut data = Data::default();
    data.gyro = gyro.map(|(t, w)| Ok::<_, PyErr>((copied(&t)?, rows(&w)?))).transpose()?;
    data.attitude = attitude.map(|(t, q)| Ok::<_, PyErr>((copied(&t)?, rows(&q)?))).transpose()?;
    data.directions = directions
        .into_iter()
        .map(|(known, t, seen)| Ok(DirectionMeasurements::new(known, copied(&t)?, rows(&seen)?)))
        .collect::<PyResult<_>>()?;
    let parameter = |i: usize| told(sensor[i]);
    let three = |from: usize| [parameter(from), parameter(from + 1), parameter(from + 2)];
    let options = FitOptions::default().with(|o| {
        o.gyro_noise = noise.0;
        o.attitude_noise = noise.1;
        o.direction_noise = noise.2;
        o.loss = match loss.0.as_str() {
            "huber" => Loss::Huber(loss.1),
            "soft-l1" => Loss::SoftL1(loss.1),
            "cauchy" => Loss::Cauchy(loss.1),
            _ => Loss::Squares,
        };
        o.sensor.bias = three(0);
        o.sensor.scale = three(3);
        o.sensor.misalignment = three(6);
        o.sensor.time_offset = parameter(9);
        o.skip_missing = skip_missing;
        o.torque = None;
        o.largest_moment = acting.2;
        o.control = Control::default();
    });
    let (drive, raised, calls_python) = drive(acting.0, acting.1)?;
    let stop = Stop::new();
    let options = options.with(|o| {
        o.torque = drive;
        o.control = Control::stopped_by(&stop);
    });
    let work = move || {
        let work = || polhode_fit::fit(&data, &options);
        // A thread that the interpreter meets for the first time in every call costs microseconds each.
        if calls_python { Python::attach(|py| py.detach(work)) } else { work() }
    };
    let interrupt = || {
        stop.request();
        raised.close();
    };
    let found = interruptible(py, interrupt, work)?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    Ok(Fit { found: found.map_err(|e| refused(&e))?, raised, calls_python })
}

fn told((value, min, max, fixed, prior): ParameterTuple) -> FitParameter {
    let mut parameter = FitParameter::fixed(value).within(min, max);
    parameter.fixed = fixed;
    parameter.prior = prior;
    parameter
}

/// What acts on the body, what its callables raise, and whether it has any.
fn drive(
    parts: Vec<TorquePart>,
    unknown: Vec<(String, ParameterTuple)>,
) -> PyResult<(Option<Drive>, ExceptionSlot, bool)> {
    let is_none = parts.is_empty();
    let (mut models, mut others) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            TorquePart::Model(kind, keys) => models.push((kind, values(&keys))),
            other => others.push(other),
        }
    }
    let BoundTorque { torque, raised, calls_python } = BoundTorque::new(others)?;
    let unknown: Vec<_> = unknown.into_iter().map(|(name, p)| (name, told(p))).collect();
    if is_none && unknown.is_empty() {
        return Ok((None, raised, false));
    }
    let drive = Drive::of_keys(torque, models, &unknown).map_err(|e| refused(&e))?;
    Ok((Some(drive), raised, calls_python))
}

fn refused(error: &FitError) -> PyErr {
    let argument = match error {
        FitError::Motion(motion) => return of_motion(motion),
        FitError::Torque(torque) => return of_torque(torque),
        FitError::NoSuchNumber { .. }
        | FitError::NoDerivative { .. }
        | FitError::TooManyUnknown { .. } => "unknown",
        FitError::TorqueNeedsAttitude | FitError::Solve(_) => "torque",
        FitError::NotFree { what } => what,
        FitError::Option { field, .. } | FitError::NeedsAttitude { field, .. } => match *field {
            "gyro_noise" => "noise",
            field => field,
        },
        FitError::Times { .. } | FitError::NotFinite { what: "time", .. } => "t",
        FitError::NotFinite { what, .. }
        | FitError::Length { what, .. }
        | FitError::TooFew { what, .. }
        | FitError::NoDirection { what, .. }
        | FitError::NoMotion { what } => match *what {
            "attitude" | "the attitude" => "attitude",
            "angular velocity" | "the angular velocity" => "omega",
            _ => "directions",
        },
        FitError::OneDirection => "directions",
        _ => "omega",
    };
    invalid(argument, error)
}

/// Times and rows of three.
type Residuals<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

fn residuals<'py>(py: Python<'py>, rows: &[(f64, [f64; 3])]) -> PyResult<Residuals<'py>> {
    let times = rows.iter().map(|r| r.0).collect();
    let flat = rows.iter().flat_map(|r| r.1).collect();
    Ok((column(py, times), table(py, flat, 3)?))
}

#[pymethods]
impl Fit {
    /// All there is to know.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let f = &self.found;
        let found = PyDict::new(py);
        found.set_item("moments", f.moments)?;
        found.set_item("axes", f.axes)?;
        found.set_item("inertia", f.inertia)?;
        found.set_item("epoch", f.epoch)?;
        found.set_item("omega", f.omega)?;
        found.set_item("attitude", f.attitude)?;
        let estimates: Vec<_> =
            f.estimates.iter().map(|e| (e.name.clone(), e.value, e.deviation)).collect();
        found.set_item("estimates", estimates)?;
        found.set_item("covariance", f.covariance.clone())?;
        found.set_item("correlation", f.correlation())?;
        let open: Vec<String> = f.undetermined.iter().map(ToString::to_string).collect();
        found.set_item("undetermined", open)?;
        let doubts: Vec<String> = f.doubts.iter().map(ToString::to_string).collect();
        found.set_item("doubts", doubts)?;
        let rivals: Vec<_> = f.rivals.iter().map(|r| (r.ratios, r.less, r.regime.name())).collect();
        found.set_item("rivals", rivals)?;
        found.set_item("mirrored", f.mirrored)?;
        found.set_item("chi_square", f.chi_square)?;
        found.set_item("degrees", f.degrees)?;
        found.set_item("noise_given", f.noise_given)?;
        found.set_item("noise", f.gyro_noise)?;
        found.set_item("attitude_noise", f.attitude_noise)?;
        found.set_item("direction_noise", f.direction_noise)?;
        found.set_item("regime", f.regime.name())?;
        let weak = f.weak.map(|w| (w.singular_values, w.noise, w.shown()));
        found.set_item("weak_form", weak)?;
        found.set_item("residuals", residuals(py, &f.gyro_residuals)?)?;
        found.set_item("attitude_residuals", residuals(py, &f.attitude_residuals)?)?;
        found.set_item("direction_residuals", residuals(py, &f.direction_residuals)?)?;
        Ok(found)
    }

    /// Angular velocities, attitudes, and their deviations, flat.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn predict<'py>(&self, py: Python<'py>, times: Doubles<'py>) -> PyResult<[Residual<'py>; 4]> {
        let times = copied(&times)?;
        let there = self.ask(py, move |fit| fit.predict(&times))?;
        let attitude = |p: &polhode_fit::Prediction| p.attitude.unwrap_or([f64::NAN; 4]);
        Ok([
            table(py, there.iter().flat_map(|p| p.omega).collect(), 3)?,
            table(py, there.iter().flat_map(|p| p.omega_deviation).collect(), 3)?,
            table(py, there.iter().flat_map(attitude).collect(), 4)?,
            table(py, there.iter().flat_map(|p| p.attitude_deviation).collect(), 3)?,
        ])
    }

    /// The log-likelihood at these values of a ratio.
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn profile<'py>(
        &self,
        py: Python<'py>,
        which: usize,
        values: Doubles<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = copied(&values)?;
        let profile = self.ask(py, move |fit| fit.profile(which, &values))?;
        Ok(column(py, profile))
    }

    /// A filter that goes on from here.
    fn filter(&self, options: [f64; 4]) -> PyResult<Filter> {
        let filter = CoreFilter::from_fit(&self.found, filter_options(options));
        Ok(Filter { filter: filter.map_err(|e| refused(&e))? })
    }
}

/// Rows of three or four.
type Residual<'py> = Bound<'py, PyArray2<f64>>;

fn filter_options([acceleration, bias_walk, bias, gate]: [f64; 4]) -> FilterOptions {
    FilterOptions::default().with(|o| {
        o.acceleration = acceleration;
        o.bias_walk = bias_walk;
        o.bias = bias;
        o.gate = gate;
    })
}

/// The filter for streams.
#[pyclass(module = "polhode._polhode")]
pub(crate) struct Filter {
    filter: CoreFilter,
}

fn innovation(i: Innovation) -> ([f64; 3], f64, bool) {
    (i.residual, i.square, i.used)
}

#[pymethods]
impl Filter {
    #[new]
    fn new(t: f64, omega: [f64; 3], deviation: f64, options: [f64; 4]) -> PyResult<Self> {
        let filter = CoreFilter::new(t, omega, deviation, filter_options(options));
        Ok(Self { filter: filter.map_err(|e| refused(&e))? })
    }

    fn gyro(&mut self, t: f64, omega: [f64; 3], noise: f64) -> PyResult<([f64; 3], f64, bool)> {
        self.filter.gyro(t, omega, noise).map(innovation).map_err(|e| refused(&e))
    }

    fn star_tracker(
        &mut self,
        t: f64,
        attitude: [f64; 4],
        noise: f64,
    ) -> PyResult<([f64; 3], f64, bool)> {
        self.filter.star_tracker(t, attitude, noise).map(innovation).map_err(|e| refused(&e))
    }

    fn advance(&mut self, t: f64) -> PyResult<()> {
        self.filter.advance(t).map_err(|e| refused(&e))
    }

    /// The time, and everything with its deviations.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        found.set_item("t", self.filter.time())?;
        found.set_item("omega", self.filter.omega())?;
        found.set_item("attitude", self.filter.attitude())?;
        found.set_item("bias", self.filter.bias())?;
        found.set_item("ratios", self.filter.ratios().map(|e| (e.value, e.deviation)))?;
        found.set_item("axes", self.filter.axes())?;
        Ok(found)
    }
}
