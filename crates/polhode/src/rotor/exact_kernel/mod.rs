//! The exact step, over any number: addition theorems instead of elliptic integrals.
//!
//! Everything is rebuilt from the momentum at the start of the step, in which sn, cn and dn of the
//! initial phase are contained; the modulus, the phase and the side of the separatrix never appear.
//! Notation: b_i = 1/I_i, a1 = b3 - b2, a2 = b1 - b3, a3 = b2 - b1, I1 <= I2 <= I3, G = |m|.

mod phase;
mod restore;
mod short;
mod tangent;
#[cfg(test)]
mod tests;

use polhode_number::{two_prod, two_sum};

use super::unit_step::{Reaches, UnitKernel, UnitStep};
pub(crate) use phase::LONG as SMALL_PHASE;
use phase::{LONG, SeriesConstants, StepPhase, phase, square_of_cosine};
use polhode_number::vector::{Quaternion, Vector};
use polhode_number::{Lift, Number, sin_cos, vector};
pub(crate) use polhode_step::formula::ExactIncrement;
use polhode_step::formula::{BodyConstants, Complex, MomentumConstants, multiply};
use restore::{Gain, restoring};
use short::{SHORT, SMALL_TURN};
pub(crate) use tangent::{small as small_phase, step_and_phase};

/// Steps of more than this many radians (|m| h/I1) are left to [`FreeMotion`](crate::FreeMotion):
/// doubling loses digits with every halving, and close to the middle axis its numbers leave the range
/// of doubles.
const LONG_STEP: f64 = 32.0;

/// Half angles above this are computed in double-double; below, their rounding is an ulp of one.
const LARGE_ANGLE: f64 = 0.78;

/// Above this many times [`LONG`] a step has been halved more than twice.
const DEEP: f64 = 16.0;

/// Constants of a body, moments sorted and scaled to order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactBody<L> {
    /// b3 - b2 <= 0, b1 - b3 >= 0, b2 - b1 <= 0.
    pub(crate) a: [L; 3],
    /// 1/I1 and 1/I3, each as a double-double.
    pub(crate) b1: (L, L),
    pub(crate) b3: (L, L),
    /// (a3 - a1)/a2, or zero for a sphere: the gauge axis.
    pub(crate) beta: L,
    /// max(|a1|, |a3|) a2.
    pub(crate) stiffness: L,
    /// a1 and -a3, each as a double-double: the separatrix is where a1 m3² and -a3 m1² balance.
    pub(crate) side3: (L, L),
    pub(crate) side1: (L, L),
}

impl ExactBody<f64> {
    /// Nothing but the layout, for [`UnitKernel::over`].
    pub(crate) const LAYOUT: Self = Self {
        a: [0.0; 3],
        b1: (0.0, 0.0),
        b3: (0.0, 0.0),
        beta: 0.0,
        stiffness: 0.0,
        side3: (0.0, 0.0),
        side1: (0.0, 0.0),
    };
}

impl UnitKernel for ExactBody<f64> {
    type Over<N: Number> = ExactBody<N>;

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> ExactBody<N> {
        ExactBody {
            a: lift.vector(self.a),
            b1: (lift.lift(self.b1.0), lift.lift(self.b1.1)),
            b3: (lift.lift(self.b3.0), lift.lift(self.b3.1)),
            beta: lift.lift(self.beta),
            stiffness: lift.lift(self.stiffness),
            side3: (lift.lift(self.side3.0), lift.lift(self.side3.1)),
            side1: (lift.lift(self.side1.0), lift.lift(self.side1.1)),
        }
    }
}

/// Radians, |m| h/I1, up to which a step is differentiated by the kernel; beyond, as a free motion, which costs six
/// times as much. Every halving doubles the error of the phase: of random bodies it is within 40 eps of a block up to
/// here, of one in ten beyond that between 8 and 16 radians, and up to 2400 eps between 16 and 32.
const TANGENT_REACH: f64 = 4.0;

impl Reaches for ExactBody<f64> {
    #[inline(always)]
    fn reaches(&self, h: f64, size: f64) -> bool {
        h.abs() * self.b1.0 * size < TANGENT_REACH
    }
}

impl<N: Number> UnitStep<N> for ExactBody<N> {
    type Effect = ExactIncrement<N>;
    const ADDS: bool = false;

    #[inline(always)]
    fn step(&self, m: Vector<N>, h: N, size: N) -> (ExactIncrement<N>, N::Mask) {
        let near = (h.abs() * self.b1.0 * size).less(N::splat(LONG_STEP));
        (step(self, m, N::select(near, h, N::splat(0.0))), near)
    }

    #[inline(always)]
    fn change(increment: &ExactIncrement<N>) -> (Vector<N>, Quaternion<N>) {
        (increment.m, increment.r)
    }
}

/// Half the argument of (x, y), up to a positive factor; the sign at y = 0 is that of `side`.
#[inline(always)]
fn half<L: Number>((x, y): Complex<L>, side: L) -> Complex<L> {
    half_of((x, y), (x * x + y * y).sqrt(), side)
}

/// The same where the length is known.
#[inline(always)]
fn half_of<L: Number>((x, y): Complex<L>, length: L, side: L) -> Complex<L> {
    let zero = L::splat(0.0);
    let left = x.less(zero);
    let sign = L::select(zero.less(y.abs()), y, side);
    (L::select(left, y.abs(), length + x), L::select(left, (length - x).copysign(sign), y))
}

/// sin and cos of (b G h - j)/2.
///
/// A nearly spherical body can turn many times while its momentum hardly moves; the rounding of the
/// product would then be all of the error. So a large angle is computed in double-double.
#[inline(always)]
fn secular_turn<L: Number>(b: (L, L), m: [L; 3], g: L, h: L, j: L) -> (L, L) {
    let half = L::splat(0.5);
    let angle = (b.0 * g * h - j) * half;
    let large = L::splat(LARGE_ANGLE).less(angle.abs());
    if !L::any(large) {
        return sin_cos(angle, L::splat(0.0));
    }
    // The error of G, from what its square lacks of |m|².
    let (s1, e1) = two_prod(m[0], m[0]);
    let (s2, e2) = two_prod(m[1], m[1]);
    let (s3, e3) = two_prod(m[2], m[2]);
    let (g2, g2_lo) = two_prod(g, g);
    let (sum, sum_lo) = two_sum(s1, s2);
    let (sum, more) = two_sum(sum, s3);
    let lack = ((sum - g2) + ((sum_lo + more) - g2_lo)) + (e1 + e2 + e3);
    let g_lo = lack * half / g;
    let (p, e) = two_prod(b.0, g);
    let e = e + (b.0 * g_lo + b.1 * g);
    let (q, f) = two_prod(p, h);
    let (hi, lo) = two_sum(q, -j);
    let lo = lo + (f + e * h);
    let zero = L::splat(0.0);
    sin_cos(L::select(large, hi * half, angle), L::select(large, lo * half, zero))
}

/// The constants of a momentum.
#[inline(always)]
fn constants<L: Number>(body: &ExactBody<L>, m: [L; 3]) -> MomentumConstants<L> {
    let [p1, p2, p3] = [m[0] * m[0], m[1] * m[1], m[2] * m[2]];
    // Axis 3 if 2T >= (b1 + b3) G²/2: the momentum then stays away from it on all its orbit.
    let gap = p1 + body.beta * p2 - p3 + L::splat(f64::MIN_POSITIVE);
    let brief = BodyConstants { a: body.a, b1: body.b1.0, b3: body.b3.0 };
    MomentumConstants::new(&brief, m, gap)
}

/// Where a step is short.
#[inline(always)]
fn is_brief<L: Number>(body: &ExactBody<L>, h: L, constants: &MomentumConstants<L>) -> L::Mask {
    let turn = body.b1.0 * h;
    let bends_little = (body.stiffness * constants.g2 * h * h).less(L::splat(SHORT));
    bends_little & (turn * turn * constants.g2).less(L::splat(SMALL_TURN))
}

/// Called where short steps do not come: their registers go first.
#[cold]
fn unusual() {}

/// The step of length h from momentum m (sorted axes, of order one).
#[inline(always)]
pub(crate) fn step<L: Number>(body: &ExactBody<L>, m: [L; 3], h: L) -> ExactIncrement<L> {
    let constants = constants(body, m);
    let brief = is_brief(body, h, &constants);
    if L::all(brief) {
        return short::step(body, h, &constants);
    }
    unusual();
    let whole = general(body, m, h, &constants);
    if !L::any(brief) {
        return whole;
    }
    let part = short::step(body, h, &constants);
    let [w, x, y, z] = whole.r;
    let [w_1, x_1, y_1, z_1] = part.r;
    ExactIncrement {
        m: vector::select(brief, part.m, whole.m),
        d: vector::select(brief, part.d, whole.d),
        r: [
            L::select(brief, w_1, w),
            L::select(brief, x_1, x),
            L::select(brief, y_1, y),
            L::select(brief, z_1, z),
        ],
    }
}

/// A quaternion over its length, minus one.
#[inline(always)]
fn unit_minus_one<L: Number>([r0, rx, ry, rz]: [L; 4]) -> [L; 4] {
    let one = L::splat(1.0);
    let vector = rx * rx + ry * ry + rz * rz;
    let length = (r0 * r0 + vector).sqrt();
    let norm = one / length;
    // r0 - 1 from the vector part: the subtraction would leave an ulp of one.
    let near = (L::splat(-0.5) * length).less(r0);
    let part = vector * norm / (length + r0);
    [L::select(near, -part, r0 * norm - one), rx * norm, ry * norm, rz * norm]
}

/// The same for steps of any length.
#[inline(always)]
fn general<L: Number>(
    body: &ExactBody<L>,
    m: [L; 3],
    h: L,
    constants: &MomentumConstants<L>,
) -> ExactIncrement<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let [m1, m2, m3] = m;
    let [a1, a2, a3] = body.a;
    let MomentumConstants { g2, g, on3, kh, .. } = *constants;
    let [p1, p2, p3] = [m1 * m1, m2 * m2, m3 * m3];
    let mut motion = SeriesConstants {
        a1: constants.a1,
        a3: constants.a3,
        d: zero,
        side: zero,
        kappa: constants.kappa,
        w: constants.w,
        gauge: L::select(on3, one, -one),
    };
    let StepPhase { s, c1, c3, x1, x3, j, doubled, sheet } = phase(body, &mut motion, m, g2, h);

    let s2 = s * s;
    let c13 = c1 * c3;
    let bend = a1 * a3 * p2 * s2;
    // Halved once at most, the increments, relatively accurate, are added to m last; else the quotient
    // with the denominator as a sum of positive terms.
    let squared_phase = body.stiffness * g2 * h * h;
    let halved = L::splat(LONG).less(squared_phase);
    let long = L::splat(4.0 * LONG).less(squared_phase);
    let mut denominator = one - bend;
    if L::any(long) {
        let (n1, n3) = (a2 * a3 * p1, a1 * a2 * p3);
        let with1 = square_of_cosine(motion.a1 * s2, c1) - n1 * s2;
        let with3 = square_of_cosine(motion.a3 * s2, c3) - n3 * s2;
        let large = L::select(n3.less(n1), with3, with1);
        denominator = L::select(long, large, denominator);
    }
    let inverse = one / denominator;
    let (f1, f2, f3) = (a1 * m2 * m3 * s, a2 * m3 * m1 * s, a3 * m1 * m2 * s);
    // The momentum after the step is `base` and `d`; rounding is taken back before the attitude is
    // computed from it.
    let (mut base, mut d) = (m, [zero; 3]);
    let mut gain = Gain { e1: zero, e3: zero, e12: zero, e23: zero };
    if !L::all(long) {
        d = [
            (m1 * (bend - x3) + f1 * c1) * inverse,
            (m2 * (bend - (x1 + x3 - x1 * x3)) + f2) * inverse,
            (m3 * (bend - x1) + f3 * c3) * inverse,
        ];
        gain = Gain::of_increment(m, d);
    }
    if L::any(long) {
        let whole = [
            (m1 * c3 + f1 * c1) * inverse,
            (m2 * c13 + f2) * inverse,
            (m3 * c1 + f3 * c3) * inverse,
        ];
        base = vector::select(long, whole, m);
        d = vector::select(long, [zero; 3], d);
        gain = Gain::select(long, Gain::between(m, whole, g), gain);
    }
    let n = vector::add(base, d);
    let mut rise = gain.of_constants(a1, a3);
    let deep = L::splat(DEEP * LONG).less(squared_phase);
    if L::any(deep) {
        let precise = gain.of_precise_constants(body, rise, n, [p1, p3], motion.side);
        rise = vector::select(deep, precise, rise);
    }
    d = vector::add(d, restoring(body, n, rise, gain.of_square(), g2));
    let n = vector::add(base, d);
    if L::any(long) {
        d = vector::select(long, vector::subtract(n, m), d);
    }
    let [d1, d2, d3] = d;

    // Axes (x, y, z) with the gauge axis last.
    let (x0, y0, z0) = (L::select(on3, m1, m2), L::select(on3, m2, m3), L::select(on3, m3, m1));
    let (x_1, y_1, z_1) =
        (L::select(on3, n[0], n[1]), L::select(on3, n[1], n[2]), L::select(on3, n[2], n[0]));
    let (dx, dy, dz) = (L::select(on3, d1, d2), L::select(on3, d2, d3), L::select(on3, d3, d1));
    // e^(i psi/2), psi = b_g G h - J + theta - (phi1 - phi0): theta and phi as half arguments.
    let triple = m1 * m2 * m3;
    let planar = x0 * x0 + y0 * y0;
    let theta = (
        (c13 + a1 * a2 * a3 * triple * s2 * s) * planar
            - L::select(on3, a3, a1) * triple * s * denominator,
        kh * s * denominator,
    );
    let wx = x_1 * x0 + y_1 * y0;
    let wy = dx * y0 - x0 * dy;
    let b = (L::select(on3, body.b3.0, body.b1.0), L::select(on3, body.b3.1, body.b1.1));
    let (sin, cos) = secular_turn(b, m, g, h, j);
    let mut half_theta = half(theta, kh * h);
    if L::any(halved) {
        let more = multiply(half_theta, (doubled.0 * sheet, -(doubled.1 * sheet)));
        half_theta =
            (L::select(halved, more.0, half_theta.0), L::select(halved, more.1, half_theta.1));
    }
    // phi is known last.
    let phi_length = (planar * (x_1 * x_1 + y_1 * y_1)).sqrt();
    let half_phi = half_of((wx, wy), phi_length, wy);
    let (u, v) = multiply(multiply((cos, sin), half_theta), half_phi);

    let (g0, g1) = (g + z0, g + z_1);
    let gg = g0 * g1;
    let r0 = u * (gg + wx) + v * wy;
    let rx = u * (g0 * dy - dz * y0) + v * (g0 * x_1 + g1 * x0);
    let ry = u * (dz * x0 - g0 * dx) + v * (g0 * y_1 + g1 * y0);
    let rz = u * wy + v * (gg - wx);
    let [r0, rx, ry, rz] = unit_minus_one([r0, rx, ry, rz]);
    ExactIncrement {
        m: n,
        d,
        r: [r0, L::select(on3, rx, rz), L::select(on3, ry, rx), L::select(on3, rz, ry)],
    }
}
