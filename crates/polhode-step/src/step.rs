//! The step of a body: which terms, how many short steps, and to the world and back.

use crate::arithmetic::{larger, sqrt};
use crate::formula::{BodyConstants, ExactIncrement, LONG, MomentumConstants, SHORT, TINY};
use crate::inertia::{cycled, power_of_two};
use crate::vector::{Quat, Vec3, add, largest, moved, of_length_one, product, square, turned};
use crate::{Float, Inertia, QuaternionLike, VectorLike};

/// Up to which length a step is done at once, as [`Float::LIMITS`]. For the bodies that there are in the world that
/// is a radian or more.
const LONGEST: [f64; 2] = [0.96, 4.0];

/// A step is done in at most this many parts.
const PARTS: u16 = 1024;

/// Momenta of these sizes, and times below the latter, need no unit of their own: sixth powers are in range.
const RANGE: [f64; 2] = [1e-40, 1e40];

/// Moves a free body on by the time `dt`: its angular velocity, in the coordinates of the world, and its
/// rotation, a unit quaternion that takes vectors of the body to the world.
///
/// This replaces the gyroscopic term and the integration of the rotation; what torques and contacts do to the
/// angular velocity comes before or after. `dt` may be negative.
///
/// A step of up to about a radian is done at once, a longer one in equal parts of half a radian or so, at most 1024.
/// What would take more, a hundred turns or so, is cut short there: energy and momentum are right, the rotation
/// is not.
///
/// The result is finite for all that is. A quaternion that is not of length one is first brought closer to it (within
/// half a percent, to the square of what it lacks) or made so (beyond); of length zero it is taken as no rotation. A
/// body with a number that is not finite stays as it is. Only a sphere that turns by less than a short step (0.7 rad
/// in `f32`, 0.17 in `f64`) keeps the length of its quaternion, and one that is not finite becomes NaN.
#[inline]
pub fn step<R: Float>(
    inertia: &Inertia,
    angular_velocity: &mut impl VectorLike<R>,
    rotation: &mut impl QuaternionLike<R>,
    dt: R,
) {
    run::<R, true>(inertia, angular_velocity, rotation, dt);
}

/// Moves a free body on as [`step`] does, with its angular velocity in the coordinates of the body, which is cheaper.
#[inline]
pub fn step_body<R: Float>(
    inertia: &Inertia,
    angular_velocity: &mut impl VectorLike<R>,
    rotation: &mut impl QuaternionLike<R>,
    dt: R,
) {
    run::<R, false>(inertia, angular_velocity, rotation, dt);
}

#[inline(always)]
fn run<R: Float, const WORLD: bool>(
    inertia: &Inertia,
    angular_velocity: &mut impl VectorLike<R>,
    rotation: &mut impl QuaternionLike<R>,
    dt: R,
) {
    let start = read::<R>(angular_velocity, rotation);
    if start.0 == [0.0; 3] {
        return;
    }
    if inertia.steepest == 0.0
        && let Some(q) = spin::<WORLD>(start, dt.into(), R::LIMITS[1][1])
    {
        *rotation = QuaternionLike::from_array(q.map(R::narrow));
    } else {
        free::<R, WORLD>(inertia, angular_velocity, rotation, dt);
    }
}

/// Angular velocity and rotation: what a step changes.
type SpinAndTurn = (Vec3, Quat);

/// One short step of a sphere: its rotation.
#[inline(always)]
fn spin<const WORLD: bool>(([x, y, z], q): SpinAndTurn, h: f64, most: f64) -> Option<Quat> {
    let u = (x * x + y * y + z * z) * (h * h);
    // The sine of half the angle over the angle, and the cosine.
    let tail = 1.0 / 3840.0 + u * (-1.0 / 645120.0 + u * (1.0 / 185794560.0));
    let sine = 0.5 + u * (-1.0 / 48.0 + u * tail);
    let (scale, cosine) = (h * sine, sqrt(1.0 - u * (sine * sine)));
    let turn = [x * scale, y * scale, z * scale, cosine];
    // About an axis of the world the rotation comes last.
    (u <= most).then(|| if WORLD { product(turn, q) } else { product(q, turn) })
}

#[inline(always)]
fn read<R: Float>(
    angular_velocity: &impl VectorLike<R>,
    rotation: &impl QuaternionLike<R>,
) -> SpinAndTurn {
    ((*angular_velocity).into().map(Into::into), rotation.to_array().map(Into::into))
}

/// The step of a body that is no sphere, or turns far.
#[inline(never)]
fn free<R: Float, const WORLD: bool>(
    body: &Inertia,
    omega: &mut impl VectorLike<R>,
    q: &mut impl QuaternionLike<R>,
    dt: R,
) {
    let quick = tumble::<R, WORLD, false>(read(omega, q), body, dt.into()).ok();
    if let Some(end) = quick.or_else(|| slowly::<R, WORLD>(read(omega, q), body, dt.into())) {
        let mut dice = 0;
        *q = QuaternionLike::from_array(rounded(end.1, &mut dice));
        *omega = rounded(end.0, &mut dice).into();
    }
}

/// Numbers rounded up or down, as the dice fall: either with the probability that makes the mean right. The dice
/// are the bits of the numbers themselves, scrambled, so that the same step always has the same result.
///
/// Rounded to the nearest, the small changes of a slow spin would be lost at some phases of its motion and
/// doubled at others, and its energy would drift.
#[inline(always)]
fn rounded<R: Float, const N: usize>(numbers: [f64; N], dice: &mut u64) -> [R; N] {
    numbers.map(|x| {
        // A multiplier of Steele and Vigna, Software: Practice and Experience 52 (2022).
        *dice = (*dice ^ x.to_bits()).wrapping_mul(0xd134_2543_de82_ef95);
        let bits = x.to_bits().wrapping_add(*dice >> 35 & R::SPARE);
        R::narrow(f64::from_bits(bits & !R::SPARE))
    })
}

/// A step of up to a radian or so; else the square of how many times too long it is, or NaN where numbers need a
/// unit of their own, or are not finite, or the quaternion has no direction.
#[inline(always)]
fn tumble<R: Float, const WORLD: bool, const FRAMED: bool>(
    (world, q): SpinAndTurn,
    body: &Inertia,
    h: f64,
) -> Result<SpinAndTurn, f64> {
    let lack = 1.0 - square(q);
    // Of length one, but for the square of what it lacks.
    let q = q.map(|x| x * (1.0 + lack * 0.5));
    let axes = if FRAMED { product(q, body.frame) } else { q };
    // From where the angular velocity is given to the principal axes.
    let outer = if WORLD { axes } else { body.frame };
    let along = if WORLD || FRAMED { turned(outer, -1.0, world) } else { world };
    let omega = cycled(along, body.first);
    let m: Vec3 = core::array::from_fn(|i| body.moments[i] * omega[i]);
    let size = m[0].abs() + m[1].abs() + m[2].abs();
    let usual = lack.abs() < 0.01 && RANGE[0] < size && size < RANGE[1] && h.abs() < RANGE[1];
    if !(usual && (FRAMED || !body.framed && body.steepest != 0.0)) {
        return Err(f64::NAN);
    }

    let constants = MomentumConstants::new(&body.constants, m, m[0] * m[0] - m[2] * m[2]);
    // Of constants of the motion, so that equal parts of a step are alike: at least A1, A3 and w, whichever the
    // gauge axis.
    let bend = body.steepest * larger(constants.t[0].abs(), constants.t[1].abs()) * (h * h);
    let turn = body.widest * (constants.g2 * (h * h));
    let [tiny, short] = R::LIMITS;
    let increment = if bend < tiny[0] && turn < tiny[1] {
        constants.short_step::<TINY>(h, 0.0)
    } else if bend <= short[0] && turn <= short[1] {
        constants.short_step::<SHORT>(h, 1.0)
    } else if bend <= LONGEST[0] && turn <= LONGEST[1] {
        doubled_step(&body.constants, m, h, larger(bend / short[0], turn / short[1]))
    } else {
        return Err(larger(bend / LONGEST[0], turn / LONGEST[1]));
    };

    // All that is added is small, and rounded like what is small; only the sums are rounded in full.
    // Divided by the moments: an inverse is rounded, and the same in every step.
    let [w, x, y, z] = increment.r;
    let mut change = core::array::from_fn(|i| increment.d[i] / body.moments[i]);
    if WORLD {
        change = add(change, moved([x, y, z], 1.0 + w, add(omega, change)));
    }
    let change = cycled(change, 3 - body.first);
    let change = if WORLD || FRAMED { turned(outer, 1.0, change) } else { change };
    let axis = cycled([x, y, z], 3 - body.first);
    let [x, y, z] = if FRAMED { turned(body.frame, 1.0, axis) } else { axis };
    let omega = if FRAMED && body.steepest == 0.0 { world } else { add(world, change) };
    Ok((omega, add(q, product(q, [x, y, z, w]))))
}

/// A step that is not short, by its square: halved until it is, and doubled again.
#[inline(never)]
fn doubled_step(
    body: &BodyConstants<f64>,
    m: Vec3,
    mut h: f64,
    mut square: f64,
) -> ExactIncrement<f64> {
    let ([m1, m2, m3], [a1, _, a3], half) = (m, body.a, h * 0.5);
    // The gauge axis is the one that the middle of the step is farther from.
    let (n1, n3) = (m1 + half * (a1 * m2 * m3), m3 + half * (a3 * m1 * m2));
    let constants = MomentumConstants::new(body, m, n1 * n1 - n3 * n3);
    let mut doublings = 0;
    while 1.0 < square {
        (square, h, doublings) = (square * 0.25, h * 0.5, doublings + 1);
    }
    let (mut s, mut half) = constants.begin::<SHORT>(h, 1.0);
    for _ in 0..doublings {
        (s, half) = constants.twice(s, half);
    }
    constants.finish::<LONG>(s, half, 1.0)
}

/// Any step: long ones in parts, bodies with a frame, and numbers that need a unit of their own. None if one is not
/// finite.
#[inline(never)]
fn slowly<R: Float, const WORLD: bool>(
    motion: SpinAndTurn,
    body: &Inertia,
    h: f64,
) -> Option<SpinAndTurn> {
    let attempt = |motion, h| tumble::<R, WORLD, true>(motion, body, h);
    let ((mut omega, mut q), mut h, mut power) = (motion, h, 1.0);
    let mut end = attempt(motion, h);
    if end.is_err_and(f64::is_nan) {
        if !(q.iter().chain(&omega).all(|x| x.is_finite()) && h.is_finite()) {
            return None;
        }
        q = of_length_one(q);
        // A power of two whose inverse is in range.
        power = power_of_two(largest(&omega)).min(1.0 / f64::MIN_POSITIVE);
        omega = omega.map(|x| x / power);
        h = (h * power).clamp(-0.5 * RANGE[1], 0.5 * RANGE[1]);
        end = attempt((omega, q), h);
    }
    if let Err(square) = end {
        // Twice as many as it takes: rounding grows faster than the length of a part.
        let length = 2.0 * sqrt(square);
        let count = (1..PARTS).find(|n| length < f64::from(*n)).unwrap_or(PARTS);
        let part = h / larger(f64::from(count), length);
        end = Ok((0..count).fold((omega, q), |motion, _| attempt(motion, part).unwrap_or(motion)));
    }
    end.ok().map(|(omega, q)| (omega.map(|x| x * power), q))
}
