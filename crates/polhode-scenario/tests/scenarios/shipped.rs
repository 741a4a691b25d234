//! The scenarios of the project: documented, and they run.

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
