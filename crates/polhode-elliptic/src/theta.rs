//! Theta series of one modulus: sn, cn, dn and the phase of a shifted theta function.
//!
//! With the nome q for k² <= 1/2 (circular functions) and the complementary nome for k² > 1/2
//! (hyperbolic functions, Jacobi's imaginary transformation), the nome never exceeds
//! exp(-pi) = 0.0432, so that four terms reach double precision for every modulus: no case is
//! slow, and the neighbourhood of k = 1 is as accurate as any other.
//!
//! The argument comes as f = u/(2K), in half periods, reduced to `|f| <= 1/2`: a phase of any
//! length can be reduced in double-double before it gets here.
//!
//! # References
//! - DLMF 20.2.1-4 (series), 22.2.4-6 (sn, cn, dn), 20.7.30-33 (imaginary transformation).
//! - The integral of the third kind as the phase of theta_4(v + ib): Jacobi1850, in modern form
//!   Whittaker & Watson, section 22.74.

use crate::{Dd, Real, rf, trig};
use polhode_number::{Number, exp_and_minus_one};

/// Theta functions of one modulus, ready to be evaluated at many arguments.
#[derive(Clone, Copy, Debug)]
pub struct Theta {
    side: Side,
    /// The nome of that side.
    q: f64,
    /// q^2 and q^4: the series are written in them.
    q2: f64,
    q4: f64,
    /// Quotients of the thetas at zero that turn series into sn, cn, dn.
    sn: f64,
    cn: f64,
    dn: f64,
    /// The modulus and the quarter periods K and K'.
    k: f64,
    quarter: f64,
    complementary_quarter: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// k² <= 1/2: circular functions of v = pi f.
    Circular,
    /// k² > 1/2: hyperbolic functions of x = f ln(1/q').
    Hyperbolic {
        /// ln(1/q'): the length of a half period in x.
        length: f64,
    },
}

/// A shift of the argument of theta_4 by an imaginary amount b, `0 <= b < K'`.
///
/// The phase of theta_4(v + ib) is the periodic part of the integral of the third kind with
/// n = -k² sc²(b, k') < 0.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    re: [f64; 4],
    im: [f64; 4],
    /// Phase that the hyperbolic form leaves out, per half period (it is linear in f).
    pub slope: f64,
}

/// What the series give at one argument.
#[derive(Clone, Copy, Debug)]
pub struct ThetaValues<L = f64> {
    /// sn(u).
    pub sn: L,
    /// cn(u).
    pub cn: L,
    /// dn(u).
    pub dn: L,
    /// Real part of the shifted theta function, up to a positive factor; positive.
    pub re: L,
    /// Its imaginary part; the phase is `atan2(im, re) + slope * f`.
    pub im: L,
}

impl Shift {
    /// No shift: for callers that want sn, cn, dn only.
    pub const NONE: Self = Self { re: [0.0; 4], im: [0.0; 4], slope: 0.0 };
}

/// The nome from the modulus and its complement, for k² <= 1/2.
///
/// The series in l = (1 - sqrt k')/(2 (1 + sqrt k')) (DLMF 19.5.6), with 1 - k' written
/// as k²/(1 + k') so that a small modulus keeps its digits.
fn nome(k: f64, kc: f64) -> f64 {
    let root = 1.0 + Real::sqrt(kc);
    let l = 0.5 * k * k / ((1.0 + kc) * root * root);
    let l4 = (l * l) * (l * l);
    l * (1.0 + l4 * (2.0 + l4 * (15.0 + l4 * (150.0 + l4 * 1707.0))))
}

impl Theta {
    /// The theta functions of modulus k and complementary modulus kc, `k² + kc² = 1`, `kc > 0`.
    ///
    /// Both moduli are given, so that neither is the difference of the other from one. `quarter` is
    /// K(k), of which the caller often has more digits than this would compute.
    pub fn new(k: f64, kc: f64, quarter: f64) -> Self {
        let circular = k <= kc;
        let q = if circular { nome(k, kc) } else { nome(kc, k) };
        let (q2, q4) = (q * q, (q * q) * (q * q));
        let theta2 = 1.0 + q2 * (1.0 + q4);
        let theta3 = 1.0 + 2.0 * q * (1.0 + q * q2 * (1.0 + q * q4));
        let theta4 = 1.0 - 2.0 * q * (1.0 - q * q2 * (1.0 - q * q4));
        let (side, complementary_quarter, factors);
        if circular {
            side = Side::Circular;
            complementary_quarter = f64::INFINITY;
            factors = (theta3 / theta2, theta4 / theta2, theta4 / theta3);
        } else {
            // q' ~ (kc/4)^2 underflows long before its logarithm means anything.
            let length = if kc < 1e-8 { -2.0 * trig::log(0.25 * kc) } else { -trig::log(q) };
            side = Side::Hyperbolic { length };
            complementary_quarter = core::f64::consts::PI * quarter / length;
            factors = (theta3 / theta4, 2.0 * theta2 / theta4, 2.0 * theta2 / theta3);
        }
        let (sn, cn, dn) = factors;
        Self { side, q, q2, q4, sn, cn, dn, k, quarter, complementary_quarter }
    }

    /// The shift by b with am(b, k') = atan2(sin, cos); neither negative, not both zero.
    pub fn shift(&self, sin: f64, cos: f64) -> Shift {
        let b = self.complementary_f(sin, cos);
        match self.side {
            Side::Circular => {
                let e = trig::exp(core::f64::consts::PI * b / self.quarter);
                self.circular_shift(self.q * e, self.q / e)
            }
            Side::Hyperbolic { .. } => Self::hyperbolic_shift(b / self.complementary_quarter),
        }
    }

    /// The shift by b = K' - a with am(a, k') = atan2(sin, cos); neither negative, not both zero.
    ///
    /// As k -> 0 both K' and b grow without bound; their difference is what stays.
    pub fn shift_below_quarter(&self, sin: f64, cos: f64) -> Shift {
        let a = self.complementary_f(sin, cos);
        match self.side {
            Side::Circular => {
                let w = trig::exp(-core::f64::consts::PI * a / self.quarter);
                let mirrored = if self.q2 == 0.0 { 0.0 } else { self.q2 / w };
                self.circular_shift(w, mirrored)
            }
            Side::Hyperbolic { .. } => Self::hyperbolic_shift(1.0 - a / self.complementary_quarter),
        }
    }

    /// F of the complementary modulus at the given amplitude; infinite where it diverges.
    fn complementary_f(&self, sin: f64, cos: f64) -> f64 {
        let h = libm::hypot(sin, cos);
        let (s, c) = (sin / h, cos / h);
        let c2 = c * c;
        s * rf(c2, c2 + (self.k * s) * (self.k * s), 1.0).unwrap_or(f64::INFINITY)
    }

    /// theta_4(v + ib) = sum of (-1)^n q^(n²) cos 2n(v + ib), by harmonics of v;
    /// w = q e^(2b) and `mirrored` = q e^(-2b), b in units of v.
    fn circular_shift(&self, w: f64, mirrored: f64) -> Shift {
        let (mut re, mut im) = ([1.0, 0.0, 0.0, 0.0], [0.0; 4]);
        let (mut up, mut down, mut sign) = (1.0, 1.0, 1.0);
        // q^(n² - n) for n = 1, 2, 3.
        for (n, weight) in [(1, 1.0), (2, self.q2), (3, self.q2 * self.q4)] {
            up *= w;
            down *= mirrored;
            sign = -sign;
            re[n] = sign * weight * (up + down);
            im[n] = -sign * weight * (up - down);
        }
        Shift { re, im, slope: 0.0 }
    }

    /// The same by cosh((2n+1)(x + iy)), y = (pi/2) b/K'. The Gaussian factor of the imaginary
    /// transformation contributes the phase -2 y f.
    fn hyperbolic_shift(fraction: f64) -> Shift {
        let y = core::f64::consts::FRAC_PI_2 * fraction;
        let (s, c) = (trig::sin(y), trig::cos(y));
        // Three, five and seven times the angle; their terms are small, a rounding more is nothing.
        let twice = 2.0 * (c - s) * (c + s);
        let (s3, c3) = (s * (twice + 1.0), c * (twice - 1.0));
        let (s5, c5) = (twice * s3 - s, twice * c3 - c);
        let (s7, c7) = (twice * s5 - s3, twice * c5 - c3);
        let (re, im) = ([c, c3, c5, c7], [s, s3, s5, s7]);
        Shift { re, im, slope: -2.0 * y }
    }

    /// sn, cn, dn and the shifted theta function at u = 2 K f, `|f| <= 1/2`.
    ///
    /// Errors are a few eps, relative to one for cn and dn near their zeros or minima on the
    /// hyperbolic side.
    #[inline]
    pub fn at(&self, f: Dd, shift: &Shift) -> ThetaValues {
        self.lanes(f.hi(), f.lo(), shift)
    }

    /// sn, cn, dn and the shifted theta function, as of [`Theta::at`], in lanes, at u = 2 K (f + tail).
    #[inline(always)]
    pub fn lanes<L: Number>(&self, f: L, tail: L, shift: &Shift) -> ThetaValues<L> {
        match self.side {
            Side::Circular => self.circular(f, tail, shift),
            Side::Hyperbolic { length } => self.hyperbolic(f, length, shift),
        }
    }

    /// The quarter period K.
    pub fn quarter(&self) -> f64 {
        self.quarter
    }

    #[inline(always)]
    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// The derivative of the logarithm of theta_3, over -4 q, at u = 2 K (f + tail): by v = pi f on the circular
    /// side, over 4 q by x on the hyperbolic one.
    #[inline(always)]
    pub(crate) fn log_derivative<L: Number>(&self, f: L, tail: L) -> L {
        let number = L::splat;
        let (q, q2, q4) = (self.q, self.q2, self.q4);
        let (one, two, half) = (number(1.0), number(2.0), number(0.5));
        match self.side {
            Side::Circular => {
                let (s, c) = trig::sin_cos_turns_lanes(f * half, tail * half);
                let (c2, s2) = ((c - s) * (c + s), two * s * c);
                let (c4, s4) = ((c2 - s2) * (c2 + s2), two * s2 * c2);
                let c4_2 = two * c4;
                let (c6, s6) = (c2 * (c4_2 - one), s2 * (c4_2 + one));
                let even = number(2.0 * q4) * c4;
                let odd = number(2.0 * q) * (c2 + number(q4 * q4) * c6);
                let sines = s2 + (number(2.0 * q * q2) * s4 + number(3.0 * q4 * q4) * s6);
                sines / (one + (odd + even))
            }
            Side::Hyperbolic { length } => {
                let powers = self.flip_powers(f, length);
                let ([near, near2, near3], [far, far2, far3]) = (powers.near, powers.far);
                let FlipPowers { gap, even, odd, .. } = powers;
                // e^-2x times sinh 2x + 2 q^3 sinh 4x + 3 q^8 sinh 6x + 4 q^15 sinh 8x.
                let first = half * gap * (one + near);
                let second = number(q2) * far - number(q * q2) * near3;
                let third = number(1.5 * q2 * q4) * far2 - number(1.5 * q4 * q4) * (near2 * near2);
                let sines = first + (second + (third + number(2.0 * q4 * q4 * q4) * far3));
                (sines / near / (one + (even + odd))).copysign(f)
            }
        }
    }

    #[inline(always)]
    fn circular<L: Number>(&self, f: L, tail: L, shift: &Shift) -> ThetaValues<L> {
        let number = L::splat;
        let (q, q2, q4) = (self.q, self.q2, self.q4);
        let (one, two) = (number(1.0), number(2.0));
        let half = number(0.5);
        let (s, c) = trig::sin_cos_turns_lanes(f * half, tail * half);
        let (c2, s2) = ((c - s) * (c + s), two * s * c);
        let (c4, s4) = ((c2 - s2) * (c2 + s2), two * s2 * c2);
        let (c4_2, c2_2) = (two * c4, two * c2);
        let (c6, s6) = (c2 * (c4_2 - one), s2 * (c4_2 + one));
        let c6_2 = two * c6;
        // sin(2n+1)v = sin v (1 + 2 cos 2v + ... + 2 cos 2nv), and its mate for the cosine.
        let (s3, c3) = (one + c2_2, c2_2 - one);
        let (s5, c5) = (s3 + c4_2, c4_2 - c3);
        let (q2_, q4_, q6) = (number(q2), number(q4), number(q2 * q4));
        let theta1 = s * (one - q2_ * (s3 - q4_ * (s5 - q6 * (s5 + c6_2))));
        let theta2 = c * (one + q2_ * (c3 + q4_ * (c5 + q6 * (c6_2 - c5))));
        let even = number(2.0 * q4) * c4;
        let odd = number(2.0 * q) * (c2 + number(q4 * q4) * c6);
        let (theta3, theta4) = (one + (odd + even), one + (even - odd));
        let inverse = one / theta4;
        let (re, im) = (&shift.re, &shift.im);
        ThetaValues {
            sn: number(self.sn) * theta1 * inverse,
            cn: number(self.cn) * theta2 * inverse,
            dn: number(self.dn) * theta3 * inverse,
            re: number(re[0]) + (number(re[1]) * c2 + (number(re[2]) * c4 + number(re[3]) * c6)),
            im: number(im[1]) * s2 + (number(im[2]) * s4 + number(im[3]) * s6),
        }
    }

    /// At x = |f| times the length of a period.
    #[inline(always)]
    fn flip_powers<L: Number>(&self, f: L, length: f64) -> FlipPowers<L> {
        let number = L::splat;
        let (q, q2, q4) = (self.q, self.q2, self.q4);
        let (e, m) = exp_and_minus_one(-(f.abs() * number(length)));
        let gap = -m * (number(1.0) + e);
        let near = e * e;
        // q' e^(2x) <= 1. Where q' underflows it is below every digit that matters.
        let far = if q == 0.0 { number(0.0) } else { number(q) / near };
        let (near2, far2) = (near * near, far * far);
        let (near3, far3) = (near2 * near, far2 * far);
        let even = number(q2) * far2 + number(q4) * near2 + number(q4 * q4 * q4) * (far2 * far2);
        let odd = far + number(q) * near + number(q2 * q4) * far3 + number(q4 * q4 * q) * near3;
        FlipPowers { e, gap, near: [near, near2, near3], far: [far, far2, far3], even, odd }
    }

    #[inline(always)]
    fn hyperbolic<L: Number>(&self, f: L, length: f64, shift: &Shift) -> ThetaValues<L> {
        let number = L::splat;
        let (q, q2, q4) = (self.q, self.q2, self.q4);
        let one = number(1.0);
        let sign = one.copysign(f);
        let powers = self.flip_powers(f, length);
        let ([near, near2, near3], [far, far2, far3]) = (powers.near, powers.far);
        let FlipPowers { e, gap, even, odd, .. } = powers;
        // Terms n of 2 e^-x sinh, cosh((2n+1)x) with weight q^(n(n+1)): powers of `far` and `near`.
        let up = [number(q) * far, number(q4) * far2, number(q4 * q4 * q) * far3];
        let down =
            [number(q2) * near2, number(q2 * q4) * near3, number(q4 * q4 * q4) * (near2 * near2)];
        let plus = [one + near, up[0] + down[0], up[1] + down[1], up[2] + down[2]];
        // up - down with the common factor 1 - e^-2x taken out: sn is odd, to all digits.
        let sum3 = one + near + near2;
        let sum5 = sum3 + near2 * (near + near2);
        let sum7 = sum5 + near2 * near2 * (near + near2);
        let minus = [gap, gap * up[0] * sum3, gap * up[1] * sum5, gap * up[2] * sum7];
        let theta1 = minus[0] - (minus[1] - (minus[2] - minus[3]));
        let theta2 = plus[0] + (plus[1] + (plus[2] + plus[3]));
        let inverse = one / theta2;
        ThetaValues {
            sn: sign * number(self.sn) * theta1 * inverse,
            cn: number(self.cn) * e * (one + (even - odd)) * inverse,
            dn: number(self.dn) * e * (one + (even + odd)) * inverse,
            re: weighted(plus, &shift.re),
            im: sign * weighted(minus, &shift.im),
        }
    }
}

/// What the series of the hyperbolic side are made of, at x.
struct FlipPowers<L> {
    /// e^-x.
    e: L,
    /// 1 - e^-2x, with all its digits where x is small.
    gap: L,
    /// Powers of e^-2x: how far the flip is.
    near: [L; 3],
    /// Powers of q' e^2x: how far its image is, half a period away.
    far: [L; 3],
    /// The sums of 2 q^(n²) cosh 2nx over n = 2 and 4, and over n = 1 and 3.
    even: L,
    odd: L,
}

/// The sum of terms times weights, the small ones first.
#[inline(always)]
fn weighted<L: Number>(terms: [L; 4], weights: &[f64; 4]) -> L {
    let [a, b, c, d] = terms;
    let [wa, wb, wc, wd] = *weights;
    a * L::splat(wa) + (b * L::splat(wb) + (c * L::splat(wc) + d * L::splat(wd)))
}
