//! The panels of a plot: what of a run is drawn.

use polhode::observe::Observable;
use polhode::{Inertia, Problem};
use polhode_view::{Film, FilmMoment, Look};

use crate::shown;

/// A picture of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PanelKind {
    Momentum,
    Omega,
    Attitude,
    Euler,
    /// The path of a principal axis in space, 0 to 2.
    Axis(usize),
    Pointing,
    Polhode,
    Herpolhode,
    Energy,
    /// One of the columns that are watched.
    Watched(usize),
}

/// The names of panels, beside those of what is watched.
pub(super) const PANELS: &[&str] = &[
    "momentum",
    "omega",
    "attitude",
    "euler",
    "axis",
    "axis1",
    "axis2",
    "axis3",
    "pointing",
    "polhode",
    "herpolhode",
    "energy",
];

impl PanelKind {
    /// The panel of this name.
    fn named(name: &str, inertia: &Inertia, columns: &[(String, Observable)]) -> Option<Self> {
        Some(match name {
            "momentum" => Self::Momentum,
            "omega" => Self::Omega,
            "attitude" => Self::Attitude,
            "euler" => Self::Euler,
            "axis" => Self::Axis(principal_axis(inertia)),
            "axis1" => Self::Axis(0),
            "axis2" => Self::Axis(1),
            "axis3" => Self::Axis(2),
            "pointing" => Self::Pointing,
            "polhode" => Self::Polhode,
            "herpolhode" => Self::Herpolhode,
            "energy" => Self::Energy,
            name => Self::Watched(columns.iter().position(|(column, _)| column == name)?),
        })
    }

    /// The panels asked for.
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub(super) fn chosen(
        names: &[String],
        problem: &Problem,
        columns: &[(String, Observable)],
    ) -> Result<Vec<Self>, String> {
        if names.is_empty() {
            return Ok(Self::usual(problem, columns));
        }
        let read = |name: &String| {
            let found = Self::named(name, problem.inertia(), columns);
            let knows = found != Some(Self::Pointing) || knows_nadir(problem);
            found.filter(|_| knows).ok_or_else(|| {
                let watched = columns.iter().map(|(name, _)| name.as_str());
                let all: Vec<&str> = PANELS.iter().copied().chain(watched).collect();
                let why = if knows { "no such panel" } else { "there is no planet to point to" };
                format!("[output] plot: '{name}': {why}; one of {}", all.join(", "))
            })
        };
        names.iter().map(read).collect()
    }

    /// What suits a problem.
    fn usual(problem: &Problem, columns: &[(String, Observable)]) -> Vec<Self> {
        let mut panels = if problem.torques().is_none() {
            vec![Self::Momentum, Self::Polhode]
        } else if Look::usual(problem.torques()) == Look::Top {
            vec![Self::Axis(principal_axis(problem.inertia())), Self::Momentum]
        } else if knows_nadir(problem) && columns.is_empty() {
            vec![Self::Pointing, Self::Omega]
        } else if columns.is_empty() {
            vec![Self::Omega, Self::Attitude]
        } else {
            vec![Self::Omega]
        };
        panels.extend((0..columns.len()).map(Self::Watched));
        panels
    }
}

/// The axis of a top: that of symmetry, or the third.
fn principal_axis(inertia: &Inertia) -> usize {
    let moments = inertia.moments();
    (0..3)
        .rev()
        .find(|&k| (moments[(k + 1) % 3] / moments[(k + 2) % 3] - 1.0).abs() < 0.02)
        .unwrap_or(2)
}

fn knows_nadir(problem: &Problem) -> bool {
    let start = FilmMoment { t: problem.t0(), state: problem.start() };
    let film = Film::new(problem.inertia(), [start]);
    film.is_ok_and(|film| shown::formula(&film, problem, "dot(X, nadir)").is_some())
}
