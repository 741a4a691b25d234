//! Jacobi elliptic functions, elliptic integrals and theta functions on the whole real line.
//!
//! | what | functions |
//! |---|---|
//! | am, sn, cn, dn together; without am; am alone | [`jacobi`]; [`sn_cn_dn`]; [`amplitude`] |
//! | the other nine Jacobi functions; inverses | methods of [`SnCnDn`]; [`inverse_sn`], [`inverse_cn`], [`inverse_dn`] |
//! | complete integrals | [`complete_k`], [`complete_e`], [`complete_d`], [`complete_b`], [`complete_pi`], [`cel`], [`agm`] |
//! | those of many parameters at a time | [`complete_k_each`], [`complete_e_each`], [`complete_d_each`], [`complete_b_each`] |
//! | incomplete integrals, quasi-periodic past pi/2 | [`incomplete_f`], [`incomplete_e`], [`incomplete_d`], [`incomplete_b`], [`incomplete_pi`], [`jacobi_zeta`] |
//! | Carlson's symmetric integrals | [`rf`], [`rc`], [`rd`], [`rg`], [`rj`] |
//! | nome, theta functions | [`nome`], [`inverse_nome`], [`theta1`], [`theta2`], [`theta3`], [`theta4`] |
//! | many arguments of one modulus | [`Theta`] |
//! | double-double arithmetic | [`Dd`] |
//!
//! # Conventions
//! A parameter is given as m = k² (k the modulus) or as mc = 1 - k², a characteristic as n or nc = 1 - n, by a
//! [`Parameter`]; a plain number is the **complementary** one. The information of a modulus near 1 sits in mc,
//! that of a modulus near 0 in m, and neither is rounded to make the other. Every real m is allowed; what
//! would be complex is refused.
//!
//! Arguments outside a domain are a typed [`DomainError`]; no loop is without an end, also for NaN. Errors are
//! measured in `docs/accuracy.md` of the repository.
//!
//! Without the feature `std` the crate is `no_std`, with the same bits.
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

mod arc;
mod carlson;
mod carlson_arguments;
mod complete;
mod dd;
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod dd_math;
mod duplication;
#[cfg(feature = "std")]
mod each;
mod elementary;
mod error;
mod float;
mod incomplete;
mod inverse;
mod jacobi;
mod legendre;
mod nome;
mod parameter;
mod phase;
mod quarter;
mod quarter_lanes;
mod real;
mod theta;
mod theta_functions;
mod theta_squares;
mod trig;

pub use carlson::{rc, rd, rf, rg, rj};
pub use complete::{agm, cel};
pub use dd::Dd;
#[doc(hidden)]
pub use dd::fused_two_prod;
#[cfg(feature = "std")]
pub use each::{ParameterForm, complete_b_each, complete_d_each, complete_e_each, complete_k_each};
pub use error::DomainError;
pub use incomplete::{
    incomplete_b, incomplete_d, incomplete_e, incomplete_f, incomplete_pi, jacobi_zeta,
};
pub use inverse::{inverse_cn, inverse_dn, inverse_sn};
pub use jacobi::{Jacobi, SnCnDn, amplitude, jacobi, sn_cn_dn};
pub use parameter::Parameter;
pub use quarter::{complete_b, complete_d, complete_e, complete_k, complete_pi};
pub use real::Real;
pub use theta::{Shift, Theta, ThetaValues};
pub use theta_functions::{inverse_nome, nome, theta1, theta2, theta3, theta4};

// Parts that the library of bodies is built from. They may change in any version.
#[doc(hidden)]
pub use carlson::rf_short;
#[doc(hidden)]
pub use complete::cel_and_agm;
#[doc(hidden)]
pub use polhode_number::two_sum;
#[doc(hidden)]
pub use theta_squares::ThetaSquares;
#[doc(hidden)]
pub use trig::{sin_cos_turns, sin_cos_turns_lanes};
