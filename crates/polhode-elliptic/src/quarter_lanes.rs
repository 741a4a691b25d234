//! K, E, D and B over any [`Number`]: one double, or many in lanes, with the same bits.
//!
//! With mc = 1 - m and L = ln(1/mc), each is P + L Q with P and Q analytic at mc = 0, where the integrals have
//! their logarithm; polynomials of degree ten are enough from 0 to 1. They are written so that the ends come
//! out exact and every other term is small beside the first ones:
//!
//! K and D are L/2 + Z - m (drop - mc R) + L mc Q, E and B are 1 + mc (Z - 1 + m R + L Q), where Z is the value at
//! m = 0. The polynomials R and Q are made by `study/coefficients.py`; their own relative error is below 0.05 eps.
//!
//! A negative parameter is carried to one between 0 and 1 by looking at the quarter turn from its other end:
//! 1 - m cos² = mc (1 - mu sin²) with mu = -m/mc, 1 - mu = 1/mc.
//!
//! # References
//! The form: Hastings, *Approximations for Digital Computers* (1955); DLMF 19.12.1-2 (expansions about m = 1),
//! 19.7.2 (negative parameter).

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use polhode_number::{Number, ln_parts};

/// What one of the integrals is made of.
struct IntegralTerms {
    /// The value at m = 0 as a double, and the rest of it.
    zero: f64,
    zero_tail: f64,
    /// The value at m = 0 less that at m = 1, without L/2 there.
    drop: f64,
    /// The polynomials, by rising powers of mc.
    r: [f64; 10],
    q: [f64; 10],
}

/// The first kind: ∫ 1/Δ.
const K: IntegralTerms = IntegralTerms {
    zero: FRAC_PI_2,
    zero_tail: 6.123233995736766e-17,
    drop: 0.184501965675006,
    r: [
        -0.08792837539470395,
        -0.05704323020115707,
        -0.04210546025706298,
        -0.03332833584420854,
        -0.02734669134386541,
        -0.021493756249137484,
        -0.01291957078940235,
        -0.004136725237526311,
        -0.0004339735394774223,
        -3.054013500914528e-06,
    ],
    q: [
        0.12499999999996561,
        0.07031249990142807,
        0.04882809147306214,
        0.037381223408945126,
        0.030201765755082054,
        0.02455109595208132,
        0.01745807271952447,
        0.0082553430285491,
        0.001835575420228499,
        0.00011655258490606591,
    ],
};

/// The second kind: ∫ Δ.
const E: IntegralTerms = IntegralTerms {
    zero: FRAC_PI_2,
    zero_tail: 6.123233995736766e-17,
    drop: FRAC_PI_2 - 1.0,
    r: [
        -0.12764914623477736,
        -0.07084395310058814,
        -0.049012457789017715,
        -0.03745907935962789,
        -0.030114524622210283,
        -0.02354233785183603,
        -0.014354998310904614,
        -0.0047323569816672675,
        -0.0005143584567832626,
        -3.7682736203530963e-06,
    ],
    q: [
        0.2499999999999823,
        0.09374999993822368,
        0.05859372588085219,
        0.042722362533590005,
        0.033576624846764665,
        0.02692513978190926,
        0.019217305256208957,
        0.009275320209068945,
        0.0021244281530939002,
        0.00013931947751121107,
    ],
};

/// ∫ sin²/Δ.
const D: IntegralTerms = IntegralTerms {
    zero: FRAC_PI_4,
    zero_tail: 3.061616997868383e-17,
    drop: 0.3991038022775577,
    r: [
        -0.35938303143087097,
        -0.34558229582700967,
        -0.3386721348076357,
        -0.3343437466800754,
        -0.32748134765381176,
        -0.2932250560774812,
        -0.1902547826032998,
        -0.06311052485007505,
        -0.006709966509876805,
        -4.736581464983642e-05,
    ],
    q: [
        0.37499999999928896,
        0.35156249805863427,
        0.3417962369806169,
        0.336404136397948,
        0.33164409175343257,
        0.31460855443379965,
        0.2477878078538793,
        0.12366771276379265,
        0.028163059679700536,
        0.0018042678852926005,
    ],
};

/// ∫ cos²/Δ.
const B: IntegralTerms = IntegralTerms {
    zero: FRAC_PI_4,
    zero_tail: 3.061616997868383e-17,
    drop: FRAC_PI_4 - 1.0,
    r: [
        0.27145465603936464,
        0.2885390703027967,
        0.2965675530867198,
        0.3010557894040373,
        0.3007259675645033,
        0.2748279402501667,
        0.18325635649054894,
        0.06278890781257737,
        0.006902242336756279,
        5.0471928301927676e-05,
    ],
    q: [
        -0.24999999999966874,
        -0.2812499988865235,
        -0.29296832935114236,
        -0.29903414446434795,
        -0.30166474610380434,
        -0.2916975886396376,
        -0.2350768434366056,
        -0.12069784245047528,
        -0.02833644961589946,
        -0.001870078445536093,
    ],
};

/// A polynomial, by Estrin's scheme: the chain of operations is half as long as Horner's.
#[inline(always)]
fn polynomial<N: Number>(c: &[f64; 10], x: N) -> N {
    let n = N::splat;
    let (x2, x4) = (x * x, (x * x) * (x * x));
    let low = (n(c[0]) + x * n(c[1])) + x2 * (n(c[2]) + x * n(c[3]));
    let middle = (n(c[4]) + x * n(c[5])) + x2 * (n(c[6]) + x * n(c[7]));
    low + x4 * (middle + x4 * (n(c[8]) + x * n(c[9])))
}

/// A parameter from 0 to 1 and what else the integrals are made of.
struct ReducedParameter<N: Number> {
    m: N,
    mc: N,
    /// L in two parts.
    ln: (N, N),
    /// Where the parameter was negative, and the root of what 1 - m was there; one elsewhere.
    negative: N::Mask,
    root: N,
}

impl<N: Number> ReducedParameter<N> {
    #[inline(always)]
    fn new(m: N, mc: N) -> Self {
        let one = N::splat(1.0);
        let negative = one.less(mc);
        let (whole, rest) = ln_parts(mc);
        if !N::any(negative) {
            return Self { m, mc, ln: (-whole, -rest), negative, root: one };
        }
        let sign = N::select(negative, one, -one);
        let divisor = N::select(negative, mc, one);
        Self {
            m: N::select(negative, -m / divisor, m),
            mc: N::select(negative, one / divisor, mc),
            ln: (sign * whole, sign * rest),
            negative,
            root: divisor.sqrt(),
        }
    }

    /// K or D.
    #[inline(always)]
    fn unbounded(&self, table: &IntegralTerms) -> N {
        let Self { m, mc, ln: (whole, rest), .. } = *self;
        let (half, ln) = (N::splat(0.5), whole + rest);
        let bend =
            N::splat(table.zero_tail) - m * (N::splat(table.drop) - mc * polynomial(&table.r, mc));
        let small = bend + ln * (mc * polynomial(&table.q, mc));
        half * whole + (N::splat(table.zero) + (half * rest + small))
    }

    /// E or B.
    #[inline(always)]
    fn bounded(&self, table: &IntegralTerms) -> N {
        let Self { m, mc, ln: (whole, rest), .. } = *self;
        let bend = N::splat(table.zero_tail) + m * polynomial(&table.r, mc);
        let small = bend + (whole + rest) * polynomial(&table.q, mc);
        N::splat(1.0) + mc * (N::splat(table.drop) + small)
    }
}

/// The value where 0 < mc < infinity; elsewhere the limits at mc = 0 and at infinity, or NaN.
#[inline(always)]
fn within<N: Number>(mc: N, value: N, at_one: f64, at_minus_infinity: f64) -> N {
    let (zero, infinity) = (N::splat(0.0), N::splat(f64::INFINITY));
    let inside = zero.less(mc) & mc.less(infinity);
    if N::all(inside) {
        return value;
    }
    let limit = N::select(mc.less(infinity), N::splat(at_one), N::splat(at_minus_infinity));
    let nan = N::splat(f64::NAN);
    // From -0 on, and no NaN. Not compared with the least subnormal, which some threads take for zero.
    let real = N::select(N::splat(-1.0).less(mc), limit, nan);
    N::select(inside, value, N::select(mc.less(zero), nan, real))
}

/// K of a parameter and its complement; NaN for m > 1.
#[inline(always)]
pub(crate) fn k<N: Number>(m: N, mc: N) -> N {
    let reduced = ReducedParameter::new(m, mc);
    within(mc, reduced.unbounded(&K) / reduced.root, f64::INFINITY, 0.0)
}

/// E, likewise.
#[inline(always)]
pub(crate) fn e<N: Number>(m: N, mc: N) -> N {
    let reduced = ReducedParameter::new(m, mc);
    within(mc, reduced.bounded(&E) * reduced.root, 1.0, f64::INFINITY)
}

/// D, likewise.
#[inline(always)]
pub(crate) fn d<N: Number>(m: N, mc: N) -> N {
    let reduced = ReducedParameter::new(m, mc);
    let mut value = reduced.unbounded(&D);
    if N::any(reduced.negative) {
        value = N::select(reduced.negative, reduced.bounded(&B) / reduced.root, value);
    }
    within(mc, value, f64::INFINITY, 0.0)
}

/// B, likewise.
#[inline(always)]
pub(crate) fn b<N: Number>(m: N, mc: N) -> N {
    let reduced = ReducedParameter::new(m, mc);
    let mut value = reduced.bounded(&B);
    if N::any(reduced.negative) {
        value = N::select(reduced.negative, reduced.unbounded(&D) / reduced.root, value);
    }
    within(mc, value, 1.0, 0.0)
}
