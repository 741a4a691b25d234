//! The constants of a free motion, without cancellation and without units.

use glam::DVec3;
use polhode_elliptic::Dd;

use super::FreeMotionError;
use super::side::separatrix_side;
use crate::Inertia;
use crate::inertia::PrincipalFrame;
use crate::scale::{exponent, ldexp, ldexp_dd};

/// Largest ratio of moments whose squares and products stay far inside the range of doubles.
const MAX_RATIO: f64 = 1e100;
/// Binary exponents of angular velocities that leave room for the period of a nearly symmetric body
/// and for the angular acceleration.
const MAX_RATE_EXPONENT: i32 = 830;
/// Below this fraction of the whole, the momentum across the middle axis has lost digits.
const MIN_ACROSS: f64 = 1e-270;
/// A sum of squares above this has lost nothing to underflow.
const MIN_SQUARE: f64 = 1e-200;

/// A body and a momentum in sorted axes, scaled to order one.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionInvariants {
    /// Principal moments I1 <= I2 <= I3, the largest in [1, 2).
    pub(super) moments: [Dd; 3],
    /// The momentum along those axes, of length one.
    pub(super) m: [Dd; 3],
    /// From those axes to the body frame.
    pub(super) frame: PrincipalFrame,
    /// |m| in units of 2^`momentum_exponent`, in [1, 4).
    pub(super) length: Dd,
    pub(super) momentum_exponent: i32,
    /// Scaled time is t times two to this power.
    pub(super) time_exponent: i32,
    /// sqrt |1 - 2 T I2|, which does not underflow where its square does.
    pub(super) root_e2: Dd,
    /// 1 - 2 T I2 < 0: more energy than the separatrix.
    pub(super) about_minor: bool,
    /// Two moments are equal (and the third is not).
    pub(super) symmetric: bool,
}

/// How a rotation was given. An angular velocity is not rounded to a momentum on the way: after 1e9
/// rad that rounding would be all of the error.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spin {
    Momentum(DVec3),
    Omega(DVec3),
}

impl Spin {
    /// The momentum in sorted axes, largest component in [1, 2), and its binary exponent; moments are
    /// scaled by 2^-`inertia_exponent`. None for zero.
    fn momentum(
        self,
        moments: [Dd; 3],
        frame: &PrincipalFrame,
        inertia_exponent: i32,
    ) -> Option<([Dd; 3], i32)> {
        let (Self::Momentum(v) | Self::Omega(v)) = self;
        let largest = v.abs().max_element();
        if largest == 0.0 {
            return None;
        }
        let e = exponent(largest);
        let entered = frame.enter(DVec3::from_array(v.to_array().map(|x| ldexp(x, -e))));
        if let Self::Momentum(_) = self {
            return Some((entered, e));
        }
        let m: [Dd; 3] = core::array::from_fn(|i| entered[i] * moments[i]);
        let down = exponent(m.iter().fold(0.0, |a: f64, x| a.max(x.hi().abs())));
        Some((m.map(|x| ldexp_dd(x, -down)), e + inertia_exponent + down))
    }
}

impl MotionInvariants {
    /// None for a body at rest.
    pub(super) fn new(inertia: &Inertia, spin: Spin) -> Result<Option<Self>, FreeMotionError> {
        let (moments, frame) = inertia.sorted_frame();
        let inertia_exponent = exponent(moments[2].hi());
        let moments = moments.map(|i| ldexp_dd(i, -inertia_exponent));
        let Some((scaled, momentum_exponent)) = spin.momentum(moments, &frame, inertia_exponent)
        else {
            return Ok(None);
        };
        check_range(moments, momentum_exponent, inertia_exponent)?;
        let length = norm(scaled);
        let (root, sign) = root_side(moments, scaled[0], scaled[2], momentum_exponent)?;
        let per_length = Dd::ONE / length;
        let root_e2 = root * per_length;
        let [i1, i2, i3] = moments;
        Ok(Some(Self {
            moments,
            m: scaled.map(|x| x * per_length),
            frame,
            length,
            momentum_exponent,
            time_exponent: momentum_exponent - inertia_exponent,
            root_e2,
            about_minor: sign < 0.0,
            symmetric: (i1 == i2) != (i2 == i3),
        }))
    }

    /// 1 - 2 T I2.
    pub(super) fn separatrix_distance(&self) -> f64 {
        let e2 = self.root_e2.square().hi();
        if self.about_minor { -e2 } else { e2 }
    }

    /// True if the momentum stands still: along a principal axis, or in a plane of equal moments.
    pub(super) fn is_steady(&self) -> bool {
        let [i1, i2, i3] = self.moments;
        let nonzero = self.m.iter().filter(|x| x.hi() != 0.0).count();
        let no_drift = |a: Dd, b: Dd, m: Dd| a == b || m.hi() == 0.0;
        nonzero == 1
            || (self.root_e2.hi() == 0.0
                && no_drift(i1, i2, self.m[0])
                && no_drift(i2, i3, self.m[2]))
    }

    /// |omega| of a steady motion per unit of scaled time: 2 T/|m|, as omega is along m.
    pub(super) fn steady_rate(&self) -> Dd {
        let mut sum = Dd::ZERO;
        for (m, i) in self.m.iter().zip(self.moments) {
            sum += m.square() / i;
        }
        sum * self.length
    }
}

fn check_range(
    moments: [Dd; 3],
    momentum_exponent: i32,
    inertia_exponent: i32,
) -> Result<(), FreeMotionError> {
    let out_of_range =
        |field, value, allowed| Err(FreeMotionError::OutOfRange { field, value, allowed });
    let ratio = moments[2].hi() / moments[0].hi();
    if ratio > MAX_RATIO {
        return out_of_range("inertia ratio", ratio, "moments may differ by a factor of 1e100");
    }
    let slowest = momentum_exponent - inertia_exponent;
    let fastest = slowest - exponent(moments[0].hi());
    if fastest > MAX_RATE_EXPONENT || slowest < -MAX_RATE_EXPONENT || momentum_exponent > 1021 {
        let allowed = "momentum at most 1e307, angular velocity between 1e-250 and 1e250";
        return out_of_range("momentum", ldexp(1.0, momentum_exponent), allowed);
    }
    Ok(())
}

fn norm(v: [Dd; 3]) -> Dd {
    (v[0].square() + v[1].square() + v[2].square()).sqrt()
}

/// sqrt |e|/(I1 I3) and the sign of e, e the exact side of the separatrix.
///
/// m1 and m3 get a scale of their own: near the middle axis their squares would underflow, and the
/// time of the next flip, which is the logarithm of their size, would be lost.
fn root_side(
    moments: [Dd; 3],
    m1: Dd,
    m3: Dd,
    momentum_exponent: i32,
) -> Result<(Dd, f64), FreeMotionError> {
    let across = m1.hi().abs().max(m3.hi().abs());
    if across == 0.0 {
        return Ok((Dd::ZERO, 1.0));
    }
    if across < MIN_ACROSS {
        let allowed = "components across the middle axis must be zero or 1e-270 of the momentum";
        let value = ldexp(across, momentum_exponent);
        return Err(FreeMotionError::OutOfRange { field: "momentum", value, allowed });
    }
    // Where the two terms of e are far apart, by their roots: a square may underflow.
    let [i1, i2, i3] = moments;
    let major = ((i3 - i2) * i1).sqrt() * m3.abs();
    let minor = ((i2 - i1) * i3).sqrt() * m1.abs();
    let (root, sign) = if major > minor.scale(2.0) || minor > major.scale(2.0) {
        let difference = major - minor;
        (difference.abs().sqrt() * (major + minor).sqrt(), difference.hi())
    } else {
        let e = exponent(across);
        let side = separatrix_side(moments, ldexp_dd(m1, -e), ldexp_dd(m3, -e));
        (ldexp_dd(side.abs().sqrt(), e), side.hi())
    };
    Ok((root / (i1 * i3).sqrt(), sign))
}

/// sqrt of |1 - 2 T Ia| = |Ib - Ia| mb²/Ib + |Ic - Ia| mc²/Ic: a sum of positive terms (Celledoni &
/// Zanna subtract, which cancels digits).
pub(super) fn root_distance(ia: Dd, (ib, mb): (Dd, Dd), (ic, mc): (Dd, Dd)) -> Dd {
    let sum = (ib - ia).abs() * ic * mb.square() + (ic - ia).abs() * ib * mc.square();
    if sum.hi() > MIN_SQUARE {
        return (sum / (ib * ic)).sqrt();
    }
    // By the roots of the terms, whose squares may underflow.
    let root = |i: Dd, m: Dd| ((i - ia).abs() / i).sqrt() * m.abs();
    hypot(root(ib, mb), root(ic, mc))
}

/// sqrt(a² + b²) of numbers that are not negative and whose squares may underflow.
pub(super) fn hypot(a: Dd, b: Dd) -> Dd {
    let sum = a.square() + b.square();
    if sum.hi() > MIN_SQUARE {
        return sum.sqrt();
    }
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if large.hi() == 0.0 {
        return large;
    }
    large * ((small / large).square() + Dd::ONE).sqrt()
}
