//! Solutions to a given accuracy: no method, no step, states at any time of the span, events.
//!
//! ```
//! use polhode::{Inertia, Problem, State, torque::HeavyTop};
//! let start = State::aligned([10.0, 50.0, 60.0])?;
//! let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start).torque(HeavyTop::lagrange(1.0)?);
//! let solution = top.solve(1.0, 1e-10)?;
//! let halfway = solution.at(0.5)?;
//! let (t, end) = solution.end();
//! assert_eq!(t, 1.0);
//! assert!((top.energy(t, &end) / top.energy(0.0, &start) - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How data flows: [`Solver`] checks what is asked for and chooses an engine (`engine.rs`); `drive.rs` makes the steps
//! that `course.rs` decides on, in the lengths of `pace.rs`, shows them to the events (`watch.rs`) and keeps them
//! (`storage.rs`) for a [`Solution`]. For many bodies `together.rs` does the same side by side. The engines are the
//! extrapolated midpoint rule (`extrapolation.rs`, its steps `step.rs`, of several bodies `bodies.rs`, both by the
//! leapfrog of `leapfrog.rs`, torques compiled into it `field.rs`, plans as data `sequences.rs`), Dop853 for torques
//! that are called and formulas that jump or bend, and the closed form of a free body; `choice.rs` chooses.

mod aim;
mod bodies;
mod check;
mod choice;
mod closed_form;
mod closure_torque;
mod course;
mod dop853;
pub(crate) mod dop853_coefficients;
mod drive;
mod engine;
mod error;
mod event;
mod extrapolation;
mod field;
mod general_field;
mod gyrostat;
mod leapfrog;
mod nudge;
mod pace;
mod roots;
mod rounding;
mod sequences;
mod solution;
mod solver;
mod step;
mod storage;
mod strength;
#[cfg(all(feature = "ensemble", not(test)))]
mod together;
mod watch;

#[doc(hidden)]
pub use aim::counted_at_end;
pub use closure_torque::ClosureTorque;
pub use error::{MAX_TOLERANCE, MIN_TOLERANCE, SolveError, TimeError};
pub use event::{Change, Direction, Event, EventPoint};
pub use rounding::rounding;
pub use solution::{Solution, Statistics};
pub use solver::Solver;
#[doc(hidden)]
pub use solver::{BETTER, is_better};

pub(crate) use choice::{ChooseField, OrbitForm, PullForm};
#[cfg(all(feature = "ensemble", not(test)))]
pub(crate) use together::solve_all;

use core::fmt;
use core::str::FromStr;

use crate::cite::Citation;
use crate::method::{Derivatives, Keeps, Order};
use crate::parameters::suggestion;
use crate::rotor::ROTORS;
use crate::torque::Dependence;
use crate::{CatalogEntry, EntryKind, Problem};

/// A way to solve a problem to a given accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SolveMethod {
    /// The extrapolated midpoint rule of order 8 or 14, with the torque compiled into it: `extrapolation`. It does
    /// not look at the end of a step: times at which a torque jumps must be named to it.
    Extrapolation,
    /// The method of order 8 of Dormand and Prince, of few evaluations: `dop853`. It looks at the end of its steps,
    /// and so finds where a torque jumps.
    Dop853,
    /// The exact motion of a free body, and of one that rests where no torque acts on it: `closed-form`.
    ClosedForm,
}

impl SolveMethod {
    /// Every way to solve.
    pub const ALL: [Self; 3] = [Self::Extrapolation, Self::Dop853, Self::ClosedForm];

    /// Its name in the program, scenarios, Python and C, and in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Extrapolation => "extrapolation",
            Self::Dop853 => "dop853",
            Self::ClosedForm => "closed-form",
        }
    }

    /// What the catalogue says of it.
    pub(crate) fn entry(self) -> CatalogEntry {
        let (title, order, cites) = match self {
            Self::Extrapolation => (
                "extrapolated midpoint rule, all sequences in SIMD lanes: for torques of this library",
                Order::Of(sequences::LONG.order.unsigned_abs()),
                vec![
                    Citation { key: "Gragg1965", at: "the midpoint rule and its series in h^2" },
                    Citation { key: "HairerNorsettWanner1993", at: "section II.9" },
                ],
            ),
            Self::Dop853 => (
                "embedded Runge-Kutta method of few evaluations: for torques that are called or jump",
                Order::Of(8),
                vec![
                    Citation { key: "PrinceDormand1981", at: "the method of order 8" },
                    Citation {
                        key: "HairerNorsettWanner1993",
                        at: "sections II.5 and II.6, error estimate and dense output",
                    },
                ],
            ),
            Self::ClosedForm => (
                "exact motion in theta functions: for free bodies",
                Order::Exact,
                ROTORS
                    .iter()
                    .filter(|rotor| rotor.id == "exact")
                    .flat_map(|r| r.cites)
                    .copied()
                    .collect(),
            ),
        };
        let free = self == Self::ClosedForm;
        CatalogEntry {
            kind: EntryKind::Solver,
            id: self.id(),
            title,
            order,
            orders: None,
            // The others keep everything to their tolerance, and nothing beyond.
            keeps: Some(if free { Keeps::ALL } else { Keeps::NOTHING }),
            accepts: if free { Dependence::None } else { Dependence::Momentum },
            // Several bodies side by side, under any torque of this library.
            in_lanes: self == Self::Extrapolation,
            // By the variational equations, whatever the method.
            derivatives: Derivatives::Inertia,
            scheme: None,
            parameters: &[],
            cites,
        }
    }

    /// The publications to cite for it.
    pub fn cites(self) -> Vec<Citation> {
        self.entry().cites
    }
}

impl fmt::Display for SolveMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for SolveMethod {
    type Err = SolveError;

    fn from_str(id: &str) -> Result<Self, SolveError> {
        Self::ALL.into_iter().find(|method| method.id() == id).ok_or_else(|| SolveError::Method {
            method: id.to_owned(),
            reason: format!(
                "there is none of that name{}",
                suggestion(&Self::ALL.map(Self::id), id)
            ),
        })
    }
}

impl Problem {
    /// The motion from the start until a time, before or after it, to this accuracy: the error at the end, of
    /// the momentum relative to its length and of the attitude in radians.
    ///
    /// # Errors
    /// [`SolveError`] if a number is out of range, or the accuracy cannot be reached.
    pub fn solve(&self, until: f64, tolerance: f64) -> Result<Solution, SolveError> {
        self.solver().tolerance(tolerance).until(until)
    }

    /// A solver to which more can be said: times, events, a method; [`Solver::until`] runs it.
    pub fn solver(&self) -> Solver<'_> {
        Solver::new(self)
    }
}
