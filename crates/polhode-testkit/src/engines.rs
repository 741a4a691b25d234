//! The gyroscopic steps that physics engines have, in single precision, to measure beside: written from their
//! descriptions, not from their sources.
//!
//! The angular velocity is in the coordinates of the world; quaternions are `[x, y, z, w]`, as engines store
//! them. The body's axes are its principal axes.

/// A vector of an engine.
pub type Vec3 = [f32; 3];
/// A quaternion of an engine, scalar last.
pub type Quat = [f32; 4];

/// A step of an engine: principal moments, angular velocity, rotation, time.
pub type EngineStep = fn(Vec3, &mut Vec3, &mut Quat, f32);

/// All of them, by name.
pub const ENGINE_STEPS: [(&str, EngineStep); 4] = [
    ("none", without),
    ("explicit", explicit),
    ("implicit (Catto)", implicit),
    ("length kept (Jolt)", length_kept),
];

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn times(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// A vector turned by a unit quaternion, or with its scalar negated, turned back.
fn turned([x, y, z, w]: Quat, v: Vec3) -> Vec3 {
    let axis = [x, y, z];
    let across = cross(axis, v);
    let further = cross(axis, across);
    core::array::from_fn(|i| v[i] + 2.0 * (w * across[i] + further[i]))
}

fn turned_back([x, y, z, w]: Quat, v: Vec3) -> Vec3 {
    turned([x, y, z, -w], v)
}

/// The rotation on by a first-order step, and over its length.
fn rotate(omega: Vec3, q: &mut Quat, h: f32) {
    let [a, b, c] = omega.map(|x| 0.5 * h * x);
    let [x, y, z, w] = *q;
    let q1 = [
        x + (a * w + b * z - c * y),
        y + (b * w + c * x - a * z),
        z + (c * w + a * y - b * x),
        w - (a * x + b * y + c * z),
    ];
    let norm = 1.0 / q1.iter().map(|x| x * x).sum::<f32>().sqrt();
    *q = q1.map(|x| x * norm);
}

/// No gyroscopic term: what many engines do unless asked.
pub fn without(_: Vec3, omega: &mut Vec3, q: &mut Quat, h: f32) {
    rotate(*omega, q, h);
}

/// The gyroscopic torque at the start of the step: explicit Euler.
pub fn explicit(moments: Vec3, omega: &mut Vec3, q: &mut Quat, h: f32) {
    let w = turned_back(*q, *omega);
    let torque = cross(times(moments, w), w);
    *omega = turned(*q, core::array::from_fn(|i| w[i] + h * torque[i] / moments[i]));
    rotate(*omega, q, h);
}

/// The gyroscopic torque at the end of the step, by one step of Newton's method: Catto, Numerical Methods (GDC
/// 2015). Bullet's `BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY` is the same.
pub fn implicit(moments: Vec3, omega: &mut Vec3, q: &mut Quat, h: f32) {
    let w = turned_back(*q, *omega);
    let m = times(moments, w);
    let residual = cross(w, m).map(|x| h * x);
    // I + h (hat(w) I - hat(m)), row by row.
    let [i1, i2, i3] = moments;
    let rows = [
        [i1, h * (m[2] - w[2] * i2), h * (w[1] * i3 - m[1])],
        [h * (w[2] * i1 - m[2]), i2, h * (m[0] - w[0] * i3)],
        [h * (m[1] - w[1] * i1), h * (w[0] * i2 - m[0]), i3],
    ];
    let columns: [Vec3; 3] = core::array::from_fn(|j| core::array::from_fn(|i| rows[i][j]));
    let [c0, c1, c2] = columns;
    let determinant = dot(c0, cross(c1, c2));
    let correction = [
        dot(residual, cross(c1, c2)) / determinant,
        dot(c0, cross(residual, c2)) / determinant,
        dot(c0, cross(c1, residual)) / determinant,
    ];
    *omega = turned(*q, core::array::from_fn(|i| w[i] - correction[i]));
    rotate(*omega, q, h);
}

/// An explicit step of the momentum, brought back to its length: Jolt's `mApplyGyroscopicForce`, and that of Rapier
/// 0.36 and Avian.
pub fn length_kept(moments: Vec3, omega: &mut Vec3, q: &mut Quat, h: f32) {
    let w = turned_back(*q, *omega);
    let m = times(moments, w);
    let turning = cross(m, w);
    let m1: Vec3 = core::array::from_fn(|i| m[i] + h * turning[i]);
    let square = dot(m1, m1);
    let factor = if square > 0.0 { (dot(m, m) / square).sqrt() } else { 0.0 };
    *omega = turned(*q, core::array::from_fn(|i| m1[i] * factor / moments[i]));
    rotate(*omega, q, h);
}
