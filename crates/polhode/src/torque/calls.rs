//! Functions of the user's in lanes: called for one after the other, or for all at once.

use glam::{DMat3, DQuat, DVec3};
use polhode_number::vector::{Vector, cross, largest, scale, subtract};
use polhode_number::{MAX_WIDTH, Number};

use super::summand::SeparateTorque;
use super::{Body, Call, TorqueFunction, TorqueJacobian};
use crate::{Inertia, Point, State, so3};

/// Calls a function of (body, time, state, v) for one lane after the other.
///
/// Where derivatives are taken by differences, the momentum is varied in units of its own size, in which a quaternion
/// is too; one that is zero, or next to the ends of the range, as it is.
pub(super) fn call<'a, N: Number, const V: usize, const O: usize>(
    body: &Body<'a, N>,
    t: N,
    at: &Point<N>,
    v: [N; V],
    mut function: impl FnMut(&'a Inertia, f64, &State, [f64; V]) -> [f64; O],
) -> [N; O] {
    let turning = if body.in_parts { body.inertia.omega(at.m) } else { at.m };
    let mut unit = (N::splat(1.0), N::splat(1.0));
    if N::VARIES {
        let size = largest(turning);
        let usual = N::splat(1e-280).less(size) & size.less(N::splat(1e280));
        unit = N::select(usual, size, unit.0).power_of_two();
    }
    let ([m1, m2, m3], [w, x, y, z]) = (scale(turning, unit.1), at.q);
    let (mut inputs, mut lane) = ([t; 12], 0);
    inputs[1..9].copy_from_slice(&[m1, m2, m3, w, x, y, z, unit.0]);
    inputs[9..9 + V].copy_from_slice(&v);
    N::each_lane(inputs, |[t, m1, m2, m3, w, x, y, z, unit, rest @ ..]: [f64; 12]| {
        let inertia = &body.lanes[lane % body.lanes.len()];
        lane += 1;
        let turning = DVec3::new(m1, m2, m3) * unit;
        let m = if body.in_parts { inertia.momentum(turning) } else { turning };
        let state = State { m, q: so3::from_wxyz([w, x, y, z]) };
        function(inertia, t, &state, core::array::from_fn(|i| rest[i]))
    })
}

impl<N: Number> SeparateTorque<N> for dyn TorqueFunction {
    #[inline(always)]
    fn act(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        // What moves in parts has another momentum than the function is told.
        if N::VARIES && self.has_jacobian() && !body.in_parts {
            call_with_jacobian(self, body, t, at)
        } else if self.is_vectorized() {
            call_at_once(self, body, t, at)
        } else {
            call(body, t, at, [], |inertia, t, state, []| self.torque(inertia, t, state).to_array())
        }
    }
}

/// The torque of a function whose derivatives are known, with these derivatives instead of differences: by momentum
/// and attitude. Its own dependence on time is left out: derivatives are taken at a fixed time.
fn call_with_jacobian<N: Number>(
    function: &dyn TorqueFunction,
    body: &Body<'_, N>,
    t: N,
    at: &Point<N>,
) -> Vector<N> {
    // The same numbers as constants, of which nothing changes.
    let fixed = |x: N| {
        let [x] = x.look_up(|x| [x]);
        x
    };
    let there = Point { m: at.m.map(fixed), q: at.q.map(fixed) };
    let known: [N; 21] = call(body, fixed(t), &there, [], |inertia, t, state, []| {
        let torque = function.torque(inertia, t, state).to_array();
        // Asked only where it says that there are any.
        let TorqueJacobian { rotation, momentum } = function
            .jacobian(inertia, t, state)
            .unwrap_or(TorqueJacobian { rotation: DMat3::NAN, momentum: DMat3::NAN });
        let columns = [rotation.to_cols_array(), momentum.to_cols_array()];
        let mut numbers = [0.0; 21];
        numbers[..3].copy_from_slice(&torque);
        numbers[3..].copy_from_slice(columns.as_flattened());
        numbers
    });
    // Zero, but for their derivatives: the turn, 2 conj(q0) q, and the change of the momentum.
    let ([w0, v0 @ ..], [w, v @ ..]) = (there.q, at.q);
    let turn = subtract(subtract(scale(v, w0), scale(v0, w)), cross(v0, v));
    let changes = [scale(turn, N::splat(2.0)), subtract(at.m, there.m)];
    let changes = changes.as_flattened();
    core::array::from_fn(|i| {
        (0..6).fold(known[i], |torque, j| torque + known[3 + 3 * j + i] * changes[j])
    })
}

/// So many calls at once: more than there are lanes.
const AT_ONCE: usize = 2 * MAX_WIDTH;

/// Calls a vectorized function once for all lanes.
fn call_at_once<N: Number>(
    function: &dyn TorqueFunction,
    body: &Body<'_, N>,
    t: N,
    at: &Point<N>,
) -> Vector<N> {
    let none = Call::new(&body.lanes[0], 0.0, State { m: DVec3::ZERO, q: DQuat::IDENTITY });
    let (mut calls, mut torques, mut count) = ([none; AT_ONCE], [DVec3::NAN; AT_ONCE], 0);
    let _: Vector<N> = call(body, t, at, [], |inertia, t, state, []| {
        if let Some(call) = calls.get_mut(count) {
            *call = Call::new(inertia, t, *state);
        }
        count += 1;
        [0.0; 3]
    });
    if let (Some(calls), Some(torques)) = (calls.get(..count), torques.get_mut(..count)) {
        function.torques(calls, torques);
    }
    let mut asked = 0;
    call(body, t, at, [], |inertia, t, state, []| {
        // Of the differences of duals there may be more than room.
        let known = torques.get(asked).filter(|_| count <= AT_ONCE).copied();
        asked += 1;
        known.unwrap_or_else(|| function.torque(inertia, t, state)).to_array()
    })
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;

    use polhode_number::{Dual, Pack, Splat};

    use super::*;
    use crate::InertiaOver;
    use crate::torque::Dependence;

    /// Depends on everything; counts its calls, and how many were asked for in them.
    struct CallCounter {
        vectorized: bool,
        calls: Arc<[AtomicUsize; 2]>,
    }

    impl TorqueFunction for CallCounter {
        fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3 {
            let mut torque = [DVec3::ZERO];
            self.torques(&[Call::new(body, t, *state)], &mut torque);
            torque[0]
        }

        fn torques(&self, calls: &[Call<'_>], torques: &mut [DVec3]) {
            self.calls[0].fetch_add(1, Ordering::Relaxed);
            self.calls[1].fetch_add(calls.len(), Ordering::Relaxed);
            for (Call { body, t, state }, torque) in calls.iter().zip(torques) {
                *torque = state.q * state.m * *t + body.moments();
            }
        }

        fn is_vectorized(&self) -> bool {
            self.vectorized
        }

        fn dependence(&self) -> Dependence {
            Dependence::Momentum
        }
    }

    fn numbers<N: Number>(
        vectorized: bool,
        bodies: &[Inertia],
        lanes: impl Fn(f64) -> N,
    ) -> (Vector<N>, [usize; 2]) {
        let calls = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let function = CallCounter { vectorized, calls: calls.clone() };
        let inertia = InertiaOver::new(&bodies[0]).map(&mut Splat);
        let body = Body::new(&inertia, bodies);
        let m = [lanes(0.3), lanes(-1.1), lanes(0.7)];
        let at = Point { m, q: [lanes(0.5), lanes(0.5), lanes(-0.5), lanes(0.5)] };
        // Not of a `Torque`, which would compile the kernels of all models in these lanes.
        let got = (&function as &dyn TorqueFunction).act(&body, lanes(2.0), &at);
        (got, [calls[0].load(Ordering::Relaxed), calls[1].load(Ordering::Relaxed)])
    }

    #[test]
    fn all_lanes_at_once_are_what_they_are_one_by_one() {
        let bodies: Vec<Inertia> = (0..16)
            .map(|i| Inertia::principal([1.0, 2.0, 2.0 + 0.05 * f64::from(i)]).unwrap())
            .collect();
        let lane = |x: f64| Pack::<16>(core::array::from_fn(|i| x + 0.01 * i as f64));
        let (at_once, calls) = numbers(true, &bodies, lane);
        let (one_by_one, more) = numbers(false, &bodies, lane);
        assert_eq!((calls, more), ([1, 16], [16, 16]));
        for i in 0..3 {
            assert_eq!(at_once[i].0, one_by_one[i].0);
            assert_ne!(at_once[i].0[3], at_once[i].0[4]);
        }
    }

    #[test]
    fn differences_of_duals_are_the_same_where_there_is_room_and_where_there_is_not() {
        let bodies = [Inertia::principal([1.0, 2.0, 2.5]).unwrap()];
        let narrow = |x: f64| Dual::<Pack<4>, 1>::variable(Pack([x, 1.1 * x, 1.2 * x, 1.3 * x]), 0);
        let wide = |x: f64| Dual::<Pack<16>, 1>::variable(Pack([x; 16]), 0);
        let (at_once, calls) = numbers(true, &bodies, narrow);
        let (one_by_one, _) = numbers(false, &bodies, narrow);
        assert_eq!(calls, [1, 12]);
        for i in 0..3 {
            assert_eq!(at_once[i].slopes[0].0, one_by_one[i].slopes[0].0);
            assert_ne!(at_once[i].slopes[0].0[0], 0.0);
        }
        let (at_once, calls) = numbers(true, &bodies, wide);
        let (one_by_one, _) = numbers(false, &bodies, wide);
        assert_eq!(calls, [48, 48]);
        for i in 0..3 {
            assert_eq!(at_once[i].slopes[0].0, one_by_one[i].slopes[0].0);
        }
    }
}
