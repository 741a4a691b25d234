//! The derivatives of a free motion at any time, in closed form.
//!
//! What grows with time is one integral of the second kind, of the same modulus as the motion and without its
//! phase at the start (`PhaseClock`); everything else is algebra on the state (`crate::tangent`). Below a
//! radian or so the increments of the exact step are differentiated instead: a tangent that is close to one
//! keeps the digits of the difference.

use glam::{DQuat, DVec3};
use polhode_elliptic::{Dd, Shift, Theta, ThetaSquares};
use polhode_number::vector::splat;
use polhode_number::{AvailableWidth, Kernel, Number, Packed, alone, exp_and_minus_one, two_prod};

use super::invariants::MotionInvariants;
use super::orbit::reduced;
use super::tumbling::Tumbling;
use super::{FreeMotion, FreeMotionError, MotionKind, Power, phase_lost, time};
use crate::inertia::PrincipalFrame;
use crate::rotor::exact;
use crate::rotor::exact_kernel::{self, ExactBody, SMALL_PHASE};
use crate::scale::ldexp;
use crate::tangent::{Blocks, By, Held, InertiaTangent, MomentumBlock, Phase, Tangent, Units};
use crate::{Inertia, State};

/// Functions of the phase that a tangent is made of.
const FUNCTIONS: usize = 5;

/// Up to this many radians, |m| t/I1, the tangent is that of an exact step.
const SHORT_TIME: f64 = 1.0;

/// What the tangent of a motion needs besides its states: along the sorted axes, the greatest moment in [1,
/// 2) and the momentum in units of a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct TangentConstants {
    pub(super) m: [f64; 3],
    pub(super) body: ExactBody<f64>,
    pub(super) inverse: [f64; 3],
    /// A1, A3, 1/max(A1, A3), and |A1 - A3|/max(A1, A3).
    a1: f64,
    a3: f64,
    per_p: f64,
    complement: f64,
    /// A1 is the larger one: the momentum circles the axis of the least moment.
    minor: bool,
    frame: PrincipalFrame,
    /// The units of momentum and moments.
    pub(super) momentum: f64,
    per_momentum: Power,
    pub(super) moment: f64,
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
        Ok(Self {
            m: scaled,
            body,
            inverse,
            a1,
            a3,
            per_p: 1.0 / p,
            complement: kc * kc,
            minor,
            frame,
            momentum: ldexp(1.0, momentum_exponent),
            per_momentum: Power::new(-momentum_exponent),
            moment: ldexp(1.0, momentum_exponent - invariants.time_exponent),
            clock,
        })
    }

    pub(super) fn units<'a>(&'a self, inertia: &'a Inertia) -> Units<'a> {
        Units { inertia, frame: &self.frame, momentum: self.momentum, moment: self.moment }
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
    fn functions<L: Number>(&self, scaled: L) -> [L; FUNCTIONS] {
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
    fn whole<L: Number>(&self, h: L, [s, cn, dn, x, along]: [L; FUNCTIONS]) -> Phase<L> {
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
    fn is_long(&self, scaled: f64) -> bool {
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
        MomentumBlock::new(splat(self.body.a), splat(self.m), n, phase)
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

impl FreeMotion {
    /// The state at time t with its derivatives: with respect to the state at time zero and to t.
    ///
    /// In closed form, for every body and regime (symmetric, steady, on the separatrix), at the same cost for
    /// every t. Error: a few eps of the larger of one and the block's size.
    ///
    /// # Errors
    /// As [`FreeMotion::at`]; also if a derivative is beyond the range of doubles: next to the separatrix they grow
    /// exponentially.
    ///
    /// ```
    /// use polhode::{FreeMotion, Inertia, State};
    /// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
    /// let start = State::aligned([0.5, 2.0, 0.3])?;
    /// let tangent = FreeMotion::new(&inertia, start)?.tangent_at(10.0)?;
    /// let mut changed = start;
    /// changed.m.x += 1e-7;
    /// let there = FreeMotion::new(&inertia, changed)?.at(10.0)?;
    /// let difference = (there.m.y - tangent.state.m.y) / 1e-7;
    /// assert!((difference - tangent.state_transition[1][0]).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tangent_at(&self, t: f64) -> Result<Tangent, FreeMotionError> {
        let mut tangent = Tangent::still(self.start);
        self.differentiate(t, &mut tangent, By::Start)?;
        Ok(tangent)
    }

    /// The same, and the derivatives with respect to the principal moments, by rows, in the order of
    /// [`Inertia::moments`]: the principal axes stay. At a fixed momentum at the start, or at a fixed angular velocity
    /// if the motion was given one ([`FreeMotion::from_omega`]).
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`].
    pub fn moment_tangent_at(&self, t: f64) -> Result<(Tangent, [[f64; 3]; 6]), FreeMotionError> {
        let (mut tangent, mut by_moments) = (Tangent::still(self.start), [[0.0; 3]; 6]);
        self.differentiate(t, &mut tangent, By::Moments(&mut by_moments))?;
        Ok((tangent, by_moments))
    }

    /// The same, and the derivatives with respect to the inertia: at a fixed momentum at the start, or at a
    /// fixed angular velocity if the motion was given one ([`FreeMotion::from_omega`]).
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`].
    pub fn inertia_tangent_at(&self, t: f64) -> Result<(Tangent, InertiaTangent), FreeMotionError> {
        let (mut tangent, mut by_inertia) = (Tangent::still(self.start), InertiaTangent::NOTHING);
        self.differentiate(t, &mut tangent, By::Inertia(&mut by_inertia))?;
        Ok((tangent, by_inertia))
    }

    /// The states at many times with their derivatives, in the order given.
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`], for the first time that has one.
    ///
    /// ```
    /// use polhode::{FreeMotion, Inertia, State};
    /// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
    /// let motion = FreeMotion::new(&inertia, State::aligned([0.5, 2.0, 0.3])?)?;
    /// let tangents = motion.tangents_at(&[0.0, 1.0, 1e6])?;
    /// assert_eq!(tangents[2], motion.tangent_at(1e6)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tangents_at(&self, times: &[f64]) -> Result<Vec<Tangent>, FreeMotionError> {
        let mut tangents = Vec::with_capacity(times.len());
        let mut columns = [[0.0; BLOCK]; COLUMNS];
        for times in times.chunks(BLOCK) {
            let mut done = 0;
            if let (MotionKind::Tumbling(tumbling), Some(constants)) = (&self.kind, &self.tangent) {
                let columns = &mut columns;
                done = AvailableWidth::widest().run(ManyTangents {
                    constants,
                    tumbling,
                    times,
                    columns,
                });
                for (i, &t) in times[..done].iter().enumerate() {
                    let mut tangent = Tangent::still(self.start);
                    let scaled = tumbling.scaled(t)?;
                    if constants.is_long(scaled) {
                        let mut given = [0.0; COLUMNS];
                        for (given, column) in given.iter_mut().zip(&*columns) {
                            *given = column[i];
                        }
                        self.fill_long(constants, tumbling, scaled, given, &mut tangent, By::Start);
                        self.finish(t, &mut tangent, By::Start)?;
                    } else {
                        self.differentiate(t, &mut tangent, By::Start)?;
                    }
                    tangents.push(tangent);
                }
            }
            for &t in &times[done..] {
                tangents.push(self.tangent_at(t)?);
            }
        }
        Ok(tangents)
    }

    /// The state at time t and its derivatives, written to where they are wanted.
    #[inline(always)]
    pub(crate) fn differentiate(
        &self,
        t: f64,
        tangent: &mut Tangent,
        mut by: By<'_>,
    ) -> Result<(), FreeMotionError> {
        let Some(constants) = &self.tangent else {
            *tangent = self.tangent_at_rest(t)?;
            by.nothing(self.held);
            return Ok(());
        };
        let scaled = self.clock().scaled(t)?;
        if let MotionKind::Tumbling(tumbling) = &self.kind
            && constants.is_long(scaled)
        {
            let (scaled, by) = (tumbling.scaled(t)?, by.again());
            alone(OneTangent { motion: self, constants, tumbling, scaled, tangent, by });
        } else {
            tangent.state = self.at(t)?;
            let (block, r) = constants.any_block(scaled, &self.start, &tangent.state);
            self.fill(constants, &block, r, tangent, by.again());
        }
        self.finish(t, tangent, by)
    }

    /// Holds what is held at the start, and refuses what is beyond the range.
    #[inline(always)]
    fn finish(&self, t: f64, tangent: &mut Tangent, by: By<'_>) -> Result<(), FreeMotionError> {
        let omega = || match self.held {
            Held::AngularVelocity => Some(self.inertia.omega(self.start.m).to_array()),
            Held::Momentum => None,
        };
        let finite = tangent.is_finite()
            && match by {
                By::Start => true,
                By::Moments(made) => {
                    if let Some(omega) = omega() {
                        moments_holding_omega(made, tangent, omega, self.inertia.axes());
                    }
                    made.as_flattened().iter().all(|x| x.is_finite())
                }
                By::Inertia(made) => {
                    if let Some(omega) = omega() {
                        *made = made.holding_omega(tangent, omega);
                    }
                    made.is_finite()
                }
            };
        if finite { Ok(()) } else { Err(grown(t)) }
    }

    #[inline(always)]
    fn fill(
        &self,
        constants: &TangentConstants,
        block: &MomentumBlock<f64>,
        r: [f64; 4],
        tangent: &mut Tangent,
        by: By<'_>,
    ) {
        let units = constants.units(&self.inertia);
        units.fill(tangent, &Blocks::new(block, constants.inverse, r), block.motion);
        units.fill_by(by, block, constants.inverse);
    }

    /// The same for a motion that tumbles, at a time that is not short: from momentum, quaternion, and functions of
    /// the phase.
    #[inline(always)]
    fn fill_long(
        &self,
        constants: &TangentConstants,
        tumbling: &Tumbling,
        scaled: f64,
        [m1, m2, m3, q0, q1, q2, q3, s, c, d, x, along]: [f64; COLUMNS],
        tangent: &mut Tangent,
        by: By<'_>,
    ) {
        let (m, q) = ([m1, m2, m3], [q0, q1, q2, q3]);
        tangent.state = State { m: tumbling.in_units(m), q: super::tumbling::quaternion(q) };
        let axes = constants.frame.over::<f64>();
        let [w, x0, y0, z0] = relative(self.start.q, q);
        let [x0, y0, z0] = axes.enter([x0, y0, z0]);
        let phase = constants.whole(scaled, [s, c, d, x, along]);
        let block = constants.block(axes.enter(m), phase);
        self.fill(constants, &block, [w - 1.0, x0, y0, z0], tangent, by);
    }

    /// Nothing moves, but a change of the momentum turns the body.
    fn tangent_at_rest(&self, t: f64) -> Result<Tangent, FreeMotionError> {
        let mut phi = [[0.0; 6]; 6];
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (j, axis) in unit.into_iter().enumerate() {
            let omega = self.inertia.omega(axis).to_array();
            for i in 0..3 {
                phi[3 + i][j] = time(t)? * omega[i];
            }
            (phi[j][j], phi[3 + j][3 + j]) = (1.0, 1.0);
        }
        let tangent = Tangent { state: self.start, state_transition: phi, time: [0.0; 6] };
        if tangent.is_finite() { Ok(tangent) } else { Err(grown(t)) }
    }
}

/// The rotation from one attitude to another, in the body frame.
#[inline(always)]
fn relative<L: Number>(from: DQuat, [w1, x1, y1, z1]: [L; 4]) -> [L; 4] {
    let n = L::splat;
    let (w, x, y, z) = (n(from.w), n(-from.x), n(-from.y), n(-from.z));
    [
        w * w1 - x * x1 - y * y1 - z * z1,
        w * x1 + x * w1 + y * z1 - z * y1,
        w * y1 - x * z1 + y * w1 + z * x1,
        w * z1 + x * y1 - y * x1 + z * w1,
    ]
}

/// Momentum, quaternion, and functions of the phase.
const COLUMNS: usize = 7 + FUNCTIONS;

/// As many times are done at once.
const BLOCK: usize = 64;

/// What a tangent is made of at one time, or in each lane.
#[inline(always)]
fn columns<L: Number>(
    constants: &TangentConstants,
    tumbling: &Tumbling,
    scaled: L,
) -> [L; COLUMNS] {
    let ([m1, m2, m3], [q0, q1, q2, q3]) = tumbling.state(scaled);
    let [s, c, d, x, along] = constants.functions(scaled);
    [m1, m2, m3, q0, q1, q2, q3, s, c, d, x, along]
}

/// One time of a motion that tumbles, in one lane whatever lanes there are.
struct OneTangent<'a> {
    motion: &'a FreeMotion,
    constants: &'a TangentConstants,
    tumbling: &'a Tumbling,
    scaled: f64,
    tangent: &'a mut Tangent,
    by: By<'a>,
}

impl Kernel for OneTangent<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Packed>(self) {
        let Self { motion, constants, tumbling, scaled, tangent, by } = self;
        let columns = columns(constants, tumbling, scaled);
        motion.fill_long(constants, tumbling, scaled, columns, tangent, by);
    }
}

/// What the tangents at many times are made of, in lanes: as many of the first ones as are done that way.
struct ManyTangents<'a> {
    constants: &'a TangentConstants,
    tumbling: &'a Tumbling,
    times: &'a [f64],
    columns: &'a mut [[f64; BLOCK]; COLUMNS],
}

impl Kernel for ManyTangents<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Packed>(self) -> usize {
        let Self { constants, tumbling, times, columns: made } = self;
        let factor = L::splat(tumbling.time_factor());
        let mut done = 0;
        for times in times.chunks_exact(L::WIDTH) {
            let scaled = L::load(times) * factor;
            if !L::all(tumbling.reaches(scaled)) {
                break;
            }
            let columns = columns(constants, tumbling, scaled);
            for k in 0..COLUMNS {
                columns[k].store(&mut made[k][done..done + L::WIDTH]);
            }
            done += L::WIDTH;
        }
        done
    }
}

/// The derivatives by the principal moments at a fixed angular velocity at the start: the momentum changes along
/// their axes.
fn moments_holding_omega(
    made: &mut [[f64; 3]; 6],
    tangent: &Tangent,
    omega: [f64; 3],
    axes: DQuat,
) {
    for (j, axis) in DVec3::AXES.into_iter().enumerate() {
        let axis = axes * axis;
        let change = (axis * axis.dot(DVec3::from_array(omega))).to_array();
        for (row, phi) in made.iter_mut().zip(&tangent.state_transition) {
            row[j] += change[0] * phi[0] + change[1] * phi[1] + change[2] * phi[2];
        }
    }
}

#[cold]
fn grown(t: f64) -> FreeMotionError {
    if !t.is_finite() {
        return phase_lost(t);
    }
    let allowed =
        "next to the separatrix derivatives grow exponentially; so late they are out of range";
    FreeMotionError::OutOfRange { field: "t", value: t, allowed }
}
