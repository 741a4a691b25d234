//! A step as FRB-FORTRAN makes it: Algorithms 1 and 2 for sorted moments and a unit momentum, with
//! the integrals of Carlson and Notis and the system's elementary functions.
//!
//! Written from the paper, with the errata that `docs/notation.md` lists corrected, and without what the
//! library's rotors do beyond it: special motions, digits near the separatrix, the sign of the quaternion.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use polhode::glam::{DMat3, DQuat, DVec3};

use super::carlson_notis;

/// How the integral of the third kind is computed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// `ellint_pi`: as a difference of incomplete integrals, with the complete one past a quarter turn.
    Integrals,
    /// `eint_gauss` with five points.
    Gauss,
}

impl Rule {
    /// The integral from one amplitude to another, with characteristic 1 - nc and parameter 1 - mc.
    fn between(self, phi: [f64; 2], nc: f64, mc: f64) -> f64 {
        match self {
            Self::Integrals => {
                let complete = if phi.iter().any(|p| p.abs() > FRAC_PI_2) {
                    carlson_notis::pi(FRAC_PI_2, nc, mc)
                } else {
                    0.0
                };
                let [from, to] = phi.map(|phi| {
                    let half_turns = (phi / PI).round();
                    2.0 * half_turns * complete + carlson_notis::pi(phi - half_turns * PI, nc, mc)
                });
                to - from
            }
            Self::Gauss => gauss(phi, nc, mc),
        }
    }
}

/// The Gauss-Legendre rule with five points.
fn gauss([from, to]: [f64; 2], nc: f64, mc: f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let at = |phi: f64| {
        let square = phi.sin() * phi.sin();
        1.0 / ((1.0 - (1.0 - nc) * square) * (1.0 - (1.0 - mc) * square).sqrt())
    };
    let pair = |node: f64| at(middle + half * node) + at(middle - half * node);
    let (inner, outer) = (0.538_469_310_105_683_1, 0.906_179_845_938_664);
    let weights = [0.568_888_888_888_888_9, 0.478_628_670_499_366_47, 0.236_926_885_056_189_1];
    half * (weights[0] * at(middle) + weights[1] * pair(inner) + weights[2] * pair(outer))
}

/// The amplitudes before and after a step by the arithmetic-geometric mean (`EgellipX_step`).
fn amplitudes(k2: f64, start: f64, advance: f64) -> [f64; 2] {
    const LEVELS: usize = 12;
    let (mut a, mut b, mut c) = ([1.0; LEVELS], [(1.0 - k2).sqrt(); LEVELS], [k2.sqrt(); LEVELS]);
    let mut last = 0;
    while c[last] > f64::EPSILON && last + 1 < LEVELS {
        (a[last + 1], b[last + 1], c[last + 1]) =
            (0.5 * (a[last] + b[last]), (a[last] * b[last]).sqrt(), 0.5 * (a[last] - b[last]));
        last += 1;
    }
    let mut phi = start;
    for n in 0..last {
        // The angle whose tangent is b/a that of phi, in the same turn.
        let turns = PI * (phi / PI).round();
        phi += (b[n] / a[n] * phi.tan()).atan() + turns;
    }
    phi += a[last] * f64::from(1_u32 << last) * advance;
    for n in (1..=last).rev() {
        phi = 0.5 * (phi + (c[n] / a[n] * phi.sin()).asin());
    }
    [start, phi]
}

/// The constants and the phase of a motion: lines 5 to 7 and 11 to 12 of the algorithms.
struct Motion {
    /// Regime (i): the momentum circles the first axis.
    first: bool,
    twice_energy: f64,
    /// 1 - 2 T I2, with its sign.
    e2: f64,
    d1: f64,
    d3: f64,
    b: DVec3,
    mc: f64,
    lambda: f64,
    sigma: f64,
    phi: [f64; 2],
}

impl Motion {
    fn new([i1, i2, i3]: [f64; 3], m: DVec3, h: f64) -> Self {
        let twice_energy = m.x * m.x / i1 + m.y * m.y / i2 + m.z * m.z / i3;
        let (d1, e2, d3) =
            (1.0 - twice_energy * i1, 1.0 - twice_energy * i2, twice_energy * i3 - 1.0);
        let k2 = d1 * (i3 - i2) / (d3 * (i2 - i1));
        let first = k2 < 1.0;
        let k2 = if first { k2 } else { 1.0 / k2 };
        let (gap, large, small, dn) =
            if first { (i2 - i1, d3, d1, m.x) } else { (i3 - i2, d1, d3, m.z) };
        let lambda = dn.signum() * (large * gap / (i1 * i2 * i3)).sqrt();
        let b = DVec3::new(
            (i1 * d3 / (i3 - i1)).sqrt(),
            (i2 * small / gap).sqrt(),
            (i3 * d1 / (i3 - i1)).sqrt(),
        );
        let cosine = if first { m.z / b.z } else { m.x / b.x };
        let phi = amplitudes(k2, (m.y / b.y).atan2(cosine), lambda * h);
        let sigma = dn.signum();
        Self { first, twice_energy, e2, d1, d3, b, mc: 1.0 - k2, lambda, sigma, phi }
    }

    fn momentum(&self) -> DVec3 {
        let (s, c) = (self.phi[1].sin(), self.phi[1].cos());
        let dn = self.sigma * (1.0 - (1.0 - self.mc) * s * s).sqrt();
        let parts = if self.first { DVec3::new(dn, s, c) } else { DVec3::new(c, s, dn) };
        self.b * parts
    }
}

/// The frame along m', whose rows are v, m x v and m.
fn frame([i1, i2, i3]: [f64; 3], m: DVec3) -> DMat3 {
    let v = m.cross(DVec3::new(m.x / i1, m.y / i2, m.z / i3)).normalize();
    DMat3::from_cols(v, m.cross(v), m)
}

/// Algorithm 1, `frb_step`.
pub(super) fn matrix_step(moments: [f64; 3], h: f64, m: &mut DVec3, q: &mut DMat3, rule: Rule) {
    let [i1, i2, i3] = moments;
    let motion = Motion::new(moments, *m, h);
    let end = motion.momentum();
    let nc = if motion.first {
        -motion.e2 * i3 / (i2 * motion.d3)
    } else {
        motion.e2 * i1 / (i2 * motion.d1)
    };
    let integral = rule.between(motion.phi, nc, motion.mc);
    let psi = motion.twice_energy * h + motion.e2 / (motion.lambda * i2) * integral;
    let turn = DMat3::from_rotation_z(psi);
    *q = *q * frame(moments, *m) * turn * frame(moments, end).transpose();
    *m = end;
}

/// Algorithm 2, `quat_step`, with the frame of section 1.4, case (1).
pub(super) fn quaternion_step(moments: [f64; 3], h: f64, m: &mut DVec3, q: &mut DQuat, rule: Rule) {
    let [i1, i2, i3] = moments;
    // Its frame has no value at m3 = -1: in regime (ii), 2 T I2 < 1, the body is then seen from its other
    // side, by a half turn about the first axis.
    let turned = m.z < 0.0 && i2 * (m.x * m.x / i1 + m.z * m.z / i3) < 1.0 - m.y * m.y;
    let side = if turned { DVec3::new(1.0, -1.0, -1.0) } else { DVec3::ONE };
    let start = *m * side;
    let motion = Motion::new(moments, start, h);
    let end = motion.momentum();
    let (b1, b2) = (motion.b.x, motion.b.y);
    let nc = if motion.first { 1.0 / (b1 * b1) } else { (b2 / b1) * (b2 / b1) };
    let f = motion.phi.map(|phi| {
        let (s, c) = (phi.sin(), phi.cos());
        let angle = if motion.first {
            (b2 / b1 * s / (1.0 - (1.0 - motion.mc) * s * s).sqrt()).atan()
        } else {
            let turns = TAU * ((phi - s.atan2(c)) / TAU).round();
            motion.sigma * ((b2 * s).atan2(b1 * c) + turns)
        };
        -(b1 * motion.b.z / b2) * angle
    });
    let integral = rule.between(motion.phi, nc, motion.mc);
    let psi = h / i3 + (i3 - i1) / (i1 * i3 * motion.lambda) * (integral + f[1] - f[0]);
    let frame = |m: DVec3| {
        let root = (1.0 + m.z).sqrt();
        DQuat::from_xyzw(m.y / root, -m.x / root, 0.0, root) * std::f64::consts::FRAC_1_SQRT_2
    };
    let (s, c) = ((0.5 * psi).sin(), (0.5 * psi).cos());
    let turn = frame(start).conjugate() * DQuat::from_xyzw(0.0, 0.0, s, c) * frame(end);
    *q *= DQuat::from_xyzw(turn.x, side.y * turn.y, side.z * turn.z, turn.w);
    *m = end * side;
}

#[cfg(test)]
mod tests {
    use polhode::{Inertia, State, rotor, so3};

    use super::*;

    #[test]
    fn steps_are_those_of_the_library() {
        for moments in [[0.7, 1.0, 1.4], [0.5, 0.8, 1.0], [0.9, 0.95, 1.0]] {
            let inertia = Inertia::principal(moments).unwrap();
            let mut exact = rotor::build("exact", &inertia).unwrap();
            for n in 0..40 {
                // All octants, both sides of the separatrix.
                let [x, y, z] = crate::spread::octant(n);
                let signs =
                    [n & 1, n >> 1 & 1, n >> 2 & 1].map(|b| if b == 0 { 1.0 } else { -1.0 });
                let start = State::aligned([signs[0] * x, signs[1] * y, signs[2] * z]).unwrap();
                for (rule, limit) in [(Rule::Integrals, 1e-12), (Rule::Gauss, 1e-8)] {
                    let (mut m, mut matrix) = (start.m, DMat3::IDENTITY);
                    let (mut other, mut q) = (start.m, DQuat::IDENTITY);
                    let mut want = start;
                    for _ in 0..50 {
                        matrix_step(moments, 0.2, &mut m, &mut matrix, rule);
                        quaternion_step(moments, 0.2, &mut other, &mut q, rule);
                        exact.step(0.2, &mut want).unwrap();
                    }
                    let apart = (m - want.m).length().max((other - want.m).length());
                    assert!(apart < 1e-12, "{moments:?} {start:?}: {apart:e}");
                    let by_matrix = so3::angle_between(DQuat::from_mat3(&matrix), want.q);
                    let by_quaternion = so3::angle_between(q, want.q);
                    assert!(by_matrix < limit, "{moments:?} {start:?}: {by_matrix:e}");
                    assert!(by_quaternion < limit, "{moments:?} {start:?}: {by_quaternion:e}");
                }
            }
        }
    }
}
