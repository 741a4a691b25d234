//! A rotor of a body in which something moves.
//!
//! A step of h is W(h/2) S(h/2) T(h/2) F(h) T(h/2) S(h/2) W(h/2): F the free motion by a rotor, with the inertia of the
//! middle of the step; T the turn about -I^-1 h by the momentum h of the wheels; S the sink of energy; W the motors,
//! frictions and the fluid of a damper, which leave momentum and attitude alone. F, T and S move the body's own
//! momentum, without that of the ball, which stands still in space meanwhile. Each is exact but S in the attitude,
//! where it is of order 2; all are undone by a step back. So the whole is symmetric, of order 2, and a composition of
//! such steps may have any order.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{Interior, MAX_WHEELS, SeenBody};
use crate::composition::{SCHEMES, Scheme, Stage};
use crate::method::{RestoreError, StepError};
use crate::rotor::{Exact, Rotor};
use crate::{Inertia, State, so3};

/// The parts of a drift of this scheme: one where it is made of Strang steps, else those of a composition of at least
/// its order.
pub(crate) fn inner_steps(scheme: &Scheme) -> Vec<f64> {
    if scheme.of_strang_steps || scheme.order <= 2 {
        return vec![1.0];
    }
    let id = match scheme.order {
        ..=4 => "suzuki4",
        5..=6 => "kahanli6",
        _ => "kahanli8",
    };
    let drifts = |scheme: &&Scheme| {
        let drift = |stage: &Stage| match stage {
            Stage::Drift(a) => Some(*a),
            _ => None,
        };
        scheme.stages.iter().filter_map(drift).collect()
    };
    SCHEMES.iter().copied().find(|s| s.id == id).as_ref().map_or(vec![1.0], drifts)
}

/// What computes the free motion inside a step.
enum FreePart {
    Rotor(Box<dyn Rotor>),
    /// The exact rotor, made anew for each step, as the inertia changes.
    Exact,
}

/// The flow of a body in which something moves.
pub(crate) struct InsideRotor {
    interior: Arc<Interior>,
    free: FreePart,
    steps: Vec<f64>,
    /// The time, which the scheme tells at the beginning of a step.
    t: f64,
    numbers: Vec<f64>,
    /// The numbers before the step.
    before: Vec<f64>,
    motors: [f64; MAX_WHEELS],
}

impl InsideRotor {
    /// A rotor made of that of what turns with the body (none if the inertia of that changes), the lengths of the parts
    /// of a step, and the start.
    pub(crate) fn new(
        interior: Arc<Interior>,
        rotor: Option<Box<dyn Rotor>>,
        steps: Vec<f64>,
        (t0, start): (f64, &State),
    ) -> Self {
        let numbers = interior.numbers(t0, start);
        let motors = interior.motors();
        let free = rotor.map_or(FreePart::Exact, FreePart::Rotor);
        Self { interior, free, steps, t: t0, before: numbers.clone(), numbers, motors }
    }

    /// A step of a method begins at this time.
    pub(crate) fn begin(&mut self, t: f64) {
        self.t = t;
        self.before.copy_from_slice(&self.numbers);
    }

    /// Undoes the step that was begun: what moves inside is as it was before.
    pub(crate) fn give_up(&mut self) {
        self.numbers.copy_from_slice(&self.before);
    }

    /// The numbers that the state has beside momentum and attitude.
    pub(crate) fn inside(&self) -> &[f64] {
        &self.numbers
    }

    /// From now on the motors of the wheels, in their order, have these torques beside those of their own.
    pub(crate) fn command(&mut self, asked: &[f64]) {
        self.motors = self.interior.motors();
        for (motor, asked) in self.motors.iter_mut().zip(asked) {
            *motor += *asked;
        }
    }

    /// The body as torques see it at this time.
    pub(crate) fn seen(&self, t: f64, state: &State) -> Result<SeenBody<f64>, StepError> {
        self.interior.seen(t, state, &self.numbers).map_err(|_| StepError::Inertia { t })
    }

    fn part(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let half = 0.5 * h;
        let middle = self.t + half;
        let inertia =
            self.interior.rest_at(middle).map_err(|_| StepError::Inertia { t: middle })?;
        let has_numbers = !self.numbers.is_empty();
        if has_numbers {
            self.motors(&inertia, half, state, false);
            self.fluid(&inertia, half, state);
        }
        // As a number of the state it is in space, where it stands still.
        let ball =
            self.interior.inside.damper.and_then(|_| self.numbers.last_chunk::<3>().copied());
        let ball = ball.map(DVec3::from_array);
        if let Some(in_space) = ball {
            state.m -= state.q.conjugate() * in_space;
        }
        let held = self.interior.held(&self.numbers);
        let turn = inertia.omega(held) * -half;
        self.sink(&inertia, held, half, state, false);
        turned(turn, state);
        match &mut self.free {
            FreePart::Rotor(rotor) => rotor.step(h, state)?,
            FreePart::Exact => Exact::new(&inertia).step(h, state)?,
        }
        turned(turn, state);
        self.sink(&inertia, held, half, state, true);
        if let Some(in_space) = ball {
            state.m += state.q.conjugate() * in_space;
        }
        if has_numbers {
            self.fluid(&inertia, half, state);
            self.motors(&inertia, half, state, true);
        }
        self.t += h;
        Ok(())
    }

    /// Motors and bearings, one wheel after the other.
    fn motors(&mut self, inertia: &Inertia, h: f64, state: &State, backwards: bool) {
        let count = self.interior.driven().count();
        for i in 0..count {
            let place = if backwards { count - 1 - i } else { i };
            let all = self.interior.inside.wheels.iter().enumerate();
            let Some((which, wheel)) = all.filter(|(_, w)| w.is_driven()).nth(place) else {
                return;
            };
            let Some(motor) = wheel.motor else { return };
            let ball = self.interior.ball(state, &self.numbers);
            let omega = inertia.omega(state.m - ball - self.interior.held(&self.numbers));
            let speed = self.numbers[place] / wheel.inertia - wheel.axis.dot(omega);
            let gain = 1.0 / wheel.inertia + wheel.axis.dot(inertia.omega(wheel.axis));
            self.numbers[place] += motor.impulse(self.motors[which], speed, gain, h);
        }
    }

    /// The fluid between body and ball: along each principal axis their difference decays.
    fn fluid(&mut self, inertia: &Inertia, h: f64, state: &State) {
        let Some(damper) = self.interior.inside.damper else { return };
        let axes = inertia.axes();
        let ball = self.interior.ball(state, &self.numbers);
        let omega = inertia.omega(state.m - ball - self.interior.held(&self.numbers));
        let slower = axes.conjugate() * (ball / damper.inertia - omega);
        let gain = DVec3::splat(1.0 / damper.inertia) + 1.0 / inertia.moments();
        let decay = |i: usize| libm::expm1(-damper.coefficient * gain[i] * h);
        let taken = slower * DVec3::from_array([0, 1, 2].map(decay)) / gain;
        let in_space = state.q * (ball + axes * taken);
        let place = self.numbers.len() - 3;
        self.numbers[place..].copy_from_slice(&in_space.to_array());
    }

    /// The sink of energy: of the part of the energy that is quadratic in the momentum, and of that which is linear.
    fn sink(&self, inertia: &Inertia, held: DVec3, h: f64, state: &mut State, backwards: bool) {
        let Some(sink) = self.interior.inside.sink else { return };
        let size = so3::length(state.m);
        let kappa = sink.kappa(size);
        if size == 0.0 || kappa == 0.0 {
            return;
        }
        let towards = inertia.omega(held);
        if backwards {
            relaxed(inertia, kappa * size * size * h, state);
            drawn(towards, kappa * size * h, state);
        } else {
            drawn(towards, kappa * size * h, state);
            relaxed(inertia, kappa * size * size * h, state);
        }
    }
}

/// The turn of the body by this vector while the momentum stands still in space.
fn turned(by: DVec3, state: &mut State) {
    if by == DVec3::ZERO {
        return;
    }
    let turn = so3::exp(by);
    let b = DVec3::new(turn.x, turn.y, turn.z);
    // As increments: the same turn in every step is rounded the same, and its rounding would add up.
    let across = b.cross(state.m) * 2.0;
    let (before, m) = (state.m.length_squared(), state.m + (b.cross(across) - across * turn.w));
    let stretch = if before > 0.0 { (before - m.length_squared()) / before } else { 0.0 };
    state.m = m + m * (0.5 * stretch);
    let less = -b.length_squared() / (1.0 + turn.w);
    let by = state.q * DQuat::from_xyzw(b.x, b.y, b.z, less);
    let whole = if turn.w > 0.0 { state.q + by } else { state.q * turn };
    state.q = whole.normalize();
}

/// The flow of m' = kappa m x (m x I^-1 m) for kappa |m|^2 h = `by`: the momentum becomes parallel to
/// exp(-by I^-1) m, and the body turns the shortest way.
fn relaxed(inertia: &Inertia, by: f64, state: &mut State) {
    let axes = inertia.axes();
    let exponents = -by / inertia.moments();
    let top = exponents.max_element();
    let direction = state.m / so3::length(state.m);
    // How far it falls short along each axis: small where the wobble is, so that the angle has all its digits.
    let short = DVec3::from_array([0, 1, 2].map(|i| libm::expm1(exponents[i] - top)));
    let change = axes * (axes.conjugate() * direction * short);
    let cross = direction.cross(change);
    let sine = so3::length(cross);
    if sine == 0.0 || !sine.is_finite() {
        return;
    }
    let angle = libm::atan2(sine, direction.dot(direction + change));
    // The momentum turns by this in the body, the body by the opposite.
    turned(cross * (-angle / sine), state);
}

/// The flow of m' = -kappa m x (m x b) for kappa |m| h = `by`: along a great circle towards b.
fn drawn(b: DVec3, by: f64, state: &mut State) {
    let cross = state.m.cross(b);
    let sine = so3::length(cross);
    if sine == 0.0 {
        return;
    }
    let angle = libm::atan2(sine, state.m.dot(b));
    let after = 2.0 * libm::atan(libm::tan(0.5 * angle) * libm::exp(-by * so3::length(b)));
    // The momentum turns by this in the body, the body by the opposite.
    turned(cross * ((after - angle) / sine), state);
}

impl Rotor for InsideRotor {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        for i in 0..self.steps.len() {
            self.part(self.steps[i] * h, state)?;
        }
        Ok(())
    }

    fn reset(&mut self) {
        if let FreePart::Rotor(rotor) = &mut self.free {
            rotor.reset();
        }
    }

    fn carried(&self) -> Vec<f64> {
        let mut numbers = self.numbers.clone();
        if let FreePart::Rotor(rotor) = &self.free {
            numbers.extend(rotor.carried());
        }
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let count = self.numbers.len();
        let Some((own, rest)) = carried.split_at_checked(count) else {
            return Err(RestoreError::new(carried.len(), "those of the wheels"));
        };
        self.numbers.copy_from_slice(own);
        match &mut self.free {
            FreePart::Rotor(rotor) => rotor.restore(rest),
            FreePart::Exact => RestoreError::unless_empty(rest),
        }
    }
}
