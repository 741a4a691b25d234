//! The classical Runge-Kutta method on momentum and quaternion.
//!
//! k1 = f(t, y), k2 = f(t + h/2, y + h k1/2), k3 = f(t + h/2, y + h k2/2), k4 = f(t + h, y + h k3),
//! y += h (k1 + 2 k2 + 2 k3 + k4)/6, with y = (m, q), m' = m x omega + torque, q' = q (0, omega)/2;
//! the quaternion is brought back to unit length after each step.
//!
//! Order 4. Keeps nothing: length of the momentum, energy and momentum in space drift with t h^4. Four
//! evaluations of the torque, which may depend on anything; no solve. For steps well below a radian,
//! and short runs: the method others are compared with.
//!
//! # References
//! Celledoni & Säfström, section 4, use it for comparison. The sums of `compensated` are those of
//! Vilmart, section 4.3.

use glam::{DQuat, DVec3};

use super::MethodEntry;
use super::start::Start;
use super::update::{COMPENSATED, Explicit, StateIncrement};
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

pub(super) static ENTRY: MethodEntry = MethodEntry {
    id: "rk4",
    title: "the classical Runge-Kutta method on momentum and quaternion",
    order: |_| Order::Of(4),
    keeps: Keeps::NOTHING,
    accepts: Dependence::Momentum,
    parameters: &[COMPENSATED],
    cites: &[Citation { key: "CelledoniSafstrom", at: "section 4" }],
    build: |_, p| Explicit::stepper(rk4, p),
};

fn rk4(start: &Start) -> StateIncrement {
    let (m, q) = (start.m, start.q);
    let slope = |c: f64, m: DVec3, q: DQuat| {
        let psi = start.psi_of(m);
        let half = 0.5 * psi;
        // Between the stages the quaternion is no rotation; the torque gets the nearest one.
        let impulse =
            if start.is_free() { DVec3::ZERO } else { start.impulse_at(c, q.normalize(), m) };
        (m.cross(psi) + impulse, q * DQuat::from_xyzw(half.x, half.y, half.z, 0.0))
    };
    let (m1, q1) = slope(0.0, m, q);
    let (m2, q2) = slope(0.5, m + m1 * 0.5, q + q1 * 0.5);
    let (m3, q3) = slope(0.5, m + m2 * 0.5, q + q2 * 0.5);
    let (m4, q4) = slope(1.0, m + m3, q + q3);
    let dq = (q1 + (q2 + q3) * 2.0 + q4) * (1.0 / 6.0);
    StateIncrement { dm: (m1 + (m2 + m3) * 2.0 + m4) / 6.0, dq: back_to_length(q, dq) }
}

/// The increment that leads to the same direction without a change of length.
fn back_to_length(q: DQuat, dq: DQuat) -> DQuat {
    // |q + dq|² - 1, and 1/|q + dq| - 1 from it, by their differences: both are small.
    let excess = 2.0 * q.dot(dq) + dq.dot(dq);
    let length = (1.0 + excess).sqrt();
    dq + (q + dq) * (-excess / (length * (1.0 + length)))
}
