//! Errors, their distribution, and observed orders.
//!
//! Every error of something that is not finite is infinite: the maximum over a set of errors would
//! pass over a NaN, and a test with it.

use core::fmt;

use polhode_elliptic::Dd;

/// |got - want| / |want| in units of 2^-52.
///
/// Infinite for anything not finite; for `want` zero, 0 if `got` is zero too and infinite if not.
pub fn eps_error(got: f64, want: Dd) -> f64 {
    if want == Dd::ZERO {
        return if got == 0.0 { 0.0 } else { f64::INFINITY };
    }
    finite_or_infinite(((Dd::from(got) - want).hi() / want.hi()).abs() / f64::EPSILON)
}

fn finite_or_infinite(error: f64) -> f64 {
    if error.is_finite() { error } else { f64::INFINITY }
}

/// How errors are distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// Arithmetic mean.
    pub mean: f64,
    /// Median (nearest rank).
    pub p50: f64,
    /// The value that 99% do not exceed (nearest rank).
    pub p99: f64,
    /// The largest of all.
    pub max: f64,
}

impl Distribution {
    /// The distribution of `errors`; a NaN counts as infinite.
    ///
    /// # Panics
    /// If there are none: a test over nothing must not pass.
    pub fn of(errors: &[f64]) -> Self {
        assert!(!errors.is_empty(), "no errors to describe: nothing was tested");
        let mut sorted: Vec<f64> = errors.iter().map(|&x| finite_or_infinite(x)).collect();
        sorted.sort_by(f64::total_cmp);
        let rank = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1];
        Self {
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            p50: rank(50),
            p99: rank(99),
            max: rank(100),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, p50, p99, max } = self;
        write!(f, "mean {mean:.2e}, p50 {p50:.2e}, p99 {p99:.2e}, max {max:.2e}")
    }
}

/// The observed order: slope of log(err) over log(h), fitted by least squares to the points above
/// `plateau` (the level of round-off) whose error is smaller than the one before.
///
/// `h` runs from the largest step to the smallest.
///
/// # Panics
/// If fewer than three points are left, the steps do not decrease, or an error is not finite.
pub fn slope(h: &[f64], err: &[f64], plateau: f64) -> f64 {
    assert_eq!(h.len(), err.len(), "one error for every step");
    assert!(
        h.is_sorted_by(|a, b| a > b) && h.iter().all(|&h| h > 0.0),
        "steps must be positive and decrease: {h:?}"
    );
    assert!(
        err.iter().all(|e| e.is_finite()),
        "an error is not finite, use smaller steps: {err:?}"
    );
    let (x, y): (Vec<f64>, Vec<f64>) = (0..h.len())
        .filter(|&i| err[i] > plateau && (i == 0 || err[i] < err[i - 1]))
        .map(|i| (h[i].ln(), err[i].ln()))
        .unzip();
    assert!(
        x.len() >= 3,
        "an order needs three points above {plateau:e}, use larger steps: {err:?}"
    );
    polhode_number::slope(&x, &y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eps_error_counts_units_of_the_last_place_of_one() {
        let want = Dd::from(-3.0);
        assert_eq!(eps_error(-3.0 * (1.0 + 2.0 * f64::EPSILON), want), 2.0);
        assert_eq!(eps_error(-3.0, want), 0.0);
        assert_eq!(eps_error(0.0, Dd::ZERO), 0.0);
        assert_eq!(eps_error(1e-300, Dd::ZERO), f64::INFINITY);
    }

    #[test]
    fn nothing_that_is_not_finite_passes() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(eps_error(bad, Dd::ONE), f64::INFINITY);
            assert_eq!(eps_error(bad, Dd::ZERO), f64::INFINITY);
            assert_eq!(eps_error(1.0, Dd::from(bad)), f64::INFINITY);
        }
    }

    #[test]
    fn distribution_takes_nearest_ranks() {
        let errors: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let found = Distribution::of(&errors);
        let (mean, p50, p99, max) = (100.5, 100.0, 198.0, 200.0);
        assert_eq!(found, Distribution { mean, p50, p99, max });
        assert_eq!(Distribution::of(&[7.0]).p99, 7.0);
        assert_eq!(Distribution::of(&[1.0, f64::NAN, 2.0]).max, f64::INFINITY);
        let text = found.to_string();
        assert_eq!(text, "mean 1.00e2, p50 1.00e2, p99 1.98e2, max 2.00e2");
    }

    #[test]
    #[should_panic(expected = "nothing was tested")]
    fn distribution_of_nothing_is_refused() {
        Distribution::of(&[]);
    }

    #[test]
    fn slope_ignores_the_plateau_and_errors_that_grow() {
        let h: Vec<f64> = (0..8).map(|i| 0.5_f64.powi(i)).collect();
        let mut err: Vec<f64> = h.iter().map(|h| 3.0 * h.powi(4)).collect();
        assert!((slope(&h, &err, 0.0) - 4.0).abs() < 1e-12);
        // Round-off from the sixth on, and one error that did not shrink.
        err[5] = 1e-7;
        err[6] = 3e-7;
        err[7] = 2e-7;
        assert!((slope(&h, &err, 1e-6) - 4.0).abs() < 1e-12);
        err[3] = 2.0 * err[2];
        assert!((slope(&h, &err, 1e-6) - 4.0).abs() < 1e-12);
    }

    #[test]
    #[should_panic(expected = "three points")]
    fn slope_of_two_points_is_refused() {
        slope(&[1.0, 0.5, 0.25], &[1e-2, 1e-3, 1e-9], 1e-6);
    }

    #[test]
    #[should_panic(expected = "not finite")]
    fn slope_of_an_infinite_error_is_refused() {
        let err = [f64::INFINITY, 1e-3, 1e-4, 1e-5];
        slope(&[1.0, 0.5, 0.25, 0.125], &err, 0.0);
    }

    #[test]
    #[should_panic(expected = "decrease")]
    fn slope_of_growing_steps_is_refused() {
        slope(&[0.25, 0.5, 1.0], &[1e-4, 1e-3, 1e-2], 0.0);
    }
}
