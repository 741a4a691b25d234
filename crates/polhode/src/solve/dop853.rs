//! Dormand and Prince's method of order 8 as an engine: few evaluations, for torques that are called or jump.
//!
//! The state is quaternion and momentum in the body's own frame, each in a register of its own. Error estimate and
//! interpolation (of order 7) are those of Hairer's program, the error taken of momentum and attitude apart.

use super::SolveMethod;
use super::dop853_coefficients as table;
use super::engine::{Attempt, DoneStep, Eight, Engine, Node, Outcome, Scratch, larger, smaller};
use std::sync::Arc;

use crate::torque::{Body, Dependence, TorqueFunction};
use crate::{Inertia, InertiaOver, Point, State, Torque, so3};
use glam::{DQuat, DVec3};
use polhode_number::vector::{Vector, cross, multiply, turned_by};
use polhode_number::{Kernel, PackedNumber, Registers};

/// The slopes of a step, three of them for the interpolation alone.
const STAGES: usize = 16;

/// Coefficients of the interpolation of a step.
const DENSE: usize = 8;

/// The method, bound to a body and any torque.
pub(super) struct Dop853 {
    inertia: Inertia,
    /// One over the moments of a body whose frame is principal: products take less time than quotients.
    inverse: Option<Vector<f64>>,
    /// What acts. A function of the user's alone is called as it is, for what it would go through otherwise takes as
    /// long.
    acting: Arc<dyn TorqueFunction>,
    registers: Registers,
}

/// Any other torque on the body, as a function.
struct TotalTorque {
    torque: Torque,
    over: InertiaOver<f64>,
}

impl TorqueFunction for TotalTorque {
    fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3 {
        self.torque.torque(&Body::one(body, &self.over), t, &Point::from(state)).into()
    }

    fn dependence(&self) -> Dependence {
        self.torque.dependence()
    }
}

/// A point or a slope in two registers.
type Halves<L> = [L; 2];

#[inline(always)]
fn load<L: PackedNumber>(from: &Eight) -> Halves<L> {
    [L::load(&from[..4]), L::load(&from[4..])]
}

#[inline(always)]
fn store<L: PackedNumber>([lower, upper]: Halves<L>) -> Eight {
    let mut eight = [0.0; 8];
    lower.store(&mut eight[..4]);
    upper.store(&mut eight[4..]);
    eight
}

/// `y + h (a k + b k' + ..)`.
#[inline(always)]
fn combine<L: PackedNumber, const N: usize>(
    y: Halves<L>,
    h: L,
    k: &[Halves<L>; STAGES],
    terms: &[(usize, f64); N],
) -> Halves<L> {
    let slope = mean(k, terms);
    [y[0] + h * slope[0], y[1] + h * slope[1]]
}

/// `a k + b k' + ..`.
#[inline(always)]
fn mean<L: PackedNumber>(k: &[Halves<L>; STAGES], terms: &[(usize, f64)]) -> Halves<L> {
    let mut slope = [L::splat(0.0); 2];
    for (stage, weight) in terms {
        let weight = L::splat(*weight);
        slope[0] = slope[0] + weight * k[*stage][0];
        slope[1] = slope[1] + weight * k[*stage][1];
    }
    slope
}

impl Dop853 {
    pub(super) fn new(inertia: &Inertia, torque: &Torque, registers: Registers) -> Self {
        let acting = match torque.as_function() {
            Some(function) => Arc::clone(function),
            None => {
                Arc::new(TotalTorque { torque: torque.clone(), over: InertiaOver::new(inertia) })
            }
        };
        let inverse = match inertia.inverse_matrix() {
            Some(_) => None,
            None => Some((1.0 / inertia.moments()).to_array()),
        };
        Self { inertia: *inertia, inverse, acting, registers }
    }

    #[inline(always)]
    fn slope(&self, t: f64, y: &Eight, evaluations: &mut u64) -> Eight {
        *evaluations += 1;
        let state = state(y);
        let Point { m, q } = Point::from(&state);
        let omega = match self.inverse {
            Some(inverse) => multiply(m, inverse),
            None => self.inertia.omega(state.m).to_array(),
        };
        let [f1, f2, f3] = cross(m, omega);
        let [w, x, y, z] = turned_by(q, omega);
        let torque = self.acting.torque(&self.inertia, t, &state);
        [x, y, z, w, f1 + torque.x, f2 + torque.y, f3 + torque.z, 0.0]
    }
}

fn state(&[x, y, z, w, m1, m2, m3, _]: &Eight) -> State {
    State { m: DVec3::new(m1, m2, m3), q: DQuat::from_xyzw(x, y, z, w) }
}

/// The same for the point of a stage, which waits for the last of these slopes: what is known before is added first.
#[inline(always)]
fn stage_point<L: PackedNumber, const N: usize>(
    y: Halves<L>,
    h: L,
    k: &[Halves<L>; STAGES],
    terms: &[(usize, f64); N],
) -> Halves<L> {
    let Some(((newest, weight), before)) = terms.split_last() else { return y };
    let slope = mean(k, before);
    let (last, k) = (h * L::splat(*weight), k[*newest]);
    [(y[0] + h * slope[0]) + last * k[0], (y[1] + h * slope[1]) + last * k[1]]
}

/// A step that is tried: its stages, and what they add up to.
struct StepTrial<'a> {
    engine: &'a Dop853,
    t: f64,
    h: f64,
    from: &'a Node,
    scratch: &'a mut Scratch,
}

/// Where a step leads, and squares of lengths that tell how large its error is.
struct Sums {
    y: Eight,
    /// Of the momentum where the step starts and ends.
    sizes: [f64; 2],
    /// Of the momentum's differences from the results of order 5 and 3, and of the quaternion's.
    momentum: [f64; 2],
    attitude: [f64; 2],
}

/// Evaluates stages one after the other.
macro_rules! stages {
    ($of:expr, $y0:ident, $k:ident, $evaluations:ident, $last:expr; $($i:literal $terms:ident),*) => {
        let h = L::splat($of.h);
        $(
            let y = store(stage_point($y0, h, &$k, &table::$terms));
            let t = no_later($of.t + table::TIMES[$i] * $of.h, $last, $of.h);
            $k[$i] = load::<L>(&$of.engine.slope(t, &y, $evaluations));
        )*
    };
}

impl Kernel for StepTrial<'_> {
    type Output = Sums;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> Sums {
        let Scratch { stages, evaluations, last, .. } = &mut *self.scratch;
        let zero = [L::splat(0.0); 2];
        let y0 = load::<L>(&self.from.y);
        // Here, not in the scratch: what was just stored piecemeal is slow to load as a whole.
        let mut k = [zero; STAGES];
        k[0] = load(&self.from.with);
        stages!(self, y0, k, evaluations, *last; 1 STAGE_1, 2 STAGE_2, 3 STAGE_3, 4 STAGE_4,
            5 STAGE_5, 6 STAGE_6, 7 STAGE_7, 8 STAGE_8, 9 STAGE_9, 10 STAGE_10, 11 STAGE_11);
        for (stage, slope) in stages.iter_mut().zip(&k).take(12) {
            *stage = store(*slope);
        }
        let h = L::splat(self.h);
        let y = combine(y0, h, &k, &table::RESULT);
        let fifth = combine(zero, h, &k, &table::ERROR_FIFTH);
        let third = combine(zero, h, &k, &table::ERROR_THIRD);
        let square = |x: L| x * x;
        let attitude = |[q, _]: Halves<L>| square(q);
        let momentum = |[_, m]: Halves<L>| square(m);
        let [none, _] = zero;
        let [m5, m3, q5, q3, from, to, ..] = L::sums([
            momentum(fifth),
            momentum(third),
            attitude(fifth),
            attitude(third),
            momentum(y0),
            momentum(y),
            none,
            none,
        ]);
        Sums { y: store(y), sizes: [from, to], momentum: [m5, m3], attitude: [q5, q3] }
    }
}

/// The coefficients of the interpolation of a step that was done.
struct Interpolant<'a> {
    engine: &'a Dop853,
    t: f64,
    h: f64,
    from: &'a Node,
    to: &'a Node,
    scratch: &'a mut Scratch,
}

impl Kernel for Interpolant<'_> {
    type Output = [Eight; DENSE];

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> [Eight; DENSE] {
        let Scratch { stages, evaluations, .. } = &mut *self.scratch;
        let (y0, zero) = (load::<L>(&self.from.y), [L::splat(0.0); 2]);
        let mut k = [zero; STAGES];
        for i in 0..13 {
            k[i] = load(&stages[i]);
        }
        let end = self.t + self.h;
        stages!(self, y0, k, evaluations, end; 13 STAGE_13, 14 STAGE_14, 15 STAGE_15);
        let (h, y1) = (L::splat(self.h), load::<L>(&self.to.y));
        let mut c = [y0; DENSE];
        for i in 0..2 {
            c[1][i] = y1[i] - y0[i];
            c[2][i] = h * k[0][i] - c[1][i];
            c[3][i] = c[1][i] - h * k[12][i] - c[2][i];
        }
        c[4] = combine(zero, h, &k, &table::DENSE_4);
        c[5] = combine(zero, h, &k, &table::DENSE_5);
        c[6] = combine(zero, h, &k, &table::DENSE_6);
        c[7] = combine(zero, h, &k, &table::DENSE_7);
        c.map(store)
    }
}

/// A time, or the last one if it is later in the direction of h.
fn no_later(t: f64, last: f64, h: f64) -> f64 {
    if h < 0.0 { larger(last, t) } else { smaller(last, t) }
}

fn momentum(&[.., m1, m2, m3, _]: &Eight) -> DVec3 {
    [m1, m2, m3].into()
}

/// Of the square of the difference from the result of order 5, the part that is the square of the error: by that of
/// the difference from the result of order 3.
fn error_part([fifth, third]: [f64; 2]) -> f64 {
    if fifth == 0.0 { 0.0 } else { fifth / (fifth + 0.01 * third) }
}

impl Engine for Dop853 {
    fn method(&self) -> SolveMethod {
        SolveMethod::Dop853
    }

    fn error_order(&self) -> i32 {
        8
    }

    fn first(&self) -> f64 {
        0.6
    }

    fn floor(&self) -> f64 {
        2e-14
    }

    fn enter(&self, t: f64, state: &State, scratch: &mut Scratch) -> Node {
        let ([m1, m2, m3], [x, y, z, w]) = (state.m.to_array(), state.q.to_array());
        if scratch.within {
            scratch.stages.resize(STAGES, [0.0; 8]);
        }
        let node = Node { y: [x, y, z, w, m1, m2, m3, 0.0], with: [0.0; 8] };
        self.after_jump(t, &node, scratch)
    }

    fn after_jump(&self, t: f64, node: &Node, scratch: &mut Scratch) -> Node {
        let slope = self.slope(t, &node.y, &mut scratch.evaluations);
        Node { y: node.y, with: slope }
    }

    fn leave(&self, _t: f64, node: &Node) -> State {
        let State { m, q } = state(&node.y);
        State { m, q: q / q.length() }
    }

    fn attempt(&self, step: &Attempt<'_>, scratch: &mut Scratch, to: &mut Node) -> Outcome {
        let Attempt { t, h, from, wanted, strict: [strict, strict_angle], .. } = *step;
        let sums = self.registers.four(StepTrial { engine: self, t, h, from, scratch });
        let size = larger(sums.sizes[0], sums.sizes[1]);
        let counted = larger(size, scratch.least);
        let mut may = wanted.relative * wanted.relative * counted;
        if wanted.absolute > 0.0 {
            may = (wanted.relative * counted.sqrt() + wanted.absolute).powi(2);
        }
        // The next step waits for this: two quotients that do not wait for each other.
        let [off, _] = sums.momentum;
        let off = if off == 0.0 { 0.0 } else { (off / may) * (strict * strict) };
        let off = off * error_part(sums.momentum);
        // The angle of a rotation is twice that of its quaternion.
        let per_angle = 2.0 * strict_angle / wanted.angle;
        let turned = error_part(sums.attitude) * (sums.attitude[0] * (per_angle * per_angle));
        let finite = (off + turned + size).is_finite();
        let ratio = if finite { larger(off, turned) } else { f64::NAN };
        to.y = sums.y;
        if ratio <= 1.0 {
            scratch.moved(size);
            let Scratch { stages, within, evaluations, last, .. } = scratch;
            // At the very end nobody asks for the slope, unless it is for what lies within the step.
            if *within || !step.last {
                to.with = self.slope(no_later(t + h, *last, h), &to.y, evaluations);
            }
            if let Some(stage) = stages.get_mut(12) {
                *stage = to.with;
            }
        }
        Outcome { ratio, angle: self.turn(to) * h.abs() }
    }

    fn longest(&self, _node: &Node) -> f64 {
        f64::INFINITY
    }

    fn rate(&self, _t: f64, node: &Node) -> f64 {
        let omega = self.inertia.omega(momentum(&node.y));
        let slope = self.inertia.omega(momentum(&node.with));
        let push = so3::quick_length(slope).sqrt();
        so3::quick_length([so3::quick_length(omega), push, 0.0].into())
    }

    fn turn(&self, node: &Node) -> f64 {
        so3::quick_length(self.inertia.omega(momentum(&node.y)))
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        so3::length(momentum(&node.y) / self.inertia.moments().min_element())
    }

    fn dense_size(&self) -> usize {
        8 * DENSE
    }

    fn dense(&self, step: &DoneStep, to: &Node, scratch: &mut Scratch, store: &mut [f64]) {
        let (t, h, from) = (step.t, step.h, &step.from);
        let found = self.registers.four(Interpolant { engine: self, t, h, from, to, scratch });
        store.copy_from_slice(found.as_flattened());
    }

    /// By the interpolation that belongs to the method.
    fn within(&self, step: &DoneStep, dense: &[f64], t: f64) -> Node {
        let s = (t - step.t) / step.h;
        let mut y = [0.0; 8];
        for (i, y) in y.iter_mut().enumerate() {
            let mut sum = 0.0;
            for j in (0..DENSE).rev() {
                // c0 + s (c1 + (1 - s) (c2 + s (c3 + ..))).
                let factor = if j % 2 == 0 { s } else { 1.0 - s };
                sum = dense[8 * j + i] + if j + 1 < DENSE { factor * sum } else { 0.0 };
            }
            *y = sum;
        }
        Node { y, with: step.from.with }
    }
}
