//! Methods: how a problem is stepped through time.
//!
//! A method is either a pair `scheme+rotor` (a splitting into free motion and kicks), a rotor alone
//! for a free body, a preset, or one of the methods of this module.

mod build;
mod cf4;
mod claims;
mod custom;
mod error;
mod krysl;
mod krysl_euler;
mod krysl_pairs;
mod krysl_peers;
mod newton;
mod rk4;
mod rkmk;
mod rkmk4;
mod rkmk_chart;
mod splitting;
mod stages;
mod start;
mod step_number;
mod tableaux;
mod turn;
mod update;

pub use build::{Method, PRESETS};
pub use claims::{Derivatives, Keeps, Order, RestoreError, StepError};
pub use custom::Custom;
pub use error::MethodError;
pub use newton::EquationSolver;
pub use rkmk::Rkmk;
pub(crate) use stages::{FreeFlow, KickMemory, SchemeStep};
pub use tableaux::{Tableau, TableauError};

use crate::State;
use crate::cite::Citation;
use crate::parameters::{MethodParameter, Parameters};
use crate::problem::Problem;
use crate::torque::Dependence;

/// What a step cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepReport {
    /// Evaluations of the torque.
    pub torque_evaluations: u32,
    /// Iterations of an implicit solve, over all its stages.
    pub iterations: u32,
}

impl StepReport {
    /// The cost in evaluations of the torque and, of an implicit method, iterations.
    pub const fn new(torque_evaluations: u32, iterations: u32) -> Self {
        Self { torque_evaluations, iterations }
    }
}

/// A method at work on a problem.
///
/// It may carry numbers from step to step (a warm start, the digits that compensated summation saves,
/// a torque that the next step begins with).
pub trait Stepper: Send {
    /// Advances the state from t to t + h, h of either sign. No allocation.
    ///
    /// # Errors
    /// [`StepError`]; the state is then untouched.
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError>;

    /// Forgets what is carried from step to step: call it after a change of the state, or of the
    /// problem, from outside. A step that fails may forget it too.
    fn reset(&mut self) {}

    /// The numbers that the state has beside momentum and attitude, where something moves inside the body
    /// ([`crate::inside`]): the momenta of driven wheels about their axes, then that of a damper's ball in space.
    fn inside(&self) -> &[f64] {
        &[]
    }

    /// From now on the motors of the wheels, in their order, have these torques.
    fn command(&mut self, _motors: &[f64]) {}

    /// What is carried, as numbers: with these in a new stepper a run goes on bit for bit.
    fn carried(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes up what [`Stepper::carried`] gave.
    ///
    /// # Errors
    /// [`RestoreError`] if this method carries another count of numbers.
    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        RestoreError::unless_empty(carried)
    }
}

/// A method that is not a splitting: what it is, what it keeps, whom to cite, how to build it.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodEntry {
    /// Its name everywhere: command line, scenario, Python, C.
    pub id: &'static str,
    /// One line on what it is.
    pub title: &'static str,
    /// Its order, for given parameters.
    pub order: fn(&Parameters) -> Order,
    /// What it keeps of a free body's motion.
    pub keeps: Keeps,
    /// The most general torque it accepts.
    pub accepts: Dependence,
    /// What may follow the id.
    pub parameters: &'static [MethodParameter],
    /// The publications to cite for it.
    pub cites: &'static [Citation],
    /// Builds the stepper for a problem.
    pub build: fn(&Problem, &Parameters) -> Box<dyn Stepper>,
}

/// Every method that is not a splitting.
pub static METHODS: &[&MethodEntry] = &[
    &rk4::ENTRY,
    &rkmk4::ENTRY,
    &cf4::ENTRY,
    &rkmk::ENTRY,
    &krysl_pairs::TRAP,
    &krysl_pairs::IMID,
    &krysl_pairs::TRAPM,
    &krysl_pairs::IMIDM,
    &krysl_peers::AKW,
    &krysl_peers::SWC1,
    &krysl_peers::BBTRAP,
    &krysl_peers::BBTRAPWD,
    &krysl_euler::FE,
    &krysl_euler::BE,
    &krysl_euler::FEM,
    &krysl_euler::BEM,
];
