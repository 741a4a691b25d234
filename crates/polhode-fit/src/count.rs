//! Counts from quotients.

/// The whole part of a quotient that is not negative; too large a one is the largest count.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
pub(crate) fn whole(x: f64) -> usize {
    x as usize
}
