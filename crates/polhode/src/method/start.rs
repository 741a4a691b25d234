//! What a step starts from, and what the methods ask of it: turns and impulses.
//!
//! Lengths of time never occur alone: everything is h times a rate, so that no product leaves the
//! range of doubles before the angles and momenta of the step do.

use core::cell::{Cell, OnceCell};

use glam::{DMat3, DQuat, DVec3};

use super::StepReport;
use super::turn::Turn;
use crate::problem::Problem;
use crate::torque::{Dependence, TorqueJacobian};
use crate::{State, StepError, so3};

/// The cube root of the rounding unit: a central difference over it loses a third of the digits.
const DIFFERENCE: f64 = 6e-6;

/// The angle in a step beyond which it has no digits.
const ANGLE_LIMIT: f64 = 1e13;

/// The start of a step. The torque is counted.
pub(super) struct Start<'a> {
    pub(super) problem: &'a Problem,
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) m: DVec3,
    pub(super) q: DQuat,
    /// h I^-1 m: the vector of the turn with the momentum at the start.
    pub(super) psi: DVec3,
    dependence: Dependence,
    evaluations: Cell<u32>,
    first_impulse: OnceCell<DVec3>,
}

impl<'a> Start<'a> {
    /// # Errors
    /// [`StepError::OutOfRange`] if something is not finite, or the turn of the step has no digits.
    pub(super) fn new(
        problem: &'a Problem,
        t: f64,
        h: f64,
        state: &State,
    ) -> Result<Self, StepError> {
        let State { m, q } = *state;
        let psi = problem.inertia().omega(m) * h;
        let in_range = psi.abs().max_element() < ANGLE_LIMIT;
        if !(h.is_finite() && m.is_finite() && q.is_finite() && psi.is_finite() && in_range) {
            return Err(StepError::OutOfRange { h, momentum: m.to_array() });
        }
        Ok(Self {
            problem,
            t,
            h,
            m,
            q,
            psi,
            dependence: problem.torques().dependence(),
            evaluations: Cell::new(0),
            first_impulse: OnceCell::new(),
        })
    }

    pub(super) fn report(&self, iterations: u32) -> StepReport {
        StepReport { torque_evaluations: self.evaluations.get(), iterations }
    }

    /// True if there is no torque at all.
    pub(super) fn is_free(&self) -> bool {
        self.dependence == Dependence::None
    }

    /// h I^-1 m: the vector of the turn with that momentum.
    pub(super) fn psi_of(&self, m: DVec3) -> DVec3 {
        self.problem.inertia().omega(m) * self.h
    }

    /// h times the torque at t + c h.
    pub(super) fn impulse_at(&self, c: f64, q: DQuat, m: DVec3) -> DVec3 {
        if self.is_free() {
            return DVec3::ZERO;
        }
        self.evaluations.set(self.evaluations.get() + 1);
        self.problem.torque_at(self.t + c * self.h, &State { m, q }) * self.h
    }

    /// h times the torque at t + c h, where the body has turned by that much.
    pub(super) fn impulse(&self, c: f64, turn: Turn, m: DVec3) -> DVec3 {
        if self.is_free() { DVec3::ZERO } else { self.impulse_at(c, turn.after(self.q), m) }
    }

    /// h times the torque at the start; evaluated once.
    pub(super) fn first_impulse(&self) -> DVec3 {
        *self.first_impulse.get_or_init(|| self.impulse_at(0.0, self.q, self.m))
    }

    /// The derivatives of [`Start::impulse`], by differences where the torque does not know them.
    pub(super) fn impulse_slopes(&self, c: f64, turn: Turn, m: DVec3) -> TorqueJacobian {
        let zero = TorqueJacobian { rotation: DMat3::ZERO, momentum: DMat3::ZERO };
        if self.is_free() {
            return zero;
        }
        let q = turn.after(self.q);
        if let Some(known) = self.problem.torque_jacobian(self.t + c * self.h, &State { m, q }) {
            let TorqueJacobian { rotation, momentum } = known;
            return TorqueJacobian { rotation: rotation * self.h, momentum: momentum * self.h };
        }
        let rotation = differences(DIFFERENCE, |v| self.impulse_at(c, q * so3::exp(v), m));
        if self.dependence < Dependence::Momentum {
            return TorqueJacobian { rotation, ..zero };
        }
        // A body at rest: the momentum that would turn it by a radian in this step.
        let radian = self.problem.inertia().moments().max_element() / self.h.abs();
        let scale = if m == DVec3::ZERO { radian } else { m.abs().max_element() };
        let momentum = differences(DIFFERENCE * scale, |v| self.impulse_at(c, q, m + v));
        TorqueJacobian { rotation, momentum }
    }
}

/// The derivative of f at zero, by central differences.
fn differences(step: f64, f: impl Fn(DVec3) -> DVec3) -> DMat3 {
    let column = |axis: DVec3| (f(axis * step) - f(axis * -step)) / (2.0 * step);
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}
