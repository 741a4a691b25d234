//! Sensors that are not ideal.

use glam::{DQuat, DVec3};
use polhode::so3;
use polhode_fit::{Data, FitOptions, FitParameter, Loss, Sensor, fit};
use polhode_testkit::bodies::Rng;

use crate::simulated::{directions, noise, quaternions, times, usual, usual_gyro};

/// What such a gyro shows on the usual motion.
fn shown(bias: [f64; 3], scale: f64, turn: DQuat, offset: f64, size: f64, times: &[f64]) -> Data {
    let (motion, mut rng) = (usual(), Rng::new(21));
    let each = |t: &f64| {
        let omega = turn * motion.omega_at(t + offset).unwrap();
        (omega * (1.0 + scale) + DVec3::from_array(bias) + noise(&mut rng, size)).to_array()
    };
    Data::gyro(times, &times.iter().map(each).collect::<Vec<_>>())
}

fn near(found: &polhode_fit::Fit, name: &str, want: f64, at_most: f64) {
    let estimate = found.get(name).unwrap();
    let (value, deviation) = (estimate.value, estimate.deviation);
    assert!((value - want).abs() < 4.5 * deviation, "{name}: {value} ± {deviation}, true {want}");
    assert!(deviation < at_most, "{name}: ± {deviation}");
}

#[test]
fn a_bias_is_found_with_the_body() {
    let times = times(300, 0.3);
    let data = shown([0.02, -0.01, 0.03], 0.0, DQuat::IDENTITY, 0.0, 2e-3, &times);
    let bias = [FitParameter::known(0.0, 0.1); 3];
    let options = FitOptions::default().with(|o| o.sensor.bias = bias);
    let found = fit(&data, &options).unwrap();
    assert_eq!(found.doubts, []);
    for (name, want) in [("bias.x", 0.02), ("bias.y", -0.01), ("bias.z", 0.03)] {
        near(&found, name, want, 2e-3);
    }
    near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
    // Left out, it is missed.
    assert!(!fit(&data, &FitOptions::default()).unwrap().doubts.is_empty());
}

#[test]
fn a_scale_is_found_with_the_body() {
    let times = times(300, 0.3);
    let data = shown([0.0; 3], 0.03, DQuat::IDENTITY, 0.0, 2e-3, &times);
    let scale = [FitParameter::free(0.0); 3];
    let options = FitOptions::default().with(|o| o.sensor.scale = scale);
    let found = fit(&data, &options).unwrap();
    near(&found, "scale.x", 0.03, 0.03);
    near(&found, "I2/I3", 1.7 / 2.2, 0.05);
}

#[test]
fn attitudes_beside_the_gyro_tell_misalignment_and_offset() {
    let times = times(300, 0.3);
    let turn = so3::exp(DVec3::new(0.05, -0.03, 0.08));
    let mut data = shown([0.0; 3], 0.0, turn, 0.04, 2e-3, &times);
    let sparse: Vec<f64> = times.iter().copied().step_by(5).collect();
    let q = quaternions(&usual(), &sparse, 1e-3, &mut Rng::new(22));
    data.attitude = Some((sparse, q));
    let misalignment = [FitParameter::free(0.0); 3];
    let time_offset = FitParameter::free(0.0);
    let sensor = Sensor::default().with(|sensor| {
        sensor.misalignment = misalignment;
        sensor.time_offset = time_offset;
    });
    let found = fit(&data, &FitOptions::default().with(|o| o.sensor = sensor)).unwrap();
    assert_eq!(found.doubts, []);
    near(&found, "misalignment.x", 0.05, 2e-3);
    near(&found, "misalignment.z", 0.08, 2e-3);
    near(&found, "time_offset", 0.04, 5e-3);
    near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
    // A gyro alone does not tell them.
    data.attitude = None;
    let message =
        fit(&data, &FitOptions::default().with(|o| o.sensor = sensor)).unwrap_err().to_string();
    assert!(message.contains("misalignment") && message.contains("principal axes"), "{message}");
}

#[test]
fn two_directions_do_as_well_as_attitudes() {
    let (motion, mut rng) = (usual(), Rng::new(23));
    let times = times(200, 0.4);
    let sun = directions(&motion, &times, [1.0, 0.2, 0.1], 2e-3, &mut rng);
    let field = directions(&motion, &times, [0.0, -3.0, 1.0], 2e-3, &mut rng);
    let data = Data::default().with(|data| data.directions = vec![sun.clone(), field]);
    let options = FitOptions::default().with(|o| o.direction_noise = Some(2e-3));
    let found = fit(&data, &options).unwrap();
    assert_eq!(found.doubts, []);
    let spread = (2.0 / found.degrees as f64).sqrt();
    assert!((found.reduced_chi_square() - 1.0).abs() < 5.0 * spread);
    near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
    near(&found, "I2/I3", 1.7 / 2.2, 5e-3);
    let message =
        fit(&Data::default().with(|data| data.directions = vec![sun]), &FitOptions::default());
    assert!(message.unwrap_err().to_string().contains("two vectors"));
}

#[test]
fn outliers_are_left_aside() {
    let mut data = usual_gyro(300, 0.3, 2e-3, 24);
    let mut rng = Rng::new(25);
    let (_, omega) = data.gyro.as_mut().unwrap();
    for i in (7..300).step_by(12) {
        omega[i] = (DVec3::from_array(omega[i]) + noise(&mut rng, 1.0)).to_array();
    }
    for loss in [Loss::Huber(3.0), Loss::SoftL1(3.0), Loss::Cauchy(3.0)] {
        let found = fit(&data, &FitOptions::default().with(|o| o.loss = loss)).unwrap();
        near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
        near(&found, "I2/I3", 1.7 / 2.2, 5e-3);
        assert!((found.gyro_noise.unwrap()[0] / 2e-3 - 1.0).abs() < 0.25, "{loss:?}");
    }
}

#[test]
fn samples_may_be_missing() {
    let mut data = usual_gyro(300, 0.3, 2e-3, 26);
    let (_, omega) = data.gyro.as_mut().unwrap();
    for i in (5..300).step_by(17).chain(100..160) {
        omega[i][1] = f64::NAN;
    }
    let message = fit(&data, &FitOptions::default()).unwrap_err().to_string();
    assert!(message.contains("sample 5") && message.contains("NaN"), "{message}");
    let found = fit(&data, &FitOptions::default().with(|o| o.skip_missing = true)).unwrap();
    assert_eq!(found.doubts, []);
    near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
}

#[test]
fn bounds_are_kept() {
    let times = times(300, 0.3);
    let data = shown([0.02, 0.0, 0.0], 0.0, DQuat::IDENTITY, 0.0, 2e-3, &times);
    let bias = [FitParameter::free(0.0).within(-0.01, 0.01); 3];
    let options = FitOptions::default().with(|o| o.sensor.bias = bias);
    let found = fit(&data, &options).unwrap();
    assert!(found.get("bias.x").unwrap().value <= 0.01 + 1e-12);
}
