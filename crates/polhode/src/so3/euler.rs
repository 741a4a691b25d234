//! Euler angles: three turns about coordinate axes, one after the other.

use core::f64::consts::{PI, TAU};

use glam::DQuat;

/// Below this length a part of a unit quaternion is taken for round-off of zero.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// The axes of three turns, each about an axis as the turns before have left it (intrinsic).
///
/// `zyx` is yaw, pitch and roll; `zxz` the classical precession, nutation and spin. Read backwards
/// a sequence is one of turns about axes that stay where they are: angles a, b, c of `zyx` are
/// angles c, b, a about the fixed x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EulerSequence {
    name: &'static str,
    axes: [usize; 3],
}

const fn sequence(name: &'static str, axes: [usize; 3]) -> EulerSequence {
    EulerSequence { name, axes }
}

impl EulerSequence {
    /// Yaw, pitch, roll.
    pub const ZYX: Self = sequence("zyx", [2, 1, 0]);

    /// All twelve: no axis twice in a row.
    pub const ALL: [Self; 12] = [
        sequence("xyz", [0, 1, 2]),
        sequence("xzy", [0, 2, 1]),
        sequence("yxz", [1, 0, 2]),
        sequence("yzx", [1, 2, 0]),
        sequence("zxy", [2, 0, 1]),
        Self::ZYX,
        sequence("xyx", [0, 1, 0]),
        sequence("xzx", [0, 2, 0]),
        sequence("yxy", [1, 0, 1]),
        sequence("yzy", [1, 2, 1]),
        sequence("zxz", [2, 0, 2]),
        sequence("zyz", [2, 1, 2]),
    ];

    /// The sequence of this name, such as `zyx`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name == name)
    }

    /// Its axes as three letters.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// The angles a, b, c of the turns that make up an attitude: q = turn(a) turn(b) turn(c).
///
/// a and c are in (-pi, pi]; b is in [-pi/2, pi/2] for three different axes and in [0, pi] where
/// the last is the first again. At the ends of b (gimbal lock) only a sum or difference of a and c
/// is determined: c is 0 there. q need not be of unit length, and -q has the angles of q.
///
/// After Bernardes and Viollet (2022): sum and difference of a and c are the arguments of two
/// parts of the quaternion, the quotient of whose lengths gives b. Angles come from atan2
/// alone, so that b has its digits next to gimbal lock, where an arcsine has half of them.
///
/// ```
/// use polhode::so3::{self, EulerSequence};
/// let q = so3::from_euler_angles([0.3, -0.2, 0.1], EulerSequence::ZYX);
/// let [yaw, pitch, roll] = so3::euler_angles(q, EulerSequence::ZYX);
/// assert!((yaw - 0.3).abs() + (pitch + 0.2).abs() + (roll - 0.1).abs() < 1e-15);
/// ```
pub fn euler_angles(q: DQuat, sequence: EulerSequence) -> [f64; 3] {
    let [i, j, k] = sequence.axes;
    let symmetric = i == k;
    // The axis that is neither of the first two; +1 if the three are right-handed.
    let l = 3 - i - j;
    let hand = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
    let q = q.normalize();
    let v = [q.x, q.y, q.z];
    // A turn about the third axis is one about the first between quarter turns about the second, so
    // q times a quarter turn is symmetric. (Times the root of two, which no angle feels.)
    let [pw, pi, pj, pl] = if symmetric {
        [q.w, v[i], v[j], v[l]]
    } else {
        [q.w - v[j], v[i] - hand * v[l], v[j] + q.w, v[l] + hand * v[i]]
    };
    // p = cos(b/2) (cos s, sin s) + sin(b/2) (cos d, sin d), with s = (a + c)/2, d = (a - c)/2.
    let (near, far) = (libm::hypot(pw, pi), libm::hypot(pj, pl));
    let (sum, difference) = (libm::atan2(pi, pw), libm::atan2(hand * pl, pj));
    let (a, c) = if far <= ROUND_OFF {
        (2.0 * sum, 0.0)
    } else if near <= ROUND_OFF {
        (2.0 * difference, 0.0)
    } else {
        (sum + difference, sum - difference)
    };
    if symmetric {
        [wrap(a), 2.0 * libm::atan2(far, near), wrap(c)]
    } else {
        // b is a quarter turn less: its sine is far^2 - near^2, multiplied out to spare the digits
        // of a small b.
        let sine = 2.0 * (q.w * v[j] + hand * v[i] * v[l]);
        [wrap(a), libm::atan2(sine, near * far), wrap(-hand * c)]
    }
}

/// The attitude of three turns: the inverse of [`euler_angles`].
pub fn from_euler_angles(angles: [f64; 3], sequence: EulerSequence) -> DQuat {
    let turn = |n: usize| {
        let mut v = [0.0; 4];
        v[sequence.axes[n]] = libm::sin(0.5 * angles[n]);
        v[3] = libm::cos(0.5 * angles[n]);
        DQuat::from_array(v)
    };
    turn(0) * turn(1) * turn(2)
}

/// An angle of up to a turn and a half, brought to (-pi, pi].
fn wrap(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        // Not -0.
        angle + 0.0
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    use glam::{DMat3, DVec3};

    use super::*;
    use crate::so3;

    /// Unit quaternions all over the sphere, by a linear congruence.
    fn attitudes(count: usize) -> impl Iterator<Item = DQuat> {
        let mut bits = 1u64;
        let mut next = move || {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..count).map(move |_| DQuat::from_xyzw(next(), next(), next(), next()).normalize())
    }

    fn turn(axis: char, angle: f64) -> DMat3 {
        match axis {
            'x' => DMat3::from_rotation_x(angle),
            'y' => DMat3::from_rotation_y(angle),
            _ => DMat3::from_rotation_z(angle),
        }
    }

    /// The turns of the name as matrices: does not share the quaternions' formulas.
    fn matrix(angles: [f64; 3], sequence: EulerSequence) -> DMat3 {
        let axes: Vec<char> = sequence.name().chars().collect();
        turn(axes[0], angles[0]) * turn(axes[1], angles[1]) * turn(axes[2], angles[2])
    }

    #[test]
    fn angles_make_up_the_attitude_in_all_sequences() {
        for sequence in EulerSequence::ALL {
            for q in attitudes(2000) {
                let angles = euler_angles(q, sequence);
                let error = so3::angle_between(q, from_euler_angles(angles, sequence));
                assert!(error < 2e-15, "{} {q}: {error:e}", sequence.name());
                let difference = matrix(angles, sequence) - DMat3::from_quat(q);
                assert!(difference.abs_diff_eq(DMat3::ZERO, 2e-15), "{} {q}", sequence.name());
                let symmetric = sequence.axes[0] == sequence.axes[2];
                let range = if symmetric { 0.0..=PI } else { -FRAC_PI_2..=FRAC_PI_2 };
                assert!(range.contains(&angles[1]), "{} {angles:?}", sequence.name());
                assert!(angles[0].abs() <= PI && angles[2].abs() <= PI);
                for (a, b) in angles.into_iter().zip(euler_angles(-q, sequence)) {
                    assert!(wrap(a - b).abs() < 1e-14, "{} {q}: {a} {b}", sequence.name());
                }
            }
        }
    }

    #[test]
    fn angles_within_range_come_back() {
        for sequence in EulerSequence::ALL {
            let symmetric = sequence.axes[0] == sequence.axes[2];
            for b in if symmetric { [0.1, 1.5, 3.0] } else { [-1.5, 0.1, 1.4] } {
                for want in [[2.5, b, -3.0], [-0.3, b, 0.2], [3.1, b, 3.1]] {
                    let got = euler_angles(from_euler_angles(want, sequence), sequence);
                    for (a, b) in want.into_iter().zip(got) {
                        // Turns about nearly parallel axes are badly told apart: 1/sin(0.07).
                        assert!((a - b).abs() < 1e-14, "{} {want:?} {got:?}", sequence.name());
                    }
                }
            }
        }
    }

    #[test]
    fn gimbal_lock_leaves_the_third_angle_zero_and_the_attitude_right() {
        for sequence in EulerSequence::ALL {
            let symmetric = sequence.axes[0] == sequence.axes[2];
            let ends = if symmetric { [0.0, PI] } else { [-FRAC_PI_2, FRAC_PI_2] };
            for (b, nudge) in ends.into_iter().flat_map(|b| [(b, 0.0), (b, 1e-9), (b, 1e-13)]) {
                let inwards = b + if b == ends[0] { nudge } else { -nudge };
                let q = from_euler_angles([0.7, inwards, 0.4], sequence);
                let angles = euler_angles(q, sequence);
                let name = sequence.name();
                // An arcsine would be off by 1e-8 here.
                assert!((angles[1] - inwards).abs() < 1e-15, "{name} {b} {nudge}: {angles:?}");
                let error = so3::angle_between(q, from_euler_angles(angles, sequence));
                assert!(error < 4e-15, "{name} {b} {nudge}: {error:e}");
                if nudge == 0.0 {
                    assert_eq!(angles[2], 0.0, "{name} {b}: {angles:?}");
                }
            }
        }
    }

    #[test]
    fn small_angles_have_digits_and_nothing_is_minus_zero() {
        let small = 1e-200;
        let q = DQuat::from_xyzw(0.0, 0.5 * small, 0.0, 1.0);
        assert_eq!(euler_angles(q, EulerSequence::ZYX), [0.0, small, 0.0]);
        for sequence in EulerSequence::ALL {
            for x in euler_angles(DQuat::IDENTITY, sequence) {
                assert!(x == 0.0 && x.is_sign_positive(), "{}", sequence.name());
            }
        }
    }

    #[test]
    fn yaw_pitch_and_roll_are_what_pilots_mean() {
        // Nose x, right wing y, belly z. Yaw to the right by a quarter turn, then nose up by an
        // eighth: the nose is above (minus z) the y axis.
        let q = from_euler_angles([FRAC_PI_2, FRAC_PI_4, 0.0], EulerSequence::ZYX);
        let nose = q * DVec3::X;
        assert!((nose - DVec3::new(0.0, 0.5f64.sqrt(), -(0.5f64.sqrt()))).length() < 1e-15);
        assert_eq!(EulerSequence::named("zyx"), Some(EulerSequence::ZYX));
        assert_eq!(EulerSequence::named("zzx"), None);
    }
}
