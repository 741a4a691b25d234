//! The order that errors show.

/// Errors above this are of the size of the motion itself: they do not fall with a power of the step.
const SATURATED: f64 = 0.1;

/// Neighbouring slopes agree if they differ by no more than this part of the larger.
const AGREEMENT: f64 = 0.12;

/// No method has a lower order than 1; what falls more slowly is rounding.
const LEAST: f64 = 0.75;

/// Why the errors of a method show no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoOrder {
    /// There are too few of them.
    #[error("fewer than three different steps came to the end")]
    TooFew,
    /// They do not fall with a power of the step yet.
    #[error("errors are as large as the motion itself: try shorter steps")]
    TooLarge,
    /// They do not fall any more.
    #[error("errors are rounding: try longer steps")]
    Rounding,
    /// The slope of log(error) is another one between each two steps.
    #[error("errors do not fall with one power of the step: try other steps")]
    NoPower,
}

/// The slope of log(error) over log(step), for positive steps: that of the three shortest steps between
/// which it is the same, with errors below the size of the motion and above the floor. A slope that still
/// changes is no order.
pub(super) fn observed(mut points: Vec<(f64, f64)>, floor: f64) -> Result<f64, NoOrder> {
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    points.dedup_by(|a, b| a.0 == b.0);
    // Errors of longer steps than one that is saturated say nothing; those of shorter steps than one
    // that is rounding neither.
    let begin = points.iter().rposition(|p| p.1.is_nan() || p.1 > SATURATED).map_or(0, |i| i + 1);
    let reach = points[begin..].iter().take_while(|p| p.1 > floor);
    let logs: Vec<(f64, f64)> = reach.map(|p| (p.0.ln(), p.1.ln())).collect();
    let steady = logs.windows(3).rev().find_map(|three| {
        let [a, b] = [slope_of(three[0], three[1]), slope_of(three[1], three[2])];
        let agree = (a - b).abs() <= AGREEMENT * a.max(b) && a.min(b) >= LEAST;
        agree.then(|| slope_of(three[0], three[2]))
    });
    steady.ok_or_else(|| match (points.len(), logs.len()) {
        (..3, _) => NoOrder::TooFew,
        (_, 3..) => NoOrder::NoPower,
        (count, told) if begin >= count - begin - told => NoOrder::TooLarge,
        _ => NoOrder::Rounding,
    })
}

fn slope_of(a: (f64, f64), b: (f64, f64)) -> f64 {
    (b.1 - a.1) / (b.0 - a.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(error: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..8).map(|i| 0.5_f64.powi(i)).map(|h| (h, error(h))).collect()
    }

    #[test]
    fn saturation_and_rounding_are_left_out() {
        let order = |error: fn(f64) -> f64| observed(points(error), 1e-14);
        let near = |order: Result<f64, NoOrder>, want: f64| (order.unwrap() - want).abs() < 0.05;
        assert!(near(order(|h| 0.01 * h * h), 2.0));
        // The motion itself is of size one.
        assert!(near(order(|h| (50.0 * h * h).min(1.0)), 2.0));
        // Rounding that grows with the number of steps.
        assert!(near(order(|h| 1e-4 * h.powi(4) + 1e-13 / h), 4.0));
        assert!(near(order(|h| 1e-9 * h.powi(6)), 6.0));
        // Steeper at first, as a splitting in long steps is.
        let steep = order(|h| 1e-5 * h.powi(6) * (1.0 + 30.0 * h.powi(3))).unwrap();
        assert!((steep - 6.0).abs() < 0.3, "{steep}");
        // One steep pair of long steps, and then rounding: no order is seen.
        assert_eq!(order(|h| if h > 0.6 { 1e-3 } else { 1e-11 }), Err(NoOrder::NoPower));
        // A plateau above the floor, with a little noise.
        assert_eq!(order(|h| 1e-9 * (1.0 + 0.1 * (7.0 / h).sin())), Err(NoOrder::NoPower));
        assert_eq!(order(|_| 1e-15), Err(NoOrder::Rounding));
        assert_eq!(order(|_| 2.0), Err(NoOrder::TooLarge));
        assert_eq!(order(|h| 1e-13 / h), Err(NoOrder::NoPower));
        assert_eq!(observed(vec![(0.1, 1e-3), (0.1, 1e-3)], 1e-14), Err(NoOrder::TooFew));
    }
}
