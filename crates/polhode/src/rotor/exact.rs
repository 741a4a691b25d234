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

use super::exact_kernel::{ExactBody, ExactIncrement, step_and_phase};
use super::unit_step::{RotorKernel, UnitBody, UnitFailure, restored};
use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::method::RestoreError;
use crate::parameters::{MethodParameter, ParameterKind};
use crate::tangent::{
    Blocks, By, ByInertia, ByMoments, ByStart, InertiaTangent, KernelUnits, MomentumBlock,
    MomentumShape, Tangent, TangentRotor,
};
use crate::{FreeMotion, Inertia, State};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "exact",
    title: "exact, by addition theorems; the default",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: Some(|_| ExactKernel.into()),
    parameters: &[MethodParameter {
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
    body: UnitBody<ExactBody<f64>>,
    inertia: Inertia,
    /// The shape of the body in units of the kernel.
    shape: MomentumShape,
}

/// What a step with derivatives adds: of a short one with all digits, which compensated sums need.
pub(crate) struct StepIncrement {
    /// What it adds to the momentum.
    pub(crate) m: DVec3,
    /// The rotation minus one.
    pub(crate) r: DQuat,
    /// The diagonal of the momentum block minus one.
    pub(crate) diagonal: [f64; 3],
}

/// The kernel of the exact step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactKernel;

impl RotorKernel for ExactKernel {
    type BodyKernel = ExactBody<f64>;

    #[inline(always)]
    fn layout(self) -> ExactBody<f64> {
        ExactBody::LAYOUT
    }

    fn unit_body(self, inertia: &Inertia) -> UnitBody<ExactBody<f64>> {
        UnitBody::new(inertia, 2, body)
    }

    /// In closed form, as that of every exact rotor.
    fn tangent_rotor(self, inertia: &Inertia) -> TangentRotor {
        TangentRotor::exact(inertia)
    }
}

/// The constants of the kernel, from sorted moments; differences before roundings.
pub(crate) fn body([i1, i2, i3]: [Dd; 3]) -> ExactBody<f64> {
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
    /// The exact rotor of a body.
    pub fn new(inertia: &Inertia) -> Self {
        let body = ExactKernel.unit_body(inertia);
        let ExactBody { b1, b3, a, .. } = body.kernel;
        // A sum of positive terms.
        let shape = MomentumShape::new(a, [b1.0, b3.0 - a[0], b3.0]);
        Self { body, inertia: *inertia, shape }
    }

    /// What the kernel could not do is left to [`FreeMotion`], which reduces the phase by its period.
    #[cold]
    fn far(
        &self,
        h: f64,
        state: &mut State,
        failure: &UnitFailure<ExactIncrement<f64>>,
    ) -> Result<(), StepError> {
        let out_of_range = StepError::OutOfRange { h, momentum: state.m.to_array() };
        match failure {
            UnitFailure::Kernel { h: scaled, .. }
                if scaled.abs() * self.body.kernel.b1.0 < PHASE_LIMIT =>
            {
                let motion = FreeMotion::new(&self.inertia, *state).and_then(|motion| motion.at(h));
                *state = motion.map_err(|_| out_of_range)?;
                Ok(())
            }
            UnitFailure::Kernel { .. } | UnitFailure::OutOfRange => Err(out_of_range),
        }
    }
}

impl Exact {
    /// Advances the state by h and gives the derivatives of the step: with respect to the state before it and to h.
    ///
    /// The state has the bits of [`Rotor::step`]. Off the diagonal, the derivatives of a short step have all digits of
    /// their difference from the identity.
    ///
    /// # Errors
    /// [`StepError`]; the state is then untouched.
    ///
    /// ```
    /// use polhode::rotor::Exact;
    /// use polhode::{Inertia, State};
    /// let mut state = State::aligned([0.5, 2.0, 0.3])?;
    /// let step = Exact::new(&Inertia::principal([1.0, 2.0, 2.5])?).tangent_step(0.01, &mut state)?;
    /// assert_eq!(step.state, state);
    /// assert!((step.state_transition[3][0] - 0.01).abs() < 1e-4); // omega1 is m1/1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tangent_step(&self, h: f64, state: &mut State) -> Result<Tangent, StepError> {
        self.advance::<ByStart>(h, state)
    }

    /// Advances the state as [`Exact::tangent_step`] does, and gives also the derivatives with respect to the inertia,
    /// at a fixed momentum before the step.
    ///
    /// # Errors
    /// As [`Exact::tangent_step`].
    pub fn inertia_tangent_step(
        &self,
        h: f64,
        state: &mut State,
    ) -> Result<(Tangent, InertiaTangent), StepError> {
        self.advance::<ByInertia>(h, state)
    }

    /// The step with its derivatives, also those with respect to the principal moments, by rows, in the order of
    /// [`Inertia::moments`]: at a fixed momentum before the step, and with the principal axes where they are.
    ///
    /// # Errors
    /// As [`Exact::tangent_step`].
    pub fn moment_tangent_step(
        &self,
        h: f64,
        state: &mut State,
    ) -> Result<(Tangent, [[f64; 3]; 6]), StepError> {
        self.advance::<ByMoments>(h, state)
    }

    /// Advances the state by h and gives the derivatives of the step.
    #[inline(always)]
    fn advance<B: By>(&self, h: f64, state: &mut State) -> Result<B::Output, StepError> {
        let Some((mut made, _)) = self.differentiate_near::<B>(h, state) else {
            // What is made here is copied; it would be there, too, if the two were one.
            let (mut made, _) = self.differentiate_far::<B>(h, state)?;
            *state = B::tangent(&mut made).state;
            return Ok(made);
        };
        *state = B::tangent(&mut made).state;
        Ok(made)
    }

    /// The derivatives of a step, and what it adds.
    pub(crate) fn differentiate<B: By>(
        &self,
        h: f64,
        state: &State,
    ) -> Result<(B::Output, StepIncrement), StepError> {
        match self.differentiate_near::<B>(h, state) {
            Some(made) => Ok(made),
            None => self.differentiate_far::<B>(h, state),
        }
    }

    /// The same, but for rest, long steps, and numbers near the ends of the range.
    #[inline(always)]
    fn differentiate_near<B: By>(
        &self,
        h: f64,
        state: &State,
    ) -> Option<(B::Output, StepIncrement)> {
        let body = &self.body;
        let m = body.enter(state.m);
        let scaled = body.ordinary(h, m)?;
        let (increment, phase) = step_and_phase(&body.kernel, m, scaled);
        let block = MomentumBlock::new(&self.shape, m, increment.m, phase);
        let r = body.leave_rotation(increment.r);
        let after = body.end(state, (increment.m, increment.r));
        let units = KernelUnits {
            inertia: &self.inertia,
            frame: body.frame(),
            momentum: 1.0,
            per_momentum: 1.0,
            per_moment: body.inertia_scale,
            rate: body.inertia_scale,
        };
        let blocks = Blocks::new(&block, increment.r);
        let tangent = units.tangent(after, &blocks, block.motion);
        let [[x, ..], [_, y, _], [.., z]] = units.frame.leave_matrix(blocks.momentum);
        let added = StepIncrement { m: body.leave(increment.d), r, diagonal: [x, y, z] };
        Some((B::make(&units, tangent, &block), added))
    }

    /// The same for these.
    #[cold]
    #[inline(never)]
    fn differentiate_far<B: By>(
        &self,
        h: f64,
        state: &State,
    ) -> Result<(B::Output, StepIncrement), StepError> {
        let out_of_range = StepError::OutOfRange { h, momentum: state.m.to_array() };
        let motion = FreeMotion::new(&self.inertia, *state).map_err(|_| out_of_range)?;
        let mut made = motion.differentiate::<B>(h).map_err(|_| out_of_range)?;
        // The state is that of the plain step.
        let mut after = *state;
        Self { ..*self }.step(h, &mut after)?;
        let tangent = B::tangent(&mut made);
        tangent.state = after;
        let diagonal = [0, 1, 2].map(|i| tangent.state_transition[i][i] - 1.0);
        // Of a length that is not quite one the error would grow threefold in every step.
        let turn = state.q.conjugate() * after.q * (1.0 / state.q.length_squared());
        let r = DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w - 1.0);
        Ok((made, StepIncrement { m: after.m - state.m, r, diagonal }))
    }
}

impl Rotor for Exact {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        match self.body.advance(h, state) {
            Ok(()) => Ok(()),
            Err(failure) => self.far(h, state, &failure),
        }
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
        let body = self.exact.body;
        let (increment, exponent) = match body.step(h, body.enter(state.m)) {
            Ok(Some(change)) => change,
            Ok(None) => return Ok(()),
            Err(failure) => {
                self.exact.far(h, state, &failure)?;
                self.reset();
                return Ok(());
            }
        };
        if state.q != self.left {
            self.dropped_q = NOTHING;
        }
        let before = *state;
        let turn = body.leave_rotation(increment.r);
        let change = body.leave(restored(increment.d, exponent));
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
