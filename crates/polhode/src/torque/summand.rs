//! A part of what acts on a body: a model of the library, or a function of the user's.

use std::sync::Arc;

use glam::{DMat3, DVec3};
use polhode_number::vector::{Quaternion, Vector, splat, turned_by};
use polhode_number::{Constant, Dual, KernelPart, Number};

use super::calls::call;
use super::given::GivenVector;
use super::model::Model;
use super::{Body, Dependence, TorqueEntry, TorqueFunction, TorqueJacobian};
use crate::{PhasePoint, Point, State};

/// How the momentum changes in a kick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kick {
    /// It changes by the torque times dt.
    Constant,
    /// It follows the flow of m' = A m + b.
    Affine,
    /// It changes by a step of classical Runge-Kutta.
    RungeKutta,
}

#[derive(Clone)]
pub(super) enum Summand {
    /// What runs over any number, and the entry of the table that it was built from.
    Model(TorqueKernel, &'static TorqueEntry),
    Function(Arc<dyn TorqueFunction>),
}

/// One text over any number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TorqueKernel {
    /// A record of parameters.
    Record(Model),
    /// A program or a table.
    Given(Arc<GivenVector>),
}

impl TorqueKernel {
    pub(super) fn parameters(&self) -> Vec<(&str, f64)> {
        match self {
            Self::Record(model) => model.parameters(),
            Self::Given(given) => given.parameters(),
        }
    }

    pub(super) fn parameter_count(&self) -> usize {
        match self {
            Self::Record(model) => model.parameter_count(),
            Self::Given(given) => given.parameter_count(),
        }
    }

    pub(super) fn dependence(&self) -> Dependence {
        match self {
            Self::Record(model) => model.dependence(),
            Self::Given(given) => given.dependence(),
        }
    }

    pub(super) fn depends_on_time(&self) -> bool {
        match self {
            Self::Record(model) => model.depends_on_time(),
            Self::Given(given) => given.depends_on_time(),
        }
    }

    pub(super) fn is_conservative(&self) -> bool {
        match self {
            Self::Record(model) => model.is_conservative(),
            Self::Given(given) => given.is_conservative(),
        }
    }

    /// Records are at most affine in the momentum; a program may be anything.
    pub(super) fn kick(&self) -> Kick {
        match self {
            Self::Record(_) => Kick::Affine,
            Self::Given(_) => Kick::RungeKutta,
        }
    }

    #[inline(always)]
    pub(super) fn torque<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
    ) -> Vector<N> {
        match self {
            Self::Record(model) => model.torque(body, t, at),
            Self::Given(given) => apart(given.as_ref(), body, t, at),
        }
    }

    #[inline(always)]
    pub(super) fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        match self {
            Self::Record(model) => model.potential(body, t, q),
            Self::Given(given) => given.potential(body, t, q),
        }
    }
}

/// A torque that is compiled by itself.
pub(super) trait SeparateTorque<N: Number> {
    fn act(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N>;
}

impl<N: Number> SeparateTorque<N> for TorqueKernel {
    #[inline(always)]
    fn act(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        match self {
            Self::Record(model) => model.act(body, t, at),
            Self::Given(given) => given.act(body, t, at),
        }
    }
}

/// The torque of one source, run out of line: registers that others need are not saved for it, and nothing of others
/// is computed beside it.
#[inline(always)]
pub(super) fn apart<N: Number>(
    source: &(impl SeparateTorque<N> + ?Sized),
    body: &Body<'_, N>,
    t: N,
    at: &impl PhasePoint<N>,
) -> Vector<N> {
    N::outline(TorqueApart { source, body, t, at })
}

struct TorqueApart<'a, S: ?Sized, N, A> {
    source: &'a S,
    body: &'a Body<'a, N>,
    t: N,
    at: &'a A,
}

impl<N: Number, S: SeparateTorque<N> + ?Sized, A: PhasePoint<N>> KernelPart
    for TorqueApart<'_, S, N, A>
{
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        self.source.act(self.body, self.t, &self.at.point())
    }
}

/// The change of the torque of a part as the body turns about w; run out of line, too.
pub(super) struct PartAlong<'a, N, A> {
    pub(super) part: &'a Summand,
    pub(super) body: &'a Body<'a, N>,
    pub(super) t: N,
    pub(super) at: &'a A,
    pub(super) w: Vector<N>,
}

impl<N: Number, A: PhasePoint<N>> KernelPart for PartAlong<'_, N, A> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        self.part.along(self.body, self.t, &self.at.point(), self.w)
    }
}

impl Summand {
    pub(super) fn parameter_count(&self) -> usize {
        match self {
            Self::Model(kernel, _) => kernel.parameter_count(),
            Self::Function(_) => 0,
        }
    }

    #[inline(always)]
    pub(super) fn torque<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
    ) -> Vector<N> {
        match self {
            Self::Model(model, _) => model.torque(body, t, at),
            Self::Function(f) => apart(f.as_ref(), body, t, at),
        }
    }

    #[inline(always)]
    pub(super) fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        match self {
            Self::Model(model, _) => model.potential(body, t, q),
            Self::Function(f) => {
                let at = Point { m: splat([0.0; 3]), q };
                // Asked only where it says that there is one.
                let [energy] = call(body, t, &at, [], |inertia, t, state, []| {
                    [f.potential(inertia, t, state.q).unwrap_or(f64::NAN)]
                });
                energy
            }
        }
    }

    /// The change of the torque as the body turns about w.
    #[inline(always)]
    pub(super) fn along<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &Point<N>,
        w: Vector<N>,
    ) -> Vector<N> {
        match self {
            Self::Model(model, _) => {
                let turning = Point {
                    m: at.m.map(Dual::<N, 1>::constant),
                    q: with_slopes(at.q, [turned_by(at.q, w)]),
                };
                let inertia = body.inertia.map(&mut Constant);
                let torque = model.act(&body.constant(&inertia), Dual::constant(t), &turning);
                [torque[0].slopes[0], torque[1].slopes[0], torque[2].slopes[0]]
            }
            Self::Function(f) => call(body, t, at, w, |inertia, t, state, w| {
                // Asked only where it says that there are any.
                let known = f.jacobian(inertia, t, state).map(|j| j.rotation);
                (known.unwrap_or(DMat3::NAN) * DVec3::from_array(w)).to_array()
            }),
        }
    }

    pub(super) fn jacobian(
        &self,
        body: &Body<'_, f64>,
        t: f64,
        state: &State,
    ) -> Option<TorqueJacobian> {
        let kernel = match self {
            Self::Model(kernel, _) => kernel,
            Self::Function(f) => return f.jacobian(&body.lanes[0], t, state),
        };
        let Point { m, q } = Point::from(state);
        let turns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| turned_by(q, v));
        let inertia = body.inertia.map(&mut Constant);
        let (body, t) = (&body.constant(&inertia), Dual::constant(t));
        let matrix = |at: Point<Dual<f64, 3>>| {
            let torque = apart(kernel, body, t, &at);
            DMat3::from_cols_array_2d(&[0, 1, 2].map(|k| torque.map(|x| x.slopes[k])))
        };
        let turning = Point { m: m.map(Dual::constant), q: with_slopes(q, turns) };
        let rotation = matrix(turning);
        if kernel.dependence() < Dependence::Momentum {
            return Some(TorqueJacobian::of_attitude(rotation));
        }
        let moving =
            Point { m: [0, 1, 2].map(|i| Dual::variable(m[i], i)), q: q.map(Dual::constant) };
        Some(TorqueJacobian { rotation, momentum: matrix(moving) })
    }
}

/// A quaternion with these derivatives.
#[inline(always)]
fn with_slopes<N: Number, const K: usize>(
    q: Quaternion<N>,
    slopes: [Quaternion<N>; K],
) -> Quaternion<Dual<N, K>> {
    let mut turning = [Dual::constant(q[0]); 4];
    for (i, component) in turning.iter_mut().enumerate() {
        component.value = q[i];
        for (slope, of_all) in component.slopes.iter_mut().zip(&slopes) {
            *slope = of_all[i];
        }
    }
    turning
}
