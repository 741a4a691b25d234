//! Ensembles: the bits of the scalar path for every method, torque, width and number of threads.

mod bits;
mod drawn;
mod failures;
mod input;
mod one_step;
mod solver;
mod watched;

use polhode::ensemble::Member;
use polhode::glam::DQuat;
use polhode::torque::KeyValues;
use polhode::{Inertia, State, so3};
use polhode_testkit::bodies::Rng;

/// Bodies of every kind: sorted and unsorted moments, tensors, spheres, symmetric, needles; momenta in
/// all directions and sizes, some at rest, some along an axis.
fn mixed(count: usize, seed: u64) -> Vec<Member> {
    let mut rng = Rng::new(seed);
    (0..count)
        .map(|i| {
            let a = rng.log_uniform(0.3, 3.0);
            let b = rng.log_uniform(0.3, 3.0);
            let c = (a - b).abs() + 0.9 * (a + b - (a - b).abs()) * rng.uniform(0.1, 1.0);
            let inertia = match i % 9 {
                0 => Inertia::principal([0.6, 0.8, 1.0]),
                1 => Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]]),
                2 => Inertia::principal([a, a, a]),
                3 => Inertia::principal([a, a, 1.5 * a]),
                4 => Inertia::principal([1e-46 * c, 1e-46 * a, 1e-46 * b]),
                _ => Inertia::principal([a, b, c]),
            };
            let inertia = inertia.unwrap();
            let size = if i % 9 == 4 { 1e-46 } else { 1.0 };
            let momentum = match i % 11 {
                3 => [0.0, 0.0, 0.0],
                5 => [0.0, 1.3 * size, 0.0],
                7 => [1e-9 * size, 1.0 * size, -1e-12 * size],
                _ => rng.direction().map(|x| x * size * rng.log_uniform(0.1, 3.0)),
            };
            let [w, x, y, z] = [0; 4].map(|_| rng.uniform(-1.0, 1.0));
            let q: DQuat = so3::from_wxyz([w, x, y, z]);
            Member { inertia, start: State::new(momentum, q).unwrap() }
        })
        .collect()
}

/// Keys of a torque from pairs.
fn values(pairs: &[(&str, polhode::torque::KeyValue)]) -> KeyValues {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}
