//! A body, what acts on it, and where it starts.

use glam::{DQuat, DVec3};

use crate::torque::{Body, Torque, TorqueJacobian};
use crate::{Inertia, InertiaOver, Point, State, so3};

/// What is to be integrated: a body, what acts on it, and where and when it starts.
///
/// ```
/// use polhode::{Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start)
///     .torque(HeavyTop::lagrange(1.0)?)
///     .starting_at(10.0);
/// assert_eq!(top.t0(), 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    inertia: Inertia,
    /// The same, as the kernels of torques see it.
    over: InertiaOver<f64>,
    torque: Torque,
    t0: f64,
    start: State,
}

impl Problem {
    /// A free body that starts in this state at time zero.
    pub fn new(inertia: Inertia, start: State) -> Self {
        let over = InertiaOver::new(&inertia);
        Self { inertia, over, torque: Torque::none(), t0: 0.0, start }
    }

    /// The same body with this torque, instead of any other.
    #[must_use]
    pub fn torque(self, torque: impl Into<Torque>) -> Self {
        Self { torque: torque.into(), ..self }
    }

    /// The same, starting at this time.
    #[must_use]
    pub fn starting_at(self, t0: f64) -> Self {
        Self { t0, ..self }
    }

    /// The same, starting in this state.
    #[must_use]
    pub fn starting_from(self, start: State) -> Self {
        Self { start, ..self }
    }

    /// The inertia of the body.
    #[inline]
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// All that acts on it.
    #[inline]
    pub fn torques(&self) -> &Torque {
        &self.torque
    }

    /// The time of the start.
    #[inline]
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// The state at that time.
    #[inline]
    pub fn start(&self) -> State {
        self.start
    }

    /// The body, as the kernels of torques see it.
    #[inline]
    pub(crate) fn body(&self) -> Body<'_, f64> {
        Body::one(&self.inertia, &self.over)
    }

    /// The torque in the body frame.
    #[inline]
    pub fn torque_at(&self, t: f64, state: &State) -> DVec3 {
        self.torque.torque(&self.body(), t, &Point::from(state)).into()
    }

    /// The potential energy, if the torque has one: `torque . v = -d potential(q exp(s v))/ds`.
    pub fn potential(&self, t: f64, q: DQuat) -> Option<f64> {
        self.torque.potential(&self.body(), t, so3::to_wxyz(q))
    }

    /// Kinetic plus potential energy; kinetic alone where the torque has no potential.
    pub fn energy(&self, t: f64, state: &State) -> f64 {
        self.torque.energy_of(&self.body(), &self.inertia, t, state)
    }

    /// How the torque changes with the state. Of a function of the user's that does not say, none.
    pub fn torque_jacobian(&self, t: f64, state: &State) -> Option<TorqueJacobian> {
        self.torque.jacobian(&self.body(), t, state)
    }
}
