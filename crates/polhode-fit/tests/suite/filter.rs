//! The filter, sample by sample.

use glam::DVec3;
use polhode::so3;
use polhode_fit::{Filter, FilterOptions, FitError, FitOptions, fit};
use polhode_testkit::bodies::Rng;

use crate::simulated::{gyro, noise, quaternions, times, usual, usual_gyro};

#[test]
fn the_filter_finds_the_body_and_knows_how_well() {
    let (motion, mut rng) = (usual(), Rng::new(41));
    let size = 5e-3;
    let times = times(1500, 0.1);
    let omega = gyro(&motion, &times, size, &mut rng);
    let mut filter = Filter::new(times[0], omega[0], size, FilterOptions::default()).unwrap();
    let mut squares = Vec::new();
    for (t, w) in times.iter().zip(&omega).skip(1) {
        squares.push(filter.gyro(*t, *w, size).unwrap().square);
    }
    for (estimate, want) in filter.ratios().into_iter().zip([1.0 / 2.2, 1.7 / 2.2]) {
        let pull = (estimate.value - want) / estimate.deviation;
        assert!(pull.abs() < 5.0 && estimate.deviation < 3e-3, "{estimate:?}");
    }
    // Of mean three and variance six; the second half has 750, so the mean is within 0.09 or so.
    let late = &squares[750..];
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    assert!((mean - 3.0).abs() < 0.4, "{mean}");
    let there = motion.omega_at(filter.time()).unwrap();
    let (omega, deviation) = filter.omega();
    for i in 0..3 {
        assert!((omega[i] - there[i]).abs() < 5.0 * deviation[i] && deviation[i] < size);
    }
}

#[test]
fn a_fit_goes_on_as_a_filter_and_agrees_with_a_longer_fit() {
    let size = 2e-3;
    let short = usual_gyro(100, 0.3, size, 42);
    let long = usual_gyro(300, 0.3, size, 42);
    let options = FitOptions::default().with(|o| o.gyro_noise = Some([size; 3]));
    let first = fit(&short, &options).unwrap();
    let all = fit(&long, &options).unwrap();
    let mut filter = Filter::from_fit(&first, FilterOptions::default()).unwrap();
    let (times, omega) = long.gyro.unwrap();
    for (t, w) in times.iter().zip(&omega).skip(100) {
        filter.gyro(*t, *w, size).unwrap();
    }
    for (a, b) in filter.ratios().iter().zip(&all.estimates) {
        assert!((a.value - b.value).abs() < 0.5 * b.deviation, "{a:?} {b:?}");
        assert!((a.deviation / b.deviation - 1.0).abs() < 0.2, "{a:?} {b:?}");
    }
}

#[test]
fn attitudes_tell_the_bias_and_outliers_are_left_aside() {
    let (motion, mut rng) = (usual(), Rng::new(43));
    let times = times(2000, 0.1);
    let bias = DVec3::new(0.03, -0.02, 0.01);
    let q = quaternions(&motion, &times, 1e-3, &mut rng);
    let options = FilterOptions::default().with(|o| {
        o.bias = 0.05;
        o.gate = 50.0;
    });
    let start = motion.omega_at(times[0]).unwrap() + bias;
    let mut filter = Filter::new(times[0], start.to_array(), 0.06, options).unwrap();
    let mut left = 0;
    for (k, t) in times.iter().enumerate().skip(1) {
        let mut shown = motion.omega_at(*t).unwrap() + bias + noise(&mut rng, 5e-3);
        if k % 100 == 99 {
            shown += DVec3::splat(1.0);
        }
        left += usize::from(!filter.gyro(*t, shown.to_array(), 5e-3).unwrap().used);
        if k % 5 == 0 {
            filter.star_tracker(*t, q[k], 1e-3).unwrap();
        }
    }
    assert!((18..=25).contains(&left), "{left}");
    let (found, deviation) = filter.bias();
    for i in 0..3 {
        assert!((found[i] - bias[i]).abs() < 5.0 * deviation[i] && deviation[i] < 2e-3);
    }
    let (attitude, _) = filter.attitude().unwrap();
    let there = motion.at(filter.time()).unwrap().q;
    assert!(so3::angle_between(so3::from_wxyz(attitude), there) < 2e-3);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let options = FilterOptions::default();
    assert!(Filter::new(0.0, [1.0, 0.0, 0.0], 0.0, options).is_err());
    assert!(Filter::new(0.0, [f64::NAN, 0.0, 0.0], 1.0, options).is_err());
    let wrong = options.with(|o| o.acceleration = -1.0);
    assert!(Filter::new(0.0, [1.0, 0.0, 0.0], 1.0, wrong).is_err());
    let mut filter = Filter::new(0.0, [1.0, 0.2, 0.0], 0.1, options).unwrap();
    let refused = filter.gyro(1.0, [f64::NAN, 0.0, 0.0], 0.1);
    assert!(matches!(refused, Err(FitError::NotFinite { .. })));
    assert!(filter.star_tracker(1.0, [0.0; 4], 0.1).is_err());
    assert_eq!((filter.time(), filter.omega().0), (0.0, [1.0, 0.2, 0.0]));
}
