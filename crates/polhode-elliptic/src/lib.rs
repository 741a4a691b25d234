//! Jacobi elliptic functions and elliptic integrals on the whole real line.
//!
//! | what | functions |
//! |---|---|
//! | am, sn, cn, dn together; without am | [`jacobi`]; [`sn_cn_dn`] |
//! | complete integrals | [`complete_k`], [`complete_e`], [`complete_pi`], [`cel`], [`agm`] |
//! | incomplete integrals, quasi-periodic past pi/2 | [`incomplete_f`], [`incomplete_e`], [`incomplete_pi`] |
//! | Carlson's symmetric integrals | [`rf`], [`rc`], [`rd`], [`rj`] |
//! | many arguments of one modulus | [`Theta`] |
//! | double-double arithmetic | [`Dd`] |
//!
//! # Conventions
//! Every function takes the **complementary** parameter mc = 1 - k² (k the modulus) and the
//! complementary characteristic nc = 1 - n. The information of a modulus near 1 sits in mc; passing
//! k² would throw it away before the first operation. From a modulus, mc = (1 - k)(1 + k).
//!
//! Arguments outside a domain are a typed [`DomainError`]; no loop is without an end, also for NaN.
#![forbid(unsafe_code)]

mod carlson;
mod complete;
mod dd;
mod elementary;
mod error;
mod incomplete;
mod jacobi;
mod nome;
mod real;
mod theta;
mod trig;

pub use carlson::{rc, rd, rf, rj};
pub use complete::{agm, cel, complete_e, complete_k, complete_pi};
pub use dd::{Dd, two_prod};
pub use error::DomainError;
pub use incomplete::{incomplete_e, incomplete_f, incomplete_pi};
pub use jacobi::{Jacobi, SnCnDn, jacobi, sn_cn_dn};
pub use polhode_number::two_sum;
pub use real::Real;
pub use theta::{Shift, Theta, ThetaValues};
pub use trig::sin_cos_turns;

// Parts that the library of bodies is built from. They may change in any version.
#[doc(hidden)]
pub use carlson::rf_short;
#[doc(hidden)]
pub use complete::cel_and_agm;
#[doc(hidden)]
pub use trig::sin_cos_turns_lanes;
