//! The exact step, over lanes: addition theorems instead of elliptic integrals.
//!
//! Everything is rebuilt from the momentum at the start of the step, in which sn, cn and dn of the
//! initial phase are contained; the modulus, the phase and the side of the separatrix never appear.
//! Notation: b_i = 1/I_i, a1 = b3 - b2, a2 = b1 - b3, a3 = b2 - b1, I1 <= I2 <= I3, G = |m|.

use crate::lanes::{Lanes, sin_cos};

/// Below this V = max(|a1|, |a3|) a2 G² h² the short series suffice.
const SHORT: f64 = 0.004;
/// Below this the long series do; above, the step is halved until it fits and doubled again.
const LONG: f64 = 0.0625;

/// Half angles above this are computed in double-double; below, their rounding is half an ulp.
const LARGE_ANGLE: f64 = 0.5;

/// Squares of the positive nodes of the 5-point Gauss-Legendre rule and weight times square.
const GAUSS5: [(f64, f64); 2] = [
    (0.28994919792569030223, 0.13877799911553081507),
    (0.82116191318542080888, 0.19455533421780251827),
];
/// The same of the 9-point rule.
const GAUSS9: [(f64, f64); 4] = [
    (0.10514028258908978412, 0.03284025994586209607),
    (0.37622451445317489498, 0.098048132715498167456),
    (0.69894801241780081849, 0.12626367286460207059),
    (0.93733424936346391417, 0.076181267807370999219),
];

/// Constants of a body, moments sorted and scaled to order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<L> {
    /// b3 - b2 <= 0, b1 - b3 >= 0, b2 - b1 <= 0.
    pub(crate) a: [L; 3],
    /// 1/I1 and 1/I3, each as a double-double.
    pub(crate) b1: (L, L),
    pub(crate) b3: (L, L),
    /// (a3 - a1)/a2, or zero for a sphere: the gauge axis.
    pub(crate) beta: L,
    /// max(|a1|, |a3|) a2.
    pub(crate) stiffness: L,
    /// a1 a2 and -a3 a2, each as a double-double: the separatrix is where they balance.
    pub(crate) a12: (L, L),
    pub(crate) a23: (L, L),
}

/// What a step does to a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Increment<L> {
    /// The momentum after the step, and by how much it has changed: for a step that is not divided,
    /// with all digits of its own.
    pub(crate) m: [L; 3],
    pub(crate) d: [L; 3],
    /// The rotation minus one, scalar first: q <- q + q r.
    pub(crate) r: [L; 4],
}

type Complex<L> = (L, L);

#[inline(always)]
fn multiply<L: Lanes>(a: Complex<L>, b: Complex<L>) -> Complex<L> {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// Half the argument of (x, y), up to a positive factor; the sign at y = 0 is that of `side`.
#[inline(always)]
fn half<L: Lanes>((x, y): Complex<L>, side: L) -> Complex<L> {
    let zero = L::splat(0.0);
    let length = (x * x + y * y).sqrt();
    let left = x.less(zero);
    let sign = L::select(zero.less(y.abs()), y, side);
    (L::select(left, y.abs(), length + x), L::select(left, (length - x).copysign(sign), y))
}

/// S with S'² = (1 - A1 S²)(1 - A3 S²), S ~ h; its cosines; and the angle J as a half-angle phase.
struct Phase<L> {
    s: L,
    c1: L,
    c3: L,
    /// J of the undivided step, or 2^n times that of the divided one.
    j: L,
    /// What the doublings add to J, as the direction of its half.
    doubled: Complex<L>,
    /// -1 where the half angle has crossed a branch cut an odd number of times.
    sheet: L,
}

/// Constants of the motion that the series need.
struct Motion<L> {
    a1: L,
    a3: L,
    /// A1 - A3: the side of the separatrix. Only divided steps need it, and set it.
    d: L,
    kappa: L,
    w: L,
    /// +1 for gauge axis 3, -1 for gauge axis 1.
    gauge: L,
}

/// h²/S² = 1 + P u/3 + ... as coefficients of u = h², from c1 to c9 (or c5).
#[inline(always)]
fn series<L: Lanes>(a1: L, a3: L, long: bool) -> [L; 9] {
    let k = L::splat;
    let (p, q) = (a1 + a3, a1 * a3);
    let c1 = p * k(1.0 / 3.0);
    let p2 = p * p;
    let c2 = (p2 - k(3.0) * q) * k(1.0 / 15.0);
    let c3 = p * (p2 + p2 - k(9.0) * q) * k(1.0 / 189.0);
    let c4 = c2 * c2 * k(1.0 / 3.0);
    let c5 = c2 * c3 * k(3.0 / 11.0);
    let zero = k(0.0);
    if !long {
        return [c1, c2, c3, c4, c5, zero, zero, zero, zero];
    }
    let c6 = (k(2.0) * c2 * c4 + c3 * c3) * k(1.0 / 13.0);
    let c7 = (c2 * c5 + c3 * c4) * k(0.1);
    let c8 = (k(2.0) * (c2 * c6 + c3 * c5) + c4 * c4) * k(3.0 / 85.0);
    let c9 = (c2 * c7 + c3 * c6 + c4 * c5) * k(1.0 / 19.0);
    [c1, c2, c3, c4, c5, c6, c7, c8, c9]
}

/// The series at u, without its leading one.
#[inline(always)]
fn evaluate<L: Lanes>(c: &[L; 9], u: L, long: bool) -> L {
    let mut sum = c[4];
    if long {
        sum = c[8];
        for i in (4..8).rev() {
            sum = sum * u + c[i];
        }
    }
    for i in (0..4).rev() {
        sum = sum * u + c[i];
    }
    sum * u
}

/// Exact product as (rounded, error): Dekker's, for there is no fused multiply-add here.
#[inline(always)]
fn two_product<L: Lanes>(a: L, b: L) -> (L, L) {
    let split = |x: L| {
        let c = L::splat(134_217_729.0) * x;
        let hi = c - (c - x);
        (hi, x - hi)
    };
    let (ah, al) = split(a);
    let (bh, bl) = split(b);
    let p = a * b;
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// Exact sum as (rounded, error).
#[inline(always)]
fn two_sum<L: Lanes>(a: L, b: L) -> (L, L) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// A1 - A3 = a2 (a1 m3² - a3 m1²) with the products in double-double.
///
/// A long step near the separatrix amplifies an error of d by e^(2 lambda h): the rounding of the
/// two products, 1e-16, would be 1e-6 after a flip. Short steps do not use d.
#[inline(always)]
fn separatrix_side<L: Lanes>(body: &Body<L>, m1: L, m3: L) -> L {
    let product = |(hi, lo): (L, L), m: L| {
        let (square, rest) = two_product(m, m);
        let (p, e) = two_product(hi, square);
        (p, e + (hi * rest + lo * square))
    };
    let (p, p_lo) = product(body.a12, m3);
    let (q, q_lo) = product(body.a23, m1);
    (p + q) + (p_lo + q_lo)
}

/// sin and cos of (b G h - j)/2.
///
/// A nearly spherical body can turn many times while its momentum hardly moves; the rounding of the
/// product would then be all of the error. So a large angle is computed in double-double.
#[inline(always)]
fn secular_turn<L: Lanes>(b: (L, L), m: [L; 3], g: L, h: L, j: L) -> (L, L) {
    let half = L::splat(0.5);
    let angle = (b.0 * g * h - j) * half;
    let large = L::splat(LARGE_ANGLE).less(angle.abs());
    if !L::any(large) {
        return sin_cos(angle, L::splat(0.0));
    }
    // The error of G, from what its square lacks of |m|².
    let [(s1, e1), (s2, e2), (s3, e3)] = m.map(|x| two_product(x, x));
    let (g2, g2_lo) = two_product(g, g);
    let (sum, sum_lo) = two_sum(s1, s2);
    let (sum, more) = two_sum(sum, s3);
    let lack = ((sum - g2) + ((sum_lo + more) - g2_lo)) + (e1 + e2 + e3);
    let g_lo = lack * half / g;
    let (p, e) = two_product(b.0, g);
    let e = e + (b.0 * g_lo + b.1 * g);
    let (q, f) = two_product(p, h);
    let (hi, lo) = two_sum(q, -j);
    let lo = lo + (f + e * h);
    let zero = L::splat(0.0);
    sin_cos(L::select(large, hi * half, angle), L::select(large, lo * half, zero))
}

/// S and J of an undivided step.
#[inline(always)]
fn small<L: Lanes>(motion: &Motion<L>, h: L, long: bool) -> (L, L) {
    let one = L::splat(1.0);
    let c = series(motion.a1, motion.a3, long);
    let u = h * h;
    let s = h / (one + evaluate(&c, u, long)).sqrt();
    // sum of weight/(E(node u) - w node u), all denominators merged into one division.
    let term = |(node, weight): (f64, f64)| {
        let v = u * L::splat(node);
        (L::splat(weight), one + (evaluate(&c, v, long) - motion.w * v))
    };
    let join = |(n1, d1): (L, L), (n2, d2): (L, L)| (n1 * d2 + n2 * d1, d1 * d2);
    let (numerator, denominator) = if long {
        let [t1, t2, t3, t4] = GAUSS9.map(term);
        join(join(t1, t2), join(t3, t4))
    } else {
        let [t1, t2] = GAUSS5.map(term);
        join(t1, t2)
    };
    (s, motion.kappa * h * u * numerator / denominator)
}

/// 1 - A S² as long as that is at least one half, else the square of the cosine that was carried:
/// either alone loses digits in repeated doubling.
#[inline(always)]
fn square_of_cosine<L: Lanes>(a_s2: L, c: L) -> L {
    L::select(a_s2.less(L::splat(0.5)), L::splat(1.0) - a_s2, c * c)
}

/// One doubling of S, C1, C3; with the phase that it adds to J.
#[inline(always)]
fn double<L: Lanes>(motion: &Motion<L>, s: L, c1: L, c3: L) -> ([L; 3], Complex<L>) {
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

/// S, C1, C3 and J of a whole step.
#[inline(always)]
fn phase<L: Lanes>(body: &Body<L>, motion: &mut Motion<L>, m: [L; 3], g2: L, h: L) -> Phase<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut v = body.stiffness * g2 * h * h;
    let mut step = h;
    let mut halvings = zero;
    let limit = L::splat(LONG);
    while L::any(limit.less(v)) {
        let more = limit.less(v);
        step = L::select(more, step * L::splat(0.5), step);
        halvings = L::select(more, halvings + one, halvings);
        v = L::select(more, v * L::splat(0.25), v);
    }
    let long = L::splat(SHORT).less(v);
    let (mut s, mut j);
    if L::all(long) {
        (s, j) = small(motion, step, true);
    } else {
        (s, j) = small(motion, step, false);
        if L::any(long) {
            let other = small(motion, step, true);
            s = L::select(long, other.0, s);
            j = L::select(long, other.1, j);
        }
    }
    let s2 = s * s;
    let mut c1 = (one - motion.a1 * s2).sqrt();
    let mut c3 = (one - motion.a3 * s2).sqrt();
    let mut doubled = (one, zero);
    let mut sheet = one;
    if L::any(zero.less(halvings)) {
        motion.d = separatrix_side(body, m[0], m[2]);
        let motion = &*motion;
        let mut z = (one, zero);
        let mut last = (one, zero);
        // Half periods passed, modulo four.
        let mut passed = zero;
        let mut left = halvings;
        while L::any(zero.less(left)) {
            let on = zero.less(left);
            let first = left.less(halvings);
            let ([s_new, c1_new, c3_new], add) = double(motion, s, c1, c3);
            // Z <- Z² z of the doubling before; rescaled, for its size squares every time.
            let squared = multiply(multiply(z, z), last);
            let size = one / squared.0.abs().max(squared.1.abs());
            z = (
                L::select(on & first, squared.0 * size, z.0),
                L::select(on & first, squared.1 * size, z.1),
            );
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
        doubled = multiply(z, half(last, last.1));
        // j mod 4 in {1, 2}, and only where the gauge axis is the one with the cn.
        let between = L::splat(0.5).less(passed) & passed.less(L::splat(2.5));
        let minor = motion.d.less(zero);
        let on_cn = L::select(minor, -motion.gauge, motion.gauge);
        sheet = L::select(between & zero.less(on_cn), -one, one);
    }
    Phase { s, c1, c3, j, doubled, sheet }
}

/// The step of length h from momentum m (sorted axes, of order one).
#[inline(always)]
pub(crate) fn step<L: Lanes>(body: &Body<L>, m: [L; 3], h: L) -> Increment<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let [m1, m2, m3] = m;
    let [a1, a2, a3] = body.a;
    let (p1, p2, p3) = (m1 * m1, m2 * m2, m3 * m3);
    let g2 = p1 + p2 + p3;
    let g = g2.sqrt();
    // 2T - b3 G² >= 0 and 2T - b1 G² <= 0, as sums of terms of one sign.
    let t3 = a2 * p1 - a1 * p2;
    let t1 = a3 * p2 - a2 * p3;
    // Gauge axis 3 if 2T >= (b1 + b3) G²/2: the momentum then stays away from it on all its orbit.
    let on3 = zero.less(p1 + body.beta * p2 - p3 + L::splat(f64::MIN_POSITIVE));
    let pick = |on_3: L, on_1: L| L::select(on3, on_3, on_1);
    let tg = pick(t3, t1);
    let kh = g * tg;
    let mut motion = Motion {
        a1: -(a3 * t3),
        a3: a1 * t1,
        d: zero,
        kappa: pick(a1 * a2, a2 * a3) * kh,
        w: pick(a1 * t3, -(a3 * t1)),
        gauge: pick(one, -one),
    };
    let Phase { s, c1, c3, j, doubled, sheet } = phase(body, &mut motion, m, g2, h);

    let s2 = s * s;
    let c13 = c1 * c3;
    let bend = a1 * a3 * p2 * s2;
    // For a small step the increments, relatively accurate, are added to m last; else the quotient
    // with the denominator as a sum of positive terms.
    let undivided = body.stiffness * g2 * h * h;
    let divided = L::splat(LONG).less(undivided);
    let (x1, x3) = (motion.a1 * s2 / (one + c1), motion.a3 * s2 / (one + c3));
    let mut denominator = one - bend;
    if L::any(divided) {
        let (n1, n3) = (a2 * a3 * p1, a1 * a2 * p3);
        let with1 = square_of_cosine(motion.a1 * s2, c1) - n1 * s2;
        let with3 = square_of_cosine(motion.a3 * s2, c3) - n3 * s2;
        let large = L::select(n3.less(n1), with3, with1);
        denominator = L::select(divided, large, denominator);
    }
    let inverse = one / denominator;
    let (f1, f2, f3) = (a1 * m2 * m3 * s, a2 * m3 * m1 * s, a3 * m1 * m2 * s);
    let mut d1 = (m1 * (bend - x3) + f1 * c1) * inverse;
    let mut d2 = (m2 * (bend - (x1 + x3 - x1 * x3)) + f2) * inverse;
    let mut d3 = (m3 * (bend - x1) + f3 * c3) * inverse;
    let mut n = [m1 + d1, m2 + d2, m3 + d3];
    if L::any(divided) {
        let whole = [
            (m1 * c3 + f1 * c1) * inverse,
            (m2 * c13 + f2) * inverse,
            (m3 * c1 + f3 * c3) * inverse,
        ];
        n = [0, 1, 2].map(|i| L::select(divided, whole[i], n[i]));
        d1 = L::select(divided, n[0] - m1, d1);
        d2 = L::select(divided, n[1] - m2, d2);
        d3 = L::select(divided, n[2] - m3, d3);
    }

    // Axes (x, y, z) with the gauge axis last.
    let (x0, y0, z0) = (pick(m1, m2), pick(m2, m3), pick(m3, m1));
    let (x_1, y_1, z_1) = (pick(n[0], n[1]), pick(n[1], n[2]), pick(n[2], n[0]));
    let (dx, dy, dz) = (pick(d1, d2), pick(d2, d3), pick(d3, d1));
    // e^(i psi/2), psi = b_g G h - J + theta - (phi1 - phi0): theta and phi as half arguments.
    let triple = m1 * m2 * m3;
    let planar = x0 * x0 + y0 * y0;
    let theta = (
        (c13 + a1 * a2 * a3 * triple * s2 * s) * planar - pick(a3, a1) * triple * s * denominator,
        kh * s * denominator,
    );
    let wx = x_1 * x0 + y_1 * y0;
    let wy = dx * y0 - x0 * dy;
    let b = (pick(body.b3.0, body.b1.0), pick(body.b3.1, body.b1.1));
    let (sin, cos) = secular_turn(b, m, g, h, j);
    let mut psi = multiply((cos, sin), multiply(half(theta, kh * h), half((wx, wy), wy)));
    psi = multiply(psi, (doubled.0 * sheet, -(doubled.1 * sheet)));

    let (g0, g1) = (g + z0, g + z_1);
    let gg = g0 * g1;
    let (u, v) = psi;
    let r0 = u * (gg + wx) + v * wy;
    let rx = u * (g0 * dy - dz * y0) + v * (g0 * x_1 + g1 * x0);
    let ry = u * (dz * x0 - g0 * dx) + v * (g0 * y_1 + g1 * y0);
    let rz = u * wy + v * (gg - wx);
    let norm = one / (r0 * r0 + rx * rx + ry * ry + rz * rz).sqrt();
    let (r0, rx, ry, rz) = (r0 * norm, rx * norm, ry * norm, rz * norm);
    // r0 - 1 from the vector part: the subtraction would leave an ulp of one.
    let near = L::splat(-0.5).less(r0);
    let drop = -((rx * rx + ry * ry + rz * rz) / (one + r0));
    let r0 = L::select(near, drop, r0 - one);
    Increment { m: n, d: [d1, d2, d3], r: [r0, pick(rx, rz), pick(ry, rx), pick(rz, ry)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Pack;

    /// Bodies from nearly spherical to needles, momenta in all directions, steps of every tier.
    fn mixed(i: usize) -> (Body<f64>, [f64; 3], f64) {
        let x = |a: f64| (a * (i as f64 + 1.0)).sin();
        let moments = [0.2 + 0.3 * x(1.3).abs(), 0.7 + 0.1 * x(0.7), 1.2 + 0.5 * x(2.1).abs()];
        let body = super::super::exact::body(moments.map(polhode_elliptic::Dd::from));
        let h = [1e-3, 0.05, -0.4, 3.0, -40.0, 0.2, 700.0][i % 7];
        (body, [x(3.1), x(4.7), x(5.9)], h)
    }

    fn lanes<const N: usize>(from: usize) {
        let all: [_; N] = core::array::from_fn(|i| mixed(from + i));
        let pack = |f: &dyn Fn(&(Body<f64>, [f64; 3], f64)) -> f64| {
            Pack::<N>(core::array::from_fn(|i| f(&all[i])))
        };
        let body = Body {
            a: core::array::from_fn(|j| pack(&|b| b.0.a[j])),
            b1: (pack(&|b| b.0.b1.0), pack(&|b| b.0.b1.1)),
            b3: (pack(&|b| b.0.b3.0), pack(&|b| b.0.b3.1)),
            beta: pack(&|b| b.0.beta),
            stiffness: pack(&|b| b.0.stiffness),
            a12: (pack(&|b| b.0.a12.0), pack(&|b| b.0.a12.1)),
            a23: (pack(&|b| b.0.a23.0), pack(&|b| b.0.a23.1)),
        };
        let m = core::array::from_fn(|j| pack(&|b| b.1[j]));
        let got = step(&body, m, pack(&|b| b.2));
        for (i, (body, m, h)) in all.iter().enumerate() {
            let want = step(body, *m, *h);
            assert_eq!(got.m.map(|x| x.0[i].to_bits()), want.m.map(f64::to_bits), "lane {i}");
            assert_eq!(got.r.map(|x| x.0[i].to_bits()), want.r.map(f64::to_bits), "lane {i}");
        }
    }

    #[test]
    fn a_lane_has_the_bits_of_a_scalar_whatever_its_neighbours() {
        for from in 0..200 {
            lanes::<8>(from);
            lanes::<4>(from);
            lanes::<2>(from);
        }
    }
}
