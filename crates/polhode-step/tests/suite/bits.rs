//! The bits of results, committed: the same in debug and in release, and on every platform.

use polhode_step::{Inertia, step, step_body};

/// Bits of what a thousand steps make of a body, mixed into one number: angular velocity and rotation, in single
/// and in double precision, in the world and in the body.
fn digest(turn: f64, tensor: bool) -> u64 {
    let moments = [1.0, 2.5, 1.75];
    let inertia = if tensor {
        Inertia::tensor([[1.0, 0.25, -0.125], [0.25, 2.5, 0.5], [-0.125, 0.5, 1.75]])
    } else {
        Inertia::principal(moments)
    };
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |bits: u64| digest = (digest ^ bits).wrapping_mul(0x0100_0000_01b3);
    for world in [true, false] {
        let (mut omega, mut q) = ([0.5_f64, -0.75, 0.25], [0.5_f64, -0.5, 0.5, 0.5]);
        let (mut omega_f32, mut q_f32) = ([0.5_f32, -0.75, 0.25], [0.5_f32, -0.5, 0.5, 0.5]);
        for _ in 0..1000 {
            #[allow(clippy::cast_possible_truncation, reason = "rounded on purpose")]
            if world {
                step(&inertia, &mut omega, &mut q, turn);
                step(&inertia, &mut omega_f32, &mut q_f32, turn as f32);
            } else {
                step_body(&inertia, &mut omega, &mut q, turn);
                step_body(&inertia, &mut omega_f32, &mut q_f32, turn as f32);
            }
        }
        omega.iter().chain(&q).for_each(|x| mix(x.to_bits()));
        omega_f32.iter().chain(&q_f32).for_each(|x| mix(u64::from(x.to_bits())));
    }
    digest
}

#[test]
fn bits_are_the_committed_ones() {
    let found = [0.01, 0.1, 1.0, -10.0].map(|turn| [digest(turn, false), digest(turn, true)]);
    let committed = [
        [0x0de1_8d9d_76b0_1a82, 0xfb57_30fc_abf6_2500],
        [0xa279_6aff_600a_5e7a, 0x4f06_6269_19ff_f474],
        [0x9be1_4dee_c167_a7b1, 0x193d_bf25_e465_1332],
        [0x52fb_f249_edf0_93d0, 0x91b3_ab95_f42c_fcf8],
    ];
    assert_eq!(found, committed, "found {found:#018x?}");
}
