//! Torques of the user's own: closures, and whatever is called one body at a time.

use glam::{DQuat, DVec3};

use super::{Dependence, Torque, TorqueJacobian};
use crate::{Inertia, State};

/// What a torque is asked for: a body, a time, a state.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The body that it acts on.
    pub body: &'a Inertia,
    /// The time at which it is asked for.
    pub t: f64,
    /// How the body turns and stands then.
    pub state: State,
}

impl<'a> Call<'a> {
    /// The torque on this body, at this time, in this state is wanted.
    pub fn new(body: &'a Inertia, t: f64, state: State) -> Self {
        Self { body, t, state }
    }
}

/// A torque that is called for one body at a time, or for several at once.
///
/// In an ensemble it is called for one lane after the other: a call for each body and kick, while
/// everything around it runs in lanes. One that [is vectorized](TorqueFunction::is_vectorized) is called once for
/// all lanes, in an ensemble as in the solver. Its calls come from several threads.
pub trait TorqueFunction: Send + Sync {
    /// The torque in the body frame on this body, at this time, in this state.
    fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3;

    /// The torques that all these calls ask for, in their order: what is called instead of
    /// [`TorqueFunction::torque`] where there are several, if the torque is vectorized.
    fn torques(&self, calls: &[Call<'_>], torques: &mut [DVec3]) {
        for (call, torque) in calls.iter().zip(torques) {
            *torque = self.torque(call.body, call.t, &call.state);
        }
    }

    /// Whether [`TorqueFunction::torques`] for several costs about as much as one call: the torque then goes
    /// through whatever runs in lanes, all lanes at once.
    fn is_vectorized(&self) -> bool {
        false
    }

    /// What it depends on.
    fn dependence(&self) -> Dependence;

    /// Whether it changes with time while the state stands still. A torque that does not is not
    /// evaluated twice at the same attitude.
    fn depends_on_time(&self) -> bool {
        true
    }

    /// Whether there is a [`TorqueFunction::potential`].
    fn is_conservative(&self) -> bool {
        false
    }

    /// The potential energy, if the torque has one: `torque . v = -d potential(q exp(s v))/ds`.
    fn potential(&self, _body: &Inertia, _t: f64, _q: DQuat) -> Option<f64> {
        None
    }

    /// Whether there is a [`TorqueFunction::jacobian`].
    fn has_jacobian(&self) -> bool {
        false
    }

    /// Its derivatives, if known; implicit methods take differences where they are not.
    fn jacobian(&self, _body: &Inertia, _t: f64, _state: &State) -> Option<TorqueJacobian> {
        None
    }
}

/// A torque made of a closure.
///
/// ```
/// use polhode::torque::{Dependence, Function};
/// use polhode::{Inertia, Problem, State, glam::DVec3};
/// let spring = Function::new(Dependence::Attitude, |_body, _t, s| s.q.conjugate() * DVec3::X * 0.1);
/// let start = State::aligned([0.0; 3])?;
/// let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, start).torque(spring);
/// assert_eq!(problem.torque_at(0.0, &start), DVec3::new(0.1, 0.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Function<F> {
    dependence: Dependence,
    depends_on_time: bool,
    torque: F,
    potential: Option<Potential>,
    jacobian: Option<Jacobian>,
}

type Potential = Box<dyn Fn(&Inertia, f64, DQuat) -> f64 + Send + Sync>;
type Jacobian = Box<dyn Fn(&Inertia, f64, &State) -> TorqueJacobian + Send + Sync>;

impl<F: Fn(&Inertia, f64, &State) -> DVec3 + Send + Sync> Function<F> {
    /// The torque of a closure (body, time, state) -> torque in the body frame, which depends on no more
    /// than it says.
    pub fn new(dependence: Dependence, torque: F) -> Self {
        Self { dependence, depends_on_time: true, torque, potential: None, jacobian: None }
    }

    /// Says that the torque does not change with time while the state stands still.
    #[must_use]
    pub fn independent_of_time(self) -> Self {
        Self { depends_on_time: false, ..self }
    }

    /// Gives it its potential energy, a closure (body, time, attitude) -> energy.
    #[must_use]
    pub fn with_potential(
        self,
        potential: impl Fn(&Inertia, f64, DQuat) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { potential: Some(Box::new(potential)), ..self }
    }

    /// Gives it its derivatives, a closure (body, time, state) -> derivatives.
    #[must_use]
    pub fn with_jacobian(
        self,
        jacobian: impl Fn(&Inertia, f64, &State) -> TorqueJacobian + Send + Sync + 'static,
    ) -> Self {
        Self { jacobian: Some(Box::new(jacobian)), ..self }
    }
}

impl<F: Fn(&Inertia, f64, &State) -> DVec3 + Send + Sync> TorqueFunction for Function<F> {
    fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3 {
        (self.torque)(body, t, state)
    }

    fn dependence(&self) -> Dependence {
        self.dependence
    }

    fn depends_on_time(&self) -> bool {
        self.depends_on_time
    }

    fn is_conservative(&self) -> bool {
        self.potential.is_some()
    }

    fn potential(&self, body: &Inertia, t: f64, q: DQuat) -> Option<f64> {
        self.potential.as_ref().map(|v| v(body, t, q))
    }

    fn has_jacobian(&self) -> bool {
        self.jacobian.is_some()
    }

    fn jacobian(&self, body: &Inertia, t: f64, state: &State) -> Option<TorqueJacobian> {
        self.jacobian.as_ref().map(|j| j(body, t, state))
    }
}

impl<F: TorqueFunction + 'static> From<F> for Torque {
    fn from(function: F) -> Self {
        Self::function(function)
    }
}
