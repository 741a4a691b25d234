//! FRB-FORTRAN's Algorithm 2 (`quat_step`): Jacobi's functions, Kosenko's frame, quaternions.
//!
//! q(h) = q(0) p(0)^-1 y p(h), p = (1 + m3, m2, -m1, 0)/sqrt(2 (1 + m3)),
//! y = (cos psi/2, 0, 0, sin psi/2),
//! psi = h/I3 + (I3 - I1)/(I1 I3 lambda) (Pi(phi1, n, k) + f1 - Pi(phi0, n, k) - f0).
//!
//! Keeps everything to rounding. Cost as `frb-matrix`, less the matrices. Error, measured on the
//! oracle: about an eps (1 + |m| h/I1), but 3e-9 at a distance of 1e-8 from the middle axis, where the
//! amplitude near pi/2 loses digits.
//!
//! # References
//! Celledoni & Zanna, Algorithm 2, eq. (12), (16). Errata corrected: f has a minus sign; regime (ii)
//! needs n = -k² (B31/B13)² and an f of its own on a continuous branch; psi is taken modulo 4 pi, not
//! 2 pi. Departure: with m3 < 0 in regime (ii) the body is turned about axis 1 first, away from the
//! singularity at m3 = -1.

use super::frame_rotor::FrameRotor;
use super::frames::{FrameForm, MomentumFrame, ThirdKind};
use super::{Keeps, RotorEntry, RotorOrder};
use crate::cite::Citation;

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "frb-quaternion",
    title: "FRB-FORTRAN quat_step: elliptic functions, Kosenko's frame, quaternions",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: None,
    parameters: &[],
    cites: &[
        Citation { key: "CelledoniZanna2008", at: "Algorithm 2, eq. (12), (16)" },
        Citation { key: "Kosenko1998", at: "as rescaled there" },
    ],
    build: |inertia, _| {
        let form = FrameForm::Quaternion;
        Box::new(FrameRotor::new(inertia, MomentumFrame::Kosenko, form, ThirdKind::Exact))
    },
};
