//! Powers of two: how quantities of any unit are brought to order one without rounding.

use polhode_elliptic::Dd;

/// The exponent e with `2^e <= |x| < 2^(e+1)`; x finite and not zero.
pub(crate) fn exponent(x: f64) -> i32 {
    libm::ilogb(x)
}

/// x 2^e, exact unless the result over- or underflows, whatever the size of e.
pub(crate) fn ldexp(x: f64, e: i32) -> f64 {
    libm::scalbn(x, e)
}

/// The same for a double-double.
pub(crate) fn ldexp_dd(x: Dd, e: i32) -> Dd {
    Dd::new(ldexp(x.hi(), e), ldexp(x.lo(), e))
}
