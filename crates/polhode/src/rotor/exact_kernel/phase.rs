//! S(h), its two cosines and the angle J(h): series for a short step, doublings for a long one.

use polhode_number::two_prod;

use super::{Complex, ExactBody, half, multiply};
use polhode_number::Number;

/// Up to this V = max(|a1|, |a3|) a2 G² h² the series suffice; above, the step is halved until it fits
/// and doubled again.
pub(crate) const LONG: f64 = 0.08;

/// After more doublings than this (a radian or so) the rounding of A1 - A3 has grown.
const FEW_DOUBLINGS: f64 = 2.5;

/// More than any step needs that has digits left.
const MAX_HALVINGS: u32 = 300;

/// Squares of the positive nodes of the 9-point Gauss-Legendre rule and weight times square.
const GAUSS9: [(f64, f64); 4] = [
    (0.10514028258908978412, 0.03284025994586209607),
    (0.37622451445317489498, 0.098048132715498167456),
    (0.69894801241780081849, 0.12626367286460207059),
    (0.93733424936346391417, 0.076181267807370999219),
];

/// S with S'² = (1 - A1 S²)(1 - A3 S²), S ~ h; its cosines; and the angle J as a half-angle phase.
pub(super) struct StepPhase<L> {
    pub(super) s: L,
    pub(super) c1: L,
    pub(super) c3: L,
    /// 1 - C1 and 1 - C3 with all their digits, unless the step was halved more than once.
    pub(super) x1: L,
    pub(super) x3: L,
    /// J of the undivided step, or 2^n times that of the divided one.
    pub(super) j: L,
    /// What the doublings add to J, as the direction of its half.
    pub(super) doubled: Complex<L>,
    /// -1 where the half angle has crossed a branch cut an odd number of times.
    pub(super) sheet: L,
}

/// Constants of the motion that the series need.
pub(super) struct SeriesConstants<L> {
    pub(super) a1: L,
    pub(super) a3: L,
    /// A1 - A3 and a1 m3² - a3 m1², which is that over a2: the side of the separatrix. Only steps that
    /// are divided more than once need them, and set them.
    pub(super) d: L,
    pub(super) side: L,
    pub(super) kappa: L,
    pub(super) w: L,
    /// +1 for gauge axis 3, -1 for gauge axis 1.
    pub(super) gauge: L,
}

/// h²/S² = 1 + (A1 + A3) h²/3 + ... as coefficients c1 to c8 of powers of (part of the
/// step)², from A1 h² and A3 h²: without the step the powers of a needle's A would overflow.
#[inline(always)]
fn series<L: Number>(a1: L, a3: L) -> [L; 8] {
    let (p, q) = (a1 + a3, a1 * a3);
    let c1 = p * L::splat(1.0 / 3.0);
    let p2 = p * p;
    let c2 = (p2 - L::splat(3.0) * q) * L::splat(1.0 / 15.0);
    let c3 = p * (p2 + p2 - L::splat(9.0) * q) * L::splat(1.0 / 189.0);
    let c4 = c2 * c2 * L::splat(1.0 / 3.0);
    let c5 = c2 * c3 * L::splat(3.0 / 11.0);
    let c6 = (L::splat(2.0) * c2 * c4 + c3 * c3) * L::splat(1.0 / 13.0);
    let c7 = (c2 * c5 + c3 * c4) * L::splat(0.1);
    let c8 = (L::splat(2.0) * (c2 * c6 + c3 * c5) + c4 * c4) * L::splat(3.0 / 85.0);
    [c1, c2, c3, c4, c5, c6, c7, c8]
}

/// The series at a part of the step, squared, without its leading one; by Estrin's scheme, for the
/// whole step waits for it.
#[inline(always)]
fn evaluate<L: Number>(c: &[L; 8], u: L) -> L {
    let u2 = u * u;
    let u4 = u2 * u2;
    let [c1, c2, c3, c4, c5, c6, c7, c8] = *c;
    let low = (c1 + c2 * u) + u2 * (c3 + c4 * u);
    let high = (c5 + c6 * u) + u2 * (c7 + c8 * u);
    u * (low + u4 * high)
}

/// The same at the whole of the step.
#[inline(always)]
fn total<L: Number>([c1, c2, c3, c4, c5, c6, c7, c8]: [L; 8]) -> L {
    // The last are known last.
    ((c1 + c2) + (c3 + c4)) + ((c5 + c6) + (c7 + c8))
}

/// A double-double times the square of a number.
#[inline(always)]
fn times_square<L: Number>((hi, lo): (L, L), m: L) -> (L, L) {
    let (square, rest) = two_prod(m, m);
    let (p, e) = two_prod(hi, square);
    (p, e + (hi * rest + lo * square))
}

/// a1 m3² - a3 m1² with the products in double-double.
///
/// A long step near the separatrix amplifies its error by e^(2 lambda h): the rounding of the two
/// products, 1e-16, would be 1e-6 after a flip. Short steps do not use it.
#[inline(always)]
pub(super) fn separatrix_side<L: Number>(body: &ExactBody<L>, m1: L, m3: L) -> L {
    let (p, p_lo) = times_square(body.side3, m3);
    let (q, q_lo) = times_square(body.side1, m1);
    (p + q) + (p_lo + q_lo)
}

/// One term of the quadrature, as a fraction.
#[inline(always)]
fn term<L: Number>(c: &[L; 8], wu: L, (node, weight): (f64, f64)) -> (L, L) {
    let v = L::splat(node);
    (L::splat(weight), L::splat(1.0) + (evaluate(c, v) - wu * v))
}

/// The sum of two fractions.
#[inline(always)]
fn join<L: Number>((n1, d1): (L, L), (n2, d2): (L, L)) -> (L, L) {
    (n1 * d2 + n2 * d1, d1 * d2)
}

/// An undivided step.
pub(super) struct UndividedStep<L> {
    h: L,
    /// h², A1 h² and A3 h².
    pub(super) u: L,
    pub(super) y1: L,
    pub(super) y3: L,
    /// h²/S².
    e: L,
}

/// The integral of s²/(E(s² h²) - w s² h²) over 0 < s < 1, from the coefficients of E and w h²: a sum of
/// weight/(E(node) - w h² node), all denominators merged into one division.
#[inline(always)]
pub(super) fn quadrature<L: Number>(c: &[L; 8], wu: L) -> (L, L) {
    let [n1, n2, n3, n4] = GAUSS9;
    let left = join(term(c, wu, n1), term(c, wu, n2));
    join(left, join(term(c, wu, n3), term(c, wu, n4)))
}

impl<L: Number> UndividedStep<L> {
    /// The step, and the coefficients of h²/S².
    #[inline(always)]
    pub(super) fn new(a1: L, a3: L, h: L) -> (Self, [L; 8]) {
        let u = h * h;
        let (y1, y3) = (a1 * u, a3 * u);
        let c = series(y1, y3);
        (Self { h, u, y1, y3, e: L::splat(1.0) + total(c) }, c)
    }

    /// S, its cosines, and what those lack of one.
    #[inline(always)]
    pub(super) fn functions(&self) -> [L; 5] {
        let one = L::splat(1.0);
        // A S² without waiting for S.
        let inverse = one / self.e;
        let (z1, z3) = (self.y1 * inverse, self.y3 * inverse);
        let (c1, c3) = ((one - z1).sqrt(), (one - z3).sqrt());
        [self.h / self.e.sqrt(), c1, c3, z1 / (one + c1), z3 / (one + c3)]
    }

    /// Those of the step twice as long, with the phase that it adds to J: as [`double`], where S and its
    /// cosines appear as squares only but for one product.
    #[inline(always)]
    fn doubled(&self, motion: &SeriesConstants<L>) -> ([L; 5], Complex<L>) {
        let Self { h, u, y1, y3, e } = *self;
        let (one, two) = (L::splat(1.0), L::splat(2.0));
        let (q1, q3) = (e - y1, e - y3);
        let q13 = q1 * q3;
        let product = (e * q13).sqrt();
        let twice = two / (e * e - y1 * y3);
        let (x1, x3) = (y1 * q3 * twice, y3 * q1 * twice);
        let x = (e - motion.w * u) * (q13 + e * (q1 + q3)) - two * e * q13;
        let y = two * motion.kappa * (h * u) * product;
        ([h * product * twice, one - x1, one - x3, x1, x3], (x, y))
    }
}

/// 1 - A S² as long as that is at least one half, else the square of the cosine that was carried:
/// either alone loses digits in repeated doubling.
#[inline(always)]
pub(super) fn square_of_cosine<L: Number>(a_s2: L, c: L) -> L {
    L::select(a_s2.less(L::splat(0.5)), L::splat(1.0) - a_s2, c * c)
}

/// One doubling of S, C1, C3; with the phase that it adds to J.
#[inline(always)]
pub(super) fn double<L: Number>(
    motion: &SeriesConstants<L>,
    s: L,
    c1: L,
    c3: L,
) -> ([L; 3], Complex<L>) {
    let one = L::splat(1.0);
    let two = L::splat(2.0);
    let s2 = s * s;
    let (a1s2, a3s2) = (motion.a1 * s2, motion.a3 * s2);
    let (q1, q3) = (square_of_cosine(a1s2, c1), square_of_cosine(a3s2, c3));
    let ds4 = motion.d * s2 * s2;
    let (e1, e3) = (motion.a1 * ds4, motion.a3 * ds4);
    // Written with d, neither form cancels as A1 - A3 -> 0 (k -> 1).
    let minor = motion.d.less(L::splat(0.0));
    let denominator = L::select(minor, q3 * (one + a3s2) - e3, q1 * (one + a1s2) + e1);
    let inverse = one / denominator;
    let product = c1 * c3;
    let q13 = q1 * q3;
    let x = (one - motion.w * s2) * (q13 + q1 + q3) - two * q13;
    let y = two * motion.kappa * s2 * s * product;
    ([two * s * product * inverse, (q1 * q1 - e1) * inverse, (q3 * q3 + e3) * inverse], (x, y))
}

/// Lane by lane.
#[inline(always)]
fn select<L: Number>(mask: L::Mask, yes: [L; 5], no: [L; 5]) -> [L; 5] {
    let [a, b, c, d, e] = yes;
    let [f, g, h, i, j] = no;
    [
        L::select(mask, a, f),
        L::select(mask, b, g),
        L::select(mask, c, h),
        L::select(mask, d, i),
        L::select(mask, e, j),
    ]
}

/// S, C1, C3 and J of a whole step.
#[inline(always)]
pub(super) fn phase<L: Number>(
    body: &ExactBody<L>,
    motion: &mut SeriesConstants<L>,
    m: [L; 3],
    g2: L,
    h: L,
) -> StepPhase<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut v = body.stiffness * g2 * h * h;
    let mut step = h;
    let mut halvings = zero;
    let limit = L::splat(LONG);
    // A phase of 1e13 rad takes fifty; an infinite one would never end.
    for _ in 0..MAX_HALVINGS {
        let more = limit.less(v);
        if !L::any(more) {
            break;
        }
        step = L::select(more, step * L::splat(0.5), step);
        halvings = L::select(more, halvings + one, halvings);
        v = L::select(more, v * L::splat(0.25), v);
    }
    let (small, c) = UndividedStep::new(motion.a1, motion.a3, step);
    let (numerator, denominator) = quadrature(&c, motion.w * small.u);
    let mut j = motion.kappa * step * small.u * numerator / denominator;
    let divided = zero.less(halvings);
    let mut functions = [zero; 5];
    if !L::all(divided) {
        functions = small.functions();
    }
    let mut doubled = (one, zero);
    let mut sheet = one;
    if L::any(divided) {
        let (twice, mut last) = small.doubled(motion);
        functions = select(divided, twice, functions);
        j = L::select(divided, j + j, j);
        let mut z = (one, zero);
        let mut left = halvings - one;
        if L::any(zero.less(left)) {
            motion.side = body.side3.0 * (m[2] * m[2]) + body.side1.0 * (m[0] * m[0]);
            let long = L::splat(FEW_DOUBLINGS).less(halvings);
            if L::any(long) {
                motion.side = L::select(long, separatrix_side(body, m[0], m[2]), motion.side);
            }
            motion.d = body.a[1] * motion.side;
            let motion = &*motion;
            let [mut s, mut c1, mut c3, x1, x3] = functions;
            // Half periods passed, modulo four.
            let mut passed = zero;
            while L::any(zero.less(left)) {
                let on = zero.less(left);
                let ([s_new, c1_new, c3_new], add) = double(motion, s, c1, c3);
                // Z <- Z² z of the doubling before; rescaled, for its size squares every time.
                let squared = multiply(multiply(z, z), last);
                let size = one / squared.0.abs().max(squared.1.abs());
                z = (L::select(on, squared.0 * size, z.0), L::select(on, squared.1 * size, z.1));
                last = (L::select(on, add.0, last.0), L::select(on, add.1, last.1));
                let crossed = (s * c1 * c3 * h).less(zero);
                let count = passed + passed + L::select(crossed, one, zero);
                let count = L::select(L::splat(3.5).less(count), count - L::splat(4.0), count);
                passed = L::select(on, count, passed);
                s = L::select(on, s_new, s);
                c1 = L::select(on, c1_new, c1);
                c3 = L::select(on, c3_new, c3);
                j = L::select(on, j + j, j);
                left = left - one;
            }
            functions = [s, c1, c3, x1, x3];
            // j mod 4 in {1, 2}, and only where the gauge axis is the one with the cn.
            let between = L::splat(0.5).less(passed) & passed.less(L::splat(2.5));
            let minor = motion.d.less(zero);
            let on_cn = L::select(minor, -motion.gauge, motion.gauge);
            sheet = L::select(between & zero.less(on_cn), -one, one);
        }
        doubled = multiply(z, half(last, last.1));
    }
    let [s, c1, c3, x1, x3] = functions;
    StepPhase { s, c1, c3, x1, x3, j, doubled, sheet }
}
