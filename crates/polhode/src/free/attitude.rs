//! The attitude from momentum and angle: three half angles, no arctangent.

use glam::DQuat;
use polhode_elliptic::sin_cos_turns;

use super::orbit::Values;

/// A complex number (re, im).
type Complex = (f64, f64);

fn multiply((a, b): Complex, (c, d): Complex) -> Complex {
    (a * c - b * d, a * d + b * c)
}

/// A number with half the argument of (x, y), up to a positive factor, on the branch (-pi, pi).
///
/// The sum or the difference of length and real part, whichever does not cancel.
fn half((x, y): Complex) -> Complex {
    let length = (x * x + y * y).sqrt();
    if x >= 0.0 { (length + x, y) } else { (y.abs(), (length - x).copysign(y)) }
}

impl Values {
    /// The quaternion exp(k alpha/2) exp(i beta/2) exp(k gamma/2): from the canonical frame to one
    /// with the momentum along its third axis.
    ///
    /// beta and gamma are the angles of the momentum, `m = (sin beta sin gamma, sin beta cos gamma,
    /// cos beta)`. Where gamma circulates, its half turns are counted, so that the sign of the
    /// quaternion never jumps.
    pub(super) fn attitude(&self) -> DQuat {
        let (s, c) = sin_cos_turns(self.secular.split_integer().1);
        let alpha = multiply((c, s), half(self.periodic));
        let gamma = multiply(half(self.gamma), quarter_turns(-self.half_turns));
        let [_, _, m_c] = self.m;
        let across = (self.gamma.0 * self.gamma.0 + self.gamma.1 * self.gamma.1).sqrt();
        // (cos, sin) of beta/2; the momentum stays away from both poles.
        let (cos_b, sin_b) = half((m_c, across));
        let sum = multiply(alpha, gamma);
        let difference = multiply(alpha, (gamma.0, -gamma.1));
        DQuat::from_xyzw(sin_b * difference.0, sin_b * difference.1, cos_b * sum.1, cos_b * sum.0)
            .normalize()
    }
}

/// The power of i: half of n half turns.
fn quarter_turns(n: f64) -> Complex {
    // A phase has fewer than 2^53 half turns.
    #[allow(clippy::cast_possible_truncation)]
    match (n as i64) & 3 {
        1 => (0.0, 1.0),
        2 => (-1.0, 0.0),
        3 => (0.0, -1.0),
        _ => (1.0, 0.0),
    }
}
