//! The step of a body: which terms, how many short steps, and to the world and back.

use crate::arithmetic::{Limits, sqrt, within};
use crate::formula::{MomentumConstants, circular, short_step};
use crate::inertia::{larger, power_of_two};
use crate::vector::{
    Quat, Vec3, add, advanced, lack, longer_by, moved, of_length_one, over, product, times, turned,
    turned_back,
};
use crate::{Inertia, Quaternion, Real, Vector};

/// A step is done in at most this many short ones.
const MOST: u16 = 4096;

/// Momenta of these sizes, and times below the latter, need no unit of their own: sixth powers are in range.
const RANGE: [f64; 2] = [1e-40, 1e40];

/// Moves a free body on by the time `dt`: its angular velocity, in the coordinates of the world, and its
/// rotation, a unit quaternion that takes vectors of the body to the world.
///
/// This replaces the gyroscopic term and the integration of the rotation; what torques and contacts do to the
/// angular velocity comes before or after. `dt` may be negative.
///
/// A step of up to a third of a radian or so (`f32`; `f64`: a tenth) is done at once, a longer one in as many
/// equal parts as it takes, at most 4096. What would take more, dozens of turns, is cut short there: energy
/// and momentum are right, the rotation is not.
///
/// The result is finite for all that is. A quaternion that is not of length one is first made so; of length
/// zero it is taken as no rotation. A body with a number that is not finite stays as it is.
#[inline]
pub fn step<R: Real>(
    inertia: &Inertia,
    angular_velocity: &mut impl Vector<R>,
    rotation: &mut impl Quaternion<R>,
    dt: R,
) {
    run::<R, true>(inertia, angular_velocity, rotation, dt);
}

/// The same for an engine that keeps the angular velocity in the coordinates of the body, which is cheaper.
#[inline]
pub fn step_body<R: Real>(
    inertia: &Inertia,
    angular_velocity: &mut impl Vector<R>,
    rotation: &mut impl Quaternion<R>,
    dt: R,
) {
    run::<R, false>(inertia, angular_velocity, rotation, dt);
}

#[inline(always)]
fn run<R: Real, const WORLD: bool>(
    inertia: &Inertia,
    angular_velocity: &mut impl Vector<R>,
    rotation: &mut impl Quaternion<R>,
    dt: R,
) {
    let [x, y, z] = angular_velocity.to_array();
    let omega = [x.widen(), y.widen(), z.widen()];
    if omega == [0.0; 3] {
        return;
    }
    let [x, y, z, w] = rotation.to_array();
    let start = Motion { omega, q: [x.widen(), y.widen(), z.widen(), w.widen()] };
    let h = dt.widen();
    if inertia.sphere {
        if let Some([x, y, z, w]) = start.spin::<WORLD>(h, &R::LIMITS, 1.0) {
            *rotation =
                Quaternion::from_array([R::narrow(x), R::narrow(y), R::narrow(z), R::narrow(w)]);
            return;
        }
    } else if !inertia.framed
        && let Attempt::Done(end) = start.tumble::<WORLD, false>(inertia, h, &R::LIMITS, 1.0)
    {
        end.write(angular_velocity, rotation);
        return;
    }
    start.rarely::<WORLD>(inertia, h, &R::LIMITS).write(angular_velocity, rotation);
}

/// What a step changes.
#[derive(Clone, Copy)]
struct Motion {
    omega: Vec3<f64>,
    q: Quat<f64>,
}

/// What became of an attempt at one short step.
enum Attempt {
    Done(Motion),
    /// The square of how many times too long it is.
    TooLong(f64),
    /// Numbers that need a unit of their own, or are not finite, or a quaternion that is none.
    Unusual,
}

impl Motion {
    #[inline(always)]
    fn write<R: Real>(&self, omega: &mut impl Vector<R>, rotation: &mut impl Quaternion<R>) {
        let [x, y, z] = self.omega;
        let most = R::LIMITS.most;
        let [x, y, z] = [within(x, most), within(y, most), within(z, most)];
        *omega = Vector::from_array([R::narrow(x), R::narrow(y), R::narrow(z)]);
        let [x, y, z, w] = self.q;
        *rotation =
            Quaternion::from_array([R::narrow(x), R::narrow(y), R::narrow(z), R::narrow(w)]);
    }

    /// Any step: long ones, bodies with a frame, and numbers that need a unit of their own.
    #[inline(never)]
    fn rarely<const WORLD: bool>(self, inertia: &Inertia, h: f64, limits: &Limits) -> Self {
        match self.attempt::<WORLD>(inertia, h, limits, 1.0) {
            Attempt::Done(end) => end,
            Attempt::TooLong(square) => self.divided::<WORLD>(inertia, h, limits, square),
            Attempt::Unusual => self.unusual::<WORLD>(inertia, h, limits),
        }
    }

    /// One short step, if the square of its length is no more than allowed.
    #[inline(never)]
    fn attempt<const WORLD: bool>(
        self,
        inertia: &Inertia,
        h: f64,
        limits: &Limits,
        allowed: f64,
    ) -> Attempt {
        if inertia.sphere {
            match self.spin::<WORLD>(h, limits, allowed) {
                Some(q) => Attempt::Done(Self { q, ..self }),
                None => Attempt::TooLong(self.turn(h) / limits.short[1]),
            }
        } else if inertia.framed {
            self.tumble::<WORLD, true>(inertia, h, limits, allowed)
        } else {
            self.tumble::<WORLD, false>(inertia, h, limits, allowed)
        }
    }

    /// One short step of a body that is no sphere.
    #[inline(always)]
    fn tumble<const WORLD: bool, const FRAMED: bool>(
        self,
        body: &Inertia,
        h: f64,
        limits: &Limits,
        allowed: f64,
    ) -> Attempt {
        let lack = lack(self.q);
        let axes = if FRAMED { product(self.q, body.frame) } else { self.q };
        let mut omega = self.omega;
        if WORLD {
            omega = turned_back(axes, omega);
        } else if FRAMED {
            omega = turned_back(body.frame, omega);
        }
        let omega = body.in_order(omega);
        let m = times(body.moments, omega);
        let size = m[0].abs() + m[1].abs() + m[2].abs();
        if !(lack.abs() < 0.01 && RANGE[0] < size && size < RANGE[1] && h.abs() < RANGE[1]) {
            return Attempt::Unusual;
        }

        let constants = MomentumConstants::new(&body.constants, m);
        // Of constants of the motion, so that equal parts of a step are alike: at least A1, A3 and w, whichever
        // the gauge axis.
        let bend = body.steepest * larger(constants.t1.abs(), constants.t3.abs()) * (h * h);
        let turn = body.widest * (constants.g2 * (h * h));
        let increment = if bend < limits.tiny[0] && turn < limits.tiny[1] {
            short_step::<f64, true>(&body.constants, m, h, &constants, 0.0)
        } else {
            if allowed * limits.short[0] < bend || allowed * limits.short[1] < turn {
                return Attempt::TooLong(larger(bend / limits.short[0], turn / limits.short[1]));
            }
            short_step::<f64, false>(&body.constants, m, h, &constants, 1.0)
        };

        // All that is added is small, and rounded like what is small; only the sums are rounded in full.
        // Divided by the moments: an inverse is rounded, and the same in every step.
        let [w, x, y, z] = increment.r;
        let mut change = over(increment.d, body.moments);
        if WORLD {
            change = add(change, moved([x, y, z], 1.0 + w, add(omega, change)));
        }
        let mut change = body.in_place(change);
        let mut axis = body.in_place([x, y, z]);
        if WORLD {
            change = turned(axes, change);
        } else if FRAMED {
            change = turned(body.frame, change);
        }
        if FRAMED {
            axis = turned(body.frame, axis);
        }
        let q = advanced(self.q, product(self.q, longer_by(axis, w, lack)));
        Attempt::Done(Self { omega: add(self.omega, change), q })
    }

    /// One short step of a sphere: its rotation.
    #[inline(always)]
    fn spin<const WORLD: bool>(&self, h: f64, limits: &Limits, allowed: f64) -> Option<Quat<f64>> {
        let half = h * 0.5;
        let [x, y, z] = self.omega;
        let (x, y, z) = (x * half, y * half, z * half);
        let square = x * x + y * y + z * z;
        let (sine, cosine) = if square < 0.25 * limits.tiny[1] {
            circular::<f64, true>(square, 0.0)
        } else if square <= allowed * (0.25 * limits.short[1]) {
            circular::<f64, false>(square, 1.0)
        } else {
            return None;
        };
        let factor = square * sine;
        let turn = [x + x * factor, y + y * factor, z + z * factor, square * cosine];
        // About an axis of the world the rotation comes last.
        let change = if WORLD { product(turn, self.q) } else { product(self.q, turn) };
        // A quaternion of any length keeps it, but for those that would be infinite.
        let ([x, y, z, w], most) = (advanced(self.q, change), limits.most);
        Some([within(x, most), within(y, most), within(z, most), within(w, most)])
    }

    /// The square of the angle that a sphere turns by.
    fn turn(&self, h: f64) -> f64 {
        let [x, y, z] = self.omega.map(|x| x * h);
        x * x + y * y + z * z
    }

    /// A long step, in parts.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    fn divided<const WORLD: bool>(
        mut self,
        inertia: &Inertia,
        dt: f64,
        limits: &Limits,
        square: f64,
    ) -> Self {
        let length = sqrt(square);
        let count = if length < f64::from(MOST) { length as u16 + 1 } else { MOST };
        let part = dt / larger(f64::from(count), length);
        for _ in 0..count {
            // Rounding may make a part a little longer than the limit, but never twice as long.
            if let Attempt::Done(end) = self.attempt::<WORLD>(inertia, part, limits, 2.0) {
                self = end;
            }
        }
        self
    }

    /// What needs a unit of its own.
    #[cold]
    #[inline(never)]
    fn unusual<const WORLD: bool>(mut self, inertia: &Inertia, dt: f64, limits: &Limits) -> Self {
        if !(self.q.iter().chain(&self.omega).all(|x| x.is_finite()) && dt.is_finite()) {
            return self;
        }
        self.q = of_length_one(self.q);
        let [x, y, z] = self.omega.map(f64::abs);
        // A power of two whose inverse is in range.
        let most = 1.0 / f64::MIN_POSITIVE;
        let power = power_of_two(larger(x, larger(y, z)));
        let power = if most < power { most } else { power };
        let time = dt * power;
        let longest = if time < 0.0 { -0.5 * RANGE[1] } else { 0.5 * RANGE[1] };
        let time = if time.abs() < longest.abs() { time } else { longest };
        self.omega = self.omega.map(|x| x / power);
        let mut end = match self.attempt::<WORLD>(inertia, time, limits, 1.0) {
            Attempt::Done(end) => end,
            Attempt::TooLong(square) => self.divided::<WORLD>(inertia, time, limits, square),
            Attempt::Unusual => self,
        };
        end.omega = end.omega.map(|x| x * power);
        end
    }
}
