//! The step of three rotations, over any number.

use polhode_number::vector::{Quaternion, Vector};
use polhode_number::{Lift, Number, sin_cos};

use super::unit_step::{UnitKernel, UnitStep};

/// Phases beyond this have no digits left.
const PHASE_LIMIT: f64 = 1e13;

/// The inverse moments of a body, in units in which the smallest moment is of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeRotationsBody<L>(pub(crate) [L; 3]);

impl UnitKernel for ThreeRotationsBody<f64> {
    type Over<N: Number> = ThreeRotationsBody<N>;

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> ThreeRotationsBody<N> {
        ThreeRotationsBody(lift.vector(self.0))
    }
}

impl<N: Number> UnitStep<N> for ThreeRotationsBody<N> {
    type Effect = ThreeRotationsIncrement<N>;
    const ADDS: bool = false;

    #[inline(always)]
    fn step(&self, m: Vector<N>, h: N, size: N) -> (ThreeRotationsIncrement<N>, N::Mask) {
        let near = (h.abs() * size).less(N::splat(PHASE_LIMIT));
        (step(&self.0, m, N::select(near, h, N::splat(0.0))), near)
    }

    #[inline(always)]
    fn change(increment: &ThreeRotationsIncrement<N>) -> (Vector<N>, Quaternion<N>) {
        (increment.m, increment.r)
    }
}

/// What a step does to a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeRotationsIncrement<L> {
    /// The momentum after the step.
    pub(crate) m: [L; 3],
    /// The rotation minus one, scalar first: q <- q + q r.
    pub(crate) r: [L; 4],
}

/// Turns about axis i by ω_i t, with half the rate (t/2)/I_i given: momentum and attitude.
#[inline(always)]
fn turn<L: Number>(i: usize, half_rate: L, m: &mut [L; 3], r: &mut [L; 4]) {
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let (s, c) = sin_cos(m[i] * half_rate, L::splat(0.0));
    // cos - 1 = -2 s² and sin = 2 s c of the whole angle: the increment loses no digits.
    let twice = s + s;
    let (mj, mk) = (m[j], m[k]);
    m[j] = mj + twice * (c * mk - s * mj);
    m[k] = mk - twice * (c * mj + s * mk);
    let [w, ri, rj, rk] = [r[0], r[1 + i], r[1 + j], r[1 + k]];
    r[0] = c * w - s * ri;
    r[1 + i] = c * ri + s * w;
    r[1 + j] = c * rj + s * rk;
    r[1 + k] = c * rk - s * rj;
}

/// The step of length h from momentum m (principal axes, of order one), given the inverse moments.
#[inline(always)]
pub(crate) fn step<L: Number>(inverse: &[L; 3], m: [L; 3], h: L) -> ThreeRotationsIncrement<L> {
    let one = L::splat(1.0);
    let (half, quarter) = (h * L::splat(0.5), h * L::splat(0.25));
    let mut m = m;
    let mut r = [one, L::splat(0.0), L::splat(0.0), L::splat(0.0)];
    let (first, second, third) = (quarter * inverse[0], quarter * inverse[1], half * inverse[2]);
    turn(0, first, &mut m, &mut r);
    turn(1, second, &mut m, &mut r);
    turn(2, third, &mut m, &mut r);
    turn(1, second, &mut m, &mut r);
    turn(0, first, &mut m, &mut r);
    // The scalar part minus one from the vector: the subtraction would leave an ulp of one.
    let [w, x, y, z] = r;
    let near = L::splat(-0.5).less(w);
    let drop = -((x * x + y * y + z * z) / (one + w));
    ThreeRotationsIncrement { m, r: [L::select(near, drop, w - one), x, y, z] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_number::Pack;
    use polhode_testkit::bodies::Rng;

    /// Two bodies with angles from 1e-6 to 1e6 in a step, as lanes and one by one.
    fn same_bits(seed: u64) {
        const N: usize = 2;
        let mut rng = Rng::new(seed);
        let inverse: [[f64; 3]; N] =
            core::array::from_fn(|_| core::array::from_fn(|_| rng.log_uniform(0.1, 10.0)));
        let m: [[f64; 3]; N] = core::array::from_fn(|_| rng.direction());
        let h: [f64; N] = core::array::from_fn(|_| rng.log_uniform(1e-6, 1e6) * rng.sign());
        let pack = |v: &[[f64; 3]; N]| [0, 1, 2].map(|j| Pack(core::array::from_fn(|i| v[i][j])));
        let lanes = step(&pack(&inverse), pack(&m), Pack(h));
        for i in 0..N {
            let one = step(&inverse[i], m[i], h[i]);
            assert_eq!(lanes.m.map(|x| x.0[i].to_bits()), one.m.map(f64::to_bits));
            assert_eq!(lanes.r.map(|x| x.0[i].to_bits()), one.r.map(f64::to_bits));
        }
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar() {
        (0..300).for_each(same_bits);
    }
}
