//! Vectors and quaternions of other libraries: the same bits as arrays.
#![cfg(any(feature = "glam", feature = "mint", feature = "nalgebra"))]

use polhode_step::{Float, Inertia, QuaternionLike, VectorLike, step};

/// A step of an array and of another library's vector and quaternion.
fn same<R: Float + PartialEq + core::fmt::Debug, V: VectorLike<R>, Q: QuaternionLike<R>>(
    number: fn(f32) -> R,
) {
    let inertia = Inertia::principal([number(1.0), number(2.0), number(3.0)]);
    let mut omega = [number(0.5), number(-0.25), number(0.75)];
    let mut q = [number(0.5), number(-0.5), number(0.5), number(0.5)];
    let (mut v, mut p) = (V::from(omega), Q::from_array(q));
    step(&inertia, &mut omega, &mut q, number(0.125));
    step(&inertia, &mut v, &mut p, number(0.125));
    let v: [R; 3] = v.into();
    assert_eq!((v, p.to_array()), (omega, q));
    assert!(omega[0] != number(0.5) && q[0] != number(0.5));
}

#[test]
#[cfg(feature = "glam")]
fn those_of_glam() {
    same::<f32, glam::Vec3, glam::Quat>(|x| x);
    same::<f32, glam::Vec3A, glam::Quat>(|x| x);
    same::<f64, glam::DVec3, glam::DQuat>(f64::from);
}

#[test]
#[cfg(feature = "mint")]
fn those_of_mint() {
    same::<f32, mint::Vector3<f32>, mint::Quaternion<f32>>(|x| x);
    same::<f64, mint::Vector3<f64>, mint::Quaternion<f64>>(f64::from);
}

#[test]
#[cfg(feature = "nalgebra")]
fn those_of_nalgebra() {
    same::<f32, nalgebra::Vector3<f32>, nalgebra::UnitQuaternion<f32>>(|x| x);
    same::<f64, nalgebra::Vector3<f64>, nalgebra::UnitQuaternion<f64>>(f64::from);
}
