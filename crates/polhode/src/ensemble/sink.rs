//! Where states go: chunk by chunk, so that memory grows neither with time nor with bodies.

use super::error::BodyFailure;
use super::member::Member;
use super::moving::MovingParts;
use super::rescue::ScalarStepper;
use crate::observe::ObserveError;
use crate::{Problem, State, Torque, so3};
use glam::DVec3;

/// Bodies in a cell: as many as the widest lanes.
pub(super) const CELL: usize = 16;

/// The same number of each body of a cell.
pub(super) type CellColumn = [f64; CELL];

/// Bodies side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Cell {
    pub(super) m: [CellColumn; 3],
    /// Unit quaternions from body to space, (w, x, y, z).
    pub(super) q: [CellColumn; 4],
    /// A bit for each body that still moves.
    pub(super) alive: u32,
}

/// All of a cell's lanes.
pub(super) const ALL: u32 = (1 << CELL) - 1;

impl Cell {
    pub(super) const EMPTY: Self = Self { m: [[0.0; CELL]; 3], q: [[0.0; CELL]; 4], alive: ALL };

    pub(super) fn set(&mut self, lane: usize, state: &State) {
        for (to, from) in self.m.iter_mut().zip(state.m.to_array()) {
            to[lane] = from;
        }
        for (to, from) in self.q.iter_mut().zip(state.attitude()) {
            to[lane] = from;
        }
    }

    pub(super) fn state(&self, lane: usize) -> State {
        let [x, y, z] = self.m.map(|m| m[lane]);
        State { m: DVec3::new(x, y, z), q: so3::from_wxyz(self.q.map(|q| q[lane])) }
    }
}

/// What stands for a value that is not known.
trait Placeholder {
    const NOT_KNOWN: Self;
}

impl Placeholder for f64 {
    const NOT_KNOWN: Self = Self::NAN;
}

impl<T> Placeholder for Option<T> {
    const NOT_KNOWN: Self = None;
}

impl Placeholder for DVec3 {
    const NOT_KNOWN: Self = Self::NAN;
}

/// The states of consecutive bodies at one time.
#[derive(Clone, Copy)]
pub struct BodySamples<'a> {
    /// The number of the first body, counted from 0.
    pub first: u64,
    /// The number of the step, or of the requested time, counted from 0.
    pub step: u64,
    /// The time of these states, in the unit of the problem.
    pub t: f64,
    /// True for the last time these bodies are shown.
    pub last: bool,
    pub(super) bodies: &'a [Member],
    pub(super) cells: &'a [Cell],
    pub(super) torque: &'a Torque,
    /// What moves inside the bodies, and when they started.
    pub(super) moving: Option<(&'a MovingParts, f64)>,
    pub(super) alone: &'a [ScalarStepper],
}

impl<'a> BodySamples<'a> {
    /// The number of bodies shown here.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// False: a chunk has at least one body.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The bodies, with their states at the start.
    pub fn bodies(&self) -> &'a [Member] {
        self.bodies
    }

    /// The state of a body, counted from the first of this chunk. Of one that has failed, the last
    /// good one.
    pub fn state(&self, i: usize) -> State {
        self.cells[i / CELL].state(i % CELL)
    }

    /// False once the body has failed.
    pub fn is_running(&self, i: usize) -> bool {
        self.cells[i / CELL].alive & (1 << (i % CELL)) != 0
    }

    /// Kinetic plus potential energy of a body; kinetic alone where the torque has no potential.
    pub fn energy(&self, i: usize) -> f64 {
        let state = self.state(i);
        match self.moving {
            None => self.torque.energy(&self.bodies[i].inertia, self.t, &state),
            Some(_) => {
                self.with(i, |problem, inside| problem.energy_inside(self.t, &state, inside))
            }
        }
    }

    /// The angular velocity of a body; body frame.
    pub fn omega(&self, i: usize) -> DVec3 {
        let state = self.state(i);
        match self.moving {
            None => state.omega(&self.bodies[i].inertia),
            Some(_) => self.with(i, |problem, inside| problem.omega_inside(self.t, &state, inside)),
        }
    }

    /// Of a body in which something moves, or that has a controller: its problem, and the numbers that its state has
    /// beside ([`Sample::inside`](crate::observe::Sample::inside)). None of others, and where it could not be set up.
    pub fn inside(&self, i: usize) -> Option<(Problem, Vec<f64>)> {
        self.moving?;
        self.with(i, |problem, inside| Some((problem.clone(), inside.to_vec())))
    }

    /// Asks the problem of a body in which something moves; that of one that could not be set up knows nothing.
    fn with<T: Placeholder>(&self, i: usize, ask: impl FnOnce(&Problem, &[f64]) -> T) -> T {
        if let Some((problem, inside)) = self.alone.get(i).and_then(ScalarStepper::reached) {
            return ask(problem, inside);
        }
        let Some((moving, t0)) = self.moving else { return T::NOT_KNOWN };
        match moving.problem(&self.bodies[i], self.torque, t0) {
            Ok(problem) => ask(&problem, &problem.inside_at_start()),
            Err(_) => T::NOT_KNOWN,
        }
    }

    /// Writes the momenta, three numbers a body.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn copy_momenta(&self, into: &mut [f64]) {
        for (i, to) in into[..3 * self.len()].chunks_exact_mut(3).enumerate() {
            to.copy_from_slice(&self.cells[i / CELL].m.map(|m| m[i % CELL]));
        }
    }

    /// Writes the attitudes, four numbers a body, scalar first.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn copy_attitudes(&self, into: &mut [f64]) {
        for (i, to) in into[..4 * self.len()].chunks_exact_mut(4).enumerate() {
            to.copy_from_slice(&self.cells[i / CELL].q.map(|q| q[i % CELL]));
        }
    }
}

/// Something that is shown the states of an ensemble.
///
/// Bodies come in blocks (see [`Ensemble::block`](super::Ensemble::block)): all times of the first
/// block, then all times of the next. The order does not depend on threads or lanes.
pub trait Sink {
    /// Sees a block of bodies at one time.
    ///
    /// # Errors
    /// Whatever it could not do; the run ends.
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError>;

    /// Hears of a body that cannot go on, before the samples in which it no longer moves.
    ///
    /// # Errors
    /// Whatever it could not do, or that the run is to end.
    fn failure(&mut self, _failure: &BodyFailure) -> Result<(), ObserveError> {
        Ok(())
    }
}

/// A closure is shown the samples.
impl<F: FnMut(&BodySamples<'_>) -> Result<(), ObserveError>> Sink for F {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        self(samples)
    }
}

/// Remembers the last state of every body, and all failures: as large as the ensemble.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FinalStates {
    /// In the order of the bodies. Of one that has failed, its last good state.
    pub states: Vec<State>,
    /// What happened to which body.
    pub failures: Vec<BodyFailure>,
}

impl Sink for FinalStates {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        if samples.last {
            self.states.extend((0..samples.len()).map(|i| samples.state(i)));
        }
        Ok(())
    }

    fn failure(&mut self, failure: &BodyFailure) -> Result<(), ObserveError> {
        self.failures.push(failure.clone());
        Ok(())
    }
}

/// How the run of an ensemble ended.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EnsembleSummary {
    /// How many bodies there were.
    pub bodies: u64,
    /// How many of them could not go to the end.
    pub failed: u64,
    /// The first of these.
    pub first_failure: Option<BodyFailure>,
}
