//! Zeros and minima of functions of one variable, in an interval.

/// A point and the value there.
type ValueAt = (f64, f64);

/// Iterations at most: bisection alone halves the distance of any two doubles to nothing in fewer.
const MOST: u32 = 200;

/// The zero between two points at which a function has opposite signs, and the value there.
///
/// # References
/// Brent, Algorithms for Minimization without Derivatives (1973), chapter 4.
pub(super) fn zero_between(
    a: ValueAt,
    b: ValueAt,
    accuracy: f64,
    function: &mut dyn FnMut(f64) -> f64,
) -> ValueAt {
    let (mut a, mut b) = (a, b);
    let mut c = a;
    let (mut step, mut before) = (b.0 - a.0, b.0 - a.0);
    for _ in 0..MOST {
        // b is the best point, c on the other side of zero.
        if (b.1 > 0.0) == (c.1 > 0.0) {
            c = a;
            step = b.0 - a.0;
            before = step;
        }
        if c.1.abs() < b.1.abs() {
            (a, b, c) = (b, c, b);
        }
        let tolerance = 2.0 * f64::EPSILON * b.0.abs() + 0.5 * accuracy;
        let half = 0.5 * (c.0 - b.0);
        if half.abs() <= tolerance || b.1 == 0.0 {
            break;
        }
        let mut bisect = true;
        if before.abs() >= tolerance && a.1.abs() > b.1.abs() {
            // By the secant, or the inverse parabola through three points.
            let s = b.1 / a.1;
            let (mut p, mut q) = if a.0 == c.0 {
                (2.0 * half * s, 1.0 - s)
            } else {
                let (q, r) = (a.1 / c.1, b.1 / c.1);
                let p = s * (2.0 * half * q * (q - r) - (b.0 - a.0) * (r - 1.0));
                (p, (q - 1.0) * (r - 1.0) * (s - 1.0))
            };
            if p > 0.0 {
                q = -q;
            }
            p = p.abs();
            if 2.0 * p < (3.0 * half * q - (tolerance * q).abs()).min((before * q).abs()) {
                (before, step) = (step, p / q);
                bisect = false;
            }
        }
        if bisect {
            (step, before) = (half, half);
        }
        a = b;
        let next = b.0 + if step.abs() > tolerance { step } else { tolerance.copysign(half) };
        b = (next, function(next));
    }
    b
}

/// A minimum is found to this part of the interval.
const MINIMUM: f64 = 1e-5;

/// Evaluations in the search for a minimum at most.
const MOST_FOR_MINIMUM: u32 = 40;

/// The larger part of the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// Where a function that is positive at both ends of an interval is negative within, if it is at the minimum
/// that is found there.
///
/// # References
/// Brent, chapter 5.
pub(super) fn dips_below_zero(
    a: ValueAt,
    b: ValueAt,
    function: &mut dyn FnMut(f64) -> f64,
) -> Option<ValueAt> {
    let (mut low, mut high) = if a.0 < b.0 { (a.0, b.0) } else { (b.0, a.0) };
    let tolerance = MINIMUM * (high - low);
    let middle = low + (1.0 - GOLDEN) * (high - low);
    let mut best = (middle, function(middle));
    let (mut second, mut third) = (best, best);
    let (mut step, mut before) = (0.0_f64, 0.0_f64);
    for _ in 0..MOST_FOR_MINIMUM {
        if best.1 < 0.0 {
            return Some(best);
        }
        let centre = 0.5 * (low + high);
        if (best.0 - centre).abs() <= 2.0 * tolerance - 0.5 * (high - low) {
            break;
        }
        let mut golden = true;
        if before.abs() > tolerance {
            let r = (best.0 - second.0) * (best.1 - third.1);
            let mut q = (best.0 - third.0) * (best.1 - second.1);
            let mut p = (best.0 - third.0) * q - (best.0 - second.0) * r;
            q = 2.0 * (q - r);
            if q > 0.0 {
                p = -p;
            }
            q = q.abs();
            let last = before;
            before = step;
            if p.abs() < (0.5 * q * last).abs() && p > q * (low - best.0) && p < q * (high - best.0)
            {
                step = p / q;
                golden = false;
            }
        }
        if golden {
            before = if best.0 < centre { high - best.0 } else { low - best.0 };
            step = (1.0 - GOLDEN) * before;
        }
        let t = best.0 + if step.abs() >= tolerance { step } else { tolerance.copysign(step) };
        let next = (t, function(t));
        if next.1 <= best.1 {
            if next.0 < best.0 {
                high = best.0;
            } else {
                low = best.0;
            }
            (third, second, best) = (second, best, next);
        } else {
            if next.0 < best.0 {
                low = next.0;
            } else {
                high = next.0;
            }
            if next.1 <= second.1 || second.0 == best.0 {
                (third, second) = (second, next);
            } else if next.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = next;
            }
        }
    }
    (best.1 < 0.0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_found_to_the_last_digits() {
        type RealFunction = fn(f64) -> f64;
        let cases: [(RealFunction, f64, f64, f64); 4] = [
            (|x| x * x - 2.0, 0.0, 2.0, core::f64::consts::SQRT_2),
            (|x| libm::sin(x), 2.0, 4.0, core::f64::consts::PI),
            (|x| (x - 0.3) * (x - 0.3) * (x - 0.3), -1.0, 2.0, 0.3),
            (|x| if x < 0.7 { -1.0 } else { 1.0 }, 0.0, 1.0, 0.7),
        ];
        for (f, a, b, want) in cases {
            let mut calls = 0;
            let mut counted = |x: f64| {
                calls += 1;
                f(x)
            };
            let (got, _) = zero_between((a, f(a)), (b, f(b)), 1e-16, &mut counted);
            // A triple zero is known no better than the cube root of what is left of the function.
            let allowed = if want == 0.3 { 1e-5 } else { 4e-16 * want };
            assert!((got - want).abs() <= allowed, "{got} {want}");
            // At a triple zero it is hardly faster than bisection, which takes 53 of these.
            assert!(calls < if want == 0.3 { 3 * 53 } else { 100 }, "{calls}");
            let (back, _) = zero_between((b, f(b)), (a, f(a)), 1e-16, &mut |x| f(x));
            assert!((back - want).abs() <= allowed, "{back} {want}");
        }
    }

    #[test]
    fn a_dip_is_found_however_shallow() {
        for depth in [0.1, 1e-3, 1e-6] {
            let f = |x: f64| (x - 0.37) * (x - 0.37) * (1.0 + 0.3 * x) - depth;
            let mut calls = 0;
            let mut counted = |x: f64| {
                calls += 1;
                f(x)
            };
            let found = dips_below_zero((0.0, f(0.0)), (1.0, f(1.0)), &mut counted);
            assert!(found.is_some_and(|(x, y)| y < 0.0 && f(x) == y), "{depth}");
            assert!(calls <= 20, "{calls}");
        }
        assert_eq!(dips_below_zero((0.0, 1.0), (1.0, 2.0), &mut |x| 1.0 + x), None);
    }
}
