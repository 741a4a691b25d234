//! What an observable is made of, and its values.

use core::f64::consts::PI;

use glam::DVec3;

use super::observable::Observable;
use crate::problem::Problem;
use crate::so3::{self, EulerSequence};
use crate::torque::{Orbit, VectorSource};
use crate::{Point, State};

/// A number that follows from time and state, by its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Angle(NamedDirection, NamedDirection),
    Dot(NamedDirection, NamedDirection),
    Norm(NamedDirection),
    Box([f64; 3], NamedDirection),
    Ellipsoid([f64; 3], NamedDirection),
    Euler(EulerSequence, usize),
    Kinetic,
    Potential,
    Energy,
    /// The speed of a wheel, by its number from 1.
    Speed(usize),
    Named(Box<Observable>),
}

/// A vector of the body or of space.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NamedDirection {
    Body(DVec3),
    Space(DVec3),
    Momentum,
    Omega,
    Nadir(Orbit),
    Velocity(Orbit),
    Given(Box<VectorSource>),
}
impl Term {
    pub(super) fn directions(&self) -> Vec<&NamedDirection> {
        match self {
            Self::Angle(a, b) | Self::Dot(a, b) => vec![a, b],
            Self::Norm(a) | Self::Box(_, a) | Self::Ellipsoid(_, a) => vec![a],
            _ => Vec::new(),
        }
    }

    pub(super) fn value(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        let body = |direction: &NamedDirection| direction.in_body(problem, t, state, inside);
        let towards = |direction: &NamedDirection| unit(body(direction)).abs();
        match self {
            Self::Angle(a, b) => {
                let (a, b) = (unit(body(a)), unit(body(b)));
                // Good to all digits at 0 and pi, too.
                libm::atan2(a.cross(b).length(), a.dot(b))
            }
            Self::Dot(a, b) => body(a).dot(body(b)),
            Self::Norm(a) => so3::length(body(a)),
            Self::Box([x, y, z], d) => towards(d).dot(DVec3::new(y * z, z * x, x * y)),
            Self::Ellipsoid([a, b, c], d) => {
                PI * so3::length(towards(d) * DVec3::new(b * c, c * a, a * b))
            }
            Self::Euler(sequence, which) => so3::euler_angles(state.q, *sequence)[*which],
            Self::Kinetic => problem.kinetic_inside(t, state, inside),
            // Asked only where there is one.
            Self::Potential => problem.potential(t, state.q).unwrap_or(f64::NAN),
            Self::Energy => problem.energy_inside(t, state, inside),
            Self::Speed(number) => {
                let speeds = problem.wheel_speeds(t, state, inside);
                speeds.get(number - 1).copied().unwrap_or(f64::NAN)
            }
            Self::Named(observable) => observable.value_inside(problem, t, state, inside),
        }
    }
}

/// Of length one; not a number if it has no length.
fn unit(v: DVec3) -> DVec3 {
    v / so3::length(v)
}

impl NamedDirection {
    /// Along the axes of the body.
    fn in_body(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> DVec3 {
        let of_space = |v: DVec3| state.q.conjugate() * v;
        match self {
            Self::Body(v) => *v,
            Self::Space(v) => of_space(*v),
            Self::Momentum => state.m,
            Self::Omega => problem.omega_inside(t, state, inside),
            Self::Nadir(orbit) => of_space(-orbit.direction(t)),
            Self::Velocity(orbit) => of_space(orbit.velocity(t)),
            Self::Given(source) => {
                of_space(source.vector(&problem.body(), t, &Point::from(state)).into())
            }
        }
    }
}
