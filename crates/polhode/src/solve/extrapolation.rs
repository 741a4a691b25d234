//! The extrapolated midpoint rule as an engine.

use core::any::TypeId;
use std::sync::Arc;

use polhode_number::vector::{Quaternion, Vector, product};
use polhode_number::{Lift, PackedNumber, Registers, Splat};

use super::SolveMethod;
use super::bodies::{BodyOver, ExtrapolationLanes};
use super::engine::{
    Attempt, BodyLanes, DoneStep, Eight, Engine, EngineKind, Node, Outcome, Scratch,
};
use super::field::{Field, FieldFrame, Push};
use super::leapfrog::{Leapfrog, scaled};
use super::sequences::{FINE, LONG, SHORT, Sequences};
use super::step::{RunStep, Squares, Step};
use crate::{Inertia, State, so3};

/// From here on the short sequences take less time.
const SHORT_FROM: f64 = 1e-5;

/// Below this, rounding that the weights make larger is more than is allowed.
const FINE_BELOW: f64 = 1e-11;

/// Below this, what sums drop is larger than what is to be gained.
const COMPENSATED_BELOW: f64 = 3e-12;

/// What a sequence errs by rounding, with plain sums and with compensated ones: measured, where estimates no longer
/// fall with the step.
const ROUNDING: f64 = 9e-16;
const COMPENSATED_ROUNDING: f64 = 9e-17;

/// Whether these squares of an angular velocity are far from overflow, and do not vanish.
fn is_safe([s1, s2, s3]: Vector<f64>) -> bool {
    (1e-200..1e200).contains(&(s1 + s2 + s3))
}

/// Of the stability limit of the leapfrog, how much is used.
const STABLE_PART: f64 = 0.8;

/// A body in principal axes.
#[derive(Clone, Debug)]
struct PrincipalBody {
    moments: Vector<f64>,
    /// The moments over the largest one, and zeros: with them lengths of momenta stay near those of angular
    /// velocities.
    relative: Eight,
    largest: f64,
    kappa: Vector<f64>,
    /// Where the principal axes are not those of the body frame.
    turned: Option<Box<TurnedAxes>>,
}

/// How principal axes stand in the body frame.
#[derive(Clone, Copy, Debug)]
struct TurnedAxes {
    inertia: Inertia,
    /// From principal axes to the body frame.
    turn: Quaternion<f64>,
}

/// The extrapolated midpoint rule with a torque that is compiled into it.
pub(super) struct Extrapolation<F> {
    body: PrincipalBody,
    field: F,
    frame: FieldFrame,
    sequences: &'static Sequences,
    compensated: bool,
    registers: Registers,
}

impl<F: Field> Extrapolation<F> {
    /// For local errors of that size.
    pub(super) fn new(inertia: &Inertia, field: F, tolerance: f64, registers: Registers) -> Self {
        let moments = inertia.moments();
        let largest = moments.max_element();
        let turn = || so3::to_wxyz(inertia.axes());
        let turned = inertia.inverse_matrix().is_some();
        let [r1, r2, r3] = (moments / largest).to_array();
        let relative = [r1, r2, r3, 0.0, 0.0, 0.0, 0.0, 0.0];
        let body = PrincipalBody {
            moments: moments.to_array(),
            relative,
            largest,
            kappa: inertia.gap_ratios(),
            turned: turned.then(|| Box::new(TurnedAxes { inertia: *inertia, turn: turn() })),
        };
        let frame = field.frame();
        let sequences = match tolerance {
            _ if tolerance >= SHORT_FROM => &SHORT,
            _ if tolerance >= FINE_BELOW => &LONG,
            _ => &FINE,
        };
        let compensated = tolerance < COMPENSATED_BELOW;
        Self { body, field, frame, sequences, compensated, registers }
    }

    /// What a step needs to know of the body, its numbers in lanes.
    #[inline(always)]
    pub(super) fn over<L: PackedNumber>(
        &self,
        lift: &mut impl Lift<f64, L>,
    ) -> BodyOver<F::Over<'_, L>, L> {
        let [r1, r2, r3, ..] = self.body.relative;
        BodyOver {
            field: self.field.over(lift),
            kappa: lift.vector(self.body.kappa),
            relative: lift.vector([r1, r2, r3]),
        }
    }

    pub(super) fn largest(&self) -> f64 {
        self.body.largest
    }

    pub(super) fn sequences(&self) -> &'static Sequences {
        self.sequences
    }

    pub(super) fn is_compensated(&self) -> bool {
        self.compensated
    }

    pub(super) fn spin(&self) -> f64 {
        self.frame.spin
    }

    pub(super) fn registers(&self) -> Registers {
        self.registers
    }

    /// From space to the frame of the field at that time; none if they are the same.
    fn seen_from(&self, t: f64) -> Option<Quaternion<f64>> {
        let turn = self.frame.turn?;
        if self.frame.spin == 0.0 {
            return Some(turn);
        }
        let (sin, cos) = polhode_number::sin_cos(0.5 * self.frame.spin * t, 0.0);
        Some(product([cos, 0.0, 0.0, -sin], turn))
    }

    /// A step from there, as long as h: where it leads, and how large its error is. Out of line: what it compiles to
    /// is large, and two callers need it.
    #[inline(never)]
    fn run(&self, t: f64, h: f64, from: &Node, to: &mut Node) -> Squares {
        let step = RunStep(self.step(t, h, from), to);
        match self.sequences.eight {
            true if F::CALLS => self.registers.eight(step),
            // Four of eight lanes would have nothing to do: a tenth slower, but the many torques whose leaps are shared
            // need not be compiled once more.
            false if F::CALLS || !<F::Over<'_, f64> as Push<f64>>::SHARED => {
                self.registers.four(step)
            }
            _ => self.registers.up_to_eight(step),
        }
    }

    fn step<'a>(&'a self, t: f64, h: f64, from: &'a Node) -> Step<'a, F> {
        Step {
            field: &self.field,
            sequences: self.sequences,
            kappa: self.body.kappa,
            relative: &self.body.relative,
            spin: self.frame.spin,
            compensated: self.compensated,
            t,
            h,
            from,
        }
    }
}

fn conjugate([w, x, y, z]: Quaternion<f64>) -> Quaternion<f64> {
    [w, -x, -y, -z]
}

impl<F: Field + 'static> Engine for Extrapolation<F> {
    fn method(&self) -> SolveMethod {
        SolveMethod::Extrapolation
    }

    fn error_order(&self) -> i32 {
        self.sequences.order - 1
    }

    fn first(&self) -> f64 {
        self.sequences.first
    }

    fn floor(&self) -> f64 {
        let rounding = if self.compensated { COMPENSATED_ROUNDING } else { ROUNDING };
        rounding * self.sequences.noise
    }

    fn enter(&self, t: f64, state: &State, _scratch: &mut Scratch) -> Node {
        let [i1, i2, i3] = self.body.moments;
        let (mut m, mut q) = (state.m.to_array(), state.attitude());
        if let Some(axes) = &self.body.turned {
            (m, q) = (axes.inertia.enter_principal(state.m), product(q, axes.turn));
        }
        if let Some(frame) = self.seen_from(t) {
            q = product(frame, q);
        }
        let [w, x, y, z] = q;
        Node { y: [m[0] / i1, m[1] / i2, m[2] / i3, w, x, y, z, 0.0], with: [0.0; 8] }
    }

    fn leave(&self, t: f64, node: &Node) -> State {
        let [o1, o2, o3, w, x, y, z, _] = node.y;
        let [i1, i2, i3] = self.body.moments;
        let (mut m, mut q) = ([o1 * i1, o2 * i2, o3 * i3], [w, x, y, z]);
        if let Some(frame) = self.seen_from(t) {
            q = product(conjugate(frame), q);
        }
        if let Some(axes) = &self.body.turned {
            m = axes.inertia.leave_principal(m).to_array();
            q = product(q, conjugate(axes.turn));
        }
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        State { m: m.into(), q: so3::from_wxyz(q.map(|x| x / norm)) }
    }

    fn attempt(&self, step: &Attempt<'_>, scratch: &mut Scratch, to: &mut Node) -> Outcome {
        let squares = self.run(step.t, step.h, step.from, to);
        scratch.evaluations += self.sequences.evaluations;
        squares.outcome(self.body.largest, step, scratch)
    }

    fn kind(&self) -> Option<EngineKind> {
        self.field.side_by_side().map(|axes| EngineKind {
            engine: TypeId::of::<Self>(),
            sequences: self.sequences,
            compensated: self.compensated,
            axes,
        })
    }

    fn lanes(self: Arc<Self>) -> Option<Box<dyn BodyLanes>> {
        self.field.side_by_side()?;
        Some(Box::new(ExtrapolationLanes::new(&self)))
    }

    fn longest(&self, node: &Node) -> f64 {
        let [k1, k2, k3] = self.body.kappa;
        let [o1, o2, o3, ..] = node.y;
        let mut squares = [o1 * o1, o2 * o2, o3 * o3];
        let mut unit = 1.0;
        if !is_safe(squares) {
            unit = self.turn(node);
            if unit == 0.0 {
                return f64::INFINITY;
            }
            squares = [o1, o2, o3].map(|x| (x / unit) * (x / unit));
        }
        let [s1, s2, s3] = squares;
        // Of Euler's equations, the fastest rate of small changes; and that of the half angle. Both squared.
        let euler = -(k2 * k3 * s1 + k3 * k1 * s2 + k1 * k2 * s3);
        let half_angle = 0.25 * (s1 + s2 + s3);
        STABLE_PART * self.sequences.least / (unit * euler.max(half_angle).sqrt())
    }

    fn rate(&self, t: f64, node: &Node) -> f64 {
        let [o1, o2, o3, w, x, y, z, _] = node.y;
        // In units of a radian's time where something might overflow; elsewhere not, to save a division.
        let speed = if is_safe([o1 * o1, o2 * o2, o3 * o3]) { 1.0 } else { self.turn(node) };
        let unit = if speed > 0.0 { speed } else { 1.0 };
        let h = 1.0 / unit;
        let (field, spin) = (self.field.over::<f64>(&mut Splat), self.frame.spin);
        let leapfrog = Leapfrog::new(&field, self.body.kappa, spin, t, h);
        let start = scaled([o1, o2, o3, w, x, y, z], h);
        let [x1, x2, x3, ..] = start;
        // What pushes the body has the dimension of a rate squared.
        let push = so3::quick_length(leapfrog.slope(&start).into());
        (x1 * x1 + x2 * x2 + x3 * x3 + push).sqrt() * unit
    }

    #[inline]
    fn turn(&self, node: &Node) -> f64 {
        let [o1, o2, o3, ..] = node.y;
        so3::quick_length([o1, o2, o3].into())
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        let [o1, o2, o3, ..] = node.y;
        let [r1, r2, r3, ..] = self.body.relative;
        let least = r1.min(r2).min(r3);
        so3::length([o1 * r1 / least, o2 * r2 / least, o3 * r3 / least].into())
    }

    /// The step once more, to that time: as accurate as the step.
    fn within(&self, step: &DoneStep, _dense: &[f64], t: f64) -> Node {
        let mut to = step.from;
        self.run(step.asked, t - step.t, &step.from, &mut to);
        to
    }
}
