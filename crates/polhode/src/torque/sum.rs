//! Sums of torques.

use glam::{DMat3, DQuat, DVec3};

use super::{Dependence, Torque, TorqueJacobian};
use crate::State;

/// Several torques at once.
///
/// It depends on what any part depends on. It has a potential if **all** its parts have one: that of
/// the conservative parts alone would make the work of the others look like an error of the energy.
/// Its derivatives are known if those of all parts are.
///
/// The kick is exact if every part is affine in the momentum, as all models of this library are
/// (damping and any torques without momentum, by variation of constants); with another part it is
/// the Runge-Kutta step of [`Torque::kick`], of order 4.
///
/// ```
/// use polhode::torque::{Damping, Dependence, HeavyTop, Sum, Torque};
/// use polhode::Inertia;
/// let inertia = Inertia::principal([5.0, 5.0, 1.0])?;
/// let top = Sum::new([
///     Box::new(HeavyTop::lagrange(20.0)?) as Box<dyn Torque>,
///     Box::new(Damping::new([0.1, 0.1, 0.1], &inertia)?),
/// ]);
/// assert_eq!(top.dependence(), Dependence::Momentum);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sum(Vec<Box<dyn Torque>>);

impl Sum {
    /// The sum of these; of none it is no torque.
    pub fn new(parts: impl IntoIterator<Item = Box<dyn Torque>>) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl Torque for Sum {
    fn torque(&self, t: f64, state: &State) -> DVec3 {
        self.0.iter().map(|part| part.torque(t, state)).sum()
    }

    fn dependence(&self) -> Dependence {
        self.0.iter().map(|part| part.dependence()).max().unwrap_or(Dependence::None)
    }

    fn depends_on_time(&self) -> bool {
        self.0.iter().any(|part| part.depends_on_time())
    }

    fn potential(&self, t: f64, q: DQuat) -> Option<f64> {
        self.0.iter().map(|part| part.potential(t, q)).sum()
    }

    fn jacobian(&self, t: f64, state: &State) -> Option<TorqueJacobian> {
        let none = TorqueJacobian::of_attitude(DMat3::ZERO);
        self.0.iter().try_fold(none, |sum, part| {
            let part = part.jacobian(t, state)?;
            Some(TorqueJacobian {
                rotation: sum.rotation + part.rotation,
                momentum: sum.momentum + part.momentum,
            })
        })
    }

    fn momentum_matrix(&self, t: f64, q: DQuat) -> Option<DMat3> {
        self.0.iter().try_fold(DMat3::ZERO, |sum, part| Some(sum + part.momentum_matrix(t, q)?))
    }
}
