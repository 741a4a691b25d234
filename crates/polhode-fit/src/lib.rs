//! What is this body, and how does it tumble?
//!
//! From angular velocities, attitudes or directions of known vectors: the inertia of a body (up to its scale, if it is
//! free), its state, and the uncertainty of both. No guess is needed, nor is the regime of the motion or a symmetry of
//! the body. What acts on it ([`FitOptions::torque`]) may have numbers that are unknown ([`Drive`]).
//!
//! ```
//! use polhode::{FreeMotion, Inertia, State};
//! use polhode_fit::{Data, FitOptions, fit};
//!
//! let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
//! let motion = FreeMotion::new(&inertia, State::aligned([0.8, 1.9, 0.6])?)?;
//! let times: Vec<f64> = (0..60).map(|i| 0.2 * f64::from(i)).collect();
//! // A gyro of three digits.
//! let rounded = |x: f64| (x * 1e3).round() / 1e3;
//! let gyro = |&t: &f64| motion.omega_at(t).map(|w| w.to_array().map(rounded));
//! let gyro = times.iter().map(gyro).collect::<Result<Vec<_>, _>>()?;
//!
//! let fit = fit(&Data::gyro(&times, &gyro), &FitOptions::default())?;
//! let ratio = fit.get("I1/I3").ok_or("every fit has it")?;
//! assert!((ratio.value - 0.4).abs() < 4.0 * ratio.deviation);
//! assert!(ratio.deviation < 0.01 && fit.doubts.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! The inertia is one minus the matrix P of the second moments of the mass, of trace one; P >= 0 is what "physical"
//! means, triangle inequality included (`shape`). Starts come from direct multiple shooting (`segments`), from
//! the invariants of the samples (`invariants`), from the frequency of a wobble (`wobble`); they are followed from the
//! middle of the arc to its ends (`search`) by Levenberg's and Marquardt's iteration with exact derivatives
//! (`descend`). A start is accepted when nothing but noise is left (`white`). Under a torque (`forced`) the start is
//! that of Euler's equations over windows (`weak`), and the motion is solved with its derivatives (`driving`).
#![forbid(unsafe_code)]

mod convention;
mod count;
mod course;
mod data;
mod descend;
mod diagnose;
mod drive;
mod driving;
mod error;
mod estimate;
mod estimates;
mod filter;
mod filter_options;
mod fit;
mod follow;
mod forced;
mod guess;
mod information;
mod invariants;
mod linear;
mod loss;
mod model;
mod profile;
mod search;
mod segments;
mod sensor;
mod shape;
mod start;
mod weak;
mod white;
mod wobble;
mod words;

pub use data::{Data, DirectionMeasurements, FitOptions};
pub use drive::Drive;
pub use error::FitError;
pub use estimate::fit;
pub use filter::{Filter, Innovation};
pub use filter_options::FilterOptions;
pub use fit::{Estimate, Fit, Prediction, Rival};
pub use loss::Loss;
pub use sensor::{FitParameter, Sensor};
pub use weak::WeakForm;
pub use words::{Doubt, Indeterminacy};
