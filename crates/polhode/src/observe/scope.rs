//! Names of terms and directions, as they are found in a text.

use glam::DVec3;

use super::observable::Surroundings;
use super::term::{NamedDirection, Term};
use crate::formula::{ParseMistake, ParseResult, Parser, Scope};
use crate::inside::MAX_WHEELS;
use crate::parameters::suggestion;
use crate::so3::EulerSequence;
use crate::torque::Orbit;

/// What an observable may name beside what every [formula](crate::formula) may. Of directions:
///
/// - `angle(a, b)`, in radians from 0 to pi; `dot(a, b)`, the scalar product, and so a component where `b` is an
///   axis; `norm(a)`, the length.
/// - `area_box(lx, ly, lz, d)`, the projected area of a box with these edges along the body axes, seen from the
///   direction `d`, and `area_ellipsoid(a, b, c, d)`, that of an ellipsoid with these semi-axes: the light curve of
///   a dark body under scattered light.
///
/// Of the attitude: `yaw`, `pitch`, `roll` (Euler angles `zyx`) and `precession`, `nutation`, `rotation` (`zxz`), in
/// radians. `wheel_speed(1)` is that of the first wheel relative to the body. Of the energy: `kinetic`, `potential`,
/// and `energy`, their sum (kinetic alone without a potential).
///
/// A direction is one of the body axes `x`, `y`, `z`; of the space axes `X`, `Y`, `Z`; `body(1, 0, 1)` or
/// `space(0, 0.6, 0.8)`; `momentum`; `omega`; on an orbit, which the torques `gravity-gradient` and `dipole` may have,
/// `nadir`, towards the planet, and `velocity`, in semi-major axes per time; `field`, that of a dipole; or one that
/// the caller has named. Lengths count in `dot` and `norm` alone.
pub const TERMS: &[&str] = &[
    "angle",
    "dot",
    "norm",
    "area_box",
    "area_ellipsoid",
    "yaw",
    "pitch",
    "roll",
    "precession",
    "nutation",
    "rotation",
    "kinetic",
    "potential",
    "energy",
    "wheel_speed",
];

/// Directions that have a name of their own.
const DIRECTIONS: &[&str] =
    &["x", "y", "z", "X", "Y", "Z", "body", "space", "momentum", "omega", "nadir"];

/// Likewise, but a direction of the user's may have the same name, and is then meant.
const YIELDING: &[&str] = &["velocity", "field"];

/// Terms as they are found in a text.
pub(super) struct Terms<'a> {
    pub(super) around: &'a Surroundings<'a>,
    pub(super) found: Vec<Term>,
}

impl Scope for Terms<'_> {
    fn term(
        &mut self,
        name: &str,
        at: usize,
        parser: &mut Parser<'_>,
    ) -> ParseResult<Option<usize>> {
        let Some(term) = self.read(name, at, parser)? else { return Ok(None) };
        let number = self.found.iter().position(|known| *known == term);
        Ok(Some(number.unwrap_or_else(|| {
            self.found.push(term);
            self.found.len() - 1
        })))
    }

    fn names(&self) -> Vec<String> {
        let named = self.around.named.iter().map(|(name, _)| name.clone());
        TERMS.iter().map(|name| (*name).to_owned()).chain(named).collect()
    }
}

impl Terms<'_> {
    fn read(&self, name: &str, at: usize, parser: &mut Parser<'_>) -> ParseResult<Option<Term>> {
        let zxz = |which| EulerSequence::named("zxz").map(|s| Term::Euler(s, which));
        if let Some((_, observable)) = self.around.named.iter().find(|(known, _)| known == name) {
            return Ok(Some(Term::Named(Box::new(observable.clone()))));
        }
        Ok(match name {
            "angle" | "dot" => {
                parser.expect("(")?;
                let a = self.direction(parser)?;
                parser.expect(",")?;
                let b = self.direction(parser)?;
                parser.expect(")")?;
                Some(if name == "angle" { Term::Angle(a, b) } else { Term::Dot(a, b) })
            }
            "norm" => {
                parser.expect("(")?;
                let a = self.direction(parser)?;
                parser.expect(")")?;
                Some(Term::Norm(a))
            }
            "area_box" | "area_ellipsoid" => {
                parser.expect("(")?;
                let mut lengths = [0.0; 3];
                for length in &mut lengths {
                    *length = positive(parser)?;
                    parser.expect(",")?;
                }
                let d = self.direction(parser)?;
                parser.expect(")")?;
                let of_box = name == "area_box";
                Some(if of_box { Term::Box(lengths, d) } else { Term::Ellipsoid(lengths, d) })
            }
            "wheel_speed" => {
                parser.expect("(")?;
                let before = parser.fail("the number of a wheel, from 1 to 8, is needed here");
                let number = parser.constant()?;
                let wheel = (1..=MAX_WHEELS).find(|wheel| *wheel as f64 == number);
                parser.expect(")")?;
                Some(Term::Speed(wheel.ok_or(before)?))
            }
            "yaw" => Some(Term::Euler(EulerSequence::ZYX, 0)),
            "pitch" => Some(Term::Euler(EulerSequence::ZYX, 1)),
            "roll" => Some(Term::Euler(EulerSequence::ZYX, 2)),
            "precession" => zxz(0),
            "nutation" => zxz(1),
            "rotation" => zxz(2),
            "kinetic" => Some(Term::Kinetic),
            "energy" => Some(Term::Energy),
            "potential" if self.around.torque.is_conservative() => Some(Term::Potential),
            "potential" => return Err((at, "this torque has no potential".into())),
            _ if self.is_direction(name) => {
                let reason = format!(
                    "'{name}' is a direction, not a number: take its angle({name}, ..) or dot({name}, ..)"
                );
                return Err((at, reason));
            }
            _ => None,
        })
    }

    fn is_direction(&self, name: &str) -> bool {
        DIRECTIONS.contains(&name)
            || YIELDING.contains(&name)
            || self.around.directions.contains_key(name)
    }

    fn direction(&self, parser: &mut Parser<'_>) -> ParseResult<NamedDirection> {
        let Some((name, at)) = parser.word() else {
            return Err(parser.fail("a direction is missing: x, Z, momentum, space(0, 0, 1), .."));
        };
        let three = |parser: &mut Parser<'_>| -> ParseResult<DVec3> {
            parser.expect("(")?;
            let mut v = [0.0; 3];
            for (i, x) in v.iter_mut().enumerate() {
                if i > 0 {
                    parser.expect(",")?;
                }
                *x = parser.constant()?;
            }
            parser.expect(")")?;
            Ok(v.into())
        };
        Ok(match name {
            "x" => NamedDirection::Body(DVec3::X),
            "y" => NamedDirection::Body(DVec3::Y),
            "z" => NamedDirection::Body(DVec3::Z),
            "X" => NamedDirection::Space(DVec3::X),
            "Y" => NamedDirection::Space(DVec3::Y),
            "Z" => NamedDirection::Space(DVec3::Z),
            "body" => NamedDirection::Body(three(parser)?),
            "space" => NamedDirection::Space(three(parser)?),
            "momentum" => NamedDirection::Momentum,
            "omega" => NamedDirection::Omega,
            "nadir" => NamedDirection::Nadir(self.orbit(name, at)?),
            _ => match self.around.directions.get(name) {
                Some(source) => NamedDirection::Given(Box::new(source.clone())),
                None if name == "velocity" => NamedDirection::Velocity(self.orbit(name, at)?),
                None if name == "field" => {
                    let reason = "there is no field without a dipole in one: the torque dipole or magnetic-dipole; \
                                  name a direction of your own";
                    let field = self.around.torque.field();
                    NamedDirection::Given(Box::new(field.ok_or_else(|| (at, reason.to_owned()))?))
                }
                None => return Err(self.no_direction(name, at)),
            },
        })
    }

    fn orbit(&self, name: &str, at: usize) -> ParseResult<Orbit> {
        let missing = || {
            let reason = format!(
                "there is no {name} without an orbit, which [orbit] of a scenario or the torque gravity-gradient \
                 has; name a direction of your own"
            );
            (at, reason)
        };
        self.around.torque.orbit().copied().ok_or_else(missing)
    }

    fn no_direction(&self, name: &str, at: usize) -> ParseMistake {
        let own = self.around.directions.keys().map(String::as_str);
        let known: Vec<&str> = DIRECTIONS.iter().chain(YIELDING).copied().chain(own).collect();
        let name: String = name.chars().take(40).collect();
        (at, format!("no direction '{name}'{}", suggestion(&known, &name)))
    }
}

/// A length of the body.
fn positive(parser: &mut Parser<'_>) -> ParseResult<f64> {
    let before = parser.fail("a length must be a positive number");
    let length = parser.constant()?;
    if length > 0.0 && length.is_finite() { Ok(length) } else { Err(before) }
}

/// Whether a name is free for a direction or an observable of the user's: why not, if it is not.
pub(super) fn taken(name: &str) -> Option<&'static str> {
    let mut chars = name.chars();
    let word = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    let known = [TERMS, DIRECTIONS, crate::formula::VARIABLES, crate::formula::FUNCTIONS, &["pi"]];
    if !word {
        Some("is no name; names are letters, digits and '_', and begin with a letter")
    } else if known.iter().any(|names| names.contains(&name)) {
        Some("has a meaning already; choose another name")
    } else {
        None
    }
}
