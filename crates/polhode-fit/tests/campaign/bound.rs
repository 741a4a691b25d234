//! The bound of Cramér and Rao on the ratios of the moments, from the derivatives at the truth.

use glam::{DMat3, DVec3};
use polhode::FreeMotion;

/// Unknowns: three moments, three turns of the axes, the angular velocity at the start.
const N: usize = 9;

/// The least standard deviations of I1/I3 and I2/I3 that any estimate can have; infinite if not determined.
pub(crate) fn ratios(motion: &FreeMotion, times: &[f64], sigma: f64) -> [f64; 2] {
    let inertia = motion.inertia();
    let axes = DMat3::from_quat(inertia.axes());
    let moments = inertia.moments().to_array();
    let tensor = axes * DMat3::from_diagonal(moments.into()) * axes.transpose();
    let inverse = tensor.inverse();
    // From the middle: less is lost to rounding.
    let middle = times[times.len() / 2];
    let there = motion.omega_at(middle).unwrap();
    let motion = FreeMotion::from_omega(inertia, there, glam::DQuat::IDENTITY).unwrap();
    let mut information = [[0.0; N]; N];
    let unit = |i: usize, j: usize| {
        let (a, b) = (axes.col(i), axes.col(j));
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        if i == j { outer(a, a) } else { outer(a, b) + outer(b, a) }
    };
    let changes = [unit(0, 0), unit(1, 1), unit(2, 2), unit(0, 1), unit(0, 2), unit(1, 2)];
    for t in times {
        let (tangent, by) = motion.inertia_tangent_at(t - middle).unwrap();
        let omega = inverse * tangent.state.m;
        let mut columns = [DVec3::ZERO; N];
        for (column, c) in columns.iter_mut().zip(changes) {
            let row = |i: usize| {
                let (d, o) = (by.inertia[i], by.inertia_off[i]);
                d[0] * c.x_axis.x
                    + d[1] * c.y_axis.y
                    + d[2] * c.z_axis.z
                    + o[0] * c.y_axis.x
                    + o[1] * c.z_axis.x
                    + o[2] * c.z_axis.y
            };
            *column = inverse * (DVec3::new(row(0), row(1), row(2)) - c * omega);
        }
        let phi = &tangent.state_transition;
        let block = DMat3::from_cols_array_2d(&core::array::from_fn(|j| {
            core::array::from_fn(|i| phi[i][j])
        }));
        let by_omega = inverse * block * tensor;
        for k in 0..3 {
            columns[6 + k] = by_omega.col(k);
        }
        for i in 0..N {
            for j in 0..N {
                information[i][j] += columns[i].dot(columns[j]) / (sigma * sigma);
            }
        }
    }
    // The scale of the inertia is held: the sum of the moments is known.
    let size = information.iter().enumerate().map(|(i, row)| row[i]).fold(0.0, f64::max);
    for row in information.iter_mut().take(3) {
        for x in row.iter_mut().take(3) {
            *x += size;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|a: &usize, b: &usize| moments[*a].total_cmp(&moments[*b]));
    [0, 1].map(|r| {
        let mut gradient = [0.0; N];
        gradient[order[r]] = 1.0 / moments[order[2]];
        gradient[order[2]] -= moments[order[r]] / (moments[order[2]] * moments[order[2]]);
        solve(information, gradient).map_or(f64::INFINITY, |x| {
            let variance: f64 = x.iter().zip(gradient).map(|(a, b)| a * b).sum();
            if variance > 0.0 { variance.sqrt() } else { f64::INFINITY }
        })
    })
}

/// Gauss's elimination with pivots; none if singular to rounding.
fn solve(mut a: [[f64; N]; N], mut b: [f64; N]) -> Option<[f64; N]> {
    // Scaled to a diagonal of ones.
    let d: [f64; N] = core::array::from_fn(|i| a[i][i].sqrt());
    if d.iter().any(|x| *x == 0.0 || x.is_nan()) {
        return None;
    }
    for i in 0..N {
        b[i] /= d[i];
        for j in 0..N {
            a[i][j] /= d[i] * d[j];
        }
    }
    for k in 0..N {
        let pivot = (k..N).max_by(|x, y| a[*x][k].abs().total_cmp(&a[*y][k].abs()))?;
        if a[pivot][k].abs() < 1e-13 {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let top = a[k];
        for i in k + 1..N {
            let factor = a[i][k] / top[k];
            for (x, y) in a[i].iter_mut().zip(top).skip(k) {
                *x -= factor * y;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        for j in k + 1..N {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    Some(core::array::from_fn(|i| b[i] / d[i]))
}
