//! Numbers that kernels are written over.
//!
//! A kernel is a function `f<N: Number>(..)`. Over `f64` it computes for one body, over SIMD lanes for several at a
//! time, and over [`Dual`] it carries derivatives along:
//!
//! ```
//! use polhode_number::{Dual, Number, sin_cos};
//! fn height<N: Number>(angle: N) -> N {
//!     N::splat(1.0) - sin_cos(angle, N::splat(0.0)).1
//! }
//! let Dual { value, slopes } = height(Dual::<f64, 1>::variable(0.5, 0));
//! assert_eq!(value, height(0.5));
//! assert!((slopes[0] - sin_cos(0.5, 0.0).0).abs() < 1e-15);
//! ```
//!
//! Every operation is a single IEEE operation in each lane: no fused multiply-add, no approximate
//! reciprocal. A kernel chooses by [`Arithmetic::select`], lane by lane. So a lane has the same bits whatever
//! the width and whatever its neighbours hold, and the value of a dual has the bits of the plain number.
//!
//! Stable is what a torque of one's own is written with: [`Number`] with [`Arithmetic`] and [`Smooth`], [`Lift`] with
//! [`Splat`], [`Dual`], the functions of [`vector`], [`sin_cos`], and the error-free [`two_sum`] and [`two_prod`]; and
//! [`Width`], which ensembles can be told. The rest (lanes, the choice of registers, parts of functions) is public only
//! for the other crates of this workspace: it is not shown here, and may change in any version.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx512;
mod dual;
mod fit;
mod functions;
mod lift;
mod number;
mod pack;
mod packed;
mod read;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod register;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod sse2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod twice;
pub mod vector;
#[cfg(feature = "std")]
mod width;

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use avx2::Ymm;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use avx512::Zmm;
pub use dual::Dual;
pub use functions::{sin_cos, two_prod, two_sum};
pub use lift::{Lift, Splat};
pub use number::{Arithmetic, Number, Smooth};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use sse2::Xmm;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use twice::Twice;
#[cfg(feature = "std")]
pub use width::Width;

// Lanes, and parts of functions, that the other crates are built from. They may change in any version.
#[doc(hidden)]
pub use fit::slope;
#[doc(hidden)]
pub use functions::{
    LN_2, add_compensated, exp_and_minus_one, exp_wide, fast_two_sum, ln_parts, quarter_turns,
    sin_cos_octant,
};
#[doc(hidden)]
pub use lift::{Constant, Seed};
#[doc(hidden)]
pub use number::KernelPart;
#[doc(hidden)]
pub use pack::{Pack, PackMask};
#[doc(hidden)]
pub use packed::{MAX_WIDTH, PackedNumber};
#[doc(hidden)]
pub use read::{read, read_fraction};
#[doc(hidden)]
#[cfg(feature = "std")]
pub use width::{AvailableWidth, Kernel, Registers, alone};
