//! The attitude from momentum and angle: three half angles, no arctangent.

use polhode_elliptic::sin_cos_turns_lanes;
use polhode_number::{Number, quarter_turns};

use super::orbit::OrbitValues;

impl<L: Number> OrbitValues<L> {
    /// A positive multiple of the quaternion exp(k alpha/2) exp(i beta/2) exp(k gamma/2), scalar
    /// first: from the canonical frame to one with the momentum along its third axis.
    ///
    /// beta and gamma are the angles of the momentum, `m = (sin beta sin gamma, sin beta cos gamma,
    /// cos beta)`. Where gamma circulates, its half turns are counted, so that the sign of the
    /// quaternion never jumps.
    ///
    /// A number with half the argument of another, up to a positive factor, is that number plus its
    /// length, wherever this does not cancel.
    #[inline(always)]
    pub(super) fn attitude(&self) -> [L; 4] {
        let (sin, cos) = sin_cos_turns_lanes(self.secular.0, self.secular.1);
        let (re, im) = self.periodic;
        let half = (re + (re * re + im * im).sqrt(), im);
        let alpha = (cos * half.0 - sin * half.1, cos * half.1 + sin * half.0);

        let (x, y) = self.gamma;
        let across = (x * x + y * y).sqrt();
        let sum = across + x.abs();
        let behind = x.less(L::splat(0.0));
        let half = (L::select(behind, y.abs(), sum), L::select(behind, sum.copysign(y), y));
        let gamma = quarter_turns(half, -self.half_turns);

        // (cos, sin) of beta/2; the momentum stays away from both poles. Its length is one but for
        // rounding, which an angle must not see.
        let m_c = self.m[2];
        let (cos, sin) = ((m_c * m_c + (x * x + y * y)).sqrt() + m_c, across);
        let (rr, ii) = (alpha.0 * gamma.0, alpha.1 * gamma.1);
        let (ri, ir) = (alpha.0 * gamma.1, alpha.1 * gamma.0);
        [cos * (rr - ii), sin * (rr + ii), sin * (ir - ri), cos * (ri + ir)]
    }
}

/// The quaternion of length one in this direction.
#[inline(always)]
pub(super) fn normalized<L: Number>(q: [L; 4]) -> [L; 4] {
    let norm = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])).sqrt();
    let scale = L::splat(1.0) / norm;
    [q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale]
}
