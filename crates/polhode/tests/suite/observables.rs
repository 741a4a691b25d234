//! What is watched: observables and conditions.

use core::f64::consts::PI;

use polhode::glam::DVec3;
use polhode::observe::{Condition, Directions, Observable, Sample, Surroundings};
use polhode::so3::{self, EulerSequence};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{DipoleField, GravityGradient, HeavyTop, Orbit, Torque, VectorSource};
use polhode::{Inertia, Problem, State};

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
    let around = Surroundings::new(problem.torques(), &directions);
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
        ("area_box(2, 3, 4, space(1, 2, 2))", 12.0 * d.x.abs() + 8.0 * d.y.abs() + 6.0 * d.z.abs()),
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
    let own: Directions = [("field".to_owned(), VectorSource::from(DVec3::Y))].into();
    let around = Surroundings::new(magnet.torques(), &own);
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
    let around = Surroundings::new(free.torques(), &directions);
    let tilt = Observable::new("deg(angle(z, star))", &around).unwrap();
    let named = [("tilt".to_owned(), tilt.clone())];
    let around = around.with_named(&named);
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
        + polhode::torque::Damping::new([0.1; 3]).unwrap();
    let directions = directions();
    let around = Surroundings::new(&torque, &directions);
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
        ("area_box(1, 2, t, x)", 16, "this changes with time or state"),
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
        assert_eq!((error.column(), error.reason().starts_with(reason)), (column, true), "{error}");
    }
}

#[test]
fn names_that_are_taken() {
    assert!(Surroundings::taken("sun").is_none() && Surroundings::taken("off_nadir").is_none());
    for name in ["x", "angle", "t", "sin", "pi", "2a", "", "a b", "energy"] {
        assert!(Surroundings::taken(name).is_some(), "{name}");
    }
}

/// Of a body that turns about its third axis by a radian in a unit of time.
#[test]
fn changes_between_two_moments_are_found_once_and_twice() {
    let spun = Inertia::principal([1.0, 1.5, 2.0]).unwrap();
    let at = |t: f64| State::new([0.0, 0.0, 2.0], so3::exp(DVec3::Z * t)).unwrap();
    let directions = Directions::new();
    let nothing =
        polhode::formula::Formula::new("0*t", &polhode::formula::Constants::new()).unwrap();
    let nothing = Torque::formula(
        [nothing.clone(), nothing.clone(), nothing],
        polhode::torque::VectorFrame::Body,
    );
    for torque in [Torque::none(), nothing] {
        let problem = Problem::new(spun, at(0.0)).torque(torque.clone());
        let around = Surroundings::new(&torque, &directions);
        let half = libm::acos(0.999999);
        for (text, from, to, want) in [
            ("dot(x, X) > 0", 1.5, 1.6, &[PI / 2.0][..]),
            ("dot(x, X) > 0", 1.0, 1.1, &[]),
            ("dot(x, X) > 0", 0.0, 6.0, &[PI / 2.0, 1.5 * PI]),
            // Of steps much longer than what is looked for.
            ("dot(x, X) > 0.999999", 6.25, 6.375, &[2.0 * PI - half, 2.0 * PI + half]),
            ("dot(x, X) < 0.999999", 6.25, 6.375, &[2.0 * PI - half, 2.0 * PI + half]),
            ("deg(angle(x, X)) > 0.1", 6.2, 6.3, &[2.0 * PI - PI / 1800.0, 2.0 * PI + PI / 1800.0]),
            ("dot(x, X) > 1.000001", 6.25, 6.375, &[]),
            ("dot(x, X) > 0.9", 6.8, 6.0, &[2.0 * PI + libm::acos(0.9)]),
        ] {
            let condition = Condition::new(text, &around).unwrap();
            let states = [from, to].map(at);
            let before = Sample::new(&problem, 0, from, &states[0]);
            let after = Sample::new(&problem, 1, to, &states[1]);
            let got = condition.changes(&before, &after);
            assert_eq!(got.len(), want.len(), "{text}: {got:?} {want:?}");
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 1e-8, "{text}: {got} {want}");
            }
        }
    }
}
