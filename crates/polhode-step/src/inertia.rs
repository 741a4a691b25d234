//! What a step needs of a body.

use crate::arithmetic::sqrt;
use crate::formula::BodyConstants;
use crate::vector::{Quat, Vec3, of_length_one, product};
use crate::{Components, Real};

/// The inertia of a body, made ready for its steps: once, when the body is made.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// Of its axes in the order of the formula, whose second is that of the least moment: so the angles that
    /// the formula computes with are not much larger than what the body turns by.
    pub(crate) constants: BodyConstants<f64>,
    pub(crate) moments: Vec3,
    /// The larger one of |a1| and |a3|.
    pub(crate) steepest: f64,
    /// The larger one of b1² and b3².
    pub(crate) widest: f64,
    /// Which principal axis is the first of the formula, and which of the formula's is the first principal one.
    pub(crate) first: u8,
    pub(crate) back: u8,
    /// From the principal axes to the body's.
    pub(crate) frame: Quat,
    /// Whether they differ.
    pub(crate) framed: bool,
    /// Nothing of a gyroscope.
    pub(crate) sphere: bool,
}

/// A moment below this part of the largest is taken as this part of it.
const THINNEST: f64 = 1e-30;

/// More sweeps than a symmetric matrix of three rows ever needs.
const SWEEPS: usize = 12;

/// The power of two at or below a positive number, but not below the smallest normal one.
pub(crate) fn power_of_two(x: f64) -> f64 {
    larger(f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000), f64::MIN_POSITIVE)
}

/// The larger of two numbers; NaN if the first is.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// A vector beginning with another axis.
#[inline(always)]
pub(crate) fn cycled([x, y, z]: Vec3, first: u8) -> Vec3 {
    match first {
        0 => [x, y, z],
        1 => [y, z, x],
        _ => [z, x, y],
    }
}

/// a1, a2 and a3 of the formula.
fn differences([i1, i2, i3]: Vec3) -> Vec3 {
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
    pub fn principal_in_frame<R: Real>(moments: [R; 3], frame: impl Components<R, 4>) -> Self {
        Self::new(moments.map(R::widen), frame.to_array().map(R::widen))
    }

    /// The body with this inertia tensor, row by row: it is symmetric, and what is above its diagonal is read.
    #[must_use]
    pub fn tensor<R: Real>(rows: [[R; 3]; 3]) -> Self {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = rows.map(|row| row.map(R::widen));
        let (moments, frame) = principal_axes([xx, yy, zz], [yz, xz, xy]);
        Self::new(moments, frame)
    }

    fn new(moments: Vec3, frame: Quat) -> Self {
        let largest = moments.iter().fold(0.0, |most, &x| larger(most, x));
        let proper = 0.0 < largest && moments.iter().all(|x| x.is_finite());
        let (moments, largest) = if proper { (moments, largest) } else { ([1.0; 3], 1.0) };
        // A power of two changes no digit.
        let unit = power_of_two(largest);
        let moments = moments.map(|x| larger(x / unit, (largest / unit) * THINNEST));
        let [x, y, z] = moments;
        let (first, back) =
            if x <= y && x <= z { (2, 1) } else { (u8::from(z < y), 2 * u8::from(z < y)) };
        let moments = cycled(moments, first);
        // In a unit in which a1 or a3, the larger one, is a power of two too: the product of both then has no
        // rounding, which would be the same in every step, so that energy would be gained or lost.
        let [a1, _, a3] = differences(moments);
        let sharpest = larger(a1.abs(), a3.abs());
        let sphere = sharpest == 0.0;
        let steepest = power_of_two(sharpest);
        let moments = if sphere { moments } else { moments.map(|x| x * (sharpest / steepest)) };
        let [mut a1, a2, mut a3] = differences(moments);
        if a3.abs() < a1.abs() {
            a1 = -steepest;
        } else if !sphere {
            a3 = steepest;
        }
        let frame = of_length_one(frame);
        let (b1, b3) = (1.0 / moments[0], 1.0 / moments[2]);
        Self {
            constants: BodyConstants { a: [a1, a2, a3], b1, b3, beta: 0.0 },
            moments,
            steepest,
            widest: larger(b1 * b1, b3 * b3),
            first,
            back,
            frame,
            framed: frame[..3] != [0.0; 3],
            sphere,
        }
    }
}

/// Principal moments and axes of a tensor, given by its diagonal and by the products of inertia opposite of
/// each axis: yz, xz, xy. Jacobi's rotations.
fn principal_axes(moments: Vec3, others: Vec3) -> (Vec3, Quat) {
    let mut frame = [0.0, 0.0, 0.0, 1.0];
    let largest = moments.iter().chain(&others).fold(0.0, |most, x| larger(most, x.abs()));
    let unit = power_of_two(largest);
    let (mut moments, mut others) = (moments.map(|x| x / unit), others.map(|x| x / unit));
    // A rotation about each axis in turn makes the product of the other two axes vanish.
    for (axis, p, q) in [[(2, 0, 1), (0, 1, 2), (1, 2, 0)]; SWEEPS].into_iter().flatten() {
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
    (moments, frame)
}
