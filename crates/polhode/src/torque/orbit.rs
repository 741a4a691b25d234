//! Orbits: where a body is seen from its planet.
//!
//! Kepler's ellipse of eccentricity e and mean motion n: with the eccentric anomaly E of
//! `n t + M0 = E - e sin E`, the distance in semi-major axes is 1 - e cos E and the true anomaly has the cosine
//! (cos E - e)/(1 - e cos E) and the sine sqrt(1 - e^2) sin E/(1 - e cos E). Anomalies are measured about the normal.

use core::f64::consts::PI;

use glam::DVec3;
use polhode_number::vector::{Vector, add, scale};
use polhode_number::{Lift, Number, Smooth, sin_cos};

use super::keys::KeyReader;
use super::{Key, KeyKind, KeyValue, TorqueError};
use crate::solve::OrbitForm;

pub(super) const KIND: &str = "orbit";

pub(super) const RATE: Key = Key {
    name: "rate",
    doc: "Angular velocity of the orbit: radians per time, about the normal; its mean on an eccentric one.",
    kind: KeyKind::Number { default: None },
};

pub(super) const NORMAL: Key = Key {
    name: "normal",
    doc: "Normal of the orbit; space frame, any length.",
    kind: KeyKind::Direction { default: Some([0.0, 0.0, 1.0]) },
};

pub(super) const TOWARDS: Key = Key {
    name: "towards",
    doc: "Direction of the body seen from the planet at t = 0; space frame, any length, not \
          parallel to the normal, made orthogonal to it.",
    kind: KeyKind::Direction { default: Some([1.0, 0.0, 0.0]) },
};

pub(super) const ECCENTRICITY: Key = Key {
    name: "eccentricity",
    doc: "Eccentricity of the orbit, from 0 (a circle) to below 1.",
    kind: KeyKind::Number { default: Some(0.0) },
};

pub(super) const ANOMALY: Key = Key {
    name: "anomaly",
    doc: "True anomaly at t = 0, in radians about the normal: the angle from periapsis; of no effect on a circle.",
    kind: KeyKind::Number { default: Some(0.0) },
};

/// Directions are parallel if the sine of their angle is no more than the rounding of a product.
const PARALLEL: f64 = 4.0 * f64::EPSILON;

/// An orbit about a planet: a circle, or an ellipse of any eccentricity below 1.
///
/// ```
/// use polhode::torque::Orbit;
/// let orbit = Orbit::circular(1e-3, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?.eccentric(0.3, 0.0)?;
/// assert!((orbit.distance(0.0) - 0.7).abs() < 1e-15); // at periapsis, in semi-major axes
/// # Ok::<(), polhode::torque::TorqueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit<N = f64> {
    pub(super) rate: N,
    /// Where the body is at t = 0, or at periapsis, and a quarter turn from there; in space.
    pub(super) line: [Vector<N>; 2],
    pub(super) ellipse: Option<Ellipse>,
}

/// What an ellipse has that a circle has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipse {
    eccentricity: f64,
    /// The mean anomaly at t = 0.
    mean: f64,
}

impl Orbit {
    /// The circle with this angular velocity, normal, and direction of the body seen from the planet at t = 0 (space
    /// frame).
    ///
    /// # Errors
    /// [`TorqueError`] if a number is not finite, a direction is zero, or both are parallel.
    pub fn circular(
        rate: f64,
        normal: impl Into<DVec3>,
        towards: impl Into<DVec3>,
    ) -> Result<Self, TorqueError> {
        Self::of(KIND, rate, normal.into(), towards.into())
    }

    pub(super) fn of(
        kind: &'static str,
        rate: f64,
        normal: DVec3,
        towards: DVec3,
    ) -> Result<Self, TorqueError> {
        let rate = RATE.admit_number(kind, rate)?;
        let (normal, towards) = (NORMAL.admit(kind, normal)?, TOWARDS.admit(kind, towards)?);
        let line = plane(normal, towards).ok_or_else(|| TorqueError::Parallel {
            kind,
            key: TOWARDS.name,
            given: KeyValue::from(towards).to_string(),
            other: NORMAL.name,
            reference: KeyValue::from(normal).to_string(),
        })?;
        Ok(Self { rate, line: line.map(|v| v.to_array()), ellipse: None })
    }

    /// The ellipse of this eccentricity that has the same direction of the body at t = 0, and there this true anomaly.
    /// Its mean angular velocity is that of the circle. With eccentricity 0 it is the circle.
    ///
    /// # Errors
    /// [`TorqueError`] unless the eccentricity is at least 0 and below 1, and the anomaly finite.
    pub fn eccentric(self, eccentricity: f64, anomaly: f64) -> Result<Self, TorqueError> {
        self.with_shape(KIND, eccentricity, anomaly)
    }

    pub(super) fn with_shape(
        self,
        kind: &'static str,
        eccentricity: f64,
        anomaly: f64,
    ) -> Result<Self, TorqueError> {
        let anomaly = ANOMALY.admit_number(kind, anomaly)?;
        if !(0.0..1.0).contains(&eccentricity) {
            return Err(TorqueError::Value {
                kind,
                key: ECCENTRICITY.name,
                given: KeyValue::from(eccentricity).to_string(),
                allowed: "from 0 to below 1: parabolas and hyperbolas have no period; take a formula or a table \
                          of torques for them"
                    .into(),
            });
        }
        // The circle through the same direction at t = 0.
        let [a, b] = self.line.map(DVec3::from);
        let [a, b] = match self.ellipse {
            None => [a, b],
            Some(_) => [self.direction(0.0), a.cross(b).cross(self.direction(0.0))],
        };
        if eccentricity == 0.0 {
            return Ok(Self { line: [a, b].map(|v| v.to_array()), ellipse: None, ..self });
        }
        let (sin, cos) = libm::sincos(anomaly);
        let line = [a * cos - b * sin, a * sin + b * cos].map(|v| v.to_array());
        // tan(E/2) = sqrt((1 - e)/(1 + e)) tan(anomaly/2), with the right quadrant.
        let (sin, cos) = libm::sincos(0.5 * anomaly);
        let half =
            libm::atan2((1.0 - eccentricity).sqrt() * sin, (1.0 + eccentricity).sqrt() * cos);
        let e = 2.0 * half;
        let mean = (1.0 - eccentricity) * e + eccentricity * less_sine(e);
        Ok(Self { line, ellipse: Some(Ellipse { eccentricity, mean }), ..self })
    }

    /// Reads the orbit from the keys of a torque.
    pub(super) fn read(kind: &'static str, given: &KeyReader<'_>) -> Result<Self, TorqueError> {
        let (normal, towards) = (given.vector(&NORMAL)?, given.vector(&TOWARDS)?);
        let orbit = Self::of(kind, given.number(&RATE)?, normal, towards)?;
        orbit.with_shape(kind, given.number(&ECCENTRICITY)?, given.number(&ANOMALY)?)
    }

    /// Its mean angular velocity about the normal.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The unit vector from the planet to the body; space frame.
    pub fn direction(&self, t: f64) -> DVec3 {
        if self.ellipse.is_some() {
            return self.place(t).0.into();
        }
        let (s, c) = libm::sincos(self.rate * t);
        let [a, b] = self.line.map(DVec3::from);
        a * c + b * s
    }

    /// The distance from the planet, in semi-major axes.
    pub fn distance(&self, t: f64) -> f64 {
        self.place(t).1.map_or(1.0, |near| 1.0 / near)
    }

    /// The velocity, in semi-major axes per time; space frame.
    pub fn velocity(&self, t: f64) -> DVec3 {
        let [a, b] = self.line.map(DVec3::from);
        let r = self.direction(t);
        let e = self.ellipse.map_or(0.0, |ellipse| ellipse.eccentricity);
        (b * (e + r.dot(a)) - a * r.dot(b)) * (self.rate / ((1.0 - e) * (1.0 + e)).sqrt())
    }

    /// The largest value of (semi-major axis/distance)^3.
    pub(super) fn strongest(&self) -> f64 {
        self.ellipse.map_or(1.0, |ellipse| libm::pow(1.0 - ellipse.eccentricity, -3.0))
    }

    /// As a frame that turns uniformly, if it is a circle.
    pub(super) fn form(&self) -> Option<OrbitForm> {
        self.ellipse.is_none().then_some(OrbitForm { rate: self.rate, line: self.line })
    }

    #[inline(always)]
    pub(super) fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> Orbit<N> {
        let rate = lift.lift(self.rate);
        let line = [lift.vector(self.line[0]), lift.vector(self.line[1])];
        Orbit { rate, line, ellipse: self.ellipse }
    }
}

impl<N: Number> Orbit<N> {
    /// The direction of the body, and on an ellipse the semi-major axis over the distance.
    #[inline(always)]
    pub(super) fn place(&self, t: N) -> (Vector<N>, Option<N>) {
        let angle = self.rate * t;
        let Some(Ellipse { eccentricity, mean }) = self.ellipse else {
            let (sin, cos) = sin_cos(angle, N::splat(0.0));
            return (self.at_angle(cos, sin), None);
        };
        let anomaly = N::smooth([angle + N::splat(mean)], Kepler { eccentricity });
        let (s, c) = sin_cos(N::splat(0.5) * anomaly, N::splat(0.0));
        let (short, twice) = (N::splat(1.0 - eccentricity), s * s + s * s);
        // 1 - e cos E and cos E - e without a difference of nearly equal numbers.
        let near = N::splat(1.0) / (short + N::splat(eccentricity) * twice);
        let root = ((1.0 - eccentricity) * (1.0 + eccentricity)).sqrt();
        let (cos, sin) = ((short - twice) * near, N::splat(2.0 * root) * s * c * near);
        (self.at_angle(cos, sin), Some(near))
    }

    /// The direction of the body at this angle.
    #[inline(always)]
    fn at_angle(&self, cos: N, sin: N) -> Vector<N> {
        add(scale(self.line[0], cos), scale(self.line[1], sin))
    }
}

/// The eccentric anomaly from -pi to pi, as a function of the mean anomaly.
#[derive(Clone, Copy)]
struct Kepler {
    eccentricity: f64,
}

impl Smooth<1> for Kepler {
    fn value(self, [mean]: [f64; 1]) -> f64 {
        let e = self.eccentricity;
        // 2 pi in two parts, the first of 8 bits, so that its multiples are exact.
        let turns = (mean / (2.0 * PI)).round();
        let mean = (mean - turns * 6.281_25) - turns * 1.935_307_179_586_476_9e-3;
        let m = mean.abs();
        // E - e sin E is convex between 0 and pi: from a bound above, Newton's iteration falls to the root.
        let mut anomaly = (m + e).min(m / (1.0 - e)).min(PI);
        for _ in 0..100 {
            let s = libm::sin(0.5 * anomaly);
            let excess = ((1.0 - e) * anomaly - m) + e * less_sine(anomaly);
            let next = anomaly - excess / ((1.0 - e) + 2.0 * e * s * s);
            if next.is_nan() || next >= anomaly {
                break;
            }
            anomaly = next;
        }
        anomaly.copysign(mean)
    }

    #[inline(always)]
    fn slopes<N: Number>(self, at: [N; 1]) -> [N; 1] {
        let (s, _) = sin_cos(N::splat(0.5) * N::smooth(at, self), N::splat(0.0));
        let e = self.eccentricity;
        [N::splat(1.0) / (N::splat(1.0 - e) + N::splat(2.0 * e) * s * s)]
    }
}

/// x - sin x, to all digits.
fn less_sine(x: f64) -> f64 {
    if x.abs() > 0.7 {
        return x - libm::sin(x);
    }
    let square = x * x;
    // x^3/3! - x^5/5! + ..: twelve terms would do for x = 2.
    let (mut sum, mut term) = (0.0, x * square / 6.0);
    for k in 2..12 {
        sum += term;
        term *= -square / f64::from((2 * k) * (2 * k + 1));
    }
    sum
}

/// Unit vectors in the plane: the second direction made orthogonal to the first, and a quarter turn
/// about the first from there.
fn plane(normal: DVec3, towards: DVec3) -> Option<[DVec3; 2]> {
    let (normal, towards) = (unit(normal), unit(towards));
    let across = normal.cross(towards);
    if across.length() <= PARALLEL {
        return None;
    }
    let along = unit(across).cross(normal).normalize();
    Some([along, normal.cross(along)])
}

/// Whatever its length, which must not be zero.
pub(super) fn unit(v: DVec3) -> DVec3 {
    (v / v.abs().max_element()).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_number::Dual;

    #[test]
    fn keplers_equation_is_solved_to_all_digits() {
        for e in [1e-9, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-10] {
            for m in [1e-14, 1e-8, 1e-3, 0.1, 0.5, 1.0, 2.0, 3.0, 3.1] {
                let anomaly = Kepler { eccentricity: e }.value([m]);
                let got = (1.0 - e) * anomaly + e * less_sine(anomaly);
                // An error of one ulp of E is one of up to three in M, where E - sin E is like E^3.
                assert!((got - m).abs() <= 6.0 * f64::EPSILON * m, "e = {e}, M = {m}: {got}");
                assert_eq!(Kepler { eccentricity: e }.value([-m]), -anomaly);
            }
        }
        // Whole turns go: what is left of 1e4 of them has their rounding.
        let far = Kepler { eccentricity: 0.4 }.value([1.0 + 2e4 * PI]);
        assert!((far - Kepler { eccentricity: 0.4 }.value([1.0])).abs() < 3e-11);
    }

    /// Kepler's second law and the equation of the ellipse, with the derivative that kernels compute.
    #[test]
    fn areas_are_swept_evenly_and_the_ellipse_is_one() {
        let (n, normal) = (0.3, DVec3::new(0.0, 0.6, 0.8));
        for (e, anomaly, n) in [(0.6, 0.7, n), (0.05, -3.0, n), (0.6, 2.0, -n)] {
            let circle = Orbit::circular(n, normal, DVec3::X).unwrap();
            let orbit = circle.eccentric(e, anomaly).unwrap();
            assert!((orbit.direction(0.0) - DVec3::X).length() < 1e-15);
            let periapsis = DVec3::from(orbit.line[0]);
            assert!((periapsis.dot(DVec3::X) - libm::cos(anomaly)).abs() < 1e-15);
            for t in [0.0, 1.0, -5.0, 12.0] {
                let over = orbit.over(&mut polhode_number::Constant);
                let (r, near) = over.place(Dual::<f64, 1>::variable(t, 0));
                let (r, slope) = (r.map(|x| x.value), r.map(|x| x.slopes[0]));
                let distance = 1.0 / near.unwrap().value;
                assert!((distance - orbit.distance(t)).abs() < 1e-15);
                let (r, slope) = (DVec3::from(r), DVec3::from(slope));
                let conic = (1.0 - e * e) / (1.0 + e * r.dot(periapsis));
                assert!((distance / conic - 1.0).abs() < 4e-15, "{distance} {conic}");
                let area = distance * distance * r.cross(slope).dot(normal);
                assert!((area / (n * (1.0 - e * e).sqrt()) - 1.0).abs() < 4e-15, "{area}");
                // Energy: v^2 = n^2 a^3 (2/r - 1/a).
                let speed = orbit.velocity(t).length_squared() / (n * n);
                assert!((speed / (2.0 / distance - 1.0) - 1.0).abs() < 4e-15, "{speed}");
                assert!(orbit.velocity(t).dot(slope) > 0.0);
            }
        }
    }

    #[test]
    fn a_circle_has_no_periapsis_and_a_parabola_is_refused() {
        let circle = Orbit::circular(1.0, DVec3::Z, DVec3::X).unwrap();
        assert_eq!(circle.eccentric(0.0, 2.0).unwrap(), circle);
        // The last word counts, on an ellipse too.
        let (once, twice) = (circle.eccentric(0.3, 1.0), circle.eccentric(0.6, 2.0).unwrap());
        let (once, twice) = (once.unwrap(), twice.eccentric(0.3, 1.0).unwrap());
        for t in [0.0, 0.7, 3.0] {
            assert!((once.direction(t) - twice.direction(t)).length() < 1e-15, "{t}");
            assert!((once.distance(t) - twice.distance(t)).abs() < 1e-15, "{t}");
        }
        assert!(
            (twice.eccentric(0.0, 0.0).unwrap().direction(0.5) - circle.direction(0.5)).length()
                < 1e-15
        );
        for e in [1.0, 1.5, -0.1, f64::NAN] {
            let error = circle.eccentric(e, 0.0).unwrap_err().to_string();
            assert!(error.starts_with(&format!("orbit: eccentricity = {e:?} is not allowed")));
            assert!(error.contains("from 0 to below 1"), "{error}");
        }
    }

    #[test]
    fn any_directions_give_a_right_angled_frame() {
        for (normal, towards) in [
            ([1e-300, 0.0, 2e-300], [1e300, 1e300, 1e300]),
            ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0 + 1e-12]),
        ] {
            let [a, b] = plane(normal.into(), towards.into()).unwrap();
            let n = unit(normal.into());
            let errors = [a.dot(n), b.dot(n), a.dot(b), a.length() - 1.0, b.length() - 1.0];
            assert!(errors.iter().all(|e| e.abs() < 4e-16), "{errors:?}");
            assert!(a.dot(towards.into()) > 0.0 && n.cross(a).dot(b) > 0.0);
        }
    }
}
