//! The step for engines and the library agree.

use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, State};
use polhode_testkit::bodies::Rng;

/// Angular velocity in the world and attitude (scalar last) after a time, exactly.
fn exact(inertia: &Inertia, omega: DVec3, t: f64) -> ([f64; 3], [f64; 4]) {
    let start = State::from_omega(inertia, omega.to_array(), DQuat::IDENTITY).unwrap();
    let end = FreeMotion::new(inertia, start).unwrap().at(t).unwrap();
    ((end.q * end.omega(inertia)).to_array(), end.q.to_array())
}

#[test]
fn a_step_for_engines_is_the_exact_motion() {
    let mut rng = Rng::new(24);
    // Turns and what is allowed, in eps: the reference, turned into space, is right to ten; a short step has a
    // few roundings, a long one those of its parts, of which there are one or two to a radian.
    for (turn, allowed) in [(0.01, 14.0), (0.1, 14.0), (1.0, 24.0), (10.0, 60.0), (40.0, 200.0)] {
        for _ in 0..200 {
            let [a, b, c] = [0; 3].map(|_| rng.log_uniform(0.2, 2.0));
            let moments = [b + c, c + a, a + b];
            let omega = DVec3::from_array(rng.direction::<3>()) * 3.0;
            let inertia = Inertia::principal(moments).unwrap();
            let (want, attitude) = exact(&inertia, omega, turn / 3.0);
            let (mut got, mut q) = (omega.to_array(), [0.0, 0.0, 0.0, 1.0]);
            let ready = polhode_step::Inertia::principal(moments);
            polhode_step::step(&ready, &mut got, &mut q, turn / 3.0);
            let off = (0..3).map(|i| (got[i] - want[i]).abs() / 3.0).fold(0.0, f64::max);
            assert!(off < allowed * f64::EPSILON, "{turn}: {moments:?} {omega} {off:e}");
            let off = (0..4).map(|i| (q[i] - attitude[i]).abs()).fold(0.0, f64::max);
            assert!(off < allowed * f64::EPSILON, "{turn}: {moments:?} {omega} {off:e}");
        }
    }
}
