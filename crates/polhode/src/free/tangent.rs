//! The derivatives of a free motion at any time, in closed form.
//!
//! What grows with time is one integral of the second kind, of the same modulus as the motion and without its
//! phase at the start (`PhaseClock`); everything else is algebra on the state (`crate::tangent`). Below a
//! radian or so the increments of the exact step are differentiated instead: a tangent that is close to one
//! keeps the digits of the difference.

use glam::{DQuat, DVec3};
use polhode_number::{AvailableWidth, Kernel, Number, Packed, alone};

use super::tangent_constants::{FUNCTIONS, TangentConstants};
use super::tumbling::Tumbling;
use super::{FreeMotion, FreeMotionError, MotionKind, phase_lost, time};
use crate::State;
use crate::tangent::{Blocks, By, Held, InertiaTangent, MomentumBlock, Tangent};

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
    /// [`Inertia::moments`](crate::Inertia::moments): the principal axes stay. At a fixed momentum at the start, or at
    /// a fixed angular velocity if the motion was given one ([`FreeMotion::from_omega`]).
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
