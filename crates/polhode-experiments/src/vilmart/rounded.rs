//! A step whose only error is that its result is rounded: what momenta stored as doubles cost by themselves.

use polhode::glam::DVec3;
use polhode_elliptic::Dd;

/// Terms of the series: at a step of 0.01 the first one left out is below 1e-24.
const TERMS: usize = 10;

/// Euler's equations by their Taylor series in double-double.
pub(super) struct RoundedOnce {
    /// 1/I3 - 1/I2 and so on.
    factors: [Dd; 3],
}

impl RoundedOnce {
    pub(super) fn new(moments: [f64; 3]) -> Self {
        let [b1, b2, b3] = moments.map(|i| Dd::ONE / Dd::from(i));
        Self { factors: [b3 - b2, b1 - b3, b2 - b1] }
    }

    pub(super) fn step(&self, h: f64, m: DVec3) -> DVec3 {
        let mut terms = [[Dd::ZERO; 3]; TERMS];
        terms[0] = m.to_array().map(Dd::from);
        for k in 1..TERMS {
            for axis in 0..3 {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                let products = (0..k).map(|i| terms[i][next] * terms[k - 1 - i][last]);
                let sum = products.fold(Dd::ZERO, |sum, product| sum + product);
                terms[k][axis] = sum * self.factors[axis] * h / Dd::from(k as f64);
            }
        }
        let sum = |axis: usize| terms.iter().rev().fold(Dd::ZERO, |sum, term| sum + term[axis]);
        DVec3::from_array([0, 1, 2].map(|axis| sum(axis).hi()))
    }
}

#[cfg(test)]
mod tests {
    use polhode::{FreeMotion, Inertia, State};

    use super::super::trajectories::{STEP, WATER};
    use super::*;

    #[test]
    fn it_is_the_free_motion() {
        let start = State::aligned([0.5, 0.2, 0.84]).unwrap();
        let inertia = Inertia::principal_unphysical(WATER).unwrap();
        let want = FreeMotion::new(&inertia, start).unwrap().at(STEP).unwrap().m;
        let got = RoundedOnce::new(WATER).step(STEP, start.m);
        assert!((got - want).abs().max_element() < 1.2e-16, "{got} and {want}");
    }
}
