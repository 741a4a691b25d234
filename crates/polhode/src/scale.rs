//! Powers of two: how quantities of any unit are brought to order one without rounding.

use polhode_elliptic::Dd;

/// The power of two with the exponent of x, and its inverse, if both are far inside the range of
/// doubles: two bit operations where [`exponent`] and [`ldexp`] have to think of every case.
#[inline]
pub(crate) fn power_of_two(x: f64) -> Option<(f64, f64)> {
    (1e-290..1e290).contains(&x.abs()).then(|| crate::lanes::Lanes::power_of_two(x))
}

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
