//! A scheme and a rotor: splitting into free motion and kicks.
//!
//! Phi_h = ... exp(b2 h K) exp(a2 h F) exp(b1 h K) exp(a1 h F): F the free motion by the rotor, K the
//! kick m' = torque with attitude and time standing still; time passes with the free motion.
//!
//! Keeps what the rotor keeps of a free body; symmetric and symplectic if the scheme is symmetric
//! and the rotor both. Cost: the scheme's kicks, the first of which is the last of the step before.
//!
//! # References
//! 000, section 2 (strang); 001, section 4.3 (rkn6-14). The modified kick of the gradient schemes:
//! m += b h torque - c h³ torque_W, torque_W that of the potential W = torque . I^-1 torque
//! ([`Torque::with_square`](crate::torque::Torque::with_square)).

use glam::{DQuat, DVec3};

use super::{StepReport, Stepper};
use crate::State;
use crate::composition::{Scheme, Stage};
use crate::problem::Problem;
use crate::rotor::{Rotor, StepError};
use crate::torque::Dependence;

/// A scheme at work with a rotor.
pub(super) struct Splitting {
    scheme: &'static Scheme,
    rotor: Box<dyn Rotor>,
    /// What adding kicks has dropped, body frame; none if not compensated.
    dropped: Option<DVec3>,
    /// What the last kick of a step met with, for the first of the next.
    last: Option<Met>,
}

/// The torque at an attitude, and that of its square where a gradient scheme asked for it.
#[derive(Clone, Copy)]
struct Met {
    q: DQuat,
    torque: DVec3,
    square: Option<DVec3>,
}

impl Met {
    fn new(problem: &Problem, t: f64, state: &State, with_square: bool) -> Self {
        if !with_square {
            return Self { q: state.q, torque: problem.torque.torque(t, state), square: None };
        }
        // That there is a derivative was seen when the method was built.
        let both = problem.torque.with_square(t, state, &problem.inertia);
        let [torque, square] = both.unwrap_or([DVec3::ZERO; 2]);
        Self { q: state.q, torque, square: Some(square) }
    }
}

impl Splitting {
    pub(super) fn new(scheme: &'static Scheme, rotor: Box<dyn Rotor>, compensated: bool) -> Self {
        Self { scheme, rotor, dropped: compensated.then_some(DVec3::ZERO), last: None }
    }

    /// Adds to the momentum, with what earlier additions dropped.
    #[inline]
    fn add(&mut self, state: &mut State, increment: DVec3) {
        let Some(dropped) = &mut self.dropped else {
            state.m += increment;
            return;
        };
        let before = state.m;
        *dropped += increment;
        state.m = before + *dropped;
        *dropped += before - state.m;
    }

    fn drift(&mut self, dt: f64, state: &mut State) -> Result<(), StepError> {
        let before = state.q;
        self.rotor.step(dt, state)?;
        if let Some(dropped) = &mut self.dropped {
            // What was dropped stands still in space while the body turns.
            *dropped = state.q.conjugate() * (before * *dropped);
        }
        Ok(())
    }

    fn stages(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let dependence = problem.torque.dependence();
        let mut report = StepReport::default();
        let mut passed = 0.0;
        let here = |met: &Met| met.q == state.q && !problem.torque.depends_on_time();
        let mut met = self.last.take().filter(here);
        for stage in self.scheme.stages {
            let (b, c) = match *stage {
                Stage::Drift(a) => {
                    self.drift(a * h, state)?;
                    passed += a;
                    met = None;
                    continue;
                }
                Stage::Kick(b) => (b, None),
                Stage::Gradient(b, c) => (b, Some(c)),
            };
            let now = t + passed * h;
            match dependence {
                Dependence::None => {}
                // Without gradients: these are refused when a method is built.
                Dependence::Momentum => {
                    // An affine torque is asked once, at rest; Runge-Kutta asks four times.
                    let affine = problem.torque.momentum_matrix(now, state.q).is_some();
                    report.torque_evaluations += if affine { 1 } else { 4 };
                    let mut kicked = *state;
                    problem.torque.kick(now, b * h, &mut kicked);
                    self.add(state, kicked.m - state.m);
                }
                Dependence::Attitude => {
                    let known = met.filter(|met| c.is_none() || met.square.is_some());
                    let there = known.unwrap_or_else(|| {
                        report.torque_evaluations += 1;
                        Met::new(problem, now, state, c.is_some())
                    });
                    let mut impulse = there.torque * (b * h);
                    if let (Some(c), Some(square)) = (c, there.square) {
                        impulse -= square * (c * h * h * h);
                    }
                    self.add(state, impulse);
                    met = Some(there);
                }
            }
        }
        self.last = met;
        Ok(report)
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
        let mut next = *state;
        let report = self.stages(problem, t, h, &mut next).inspect_err(|_| self.reset())?;
        if !(next.m.is_finite() && next.q.is_finite()) {
            self.reset();
            return Err(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        *state = next;
        Ok(report)
    }

    fn reset(&mut self) {
        self.rotor.reset();
        self.last = None;
        self.dropped = self.dropped.map(|_| DVec3::ZERO);
    }

    fn carried(&self) -> Vec<f64> {
        // The last torque need not be kept: evaluated again it is the same.
        let mut numbers = self.dropped.map_or(Vec::new(), |d| d.to_array().to_vec());
        numbers.extend(self.rotor.carried());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) {
        let mut rest = carried;
        if let (Some(dropped), [x, y, z, tail @ ..]) = (&mut self.dropped, carried) {
            *dropped = DVec3::new(*x, *y, *z);
            rest = tail;
        }
        self.rotor.restore(rest);
    }
}

/// A rotor alone, for a free body.
pub(super) struct Free {
    pub(super) rotor: Box<dyn Rotor>,
}

impl Stepper for Free {
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

    fn restore(&mut self, carried: &[f64]) {
        self.rotor.restore(carried);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::SCHEMES;
    use crate::method::{Method, MethodError};
    use crate::torque::{Damping, FnTorque, HeavyTop, Torque};
    use crate::{Inertia, Plan, run};

    fn problem(torque: impl Torque + 'static) -> Problem {
        let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
        let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
        Problem { inertia, torque: Box::new(torque), t0: 0.0, start }
    }

    #[test]
    fn a_step_of_a_run_costs_the_kicks_of_its_scheme() {
        let top = problem(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap());
        for scheme in SCHEMES {
            let method = Method::splitting(scheme, "exact").unwrap();
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
        let air = |_: f64, s: &State| {
            CALLS.fetch_add(1, Ordering::Relaxed);
            s.m * -s.m.length()
        };
        let drag = problem(FnTorque::new(Dependence::Momentum, air));
        for id in ["strang+exact", "kahanli8+exact", "rk4", "cf4"] {
            CALLS.store(0, Ordering::Relaxed);
            let mut stepper = Method::parse(id).unwrap().stepper(&drag).unwrap();
            let plan = Plan { step: 0.01, steps: 10 };
            let counted = run(&drag, &mut *stepper, &plan, &mut []).unwrap().torque_evaluations;
            assert_eq!(counted, CALLS.load(Ordering::Relaxed), "{id}");
        }
        let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
        let damped = problem(Damping::new([0.1; 3], &inertia).unwrap());
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
            let method = Method::splitting(scheme, "exact").unwrap();
            let mut kept = method.stepper(&top).unwrap();
            let (mut a, mut b) = (top.start, top.start);
            for n in 0..10 {
                kept.step(&top, 0.1 * f64::from(n), 0.1, &mut a).unwrap();
                let mut fresh = method.stepper(&top).unwrap();
                fresh.step(&top, 0.1 * f64::from(n), 0.1, &mut b).unwrap();
                assert_eq!(a, b, "{}", scheme.id);
            }
        }
    }

    #[test]
    fn the_gradient_of_a_torque_of_the_momentum_is_refused() {
        static SCHEME: Scheme = Scheme {
            id: "mine",
            title: "two gradient kicks",
            order: 2,
            torques_of_attitude_only: false,
            of_strang_steps: false,
            stages: &[Stage::Gradient(0.5, 0.01), Stage::Drift(1.0), Stage::Gradient(0.5, 0.01)],
            cites: &[],
        };
        let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
        let damped = problem(Damping::new([0.5, 0.5, 0.5], &inertia).unwrap());
        let error = Method::splitting(&SCHEME, "exact").unwrap().stepper(&damped).err();
        assert!(matches!(error, Some(MethodError::TorqueOfMomentum { id: "mine" })), "{error:?}");
    }
}
