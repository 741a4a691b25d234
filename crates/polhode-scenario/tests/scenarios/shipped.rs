//! The scenarios of the project: documented, and they run.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use core::ops::ControlFlow;

use polhode::observe::Sample;
use polhode::{Plan, State, run, so3};
use polhode_elliptic::Dd;
use polhode_scenario::Scenario;
use polhode_testkit::oracle::torqued_cases;

use crate::shipped_files;

#[test]
fn those_promised_are_there() {
    let names: Vec<String> =
        shipped_files().iter().filter_map(|p| Some(p.file_stem()?.to_str()?.to_owned())).collect();
    for name in [
        "dzhanibekov",
        "toutatis",
        "book-axis-1",
        "book-axis-2",
        "book-axis-3",
        "water",
        "slow-lagrange-top",
        "fast-lagrange-top",
        "heavy-top-large",
        "heavy-top-small",
        "perturbed-body",
        "gravity-gradient-satellite",
        "coulomb-wall",
        "debris-with-damping",
        "magnetic-satellite",
        "rotating-field",
        "thruster-burn",
        "pointing-windows",
        "own-method",
        "hyperion",
        "mercury",
        "cubesat-detumbling",
        "relaxing-asteroid",
        "spin-up",
        "dual-spin",
        "momentum-exchange",
    ] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
}

#[test]
fn each_says_what_it_is_about() {
    for file in shipped_files() {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in ["# What it shows: ", "# Look at: ", "# Source: ", "# Units: "] {
            assert!(text.contains(word), "{}: {word}", file.display());
        }
        // Outputs of different scenarios do not overwrite each other.
        let stem = file.file_stem().unwrap().to_str().unwrap();
        for name in &Scenario::load(&file).unwrap().output().files {
            assert_eq!(name.split('.').next(), Some(stem), "{}", file.display());
        }
    }
}

#[test]
fn each_runs() {
    for file in shipped_files() {
        let scenario = Scenario::load(&file).unwrap_or_else(|e| panic!("{e}"));
        let problem = scenario.problem();
        let Some(steps) = scenario.steps() else {
            // Solved to a tolerance: the whole of it.
            let solving = scenario.solving().unwrap();
            let until = scenario.until();
            let solved =
                problem.solver().tolerance(solving.tolerance).stops(&solving.stops).until(until);
            let (t, end) = solved.unwrap_or_else(|e| panic!("{}: {e}", file.display())).end();
            assert!(
                t == until && end.m.is_finite() && solving.rows.len() > 1,
                "{}",
                file.display()
            );
            continue;
        };
        let mut stepper = steps.method.stepper(&problem).unwrap();
        let plan = Plan { steps: 50, ..steps.plan };
        assert!(steps.plan.steps > plan.steps, "{}", file.display());
        let mut seen = 0;
        let mut finite = |sample: &Sample<'_>| {
            let State { m, q } = *sample.state;
            assert!(m.is_finite() && q.is_finite(), "{}: {m} {q}", file.display());
            assert!((q.length() - 1.0).abs() < 1e-12, "{}: {q}", file.display());
            seen += 1;
            ControlFlow::Continue(())
        };
        let summary = run(&problem, &mut *stepper, &plan, &mut [&mut finite]);
        assert_eq!(summary.unwrap_or_else(|e| panic!("{}: {e}", file.display())).step, 50);
        assert_eq!(seen, 51);
    }
}

/// The data of the papers are those of the reference solutions.
#[test]
fn those_of_the_papers_end_where_the_reference_does() {
    // Accurate enough to tell a wrong digit: the methods of the papers are not.
    let fine = ["method.id=rkn6-14+exact"];
    for (stem, overrides, case) in [
        ("heavy-top-small", &[][..], "p000_exp5_t1"),
        ("heavy-top-large", &fine[..], "p000_exp3_t0.1"),
        ("slow-lagrange-top", &[], "p003_slowtop_t1"),
        ("fast-lagrange-top", &[], "p003_fasttop_t1"),
        ("perturbed-body", &[], "p001_43_t10"),
        ("coulomb-wall", &[fine[0], "method.step=0.01"], "p003_coulomb_asprinted_t5"),
        (
            "coulomb-wall",
            &[fine[0], "method.step=0.005", "torque.sign=physical"],
            "p003_coulomb_wall_t5",
        ),
    ] {
        let case = torqued_cases().iter().find(|c| c.name == case).unwrap();
        let files = shipped_files();
        let file = files.iter().find(|f| f.file_stem().is_some_and(|s| s == stem)).unwrap();
        let until = format!("run.until={:?}", case.t.hi());
        let overrides: Vec<&str> = overrides.iter().copied().chain([until.as_str()]).collect();
        let scenario = Scenario::load_with(file, &overrides).unwrap_or_else(|e| panic!("{e}"));
        let problem = scenario.problem();
        let steps = scenario.steps().unwrap();
        let mut stepper = steps.method.stepper(&problem).unwrap();
        let end = run(&problem, &mut *stepper, &steps.plan, &mut []).unwrap().state;
        let momentum = end.m - polhode::glam::DVec3::from_array(case.momentum.map(Dd::hi));
        let q = so3::from_wxyz(case.quaternion.map(Dd::hi));
        let attitude = so3::angle_between(end.q, q);
        // Truncation and round-off together; a wrong digit of the data gives more.
        assert!(momentum.length() < 1e-9 * end.m.length(), "{}: {momentum}", case.name);
        assert!(attitude < 1e-9, "{}: {attitude:e}", case.name);
    }
}

/// The scenario of that name.
fn shipped(stem: &str, overrides: &[&str]) -> Scenario {
    let files = shipped_files();
    let file = files.iter().find(|f| f.file_stem().is_some_and(|s| s == stem)).unwrap();
    Scenario::load_with(file, overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// What a column is at each step.
fn column(scenario: &Scenario, name: &str) -> Vec<f64> {
    let problem = scenario.problem();
    let steps = scenario.steps().unwrap();
    let columns = &scenario.watching().columns;
    let (_, observable) = columns.iter().find(|(known, _)| known == name).unwrap();
    let mut values = Vec::new();
    let mut see = |sample: &Sample<'_>| {
        let Sample { problem, t, state, inside, .. } = *sample;
        values.push(observable.value_inside(problem, t, state, inside));
        ControlFlow::Continue(())
    };
    let mut stepper = steps.method.stepper(&problem).unwrap();
    run(&problem, &mut *stepper, &steps.plan, &mut [&mut see]).unwrap();
    values
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

#[test]
fn mercury_stays_in_its_resonance_and_hyperion_in_none() {
    let held = column(&shipped("mercury", &[]), "libration");
    // It swings by the 0.1 rad that it was turned away, with a ripple in each orbit.
    assert!((5.5..7.0).contains(&largest(&held)), "{}", largest(&held));
    // n sqrt(3 (B - A)/C (7e/2 - 123e^3/16)): Goldreich and Peale, equation 9; 17.8 years.
    let (n, e) = (0.07142477, 0.20563_f64);
    let [a, b, c] = [0.34593352, 0.34596588, 0.346];
    let rate = n * (3.0 * (b - a) / c * (3.5 * e - 123.0 / 16.0 * e.powi(3))).sqrt();
    let want = std::f64::consts::TAU / rate / 365.25;
    // From the first time that it swings back through zero to the last, whole periods.
    let falls = held.windows(2).enumerate().filter(|(_, x)| x[0] > 0.0 && x[1] <= 0.0);
    let falls: Vec<f64> = falls.map(|(i, x)| i as f64 + x[0] / (x[0] - x[1])).collect();
    let years = (falls[falls.len() - 1] - falls[0]) * 4.0 / 365.25;
    let periods = (years / want).round();
    assert!(periods >= 1.0 && (years / periods / want - 1.0).abs() < 0.02, "{years} {want}");
    let faster = "start.omega=[0,0,0.1073]";
    let held = column(&shipped("mercury", &[faster]), "libration");
    assert!(largest(&held) < 15.0, "{}", largest(&held));
    let lost = column(&shipped("mercury", &[faster, "orbit.eccentricity=0"]), "libration");
    assert!(largest(&lost) > 40.0, "{}", largest(&lost));

    let tilt = column(&shipped("hyperion", &[]), "tilt");
    assert!(largest(&tilt) > 90.0, "{}", largest(&tilt));
    let near = column(&shipped("hyperion", &["start.omega=[0.0100001, 0.0, 0.42]"]), "tilt");
    let apart: Vec<f64> = tilt.iter().zip(&near).map(|(a, b)| a - b).collect();
    assert!(largest(&apart) > 20.0, "{}", largest(&apart));
    let round = ["body.inertia=[0.53,0.536,0.542]"];
    let upright = column(&shipped("hyperion", &round), "tilt");
    assert!(largest(&upright) < 4.0, "{}", largest(&upright));
}

#[test]
fn a_cubesat_detumbles_in_a_scenario_of_less_than_forty_lines() {
    let scenario = shipped("cubesat-detumbling", &[]);
    assert!(scenario.text().lines().count() < 40);
    let rate = column(&scenario, "rate");
    assert!((rate[0] - 5.0).abs() < 0.1, "{}", rate[0]);
    let last = &rate[rate.len() - 600..];
    assert!(largest(last) < 0.5, "{}", largest(last));
    let off = column(&scenario, "off_nadir");
    let changes = off.windows(2).filter(|pair| (pair[0] < 10.0) != (pair[1] < 10.0)).count();
    assert!(changes > 2, "{changes}");
}

#[test]
fn an_asteroid_relaxes_in_the_time_that_was_published() {
    // tau = mu Q/(rho K r^2 omega^3) of Burns and Safronov, with the numbers of the scenario: the unit of its time.
    let omega = std::f64::consts::TAU / 3600.0;
    let tau = 5e11 / (2000.0 * 0.0298 * 100.0_f64.powi(2) * omega.powi(3));
    assert!((tau / 1.578e14 - 1.0).abs() < 1e-4 && (tau / 3.15576e13 - 5.0).abs() < 1e-3, "{tau}");
    let scenario = shipped("relaxing-asteroid", &[]);
    let m = scenario.start().m.length();
    // sin^2 of a small angle falls as exp(-2 kappa M^2 (1/A - 1/C) t): with the scenario's kappa, in the time tau.
    let want = 1.0 / (2.0 * 3.222168e-5 * m * m * (1.0 - 1.0 / 1.15));
    assert!((want - 1.0).abs() < 2e-7, "{want}");
    let angle = column(&scenario, "tilt");
    // sin^2/cos^2 of the angle falls as exp(-t/tau) at any angle: in a unit of time by the factor e.
    let ratio = |i: usize| angle[i].to_radians().tan().powi(2);
    for (i, j) in [(0, 1000), (1000, 3000)] {
        let scale = (j - i) as f64 / 1000.0 / (ratio(i) / ratio(j)).ln();
        assert!((scale / want - 1.0).abs() < 1e-9, "{scale} {want}");
    }
}

#[test]
fn wheels_do_what_their_scenarios_say() {
    let tilt = column(&shipped("spin-up", &[]), "tilt");
    assert!(largest(&tilt) > 100.0, "{}", largest(&tilt));
    let speed = column(&shipped("spin-up", &[]), "wheel1");
    assert!((speed[speed.len() - 1] - 50.0).abs() < 1e-9, "{:?}", speed.last());
    let late = &tilt[tilt.len() - 100..];
    assert!(largest(late) < 60.0, "{}", largest(late));
    let never = column(&shipped("spin-up", &["wheel.torque=0"]), "tilt");
    assert!(largest(&never[never.len() / 2..]) > 120.0);

    let wobble = column(&shipped("dual-spin", &[]), "wobble");
    assert!(wobble[wobble.len() - 1] < 0.1 * wobble[0], "{:?}", wobble.last());
    let without = column(&shipped("dual-spin", &["wheel.speed=0"]), "wobble");
    assert!(without[without.len() - 1] > 80.0, "{:?}", without.last());

    let error = column(&shipped("momentum-exchange", &[]), "error");
    assert!(error[0] > 40.0 && error[error.len() - 1] < 0.1, "{:?}", error.last());
    let saturated = ["wheel.1.speed_limit=20", "start.omega=[0.05,0,0]"];
    let missed = column(&shipped("momentum-exchange", &saturated), "error");
    assert!(missed[missed.len() - 1] > 0.5, "{:?}", missed.last());
}
