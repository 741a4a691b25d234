//! Vectors and quaternions of other libraries.

use crate::Real;

/// A vector that a step takes: an array `[x, y, z]`, or, with the feature of that name, one of `glam`, `mint`
/// or `nalgebra`.
pub trait Vector<R>: Copy {
    /// As an array `[x, y, z]`.
    fn to_array(self) -> [R; 3];
    /// From an array `[x, y, z]`.
    fn from_array(array: [R; 3]) -> Self;
}

/// A quaternion that a step takes: an array `[x, y, z, w]`, the scalar last, as most engines store it; or, with
/// the feature of that name, one of `glam`, `mint` or `nalgebra`.
pub trait Quaternion<R>: Copy {
    /// As an array `[x, y, z, w]`.
    fn to_array(self) -> [R; 4];
    /// From an array `[x, y, z, w]`.
    fn from_array(array: [R; 4]) -> Self;
}

impl<R: Real> Vector<R> for [R; 3] {
    #[inline(always)]
    fn to_array(self) -> [R; 3] {
        self
    }
    #[inline(always)]
    fn from_array(array: [R; 3]) -> Self {
        array
    }
}

impl<R: Real> Quaternion<R> for [R; 4] {
    #[inline(always)]
    fn to_array(self) -> [R; 4] {
        self
    }
    #[inline(always)]
    fn from_array(array: [R; 4]) -> Self {
        array
    }
}

/// Implements a trait by two functions.
#[cfg(any(feature = "glam", feature = "mint", feature = "nalgebra"))]
macro_rules! convert {
    ($([$generic:ident])? $trait:ident<$real:ty, $n:literal> for $type:ty, $to:expr, $from:expr) => {
        impl$(<$generic: Real + core::fmt::Debug + PartialEq + 'static>)? $trait<$real> for $type {
            #[inline(always)]
            fn to_array(self) -> [$real; $n] {
                $to(self)
            }
            #[inline(always)]
            fn from_array(array: [$real; $n]) -> Self {
                $from(array)
            }
        }
    };
}

#[cfg(feature = "glam")]
mod of_glam {
    use super::{Quaternion, Vector};
    use glam::{DQuat, DVec3, Quat, Vec3, Vec3A};
    convert!(Vector<f32, 3> for Vec3, Vec3::into, Vec3::from_array);
    convert!(Vector<f32, 3> for Vec3A, Vec3A::into, Vec3A::from_array);
    convert!(Vector<f64, 3> for DVec3, DVec3::into, DVec3::from_array);
    convert!(Quaternion<f32, 4> for Quat, Quat::into, Quat::from_array);
    convert!(Quaternion<f64, 4> for DQuat, DQuat::into, DQuat::from_array);
}

#[cfg(feature = "mint")]
mod of_mint {
    use super::{Quaternion, Real, Vector};
    convert!([R] Vector<R, 3> for mint::Vector3<R>, Into::into, Into::into);
    convert!([R] Quaternion<R, 4> for mint::Quaternion<R>, Into::into, Into::into);
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::{Quaternion, Real, Vector};
    use nalgebra::{UnitQuaternion, Vector3};
    convert!([R] Vector<R, 3> for Vector3<R>, Into::into, Into::into);
    convert!(Quaternion<f32, 4> for UnitQuaternion<f32>,
        |q: Self| q.into_inner().coords.into(), |a: [f32; 4]| Self::new_unchecked(a.into()));
    convert!(Quaternion<f64, 4> for UnitQuaternion<f64>,
        |q: Self| q.into_inner().coords.into(), |a: [f64; 4]| Self::new_unchecked(a.into()));
}
