//! The order that errors show.

/// Errors above this are of the size of the motion itself: they do not fall with a power of the step.
const SATURATED: f64 = 0.1;

/// Of how many points, those with the shortest steps, the slope is taken.
const FITTED: usize = 3;

/// The slope of log(error) over log(step) in the range where it is straight; steps positive.
pub(super) fn observed(mut points: Vec<(f64, f64)>, floor: f64) -> Option<f64> {
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut straight: Vec<(f64, f64)> = Vec::new();
    let mut steepest = 0.0_f64;
    for (step, error) in points {
        if error > SATURATED {
            straight.clear();
            continue;
        }
        if error <= floor {
            break;
        }
        let point = (step.ln(), error.ln());
        if let Some(last) = straight.last() {
            let slope = slope_of(*last, point);
            // The same step twice.
            if slope.is_nan() {
                continue;
            }
            // Rounding, which grows with the number of steps, has taken over.
            if slope < 0.5 * steepest {
                break;
            }
            steepest = steepest.max(slope);
        }
        straight.push(point);
    }
    // The last point may be bent by rounding already. Where the slope still falls towards its limit the
    // points before are no better, so enough of them must be left.
    while let [.., a, b, c] = straight[..]
        && straight.len() > FITTED
        && slope_of(b, c) < 0.9 * slope_of(a, b)
    {
        straight.pop();
    }
    let fitted = &straight[straight.len().saturating_sub(FITTED)..];
    let (x, y): (Vec<f64>, Vec<f64>) = fitted.iter().copied().unzip();
    let slope = polhode_number::slope(&x, &y);
    (slope > 0.0).then_some(slope)
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
        let near = |order: Option<f64>, want: f64| (order.unwrap() - want).abs() < 0.05;
        assert!(near(order(|h| 0.01 * h * h), 2.0));
        // The motion itself is of size one.
        assert!(near(order(|h| (50.0 * h * h).min(1.0)), 2.0));
        // Rounding that grows with the number of steps.
        assert!(near(order(|h| 1e-4 * h.powi(4) + 1e-13 / h), 4.0));
        assert!(near(order(|h| 1e-9 * h.powi(6)), 6.0));
        // Steeper at first, as a splitting in long steps is.
        let steep = order(|h| 1e-5 * h.powi(6) * (1.0 + 30.0 * h.powi(3))).unwrap();
        assert!((steep - 6.0).abs() < 0.3, "{steep}");
        assert_eq!(order(|_| 1e-15), None);
        assert_eq!(order(|_| 2.0), None);
        assert_eq!(order(|h| 1e-13 / h), None);
        assert_eq!(observed(vec![(0.1, 1e-3), (0.1, 1e-3)], 1e-14), None);
    }
}
