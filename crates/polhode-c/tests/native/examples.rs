//! The examples: what they print has the bits of the Rust library.

use polhode_core::glam::DQuat;
use polhode_core::method::Method;
use polhode_core::observe::{Every, Trajectory};
use polhode_core::solve::Event;
use polhode_core::torque::{Dependence, HeavyTop, KeyValue, TORQUES, TorqueEntry};
use polhode_core::{FreeMotion, Inertia, Plan, Problem, State, Torque, run};

use crate::{LINKS, assert_same_bits, compile, folder, program, rows, sources, stdout};

const C: &[&str] = &["-std=c11", "-pedantic", "-O2", "-ffp-contract=off"];

fn row(t: f64, s: &State) -> Vec<f64> {
    [[t].as_slice(), &s.m.to_array(), &s.attitude()].concat()
}

fn heavy_top() -> Vec<Vec<f64>> {
    let problem = Problem::new(
        Inertia::principal([1.0, 5.0, 6.0]).unwrap(),
        State::aligned([1.0, 5.0, 6.0]).unwrap(),
    )
    .torque(HeavyTop::new([0.0, 0.0, 2.0], [0.0, 0.0, 1.0]).unwrap());
    let mut stepper = Method::parse("rkn6-14+exact").unwrap().stepper(&problem).unwrap();
    let mut seen = Every::new(250, Trajectory::default());
    run(&problem, &mut *stepper, &Plan { step: 0.01, steps: 1000 }, &mut [&mut seen]).unwrap();
    seen.inner().points.iter().map(|p| row(p.t, &p.state)).collect()
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn free_motion() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let motion = FreeMotion::from_omega(&inertia, [0.01, 1.0, 0.0], DQuat::IDENTITY).unwrap();
    let want: Vec<_> =
        [0.0, 1.0, 1e3, 1e6].iter().map(|&t| row(t, &motion.at(t).unwrap())).collect();
    for link in LINKS {
        let folder = folder(&format!("free_motion-{link:?}"));
        let built = compile("gcc", link, &folder, C, &["examples/c/free_motion.c"]);
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &want, &format!("{link:?}"));
        let summary = format!("# regime about-minor, period {}\n", motion.period().unwrap());
        assert!(text.starts_with(&summary), "{text}");
    }
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn heavy_top_by_a_model_and_by_a_function() {
    let want = [heavy_top(), heavy_top()].concat();
    for link in LINKS {
        let folder = folder(&format!("heavy_top-{link:?}"));
        let built = compile("gcc", link, &folder, C, &["examples/c/heavy_top.c"]);
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &want, &format!("{link:?}"));
        assert!(text.contains("# the function was called 14000 times"), "{text}");
    }
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn solve() {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    let problem = Problem::new(inertia, State::aligned([1.0, 5.0, 6.0]).unwrap())
        .torque(HeavyTop::new([0.0, 0.0, 2.0], [0.0, 0.0, 1.0]).unwrap());
    let level = |_: f64, s: &State| 2.0 * (s.q.x * s.q.z - s.q.w * s.q.y);
    let solver = problem.solver().tolerance(1e-9).event(Event::new(level).rising());
    let solution = solver.until(5.0).unwrap();
    let at = [0.0, 2.5, 5.0].map(|t| row(t, &solution.at(t).unwrap()));
    let events = solution.events()[0].iter().map(|event| row(event.t, &event.state));
    let want: Vec<_> = at.into_iter().chain(events).collect();
    assert!(want.len() > 3, "no event: {want:?}");
    for link in LINKS {
        let folder = folder(&format!("solve-{link:?}"));
        let built = compile("gcc", link, &folder, C, &["examples/c/solve.c"]);
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &want, &format!("{link:?}"));
        let steps = solution.statistics().steps;
        assert!(text.starts_with(&format!("# extrapolation, {steps} steps\n")), "{text}");
    }
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn tangent() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let motion = FreeMotion::from_omega(&inertia, [0.01, 1.0, 0.0], DQuat::IDENTITY).unwrap();
    let (free, by_inertia) = motion.inertia_tangent_at(100.0).unwrap();
    let problem = Problem::new(inertia, State::aligned([0.01, 2.0, 0.0]).unwrap())
        .torque(HeavyTop::new([0.0, 0.0, 2.0], [0.0, 0.0, 1.0]).unwrap());
    let top = problem.solve_tangent(3.0, 1e-10).unwrap().at(3.0).unwrap();
    let mut want: Vec<_> = free.state_transition.iter().map(|row| row.to_vec()).collect();
    want.extend(by_inertia.inertia.iter().map(|row| row.to_vec()));
    want.extend(top.tangent.state_transition.iter().map(|row| row.to_vec()));
    want.extend(top.by_parameters.iter().map(|column| column.to_vec()));
    for link in LINKS {
        let folder = folder(&format!("tangent-{link:?}"));
        let built = compile("gcc", link, &folder, C, &["examples/c/tangent.c"]);
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &want, &format!("{link:?}"));
        assert!(text.contains("# by the moments at a fixed angular velocity\n"), "{text}");
    }
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn ensemble() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let want: Vec<_> = (0..1000)
        .step_by(100)
        .map(|n| {
            let start = State::aligned([1e-3, 2e-3 + 1e-6 * f64::from(n), 0.0]).unwrap();
            let values = [("rate".to_owned(), 1e-3.into())].into();
            let torque = Torque::build("gravity-gradient", &values);
            let problem = Problem::new(inertia, start).torque(torque.unwrap());
            // One body by itself: what lanes and threads must not change.
            let mut stepper = Method::parse("s4-6+exact").unwrap().stepper(&problem).unwrap();
            let plan = Plan { step: 10.0, steps: 100 };
            let end = run(&problem, &mut *stepper, &plan, &mut []).unwrap().state;
            row(0.0, &end)[1..].to_vec()
        })
        .collect();
    for link in LINKS {
        let folder = folder(&format!("ensemble-{link:?}"));
        let built = compile("gcc", link, &folder, C, &["examples/c/ensemble.c"]);
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &want, &format!("{link:?}"));
    }
}

/// The example of a torque as C has it.
fn in_c(entry: &'static TorqueEntry) -> String {
    let values = entry.example();
    let key = |(name, value): (&String, &KeyValue)| {
        let (numbers, word) = match value {
            KeyValue::Number(x) => (vec![*x], None),
            KeyValue::Numbers(numbers) => (numbers.clone(), None),
            KeyValue::Rows(rows) => (rows.concat(), None),
            KeyValue::Text(text) => (vec![], Some(text.clone())),
            KeyValue::Texts(texts) => (vec![], Some(texts.join("; "))),
            KeyValue::Constants(constants) => {
                let each = constants.iter().map(|(name, x)| format!("{name} = {x:?}"));
                (vec![], Some(each.collect::<Vec<_>>().join("; ")))
            }
            other => panic!("{other:?}: say how it is given in C"),
        };
        if let Some(word) = word {
            return format!("{{{name:?}, NULL, 0, {word:?}}}");
        }
        let list = format!("{numbers:?}").replace(['[', ']'], "");
        format!("{{{name:?}, (const double[]){{{list}}}, {}, NULL}}", numbers.len())
    };
    let keys: Vec<String> = values.iter().map(key).collect();
    let keys = if keys.is_empty() { "{NULL, NULL, 0, NULL}".into() } else { keys.join(", ") };
    let on_attitude = entry.build(&values).unwrap().dependence() < Dependence::Momentum;
    let (kind, count) = (entry.kind, values.len());
    format!("    {{{kind:?}, {}, {count}, {{{keys}}}}},\n", i32::from(on_attitude))
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn ensembles_have_the_bits_of_runs() {
    let folder = folder("ensembles");
    let all: String = TORQUES.iter().map(|entry| in_c(entry)).collect();
    let header = format!(
        "static const struct {{ const char *kind; int on_attitude; size_t count; polhode_key keys[16]; }} \
         examples[] = {{\n{all}}};\n"
    );
    std::fs::write(folder.join("torque_examples.h"), header).unwrap();
    let flags = [C, &["-I."]].concat();
    let built = compile("gcc", LINKS[0], &folder, &flags, &["tests/native/ensembles.c"]);
    assert_eq!(stdout(&mut program(&built, &folder)).trim(), "done");
}

#[test]
#[ignore = "needs gfortran: cargo xtask test"]
fn heavy_top_by_the_fortran_module() {
    for link in LINKS {
        let folder = folder(&format!("heavy_top-fortran-{link:?}"));
        let built = compile(
            "gfortran",
            link,
            &folder,
            &["-std=f2008", "-O2", "-ffp-contract=off"],
            &["fortran/polhode.f90", "examples/fortran/heavy_top.f90"],
        );
        let text = stdout(&mut program(&built, &folder));
        assert_same_bits(&rows(&text), &heavy_top(), &format!("{link:?}"));
    }
}

#[test]
#[ignore = "needs gfortran: cargo xtask test"]
fn every_routine_from_fortran() {
    for link in LINKS {
        let folder = folder(&format!("routines-{link:?}"));
        let built = compile(
            "gfortran",
            link,
            &folder,
            // Bits are compared on purpose.
            &["-std=f2008", "-O2", "-fcheck=all", "-Wno-compare-reals"],
            &["fortran/polhode.f90", "tests/native/routines.f90"],
        );
        assert_eq!(stdout(&mut program(&built, &folder)).trim(), "done");
    }
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn every_example_says_how_it_is_built() {
    for file in std::fs::read_dir(sources().join("examples/c")).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("-o {name} {name}.c ")), "{}", path.display());
    }
}
