//! Sine and cosine of a double-double angle; the other elementary functions.
//!
//! Everything elementary goes through here: the `libm` crate, not the system's library, so that
//! the bits do not depend on the platform.

use crate::Dd;
use crate::dd::nearest_integer;

pub(crate) use libm::{atan, atan2, cos, cosh, exp, expm1, log, sin, sinh, tanh};

/// sin(2 pi r) and cos(2 pi r) for `|r| <= 1`, each within an ulp.
///
/// The angle comes in turns because that is what a long phase is reduced to.
///
/// ```
/// use polhode_elliptic::{sin_cos_turns, Dd};
/// assert_eq!(sin_cos_turns(Dd::from(0.25)), (1.0, 0.0));
/// ```
#[inline]
pub fn sin_cos_turns(r: Dd) -> (f64, f64) {
    let quadrant = nearest_integer(4.0 * r.hi());
    let z = (r - Dd::from(0.25 * quadrant)) * Dd::PI.scale(2.0);
    let (s, c) = sin_cos_octant(z.hi(), z.lo());
    // The quadrant is a small integer: |r| <= 1.
    #[allow(clippy::cast_possible_truncation)]
    match (quadrant as i32).rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// Taylor sums for `|z| <= pi/4`, with the first-order effect of the tail of the angle.
#[inline]
fn sin_cos_octant(z: f64, tail: f64) -> (f64, f64) {
    let y = z * z;
    let p = -1.0 / 6.0
        + y * (1.0 / 120.0
            + y * (-1.0 / 5040.0
                + y * (1.0 / 362880.0
                    + y * (-1.0 / 39916800.0
                        + y * (1.0 / 6227020800.0
                            + y * (-1.0 / 1307674368000.0 + y * (1.0 / 355687428096000.0)))))));
    let r = 1.0 / 24.0
        + y * (-1.0 / 720.0
            + y * (1.0 / 40320.0
                + y * (-1.0 / 3628800.0
                    + y * (1.0 / 479001600.0
                        + y * (-1.0 / 87178291200.0 + y * (1.0 / 20922789888000.0))))));
    let half = 0.5 * y;
    let w = 1.0 - half;
    let s = z + (z * y * p + tail * w);
    // (1 - w) - half recovers what the rounding of w dropped.
    let c = w + (((1.0 - w) - half) + (y * y * r - z * tail));
    (s, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_agree_with_radians() {
        for i in -200..=200 {
            let r = f64::from(i) / 200.0;
            let (s, c) = sin_cos_turns(Dd::from(r));
            // The reference's own argument is rounded: an error of 2 pi |r| eps/2.
            let x = core::f64::consts::TAU * r;
            assert!((s - sin(x)).abs() < 1.5e-15, "sin at {r} turns");
            assert!((c - cos(x)).abs() < 1.5e-15, "cos at {r} turns");
        }
    }

    #[test]
    fn quarter_turns_are_exact() {
        for (r, s, c) in [(0.0, 0.0, 1.0), (0.25, 1.0, 0.0), (0.5, 0.0, -1.0), (-0.25, -1.0, 0.0)] {
            let got = sin_cos_turns(Dd::from(r));
            assert_eq!((got.0 + 0.0, got.1 + 0.0), (s, c), "{r} turns");
        }
        // A tail far below the ulp of the angle still turns the small one of the two.
        let (_, c) = sin_cos_turns(Dd::new(0.25, -1e-20));
        assert!((c / (core::f64::consts::TAU * 1e-20) - 1.0).abs() < 1e-15);
    }
}
