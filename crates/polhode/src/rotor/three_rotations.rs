//! Three rotations about the principal axes, symmetrically composed (McLachlan, Reich).
//!
//! The kinetic energy is split into m_i²/(2 I_i), the flow of each of which is a rotation about axis
//! i at the constant rate ω_i = m_i/I_i; of momentum and attitude alike:
//!
//! φ1(h/2) φ2(h/2) φ3(h) φ2(h/2) φ1(h/2), φ1(t): m2' = m2 cos ω1 t + m3 sin ω1 t,
//! m3' = m3 cos ω1 t - m2 sin ω1 t, q' = q (cos ω1 t/2, sin ω1 t/2, 0, 0).
//!
//! Order 2, symmetric, symplectic; keeps the length of the momentum and the momentum in space, but
//! not the energy, which oscillates. Explicit: works for every step, however coarse. Cost: five
//! sines with their cosines. Axis 1 is that of the smallest moment and axis 3 that of the largest,
//! whatever the order in which they are given, as in the experiments of Celledoni & Säfström; other
//! orders have other error constants.
//!
//! # References
//! Celledoni & Säfström, eq. (8) and section 4: Φ_T,h. Erratum corrected: the rate in R_x is π1/I1 = ω1
//! (printed as ω1/I1).

use glam::DQuat;
use polhode_elliptic::Dd;

use super::three_rotations_kernel::{PHASE_LIMIT, ThreeRotationsIncrement, step};
use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::inertia::PrincipalFrame;
use crate::scale::{exponent, ldexp, ldexp_dd};
use crate::{Inertia, State};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "three-rotations",
    title: "rotations about the three principal axes, symmetrically composed",
    order: |_| RotorOrder::of(2),
    keeps: Keeps { energy: false, ..Keeps::ALL },
    in_lanes: true,
    parameters: &[],
    cites: &[Citation { key: "CelledoniSafstrom", at: "eq. (8), section 4" }],
    build: |inertia, _| Box::new(ThreeRotations::new(inertia)),
};

/// The step of one body.
#[derive(Clone, Copy, Debug)]
struct ThreeRotations {
    parts: ThreeRotationsParts,
    frame: PrincipalFrame,
}

/// What the kernel needs of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeRotationsParts {
    /// Of moments scaled by 2^-exponent, the smallest in [1, 2).
    pub(crate) inverse: [f64; 3],
    inertia_exponent: i32,
    pub(crate) inertia_scale: f64,
    pub(crate) in_range: bool,
}

impl ThreeRotationsParts {
    pub(crate) fn new(inertia: &Inertia) -> Self {
        let (moments, _) = inertia.sorted_frame();
        let inertia_exponent = exponent(moments[0].hi());
        Self {
            inverse: moments.map(|i| (Dd::ONE / ldexp_dd(i, -inertia_exponent)).hi()),
            inertia_exponent,
            inertia_scale: ldexp(1.0, -inertia_exponent),
            in_range: inertia.can_be_stepped(),
        }
    }
}

impl ThreeRotations {
    fn new(inertia: &Inertia) -> Self {
        let (_, frame) = inertia.sorted_frame();
        Self { parts: ThreeRotationsParts::new(inertia), frame }
    }
}

impl Rotor for ThreeRotations {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let m = self.frame.enter_rounded(state.m);
        let largest = m[0].abs().max(m[1].abs()).max(m[2].abs());
        let out_of_range = StepError::OutOfRange { h, momentum: state.m.to_array() };
        if !(self.parts.in_range && m.iter().all(|x| x.is_finite())) {
            return Err(out_of_range);
        }
        if largest == 0.0 {
            return Ok(());
        }
        let e = exponent(largest);
        let scaled_h = ldexp(h, e - self.parts.inertia_exponent);
        // NaN is not below the limit either.
        if scaled_h.is_nan() || scaled_h.abs() >= PHASE_LIMIT {
            return Err(out_of_range);
        }
        let ThreeRotationsIncrement { m, r } =
            step(&self.parts.inverse, m.map(|x| ldexp(x, -e)), scaled_h);
        state.m = self.frame.leave_rounded(m.map(|x| ldexp(x, e)));
        let v = self.frame.leave_rounded([r[1], r[2], r[3]]);
        state.q = state.q + state.q * DQuat::from_xyzw(v.x, v.y, v.z, r[0]);
        Ok(())
    }
}
