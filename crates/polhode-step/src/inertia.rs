//! What a step needs of a body.

use crate::arithmetic::sqrt;
use crate::formula::BodyConstants;
use crate::vector::{Quat, Vec3, of_length_one, product};
use crate::{Quaternion, Real};

/// The inertia of a body, made ready for its steps: once, when the body is made.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// Of its axes in the order of the formula, whose second is that of the least moment: so the angles that
    /// the formula computes with are not much larger than what the body turns by.
    pub(crate) constants: BodyConstants<f64>,
    pub(crate) moments: Vec3<f64>,
    /// The larger one of |a1| and |a3|.
    pub(crate) steepest: f64,
    /// The larger one of b1² and b3².
    pub(crate) widest: f64,
    /// Which principal axis is the first of the formula.
    pub(crate) first: u8,
    /// From the principal axes to the body's.
    pub(crate) frame: Quat<f64>,
    /// Whether they differ.
    pub(crate) framed: bool,
    /// Nothing of a gyroscope.
    pub(crate) sphere: bool,
}

/// A moment below this part of the largest is taken as this part of it.
const THINNEST: f64 = 1e-30;

/// More sweeps than a symmetric matrix of three rows ever needs.
const SWEEPS: u8 = 12;

/// The power of two at or below a positive number, but not below the smallest normal one.
pub(crate) fn power_of_two(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000);
    if power < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { power }
}

/// The larger of two numbers; NaN if the first is.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// a1, a2 and a3 of the formula.
fn differences([i1, i2, i3]: Vec3<f64>) -> Vec3<f64> {
    let [b1, b2, b3] = [1.0 / i1, 1.0 / i2, 1.0 / i3];
    [(i2 - i3) * (b2 * b3), (i3 - i1) * (b3 * b1), (i1 - i2) * (b1 * b2)]
}

impl Inertia {
    /// The body with these principal moments about its own axes.
    ///
    /// Only ratios matter. A moment that is zero, negative or below 1e-30 of the largest is taken as that part
    /// of it. If none is positive, or one is not finite, the body turns at its angular velocity and nothing
    /// else, as a sphere does.
    #[must_use]
    pub fn principal<R: Real>(moments: [R; 3]) -> Self {
        Self::new(moments.map(R::widen), [0.0, 0.0, 0.0, 1.0])
    }

    /// The body whose principal axes are turned by `frame` in it: a vector along the principal axes, turned by
    /// it, is that vector in the body's own coordinates.
    #[must_use]
    pub fn principal_in_frame<R: Real>(moments: [R; 3], frame: impl Quaternion<R>) -> Self {
        Self::new(moments.map(R::widen), frame.to_array().map(R::widen))
    }

    /// The body with this inertia tensor, row by row: it is symmetric, and what is above its diagonal is read.
    #[must_use]
    pub fn tensor<R: Real>(rows: [[R; 3]; 3]) -> Self {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = rows.map(|row| row.map(R::widen));
        let (moments, frame) = principal_axes([xx, yy, zz], [yz, xz, xy]);
        Self::new(moments, frame)
    }

    fn new(moments: Vec3<f64>, frame: Quat<f64>) -> Self {
        let largest = moments.iter().fold(0.0, |most, &x| larger(most, x));
        let proper = 0.0 < largest && moments.iter().all(|x| x.is_finite());
        let moments = if proper { moments } else { [1.0; 3] };
        let largest = if proper { largest } else { 1.0 };
        // A power of two changes no digit.
        let unit = power_of_two(largest);
        let [x, y, z] = moments.map(|x| larger(x / unit, (largest / unit) * THINNEST));
        let (first, moments) = if x <= y && x <= z {
            (2, [z, x, y])
        } else if y <= z {
            (0, [x, y, z])
        } else {
            (1, [y, z, x])
        };
        // In a unit in which a1 or a3, the larger one, is a power of two too: the product of both then has no
        // rounding, which would be the same in every step, so that energy would be gained or lost.
        let [a1, _, a3] = differences(moments);
        let steepest = larger(a1.abs(), a3.abs());
        let sphere = steepest == 0.0;
        let power = if sphere { 1.0 } else { power_of_two(steepest) };
        let moments = if sphere { moments } else { moments.map(|x| x * (steepest / power)) };
        let [mut a1, a2, mut a3] = differences(moments);
        if a3.abs() < a1.abs() {
            a1 = -power;
        } else if !sphere {
            a3 = power;
        }
        let frame = of_length_one(frame);
        let (b1, b3) = (1.0 / moments[0], 1.0 / moments[2]);
        Self {
            constants: BodyConstants { a: [a1, a2, a3], b1, b3, beta: 0.0 },
            moments,
            steepest: power,
            widest: larger(b1 * b1, b3 * b3),
            first,
            frame,
            framed: frame[0] != 0.0 || frame[1] != 0.0 || frame[2] != 0.0,
            sphere,
        }
    }

    /// A vector along the principal axes, in the order of the formula.
    #[inline(always)]
    pub(crate) fn in_order(&self, [x, y, z]: Vec3<f64>) -> Vec3<f64> {
        match self.first {
            0 => [x, y, z],
            1 => [y, z, x],
            _ => [z, x, y],
        }
    }

    /// A vector in the order of the formula, along the principal axes.
    #[inline(always)]
    pub(crate) fn in_place(&self, [x, y, z]: Vec3<f64>) -> Vec3<f64> {
        match self.first {
            0 => [x, y, z],
            1 => [z, x, y],
            _ => [y, z, x],
        }
    }
}

/// Principal moments and axes of a tensor, given by its diagonal and by the products of inertia opposite of
/// each axis: yz, xz, xy. Jacobi's rotations.
fn principal_axes(mut moments: Vec3<f64>, mut others: Vec3<f64>) -> (Vec3<f64>, Quat<f64>) {
    let mut frame = [0.0, 0.0, 0.0, 1.0];
    let largest = moments.iter().chain(&others).fold(0.0, |most, x| larger(most, x.abs()));
    let unit = power_of_two(largest);
    moments = moments.map(|x| x / unit);
    others = others.map(|x| x / unit);
    for _ in 0..SWEEPS {
        // A rotation about each axis in turn makes the product of the other two axes vanish.
        for (axis, p, q) in [(2, 0, 1), (0, 1, 2), (1, 2, 0)] {
            let off = others[axis];
            // A product that is no number leaves the body a sphere, whatever is done here.
            if off.abs() <= 1e-40 {
                continue;
            }
            let theta = (moments[q] - moments[p]) / (off + off);
            let root = sqrt(theta * theta + 1.0);
            let tangent = 1.0 / (if theta < 0.0 { theta - root } else { theta + root });
            let cosine = 1.0 / sqrt(tangent * tangent + 1.0);
            let sine = tangent * cosine;
            moments[p] -= tangent * off;
            moments[q] += tangent * off;
            (others[q], others[p]) =
                (cosine * others[q] - sine * others[p], sine * others[q] + cosine * others[p]);
            others[axis] = 0.0;
            let half_cosine = sqrt((1.0 + cosine) * 0.5);
            let mut turn = [0.0, 0.0, 0.0, half_cosine];
            turn[axis] = -(sine * 0.5) / half_cosine;
            frame = product(frame, turn);
        }
    }
    (moments, frame)
}
