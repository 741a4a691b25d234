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
#![cfg_attr(not(feature = "std"), no_std)]

mod arc;
mod carlson;
mod complete;
mod dd;
mod duplication;
mod elementary;
mod error;
mod float;
mod incomplete;
mod inverse;
mod jacobi;
pub mod lanes;
mod nome;
mod parameter;
mod quarter;
mod real;
mod theta;
mod theta_functions;
mod trig;

pub use carlson::{rc, rd, rf, rf_short, rg, rj};
pub use complete::{agm, cel, cel_and_agm};
pub use dd::{Dd, two_prod};
pub use error::DomainError;
pub use incomplete::{
    incomplete_b, incomplete_d, incomplete_e, incomplete_f, incomplete_pi, jacobi_zeta,
};
pub use inverse::{inverse_cn, inverse_dn, inverse_sn};
pub use jacobi::{Jacobi, SnCnDn, amplitude, jacobi, sn_cn_dn};
pub use lanes::two_sum;
pub use parameter::Parameter;
pub use quarter::{complete_b, complete_d, complete_e, complete_k, complete_pi};
pub use real::Real;
pub use theta::{Shift, Theta, ThetaValues};
pub use theta_functions::{inverse_nome, nome, theta1, theta2, theta3, theta4};
pub use trig::{sin_cos_turns, sin_cos_turns_lanes};
