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

/// A name of a panel, and which panel it is for a body.
type NamedPanel = (&'static str, fn(&Inertia) -> PanelKind);

/// All panels by name, beside those of what is watched.
const PANELS: [NamedPanel; 12] = [
    ("momentum", |_| PanelKind::Momentum),
    ("omega", |_| PanelKind::Omega),
    ("attitude", |_| PanelKind::Attitude),
    ("euler", |_| PanelKind::Euler),
    ("axis", |inertia| PanelKind::Axis(principal_axis(inertia))),
    ("axis1", |_| PanelKind::Axis(0)),
    ("axis2", |_| PanelKind::Axis(1)),
    ("axis3", |_| PanelKind::Axis(2)),
    ("pointing", |_| PanelKind::Pointing),
    ("polhode", |_| PanelKind::Polhode),
    ("herpolhode", |_| PanelKind::Herpolhode),
    ("energy", |_| PanelKind::Energy),
];

/// The names of all panels but those of what is watched.
pub(crate) const PANEL_NAMES: [&str; PANELS.len()] = {
    let mut names = [""; PANELS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PANELS[i].0;
        i += 1;
    }
    names
};

impl PanelKind {
    /// The panel of this name.
    fn named(name: &str, inertia: &Inertia, columns: &[(String, Observable)]) -> Option<Self> {
        if let Some((_, panel)) = PANELS.iter().find(|(known, _)| *known == name) {
            return Some(panel(inertia));
        }
        columns.iter().position(|(column, _)| column == name).map(Self::Watched)
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
                let all: Vec<&str> = PANEL_NAMES.into_iter().chain(watched).collect();
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
    let start = FilmMoment::new(problem.t0(), problem.start());
    let film = Film::new(problem.inertia(), [start]);
    film.is_ok_and(|film| shown::formula(&film, problem, "dot(X, nadir)").is_some())
}
