//! A block of bodies: packed into cells, advanced by all threads.

use rayon::prelude::*;

use super::advance::{Advance, Job, Task};
use super::body::Body;
use super::columns::{CELL, Column};
use super::error::{Cause, Failure};
use super::frame::{self, Axes};
use super::rotors::RotorKind;
use super::sink::Cell;
use super::torque::{self, Field, Kind, Shared};
use crate::Inertia;
use crate::torque::GravityGradient;
use polhode_number::Checked;

/// Cells that a thread takes at a time.
const TASK: usize = 32;

/// What the constants of a body depend on, besides its inertia.
#[derive(Clone, Copy)]
pub(super) struct Recipe {
    pub(super) rotor: RotorKind,
    pub(super) field: Field,
    pub(super) gradient: bool,
}

/// A body's constants.
struct Record {
    numbers: Vec<f64>,
    axes: Axes,
    torque: Option<GravityGradient>,
}

impl Recipe {
    fn record(&self, inertia: &Inertia) -> Result<Record, Cause> {
        let (_, frame) = inertia.sorted_frame();
        let torque = match self.field.0 {
            Kind::GravityGradient(orbit) => Some(orbit.torque(inertia)?),
            Kind::None | Kind::HeavyTop(_) => None,
        };
        let mut numbers = Vec::new();
        frame::write(&frame, &mut numbers);
        torque::write(torque.as_ref(), inertia, self.gradient, &mut numbers);
        self.rotor.write(inertia, &mut numbers);
        Ok(Record { numbers, axes: frame::axes(&frame), torque })
    }
}

/// Bodies in cells.
pub(super) struct Block {
    pub(super) first: u64,
    pub(super) bodies: Vec<Body>,
    pub(super) cells: Vec<Cell>,
    constants: Vec<Column>,
    /// Constants of a cell; zero if all bodies share theirs.
    stride: usize,
    pub(super) axes: Axes,
    pub(super) shared: Shared,
}

/// The states of some bodies, the last cell filled up with copies of the last body.
pub(super) fn cells(bodies: &[Body]) -> Vec<Cell> {
    let cell = |bodies: &[Body]| {
        let mut cell = Cell::EMPTY;
        for lane in 0..CELL {
            cell.set(lane, &bodies[lane.min(bodies.len() - 1)].start);
        }
        cell
    };
    bodies.par_chunks(CELL).map(cell).collect()
}

impl Block {
    /// Packs bodies, the first of which has this number. A body on which the torque overflows has
    /// failed before its first step.
    pub(super) fn new(
        recipe: &Recipe,
        first: u64,
        bodies: Vec<Body>,
        t0: f64,
    ) -> (Self, Vec<Failure>) {
        let cells = cells(&bodies);
        let shared = bodies.iter().all(|body| body.inertia == bodies[0].inertia);
        let distinct = if shared { &bodies[..1] } else { &bodies[..] };
        let groups: Vec<_> =
            distinct.par_chunks(CELL).map(|group| Group::new(recipe, group)).collect();
        let mut block = Self {
            first,
            bodies,
            cells,
            stride: 0,
            constants: Vec::new(),
            axes: Axes::Sorted,
            shared: match recipe.field.0 {
                Kind::HeavyTop(top) => Shared::HeavyTop(top),
                _ => Shared::None,
            },
        };
        if !shared {
            block.stride = groups.iter().map(|group| group.constants.len()).max().unwrap_or(0);
        }
        let mut failures = Vec::new();
        for (index, group) in groups.into_iter().enumerate() {
            block.axes = block.axes.max(group.axes);
            if let Some(torque) = group.torque {
                block.shared = Shared::GravityGradient(torque);
            }
            // All of a cell may have failed: it takes its place all the same.
            block.constants.resize(index * block.stride, [0.0; CELL]);
            block.constants.extend(group.constants);
            for (lane, cause) in group.failed {
                block.fail(
                    if shared { None } else { Some(index * CELL + lane) },
                    &cause,
                    t0,
                    &mut failures,
                );
            }
        }
        (block, failures)
    }

    /// Notes that a body, or all, cannot be set up.
    fn fail(&mut self, place: Option<usize>, cause: &Cause, t0: f64, failures: &mut Vec<Failure>) {
        let places = place.map_or(0..self.bodies.len(), |place| place..place + 1);
        for place in places {
            // The last body takes its copies with it.
            let lanes = if place + 1 == self.bodies.len() { u32::MAX } else { 1 };
            self.cells[place / CELL].alive &= !(lanes << (place % CELL));
            let (body, state) = (self.first + place as u64, self.bodies[place].start);
            failures.push(Failure { body, step: 0, t: t0, state, cause: cause.clone() });
        }
    }

    /// Advances all bodies as the job says; who failed, in the order of the bodies.
    pub(super) fn advance(&mut self, width: Checked, job: &Job<'_>) -> Vec<Failure> {
        let (bodies, constants, stride) = (&self.bodies, &self.constants, self.stride);
        let (first, count) = (self.first, self.bodies.len());
        let failures: Vec<Vec<Failure>> = self
            .cells
            .par_chunks_mut(TASK)
            .enumerate()
            .map(|(i, cells)| {
                let at = i * TASK;
                let end = ((at + cells.len()) * CELL).min(count);
                let mut task = Task {
                    first: first + (at * CELL) as u64,
                    cells,
                    bodies: &bodies[at * CELL..end],
                    constants: &constants[at * stride..],
                    stride,
                    failures: Vec::new(),
                };
                width.run(Advance(job, &mut task));
                // Number are done one group after the other.
                task.failures.sort_by_key(|failure| failure.body);
                task.failures
            })
            .collect();
        failures.into_iter().flatten().collect()
    }
}

/// The constants of a cell.
struct Group {
    constants: Vec<Column>,
    axes: Axes,
    torque: Option<GravityGradient>,
    failed: Vec<(usize, Cause)>,
}

impl Group {
    fn new(recipe: &Recipe, bodies: &[Body]) -> Self {
        let mut group =
            Self { constants: Vec::new(), axes: Axes::Sorted, torque: None, failed: Vec::new() };
        let mut last: Option<(&Inertia, Result<Record, Cause>)> = None;
        for lane in 0..CELL {
            let place = lane.min(bodies.len() - 1);
            let inertia = &bodies[place].inertia;
            // The same body again, or one of the same kind.
            if last.as_ref().is_none_or(|(of, _)| *of != inertia) {
                last = Some((inertia, recipe.record(inertia)));
            }
            match &last {
                Some((_, Ok(record))) => group.take(lane, record),
                Some((_, Err(cause))) if place == lane => group.failed.push((lane, cause.clone())),
                _ => {}
            }
        }
        group
    }

    fn take(&mut self, lane: usize, record: &Record) {
        if self.constants.is_empty() {
            // Number that fail have the numbers of one that does not, and are not looked at.
            self.constants.extend(record.numbers.iter().map(|&x| [x; CELL]));
        }
        for (column, &x) in self.constants.iter_mut().zip(&record.numbers) {
            column[lane] = x;
        }
        self.axes = self.axes.max(record.axes);
        self.torque = self.torque.or(record.torque);
    }
}
