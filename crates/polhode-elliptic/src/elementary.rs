//! Elementary functions of a small argument that comes in two parts.
//!
//! Jacobi's functions of one argument need each of these once, to a little more than a double: no
//! tables, no branches, and sums in pairs, so that a processor has something to do while it waits.
//!
//! A tail here may be as large as a hundred-thousandth of what it follows; the two together are
//! meant.

use polhode_number::{LN_2, two_sum};

/// 1.5 2^52: beside it there are no bits for a fraction, and an integer stands in the lowest bits.
pub(crate) const INTEGERS: f64 = 6_755_399_441_055_744.0;

/// x without its lowest 27 bits: products of two such numbers are exact.
#[inline(always)]
pub(crate) fn high(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0x07ff_ffff)
}

/// The lowest bits of an integer below 2^51, in two's complement.
#[inline(always)]
pub(crate) fn integer_bits(x: f64) -> u64 {
    (x + INTEGERS).to_bits()
}

/// x, or -x where the bit is one.
#[inline(always)]
pub(crate) fn flipped(x: f64, bit: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ (bit << 63))
}

/// `e^-(x + tail)`, one minus that, and `e^(x + tail)`, each to its own last digits, for
/// `|x| <= 500`.
#[inline(always)]
pub(crate) fn exponentials(x: f64, tail: f64) -> (f64, f64, f64) {
    let shifted = (x + tail) * core::f64::consts::LOG2_E + INTEGERS;
    let twos = shifted - INTEGERS;
    let near = x - twos * LN_2.0;
    let rest = tail - twos * LN_2.1;
    let w = near + rest;
    let w_tail = (near - w) + rest;
    // Odd and even parts for |w| <= ln(2)/2: sinh w, and cosh w less one.
    let y = w * w;
    let y2 = y * y;
    let y4 = y2 * y2;
    let odd = ((1.0 / 6.0 + y * (1.0 / 120.0)) + y2 * (1.0 / 5040.0 + y * (1.0 / 362880.0)))
        + y4 * (1.0 / 39916800.0 + y * (1.0 / 6227020800.0));
    let even = ((1.0 / 24.0 + y * (1.0 / 720.0)) + y2 * (1.0 / 40320.0 + y * (1.0 / 3628800.0)))
        + y4 * (1.0 / 479001600.0);
    let odd = w * y * odd + w_tail;
    let even = 0.5 * y + (y2 * even + w * w_tail);
    let (up, down) = (w + (even + odd), (even - odd) - w);
    // 2^twos and its inverse.
    let count = shifted.to_bits();
    let power = f64::from_bits((count.wrapping_add(1023) & 0x7ff) << 52);
    let inverse = f64::from_bits((1023_u64.wrapping_sub(count) & 0x7ff) << 52);
    let part = inverse * down;
    (inverse + part, (1.0 - inverse) - part, power + power * up)
}

/// `ln(2^twos (top + tail)/bottom)` in two parts, to 2^-60, for `1/sqrt(2) <= top/bottom <= sqrt(2)`
/// and `1 <= twos < 2^11`.
///
/// The first part is that of 2 artanh s = 2 s + ..., s = (top - bottom)/(top + bottom).
#[inline(always)]
pub(crate) fn ln_quotient(twos: f64, top: f64, tail: f64, bottom: f64) -> (f64, f64) {
    let difference = top - bottom;
    let (sum, dropped) = two_sum(top, bottom);
    let inverse = 1.0 / sum;
    let s = difference * inverse;
    let (s_high, sum_high) = (high(s), high(sum));
    let left = (difference - s_high * sum_high) - s_high * (sum - sum_high);
    let s_low = (left + (tail - s * (dropped + tail))) * inverse;
    let y = s * s;
    let y2 = y * y;
    let y4 = y2 * y2;
    let p = (1.0 / 3.0 + y * (1.0 / 5.0)) + y2 * (1.0 / 7.0 + y * (1.0 / 9.0));
    let p_mid = (1.0 / 11.0 + y * (1.0 / 13.0)) + y2 * (1.0 / 15.0 + y * (1.0 / 17.0));
    let p_end = 1.0 / 19.0 + y * (1.0 / 21.0);
    let beyond = s_low + s * y * (p + y4 * (p_mid + y4 * p_end));
    let whole = twos * LN_2.0;
    let ln = whole + 2.0 * s_high;
    (ln, ((whole - ln) + 2.0 * s_high) + (twos * LN_2.1 + 2.0 * beyond))
}
