//! What the data tell about each direction of the unknowns.

use crate::guess::at;
use crate::linear::Symmetric;
use crate::shape::SHAPE;

/// A direction of the shape known no better than this is not known: shapes are bounded, and this is their range.
pub(crate) const RANGE: f64 = 0.3;

/// How many standard deviations a torque must stand out to tell the size of the inertia: the deviation of the size is
/// relative, so this is also how far a body is from one so heavy that the torque does nothing.
const STANDS_OUT: f64 = 4.0;

/// Below this share of the largest, the information about a direction is rounding.
const ROUNDING: f64 = 1e-13;

/// The information matrix by its eigenvectors.
#[derive(Clone, Debug)]
pub(crate) struct Information {
    /// The unknowns that are free.
    pub(crate) active: Vec<usize>,
    /// Variance along a direction, infinite if it is not determined, and the direction among all unknowns.
    directions: Vec<(f64, Vec<f64>)>,
    /// Nothing of the shape is determined.
    steady: bool,
}

impl Information {
    /// From the normal equations of these unknowns. For a steady spin the shape is none of them.
    pub(crate) fn new(matrix: &Symmetric, active: &[usize]) -> Self {
        let steady = active.first() != Some(&0);
        // Eigenvectors of the matrix scaled to a diagonal of ones: units do not matter then.
        let n = active.len();
        // Nothing is known of a size that would not stand out if all else were known.
        let least = STANDS_OUT * STANDS_OUT;
        let nothing = |i: usize| active[i] == at::SIZE && matrix.at(i, i) < least;
        let size = |i: usize| if nothing(i) { 0.0 } else { matrix.at(i, i).sqrt() };
        let size: Vec<f64> = (0..n).map(size).collect();
        let mut scaled = Symmetric::zero(n);
        for i in 0..n {
            for j in 0..n {
                let product = size[i] * size[j];
                let none = if i == j { 1e-300 } else { 0.0 };
                *scaled.at_mut(i, j) = if product > 0.0 { matrix.at(i, j) / product } else { none };
            }
        }
        let directions = scaled.eigen().into_iter().map(|(value, vector)| {
            let mut full = vec![0.0; at::ALL];
            for (i, &place) in active.iter().enumerate() {
                full[place] = if size[i] > 0.0 { vector[i] / size[i] } else { vector[i] };
            }
            let known = value > ROUNDING;
            // The length of one standard deviation along it, in the shape.
            let along = full[..SHAPE].iter().map(|x| x * x).sum::<f64>();
            let shape = if known { (along / value).sqrt() } else { f64::INFINITY };
            let share = along / full.iter().map(|x| x * x).sum::<f64>();
            let size = full[at::SIZE] * full[at::SIZE];
            let any_size = known && size / value > 1.0 / least && size > 1e-3 * dot(&full, &full);
            let open = !known || (shape > RANGE && share > 1e-3) || any_size;
            (if open { f64::INFINITY } else { 1.0 / value }, full)
        });
        let mut directions: Vec<(f64, Vec<f64>)> = directions.collect();
        open_size(&mut directions, 1.0 / least);
        Self { active: active.to_vec(), directions, steady }
    }

    /// The covariance of two numbers with these derivatives by all unknowns; infinite if not determined.
    pub(crate) fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        if a.iter().chain(b).any(|x| x.is_infinite()) {
            return f64::INFINITY;
        }
        if self.steady && a[..SHAPE].iter().chain(&b[..SHAPE]).any(|x| *x != 0.0) {
            return f64::INFINITY;
        }
        let mut sum = 0.0;
        for (variance, direction) in &self.directions {
            let [x, y] = [a, b].map(|row| dot(row, direction));
            if variance.is_infinite() {
                let [p, q] = [a, b].map(|row| {
                    dot(row, direction).abs()
                        > 1e-3 * (dot(row, row) * dot(direction, direction)).sqrt()
                });
                if p && q {
                    return f64::INFINITY;
                }
            } else {
                sum += x * y * variance;
            }
        }
        sum
    }

    /// The covariance of two unknowns, with the whole range for what is not determined.
    pub(crate) fn between(&self, a: usize, b: usize) -> f64 {
        let each = self.directions.iter().map(|(variance, direction)| {
            let product = direction[a] * direction[b];
            if variance.is_infinite() {
                product / dot(direction, direction) * RANGE * RANGE
            } else {
                product * variance
            }
        });
        each.sum()
    }

    /// The standard deviation of a number, with the whole range for what is not determined.
    pub(crate) fn band(&self, row: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (variance, direction) in &self.directions {
            let x = dot(row, &direction[..row.len()]);
            let size = dot(direction, direction).sqrt();
            sum += if variance.is_infinite() {
                let whole = x / size * range(direction);
                whole * whole
            } else {
                x * x * variance
            };
        }
        sum.sqrt()
    }
}

/// Opens the directions that leave the size more variance than this, all together.
fn open_size(directions: &mut [(f64, Vec<f64>)], most: f64) {
    loop {
        let share = |d: &(f64, Vec<f64>)| {
            if d.0.is_finite() { d.0 * d.1[at::SIZE] * d.1[at::SIZE] } else { 0.0 }
        };
        if directions.iter().map(share).sum::<f64>() <= most {
            return;
        }
        let worst = directions.iter_mut().max_by(|a, b| share(a).total_cmp(&share(b)));
        let Some(worst) = worst else { return };
        worst.0 = f64::INFINITY;
    }
}

/// How far an unknown may be that is not determined: an attitude is anywhere, the rest is bounded.
fn range(direction: &[f64]) -> f64 {
    let attitude = &direction[at::ATTITUDE..at::BIAS];
    if dot(attitude, attitude) > 0.5 * dot(direction, direction) {
        core::f64::consts::PI
    } else {
        RANGE
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
