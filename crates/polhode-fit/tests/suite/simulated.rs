//! Measurements of a known motion.

use glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, so3};
use polhode_fit::{Data, DirectionMeasurements};
use polhode_testkit::bodies::Rng;

/// A normal deviate.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (rng.uniform(1e-300, 1.0), rng.uniform(0.0, 1.0));
    (-2.0 * u.ln()).sqrt() * (core::f64::consts::TAU * v).cos()
}

/// Three of them.
pub(crate) fn noise(rng: &mut Rng, size: f64) -> DVec3 {
    size * DVec3::new(normal(rng), normal(rng), normal(rng))
}

/// A body of these principal moments along turned axes, and its motion.
pub(crate) fn motion(
    moments: [f64; 3],
    omega: [f64; 3],
    turn: DQuat,
    attitude: DQuat,
) -> FreeMotion {
    let axes = glam::DMat3::from_quat(turn);
    let diagonal = glam::DMat3::from_diagonal(DVec3::from_array(moments));
    let tensor = axes * diagonal * axes.transpose();
    let mut rows = tensor.to_cols_array_2d();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        rows[j][i] = rows[i][j];
    }
    let inertia = Inertia::tensor_unphysical(rows).unwrap();
    FreeMotion::from_omega(&inertia, turn * DVec3::from_array(omega), attitude).unwrap()
}

/// The motion that most tests measure.
pub(crate) fn usual() -> FreeMotion {
    let turn = so3::exp(DVec3::new(0.4, -0.9, 0.3));
    motion([1.0, 1.7, 2.2], [0.5, 0.6, 0.7], turn, so3::exp(DVec3::new(1.0, 0.2, -0.7)))
}

pub(crate) fn times(count: usize, step: f64) -> Vec<f64> {
    (0..count).map(|i| 3.0 + step * i as f64).collect()
}

pub(crate) fn gyro(motion: &FreeMotion, times: &[f64], size: f64, rng: &mut Rng) -> Vec<[f64; 3]> {
    let each = |t: &f64| (motion.omega_at(*t).unwrap() + noise(rng, size)).to_array();
    times.iter().map(each).collect()
}

pub(crate) fn quaternions(
    motion: &FreeMotion,
    times: &[f64],
    size: f64,
    rng: &mut Rng,
) -> Vec<[f64; 4]> {
    let each = |t: &f64| so3::to_wxyz(motion.at(*t).unwrap().q * so3::exp(noise(rng, size)));
    times.iter().map(each).collect()
}

pub(crate) fn directions(
    motion: &FreeMotion,
    times: &[f64],
    known: [f64; 3],
    size: f64,
    rng: &mut Rng,
) -> DirectionMeasurements {
    let space = DVec3::from_array(known).normalize();
    let each = |t: &f64| {
        let seen = motion.at(*t).unwrap().q.conjugate() * space;
        (seen + noise(rng, size)).to_array()
    };
    DirectionMeasurements::new(known, times.to_vec(), times.iter().map(each).collect())
}

/// A gyro on the usual motion.
pub(crate) fn usual_gyro(count: usize, step: f64, size: f64, seed: u64) -> Data {
    let times = times(count, step);
    let omega = gyro(&usual(), &times, size, &mut Rng::new(seed));
    Data::gyro(&times, &omega)
}
