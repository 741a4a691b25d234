//! Torques that a text or a table says, against those of the library and against functions they tabulate.

use glam::DVec3;
use polhode::formula::Formula;
use polhode::solve::SolveMethod;
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{
    ConstantTorque, CoulombWall, Damping, Dependence, DipoleField, Function, GravityGradient,
    HeavyTop, MagneticDipole, Orbit, Torque, TorqueError, VectorFrame, VectorSource,
};
use polhode::{Inertia, Plan, Problem, RunError, SolveError, State, so3};

fn start() -> State {
    State::new([0.4, -0.3, 0.9], so3::exp(DVec3::new(0.5, -1.2, 0.8))).unwrap()
}

fn on(torque: impl Into<Torque>) -> Problem {
    Problem::new(Inertia::principal([1.0, 1.7, 2.2]).unwrap(), start()).torque(torque)
}

fn formulas(texts: [&str; 3]) -> [Formula; 3] {
    let constants = [
        ("n".to_owned(), 0.7),
        ("k".to_owned(), 0.2),
        ("I1".to_owned(), 1.0),
        ("I2".to_owned(), 1.7),
    ];
    let constants = constants.into_iter().chain([("I3".to_owned(), 2.2)]).collect();
    texts.map(|text| Formula::new(text, &constants).unwrap())
}

fn written(texts: [&str; 3], frame: VectorFrame) -> Torque {
    Torque::formula(formulas(texts), frame)
}

/// How far two motions are apart after a while, at the finest tolerance but one.
fn apart(one: &Problem, other: &Problem) -> f64 {
    let end = |problem: &Problem| problem.solve(5.0, 1e-13).unwrap().end().1;
    let (a, b) = (end(one), end(other));
    assert!((a.m - one.start().m).length() > 1e-2, "nothing happened");
    (a.m - b.m).length().max((a.q - b.q).length())
}

/// Each torque of the library, and the same as a formula.
fn pairs() -> Vec<(&'static str, Torque, Torque)> {
    let body = |texts| written(texts, VectorFrame::Body);
    let wall = "(0.01/(1.1 + r33)^11 - 1/(1.1 + r33)^2)";
    let wall_x = format!("{wall}*r32");
    let wall_y = format!("-{wall}*r31");
    // The line to the planet, (cos, sin, 0) of n t in space, along the axes of the body.
    let line = |i: u32| format!("(cos(n*t)*r1{i} + sin(n*t)*r2{i})");
    let gravity = |i: u32, j: u32| format!("3*n^2*(I{j} - I{i})*{}*{}", line(i), line(j));
    let (gx, gy, gz) = (gravity(2, 3), gravity(3, 1), gravity(1, 2));
    vec![
        (
            "heavy-top",
            HeavyTop::new([0.3, -0.4, 1.2], [0.0, 0.6, 0.8]).unwrap().into(),
            body([
                "(0.6*r22 + 0.8*r32)*1.2 + (0.6*r23 + 0.8*r33)*0.4",
                "(0.6*r23 + 0.8*r33)*0.3 - (0.6*r21 + 0.8*r31)*1.2",
                "-(0.6*r21 + 0.8*r31)*0.4 - (0.6*r22 + 0.8*r32)*0.3",
            ]),
        ),
        ("lagrange-top", HeavyTop::lagrange(2.0).unwrap().into(), body(["2*r32", "-2*r31", "0"])),
        ("coulomb-wall", CoulombWall::printed().into(), body([&wall_x, &wall_y, "0"])),
        (
            "gravity-gradient",
            GravityGradient::new(0.7, DVec3::Z, DVec3::X).unwrap().into(),
            body([&gx, &gy, &gz]),
        ),
        (
            "magnetic-dipole",
            MagneticDipole::new([0.0, 0.0, 0.5], [1.0, 0.4, 0.0]).unwrap().into(),
            body(["-0.5*(r12 + 0.4*r22)", "0.5*(r11 + 0.4*r21)", "0"]),
        ),
        (
            "constant",
            ConstantTorque::space([0.3, -0.2, 0.5]).unwrap().into(),
            written(["0.3", "-0.2", "0.5"], VectorFrame::Space),
        ),
        (
            "damping",
            Damping::new([0.2, 0.2, 0.1]).unwrap().into(),
            body(["-k*w1", "-k*m2/I2", "-k*w3/2"]),
        ),
    ]
}

#[test]
fn a_torque_of_the_library_written_as_a_formula_gives_the_same_motion() {
    for (name, model, formula) in pairs() {
        let apart = apart(&on(model.clone()), &on(formula.clone()));
        assert!(apart < 1e-12, "{name}: {apart:e}");
        // In a sum with another one, too.
        let other = || Torque::from(ConstantTorque::body([0.1, 0.0, 0.2]).unwrap());
        let apart = self::apart(&on(other() + model), &on(formula + other()));
        assert!(apart < 1e-12, "{name} in a sum: {apart:e}");
    }
    let (dipole, field) = ([0.3, -0.5, 0.2], [1.0, 0.4, -0.8]);
    let same = apart(
        &on(MagneticDipole::new(dipole, field).unwrap()),
        &on(Torque::dipole(dipole, field).unwrap()),
    );
    assert!(same < 1e-12, "dipole: {same:e}");
}

/// d x Q^T B, written out for a field of space whose components are these texts.
fn on_a_dipole(d: [f64; 3], field: [&str; 3]) -> Torque {
    let [x, y, z] = field;
    let felt = |i: u32| format!("(({x})*r1{i} + ({y})*r2{i} + ({z})*r3{i})");
    let [a, b, c] = [felt(1), felt(2), felt(3)];
    let torque = [
        format!("{:?}*{c} - {:?}*{b}", d[1], d[2]),
        format!("{:?}*{a} - {:?}*{c}", d[2], d[0]),
        format!("{:?}*{b} - {:?}*{a}", d[0], d[1]),
    ];
    written(torque.each_ref().map(String::as_str), VectorFrame::Body)
}

#[test]
fn a_dipole_in_a_field_of_every_kind_feels_the_torque_of_the_textbook() {
    let d = [0.3, -0.5, 0.2];
    // Straight lines are their own table.
    let rows = [[0.0, 1.0, -0.4, 0.0], [2.0, 0.2, -0.4, 1.0], [5.0, -1.0, -0.4, 2.5]];
    let table = VectorTable::new(&rows, Interpolation::Linear, Beyond::Error).unwrap();
    // Of a planet that turns, with a tilted magnet, felt on an orbit above its equator.
    let orbit = Orbit::circular(0.7, DVec3::Z, DVec3::X).unwrap();
    let planet = DipoleField::new(orbit, 1.5, [0.6, 0.0, -0.8]).unwrap();
    let planet = planet.turning(DVec3::Z, 0.2).unwrap();
    for (name, field, texts) in [
        ("constant", VectorSource::from([1.0, 0.4, -0.8]), ["1", "0.4", "-0.8"]),
        (
            "formula",
            formulas(["sin(t)", "cos(n*t)", "0.5"]).into(),
            ["sin(t)", "cos(0.7*t)", "0.5"],
        ),
        ("table", table.into(), ["1 - 0.4*t", "-0.4", "t/2"]),
        (
            "orbit",
            planet.into(),
            [
                "1.5*(1.8*cos(0.5*t)*cos(0.7*t) - 0.6*cos(0.2*t))",
                "1.5*(1.8*cos(0.5*t)*sin(0.7*t) - 0.6*sin(0.2*t))",
                "1.5*0.8",
            ],
        ),
    ] {
        let apart = apart(&on(Torque::dipole(d, field).unwrap()), &on(on_a_dipole(d, texts)));
        assert!(apart < 1e-12, "{name}: {apart:e}");
    }
}

#[test]
fn implicit_methods_and_gradient_schemes_have_the_derivatives_of_a_formula() {
    for (name, model, formula) in pairs() {
        let methods: &[&str] = if model.dependence() == Dependence::Momentum {
            &["imidm", "rk4"]
        } else {
            &["imidm", "rk4", "rkn6-14+exact", "suzuki-chin4+exact"]
        };
        for method in methods {
            let end = |torque: &Torque| on(torque.clone()).simulate(*method, 0.01, 1.0).unwrap();
            let (a, b) = (end(&model), end(&formula));
            let (a, b) = (a.states().last().unwrap(), b.states().last().unwrap());
            let apart = (a.m - b.m).length().max((a.q - b.q).length());
            assert!(apart < 1e-12, "{name} by {method}: {apart:e}");
        }
    }
}

/// A function of time without a scale of its own in the rows, in the body and in space.
fn wave(t: f64) -> DVec3 {
    DVec3::new(libm::sin(1.3 * t), libm::cos(0.9 * t), 0.3 * libm::sin(2.1 * t))
}

fn tabulated(count: i32, interpolation: Interpolation) -> VectorTable {
    let row = |k: i32| {
        let t = 3.0 * f64::from(k) / f64::from(count);
        let DVec3 { x, y, z } = wave(t);
        [t, x, y, z]
    };
    let rows: Vec<_> = (0..=count).map(row).collect();
    VectorTable::new(&rows, interpolation, Beyond::Error).unwrap()
}

#[test]
fn a_table_of_a_function_converges_with_the_order_of_its_interpolation() {
    let exact = Function::new(Dependence::Attitude, |_, t, s: &State| s.q.conjugate() * wave(t));
    let want = on(exact).solve(3.0, 1e-13).unwrap().end().1;
    for (interpolation, order) in
        [(Interpolation::Hold, 1.0), (Interpolation::Linear, 2.0), (Interpolation::Spline, 4.0)]
    {
        let errors =
            [20, 40, 80, 160].map(|count| {
                let torque = Torque::table(tabulated(count, interpolation), VectorFrame::Space);
                let solution = on(torque).solve(3.0, 1e-12).unwrap();
                // The rows are stops.
                assert!((0..=count).all(|k| {
                    solution.times().contains(&(3.0 * f64::from(k) / f64::from(count)))
                }));
                let end = solution.end().1;
                (end.m - want.m).length().max((end.q - want.q).length())
            });
        for pair in errors.windows(2) {
            let observed = (pair[0] / pair[1]).log2();
            assert!((observed - order).abs() < 0.25, "{interpolation:?}: {observed}, {errors:?}");
        }
    }
}

#[test]
fn a_held_torque_is_that_of_the_row_before_until_the_very_jump() {
    // A symmetric body pushed about its axis: the momentum is the sum of the impulses, to rounding.
    let rows =
        [[0.0, 0.0, 0.0, 1.0], [0.7, 0.0, 0.0, -3.0], [1.1, 0.0, 0.0, 0.25], [2.0, 0.0, 0.0, 9.0]];
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for until in [2.0, 3.0] {
            let table = VectorTable::new(&rows, Interpolation::Hold, Beyond::Hold).unwrap();
            let inertia = Inertia::principal([1.0, 1.0, 1.5]).unwrap();
            let spinning = State::aligned([0.0, 0.0, 0.2]).unwrap();
            let problem =
                Problem::new(inertia, spinning).torque(Torque::table(table, VectorFrame::Body));
            let solution = problem.solver().tolerance(1e-12).method(method).until(until).unwrap();
            let want = 0.2 + 0.7 - 3.0 * 0.4 + 0.25 * 0.9 + 9.0 * (until - 2.0);
            let got = solution.end().1.m.z;
            // Roundings of a momentum of 9 with weights that add up to 64, here and below.
            assert!((got - want).abs() < 2e-13, "{method:?} until {until}: {got} {want}");
            // And back again.
            let back = problem
                .starting_at(until)
                .starting_from(solution.end().1)
                .solver()
                .tolerance(1e-12)
                .method(method)
                .until(0.0)
                .unwrap();
            assert!((back.end().1.m.z - 0.2).abs() < 2e-13, "{}", back.end().1.m.z);
        }
    }
}

#[test]
fn from_rest_to_rest() {
    // Half a turn about the third axis: pushed for a second, braked for one. The momentum at the end is rounding,
    // and so no measure of anything.
    let push = core::f64::consts::PI * 2.2;
    let rows = [[0.0, 0.0, 0.0, push], [1.0, 0.0, 0.0, -push], [2.0, 0.0, 0.0, 0.0]];
    let table = VectorTable::new(&rows, Interpolation::Hold, Beyond::Zero).unwrap();
    let rest = State::aligned([0.0; 3]).unwrap();
    let problem = on(Torque::table(table, VectorFrame::Body)).starting_from(rest);
    let (_, end) = problem.solve(3.0, 1e-10).unwrap().end();
    assert!(end.m.length() < 1e-14 && end.q.w.abs() < 1e-10, "{} {}", end.m, end.q);
}

#[test]
fn a_run_beyond_a_table_is_refused_before_it_starts() {
    let torque = || Torque::table(tabulated(10, Interpolation::Linear), VectorFrame::Body);
    let wanted = |error: &TorqueError| match error {
        TorqueError::BeyondTable { t, .. } => *t,
        other => panic!("{other}"),
    };
    assert!(on(torque()).solve(3.0, 1e-8).is_ok());
    let SolveError::Torque(error) = on(torque()).solve(3.5, 1e-8).unwrap_err() else { panic!() };
    assert_eq!(wanted(&error), 3.5);
    assert_eq!(
        error.to_string(),
        "table: the table goes from t = 0.0 to 3.0, and t = 3.5 is wanted; say what is beyond it: \
         beyond = \"hold\" or \"zero\""
    );
    let SolveError::Torque(error) = on(torque()).solve(-0.5, 1e-8).unwrap_err() else { panic!() };
    assert_eq!(wanted(&error), -0.5);
    // A whole number of steps ends a rounding beyond.
    assert!(on(torque()).simulate("strang+exact", 0.1, 3.0).is_ok());
    let problem = on(torque());
    let mut stepper =
        polhode::method::Method::parse("strang+exact").unwrap().stepper(&problem).unwrap();
    let plan = Plan::until(0.0, 0.4, 3.0).unwrap();
    match polhode::run(&problem, &mut *stepper, &plan, &mut []) {
        Err(RunError::Torque(error)) => assert_eq!(wanted(&error), 3.2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn energy_of_a_dipole_changes_by_what_the_field_does() {
    // In a frame that turns with the field, T + V - n e3 . Q m is kept, as on an orbit.
    let field = formulas(["cos(n*t)", "sin(n*t)", "0.3"]);
    let torque = Torque::dipole([0.3, -0.5, 0.8], field).unwrap();
    assert!(torque.is_conservative() && !torque.conserves_energy());
    let problem = on(torque);
    let jacobi = |t: f64, s: &State| problem.energy(t, s) - 0.7 * s.spatial_momentum().z;
    let (t, end) = problem.solve(20.0, 1e-12).unwrap().end();
    let before = jacobi(0.0, &problem.start());
    assert!((jacobi(t, &end) - before).abs() < 1e-11, "{} {before}", jacobi(t, &end));
    assert!((problem.energy(t, &end) - problem.energy(0.0, &problem.start())).abs() > 1e-2);
    // A field that names the state has no potential.
    let torque = Torque::dipole([0.3, -0.5, 0.8], formulas(["w1", "0", "0"])).unwrap();
    assert!(!torque.is_conservative() && torque.dependence() == Dependence::Momentum);
}
