//! Why an experiment gives no result.

use std::path::PathBuf;

use polhode::method::MethodError;
use polhode::rotor::BuildError;
use polhode::torque::TorqueError;
use polhode::{FreeMotionError, InertiaError, PlanError, RunError, StateError, StepError};

/// Why an experiment gives no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// No paper or figure of that name.
    #[error("no paper or figure '{given}'; {known}")]
    Unknown {
        /// As given.
        given: String,
        /// What there is, or what may have been meant.
        known: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What is there is not a folder.
    #[error("{} is not a folder", .path.display())]
    NotAFolder {
        /// Which.
        path: PathBuf,
    },
    /// A data file of a driver does not say what it must.
    #[error("{}, line {line}: {message}", .path.display())]
    Data {
        /// Which.
        path: PathBuf,
        /// Where; 0 for the file as a whole.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A figure could not be drawn.
    #[error(transparent)]
    Plot(#[from] polhode_plot::PlotError),
    /// A body.
    #[error(transparent)]
    Inertia(#[from] InertiaError),
    /// A state.
    #[error(transparent)]
    State(#[from] StateError),
    /// A torque.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// A method.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A rotor.
    #[error(transparent)]
    Rotor(#[from] BuildError),
    /// A plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A step.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A free motion.
    #[error(transparent)]
    Free(#[from] FreeMotionError),
    /// An elliptic function.
    #[error(transparent)]
    Elliptic(#[from] polhode_elliptic::DomainError),
    /// Something could not be written as text.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A table could not be written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}
