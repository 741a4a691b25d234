//! What several tests need.

/// Asserts a relative error of at most so many eps.
pub(crate) fn close(got: f64, want: f64, eps: f64) {
    assert!((got - want).abs() <= eps * f64::EPSILON * want.abs(), "{got:e} for {want:e}");
}
