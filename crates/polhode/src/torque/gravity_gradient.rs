//! `gravity-gradient`: a satellite on an orbit.
//!
//! torque = 3 n^2 (a/r)^3 c x I c, V = (3/2) n^2 (a/r)^3 c . I c, with c the direction to the planet in the body
//! frame: the planet's field mu/r^3 (3 c c^T - 1) to first order in the size of the body, with
//! mu/a^3 = n^2. On a circle the line to the planet turns evenly:
//! Q c = cos(n t) a + sin(n t) (normal x a), a the direction `towards` made orthogonal to `normal`; on an ellipse as
//! Kepler has it ([`Orbit`]). Either end of the line does, for c comes in twice.
//!
//! V depends on time, so T + V is not kept; on a circle T + V - n normal . Q m (Jacobi's integral) is.
//! Nothing is subtracted but moments of inertia, along principal axes: a nearly round body has as
//! many digits as any other.
//!
//! Keys: `rate` is n, radians per time, negative for the other way round; `normal` of the orbit and
//! `towards` in space, of any length; `eccentricity`, and the true `anomaly` at t = 0.

use glam::DVec3;
use polhode_number::vector::{Quaternion, Vector, add, cross, dot, multiply, scale, to_body};
use polhode_number::{Lift, Number};

use super::orbit::{ANOMALY, ECCENTRICITY, NORMAL, RATE, TOWARDS};
use super::{Acts, Body, Orbit, Record, TorqueEntry, TorqueError};
use crate::solve::OrbitForm;
use crate::{Inertia, Point};

const KIND: &str = "gravity-gradient";

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "gravity gradient on an orbit, torque = 3 rate^2 (a/r)^3 c x I c",
    keys: &[RATE, NORMAL, TOWARDS, ECCENTRICITY, ANOMALY],
    cites: &[],
    example: || {
        let (normal, towards) = ([0.2, -0.3, 2.0], [1.0, 1.0, 0.5]);
        vec![("rate", 0.7.into()), ("normal", normal.into()), ("towards", towards.into())]
    },
    make: |given| Ok(GravityGradient::on(Orbit::read(KIND, given)?).into()),
};

/// The gravity gradient on an orbit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GravityGradient<N = f64> {
    orbit: Orbit<N>,
}

impl GravityGradient {
    /// The torque on a circular orbit of this angular velocity, with this normal and this direction of the
    /// body seen from the planet at t = 0 (space frame).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite, a direction is zero, or both are parallel.
    pub fn new(
        rate: f64,
        normal: impl Into<DVec3>,
        towards: impl Into<DVec3>,
    ) -> Result<Self, TorqueError> {
        Ok(Self::on(Orbit::of(KIND, rate, normal.into(), towards.into())?))
    }

    /// The torque on this orbit.
    pub fn on(orbit: Orbit) -> Self {
        Self { orbit }
    }

    /// Its orbit.
    pub(super) fn path(&self) -> &Orbit {
        &self.orbit
    }

    /// As a frame that turns, on a circle.
    pub(super) fn orbit(&self) -> Option<OrbitForm> {
        self.orbit.form()
    }
}

impl Record for GravityGradient {
    type Over<N: Number> = GravityGradient<N>;

    const PARAMETERS: &'static [&'static str] = &["rate"];

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> GravityGradient<N> {
        GravityGradient { orbit: self.orbit.over(lift) }
    }

    fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        let largest = inertia.moments().max_element();
        let rate = self.orbit.rate;
        let size = 3.0 * (rate * (rate * largest)) * self.orbit.strongest();
        RATE.in_range(KIND, rate, "itself and a moment of inertia", size)
    }
}

impl<N: Number> GravityGradient<N> {
    /// 3 n^2 (a/r)^3 times these moments, or differences of moments.
    #[inline(always)]
    fn weights(&self, moments: Vector<N>, near: Option<N>) -> Vector<N> {
        let rate = self.orbit.rate;
        let weights = scale(scale(scale(moments, rate), rate), N::splat(3.0));
        match near {
            Some(near) => scale(weights, near * near * near),
            None => weights,
        }
    }
}

impl<N: Number> Acts<N> for GravityGradient<N> {
    const CONSERVATIVE: bool = true;
    const DEPENDS_ON_TIME: bool = true;

    #[inline(always)]
    fn torque(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        let (line, near) = self.orbit.place(t);
        let line = to_body(at.q, line);
        let [x, y, z] = body.inertia.enter(line);
        let gaps = self.weights(body.inertia.gaps(), near);
        let torque = body.inertia.leave(multiply(gaps, [y * z, z * x, x * y]));
        match body.inertia.variation(line) {
            Some(change) => add(torque, self.weights(cross(line, change), near)),
            None => torque,
        }
    }

    #[inline(always)]
    fn potential(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        let (line, near) = self.orbit.place(t);
        let c = body.inertia.enter(to_body(q, line));
        N::splat(0.5) * dot(self.weights(body.inertia.sorted_moments(), near), multiply(c, c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, State, Torque, so3};

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
    fn on_an_ellipse_it_grows_as_the_body_comes_near() {
        let inertia = Inertia::principal([3.0, 1.5, 2.0]).unwrap();
        let orbit = Orbit::circular(0.3, DVec3::Z, DVec3::X).unwrap().eccentric(0.4, 0.9).unwrap();
        let problem = on(inertia, Ok(GravityGradient::on(orbit)));
        for t in [0.0, 2.0, -40.0] {
            let c = tilted().q.conjugate() * -orbit.direction(t);
            let pull = 0.09 / orbit.distance(t).powi(3);
            let want = c.cross(inertia.momentum(c)) * (3.0 * pull);
            let got = problem.torque_at(t, &tilted());
            assert!((got - want).length() < 2e-14 * pull, "{got} {want}");
            let v = 1.5 * pull * c.dot(inertia.momentum(c));
            let got = problem.potential(t, tilted().q).unwrap();
            assert!((got / v - 1.0).abs() < 1e-14, "{got} {v}");
        }
        let values =
            |e: f64| [("rate".to_owned(), 0.3.into()), ("eccentricity".to_owned(), e.into())];
        assert!(Torque::build("gravity-gradient", &values(0.4).into()).is_ok());
        let error = Torque::build("gravity-gradient", &values(1.0).into()).unwrap_err().to_string();
        assert!(
            error.starts_with("gravity-gradient: eccentricity = 1.0 is not allowed"),
            "{error}"
        );
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
}
