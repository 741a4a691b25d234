//! Data that cannot be right get a message, not an answer.

use glam::{DQuat, DVec3};
use polhode::so3;
use polhode_fit::{Data, Doubt, FitError, FitOptions, FitParameter, fit};
use polhode_testkit::bodies::Rng;

use crate::simulated::{gyro, motion, quaternions, times, usual, usual_gyro};

fn message(data: &Data) -> String {
    fit(data, &FitOptions::default()).unwrap_err().to_string()
}

/// The usual gyro with its rows changed.
fn changed(change: impl Fn(usize, &mut f64, &mut [f64; 3])) -> Data {
    let mut data = usual_gyro(120, 0.3, 1e-3, 31);
    let (times, omega) = data.gyro.as_mut().unwrap();
    for (i, (t, w)) in times.iter_mut().zip(omega).enumerate() {
        change(i, t, w);
    }
    data
}

#[test]
fn what_cannot_be_used_is_refused() {
    for (data, words) in [
        (Data::default(), "neither angular velocity"),
        (usual_gyro(2, 0.3, 1e-3, 31), "2 samples; at least 4"),
        (
            changed(|i, t, _| {
                if i == 7 {
                    *t = 4.8;
                }
            }),
            "sample 7: angular velocity: t = 4.8 after 4.8",
        ),
        (
            changed(|i, t, _| {
                if i == 9 {
                    *t = 0.0;
                }
            }),
            "sample 9",
        ),
        (
            changed(|i, t, _| {
                if i == 9 {
                    *t = f64::NAN;
                }
            }),
            "sample 9: time holds NaN",
        ),
        (
            changed(|i, _, w| {
                if i == 9 {
                    w[2] = f64::INFINITY;
                }
            }),
            "sample 9: angular velocity holds inf",
        ),
        (changed(|_, _, w| *w = [0.0; 3]), "no motion"),
        (Data::gyro(&[0.0, 1.0, 2.0], &[[1.0; 3]; 2]), "2 rows, but there are 3 times"),
        (Data::attitude(&[0.0, 1.0, 2.0], &[[1.0, 0.0, 0.0, 0.0]; 3]), "attitude: 3 samples"),
        (
            Data::attitude(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &[[1.0, 0.0, 0.0, 0.0]; 6]),
            "no motion: the attitude",
        ),
        (Data::attitude(&[0.0, 1.0, 2.0, 3.0, 4.0], &[[0.0; 4]; 5]), "length zero"),
    ] {
        let message = message(&data);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn options_that_cannot_be_are_refused() {
    let data = usual_gyro(50, 0.3, 1e-3, 32);
    let noise = FitOptions::default().with(|o| o.gyro_noise = Some([1e-3, 0.0, 1e-3]));
    assert!(matches!(fit(&data, &noise), Err(FitError::Option { field: "gyro_noise", .. })));
    let bias = [FitParameter::free(1.0).within(2.0, 3.0); 3];
    let sensor = FitOptions::default().with(|o| o.sensor.bias = bias);
    assert!(fit(&data, &sensor).unwrap_err().to_string().contains("between min and max"));
}

#[test]
fn wrong_units_are_recognised() {
    for (data, words) in [
        (changed(|_, _, w| *w = w.map(f64::to_degrees)), "in degrees"),
        (changed(|_, t, _| *t *= 1e3), "milliseconds"),
    ] {
        let found = fit(&data, &FitOptions::default()).unwrap();
        let said = found.doubts.first().map(ToString::to_string).unwrap_or_default();
        assert!(said.contains(words), "{words}: {:?}", found.doubts);
    }
}

#[test]
fn a_motion_that_is_not_free_is_doubted() {
    // A rate that grows: a constant torque.
    let data = changed(|i, _, w| w[0] += 0.01 * i as f64);
    let found = fit(&data, &FitOptions::default()).unwrap();
    assert!(found.doubts.iter().any(|d| matches!(d, Doubt::Structure | Doubt::Poor { .. })));
    // Noise alone.
    let mut rng = Rng::new(33);
    let times: Vec<f64> = (0..100).map(f64::from).collect();
    let noise: Vec<[f64; 3]> = (0..100).map(|_| [(); 3].map(|()| rng.uniform(-1.0, 1.0))).collect();
    let found = fit(&Data::gyro(&times, &noise), &FitOptions::default()).unwrap();
    assert!(found.doubts.iter().any(|d| matches!(d, Doubt::Poor { .. })), "{:?}", found.doubts);
}

#[test]
fn a_gap_in_the_middle_is_no_harm() {
    for (count, gap) in [(60, 40.0), (700, 500.0), (700, 3.0)] {
        let times: Vec<f64> = (0..2 * count)
            .map(|i| 0.3 * f64::from(i) + if i < count { 0.0 } else { gap })
            .collect();
        let mut rng = Rng::new(35);
        let omega = gyro(&usual(), &times, 1e-3, &mut rng);
        let found = fit(&Data::gyro(&times, &omega), &FitOptions::default()).unwrap();
        assert_eq!(found.doubts, [], "{count} {gap}");
        for (i, want) in [1.0 / 2.2, 1.7 / 2.2].into_iter().enumerate() {
            let estimate = &found.estimates[i];
            assert!((estimate.value - want).abs() < 5.0 * estimate.deviation, "{estimate:?}");
        }
    }
}

#[test]
fn columns_of_the_wrong_handedness_are_those_of_another_body() {
    let right = fit(&changed(|_, _, _| ()), &FitOptions::default()).unwrap();
    let wrong = fit(&changed(|_, _, w| w.reverse()), &FitOptions::default()).unwrap();
    // No gyro can tell; but either says what the other would be.
    let [a, b] = [right.mirrored.unwrap(), wrong.mirrored.unwrap()];
    for i in 0..2 {
        assert!((a[i] - wrong.moments[i]).abs() < 1e-6, "{a:?} {:?}", wrong.moments);
        assert!((b[i] - right.moments[i]).abs() < 1e-6, "{b:?} {:?}", right.moments);
    }
    // Attitudes beside the gyro tell.
    let mut both = changed(|_, _, w| w.reverse());
    let times = both.gyro.as_ref().unwrap().0.clone();
    let mut rng = Rng::new(34);
    let q = quaternions(&usual(), &times, 1e-3, &mut rng);
    both.attitude = Some((times, q));
    let found = fit(&both, &FitOptions::default()).unwrap();
    let said = found.doubts[0].to_string();
    assert!(said.contains("two columns of the angular velocity are exchanged"), "{said}");
    assert_eq!(found.mirrored, None);
    for (signs, words) in [
        (DVec3::new(1.0, -1.0, 1.0), "one column of the angular velocity has the wrong sign"),
        (DVec3::NEG_ONE, "the angular velocity has the opposite sign"),
    ] {
        let signed = changed(|_, _, w| *w = (DVec3::from_array(*w) * signs).to_array());
        let both = signed.with(|data| data.attitude = both.attitude.clone());
        let said = fit(&both, &FitOptions::default()).unwrap().doubts[0].to_string();
        assert!(said.contains(words), "{said}");
    }
}

/// Attitudes and angular velocities of the usual motion, one after the other changed.
fn both(attitude: impl Fn([f64; 4]) -> [f64; 4], in_space: bool) -> Data {
    let (motion, times) = (usual(), times(80, 0.5));
    let mut rng = Rng::new(36);
    let mut omega = gyro(&motion, &times, 1e-3, &mut rng);
    let q = quaternions(&motion, &times, 1e-3, &mut rng);
    for (w, q) in omega.iter_mut().zip(&q).filter(|_| in_space) {
        *w = (so3::from_wxyz(*q) * DVec3::from_array(*w)).to_array();
    }
    let attitude = Some((times.clone(), q.into_iter().map(attitude).collect()));
    Data::gyro(&times, &omega).with(|data| data.attitude = attitude)
}

#[test]
fn a_bias_that_was_not_told_is_doubted() {
    // A phone in the air: two thirds of a second at 200 Hz, a bias of a degree per second.
    let level = DQuat::IDENTITY;
    let motion = motion([0.15, 0.75, 0.88], [1.0, 9.0, 0.5], level, level);
    let times: Vec<f64> = (0..140).map(|i| f64::from(i) / 200.0).collect();
    let mut rng = Rng::new(37);
    let mut data = Data::gyro(&times, &gyro(&motion, &times, 0.006, &mut rng));
    let biased = |d: &Doubt| matches!(d, Doubt::Bias { .. });
    let told = |data: &Data| fit(data, &FitOptions::default()).unwrap().doubts;
    assert_eq!(told(&data), []);
    for w in &mut data.gyro.as_mut().unwrap().1 {
        *w = w.map(|x| x + 1_f64.to_radians());
    }
    assert!(told(&data).iter().any(biased), "{:?}", told(&data));
    let bias = [FitParameter::known(0.0, 0.03); 3];
    let options = FitOptions::default().with(|o| o.sensor.bias = bias);
    let found = fit(&data, &options).unwrap();
    assert_eq!(found.doubts, []);
    let ratio = &found.estimates[0];
    assert!((ratio.value - 0.15 / 0.88).abs() < 4.0 * ratio.deviation, "{ratio:?}");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn attitudes_of_another_convention_are_recognised() {
        fn inverse([w, x, y, z]: [f64; 4]) -> [f64; 4] {
            [w, -x, -y, -z]
        }
        fn last([w, x, y, z]: [f64; 4]) -> [f64; 4] {
            [x, y, z, w]
        }
        fn first([w, x, y, z]: [f64; 4]) -> [f64; 4] {
            [z, w, x, y]
        }
        let said = |data: &Data| {
            let found = fit(data, &FitOptions::default()).unwrap();
            found.doubts.first().map(ToString::to_string).unwrap_or_default()
        };
        assert_eq!(said(&both(|q| q, false)), "");
        let space = "the angular velocity is given in space";
        for (data, words) in [
            (both(inverse, false), "if the attitude is the inverse one: it takes space to body"),
            (both(last, false), "scalar part stands last, not first; is"),
            (
                both(|q| last(inverse(q)), false),
                "stands last, not first, and it is the inverse one",
            ),
            (both(first, false), "stands first and was taken to be last; is"),
            (both(|q| first(inverse(q)), false), "taken to be last, and it is the inverse one"),
            (both(|q| q, true), space),
        ] {
            let said = said(&data);
            assert!(said.contains(words), "{words}: {said}");
        }
        // Alone they tell that one of both is wrong, and not which.
        for change in [inverse, last, first] {
            let said = said(&both(change, false).with(|data| data.gyro = None));
            assert!(said.contains("attitudes alone cannot tell which"), "{said}");
        }
        // Both at once are the motion of the same body, seen along other axes of body and space.
        let found = fit(
            &both(|q| last(inverse(q)), false).with(|data| data.gyro = None),
            &FitOptions::default(),
        );
        let found = found.unwrap();
        assert_eq!(found.doubts, []);
        for (i, want) in [1.0 / 2.2, 1.7 / 2.2].into_iter().enumerate() {
            let estimate = &found.estimates[i];
            assert!((estimate.value - want).abs() < 5.0 * estimate.deviation, "{estimate:?}");
        }
    }
}
