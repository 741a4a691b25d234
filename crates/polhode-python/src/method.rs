//! Methods by name, and of the user's own coefficients.

use polhode::composition::{Scheme, Stage};
use polhode::method::{Custom, Tableau};
use pyo3::prelude::*;

use crate::errors::invalid;

/// A method with its parameters.
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Method {
    pub(crate) method: polhode::method::Method,
}

#[pymethods]
impl Method {
    /// The method of a text, which has come in that argument.
    #[staticmethod]
    fn parse(argument: &str, text: &str) -> PyResult<Self> {
        let method = polhode::method::Method::parse(text).map_err(|e| invalid(argument, &e))?;
        Ok(Self { method })
    }

    /// The splitting method of these stages: a word ("drift", "kick" or "gradient") and one or two numbers
    /// each.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn splitting(
        id: String,
        order: u32,
        stages: Vec<(String, f64, f64)>,
        attitude_only: bool,
        rotor: &str,
        compensated: bool,
    ) -> PyResult<Self> {
        let stages = stages.iter().map(|(word, part, gradient)| match word.as_str() {
            "drift" => Stage::Drift(*part),
            "kick" => Stage::Kick(*part),
            _ => Stage::Gradient(*part, *gradient),
        });
        let scheme = Scheme::new(id, order, stages.collect::<Vec<_>>()).map_err(|error| {
            use polhode::composition::SchemeError::{Id, Order};
            let argument = match error {
                Id { .. } => "id",
                Order { .. } => "order",
                _ => "stages",
            };
            invalid(argument, &error)
        })?;
        let scheme = if attitude_only { scheme.for_torques_of_attitude() } else { scheme };
        let method = polhode::method::Method::splitting(scheme, rotor);
        let method = if compensated {
            method.and_then(polhode::method::Method::compensated)
        } else {
            method
        };
        Ok(Self { method: method.map_err(|e| invalid("rotor", &e))? })
    }

    /// The Munthe-Kaas Runge-Kutta method of a tableau.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn tableau(
        id: String,
        order: u32,
        a: Vec<Vec<f64>>,
        b: Vec<f64>,
        c: Vec<f64>,
    ) -> PyResult<Self> {
        let rows: Vec<&[f64]> = a.iter().map(Vec::as_slice).collect();
        let tableau = Tableau::new(&rows, &b, &c).map_err(|error| {
            use polhode::method::TableauError::{NotFinite, Row, Size};
            let argument = match &error {
                Size { part, .. } | NotFinite { part } if part == "c" => "c",
                Size { part, .. } | NotFinite { part } if part != "b" => "a",
                Row { .. } => "a",
                _ => "b",
            };
            invalid(argument, &error)
        })?;
        Ok(Self { method: Custom::tableau(id, order, tableau).into() })
    }

    /// As it is written.
    #[getter]
    fn name(&self) -> String {
        self.method.to_string()
    }
}
