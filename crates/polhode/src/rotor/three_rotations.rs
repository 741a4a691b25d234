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

use polhode_elliptic::Dd;

use super::three_rotations_kernel::ThreeRotationsBody;
use super::unit_step::{RotorKernel, UnitBody};
use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::{Inertia, State};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "three-rotations",
    title: "rotations about the three principal axes, symmetrically composed",
    order: |_| RotorOrder::of(2),
    keeps: Keeps { energy: false, ..Keeps::ALL },
    lanes: Some(|_| ThreeRotationsKernel.into()),
    parameters: &[],
    cites: &[Citation { key: "CelledoniSafstrom", at: "eq. (8), section 4" }],
    build: |inertia, _| Box::new(ThreeRotations(ThreeRotationsKernel.unit_body(inertia))),
};

/// The step of one body.
#[derive(Clone, Copy, Debug)]
struct ThreeRotations(UnitBody<ThreeRotationsBody<f64>>);

/// The kernel of three rotations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeRotationsKernel;

impl RotorKernel for ThreeRotationsKernel {
    type BodyKernel = ThreeRotationsBody<f64>;

    #[inline(always)]
    fn layout(self) -> ThreeRotationsBody<f64> {
        ThreeRotationsBody([0.0; 3])
    }

    fn unit_body(self, inertia: &Inertia) -> UnitBody<ThreeRotationsBody<f64>> {
        UnitBody::new(inertia, 0, |moments| ThreeRotationsBody(moments.map(|i| (Dd::ONE / i).hi())))
    }
}

impl Rotor for ThreeRotations {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let momentum = state.m.to_array();
        self.0.advance(h, state).map_err(|_| StepError::OutOfRange { h, momentum })
    }
}
