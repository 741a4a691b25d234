//! `gravity-gradient`: a satellite on a circular orbit.
//!
//! torque = 3 n^2 c x I c, V = (3/2) n^2 c . I c, with c the direction to the planet in the body
//! frame: the planet's field mu/r^3 (3 c c^T - 1) to first order in the size of the body, with
//! mu/r^3 = n^2. The line to the planet turns with the orbit:
//! Q c = cos(n t) a + sin(n t) (normal x a), a the direction `towards` made orthogonal to `normal`.
//! Either end of it does, for c comes in twice.
//!
//! V depends on time, so T + V is not kept; T + V - n normal . Q m (Jacobi's integral) is.
//! Nothing is subtracted but moments of inertia, along principal axes: a nearly round body has as
//! many digits as any other.
//!
//! Keys: `rate` is n, radians per time, negative for the other way round; `normal` of the orbit and
//! `towards` in space, of any length.

use glam::DVec3;
use polhode_number::vector::{Quaternion, Vector, add, cross, dot, multiply, scale, to_body};
use polhode_number::{Lift, Number, sin_cos};

use super::{Acts, Body, Key, KeyKind, KeyValue, Record, TorqueEntry, TorqueError};
use crate::solve::OrbitForm;
use crate::{Inertia, Point};

const KIND: &str = "gravity-gradient";

const RATE: Key = Key {
    name: "rate",
    doc: "Angular velocity of the orbit: radians per time, about the normal.",
    kind: KeyKind::Number { default: None },
};

const NORMAL: Key = Key {
    name: "normal",
    doc: "Normal of the orbit; space frame, any length.",
    kind: KeyKind::Direction { default: Some([0.0, 0.0, 1.0]) },
};

const TOWARDS: Key = Key {
    name: "towards",
    doc: "Direction of the body seen from the planet at t = 0; space frame, any length, not \
          parallel to the normal, made orthogonal to it.",
    kind: KeyKind::Direction { default: Some([1.0, 0.0, 0.0]) },
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "gravity gradient on a circular orbit, torque = 3 rate^2 c x I c",
    keys: &[RATE, NORMAL, TOWARDS],
    cites: &[],
    make: |given| {
        let (normal, towards) = (given.vector(&NORMAL)?, given.vector(&TOWARDS)?);
        Ok(GravityGradient::new(given.number(&RATE)?, normal, towards)?.into())
    },
};

/// Directions are parallel if the sine of their angle is no more than the rounding of a product.
const PARALLEL: f64 = 4.0 * f64::EPSILON;

/// The gravity gradient on a circular orbit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GravityGradient<N = f64> {
    rate: N,
    /// Where the line to the planet is at t = 0, and a quarter of an orbit later; in space.
    line: [Vector<N>; 2],
}

impl GravityGradient {
    /// The torque on an orbit of this angular velocity, with this normal and this direction of the
    /// body seen from the planet at t = 0 (space frame).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite, a direction is zero, or both are parallel.
    pub fn new(
        rate: f64,
        normal: impl Into<DVec3>,
        towards: impl Into<DVec3>,
    ) -> Result<Self, TorqueError> {
        let rate = RATE.admit_number(KIND, rate)?;
        let (normal, towards) = (NORMAL.admit(KIND, normal)?, TOWARDS.admit(KIND, towards)?);
        let line = orbit(normal, towards).ok_or_else(|| TorqueError::Parallel {
            kind: KIND,
            key: TOWARDS.name,
            given: KeyValue::from(towards).to_string(),
            other: NORMAL.name,
            reference: KeyValue::from(normal).to_string(),
        })?;
        Ok(Self { rate, line: line.map(|v| v.to_array()) })
    }

    /// As a frame that turns.
    pub(super) fn orbit(&self) -> OrbitForm {
        OrbitForm { rate: self.rate, line: self.line }
    }
}

impl Record for GravityGradient {
    type Over<N: Number> = GravityGradient<N>;

    const PARAMETERS: &'static [&'static str] = &["rate"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> GravityGradient<N> {
        let rate = lift.lift(self.rate);
        GravityGradient { rate, line: [lift.vector(self.line[0]), lift.vector(self.line[1])] }
    }

    fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        let largest = inertia.moments().max_element();
        let size = 3.0 * (self.rate * (self.rate * largest));
        RATE.in_range(KIND, self.rate, "itself and a moment of inertia", size)
    }
}

impl<N: Number> GravityGradient<N> {
    /// The line to the planet, in the body frame.
    #[inline(always)]
    fn planet(&self, t: N, q: Quaternion<N>) -> Vector<N> {
        let (sin, cos) = sin_cos(self.rate * t, N::splat(0.0));
        let line = add(scale(self.line[0], cos), scale(self.line[1], sin));
        to_body(q, line)
    }

    /// 3 n^2 times these moments, or differences of moments.
    #[inline(always)]
    fn weights(&self, moments: Vector<N>) -> Vector<N> {
        scale(scale(scale(moments, self.rate), self.rate), N::splat(3.0))
    }
}

/// Unit vectors in the plane: the second direction made orthogonal to the first, and a quarter turn
/// about the first from there.
fn orbit(normal: DVec3, towards: DVec3) -> Option<[DVec3; 2]> {
    let (normal, towards) = (unit(normal), unit(towards));
    let across = normal.cross(towards);
    if across.length() <= PARALLEL {
        return None;
    }
    let along = unit(across).cross(normal).normalize();
    Some([along, normal.cross(along)])
}

/// Whatever its length, which must not be zero.
fn unit(v: DVec3) -> DVec3 {
    (v / v.abs().max_element()).normalize()
}

impl<N: Number> Acts<N> for GravityGradient<N> {
    const CONSERVATIVE: bool = true;
    const DEPENDS_ON_TIME: bool = true;

    #[inline(always)]
    fn torque(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        let line = self.planet(t, at.q);
        let [x, y, z] = body.inertia.enter(line);
        let gaps = self.weights(body.inertia.gaps());
        let torque = body.inertia.leave(multiply(gaps, [y * z, z * x, x * y]));
        match body.inertia.variation(line) {
            Some(change) => add(torque, self.weights(cross(line, change))),
            None => torque,
        }
    }

    #[inline(always)]
    fn potential(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        let c = body.inertia.enter(self.planet(t, q));
        N::splat(0.5) * dot(self.weights(body.inertia.sorted_moments()), multiply(c, c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, State, so3};

    fn on(inertia: Inertia, torque: Result<GravityGradient, TorqueError>) -> Problem {
        Problem::new(inertia, tilted()).torque(torque.unwrap())
    }

    fn tilted() -> State {
        State::new([0.4, -0.3, 0.9], so3::exp(DVec3::new(0.5, -1.2, 0.8))).unwrap()
    }

    #[test]
    fn the_textbook_formula() {
        let (n, normal) = (0.3, DVec3::new(0.0, 0.6, 0.8));
        let tensor = [[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]];
        for inertia in [Inertia::principal([3.0, 1.5, 2.0]), Inertia::tensor(tensor)] {
            let inertia = inertia.unwrap();
            let problem = on(inertia, GravityGradient::new(n, normal * 7.0, [2.0, 0.0, 0.0]));
            for t in [0.0, 2.0, -40.0] {
                let from_planet = so3::exp(normal * (n * t)) * DVec3::X;
                let c = tilted().q.conjugate() * -from_planet;
                let want = c.cross(inertia.momentum(c)) * (3.0 * n * n);
                let got = problem.torque_at(t, &tilted());
                // A few roundings of 3 n^2 I.
                assert!((got - want).length() < 2e-15 * 0.27 * 3.0, "{got} {want}");
                let v = 1.5 * n * n * c.dot(inertia.momentum(c));
                let got = problem.potential(t, tilted().q).unwrap();
                assert!((got / v - 1.0).abs() < 2e-15, "{got} {v}");
            }
        }
    }

    #[test]
    fn no_torque_with_a_principal_axis_to_the_planet_nor_on_a_sphere() {
        let inertia = Inertia::principal([3.0, 1.5, 2.0]).unwrap();
        for towards in [DVec3::X, -DVec3::Y, DVec3::Z] {
            let normal = DVec3::new(towards.y, towards.z, towards.x);
            let problem = on(inertia, GravityGradient::new(2.0, normal, towards));
            let state = State::aligned([1.0, 2.0, 3.0]).unwrap();
            assert_eq!(problem.torque_at(0.0, &state), DVec3::ZERO);
            assert!(problem.torque_at(0.1, &state).length() > 0.1);
        }
        let inertia = Inertia::principal([2.0; 3]).unwrap();
        let problem = on(inertia, GravityGradient::new(2.0, DVec3::Z, DVec3::X));
        assert_eq!(problem.torque_at(0.7, &tilted()), DVec3::ZERO);
    }

    #[test]
    fn a_nearly_round_body_has_all_digits() {
        // Turned by an angle with sine 3/5 about the third axis, the moments differ by 1e-10.
        let d = 2f64.powi(-33);
        let inertia = Inertia::principal([1.0, 1.0 + d, 1.0]).unwrap();
        let problem = on(inertia, GravityGradient::new(1.0, DVec3::Z, DVec3::X));
        let turned = so3::exp(DVec3::Z * libm::asin(0.6));
        let got = problem.torque_at(0.0, &State::new([0.0; 3], turned).unwrap());
        let want = DVec3::new(0.0, 0.0, -3.0 * d * 0.6 * 0.8);
        assert!((got - want).length() < 1e-15 * want.length(), "{got} {want}");
    }

    #[test]
    fn jacobis_integral_is_kept() {
        // T + V - n normal . Q m changes by dV/dt at rest less n normal . Q torque.
        let (n, t) = (0.3, 0.7);
        let normal = DVec3::new(0.0, 0.6, 0.8);
        let inertia = Inertia::principal([3.0, 1.5, 2.0]).unwrap();
        let problem = on(inertia, GravityGradient::new(n, normal, DVec3::X));
        let v = |t: f64| problem.potential(t, tilted().q).unwrap();
        let power = (v(t + 1e-4) - v(t - 1e-4)) / 2e-4;
        let want = n * normal.dot(tilted().q * problem.torque_at(t, &tilted()));
        assert!(want.abs() > 0.01);
        // Differences: 1e-8/6 times the third derivative, of size n^2 power, and eps V/1e-4.
        assert!((power - want).abs() < 1e-11, "{power} {want}");
    }

    #[test]
    fn any_directions_give_a_right_angled_frame() {
        for (normal, towards) in [
            ([1e-300, 0.0, 2e-300], [1e300, 1e300, 1e300]),
            ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0 + 1e-12]),
        ] {
            let [a, b] = orbit(normal.into(), towards.into()).unwrap();
            let n = unit(normal.into());
            let errors = [a.dot(n), b.dot(n), a.dot(b), a.length() - 1.0, b.length() - 1.0];
            assert!(errors.iter().all(|e| e.abs() < 4e-16), "{errors:?}");
            assert!(a.dot(towards.into()) > 0.0 && n.cross(a).dot(b) > 0.0);
        }
    }
}
