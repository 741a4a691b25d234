//! The kernels over duals: their slopes are the derivatives of what they compute over doubles.
//!
//! Short steps of every rotor that has a kernel, and a splitting with each, on a body without symmetry; against central
//! differences, whose error is 1e-8/6 of a third derivative of order one.

use polhode_number::vector::{Quaternion, Vector, add, turn};
use polhode_number::{Constant, Dual, Number, Splat};

use super::unit_step::{RotorKernel, ScaledStep, UnitBody, UnitKernel, UnitStep};
use super::{LaneKernel, ROTORS, each_kernel, exact, find};
use crate::method::{FreeFlow, KickMemory, SchemeStep, StepError};
use crate::torque::{Body, HeavyTop, Torque};
use crate::{Inertia, InertiaOver, Point};

fn inertia() -> Inertia {
    // In increasing order and of order one: the kernels' own axes and units.
    Inertia::principal([1.0, 1.4, 1.9]).unwrap()
}

fn unit_step<N: Number, K: UnitKernel>(
    body: &UnitBody<K>,
    m: Vector<N>,
    h: N,
) -> (Vector<N>, Quaternion<N>) {
    let scaled = ScaledStep::new(m, h, N::splat(body.inertia_scale));
    let (increment, _) = body.kernel.over(&mut Splat).step(scaled.m, scaled.h, scaled.size);
    let (change, r) = K::Over::<N>::change(&increment);
    (if K::Over::<N>::ADDS { add(m, change) } else { change }, r)
}

/// Momentum and rotation minus one after a step of length h. Out of line: one copy for each kind of number.
#[inline(never)]
fn step<N: Number>(kernel: LaneKernel, m: Vector<N>, h: N) -> [N; 7] {
    let body = inertia();
    let (after, r) = each_kernel!(kernel, one => unit_step(&one.unit_body(&body), m, h));
    [after[0], after[1], after[2], r[0], r[1], r[2], r[3]]
}

impl<N: Number> FreeFlow<N> for LaneKernel {
    type At = Point<N>;

    fn drift(
        &mut self,
        h: N,
        at: &mut Point<N>,
        _: &mut Option<Vector<N>>,
    ) -> Result<N::Mask, StepError> {
        let [m1, m2, m3, w, x, y, z] = step(*self, at.m, h);
        *at = Point { m: [m1, m2, m3], q: turn(at.q, [w, x, y, z]) };
        Ok(N::splat(0.0).less(N::splat(1.0)))
    }
}

/// Momentum and attitude after a step of a splitting on a heavy top.
fn splitting<N: Number>(mut kernel: LaneKernel, m: Vector<N>, h: N) -> [N; 7] {
    let scheme = crate::composition::SCHEMES.iter().find(|s| s.id == "sbabg4").unwrap();
    let torque = Torque::from(HeavyTop::new([0.2, -0.3, 0.8], [0.1, 0.2, 1.0]).unwrap());
    let body = inertia();
    let over = InertiaOver::new(&body).map(&mut Splat);
    let mut at = Point { m, q: [0.8, -0.1, 0.5, 0.3].map(N::splat) };
    let stages = SchemeStep {
        stages: &scheme.stages,
        torque: &torque,
        body: Body::new(&over, core::slice::from_ref(&body)),
    };
    let mut memory = KickMemory::new(None);
    stages.step(&mut kernel, &mut memory, (N::splat(0.0), h), &mut at).unwrap();
    let ([a, b, c], [w, x, y, z]) = (at.m, at.q);
    [a, b, c, w, x, y, z]
}

/// Compares the slopes with differences, by one variable after the other.
fn check(
    name: &str,
    h: f64,
    f: impl Fn([f64; 4]) -> [f64; 7],
    dual: impl Fn([Dual<f64, 1>; 4]) -> [Dual<f64, 1>; 7],
) {
    let at = [0.4, -0.3, 0.9, h];
    for k in 0..4 {
        let mut moving = at.map(Dual::constant);
        moving[k].slopes = [1.0];
        let got = dual(moving);
        assert_eq!(got.map(|x| x.value), f(at), "{name}: values have the bits of doubles");
        let moved = |e: f64| {
            let mut at = at;
            at[k] += e;
            f(at)
        };
        let (more, less) = (moved(1e-4), moved(-1e-4));
        for i in 0..7 {
            let want = (more[i] - less[i]) / 2e-4;
            let got = got[i].slopes[0];
            assert!((got - want).abs() < 2e-8, "{name} at {h}: [{i}] by {k}: {got} {want}");
        }
    }
}

#[test]
fn slopes_of_kernels_are_their_derivatives() {
    let kernels = ROTORS.iter().filter_map(|entry| Some(entry.lanes?(&find(entry.id).unwrap().1)));
    for kernel in kernels {
        // Of the exact step a tiny one, a short one, and one of the general path.
        for h in [0.01, 0.08, 0.4] {
            check(
                &format!("{kernel:?}"),
                h,
                |[x, y, z, h]| step(kernel, [x, y, z], h),
                |[x, y, z, h]| step(kernel, [x, y, z], h),
            );
            check(
                &format!("sbabg4+{kernel:?}"),
                h,
                |[x, y, z, h]| splitting(kernel, [x, y, z], h),
                |[x, y, z, h]| splitting(kernel, [x, y, z], h),
            );
        }
    }
}

#[test]
fn a_constant_has_no_slope() {
    let still = [0.4, -0.3, 0.9].map(|x| polhode_number::Lift::lift(&mut Constant, x));
    let got: [Dual<f64, 1>; 7] = step(exact::ExactKernel.into(), still, Dual::constant(0.05));
    assert!(got.iter().all(|x| x.slopes == [0.0]));
}
