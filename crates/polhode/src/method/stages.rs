//! The stages of a splitting, written once over any number: one body, lanes of bodies, or a body with derivatives.
//!
//! # References
//! The modified kick of the gradient schemes: m += b h torque - c h³ torque_W, torque_W that of the potential
//! W = torque . I^-1 torque ([`Torque::of_square`]).

use polhode_number::vector::{Vector, add, scale, splat, subtract};
use polhode_number::{KernelPart, Number, add_compensated};

use crate::composition::Stage;
use crate::inside::SeenBody;
use crate::method::StepError;
use crate::torque::{Body, Dependence};
use crate::{PhasePoint, Torque};

/// Free motion, as the stages of a splitting ask for it.
pub(crate) trait FreeFlow<N: Number> {
    type At: PhasePoint<N>;

    /// Advances by h; where that is done. What is dropped from the momentum stands still in space while
    /// the body turns.
    fn drift(
        &mut self,
        h: N,
        at: &mut Self::At,
        dropped: &mut Option<Vector<N>>,
    ) -> Result<N::Mask, StepError>;

    /// The body as torques see it now, where something moves inside it.
    ///
    /// # Errors
    /// [`StepError`] where it has no inertia.
    #[inline(always)]
    fn seen(&self, _t: N, _at: &Self::At) -> Result<Option<SeenBody<N>>, StepError> {
        Ok(None)
    }
}

/// What is known of the torque at an attitude.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Knowledge {
    Nothing,
    Torque,
    /// The torque, and what a gradient scheme makes of its square.
    Square,
}

/// What a splitting keeps from one kick to the next.
#[derive(Clone, Copy)]
pub(crate) struct KickMemory<N> {
    /// What adding kicks has dropped, body frame; none if not compensated.
    pub(crate) dropped: Option<Vector<N>>,
    /// The torque that the last kick met with, as long as the attitude is still that one.
    known: Knowledge,
    torque: Vector<N>,
    square: Vector<N>,
}

impl<N: Number> KickMemory<N> {
    /// Nothing yet; what was dropped, if sums are to be compensated.
    #[inline(always)]
    pub(crate) fn new(dropped: Option<Vector<N>>) -> Self {
        let zero = splat([0.0; 3]);
        Self { dropped, known: Knowledge::Nothing, torque: zero, square: zero }
    }

    /// Forgets the torque: it belongs to another attitude.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.known = Knowledge::Nothing;
    }

    /// Adds to the momentum, with what earlier additions dropped.
    #[inline(always)]
    fn add(&mut self, m: &mut Vector<N>, increment: Vector<N>) {
        let Some(dropped) = &mut self.dropped else {
            *m = add(*m, increment);
            return;
        };
        for i in 0..3 {
            add_compensated(&mut m[i], &mut dropped[i], increment[i]);
        }
    }
}

/// A step of a scheme: its stages, what acts, and on whom.
pub(crate) struct SchemeStep<'a, N> {
    pub(crate) stages: &'a [Stage],
    pub(crate) torque: &'a Torque,
    pub(crate) body: Body<'a, N>,
}

impl<N: Number> SchemeStep<'_, N> {
    /// Advances from t to t + h; where that is done, and how often the torque was evaluated.
    #[inline(always)]
    pub(crate) fn step<F: FreeFlow<N>>(
        &self,
        rotor: &mut F,
        memory: &mut KickMemory<N>,
        (t, h): (N, N),
        at: &mut F::At,
    ) -> Result<(N::Mask, u32), StepError> {
        let Self { stages, torque, .. } = self;
        let dependence = torque.dependence();
        let mut done = N::splat(0.0).less(N::splat(1.0));
        let mut evaluations = 0;
        let mut passed = 0.0;
        if torque.depends_on_time() {
            memory.forget();
        }
        for stage in *stages {
            let (b, c) = match *stage {
                Stage::Drift(a) => {
                    done = done & rotor.drift(N::splat(a) * h, at, &mut memory.dropped)?;
                    passed += a;
                    memory.forget();
                    continue;
                }
                Stage::Kick(b) => (b, None),
                Stage::Gradient(b, c) => (b, Some(c)),
            };
            let now = t + N::splat(passed) * h;
            let increment = match dependence {
                Dependence::None => continue,
                // Without gradients: these are refused when a method is built.
                Dependence::Momentum => {
                    evaluations += torque.evaluations_in_a_kick();
                    let (seen, dt) = (rotor.seen(now, at)?, N::splat(b) * h);
                    let moving = seen.as_ref().map(SeenBody::body);
                    let body = moving.as_ref().unwrap_or(&self.body);
                    let own = seen.as_ref().map(|seen| seen.m);
                    N::outline(KickPart { torque, body, t: now, dt, own, at: &*at })
                }
                Dependence::Attitude => {
                    let wanted = if c.is_some() { Knowledge::Square } else { Knowledge::Torque };
                    if memory.known < wanted {
                        let seen = rotor.seen(now, at)?;
                        let moving = seen.as_ref().map(SeenBody::body);
                        let body = moving.as_ref().unwrap_or(&self.body);
                        evaluations += 1;
                        memory.known = wanted;
                        memory.torque = torque.torque(body, now, at);
                        if c.is_some() {
                            let there = memory.torque;
                            memory.square = torque.of_square(body, now, at, there);
                        }
                    }
                    let impulse = scale(memory.torque, N::splat(b) * h);
                    match c {
                        Some(c) => subtract(impulse, scale(memory.square, N::splat(c) * h * h * h)),
                        None => impulse,
                    }
                }
            };
            memory.add(at.momentum(), increment);
        }
        // A free motion keeps the length of the momentum.
        let is_free = dependence == Dependence::None;
        Ok((if is_free { done } else { done & at.point().is_finite() }, evaluations))
    }
}

/// The increment of a kick by a torque that depends on the momentum; run out of line, for it is the same
/// with every rotor.
struct KickPart<'a, N, A> {
    torque: &'a Torque,
    body: &'a Body<'a, N>,
    t: N,
    dt: N,
    /// The momentum that the angular velocity belongs to, where that is not all of it.
    own: Option<Vector<N>>,
    at: &'a A,
}

impl<N: Number, A: PhasePoint<N>> KernelPart for KickPart<'_, N, A> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        let mut at = self.at.point();
        at.m = self.own.unwrap_or(at.m);
        subtract(self.torque.kick(self.body, self.t, self.dt, &at), at.m)
    }
}
