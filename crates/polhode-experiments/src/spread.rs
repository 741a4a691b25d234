//! Points spread evenly: initial values that are the same on every machine and in every order.

/// The n-th of an endless sequence of points of the unit square, spread evenly: multiples of the two
/// powers of the plastic number's inverse, modulo 1.
pub(crate) fn square(n: usize) -> [f64; 2] {
    const PLASTIC: f64 = 1.324_717_957_244_746;
    [1.0 / PLASTIC, 1.0 / (PLASTIC * PLASTIC)].map(|step| (0.5 + (n + 1) as f64 * step).fract())
}

/// The n-th of an endless sequence of directions within the first octant, spread evenly.
pub(crate) fn octant(n: usize) -> [f64; 3] {
    let [a, z] = square(n);
    let (s, c) = (a * std::f64::consts::FRAC_PI_2).sin_cos();
    let across = (1.0 - z * z).sqrt();
    [across * c, across * s, z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_spread() {
        let points: Vec<[f64; 2]> = (0..100).map(square).collect();
        for corner in 0..4 {
            let inside =
                |p: &&[f64; 2]| usize::from(p[0] >= 0.5) + 2 * usize::from(p[1] >= 0.5) == corner;
            let count = points.iter().filter(inside).count();
            assert!((20..=30).contains(&count), "{count}");
        }
        for n in 0..100 {
            let v = octant(n);
            assert!(v.iter().all(|c| *c >= 0.0));
            assert!((v.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}
