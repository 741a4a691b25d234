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
        /// The name that was given.
        given: String,
        /// What there is, or what may have been meant.
        known: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// What is there is not a folder.
    #[error("{} is not a folder", .path.display())]
    NotAFolder {
        /// The path that was to be a folder.
        path: PathBuf,
    },
    /// A data file of a driver does not say what it must.
    #[error("{}, line {line}: {message}", .path.display())]
    Data {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1; 0 for the file as a whole.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A figure could not be drawn.
    #[error(transparent)]
    Plot(#[from] polhode_plot::PlotError),
    /// No body has the inertia of an experiment.
    #[error(transparent)]
    Inertia(#[from] InertiaError),
    /// No body starts like an experiment.
    #[error(transparent)]
    State(#[from] StateError),
    /// The torque of an experiment cannot be built.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// A method cannot be built, or does not accept the torque.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A rotor cannot be built for the body.
    #[error(transparent)]
    Rotor(#[from] BuildError),
    /// A span cannot be divided into the steps asked for.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A single step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A run ended before its end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A motion cannot be solved to a tolerance.
    #[error(transparent)]
    Solve(#[from] polhode::solve::SolveError),
    /// A solution does not reach to a time.
    #[error(transparent)]
    Time(#[from] polhode::solve::TimeError),
    /// A free motion cannot be computed.
    #[error(transparent)]
    Free(#[from] FreeMotionError),
    /// An elliptic function was asked for outside its domain.
    #[error(transparent)]
    Elliptic(#[from] polhode_elliptic::DomainError),
    /// The claims could not be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A table could not be written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}
