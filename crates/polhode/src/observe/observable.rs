//! Numbers that a user wants to watch: angles, components, energies, areas, and whatever is computed from them.

use std::collections::BTreeMap;

use super::scope::{self, Terms};
use super::term::{NamedDirection, Term};
use crate::formula::{Formula, FormulaError};
use crate::problem::Problem;
use crate::torque::{Torque, VectorSource};
use crate::{Point, State};

/// Vectors of space by their names: constant, formulas, or tables over time.
pub type Directions = BTreeMap<String, VectorSource>;

/// What observables are read in: the torque, which may have a potential and an orbit, directions, and observables
/// that were named before.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Surroundings<'a> {
    /// What acts on the body.
    pub torque: &'a Torque,
    /// Directions that the user has named.
    pub directions: &'a Directions,
    /// Observables that may be named in others.
    pub named: &'a [(String, Observable)],
}

/// A number that follows from time and state.
///
/// ```
/// use polhode::observe::{Directions, Observable, Surroundings};
/// use polhode::{Inertia, Problem, State, Torque};
/// let (torque, directions) = (Torque::none(), Directions::new());
/// let around = Surroundings::new(&torque, &directions);
/// let tilt = Observable::new("deg(angle(z, momentum))", &around)?;
///
/// let start = State::aligned([1.0, 0.0, 1.0])?;
/// let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, start);
/// assert!((tilt.value(&problem, 0.0, &start) - 45.0).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Observable {
    formula: Formula,
    terms: Vec<Term>,
}

impl Observable {
    /// The observable of a text.
    ///
    /// # Errors
    /// [`FormulaError`] with the place of the mistake.
    pub fn new(text: &str, around: &Surroundings<'_>) -> Result<Self, FormulaError> {
        Self::read(text, false, around)
    }

    pub(super) fn read(
        text: &str,
        compares: bool,
        around: &Surroundings<'_>,
    ) -> Result<Self, FormulaError> {
        let mut terms = Terms { around, found: Vec::new() };
        let formula = Formula::in_scope(text, compares, &mut terms)?;
        Ok(Self { formula, terms: terms.found })
    }

    /// The text it was read from, as it was given.
    pub fn text(&self) -> &str {
        self.formula.text()
    }

    /// Its value. Where it has none, as the angle to a vector of length zero, it is not a number. Of a body in which
    /// something moves it is that with the wheels as at the start: see [`Observable::value_inside`].
    pub fn value(&self, problem: &Problem, t: f64, state: &State) -> f64 {
        if problem.interior().is_some() {
            return self.value_inside(problem, t, state, &problem.inside_at_start());
        }
        self.value_inside(problem, t, state, &[])
    }

    /// Its value where what moves inside the body has these numbers
    /// ([`Sample::inside`](super::Sample::inside)).
    pub fn value_inside(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        let omega = problem.interior().map(|_| problem.omega_inside(t, state, inside).to_array());
        let terms = self.terms.iter().map(|term| term.value(problem, t, state, inside));
        self.formula.evaluate_with(&problem.body(), t, &Point::from(state), omega, terms)
    }

    /// The greatest number of a wheel whose speed it names, 0 if it names none.
    pub fn last_wheel(&self) -> usize {
        let named = self.terms.iter().map(|term| match term {
            Term::Speed(number) => *number,
            Term::Named(observable) => observable.last_wheel(),
            _ => 0,
        });
        named.max().unwrap_or(0)
    }

    /// From when to when it is known, as far as tables of directions go; none if it is at all times.
    pub fn span(&self) -> Option<(f64, f64)> {
        let spans = self.terms.iter().flat_map(Term::directions).filter_map(|d| match d {
            NamedDirection::Given(source) => source.table()?.span(),
            _ => None,
        });
        let inner = self.terms.iter().filter_map(|term| match term {
            Term::Named(observable) => observable.span(),
            _ => None,
        });
        spans.chain(inner).reduce(|(a, b), (c, d)| (a.max(c), b.min(d)))
    }
}

impl<'a> Surroundings<'a> {
    /// What acts on the body, and directions that the user has named.
    pub fn new(torque: &'a Torque, directions: &'a Directions) -> Self {
        Self { torque, directions, named: &[] }
    }

    /// Adds observables that may be named in others.
    #[must_use]
    pub fn with_named(self, named: &'a [(String, Observable)]) -> Self {
        Self { named, ..self }
    }

    /// Whether a name is free for a direction or an observable of the user's: why not, if it is not.
    pub fn taken(name: &str) -> Option<&'static str> {
        scope::taken(name)
    }
}
