//! The coordinates of Munthe-Kaas' methods over one step, and the field in them.
//!
//! Q = Q0 exp(psi), m = exp(-psi) (m0 + g): psi' = dexp(-psi)^-1 I^-1 m, g' = exp(psi) torque
//! (Krysl, eq. (17)).

use core::ops::{Add, AddAssign, Mul, Range, Sub};

use glam::{DMat3, DVec3};

use super::start::Start;
use super::turn::Turn;
use crate::so3;

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

/// The field at a stage.
pub(super) struct TableauStage<'a> {
    start: &'a Start<'a>,
    c: f64,
    psi: DVec3,
    turn: Turn,
    m: DVec3,
    impulse: DVec3,
}

impl<'a> TableauStage<'a> {
    /// The stage at t + c h with these coordinates.
    pub(super) fn new(start: &'a Start, c: f64, Pair { psi, g }: Pair) -> Self {
        let turn = Turn::exp(psi);
        let p = start.m + g;
        let m = p + turn.into_body(p);
        Self { start, c, psi, turn, m, impulse: start.impulse(c, turn, m) }
    }

    /// h (psi', g').
    pub(super) fn slope(&self) -> Pair {
        let psi = so3::dexpinv(self.psi, self.start.psi_of(self.m));
        Pair { psi, g: self.impulse + self.turn.out_of_body(self.impulse) }
    }

    /// The derivative of h (psi', g'/unit) with respect to (psi, g/unit), in blocks.
    ///
    /// Written out, not by duals, for the reasons given in [`super::dual`].
    pub(super) fn derivative(&self, unit: f64) -> [[DMat3; 2]; 2] {
        let Self { start, c, psi, turn, m, impulse } = *self;
        let (into_body, dexp) = (turn.matrix_into_body(), so3::dexp(psi));
        let out_of_body = into_body.transpose();
        // A turn of the body by v changes m by m x v.
        let m_by_psi = so3::hat(m) * dexp;
        let column = |v: DVec3| so3::dexpinv(psi, start.psi_of(v));
        let psi_by_m = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        let slopes = start.impulse_slopes(c, turn, m);
        let turned = (slopes.rotation - so3::hat(impulse)) * dexp + slopes.momentum * m_by_psi;
        [
            [
                so3::dexpinv_derivative(psi, start.psi_of(m)) + psi_by_m * m_by_psi,
                psi_by_m * into_body * unit,
            ],
            [out_of_body * turned * (1.0 / unit), out_of_body * slopes.momentum * into_body],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::torque::{Dependence, Function};
    use crate::{Inertia, State};

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
        let slope = |x: &[f64; 6]| {
            TableauStage::new(&start, 0.4, Pair::from_scaled(x, unit)).slope().scaled(1.0 / unit)
        };
        let blocks = TableauStage::new(&start, 0.4, Pair::from_scaled(&at, unit)).derivative(unit);
        for j in 0..6 {
            let (mut more, mut less) = (at, at);
            more[j] += 1e-4;
            less[j] -= 1e-4;
            let (more, less) = (slope(&more), slope(&less));
            for i in 0..6 {
                let difference = (more[i] - less[i]) / 2e-4;
                let entry = blocks[i / 3][j / 3].col(j % 3)[i % 3];
                assert!((difference - entry).abs() < 1e-8, "{i}, {j}: {difference} {entry}");
            }
        }
    }
}
