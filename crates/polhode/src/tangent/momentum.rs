//! The momentum block: how the momentum after a time changes with that at the start and with the body.
//!
//! The derivative of the addition theorem of the exact step (`rotor::exact`), in which the motion enters through
//! three functions of time alone: S and its cosines C1 and C3. These depend on start and body through A1 and
//! A3 only, so that every derivative is made of how A1, A3 and d = A1 - A3 change. There is no phase at the start,
//! and nothing is divided by what vanishes on an axis, on the separatrix or for equal moments.
//!
//! Sorted axes; a1 = b3 - b2 <= 0, a2 = b1 - b3 >= 0, a3 = b2 - b1 <= 0 with b = 1/I;
//! t1 = a3 m2² - a2 m3², t3 = a2 m1² - a1 m2², A1 = -a3 t3, A3 = a1 t1.

use polhode_number::Number;
use polhode_number::vector::{Matrix, Vector, select, splat};

use super::phase::{CoefficientChange, Phase, PhaseChange, Slopes};

/// What the derivatives need of a body, along its sorted axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MomentumShape {
    /// a1, a2, a3.
    a: [f64; 3],
    /// 1/I1, 1/I2, 1/I3.
    pub(crate) inverse: [f64; 3],
    /// a1/a2 and a3/a2; those of a sphere are what they are for a body close to one.
    ratios: [f64; 2],
}

impl MomentumShape {
    pub(crate) fn new(a: [f64; 3], inverse: [f64; 3]) -> Self {
        let [a1, a2, a3] = a;
        let is_sphere = a2 < f64::MIN_POSITIVE;
        let ratios = if is_sphere { [-0.5; 2] } else { [a1 / a2, a3 / a2] };
        Self { a, inverse, ratios }
    }
}

/// A start and what became of it: everything that the columns share.
pub(crate) struct MomentumBlock<N: Number> {
    pub(super) m: Vector<N>,
    pub(super) n: Vector<N>,
    a: Vector<N>,
    /// The inverse moments.
    pub(super) b: Vector<N>,
    ratios: (N, N),
    pub(super) phase: Phase<N>,
    /// a1 m2 m3, a2 m3 m1, a3 m1 m2.
    f: Vector<N>,
    /// How the momentum moves in the end.
    pub(crate) motion: Vector<N>,
    /// C3 - D, C1 C3 - D, C1 - D.
    less: Vector<N>,
    denominator: Denominator<N>,
}

/// D in that of its three forms which is a sum of positive terms: 1 - a1 a3 m2² S² while this is above one half,
/// else C1² - a2 a3 m1² S² or C3² - a1 a2 m3² S². Its derivative has to be that of the same form: that of the first
/// cancels where D is small.
struct Denominator<N: Number> {
    inverse: N,
    first: N::Mask,
    third: N::Mask,
    /// The product in use, twice and times S; and 2 C1 or 2 C3, if their squares are in use.
    product: N,
    with_c1: N,
    with_c3: N,
}

impl<N: Number> Denominator<N> {
    #[inline(always)]
    fn choose(&self, [first, second, third]: [N; 3]) -> N {
        N::select(self.first, first, N::select(self.third, third, second))
    }
}

impl<N: Number> MomentumBlock<N> {
    /// The block that follows from the momentum at the start and at the end.
    #[inline(always)]
    pub(crate) fn new(shape: &MomentumShape, m: Vector<N>, n: Vector<N>, phase: Phase<N>) -> Self {
        let a: Vector<N> = splat(shape.a);
        let [a1, a2, a3] = a;
        let [m1, m2, m3] = m;
        let Phase { s, c1, c3, x1, x3, .. } = phase;
        let (zero, one, two) = (N::splat(0.0), N::splat(1.0), N::splat(2.0));
        let s2 = s * s;
        let (g1, g2, g3) = (a2 * a3 * (m1 * m1), a1 * a3 * (m2 * m2), a1 * a2 * (m3 * m3));
        let bend = g2 * s2;
        let (denominator, less);
        if let Slopes::Small { .. } = phase.slopes {
            let first = zero.less(one);
            denominator = Denominator {
                inverse: one / (one - bend),
                first,
                third: first,
                product: two * s * g2,
                with_c1: zero,
                with_c3: zero,
            };
            less = [bend - x3, bend - (x1 + x3 - x1 * x3), bend - x1];
        } else {
            let (first, third) = (bend.less(N::splat(0.5)), g3.less(g1));
            let mut chosen = Denominator {
                inverse: one,
                first,
                third,
                product: two * s,
                with_c1: zero,
                with_c3: zero,
            };
            let d = chosen.choose([one - bend, c1 * c1 - g1 * s2, c3 * c3 - g3 * s2]);
            chosen.inverse = one / d;
            chosen.product = two * s * chosen.choose([g2, g1, g3]);
            chosen.with_c1 = chosen.choose([zero, two * c1, zero]);
            chosen.with_c3 = chosen.choose([zero, zero, two * c3]);
            (denominator, less) = (chosen, [c3 - d, c1 * c3 - d, c1 - d]);
        }
        Self {
            m,
            n,
            a,
            b: splat(shape.inverse),
            ratios: (N::splat(shape.ratios[0]), N::splat(shape.ratios[1])),
            phase,
            f: [a1 * m2 * m3, a2 * m3 * m1, a3 * m1 * m2],
            motion: [a1 * n[1] * n[2], a2 * n[2] * n[0], a3 * n[0] * n[1]],
            less,
            denominator,
        }
    }

    /// The momentum in the end.
    pub(crate) fn end(&self) -> Vector<N> {
        self.n
    }

    /// What every column has: the part through S and its cosines, and that of the denominator, which itself changes
    /// by -`bends` S² and through them.
    #[inline(always)]
    fn column(&self, change: CoefficientChange<N>, bends: [N; 3], direct: Vector<N>) -> Vector<N> {
        let PhaseChange { along, s: ds, c1: r1, c3: r3 } = self.phase.change(change);
        let Phase { s, c1, c3, .. } = self.phase;
        let [m1, m2, m3] = self.m;
        let [f1, f2, f3] = self.f;
        let [n1, n2, n3] = self.n;
        let Denominator { inverse, product, with_c1, with_c3, .. } = self.denominator;
        let mut falls = self.denominator.choose(bends) * (s * s);
        let [mut e1, mut e2, mut e3] = direct;
        if let Some(ds) = ds {
            falls = falls + product * ds - (with_c1 * r1 + with_c3 * r3);
            (e1, e2, e3) = (e1 + f1 * (c1 * ds), e2 + f2 * ds, e3 + f3 * (c3 * ds));
        }
        [
            (e1 + m1 * r3 + f1 * (r1 * s) + n1 * falls) * inverse + along * self.motion[0],
            (e2 + m2 * (r1 * c3 + c1 * r3) + n2 * falls) * inverse + along * self.motion[1],
            (e3 + m3 * r1 + f3 * (r3 * s) + n3 * falls) * inverse + along * self.motion[2],
        ]
    }

    /// The derivative with respect to the start, minus one, by columns.
    #[inline(always)]
    pub(crate) fn start(&self) -> Matrix<N> {
        let zero = N::splat(0.0);
        let two = N::splat(2.0);
        let [a1, a2, a3] = self.a;
        let [m1, m2, m3] = self.m;
        let Phase { s, c1, c3, .. } = self.phase;
        let [e1, e2, e3] = self.less;
        let (b1, b2, b3) = (two * a2 * a3 * m1, two * a1 * a3 * m2, two * a1 * a2 * m3);
        [
            self.column(
                CoefficientChange { a1: -b1, a3: zero, d: -b1 },
                [zero, b1, zero],
                [e1, a2 * m3 * s, a3 * m2 * (c3 * s)],
            ),
            self.column(
                CoefficientChange { a1: b2, a3: b2, d: zero },
                [b2, zero, zero],
                [a1 * m3 * (c1 * s), e2, a3 * m1 * (c3 * s)],
            ),
            self.column(
                CoefficientChange { a1: zero, a3: -b3, d: b3 },
                [zero, zero, b3],
                [a1 * m2 * (c1 * s), a2 * m1 * s, e3],
            ),
        ]
    }

    /// The derivatives with respect to 1/I1, 1/I2, 1/I3.
    #[inline(always)]
    pub(crate) fn moments(&self) -> Matrix<N> {
        let zero = N::splat(0.0);
        let [a1, a2, a3] = self.a;
        let [m1, m2, m3] = self.m;
        let Phase { s, c1, c3, .. } = self.phase;
        let (p1, p2, p3) = (m1 * m1, m2 * m2, m3 * m3);
        let (t1, t3) = (a3 * p2 - a2 * p3, a2 * p1 - a1 * p2);
        let (f1, f2, f3) = (m2 * m3 * (c1 * s), m3 * m1 * s, m1 * m2 * (c3 * s));
        let first = self.column(
            CoefficientChange {
                a1: t3 - a3 * p1,
                a3: -(a1 * (p2 + p3)),
                d: a1 * p3 + (a2 - a3) * p1,
            },
            [-(a1 * p2), (a3 - a2) * p1, a1 * p3],
            [zero, f2, -f3],
        );
        let second = self.column(
            CoefficientChange { a1: -(t3 + a3 * p2), a3: a1 * p2 - t1, d: -(a2 * (p1 + p3)) },
            [(a1 - a3) * p2, a2 * p1, -(a2 * p3)],
            [-f1, zero, f3],
        );
        // The same number added to all inverse moments only turns the body about its momentum.
        let third = [-(first[0] + second[0]), -(first[1] + second[1]), -(first[2] + second[2])];
        [first, second, third]
    }

    /// How A1, A3 and d change with an entry of the inverse tensor, p twice the product of the two momenta, after
    /// division by the gap of the two moments.
    #[inline(always)]
    fn turning(&self, p: N) -> CoefficientChange<N> {
        let [a1, a2, a3] = self.a;
        CoefficientChange { a1: -(a3 * p), a3: a1 * p, d: a2 * p }
    }

    /// The integrals of m1², m2², m3² over the time passed.
    #[inline(always)]
    pub(crate) fn squares(&self) -> Vector<N> {
        let [a1, a2, a3] = self.a;
        let [m1, m2, m3] = self.m;
        let Phase { h, s, y, .. } = self.phase;
        let (p1, p2, p3) = (m1 * m1, m2 * m2, m3 * m3);
        let (t1, t3) = (a3 * p2 - a2 * p3, a2 * p1 - a1 * p2);
        let (rho1, rho3) = self.ratios;
        let middle = s * m2 * self.n[1];
        [
            (p1 - rho1 * p2) * (h - a1 * t1 * y) + rho1 * middle,
            middle - t1 * t3 * y,
            (p3 - rho3 * p2) * (h + a3 * t3 * y) + rho3 * middle,
        ]
    }

    /// The derivatives with respect to the entries 12, 13, 23 of the inverse tensor, and the integrals of
    /// m1 m2, m1 m3, m2 m3: what turning the principal axes gives, divided by the gap of two moments, which may
    /// be zero.
    #[inline(always)]
    pub(crate) fn mixed(&self) -> (Matrix<N>, Vector<N>) {
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        let [a1, a2, a3] = self.a;
        let [m1, m2, m3] = self.m;
        let Phase { s, c1, c3, x1, x3, .. } = self.phase;
        let s2 = s * s;
        let (p1, p2, p3) = (m1 * m1, m2 * m2, m3 * m3);
        let (t1, t3) = (a3 * p2 - a2 * p3, a2 * p1 - a1 * p2);
        // (1 - C1)/a3 and (1 - C3)/a1, and (C3 - C1)/a2.
        let (mut xi1, mut xi3) = (-(t3 * s2) / (one + c1), t1 * s2 / (one + c3));
        let mut cosines = (a1 * p3 - a3 * p1) * s2 / (c1 + c3);
        // The cosines of a small phase are close to one.
        let is_small = matches!(self.phase.slopes, Slopes::Small { .. });
        if !is_small {
            xi1 = N::select(c1.less(zero), (one - c1) / a3, xi1);
            xi3 = N::select(c3.less(zero), (one - c3) / a1, xi3);
            cosines = N::select((c1 + c3).less(N::splat(0.5)), (c3 - c1) / a2, cosines);
        }
        let (rho1, rho3) = self.ratios;
        let l = one + rho1 * x1 + rho3 * x3;
        let (u1, u3) = (one + a1 * xi1, one + a3 * xi3);
        let two = N::splat(2.0);
        let (p12, p13, p23) = (two * m1 * m2, two * m1 * m3, two * m2 * m3);
        let columns = [
            self.column(
                self.turning(p12),
                [a1 * p12, -(a2 * p12), zero],
                [
                    -(m2 * c3 * xi1) - m1 * m3 * s * u1,
                    m2 * m3 * s * u1 - m1 * c3 * xi1,
                    (m1 - m2) * (m1 + m2) * c3 * s,
                ],
            ),
            self.column(
                self.turning(p13),
                [zero, a3 * p13, -(a1 * p13)],
                [
                    m3 * cosines + m1 * m2 * s * l,
                    (m3 - m1) * (m3 + m1) * s,
                    m1 * cosines - m2 * m3 * s * l,
                ],
            ),
            self.column(
                self.turning(p23),
                [-(a3 * p23), zero, a2 * p23],
                [
                    (m2 - m3) * (m2 + m3) * c1 * s,
                    m3 * c1 * xi3 - m1 * m2 * s * u3,
                    m2 * c1 * xi3 + m1 * m3 * s * u3,
                ],
            ),
        ];
        let inverse = self.denominator.inverse;
        let third = rho1 * a3 * p2 * s2 - rho3 * xi1 - rho1 * xi3 * (one - x1);
        let mut integrals = [
            (m3 * (a1 * p2 * s2 - xi1) + m1 * m2 * s * c3) * inverse,
            (m2 * third + m1 * m3 * s) * inverse,
            (m1 * (a3 * p2 * s2 - xi3) + m2 * m3 * s * c1) * inverse,
        ];
        if !is_small {
            let [n1, n2, n3] = self.n;
            let differences = [(n3 - m3) / a3, (n2 - m2) / a2, (n1 - m1) / a1];
            integrals = select(self.denominator.first, integrals, differences);
        }
        (columns, integrals)
    }
}
