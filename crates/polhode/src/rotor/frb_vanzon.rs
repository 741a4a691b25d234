//! The third frame of FRB-FORTRAN's paper: v = m x e3/|m x e3| (van Zon & Schofield).
//!
//! As `frb-matrix` with P = [v, m x v, m]^T of that v and
//! psi = h/I3 + (I3 - I1)/(I1 I3 lambda) (Pi(phi1, n, k) - Pi(phi0, n, k)).
//!
//! Keeps everything to rounding. Cost as `frb-matrix`. Error, measured on the oracle: about an
//! eps (1 + |m| h/I1), but 3e-9 at a distance of 1e-8 from the middle axis; singular on axis 3. With
//! `form=quaternion` the frame comes from p3², a difference that loses half the digits where p0 or p3
//! vanishes: up to 5e-9.
//!
//! # References
//! Celledoni & Zanna, section 1.4, case (3). Errata corrected: n = -(B31/B13)² (printed with both
//! inverse), with a factor k² in regime (ii); sign(p0 p3) = sign(m1).

use super::frame_rotor::FrameRotor;
use super::frames::{MomentumFrame, ThirdKind};
use super::frb_matrix::{FORM, form};
use super::{Keeps, RotorEntry, RotorOrder};
use crate::cite::Citation;

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "frb-vanzon",
    title: "elliptic functions with the frame along m x e3 (van Zon & Schofield)",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: None,
    parameters: &[FORM],
    cites: &[
        Citation { key: "CelledoniZanna2008", at: "section 1.4, case (3)" },
        Citation { key: "VanZonSchofield2007", at: "as given there" },
    ],
    build: |inertia, p| {
        Box::new(FrameRotor::new(inertia, MomentumFrame::VanZon, form(p), ThirdKind::Exact))
    },
};
