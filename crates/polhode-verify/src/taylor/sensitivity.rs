//! How much a rounding of the input moves the answer.

use polhode_elliptic::Dd;

use super::FreeReference;
use super::dd_math::norm;
use super::series::QUICK_ORDER;

/// The largest change of an entry of (m/|m|, attitude quaternion) at time `t` when one input (a
/// moment, a component of the momentum, the time) grows by a relative 2^-53.
///
/// A program that works in double and makes no error of its own cannot be expected to do better
/// than a small multiple of this. `oracle/` carries the same number for its cases, with the
/// rotation matrix in place of the quaternion.
///
/// # Panics
/// As [`FreeReference::at_long`].
pub fn ulp_sensitivity(inertia: [f64; 3], momentum: [f64; 3], attitude: [f64; 4], t: f64) -> f64 {
    let size = norm(&momentum.map(|m| Dd::from(m / largest(momentum)))).hi() * largest(momentum);
    let solve = |inputs: [Dd; 7]| {
        let [i1, i2, i3, m1, m2, m3, t] = inputs;
        let attitude = attitude.map(Dd::from);
        FreeReference::from_dd([i1, i2, i3], [m1, m2, m3], attitude, QUICK_ORDER).at_long_dd(t)
    };
    let inputs: [f64; 7] = core::array::from_fn(|i| match i {
        0..3 => inertia[i],
        3..6 => momentum[i - 3],
        _ => t,
    });
    let (m, q) = solve(inputs.map(Dd::from));
    let change = |index: usize| {
        let mut moved = inputs.map(Dd::from);
        moved[index] = Dd::sum(inputs[index], inputs[index] * (f64::EPSILON / 2.0));
        let (moved_m, moved_q) = solve(moved);
        let of_m = (0..3).map(|i| ((moved_m[i] - m[i]).hi() / size).abs());
        let of_q = (0..4).map(|i| (moved_q[i] - q[i]).hi().abs());
        of_m.chain(of_q).fold(0.0, f64::max)
    };
    // Changing a zero by a relative amount does nothing.
    (0..7).filter(|&i| inputs[i] != 0.0).map(change).fold(0.0, f64::max)
}

fn largest(m: [f64; 3]) -> f64 {
    m.iter().fold(0.0, |max: f64, x| max.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_testkit::oracle::free_cases;

    /// The oracle measures the rotation matrix, which moves up to twice as much as the quaternion
    /// and in nine entries; where the momentum decides, the two are the same.
    #[test]
    fn agrees_with_the_oracle() {
        let mut same = 0;
        for case in free_cases() {
            let Some(want) = case.ulp_sensitivity else { continue };
            let got = ulp_sensitivity(case.inertia, case.momentum0, case.quaternion0, case.t);
            let ratio = got / want;
            // The oracle gives three digits.
            assert!((0.3..1.01).contains(&ratio), "{}: {got:e}, oracle {want:e}", case.name);
            same += u32::from(ratio > 0.99);
        }
        assert!(same > 50, "{same}");
    }

    #[test]
    fn knows_a_steady_turn_and_rest() {
        // Angle w t: a rounding of I, m or t moves q by w t 2^-54.
        let (q, t) = ([1.0, 0.0, 0.0, 0.0], 1e6);
        let got = ulp_sensitivity([2.0, 3.0, 4.0], [0.0, 0.0, 4.0], q, t);
        assert!((0.6..=1.0).contains(&(got / (t * f64::EPSILON / 4.0))), "{got:e}");
        assert_eq!(ulp_sensitivity([2.0, 3.0, 4.0], [0.0; 3], q, t), 0.0);
    }

    /// On a sphere a component of the momentum or a moment shifts the angle by a third of what
    /// the time does.
    #[test]
    fn counts_the_time() {
        let t = 1e4;
        let got = ulp_sensitivity([1.0; 3], [1.0; 3], [1.0, 0.0, 0.0, 0.0], t);
        let half_angle = t * 3.0_f64.sqrt() / 2.0;
        let entry = half_angle.sin().abs().max(half_angle.cos().abs() / 3.0_f64.sqrt());
        let want = half_angle * entry * f64::EPSILON / 2.0;
        assert!((got / want - 1.0).abs() < 0.01, "{got:e}, expected {want:e}");
    }
}
