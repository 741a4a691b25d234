//! Bodies of every kind.

use glam::{DQuat, DVec3};
use polhode::so3;
use polhode_fit::{Data, Fit, FitOptions, Indeterminacy, fit};
use polhode_testkit::bodies::{BodyClass, Rng, body};

use crate::simulated::{gyro, motion, quaternions, times, usual, usual_gyro};

/// The deviations of the ratios in units of their own.
fn pulls(fit: &Fit, moments: [f64; 3]) -> [f64; 2] {
    let mut sorted = moments;
    sorted.sort_by(f64::total_cmp);
    [0, 1].map(|i| {
        let estimate = &fit.estimates[i];
        (estimate.value - sorted[i] / sorted[2]) / estimate.deviation
    })
}

#[test]
fn a_body_is_found_from_its_gyro() {
    let noise = 2e-3;
    let options = FitOptions::default().with(|o| o.gyro_noise = Some([noise; 3]));
    let found = fit(&usual_gyro(200, 0.3, noise, 1), &options).unwrap();
    assert_eq!(found.doubts, []);
    assert_eq!(found.undetermined, [Indeterminacy::Scale]);
    for pull in pulls(&found, [1.0, 1.7, 2.2]) {
        assert!(pull.abs() < 4.0, "{pull}");
    }
    assert!(found.estimates[..2].iter().all(|e| e.deviation < 2e-3), "{:?}", found.estimates);
    // 592 degrees of freedom: chi-square within five of its deviations, sqrt(2/592) = 0.058.
    assert!((found.reduced_chi_square() - 1.0).abs() < 0.29);
    let there = usual().omega_at(found.epoch).unwrap();
    for i in 0..3 {
        let estimate = found.get(["omega.x", "omega.y", "omega.z"][i]).unwrap();
        assert!((estimate.value - there[i]).abs() < 4.5 * estimate.deviation);
    }
}

#[test]
fn noise_that_is_not_given_is_found() {
    let found = fit(&usual_gyro(400, 0.3, 5e-3, 2), &FitOptions::default()).unwrap();
    let noise = found.gyro_noise.unwrap();
    // 1,200 numbers: the deviation of a deviation is 2 %.
    assert!((noise[0] / 5e-3 - 1.0).abs() < 0.1, "{noise:?}");
    assert!(!found.noise_given && found.doubts.is_empty(), "{:?}", found.doubts);
}

#[test]
fn units_do_not_matter() {
    let data = usual_gyro(100, 0.3, 1e-3, 3);
    let (times, omega) = data.gyro.clone().unwrap();
    let base = fit(&data, &FitOptions::default()).unwrap();
    let times: Vec<f64> = times.iter().map(|t| t * 1e-6).collect();
    let omega: Vec<[f64; 3]> = omega.iter().map(|w| w.map(|x| x * 1e6)).collect();
    let other = fit(&Data::gyro(&times, &omega), &FitOptions::default()).unwrap();
    for (a, b) in base.estimates.iter().zip(&other.estimates).take(2) {
        assert!((a.value - b.value).abs() < 1e-3 * a.deviation, "{a:?} {b:?}");
    }
    // Rows that go back in time say the same.
    let (mut times, mut omega) = data.gyro.unwrap();
    times.reverse();
    omega.reverse();
    let reversed = fit(&Data::gyro(&times, &omega), &FitOptions::default()).unwrap();
    assert_eq!(reversed.moments, base.moments);
}

#[test]
fn attitudes_alone_tell_the_body() {
    let motion = usual();
    let times = times(150, 0.5);
    let q = quaternions(&motion, &times, 1e-3, &mut Rng::new(4));
    let found = fit(&Data::attitude(&times, &q), &FitOptions::default()).unwrap();
    assert_eq!(found.doubts, []);
    for pull in pulls(&found, [1.0, 1.7, 2.2]) {
        assert!(pull.abs() < 4.0, "{pull}");
    }
    assert!(found.estimates[..2].iter().all(|e| e.deviation < 2e-3));
    let there = motion.at(found.epoch).unwrap().q;
    let got = so3::from_wxyz(found.attitude.unwrap());
    assert!(so3::angle_between(there, got) < 2e-3);
    assert!((found.attitude_noise.unwrap() / 1e-3 - 1.0).abs() < 0.2);
}

#[test]
fn a_prediction_is_as_good_as_it_says() {
    let found = fit(&usual_gyro(200, 0.3, 2e-3, 5), &FitOptions::default()).unwrap();
    let ahead: Vec<f64> = (0..40).map(|i| 100.0 + 5.0 * f64::from(i)).collect();
    let mut square = 0.0;
    for (t, there) in ahead.iter().zip(found.predict(&ahead).unwrap()) {
        let omega = usual().omega_at(*t).unwrap();
        for i in 0..3 {
            let pull = (there.omega[i] - omega[i]) / there.omega_deviation[i];
            assert!(pull.abs() < 5.0, "{pull} at {t}");
            square += pull * pull / 120.0;
        }
    }
    // All depend on the same eight numbers: the mean square scatters widely, but is of order one.
    assert!((0.05..4.0).contains(&square), "{square}");
    let later = found.predict(&[1000.0]).unwrap()[0].omega_deviation;
    assert!(later[0] > 3.0 * found.predict(&[35.0]).unwrap()[0].omega_deviation[0]);
}

#[test]
fn more_data_need_no_new_search() {
    let short = fit(&usual_gyro(100, 0.3, 2e-3, 5), &FitOptions::default()).unwrap();
    let data = usual_gyro(200, 0.3, 2e-3, 5);
    let (again, anew) =
        (short.refit(&data, &FitOptions::default()), fit(&data, &FitOptions::default()));
    let (again, anew) = (again.unwrap(), anew.unwrap());
    for (a, b) in again.estimates.iter().zip(&anew.estimates) {
        // Both end within a thousandth of a deviation of the optimum.
        assert!((a.value - b.value).abs() <= 0.01 * b.deviation, "{a:?} {b:?}");
    }
    assert_eq!(again.epoch, anew.epoch);
}

#[test]
fn a_profile_is_a_parabola_where_the_data_are_good() {
    let found = fit(&usual_gyro(200, 0.3, 2e-3, 6), &FitOptions::default()).unwrap();
    let [a, b] = [&found.estimates[0], &found.estimates[1]];
    for (which, estimate) in [a, b].into_iter().enumerate() {
        let values = [-2.0, -1.0, 1.0, 2.0].map(|k| estimate.value + k * estimate.deviation);
        let profile = found.profile(which, &values).unwrap();
        for (got, want) in profile.iter().zip([-2.0, -0.5, -0.5, -2.0]) {
            assert!((got - want).abs() < 0.1 * want.abs(), "{which}: {profile:?}");
        }
    }
    assert!(found.profile(2, &[0.5]).is_err());
    assert!(found.profile(0, &[1.5]).is_err());
}

/// The smaller brother of the campaign in `docs/fit-campaign.md`.
#[test]
fn random_bodies_are_found_without_a_guess() {
    let mut rng = Rng::new(7);
    let (mut judged, mut right, mut within) = (0, 0, 0);
    for k in 0..48 {
        let class = match k % 6 {
            0 | 1 => BodyClass::Generic,
            2 => BodyClass::NearSymmetricOblate(0.05),
            3 => BodyClass::NearSymmetricProlate(0.05),
            4 => BodyClass::NearAxis { axis: [0, 2][k / 6 % 2], d: 0.2 },
            _ => BodyClass::NearSeparatrix(0.1 * rng.sign()),
        };
        let random = body(class, &mut rng);
        let omega: [f64; 3] = core::array::from_fn(|i| random.momentum[i] / random.inertia[i]);
        let turn =
            if k % 2 == 0 { DQuat::IDENTITY } else { so3::exp(DVec3::from_array(rng.direction())) };
        let motion = motion(random.inertia, omega, turn, DQuat::IDENTITY);
        let rate = DVec3::from_array(omega).length();
        let noise = [1e-3, 1e-2][k % 4 / 2] * rate;
        let times = times(120, core::f64::consts::TAU / rate / 12.0);
        let data = Data::gyro(&times, &gyro(&motion, &times, noise, &mut rng));
        let options = FitOptions::default().with(|o| o.gyro_noise = Some([noise; 3]));
        let found = fit(&data, &options).unwrap();
        let determined = found.estimates[..2].iter().all(|e| e.deviation < 0.1 * e.value);
        if !determined || found.rivals.iter().any(|r| r.less < 10.0) {
            continue;
        }
        judged += 1;
        let pulls = pulls(&found, random.inertia);
        right += usize::from(pulls.iter().all(|x| x.abs() < 5.0) && found.doubts.is_empty());
        within += pulls.iter().filter(|x| x.abs() < 1.0).count();
    }
    assert!(judged >= 36, "{judged}");
    assert_eq!(right, judged);
    // Two ratios each, 68 % within one deviation; four deviations of a binomial of 72 are 22 %.
    let share = within as f64 / (2 * judged) as f64;
    assert!((0.46..0.9).contains(&share), "{share}");
}
