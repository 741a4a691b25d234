//! What rounding has changed of length and energy, and the vector that takes it back.
//!
//! The formulas of a step keep both invariants by identities between S and its cosines, which rounding
//! breaks: by the same amount in every step, for some bodies. Bringing the momentum back to first order,
//! from differences that have not lost their digits, leaves the walk of the last additions.

use super::ExactBody;
use polhode_number::{Number, vector};

/// Adding and subtracting this many times |m| leaves the leading half of a component.
const SPLIT: f64 = 268435456.0;

/// Below this, |m x I^-1 m|²/|m|⁴ is that of a momentum on an axis.
const STEADY: f64 = 1e-200;

/// By how much a step has changed the squares of the momentum, e_i = n_i² - m_i²: with digits of their
/// own, for what is to be taken back is less than an ulp of the squares.
#[derive(Clone, Copy)]
pub(super) struct Gain<L> {
    pub(super) e1: L,
    pub(super) e3: L,
    /// e1 + e2 and e2 + e3.
    pub(super) e12: L,
    pub(super) e23: L,
}

/// n² - m² as a number without rounding, and a small one.
#[inline(always)]
fn difference_of_squares<L: Number>(n: L, m: L, unit: L) -> (L, L) {
    // Their leading halves have products without rounding.
    let (n_hi, m_hi) = ((n + unit) - unit, (m + unit) - unit);
    let (n_lo, m_lo) = (n - n_hi, m - m_hi);
    ((n_hi - m_hi) * (n_hi + m_hi), n_lo * (n + n_hi) - m_lo * (m + m_hi))
}

impl<L: Number> Gain<L> {
    /// From the increment.
    #[inline(always)]
    pub(super) fn of_increment(m: [L; 3], d: [L; 3]) -> Self {
        let n = vector::add(m, d);
        let [e1, e2, e3] = vector::multiply(d, vector::add(m, n));
        Self { e1, e3, e12: e1 + e2, e23: e2 + e3 }
    }

    /// From two momenta of length g.
    #[inline(always)]
    pub(super) fn between(m: [L; 3], n: [L; 3], g: L) -> Self {
        let unit = g * L::splat(SPLIT);
        let (h1, l1) = difference_of_squares(n[0], m[0], unit);
        let (h2, l2) = difference_of_squares(n[1], m[1], unit);
        let (h3, l3) = difference_of_squares(n[2], m[2], unit);
        Self { e1: h1 + l1, e3: h3 + l3, e12: (h1 + h2) + (l1 + l2), e23: (h2 + h3) + (l2 + l3) }
    }

    #[inline(always)]
    pub(super) fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self {
            e1: L::select(mask, yes.e1, no.e1),
            e3: L::select(mask, yes.e3, no.e3),
            e12: L::select(mask, yes.e12, no.e12),
            e23: L::select(mask, yes.e23, no.e23),
        }
    }

    /// By how much 2T - b_i G² has changed, i = 1, 2, 3.
    ///
    /// Written with a1 and a3 only, each is relatively accurate where it is small, and the three belong
    /// to one body whatever the rounding of a1 and a3.
    #[inline(always)]
    pub(super) fn of_constants(&self, a1: L, a3: L) -> [L; 3] {
        [a3 * self.e23 + a1 * self.e3, a1 * self.e3 - a3 * self.e1, -(a3 * self.e1 + a1 * self.e12)]
    }

    /// The same with a1 and a3 as they are, not rounded, from what it is with the rounded ones; n is the
    /// momentum now, p1 and p3 are squares of the one before, `side` its a1 m3² - a3 m1².
    #[inline(always)]
    pub(super) fn of_precise_constants(
        &self,
        body: &ExactBody<L>,
        [r1, r2, r3]: [L; 3],
        n: [L; 3],
        [p1, p3]: [L; 2],
        side: L,
    ) -> [L; 3] {
        let (side1, side3) = (body.side1, body.side3);
        let [rest1, rest2, rest3] = self.of_constants(side3.1, -side1.1);
        // Closer to the middle axis than before, the momentum has less of a1 m3² - a3 m1² than rounding
        // leaves of a difference.
        let (q1, q3) = (n[0] * n[0], n[2] * n[2]);
        let now = (side3.0 * q3 + side1.0 * q1) - side;
        let now = now + (side3.1 * q3 + side1.1 * q1);
        let fallen = (q1 + q3).less(L::splat(1.0 / 16.0) * (p1 + p3));
        [r1 + rest1, L::select(fallen, now, r2 + rest2), r3 + rest3]
    }

    /// By how much |m|² has changed.
    #[inline(always)]
    pub(super) fn of_square(&self) -> L {
        self.e12 + self.e3
    }
}

/// The shortest vector that takes the momentum n back, to first order, where 2T - b_i G² have become
/// `rise` too large and |m|², once g2, `longer`.
///
/// With w = n x I^-1 n it is w x v, v_i = -rise_i n_i/(2 |w|²); on an axis it lies along the momentum.
#[inline(always)]
pub(super) fn restoring<L: Number>(
    body: &ExactBody<L>,
    n: [L; 3],
    rise: [L; 3],
    longer: L,
    g2: L,
) -> [L; 3] {
    let [n1, n2, n3] = n;
    let w = vector::multiply(body.a, [n2 * n3, n3 * n1, n1 * n2]);
    let square = vector::dot(w, w);
    let scale = L::splat(-0.5) / square;
    let v = vector::multiply(rise, vector::scale(n, scale));
    let back = vector::cross(w, v);
    let steady = square.less(L::splat(STEADY) * (g2 * g2));
    if !L::any(steady) {
        return back;
    }
    let scale = L::splat(-0.5) * longer / g2;
    vector::select(steady, vector::scale(n, scale), back)
}
