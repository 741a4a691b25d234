//! Free motions in every regime, and their tangents without units.

use glam::{DMat3, DVec3};
use polhode::tangent::{InertiaTangent, Tangent};
use polhode::{Inertia, State, glam, so3};
use polhode_testkit::bodies::Rng;

/// Places of the entries 11, 22, 33, 12, 13, 23 of a tensor.
pub(super) const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// A block of the state transition.
pub(super) fn block(phi: &[[f64; 6]; 6], row: usize, column: usize) -> DMat3 {
    let mut made = DMat3::ZERO;
    for j in 0..3 {
        for i in 0..3 {
            made.col_mut(j)[i] = phi[row + i][column + j];
        }
    }
    made
}

pub(super) fn size(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |largest: f64, x| {
        assert!(x.is_finite());
        largest.max(x.abs())
    })
}

/// The tensor of a body in its frame.
pub(super) fn tensor(inertia: &Inertia) -> DMat3 {
    DMat3::from_cols(
        inertia.momentum(DVec3::X),
        inertia.momentum(DVec3::Y),
        inertia.momentum(DVec3::Z),
    )
}

/// The derivatives by the six entries of the inertia: of the momentum, and of the attitude.
pub(super) fn columns(by: &InertiaTangent) -> [(DVec3, DVec3); 6] {
    core::array::from_fn(|c| {
        let rows = if c < 3 { &by.inertia } else { &by.inertia_off };
        let at = |i: usize| DVec3::new(rows[i][c % 3], rows[i + 1][c % 3], rows[i + 2][c % 3]);
        (at(0), at(3))
    })
}

/// The blocks of a tangent, without units.
#[derive(Clone, Copy)]
pub(super) struct Unitless {
    pub(super) a: DMat3,
    pub(super) b: DMat3,
    pub(super) r: DMat3,
    /// By the six entries of the inertia.
    pub(super) by: [(DVec3, DVec3); 6],
}

impl Unitless {
    /// With momenta in units of this one, and moments in units of that.
    pub(super) fn new(tangent: &Tangent, by: &InertiaTangent, g: f64, moment: f64) -> Self {
        let phi = &tangent.state_transition;
        let by = columns(by).map(|(dm, del)| (dm * (moment / g), del * moment));
        Self { a: block(phi, 0, 0), b: block(phi, 3, 0) * g, r: block(phi, 3, 3), by }
    }

    /// The largest entries: of A, of B, of the columns by the inertia.
    pub(super) fn sizes(&self) -> [f64; 3] {
        let by = self.by.iter().map(|(dm, del)| dm.abs().max(del.abs()).max_element());
        [size(self.a), size(self.b), by.fold(0.0, f64::max)]
    }

    /// The largest differences: of A, of B, of R, of the columns by the inertia.
    pub(super) fn off(&self, other: &Self) -> [f64; 4] {
        let pairs = self.by.iter().zip(&other.by);
        let by = pairs.map(|(x, y)| (x.0 - y.0).abs().max((x.1 - y.1).abs()).max_element());
        let by = by.fold(0.0, |largest: f64, x| {
            assert!(x.is_finite());
            largest.max(x)
        });
        [size(self.a - other.a), size(self.b - other.b), size(self.r - other.r), by]
    }
}

/// Moments: random, symmetric or nearly so, of a sphere, of a needle.
fn moments(n: u32, uniform: &mut impl FnMut(f64, f64) -> f64) -> [f64; 3] {
    let i3 = uniform(1.0, 3.0);
    let i2 = uniform(0.55, 1.0) * i3;
    let i1 = (i3 - i2) + uniform(0.05, 1.0) * (2.0 * i2 - i3);
    let tiny = 10f64.powf(uniform(-13.0, -2.0));
    match n % 9 {
        0 => [i2, i2, i3],
        1 => [i1, i3, i3],
        2 => [i3, i3, i3],
        3 => [i3, i1, i2],
        4 => [i1, i3 * (1.0 - tiny), i3],
        5 => {
            [i3 * (1.0 - 10f64.powf(uniform(-3.0, -1.0))), i3 * 10f64.powf(uniform(-6.0, -2.0)), i3]
        }
        _ => [i1, i2, i3],
    }
}

/// Bodies and motions: along principal axes and with full tensors, turns about axes, next to the separatrix and on it;
/// times from none to 1e5 radians.
pub(super) fn motions() -> Vec<(Inertia, State, f64)> {
    let mut rng = Rng::new(17);
    let mut made = Vec::new();
    for n in 0..660u32 {
        let mut uniform = |low: f64, high: f64| low + (high - low) * rng.uniform(0.0, 1.0);
        let moments = moments(n, &mut uniform);
        let tiny = 10f64.powf(uniform(-12.0, -2.0));
        let m = match n % 11 {
            0 => [0.0, 0.0, 1.3],
            1 => [0.0, -0.8, 0.0],
            2 => [tiny, 1.0, -tiny],
            3 => [1.0, tiny, 0.3 * tiny],
            _ => [uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)],
        };
        let axis = DVec3::new(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
        let q = so3::exp(axis);
        let inertia = if n % 4 == 3 {
            let turn = DMat3::from_quat(q);
            let rows = turn * DMat3::from_diagonal(moments.into()) * turn.transpose();
            Inertia::tensor_unphysical(rows.to_cols_array_2d()).unwrap()
        } else {
            Inertia::principal_unphysical(moments).unwrap()
        };
        let state = State::new(m, q).unwrap();
        let least = moments.into_iter().fold(f64::INFINITY, f64::min);
        let t = match n % 6 {
            0 => uniform(-0.3, 0.3),
            1 => uniform(0.0, 3.0),
            2 => uniform(-20.0, 20.0),
            // From an axis neighbours may part exponentially.
            3 if n % 11 > 1 => 10f64.powf(uniform(2.0, 5.0)) * least / state.m.length(),
            _ => uniform(0.0, 60.0),
        };
        made.push((inertia, state, t));
    }
    // Exactly on the separatrix.
    let inertia = Inertia::principal([4.0, 5.0, 9.0]).unwrap();
    made.push((inertia, State::aligned([4.0, 1.0, 3.0]).unwrap(), 7.0));
    made
}
