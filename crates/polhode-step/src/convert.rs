//! Vectors and quaternions of other libraries.

use crate::Float;

/// A vector that a step takes: an array `[x, y, z]`, or whatever can be made of one and turned into one, as the
/// vectors of `glam`, `mint` and `nalgebra` can.
pub trait VectorLike<R>: Copy + From<[R; 3]> + Into<[R; 3]> {}

impl<R, V: Copy + From<[R; 3]> + Into<[R; 3]>> VectorLike<R> for V {}

/// A quaternion that a step takes: an array `[x, y, z, w]`, the scalar last, as most engines store it; or, with
/// the feature of that name, one of `glam`, `mint` or `nalgebra`.
pub trait QuaternionLike<R>: Copy {
    /// As an array `[x, y, z, w]`.
    fn to_array(self) -> [R; 4];
    /// From an array `[x, y, z, w]`.
    fn from_array(array: [R; 4]) -> Self;
}

/// Implements the trait by two functions.
macro_rules! quaternions {
    ($to:expr, $from:expr, $([$($generic:tt)*] $real:ty: $type:ty),*) => {$(
        impl<$($generic)*> QuaternionLike<$real> for $type {
            #[inline(always)]
            fn to_array(self) -> [$real; 4] {
                $to(self)
            }
            #[inline(always)]
            fn from_array(array: [$real; 4]) -> Self {
                $from(array)
            }
        }
    )*};
}

quaternions!(|q| q, |q| q, [R: Float] R: [R; 4]);
#[cfg(feature = "glam")]
quaternions!(Self::into, Self::from_array, [] f32: glam::Quat, [] f64: glam::DQuat);
#[cfg(feature = "mint")]
quaternions!(Self::into, Self::from, [R: Float] R: mint::Quaternion<R>);
#[cfg(feature = "nalgebra")]
quaternions!(|q: Self| q.into_inner().coords.into(), |array: [_; 4]| Self::new_unchecked(array.into()),
    [] f32: nalgebra::UnitQuaternion<f32>, [] f64: nalgebra::UnitQuaternion<f64>);
