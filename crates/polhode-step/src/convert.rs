//! Vectors and quaternions of other libraries.

use crate::Real;

/// The numbers of a vector (N = 3: x, y, z) or of a quaternion (N = 4: x, y, z, w, the scalar last, as most engines
/// store it): an array, or, with the feature of that name, a type of `glam`, `mint` or `nalgebra`.
pub trait Components<R, const N: usize>: Copy {
    /// As an array.
    fn to_array(self) -> [R; N];
    /// From an array.
    fn from_array(array: [R; N]) -> Self;
}

/// Implements the trait by two functions.
macro_rules! components {
    ([$($generic:tt)*] $n:tt of $real:ty, $type:ty, $to:expr, $from:expr) => {
        impl<$($generic)*> Components<$real, $n> for $type {
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

components!([R: Real, const N: usize] N of R, [R; N], |x| x, |x| x);

#[cfg(feature = "glam")]
mod of_glam {
    use super::Components;
    use glam::{DQuat, DVec3, Quat, Vec3, Vec3A};
    components!([] 3 of f32, Vec3, Vec3::into, Vec3::from_array);
    components!([] 3 of f32, Vec3A, Vec3A::into, Vec3A::from_array);
    components!([] 3 of f64, DVec3, DVec3::into, DVec3::from_array);
    components!([] 4 of f32, Quat, Quat::into, Quat::from_array);
    components!([] 4 of f64, DQuat, DQuat::into, DQuat::from_array);
}

#[cfg(feature = "mint")]
mod of_mint {
    use super::{Components, Real};
    components!([R: Real] 3 of R, mint::Vector3<R>, Into::into, Into::into);
    components!([R: Real] 4 of R, mint::Quaternion<R>, Into::into, Into::into);
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::{Components, Real};
    use nalgebra::{Quaternion, Scalar, UnitQuaternion, Vector3};
    components!([R: Real + Scalar] 3 of R, Vector3<R>, Into::into, Into::into);
    components!([R: Real + nalgebra::SimdRealField] 4 of R, UnitQuaternion<R>,
        |q: Self| q.into_inner().coords.into(),
        |a: [R; 4]| Self::new_unchecked(Quaternion::from_vector(a.into())));
}
