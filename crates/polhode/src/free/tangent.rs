//! The derivatives of a free motion at any time, in closed form.
//!
//! What grows with time is one integral of the second kind, of the same modulus as the motion and without its
//! phase at the start (`PhaseClock`); everything else is algebra on the state (`crate::tangent`). Below a
//! radian or so the increments of the exact step are differentiated instead: a tangent that is close to one
//! keeps the digits of the difference.

use core::marker::PhantomData;

use glam::DQuat;
use polhode_number::{AvailableWidth, Kernel, Number, PackedNumber, alone};

use super::clock::{phase_lost, time};
use super::tangent_constants::{FUNCTIONS, TangentConstants};
use super::tumbling::TumblingMotion;
use super::{FreeMotion, FreeMotionError, MotionKind};
use crate::State;
use crate::tangent::{
    Blocks, By, ByInertia, ByMoments, ByStart, HeldQuantity, InertiaTangent, MomentumBlock, Tangent,
};

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
        self.differentiate::<ByStart>(t)
    }

    /// The state and its derivatives, as of [`FreeMotion::tangent_at`], and those with respect to principal moments.
    ///
    /// The latter by rows, in the order of [`Inertia::moments`](crate::Inertia::moments): the principal axes stay. At a
    /// fixed momentum at the start, or at a fixed angular velocity if the motion was given one
    /// ([`FreeMotion::from_omega`]).
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`].
    pub fn moment_tangent_at(&self, t: f64) -> Result<(Tangent, [[f64; 3]; 6]), FreeMotionError> {
        self.differentiate::<ByMoments>(t)
    }

    /// The state and its derivatives, as of [`FreeMotion::tangent_at`], and those with respect to the inertia.
    ///
    /// The latter at a fixed momentum at the start, or at a fixed angular velocity if the motion was given one
    /// ([`FreeMotion::from_omega`]).
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`].
    pub fn inertia_tangent_at(&self, t: f64) -> Result<(Tangent, InertiaTangent), FreeMotionError> {
        self.differentiate::<ByInertia>(t)
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
        self.differentiate_many::<ByStart>(times)
    }

    /// The states at many times, in the order given, with the derivatives of [`FreeMotion::inertia_tangent_at`].
    ///
    /// # Errors
    /// As [`FreeMotion::tangent_at`], for the first time that has one.
    pub fn inertia_tangents_at(
        &self,
        times: &[f64],
    ) -> Result<Vec<(Tangent, InertiaTangent)>, FreeMotionError> {
        self.differentiate_many::<ByInertia>(times)
    }

    /// The states at many times and their derivatives: functions of the phase in lanes.
    fn differentiate_many<B: By>(&self, times: &[f64]) -> Result<Vec<B::Output>, FreeMotionError> {
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
                    let scaled = tumbling.scaled(t)?;
                    if !constants.is_long(scaled) {
                        tangents.push(self.differentiate::<B>(t)?);
                        continue;
                    }
                    let mut given = [0.0; COLUMNS];
                    for (given, column) in given.iter_mut().zip(&*columns) {
                        *given = column[i];
                    }
                    tangents.push(self.long::<B>(t, constants, tumbling, scaled, given)?);
                }
            }
            for &t in &times[done..] {
                tangents.push(self.differentiate::<B>(t)?);
            }
        }
        Ok(tangents)
    }

    /// The state at time t and its derivatives.
    #[inline(always)]
    pub(crate) fn differentiate<B: By>(&self, t: f64) -> Result<B::Output, FreeMotionError> {
        if let (MotionKind::Tumbling(tumbling), Some(constants)) = (&self.kind, &self.tangent) {
            let scaled = tumbling.scaled(t)?;
            if constants.is_long(scaled) {
                return alone(OneTangent {
                    motion: self,
                    t,
                    constants,
                    tumbling,
                    scaled,
                    by: PhantomData::<B>,
                });
            }
        }
        self.differentiate_short::<B>(t)
    }

    /// The same for short times, and for motions that do not tumble.
    #[inline(never)]
    fn differentiate_short<B: By>(&self, t: f64) -> Result<B::Output, FreeMotionError> {
        let Some(constants) = &self.tangent else {
            return Ok(B::still(self.tangent_at_rest(t)?, self.held));
        };
        let scaled = self.clock().scaled(t)?;
        let state = self.at(t)?;
        let (block, r) = constants.any_block(scaled, &self.start, &state);
        self.finish::<B>(t, self.made::<B>(constants, &block, r, state))
    }

    /// Makes derivatives by the inertia hold the angular velocity at the start, if the start was given by it,
    /// instead of the momentum; refuses what is beyond the range.
    #[inline(always)]
    fn finish<B: By>(&self, t: f64, made: B::Output) -> Result<B::Output, FreeMotionError> {
        if self.held == HeldQuantity::AngularVelocity {
            return self.finish_holding::<B>(t, made);
        }
        if B::is_finite(&made) { Ok(made) } else { Err(grown(t)) }
    }

    #[inline(never)]
    fn finish_holding<B: By>(
        &self,
        t: f64,
        mut made: B::Output,
    ) -> Result<B::Output, FreeMotionError> {
        B::hold_omega(&mut made, self.inertia.omega(self.start.m).to_array(), self.inertia.axes());
        if B::is_finite(&made) { Ok(made) } else { Err(grown(t)) }
    }

    #[inline(always)]
    fn made<B: By>(
        &self,
        constants: &TangentConstants,
        block: &MomentumBlock<f64>,
        r: [f64; 4],
        state: State,
    ) -> B::Output {
        let units = constants.units(&self.inertia);
        B::make(&units, units.tangent(state, &Blocks::new(block, r), block.motion), block)
    }

    /// The derivatives of a motion that tumbles, at a time that is not short: from momentum, quaternion, and functions
    /// of the phase.
    #[inline(always)]
    fn long<B: By>(
        &self,
        t: f64,
        constants: &TangentConstants,
        tumbling: &TumblingMotion,
        scaled: f64,
        [m1, m2, m3, q0, q1, q2, q3, s, c, d, x, along]: [f64; COLUMNS],
    ) -> Result<B::Output, FreeMotionError> {
        let (m, q) = ([m1, m2, m3], [q0, q1, q2, q3]);
        let state = State { m: tumbling.in_units(m), q: super::tumbling::quaternion(q) };
        let axes = constants.frame.over::<f64>();
        let [w, x0, y0, z0] = relative(self.start.q, q);
        let [x0, y0, z0] = axes.enter([x0, y0, z0]);
        let phase = constants.whole(scaled, [s, c, d, x, along]);
        let block = constants.block(axes.enter(m), phase);
        self.finish::<B>(t, self.made::<B>(constants, &block, [w - 1.0, x0, y0, z0], state))
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
    tumbling: &TumblingMotion,
    scaled: L,
) -> [L; COLUMNS] {
    let ([m1, m2, m3], [q0, q1, q2, q3]) = tumbling.state(scaled);
    let [s, c, d, x, along] = constants.functions(scaled);
    [m1, m2, m3, q0, q1, q2, q3, s, c, d, x, along]
}

/// One time of a motion that tumbles, in one lane whatever lanes there are.
struct OneTangent<'a, B> {
    motion: &'a FreeMotion,
    t: f64,
    constants: &'a TangentConstants,
    tumbling: &'a TumblingMotion,
    scaled: f64,
    by: PhantomData<B>,
}

impl<B: By> Kernel for OneTangent<'_, B> {
    type Output = Result<B::Output, FreeMotionError>;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> Self::Output {
        let Self { motion, t, constants, tumbling, scaled, .. } = self;
        motion.long::<B>(t, constants, tumbling, scaled, columns(constants, tumbling, scaled))
    }
}

/// What the tangents at many times are made of, in lanes: as many of the first ones as are done that way.
struct ManyTangents<'a> {
    constants: &'a TangentConstants,
    tumbling: &'a TumblingMotion,
    times: &'a [f64],
    columns: &'a mut [[f64; BLOCK]; COLUMNS],
}

impl Kernel for ManyTangents<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> usize {
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

#[cold]
fn grown(t: f64) -> FreeMotionError {
    if !t.is_finite() {
        return phase_lost(t);
    }
    let allowed =
        "next to the separatrix derivatives grow exponentially; so late they are out of range";
    FreeMotionError::OutOfRange { field: "t", value: t, allowed }
}
