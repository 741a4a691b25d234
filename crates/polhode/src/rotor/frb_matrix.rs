//! FRB-FORTRAN's Algorithm 1 (`frb_step`): Jacobi's functions, frame along m', matrices.
//!
//! Q(h) = Q(0) P(0)^T exp(psi e3) P(h), P = [v, m x v, m]^T, v = m'/|m'|,
//! psi = 2 T h + (1 - 2 T I2)/(lambda I2) (Pi(phi1, n, k) - Pi(phi0, n, k)).
//!
//! Keeps everything to rounding. Cost: one arithmetic-geometric mean, two Landen transformations and
//! two or three integrals of the third kind; about ten times a step of `exact`. Error, measured on the
//! oracle: at most 20 eps (1 + |m| h/I1), special motions included. With `form=quaternion` the frame
//! comes from p3², a difference that loses half the digits where p0 or p3 vanishes: up to 1e-8.
//!
//! # References
//! Celledoni & Zanna, Algorithm 1, eq. (6), (9), (15) case 2. Errata corrected: the sign of 1 - 2 T I2
//! (printed as its magnitude), n = B23^-2 and B21^-2 (printed without the square), B32² in p3², the
//! sign of p0 p3.

use super::frame_rotor::FrameRotor;
use super::frames::{FrameForm, MomentumFrame, ThirdKind};
use super::{Keeps, RotorEntry, RotorOrder};
use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind, Parameters};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "frb-matrix",
    title: "FRB-FORTRAN frb_step: elliptic functions, frame along m', rotation matrices",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: None,
    parameters: &[FORM],
    cites: &[Citation { key: "CelledoniZanna2008", at: "Algorithm 1, eq. (6), (9)" }],
    build: |inertia, p| {
        Box::new(FrameRotor::new(inertia, MomentumFrame::Derivative, form(p), ThirdKind::Exact))
    },
};

/// Matrices or quaternions, for the frames that have both.
pub(super) const FORM: MethodParameter = MethodParameter {
    name: "form",
    doc: "Put the frames together as matrices, or as quaternions from p3² (eq. 15).",
    kind: ParameterKind::Choice(&["matrix", "quaternion"]),
};

pub(super) fn form(parameters: &Parameters) -> FrameForm {
    if parameters.choice("form") == "quaternion" {
        FrameForm::Quaternion
    } else {
        FrameForm::Matrix
    }
}
