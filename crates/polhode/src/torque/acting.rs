//! A torque at work on a body: what it is, what a kick by it does, and how it changes.

use glam::DMat3;
use polhode_number::Number;
use polhode_number::vector::{Matrix, Quaternion, Vector, add, cross, scale, splat};

use super::summand::{Kick, PartAlong, Summand, TorqueKernel};
use super::{Body, Dependence, Torque, TorqueJacobian, affine};
use crate::{Inertia, InertiaOver, PhasePoint, Point, State};

/// Of each stage of the classical method, its weight times six and the part of the step to the next.
const RUNGE_KUTTA: [(f64, f64); 4] = [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)];

impl Torque {
    /// The torque in the body frame.
    #[inline(always)]
    pub fn torque<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
    ) -> Vector<N> {
        let Some((first, others)) = self.parts.split_first() else { return splat([0.0; 3]) };
        // Not added to zero: a zero of one part alone would lose its sign.
        let mut sum = first.torque(body, t, at);
        if others.is_empty() {
            // As it was stored: put together from parts it would be slow to load as a whole.
            return sum;
        }
        let (mut before, mut passed) = (first, 0);
        for part in others {
            passed += before.parameter_count();
            sum = add(sum, part.torque(&body.after(passed), t, at));
            before = part;
        }
        sum
    }

    /// The potential energy, if there is one.
    #[inline(always)]
    pub fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> Option<N> {
        if !self.is_conservative() {
            return None;
        }
        let mut sum = N::splat(0.0);
        for part in &self.parts {
            sum = sum + part.potential(body, t, q);
        }
        Some(sum)
    }

    /// The torque of the square W = torque . I^-1 torque, given the torque at this attitude: what the
    /// modified kick of a gradient scheme needs. For torques that do not depend on the momentum.
    ///
    /// It is -2 (J w + w x torque), w = I^-1 torque and J w the change of the torque as the body turns
    /// about w: where the torque has a potential that is -2 J^T w, the slope of W; where it has none, it is
    /// what the commutator of two kicks and a drift comes to all the same.
    #[doc(hidden)]
    #[inline(always)]
    pub fn of_square<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
        torque: Vector<N>,
    ) -> Vector<N> {
        let w = body.inertia.omega(torque);
        let mut along = splat([0.0; 3]);
        let mut passed = 0;
        for part in &self.parts {
            let body = &body.after(passed);
            passed += part.parameter_count();
            along = add(along, N::outline(PartAlong { part, body, t, at, w }));
        }
        scale(add(along, cross(w, torque)), N::splat(-2.0))
    }

    /// Whether kicks are exact: they are unless a function or a formula depends on the momentum.
    pub fn kicks_are_exact(&self) -> bool {
        self.kick != Kick::RungeKutta
    }

    /// How often a kick evaluates the torque.
    pub fn evaluations_in_a_kick(&self) -> u32 {
        match self.kick {
            Kick::Constant | Kick::Affine => u32::from(!self.is_none()),
            Kick::RungeKutta => 4,
        }
    }

    /// The momentum after the flow of m' = torque over dt, with time and attitude standing still: the
    /// kick of a splitting method.
    ///
    /// Exact for models, all of which are at most affine in the momentum, and their sums (damping and any
    /// torques without momentum, by variation of constants). With a function or a formula of the momentum it is
    /// a step of classical Runge-Kutta, of order 4.
    #[inline(always)]
    pub fn kick<N: Number>(&self, body: &Body<'_, N>, t: N, dt: N, at: &Point<N>) -> Vector<N> {
        let Point { m, q } = *at;
        // The first stage of Runge-Kutta, or the body at rest, to which an affine torque is told apart.
        let mut stage = if self.kick == Kick::Affine { splat([0.0; 3]) } else { m };
        let mut sum = splat([0.0; 3]);
        for (weight, further) in RUNGE_KUTTA {
            let torque = self.torque(body, t, &Point { m: stage, q });
            match self.kick {
                Kick::Constant => return add(m, scale(torque, dt)),
                Kick::Affine => return affine::flow(&self.momentum_matrix(body), torque, dt, m),
                Kick::RungeKutta => {
                    sum = add(sum, scale(torque, N::splat(weight)));
                    stage = add(m, scale(torque, dt * N::splat(further)));
                }
            }
        }
        add(m, scale(sum, dt / N::splat(6.0)))
    }

    /// The matrix A of models whose torque is that on the body at rest plus A m.
    #[inline(always)]
    fn momentum_matrix<N: Number>(&self, body: &Body<'_, N>) -> Matrix<N> {
        let mut matrix: Matrix<N> = [splat([0.0; 3]); 3];
        let mut passed = 0;
        for part in &self.parts {
            let body = &body.after(passed);
            passed += part.parameter_count();
            if let Summand::Model(TorqueKernel::Record(model), _) = part
                && model.dependence() == Dependence::Momentum
            {
                let of_part = model.momentum_matrix(body);
                for j in 0..3 {
                    matrix[j] = add(matrix[j], of_part[j]);
                }
            }
        }
        matrix
    }

    /// Kinetic plus potential energy of one body; kinetic alone where there is no potential.
    pub fn energy(&self, inertia: &Inertia, t: f64, state: &State) -> f64 {
        self.energy_of(&Body::one(inertia, &InertiaOver::new(inertia)), inertia, t, state)
    }

    /// The same of a body whose numbers are at hand.
    pub(crate) fn energy_of(
        &self,
        body: &Body<'_, f64>,
        inertia: &Inertia,
        t: f64,
        state: &State,
    ) -> f64 {
        let potential = self.potential(body, t, state.attitude());
        state.kinetic_energy(inertia) + potential.unwrap_or(0.0)
    }

    /// How the torque on one body changes with its state; none if a function does not say.
    pub(crate) fn jacobian(
        &self,
        body: &Body<'_, f64>,
        t: f64,
        state: &State,
    ) -> Option<TorqueJacobian> {
        let mut sum = TorqueJacobian { rotation: DMat3::ZERO, momentum: DMat3::ZERO };
        for part in &self.parts {
            let of_part = part.jacobian(body, t, state)?;
            sum.rotation += of_part.rotation;
            sum.momentum += of_part.momentum;
        }
        Some(sum)
    }
}
