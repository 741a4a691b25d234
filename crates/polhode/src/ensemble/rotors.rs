//! The rotors that run in lanes: the constants of bodies, and the step.
//!
//! Lanes that the kernel does not do (numbers near the ends of the range, steps left to the free motion, an
//! equation that is not solved) are left to the rotor as it is for one body.

use super::sink::CELL;
use crate::columns::{Columns, NumberRecorder};
use crate::composition::Stage;
use crate::inertia::AxesOver;
use crate::method::Method;
use crate::rotor::unit_step::{RotorKernel, ScaledStep, UnitBody, UnitKernel, UnitStep};
use crate::rotor::{LaneKernel, each_kernel};
use crate::{Inertia, Point};
use polhode_number::{Lift, PackedNumber};

/// A rotor alone is a scheme of one drift.
static FREE: [Stage; 1] = [Stage::Drift(1.0)];

/// Something done with a kernel, of which the layout of constants is given.
pub(super) trait KernelUser {
    fn with<L: PackedNumber, K: UnitKernel>(self, layout: &K);
}

impl LaneKernel {
    /// The kernel and the stages of a method that runs in lanes.
    pub(super) fn of(method: &Method) -> Option<(Self, &[Stage])> {
        let parts = method.as_splitting().filter(|_| method.runs_in_lanes())?;
        let kernel = parts.rotor.entry.lanes?(&parts.rotor.parameters);
        Some((kernel, parts.scheme.map_or(&FREE, |scheme| &scheme.stages)))
    }

    /// Does something with this kernel.
    #[inline(always)]
    pub(super) fn with<L: PackedNumber>(self, user: impl KernelUser) {
        each_kernel!(self, kernel => user.with::<L, _>(&kernel.layout()));
    }

    /// Writes down the constants of a body.
    pub(super) fn write(self, inertia: &Inertia, record: NumberRecorder<'_>) {
        each_kernel!(self, kernel => write(&kernel.unit_body(inertia), record));
    }
}

fn write<K: UnitKernel>(body: &UnitBody<K>, mut record: NumberRecorder<'_>) {
    let _: K::Over<f64> = body.kernel.over(&mut record);
    record.lift(body.inertia_scale);
}

/// What a step leads to.
pub(super) struct LaneEnd<L: PackedNumber> {
    pub(super) point: Point<L>,
    /// Where the kernel moved the body.
    pub(super) moved: L::Mask,
    /// The lanes whose body is at rest.
    pub(super) rest: L::Mask,
}

/// A rotor over lanes.
pub(super) struct LaneRotor<L, K> {
    kernel: K,
    inertia_scale: L,
}

impl<L: PackedNumber, K: UnitStep<L>> LaneRotor<L, K> {
    #[inline(always)]
    pub(super) fn read(
        layout: &impl UnitKernel<Over<L> = K>,
        columns: &mut Columns<'_, CELL>,
    ) -> Self {
        Self { kernel: layout.over::<L>(columns), inertia_scale: columns.one() }
    }

    /// The step of length h of bodies with these axes.
    #[inline(always)]
    pub(super) fn step(&self, axes: &AxesOver<L>, at: &Point<L>, h: L) -> LaneEnd<L> {
        let scaled = ScaledStep::new(axes.enter(at.m), h, self.inertia_scale);
        let (point, done) = scaled.end(&self.kernel, axes, at);
        LaneEnd { point, moved: scaled.usable & done, rest: scaled.rest }
    }
}
