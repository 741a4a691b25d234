//! The battery of cases on which other programs fail: axes, wobbles, sphere, separatrix, rest,
//! molecular units, angular acceleration. Reference: Taylor series in double-double.

use glam::DVec3;
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};

const BODY: [f64; 3] = [0.375, 0.5, 0.625];

fn motion(inertia: [f64; 3], omega: [f64; 3]) -> FreeMotion {
    let inertia = Inertia::principal(inertia).unwrap();
    let start = State::from_omega(&inertia, omega, so3::from_wxyz([1.0, 0.0, 0.0, 0.0])).unwrap();
    FreeMotion::new(&inertia, start).unwrap()
}

/// Both errors at each time within 1e-15 of the reference, whatever the case.
fn check(name: &str, inertia: [f64; 3], omega: [f64; 3], times: &[f64]) {
    let motion = motion(inertia, omega);
    let start = motion.start();
    let reference = FreeReference::new(inertia, start.m.to_array(), start.attitude());
    for &t in times {
        let (m, q) = reference.at_long(t);
        let state = motion.at(t).unwrap();
        let error =
            momentum_error(state.m.to_array(), m).max(quaternion_distance(state.attitude(), q));
        assert!(error <= 1e-15, "{name}, omega {omega:?}, t = {t}: {error:e}");
    }
}

#[test]
fn generic() {
    check("generic", BODY, [5.0, 0.2, 4.0], &[0.0, 0.37, 1.0, 3.0, 10.0, 1000.0, -25.0]);
}

#[test]
fn symmetric_tops_and_sphere() {
    for inertia in [[0.375, 0.375, 0.625], [0.375, 0.5, 0.5], [0.5, 0.625, 0.5], [0.5, 0.5, 0.5]] {
        check("symmetric", inertia, [5.0, 0.2, 4.0], &[0.37, 10.0, 1000.0]);
    }
}

#[test]
fn principal_axes_and_wobbles() {
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut wobbles = vec![0.0];
            wobbles.extend((1..=16).map(|n| 10f64.powi(-n)));
            for wobble in wobbles {
                let mut omega = [wobble; 3];
                omega[axis] = sign;
                check("axis", BODY, omega, &[0.0, 1.0, 30.0, 1000.0]);
            }
        }
    }
}

#[test]
fn separatrix_and_its_neighbourhood() {
    let at = |d: f64| [3f64.sqrt() * (1.0 + d), 0.5, 1.0];
    check("separatrix", [1.0, 2.0, 3.0], at(0.0), &[0.37, 1.0, 30.0]);
    for n in 1..=16 {
        for d in [10f64.powi(-n), -(10f64.powi(-n))] {
            check("near separatrix", [1.0, 2.0, 3.0], at(d), &[1.0, 30.0, 300.0]);
        }
    }
}

#[test]
fn zero_spin() {
    let rest = motion(BODY, [0.0; 3]);
    for t in [0.0, 1.0, -1e300] {
        assert_eq!(rest.at(t).unwrap(), *rest.start());
    }
}

#[test]
fn molecular_units() {
    check("molecule", [5.0e-46, 6.7e-46, 8.3e-46], [4e12, 1e12, -2e12], &[1e-12, 1e-9]);
}

#[test]
fn angular_acceleration_is_the_derivative() {
    let motion = motion(BODY, [5.0, 0.2, 4.0]);
    // I^-1 (I omega x omega) at t = 0, by hand: (-0.1·5·... ) as the battery states it.
    let want = DVec3::new(-0.8 / 3.0, 10.0, -0.2);
    let got = motion.angular_acceleration_at(0.0).unwrap();
    assert!((got - want).length() < 1e-14, "{got:?}");
    for t in [0.7, 12.3] {
        let h = 1e-4;
        let difference =
            (motion.omega_at(t + h).unwrap() - motion.omega_at(t - h).unwrap()) / (2.0 * h);
        let got = motion.angular_acceleration_at(t).unwrap();
        // The central difference errs by h²/6 times a third derivative of about 1e3.
        assert!((got - difference).length() < 1e-5 * got.length(), "{got:?} {difference:?}");
    }
}
