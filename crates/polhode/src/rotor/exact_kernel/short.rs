//! The short step: every function of h a polynomial, of fewer terms where it is tiny.
//!
//! The formulas are those of the general step. S, its cosines, J, 1/D and the roots near one are sums
//! of a few powers, and the lengths of the two complex numbers whose half arguments are taken are
//! known: |theta| = D |phi| (1 - w S²)^(1/2). What is left of the roots and quotients are |m|, |phi| and
//! the length of the rotation's quaternion, which does not wait for it.

use super::{ExactBody, ExactIncrement, MomentumConstants, multiply};
use polhode_number::Number;

/// Below this V = max(|a1|, |a3|) a2 G² h², and this square of the angle G h/I1, a step is short.
///
/// What the series of a root leaves out has always the same sign and adds up over the steps: it is below
/// 1e-21. What the others leave out, below 2e-17, is as if h were a little longer.
pub(super) const SHORT: f64 = 0.003;
pub(super) const SMALL_TURN: f64 = 0.03;

/// Below these a step is tiny, and half the terms suffice.
pub(super) const TINY: f64 = 5e-5;
pub(super) const TINY_TURN: f64 = 5e-4;

// The functions below leave the tails of their series out if ALL_TINY, and otherwise multiply them by
// `more`, zero in tiny lanes and one in others: a lane has the same bits whatever its neighbours are.

/// S/h - 1 from A1 h² and A3 h²: the sine amplitude's series, in sum and product.
#[inline(always)]
fn sine_amplitude<L: Number, const ALL_TINY: bool>(p: L, q: L, more: L) -> L {
    let p2 = p * p;
    let first = p * L::splat(1.0 / 6.0);
    let second = (p2 + L::splat(12.0) * q) * L::splat(1.0 / 120.0);
    let third = p * (p2 + L::splat(132.0) * q) * L::splat(1.0 / 5040.0);
    if ALL_TINY {
        return (second - first) - third;
    }
    let q2 = q * q;
    let fourth =
        (p2 * (p2 + L::splat(1224.0) * q) + L::splat(3024.0) * q2) * L::splat(1.0 / 362880.0);
    let fifth = p
        * (p2 * (p2 + L::splat(11064.0) * q) + L::splat(132624.0) * q2)
        * L::splat(1.0 / 39916800.0);
    (second - first) + ((fourth - fifth) * more - third)
}

/// 1 - (1 - y)^(1/2) for |y| <= 0.008.
#[inline(always)]
fn root_drop<L: Number, const ALL_TINY: bool>(y: L, more: L) -> L {
    let y2 = y * y;
    let low = L::splat(0.5) + y * L::splat(0.125);
    let middle = L::splat(1.0 / 16.0) + y * L::splat(5.0 / 128.0);
    let head = low + y2 * middle;
    if ALL_TINY {
        return y * head;
    }
    let high = L::splat(7.0 / 256.0) + y * L::splat(21.0 / 1024.0);
    let top = L::splat(33.0 / 2048.0) + y * L::splat(429.0 / 32768.0);
    y * (head + (y2 * y2) * (high + y2 * top) * more)
}

/// sin and cos of an angle of at most 0.09.
#[inline(always)]
fn sin_cos<L: Number, const ALL_TINY: bool>(x: L, more: L) -> (L, L) {
    let y = x * x;
    let y2 = y * y;
    let mut seventh = L::splat(-1.0 / 5040.0);
    let mut sixth = L::splat(-1.0 / 720.0);
    if !ALL_TINY {
        seventh = seventh + y * L::splat(1.0 / 362880.0) * more;
        sixth = sixth + y * (L::splat(1.0 / 40320.0) - y * L::splat(1.0 / 3628800.0)) * more;
    }
    let sine = L::splat(-1.0 / 6.0) + y * L::splat(1.0 / 120.0) + y2 * seventh;
    let cosine = L::splat(-0.5) + y * L::splat(1.0 / 24.0) + y2 * sixth;
    (x + x * (y * sine), L::splat(1.0) + y * cosine)
}

/// The integral of s²/(E(s² h²) - w s² h²) over 0 < s < 1, from A1 h² + A3 h², their product and
/// w h²: the quotient's powers, term by term.
#[inline(always)]
fn angle<L: Number, const ALL_TINY: bool>(p: L, q: L, w: L, more: L) -> L {
    let p2 = p * p;
    let f1 = p * L::splat(1.0 / 3.0) - w;
    let f2 = (p2 - L::splat(3.0) * q) * L::splat(1.0 / 15.0);
    let g2 = f1 * f1 - f2;
    let low = L::splat(1.0 / 3.0) - f1 * L::splat(0.2);
    let second = g2 * L::splat(1.0 / 7.0);
    if ALL_TINY {
        return low + second;
    }
    let f3 = p * (p2 + p2 - L::splat(9.0) * q) * L::splat(1.0 / 189.0);
    let g3 = f1 * f2 - f1 * g2 - f3;
    let g4 = f3 * f1 - f1 * g3 - f2 * g2;
    let g5 = -(f1 * g4 + f2 * g3);
    let tail = g3 * L::splat(1.0 / 9.0) + (g4 * L::splat(1.0 / 11.0) + g5 * L::splat(1.0 / 13.0));
    low + (second + tail * more)
}

/// 1/(1 - y) for 0 <= y <= 0.003.
#[inline(always)]
fn geometric<L: Number, const ALL_TINY: bool>(y: L, more: L) -> L {
    let one = L::splat(1.0);
    let y2 = y * y;
    let head = (one + y) * (one + y2);
    if ALL_TINY { head } else { head * (one + y2 * y2 * more) }
}

/// The step of length h from momentum m, where it is short.
#[inline(always)]
pub(super) fn step<L: Number>(
    body: &ExactBody<L>,
    m: [L; 3],
    h: L,
    constants: &MomentumConstants<L>,
) -> ExactIncrement<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let turn = body.b1.0 * h;
    let bends_little = (body.stiffness * constants.g2 * h * h).less(L::splat(TINY));
    let tiny = bends_little & (turn * turn * constants.g2).less(L::splat(TINY_TURN));
    if L::all(tiny) {
        return polynomial::<L, true>(body, m, h, constants, zero);
    }
    polynomial::<L, false>(body, m, h, constants, L::select(tiny, zero, one))
}

/// The same, with the tails of the series or without.
#[inline(always)]
pub(super) fn polynomial<L: Number, const ALL_TINY: bool>(
    body: &ExactBody<L>,
    m: [L; 3],
    h: L,
    constants: &MomentumConstants<L>,
    more: L,
) -> ExactIncrement<L> {
    let one = L::splat(1.0);
    let half = L::splat(0.5);
    let [m1, m2, m3] = m;
    let [a1, a2, a3] = body.a;
    let MomentumConstants { p2, g, on3, kh, kappa, w, a1: amplitude1, a3: amplitude3, .. } =
        *constants;

    let u = h * h;
    let (y1, y3) = (amplitude1 * u, amplitude3 * u);
    let (p, q) = (y1 + y3, y1 * y3);
    let s = h + h * sine_amplitude::<L, ALL_TINY>(p, q, more);
    let j = kappa * (h * u) * angle::<L, ALL_TINY>(p, q, w * u, more);
    let s2 = s * s;
    let (x1, x3) = (
        root_drop::<L, ALL_TINY>(amplitude1 * s2, more),
        root_drop::<L, ALL_TINY>(amplitude3 * s2, more),
    );
    let (c1, c3) = (one - x1, one - x3);
    let bend = a1 * a3 * p2 * s2;
    let inverse = geometric::<L, ALL_TINY>(bend, more);
    let denominator = one - bend;

    let triple = m1 * m2 * m3;
    let (f1, f2, f3) = (a1 * m2 * m3 * s, a2 * m3 * m1 * s, a3 * m1 * m2 * s);
    let d1 = (m1 * (bend - x3) + f1 * c1) * inverse;
    let d2 = (m2 * (bend - (x1 + x3 - x1 * x3)) + f2) * inverse;
    let d3 = (m3 * (bend - x1) + f3 * c3) * inverse;
    let n = [m1 + d1, m2 + d2, m3 + d3];

    // Axes (x, y, z) with the gauge axis last.
    let (x0, y0, z0) = (L::select(on3, m1, m2), L::select(on3, m2, m3), L::select(on3, m3, m1));
    let (dx, dy, dz) = (L::select(on3, d1, d2), L::select(on3, d2, d3), L::select(on3, d3, d1));
    let (x_1, y_1, z_1) = (x0 + dx, y0 + dy, z0 + dz);
    let planar = x0 * x0 + y0 * y0;
    let wx = x_1 * x0 + y_1 * y0;
    let wy = dx * y0 - x0 * dy;
    let theta_x = (c1 * c3 + a1 * a2 * a3 * triple * s2 * s) * planar
        - L::select(on3, a3, a1) * triple * s * denominator;
    let theta_y = kh * s * denominator;
    let phi_length = (wx * wx + wy * wy).sqrt();
    let factor = denominator * (one - root_drop::<L, ALL_TINY>(w * s2, more));
    let (half_theta, half_phi) = (phi_length * factor + theta_x, phi_length + wx);

    let (g0, g1) = (g + z0, g + z_1);
    let gg = g0 * g1;
    // The inverse length of the quaternion below.
    let norm = L::splat(0.25) / (g * phi_length * (gg * half_theta * half_phi * factor).sqrt());
    let b = L::select(on3, body.b3.0, body.b1.0);
    let (sin, cos) = sin_cos::<L, ALL_TINY>((b * g * h - j) * half, more);
    let psi = multiply((cos, sin), multiply((half_theta, theta_y), (half_phi, wy)));
    let (u, v) = (psi.0 * norm, psi.1 * norm);
    let rx = u * (g0 * dy - dz * y0) + v * (g0 * x_1 + g1 * x0);
    let ry = u * (dz * x0 - g0 * dx) + v * (g0 * y_1 + g1 * y0);
    let rz = u * wy + v * (gg - wx);
    let drop = -root_drop::<L, ALL_TINY>(rx * rx + ry * ry + rz * rz, more);
    ExactIncrement {
        m: n,
        d: [d1, d2, d3],
        r: [drop, L::select(on3, rx, rz), L::select(on3, ry, rx), L::select(on3, rz, ry)],
    }
}
