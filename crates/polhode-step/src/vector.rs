//! Vectors and quaternions, scalar last: the little that a step does with them.

use crate::Arithmetic;
use crate::arithmetic::sqrt;

pub(crate) type Vec3<N> = [N; 3];
pub(crate) type Quat<N> = [N; 4];

#[inline(always)]
pub(crate) fn cross<N: Arithmetic>(a: Vec3<N>, b: Vec3<N>) -> Vec3<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn add<N: Arithmetic>(a: Vec3<N>, b: Vec3<N>) -> Vec3<N> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Component by component.
#[inline(always)]
pub(crate) fn times<N: Arithmetic>(a: Vec3<N>, b: Vec3<N>) -> Vec3<N> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// Component by component.
#[inline(always)]
pub(crate) fn over<N: Arithmetic>(a: Vec3<N>, b: Vec3<N>) -> Vec3<N> {
    [a[0] / b[0], a[1] / b[1], a[2] / b[2]]
}

/// By how much a rotation, given by its vector part and its scalar part, moves a vector.
#[inline(always)]
pub(crate) fn moved<N: Arithmetic>(axis: Vec3<N>, w: N, v: Vec3<N>) -> Vec3<N> {
    let across = cross(axis, v);
    let further = cross(axis, across);
    let [x, y, z] =
        [w * across[0] + further[0], w * across[1] + further[1], w * across[2] + further[2]];
    [x + x, y + y, z + z]
}

/// A vector turned by a unit quaternion.
#[inline(always)]
pub(crate) fn turned<N: Arithmetic>([x, y, z, w]: Quat<N>, v: Vec3<N>) -> Vec3<N> {
    add(v, moved([x, y, z], w, v))
}

/// A vector turned back.
#[inline(always)]
pub(crate) fn turned_back<N: Arithmetic>([x, y, z, w]: Quat<N>, v: Vec3<N>) -> Vec3<N> {
    add(v, moved([x, y, z], -w, v))
}

/// The product of two quaternions: first b, then a.
#[inline(always)]
pub(crate) fn product<N: Arithmetic>([x, y, z, w]: Quat<N>, b: Quat<N>) -> Quat<N> {
    [
        w * b[0] + x * b[3] + y * b[2] - z * b[1],
        w * b[1] - x * b[2] + y * b[3] + z * b[0],
        w * b[2] + x * b[1] - y * b[0] + z * b[3],
        w * b[3] - x * b[0] - y * b[1] - z * b[2],
    ]
}

/// 1 - |q|².
#[inline(always)]
pub(crate) fn lack<N: Arithmetic>([x, y, z, w]: Quat<N>) -> N {
    N::splat(1.0) - (x * x + y * y + (z * z + w * w))
}

/// A rotation minus one that also makes up for what a quaternion's length lacks, to first order: in the same
/// sum, so that nothing is rounded for it.
#[inline(always)]
pub(crate) fn longer_by<N: Arithmetic>([x, y, z]: Vec3<N>, w: N, lack: N) -> Quat<N> {
    [x, y, z, w + lack * N::splat(0.5)]
}

/// The sum of two quaternions.
#[inline(always)]
pub(crate) fn advanced<N: Arithmetic>(q: Quat<N>, change: Quat<N>) -> Quat<N> {
    [q[0] + change[0], q[1] + change[1], q[2] + change[2], q[3] + change[3]]
}

/// A quaternion over its length, or no rotation where it has none.
pub(crate) fn of_length_one(q: Quat<f64>) -> Quat<f64> {
    let largest = q.iter().fold(0.0, |most: f64, x| if most < x.abs() { x.abs() } else { most });
    if !(0.0 < largest && q.iter().all(|x| x.is_finite())) {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let [x, y, z, w] = q.map(|x| x / largest);
    let length = sqrt(x * x + y * y + (z * z + w * w));
    [x / length, y / length, z / length, w / length]
}
