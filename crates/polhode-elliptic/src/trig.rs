//! Sine and cosine of a double-double angle; the other elementary functions.
//!
//! Everything elementary goes through here: the `libm` crate, not the system's library, so that
//! the bits do not depend on the platform.

use crate::Dd;
use polhode_number::{Number, quarter_turns, sin_cos_octant, two_prod};

pub(crate) use libm::{atan, atan2, cos, cosh, exp, log, sin, sinh, tanh};

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
    sin_cos_turns_lanes(r.hi(), r.lo())
}

/// sin(2 pi r) and cos(2 pi r), as of [`sin_cos_turns`], in lanes, with `r + tail` for r.
#[inline(always)]
pub fn sin_cos_turns_lanes<L: Number>(r: L, tail: L) -> (L, L) {
    let quadrant = (r * L::splat(4.0)).round();
    // Exact: the difference is within an eighth.
    let r = r - quadrant * L::splat(0.25);
    let (z, error) = two_prod(r, L::splat(TWO_PI.hi()));
    let rest = error + (r * L::splat(TWO_PI.lo()) + tail * L::splat(TWO_PI.hi()));
    let (s, c) = sin_cos_octant(z, rest);
    let (c, s) = quarter_turns((c, s), quadrant);
    (s, c)
}

const TWO_PI: Dd = Dd::new(2.0 * Dd::PI.hi(), 2.0 * Dd::PI.lo());

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
