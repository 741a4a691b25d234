//! What a body has in it and on it: wheels, dissipation, a damper, moments that vary, controllers.

use numpy::{PyArray1, PyArrayMethods};
use polhode::control::{
    BDot, Command, ControlError, ControlLoop, Controller, ControllerInput, MomentumDump,
    PdQuaternion, Target, Thrusters,
};
use polhode::formula::{Constants, Formula};
use polhode::inside::{BallDamper, Dissipation, Inside, InsideError, VaryingInertia, Wheel};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::VectorSource;
use polhode::{Inertia, InertiaError, Problem, so3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::invalid;
use crate::function::ExceptionSlot;

/// Axis, inertia, speed, driven, torque, limits of torque and speed, viscous and Coulomb's friction.
#[derive(FromPyObject)]
pub(crate) struct WheelPart(
    [f64; 3],
    f64,
    f64,
    bool,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
);

/// How the inertia varies.
#[derive(FromPyObject)]
pub(crate) enum VaryingPart {
    Expressions([String; 3]),
    Rows(Vec<[f64; 4]>),
    #[pyo3(transparent)]
    Function(Py<PyAny>),
}

/// What is inside: wheels, rate and quality factor of dissipation, inertia and coefficient of a damper, the inertia,
/// and what is between rows of it.
#[derive(FromPyObject)]
pub(crate) struct InsidePart(
    Vec<WheelPart>,
    Option<f64>,
    Option<f64>,
    Option<(f64, f64)>,
    Option<VaryingPart>,
    String,
);

/// A law of control: its kind and numbers, or a callable.
#[derive(FromPyObject)]
pub(crate) enum LawPart {
    /// `b-dot` or `momentum-dump`, and its gain.
    Magnetic(String, f64),
    /// Target (none is nadir), stiffness, damping, and whether by wheels.
    Pointing(Option<[f64; 4]>, f64, f64, bool),
    #[pyo3(transparent)]
    Function(Py<PyAny>),
}

/// Law, period, delay, limit of the dipole, thrust and shortest pulse, field.
#[derive(FromPyObject)]
pub(crate) struct ControllerPart(
    LawPart,
    f64,
    f64,
    Option<f64>,
    Option<[f64; 3]>,
    f64,
    Option<[f64; 3]>,
);

/// All of it, as a scenario has it.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct ScenarioFittings {
    pub(crate) problem: Problem,
}

#[derive(FromPyObject)]
pub(crate) enum Fittings {
    #[pyo3(transparent)]
    Scenario(Py<ScenarioFittings>),
    Given(Option<InsidePart>, Vec<ControllerPart>),
}

fn of_inside(error: &InsideError) -> PyErr {
    match error {
        InsideError::Value { what, .. } if *what == "wheel" => invalid("wheels", error),
        InsideError::Value { what, .. } => invalid(what, error),
        InsideError::TooManyWheels { .. } | InsideError::Inertia(_) => invalid("wheels", error),
        _ => invalid("inertia", error),
    }
}

fn of_control(error: &ControlError) -> PyErr {
    invalid("controllers", error)
}

impl Fittings {
    /// The problem with all of it; and whether Python is called.
    pub(crate) fn fit(self, problem: Problem, raised: &ExceptionSlot) -> PyResult<(Problem, bool)> {
        match self {
            Self::Scenario(fittings) => {
                let with = &fittings.get().problem;
                let mut problem = match with.moving() {
                    Some(inside) => problem.inside(inside.clone()).map_err(|e| of_inside(&e))?,
                    None => problem,
                };
                for control in with.control_loops() {
                    problem = problem.controlled(control.clone());
                }
                Ok((problem, false))
            }
            Self::Given(inside, controllers) => {
                let mut calls_python = false;
                let mut problem = match inside {
                    Some(part) => {
                        let physical = problem.inertia().is_physical();
                        let inside = part.build(physical, raised, &mut calls_python)?;
                        problem.inside(inside).map_err(|e| of_inside(&e))?
                    }
                    None => problem,
                };
                let wheels = problem.moving().map_or_else(Vec::new, |i| i.wheels().to_vec());
                for part in controllers {
                    let control = part.build(&wheels, raised, &mut calls_python)?;
                    control.check(&problem).map_err(|e| of_control(&e))?;
                    problem = problem.controlled(control);
                }
                Ok((problem, calls_python))
            }
        }
    }
}

impl InsidePart {
    fn build(
        self,
        physical: bool,
        raised: &ExceptionSlot,
        calls_python: &mut bool,
    ) -> PyResult<Inside> {
        let Self(wheels, rate, quality, damper, varying, between) = self;
        let fail = |error: InsideError| of_inside(&error);
        let mut inside = Inside::default();
        for WheelPart(axis, inertia, speed, driven, torque, most, fastest, viscous, coulomb) in
            wheels
        {
            let mut wheel = Wheel::new(axis, inertia, speed).map_err(fail)?;
            if driven {
                wheel = wheel.driven();
            }
            if let Some(torque) = torque {
                wheel = wheel.torque(torque).map_err(fail)?;
            }
            if let Some(limit) = most {
                wheel = wheel.torque_limit(limit).map_err(fail)?;
            }
            if let Some(limit) = fastest {
                wheel = wheel.speed_limit(limit).map_err(fail)?;
            }
            if viscous.is_some() || coulomb.is_some() {
                let friction = (viscous.unwrap_or(0.0), coulomb.unwrap_or(0.0));
                wheel = wheel.friction(friction.0, friction.1).map_err(fail)?;
            }
            inside = inside.wheel(wheel);
        }
        match (rate, quality) {
            (Some(rate), _) => inside = inside.dissipation(Dissipation::rate(rate).map_err(fail)?),
            (None, Some(quality)) => {
                inside = inside.dissipation(Dissipation::quality(quality).map_err(fail)?);
            }
            (None, None) => {}
        }
        if let Some((inertia, coefficient)) = damper {
            inside = inside.damper(BallDamper::new(inertia, coefficient).map_err(fail)?);
        }
        let Some(varying) = varying else { return Ok(inside) };
        let law = varying.build(physical, &between, raised, calls_python)?;
        Ok(inside.varying(if physical { law } else { law.allow_unphysical() }))
    }
}

impl VaryingPart {
    /// Moments that no body has are refused where those of the body itself are of one.
    fn build(
        self,
        physical: bool,
        between: &str,
        raised: &ExceptionSlot,
        calls_python: &mut bool,
    ) -> PyResult<VaryingInertia> {
        let interpolation = Interpolation::named(between).ok_or_else(|| {
            let names = Interpolation::NAMES.join(", ");
            invalid("interpolation", &format!("interpolation = '{between}': one of {names}"))
        })?;
        let law = match self {
            Self::Expressions(texts) => {
                let formula = |text: &String| {
                    Formula::new(text, &Constants::new()).map_err(|e| invalid("inertia", &e))
                };
                let formulas = [formula(&texts[0])?, formula(&texts[1])?, formula(&texts[2])?];
                VaryingInertia::moments(formulas)
            }
            Self::Rows(rows) => {
                let table = VectorTable::new(&rows, interpolation, Beyond::Error);
                VaryingInertia::moments(table.map_err(|e| invalid("inertia", &e))?)
            }
            Self::Function(function) => {
                *calls_python = true;
                let raised = raised.clone();
                Ok(VaryingInertia::function(move |t| called(&function, t, physical, &raised)))
            }
        };
        law.map_err(|error| of_inside(&error))
    }
}

/// The inertia that a callable gives: three moments or nine entries.
fn called(
    function: &Py<PyAny>,
    t: f64,
    physical: bool,
    raised: &ExceptionSlot,
) -> Result<Inertia, InertiaError> {
    let numbers: Option<Vec<f64>> =
        raised.catch(|| Python::attach(|py| function.bind(py).call1((t,))?.extract()));
    Inertia::from_slice(&numbers.unwrap_or_default(), !physical)
}

impl ControllerPart {
    fn build(
        self,
        wheels: &[Wheel],
        raised: &ExceptionSlot,
        calls_python: &mut bool,
    ) -> PyResult<ControlLoop> {
        let Self(law, period, delay, dipole_limit, thrust, shortest, field) = self;
        let fail = |error: ControlError| of_control(&error);
        let mut control = match law {
            LawPart::Magnetic(kind, gain) if kind == BDot::KIND => {
                let law = BDot::new(gain).map_err(fail)?;
                ControlLoop::new(period, move || law)
            }
            LawPart::Magnetic(kind, gain) if kind == MomentumDump::KIND => {
                let law = MomentumDump::new(gain).map_err(fail)?;
                ControlLoop::new(period, move || law)
            }
            LawPart::Magnetic(kind, _) => {
                let known = [BDot::KIND, MomentumDump::KIND].join(" or ");
                let told =
                    format!("controller: '{kind}' is no law with a gain; allowed is {known}");
                return Err(PyValueError::new_err(told));
            }
            LawPart::Pointing(target, stiffness, damping, by_wheels) => {
                let fixed = |q: [f64; 4]| Target::Fixed(so3::from_wxyz(q));
                let target = target.map_or(Target::Nadir, fixed);
                let mut law = PdQuaternion::new(target, stiffness, damping).map_err(fail)?;
                if by_wheels {
                    law = law.by_wheels(wheels).map_err(fail)?;
                }
                let control = ControlLoop::new(period, move || law);
                if by_wheels { control.map(ControlLoop::internal) } else { control }
            }
            LawPart::Function(function) => {
                *calls_python = true;
                let raised = raised.clone();
                let make = move || {
                    Python::attach(|py| CallableController {
                        function: function.clone_ref(py),
                        raised: raised.clone(),
                    })
                };
                ControlLoop::new(period, make)
            }
        }
        .map_err(fail)?
        .delayed(delay)
        .map_err(fail)?;
        if let Some(limit) = dipole_limit {
            control = control.dipole_limit(limit).map_err(fail)?;
        }
        if let Some(thrust) = thrust {
            control = control.thrusters(Thrusters::new(thrust, shortest).map_err(fail)?);
        }
        if let Some(field) = field {
            control = control.field(VectorSource::from(field));
        }
        Ok(control)
    }
}

/// A controller that is a callable. What it raises ends the run.
struct CallableController {
    function: Py<PyAny>,
    raised: ExceptionSlot,
}

/// Torque, dipole and motors, as the Python part makes them of what the callable returns.
type Answer = ([f64; 3], [f64; 3], Vec<f64>);

impl Controller for CallableController {
    fn command(&mut self, at: &ControllerInput<'_>) -> Command {
        let answer: Option<Answer> = self.raised.catch(|| {
            Python::attach(|py| {
                let vector = |v: [f64; 3]| PyArray1::from_slice(py, &v);
                let (m, q) = (vector(at.state.m.to_array()), at.state.attitude());
                let field = at.field.map(|field| vector(field.to_array()));
                let wheels = PyArray1::from_slice(py, at.wheels);
                let omega = vector(at.omega.to_array());
                let q = PyArray1::from_slice(py, &q);
                for array in [&m, &omega, &q, &wheels] {
                    array.readwrite().make_nonwriteable();
                }
                let answer: Answer =
                    self.function.bind(py).call1((at.t, m, q, omega, wheels, field))?.extract()?;
                let (asked, there) = (answer.2.len(), at.wheels.len());
                if asked > there {
                    return Err(PyValueError::new_err(format!(
                        "motors: {asked} torques at t = {:?}, and there are {there} wheels",
                        at.t
                    )));
                }
                Ok(answer)
            })
        });
        let Some((torque, dipole, asked)) = answer else { return Command::default() };
        let mut command = Command::motors(&asked);
        (command.torque, command.dipole) = (torque.into(), dipole.into());
        command
    }
}
