//! The step of a body: which terms, how many short steps, and to the world and back.

use crate::arithmetic::sqrt;
use crate::formula::{
    BodyConstants, Increment, LONG, MomentumConstants, SHORT, TINY, begin, circular, finish,
    short_step, twice,
};
use crate::inertia::{cycled, larger, power_of_two};
use crate::vector::{Quat, Vec3, add, inverse, moved, of_length_one, product, square, turned};
use crate::{Components, Inertia, Real};

/// Up to which length a step is done at once, as [`Real::LIMITS`]. For the bodies that there are in the world that
/// is a radian or more.
const LONGEST: [f64; 2] = [0.96, 4.0];

/// A step is done in at most this many parts.
const PARTS: f64 = 1024.0;

/// Momenta of these sizes, and times below the latter, need no unit of their own: sixth powers are in range.
const RANGE: [f64; 2] = [1e-40, 1e40];

/// Moves a free body on by the time `dt`: its angular velocity, in the coordinates of the world, and its
/// rotation, a unit quaternion that takes vectors of the body to the world.
///
/// This replaces the gyroscopic term and the integration of the rotation; what torques and contacts do to the
/// angular velocity comes before or after. `dt` may be negative.
///
/// A step of up to about a radian is done at once, a longer one in as many equal parts as it takes, at most 1024.
/// What would take more, a hundred turns and more, is cut short there: energy and momentum are right, the rotation
/// is not.
///
/// The result is finite for all that is. A quaternion that is not of length one is first made so; of length
/// zero it is taken as no rotation. A body with a number that is not finite stays as it is.
#[inline]
pub fn step<R: Real>(
    inertia: &Inertia,
    angular_velocity: &mut impl Components<R, 3>,
    rotation: &mut impl Components<R, 4>,
    dt: R,
) {
    run::<R, true>(inertia, angular_velocity, rotation, dt);
}

/// The same for an engine that keeps the angular velocity in the coordinates of the body, which is cheaper.
#[inline]
pub fn step_body<R: Real>(
    inertia: &Inertia,
    angular_velocity: &mut impl Components<R, 3>,
    rotation: &mut impl Components<R, 4>,
    dt: R,
) {
    run::<R, false>(inertia, angular_velocity, rotation, dt);
}

#[inline(always)]
fn run<R: Real, const WORLD: bool>(
    inertia: &Inertia,
    angular_velocity: &mut impl Components<R, 3>,
    rotation: &mut impl Components<R, 4>,
    dt: R,
) {
    let omega = angular_velocity.to_array().map(R::widen);
    if omega == [0.0; 3] {
        return;
    }
    let start = Motion { omega, q: rotation.to_array().map(R::widen) };
    let h = dt.widen();
    if inertia.sphere
        && let Some(q) = start.spin::<WORLD>(h, &R::LIMITS)
    {
        *rotation = Components::from_array(q.map(R::narrow));
        return;
    }
    let quick = if inertia.framed || inertia.sphere {
        Err(f64::NAN)
    } else {
        start.tumble::<WORLD, false>(inertia, h, &R::LIMITS)
    };
    let end = quick.unwrap_or_else(|_| start.slowly::<WORLD>(inertia, h, &R::LIMITS));
    *rotation = Components::from_array(end.q.map(R::narrow));
    if !inertia.sphere {
        let omega = end.omega.map(|x| R::narrow(x.clamp(-R::MOST, R::MOST)));
        *angular_velocity = Components::from_array(omega);
    }
}

/// What a step changes.
#[derive(Clone, Copy)]
struct Motion {
    omega: Vec3,
    q: Quat,
}

impl Motion {
    /// One short step of a sphere: its rotation.
    #[inline(always)]
    fn spin<const WORLD: bool>(&self, h: f64, [tiny, short]: &[[f64; 2]; 2]) -> Option<Quat> {
        let [x, y, z] = self.omega;
        let half = h * 0.5;
        let angle = (x * x + y * y + z * z) * (half * half);
        let lack = 1.0 - square(self.q);
        if !(angle <= 0.25 * short[1] && lack.abs() < 0.01) {
            return None;
        }
        let (sine, cosine) = if angle < 0.25 * tiny[1] {
            circular::<f64, TINY>(angle, 0.0)
        } else {
            circular::<f64, SHORT>(angle, 1.0)
        };
        let scale = half + half * (angle * sine);
        let turn = [x * scale, y * scale, z * scale, angle * cosine + lack * 0.5];
        // About an axis of the world the rotation comes last.
        let change = if WORLD { product(turn, self.q) } else { product(self.q, turn) };
        Some(add(self.q, change))
    }

    /// A step of up to a radian or so; else the square of how many times too long it is, or NaN where numbers need
    /// a unit of their own, or are not finite, or the quaternion is none.
    #[inline(always)]
    fn tumble<const WORLD: bool, const FRAMED: bool>(
        self,
        body: &Inertia,
        h: f64,
        limits: &[[f64; 2]; 2],
    ) -> Result<Self, f64> {
        let lack = 1.0 - square(self.q);
        let axes = if FRAMED { product(self.q, body.frame) } else { self.q };
        let mut omega = self.omega;
        if WORLD {
            omega = turned(inverse(axes), omega);
        } else if FRAMED {
            omega = turned(inverse(body.frame), omega);
        }
        let omega = cycled(omega, body.first);
        let m: Vec3 = core::array::from_fn(|i| body.moments[i] * omega[i]);
        let size = m[0].abs() + m[1].abs() + m[2].abs();
        if !(lack.abs() < 0.01 && RANGE[0] < size && size < RANGE[1] && h.abs() < RANGE[1]) {
            return Err(f64::NAN);
        }

        let constants = MomentumConstants::new(&body.constants, m, m);
        // Of constants of the motion, so that equal parts of a step are alike: at least A1, A3 and w, whichever
        // the gauge axis.
        let bend = body.steepest * larger(constants.t1.abs(), constants.t3.abs()) * (h * h);
        let turn = body.widest * (constants.g2 * (h * h));
        let increment = if bend < limits[0][0] && turn < limits[0][1] {
            short_step::<f64, TINY>(&body.constants, m, h, &constants, 0.0)
        } else if bend <= limits[1][0] && turn <= limits[1][1] {
            short_step::<f64, SHORT>(&body.constants, m, h, &constants, 1.0)
        } else if bend <= LONGEST[0] && turn <= LONGEST[1] {
            doubled_step(&body.constants, m, h, larger(bend / limits[1][0], turn / limits[1][1]))
        } else {
            return Err(larger(bend / LONGEST[0], turn / LONGEST[1]));
        };

        // All that is added is small, and rounded like what is small; only the sums are rounded in full.
        // Divided by the moments: an inverse is rounded, and the same in every step.
        let [w, x, y, z] = increment.r;
        let mut change = core::array::from_fn(|i| increment.d[i] / body.moments[i]);
        if WORLD {
            change = add(change, moved([x, y, z, 1.0 + w], add(omega, change)));
        }
        let mut change = cycled(change, body.back);
        let mut axis = cycled([x, y, z], body.back);
        if WORLD {
            change = turned(axes, change);
        } else if FRAMED {
            change = turned(body.frame, change);
        }
        if FRAMED {
            axis = turned(body.frame, axis);
        }
        // What the length lacks is made up for in the same sum, to first order.
        let turning = product(self.q, [axis[0], axis[1], axis[2], w + lack * 0.5]);
        Ok(Self { omega: add(self.omega, change), q: add(self.q, turning) })
    }

    /// Any step: long ones, bodies with a frame, and numbers that need a unit of their own.
    #[inline(never)]
    fn slowly<const WORLD: bool>(
        mut self,
        body: &Inertia,
        mut h: f64,
        limits: &[[f64; 2]; 2],
    ) -> Self {
        let attempt = |motion: Self, h| motion.tumble::<WORLD, true>(body, h, limits);
        let mut power = 1.0;
        let mut end = attempt(self, h);
        if matches!(end, Err(square) if square.is_nan()) {
            if !(self.q.iter().chain(&self.omega).all(|x| x.is_finite()) && h.is_finite()) {
                return self;
            }
            self.q = of_length_one(self.q);
            let fastest = self.omega.iter().fold(0.0, |most, x| larger(most, x.abs()));
            // Its inverse is in range.
            power = power_of_two(fastest).clamp(0.0, 1.0 / f64::MIN_POSITIVE);
            self.omega = self.omega.map(|x| x / power);
            h = (h * power).clamp(-0.5 * RANGE[1], 0.5 * RANGE[1]);
            end = attempt(self, h);
        }
        if let Err(square) = end {
            // A little more, lest rounding makes a part too long.
            let length = 1.0001 * sqrt(square);
            let count = if length < PARTS { length as u16 + 1 } else { PARTS as u16 };
            let part = h / larger(f64::from(count), length);
            for _ in 0..count {
                self = attempt(self, part).unwrap_or(self);
            }
            end = Ok(self);
        }
        let end = end.unwrap_or(self);
        Self { omega: end.omega.map(|x| x * power), ..end }
    }
}

/// A step that is not short, by its square: halved until it is, and doubled again.
#[inline(never)]
fn doubled_step(body: &BodyConstants<f64>, m: Vec3, mut h: f64, mut square: f64) -> Increment<f64> {
    let ([m1, m2, m3], [a1, a2, a3], half) = (m, body.a, h * 0.5);
    let middle =
        [m1 + half * (a1 * m2 * m3), m2 + half * (a2 * m3 * m1), m3 + half * (a3 * m1 * m2)];
    let constants = MomentumConstants::new(body, m, middle);
    let mut doublings = 0;
    while 1.0 < square {
        (square, h, doublings) = (square * 0.25, h * 0.5, doublings + 1);
    }
    let mut phase = begin::<f64, SHORT>(body, h, &constants, 1.0);
    for _ in 0..doublings {
        phase = twice(&constants, phase);
    }
    finish::<f64, LONG>(body, m, &constants, phase, 1.0)
}
