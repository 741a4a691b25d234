//! Small dense symmetric matrices: solving with them, and their eigenvectors.
//!
//! A fit has some twenty unknowns at most, so plain loops over rows do.

/// A symmetric matrix of n rows, all entries stored by rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Symmetric {
    pub(crate) n: usize,
    pub(crate) entries: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n] }
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.n + column]
    }

    pub(crate) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.n + column]
    }

    /// The first n rows and columns.
    pub(crate) fn leading(&self, n: usize) -> Self {
        let rows = self.entries.chunks_exact(self.n).take(n);
        Self { n, entries: rows.flat_map(|row| &row[..n]).copied().collect() }
    }

    /// The entries below the diagonal copied above it.
    pub(crate) fn mirror(&mut self) {
        for i in 0..self.n {
            for j in 0..i {
                *self.at_mut(j, i) = self.at(i, j);
            }
        }
    }

    /// The solution of `A x = b` by Cholesky's factors, if A is positive definite to rounding.
    pub(crate) fn solve(&self, b: &[f64]) -> Option<Vec<f64>> {
        let n = self.n;
        let mut l = self.entries.clone();
        for j in 0..n {
            let mut d = l[j * n + j];
            for k in 0..j {
                d -= l[j * n + k] * l[j * n + k];
            }
            if d.is_nan() || d <= 1e-15 * self.at(j, j).abs() {
                return None;
            }
            let d = d.sqrt();
            l[j * n + j] = d;
            for i in j + 1..n {
                let mut x = l[i * n + j];
                for k in 0..j {
                    x -= l[i * n + k] * l[j * n + k];
                }
                l[i * n + j] = x / d;
            }
        }
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] -= l[i * n + k] * x[k];
            }
            x[i] /= l[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= l[k * n + i] * x[k];
            }
            x[i] /= l[i * n + i];
        }
        Some(x)
    }

    /// Eigenvalues in ascending order, each with its vector, by Jacobi's rotations.
    pub(crate) fn eigen(&self) -> Vec<(f64, Vec<f64>)> {
        let n = self.n;
        let mut a = self.entries.clone();
        let mut v = vec![0.0; n * n];
        for i in 0..n {
            v[i * n + i] = 1.0;
        }
        for _ in 0..60 {
            let mut off = 0.0;
            let mut size = 0.0;
            for i in 0..n {
                size += a[i * n + i] * a[i * n + i];
                for j in 0..i {
                    off += a[i * n + j] * a[i * n + j];
                }
            }
            if off <= 1e-36 * size || off == 0.0 {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    rotate(&mut a, &mut v, n, p, q);
                }
            }
        }
        let mut pairs: Vec<(f64, Vec<f64>)> =
            (0..n).map(|j| (a[j * n + j], (0..n).map(|i| v[i * n + j]).collect())).collect();
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
        pairs
    }
}

/// One of Jacobi's rotations, which makes entry (p, q) zero.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = (1.0 / (theta.abs() + (theta * theta + 1.0).sqrt())).copysign(theta);
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (v[k * n + p], v[k * n + q]);
        v[k * n + p] = c * x - s * y;
        v[k * n + q] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Symmetric {
        let entries = vec![4.0, 1.0, -0.5, 1.0, 3.0, 0.25, -0.5, 0.25, 2.0];
        Symmetric { n: 3, entries }
    }

    #[test]
    fn a_solution_solves() {
        let a = sample();
        let x = a.solve(&[1.0, -2.0, 0.5]).unwrap();
        for (i, b) in [1.0, -2.0, 0.5].into_iter().enumerate() {
            let sum: f64 = (0..3).map(|j| a.at(i, j) * x[j]).sum();
            assert!((sum - b).abs() < 1e-14);
        }
        let mut singular = Symmetric::zero(2);
        singular.entries = vec![1.0, 1.0, 1.0, 1.0];
        assert_eq!(singular.solve(&[1.0, 1.0]), None);
    }

    #[test]
    fn eigenvectors_are_what_they_should_be() {
        let a = sample();
        for (value, v) in a.eigen() {
            for i in 0..3 {
                let sum: f64 = (0..3).map(|j| a.at(i, j) * v[j]).sum();
                assert!((sum - value * v[i]).abs() < 1e-14);
            }
        }
    }
}
