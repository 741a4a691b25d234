//! What the data cannot tell is said.

use glam::DQuat;
use polhode::so3;
use polhode_fit::{Data, FitOptions, Indeterminacy, fit};
use polhode_testkit::bodies::Rng;

use crate::simulated::{gyro, motion, quaternions, times};

fn measured(moments: [f64; 3], omega: [f64; 3], noise: f64, seed: u64) -> Data {
    let turn = so3::exp(glam::DVec3::new(0.7, 0.1, -0.4));
    let motion = motion(moments, omega, turn, DQuat::IDENTITY);
    let times = times(200, 0.3);
    Data::gyro(&times, &gyro(&motion, &times, noise, &mut Rng::new(seed)))
}

#[test]
fn a_spin_about_one_axis_hides_both_ratios() {
    for (seed, noise) in [(1, 1e-4), (2, 1e-2), (3, 1e-1), (4, 1e-2), (5, 1e-3)] {
        for axis in 0..3 {
            let mut omega = [0.0; 3];
            omega[axis] = 1.0;
            // Near the middle axis noise-free data stay there as well: an exact motion is exact.
            let found = fit(&measured([1.0, 1.5, 2.0], omega, noise, seed), &FitOptions::default());
            let found = found.unwrap();
            assert!(found.undetermined.contains(&Indeterminacy::SteadySpin), "{axis} {noise}");
            assert!(found.estimates[..2].iter().all(|e| e.deviation.is_infinite()));
            let band = found.predict(&[found.epoch]).unwrap()[0];
            assert!(band.omega_deviation.iter().all(|x| *x < 0.5 * noise));
        }
    }
}

#[test]
fn a_sphere_is_a_spin_about_one_axis() {
    let found = fit(&measured([1.0; 3], [0.3, 0.4, 0.5], 1e-3, 6), &FitOptions::default()).unwrap();
    assert!(found.undetermined.contains(&Indeterminacy::SteadySpin));
}

#[test]
fn a_symmetric_body_hides_the_axes_of_equal_moments() {
    for seed in 0..6 {
        for (moments, open) in [
            ([1.0, 1.0, 1.7], Indeterminacy::Axes(1, 2)),
            ([0.6, 1.0, 1.0], Indeterminacy::Axes(2, 3)),
        ] {
            let found =
                fit(&measured(moments, [0.4, 0.2, 0.9], 1e-3, seed), &FitOptions::default());
            let found = found.unwrap();
            assert!(found.undetermined.contains(&open), "{moments:?}: {:?}", found.undetermined);
            let about = if moments[0] == 1.0 { "axis3" } else { "axis1" };
            let turn = found.get(&format!("turn about {about}")).unwrap();
            assert!(turn.deviation.is_infinite());
            // What is determined is right.
            let estimate = &found.estimates[0];
            assert!(estimate.deviation < 0.02 && estimate.deviation > 0.0, "{estimate:?}");
        }
    }
}

#[test]
fn an_arc_too_short_determines_nothing() {
    let turn = DQuat::IDENTITY;
    let motion = motion([1.0, 1.7, 2.2], [0.5, 0.6, 0.7], turn, turn);
    // A twentieth of a radian, with noise of a tenth of the rate.
    let times = times(50, 1e-3);
    let data = Data::gyro(&times, &gyro(&motion, &times, 0.1, &mut Rng::new(8)));
    let found = fit(&data, &FitOptions::default()).unwrap();
    assert!(found.estimates[..2].iter().all(|e| e.deviation.is_infinite()), "{found:?}");
    assert!(found.undetermined.len() > 1);
}

#[test]
fn attitudes_of_a_steady_spin_hide_both_ratios() {
    let motion = motion([1.0, 1.5, 2.0], [0.0, 0.0, 1.0], DQuat::IDENTITY, DQuat::IDENTITY);
    let times = times(100, 0.4);
    let q = quaternions(&motion, &times, 1e-3, &mut Rng::new(9));
    let found = fit(&Data::attitude(&times, &q), &FitOptions::default()).unwrap();
    assert!(found.undetermined.contains(&Indeterminacy::SteadySpin));
    assert!(found.undetermined[0].to_string().contains("scale of the inertia"));
}
