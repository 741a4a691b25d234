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
    /// The torque of the last kick and the attitude it belongs to.
    last: Option<(DQuat, DVec3)>,
}

impl Splitting {
    pub(super) fn new(scheme: &'static Scheme, rotor: Box<dyn Rotor>, compensated: bool) -> Self {
        Self { scheme, rotor, dropped: compensated.then_some(DVec3::ZERO), last: None }
    }

    /// Adds to the momentum, with what earlier additions dropped.
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

    /// The torque of the last kick, if that was here.
    fn known(&self, problem: &Problem, state: &State) -> Option<DVec3> {
        let (q, torque) = self.last?;
        (q == state.q && !problem.torque.depends_on_time()).then_some(torque)
    }

    /// The torque at this attitude.
    fn torque(
        &mut self,
        problem: &Problem,
        t: f64,
        state: &State,
        report: &mut StepReport,
    ) -> DVec3 {
        if let Some(torque) = self.known(problem, state) {
            return torque;
        }
        report.torque_evaluations += 1;
        let torque = problem.torque.torque(t, state);
        self.last = Some((state.q, torque));
        torque
    }

    fn kick(
        &mut self,
        problem: &Problem,
        t: f64,
        dt: f64,
        state: &mut State,
        report: &mut StepReport,
    ) {
        match problem.torque.dependence() {
            Dependence::None => {}
            Dependence::Attitude => {
                let increment = self.torque(problem, t, state, report) * dt;
                self.add(state, increment);
            }
            Dependence::Momentum => {
                report.torque_evaluations += 1;
                let mut kicked = *state;
                problem.torque.kick(t, dt, &mut kicked);
                self.add(state, kicked.m - state.m);
            }
        }
    }

    fn gradient_kick(
        &mut self,
        problem: &Problem,
        t: f64,
        [b, c]: [f64; 2],
        h: f64,
        state: &mut State,
        report: &mut StepReport,
    ) {
        if problem.torque.dependence() == Dependence::None {
            return;
        }
        if self.known(problem, state).is_none() {
            report.torque_evaluations += 1;
        }
        // That there is a derivative was seen when this was built.
        let both = problem.torque.with_square(t, state, &problem.inertia);
        let [torque, square] = both.unwrap_or([DVec3::ZERO; 2]);
        self.last = Some((state.q, torque));
        self.add(state, torque * (b * h) - square * (c * h * h * h));
    }

    fn stages(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let mut passed = 0.0;
        for stage in self.scheme.stages {
            let now = t + passed * h;
            match *stage {
                Stage::Drift(a) => {
                    let before = state.q;
                    self.rotor.step(a * h, state)?;
                    passed += a;
                    if let Some(dropped) = &mut self.dropped {
                        // What was dropped stands still in space while the body turns.
                        *dropped = state.q.conjugate() * (before * *dropped);
                    }
                }
                Stage::Kick(b) => self.kick(problem, now, b * h, state, &mut report),
                Stage::Gradient(b, c) => {
                    self.gradient_kick(problem, now, [b, c], h, state, &mut report);
                }
            }
        }
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
