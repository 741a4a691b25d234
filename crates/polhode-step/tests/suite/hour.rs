//! An hour of a game at sixty steps a second, in single precision.

use crate::support::{Dice, invariants, turned, unit};
use polhode_step::{Inertia, step, step_body};
use polhode_testkit::engines::{explicit, implicit};

const HOUR: u32 = 216_000;
const FRAME: f32 = 1.0 / 60.0;

#[allow(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn thrown(dice: &mut Dice, turn: f64) -> ([f32; 3], [f32; 3], [f32; 4]) {
    (
        dice.moments().map(|x| x as f32),
        dice.direction::<3>().map(|x| (x * turn * 60.0) as f32),
        dice.direction::<4>().map(|x| x as f32),
    )
}

/// The relative change of the energy and the change of the momentum over its length.
fn drift(
    moments: [f32; 3],
    [mut omega, start]: [[f32; 3]; 2],
    mut q: [f32; 4],
    mut go: impl FnMut(&mut [f32; 3], &mut [f32; 4]),
    steps: u32,
) -> (f64, f64) {
    let of = |omega: [f32; 3], q: [f32; 4]| {
        invariants(moments.map(f64::from), omega.map(f64::from), q.map(f64::from))
    };
    let (energy, momentum) = of(start, q);
    for _ in 0..steps {
        go(&mut omega, &mut q);
    }
    let (energy_1, momentum_1) = of(omega, q);
    let size = momentum.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = (0..3).map(|i| (momentum_1[i] - momentum[i]).powi(2)).sum::<f64>().sqrt();
    (energy_1 / energy - 1.0, off / size)
}

#[test]
fn an_hour_keeps_energy_and_momentum() {
    let mut dice = Dice(6);
    for turn in [0.03, 0.1, 0.3, 0.5] {
        for _ in 0..4 {
            let (moments, omega, q) = thrown(&mut dice, turn);
            let inertia = Inertia::principal(moments);
            let ours = |omega: &mut _, q: &mut _| step(&inertia, omega, q, FRAME);
            let (energy, momentum) = drift(moments, [omega; 2], q, ours, HOUR);
            assert!(energy.abs() < 1e-4 && momentum < 1e-4, "{turn}: {energy:e} {momentum:e}");
        }
    }
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn a_slow_spin_near_an_axis_keeps_its_energy() {
    // Where a step changes the angular velocity by a few units of the last place or less.
    let mut dice = Dice(11);
    for turn in [1e-6, 1e-4, 1e-3, 3e-3] {
        for k in 0..6 {
            let (moments, _, q) = thrown(&mut dice, turn);
            let [x, y] = dice.direction::<2>().map(|x| x * (-2.0 - 5.0 * dice.next()).exp());
            let spin: [f64; 3] = core::array::from_fn(|i| [1.0, x, y][(i + k) % 3] * turn * 60.0);
            let omega = turned(unit(q.map(f64::from)), spin).map(|x| x as f32);
            let inertia = Inertia::principal(moments);
            let ours = |omega: &mut _, q: &mut _| step(&inertia, omega, q, FRAME);
            let (energy, momentum) = drift(moments, [omega; 2], q, ours, HOUR);
            assert!(energy.abs() < 1e-4 && momentum < 1e-4, "{turn}: {energy:e} {momentum:e}");
        }
    }
}

#[test]
fn a_million_steps_are_a_random_walk() {
    // Half an ulp at random in each component, of angular velocity and quaternion, is about 5e-8 of the
    // energy in a step: after n steps that times the root of n. A drift of a hundredth of an ulp in each step
    // would be 1e-3.
    let mut dice = Dice(7);
    let mut squares = [0.0; 2];
    for _ in 0..6 {
        let (moments, omega, q) = thrown(&mut dice, 0.25);
        let inertia = Inertia::principal(moments);
        let ours = |omega: &mut _, q: &mut _| step(&inertia, omega, q, FRAME);
        for (square, steps) in squares.iter_mut().zip([10_000, 1_000_000]) {
            let (energy, _) = drift(moments, [omega; 2], q, ours, steps);
            *square += energy * energy / 6.0;
        }
    }
    let [short, long] = squares.map(f64::sqrt);
    assert!(short < 1.5e-5 && long < 1.5e-4, "{short:e} {long:e}");
}

#[test]
fn in_the_body_too() {
    let mut dice = Dice(8);
    let upright = [0.0, 0.0, 0.0, 1.0];
    for turn in [0.1, 0.4] {
        let (moments, omega, _) = thrown(&mut dice, turn);
        let inertia = Inertia::principal(moments);
        let mut attitude = upright;
        let ours = |omega: &mut _, _: &mut _| step_body(&inertia, omega, &mut attitude, FRAME);
        let (energy, _) = drift(moments, [omega; 2], upright, ours, HOUR);
        assert!(energy.abs() < 1e-4, "{turn}: {energy:e}");
        let length = attitude.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
}

#[test]
fn what_engines_do_keeps_neither() {
    // A handle that turns about its middle axis, nearly: two seconds are enough for the explicit step to gain
    // a tenth, an hour for the implicit one to lose more than half.
    let (moments, omega, q) = ([1.0, 2.0, 2.6], [0.01, 8.0, 0.01], [0.0, 0.0, 0.0, 1.0]);
    let engine = |omega: &mut _, q: &mut _| implicit(moments, omega, q, FRAME);
    let (energy, _) = drift(moments, [omega; 2], q, engine, HOUR);
    assert!((-1.0..-0.5).contains(&energy), "implicit: {energy}");
    let engine = |omega: &mut _, q: &mut _| explicit(moments, omega, q, FRAME);
    let (energy, _) = drift(moments, [omega; 2], q, engine, 1200);
    assert!(energy > 0.1 || energy.is_nan(), "explicit: {energy}");
    let inertia = Inertia::principal(moments);
    let ours = |omega: &mut _, q: &mut _| step(&inertia, omega, q, FRAME);
    let (energy, _) = drift(moments, [omega; 2], q, ours, HOUR);
    assert!(energy.abs() < 1e-4, "ours: {energy:e}");
}
