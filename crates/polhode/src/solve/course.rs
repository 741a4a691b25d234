//! The steps of a motion with one torque: which one is next, and what follows from how it went.

use super::aim::Aim;
use super::drive::finite_rate;
use super::engine::{Attempt, Engine, ErrorBounds, Node, Outcome, Scratch, larger, smaller};
use super::pace::Pace;
use super::{SolveError, SolveMethod};

/// Steps that fail one after the other until there is no hope: each is at most 0.8 of the one before.
const MOST_REJECTED: u32 = 200;

/// A step shorter than so many ulp of the time is none.
pub(super) const SHORTEST: f64 = 8.0 * f64::EPSILON;

/// Steps shorter than so many ulp of the time lead nowhere near where they should: there are none. If steps fail where
/// a radian takes less than the second number of ulp, that is why.
const COARSE: [f64; 2] = [4.0 * f64::EPSILON, 64.0 * f64::EPSILON];

/// So many failed steps within this part of the time: no hope either. Next to a singularity the rounded time lets
/// the torque jump from step to step, and of steps a little longer than the shortest it would take millions.
const STUCK: (u32, f64) = (100, 1e-9);

/// A step shorter than this part of the time leads to a moment next to the one where it starts.
const NEXT_TO: f64 = 1e-12;

/// Steps from one time to another, through all times at which one must end. These are not in it: without a list it
/// stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Course {
    method: SolveMethod,
    aim: Aim,
    wanted: ErrorBounds,
    /// How many times less than is wanted a step is allowed, of the momentum and of the attitude, and at most.
    strict: [f64; 2],
    strictest: [f64; 2],
    pub(super) pace: Pace,
    /// How many times there are at which the torque jumps, and how many of them were aimed at.
    stops: usize,
    aimed_at: usize,
    until: f64,
    /// Where the next step starts, and whether the torque jumps there.
    pub(super) t: f64,
    jumped: bool,
    /// The next time at which a step must end; so many steps of that length lead to it.
    pub(super) target: f64,
    left: f64,
    h: f64,
    /// Where the step in hand ends, and its length.
    pub(super) end: f64,
    pub(super) step: f64,
    /// Failed steps since the last one that did not, and since that time.
    failed: u32,
    stuck: (u32, f64),
}

/// What a course is made for.
#[derive(Clone, Copy)]
pub(super) struct CoursePlan<'a> {
    pub(super) aim: Aim,
    /// Where the torque jumps, in the order in which these times are passed: steps must end there.
    pub(super) stops: &'a [f64],
    pub(super) until: f64,
    /// How far the body has turned, and how fast things happen.
    pub(super) radians: f64,
    pub(super) rate: f64,
    pub(super) max_step: f64,
    /// The first step, if one is known.
    pub(super) first: Option<f64>,
}

impl Course {
    /// From this node at that time.
    #[inline(always)]
    pub(super) fn new(engine: &dyn Engine, (t, node): (f64, &Node), plan: CoursePlan<'_>) -> Self {
        let CoursePlan { aim, stops, until, radians, rate, max_step, first } = plan;
        let span = (until - t).abs();
        // By how far the body will have turned if it goes on so.
        let (method, wanted) = (engine.method(), aim.wanted());
        let strictest = wanted.strictest(engine.floor());
        let strict = aim.strictness(radians, engine.turn(node).max(rate) * span, method);
        let tolerance = wanted.least() / strict[0].min(strictest[0].min(strictest[1]));
        let order = (engine.error_order(), engine.first());
        let mut pace = Pace::new(method, order, (rate, span), tolerance, max_step);
        if let Some(first) = first {
            pace = pace.starting_with(first.max(SHORTEST * t.abs()));
        }
        let forwards = until >= t;
        let aimed_at = stops.partition_point(|&stop| if forwards { stop <= t } else { stop >= t });
        let jumped = aimed_at.checked_sub(1).is_some_and(|last| stops[last] == t);
        Self {
            method,
            aim,
            wanted,
            strict,
            strictest,
            pace,
            stops: stops.len(),
            aimed_at,
            until,
            t,
            jumped,
            target: t,
            left: 0.0,
            h: 0.0,
            end: t,
            step: 0.0,
            failed: 0,
            stuck: (0, t),
        }
    }

    /// Checks that steps as short as the motion needs lead from one double to another.
    #[inline(always)]
    pub(super) fn check_times(&self) -> Result<(), SolveError> {
        let step = self.pace.want;
        if step >= COARSE[0] * self.t.abs() || step >= (self.until - self.t).abs() {
            return Ok(());
        }
        Err(self.too_coarse(step))
    }

    #[cold]
    fn too_coarse(&self, step: f64) -> SolveError {
        let t = self.t;
        SolveError::TimeTooCoarse { t, apart: t.abs().next_up() - t.abs(), step }
    }

    /// The longest step from a node: one that changes the time, in any case.
    #[inline(always)]
    fn longest(&self, engine: &dyn Engine, node: &Node) -> f64 {
        let most_turn = self.aim.most_turn();
        let mut longest = engine.longest(node);
        if most_turn < f64::INFINITY {
            longest = smaller(most_turn / engine.turn(node), longest);
        }
        larger(longest, COARSE[0] * self.t.abs())
    }

    /// Next to a time, on the side where the run goes.
    fn after(&self, t: f64) -> f64 {
        if self.until >= self.t { t.next_up() } else { t.next_down() }
    }

    /// The next step from this node, if there is one.
    #[inline(always)]
    pub(super) fn has_next(
        &mut self,
        engine: &dyn Engine,
        stops: &[f64],
        node: &mut Node,
        scratch: &mut Scratch,
    ) -> bool {
        if self.left <= 0.5 && !self.aim_at_next(engine, stops, node, scratch) {
            return false;
        }
        // The time after the step is a double; the step is what lies between.
        self.end = if self.left < 1.5 { self.target } else { self.t + self.h };
        self.step = self.end - self.t;
        true
    }

    /// Aims at the next time at which a step must end. False if there is none.
    #[inline(always)]
    fn aim_at_next(
        &mut self,
        engine: &dyn Engine,
        stops: &[f64],
        node: &mut Node,
        scratch: &mut Scratch,
    ) -> bool {
        while self.target == self.t {
            if self.aimed_at > self.stops {
                return false;
            }
            self.target = stops.get(self.aimed_at).copied().unwrap_or(self.until);
            self.aimed_at += 1;
        }
        let forwards = self.until >= self.t;
        let before = if forwards { self.target.next_down() } else { self.target.next_up() };
        scratch.last = if self.jumps_at_target() { before } else { self.target };
        if self.jumped {
            *node = engine.after_jump(self.after(self.t), node, scratch);
        }
        self.left = self.pace.parts((self.target - self.t).abs(), self.longest(engine, node));
        self.h = (self.target - self.t) / self.left;
        (self.failed, self.stuck) = (0, (0, self.t));
        true
    }

    /// Whether the torque jumps where these steps lead to.
    fn jumps_at_target(&self) -> bool {
        self.aimed_at <= self.stops
    }

    /// The step in hand, from this node.
    #[inline(always)]
    pub(super) fn attempt<'a>(&self, from: &'a Node) -> Attempt<'a> {
        let t = if self.jumped { self.after(self.t) } else { self.t };
        let ([momentum, attitude], [most, most_attitude]) = (self.strict, self.strictest);
        let strict = [smaller(momentum, most), smaller(attitude, most_attitude)];
        let last = self.end == self.until;
        Attempt { t, h: self.step, from, wanted: self.wanted, strict, last }
    }

    /// The step in hand was good enough, and has led to this node. The body has turned so far.
    #[inline(always)]
    pub(super) fn accepted(
        &mut self,
        engine: &dyn Engine,
        Outcome { ratio, angle }: Outcome,
        radians: f64,
        to: &Node,
    ) {
        self.t = self.end;
        self.jumped = self.t == self.target && self.jumps_at_target();
        let over = 1.0 / self.step.abs();
        let rest = (self.until - self.t).abs() * over;
        self.strict = self.aim.strictness(radians, angle * rest, self.method);
        self.failed = 0;
        self.left -= 1.0;
        let turns_far = angle > self.aim.most_turn();
        if self.left > 0.5 && (self.pace.accepted(self.step.abs(), ratio) || turns_far) {
            self.pace.want = larger(self.pace.want, COARSE[0] * self.t.abs());
            self.left = self.pace.parts((self.target - self.t).abs(), self.longest(engine, to));
            self.h = (self.target - self.t) / self.left;
        }
    }

    /// The step in hand, from this node, was not: the next one is shorter.
    #[inline(always)]
    pub(super) fn rejected(
        &mut self,
        engine: &dyn Engine,
        ratio: f64,
        node: &Node,
    ) -> Result<(), SolveError> {
        let Self { t, step, target, .. } = *self;
        self.failed += 1;
        self.pace.rejected(step.abs(), ratio);
        self.stuck.0 += 1;
        let still = self.stuck.0 == STUCK.0 && (t - self.stuck.1).abs() <= STUCK.1 * t.abs();
        if self.failed > MOST_REJECTED || self.pace.want <= SHORTEST * t.abs() || still {
            let rate = finite_rate(engine, t, node)?;
            if rate * COARSE[1] * t.abs() > 1.0 {
                return Err(self.too_coarse(self.pace.want));
            }
            // A step as short as this one fails altogether only where the torque does.
            let fails = ratio.is_nan() && step.abs() < NEXT_TO * t.abs().max(self.until.abs());
            return Err(if fails {
                SolveError::TorqueNotFinite { t: self.end }
            } else {
                SolveError::StepTooSmall { t, step }
            });
        }
        if self.stuck.0 == STUCK.0 {
            self.stuck = (0, t);
        }
        self.left = ((target - t).abs() / self.pace.want).ceil().max(1.0);
        self.h = (target - t) / self.left;
        Ok(())
    }
}
