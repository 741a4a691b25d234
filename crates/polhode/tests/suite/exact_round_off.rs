//! Round-off of the exact step in long runs.

use polhode::rotor;
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_testkit::bodies::{Body, Rng};

use crate::problems::distance;

const EPS: f64 = f64::EPSILON;

fn start(body: &Body) -> (Inertia, State) {
    let inertia = Inertia::principal_unphysical(body.inertia).unwrap();
    (inertia, State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap())
}

#[test]
fn a_million_exact_steps_are_a_random_walk() {
    let (inertia, start) = start(&Body {
        inertia: [0.345, 0.653, 1.0],
        momentum: [0.5, 0.2, 0.71f64.sqrt()],
        attitude: [1.0, 0.0, 0.0, 0.0],
    });
    let mut state = start;
    let mut exact = rotor::build("exact", &inertia).unwrap();
    for _ in 0..1_000_000 {
        exact.step(0.01, &mut state).unwrap();
    }
    // sqrt(1e6) roundings of about half an ulp; ten times that is no walk. A drift of one ulp a
    // step would be 2e-10.
    let walk = 10.0 * 1e3 * EPS;
    assert!((state.m.length() - start.m.length()).abs() < walk);
    let energy = |s: &State| s.kinetic_energy(&inertia);
    assert!((energy(&state) / energy(&start) - 1.0).abs() < walk);
    assert!((state.q.length() - 1.0).abs() < walk);
    assert!((state.spatial_momentum() - start.spatial_momentum()).length() < walk);
    // The frequency walks with the energy, and the phase adds it up: sqrt(1e6) eps over 1e4 rad.
    let there = FreeMotion::new(&inertia, start).unwrap().at(1e4).unwrap();
    assert!(distance(&there, &state) < 1e3 * EPS * 1e4, "{:e}", distance(&there, &state));
}

#[test]
fn compensated_exact_steps_walk_less() {
    // Errors of a hundred short runs: the standard deviation with and without compensation.
    let deviation = |spec: &str| {
        let mut rng = Rng::new(12);
        let mut squares = [0.0; 2];
        for _ in 0..100 {
            let m = [0.5, 0.2, 0.71f64.sqrt()].map(|x| x + rng.uniform(-0.01, 0.01));
            let body =
                Body { inertia: [0.345, 0.653, 1.0], momentum: m, attitude: rng.direction() };
            let (inertia, start) = start(&body);
            let mut rotor = rotor::build(spec, &inertia).unwrap();
            let mut state = start;
            for _ in 0..10_000 {
                rotor.step(0.01, &mut state).unwrap();
            }
            let energy = |s: &State| s.kinetic_energy(&inertia);
            squares[0] += (energy(&state) - energy(&start)).powi(2);
            squares[1] += (state.spatial_momentum() - start.spatial_momentum()).length_squared();
        }
        squares.map(|s| (s / 100.0).sqrt() / EPS)
    };
    let (plain, compensated) = (deviation("exact"), deviation("exact:compensated"));
    // sigma sqrt(1e4) eps with sigma about 0.2; compensated, only the last rounding is left.
    assert!(plain[0] > 5.0 && plain[1] > 5.0, "{plain:?}");
    assert!(compensated[0] < 1.0 && compensated[1] < 2.0, "{compensated:?}");
}
