//! Vectors, quaternions and matrices over any number, with the operations in the order in which glam does
//! them: a lane has the bits of the scalar code.
//!
//! Written out, without closures: what is not inlined is compiled without the instructions that the
//! lanes are made for.

use crate::Number;

/// Three components of a vector.
pub type Vector<L> = [L; 3];
/// A quaternion, scalar first.
pub type Quaternion<L> = [L; 4];
/// A matrix, column by column.
pub type Matrix<L> = [Vector<L>; 3];

/// The sum of two vectors.
#[inline(always)]
pub fn add<L: Number>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The first vector less the second.
#[inline(always)]
pub fn subtract<L: Number>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a number.
#[inline(always)]
pub fn scale<L: Number>(a: Vector<L>, factor: L) -> Vector<L> {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// The products of the components, one by one.
#[inline(always)]
pub fn multiply<L: Number>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// The quotients of the components, one by one.
#[inline(always)]
pub fn divide<L: Number>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] / b[0], a[1] / b[1], a[2] / b[2]]
}

/// The scalar product.
#[inline(always)]
pub fn dot<L: Number>(a: Vector<L>, b: Vector<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline(always)]
pub fn cross<L: Number>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}

/// `yes` where the mask holds, else `no`.
#[inline(always)]
pub fn select<L: Number>(mask: L::Mask, yes: Vector<L>, no: Vector<L>) -> Vector<L> {
    [L::select(mask, yes[0], no[0]), L::select(mask, yes[1], no[1]), L::select(mask, yes[2], no[2])]
}

/// The same vector in every lane.
#[inline(always)]
pub fn splat<L: Number>(v: [f64; 3]) -> Vector<L> {
    [L::splat(v[0]), L::splat(v[1]), L::splat(v[2])]
}

/// The largest magnitude of a component, unless one is NaN.
#[inline(always)]
pub fn largest<L: Number>(v: Vector<L>) -> L {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// The product of two quaternions.
#[inline(always)]
pub fn product<L: Number>(a: Quaternion<L>, b: Quaternion<L>) -> Quaternion<L> {
    let ([w0, x0, y0, z0], [w1, x1, y1, z1]) = (a, b);
    [
        w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
        w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
        w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
    ]
}

/// q + q r, with r the rotation minus one.
#[inline(always)]
pub fn turn<L: Number>(q: Quaternion<L>, r: Quaternion<L>) -> Quaternion<L> {
    let [w, x, y, z] = product(q, r);
    [q[0] + w, q[1] + x, q[2] + y, q[3] + z]
}

/// A vector of space in the body frame, `q* v`.
#[inline(always)]
pub fn to_body<L: Number>(q: Quaternion<L>, v: Vector<L>) -> Vector<L> {
    let w = q[0];
    let b = [-q[1], -q[2], -q[3]];
    let two = L::splat(2.0);
    let along = scale(v, w * w - dot(b, b));
    add(add(along, scale(b, dot(v, b) * two)), scale(cross(b, v), w * two))
}

/// How the quaternion changes as the body turns about a vector of its own frame: q (0, v)/2.
#[inline(always)]
pub fn turned_by<N: Number>([w, x, y, z]: Quaternion<N>, v: Vector<N>) -> Quaternion<N> {
    let [a, b, c] = scale(v, N::splat(0.5));
    [-(x * a + y * b + z * c), w * a + y * c - z * b, w * b - x * c + z * a, w * c + x * b - y * a]
}

/// The skew matrix of a vector.
#[inline(always)]
pub fn hat<L: Number>(a: Vector<L>) -> Matrix<L> {
    let zero = L::splat(0.0);
    [[zero, a[2], -a[1]], [-a[2], zero, a[0]], [a[1], -a[0], zero]]
}

/// A matrix times a vector.
#[inline(always)]
pub fn transform<L: Number>(m: &Matrix<L>, v: Vector<L>) -> Vector<L> {
    add(add(scale(m[0], v[0]), scale(m[1], v[1])), scale(m[2], v[2]))
}

/// The product of two matrices.
#[inline(always)]
pub fn matrix_product<L: Number>(a: &Matrix<L>, b: &Matrix<L>) -> Matrix<L> {
    [transform(a, b[0]), transform(a, b[1]), transform(a, b[2])]
}

/// The transposed matrix.
#[inline(always)]
pub fn transpose<L: Number>(m: &Matrix<L>) -> Matrix<L> {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}
