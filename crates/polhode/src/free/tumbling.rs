//! A motion whose momentum moves in the body: from the orbit in its canonical frame to states.

use glam::{DMat3, DQuat, DVec3};
use polhode_number::Number;

use super::attitude::normalized;
use super::clock::{Clock, PowerOfTwo, phase_lost};
use super::invariants::MotionInvariants;
use super::orbit::{CanonicalOrbit, OrbitValues};
use super::{FreeMotionError, Regime};
use crate::State;
use crate::inertia::PrincipalFrame;
use polhode_number::{AvailableWidth, Kernel, MAX_WIDTH, PackedNumber, alone};

#[derive(Clone, Copy, Debug)]
pub(super) struct TumblingMotion {
    pub(super) orbit: CanonicalOrbit,
    pub(super) clock: Clock,
    /// From the canonical frame to the body frame, times |m| in the unit; by columns.
    leave: [[f64; 3]; 3],
    /// The same for quaternions (scalar first), which go from the canonical attitude to q: a product
    /// with the attitude of the momentum's frame on the left and with that of the canonical frame on
    /// the right, both constant, as one linear map; by columns.
    turn: [[f64; 4]; 4],
    unit: PowerOfTwo,
    pub(super) symmetric: bool,
}

/// A state in lanes: momentum and quaternion, scalar first.
pub(super) type LaneState<L> = ([L; 3], [L; 4]);

impl TumblingMotion {
    pub(super) fn new(
        (orbit, frame): (CanonicalOrbit, PrincipalFrame),
        clock: Clock,
        invariants: &MotionInvariants,
        start: &State,
    ) -> Self {
        let leave = frame.leave_quaternion();
        let begin = quaternion(normalized(orbit.values(0.0).attitude()));
        // What undoes the canonical attitude at time zero; the quaternion of a permutation of axes
        // is not of length one.
        let fixed = start.q * (leave * begin.conjugate()) * (1.0 / leave.length_squared());
        let units = [
            DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0),
            DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        ];
        let turn = units.map(|unit| {
            let q = fixed * unit * leave.conjugate();
            [q.w, q.x, q.y, q.z]
        });
        let leave: DMat3 = frame.leave() * invariants.length.hi();
        Self {
            orbit,
            clock,
            leave: leave.to_cols_array_2d(),
            turn,
            unit: PowerOfTwo::new(invariants.momentum_exponent),
            symmetric: invariants.symmetric,
        }
    }

    pub(super) fn at(&self, t: f64) -> Result<State, FreeMotionError> {
        let (m, q) = alone(OneTime { tumbling: self, scaled: self.scaled(t)? });
        Ok(State { m: self.in_units(m), q: quaternion(q) })
    }

    pub(super) fn momentum_at(&self, t: f64) -> Result<DVec3, FreeMotionError> {
        Ok(self.in_units(self.momentum(&self.orbit.values(self.scaled(t)?))))
    }

    /// The states at the leading times, as far as there are whole packs of lanes whose times are all
    /// reached; how many these are.
    pub(super) fn leading(&self, times: &[f64], states: &mut [State]) -> usize {
        // Powers beyond the normal numbers need a function each.
        if self.clock.power.factor == 0.0 || self.unit.factor == 0.0 {
            return 0;
        }
        AvailableWidth::widest().run(TimesInLanes { tumbling: self, times, states })
    }

    /// Scaled time, if the phases still have digits then.
    #[inline]
    pub(super) fn scaled(&self, t: f64) -> Result<f64, FreeMotionError> {
        let scaled = self.clock.power.times(t);
        if self.orbit.reaches(scaled) { Ok(scaled) } else { Err(phase_lost(t)) }
    }

    /// What times are multiplied by, where that is in range.
    #[inline(always)]
    pub(super) fn time_factor(&self) -> f64 {
        self.clock.power.factor
    }

    /// In which lanes a scaled time has digits left.
    #[inline(always)]
    pub(super) fn reaches<L: Number>(&self, scaled: L) -> L::Mask {
        self.orbit.reaches(scaled)
    }

    /// The state at scaled times that the orbit reaches, the momentum in its unit.
    #[inline(always)]
    pub(super) fn state<L: Number>(&self, scaled: L) -> LaneState<L> {
        let values = self.orbit.values(scaled);
        (self.momentum(&values), normalized(combine(&self.turn, values.attitude())))
    }

    #[inline(always)]
    fn momentum<L: Number>(&self, values: &OrbitValues<L>) -> [L; 3] {
        combine(&self.leave, values.m)
    }

    #[inline]
    pub(super) fn in_units(&self, m: [f64; 3]) -> DVec3 {
        DVec3::from_array(m.map(|x| self.unit.times(x)))
    }

    pub(super) fn regime(&self) -> Regime {
        if self.symmetric { Regime::SymmetricTop } else { self.orbit.regime() }
    }

    pub(super) fn next_flip(&self, t: f64) -> Result<Option<f64>, FreeMotionError> {
        let scaled = self.scaled(t)?;
        // A flip less than an ulp away may round onto t itself or before it: then the one after.
        for skip in 0..3 {
            let Some(flip) = self.orbit.flip(scaled, f64::from(skip)) else {
                return Ok(None);
            };
            let flip = self.clock.unscaled(flip.hi());
            if flip > t {
                return Ok(Some(flip));
            }
        }
        let allowed = "flips follow each other faster than doubles near t can tell";
        Err(FreeMotionError::OutOfRange { field: "t", value: t, allowed })
    }
}

/// One time, in one lane whatever lanes there are.
struct OneTime<'a> {
    tumbling: &'a TumblingMotion,
    scaled: f64,
}

impl Kernel for OneTime<'_> {
    type Output = LaneState<f64>;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> LaneState<f64> {
        self.tumbling.state(self.scaled)
    }
}

/// Many times, as lanes.
struct TimesInLanes<'a> {
    tumbling: &'a TumblingMotion,
    times: &'a [f64],
    states: &'a mut [State],
}

impl Kernel for TimesInLanes<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> usize {
        let Self { tumbling, times, states } = self;
        let (clock, unit) = (L::splat(tumbling.clock.power.factor), L::splat(tumbling.unit.factor));
        let mut done = 0;
        let packs = times.chunks_exact(L::WIDTH).zip(states.chunks_exact_mut(L::WIDTH));
        for (times, states) in packs {
            let scaled = L::load(times) * clock;
            if !L::all(tumbling.orbit.reaches(scaled)) {
                break;
            }
            let (m, q) = tumbling.state(scaled);
            let mut columns = [[0.0; MAX_WIDTH]; 7];
            for i in 0..3 {
                (m[i] * unit).store(&mut columns[i]);
            }
            for i in 0..4 {
                q[i].store(&mut columns[3 + i]);
            }
            let [x, y, z, w, i, j, k] = &columns;
            for (lane, state) in states.iter_mut().enumerate() {
                state.m = DVec3::new(x[lane], y[lane], z[lane]);
                state.q = DQuat::from_xyzw(i[lane], j[lane], k[lane], w[lane]);
            }
            done += L::WIDTH;
        }
        done
    }
}

/// The sum of columns times components.
#[inline(always)]
fn combine<L: Number, const N: usize>(columns: &[[f64; N]; N], x: [L; N]) -> [L; N] {
    // No closures: they would not be compiled for the lanes of their caller.
    let mut sums = x;
    for row in 0..N {
        sums[row] = L::splat(columns[0][row]) * x[0];
        for column in 1..N {
            sums[row] = sums[row] + L::splat(columns[column][row]) * x[column];
        }
    }
    sums
}

#[inline]
pub(super) fn quaternion([w, x, y, z]: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(x, y, z, w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free::MotionKind;
    use crate::{FreeMotion, Inertia};
    use polhode_number::Width;

    /// Motions about either axis, on either side of k² = 1/2, on the separatrix, symmetric, tiny.
    fn motions() -> Vec<FreeMotion> {
        let momenta: [[f64; 3]; 6] = [
            [0.5, 0.4, 0.768],
            [0.9, 0.3, -0.2],
            [0.05, 0.9, 0.1],
            [-0.1, -0.9, 0.05],
            [1e-9, 1.0, 0.0],
            [1e-240, 3e-240, 2e-240],
        ];
        let bodies = [[0.6, 0.8, 1.0], [1.0, 0.8, 0.6], [2.0, 2.0, 3.0]];
        let mut motions = Vec::new();
        for moments in bodies {
            let inertia = Inertia::principal(moments).unwrap();
            for m in momenta {
                motions.push(FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap());
            }
        }
        // Exactly on the separatrix: 4·4·9 = 1·9·16.
        let inertia = Inertia::principal([4.0, 5.0, 9.0]).unwrap();
        motions.push(FreeMotion::new(&inertia, State::aligned([4.0, 1.0, 3.0]).unwrap()).unwrap());
        motions
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar_at_every_width() {
        let times: Vec<f64> = (-24..24).map(|i| f64::from(i).powi(7) * 0.37).collect();
        for motion in motions() {
            let MotionKind::Tumbling(tumbling) = &motion.kind else { continue };
            for width in Width::available() {
                let mut states = vec![*motion.start(); times.len()];
                let leading = TimesInLanes { tumbling, times: &times, states: &mut states };
                assert_eq!(width.checked().unwrap().run(leading), times.len());
                for (state, &t) in states.iter().zip(&times) {
                    assert_eq!(*state, tumbling.at(t).unwrap(), "{width:?}, t = {t}");
                }
            }
        }
    }

    #[test]
    fn many_times_are_those_of_one_by_one() {
        // Zero is the start itself, and 45 is no multiple of a width.
        let mut times: Vec<f64> = (0..45).map(|i| f64::from(i).powi(5) * 1e-3).collect();
        for motion in motions() {
            let mut states = vec![*motion.start(); times.len()];
            motion.at_many(&times, &mut states).unwrap();
            for (state, &t) in states.iter().zip(&times) {
                assert_eq!(*state, motion.at(t).unwrap());
            }
        }
        times[20] = f64::INFINITY;
        for motion in motions() {
            let mut states = vec![*motion.start(); times.len()];
            let (done, outcome) = motion.at_leading(&times, &mut states);
            assert_eq!((done, outcome), (20, Err(FreeMotionError::Time { t: f64::INFINITY })));
            assert_eq!(states[19], motion.at(times[19]).unwrap());
        }
    }
}
