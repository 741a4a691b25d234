//! Fewer moments that show the same: what interpolation gives back is left out.

use polhode::glam::{DQuat, DVec3};
use polhode::so3;

use crate::Film;

/// How far what is drawn may be from what was left out: radians, parts of the longest momentum, parts of the range of a
/// number. Some tenth of a pixel.
const ERROR: f64 = 1e-3;

/// Between two moments that are kept the body turns by this at most, in radians: the page takes the short way.
const FARTHEST: f64 = 1.0;

/// Moments looked at together.
const MOST: usize = 64;

/// The numbers of the moments that are kept, the first and the last among them. `rows` are further numbers that belong
/// to the moments, each with its own scale.
pub(crate) fn kept(film: &Film, rows: &[&[f64]]) -> Vec<usize> {
    let moments = film.moments();
    let length = moments.iter().map(|m| so3::length(m.state.m)).fold(0.0, f64::max);
    let ranges: Vec<f64> = rows.iter().map(|row| range(row)).collect();
    let fits = |from: usize, to: usize| {
        let turned: f64 = (from..to)
            .map(|i| so3::angle_between(moments[i].state.q, moments[i + 1].state.q))
            .sum();
        turned <= FARTHEST
            && (from + 1..to).all(|i| {
                let share = (moments[i].t - moments[from].t) / (moments[to].t - moments[from].t);
                let (a, b, c) = (&moments[from].state, &moments[to].state, &moments[i].state);
                so3::angle_between(between(a.q, b.q, share), c.q) <= ERROR
                    && so3::length(mixed(a.m, b.m, share) - c.m) <= ERROR * length
                    && rows.iter().zip(&ranges).all(|(row, range)| {
                        let value = row[from] + share * (row[to] - row[from]);
                        // Not a number is kept: the curve has a gap there.
                        (value - row[i]).abs() <= ERROR * range
                    })
            })
    };
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < moments.len() {
        let mut to = from + 1;
        while to + 1 < moments.len() && to + 1 - from < MOST && fits(from, to + 1) {
            to += 1;
        }
        kept.push(to);
        from = to;
    }
    kept
}

fn range(row: &[f64]) -> f64 {
    let finite = || row.iter().copied().filter(|x| x.is_finite());
    finite().fold(f64::NEG_INFINITY, f64::max) - finite().fold(f64::INFINITY, f64::min)
}

fn mixed(a: DVec3, b: DVec3, share: f64) -> DVec3 {
    a + (b - a) * share
}

/// Between two attitudes at a steady rate, as the page does it.
pub(crate) fn between(a: DQuat, b: DQuat, share: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a * so3::exp(so3::log(a.conjugate() * b) * share)
}
