//! The compiled part of the Python package `polhode`.
//!
//! Everything here takes flat arrays of doubles, checked and broadcast by the Python part
//! (`python/polhode`), which is what users see and where the documentation is.

mod arrays;
mod at_times;
mod body;
mod check;
mod compare;
mod compiled;
mod elliptic;
mod ensemble;
mod errors;
mod fit;
mod fittings;
mod free;
mod function;
mod method;
mod observe;
mod scenario;
mod simulate;
mod so3;
mod solve;
mod step;
mod tables;
mod tangent;
mod threads;
mod torque;
mod view;

use pyo3::prelude::*;

/// The compiled part of polhode; use the package `polhode`.
#[pymodule]
mod _polhode {
    #[pymodule_export]
    use crate::body::StartingBody;
    #[pymodule_export]
    use crate::check::{CheckReport, check, convergence};
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::elliptic::explain;
    #[pymodule_export]
    use crate::ensemble::{Bodies, ensemble, free_ensemble, motion_constants, solved_ensemble};
    #[pymodule_export]
    use crate::fit::{Filter, Fit, fit};
    #[pymodule_export]
    use crate::fittings::ScenarioFittings;
    #[pymodule_export]
    use crate::free::{FreeMotion, matrices, to_space};
    #[pymodule_export]
    use crate::method::Method;
    #[pymodule_export]
    use crate::observe::{intervals, observe};
    #[pymodule_export]
    use crate::scenario::{
        Scenario, ScenarioMargin, ScenarioTorque, load_mesh, mesh, momentum_of_periods, points,
        solid,
    };
    #[pymodule_export]
    use crate::simulate::simulate;
    #[pymodule_export]
    use crate::so3::{so3_dexp, so3_dexpinv, so3_dlog, so3_exp, so3_hat, so3_log};
    #[pymodule_export]
    use crate::solve::{Solution, solve};
    #[pymodule_export]
    use crate::step::step;
    #[pymodule_export]
    use crate::tables::{methods, solvers, torques};
    #[pymodule_export]
    use crate::tangent::{
        TangentSolution, check_tangent, covariance, lyapunov, simulate_tangent, solve_tangent,
        step_tangent, torque_parameters,
    };
    #[pymodule_export]
    use crate::torque::{check_torque, conserves_energy};
    #[pymodule_export]
    use crate::view::page;

    /// The universal functions.
    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        crate::elliptic::add_to(module)
    }

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
