//! The time loop: cells of bodies through some steps, in lanes.

use super::body::Body;
use super::columns::{CELL, Column, Columns};
use super::error::Failure;
use super::frame::{Axes, LaneFrame};
use super::rescue::Rescue;
use super::rotors::{LaneDmv, LaneExact, LaneRotor, LaneThreeRotations, Moved, RotorKind};
use super::sink::{ALL, Cell};
use super::torque::{Field, LaneTorque, Shared};
use crate::Plan;
use crate::composition::Stage;
use crate::method::Method;
use polhode_number::vector::{Quaternion, Vector, add, scale, select, subtract, turn};
use polhode_number::{Kernel, Packed};

/// What is to be done with all cells of a block.
pub(super) struct Job<'a> {
    pub(super) method: &'a Method,
    pub(super) rotor: RotorKind,
    pub(super) stages: &'a [Stage],
    /// Whether a stage needs the derivative of the torque.
    pub(super) gradient: bool,
    pub(super) field: Field,
    pub(super) shared: Shared,
    pub(super) axes: Axes,
    pub(super) t0: f64,
    pub(super) plan: Plan,
    /// Steps done, and steps to be done then.
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Some cells of a block.
pub(super) struct Task<'a> {
    /// The number of the first body.
    pub(super) first: u64,
    pub(super) cells: &'a mut [Cell],
    pub(super) bodies: &'a [Body],
    /// Of each cell in turn, or of all.
    pub(super) constants: &'a [Column],
    /// How many belong to a cell; zero if they are the same for all.
    pub(super) stride: usize,
    pub(super) failures: Vec<Failure>,
}

/// The steps of a job for the cells of a task.
pub(super) struct Advance<'a, 'b>(pub(super) &'a Job<'b>, pub(super) &'a mut Task<'b>);

impl Kernel for Advance<'_, '_> {
    type Output = ();

    /// Inlined into functions that are compiled for the lanes in question, with all that it calls but
    /// what is rare.
    #[inline(always)]
    fn run<L: Packed>(self) {
        let Self(job, task) = self;
        match job.rotor {
            RotorKind::Exact => task.advance_with::<L, LaneExact<L>>(job),
            RotorKind::Dmv { .. } => task.advance_with::<L, LaneDmv<L>>(job),
            RotorKind::ThreeRotations => task.advance_with::<L, LaneThreeRotations<L>>(job),
        }
    }
}

impl Task<'_> {
    #[inline(always)]
    fn advance_with<L: Packed, R: LaneRotor<L>>(&mut self, job: &Job<'_>) {
        for index in 0..self.cells.len() {
            if self.cells[index].alive == 0 {
                continue;
            }
            let mut at = 0;
            while at < CELL {
                self.advance_lanes::<L, R>(job, index, at);
                at += L::WIDTH;
            }
        }
    }

    /// The lanes from `at` of one cell.
    #[inline(always)]
    fn advance_lanes<L: Packed, R: LaneRotor<L>>(
        &mut self,
        job: &Job<'_>,
        index: usize,
        at: usize,
    ) {
        let mut columns = Columns::new(&self.constants[index * self.stride..], at);
        let splitting = LaneSplitting {
            frame: LaneFrame::<L>::read(job.axes, &mut columns),
            torque: LaneTorque::read(job.shared, job.gradient, &mut columns),
            rotor: R::read(job.rotor, &mut columns),
        };
        let cell = &mut self.cells[index];
        let mut lanes = Moving::load(cell, at);
        let all = (ALL >> (CELL - L::WIDTH)) << at;
        let mut rescue = Rescue::new(job, self.first, self.bodies);
        for n in job.from..job.to {
            let before = lanes;
            let done = splitting.step(job, job.plan.time(job.t0, n), &mut lanes);
            let done = (L::bits(done) << at) | !all;
            if done & cell.alive != ALL {
                let mut after = *cell;
                before.store(cell, at);
                lanes.store(&mut after, at);
                let done = done & cell.alive;
                rescue.lanes(n, (cell, index), (&after, done), all, &mut self.failures);
                lanes = Moving::load(cell, at);
            }
        }
        lanes.store(cell, at);
    }
}

/// The state of the bodies in lanes.
#[derive(Clone, Copy)]
struct Moving<L> {
    m: Vector<L>,
    q: Quaternion<L>,
    /// The torque of the last kick, as long as the attitude is still that one.
    last: Option<Vector<L>>,
}

impl<L: Packed> Moving<L> {
    #[inline(always)]
    fn load(cell: &Cell, at: usize) -> Self {
        let [x, y, z] = &cell.m;
        let m = [L::load(&x[at..]), L::load(&y[at..]), L::load(&z[at..])];
        let [w, x, y, z] = &cell.q;
        let q = [L::load(&w[at..]), L::load(&x[at..]), L::load(&y[at..]), L::load(&z[at..])];
        Self { m, q, last: None }
    }

    #[inline(always)]
    fn store(&self, cell: &mut Cell, at: usize) {
        for i in 0..3 {
            self.m[i].store(&mut cell.m[i][at..]);
        }
        for i in 0..4 {
            self.q[i].store(&mut cell.q[i][at..]);
        }
    }

    /// Where all components are finite, and far from the end of the range.
    #[inline(always)]
    fn finite(&self) -> L::Mask {
        let ([a, b, c], [w, x, y, z]) = (self.m, self.q);
        let m = a.abs() + b.abs() + c.abs();
        let q = (w.abs() + x.abs()) + (y.abs() + z.abs());
        (m + q).less(L::splat(f64::INFINITY))
    }
}

/// A scheme, a rotor and a torque over lanes: `method/splitting.rs` again.
struct LaneSplitting<L, R> {
    frame: LaneFrame<L>,
    torque: LaneTorque<L>,
    rotor: R,
}

impl<L: Packed, R: LaneRotor<L>> LaneSplitting<L, R> {
    /// A step; where it is what the scalar method does.
    #[inline(always)]
    fn step(&self, job: &Job<'_>, t: f64, lanes: &mut Moving<L>) -> L::Mask {
        let h = job.plan.step;
        let mut done = L::splat(0.0).less(L::splat(1.0));
        let mut passed = 0.0;
        for stage in job.stages {
            let now = t + passed * h;
            match *stage {
                Stage::Drift(a) => {
                    done = done & self.drift(L::splat(a * h), lanes);
                    passed += a;
                }
                Stage::Kick(_) | Stage::Gradient(..) if self.torque.is_none() => {}
                Stage::Kick(b) => {
                    let torque = self.torque(now, lanes);
                    lanes.m = add(lanes.m, scale(torque, L::splat(b * h)));
                }
                Stage::Gradient(b, c) => {
                    let torque = self.torque(now, lanes);
                    let square = self.torque.of_square(now, lanes.q, torque, &self.frame, job.axes);
                    let square = scale(square, L::splat(c * h * h * h));
                    let kick = subtract(scale(torque, L::splat(b * h)), square);
                    lanes.m = add(lanes.m, kick);
                }
            }
        }
        // A free motion keeps the length of the momentum.
        if self.torque.is_none() { done } else { done & lanes.finite() }
    }

    #[inline(always)]
    fn drift(&self, h: L, lanes: &mut Moving<L>) -> L::Mask {
        let Moved { m, r, rest, done } = self.rotor.step(self.frame.enter(lanes.m), h);
        let m = self.frame.leave(m);
        let m = if R::ADDS { add(lanes.m, m) } else { m };
        let [x, y, z] = self.frame.leave([r[1], r[2], r[3]]);
        let q = turn(lanes.q, [r[0], x, y, z]);
        if L::any(rest) {
            lanes.m = select(rest, lanes.m, m);
            lanes.q = [
                L::select(rest, lanes.q[0], q[0]),
                L::select(rest, lanes.q[1], q[1]),
                L::select(rest, lanes.q[2], q[2]),
                L::select(rest, lanes.q[3], q[3]),
            ];
        } else {
            (lanes.m, lanes.q) = (m, q);
        }
        lanes.last = None;
        done
    }

    #[inline(always)]
    fn torque(&self, t: f64, lanes: &mut Moving<L>) -> Vector<L> {
        if let Some(torque) = lanes.last
            && !self.torque.depends_on_time()
        {
            return torque;
        }
        let torque = self.torque.torque(t, lanes.q, &self.frame);
        lanes.last = Some(torque);
        torque
    }
}
