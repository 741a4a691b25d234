//! The adaptive pair of Dormand and Prince (1980), as the paper's reference solution used it.

/// Momentum and quaternion, scalar first.
type Y = [f64; 7];

const A: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// The fifth order minus the fourth.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

fn slope([i1, i2, i3]: [f64; 3], [m1, m2, m3, w, x, y, z]: Y) -> Y {
    let [a, b, c] = [m1 / i1, m2 / i2, m3 / i3];
    [
        m2 * c - m3 * b,
        m3 * a - m1 * c,
        m1 * b - m2 * a,
        -0.5 * (x * a + y * b + z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
    ]
}

fn combined(y: &Y, h: f64, weights: &[f64], slopes: &[Y]) -> Y {
    core::array::from_fn(|i| {
        y[i] + h * weights.iter().zip(slopes).map(|(w, k)| w * k[i]).sum::<f64>()
    })
}

/// Momentum and attitude at t = 1 from no turn, with relative and absolute tolerance eps.
pub(super) fn at_one(moments: [f64; 3], [m1, m2, m3]: [f64; 3]) -> ([f64; 3], [f64; 4]) {
    let (mut t, mut h) = (0.0, 1e-3);
    let mut y: Y = [m1, m2, m3, 1.0, 0.0, 0.0, 0.0];
    while t < 1.0 {
        // Of a step so short that its rounding is all of its error, no shorter one is tried.
        let least = 1e-6;
        h = f64::max(h, least).min(1.0 - t);
        let mut slopes = vec![slope(moments, y)];
        let mut next = y;
        for weights in A {
            next = combined(&y, h, weights, &slopes);
            slopes.push(slope(moments, next));
        }
        let off = combined(&[0.0; 7], h, &E, &slopes);
        let error = (0..7).fold(0.0, |worst: f64, i| {
            worst.max(off[i].abs() / (f64::EPSILON * (1.0 + y[i].abs().max(next[i].abs()))))
        });
        if error <= 1.0 || h <= least {
            t = if h >= 1.0 - t { 1.0 } else { t + h };
            y = next;
        }
        h *= (0.8 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
    }
    let [a, b, c, q @ ..] = y;
    ([a, b, c], q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode::{FreeMotion, Inertia, State};

    #[test]
    fn the_pair_follows_the_motion() {
        let (moments, m) = ([0.6, 0.8, 1.0], [0.5, 0.4, 0.768]);
        let inertia = Inertia::principal(moments).unwrap();
        let exact = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap().at(1.0).unwrap();
        let (found, q) = at_one(moments, m);
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        assert!(
            apart(&found, &exact.m.to_array()) && apart(&q, &exact.attitude()),
            "{found:?} {q:?}"
        );
    }
}
