//! What of a curve is drawn: as much as can be told apart, and from where it is seen.

use polhode::glam::DVec3;
use polhode::{FreeMotion, Inertia, Regime, State};

use super::thinning::direction;

/// On a sphere or in a plane curves may cross more often.
pub(super) const MOST_LOOPS: usize = 50;

/// Points on a sphere farther apart than this, in radii, are not connected.
const FAR: f64 = 0.4;

/// Directions on the unit sphere, as many as can be told apart, with gaps where they are far apart.
pub(super) fn path(directions: &[DVec3]) -> (Vec<[f64; 3]>, usize) {
    let curves: Vec<Vec<f64>> = (0..3).map(|k| directions.iter().map(|d| d[k]).collect()).collect();
    // Loops smaller than this are a dot, however many there are.
    let count = readable(&curves, MOST_LOOPS, 0.4);
    let mut points: Vec<[f64; 3]> = Vec::new();
    for &d in &directions[..count] {
        let Some(&last) = points.last() else {
            points.push(d.to_array());
            continue;
        };
        let distance = DVec3::from(last).distance(d);
        if distance > FAR {
            points.push([f64::NAN; 3]);
        }
        // Closer points cannot be told apart.
        if distance.is_nan() || distance > 0.008 {
            points.push(d.to_array());
        }
    }
    (points, count)
}

/// How many values of curves in one picture can be drawn side by side before one of them has passed so many waves; all,
/// if they are not many more.
///
/// A wave is a rise and a fall by a twentieth of what the picture covers: what all the curves do, and `least` at least.
pub(super) fn readable(curves: &[Vec<f64>], most: usize, least: f64) -> usize {
    let finite = || curves.iter().flatten().copied().filter(|x| x.is_finite());
    let range = finite().fold(f64::NEG_INFINITY, f64::max) - finite().fold(f64::INFINITY, f64::min);
    let enough = 0.05 * range.max(least);
    let count = |curve: &Vec<f64>| before(curve, most, enough);
    curves.iter().map(count).min().unwrap_or(0)
}

/// The same of one curve, whose waves are rises and falls by `enough`.
fn before(values: &[f64], most: usize, enough: f64) -> usize {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut rising, mut turns, mut count) = (None, 0, values.len());
    for (n, &x) in values.iter().enumerate() {
        if x.is_nan() {
            continue;
        }
        (low, high) = (low.min(x), high.max(x));
        let turned = match rising {
            Some(true) => high - x > enough,
            Some(false) => x - low > enough,
            None => high - low > enough,
        };
        if turned {
            rising = Some(match rising {
                Some(rising) => !rising,
                None => x == high,
            });
            (low, high) = (x, x);
            turns += 1;
            if turns == 2 * most + 1 {
                count = n + 1;
            }
            // To leave out less than a third is not worth it.
            if turns > 3 * most {
                return count;
            }
        }
    }
    values.len()
}

/// Three digits of a time, for a title.
pub(super) fn round(t: f64) -> f64 {
    format!("{t:.3e}").parse().unwrap_or(t)
}

/// Where the momentum of a free body with this start would go.
pub(super) fn polhode(inertia: &Inertia, start: State) -> Vec<[f64; 3]> {
    const POINTS: u32 = 720;
    let Ok(motion) = FreeMotion::new(inertia, start) else { return Vec::new() };
    // From one end of the window to the other.
    let window = match (motion.regime(), motion.period()) {
        (Regime::Separatrix, _) => 32.0 / escape_rate(inertia, &start),
        (_, Some(period)) => period,
        (_, None) => 0.0,
    };
    let time = |n| window * (f64::from(n) / f64::from(POINTS) - 0.5);
    let momenta = (0..=POINTS).map_while(|n| motion.momentum_at(time(n)).ok());
    momenta.map(direction).collect()
}

/// How fast rotation about the middle axis is left: next to it disturbances grow like exp(rate t).
fn escape_rate(inertia: &Inertia, start: &State) -> f64 {
    let mut moments = inertia.moments().to_array();
    moments.sort_by(f64::total_cmp);
    let [a, b, c] = moments;
    start.m.length() / b * ((1.0 - a / b) * (c / b - 1.0) * (b / a) * (b / c)).sqrt()
}

/// Longitude and latitude, in whole degrees, from where the axis that a curve goes around points at the viewer, more
/// or less.
pub(super) fn view(curve: &[[f64; 3]]) -> [f64; 2] {
    let finite: Vec<DVec3> =
        curve.iter().map(|&p| DVec3::from_array(p)).filter(|p| p.is_finite()).collect();
    let sum: DVec3 = finite.iter().sum();
    let mean = sum / (finite.len().max(1) as f64);
    let longitude =
        if mean.x.hypot(mean.y) > 0.1 { mean.y.atan2(mean.x).to_degrees() } else { 10.0 };
    let latitude = if mean.z.abs() > 0.3 { 40f64.copysign(mean.z) } else { 20.0 };
    [(longitude + 25.0).round(), latitude]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_end_where_they_would_blot() {
        let wave = |n: u32| (f64::from(n) * 0.1).sin();
        let values: Vec<f64> = (0..10_000).map(wave).collect();
        let alone = |values: &[f64]| readable(&[values.to_vec()], 40, 0.0);
        // Forty waves of 62.8 values.
        let count = alone(&values);
        assert!((2400..2700).contains(&count), "{count}");
        assert_eq!(alone(&values[..2000]), 2000);
        // Sixty are drawn, too, rather than a few left out.
        assert_eq!(alone(&values[..3700]), 3700);
        assert_eq!(alone(&values[..3900]), count);
        assert_eq!(alone(&[1.0; 500]), 500);
        // Noise of a hundredth is no wave, nor is what is small beside another curve, or in all.
        let noisy: Vec<f64> = (0..5000).map(|n| f64::from(n) + 40.0 * f64::from(n % 2)).collect();
        assert_eq!(alone(&noisy), 5000);
        assert_eq!(readable(&[values.clone(), vec![100.0; 10_000]], 40, 0.0), 10_000);
        assert_eq!(readable(&[values], 40, 100.0), 10_000);
    }

    #[test]
    fn polhodes_close_and_keep_their_energy() {
        for (moments, m, closed) in [
            ([1.0, 2.0, 2.5], [1e-3, 2.0, 0.0], true),
            ([2.5, 1.0, 2.0], [3.0, -1.0, 0.5], true),
            ([2.0, 2.0, 3.0], [1e-150, 0.0, 1e-150], true),
            ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], true),
            ([1.0, 2.0, 2.5], [0.0, 1.0, 0.0], true),
            ([1.0, 2.0, 2.5], [0.0, 0.0, 0.0], false),
            // 16/4 + 1/5 + 9/9 = (16 + 1 + 9)/5: the separatrix.
            ([4.0, 5.0, 9.0], [4.0, 1.0, 3.0], false),
        ] {
            let inertia = Inertia::principal(moments).unwrap();
            let start = State::aligned(m).unwrap();
            let points = polhode(&inertia, start);
            let motion = FreeMotion::new(&inertia, start).unwrap();
            let energy = |p: [f64; 3]| {
                let p = DVec3::from_array(p);
                p.dot(inertia.omega(p))
            };
            if motion.regime() == Regime::Rest {
                assert!(points.iter().flatten().all(|x| x.is_nan()));
                continue;
            }
            let want = energy(direction(start.m));
            assert!(points.iter().all(|&p| (energy(p) / want - 1.0).abs() < 1e-12), "{m:?}");
            let (first, last) = (DVec3::from(points[0]), DVec3::from(points[points.len() - 1]));
            assert_eq!(first.distance(last) < 1e-9, closed, "{m:?}");
            if motion.regime() == Regime::Separatrix {
                // From one end of the middle axis to the other.
                assert!(first.distance(-last) < 1e-3, "{first} {last}");
            }
        }
    }
}
