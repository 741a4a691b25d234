//! What a step needs of a body.

use crate::arithmetic::{larger, sqrt};
use crate::formula::BodyConstants;
use crate::vector::{Quat, Vec3, largest, of_length_one, product};
use crate::{Float, QuaternionLike};

/// The inertia of a body, made ready for its steps: once, when the body is made.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// Of its axes in the order of the formula, whose second is that of the least moment: so the angles that
    /// the formula computes with are not much larger than what the body turns by.
    pub(crate) constants: BodyConstants<f64>,
    pub(crate) moments: Vec3,
    /// The larger one of |a1| and |a3|: zero for a sphere, which has nothing of a gyroscope.
    pub(crate) steepest: f64,
    /// The larger one of b1² and b3².
    pub(crate) widest: f64,
    /// Which principal axis is the first of the formula.
    pub(crate) first: u8,
    /// From the principal axes to the body's.
    pub(crate) frame: Quat,
    /// Whether they differ.
    pub(crate) framed: bool,
}

/// The power of two at or below a positive number, but not below the smallest normal one.
pub(crate) fn power_of_two(x: f64) -> f64 {
    larger(f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000), f64::MIN_POSITIVE)
}

/// A vector beginning with another axis.
#[inline(always)]
pub(crate) fn cycled([x, y, z]: Vec3, first: u8) -> Vec3 {
    match first {
        1 => [y, z, x],
        2 => [z, x, y],
        _ => [x, y, z],
    }
}

impl Inertia {
    /// The body with these principal moments about its own axes.
    ///
    /// Only ratios matter. A moment below a millionth of the largest, zero or negative is taken as no less than the
    /// difference of the other two, as that of every real body is, and no less than 1e-30 of the largest. If none is
    /// positive, or one is not finite, the body turns at its angular velocity and nothing else, as a sphere does: for
    /// an axis that an engine locks, that is what to give.
    pub fn principal<R: Float>(moments: [R; 3]) -> Self {
        Self::new((moments.map(Into::into), [0.0, 0.0, 0.0, 1.0]))
    }

    /// The body whose principal axes are turned by `frame` in it: a vector along the principal axes, turned by
    /// it, is that vector in the body's own coordinates.
    pub fn principal_in_frame<R: Float>(moments: [R; 3], frame: impl QuaternionLike<R>) -> Self {
        Self::new((moments.map(Into::into), frame.to_array().map(Into::into)))
    }

    /// The body with this inertia tensor, row by row: it is symmetric, and what is above its diagonal is read.
    pub fn tensor<R: Float>(rows: [[R; 3]; 3]) -> Self {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = rows.map(|row| row.map(Into::into));
        Self::new(principal_axes([xx, yy, zz], [yz, xz, xy]))
    }

    fn new((moments, frame): (Vec3, Quat)) -> Self {
        let most = moments.iter().fold(0.0, |most, &x| larger(most, x));
        let proper = 0.0 < most && moments.iter().all(|x| x.is_finite());
        let (moments, most) = if proper { (moments, most) } else { ([1.0; 3], 1.0) };
        // A power of two changes no digit.
        let unit = power_of_two(most);
        let [x, y, z] = moments.map(|x| larger(x / unit, (most / unit) * 1e-30));
        // Beside moments that differ by a rounding, one that is lost in it would be spun up to any speed.
        let thick = |i, j: f64, k: f64| if i < 1e-6 { larger(i, (j - k).abs()) } else { i };
        let [x, y, z] = [thick(x, y, z), thick(y, z, x), thick(z, x, y)];
        let first = if x <= y && x <= z { 2 } else { u8::from(z < y) };
        let moments = cycled([x, y, z], first);
        let [i1, i2, i3] = moments;
        let [b1, b2, b3] = [1.0 / i1, 1.0 / i2, 1.0 / i3];
        let a = [(i2 - i3) * (b2 * b3), (i3 - i1) * (b3 * b1), (i1 - i2) * (b1 * b2)];
        let frame = of_length_one(frame);
        let (framed, constants) = (frame[..3] != [0.0; 3], BodyConstants { a, b1, b3 });
        let (steepest, widest) = (larger(a[0].abs(), a[2].abs()), larger(b1 * b1, b3 * b3));
        Self { constants, moments, steepest, widest, first, frame, framed }
    }
}

/// Principal moments and axes of a tensor, given by its diagonal and by the products of inertia opposite of
/// each axis: yz, xz, xy. Jacobi's rotations.
fn principal_axes(moments: Vec3, others: Vec3) -> (Vec3, Quat) {
    let mut frame = [0.0, 0.0, 0.0, 1.0];
    let unit = power_of_two(larger(largest(&moments), largest(&others)));
    let (mut moments, mut others) = (moments.map(|x| x / unit), others.map(|x| x / unit));
    // A rotation about each axis in turn makes the product of the other two axes vanish: twelve times, more often
    // than a symmetric matrix of three rows ever needs.
    for (axis, p, q) in [[(2, 0, 1), (0, 1, 2), (1, 2, 0)]; 12].into_iter().flatten() {
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
