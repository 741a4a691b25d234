//! The rotors that run in lanes: what a step needs of a body, and the step.
//!
//! Each does what the scalar rotor does, operation by operation. Lanes for which that takes another
//! path (numbers near the ends of the range, steps left to the free motion, an equation that is not
//! solved) are said not to be done, and are left to the scalar rotor itself.

use super::columns::{Columns, NumberRecorder};
use crate::Inertia;
use crate::composition::Stage;
use crate::method::{Method, Solver};
use crate::rotor::dmv_kernel::{self, CONVERGED, DmvBody, LOST};
use crate::rotor::exact_kernel::{ExactBody, LEAST, MOST};
use crate::rotor::{DmvParts, ExactParts, ThreeRotationsParts, dmv_solver};
use crate::rotor::{exact_kernel, three_rotations_kernel};
use polhode_number::vector::{Quaternion, Vector, add, dot, largest, scale, select};
use polhode_number::{Lift, Packed};

/// A rotor that runs in lanes, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RotorKind {
    Exact,
    Dmv { order: u32, solver: Solver },
    ThreeRotations,
}

/// A rotor alone is a scheme of one drift.
static FREE: [Stage; 1] = [Stage::Drift(1.0)];

impl RotorKind {
    /// The kernel and the stages of a method that runs in lanes.
    pub(super) fn of(method: &Method) -> Option<(Self, &[Stage])> {
        let parts = method.as_splitting().filter(|_| method.runs_in_lanes())?;
        let parameters = &parts.rotor.parameters;
        let rotor = match parts.rotor.entry.id {
            "exact" => Self::Exact,
            "dmv" => {
                Self::Dmv { order: parameters.integer("order"), solver: dmv_solver(parameters) }
            }
            "three-rotations" => Self::ThreeRotations,
            _ => return None,
        };
        Some((rotor, parts.scheme.map_or(&FREE, |scheme| &scheme.stages)))
    }

    /// The constants of a body.
    pub(super) fn write(self, inertia: &Inertia, mut record: NumberRecorder<'_>) {
        let (in_range, scale) = match self {
            Self::Exact => {
                let parts = ExactParts::new(inertia);
                let _: ExactBody<f64> = parts.body.map(&mut record);
                (parts.in_range, parts.inertia_scale)
            }
            Self::Dmv { order, .. } => {
                let parts = DmvParts::new(inertia, order);
                let _: DmvBody<f64> = parts.body.map(&mut record);
                (parts.in_range, parts.inertia_scale)
            }
            Self::ThreeRotations => {
                let parts = ThreeRotationsParts::new(inertia);
                let _: [f64; 3] = record.vector(parts.inverse);
                (parts.in_range, parts.inertia_scale)
            }
        };
        // Zero, which no lane takes, for a body that only the scalar rotor can tell about.
        let usable = in_range && (1e-280..1e280).contains(&scale);
        record.lift(if usable { scale } else { 0.0 });
    }
}

/// What a step does to a body, along its sorted axes.
pub(super) struct LaneIncrement<L: Packed> {
    /// The momentum, or what is to be added to it.
    pub(super) m: Vector<L>,
    /// The rotation minus one.
    pub(super) r: Quaternion<L>,
    /// Where nothing moves.
    pub(super) rest: L::Mask,
    /// Where this is what the scalar rotor would do.
    pub(super) done: L::Mask,
}

/// A rotor over lanes.
pub(super) trait LaneRotor<L: Packed> {
    /// Whether it gives the increment of the momentum, not the momentum.
    const ADDS: bool;

    fn read(kind: RotorKind, columns: &mut Columns<'_>) -> Self;

    /// The step of length h from the momentum m along the sorted axes.
    fn step(&self, m: Vector<L>, h: L) -> LaneIncrement<L>;
}

/// Momentum and step in units in which the momentum and the body are of order one, or near enough.
struct ScaledStep<L: Packed> {
    m: Vector<L>,
    h: L,
    /// The unit of momentum; none if that is the caller's in all lanes.
    power: Option<L>,
    /// The sum of its components' magnitudes, at least the largest of them.
    size: L,
    rest: L::Mask,
    usable: L::Mask,
}

impl<L: Packed> ScaledStep<L> {
    /// Back in the caller's unit.
    #[inline(always)]
    fn restore(&self, v: Vector<L>) -> Vector<L> {
        match self.power {
            None => v,
            Some(power) => scale(v, power),
        }
    }
}

/// Powers of two only: products are what `ldexp` would give, and every operation of a kernel gives
/// the same digits in any such unit. So there is none where all momenta are within the kernels' range.
#[inline(always)]
fn scaled<L: Packed>(m: Vector<L>, h: L, inertia_scale: L) -> ScaledStep<L> {
    // A sum, which also knows of a NaN.
    let sum = m[0].abs() + m[1].abs() + m[2].abs();
    let h = h * inertia_scale;
    let sound = L::splat(1e-300).less(h.abs()) & h.abs().less(L::splat(1e300));
    let moderate = sound & L::splat(LEAST).less(sum) & sum.less(L::splat(MOST));
    if L::all(moderate) {
        let rest = sum.less(L::splat(0.0));
        return ScaledStep { m, h, power: None, size: sum, rest, usable: moderate };
    }
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let sound = sound & sum.less(L::splat(1e290));
    let rest = sound & sum.less(L::splat(f64::from_bits(1)));
    let usable = sound & L::splat(1e-290).less(sum);
    let (power, inverse) = largest(m).power_of_two();
    ScaledStep {
        m: select(usable, scale(m, inverse), [one, zero, zero]),
        h: L::select(usable, h * power, zero),
        power: Some(power),
        size: sum * inverse,
        rest,
        usable,
    }
}

/// `exact`.
pub(super) struct LaneExact<L> {
    body: ExactBody<L>,
    inertia_scale: L,
}

impl<L: Packed> LaneRotor<L> for LaneExact<L> {
    const ADDS: bool = false;

    #[inline(always)]
    fn read(_: RotorKind, columns: &mut Columns<'_>) -> Self {
        let body = ExactBody::LAYOUT.map(columns);
        Self { body, inertia_scale: columns.one() }
    }

    #[inline(always)]
    fn step(&self, m: Vector<L>, h: L) -> LaneIncrement<L> {
        let scaled = scaled(m, h, self.inertia_scale);
        let angle = scaled.h.abs() * self.body.b1.0 * scaled.size;
        let near = angle.less(L::splat(exact_kernel::LONG_STEP));
        let h = L::select(near, scaled.h, L::splat(0.0));
        let increment = exact_kernel::step(&self.body, scaled.m, h);
        LaneIncrement {
            m: scaled.restore(increment.m),
            r: increment.r,
            rest: scaled.rest,
            done: scaled.rest | (scaled.usable & near),
        }
    }
}

/// `dmv`.
pub(super) struct LaneDmv<L> {
    body: DmvBody<L>,
    solver: Solver,
    inertia_scale: L,
}

impl<L: Packed> LaneRotor<L> for LaneDmv<L> {
    const ADDS: bool = true;

    #[inline(always)]
    fn read(kind: RotorKind, columns: &mut Columns<'_>) -> Self {
        let (order, solver) = match kind {
            RotorKind::Dmv { order, solver } => (order, solver),
            _ => (2, Solver::Newton),
        };
        let body = DmvBody::layout(order).map(columns);
        Self { body, solver, inertia_scale: columns.one() }
    }

    #[inline(always)]
    fn step(&self, m: Vector<L>, h: L) -> LaneIncrement<L> {
        let scaled = scaled(m, h, self.inertia_scale);
        let m = scaled.m;
        let increment = dmv_kernel::step(&self.body, self.solver, m, scaled.h);
        let after = add(m, increment.delta);
        let lost = (dot(after, after) / dot(m, m) - L::splat(1.0)).abs();
        let solved = increment.residual.less(L::splat(CONVERGED)) & lost.less(L::splat(LOST));
        LaneIncrement {
            m: scaled.restore(increment.delta),
            r: increment.rotation(),
            rest: scaled.rest,
            done: scaled.rest | (scaled.usable & solved),
        }
    }
}

/// `three-rotations`.
pub(super) struct LaneThreeRotations<L> {
    inverse: Vector<L>,
    inertia_scale: L,
}

impl<L: Packed> LaneRotor<L> for LaneThreeRotations<L> {
    const ADDS: bool = false;

    #[inline(always)]
    fn read(_: RotorKind, columns: &mut Columns<'_>) -> Self {
        Self { inverse: columns.vector([0.0; 3]), inertia_scale: columns.one() }
    }

    #[inline(always)]
    fn step(&self, m: Vector<L>, h: L) -> LaneIncrement<L> {
        let scaled = scaled(m, h, self.inertia_scale);
        // Half of it: the scalar rotor has another unit of momentum.
        let limit = L::splat(0.5 * three_rotations_kernel::PHASE_LIMIT);
        let near = (scaled.h.abs() * scaled.size).less(limit);
        let h = L::select(near, scaled.h, L::splat(0.0));
        let increment = three_rotations_kernel::step(&self.inverse, scaled.m, h);
        LaneIncrement {
            m: scaled.restore(increment.m),
            r: increment.r,
            rest: scaled.rest,
            done: scaled.rest | (scaled.usable & near),
        }
    }
}
