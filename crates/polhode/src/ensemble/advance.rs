//! The time loop: cells of bodies through some steps, in lanes.

use core::ops::Range;

use polhode_number::vector::{Vector, select};
use polhode_number::{Kernel, KernelPart, PackedNumber};

use super::error::BodyFailure;
use super::member::Member;
use super::moving::MovingParts;
use super::rescue::{Rescue, ScalarStepper};
use super::rotors::{KernelUser, LaneEnd, LaneRotor};
use super::sink::{ALL, CELL, Cell, CellColumn};
use super::workers::EnsembleProgress;
use crate::columns::Columns;
use crate::composition::Stage;
use crate::inertia::AxesKind;
use crate::method::{FreeFlow, KickMemory, Method, SchemeStep};
use crate::rotor::LaneKernel;
use crate::rotor::unit_step::{UnitKernel, UnitStep};
use crate::torque::Body;
use crate::{Inertia, InertiaOver, Plan, Point, StepError, Torque};

/// What is to be done with all cells of a block.
pub(super) struct Job<'a> {
    pub(super) method: &'a Method,
    /// The kernel of the rotor and the stages of the scheme; none if bodies are stepped one by one.
    pub(super) lanes: Option<(LaneKernel, &'a [Stage])>,
    pub(super) torque: &'a Torque,
    /// What moves inside the bodies, and what controls them; then they are stepped one by one.
    pub(super) moving: Option<&'a MovingParts>,
    pub(super) axes: AxesKind,
    pub(super) t0: f64,
    pub(super) plan: Plan,
    /// Steps done, and steps to be done then.
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) progress: &'a EnsembleProgress<'a>,
}

/// Steps that a body does before somebody may end the run: some hundred microseconds, of which looking is nothing.
const PART: u64 = 256;

impl Job<'_> {
    /// The steps to be done, some at a time.
    #[inline(always)]
    fn parts(&self) -> impl Iterator<Item = Range<u64>> {
        let mut from = self.from;
        core::iter::from_fn(move || {
            let part = from..self.to.min(from.saturating_add(PART));
            from = part.end;
            (!part.is_empty()).then_some(part)
        })
    }

    /// Before a part of the steps of so many bodies: whether the run is to end. Before the first the task has looked.
    #[inline(always)]
    fn ends_before(&self, part: &Range<u64>, bodies: usize) -> bool {
        part.start != self.from && self.progress.more(PART * bodies as u64).is_err()
    }
}

/// Some cells of a block.
pub(super) struct Task<'a> {
    /// The number of the first body.
    pub(super) first: u64,
    pub(super) cells: &'a mut [Cell],
    pub(super) bodies: &'a [Member],
    /// The inertia of each body, where a torque is a function of one body at a time.
    pub(super) inertia: &'a [Inertia],
    /// The constants of each cell in turn, or of all cells.
    pub(super) constants: &'a [CellColumn],
    /// How many belong to a cell; zero if they are the same for all.
    pub(super) stride: usize,
    /// The method for each body, where they are stepped one by one.
    pub(super) alone: &'a mut [ScalarStepper],
    pub(super) failures: Vec<BodyFailure>,
}

/// The steps of a job for the cells of a task, in lanes.
pub(super) struct Advance<'a, 'b> {
    pub(super) job: &'a Job<'b>,
    pub(super) task: &'a mut Task<'b>,
    pub(super) kernel: LaneKernel,
    pub(super) stages: &'a [Stage],
}

impl Kernel for Advance<'_, '_> {
    type Output = ();

    /// Inlined into functions that are compiled for the lanes in question, with all that it calls but
    /// what is rare.
    #[inline(always)]
    fn run<L: PackedNumber>(self) {
        self.kernel.with::<L>(self);
    }
}

impl KernelUser for Advance<'_, '_> {
    #[inline(always)]
    fn with<L: PackedNumber, K: UnitKernel>(self, layout: &K) {
        let Self { job, task, stages, .. } = self;
        for index in 0..task.cells.len() {
            if task.cells[index].alive == 0 {
                continue;
            }
            let mut at = 0;
            while at < CELL {
                task.advance_lanes::<L, K>(job, (layout, stages), index, at);
                at += L::WIDTH;
            }
        }
    }
}

impl Task<'_> {
    /// The lanes from `at` of one cell.
    #[inline(always)]
    fn advance_lanes<L: PackedNumber, K: UnitKernel>(
        &mut self,
        job: &Job<'_>,
        (layout, stages): (&K, &[Stage]),
        index: usize,
        at: usize,
    ) {
        let place = (index * CELL + at).min(self.bodies.len() - 1);
        let mut columns = Columns::new(&self.constants[index * self.stride..], at);
        // Only what it has, and in which order, comes from this body.
        let axes = InertiaOver::new(&self.bodies[place].inertia).among(job.axes);
        let inertia: InertiaOver<L> = axes.map(&mut columns);
        let mut rotor = InLanes { inertia, rotor: LaneRotor::read(layout, &mut columns) };
        let lanes = if self.inertia.is_empty() { &[] } else { &self.inertia[place..] };
        let is_free_step = matches!(stages, [Stage::Drift(_)]);
        let stages = SchemeStep { stages, torque: job.torque, body: Body::new(&inertia, lanes) };
        let h = L::splat(job.plan.step);
        let cell = &mut self.cells[index];
        let (mut point, mut memory) = (load::<L>(cell, at), KickMemory::new(None));
        let all = (ALL >> (CELL - L::WIDTH)) << at;
        let mut rescue = Rescue::new(job, self.first, self.bodies);
        let bodies = self.bodies.len().saturating_sub(index * CELL + at).min(L::WIDTH);
        for part in job.parts() {
            if job.ends_before(&part, bodies) {
                return;
            }
            for n in part {
                // A lane in which a single free step is not done stays where it was.
                let before = if is_free_step { None } else { Some(point) };
                let t = L::splat(job.plan.time(job.t0, n));
                // Lanes never fail as a whole.
                let done = match stages.step(&mut rotor, &mut memory, (t, h), &mut point) {
                    Ok((done, _)) => L::bits(done),
                    Err(_) => 0,
                };
                let done = (done << at) | !all;
                if done & cell.alive != ALL {
                    let mut after = *cell;
                    store(&before.unwrap_or(point), cell, at);
                    store(&point, &mut after, at);
                    let done = done & cell.alive;
                    rescue.lanes(n, (cell, index), (&after, done), all, &mut self.failures);
                    (point, memory) = (load(cell, at), KickMemory::new(None));
                }
            }
        }
        store(&point, cell, at);
    }

    /// All bodies, one by one, by the method as it is for one body.
    pub(super) fn advance_one_by_one(&mut self, job: &Job<'_>) {
        for (place, alone) in self.alone.iter_mut().enumerate() {
            let (cell, lane) = (&mut self.cells[place / CELL], place % CELL);
            if cell.alive & (1 << lane) == 0 {
                continue;
            }
            if job.progress.check().is_err() {
                return;
            }
            let mut state = cell.state(lane);
            'steps: for part in job.parts() {
                if job.ends_before(&part, 1) {
                    return;
                }
                for n in part {
                    let t = job.plan.time(job.t0, n);
                    if let Err(cause) = alone.step(job, &self.bodies[place], t, &mut state) {
                        cell.alive &= !(1 << lane);
                        let body = self.first + place as u64;
                        self.failures.push(BodyFailure { body, step: n + 1, t, state, cause });
                        break 'steps;
                    }
                }
            }
            cell.set(lane, &state);
        }
    }
}

#[inline(always)]
pub(super) fn load<L: PackedNumber>(cell: &Cell, at: usize) -> Point<L> {
    let [x, y, z] = &cell.m;
    let m = [L::load(&x[at..]), L::load(&y[at..]), L::load(&z[at..])];
    let [w, x, y, z] = &cell.q;
    let q = [L::load(&w[at..]), L::load(&x[at..]), L::load(&y[at..]), L::load(&z[at..])];
    Point { m, q }
}

#[inline(always)]
pub(super) fn store<L: PackedNumber>(point: &Point<L>, cell: &mut Cell, at: usize) {
    for i in 0..3 {
        point.m[i].store(&mut cell.m[i][at..]);
    }
    for i in 0..4 {
        point.q[i].store(&mut cell.q[i][at..]);
    }
}

/// A rotor over lanes, between the body frame and the sorted axes.
pub(super) struct InLanes<L, K> {
    pub(super) inertia: InertiaOver<L>,
    pub(super) rotor: LaneRotor<L, K>,
}

impl<L: PackedNumber, K: UnitStep<L>> FreeFlow<L> for InLanes<L, K> {
    type At = Point<L>;

    /// Nothing is compensated in lanes, and nothing fails: lanes that are not done are done again.
    #[inline(always)]
    fn drift(
        &mut self,
        h: L,
        at: &mut Point<L>,
        _dropped: &mut Option<Vector<L>>,
    ) -> Result<L::Mask, StepError> {
        Ok(L::outline(DriftPart { rotor: self, h, at }))
    }
}

/// A free step in lanes, which leaves alone those that it cannot do; run out of line: one copy of it for ensembles and
/// for steps of one's own loop.
struct DriftPart<'a, L, K> {
    rotor: &'a InLanes<L, K>,
    h: L,
    at: &'a mut Point<L>,
}

impl<L: PackedNumber, K: UnitStep<L>> KernelPart for DriftPart<'_, L, K> {
    type Output = L::Mask;

    #[inline(always)]
    fn run(self) -> L::Mask {
        let Self { rotor: InLanes { inertia, rotor }, h, at } = self;
        let LaneEnd { point: Point { m, q }, moved, rest } = rotor.step(inertia.axes(), at, h);
        if L::all(moved) {
            (at.m, at.q) = (m, q);
            return moved;
        }
        at.m = select(moved, m, at.m);
        at.q = [
            L::select(moved, q[0], at.q[0]),
            L::select(moved, q[1], at.q[1]),
            L::select(moved, q[2], at.q[2]),
            L::select(moved, q[3], at.q[3]),
        ];
        moved | rest
    }
}
