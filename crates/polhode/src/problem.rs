//! A body, what acts on it, and where it starts.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::control::ControlLoop;
use crate::inside::{Inside, InsideError, Interior, MAX_WHEELS, SeenBody, Wheel};
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
    inside: Option<Arc<Interior>>,
    control: Option<Arc<Vec<ControlLoop>>>,
}

impl Problem {
    /// A free body that starts in this state at time zero.
    #[inline]
    pub fn new(inertia: Inertia, start: State) -> Self {
        let over = InertiaOver::new(&inertia);
        Self { inertia, over, torque: Torque::none(), t0: 0.0, start, inside: None, control: None }
    }

    /// Lets this torque act on the body, instead of any other.
    #[must_use]
    #[inline]
    pub fn torque(self, torque: impl Into<Torque>) -> Self {
        Self { torque: torque.into(), ..self }
    }

    /// Lets this move inside the body, instead of anything else. The momentum of the start is the total one:
    /// [`Problem::momentum_of`] tells it for an angular velocity. Its inertia is that with everything locked.
    ///
    /// # Errors
    /// [`InsideError`] if nothing is left of the inertia without the wheels, there are too many wheels, or moments that
    /// vary are not those of a body at the start.
    pub fn inside(self, inside: Inside) -> Result<Self, InsideError> {
        let still = inside.is_still();
        let interior = Interior::new(inside, &self.inertia, self.t0)?;
        Ok(Self { inside: (!still).then(|| Arc::new(interior)), ..self })
    }

    /// Adds a controller.
    #[must_use]
    pub fn controlled(self, control: ControlLoop) -> Self {
        let mut loops = self.control_loops().to_vec();
        loops.push(control);
        Self { control: Some(Arc::new(loops)), ..self }
    }

    /// Its controllers, each with the times at which it is asked.
    pub fn control_loops(&self) -> &[ControlLoop] {
        self.control.as_ref().map_or(&[], |loops| loops)
    }

    /// The same without controllers.
    pub(crate) fn uncontrolled(&self) -> Self {
        Self { control: None, ..self.clone() }
    }

    pub(crate) fn torque_mut(&mut self) -> &mut Torque {
        &mut self.torque
    }

    /// Whether something moves inside the body, or it has a controller: its motion is then computed in steps, unless it
    /// [can be solved](Problem::can_be_solved).
    pub fn needs_steps(&self) -> bool {
        self.inside.is_some() || self.control.is_some()
    }

    /// Whether it can be solved to a tolerance: nothing moves inside the body but wheels at constant speed, and it has
    /// no controller.
    pub fn can_be_solved(&self) -> bool {
        !self.needs_steps() || self.steady_momentum().is_some()
    }

    /// The momentum of wheels at constant speed, if they are all that needs steps.
    pub(crate) fn steady_momentum(&self) -> Option<DVec3> {
        let interior = self.inside.as_ref().filter(|_| self.control.is_none())?;
        let Inside { wheels, sink, damper, varying } = interior.inside();
        let steady = sink.is_none()
            && damper.is_none()
            && varying.is_none()
            && !wheels.iter().any(Wheel::is_driven);
        steady.then(|| interior.held(&[]))
    }

    /// What moves inside the body; nothing that is at rest and stays so.
    pub fn moving(&self) -> Option<&Inside> {
        self.inside.as_deref().map(Interior::inside)
    }

    /// Sets the time of the start, which is zero otherwise.
    #[must_use]
    #[inline]
    pub fn starting_at(self, t0: f64) -> Self {
        Self { t0, ..self }
    }

    /// Sets the state at the start.
    #[must_use]
    pub fn starting_from(self, start: State) -> Self {
        Self { start, ..self }
    }

    /// The same torque and start for another body, in which nothing moves and which has no controller.
    #[must_use]
    pub fn of_body(self, inertia: Inertia) -> Self {
        let over = InertiaOver::new(&inertia);
        Self { inertia, over, inside: None, control: None, ..self }
    }

    /// The inertia of the body.
    #[inline]
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// The same, as the kernels of torques see it.
    #[inline]
    pub(crate) fn inertia_over(&self) -> &InertiaOver<f64> {
        &self.over
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

    pub(crate) fn interior(&self) -> Option<&Arc<Interior>> {
        self.inside.as_ref()
    }

    /// Whether no torque acts, nothing moves inside the body, and there is no controller.
    pub fn is_free(&self) -> bool {
        self.torque.is_none() && !self.needs_steps()
    }

    /// The energy of [`Problem::energy_inside`] stays what it is.
    pub fn conserves_energy(&self) -> bool {
        let inside = self.inside.as_ref().is_none_or(|interior| interior.conserves_energy());
        inside && self.control.is_none() && self.torque.conserves_energy()
    }

    /// The momentum in space stays what it is.
    pub fn conserves_momentum(&self) -> bool {
        self.torque.is_none() && self.control_loops().iter().all(|control| control.is_internal)
    }

    /// The total momentum (body frame) where the body turns with this angular velocity and its wheels as at the start.
    pub fn momentum_of(&self, omega: impl Into<DVec3>) -> DVec3 {
        let omega = omega.into();
        match &self.inside {
            None => self.inertia.momentum(omega),
            Some(interior) => interior.momentum_of(self.t0, omega).unwrap_or(DVec3::NAN),
        }
    }

    /// The numbers that the state at the start has beside momentum and attitude: see
    /// [`Stepper::inside`](crate::method::Stepper::inside).
    pub fn inside_at_start(&self) -> Vec<f64> {
        let interior = self.inside.as_ref();
        interior.map_or_else(Vec::new, |interior| interior.numbers(self.t0, &self.start))
    }

    /// The angular velocity, where what moves inside the body has these numbers.
    pub fn omega_inside(&self, t: f64, state: &State, inside: &[f64]) -> DVec3 {
        match &self.inside {
            None => state.omega(&self.inertia),
            Some(interior) => interior.omega(t, state, inside),
        }
    }

    /// The kinetic energy, where what moves inside the body has these numbers: that of the body, of driven wheels and
    /// of a damper's ball.
    pub fn kinetic_inside(&self, t: f64, state: &State, inside: &[f64]) -> f64 {
        match &self.inside {
            None => state.kinetic_energy(&self.inertia),
            Some(interior) => interior.energy(t, state, inside),
        }
    }

    /// Kinetic plus potential energy, where what moves inside the body has these numbers.
    pub fn energy_inside(&self, t: f64, state: &State, inside: &[f64]) -> f64 {
        match &self.inside {
            None => self.torque.energy_of(&self.body(), &self.inertia, t, state),
            Some(interior) => {
                interior.energy(t, state, inside) + self.potential(t, state.q).unwrap_or(0.0)
            }
        }
    }

    /// The speeds of the wheels relative to the body, in their order, in the memory of the caller.
    pub(crate) fn write_wheel_speeds<'a>(
        &self,
        t: f64,
        (state, inside): (&State, &[f64]),
        into: &'a mut [f64; MAX_WHEELS],
    ) -> &'a [f64] {
        let mut count = 0;
        if let Some(interior) = &self.inside {
            for (place, speed) in into.iter_mut().zip(interior.speeds(t, state, inside)) {
                *place = speed;
                count += 1;
            }
        }
        &into[..count]
    }

    /// The speeds of the wheels relative to the body, in their order.
    pub fn wheel_speeds(&self, t: f64, state: &State, inside: &[f64]) -> Vec<f64> {
        let interior = self.inside.as_ref();
        interior.map_or_else(Vec::new, |interior| interior.speeds(t, state, inside).collect())
    }

    /// The body, as the kernels of torques see it.
    #[inline]
    pub(crate) fn body(&self) -> Body<'_, f64> {
        Body::one(&self.inertia, &self.over)
    }

    /// The torque in the body frame. For a body in which something moves, the wheels are taken to turn as at the start,
    /// and the torque is NaN where moments that vary are not those of a body.
    #[inline]
    pub fn torque_at(&self, t: f64, state: &State) -> DVec3 {
        let Some(interior) = &self.inside else {
            return self.torque.torque(&self.body(), t, state).into();
        };
        let seen = interior.seen(t, state, &self.inside_at_start());
        let of = |seen: SeenBody<f64>| {
            self.torque.torque(&seen.body(), t, &Point { m: seen.m, q: state.attitude() })
        };
        seen.map_or(DVec3::NAN, |seen| of(seen).into())
    }

    /// The potential energy, if the torque has one: `torque . v = -d potential(q exp(s v))/ds`.
    pub fn potential(&self, t: f64, q: DQuat) -> Option<f64> {
        let q = so3::to_wxyz(q);
        let Some(interior) =
            self.inside.as_ref().filter(|interior| interior.inside().varying.is_some())
        else {
            return self.torque.potential(&self.body(), t, q);
        };
        let inertia = interior.locked_at(t).ok()?;
        self.torque.potential(&Body::one(&inertia, &InertiaOver::new(&inertia)), t, q)
    }

    /// Kinetic plus potential energy; kinetic alone where the torque has no potential. Of a body in which something
    /// moves it is that with the wheels as at the start: see [`Problem::energy_inside`].
    pub fn energy(&self, t: f64, state: &State) -> f64 {
        match &self.inside {
            None => self.torque.energy_of(&self.body(), &self.inertia, t, state),
            Some(_) => self.energy_inside(t, state, &self.inside_at_start()),
        }
    }

    /// How the torque changes with the state. Of a function of the user's that does not say, none.
    pub fn torque_jacobian(&self, t: f64, state: &State) -> Option<TorqueJacobian> {
        self.torque.jacobian(&self.body(), t, state)
    }
}
