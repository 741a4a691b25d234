//! Ensembles as TOML files: a scenario for many bodies.
//!
//! ```toml
//! [bodies]
//! count = 10000                     # or file = "bodies.csv", beside this file
//! seed = 7                          # optional: another seed, other bodies
//! [body]                            # fixed as in a scenario, or drawn:
//! inertia = { law = "log-normal", about = [1.0, 2.0, 2.5], sigma = 0.1 }
//! [start]
//! omega = { law = "gaussian", mean = [0.0, 5.0, 0.0], sigma = 0.1 }
//! attitude = { law = "uniform" }
//! [torque]                          # optional, as in a scenario; [[torque]] for a sum
//! kind = "heavy-top"
//! [method]
//! id = "rkn6-14+exact"
//! step = 0.01
//! [run]
//! until = 10.0
//! every = 100
//! [watch]                           # optional, as in a scenario: columns; a comparison is one of 1 and 0
//! tilt = "deg(angle(z, Z))"
//! ```
//!
//! Bodies may have wheels, dissipation, a damper, moments that vary and controllers, as in a scenario; the speeds of
//! driven wheels are columns then.
//!
//! Without `[method]`, `[run] times = [1.0, 10.0, 1e6]`: free bodies are evaluated there in closed form, others are
//! solved to `[run] tolerance` (1e-10 unless given).

use std::path::{Path, PathBuf};

use super::error::ScenarioError;
use super::source::{Inline, ScenarioText, file_methods};
use super::watch::WatchList;
use super::{given, own, read_many, said, tables};
use polhode::ensemble::{Draw, Ensemble, EnsembleSolver, InertiaLaw};
use polhode::{Inertia, Plan, Torque};

/// An ensemble, read and checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EnsembleScenario {
    /// The name it was read under.
    pub name: String,
    /// The text it was read from, with what files that it names have become in overrides.
    pub text: String,
    /// The overrides (`--set`) that were applied to the text, in order.
    pub overrides: Vec<String>,
    /// Where the bodies come from.
    pub bodies: BodySource,
    /// What is done with them.
    pub work: Work,
    /// What is watched of each.
    pub watching: WatchList,
}

/// Where the bodies come from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodySource {
    /// Bodies drawn at random by laws and a seed.
    Drawn(Draw),
    /// Bodies from the rows of a table.
    #[non_exhaustive]
    Table {
        /// The file with the table; of a scenario that was read from a file, in the folder of that file
        /// unless its path is absolute.
        file: PathBuf,
        /// Their inertia, unless the table has it.
        inertia: Option<Inertia>,
        /// Whether inertia that no body can have is accepted.
        allow_unphysical: bool,
    },
}

impl BodySource {
    /// How many there are; none if only their source knows.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Drawn(draw) => Some(draw.count),
            Self::Table { .. } => None,
        }
    }

    /// The inertia that all of them have; none if they differ.
    pub fn inertia(&self) -> Option<&Inertia> {
        match self {
            Self::Drawn(draw) => match &draw.inertia {
                InertiaLaw::Fixed(inertia) => Some(inertia),
                _ => None,
            },
            Self::Table { inertia, .. } => inertia.as_ref(),
        }
    }
}

/// What is done with the bodies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Work {
    /// Steps of a method, under a torque or none.
    #[non_exhaustive]
    Steps {
        /// The method and the torque.
        ensemble: Box<Ensemble>,
        /// The method with all parameters.
        method_id: String,
        /// What acts on every body.
        torque: Torque,
        /// The step and how many.
        plan: Plan,
        /// Of how many steps one is kept.
        every: u64,
    },
    /// Free motion at these times.
    Times(Vec<f64>),
    /// Motion under a torque, solved to a tolerance, at these times.
    #[non_exhaustive]
    Solution {
        /// The tolerance and the torque.
        solver: Box<EnsembleSolver>,
        /// The error wanted at the last of the times.
        tolerance: f64,
        /// What acts on every body.
        torque: Torque,
        /// When states are wanted.
        times: Vec<f64>,
    },
}

impl Work {
    /// What acts on every body.
    pub fn torque(&self) -> Torque {
        match self {
            Self::Steps { torque, .. } | Self::Solution { torque, .. } => torque.clone(),
            Self::Times(_) => Torque::none(),
        }
    }

    /// How many steps are done, or how many times there are.
    pub fn count(&self) -> u64 {
        match self {
            Self::Steps { plan, .. } => plan.steps,
            Self::Times(times) | Self::Solution { times, .. } => times.len() as u64,
        }
    }

    /// The last time.
    pub fn end(&self) -> f64 {
        match self {
            Self::Steps { plan, .. } => plan.time(0.0, plan.steps),
            Self::Times(times) | Self::Solution { times, .. } => {
                times.last().copied().unwrap_or(0.0)
            }
        }
    }
}

impl EnsembleScenario {
    const INLINE: &[Inline] = &[own::inline, tables::inline, given::inline];

    file_methods!("an ensemble");

    fn read(source: &ScenarioText) -> Result<Self, ScenarioError> {
        Self::read_again(&source.text, &source.name, &source.overrides)
    }

    /// The ensemble of [`EnsembleScenario::text`], name and overrides of one that was read from a file.
    ///
    /// # Errors
    /// [`ScenarioError`] if what it says cannot be run.
    pub fn read_again(text: &str, name: &str, overrides: &[String]) -> Result<Self, ScenarioError> {
        let (text, path) = (text.to_owned(), Path::new(name));
        let source = ScenarioText { name: name.to_owned(), text, overrides: overrides.to_vec() };
        let mut scenario =
            read_many::ensemble(&source).map_err(|trouble| source.locate(*trouble))?;
        if let (BodySource::Table { file, .. }, Some(folder)) =
            (&mut scenario.bodies, path.parent())
        {
            *file = folder.join(&*file);
        }
        Ok(scenario)
    }

    /// What it says of what moves inside the bodies and controls them: see
    /// [`Scenario::inside_as_json`](crate::Scenario::inside_as_json).
    pub fn inside_as_json(&self) -> Vec<(&'static str, String)> {
        let Self { name, text, overrides, .. } = self.clone();
        said::inside(&ScenarioText { name, text, overrides })
    }

    /// The ensemble of a text; the name is for messages.
    ///
    /// # Errors
    /// [`ScenarioError`] if what it says cannot be run.
    ///
    /// ```
    /// use polhode_scenario::EnsembleScenario;
    /// let text = "
    /// bodies.count = 100
    /// body.inertia = { law = 'any', largest = 1.0 }
    /// start.momentum = { law = 'isotropc', length = 1.0 }
    /// run.times = [1.0, 10.0]
    /// ";
    /// let error = EnsembleScenario::parse(text, "many.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "many.toml:4: [start] momentum = { law = 'isotropc', length = 1.0 }: no law 'isotropc'; \
    ///      did you mean 'isotropic'?"
    /// );
    /// # Ok::<(), polhode_scenario::ScenarioError>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, ScenarioError> {
        let source =
            ScenarioText { name: name.to_owned(), text: text.to_owned(), overrides: Vec::new() };
        read_many::ensemble(&source).map_err(|trouble| source.locate(*trouble))
    }
}
