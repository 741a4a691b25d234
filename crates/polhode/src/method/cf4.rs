//! The commutator-free Lie-group method of order 4.
//!
//! With a_i = h I^-1 m_i and g_i = h r_i torque_i at the stages r_1 = 1, r_2 = exp(a_1/2),
//! r_3 = exp(a_2/2), r_4 = r_2 exp(a_3 - a_1/2), and the momenta p_i = m, m + g_1/2, m + g_2/2, m + g_3
//! in the frame at the start of the step, m_i = r_i^T p_i:
//!
//! r = exp((3 a_1 + 2 a_2 + 2 a_3 - a_4)/12) exp((-a_1 + 2 a_2 + 2 a_3 + 3 a_4)/12),
//! q += q (r - 1), m = r^T (m + (g_1 + 2 g_2 + 2 g_3 + g_4)/6).
//!
//! For a free body that is THREAD's method: its Y has Y' = A(Y m0) Y, A = -hat(omega), and the attitude
//! is Q0 Y^T, made of the same exponentials. With a torque it is the same method for the same field on
//! SO(3) x R^3, rotation and momentum in space: the second factor is commutative and its stages are
//! plain sums.
//!
//! Order 4. Keeps the length of the momentum and the momentum in space of a free body. Four
//! evaluations of the torque, which may depend on anything; five exponentials. For steps below a
//! radian.
//!
//! # References
//! THREAD, problem 2, second method; from Celledoni, Marthinsen and Owren (2003).

use glam::DVec3;

use super::MethodEntry;
use super::start::Start;
use super::turn::Turn;
use super::update::{COMPENSATED, Explicit, StateIncrement};
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

pub(super) static ENTRY: MethodEntry = MethodEntry {
    id: "cf4",
    title: "commutator-free Lie-group method",
    order: |_| Order::Of(4),
    keeps: Keeps { energy: false, symmetric: false, symplectic: false, ..Keeps::ALL },
    accepts: Dependence::Momentum,
    parameters: &[COMPENSATED],
    cites: &[
        Citation { key: "Thread2021", at: "problem 2.2" },
        Citation { key: "CelledoniMarthinsenOwren2003", at: "as given by Thread2021" },
    ],
    build: |_, p| Explicit::stepper(cf4, p),
};

fn cf4(start: &Start) -> StateIncrement {
    // The stage with that turn and impulse so far: h I^-1 m_i and h r_i torque_i.
    let stage = |c: f64, r: Turn, g: DVec3| {
        let p = start.m + g;
        let m = p + r.into_body(p.into()).value();
        let impulse = start.impulse(c, r, m);
        (start.psi_of(m), impulse + r.out_of_body(impulse.into()).value())
    };
    let exp = |psi: DVec3| Turn::exp(psi.into());
    let (a1, g1) = stage(0.0, Turn::NONE, DVec3::ZERO);
    let r2 = exp(0.5 * a1);
    let (a2, g2) = stage(0.5, r2, 0.5 * g1);
    let (a3, g3) = stage(0.5, exp(0.5 * a2), 0.5 * g2);
    let (a4, g4) = stage(1.0, r2.then(exp(a3 - 0.5 * a1)), g3);

    let middle = 2.0 * (a2 + a3);
    let first = exp((3.0 * a1 + middle - a4) / 12.0);
    let r = first.then(exp((3.0 * a4 + middle - a1) / 12.0));
    let g = (g1 + 2.0 * (g2 + g3) + g4) / 6.0;
    StateIncrement::new(start, g + r.into_body((start.m + g).into()).value(), r)
}
