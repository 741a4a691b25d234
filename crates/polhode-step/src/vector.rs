//! Vectors and quaternions, scalar last: the little that a step does with them.

use crate::arithmetic::{larger, sqrt};

pub(crate) type Vec3 = [f64; 3];
pub(crate) type Quat = [f64; 4];

#[inline(always)]
pub(crate) fn add<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    core::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// By how much a rotation moves a vector; with w negative, the rotation back.
#[inline(always)]
pub(crate) fn moved([x, y, z]: Vec3, w: f64, v: Vec3) -> Vec3 {
    let across = cross([x, y, z], v);
    let further = cross([x, y, z], across);
    core::array::from_fn(|i| 2.0 * (w * across[i] + further[i]))
}

/// A vector turned by a unit quaternion, or back by it.
#[inline(always)]
pub(crate) fn turned([x, y, z, w]: Quat, sign: f64, v: Vec3) -> Vec3 {
    add(v, moved([x, y, z], sign * w, v))
}

/// The product of two quaternions: first b, then a.
#[inline(always)]
pub(crate) fn product([x, y, z, w]: Quat, b: Quat) -> Quat {
    [
        (w * b[0] + y * b[2]) + (x * b[3] - z * b[1]),
        (w * b[1] + y * b[3]) - (x * b[2] - z * b[0]),
        (w * b[2] - y * b[0]) + (x * b[1] + z * b[3]),
        (w * b[3] - y * b[1]) - (x * b[0] + z * b[2]),
    ]
}

/// The square of a quaternion's length.
#[inline(always)]
pub(crate) fn square([x, y, z, w]: Quat) -> f64 {
    x * x + z * z + (y * y + w * w)
}

/// The largest magnitude.
pub(crate) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| larger(most, x.abs()))
}

/// A quaternion over its length, or no rotation where it has none.
pub(crate) fn of_length_one(q: Quat) -> Quat {
    let unit = largest(&q);
    let q = q.map(|x| x / unit);
    let length = sqrt(square(q));
    // One or more, but for what is zero or not finite.
    if length.is_finite() { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] }
}
