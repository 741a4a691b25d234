//! How strong a torque is on a body, before anything is known of the motion.

use super::choice::{ChooseField, OrbitForm, PullForm};
use super::general_field::AnyTorque;
use crate::torque::{Body, Record};
use crate::{Inertia, Point, Problem, so3};
use polhode_number::vector::{Quaternion, product, splat};
use polhode_number::{Kernel, PackedNumber, Registers, Splat};

/// What the length of the torque on this body never exceeds, where its form tells.
pub(super) struct TorqueBound<'a>(pub(super) &'a Inertia);

impl ChooseField for TorqueBound<'_> {
    type Output = Option<f64>;

    fn plain<R: Record + Send + Sync + 'static>(self, _record: &R) -> Option<f64> {
        None
    }

    fn pull(self, PullForm { centre, up }: PullForm) -> Option<f64> {
        Some(so3::quick_length(centre.into()) * so3::quick_length(up.into()))
    }

    /// 3 n² c x I c, where c is a unit vector.
    fn orbit(self, OrbitForm { rate, .. }: OrbitForm) -> Option<f64> {
        let moments = self.0.moments();
        Some(1.5 * (rate * rate) * (moments.max_element() - moments.min_element()))
    }

    fn general(self) -> Option<f64> {
        None
    }
}

/// The length of the torque at several attitudes, where it is largest: it may be zero at one, and at half turns from
/// it. Each at a time of its own from the start until this one: it may come later.
pub(super) fn strongest(
    problem: &Problem,
    acting: &impl AnyTorque,
    until: f64,
    registers: Registers,
) -> f64 {
    registers.four(Strongest { problem, acting, span: until - problem.t0() })
}

/// Rotations from the start, each with half turns about all axes besides. Not the start itself, where the torque is
/// zero more often than elsewhere.
const TILTS: [Quaternion<f64>; 2] = [[0.8, 0.4, -0.2, 0.4], [0.5, -0.1, 0.7, 0.5]];

/// With half turns about three axes and without.
pub(super) const ATTITUDES: u64 = 4 * TILTS.len() as u64;

/// Eighths of the span, in another order than that of the attitudes.
const EIGHTHS: [[f64; 4]; 2] = [[0.0, 4.0, 2.0, 6.0], [1.0, 5.0, 3.0, 7.0]];

struct Strongest<'a, A> {
    problem: &'a Problem,
    acting: &'a A,
    /// Over which each attitude has a time of its own, the first one the start.
    span: f64,
}

impl<A: AnyTorque> Kernel for Strongest<'_, A> {
    type Output = f64;

    #[inline(always)]
    fn run<L: PackedNumber>(self) -> f64 {
        let Self { problem, acting, span } = self;
        let (t0, start) = (problem.t0(), problem.start());
        let over = problem.inertia_over().map(&mut Splat);
        let body = Body::new(&over, core::slice::from_ref(problem.inertia()));
        let half_turns = [
            L::load(&[1.0, 0.0, 0.0, 0.0]),
            L::load(&[0.0, 1.0, 0.0, 0.0]),
            L::load(&[0.0, 0.0, 1.0, 0.0]),
            L::load(&[0.0, 0.0, 0.0, 1.0]),
        ];
        let mut most = 0.0_f64;
        for (tilt, eighths) in TILTS.into_iter().zip(EIGHTHS) {
            let [w, x, y, z] = product(start.attitude(), tilt);
            let q = product([L::splat(w), L::splat(x), L::splat(y), L::splat(z)], half_turns);
            let at = Point { m: splat(start.m.to_array()), q };
            let times = eighths.map(|eighths| t0 + span * (0.125 * eighths));
            let torque = acting.torque(&body, L::load(&times), &at);
            let mut lanes = [[0.0; 4]; 3];
            for i in 0..3 {
                torque[i].store(&mut lanes[i]);
            }
            let [x, y, z] = lanes;
            for i in 0..4 {
                most = most.max(so3::quick_length([x[i], y[i], z[i]].into()));
            }
        }
        most
    }
}
