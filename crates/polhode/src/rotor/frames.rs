//! Frames P with P m = e3, and the angle psi about e3 between two of them.
//!
//! The rotation of a step is P(0)^T exp(psi e3) P(h) (Celledoni & Zanna, eq. (6)), or p(0)^-1 y p(h)
//! with quaternions (eq. (12)). Three frames: 1 along m' (section 1.3), 2 with p3 = 0 (Kosenko; section
//! 1.4, case 1), 3 along m x e3 (van Zon & Schofield; case 3). For all the angle is an integral of
//! the third kind; psi is not reduced, so that the sign of the quaternion is that of the motion.
//!
//! Frames 1 and 3 are made continuous half period by half period: within one the quaternion with
//! p0 >= 0 is continuous, and from one to the next the body turns by pi about the axis circled.

use glam::{DMat3, DQuat, DVec3};
use polhode_elliptic::incomplete_pi;

use super::gauss_legendre::RULES;
use super::jacobi_orbit::{JacobiOrbit, Separatrix};
use super::sorted_body::Flow;

/// Which frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MomentumFrame {
    /// v = m'/|m'|.
    Derivative,
    /// p3 = 0.
    Kosenko,
    /// v = m x e3/|m x e3|.
    VanZon,
}

/// How the frames are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FrameForm {
    /// Three matrix products.
    Matrix,
    /// Two quaternion products; frames 1 and 3 from p3² (eq. (15)).
    Quaternion,
}

/// How the integral of the third kind is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ThirdKind {
    /// It is computed by Carlson's integrals.
    Exact,
    /// It is computed by the Gauss-Legendre rule with that many points, over the amplitude (eq. (20)).
    Gauss(u32),
    /// By cubic Hermite interpolation over the argument (van Zon & Schofield).
    Hermite,
}

impl ThirdKind {
    /// Pi(phi1) - Pi(phi0) with characteristic n = 1 - nc.
    fn difference(self, orbit: &JacobiOrbit, nc: f64, tau: f64, phi1: f64) -> Option<f64> {
        let phi0 = orbit.phi0;
        let mc = orbit.kc * orbit.kc;
        let sines = |phi: f64| (libm::sin(phi), libm::cos(phi));
        match self {
            Self::Exact => {
                Some(incomplete_pi(phi1, nc, mc).ok()? - incomplete_pi(phi0, nc, mc).ok()?)
            }
            Self::Gauss(points) => Some(gauss_pi([phi0, phi1], nc, orbit.kc, points)),
            Self::Hermite => {
                let end = |phi: f64| {
                    let (s, c) = sines(phi);
                    let value = 1.0 / (c * c + nc * s * s);
                    // The derivative of 1/(1 - n sn²).
                    (value, 2.0 * (1.0 - nc) * s * c * orbit.dn(s, c) * value * value)
                };
                let ((g0, s0), (g1, s1)) = (end(phi0), end(phi1));
                let u = orbit.lambda * tau;
                Some(0.5 * u * (g0 + g1) + u * u * (s0 - s1) / 12.0)
            }
        }
    }
}

/// Pi(phi1) - Pi(phi0) with characteristic 1 - nc and complementary modulus kc by the Gauss-Legendre
/// rule with 1 to 10 points over the amplitude (eq. (20)).
pub(super) fn gauss_pi([phi0, phi1]: [f64; 2], nc: f64, kc: f64, points: u32) -> f64 {
    let half = 0.5 * (phi1 - phi0);
    let integrand = |node: f64| {
        let phi = phi0 + half * (1.0 + node);
        let (s, c) = (libm::sin(phi), libm::cos(phi));
        1.0 / ((c * c + nc * s * s) * libm::hypot(c, kc * s))
    };
    let rule = RULES[points as usize - 1].iter();
    let sum: f64 = rule
        .map(|&(node, weight)| {
            let mirrored = if node == 0.0 { 0.0 } else { integrand(-node) };
            weight * (integrand(node) + mirrored)
        })
        .sum();
    half * sum
}

impl MomentumFrame {
    /// The angle psi over the time tau, from the start to amplitude phi1.
    fn angle(self, orbit: &JacobiOrbit, rule: ThirdKind, tau: f64, phi1: f64) -> Option<f64> {
        let [i1, i2, i3] = orbit.moments;
        let [b13, b2, _] = orbit.b;
        if self == Self::Derivative {
            // Eq. (9) with n = B^-2 and the sign of 1 - 2 T I2; printed are n = B^-1 and |..|.
            let nc = if orbit.about_minor {
                -orbit.e2 * i3 / (i2 * orbit.d3)
            } else {
                orbit.e2 * i1 / (i2 * orbit.d1)
            };
            let pi = rule.difference(orbit, nc, tau, phi1)?;
            return Some(orbit.twice_energy * tau + orbit.e2 / (orbit.lambda * i2) * pi);
        }
        // Eq. (16): n = -(B31/B13)² in (i), with a factor k² in (ii); here as 1 - n.
        let nc = if orbit.about_minor { 1.0 / (b13 * b13) } else { (b2 / b13) * (b2 / b13) };
        let pi = rule.difference(orbit, nc, tau, phi1)?;
        let f = match self {
            Self::Kosenko => kosenko_angle(orbit, phi1) - kosenko_angle(orbit, orbit.phi0),
            _ => 0.0,
        };
        let i31 = (i3 - i1) / (i1 * i3);
        Some(tau / i3 + i31 / orbit.lambda * (pi + f))
    }

    /// The quaternion p at an amplitude, continuous in it.
    fn quaternion(self, orbit: &JacobiOrbit, phi: f64) -> DQuat {
        if self == Self::Kosenko {
            let [m1, m2, m3] = orbit.momentum(phi);
            return DQuat::from_xyzw(m2, -m1, 0.0, 1.0 + m3).normalize();
        }
        // In regime (i) frame 3 does not turn with the body; its quaternion is continuous as it is.
        if self == Self::VanZon && orbit.about_minor {
            return self.in_cell(orbit, phi);
        }
        let (half_periods, rest) = JacobiOrbit::cell(phi);
        let p = self.in_cell(orbit, rest);
        if half_periods == 0.0 {
            return p;
        }
        let axis = if orbit.about_minor { DVec3::X } else { DVec3::Z };
        let half_turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        // The sign of the half turn is the one that makes the two ends of a cell meet.
        let quarter = core::f64::consts::FRAC_PI_2;
        let meets = self.in_cell(orbit, quarter).dot(self.in_cell(orbit, -quarter) * half_turn);
        let power = half_periods * meets.signum();
        // (half turn)^n = cos(n pi/2) + sin(n pi/2) axis.
        let (scalar, vector) = match power.rem_euclid(4.0) {
            0.0 => (1.0, 0.0),
            1.0 => (0.0, 1.0),
            2.0 => (-1.0, 0.0),
            _ => (0.0, -1.0),
        };
        p * DQuat::from_xyzw(vector * axis.x, vector * axis.y, vector * axis.z, scalar)
    }

    /// The quaternion with p0 >= 0 within one half period, from p3² by eq. (15).
    fn in_cell(self, orbit: &JacobiOrbit, phi: f64) -> DQuat {
        let m = orbit.momentum(phi);
        let [m1, m2, m3] = m;
        let [i1, i2, i3] = orbit.moments;
        let sum = 1.0 + m3;
        let (lean, sign) = match self {
            // Case (2), with B32² (printed B32) and the opposite sign of p0 p3.
            Self::Derivative => {
                let rate = derivative(orbit.moments, m).length();
                let lean = m2 * ((i3 - i2) * m3 + i3 * orbit.e2) / (i2 * i3 * rate);
                (lean, -(m1 * m3 * (i3 - i1) / (i1 * i3) + m1 * orbit.d1 / i1))
            }
            // Case (3), with the sign of m1 (printed m3 m2 - m1).
            _ => (-m2 * sum / libm::hypot(m1, m2), m1),
        };
        let p3 = (0.25 * (sum + lean)).max(0.0).sqrt().copysign(sign);
        let p0 = (0.25 * (sum - lean)).max(0.0).sqrt();
        let (p1, p2) = ((p3 * m1 + p0 * m2) / sum, (p3 * m2 - p0 * m1) / sum);
        DQuat::from_xyzw(p1, p2, p3, p0).normalize()
    }

    /// The matrix P, whose rows are v, w = m x v and m.
    fn matrix(self, moments: [f64; 3], m: [f64; 3]) -> DMat3 {
        let unit = DVec3::from_array(m).normalize();
        let v = match self {
            Self::Derivative => derivative(moments, m),
            _ => unit.cross(DVec3::Z),
        };
        let v = v.normalize();
        DMat3::from_cols(v, unit.cross(v), unit).transpose()
    }

    /// The rotation of a step and the momentum after it.
    pub(super) fn flow(
        self,
        orbit: &JacobiOrbit,
        form: FrameForm,
        rule: ThirdKind,
        h: f64,
    ) -> Option<Flow> {
        let tau = h * orbit.length;
        let phi1 = orbit.amplitude(tau);
        let psi = self.angle(orbit, rule, tau, phi1)?;
        let (s, c) = (libm::sin(0.5 * psi), libm::cos(0.5 * psi));
        let p0 = self.quaternion(orbit, orbit.phi0);
        let p1 = self.quaternion(orbit, phi1);
        let r = p0.conjugate() * DQuat::from_xyzw(0.0, 0.0, s, c) * p1;
        let m = orbit.momentum(phi1);
        let r = match form {
            FrameForm::Quaternion => r,
            FrameForm::Matrix => {
                let start = self.matrix(orbit.moments, orbit.momentum(orbit.phi0));
                joined(start, psi, self.matrix(orbit.moments, m), r)
            }
        };
        Some(orbit.restore(m, r))
    }
}

/// f of eq. (16), with the minus sign that is printed as a plus; for (ii) on its continuous branch.
fn kosenko_angle(orbit: &JacobiOrbit, phi: f64) -> f64 {
    let [b13, b2, b31] = orbit.b;
    if b2 == 0.0 {
        return 0.0;
    }
    let (s, c) = (libm::sin(phi), libm::cos(phi));
    let angle = if orbit.about_minor {
        libm::atan2(b2 * s, b13 * orbit.dn(s, c))
    } else {
        let (half_turns, rest) = JacobiOrbit::cell(phi);
        let branch = libm::atan2(b2 * libm::sin(rest), b13 * libm::cos(rest));
        orbit.sigma * (branch + half_turns * core::f64::consts::PI)
    };
    -(b13 * b31 / b2) * angle
}

/// m' = m x omega, by the differences of the moments: of a nearly spherical body m and omega are
/// nearly parallel.
fn derivative([i1, i2, i3]: [f64; 3], [m1, m2, m3]: [f64; 3]) -> DVec3 {
    DVec3::new(
        (i2 - i3) / (i2 * i3) * m2 * m3,
        (i3 - i1) / (i3 * i1) * m3 * m1,
        (i1 - i2) / (i1 * i2) * m1 * m2,
    )
}

/// P0^T exp(psi e3) P1 as a quaternion, with the sign of `like`.
fn joined(start: DMat3, psi: f64, end: DMat3, like: DQuat) -> DQuat {
    let r = DQuat::from_mat3(&(start.transpose() * DMat3::from_rotation_z(psi) * end)).normalize();
    if r.dot(like) < 0.0 { -r } else { r }
}

/// The flow on the separatrix, regime (iii): frame 1, with psi = tau/I2.
pub(super) fn separatrix_flow(path: &Separatrix, h: f64) -> Flow {
    let tau = h * path.length;
    let psi = tau / path.moments[1];
    let (start, end) = (path.momentum(0.0), path.momentum(tau));
    let (s, c) = (libm::sin(0.5 * psi), libm::cos(0.5 * psi));
    let frame = |(m, x)| {
        // v = sign (-b1 tanh, sech, -b3 tanh) is the direction of m', without its length that
        // vanishes at both ends.
        let (tanh, sech) = (libm::tanh(x), 1.0 / libm::cosh(x));
        let v = DVec3::new(-path.b1 * tanh, sech, -path.b3 * tanh) * path.lambda.signum();
        let m = DVec3::from_array(m);
        DMat3::from_cols(v, m.cross(v), m).transpose()
    };
    let (p0, p1) = (frame(start), frame(end));
    // Along the whole path the frame turns by pi, about the axis that both ends have in common:
    // the rotation from one frame to another on it is by less than that.
    let between = DQuat::from_mat3(&(p0.transpose() * p1));
    let between = if between.w < 0.0 { -between } else { between };
    let m0 = DVec3::from_array(start.0) * s;
    let turn = DQuat::from_xyzw(m0.x, m0.y, m0.z, c);
    Flow { m: end.0.map(|x| x * path.length), r: turn * between }
}
