//! A leg of a solution: where it starts, and the solution of it while its rows are written.

use polhode::glam::{DQuat, DVec3};
use polhode::solve::SolveMethod;
use polhode::{Problem, Solution, State, so3};
use polhode_scenario::SolutionPlan;

/// So far the body turns in a leg, in radians: a tenth of a second or so of computing.
const LEG: f64 = 1e5;

/// More legs than this would not end in a lifetime; longer legs take their place.
const MOST_LEGS: f64 = 1e9;

/// How many numbers a checkpoint has beside the state.
const CARRIED: usize = 11;

/// Where a leg starts, and what it took to get there.
#[derive(Clone, Copy)]
pub(super) struct LegStart {
    /// Its number, from 0; all are done if it is that of no leg.
    pub(super) leg: u64,
    pub(super) state: State,
    /// That of the better solution, unless there is none.
    pub(super) better: Option<State>,
    pub(super) steps: u64,
    pub(super) rejected: u64,
    pub(super) evaluations: u64,
}

impl LegStart {
    /// What a checkpoint keeps of it beside the state and the evaluations, and when the run was stopped.
    pub(super) fn carried(&self, stopped: Option<f64>) -> [f64; CARRIED] {
        let nothing = State { m: DVec3::NAN, q: DQuat::NAN };
        let better = self.better.unwrap_or(nothing);
        let ([x, y, z], [a, b, c, d]) = (better.m.to_array(), better.attitude());
        let [leg, steps, rejected] = [self.leg, self.steps, self.rejected].map(|n| n as f64);
        [leg, steps, rejected, x, y, z, a, b, c, d, stopped.unwrap_or(f64::NAN)]
    }

    /// The same read back.
    pub(super) fn from_carried(
        state: State,
        carried: &[f64],
        evaluations: u64,
    ) -> Result<(Self, Option<f64>), String> {
        let &[leg, steps, rejected, x, y, z, a, b, c, d, stopped] = carried else {
            return Err(format!("{} numbers beside the state, not {CARRIED}", carried.len()));
        };
        let whole = |x: f64| (x >= 0.0 && x.fract() == 0.0 && x < 1e15).then_some(x);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        let count = |x: f64| whole(x).map(|x| x as u64).ok_or(format!("{x:?} for a count"));
        let better = State { m: DVec3::new(x, y, z), q: DQuat::from_xyzw(b, c, d, a) };
        let better = (better.m.is_finite() && better.q.is_finite()).then_some(better);
        let (leg, steps, rejected) = (count(leg)?, count(steps)?, count(rejected)?);
        let start = Self { leg, state, better, steps, rejected, evaluations };
        Ok((start, stopped.is_finite().then_some(stopped)))
    }
}

/// A leg that is solved. It is kept while the run is saved between its rows, so as not to be solved again.
pub(super) struct SolvedLeg {
    pub(super) solution: Solution,
    /// The end of the better solution.
    pub(super) better: Option<State>,
    /// How many of the times of the solution, which are those of its steps, are passed.
    passed: usize,
}

impl SolvedLeg {
    pub(super) fn new(solution: Solution, better: Option<State>) -> Self {
        Self { solution, better, passed: 1 }
    }

    /// Goes on to a row at this time: how many steps that takes. In closed form there are none, and a row counts.
    pub(super) fn pass(&mut self, t: f64) -> u64 {
        if self.solution.method() == SolveMethod::ClosedForm {
            return 1;
        }
        let (from, to) = self.solution.span();
        let times = self.solution.times().get(self.passed..).unwrap_or_default();
        let ended = |step: &f64| if to < from { *step >= t } else { *step <= t };
        let steps = times.iter().take_while(|step| ended(step)).count();
        self.passed += steps;
        steps as u64
    }
}

/// How many legs a run has: by how fast the body turns at the start, or would after a radian of falling.
pub(super) fn count(problem: &Problem, solving: &SolutionPlan, until: f64) -> u64 {
    if solving.method == SolveMethod::ClosedForm {
        return 1;
    }
    let (inertia, start) = (problem.inertia(), problem.start());
    let torque = so3::length(problem.torque_at(problem.t0(), &start));
    let falling = (torque / inertia.moments().min_element()).sqrt();
    let rate = so3::length(start.omega(inertia)).max(falling);
    let legs = (rate * (until - problem.t0()).abs() / LEG).ceil();
    // Not a number counts as one leg, in which the solver tells what is wrong.
    #[allow(clippy::manual_clamp, reason = "clamp leaves what is not a number")]
    let legs = legs.max(1.0).min(MOST_LEGS);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1e9")]
    let legs = legs as u64;
    legs
}
