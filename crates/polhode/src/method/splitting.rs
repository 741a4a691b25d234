//! A scheme and a rotor: splitting into free motion and kicks.
//!
//! Phi_h = ... exp(b2 h K) exp(a2 h F) exp(b1 h K) exp(a1 h F): F the free motion by the rotor, K the
//! kick m' = torque with attitude and time standing still; time passes with the free motion.
//!
//! Keeps what the rotor keeps of a free body; symmetric and symplectic if the scheme is symmetric
//! and the rotor both. Cost: the scheme's kicks, the first of which is the last of the step before.
//!
//! The stages are written once over any number ([`SchemeStep::step`]): one body, lanes of bodies, or a body
//! with derivatives.
//!
//! # References
//! Celledoni & Safstrom, section 2 (strang); Celledoni & Zanna, section 4.3 (rkn6-14). The modified kick of
//! the gradient schemes: m += b h torque - c h³ torque_W, torque_W that of the potential
//! W = torque . I^-1 torque ([`Torque::of_square`]).

use glam::{DQuat, DVec3};
use polhode_number::vector::{Vector, add, scale, splat, subtract};
use polhode_number::{Number, Part, add_compensated};

use super::{RestoreError, StepReport, Stepper};
use crate::composition::{Scheme, Stage};
use crate::inside::{InsideRotor, SeenBody};
use crate::method::StepError;
use crate::problem::Problem;
use crate::rotor::Rotor;
use crate::torque::{Body, Dependence};
use crate::{PhasePoint, State, Torque};

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
    /// That of its square too, for a gradient scheme.
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
    fn forget(&mut self) {
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

impl<N: Number, A: PhasePoint<N>> Part for KickPart<'_, N, A> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        let mut at = self.at.point();
        at.m = self.own.unwrap_or(at.m);
        subtract(self.torque.kick(self.body, self.t, self.dt, &at), at.m)
    }
}

/// What moves one body between two kicks.
pub(super) enum Mover {
    /// The free motion of a rigid body.
    Rigid(Box<dyn Rotor>),
    /// The motion of a body in which something moves.
    Inside(Box<InsideRotor>),
}

impl Mover {
    fn rotor(&self) -> &dyn Rotor {
        match self {
            Self::Rigid(rotor) => &**rotor,
            Self::Inside(rotor) => &**rotor,
        }
    }

    fn rotor_mut(&mut self) -> &mut dyn Rotor {
        match self {
            Self::Rigid(rotor) => &mut **rotor,
            Self::Inside(rotor) => &mut **rotor,
        }
    }
}

#[inline(always)]
fn drift<R: Rotor + ?Sized>(
    rotor: &mut R,
    h: f64,
    state: &mut State,
    dropped: &mut Option<Vector<f64>>,
) -> Result<bool, StepError> {
    let Some(dropped) = dropped else { return rotor.step(h, state).map(|()| true) };
    let in_space = state.q * DVec3::from(*dropped);
    rotor.step(h, state)?;
    *dropped = (state.q.conjugate() * in_space).to_array();
    Ok(true)
}

/// A rotor of one rigid body, apart from what follows: to ask at every stage what the body looks like costs a fifth of
/// a step.
impl FreeFlow<f64> for Box<dyn Rotor> {
    type At = State;

    #[inline(always)]
    fn drift(
        &mut self,
        h: f64,
        state: &mut State,
        dropped: &mut Option<Vector<f64>>,
    ) -> Result<bool, StepError> {
        drift(&mut **self, h, state, dropped)
    }
}

impl FreeFlow<f64> for Box<InsideRotor> {
    type At = State;

    #[inline(always)]
    fn drift(
        &mut self,
        h: f64,
        state: &mut State,
        dropped: &mut Option<Vector<f64>>,
    ) -> Result<bool, StepError> {
        drift(&mut **self, h, state, dropped)
    }

    #[inline(always)]
    fn seen(&self, t: f64, state: &State) -> Result<Option<SeenBody<f64>>, StepError> {
        (**self).seen(t, state).map(Some)
    }
}

/// A scheme at work with a rotor.
pub(super) struct Splitting {
    scheme: Scheme,
    mover: Mover,
    memory: KickMemory<f64>,
    /// The attitude as the last step left it: what is kept of a torque belongs to it.
    left: Option<DQuat>,
}

impl Splitting {
    pub(super) fn new(scheme: Scheme, mover: Mover, compensated: bool) -> Self {
        let memory = KickMemory::new(compensated.then_some([0.0; 3]));
        Self { scheme, mover, memory, left: None }
    }

    fn given_up(&mut self) {
        if let Mover::Inside(rotor) = &mut self.mover {
            rotor.give_up();
        }
        self.reset();
    }
}

impl Stepper for Splitting {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let stages = SchemeStep {
            stages: &self.scheme.stages,
            torque: problem.torques(),
            body: problem.body(),
        };
        if self.left != Some(state.q) {
            self.memory.forget();
        }
        let (mut next, memory) = (*state, &mut self.memory);
        let stepped = match &mut self.mover {
            Mover::Rigid(rotor) => stages.step(rotor, memory, (t, h), &mut next),
            Mover::Inside(rotor) => {
                rotor.begin(t);
                stages.step(rotor, memory, (t, h), &mut next)
            }
        };
        let (_, torque_evaluations) = stepped.inspect_err(|_| self.given_up())?;
        if !(next.m.is_finite() && next.q.is_finite()) {
            self.given_up();
            return Err(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        *state = next;
        self.left = Some(next.q);
        Ok(StepReport { torque_evaluations, iterations: 0 })
    }

    fn inside(&self) -> &[f64] {
        match &self.mover {
            Mover::Rigid(_) => &[],
            Mover::Inside(rotor) => rotor.inside(),
        }
    }

    fn command(&mut self, motors: &[f64]) {
        if let Mover::Inside(rotor) = &mut self.mover {
            rotor.command(motors);
        }
    }

    fn reset(&mut self) {
        self.mover.rotor_mut().reset();
        self.memory = KickMemory::new(self.memory.dropped.map(|_| [0.0; 3]));
        self.left = None;
    }

    fn carried(&self) -> Vec<f64> {
        // The last torque need not be kept: evaluated again it is the same.
        let mut numbers = self.memory.dropped.map_or(Vec::new(), |dropped| dropped.to_vec());
        numbers.extend(self.mover.rotor().carried());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let mut rest = carried;
        if let Some(dropped) = &mut self.memory.dropped {
            let found = carried.len();
            let needed = RestoreError { found, needed: "at least three" };
            let (first, tail) = carried.split_first_chunk().ok_or(needed)?;
            (*dropped, rest) = (*first, tail);
        }
        self.mover.rotor_mut().restore(rest)
    }
}

/// A rotor alone, for a free body.
pub(super) struct FreeStepper {
    pub(super) rotor: Box<dyn Rotor>,
}

impl Stepper for FreeStepper {
    fn step(
        &mut self,
        _problem: &Problem,
        _t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let mut next = *state;
        self.rotor.step(h, &mut next)?;
        if !(next.m.is_finite() && next.q.is_finite()) {
            self.rotor.reset();
            return Err(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        *state = next;
        Ok(StepReport::default())
    }

    fn reset(&mut self) {
        self.rotor.reset();
    }

    fn carried(&self) -> Vec<f64> {
        self.rotor.carried()
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        self.rotor.restore(carried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::SCHEMES;
    use crate::method::{Method, MethodError};
    use crate::torque::{Damping, Function, HeavyTop, Torque};
    use crate::{Inertia, Plan, run};

    fn problem(torque: impl Into<Torque>) -> Problem {
        let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
        let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
        Problem::new(inertia, start).torque(torque)
    }

    #[test]
    fn a_step_of_a_run_costs_the_kicks_of_its_scheme() {
        let top = problem(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap());
        for scheme in SCHEMES {
            let method = Method::splitting((*scheme).clone(), "exact").unwrap();
            let evaluations = |steps| {
                let mut stepper = method.stepper(&top).unwrap();
                let plan = Plan { step: 0.01, steps };
                run(&top, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations
            };
            let kicks = scheme.kicks() as u64;
            assert_eq!(evaluations(15) - evaluations(5), 10 * kicks, "{}", scheme.id);
        }
    }

    #[test]
    fn every_call_of_the_torque_is_counted() {
        use core::sync::atomic::{AtomicU64, Ordering};
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let air = |_: &Inertia, _: f64, s: &State| {
            CALLS.fetch_add(1, Ordering::Relaxed);
            s.m * -s.m.length()
        };
        let drag = problem(Function::new(Dependence::Momentum, air));
        for id in ["strang+exact", "kahanli8+exact", "rk4", "cf4"] {
            CALLS.store(0, Ordering::Relaxed);
            let mut stepper = Method::parse(id).unwrap().stepper(&drag).unwrap();
            let plan = Plan { step: 0.01, steps: 10 };
            let counted = run(&drag, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations;
            assert_eq!(counted, CALLS.load(Ordering::Relaxed), "{id}");
        }
        let damped = problem(Damping::new([0.1; 3]).unwrap());
        let mut stepper = Method::parse("strang+exact").unwrap().stepper(&damped).unwrap();
        let plan = Plan { step: 0.01, steps: 10 };
        let counted = run(&damped, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations;
        // Two kicks in a step, each exact.
        assert_eq!(counted, 20);
    }

    #[test]
    fn what_is_kept_between_steps_changes_no_bit() {
        let top = problem(HeavyTop::new([0.0, 0.3, 1.0], [0.0, 0.0, 1.0]).unwrap());
        for scheme in SCHEMES {
            let method = Method::splitting((*scheme).clone(), "exact").unwrap();
            let mut memory = method.stepper(&top).unwrap();
            let (mut a, mut b) = (top.start(), top.start());
            for n in 0..10 {
                memory.step(&top, 0.1 * f64::from(n), 0.1, &mut a).unwrap();
                let mut fresh = method.stepper(&top).unwrap();
                fresh.step(&top, 0.1 * f64::from(n), 0.1, &mut b).unwrap();
                assert_eq!(a, b, "{}", scheme.id);
            }
        }
    }

    #[test]
    fn the_gradient_of_a_torque_of_the_momentum_is_refused() {
        let stages = [Stage::Gradient(0.5, 0.01), Stage::Drift(1.0), Stage::Gradient(0.5, 0.01)];
        let scheme = Scheme::new("mine", 2, stages).unwrap();
        let damped = problem(Damping::new([0.5, 0.5, 0.5]).unwrap());
        let error = Method::splitting(scheme, "exact").unwrap().stepper(&damped).err();
        assert_eq!(error, Some(MethodError::TorqueOfMomentum { id: "mine".into() }));
    }
}
