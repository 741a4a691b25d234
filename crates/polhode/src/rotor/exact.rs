//! The exact step by addition theorems: the default rotor.
//!
//! The momentum after h is a rational function of the momentum before and of one odd function
//! S(h) with S'² = (1 - A1 S²)(1 - A3 S²) and its two cosines; the attitude follows from an angle
//! that depends on h only. No elliptic integral, no arctangent, no case at the separatrix:
//!
//! m1(h) = (m1 C3 + a1 m2 m3 C1 S)/D, m2(h) = (m2 C1 C3 + a2 m3 m1 S)/D,
//! m3(h) = (m3 C1 + a3 m1 m2 C3 S)/D, D = 1 - a1 a3 m2² S².
//!
//! Keeps everything to rounding, which walks and does not drift: 0.3 eps sqrt(N) in the energy after N
//! steps of any length up to 32 rad. Sign of the quaternion on its continuous branch; its length walks
//! too, but for a body that turns about an axis in steps of a radian and more, where every step is
//! rounded like the one before: by up to an ulp a step. Error at most one ulp for steps of up to a
//! quarter radian of the momentum's motion, 8 eps (1 + |m| h/I1) beyond.
//! Cost: half of one `dmv` step or more, growing with the logarithm of h; beyond 32 rad that of setting
//! up a [`FreeMotion`], which such steps are left to.
//!
//! # References
//! The addition theorems: DLMF 22.8 and 23.10. The integral of the third kind that the quadrature over
//! h replaces: Celledoni & Zanna, eq. (9), section 1.3.

use glam::{DQuat, DVec3};
use polhode_elliptic::Dd;
use polhode_number::add_compensated;

use super::exact_kernel::{ExactBody, ExactIncrement, LEAST, LONG_STEP, MOST, step};
use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::inertia::PrincipalFrame;
use crate::method::RestoreError;
use crate::parameters::{Parameter, ParameterKind};
use crate::scale::{exponent, ldexp, ldexp_dd};
use crate::{FreeMotion, Inertia, State};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "exact",
    title: "exact, by addition theorems; the default",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    in_lanes: true,
    parameters: &[Parameter {
        name: "compensated",
        doc: "Carry the digits that adding the increments of a step drops.",
        kind: ParameterKind::Flag,
    }],
    cites: &[
        Citation { key: "DLMF", at: "22.8, 23.10" },
        Citation { key: "CelledoniZanna2008", at: "section 1.3" },
    ],
    build: |inertia, p| {
        if p.flag("compensated") {
            return Box::new(CompensatedExact::new(inertia));
        }
        Box::new(Exact::new(inertia))
    },
};

/// The exact step of one body.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    parts: ExactParts,
    frame: PrincipalFrame,
    inertia: Inertia,
}

/// What the kernel needs of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactParts {
    pub(crate) body: ExactBody<f64>,
    /// Scaled moments are the true ones times 2^-exponent, and this is that power.
    inertia_exponent: i32,
    pub(crate) inertia_scale: f64,
    pub(crate) in_range: bool,
    /// Whether products with the scale stay in range, for a momentum that is not near its ends.
    ordinary: bool,
}

impl ExactParts {
    pub(crate) fn new(inertia: &Inertia) -> Self {
        let (moments, _) = inertia.sorted_frame();
        let inertia_exponent = exponent(moments[2].hi());
        let scaled = moments.map(|i| ldexp_dd(i, -inertia_exponent));
        let inertia_scale = ldexp(1.0, -inertia_exponent);
        let in_range = inertia.can_be_stepped();
        let ordinary = in_range && (1e-280..1e280).contains(&inertia_scale);
        Self { body: body(scaled), inertia_exponent, inertia_scale, in_range, ordinary }
    }
}

/// An increment, with the momentum in units of a power of two.
struct ScaledIncrement {
    increment: ExactIncrement<f64>,
    exponent: i32,
}

/// What a step comes to.
enum StepOutcome {
    /// Nothing.
    Rest,
    /// An increment.
    Near(ScaledIncrement),
    /// A step so long that the motion is computed afresh.
    Far,
    /// It cannot be done.
    Failure(StepError),
}

/// A momentum in the caller's units.
#[inline]
fn restored(v: [f64; 3], exponent: i32) -> [f64; 3] {
    if exponent == 0 { v } else { v.map(|x| ldexp(x, exponent)) }
}

impl Exact {
    /// The exact rotor of a body.
    pub fn new(inertia: &Inertia) -> Self {
        let (_, frame) = inertia.sorted_frame();
        Self { parts: ExactParts::new(inertia), frame, inertia: *inertia }
    }
}

/// The constants of the kernel, from sorted moments; differences before roundings.
pub(super) fn body([i1, i2, i3]: [Dd; 3]) -> ExactBody<f64> {
    let [b1, b2, b3] = [i1, i2, i3].map(|i| Dd::ONE / i);
    let a = [(i2 - i3) * b2 * b3, (i3 - i1) * b3 * b1, (i1 - i2) * b1 * b2];
    let beta = if a[1].hi() == 0.0 { 0.0 } else { ((a[2] - a[0]) / a[1]).hi() };
    let (side3, side1) = (a[0], -a[2]);
    let [a1, a2, a3] = a.map(Dd::hi);
    ExactBody {
        a: [a1, a2, a3],
        b1: (b1.hi(), b1.lo()),
        b3: (b3.hi(), b3.lo()),
        beta,
        stiffness: a1.abs().max(a3.abs()) * a2,
        side3: (side3.hi(), side3.lo()),
        side1: (side1.hi(), side1.lo()),
    }
}

impl Exact {
    /// The increment of a step, in sorted axes.
    #[inline(always)]
    fn increment(&self, h: f64, state: &State) -> StepOutcome {
        let m = self.frame.enter_rounded(state.m);
        // A sum, which also knows of a NaN.
        let size = m[0].abs() + m[1].abs() + m[2].abs();
        if !(self.parts.ordinary && LEAST < size && size < MOST) {
            return self.rare(h, state, m);
        }
        let h_scaled = h * self.parts.inertia_scale;
        // NaN is not below it either; at the limit itself the size in powers of two decides.
        if h_scaled.abs() * self.parts.body.b1.0 * size < LONG_STEP {
            let increment = step(&self.parts.body, m, h_scaled);
            return StepOutcome::Near(ScaledIncrement { increment, exponent: 0 });
        }
        self.rare(h, state, m)
    }

    /// The same for numbers near the ends of the range, long steps, rest, or what is not finite.
    #[cold]
    #[inline(never)]
    fn rare(&self, h: f64, state: &State, m: [f64; 3]) -> StepOutcome {
        if !(self.parts.in_range && h.is_finite() && state.m.is_finite()) {
            return StepOutcome::Failure(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        let largest = m[0].abs().max(m[1].abs()).max(m[2].abs());
        if largest == 0.0 {
            return StepOutcome::Rest;
        }
        let exponent = exponent(largest);
        let h_scaled = ldexp(h, exponent - self.parts.inertia_exponent);
        let angle = h_scaled.abs() * self.parts.body.b1.0;
        if angle >= PHASE_LIMIT {
            return StepOutcome::Failure(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        if angle > LONG_STEP {
            return StepOutcome::Far;
        }
        let increment = step(&self.parts.body, m.map(|x| ldexp(x, -exponent)), h_scaled);
        StepOutcome::Near(ScaledIncrement { increment, exponent })
    }

    /// A step of many radians: by [`FreeMotion`], which reduces the phase by its period.
    #[cold]
    fn far(&self, h: f64, state: &mut State) -> Result<(), StepError> {
        let motion = FreeMotion::new(&self.inertia, *state).and_then(|motion| motion.at(h));
        *state = motion.map_err(|_| StepError::OutOfRange { h, momentum: state.m.to_array() })?;
        Ok(())
    }

    /// The rotation minus one, in the body frame.
    #[inline(always)]
    fn turn(&self, r: [f64; 4]) -> DQuat {
        let v = self.frame.leave_rounded([r[1], r[2], r[3]]);
        DQuat::from_xyzw(v.x, v.y, v.z, r[0])
    }
}

impl Rotor for Exact {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let ScaledIncrement { increment, exponent } = match self.increment(h, state) {
            StepOutcome::Near(scaled) => scaled,
            StepOutcome::Rest => return Ok(()),
            StepOutcome::Far => return self.far(h, state),
            StepOutcome::Failure(error) => return Err(error),
        };
        state.m = self.frame.leave_rounded(restored(increment.m, exponent));
        state.q = state.q + state.q * self.turn(increment.r);
        Ok(())
    }
}

/// The exact step with compensated summation (Kahan) of momentum and attitude.
///
/// The walk of plain steps, 0.2 eps sqrt(N) in the energy, is gone; what is left is the bias of the
/// rounded constants, about 2e-5 eps a step (water molecule, h = 0.01), which grows linearly with the
/// number of steps, and with h².
///
/// What was dropped from the momentum is turned with the body, for it stands still in space; what was
/// dropped from the attitude is forgotten when the attitude has been changed from outside.
#[derive(Clone, Copy, Debug)]
struct CompensatedExact {
    exact: Exact,
    dropped_m: DVec3,
    dropped_q: DQuat,
    /// The attitude as it was left.
    left: DQuat,
}

/// No quaternion at all.
const NOTHING: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

impl CompensatedExact {
    fn new(inertia: &Inertia) -> Self {
        let exact = Exact::new(inertia);
        Self { exact, dropped_m: DVec3::ZERO, dropped_q: NOTHING, left: NOTHING }
    }
}

impl Rotor for CompensatedExact {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let ScaledIncrement { increment, exponent } = match self.exact.increment(h, state) {
            StepOutcome::Near(scaled) => scaled,
            StepOutcome::Rest => return Ok(()),
            StepOutcome::Far => {
                self.exact.far(h, state)?;
                self.reset();
                return Ok(());
            }
            StepOutcome::Failure(error) => return Err(error),
        };
        if state.q != self.left {
            self.dropped_q = NOTHING;
        }
        let before = *state;
        let turn = self.exact.turn(increment.r);
        let change = self.exact.frame.leave_rounded(restored(increment.d, exponent));
        // q is within rounding of unit length; what was dropped turns with it too.
        let change_q = before.q * turn + self.dropped_q * turn;
        add_compensated(&mut state.q, &mut self.dropped_q, change_q);
        let rotation = DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0 + turn.w);
        self.dropped_m = rotation.conjugate() * self.dropped_m;
        add_compensated(&mut state.m, &mut self.dropped_m, change);
        self.left = state.q;
        Ok(())
    }

    fn reset(&mut self) {
        (self.dropped_m, self.dropped_q, self.left) = (DVec3::ZERO, NOTHING, NOTHING);
    }

    fn carried(&self) -> Vec<f64> {
        let mut numbers = self.dropped_m.to_array().to_vec();
        numbers.extend(self.dropped_q.to_array());
        numbers.extend(self.left.to_array());
        numbers
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        let &[x, y, z, a, b, c, d, e, f, g, h] = carried else {
            return Err(RestoreError { found: carried.len(), needed: "eleven" });
        };
        self.dropped_m = DVec3::new(x, y, z);
        self.dropped_q = DQuat::from_xyzw(a, b, c, d);
        self.left = DQuat::from_xyzw(e, f, g, h);
        Ok(())
    }
}

/// Phases beyond this have no digits left.
const PHASE_LIMIT: f64 = 1e13;
