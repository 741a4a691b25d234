//! One step, against Runge and Kutta in double precision.

use crate::support::{Dice, product, reference, turned, turned_back, unit};
use polhode_step::{Inertia, step, step_body};

/// The largest error of a component, in units of the last place of the largest component.
fn in_ulps<const N: usize>(got: [f32; N], want: [f64; N]) -> f64 {
    let largest = want.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let ulp = largest.log2().floor().exp2() * f64::from(f32::EPSILON);
    (0..N).map(|i| (f64::from(got[i]) - want[i]).abs() / ulp).fold(0.0, f64::max)
}

/// A body, how it turns, and a time.
struct Case {
    moments: [f32; 3],
    omega: [f32; 3],
    q: [f32; 4],
    h: f32,
}

impl Case {
    /// A turn of that many radians, at the rate of the start.
    #[allow(clippy::cast_possible_truncation, reason = "rounded on purpose")]
    fn throw(dice: &mut Dice, turn: f64) -> Self {
        let rate = (dice.symmetric() * 3.0).exp() * 7.0;
        Self {
            moments: dice.moments().map(|x| x as f32),
            omega: dice.direction::<3>().map(|x| (x * rate) as f32),
            q: dice.direction::<4>().map(|x| x as f32),
            h: (turn / rate) as f32,
        }
    }

    /// Angular velocity in the world and in the body, and rotation, if the body's own axes are turned by the
    /// frame from its principal ones.
    fn after(&self, frame: [f64; 4], world: bool) -> ([f64; 3], [f64; 3], [f64; 4]) {
        let q = unit(self.q.map(f64::from));
        let omega = self.omega.map(f64::from);
        let inside = if world { turned_back(q, omega) } else { omega };
        let start = (turned_back(frame, inside), product(q, frame));
        let (omega, q) = reference(self.moments.map(f64::from), start, f64::from(self.h), 400);
        let [x, y, z, w] = frame;
        (turned(q, omega), turned(frame, omega), product(q, [-x, -y, -z, w]))
    }
}

/// Rounded once, up or down, in units of the last place.
const ONCE: f64 = 1.001;

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

#[test]
fn a_step_of_a_radian_is_rounded_once() {
    let mut dice = Dice(1);
    for turn in [1e-4, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0] {
        for _ in 0..300 {
            let case = Case::throw(&mut dice, turn);
            let inertia = Inertia::principal(case.moments);
            let (mut omega, mut q) = (case.omega, case.q);
            step(&inertia, &mut omega, &mut q, case.h);
            let (want, _, attitude) = case.after(UPRIGHT, true);
            let errors = [in_ulps(omega, want), in_ulps(q, attitude)];
            assert!(errors.iter().all(|x| *x < ONCE), "world, {turn}: {errors:?}");
            let (mut omega, mut q) = (case.omega, case.q);
            step_body(&inertia, &mut omega, &mut q, case.h);
            let (_, want, attitude) = case.after(UPRIGHT, false);
            let errors = [in_ulps(omega, want), in_ulps(q, attitude)];
            assert!(errors.iter().all(|x| *x < ONCE), "body, {turn}: {errors:?}");
        }
    }
}

#[test]
fn longer_turns_are_right_too() {
    let mut dice = Dice(2);
    for turn in [1.5, 3.0] {
        for _ in 0..300 {
            let case = Case::throw(&mut dice, turn);
            let (mut omega, mut q) = (case.omega, case.q);
            step(&Inertia::principal(case.moments), &mut omega, &mut q, case.h);
            let (want, _, attitude) = case.after(UPRIGHT, true);
            let errors = [in_ulps(omega, want), in_ulps(q, attitude)];
            assert!(errors.iter().all(|x| *x < ONCE), "{turn}: {errors:?}");
        }
    }
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn principal_axes_may_lie_anywhere() {
    let mut dice = Dice(3);
    for _ in 0..300 {
        let case = Case::throw(&mut dice, 0.2);
        let frame = dice.direction::<4>();
        let inertia = Inertia::principal_in_frame(case.moments, frame.map(|x| x as f32));
        let rounded = unit(frame.map(|x| f64::from(x as f32)));
        // The tensor has columns I turned(e), in double precision, so that its axes are those of the frame.
        let rows: [[f64; 3]; 3] = core::array::from_fn(|i| {
            let mut axis = [0.0; 3];
            axis[i] = 1.0;
            let along = turned_back(rounded, axis);
            turned(rounded, core::array::from_fn(|j| along[j] * f64::from(case.moments[j])))
        });
        for inertia in [inertia, Inertia::tensor(rows)] {
            let (mut omega, mut q) = (case.omega, case.q);
            step(&inertia, &mut omega, &mut q, case.h);
            let (want, _, attitude) = case.after(rounded, true);
            let errors = [in_ulps(omega, want), in_ulps(q, attitude)];
            assert!(errors.iter().all(|x| *x < ONCE), "world: {errors:?}");
            let (mut omega, mut q) = (case.omega, case.q);
            step_body(&inertia, &mut omega, &mut q, case.h);
            let (_, want, attitude) = case.after(rounded, false);
            let errors = [in_ulps(omega, want), in_ulps(q, attitude)];
            assert!(errors.iter().all(|x| *x < ONCE), "body: {errors:?}");
        }
    }
}

#[test]
fn backwards_is_back() {
    let mut dice = Dice(4);
    for turn in [0.01, 0.1, 1.0] {
        for _ in 0..200 {
            let case = Case::throw(&mut dice, turn);
            let inertia = Inertia::principal(case.moments);
            let (start, attitude) = (case.omega.map(f64::from), unit(case.q.map(f64::from)));
            let (mut omega, mut q) = (start, attitude);
            let h = f64::from(case.h);
            step(&inertia, &mut omega, &mut q, h);
            step(&inertia, &mut omega, &mut q, -h);
            let size = start.iter().map(|x| x * x).sum::<f64>().sqrt();
            for i in 0..3 {
                assert!((omega[i] - start[i]).abs() < 4e-14 * size, "{turn}: {omega:?} {start:?}");
            }
            for i in 0..4 {
                assert!((q[i] - attitude[i]).abs() < 4e-14, "{turn}: {q:?} {attitude:?}");
            }
        }
    }
}

#[test]
fn a_sphere_turns_about_its_angular_velocity() {
    let mut dice = Dice(5);
    for turn in [0.001, 0.1, 0.3, 0.69, 2.0, 40.0] {
        let axis = dice.direction::<3>();
        let start = dice.direction::<4>();
        let (sine, cosine) = (turn / 2.0_f64).sin_cos();
        let spin = [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine];
        let inertia = Inertia::principal([2.0_f64; 3]);
        for (world, want) in [(true, product(spin, start)), (false, product(start, spin))] {
            let (mut omega, mut q) = (axis.map(|x| x * 2.0), start);
            let kept = omega;
            if world {
                step(&inertia, &mut omega, &mut q, turn / 2.0);
            } else {
                step_body(&inertia, &mut omega, &mut q, turn / 2.0);
            }
            assert_eq!(omega, kept);
            for i in 0..4 {
                let allowed = 4e-16 * (1.0 + turn);
                assert!((q[i] - want[i]).abs() < allowed, "{turn}, {world}: {q:?} {want:?}");
            }
        }
    }
}

#[test]
fn a_sphere_in_single_precision_is_rounded_once() {
    let mut dice = Dice(9);
    for turn in [1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 1.0, 3.0] {
        for _ in 0..300 {
            let case = Case { moments: [2.0; 3], ..Case::throw(&mut dice, turn) };
            let (mut omega, mut q) = (case.omega, case.q);
            step(&Inertia::principal(case.moments), &mut omega, &mut q, case.h);
            let (_, _, attitude) = case.after(UPRIGHT, true);
            // The quaternion of a short step keeps its length, which is one to half a unit.
            assert!(
                omega == case.omega && in_ulps(q, attitude) < 1.6,
                "{turn}: {q:?} {attitude:?}"
            );
        }
    }
}

#[test]
fn rounding_is_right_on_average() {
    // Changes of a tenth of a unit would be lost if they were rounded to the nearest: the error would be minus the
    // change. The same step in double precision is the reference.
    let mut dice = Dice(10);
    for turn in [1e-8, 1e-6, 1e-3] {
        let (mut along, mut squares) = (0.0, 0.0);
        for _ in 0..20_000 {
            let case = Case::throw(&mut dice, turn);
            let inertia = Inertia::principal(case.moments);
            let (mut omega, mut q) = (case.omega, case.q);
            step(&inertia, &mut omega, &mut q, case.h);
            let (mut exact, mut attitude) = (case.omega.map(f64::from), case.q.map(f64::from));
            step(&inertia, &mut exact, &mut attitude, f64::from(case.h));
            for i in 0..3 {
                let ulp = exact[i].abs().log2().floor().exp2() * f64::from(f32::EPSILON);
                let change = (exact[i] - f64::from(case.omega[i])) / ulp;
                // Of one unit at most, so that each case has the same weight.
                let change = change.clamp(-1.0, 1.0);
                along += change * (f64::from(omega[i]) - exact[i]) / ulp;
                squares += change * change;
            }
        }
        let lost = along / squares;
        assert!(lost.abs() < 0.02, "{turn}: {lost} of a change is lost");
    }
}
