//! The coordinates of Munthe-Kaas' methods over one step, and the field in them.
//!
//! Q = Q0 exp(psi), m = exp(-psi) (m0 + g): psi' = dexp(-psi)^-1 I^-1 m, g' = exp(psi) torque
//! (Krysl, eq. (17)).

use core::ops::{Add, AddAssign, Mul, Range, Sub};

use glam::DVec3;
use polhode_number::Dual;

use super::start::Start;
use super::step_number::{StepNumber, StepVector};
use super::turn::Turn;
use crate::so3::Dexpinv;

/// The coordinates of a stage, or h times their derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) psi: DVec3,
    pub(super) g: DVec3,
}

impl Pair {
    pub(super) const ZERO: Self = Self { psi: DVec3::ZERO, g: DVec3::ZERO };

    pub(super) fn is_finite(self) -> bool {
        self.psi.is_finite() && self.g.is_finite()
    }

    pub(super) fn larger(self, other: Self) -> Self {
        Self { psi: self.psi.max(other.psi.abs()), g: self.g.max(other.g.abs()) }
    }

    /// Six numbers, with the momentum times that factor.
    pub(super) fn scaled(self, factor: f64) -> [f64; 6] {
        let (psi, g) = (self.psi, self.g * factor);
        [psi.x, psi.y, psi.z, g.x, g.y, g.z]
    }

    pub(super) fn from_scaled(numbers: &[f64], factor: f64) -> Self {
        let vector = |i: usize| DVec3::from_slice(&numbers[i..]);
        Self { psi: vector(0), g: vector(3) * factor }
    }
}

impl Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { psi: self.psi + other.psi, g: self.g + other.g }
    }
}

impl Sub for Pair {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { psi: self.psi - other.psi, g: self.g - other.g }
    }
}

impl Mul<f64> for Pair {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { psi: self.psi * factor, g: self.g * factor }
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The sum of the slopes of some stages, with weights.
pub(super) fn sum(weights: &[f64], slopes: &[Pair], stages: Range<usize>) -> Pair {
    stages.fold(Pair::ZERO, |sum, j| sum + slopes[j] * weights[j])
}

/// h (psi', g') at t + c h, for these coordinates.
pub(super) fn slope(start: &Start, c: f64, Pair { psi, g }: Pair) -> Pair {
    let turn = Turn::exp(psi.into());
    let p = start.m + g;
    let m = p + turn.into_body(p.into()).value();
    let impulse = start.impulse(c, turn, m);
    field(start, &Dexpinv::new(psi.into()), turn, m.into(), impulse.into()).value()
}

/// The same with the derivative of h (psi', g'/unit) with respect to (psi, g/unit), column by column.
pub(super) fn slope_and_derivative(
    start: &Start,
    c: f64,
    Pair { psi, g }: Pair,
    unit: f64,
) -> (Pair, [[f64; 6]; 6]) {
    let unknown = StepVector::<Dual<f64, 3>>::unknown(psi, 0);
    let turn = Turn::exp(unknown);
    let p = StepVector::constant(start.m + g);
    let m = p + turn.into_body(p);
    let (plain, at) = (turn.value(), m.value());
    let slopes = start.impulse_slopes(c, plain, at);
    let impulse = StepVector::impulse(start.impulse(c, plain, at), &slopes, turn, m);
    let dexpinv = Dexpinv::new(unknown.0);
    let all = field(start, &dexpinv, turn, m, impulse);
    let [by_x, by_y, by_z] = [0, 1, 2].map(|k| all.slope(k));
    // In the momentum the field is linear.
    let dexpinv = Dexpinv { psi: psi.into(), factor: dexpinv.factor.value };
    let by_momentum = |v: DVec3| {
        let v = v + plain.into_body(v.into()).value();
        field(start, &dexpinv, plain, v.into(), (slopes.momentum * v).into()).value()
    };
    let [by_p, by_q, by_r] = [DVec3::X, DVec3::Y, DVec3::Z].map(|v| by_momentum(v * unit));
    (all.value(), [by_x, by_y, by_z, by_p, by_q, by_r].map(|column| column.scaled(1.0 / unit)))
}

/// h (psi', g') for that momentum and h times that torque.
#[inline(always)]
fn field<N: StepNumber>(
    start: &Start,
    dexpinv: &Dexpinv<N>,
    turn: Turn<N>,
    m: StepVector<N>,
    impulse: StepVector<N>,
) -> PairOver<N> {
    let StepVector(omega) = m.map(|v| start.psi_of(v));
    PairOver { psi: StepVector(dexpinv.of(omega)), g: impulse + turn.out_of_body(impulse) }
}

/// A [`Pair`] over some number.
struct PairOver<N> {
    psi: StepVector<N>,
    g: StepVector<N>,
}

impl<N: StepNumber> PairOver<N> {
    #[inline(always)]
    fn value(&self) -> Pair {
        Pair { psi: self.psi.value(), g: self.g.value() }
    }
}

impl PairOver<Dual<f64, 3>> {
    /// The derivative by an unknown.
    #[inline(always)]
    fn slope(&self, k: usize) -> Pair {
        Pair { psi: self.psi.slope(k), g: self.g.slope(k) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::torque::{Dependence, Function};
    use crate::{Inertia, State, so3};

    #[test]
    fn the_derivative_is_that_of_the_slope() {
        let torque = |_: &Inertia, t: f64, s: &State| {
            (s.q.conjugate() * DVec3::X).cross(DVec3::new(0.3, -1.0, 0.7)) * t - s.m * 0.2
        };
        let state = State::new([0.8, -0.5, 1.1], so3::exp(DVec3::new(0.4, 0.1, -0.9))).unwrap();
        let problem = Problem::new(
            Inertia::tensor([[2.0, 0.1, 0.0], [0.1, 2.5, -0.2], [0.0, -0.2, 3.0]]).unwrap(),
            state,
        )
        .torque(Function::new(Dependence::Momentum, torque));
        let start = Start::new(&problem, 1.5, 0.7, &state).unwrap();
        let at = [0.3, -0.2, 0.5, 0.1, 0.4, -0.3];
        let unit = 1.7;
        let slope =
            |x: &[f64; 6]| slope(&start, 0.4, Pair::from_scaled(x, unit)).scaled(1.0 / unit);
        let (value, derivative) =
            slope_and_derivative(&start, 0.4, Pair::from_scaled(&at, unit), unit);
        assert_eq!(value.scaled(1.0 / unit), slope(&at));
        for j in 0..6 {
            let (mut more, mut less) = (at, at);
            more[j] += 1e-4;
            less[j] -= 1e-4;
            let (more, less) = (slope(&more), slope(&less));
            for i in 0..6 {
                let difference = (more[i] - less[i]) / 2e-4;
                let entry = derivative[j][i];
                assert!((difference - entry).abs() < 1e-8, "{i}, {j}: {difference} {entry}");
            }
        }
    }
}
