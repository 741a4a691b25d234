//! Cubics between rows, with continuous second derivatives.

use glam::DVec3;

/// The cubics with these values and second derivatives.
pub(super) fn spline(times: &[f64], values: &[DVec3], bends: &[DVec3]) -> Vec<[DVec3; 4]> {
    let piece = |i: usize| {
        let h = times[i + 1] - times[i];
        let slope = (values[i + 1] - values[i]) / h;
        let cubic = (bends[i + 1] - bends[i]) / (6.0 * h);
        [values[i], slope - (2.0 * bends[i] + bends[i + 1]) * (h / 6.0), 0.5 * bends[i], cubic]
    };
    (0..times.len() - 1).map(piece).collect()
}

/// The second derivatives of the spline at its rows.
pub(super) fn bends(times: &[f64], values: &[DVec3]) -> Vec<DVec3> {
    let last = times.len() - 1;
    let h = |i: usize| times[i + 1] - times[i];
    let slope = |i: usize| (values[i + 1] - values[i]) / h(i);
    match last {
        1 => return vec![DVec3::ZERO; 2],
        2 => return vec![(slope(1) - slope(0)) * (2.0 / (h(0) + h(1))); 3],
        _ => {}
    }
    // What the first and the last are beside their neighbours follows from the third derivative, and is put into
    // the equations of these.
    let (start, end) = (h(0) / h(1), h(last - 1) / h(last - 2));
    // Elimination from the top: of each row what is left on the diagonal, and its right side.
    let (mut diagonals, mut rights) = (Vec::with_capacity(last), Vec::with_capacity(last));
    let upper = |i: usize| if i == 1 { h(1) - h(0) * start } else { h(i) };
    for i in 1..last {
        let mut diagonal = 2.0 * (h(i - 1) + h(i));
        let mut lower = h(i - 1);
        if i == 1 {
            diagonal += h(0) * (1.0 + start);
        }
        if i == last - 1 {
            diagonal += h(i) * (1.0 + end);
            lower -= h(i) * end;
        }
        let mut right = 6.0 * (slope(i) - slope(i - 1));
        if i > 1 {
            let factor = lower / diagonals[i - 2];
            diagonal -= factor * upper(i - 1);
            right -= factor * rights[i - 2];
        }
        diagonals.push(diagonal);
        rights.push(right);
    }
    let mut bends = vec![DVec3::ZERO; last + 1];
    for i in (1..last).rev() {
        let next = if i == last - 1 { DVec3::ZERO } else { bends[i + 1] * upper(i) };
        bends[i] = (rights[i - 1] - next) / diagonals[i - 1];
    }
    bends[0] = bends[1] + (bends[1] - bends[2]) * start;
    bends[last] = bends[last - 1] + (bends[last - 1] - bends[last - 2]) * end;
    bends
}
