//! Numbers that a user wants to watch: angles, components, energies, areas, and whatever is computed from them.

use core::f64::consts::PI;
use std::collections::BTreeMap;

use glam::DVec3;

use crate::formula::{Formula, FormulaError, Mistake, Parsed, Parser, Scope};
use crate::inside::MAX_WHEELS;
use crate::parameters::suggestion;
use crate::problem::Problem;
use crate::so3::{self, EulerSequence};
use crate::torque::{Orbit, Source, Torque};
use crate::{Point, State};

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

/// Vectors of space by their names: constant, formulas, or tables over time.
pub type Directions = BTreeMap<String, Source>;

/// What observables are read in: the torque, which may have a potential and an orbit, directions, and observables
/// that were named before.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// What acts on the body.
    pub torque: &'a Torque,
    /// Directions that the user has named.
    pub directions: &'a Directions,
    /// Observables that may be named in others.
    pub named: &'a [(String, Observable)],
}

/// A number that follows from time and state.
///
/// ```
/// use polhode::observe::{Directions, Observable, Surroundings};
/// use polhode::{Inertia, Problem, State, Torque};
/// let (torque, directions) = (Torque::none(), Directions::new());
/// let around = Surroundings { torque: &torque, directions: &directions, named: &[] };
/// let tilt = Observable::new("deg(angle(z, momentum))", &around)?;
///
/// let start = State::aligned([1.0, 0.0, 1.0])?;
/// let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, start);
/// assert!((tilt.value(&problem, 0.0, &start) - 45.0).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Observable {
    formula: Formula,
    terms: Vec<Term>,
}

/// A comparison of two observables, which holds at some times and not at others: `deg(angle(z, nadir)) < 10`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(Observable);

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Angle(Direction, Direction),
    Dot(Direction, Direction),
    Norm(Direction),
    Box([f64; 3], Direction),
    Ellipsoid([f64; 3], Direction),
    Euler(EulerSequence, usize),
    Kinetic,
    Potential,
    Energy,
    /// Of a wheel, by its number from 1.
    Speed(usize),
    Named(Box<Observable>),
}

#[derive(Clone, Debug, PartialEq)]
enum Direction {
    Body(DVec3),
    Space(DVec3),
    Momentum,
    Omega,
    Nadir(Orbit),
    Velocity(Orbit),
    Given(Box<Source>),
}

impl Observable {
    /// The observable of a text.
    ///
    /// # Errors
    /// [`FormulaError`] with the place of the mistake.
    pub fn new(text: &str, around: &Surroundings<'_>) -> Result<Self, FormulaError> {
        Self::read(text, false, around)
    }

    fn read(text: &str, compares: bool, around: &Surroundings<'_>) -> Result<Self, FormulaError> {
        let mut terms = Terms { around, found: Vec::new() };
        let formula = Formula::in_scope(text, compares, &mut terms)?;
        Ok(Self { formula, terms: terms.found })
    }

    /// As given.
    pub fn text(&self) -> &str {
        self.formula.text()
    }

    /// Its value. Where it has none, as the angle to a vector of length zero, it is not a number. Of a body in which
    /// something moves it is that with the wheels as at the start: see [`Observable::value_inside`].
    pub fn value(&self, problem: &Problem, t: f64, state: &State) -> f64 {
        if problem.bound().is_some() {
            return self.value_inside(problem, t, state, &problem.inside_at_start());
        }
        self.value_inside(problem, t, state, &[])
    }

    /// Its value where what moves inside the body has these numbers
    /// ([`Sample::inside`](super::Sample::inside)).
    pub fn value_inside(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        let omega = problem.bound().map(|_| problem.omega_inside(t, state, inside).to_array());
        let terms = self.terms.iter().map(|term| term.value(problem, t, state, inside));
        self.formula.evaluate_with(&problem.body(), t, &Point::from(state), omega, terms)
    }

    /// The greatest number of a wheel whose speed it names, 0 if it names none.
    pub fn last_wheel(&self) -> usize {
        let named = self.terms.iter().map(|term| match term {
            Term::Speed(number) => *number,
            Term::Named(observable) => observable.last_wheel(),
            _ => 0,
        });
        named.max().unwrap_or(0)
    }

    /// From when to when it is known, as far as tables of directions go; none if it is at all times.
    pub fn span(&self) -> Option<(f64, f64)> {
        let spans = self.terms.iter().flat_map(Term::directions).filter_map(|d| match d {
            Direction::Given(source) => source.table()?.span(),
            _ => None,
        });
        let inner = self.terms.iter().filter_map(|term| match term {
            Term::Named(observable) => observable.span(),
            _ => None,
        });
        spans.chain(inner).reduce(|(a, b), (c, d)| (a.max(c), b.min(d)))
    }
}

impl Condition {
    /// The condition of a text, with one `<` or `>`.
    ///
    /// # Errors
    /// [`FormulaError`] with the place of the mistake.
    pub fn new(text: &str, around: &Surroundings<'_>) -> Result<Self, FormulaError> {
        Observable::read(text, true, around).map(Self)
    }

    /// As given.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The difference of its two sides: positive where it holds, zero where that begins and ends.
    pub fn margin(&self, problem: &Problem, t: f64, state: &State) -> f64 {
        self.0.value(problem, t, state)
    }

    /// The same where what moves inside the body has these numbers
    /// ([`Sample::inside`](super::Sample::inside)).
    pub fn margin_inside(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        self.0.value_inside(problem, t, state, inside)
    }

    /// The greatest number of a wheel whose speed it names, 0 if it names none.
    pub fn last_wheel(&self) -> usize {
        self.0.last_wheel()
    }

    /// From when to when it is known: see [`Observable::span`].
    pub fn span(&self) -> Option<(f64, f64)> {
        self.0.span()
    }
}

impl Term {
    fn directions(&self) -> Vec<&Direction> {
        match self {
            Self::Angle(a, b) | Self::Dot(a, b) => vec![a, b],
            Self::Norm(a) | Self::Box(_, a) | Self::Ellipsoid(_, a) => vec![a],
            _ => Vec::new(),
        }
    }

    fn value(&self, problem: &Problem, t: f64, state: &State, inside: &[f64]) -> f64 {
        let body = |direction: &Direction| direction.in_body(problem, t, state, inside);
        let towards = |direction: &Direction| unit(body(direction)).abs();
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

impl Direction {
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

/// Terms as they are found in a text.
struct Terms<'a> {
    around: &'a Surroundings<'a>,
    found: Vec<Term>,
}

impl Scope for Terms<'_> {
    fn term(&mut self, name: &str, at: usize, parser: &mut Parser<'_>) -> Parsed<Option<usize>> {
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
    fn read(&self, name: &str, at: usize, parser: &mut Parser<'_>) -> Parsed<Option<Term>> {
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

    fn direction(&self, parser: &mut Parser<'_>) -> Parsed<Direction> {
        let Some((name, at)) = parser.word() else {
            return Err(parser.fail("a direction is missing: x, Z, momentum, space(0, 0, 1), .."));
        };
        let three = |parser: &mut Parser<'_>| -> Parsed<DVec3> {
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
            "x" => Direction::Body(DVec3::X),
            "y" => Direction::Body(DVec3::Y),
            "z" => Direction::Body(DVec3::Z),
            "X" => Direction::Space(DVec3::X),
            "Y" => Direction::Space(DVec3::Y),
            "Z" => Direction::Space(DVec3::Z),
            "body" => Direction::Body(three(parser)?),
            "space" => Direction::Space(three(parser)?),
            "momentum" => Direction::Momentum,
            "omega" => Direction::Omega,
            "nadir" => Direction::Nadir(self.orbit(name, at)?),
            _ => match self.around.directions.get(name) {
                Some(source) => Direction::Given(Box::new(source.clone())),
                None if name == "velocity" => Direction::Velocity(self.orbit(name, at)?),
                None if name == "field" => {
                    let reason = "there is no field without a dipole in one: the torque dipole or magnetic-dipole; \
                                  name a direction of your own";
                    let field = self.around.torque.field();
                    Direction::Given(Box::new(field.ok_or_else(|| (at, reason.to_owned()))?))
                }
                None => return Err(self.no_direction(name, at)),
            },
        })
    }

    fn orbit(&self, name: &str, at: usize) -> Parsed<Orbit> {
        let missing = || {
            let reason = format!(
                "there is no {name} without an orbit, which the torque gravity-gradient has; name a \
                 direction of your own"
            );
            (at, reason)
        };
        self.around.torque.orbit().copied().ok_or_else(missing)
    }

    fn no_direction(&self, name: &str, at: usize) -> Mistake {
        let own = self.around.directions.keys().map(String::as_str);
        let known: Vec<&str> = DIRECTIONS.iter().chain(YIELDING).copied().chain(own).collect();
        let name: String = name.chars().take(40).collect();
        (at, format!("no direction '{name}'{}", suggestion(&known, &name)))
    }
}

/// A length of the body.
fn positive(parser: &mut Parser<'_>) -> Parsed<f64> {
    let before = parser.fail("a length must be a positive number");
    let length = parser.constant()?;
    if length > 0.0 && length.is_finite() { Ok(length) } else { Err(before) }
}

/// Whether a name is free for a direction or an observable of the user's: why not, if it is not.
pub(crate) fn taken(name: &str) -> Option<&'static str> {
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

impl Surroundings<'_> {
    /// Whether a name is free for a direction or an observable of the user's: why not, if it is not.
    pub fn taken(name: &str) -> Option<&'static str> {
        taken(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inertia;
    use crate::table::{Beyond, Interpolation, VectorTable};
    use crate::torque::{DipoleField, GravityGradient, HeavyTop};

    fn state() -> State {
        State::new([0.4, -0.3, 0.9], so3::exp(DVec3::new(0.5, -1.2, 0.8))).unwrap()
    }

    fn problem(torque: impl Into<Torque>) -> Problem {
        Problem::new(Inertia::principal([1.0, 1.7, 2.2]).unwrap(), state()).torque(torque)
    }

    fn directions() -> Directions {
        let rows = [[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 4.0, 0.0]];
        let table = VectorTable::new(&rows, Interpolation::Linear, Beyond::Error).unwrap();
        [("sun".to_owned(), [0.0, 3.0, 0.0].into()), ("star".to_owned(), table.into())].into()
    }

    fn value(text: &str, problem: &Problem, t: f64) -> f64 {
        let directions = directions();
        let around =
            Surroundings { torque: problem.torques(), directions: &directions, named: &[] };
        Observable::new(text, &around).unwrap_or_else(|e| panic!("{e}")).value(problem, t, &state())
    }

    #[test]
    fn each_is_what_the_textbook_says() {
        let top = problem(HeavyTop::lagrange(2.0).unwrap());
        let s = state();
        let matrix = s.matrix();
        let [yaw, pitch, roll] = so3::euler_angles(s.q, EulerSequence::ZYX);
        let omega = DVec3::new(0.4, -0.3 / 1.7, 0.9 / 2.2);
        let kinetic = 0.5 * omega.dot(s.m);
        let d = s.q.conjugate() * DVec3::new(1.0, 2.0, 2.0) / 3.0;
        for (text, want) in [
            ("dot(x, Y)", matrix.x_axis.y),
            ("dot(space(1, 2, 3), z)", (s.q.conjugate() * DVec3::new(1.0, 2.0, 3.0)).z),
            ("dot(body(1, 2, 3), Z)", (s.q * DVec3::new(1.0, 2.0, 3.0)).z),
            ("dot(momentum, Z)", s.spatial_momentum().z),
            ("norm(omega)", omega.length()),
            ("cos(angle(momentum, x))", 0.4 / s.m.length()),
            ("angle(z, Z)", libm::acos(matrix.z_axis.z)),
            ("nutation", libm::acos(matrix.z_axis.z)),
            ("precession", libm::atan2(matrix.z_axis.x, -matrix.z_axis.y)),
            ("rotation", libm::atan2(matrix.x_axis.z, matrix.y_axis.z)),
            ("yaw", yaw),
            ("deg(pitch)", pitch.to_degrees()),
            ("roll - rad(10)", roll - 10f64.to_radians()),
            ("kinetic", kinetic),
            ("potential", 2.0 * matrix.z_axis.z),
            ("energy - kinetic - potential", 0.0),
            ("angle(sun, Y)", 0.0),
            ("angle(star, X)", core::f64::consts::FRAC_PI_4),
            ("angle(z, body(0, 0, -2))", PI),
            (
                "area_box(2, 3, 4, space(1, 2, 2))",
                12.0 * d.x.abs() + 8.0 * d.y.abs() + 6.0 * d.z.abs(),
            ),
            ("area_ellipsoid(2, 2, 2, sun)", 4.0 * PI),
            ("area_ellipsoid(2, 3, 4, x)", 12.0 * PI),
        ] {
            // At a time at which the table has 0.8 X + 0.8 Y, to be seen under 45 degrees.
            let got = value(text, &top, 0.4);
            assert!((got - want).abs() < 2e-15 * want.abs().max(1.0) * 4.0, "{text}: {got} {want}");
        }
    }

    #[test]
    fn nadir_is_away_from_where_the_body_is_seen() {
        let orbit = problem(GravityGradient::new(0.5, DVec3::Z, DVec3::X).unwrap());
        // After a quarter of an orbit the body is in the direction Y, and the planet opposite.
        let quarter = PI;
        assert!(value("angle(nadir, space(0, -1, 0))", &orbit, quarter) < 1e-15);
        assert!((value("angle(nadir, X)", &orbit, 0.0) - PI).abs() < 1e-15);
        // It moves in the direction X reversed then, half a semi-major axis in a unit of time.
        assert!((value("dot(velocity, X)", &orbit, quarter) + 0.5).abs() < 1e-15);
        let path = Orbit::circular(0.5, DVec3::Z, DVec3::X).unwrap();
        let field = DipoleField::new(path, 2.0, DVec3::X).unwrap();
        let magnet = problem(Torque::dipole([0.0, 0.0, 1.0], field).unwrap());
        // Along the axis of the moment the field is twice that on the equator.
        assert!((value("dot(field, X)", &magnet, 0.0) - 4.0).abs() < 1e-14);
        assert!((value("dot(field, X)", &magnet, quarter) + 2.0).abs() < 1e-14);
        assert!(value("angle(nadir, space(0, -1, 0))", &magnet, quarter) < 1e-15);
        // A direction of the user's own is meant where there is one.
        let own: Directions = [("field".to_owned(), Source::from(DVec3::Y))].into();
        let around = Surroundings { torque: magnet.torques(), directions: &own, named: &[] };
        let along = Observable::new("angle(field, Y)", &around).unwrap();
        assert!(along.value(&magnet, 0.0, &state()) < 1e-15);
    }

    /// The area that a convex body shows is the part of random lines of sight in a square that meet it.
    #[test]
    fn areas_are_those_of_shadows() {
        let free = problem(Torque::none());
        let (s, d) = (state(), DVec3::new(1.0, 2.0, 2.0) / 3.0);
        let d = s.q.conjugate() * d;
        let (u, v) = d.any_orthonormal_pair();
        let (mut hits, n) = ([0u32; 2], 400);
        let half = DVec3::new(1.0, 1.5, 0.7);
        for i in 0..n {
            for j in 0..n {
                let place = |k: i32| 4.0 * ((f64::from(k) + 0.5) / f64::from(n) - 0.5);
                let origin = u * place(i) + v * place(j);
                // A line meets the box if the spans in which it is within its three slabs have a common part.
                let spans = [0, 1, 2].map(|k| {
                    let at = [(-half[k] - origin[k]) / d[k], (half[k] - origin[k]) / d[k]];
                    (at[0].min(at[1]), at[0].max(at[1]))
                });
                let from = spans.iter().fold(f64::MIN, |m, s| m.max(s.0));
                let to = spans.iter().fold(f64::MAX, |m, s| m.min(s.1));
                hits[0] += u32::from(from < to);
                // And the ellipsoid if |o + s d| scaled has a root.
                let (o, e) = (origin / half, d / half);
                let (a, b, c) = (e.dot(e), e.dot(o), o.dot(o) - 1.0);
                hits[1] += u32::from(b * b > a * c);
            }
        }
        let shadow = hits.map(|h| 16.0 * f64::from(h) / f64::from(n * n));
        for (text, shadow) in [
            ("area_box(2, 3, 1.4, space(1, 2, 2))", shadow[0]),
            ("area_ellipsoid(1, 1.5, 0.7, space(1, 2, 2))", shadow[1]),
        ] {
            let got = value(text, &free, 0.0);
            // The border crosses some 1600 of 160000 cells of 1e-4.
            assert!((got - shadow).abs() < 0.01 * got, "{text}: {got} {shadow}");
        }
    }

    #[test]
    fn observables_and_conditions_may_name_others() {
        let free = problem(Torque::none());
        let directions = directions();
        let around = Surroundings { torque: free.torques(), directions: &directions, named: &[] };
        let tilt = Observable::new("deg(angle(z, star))", &around).unwrap();
        let named = [("tilt".to_owned(), tilt.clone())];
        let around = Surroundings { named: &named, ..around };
        let twice = Observable::new("2*tilt", &around).unwrap();
        assert_eq!(twice.value(&free, 0.5, &state()), 2.0 * tilt.value(&free, 0.5, &state()));
        assert_eq!((twice.span(), twice.text()), (Some((0.0, 2.0)), "2*tilt"));
        let (below, above) =
            (Condition::new("tilt < 10", &around), Condition::new("tilt >= 10", &around));
        let margin = below.unwrap().margin(&free, 0.5, &state());
        assert_eq!(margin, 10.0 - tilt.value(&free, 0.5, &state()));
        assert_eq!(above.unwrap().margin(&free, 0.5, &state()), -margin);
    }

    #[test]
    fn mistakes_have_their_column_and_a_remedy() {
        let torque = Torque::from(HeavyTop::lagrange(1.0).unwrap())
            + crate::torque::Damping::new([0.1; 3]).unwrap();
        let directions = directions();
        let around = Surroundings { torque: &torque, directions: &directions, named: &[] };
        for (text, column, reason) in [
            ("angel(x, y)", 1, "no function 'angel'; did you mean 'angle'?"),
            ("angle(x, son)", 10, "no direction 'son'; did you mean 'sun'?"),
            ("angle(x)", 8, "',' is missing"),
            ("angle(x, 3)", 10, "a direction is missing"),
            ("angle(x, nadir)", 10, "there is no nadir without an orbit"),
            ("angle(x, velocity)", 10, "there is no velocity without an orbit"),
            ("angle(x, field)", 10, "there is no field without a dipole"),
            ("2*momentum", 3, "'momentum' is a direction, not a number"),
            ("potential", 1, "this torque has no potential"),
            ("energi", 1, "no name 'energi'; did you mean 'energy'?"),
            ("area_box(1, 2, t, x)", 16, "a number is needed here"),
            ("area_box(1, -2, 3, x)", 13, "a length must be a positive number"),
            ("dot(space(1, 2), x)", 15, "',' is missing"),
            ("w1 < 2", 4, "a comparison is no number"),
        ] {
            let error = Observable::new(text, &around).unwrap_err();
            assert_eq!(error.column(), column, "{error}");
            assert!(error.reason().starts_with(reason), "{error}");
        }
        for (text, column, reason) in [
            ("w1", 3, "a comparison is missing"),
            ("w1 < 2 < 3", 8, "one comparison is enough"),
            ("< 2", 1, "'<' has no meaning"),
        ] {
            let error = Condition::new(text, &around).unwrap_err();
            assert_eq!(
                (error.column(), error.reason().starts_with(reason)),
                (column, true),
                "{error}"
            );
        }
    }

    #[test]
    fn names_that_are_taken() {
        assert!(Surroundings::taken("sun").is_none() && Surroundings::taken("off_nadir").is_none());
        for name in ["x", "angle", "t", "sin", "pi", "2a", "", "a b", "energy"] {
            assert!(Surroundings::taken(name).is_some(), "{name}");
        }
    }
}
