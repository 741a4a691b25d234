//! The orbit of the momentum by Jacobi's functions: constants, phase, momentum after a step.
//!
//! Names are those of Celledoni & Zanna, section 1.2, for |m| = 1 and I1 <= I2 <= I3: regime (i) has
//! m = (sigma B13 dn, B21 sn, B31 cn), regime (ii) m = (B13 cn, B23 sn, sigma B31 dn). Departures:
//! the differences 1 - 2 T I_j are sums of positive terms, kc comes from its own formula, and the
//! modulus is always the one below 1.
//!
//! In regime (ii) with m3 < 0 the body frame is first turned by pi about axis 1, which makes
//! m3 > 0: the frames of the attitude are singular at m3 = -1.

use core::f64::consts::PI;

use glam::DQuat;
use polhode_elliptic::Dd;

use super::landen::Landen;
use super::sorted_body::Flow;
use crate::free::separatrix_side;

/// A momentum in the body and how it will move.
pub(super) enum JacobiPath {
    /// It stands still.
    Steady,
    /// Exactly on the separatrix, regime (iii).
    Separatrix(Separatrix),
    /// Regimes (i) and (ii).
    Periodic(JacobiOrbit),
}

/// An orbit in regime (i) or (ii).
#[derive(Clone, Copy, Debug)]
pub(super) struct JacobiOrbit {
    pub(super) moments: [f64; 3],
    /// Regime (i): the momentum circles axis 1.
    pub(super) about_minor: bool,
    /// The frame was turned by pi about axis 1.
    pub(super) turned: bool,
    /// Length of the momentum.
    pub(super) length: f64,
    /// 1 - 2 T I1 >= 0, 2 T I3 - 1 >= 0, and 1 - 2 T I2 with its sign; 2 T.
    pub(super) d1: f64,
    pub(super) d3: f64,
    pub(super) e2: f64,
    pub(super) twice_energy: f64,
    /// B13, B21 or B23, B31.
    pub(super) b: [f64; 3],
    pub(super) kc: f64,
    /// Rate of the phase, with its sign.
    pub(super) lambda: f64,
    pub(super) sigma: f64,
    /// Amplitude and phase at the start.
    pub(super) phi0: f64,
    u0: f64,
    landen: Landen,
}

/// An orbit on the separatrix.
pub(super) struct Separatrix {
    pub(super) moments: [f64; 3],
    pub(super) length: f64,
    pub(super) lambda: f64,
    /// Signed amplitudes of m1 and m3.
    pub(super) b1: f64,
    pub(super) b3: f64,
    pub(super) x0: f64,
}

impl JacobiPath {
    /// The path of a momentum m of order one.
    pub(super) fn new(moments: [Dd; 3], m: [f64; 3]) -> Self {
        let [i1, i2, i3] = moments.map(Dd::hi);
        let [i21, i32, i31] =
            [moments[1] - moments[0], moments[2] - moments[1], moments[2] - moments[0]].map(Dd::hi);
        let length = m.iter().map(|x| x * x).sum::<f64>().sqrt();
        let e = separatrix_side(moments, Dd::from(m[0]), Dd::from(m[2])).hi();
        let one_axis = m.iter().filter(|x| **x != 0.0).count() == 1;
        let no_drift = (i21 == 0.0 || m[0] == 0.0) && (i32 == 0.0 || m[2] == 0.0);
        if one_axis || (e == 0.0 && no_drift) {
            return Self::Steady;
        }
        let unit = m.map(|x| x / length);
        if e == 0.0 {
            return Self::Separatrix(Separatrix::new([i1, i2, i3], [i21, i32, i31], unit, length));
        }
        let e2 = e / (i1 * i3) / (length * length);
        let about_minor = e2 < 0.0;
        let turned = !about_minor && unit[2] < 0.0;
        let [m1, m2, m3] = if turned { [unit[0], -unit[1], -unit[2]] } else { unit };
        let d1 = i21 * m2 * m2 / i2 + i31 * m3 * m3 / i3;
        let d3 = i31 * m1 * m1 / i1 + i32 * m2 * m2 / i2;
        let product = i1 * i2 * i3;
        let (k2, kc2, rate2, b2) = if about_minor {
            let s = d3 * i21;
            (d1 * i32 / s, -e2 * i31 / s, s / product, i2 * d1 / i21)
        } else {
            let s = d1 * i32;
            (d3 * i21 / s, e2 * i31 / s, s / product, i2 * d3 / i32)
        };
        let b = [(i1 * d3 / i31).sqrt(), b2.sqrt(), (i3 * d1 / i31).sqrt()];
        let (dn, cn, cn_amplitude) = if about_minor { (m1, m3, b[2]) } else { (m3, m1, b[0]) };
        let sigma = dn.signum();
        // On an axis the wobble is zero and so is its phase.
        let quotient = |x: f64, b: f64| if b == 0.0 { 0.0 } else { x / b };
        let phi0 = libm::atan2(quotient(m2, b[1]), quotient(cn, cn_amplitude));
        let kc = kc2.sqrt().min(1.0);
        let landen = Landen::new(k2.sqrt().min(1.0), kc);
        Self::Periodic(JacobiOrbit {
            moments: [i1, i2, i3],
            about_minor,
            turned,
            length,
            d1,
            d3,
            e2,
            twice_energy: m1 * m1 / i1 + m2 * m2 / i2 + m3 * m3 / i3,
            b,
            kc,
            lambda: sigma * rate2.sqrt(),
            sigma,
            phi0,
            u0: landen.phase(phi0),
            landen,
        })
    }
}

impl JacobiOrbit {
    /// The amplitude after time tau (in units in which the momentum has length one).
    pub(super) fn amplitude(&self, tau: f64) -> f64 {
        self.landen.amplitude(self.u0 + self.lambda * tau)
    }

    /// Steps of the arithmetic-geometric mean.
    pub(super) fn mean_steps(&self) -> usize {
        self.landen.steps()
    }

    /// The modulus k.
    pub(super) fn modulus(&self) -> f64 {
        self.landen.modulus()
    }

    /// sqrt(1 - k² sin²) without cancellation.
    pub(super) fn dn(&self, sin: f64, cos: f64) -> f64 {
        libm::hypot(cos, self.kc * sin)
    }

    /// The momentum of length one at an amplitude, eq. (4) and (5).
    pub(super) fn momentum(&self, phi: f64) -> [f64; 3] {
        let (sn, cn) = (libm::sin(phi), libm::cos(phi));
        let dn = self.sigma * self.dn(sn, cn);
        let [b1, b2, b3] = self.b;
        if self.about_minor { [b1 * dn, b2 * sn, b3 * cn] } else { [b1 * cn, b2 * sn, b3 * dn] }
    }

    /// Whole half periods in an amplitude, and the rest within a quarter turn.
    pub(super) fn cell(phi: f64) -> (f64, f64) {
        let n = (phi / PI).round_ties_even();
        (n, (Dd::from(phi) - Dd::PI * n).hi())
    }

    /// Momentum of length one and rotation as a flow: length and frame restored.
    pub(super) fn restore(&self, m: [f64; 3], r: DQuat) -> Flow {
        let s = if self.turned { -1.0 } else { 1.0 };
        Flow {
            m: [m[0] * self.length, s * m[1] * self.length, s * m[2] * self.length],
            r: DQuat::from_xyzw(r.x, s * r.y, s * r.z, r.w),
        }
    }
}

impl Separatrix {
    fn new(moments: [f64; 3], [i21, i32, i31]: [f64; 3], m: [f64; 3], length: f64) -> Self {
        let [i1, i2, i3] = moments;
        // Both small components carry the sign they start with; Celledoni & Zanna print one sign for
        // both.
        let b1 = (i1 * i32 / (i2 * i31)).sqrt().copysign(m[0]);
        let b3 = (i3 * i21 / (i2 * i31)).sqrt().copysign(m[2]);
        let lambda = ((i21 * i32 / (i1 * i3)).sqrt() / i2).copysign(m[0] * m[2]);
        let x0 = libm::asinh(m[1] / libm::hypot(m[0], m[2]));
        Self { moments, length, lambda, b1, b3, x0 }
    }

    /// The momentum of length one, m' and x at a time tau.
    pub(super) fn momentum(&self, tau: f64) -> ([f64; 3], f64) {
        let x = self.x0 + self.lambda * tau;
        let sech = 1.0 / libm::cosh(x);
        ([self.b1 * sech, libm::tanh(x), self.b3 * sech], x)
    }
}
