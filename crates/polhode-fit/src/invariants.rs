//! A start for sparse samples: the curve that the angular velocity runs on, whatever the times.
//!
//! Energy and momentum are constant, so all samples lie on two quadrics, `w^T I w` and `w^T I^2 w`, which are
//! linear in their entries. The two smallest singular vectors of the samples span them; common eigenvectors are
//! the principal axes, and the squares of the components along those move on a line whose direction is that of
//! (I3 - I2)/I1, (I1 - I3)/I2, (I2 - I1)/I3. The sum of the three plus their product is zero, which gives the scale.

use glam::{DMat3, DVec3};

use crate::guess::Guess;
use crate::linear::Symmetric;
use crate::model::Observations;
use crate::shape::MassShape;

/// Bodies with such a curve, run through either way.
pub(crate) fn guesses(observations: &Observations) -> Vec<Guess> {
    let gyro = &observations.gyro;
    let mut square = Symmetric::zero(7);
    for (_, w) in gyro {
        let row = [w.x * w.x, w.y * w.y, w.z * w.z, w.x * w.y, w.x * w.z, w.y * w.z, -1.0];
        for i in 0..7 {
            for j in 0..7 {
                *square.at_mut(i, j) += row[i] * row[j];
            }
        }
    }
    let Some(omega) = gyro.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else {
        return Vec::new();
    };
    let pairs = square.eigen();
    let quadric = |v: &[f64]| {
        DMat3::from_cols(
            DVec3::new(v[0], 0.5 * v[3], 0.5 * v[4]),
            DVec3::new(0.5 * v[3], v[1], 0.5 * v[5]),
            DVec3::new(0.5 * v[4], 0.5 * v[5], v[2]),
        )
    };
    let (x, y) = (quadric(&pairs[0].1), quadric(&pairs[1].1));
    // Any member of the pencil has the common axes; one that is far from its special members tells them apart.
    let axes = common_axes(x * 0.8 + y * 0.6);
    let along = |m: DMat3| DVec3::from_array([0, 1, 2].map(|i| axes.col(i).dot(m * axes.col(i))));
    let d = along(x).cross(along(y));
    let scale = -(d.x + d.y + d.z) / (d.x * d.y * d.z);
    if !(scale > 0.0 && scale.is_finite()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for k in [scale.sqrt(), -scale.sqrt()] {
        let (a, b) = (k * d.x, k * d.y);
        let moments = [(1.0 + b) / (1.0 + a * b), (1.0 - a) / (1.0 + a * b), 1.0];
        if moments.iter().all(|i| *i > 0.0 && i.is_finite()) {
            found.push(Guess::new(MassShape::of_moments(moments, axes), omega.1));
        }
    }
    found
}

fn common_axes(m: DMat3) -> DMat3 {
    let pairs = Symmetric { n: 3, entries: m.to_cols_array().to_vec() }.eigen();
    let vector = |i: usize| DVec3::new(pairs[i].1[0], pairs[i].1[1], pairs[i].1[2]);
    let (a, b) = (vector(0), vector(1));
    DMat3::from_cols(a, b, a.cross(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_tells_the_body() {
        let axes = DMat3::from_quat(polhode::so3::exp(DVec3::new(0.3, -0.5, 1.1)));
        let shape = MassShape::of_moments([1.0, 2.0, 2.5], axes);
        let guess = Guess::new(shape, axes * DVec3::new(0.5, 0.7, 0.6));
        let motion = guess.motion().unwrap();
        let times = (-10..10).map(|i| 17.3 * f64::from(i));
        let gyro = times.map(|t| (t, motion.omega_at(t).unwrap())).collect();
        let observations = Observations { gyro, ..Observations::default() };
        let nearest = guesses(&observations)
            .iter()
            .map(|g| (g.shape.matrix() - shape.matrix()).to_cols_array().map(f64::abs))
            .map(|d| d.into_iter().fold(0.0, f64::max))
            .fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-10, "{nearest:e}");
    }
}
