//! Dormand and Prince's method of order 8 as an engine: few evaluations, for torques that are called.
//!
//! The state is momentum and quaternion in the body's own frame. Error estimate and interpolation (of order 7)
//! are those of Hairer's program, the error taken of momentum and attitude apart.

use super::SolveMethod;
use super::dop853_coefficients as table;
use super::engine::{Allowed, DoneStep, Engine, Node, Scratch, Trial};
use super::leaps::Seven;
use crate::torque::Body;
use crate::{Inertia, InertiaOver, Point, State, Torque, so3};
use polhode_number::vector::{cross, turned_by};

/// The slopes of a step, three of them for the interpolation alone.
pub(super) type Stages = [Seven<f64>; 16];

/// Coefficients of the interpolation of a step.
const DENSE: usize = 8;

/// The method, bound to a body and any torque.
pub(super) struct Dop853 {
    inertia: Inertia,
    over: InertiaOver<f64>,
    torque: Torque,
}

/// `y + h (a k + b k' + ..)`.
#[inline(always)]
fn combine<const N: usize>(
    y: &Seven<f64>,
    h: f64,
    k: &Stages,
    terms: &[(usize, f64); N],
) -> Seven<f64> {
    let mut sum = *y;
    for i in 0..7 {
        let mut slope = 0.0;
        for (stage, weight) in terms {
            slope += weight * k[*stage][i];
        }
        sum[i] = y[i] + h * slope;
    }
    sum
}

impl Dop853 {
    pub(super) fn new(inertia: &Inertia, torque: Torque) -> Self {
        Self { inertia: *inertia, over: InertiaOver::new(inertia), torque }
    }

    fn slope(&self, t: f64, y: &Seven<f64>, evaluations: &mut u64) -> Seven<f64> {
        *evaluations += 1;
        let [m1, m2, m3, w, x, y, z] = *y;
        let at = Point { m: [m1, m2, m3], q: [w, x, y, z] };
        let omega = self.over.omega(at.m);
        let torque = self.torque.torque(&Body::one(&self.inertia, &self.over), t, &at);
        let free = cross(at.m, omega);
        let turn = turned_by(at.q, omega);
        [
            free[0] + torque[0],
            free[1] + torque[1],
            free[2] + torque[2],
            turn[0],
            turn[1],
            turn[2],
            turn[3],
        ]
    }
}

/// A time, or the last one if it is later in the direction of h.
fn no_later(t: f64, last: f64, h: f64) -> f64 {
    if h < 0.0 { t.max(last) } else { t.min(last) }
}

fn momentum(y: &Seven<f64>) -> glam::DVec3 {
    [y[0], y[1], y[2]].into()
}

/// The size of the quaternion's part.
fn attitude(y: &Seven<f64>) -> f64 {
    y[3..].iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The error by the differences from two results of lower order.
fn stretched(fifth: f64, third: f64) -> f64 {
    if fifth == 0.0 { 0.0 } else { fifth * (fifth / libm::hypot(fifth, 0.1 * third)) }
}

impl Engine for Dop853 {
    fn method(&self) -> SolveMethod {
        SolveMethod::Dop853
    }

    fn error_order(&self) -> i32 {
        8
    }

    fn floor(&self) -> f64 {
        2e-14
    }

    fn enter(&self, t: f64, state: &State, scratch: &mut Scratch) -> Node {
        let ([m1, m2, m3], [w, x, y, z]) = (state.m.to_array(), state.attitude());
        let y = [m1, m2, m3, w, x, y, z];
        Node { y, with: self.slope(t, &y, &mut scratch.evaluations) }
    }

    fn after_jump(&self, t: f64, node: &Node, scratch: &mut Scratch) -> Node {
        Node { y: node.y, with: self.slope(t, &node.y, &mut scratch.evaluations) }
    }

    fn leave(&self, _t: f64, node: &Node) -> State {
        let [_, _, _, w, x, y, z] = node.y;
        let norm = attitude(&node.y);
        State { m: momentum(&node.y), q: so3::from_wxyz([w / norm, x / norm, y / norm, z / norm]) }
    }

    fn attempt(
        &self,
        t: f64,
        h: f64,
        from: &Node,
        allowed: &Allowed,
        scratch: &mut Scratch,
    ) -> Trial {
        let Scratch { stages: k, evaluations, last } = scratch;
        let y0 = &from.y;
        k[0] = from.with;
        macro_rules! stage {
            ($($i:literal $terms:ident),*) => {$(
                let y = combine(y0, h, k, &table::$terms);
                k[$i] = self.slope(no_later(t + table::TIMES[$i] * h, *last, h), &y, evaluations);
            )*};
        }
        stage!(1 STAGE_1, 2 STAGE_2, 3 STAGE_3, 4 STAGE_4, 5 STAGE_5, 6 STAGE_6);
        stage!(7 STAGE_7, 8 STAGE_8, 9 STAGE_9, 10 STAGE_10, 11 STAGE_11);
        let y = combine(y0, h, k, &table::RESULT);
        let fifth = combine(&[0.0; 7], h, k, &table::ERROR_FIFTH);
        let third = combine(&[0.0; 7], h, k, &table::ERROR_THIRD);
        let length = |y: &Seven<f64>| so3::length(momentum(y));
        let may = allowed.relative * length(y0).max(length(&y)) + allowed.absolute;
        let off = stretched(length(&fifth), length(&third));
        let off = if off == 0.0 { 0.0 } else { off / may };
        // The angle of a rotation is twice that of its quaternion.
        let turned = 2.0 * stretched(attitude(&fifth), attitude(&third)) / allowed.angle;
        let ratio = if (off + turned + y.iter().sum::<f64>()).is_finite() {
            off.max(turned) * off.max(turned)
        } else {
            f64::NAN
        };
        let mut to = Node { y, with: from.with };
        if ratio <= 1.0 {
            k[12] = self.slope(no_later(t + h, *last, h), &y, evaluations);
            to.with = k[12];
        }
        Trial { to, ratio }
    }

    fn longest(&self, _node: &Node) -> f64 {
        f64::INFINITY
    }

    fn rate(&self, _t: f64, node: &Node) -> f64 {
        let omega = self.inertia.omega(momentum(&node.y));
        let slope = self.inertia.omega(momentum(&node.with));
        libm::hypot(so3::length(omega), so3::length(slope).sqrt())
    }

    fn turn(&self, node: &Node) -> f64 {
        so3::length(self.inertia.omega(momentum(&node.y)))
    }

    fn fastest_turn(&self, node: &Node) -> f64 {
        so3::length(momentum(&node.y) / self.inertia.moments().min_element())
    }

    fn dense_size(&self) -> usize {
        7 * DENSE
    }

    fn dense(&self, step: &DoneStep, to: &Node, scratch: &mut Scratch, store: &mut [f64]) {
        let Scratch { stages: k, evaluations, .. } = scratch;
        let (y0, y1, h) = (&step.from.y, &to.y, step.h);
        macro_rules! stage {
            ($($i:literal $terms:ident),*) => {$(
                let y = combine(y0, h, k, &table::$terms);
                k[$i] = self.slope(step.t + table::TIMES[$i] * h, &y, evaluations);
            )*};
        }
        stage!(13 STAGE_13, 14 STAGE_14, 15 STAGE_15);
        let mut c = [[0.0; 7]; DENSE];
        c[0] = *y0;
        for i in 0..7 {
            c[1][i] = y1[i] - y0[i];
            c[2][i] = h * k[0][i] - c[1][i];
            c[3][i] = c[1][i] - h * k[12][i] - c[2][i];
        }
        c[4] = combine(&[0.0; 7], h, k, &table::DENSE_4);
        c[5] = combine(&[0.0; 7], h, k, &table::DENSE_5);
        c[6] = combine(&[0.0; 7], h, k, &table::DENSE_6);
        c[7] = combine(&[0.0; 7], h, k, &table::DENSE_7);
        store.copy_from_slice(c.as_flattened());
    }

    /// By the interpolation that belongs to the method.
    fn within(&self, step: &DoneStep, dense: &[f64], t: f64) -> Node {
        let s = (t - step.t) / step.h;
        let mut y = [0.0; 7];
        for (i, y) in y.iter_mut().enumerate() {
            let mut sum = 0.0;
            for j in (0..DENSE).rev() {
                // c0 + s (c1 + (1 - s) (c2 + s (c3 + ..))).
                let factor = if j % 2 == 0 { s } else { 1.0 - s };
                sum = dense[7 * j + i] + if j + 1 < DENSE { factor * sum } else { 0.0 };
            }
            *y = sum;
        }
        Node { y, with: step.from.with }
    }
}
