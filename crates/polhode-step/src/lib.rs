#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("polhode-step needs square roots: enable the feature `std` or `libm`");

mod arithmetic;
mod convert;
#[doc(hidden)]
pub mod formula;
mod inertia;
mod step;
mod vector;

pub use arithmetic::{Arithmetic, Float};
pub use convert::{QuaternionLike, VectorLike};
pub use inertia::Inertia;
pub use step::{step, step_body};
