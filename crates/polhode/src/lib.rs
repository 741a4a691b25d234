//! Rigid-body rotation, computed exactly.
//!
//! ```
//! use polhode::{FreeMotion, Inertia, State};
//!
//! let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
//! let motion = FreeMotion::new(&inertia, State::aligned([0.01, 2.0, 0.0])?)?;
//! let later = motion.at(1e6)?; // as good as motion.at(1.0)
//! assert!((later.m.length() - motion.start().m.length()).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//! `m` is the angular momentum in the body frame, `omega = I^-1 m`, and `q` the attitude, an active
//! Hamilton quaternion from body to space coordinates:
//! `m' = m x omega + torque`, `q' = q (0, omega)/2`. Arrays of quaternions have the scalar first.
//! Units are the caller's.
#![deny(unsafe_code)]
// What only ensembles use sits beside what it belongs to, not behind a feature item by item.
#![cfg_attr(any(not(feature = "ensemble"), test), allow(dead_code, unused_imports))]

mod catalog;
pub mod cite;
mod columns;
pub mod composition;
pub mod control;
// Their kernels, for every width of lanes, take most of the time that this crate takes to compile; they
// are tested from outside, so the tests inside are built without them.
#[cfg(all(feature = "ensemble", not(test)))]
pub mod ensemble;
mod errors;
pub mod formula;
mod free;
mod inertia;
pub mod inside;
pub mod method;
pub mod observe;
pub mod parameters;
pub mod periods;
mod point;
mod problem;
pub mod rotor;
mod run;
mod scale;
pub mod shape;
pub mod so3;
pub mod solve;
mod state;
mod stop;
pub mod table;
pub mod tangent;
mod threads;
pub mod torque;

pub use catalog::{Catalog, CatalogEntry, EntryKind, catalog};
pub use errors::Errors;
pub use free::{FreeMotion, FreeMotionError, Regime};
pub use inertia::{Inertia, InertiaError, InertiaOver};
pub use method::StepError;
#[doc(hidden)]
pub use point::PhasePoint;
pub use point::Point;
pub use problem::Problem;
pub use run::{IntoMethod, Plan, PlanError, RunError, SimulateError, Summary, run, run_from};
pub use solve::{Solution, SolveError, Solver};
pub use state::{State, StateError};
pub use stop::{Control, Interruption, Stop};
pub use tangent::Tangent;
pub use torque::Torque;

pub use glam;
#[cfg(feature = "ensemble")]
#[doc(hidden)]
pub use threads::start_shared_threads;
pub use threads::{MAX_THREADS, default_threads};

/// The example of this package's README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
