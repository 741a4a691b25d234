//! Taylor series of the free rigid body in double-double.
//!
//! m' = m x I^-1 m and q' = q (0, I^-1 m)/2 are quadratic, so each coefficient follows from the
//! earlier ones by Cauchy products.
//!
//! # References
//! - Jorba, Zou, *A software package for the numerical integration of ODEs by means of high-order
//!   Taylor methods*, Exp. Math. 14 (2005): order and step for a given accuracy.

use polhode_elliptic::{Dd, fused_two_prod, two_sum};

use super::equations::{MomentumForm, VectorField};

/// Order at which a step of `exp(-2)` times the radius of convergence leaves `exp(-76)`, 1e-33.
pub(crate) const FULL_ORDER: usize = 38;
/// The same for 1e-22: enough to see the effect of a rounding of the input.
pub(crate) const QUICK_ORDER: usize = 26;

const LEN: usize = FULL_ORDER + 1;

/// More steps than this is a misuse: at 0.1 ms a step, half a minute.
const MAX_STEPS: usize = 300_000;

/// Variables of the momentum (see [`MomentumForm`]) and attitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaylorState {
    pub(crate) y: [Dd; 3],
    pub(crate) q: [Dd; 4],
}

/// Expansion of a motion about one instant.
pub(crate) struct TaylorSeries {
    y: [[Dd; LEN]; 3],
    q: [[Dd; LEN]; 4],
    order: usize,
}

impl TaylorSeries {
    pub(crate) fn new(field: &VectorField, start: &TaylorState) -> Self {
        let order = field.order;
        let mut y = [[Dd::ZERO; LEN]; 3];
        let mut q = [[Dd::ZERO; LEN]; 4];
        // Half the angular velocity.
        let mut w = [[Dd::ZERO; LEN]; 3];
        let (mut next_y, mut next_q) = (start.y, start.q);
        for n in 0..=order {
            let m = field.momentum(next_y);
            for i in 0..3 {
                y[i][n] = next_y[i];
                w[i][n] = m[i] * field.half_inverse[i];
            }
            for (coefficients, next) in q.iter_mut().zip(next_q) {
                coefficients[n] = next;
            }
            if n == order {
                break;
            }
            let weight = Dd::from((n + 1) as f64);
            next_y = rate_of_momentum(&field.form, &y, n).map(|rate| rate / weight);
            next_q = rate_of_attitude(&q, &w, n).map(|rate| rate / weight);
        }
        Self { y, q, order }
    }

    /// A step over which the terms left out are of the size of a rounding.
    fn safe_step(&self) -> f64 {
        let size = |parts: &[[Dd; LEN]], n: usize| {
            parts.iter().map(|c| c[n].hi().abs()).fold(0.0, f64::max)
        };
        // The momentum is measured by its rate of change, not by its length: near an axis the
        // small transverse part must come out with all its digits.
        let (speed, length) = (size(&self.y, 1), size(&self.q, 0));
        [self.order - 1, self.order]
            .into_iter()
            .flat_map(|n| {
                let (of_y, of_q) = (n as f64 - 1.0, n as f64);
                [
                    libm::pow(speed / size(&self.y, n), 1.0 / of_y),
                    libm::pow(length / size(&self.q, n), 1.0 / of_q),
                ]
            })
            // 0/0 (a constant momentum) is NaN, which `min` passes over.
            .fold(f64::INFINITY, f64::min)
            * libm::exp(-2.0)
    }

    /// The state `h` later.
    pub(crate) fn at(&self, h: Dd) -> TaylorState {
        TaylorState {
            y: core::array::from_fn(|i| self.horner(&self.y[i], h)),
            q: core::array::from_fn(|i| self.horner(&self.q[i], h)),
        }
    }

    fn horner(&self, coefficients: &[Dd; LEN], h: Dd) -> Dd {
        coefficients[..=self.order].iter().rev().fold(Dd::ZERO, |sum, &c| sum * h + c)
    }

    /// The time near `guess` at which variable `axis` of the momentum vanishes.
    pub(crate) fn zero_of(&self, axis: usize, guess: f64) -> Dd {
        let coefficients = &self.y[axis];
        let mut root = Dd::from(guess);
        // Newton doubles the digits; three from a good guess, the rest for a poor one.
        for _ in 0..8 {
            let slope = (1..=self.order)
                .rev()
                .fold(0.0, |sum, n| sum * root.hi() + n as f64 * coefficients[n].hi());
            root -= self.horner(coefficients, root) / Dd::from(slope);
        }
        root
    }
}

/// Coefficient `n` of y', from the coefficients of y up to `n`.
fn rate_of_momentum(form: &MomentumForm, y: &[[Dd; LEN]; 3], n: usize) -> [Dd; 3] {
    match form {
        MomentumForm::Plain { coupling } => core::array::from_fn(|i| {
            coupling[i] * product(&[(&y[(i + 1) % 3], &y[(i + 2) % 3])], &[], n)
        }),
        MomentumForm::Split { axes: [first, middle, last], rate, gain, .. } => {
            let (u, m2, v) = (&y[*first], &y[*middle], &y[*last]);
            let mut result = [Dd::ZERO; 3];
            result[*first] = -(*rate * product(&[(m2, u)], &[], n));
            result[*middle] = *gain * product(&[(v, v)], &[(u, u)], n);
            result[*last] = *rate * product(&[(m2, v)], &[], n);
            result
        }
    }
}

/// Coefficient `n` of q' = q (0, w).
fn rate_of_attitude(q: &[[Dd; LEN]; 4], w: &[[Dd; LEN]; 3], n: usize) -> [Dd; 4] {
    let [q0, q1, q2, q3] = q;
    let [w1, w2, w3] = w;
    [
        -product(&[(q1, w1), (q2, w2), (q3, w3)], &[], n),
        product(&[(q0, w1), (q2, w3)], &[(q3, w2)], n),
        product(&[(q0, w2), (q3, w1)], &[(q1, w3)], n),
        product(&[(q0, w3), (q1, w2)], &[(q2, w1)], n),
    ]
}

/// Coefficient `n` of a sum of products of series, minus another such sum.
///
/// The low parts are summed apart and brought in once, at half the price of double-double sums
/// and with the same bound on the error.
fn product(plus: &[(&[Dd; LEN], &[Dd; LEN])], minus: &[(&[Dd; LEN], &[Dd; LEN])], n: usize) -> Dd {
    let (mut high, mut low) = (0.0, 0.0);
    let mut add = |a: &[Dd; LEN], b: &[Dd; LEN], sign: f64| {
        for (x, y) in a[..=n].iter().zip(b[..=n].iter().rev()) {
            let (p, e) = fused_two_prod(sign * x.hi(), y.hi());
            let (sum, rest) = two_sum(high, p);
            high = sum;
            low += rest + (e + sign * (x.hi() * y.lo() + x.lo() * y.hi()));
        }
    };
    for (a, b) in plus {
        add(a, b, 1.0);
    }
    for (a, b) in minus {
        add(a, b, -1.0);
    }
    Dd::sum(high, low)
}

/// One step of a march: the expansion at its beginning, when that is, how long it lasts.
pub(crate) struct TaylorStep<'a> {
    pub(crate) series: &'a TaylorSeries,
    pub(crate) begin: Dd,
    pub(crate) length: Dd,
    pub(crate) from: &'a TaylorState,
    pub(crate) to: &'a TaylorState,
}

/// Follows the motion for `duration` (of either sign), showing every step to `visit` until that
/// returns false; returns the last state.
///
/// `shrink` divides every step, for a check of the step size.
pub(crate) fn march(
    field: &VectorField,
    start: TaylorState,
    duration: Dd,
    shrink: f64,
    mut visit: impl FnMut(&TaylorStep<'_>) -> bool,
) -> TaylorState {
    let (mut state, mut begin) = (start, Dd::ZERO);
    for _ in 0..MAX_STEPS {
        let left = duration - begin;
        if left == Dd::ZERO {
            return state;
        }
        let series = TaylorSeries::new(field, &state);
        let safe = series.safe_step() / shrink;
        assert!(safe > 0.0, "the Taylor reference needs finite input, got {state:?}");
        let last = left.hi().abs() <= safe;
        let length = if last { left } else { Dd::from(safe.copysign(left.hi())) };
        let to = series.at(length);
        let step = TaylorStep { series: &series, begin, length, from: &state, to: &to };
        let go_on = visit(&step);
        state = to;
        if last || !go_on {
            return state;
        }
        begin += length;
    }
    panic!(
        "the Taylor reference took {MAX_STEPS} steps for a part of t: ask for a shorter time, \
         or use `at_long` where the momentum is periodic"
    );
}
