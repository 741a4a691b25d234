//! The Runge-Kutta-Munthe-Kaas method of order 4.
//!
//! Free body, with a(m) = h I^-1 m and m_i = exp(-x_i) m at x_1 = 0, x_2 = a_1/2,
//! x_3 = a_2/2 + a_1 x a_2/8, x_4 = a_3:
//!
//! x = (a_1 + 2 a_2 + 2 a_3 + a_4 + a_1 x a_4/2)/6, m = exp(-x) m, q = q exp(x).
//!
//! This is THREAD's method for Y' = A(Y m0) Y, A = -hat(omega), Q = Q0 Y^T: its A_i are -hat(a_i), and
//! a commutator [A_i, A_j] = hat(a_i x a_j) changes its sign with them. With a torque it is `rkmk` with
//! the tableau of the classical method: the momentum in integral form, the derivative of the
//! exponential inverted exactly and not to third order.
//!
//! Order 4. Keeps the length of the momentum and the momentum in space of a free body. Four
//! evaluations of the torque, which may depend on anything; four exponentials. For steps below a
//! radian.
//!
//! # References
//! THREAD, problem 2, first method; Krysl, algorithm MKRK (erratum 6: T_(j) inside the sum). THREAD's
//! signs are right: with either of them turned the order is 3 or 2.

use glam::DVec3;

use super::MethodEntry;
use super::rkmk::Rkmk;
use super::start::Start;
use super::tableaux::Tableau;
use super::turn::Turn;
use super::update::{COMPENSATED, Explicit, StateIncrement};
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

pub(super) static ENTRY: MethodEntry = MethodEntry {
    id: "rkmk4",
    title: "Runge-Kutta-Munthe-Kaas method with the classical tableau",
    order: |_| Order::Of(4),
    keeps: Keeps { energy: false, symmetric: false, symplectic: false, ..Keeps::ALL },
    accepts: Dependence::Momentum,
    parameters: &[COMPENSATED],
    cites: &[
        Citation { key: "Thread2021", at: "problem 2.1" },
        Citation { key: "Krysl2006", at: "algorithm MKRK" },
        Citation { key: "MuntheKaas1998", at: "as given by Krysl2006" },
    ],
    build: |problem, p| match problem.torques().dependence() {
        Dependence::None => Explicit::stepper(rkmk4, p),
        _ => Box::new(Rkmk::new(Tableau::RK4).compensated(p.flag(COMPENSATED.name))),
    },
};

fn rkmk4(start: &Start) -> StateIncrement {
    let m = start.m;
    let a = |x: DVec3| start.psi_of(m + Turn::exp(x.into()).into_body(m.into()).value());
    let a1 = start.psi;
    let a2 = a(0.5 * a1);
    let a3 = a(0.5 * a2 + a1.cross(a2) / 8.0);
    let a4 = a(a3);
    let psi = (a1 + 2.0 * (a2 + a3) + a4 + 0.5 * a1.cross(a4)) / 6.0;
    let turn = Turn::exp(psi.into());
    StateIncrement::new(start, turn.into_body(m.into()).value(), turn)
}
