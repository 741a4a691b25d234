//! A start for a spin close to one axis: the frequency of the wobble, by a periodogram.
//!
//! About a principal axis with rate W the other two components of the angular velocity run on an ellipse. With
//! I3 = 1 the moment about the axis, a = (1 - I2)/I1 and b = (1 - I1)/I2, its frequency is W sqrt(ab), its axes
//! are as 1 : sqrt(b/a), and its sense tells whether I3 is the largest or the smallest moment. A wobble below
//! the noise of a sample is still seen in the sum over all of them.

use core::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use crate::count::whole;
use crate::guess::Guess;
use crate::model::Observations;
use crate::shape::MassShape;

/// How many peaks of the periodogram are tried.
const PEAKS: usize = 3;

/// The Fourier coefficients of the transverse components at one frequency.
struct SpectralLine {
    rate: f64,
    cos: [f64; 2],
    sin: [f64; 2],
    power: f64,
}

/// Guesses from the highest peaks, with either sense.
pub(crate) fn guesses(observations: &Observations) -> Vec<Guess> {
    let gyro = &observations.gyro;
    let mean = gyro.iter().map(|x| x.1).sum::<DVec3>() / gyro.len() as f64;
    let spin = mean.length();
    // A body that tumbles widely is no matter of small angles.
    if gyro.len() < 8 || spin < 0.5 {
        return Vec::new();
    }
    let axis = mean / spin;
    let (u, v) = axis.any_orthonormal_pair();
    // Right-handed: u x v = axis.
    let v = if u.cross(v).dot(axis) < 0.0 { -v } else { v };
    let rows = averaged(gyro, u, v, mean);
    let span = rows[rows.len() - 1].0 - rows[0].0;
    let resolution = PI / span;
    // Longer than the arc or faster than the spin there is no wobble.
    let count = whole(1.02 * spin / resolution).clamp(4, 20_000);
    let spectrum: Vec<f64> =
        (0..=count).map(|i| line(&rows, (i as f64).max(0.5) * resolution).power).collect();
    let mut peaks: Vec<usize> = (0..=count)
        .filter(|&i| {
            let left = i == 0 || spectrum[i - 1] <= spectrum[i];
            left && (i == count || spectrum[i + 1] < spectrum[i])
        })
        .collect();
    peaks.sort_by(|a, b| spectrum[*b].total_cmp(&spectrum[*a]));
    let mut found = Vec::new();
    for &peak in peaks.iter().take(PEAKS) {
        let line = refined(&rows, (peak as f64).max(0.5) * resolution, resolution);
        for flipped in [false, true] {
            found.extend(from_line(&line, spin, axis, [u, v], flipped));
        }
    }
    found
}

/// Transverse components, averaged over so many samples that some eight are left in a turn.
fn averaged(gyro: &[(f64, DVec3)], u: DVec3, v: DVec3, mean: DVec3) -> Vec<(f64, [f64; 2])> {
    let span = gyro[gyro.len() - 1].0 - gyro[0].0;
    let wanted = (span / TAU * 8.0).max(16.0);
    let together = whole(gyro.len() as f64 / wanted).max(1);
    gyro.chunks(together)
        .map(|part| {
            let n = part.len() as f64;
            let t = part.iter().map(|x| x.0).sum::<f64>() / n;
            let w = part.iter().map(|x| x.1).sum::<DVec3>() / n - mean;
            (t, [w.dot(u), w.dot(v)])
        })
        .collect()
}

fn line(rows: &[(f64, [f64; 2])], rate: f64) -> SpectralLine {
    let (mut cos, mut sin) = ([0.0; 2], [0.0; 2]);
    // Times are near zero on both sides, so cosines and sines are nearly orthogonal.
    let (mut cc, mut ss) = (0.0, 0.0);
    for (t, x) in rows {
        let (s, c) = libm::sincos(rate * t);
        cc += c * c;
        ss += s * s;
        for k in 0..2 {
            cos[k] += c * x[k];
            sin[k] += s * x[k];
        }
    }
    let power: f64 = (0..2).map(|k| cos[k] * cos[k] / cc + sin[k] * sin[k] / ss).sum();
    SpectralLine { rate, cos: cos.map(|x| x / cc), sin: sin.map(|x| x / ss), power }
}

/// The top of a peak, by golden sections.
fn refined(rows: &[(f64, [f64; 2])], rate: f64, width: f64) -> SpectralLine {
    let (mut low, mut high) = ((rate - width).max(0.1 * width), rate + width);
    for _ in 0..12 {
        let third = (high - low) / 3.0;
        if line(rows, low + third).power < line(rows, high - third).power {
            low += third;
        } else {
            high -= third;
        }
    }
    line(rows, 0.5 * (low + high))
}

/// The body whose wobble is this ellipse; with `flipped` the one that runs the other way round.
fn from_line(
    line: &SpectralLine,
    spin: f64,
    axis: DVec3,
    [u, v]: [DVec3; 2],
    flipped: bool,
) -> Option<Guess> {
    // x = cos * cos(rate t) + sin * sin(rate t): the axes of the ellipse are the eigenvectors of its square.
    let (c, s) = (line.cos, line.sin);
    let (xx, xy, yy) =
        (c[0] * c[0] + s[0] * s[0], c[0] * c[1] + s[0] * s[1], c[1] * c[1] + s[1] * s[1]);
    let turn = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let (sine, cosine) = libm::sincos(turn);
    let one = u * cosine + v * sine;
    let two = axis.cross(one);
    let along = |e: DVec3| {
        let (a, b) = (e.dot(u), e.dot(v));
        libm::hypot(c[0] * a + c[1] * b, s[0] * a + s[1] * b)
    };
    let (long, short) = (along(one), along(two));
    let counter = (c[0] * s[1] - c[1] * s[0] > 0.0) != flipped;
    let ratio = (short / long).clamp(0.05, 1.0);
    let f = (line.rate / spin).min(0.98);
    let sign = if counter { 1.0 } else { -1.0 };
    // a, b of the two transverse axes.
    let (a, b) = (sign * f / ratio, sign * f * ratio);
    let (a, b) = (a.clamp(-20.0, 0.99), b.clamp(-20.0, 0.99));
    let (i1, i2) = ((1.0 - b) / (1.0 - a * b), (1.0 - a) / (1.0 - a * b));
    if !(i1 > 0.0 && i2 > 0.0) {
        return None;
    }
    let shape = MassShape::of_moments([i1, i2, 1.0], DMat3::from_cols(one, two, axis));
    let omega = axis * spin + u * c[0] + v * c[1];
    Some(Guess::new(shape, omega))
}
