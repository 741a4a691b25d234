//! Torques: what acts on a body.
//!
//! [`FnTorque`] makes one of any closure.

use glam::{DMat3, DQuat, DVec3};

use crate::State;

/// What a torque depends on, besides time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dependence {
    /// There is no torque.
    None,
    /// On the attitude at most.
    Attitude,
    /// On the momentum as well.
    Momentum,
}

/// How a torque changes with the state: what an implicit method's Newton iteration and a gradient
/// scheme need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorqueJacobian {
    /// The derivative along a turn of the body: `d torque(q exp(s v))/ds = rotation v`.
    pub rotation: DMat3,
    /// The derivative with respect to the momentum.
    pub momentum: DMat3,
}

/// A torque on a rigid body.
pub trait Torque: Send + Sync {
    /// The torque in the body frame.
    fn torque(&self, t: f64, state: &State) -> DVec3;

    /// What it depends on.
    fn dependence(&self) -> Dependence;

    /// Whether it changes with time while the state stands still. A torque that does not is not
    /// evaluated twice at the same attitude.
    fn depends_on_time(&self) -> bool {
        true
    }

    /// The potential energy, if the torque has one: `torque . v = -d potential(q exp(s v))/ds`.
    fn potential(&self, _t: f64, _q: DQuat) -> Option<f64> {
        None
    }

    /// Its derivatives, if known; implicit methods take differences where they are not.
    fn jacobian(&self, _t: f64, _state: &State) -> Option<TorqueJacobian> {
        None
    }

    /// The flow of m' = torque over dt with time and attitude standing still: the kick of a
    /// splitting method.
    ///
    /// Where the torque does not depend on the momentum that is the torque times dt. Where it does,
    /// this default is a step of classical Runge-Kutta, of order 4; a torque whose flow is known does
    /// better.
    fn kick(&self, t: f64, dt: f64, state: &mut State) {
        if self.dependence() < Dependence::Momentum {
            state.m += self.torque(t, state) * dt;
            return;
        }
        let at = |m: DVec3| self.torque(t, &State { m, q: state.q });
        let k1 = at(state.m);
        let k2 = at(state.m + k1 * (0.5 * dt));
        let k3 = at(state.m + k2 * (0.5 * dt));
        let k4 = at(state.m + k3 * dt);
        state.m += (k1 + (k2 + k3) * 2.0 + k4) * (dt / 6.0);
    }
}

/// A torque made of a closure.
///
/// ```
/// use polhode::torque::{Dependence, FnTorque, Torque};
/// use polhode::{State, glam::DVec3};
/// let spring = FnTorque::new(Dependence::Attitude, |_t, s: &State| s.q.conjugate() * DVec3::X * 0.1);
/// assert_eq!(spring.torque(0.0, &State::aligned([0.0; 3])?), DVec3::new(0.1, 0.0, 0.0));
/// # Ok::<(), polhode::StateError>(())
/// ```
pub struct FnTorque<F> {
    dependence: Dependence,
    torque: F,
}

impl<F: Fn(f64, &State) -> DVec3 + Send + Sync> FnTorque<F> {
    /// The torque of a closure (time, state) -> torque in the body frame, which depends on no more
    /// than it says.
    pub fn new(dependence: Dependence, torque: F) -> Self {
        Self { dependence, torque }
    }
}

impl<F: Fn(f64, &State) -> DVec3 + Send + Sync> Torque for FnTorque<F> {
    fn torque(&self, t: f64, state: &State) -> DVec3 {
        (self.torque)(t, state)
    }

    fn dependence(&self) -> Dependence {
        self.dependence
    }
}
