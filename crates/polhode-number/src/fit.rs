//! A straight line through points.

/// The slope of the straight line nearest to the points (x, y), by least squares; NaN unless there are
/// two different x.
pub fn slope(x: &[f64], y: &[f64]) -> f64 {
    let count = x.len().min(y.len());
    let (Some(&first), Some((x, y))) = (x.first(), x.get(..count).zip(y.get(..count))) else {
        return f64::NAN;
    };
    // In units of the widest distance and of the largest value: no square overflows.
    let wider = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
    let span = x.iter().map(|x| x - first).fold(0.0, wider);
    let largest = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
    let unit = if largest == 0.0 { 1.0 } else { largest };
    let along = |x: f64| (x - first) / span;
    let mean_x = x.iter().map(|x| along(*x)).sum::<f64>() / count as f64;
    let mean_y = y.iter().map(|y| y / unit / count as f64).sum::<f64>();
    let (mut xx, mut xy) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let x = along(*x) - mean_x;
        xx += x * x;
        xy += x * (y / unit - mean_y);
    }
    xy / xx * (unit / span)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn of_a_line_and_of_what_is_around_it() {
        let x = [3.0, 1.0, 2.0, 7.0];
        for (a, b) in [(2.0, 1.0), (-0.5, 1e3), (1e200, 0.0), (1e-200, 1e-200)] {
            let found = slope(&x, &x.map(|x| a * x + b));
            assert!((found / a - 1.0).abs() < 1e-12, "{a:e}: {found:e}");
        }
        // By hand: mean (1, 2), products 1 + 0 + 2 over squares 1 + 0 + 1.
        assert!((slope(&[0.0, 1.0, 2.0], &[1.0, 1.0, 4.0]) - 1.5).abs() < 1e-15);
        assert_eq!(slope(&x, &[0.0; 4]), 0.0);
    }

    #[test]
    fn none_through_one_point() {
        assert!(slope(&[], &[]).is_nan());
        assert!(slope(&[1.0], &[2.0]).is_nan());
        assert!(slope(&[1.0, 1.0], &[2.0, 3.0]).is_nan());
    }
}
