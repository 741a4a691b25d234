//! What the derivatives of a free motion need besides its states: functions of its phase, and constants.

use polhode_elliptic::{Dd, Shift, Theta, ThetaSquares};
use polhode_number::vector::splat;
use polhode_number::{Number, exp_and_minus_one, two_prod};

use super::clock::PowerOfTwo;
use super::invariants::MotionInvariants;
use super::orbit::reduced;
use super::{FreeMotionError, MotionKind};
use crate::inertia::PrincipalFrame;
use crate::rotor::exact;
use crate::rotor::exact_kernel::{self, ExactBody, SMALL_PHASE};
use crate::scale::ldexp;
use crate::tangent::{KernelUnits, MomentumBlock, MomentumShape, Phase};
use crate::{Inertia, State};

/// Functions of the phase that a tangent is made of.
pub(super) const FUNCTIONS: usize = 5;

/// Up to this many radians, |m| t/I1, the tangent is that of an exact step.
const SHORT_TIME: f64 = 1.0;

/// What the tangent of a motion needs besides its states: along the sorted axes, the greatest moment in [1,
/// 2) and the momentum in units of a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct TangentConstants {
    pub(super) m: [f64; 3],
    pub(super) body: ExactBody<f64>,
    pub(super) shape: MomentumShape,
    /// A1, A3, 1/max(A1, A3), and |A1 - A3|/max(A1, A3).
    a1: f64,
    a3: f64,
    per_p: f64,
    complement: f64,
    /// A1 is the larger one: the momentum circles the axis of the least moment.
    minor: bool,
    pub(super) frame: PrincipalFrame,
    /// The units of momentum and moments.
    pub(super) momentum: f64,
    per_momentum: PowerOfTwo,
    pub(super) moment: f64,
    /// One over either, and the unit of the momentum's rate: quotients that every tangent needs.
    reciprocals: [f64; 2],
    rate: f64,
    clock: PhaseClock,
}

/// S and its cosines as functions of time.
#[derive(Clone, Copy, Debug)]
enum PhaseClock {
    /// A1 and A3 are zero.
    Still,
    /// S = sn(u)/lambda, with u half periods of this rate in scaled time.
    Periodic { theta: Theta, squares: ThetaSquares, rate: Dd, per_lambda: f64 },
    /// The same at k = 1, u of this rate.
    Aperiodic { rate: Dd },
}

/// The root of A1, or of A3, to double-double: it is multiplied by time.
#[cold]
fn growth_rate(invariants: &MotionInvariants, minor: bool) -> Dd {
    let [i1, i2, i3] = invariants.moments;
    let [b1, b2, b3] = invariants.moments.map(|i| Dd::ONE / i);
    let a = [(i2 - i3) * b2 * b3, (i3 - i1) * b3 * b1, (i1 - i2) * b1 * b2];
    let [p1, p2, p3] = invariants.m.map(|x| (x * invariants.length).square());
    let square =
        if minor { -(a[2] * (a[1] * p1 - a[0] * p2)) } else { a[0] * (a[2] * p2 - a[1] * p3) };
    square.sqrt()
}

impl TangentConstants {
    pub(super) fn new(
        invariants: &MotionInvariants,
        kind: &MotionKind,
    ) -> Result<Self, FreeMotionError> {
        let MotionInvariants { moments, m, frame, length, momentum_exponent, root_e2, .. } =
            *invariants;
        let body = exact::body(moments);
        let inverse = [body.b1.0, 1.0 / moments[1].hi(), body.b3.0];
        let [a, b, c] = body.a;
        let scaled = m.map(|x| (x * length).hi());
        let [p1, p2, p3] = scaled.map(|x| x * x);
        // Sums of positive terms.
        let a1 = -(c * (b * p1 - a * p2));
        let a3 = a * (c * p2 - b * p3);
        let minor = invariants.about_minor || root_e2.hi() == 0.0;
        let (p, least) = if minor { (a1, a3) } else { (a3, a1) };
        // kc = sqrt(delta/P), by the root of delta, which does not underflow.
        let root_delta = libm::sqrt(b * inverse[1]) * root_e2.hi() * length.hi();
        let kc = if p > 0.0 { (root_delta / libm::sqrt(p)).min(1.0) } else { 1.0 };
        let clock = if p == 0.0 {
            PhaseClock::Still
        } else if kc == 0.0 {
            PhaseClock::Aperiodic { rate: growth_rate(invariants, minor) }
        } else {
            let k = libm::sqrt((least / p).min(1.0));
            // A steady rotation about an extreme axis: k = 0.
            let steady = || {
                let quarter = core::f64::consts::FRAC_PI_2;
                (Theta::new(k, kc, quarter), growth_rate(invariants, minor) * Dd::FRAC_1_PI)
            };
            let (theta, rate) = kind.phase().unwrap_or_else(steady);
            let squares = ThetaSquares::new(k, kc, theta.quarter()).map_err(super::undefined)?;
            PhaseClock::Periodic { theta, squares, rate, per_lambda: 1.0 / libm::sqrt(p) }
        };
        let momentum = ldexp(1.0, momentum_exponent);
        let moment = ldexp(1.0, momentum_exponent - invariants.time_exponent);
        Ok(Self {
            m: scaled,
            body,
            shape: MomentumShape::new(body.a, inverse),
            a1,
            a3,
            per_p: 1.0 / p,
            complement: kc * kc,
            minor,
            frame,
            momentum,
            per_momentum: PowerOfTwo::new(-momentum_exponent),
            moment,
            reciprocals: [1.0 / momentum, 1.0 / moment],
            rate: momentum / moment * momentum,
            clock,
        })
    }

    pub(super) fn units<'a>(&'a self, inertia: &'a Inertia) -> KernelUnits<'a> {
        let Self { frame, momentum, reciprocals: [per_momentum, per_moment], rate, .. } = self;
        KernelUnits {
            inertia,
            frame,
            momentum: *momentum,
            per_momentum: *per_momentum,
            per_moment: *per_moment,
            rate: *rate,
        }
    }

    /// The phase at a scaled time.
    #[inline(always)]
    fn phase<L: Number>(&self, scaled: L) -> Phase<L> {
        match &self.clock {
            PhaseClock::Still => {
                exact_kernel::small_phase(L::splat(self.a1), L::splat(self.a3), scaled)
            }
            _ => self.whole(scaled, self.functions(scaled)),
        }
    }

    /// S, the cosine of P and the other one, and the integrals of (S/C-)² and (C+/C-)², of a phase that is not small.
    #[inline(always)]
    pub(super) fn functions<L: Number>(&self, scaled: L) -> [L; FUNCTIONS] {
        let n = L::splat;
        match &self.clock {
            // A phase that stands still is small.
            PhaseClock::Still => [n(0.0); FUNCTIONS],
            &PhaseClock::Periodic { ref theta, ref squares, rate, per_lambda } => {
                let (whole, f, tail) = reduced(Dd::ZERO, rate, scaled);
                let values = theta.lanes(f, tail, &Shift::NONE);
                let (sd, cd) = theta.squares(squares, whole, f, tail);
                let half = whole * n(0.5);
                let odd = n(0.25).less((half - half.round()).abs());
                let flip = L::select(odd, n(-1.0), n(1.0));
                let s = flip * values.sn * n(per_lambda);
                let (c, d) = (flip * values.cn, values.dn);
                let x = sd * n(per_lambda * (per_lambda * per_lambda));
                [s, c, d, x, cd * n(per_lambda)]
            }
            PhaseClock::Aperiodic { rate } => {
                let (u, low) = two_prod(n(rate.hi()), scaled);
                let low = low + n(rate.lo()) * scaled;
                let size = u.abs();
                let tail = low.copysign(low * u);
                // Beyond 350 the integral is infinite, and so is what is made of it.
                let (e, m) = exp_and_minus_one(-L::select(size.less(n(700.0)), size, n(700.0)));
                let (e, m) = (e - e * tail, m - e * tail);
                let near = e * e;
                let inverse = n(1.0) / (n(1.0) + near);
                let (sech, tanh) =
                    (n(2.0) * e * inverse, (-m * (n(1.0) + e) * inverse).copysign(u));
                let per_rate = 1.0 / rate.hi();
                let grown = (n(0.125) * (n(1.0) / near - near) - n(0.5) * size).copysign(u);
                let x = grown * n(per_rate * per_rate * per_rate);
                [tanh * n(per_rate), sech, sech, x, scaled]
            }
        }
    }

    #[inline(always)]
    pub(super) fn whole<L: Number>(&self, h: L, [s, cn, dn, x, along]: [L; FUNCTIONS]) -> Phase<L> {
        let functions = if self.minor { [s, cn, dn] } else { [s, dn, cn] };
        let p = [L::splat(self.per_p), L::splat(self.complement)];
        Phase::whole(h, functions, self.minor, p, x, along)
    }

    /// The phase after one period, if there is one.
    pub(super) fn period_phase(&self, period: f64) -> Option<Phase<f64>> {
        let &PhaseClock::Periodic { ref squares, per_lambda, .. } = &self.clock else {
            return None;
        };
        let (sd, cd) = squares.half_period();
        let x = 2.0 * sd * per_lambda * (per_lambda * per_lambda);
        Some(self.whole(period, [0.0, 1.0, 1.0, x, 2.0 * cd * per_lambda]))
    }

    /// |m| t/I1 at a scaled time, or somewhat less.
    #[inline]
    fn turn(&self, scaled: f64) -> f64 {
        let size = self.m[0].abs().max(self.m[1].abs()).max(self.m[2].abs());
        (scaled * self.body.b1.0).abs() * size
    }

    /// True if neither the turn nor the phase at a scaled time is small.
    #[inline]
    pub(super) fn is_long(&self, scaled: f64) -> bool {
        self.turn(scaled) > SHORT_TIME && !self.is_small(scaled)
    }

    /// True if the phase at a scaled time is small.
    #[inline]
    fn is_small(&self, scaled: f64) -> bool {
        self.a1.max(self.a3) * scaled * scaled <= SMALL_PHASE
    }

    /// The momentum block from the momentum at that time, in units and axes of the kernel.
    #[inline(always)]
    pub(super) fn block<L: Number>(&self, n: [L; 3], phase: Phase<L>) -> MomentumBlock<L> {
        MomentumBlock::new(&self.shape, splat(self.m), n, phase)
    }

    /// The momentum block and the rotation minus one at any scaled time, from the state there.
    pub(super) fn any_block(
        &self,
        scaled: f64,
        start: &State,
        state: &State,
    ) -> (MomentumBlock<f64>, [f64; 4]) {
        if self.turn(scaled) <= SHORT_TIME {
            let (increment, phase) = exact_kernel::step_and_phase(&self.body, self.m, scaled);
            return (self.block(increment.m, phase), increment.r);
        }
        let n = self.frame.enter_rounded(state.m).map(|x| self.per_momentum.times(x));
        let r = start.q.conjugate() * state.q;
        let [x, y, z] = self.frame.enter_rounded(r.xyz());
        let phase = if self.is_small(scaled) {
            exact_kernel::small_phase(self.a1, self.a3, scaled)
        } else {
            self.phase(scaled)
        };
        (self.block(n, phase), [r.w - 1.0, x, y, z])
    }
}
