//! The free motion over numbers with derivatives.

use glam::DQuat;
use polhode_number::vector::{Quaternion, Vector, add, product, scale, subtract, turned_by};
use polhode_number::{Splat, add_compensated};

use super::variation::Variation;
use super::{ByInertia, ByStart, InertiaTangent};
use crate::method::{FreeFlow, Method, MethodError, StepError};
use crate::rotor::unit_step::{RotorKernel, ScaledStep, UnitBody, UnitKernel, UnitStep};
use crate::rotor::{Exact, FlowTangent, each_kernel};
use crate::{Inertia, InertiaOver, Point, Problem, State};

/// How the free motion is differentiated.
pub(crate) enum TangentRotor {
    /// It is differentiated in closed form.
    Exact(Box<Exact>),
    /// It is differentiated by its kernel over numbers with derivatives.
    Kernel(Box<dyn KernelFlow>),
}

/// What a step adds to the momentum, and its rotation minus one.
type AddedByStep = (Vector<Variation>, Quaternion<Variation>);

/// The steps of a kernel over numbers with derivatives.
pub(crate) trait KernelFlow: Send + Sync {
    /// What a step of length h adds there.
    fn added(
        &self,
        inertia: &InertiaOver<Variation>,
        h: Variation,
        at: &Point<Variation>,
    ) -> Result<AddedByStep, StepError>;
}

impl TangentRotor {
    pub(super) fn new(problem: &Problem, method: &Method) -> Result<Self, MethodError> {
        let inertia = problem.inertia();
        let none = || MethodError::NoTangent { id: method.to_string() };
        if problem.needs_steps() {
            return Err(MethodError::NoTangentInside { id: method.to_string() });
        }
        let parts = method.as_splitting().ok_or_else(none)?;
        Ok(match parts.rotor.entry.tangent(&parts.rotor.parameters).ok_or_else(none)? {
            FlowTangent::ClosedForm => Self::exact(inertia),
            FlowTangent::Kernel(kernel) => each_kernel!(kernel, one => one.tangent_rotor(inertia)),
        })
    }

    /// The flow of the free motion.
    pub(crate) fn exact(inertia: &Inertia) -> Self {
        Self::Exact(Box::new(Exact::new(inertia)))
    }
}

/// The free motion of a pass.
pub(super) struct TangentFlow<'a> {
    pub(super) rotor: &'a TangentRotor,
    /// Whether the inertia is what varies.
    pub(super) by_inertia: bool,
    /// The body, of constant inertia.
    pub(super) inertia: &'a InertiaOver<Variation>,
    /// What adding has dropped from the attitude.
    pub(super) dropped: &'a mut Quaternion<Variation>,
}

impl FreeFlow<Variation> for TangentFlow<'_> {
    type At = Point<Variation>;

    fn drift(
        &mut self,
        h: Variation,
        at: &mut Point<Variation>,
        dropped: &mut Option<Vector<Variation>>,
    ) -> Result<bool, StepError> {
        let (change, r) = match self.rotor {
            TangentRotor::Exact(exact) => closed_form(exact, self.by_inertia, h.value(), at)?,
            TangentRotor::Kernel(kernel) => kernel.added(self.inertia, h, at)?,
        };
        let turned = product(at.q, r);
        for (i, turned) in turned.into_iter().enumerate() {
            add_compensated(&mut at.q[i], &mut self.dropped[i], turned);
        }
        match dropped {
            Some(dropped) => {
                for i in 0..3 {
                    add_compensated(&mut at.m[i], &mut dropped[i], change[i]);
                }
            }
            None => at.m = add(at.m, change),
        }
        Ok(true)
    }
}

/// What an exact step adds.
fn closed_form(
    exact: &Exact,
    by_inertia: bool,
    h: f64,
    at: &Point<Variation>,
) -> Result<AddedByStep, StepError> {
    let state = State::from(Point { m: at.m.map(Variation::value), q: at.q.map(Variation::value) });
    let (tangent, by, added);
    if by_inertia {
        ((tangent, by), added) = exact.differentiate::<ByInertia>(h, &state)?;
    } else {
        (tangent, added) = exact.differentiate::<ByStart>(h, &state)?;
        by = InertiaTangent::NOTHING;
    }
    let mut phi = tangent.state_transition;
    for (i, less) in added.diagonal.into_iter().enumerate() {
        phi[i][i] = less;
    }
    let DQuat { w, x, y, z } = added.r;
    let turned = [1.0 + w, x, y, z];
    let mut m = added.m.to_array().map(Variation::constant);
    let mut r = [w, x, y, z].map(Variation::constant);
    for k in 0..6 {
        let dm = at.m.map(|x| x.slope(k));
        let mut change = [0.0; 6];
        for (row, change) in change.iter_mut().enumerate() {
            *change = phi[row][0] * dm[0] + phi[row][1] * dm[1] + phi[row][2] * dm[2];
            if by_inertia {
                *change += if k < 3 { by.inertia[row][k] } else { by.inertia_off[row][k - 3] };
            }
        }
        let [a, b, c, del @ ..] = change;
        for (x, slope) in m.iter_mut().zip([a, b, c]) {
            x.0.slopes[k] = slope;
        }
        for (x, slope) in r.iter_mut().zip(turned_by(turned, del)) {
            x.0.slopes[k] = slope;
        }
    }
    Ok((m, r))
}

impl<K: UnitKernel + Send + Sync> KernelFlow for UnitBody<K> {
    fn added(
        &self,
        inertia: &InertiaOver<Variation>,
        h: Variation,
        at: &Point<Variation>,
    ) -> Result<AddedByStep, StepError> {
        let axes = self.frame().over::<Variation>();
        let entered = axes.enter(at.m);
        let scaled = ScaledStep::new(entered, h, Variation::constant(self.inertia_scale));
        if scaled.rest {
            // A body that is given a small momentum turns by h omega.
            let [x, y, z] = scale(inertia.omega(at.m), h * Variation::constant(0.5));
            return Ok(([Variation::constant(0.0); 3], [Variation::constant(0.0), x, y, z]));
        }
        let (increment, done) = self.kernel.over(&mut Splat).step(scaled.m, scaled.h, scaled.size);
        if !(scaled.usable && done) {
            return Err(StepError::OutOfRange {
                h: h.value(),
                momentum: at.m.map(Variation::value),
            });
        }
        let (change, r) = K::Over::<Variation>::change(&increment);
        let change = scaled.restore(change);
        // Not where the step leads: compensated sums want what is added.
        let change = if K::Over::<Variation>::ADDS {
            axes.leave(change)
        } else {
            subtract(axes.leave_after(at.m, change), at.m)
        };
        Ok((change, axes.leave_rotation(r)))
    }
}
