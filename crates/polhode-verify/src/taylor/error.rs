//! Distances from a solution in double-double, for errors of a unit in the last place.
//!
//! [`Errors`](crate::Errors) measures one state against another, which is rounded to doubles: by half a unit in the
//! last place, about what the best methods err by. Here the difference is taken before it is rounded, and the
//! quaternion counts with its sign, for the reference follows the continuous motion. An attitude that is off by a
//! small angle a is a/2 away.
//!
//! What is not finite is infinitely far: the maximum over a set of errors would pass over a NaN, and a test with it.

use polhode_elliptic::Dd;

/// |got - want| / |want|, Euclidean norms.
///
/// Infinite for anything not finite; for `want` zero, 0 if `got` is zero too and infinite if not.
pub fn momentum_error(got: [f64; 3], want: [Dd; 3]) -> f64 {
    let largest = want.iter().map(|x| x.hi().abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        let same = got.iter().all(|&x| x == 0.0) && want.iter().all(|x| x.is_finite());
        return if same { 0.0 } else { f64::INFINITY };
    }
    let off = distance(got, want, largest);
    let size = want.map(|x| x.hi() / largest);
    finite_or_infinite(off / length(size))
}

/// |got - want| of two attitude quaternions: half of a small angle between them. The sign counts: the two branches are
/// 2 apart.
///
/// Infinite for anything not finite.
pub fn quaternion_distance(got: [f64; 4], want: [Dd; 4]) -> f64 {
    finite_or_infinite(distance(got, want, 1.0))
}

/// The length of `got - want` in units of `unit`, with the difference taken in double-double.
fn distance<const N: usize>(got: [f64; N], want: [Dd; N], unit: f64) -> f64 {
    length(core::array::from_fn::<_, N, _>(|i| (Dd::from(got[i]) - want[i]).hi() / unit))
}

fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn finite_or_infinite(error: f64) -> f64 {
    if error.is_finite() { error } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_error_is_relative_at_every_scale() {
        for unit in [1e-200, 1e-150, 1.0, 1e150, 1e200] {
            let want = [3.0, 0.0, -4.0].map(|x| Dd::from(x * unit));
            let got = [3.0 * unit, 5e-9 * unit, -4.0 * unit];
            let error = momentum_error(got, want);
            assert!((error / 1e-9 - 1.0).abs() < 1e-12, "{unit:e}: {error:e}");
        }
        let zero = [Dd::ZERO; 3];
        assert_eq!(momentum_error([0.0; 3], zero), 0.0);
        assert_eq!(momentum_error([0.0, 1e-300, 0.0], zero), f64::INFINITY);
    }

    #[test]
    fn the_low_part_of_the_reference_counts() {
        let want = Dd::sum(1.0, 1e-17);
        let error = momentum_error([1.0, 0.0, 0.0], [want, Dd::ZERO, Dd::ZERO]);
        assert!((error / 1e-17 - 1.0).abs() < 1e-12);
        let error = quaternion_distance([1.0, 0.0, 0.0, 0.0], [want, Dd::ZERO, Dd::ZERO, Dd::ZERO]);
        assert!((error / 1e-17 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_other_branch_of_the_quaternion_is_two_away() {
        let want = [0.5, -0.5, 0.5, 0.5].map(Dd::from);
        assert_eq!(quaternion_distance([0.5, -0.5, 0.5, 0.5], want), 0.0);
        assert_eq!(quaternion_distance([-0.5, 0.5, -0.5, -0.5], want), 2.0);
    }

    #[test]
    fn nothing_that_is_not_finite_passes() {
        let m = [1.0, 2.0, 3.0];
        let q = [0.5; 4];
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for i in 0..3 {
                let mut spoilt = m;
                spoilt[i] = bad;
                assert_eq!(momentum_error(spoilt, m.map(Dd::from)), f64::INFINITY);
                assert_eq!(momentum_error(m, spoilt.map(Dd::from)), f64::INFINITY);
                assert_eq!(momentum_error(spoilt, [Dd::ZERO; 3]), f64::INFINITY);
            }
            for i in 0..4 {
                let mut spoilt = q;
                spoilt[i] = bad;
                assert_eq!(quaternion_distance(spoilt, q.map(Dd::from)), f64::INFINITY);
                assert_eq!(quaternion_distance(q, spoilt.map(Dd::from)), f64::INFINITY);
            }
        }
        let all_bad = [Dd::from(f64::NAN); 3];
        assert_eq!(momentum_error([0.0; 3], all_bad), f64::INFINITY);
    }
}
