//! The bits of results, committed: the same in debug and in release, and on every platform.

use polhode_step::{Inertia, step, step_body};

/// Bits of what a thousand steps make of a body, mixed into one number: angular velocity and rotation, in single
/// and in double precision, in the world and in the body.
fn digest(turn: f64, inertia: Inertia) -> u64 {
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
    let bodies = [
        Inertia::principal([1.0, 2.5, 1.75]),
        Inertia::tensor([[1.0, 0.25, -0.125], [0.25, 2.5, 0.5], [-0.125, 0.5, 1.75]]),
        Inertia::principal([1.0; 3]),
    ];
    let found = [0.01, 0.1, 1.0, -10.0].map(|turn| bodies.map(|body| digest(turn, body)));
    let committed = [
        [0xdfe7_30fd_9c2d_9391, 0xb1b4_86ee_d268_cd7f, 0xdaf3_7b21_995b_fe90],
        [0x5d5c_a6bc_013b_3f61, 0xfffd_4f39_dfbc_55c1, 0xa583_a172_4b8b_f9d9],
        [0x101c_acb7_28e1_1eb9, 0x7cfc_9f61_74ce_e033, 0x7024_b1e0_dac4_d3e3],
        [0x310d_34b9_6962_ffab, 0x94a3_8a73_5449_649a, 0x510b_fa71_8f14_1444],
    ];
    assert_eq!(found, committed, "found {found:#018x?}");
}
