//! The Euler equations alone: steps of the momentum, without an attitude.

use std::f64::consts::PI;

use polhode::Inertia;
use polhode::glam::DVec3;
use polhode::rotor::EulerStep;

/// A step of length h from a momentum.
pub(super) type Step = Box<dyn Fn(f64, DVec3) -> DVec3>;

/// The methods of figures 1 and 2 by name, for a start with modulus below 1.
pub(super) fn steps(inertia: &Inertia, start: DVec3) -> Vec<(&'static str, Step)> {
    let moments = inertia.moments();
    let (orbit, every) = (Section3::new(moments, start), EulerStep::standard(inertia));
    vec![
        ("MR", Box::new(move |h, m| three_rotations(moments, h, m))),
        ("elliptic functions", Box::new(move |h, m| orbit.step(h, m))),
        ("Algorithm 3.1", Box::new(move |h, m| every.step(h, m).unwrap_or(DVec3::splat(f64::NAN)))),
        ("RK4", Box::new(move |h, m| classical(moments, h, m))),
    ]
}

/// n steps of length h.
pub(super) fn run(step: &Step, start: DVec3, h: f64, n: usize) -> DVec3 {
    (0..n).fold(start, |m, _| step(h, m))
}

/// McLachlan and Reich: rotations about the axes 1, 2, 3, 2, 1.
fn three_rotations(moments: DVec3, h: f64, mut m: DVec3) -> DVec3 {
    for (axis, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (s, c) = (part * h * m[axis] / moments[axis]).sin_cos();
        (m[i], m[j]) = (c * m[i] + s * m[j], c * m[j] - s * m[i]);
    }
    m
}

/// The classical method of order 4.
fn classical(moments: DVec3, h: f64, m: DVec3) -> DVec3 {
    let slope = |m: DVec3| m.cross(m / moments);
    let k1 = slope(m);
    let k2 = slope(m + k1 * (0.5 * h));
    let k3 = slope(m + k2 * (0.5 * h));
    let k4 = slope(m + k3 * h);
    m + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
}

/// Section 3 as it stands: k, lambda and the amplitudes are constants of the orbit, computed once. A
/// step finds the amplitude phi of its state, the phase F(phi) by the arithmetic-geometric mean, and
/// Jacobi's functions at F + lambda h, as `ellipj` does.
pub(super) struct Section3 {
    moments: DVec3,
    /// Amplitudes of the components of ω: of cn, sn, dn.
    amplitudes: DVec3,
    lambda: f64,
    k2: f64,
    /// a_n, b_n and c_n of the mean, until c_N is less than the machine epsilon.
    mean: Vec<[f64; 3]>,
}

impl Section3 {
    /// The orbit through a momentum, for I1 < I2 < I3 and k < 1.
    pub(super) fn new(moments: DVec3, m: DVec3) -> Self {
        let [i1, i2, i3] = moments.to_array();
        let (twice_energy, square) = (m.dot(m / moments), m.length_squared());
        let a1 = (twice_energy * i3 - square).sqrt();
        let a3 = (square - twice_energy * i1).sqrt().copysign(m.z);
        let k2 = (i2 - i1) * a1 * a1 / ((i3 - i2) * a3 * a3);
        let mut mean = vec![[1.0, (1.0 - k2).sqrt(), k2.sqrt()]];
        while let Some(&[a, b, c]) = mean.last()
            && c >= f64::EPSILON
        {
            mean.push([0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b)]);
        }
        Self {
            moments,
            amplitudes: DVec3::new(
                a1 / (i1 * (i3 - i1)).sqrt(),
                a1 / (i2 * (i3 - i2)).sqrt(),
                a3 / (i3 * (i3 - i1)).sqrt(),
            ),
            lambda: a3 * ((i3 - i2) / (i1 * i2 * i3)).sqrt(),
            k2,
            mean,
        }
    }

    /// F(phi) = lim phi_n/(2^n a_n).
    fn phase(&self, mut phi: f64) -> f64 {
        let n = self.mean.len() - 1;
        for [a, b, _] in &self.mean[..n] {
            // phi_(n+1) - phi_n on the branch of phi_n.
            let half_turns = (phi / PI).round();
            phi += (b / a * phi.tan()).atan() + half_turns * PI;
        }
        phi / self.unit()
    }

    /// 2^N a_N.
    fn unit(&self) -> f64 {
        self.mean[1..].iter().fold(1.0, |power, _| 2.0 * power) * self.mean[self.mean.len() - 1][0]
    }

    /// The amplitude of a phase.
    fn amplitude(&self, u: f64) -> f64 {
        let mut phi = u * self.unit();
        for [a, _, c] in self.mean[1..].iter().rev() {
            phi = 0.5 * (phi + (c / a * phi.sin()).asin());
        }
        phi
    }

    pub(super) fn step(&self, h: f64, m: DVec3) -> DVec3 {
        let omega = m / self.moments / self.amplitudes;
        let phi = self.amplitude(self.phase(omega.y.atan2(omega.x)) + self.lambda * h);
        let (sn, cn) = phi.sin_cos();
        let dn = (1.0 - self.k2 * sn * sn).sqrt();
        DVec3::new(cn, sn, dn) * self.amplitudes * self.moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode::{FreeMotion, State};

    #[test]
    fn section_3_follows_the_motion() {
        let inertia = Inertia::principal([1.0, 2.0, 3.0]).unwrap();
        for m in
            [DVec3::new(1.0, 0.0, 6.0), DVec3::new(1.0, -4.0, 3.0), DVec3::new(-1.0, 2.0, -5.0)]
        {
            let motion = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap();
            let orbit = Section3::new(inertia.moments(), m);
            for t in [0.3, -2.0, 7.5] {
                let apart = (orbit.step(t, m) - motion.at(t).unwrap().m).length();
                assert!(apart < 1e-13, "{m}, {t}: {apart}");
            }
        }
    }
}
