//! Whether residuals are noise and nothing else.

use core::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::count::whole;

/// The most sums of cosines that are worth it.
const MOST: usize = 3_000_000;

/// How much is left in the residuals at times from the epoch: the largest of the correlations of neighbours and of
/// the lines of their periodogram, in units of what noise leaves about once in ten thousand cases. Noise is below one.
pub(crate) fn structure(times: &[f64], residuals: &[DVec3]) -> f64 {
    let n = residuals.len();
    let square = residuals.iter().map(|r| r.length_squared()).sum::<f64>();
    if n < 6 || square == 0.0 {
        return 0.0;
    }
    let mut most: f64 = 0.0;
    for lag in 1..=4.min(n / 3) {
        let sum: f64 = residuals.windows(lag + 1).map(|w| w[0].dot(w[lag])).sum();
        // Of variance 1/(3n) where there is none.
        most = most.max((sum / square).abs() * (3.0 * n as f64).sqrt() / 4.5);
    }
    let span = times[n - 1] - times[0];
    // Eight rows in a turn show whatever is slower than three turns of it.
    let together = whole(n as f64 / (span / TAU * 8.0).max(24.0)).max(1);
    let rows: Vec<(f64, DVec3)> = times
        .chunks(together)
        .zip(residuals.chunks(together))
        .map(|(t, r)| {
            let count = t.len() as f64;
            (t.iter().sum::<f64>() / count, r.iter().sum::<DVec3>() / count)
        })
        .collect();
    let variance = rows.iter().map(|r| r.1.length_squared()).sum::<f64>() / (3 * rows.len()) as f64;
    let resolution = PI / span;
    let count = whole(2.5 / resolution).clamp(4, (MOST / rows.len()).max(4));
    let limit = 2.0 * libm::log(count as f64 * 1e4) + 8.0;
    // Rates are multiples of the first: each wave is turned on from one to the next.
    let first = 2.5 / count as f64;
    let turns: Vec<(f64, f64)> = rows.iter().map(|(t, _)| libm::sincos(first * t)).collect();
    let mut waves = vec![(0.0, 1.0); rows.len()];
    for _ in 0..count {
        let (mut c, mut s) = (DVec3::ZERO, DVec3::ZERO);
        let (mut cc, mut ss) = (0.0, 0.0);
        for (((_, r), (sine, cosine)), (ds, dc)) in rows.iter().zip(&mut waves).zip(&turns) {
            (*sine, *cosine) = (*sine * dc + *cosine * ds, *cosine * dc - *sine * ds);
            let (sine, cosine) = (*sine, *cosine);
            c += *r * cosine;
            s += *r * sine;
            cc += cosine * cosine;
            ss += sine * sine;
        }
        let power = (c.length_squared() / cc + s.length_squared() / ss) / variance;
        if power.is_finite() {
            most = most.max(power / limit);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_testkit::bodies::Rng;

    #[test]
    fn noise_is_white_and_a_wave_below_it_is_not() {
        let mut rng = Rng::new(3);
        let times: Vec<f64> = (0..2000).map(|i| 0.3 * f64::from(i) - 300.0).collect();
        let mut noise = || DVec3::from_array([(); 3].map(|()| rng.uniform(-1.0, 1.0)));
        let flat: Vec<DVec3> = times.iter().map(|_| noise()).collect();
        assert!(structure(&times, &flat) < 1.0);
        let wave: Vec<DVec3> =
            times.iter().map(|t| noise() + DVec3::X * 0.2 * (0.37 * t).cos()).collect();
        assert!(structure(&times, &wave) > 1.0);
    }
}
