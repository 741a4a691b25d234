//! `none`: no torque, a free body.

use glam::{DMat3, DQuat, DVec3};

use super::{Dependence, Torque, TorqueEntry, TorqueJacobian};
use crate::State;

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "none",
    title: "no torque, a free body",
    keys: &[],
    cites: &[],
    make: |_, _| Ok(Box::new(NoTorque)),
};

/// No torque.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoTorque;

impl Torque for NoTorque {
    fn torque(&self, _t: f64, _state: &State) -> DVec3 {
        DVec3::ZERO
    }

    fn dependence(&self) -> Dependence {
        Dependence::None
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn potential(&self, _t: f64, _q: DQuat) -> Option<f64> {
        Some(0.0)
    }

    fn jacobian(&self, _t: f64, _state: &State) -> Option<TorqueJacobian> {
        Some(TorqueJacobian::of_attitude(DMat3::ZERO))
    }

    fn kick(&self, _t: f64, _dt: f64, _state: &mut State) {}
}
