//! The formula of the step, over any number: addition theorems instead of elliptic integrals.
//!
//! Everything is rebuilt from the momentum at the start of the step, in which sn, cn and dn of the
//! initial phase are contained; the modulus, the phase and the side of the separatrix never appear.
//! Notation: b_i = 1/I_i, a1 = b3 - b2, a2 = b1 - b3, a3 = b2 - b1, G = |m|, S(h) the odd function with
//! S'² = (1 - A1 S²)(1 - A3 S²), C1 and C3 the roots of these factors, D = 1 - a1 a3 m2² S²:
//!
//! m1(h) = (m1 C3 + a1 m2 m3 C1 S)/D, m2(h) = (m2 C1 C3 + a2 m3 m1 S)/D, m3(h) = (m3 C1 + a3 m1 m2 C3 S)/D.
//!
//! Where the step is short, every function of h is a polynomial, of fewer terms where it is tiny. S, its cosines,
//! the angle J, 1/D and the roots near one are sums of a few powers, and the lengths of the two complex
//! numbers whose half arguments are taken are known: |theta| = D |phi| (1 - w S²)^(1/2). What is left of
//! the roots and quotients are |m|, |phi| and the length of the rotation's quaternion, which does not wait
//! for it. A step of up to a radian or so is a short one doubled a few times: S and J, which depend on the
//! constants of the motion alone, have addition theorems too.
//!
//! The axes may be named in any cyclic order. The library `polhode`, which goes on to steps of any length, takes
//! this text for its short ones, with I1 <= I2 <= I3.
//!
//! References: DLMF 22.8 and 23.10 for the addition theorems; Celledoni and Zanna, FRB-FORTRAN (2008),
//! eq. (9), for the integral of the third kind that the angle J replaces.

use crate::Arithmetic;

/// A complex number.
pub type Complex<N> = (N, N);

/// The product of two complex numbers.
#[inline(always)]
pub fn multiply<N: Arithmetic>(a: Complex<N>, b: Complex<N>) -> Complex<N> {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// What the formula asks of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyConstants<N> {
    /// b3 - b2, b1 - b3, b2 - b1.
    pub a: [N; 3],
    /// 1/I1.
    pub b1: N,
    /// 1/I3.
    pub b3: N,
}

/// What a step does to a body.
#[derive(Clone, Copy, Debug)]
pub struct ExactIncrement<N> {
    /// The momentum after the step.
    pub m: [N; 3],
    /// By how much it has changed: of a short step with all digits of its own.
    pub d: [N; 3],
    /// The rotation minus one, scalar first: q <- q + q r.
    pub r: [N; 4],
}

/// A momentum, and what it says about its motion.
#[derive(Clone, Copy)]
pub struct MomentumConstants<N: Arithmetic> {
    /// The constants of the body that has this momentum.
    pub body: BodyConstants<N>,
    /// The momentum, m.
    pub m: [N; 3],
    /// |m|.
    pub g: N,
    /// |m|².
    pub g2: N,
    /// Where the gauge axis is axis 3; else it is axis 1.
    pub on3: N::Mask,
    /// 2T - b1 G² and 2T - b3 G².
    pub t: [N; 2],
    /// A1.
    pub a1: N,
    /// A3.
    pub a3: N,
    /// Of the angle: G (2T - b_g G²).
    pub kh: N,
    /// Of the angle: that times a_x a_y, x and y the other axes.
    pub kappa: N,
    /// Of the angle: where the integrand of J has its pole.
    pub w: N,
}

/// A step so short that half of the terms of its series are enough.
pub const TINY: u8 = 0;
/// A step that needs all terms of the series.
pub const SHORT: u8 = 1;
/// A step for which the series do not do, and roots and quotients are taken instead.
pub const LONG: u8 = 2;

// The functions below leave the tails of their series out if TERMS is TINY, and otherwise multiply them by
// `more`, zero in tiny lanes and one in others: a lane has the same bits whatever its neighbours are.

/// S/h - 1 from A1 h² and A3 h²: the sine amplitude's series, in sum and product.
#[inline(always)]
pub fn sine_amplitude<N: Arithmetic, const TERMS: u8>(p: N, q: N, more: N) -> N {
    let p2 = p * p;
    let first = p * N::splat(1.0 / 6.0);
    let second = (p2 + N::splat(12.0) * q) * N::splat(1.0 / 120.0);
    let third = p * (p2 + N::splat(132.0) * q) * N::splat(1.0 / 5040.0);
    if TERMS == TINY {
        return (second - first) - third;
    }
    let q2 = q * q;
    let even = p2 * (p2 + N::splat(1224.0) * q) + N::splat(3024.0) * q2;
    let odd = p2 * (p2 + N::splat(11064.0) * q) + N::splat(132624.0) * q2;
    let tail = even * N::splat(1.0 / 362880.0) - p * odd * N::splat(1.0 / 39916800.0);
    (second - first) + (tail * more - third)
}

/// 1 - (1 - y)^(1/2) for |y| <= 0.008, or <= 0.1 to the digits of an `f32`.
#[inline(always)]
pub fn root_drop<N: Arithmetic, const TERMS: u8>(y: N, more: N) -> N {
    if TERMS == LONG {
        return y / (N::splat(1.0) + (N::splat(1.0) - y).sqrt());
    }
    let y2 = y * y;
    let low = N::splat(0.5) + y * N::splat(0.125);
    let middle = N::splat(1.0 / 16.0) + y * N::splat(5.0 / 128.0);
    let head = low + y2 * middle;
    if TERMS == TINY {
        return y * head;
    }
    let high = N::splat(7.0 / 256.0) + y * N::splat(21.0 / 1024.0);
    let top = N::splat(33.0 / 2048.0) + y * N::splat(429.0 / 32768.0);
    y * (head + (y2 * y2) * (high + y2 * top) * more)
}

/// (cos x, sin x) for x² <= 0.0081, or <= 0.13 to the digits of an `f32`.
#[inline(always)]
fn direction<N: Arithmetic, const TERMS: u8>(x: N, more: N) -> Complex<N> {
    let y = x * x;
    let y2 = y * y;
    let mut seventh = N::splat(-1.0 / 5040.0);
    let mut sixth = N::splat(-1.0 / 720.0);
    if TERMS != TINY {
        seventh = seventh + y * N::splat(1.0 / 362880.0) * more;
        sixth = sixth + y * (N::splat(1.0 / 40320.0) - y * N::splat(1.0 / 3628800.0)) * more;
    }
    let sine = N::splat(-1.0 / 6.0) + y * N::splat(1.0 / 120.0) + y2 * seventh;
    let cosine = N::splat(-0.5) + y * N::splat(1.0 / 24.0) + y2 * sixth;
    (N::splat(1.0) + y * cosine, x + x * (y * sine))
}

/// The integral of s²/(E(s² h²) - w s² h²) over 0 < s < 1, from A1 h² + A3 h², their product and
/// w h²: the quotient's powers, term by term.
#[inline(always)]
pub fn angle<N: Arithmetic, const TERMS: u8>(p: N, q: N, w: N, more: N) -> N {
    let p2 = p * p;
    let f1 = p * N::splat(1.0 / 3.0) - w;
    let f2 = (p2 - N::splat(3.0) * q) * N::splat(1.0 / 15.0);
    let g2 = f1 * f1 - f2;
    let low = N::splat(1.0 / 3.0) - f1 * N::splat(0.2);
    let second = g2 * N::splat(1.0 / 7.0);
    if TERMS == TINY {
        return low + second;
    }
    let f3 = p * (p2 + p2 - N::splat(9.0) * q) * N::splat(1.0 / 189.0);
    let g3 = f1 * f2 - f1 * g2 - f3;
    let g4 = f3 * f1 - f1 * g3 - f2 * g2;
    let g5 = -(f1 * g4 + f2 * g3);
    let tail = g3 * N::splat(1.0 / 9.0) + (g4 * N::splat(1.0 / 11.0) + g5 * N::splat(1.0 / 13.0));
    low + (second + tail * more)
}

/// 1/(1 - y) for |y| <= 0.003, or <= 0.1 to the digits of an `f32`.
#[inline(always)]
fn geometric<N: Arithmetic, const TERMS: u8>(y: N, more: N) -> N {
    let one = N::splat(1.0);
    if TERMS == LONG {
        return one / (one - y);
    }
    let y2 = y * y;
    let head = (one + y) * (one + y2);
    if TERMS == TINY { head } else { head * (one + y2 * y2 * more) }
}

impl<N: Arithmetic> MomentumConstants<N> {
    /// The constants of a momentum m. The gauge axis is axis 3 where the gap is positive, else axis 1: it must be one
    /// that the momentum is not near in all of the step.
    #[inline(always)]
    pub fn new(body: &BodyConstants<N>, m: [N; 3], gap: N) -> Self {
        let [a1, a2, a3] = body.a;
        let [p1, p2, p3] = [m[0] * m[0], m[1] * m[1], m[2] * m[2]];
        let g2 = p1 + p2 + p3;
        let g = g2.sqrt();
        // With sorted moments sums of terms of one sign.
        let t3 = a2 * p1 - a1 * p2;
        let t1 = a3 * p2 - a2 * p3;
        let on3 = N::splat(0.0).less(gap);
        let kh = g * N::select(on3, t3, t1);
        let kappa = N::select(on3, a1 * a2, a2 * a3) * kh;
        let w = N::select(on3, a1 * t3, -(a3 * t1));
        let (a1, a3) = (-(a3 * t3), a1 * t1);
        Self { body: *body, m, g, g2, on3, t: [t1, t3], a1, a3, kh, kappa, w }
    }

    /// The step of length h, where it is short.
    #[inline(always)]
    pub fn short_step<const TERMS: u8>(&self, h: N, more: N) -> ExactIncrement<N> {
        let (s, half) = self.begin::<TERMS>(h, more);
        self.finish::<TERMS>(s, half, more)
    }

    /// S(h), and the direction of half the angle b_g G h - J(h), of a step that is short.
    #[inline(always)]
    pub fn begin<const TERMS: u8>(&self, h: N, more: N) -> (N, Complex<N>) {
        let u = h * h;
        let (y1, y3) = (self.a1 * u, self.a3 * u);
        let (p, q) = (y1 + y3, y1 * y3);
        let s = h + h * sine_amplitude::<N, TERMS>(p, q, more);
        let j = self.kappa * (h * u) * angle::<N, TERMS>(p, q, self.w * u, more);
        let b = N::select(self.on3, self.body.b3, self.body.b1);
        (s, direction::<N, TERMS>((b * self.g * h - j) * N::splat(0.5), more))
    }

    /// Both of twice the step: J doubles, but for the argument of a complex number.
    #[inline(always)]
    pub fn twice(&self, s: N, half: Complex<N>) -> (N, Complex<N>) {
        let one = N::splat(1.0);
        let s2 = s * s;
        let (y1, y3) = (self.a1 * s2, self.a3 * s2);
        let (q1, q3) = (one - y1, one - y3);
        let q13 = q1 * q3;
        let double = (s + s) * q13.sqrt();
        let x = (one - self.w * s2) * (q13 + q1 + q3) - (q13 + q13);
        let y = -(self.kappa * s2 * double);
        let length = (x * x + y * y).sqrt();
        let along = length + x;
        let norm = one / ((length + length) * along).sqrt();
        (double / (one - y1 * y3), multiply(multiply(half, half), (along * norm, y * norm)))
    }

    /// What a step does, from both.
    #[inline(always)]
    pub fn finish<const TERMS: u8>(&self, s: N, half: Complex<N>, more: N) -> ExactIncrement<N> {
        let one = N::splat(1.0);
        let Self { body, m: [m1, m2, m3], g, on3, kh, w, .. } = *self;
        let [a1, a2, a3] = body.a;
        let s2 = s * s;
        let x1 = root_drop::<N, TERMS>(self.a1 * s2, more);
        let x3 = root_drop::<N, TERMS>(self.a3 * s2, more);
        let (c1, c3) = (one - x1, one - x3);
        let bend = a1 * a3 * (m2 * m2) * s2;
        let inverse = geometric::<N, TERMS>(bend, more);
        let denominator = one - bend;

        let triple = m1 * m2 * m3;
        let (f1, f2, f3) = (a1 * m2 * m3 * s, a2 * m3 * m1 * s, a3 * m1 * m2 * s);
        let d1 = (m1 * (bend - x3) + f1 * c1) * inverse;
        let d2 = (m2 * (bend - (x1 + x3 - x1 * x3)) + f2) * inverse;
        let d3 = (m3 * (bend - x1) + f3 * c3) * inverse;
        let n = [m1 + d1, m2 + d2, m3 + d3];

        // Axes (x, y, z) with the gauge axis last.
        let (x0, y0, z0) = (N::select(on3, m1, m2), N::select(on3, m2, m3), N::select(on3, m3, m1));
        let (dx, dy, dz) = (N::select(on3, d1, d2), N::select(on3, d2, d3), N::select(on3, d3, d1));
        let (x_1, y_1, z_1) = (x0 + dx, y0 + dy, z0 + dz);
        let planar = x0 * x0 + y0 * y0;
        let wx = x_1 * x0 + y_1 * y0;
        let wy = dx * y0 - x0 * dy;
        let theta_x = (c1 * c3 + a1 * a2 * a3 * triple * s2 * s) * planar
            - N::select(on3, a3, a1) * triple * s * denominator;
        let theta_y = kh * s * denominator;
        let phi_length = (wx * wx + wy * wy).sqrt();
        let factor = denominator * (one - root_drop::<N, TERMS>(w * s2, more));
        let (half_theta, half_phi) = (phi_length * factor + theta_x, phi_length + wx);

        let (g0, g1) = (g + z0, g + z_1);
        let gg = g0 * g1;
        // The inverse length of the quaternion below.
        let norm = N::splat(0.25) / (g * phi_length * (gg * half_theta * half_phi * factor).sqrt());
        let psi = multiply(half, multiply((half_theta, theta_y), (half_phi, wy)));
        let (u, v) = (psi.0 * norm, psi.1 * norm);
        let rx = u * (g0 * dy - dz * y0) + v * (g0 * x_1 + g1 * x0);
        let ry = u * (dz * x0 - g0 * dx) + v * (g0 * y_1 + g1 * y0);
        let rz = u * wy + v * (gg - wx);
        let drop = -root_drop::<N, TERMS>(rx * rx + ry * ry + rz * rz, more);
        let r = [drop, N::select(on3, rx, rz), N::select(on3, ry, rx), N::select(on3, rz, ry)];
        ExactIncrement { m: n, d: [d1, d2, d3], r }
    }
}
