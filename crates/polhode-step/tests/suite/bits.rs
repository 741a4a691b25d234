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
        [0x92b4_161b_7617_c340, 0x52d9_57ac_2b23_8733, 0xdaf3_7b21_995b_fe90],
        [0xe7b6_1037_ea4f_08e1, 0x7ac3_2c74_63ba_2aa8, 0xa583_a172_4b8b_f9d9],
        [0x3014_967c_6b80_41fb, 0x0e4f_55af_4d9b_f7b9, 0xc192_10c4_7de4_97d3],
        [0x5e04_73e2_90fc_6d7d, 0xb542_664a_1c29_61ea, 0xb801_a221_1552_bef3],
    ];
    assert_eq!(found, committed, "found {found:#018x?}");
}
