//! A closure that is compiled into the steps.

use polhode_number::vector::Vector;
use polhode_number::{Lift, Number};

use crate::torque::{Acts, Body, Dependence, Record};
use crate::{Point, State};

/// A torque of a closure (time, state) -> torque in the body frame, which the compiler knows: for
/// [`Solver::compiled`](super::Solver::compiled).
///
/// ```
/// use polhode::glam::DVec3;
/// use polhode::solve::ClosureTorque;
/// use polhode::{Inertia, Problem, State};
/// let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, State::aligned([1.0, 0.0, 0.2])?);
/// let spring = ClosureTorque::new(|_t, state| state.q.conjugate() * DVec3::X * 0.1);
/// let solution = problem.solver().compiled(spring).tolerance(1e-9).until(10.0)?;
/// assert_eq!(solution.method().id(), "extrapolation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ClosureTorque<F>(F);

impl<F: Fn(f64, &State) -> glam::DVec3 + Copy> ClosureTorque<F> {
    /// The torque of this closure.
    pub fn new(torque: F) -> Self {
        Self(torque)
    }
}

impl<F: Fn(f64, &State) -> glam::DVec3 + Copy> Record for ClosureTorque<F> {
    type Over<N: Number> = Self;

    #[inline(always)]
    fn over<N: Number>(&self, _lift: &mut impl Lift<f64, N>) -> Self {
        *self
    }
}

impl<F: Fn(f64, &State) -> glam::DVec3 + Copy, N: Number> Acts<N> for ClosureTorque<F> {
    const DEPENDENCE: Dependence = Dependence::Momentum;
    const DEPENDS_ON_TIME: bool = true;

    #[inline(always)]
    fn torque(&self, _body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        let ([m1, m2, m3], [w, x, y, z]) = (at.m, at.q);
        N::each_lane([t, m1, m2, m3, w, x, y, z], |[t, m1, m2, m3, w, x, y, z]| {
            let point = Point { m: [m1, m2, m3], q: [w, x, y, z] };
            (self.0)(t, &State::from(point)).to_array()
        })
    }
}
