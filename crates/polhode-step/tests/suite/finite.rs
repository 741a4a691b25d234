//! Whatever is finite stays finite.

use polhode_step::{Inertia, step, step_body};

/// Numbers at the ends of the range, and ordinary ones.
const F32: [f32; 9] = [0.0, 1e-45, f32::MIN_POSITIVE, 1e-20, 1.0, -3.5, 1e19, f32::MAX, -f32::MAX];
const F64: [f64; 9] =
    [0.0, 5e-324, f64::MIN_POSITIVE, 1e-170, 1.0, -3.5, 1e160, f64::MAX, -f64::MAX];

macro_rules! extremes {
    ($name:ident, $numbers:ident) => {
        #[test]
        fn $name() {
            // Every number in every place, the others drawn from all of them.
            let mut seed = 1_u64;
            let mut draw = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                $numbers[(seed >> 33) as usize % $numbers.len()]
            };
            for round in 0..500 {
                let moments = [draw(), draw(), draw()];
                let omega = [draw(), draw(), draw()];
                let mut q = [draw(), draw(), draw(), draw()];
                if round % 2 == 0 {
                    q = [0.5, -0.5, 0.5, 0.5];
                }
                let dt = draw();
                let frame = [draw(), draw(), draw(), draw()];
                let [a, b, c] = [draw(), draw(), draw()];
                let [x, y, z] = moments;
                for inertia in [
                    Inertia::principal(moments),
                    Inertia::principal_in_frame(moments, frame),
                    Inertia::tensor([[x, a, b], [a, y, c], [b, c, z]]),
                ] {
                    for world in [true, false] {
                        let (mut omega, mut q) = (omega, q);
                        if world {
                            step(&inertia, &mut omega, &mut q, dt);
                        } else {
                            step_body(&inertia, &mut omega, &mut q, dt);
                        }
                        assert!(
                            omega.iter().chain(&q).all(|x| x.is_finite()),
                            "{moments:?} {omega:?} {q:?} {dt:?} {inertia:?}"
                        );
                    }
                }
            }
        }
    };
}

extremes!(single_precision_stays_finite, F32);
extremes!(double_precision_stays_finite, F64);

#[test]
fn what_is_not_finite_stays_as_it_is() {
    let inertia = Inertia::principal([1.0_f32, 2.0, 3.0]);
    let (mut omega, mut q) = ([f32::NAN, 1.0, 0.0], [0.0_f32, 0.0, 0.0, 1.0]);
    step(&inertia, &mut omega, &mut q, 0.1);
    assert!(omega[0].is_nan() && omega[1..] == [1.0, 0.0] && q == [0.0, 0.0, 0.0, 1.0]);
    let mut omega = [1.0_f32, 1.0, 0.0];
    step(&inertia, &mut omega, &mut q, f32::INFINITY);
    assert_eq!((omega, q), ([1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn a_sphere_without_a_rotation_has_none_after_a_step() {
    let sphere = Inertia::principal([1.0_f32; 3]);
    let (mut omega, mut q) = ([1.0_f32, 2.0, 0.5], [f32::NAN, 0.0, 0.0, 1.0]);
    step(&sphere, &mut omega, &mut q, 0.1);
    assert!(q.iter().any(|x| x.is_nan()), "{q:?}");
}

#[test]
fn rods_are_not_spun_up_by_rounding() {
    // The moment about the rod is zero, below it by a rounding, or that of a tensor computed in single precision.
    let [x, y, z] = [0.6_f32, 0.48, 0.64];
    let tensor = [
        [1.0 - x * x, -(x * y), -(x * z)],
        [-(x * y), 1.0 - y * y, -(y * z)],
        [-(x * z), -(y * z), 1.0 - z * z],
    ];
    for inertia in [
        Inertia::principal([0.0_f32, 2.0, 2.000_000_2]),
        Inertia::principal([-1e-7_f32, 2.0, 2.6]),
        Inertia::tensor(tensor),
        Inertia::tensor([[1.0_f32, 3.0, 0.0], [3.0, 2.0, 0.0], [0.0, 0.0, 2.6]]),
    ] {
        let (mut omega, mut q) = ([0.3_f32, 8.0, 0.3], [0.0_f32, 0.0, 0.0, 1.0]);
        for _ in 0..600 {
            step(&inertia, &mut omega, &mut q, 1.0 / 60.0);
            let speed = omega.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!(speed < 200.0, "{omega:?} {inertia:?}");
        }
    }
}

#[test]
fn a_quaternion_of_length_zero_is_no_rotation() {
    let inertia = Inertia::principal_in_frame([1.0_f64, 2.0, 3.0], [0.0; 4]);
    let (mut omega, mut q) = ([0.5_f64, -0.1, 0.7], [0.0_f64; 4]);
    let (mut omega1, mut q1) = (omega, [0.0_f64, 0.0, 0.0, 1.0]);
    step(&inertia, &mut omega, &mut q, 0.1);
    step(&Inertia::principal([1.0_f64, 2.0, 3.0]), &mut omega1, &mut q1, 0.1);
    assert_eq!((omega, q), (omega1, q1));
}

#[test]
fn rest_is_rest() {
    let inertia = Inertia::principal([1.0_f32, 2.0, 3.0]);
    let (mut omega, mut q) = ([0.0_f32; 3], [0.1_f32, 0.2, 0.3, 0.9]);
    step(&inertia, &mut omega, &mut q, 0.1);
    assert_eq!((omega, q), ([0.0; 3], [0.1, 0.2, 0.3, 0.9]));
}

#[test]
fn a_quaternion_is_made_one() {
    let inertia = Inertia::principal([1.0_f64, 2.0, 3.0]);
    let start = [0.5_f64, -0.1, 0.7];
    let mut want = (start, [0.5_f64, -0.5, 0.5, 0.5]);
    step(&inertia, &mut want.0, &mut want.1, 0.1);
    for factor in [1e-200, 0.3, 3.0, 1e200] {
        let mut got = (start, [0.5_f64 * factor, -0.5 * factor, 0.5 * factor, 0.5 * factor]);
        step(&inertia, &mut got.0, &mut got.1, 0.1);
        for i in 0..3 {
            assert!((got.0[i] - want.0[i]).abs() < 1e-15, "{factor}: {got:?} {want:?}");
        }
        for i in 0..4 {
            assert!((got.1[i] - want.1[i]).abs() < 1e-15, "{factor}: {got:?} {want:?}");
        }
    }
}

#[test]
fn units_do_not_matter() {
    // Slow bodies over long times, fast ones over short times: the same numbers times powers of two.
    let inertia = Inertia::principal([1.0_f64, 2.0, 3.0]);
    let start = [0.5_f64, -0.1, 0.7];
    let mut want = (start, [0.5_f64, -0.5, 0.5, 0.5]);
    step(&inertia, &mut want.0, &mut want.1, 0.1);
    for exponent in [-300, -130, 130, 300] {
        let power = 2.0_f64.powi(exponent);
        let mut got = (start.map(|x| x * power), [0.5, -0.5, 0.5, 0.5]);
        step(&inertia, &mut got.0, &mut got.1, 0.1 / power);
        assert_eq!((got.0.map(|x| x / power), got.1), want, "{exponent}");
    }
    for unit in [1e-45_f64, 1e-3, 1e40] {
        let inertia = Inertia::principal([unit, 2.0 * unit, 3.0 * unit]);
        let mut got = (start, [0.5_f64, -0.5, 0.5, 0.5]);
        step(&inertia, &mut got.0, &mut got.1, 0.1);
        for i in 0..3 {
            assert!((got.0[i] - want.0[i]).abs() < 1e-15, "{unit}: {got:?} {want:?}");
        }
    }
}
