//! Functions of numbers: exact sums and products, sine and cosine, exponential and logarithm.

use core::ops::{Add, Sub};

use crate::Number;

/// Exact sum of two numbers as (rounded sum, error).
#[inline(always)]
pub fn two_sum<L: Number>(a: L, b: L) -> (L, L) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// Exact sum of two numbers as (rounded sum, error), where `|a| >= |b|` or `a == 0` (Dekker); elsewhere the error is
/// nearly right. For a number of any kind, or a vector of them.
#[inline(always)]
pub fn fast_two_sum<T>(a: T, b: T) -> (T, T)
where
    T: Copy + Add<Output = T> + Sub<Output = T>,
{
    let s = a + b;
    (s, b - (s - a))
}

/// Adds to a sum what it can hold, and keeps the rest for the next time (Kahan, Møller).
#[inline(always)]
pub fn add_compensated<T>(sum: &mut T, rest: &mut T, increment: T)
where
    T: Copy + Add<Output = T> + Sub<Output = T>,
{
    (*sum, *rest) = fast_two_sum(*sum, *rest + increment);
}

/// Exact product of two numbers as (rounded product, error), barring over- and underflow.
#[inline(always)]
pub fn two_prod<L: Number>(a: L, b: L) -> (L, L) {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// Dekker's split into two halves of at most 26 bits.
#[inline(always)]
fn halves<L: Number>(a: L) -> (L, L) {
    let c = L::splat(134_217_729.0) * a;
    let hi = c - (c - a);
    (hi, a - hi)
}

/// A complex number times i^n, n a whole number of magnitude below 2^51.
#[inline(always)]
pub fn quarter_turns<L: Number>((x, y): (L, L), n: L) -> (L, L) {
    // n mod 4 in -2..=2.
    let k = n - (n * L::splat(0.25)).round() * L::splat(4.0);
    let size = k.abs();
    let half_turn = L::splat(1.5).less(size);
    let odd = L::splat(0.5).less(size) & size.less(L::splat(1.5));
    let (a, b) = (L::select(odd, y, x), L::select(odd, x, y));
    let (one, minus) = (L::splat(1.0), L::splat(-1.0));
    let left = L::splat(0.5).less(k);
    let right = k.less(L::splat(-0.5));
    (a * L::select(half_turn | left, minus, one), b * L::select(half_turn | right, minus, one))
}

/// Sine and cosine of `z + tail`, `|z| <= pi/4` and the tail small beside it: Taylor sums, with the
/// first-order effect of the tail.
#[inline(always)]
pub fn sin_cos_octant<L: Number>(z: L, tail: L) -> (L, L) {
    let y = z * z;
    let y2 = y * y;
    let y4 = y2 * y2;
    // Estrin's scheme: half the latency of Horner's.
    let p = (L::splat(-1.0 / 6.0) + y * L::splat(1.0 / 120.0))
        + y2 * (L::splat(-1.0 / 5040.0) + y * L::splat(1.0 / 362880.0))
        + y4 * ((L::splat(-1.0 / 39916800.0) + y * L::splat(1.0 / 6227020800.0))
            + y2 * (L::splat(-1.0 / 1307674368000.0) + y * L::splat(1.0 / 355687428096000.0)));
    let r = (L::splat(1.0 / 24.0) + y * L::splat(-1.0 / 720.0))
        + y2 * (L::splat(1.0 / 40320.0) + y * L::splat(-1.0 / 3628800.0))
        + y4 * ((L::splat(1.0 / 479001600.0) + y * L::splat(-1.0 / 87178291200.0))
            + y2 * L::splat(1.0 / 20922789888000.0));
    let half = y * L::splat(0.5);
    let w = L::splat(1.0) - half;
    let s = z + (z * y * p + tail * w);
    let c = w + (((L::splat(1.0) - w) - half) + (y2 * r - z * tail));
    (s, c)
}

/// 1/n in every lane. No closure: it would not be compiled for the lanes of its caller.
#[inline(always)]
fn per<L: Number>(n: f64) -> L {
    L::splat(1.0 / n)
}

/// exp(x) and exp(x) - 1, the latter good to all digits near zero, for |x| <= 700.
#[inline(always)]
pub fn exp_and_minus_one<L: Number>(x: L) -> (L, L) {
    let n = (x * L::splat(core::f64::consts::LOG2_E)).round();
    // ln 2 in two parts, the first of 33 bits: its product with n is exact.
    let r = (x - n * L::splat(0.6931471803691238)) - n * L::splat(1.9082149292705877e-10);
    let r2 = r * r;
    let r4 = r2 * r2;
    let per = per::<L>;
    let low = (per(2.0) + r * per(6.0)) + r2 * (per(24.0) + r * per(120.0));
    let middle = (per(720.0) + r * per(5040.0)) + r2 * (per(40320.0) + r * per(362880.0));
    let high =
        (per(3628800.0) + r * per(39916800.0)) + r2 * (per(479001600.0) + r * per(6227020800.0));
    let m = r + r2 * (low + r4 * (middle + r4 * high));
    let power = n.exp2();
    let e = power * (L::splat(1.0) + m);
    let small = n.abs().less(L::splat(0.5));
    (e, L::select(small, m, e - L::splat(1.0)))
}

/// exp(x) and exp(x) - 1 for any x: zero and -1 where it underflows, infinite where it overflows.
#[inline(always)]
pub fn exp_wide<N: Number>(x: N) -> (N, N) {
    let (limit, half) = (N::splat(700.0), N::splat(0.5));
    let wide = limit.less(x.abs());
    if !N::any(wide) {
        return exp_and_minus_one(x);
    }
    // By the square of its root, which is zero or infinite once the root has left the range.
    let size = x.abs();
    let size = N::select(size.less(N::splat(1400.0)), size, N::splat(1400.0));
    let x = N::select(wide, (size * half).copysign(x), x);
    let (e, minus_one) = exp_and_minus_one(x);
    let square = e * e;
    (N::select(wide, square, e), N::select(wide, square - N::splat(1.0), minus_one))
}

/// ln 2 with eleven zeros at its end, so that a multiple below 2^11 is exact; and the rest.
pub const LN_2: (f64, f64) = (0.693_147_180_559_890_3, 5.497_923_018_708_371e-14);

/// ln(x) as the sum of an exact multiple of (nearly) ln 2 and a rest of magnitude below 0.35, for any positive
/// finite x.
///
/// The rest is that of 2 artanh s = 2 s + 2/3 s^3 + ..., s = (f - 1)/(f + 1) for the f next to one of which x
/// is a power of two times.
#[inline(always)]
pub fn ln_parts<L: Number>(x: L) -> (L, L) {
    let (one, none) = (L::splat(1.0), L::splat(0.0));
    // Where the power of two that belongs to a number, or its inverse, is no normal number.
    let (tiny, huge) = (x.less(L::splat(1e-300)), L::splat(1e300).less(x));
    let (mut x, mut lifted) = (x, none);
    if L::any(tiny | huge) {
        let (up, down) = (L::splat(TWO_TO_THE_100), L::splat(1.0 / TWO_TO_THE_100));
        x = x * L::select(tiny, up, L::select(huge, down, one));
        lifted = L::select(tiny, L::splat(100.0), L::select(huge, L::splat(-100.0), none));
    }
    let f = x * x.power_of_two().1;
    let above = L::splat(core::f64::consts::SQRT_2).less(f);
    let f = L::select(above, f * L::splat(0.5), f);
    let twos = x.exponent() - lifted + L::select(above, one, none);
    let s = (f - one) / (f + one);
    let y = s * s;
    let (y2, y4) = (y * y, (y * y) * (y * y));
    let low = (per::<L>(3.0) + y * per(5.0)) + y2 * (per::<L>(7.0) + y * per(9.0));
    let middle = (per::<L>(11.0) + y * per(13.0)) + y2 * (per::<L>(15.0) + y * per(17.0));
    let high = per::<L>(19.0) + y * per(21.0);
    let twice = s + s;
    let rest = twice + (twice * y * (low + y4 * (middle + y4 * high)) + twos * L::splat(LN_2.1));
    (twos * L::splat(LN_2.0), rest)
}

/// 2^100.
const TWO_TO_THE_100: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;

/// Sine and cosine, each within an ulp of one for angles up to 2^20 quarter turns, within eps of the
/// angle beyond.
///
/// The angle is x plus a tail that is small beside it (the low half of a double-double, or zero).
/// Ours, because a library's differ from one platform (and from one vector width) to the next.
/// Reduction by pi/2 in three parts (Cody & Waite), then Taylor sums on the octant.
#[inline(always)]
pub fn sin_cos<L: Number>(x: L, tail: L) -> (L, L) {
    if !L::any(L::splat(0.78).less(x.abs())) {
        // Nothing to reduce: the same bits, sooner.
        return sin_cos_octant(x, L::splat(0.0) + tail);
    }
    let n = (x * L::splat(core::f64::consts::FRAC_2_PI)).round();
    // The first two parts have 33 bits each: their products with n below 2^20 are exact.
    let y = x - n * L::splat(1.5707963267341256);
    let w = n * L::splat(6.077100506303966e-11);
    let z = y - w;
    // What z lost to rounding, and the third part.
    let tail = (((y - z) - w) - n * L::splat(2.0222662487959506e-21)) + tail;
    let (s, c) = sin_cos_octant(z, tail);
    let (c, s) = quarter_turns((c, s), n);
    (s, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pack;

    #[test]
    fn sin_cos_within_an_ulp() {
        let mut x = -30.0;
        while x < 30.0 {
            let (s, c) = sin_cos(x, 0.0);
            assert!((s - libm::sin(x)).abs() <= 2.3e-16, "sin {x}: {:e}", s - libm::sin(x));
            assert!((c - libm::cos(x)).abs() <= 2.3e-16, "cos {x}: {:e}", c - libm::cos(x));
            x += 0.0137;
        }
        // Beyond 2^20 quarter turns the first product is rounded: eps x, as x itself is.
        for (x, allowed) in [(1e5_f64, 2.3e-16), (-1e6, 2.3e-16), (1e9, 1e9 * f64::EPSILON)] {
            let (s, c) = sin_cos(x, 0.0);
            assert!((s - libm::sin(x)).abs() <= allowed, "{x}: {:e}", s - libm::sin(x));
            assert!((c - libm::cos(x)).abs() <= allowed, "{x}: {:e}", c - libm::cos(x));
        }
    }

    #[test]
    fn exponentials_of_any_size() {
        let mut x = -720.0;
        while x < 720.0 {
            let (e, m) = exp_wide(x);
            // Two ulp, or one of a subnormal number.
            let near = |got: f64, want: f64| (got - want).abs() <= 4.5e-16 * want.abs() + 1e-323;
            assert!(near(e, libm::exp(x)) || e == libm::exp(x), "{x}: {e:e}");
            assert!(near(m, libm::expm1(x)) || m == libm::expm1(x), "{x}: {m:e}");
            x += 0.0371;
        }
        assert_eq!(exp_wide(-1e300), (0.0, -1.0));
        assert_eq!(exp_wide(1e300), (f64::INFINITY, f64::INFINITY));
        assert!(exp_wide(f64::NAN).0.is_nan());
    }

    #[test]
    fn logarithms_of_any_size() {
        let ends = [5e-324, f64::MIN_POSITIVE, 1e-300, 1e300, f64::MAX, 1.0 - f64::EPSILON / 2.0];
        let line = (-10_000..10_000).map(|i| libm::exp(f64::from(i) * 0.0707));
        for x in line.chain(ends) {
            let (whole, rest) = ln_parts(x);
            let (got, want) = (whole + rest, libm::log(x));
            assert!((got - want).abs() <= 4.5e-16 * want.abs(), "{x:e}: {:e}", got - want);
            assert!(rest.abs() < 0.35);
        }
        assert_eq!(ln_parts(1.0), (0.0, 0.0));
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar() {
        let xs: [f64; 8] = core::array::from_fn(|i| (i as f64 - 3.3) * 2.7);
        let (s, c) = sin_cos(Pack(xs), Pack([0.0; 8]));
        for (i, x) in xs.into_iter().enumerate() {
            assert_eq!((s.0[i], c.0[i]), sin_cos(x, 0.0));
        }
    }

    #[test]
    fn powers_of_two_bracket_the_number() {
        for x in [1.0, 1.99, 3e-200, 7e200, 1e-300] {
            let (p, inverse) = Number::power_of_two(x);
            assert!(p <= x && x < 2.0 * p && p * inverse == 1.0, "{x}");
            assert_eq!(x.exponent().exp2(), p);
        }
    }
}
