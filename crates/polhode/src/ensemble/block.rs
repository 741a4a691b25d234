//! A block of bodies: packed into cells, advanced by all threads.

use polhode_number::AvailableWidth;
use rayon::prelude::*;

use super::advance::{Advance, Job, Task};
use super::error::{BodyFailure, Cause};
use super::member::Member;
use super::rescue::ScalarStepper;
use super::sink::{CELL, Cell, CellColumn};
use super::workers::Portion;
use crate::columns::NumberRecorder;
use crate::inertia::AxesKind;
use crate::rotor::LaneKernel;
use crate::{Inertia, InertiaOver, Torque};

/// Cells that a thread takes at a time.
const TASK: usize = 32;

/// Bodies in cells.
pub(super) struct Block {
    pub(super) first: u64,
    pub(super) bodies: Vec<Member>,
    pub(super) cells: Vec<Cell>,
    /// The inertia of each body, where a torque is a function of one body at a time.
    inertia: Vec<Inertia>,
    constants: Vec<CellColumn>,
    /// The method for each body, where they are stepped one by one.
    pub(super) alone: Vec<ScalarStepper>,
    /// Constants of a cell; zero if all bodies share theirs.
    stride: usize,
    pub(super) axes: AxesKind,
}

/// The states of some bodies, the last cell filled up with copies of the last body.
pub(super) fn cells(bodies: &[Member]) -> Vec<Cell> {
    let cell = |bodies: &[Member]| {
        let mut cell = Cell::EMPTY;
        for lane in 0..CELL {
            cell.set(lane, &bodies[lane.min(bodies.len() - 1)].start);
        }
        cell
    };
    bodies.par_chunks(CELL).map(cell).collect()
}

impl Block {
    /// Packs bodies, the first of which has this number, for lanes of that rotor if there is one. A body
    /// on which the torque overflows has failed before its first step.
    pub(super) fn new(
        torque: &Torque,
        rotor: Option<LaneKernel>,
        Portion { first, bodies }: Portion,
        t0: f64,
    ) -> (Self, Vec<BodyFailure>) {
        let shared = bodies.iter().all(|body| body.inertia == bodies[0].inertia);
        let distinct = if shared { &bodies[..1] } else { &bodies[..] };
        let axes = distinct.par_iter().map(|body| body.inertia.kind_of_axes()).max();
        let axes = axes.unwrap_or(AxesKind::Sorted);
        let groups: Vec<Vec<CellColumn>> = match rotor {
            Some(rotor) => distinct
                .par_chunks(CELL)
                .map(|g| constants(rotor, axes, |lane| &g[lane.min(g.len() - 1)].inertia))
                .collect(),
            None => Vec::new(),
        };
        let stride = if shared { 0 } else { groups.first().map_or(0, Vec::len) };
        let scalar = torque.calls_functions() && rotor.is_some();
        let inertia = bodies.iter().filter(|_| scalar).map(|body| body.inertia).collect();
        let (cells, constants) = (cells(&bodies), groups.concat());
        let alone =
            bodies.iter().filter(|_| rotor.is_none()).map(|_| ScalarStepper::default()).collect();
        let mut block = Self { first, bodies, cells, inertia, constants, alone, stride, axes };
        let mut failures = Vec::new();
        let checks: Vec<Option<Cause>> = block
            .bodies
            .par_iter()
            .map(|body| torque.check(&body.inertia).err().map(Cause::from))
            .collect();
        for (place, cause) in checks.into_iter().enumerate() {
            if let Some(cause) = cause {
                failures.push(block.fail(place, cause, t0));
            }
        }
        (block, failures)
    }

    /// Notes that a body cannot be set up.
    fn fail(&mut self, place: usize, cause: Cause, t0: f64) -> BodyFailure {
        // The last body takes its copies with it.
        let lanes = if place + 1 == self.bodies.len() { u32::MAX } else { 1 };
        self.cells[place / CELL].alive &= !(lanes << (place % CELL));
        let (body, state) = (self.first + place as u64, self.bodies[place].start);
        BodyFailure { body, step: 0, t: t0, state, cause }
    }

    /// Advances all bodies as the job says, or some if the end is requested meanwhile; who failed, in the order of the
    /// bodies.
    pub(super) fn advance(&mut self, width: AvailableWidth, job: &Job<'_>) -> Vec<BodyFailure> {
        let (bodies, inertia, constants) = (&self.bodies, &self.inertia, &self.constants);
        let (first, count, stride) = (self.first, self.bodies.len(), self.stride);
        // One for each task, or none at all.
        let mut alone: Vec<&mut [ScalarStepper]> = self.alone.chunks_mut(TASK * CELL).collect();
        alone.resize_with(self.cells.len().div_ceil(TASK), Default::default);
        let failures: Vec<Vec<BodyFailure>> = self
            .cells
            .par_chunks_mut(TASK)
            .zip(alone)
            .enumerate()
            .map(|(i, (cells, alone))| {
                if job.progress.check().is_err() {
                    return Vec::new();
                }
                let at = i * TASK;
                let end = ((at + cells.len()) * CELL).min(count);
                let mut task = Task {
                    first: first + (at * CELL) as u64,
                    cells,
                    bodies: &bodies[at * CELL..end],
                    inertia: if inertia.is_empty() { &[] } else { &inertia[at * CELL..end] },
                    constants: constants.get(at * stride..).unwrap_or_default(),
                    stride,
                    alone,
                    failures: Vec::new(),
                };
                match job.lanes {
                    Some((kernel, stages)) => {
                        width.run(Advance { job, task: &mut task, kernel, stages });
                    }
                    None => task.advance_one_by_one(job),
                }
                // Lanes are done one group after the other.
                task.failures.sort_by_key(|failure| failure.body);
                task.failures
            })
            .collect();
        failures.into_iter().flatten().collect()
    }
}

/// The constants of a cell, of the body in each lane.
pub(super) fn constants<'a>(
    rotor: LaneKernel,
    axes: AxesKind,
    body: impl Fn(usize) -> &'a Inertia,
) -> Vec<CellColumn> {
    let mut columns: Vec<CellColumn> = Vec::new();
    let mut numbers = Vec::new();
    let mut last: Option<&Inertia> = None;
    for lane in 0..CELL {
        let inertia = body(lane);
        // The same body again, or one of the same kind, has the same numbers.
        if last != Some(inertia) {
            numbers.clear();
            let _: InertiaOver<f64> =
                InertiaOver::new(inertia).among(axes).map(&mut NumberRecorder(&mut numbers));
            rotor.write(inertia, NumberRecorder(&mut numbers));
            last = Some(inertia);
        }
        columns.resize(numbers.len(), [0.0; CELL]);
        for (column, &x) in columns.iter_mut().zip(&numbers) {
            column[lane] = x;
        }
    }
    columns
}
