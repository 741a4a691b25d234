//! The orbit of the momentum and the angle about it: phase, elliptic functions, periodic part.
//!
//! # The canonical frame
//! Axes (a, b, c): b has the middle moment; c, the *gauge* axis, is the one of the other two that
//! the momentum stays away from, `m_a² + m_b² >= 1/2` on the whole orbit. The attitude is then
//! written in Euler angles about c, which are never close to singular. Two cases: the momentum
//! circles axis a (`m_a` a dn, `m_c` a cn) or axis c (`m_c` a dn, `m_a` a cn); `m_b` is a sn.
//!
//! # The angle
//! The azimuth alpha of the body about its momentum obeys
//! `alpha' = (m_a²/I_a + m_b²/I_b)/(m_a² + m_b²)`, a quotient of positive sums. Its mean is a
//! complete integral of the third kind, computed in double-double; what is left is periodic and is
//! the phase of theta_4(v + ib), with no integral to evaluate and no cancellation
//! (Celledoni & Zanna, eq. (16), subtract two large angles). This is Jacobi's solution (Jacobi1850).

use polhode_elliptic::{Dd, Shift, Theta, cel, cel_and_agm, rc, rf_short};
use polhode_number::{Number, exp_and_minus_one, two_prod, two_sum};

use super::canonical::Canonical;
use super::clock::MAX_TURNS;
use super::invariants::{MotionInvariants, hypot};
use super::{FreeMotionError, Regime};
use crate::inertia::PrincipalFrame;

/// An orbit in the canonical frame. Phases are in half periods, times scaled.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanonicalOrbit {
    path: Path,
    /// Amplitudes of `m_a`, `m_b`, `m_c` for |m| = 1, with the sign of the one that never vanishes.
    amplitudes: [f64; 3],
    /// Mean growth of alpha, as turns of its half.
    secular: Dd,
    /// Whether the periodic part of alpha follows the theta phase or its negative.
    sense: f64,
    precession_rate: f64,
    regime: Regime,
}

#[derive(Clone, Copy, Debug)]
enum Path {
    Periodic {
        theta: Theta,
        shift: Shift,
        circles: Circles,
        start: Dd,
        rate: Dd,
    },
    /// K infinite: `m_b` = tanh x, the others sech x; theta phase of cosh(x + iy).
    Separatrix {
        start: Dd,
        rate: Dd,
        cos_y: f64,
        sin_y: f64,
    },
}

/// The axis that the momentum circles.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Circles {
    A,
    C,
}

/// The orbit at one time, or at one in each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrbitValues<L> {
    /// The momentum in the canonical frame, of length one.
    pub(super) m: [L; 3],
    /// Direction (cos, sin) of the angle gamma of the momentum about c, within one half turn.
    pub(super) gamma: (L, L),
    /// Half turns to take off that gamma.
    pub(super) half_turns: L,
    /// The secular half angle, in turns, as a double-double within one.
    pub(super) secular: (L, L),
    /// (cos, sin) of the periodic angle, up to a positive factor; the cosine is positive.
    pub(super) periodic: (L, L),
}

impl CanonicalOrbit {
    /// The orbit, and the frame that leads from its canonical axes to the body frame. None if the
    /// momentum stands still.
    pub(super) fn new(
        invariants: &MotionInvariants,
    ) -> Result<Option<(Self, PrincipalFrame)>, FreeMotionError> {
        if invariants.is_steady() {
            return Ok(None);
        }
        let body = Canonical::new(invariants);
        let orbit = if invariants.root_e2.hi() == 0.0 {
            Self::separatrix(&body, invariants.length)
        } else {
            Self::periodic(&body, invariants)
        };
        orbit.map(|orbit| Some((orbit, body.frame)))
    }

    fn periodic(body: &Canonical, invariants: &MotionInvariants) -> Result<Self, FreeMotionError> {
        let [ia, ib, ic] = body.moments;
        let (dab, dbc, dac) = (body.difference(0, 1), body.difference(1, 2), body.difference(0, 2));
        let about_minor = invariants.about_minor;
        let circles = if about_minor == (body.orientation > 0.0) { Circles::A } else { Circles::C };
        // In the names of Celledoni & Zanna with (a, c) for (1, 3); `near` belongs to the axis circled.
        let (dn_root, cn_root, near, far) = match circles {
            Circles::A => (body.root_c, body.root_a, dab, dbc),
            Circles::C => (body.root_a, body.root_c, dbc, dab),
        };
        let (per_near, per_dac) = (Dd::ONE / near, Dd::ONE / dac);
        let per_dn_root = Dd::ONE / dn_root;
        let k = (far * per_near).sqrt() * cn_root * per_dn_root;
        let kc = (dac * per_near).sqrt() * invariants.root_e2 * per_dn_root;
        let lambda = (near / body.product()).sqrt() * dn_root;
        let amplitude_a = (ia * per_dac).sqrt() * body.root_c;
        let amplitude_c = (ic * per_dac).sqrt() * body.root_a;
        let amplitude_b = (ib * per_near).sqrt() * cn_root;

        // Mean of alpha', as Bulirsch's integral with positive parameters.
        let ratio = (amplitude_b / amplitude_a).square();
        let extra = if circles == Circles::A { kc.square() } else { Dd::ZERO };
        let (mean, agm) = cel_and_agm(kc, ratio + extra, Dd::ONE, ratio * ia / ib + extra)
            .map_err(unreachable_domain)?;
        let quarter = Dd::FRAC_PI_2 / agm;
        let mean = mean / (quarter * ia);
        let (dn, cn) = match circles {
            Circles::A => (body.m[0], body.m[2] / nonzero(amplitude_c)),
            Circles::C => (body.m[2], body.m[0] / nonzero(amplitude_a)),
        };
        let sense = dn.hi().signum();
        let start = half_periods(body.m[1] / nonzero(amplitude_b), cn, kc, quarter)?;
        let rate = lambda / quarter.scale(2.0) * invariants.length * (body.orientation * sense);

        let theta = Theta::new(k.hi().min(1.0), kc.hi().min(1.0), quarter.hi());
        let (a, c) = (amplitude_a.hi(), amplitude_c.hi());
        let shift = match circles {
            Circles::A => theta.shift_below_quarter(a, c),
            Circles::C => theta.shift(c, a),
        };

        let precession = match circles {
            Circles::C => mean.hi(),
            // The same mean for axis a; (Bb/Bc)² is a number of the inertia alone.
            Circles::A => {
                let p = (ib * dac / (ic * dab)).hi();
                cel(kc.hi(), p, 1.0, p * (ic / ib).hi()).map_err(unreachable_domain)?
                    / (quarter * ic).hi()
            }
        };
        let amplitudes = match circles {
            Circles::A => [sense * a, amplitude_b.hi(), c],
            Circles::C => [a, amplitude_b.hi(), sense * c],
        };
        Ok(Self {
            path: Path::Periodic { theta, shift, circles, start, rate },
            amplitudes,
            secular: half_turns(mean * invariants.length),
            sense,
            precession_rate: precession * invariants.length.hi(),
            regime: if about_minor { Regime::AboutMinor } else { Regime::AboutMajor },
        })
    }

    fn separatrix(body: &Canonical, length: Dd) -> Result<Self, FreeMotionError> {
        let [ia, ib, ic] = body.moments;
        let (dab, dbc, dac) = (body.difference(0, 1), body.difference(1, 2), body.difference(0, 2));
        let a = (ia * dbc / (ib * dac)).sqrt();
        let c = (ic * dab / (ib * dac)).sqrt();
        let (sign_a, sign_c) = (body.m[0].hi().signum(), body.m[2].hi().signum());
        let sense = sign_a * sign_c;
        let lambda = (dab * dbc / (ia * ic)).sqrt() / ib;
        // m_b = tanh x and m_a = ±a sech x, so sinh x = a m_b/|m_a|; of the two small components
        // a is the larger.
        let start = asinh(a * body.m[1] / body.m[0].abs())?;
        let norm = libm::hypot(a.hi(), c.hi());
        Ok(Self {
            path: Path::Separatrix {
                start,
                rate: lambda * length * (body.orientation * sense),
                cos_y: a.hi() / norm,
                sin_y: c.hi() / norm,
            },
            amplitudes: [sign_a * a.hi(), 1.0, sign_c * c.hi()],
            secular: half_turns(length / ib),
            sense,
            precession_rate: (length / ib).hi(),
            regime: Regime::Separatrix,
        })
    }

    /// True if no phase has lost its digits at this scaled time; false if it is not finite.
    #[inline(always)]
    pub(super) fn reaches<L: Number>(&self, scaled: L) -> L::Mask {
        let rate = match &self.path {
            Path::Periodic { rate, .. } => rate.hi().abs(),
            Path::Separatrix { .. } => 0.0,
        };
        (scaled * L::splat(rate.max(self.secular.hi().abs()))).abs().less(L::splat(MAX_TURNS))
    }

    /// The orbit at a scaled time that it [reaches](Self::reaches).
    #[inline(always)]
    pub(super) fn values<L: Number>(&self, scaled: L) -> OrbitValues<L> {
        let (_, secular, tail) = reduced(Dd::ZERO, self.secular, scaled);
        let [a, b, c] = self.amplitudes;
        let (a, b, c) = (L::splat(a), L::splat(b), L::splat(c));
        match &self.path {
            Path::Periodic { theta, shift, circles, start, rate } => {
                let (whole, f, rest) = reduced(*start, *rate, scaled);
                let v = theta.lanes(f, rest, shift);
                // A half period later sn and cn have changed sign.
                let half = whole * L::splat(0.5);
                let odd = L::splat(0.25).less((half - half.round()).abs());
                let flip = L::select(odd, L::splat(-1.0), L::splat(1.0));
                let m_b = b * v.sn;
                let (m, gamma, half_turns) = match circles {
                    Circles::A => {
                        let (m_a, m_b) = (a * v.dn, flip * m_b);
                        ([m_a, m_b, flip * c * v.cn], (m_b, m_a), L::splat(0.0))
                    }
                    Circles::C => {
                        let m_a = a * v.cn;
                        // Within a half period cn >= 0; at its ends a rounding below zero would
                        // take gamma across its branch cut and change the sign of the quaternion.
                        ([flip * m_a, flip * m_b, c * v.dn], (m_b, m_a.abs()), whole)
                    }
                };
                let slope = L::splat(self.sense * shift.slope * QUARTER_TURN_OF_RADIAN) * f;
                let (secular, error) = two_sum(secular, slope);
                let periodic = (v.re, L::splat(self.sense) * v.im);
                OrbitValues { m, gamma, half_turns, secular: (secular, tail + error), periodic }
            }
            Path::Separatrix { start, rate, cos_y, sin_y } => {
                let (start, rate) = (*start, *rate);
                let (sech, tanh) = sech_tanh(product(start, rate, scaled));
                let m = [a * sech, b * tanh, c * sech];
                let periodic = (L::splat(*cos_y), L::splat(self.sense * sin_y) * tanh);
                let half_turns = L::splat(0.0);
                OrbitValues {
                    m,
                    gamma: (m[1], m[0]),
                    half_turns,
                    secular: (secular, tail),
                    periodic,
                }
            }
        }
    }

    pub(super) fn regime(&self) -> Regime {
        self.regime
    }

    /// The theta functions and the half periods in a unit of scaled time, if there is a period.
    pub(super) fn phase(&self) -> Option<(Theta, Dd)> {
        match &self.path {
            Path::Periodic { theta, rate, .. } => Some((*theta, rate.abs())),
            Path::Separatrix { .. } => None,
        }
    }

    pub(super) fn precession_rate(&self) -> f64 {
        self.precession_rate
    }

    /// The period of the momentum, in scaled time.
    pub(super) fn period(&self) -> Option<Dd> {
        match &self.path {
            Path::Periodic { rate, .. } => Some(Dd::from(2.0) / rate.abs()),
            Path::Separatrix { .. } => None,
        }
    }

    /// The scaled time of the flip after `scaled`, or of the `skip`-th one after that.
    pub(super) fn flip(&self, scaled: f64, skip: f64) -> Option<Dd> {
        match &self.path {
            Path::Periodic { start, rate, .. } => {
                let (whole, rest, _) = reduced(*start, *rate, scaled);
                let forward = rate.hi().signum();
                let ahead = if rest * forward < 0.0 { whole } else { whole + forward };
                let target = Dd::from(ahead + skip * forward);
                Some((target - *start) / *rate)
            }
            Path::Separatrix { start, rate, .. } if skip == 0.0 => Some(-*start / *rate),
            Path::Separatrix { .. } => None,
        }
    }
}

/// `start + rate x` as a rounded sum and its error, the latter good to a few eps.
#[inline(always)]
fn product<L: Number>(start: Dd, rate: Dd, x: L) -> (L, L) {
    let (p, error) = two_prod(L::splat(rate.hi()), x);
    let (sum, rounding) = two_sum(p, L::splat(start.hi()));
    (sum, rounding + (error + (L::splat(rate.lo()) * x + L::splat(start.lo()))))
}

/// `start + rate x` as whole turns and a rest within half of one, the rest as a double-double.
#[inline(always)]
pub(super) fn reduced<L: Number>(start: Dd, rate: Dd, x: L) -> (L, L, L) {
    let (sum, error) = product(start, rate, x);
    let whole = sum.round();
    let (rest, tail) = two_sum(sum - whole, error);
    // After many turns the error itself can push the rest over one half.
    let more = rest.round();
    (whole + more, rest - more, tail)
}

/// sech and tanh of `x + tail`.
#[inline(always)]
fn sech_tanh<L: Number>((x, tail): (L, L)) -> (L, L) {
    let one = L::splat(1.0);
    let x = x + tail;
    // Beyond, sech is zero to every digit that a momentum has.
    let size = L::select(x.abs().less(L::splat(700.0)), x.abs(), L::splat(700.0));
    let (e, m) = exp_and_minus_one(-size);
    let inverse = one / (one + e * e);
    (L::splat(2.0) * e * inverse, (-m * (one + e) * inverse).copysign(x))
}

/// asinh with all digits, by RC(1 + z², 1) after one halving of the argument x = asinh z: the square
/// of z itself may overflow.
fn asinh(z: Dd) -> Result<Dd, FreeMotionError> {
    let size = z.abs();
    let cosh = if size.hi() > 1e100 { size } else { (z.square() + Dd::ONE).sqrt() };
    let half = z / (cosh + Dd::ONE).scale(2.0).sqrt();
    let rc = rc(half.square() + Dd::ONE, Dd::ONE).map_err(unreachable_domain)?;
    Ok((half * rc).scale(2.0))
}

/// One radian of an angle as turns of its half.
const QUARTER_TURN_OF_RADIAN: f64 = 0.25 * core::f64::consts::FRAC_1_PI;

/// Radians of an angle as turns of its half.
fn half_turns(radians: Dd) -> Dd {
    radians * Dd::FRAC_1_PI.scale(0.25)
}

/// A divisor that may be zero together with its dividend: the phase of a wobble of size zero is
/// free, and zero will do.
fn nonzero(x: Dd) -> Dd {
    if x.hi() == 0.0 { Dd::ONE } else { x }
}

/// u0/(2K) in (-1, 1] from sn and cn at the start.
fn half_periods(sn: Dd, cn: Dd, kc: Dd, quarter: Dd) -> Result<Dd, FreeMotionError> {
    let norm = (sn.square() + cn.square()).sqrt();
    if norm.hi() == 0.0 {
        return Ok(Dd::ZERO);
    }
    let (s, c) = (sn.abs() / norm, cn.abs() / norm);
    // F = s RF(c², d², 1) after one duplication by hand: it needs c and d, not their squares,
    // which underflow at the end of the middle axis.
    let d = hypot(c, kc * s);
    let l = c * d + c + d;
    let quarter_of = |x: Dd| (x + l).scale(0.25);
    let f = s * rf_short(quarter_of(c.square()), quarter_of(d.square()), quarter_of(Dd::ONE))
        .map_err(unreachable_domain)?;
    let f = f / quarter.scale(2.0);
    let f = if cn.hi() < 0.0 { Dd::ONE - f } else { f };
    Ok(if sn.hi() < 0.0 { -f } else { f })
}

/// The arguments above are positive by construction; should one ever underflow to zero, say so
/// instead of a wrong answer.
pub(super) fn unreachable_domain(e: polhode_elliptic::DomainError) -> FreeMotionError {
    let allowed = "its constants of motion underflow";
    FreeMotionError::OutOfRange { field: "momentum", value: e.value, allowed }
}
