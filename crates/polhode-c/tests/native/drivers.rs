//! The drivers of FRB-FORTRAN.

use std::process::Command;

use polhode_core::glam::{DMat3, DQuat, DVec3};
use polhode_core::method::Method;
use polhode_core::observe::{Every, Trajectory};
use polhode_core::torque::HeavyTop;
use polhode_core::{Inertia, Plan, Problem, State, rotor, run, so3};
use polhode_elliptic::Dd;
use polhode_testkit::oracle;
use polhode_verify::taylor::{momentum_error, quaternion_distance};

use crate::{LINKS, Link, assert_same_bits, compile, folder, good, program, rows, sources, stdout};

/// Runs a driver as documented, in a folder of its own, and returns the rows of its output.
fn driver(number: u32, link: Link) -> Vec<Vec<f64>> {
    let name = format!("driver_example{number}");
    let folder = folder(&format!("{name}-{link:?}"));
    std::fs::write(folder.join(format!("init_example{number}.dat")), init(number)).unwrap();
    let built = compile(
        "gfortran",
        link,
        &folder,
        &["-std=f2018", "-O2", "-ffp-contract=off"],
        &["examples/fortran/driver_files.f90", &format!("examples/fortran/{name}.f90")],
    );
    good(&mut program(&built, &folder));
    let text = std::fs::read_to_string(folder.join(format!("out_example{number}.dat"))).unwrap();
    assert!(text.starts_with(&format!("# {name}: ")), "{text}");
    rows(&text)
}

/// An init file. Example 1 goes on for 100 000 steps; a tenth of them, 150 000 calls of `frb_step`, shows
/// any difference as well.
fn init(number: u32) -> String {
    let path = sources().join(format!("examples/fortran/init_example{number}.dat"));
    let text = std::fs::read_to_string(path).unwrap();
    if number != 1 {
        return text;
    }
    let shorter = text.replace("t_end     5.0e4", &format!("t_end     {UNTIL}"));
    assert_ne!(shorter, text, "example 1 does not say how long");
    shorter
}

/// Where example 1 ends here.
const UNTIL: f64 = 5000.0;

/// The values of a name in an init file, read independently of the drivers.
fn values<const N: usize>(number: u32, name: &str) -> [f64; N] {
    let text = init(number);
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap().split_whitespace());
    let mut words = lines.find_map(|mut words| (words.next() == Some(name)).then_some(words));
    let numbers: Vec<f64> = words.as_mut().unwrap().map(|word| word.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// What `frb_step` does, by the Rust library.
fn frb_step(inertia: &Inertia, h: f64, m: DVec3, q: DMat3) -> (DVec3, DMat3) {
    let mut state = State { m, q: DQuat::IDENTITY };
    rotor::build("frb-matrix", inertia).unwrap().step(h, &mut state).unwrap();
    (state.m, q * DMat3::from_quat(state.q))
}

fn row(t: f64, m: DVec3, q: DMat3) -> Vec<f64> {
    [[t].as_slice(), &m.to_array(), &q.transpose().to_cols_array()].concat()
}

#[test]
#[ignore = "needs gfortran: cargo xtask test"]
fn example_0_has_the_bits_of_rust_and_the_digits_of_the_oracle() {
    let inertia = Inertia::principal(values(0, "inertia")).unwrap();
    let (start, [t]) = (DVec3::from_array(values(0, "momentum")), values(0, "t_end"));
    let (m, q) = frb_step(&inertia, t, start, DMat3::IDENTITY);
    let want = [row(0.0, start, DMat3::IDENTITY), row(t, m, q)];
    let case = oracle::free_cases().iter().find(|c| c.name == "random0_reg1_t10").unwrap();
    assert_eq!((case.inertia, case.momentum0, case.t), (values(0, "inertia"), start.into(), t));
    for link in LINKS {
        let got = driver(0, link);
        assert_same_bits(&got, &want, &format!("{link:?}"));
        let [_, m1, m2, m3, q @ ..] = got[1].as_slice() else { panic!("{got:?}") };
        let error = momentum_error([*m1, *m2, *m3], case.momentum);
        let entry = |(x, y): (&f64, &Dd)| (Dd::from(*x) - *y).hi().abs();
        let turned = q.iter().zip(&case.attitude).map(entry).fold(0.0, f64::max);
        // frb-matrix promises 20 eps (1 + |m| h/I1), here 9.6 rad.
        assert!(error.max(turned) < 20.0 * 9.6 * f64::EPSILON, "{error:e} {turned:e}");
    }
}

#[test]
#[ignore = "needs gfortran: cargo xtask test"]
fn example_2_has_the_bits_of_rust_and_the_digits_of_the_oracle() {
    let inertia = Inertia::principal(values(2, "inertia")).unwrap();
    let (attitude, [t]) = (values(2, "attitude"), values(2, "t_end"));
    let start = State::new(values(2, "momentum"), so3::from_wxyz(attitude)).unwrap();
    let mut end = start;
    rotor::build("frb-quaternion", &inertia).unwrap().step(t, &mut end).unwrap();
    let row = |t: f64, s: &State| [[t].as_slice(), &s.m.to_array(), &s.attitude()].concat();
    let want = [row(0.0, &start), row(t, &end)];
    let case = oracle::free_cases().iter().find(|c| c.name == "random1_reg2_t10").unwrap();
    assert_eq!((case.inertia, case.momentum0), (values(2, "inertia"), values(2, "momentum")));
    let error = momentum_error(end.m.to_array(), case.momentum);
    let error = error.max(quaternion_distance(end.attitude(), case.quaternion));
    assert!(error < 20.0 * 11.0 * f64::EPSILON, "{error:e}");
    for link in LINKS {
        assert_same_bits(&driver(2, link), &want, &format!("{link:?}"));
    }
}

/// The driver's loop in Rust, kept steps as rows.
fn example_1() -> Vec<Vec<f64>> {
    let inertia = Inertia::principal_unphysical(values(1, "inertia")).unwrap();
    let u0 = DVec3::from_array(values(1, "u0"));
    let (a, b): ([f64; 8], [f64; 7]) = (values(1, "a"), values(1, "b"));
    let [[h], [t_end], [every]] = ["step", "t_end", "every"].map(|name| values(1, name));
    let (mut m, mut q) = (DVec3::from_array(values(1, "momentum")), DMat3::IDENTITY);
    let mut rotor = rotor::build("frb-matrix", &inertia).unwrap();
    let mut free = |time: f64, m: &mut DVec3, q: &mut DMat3| {
        let mut state = State { m: *m, q: DQuat::IDENTITY };
        rotor.step(time, &mut state).unwrap();
        (*m, *q) = (state.m, *q * DMat3::from_quat(state.q));
    };
    let kick = |time: f64, m: &mut DVec3, q: &DMat3| {
        let u = |column: DVec3| column.x * u0.x + column.y * u0.y + column.z * u0.z;
        let (u1, u2) = (u(q.x_axis), u(q.y_axis));
        m.x += time * u2;
        m.y -= time * u1;
    };
    let mut kept = vec![row(0.0, m, q)];
    let steps = (t_end / h).round();
    let mut n = 0.0;
    while n < steps {
        for j in 0..7 {
            free(a[j] * h, &mut m, &mut q);
            kick(b[j] * h, &mut m, &q);
        }
        free(a[7] * h, &mut m, &mut q);
        for j in (0..7).rev() {
            kick(b[j] * h, &mut m, &q);
            free(a[j] * h, &mut m, &mut q);
        }
        n += 1.0;
        if n % every == 0.0 || n == steps {
            kept.push(row(n * h, m, q));
        }
    }
    kept
}

/// The same by `run` with the preset `frb`: quaternions instead of matrices.
fn example_1_by_run() -> Vec<Vec<f64>> {
    let [[h], [t_end], [every]] = ["step", "t_end", "every"].map(|name| values(1, name));
    let problem = Problem::new(
        Inertia::principal_unphysical(values(1, "inertia")).unwrap(),
        State::aligned(values(1, "momentum")).unwrap(),
    )
    .torque(HeavyTop::new([0.0, 0.0, 1.0], values(1, "u0")).unwrap());
    let mut stepper = Method::parse("frb").unwrap().stepper(&problem).unwrap();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "100")]
    let mut seen = Every::new(every as u64, Trajectory::default());
    run(&problem, &mut *stepper, &Plan::until(0.0, h, t_end).unwrap(), &mut [&mut seen]).unwrap();
    seen.inner().points.iter().map(|p| row(p.t, p.state.m, p.state.matrix())).collect()
}

#[test]
#[ignore = "needs gfortran: cargo xtask test"]
fn example_1_has_the_bits_of_rust_and_follows_the_run_by_frb() {
    let want = example_1();
    assert_eq!(want.len(), 101);
    for link in LINKS {
        assert_same_bits(&driver(1, link), &want, &format!("{link:?}"));
    }
    let case = oracle::torqued_cases().iter().find(|c| c.name == "p001_43_t100").unwrap();
    let at = want.iter().find(|row| row[0] == 100.0).unwrap();
    let error = momentum_error([at[1], at[2], at[3]], case.momentum);
    // Method and rounding together; measured: 2e-13.
    assert!(error < 1e-12, "{error:e}");
    let by_run = example_1_by_run();
    assert_eq!(by_run.len(), want.len());
    let distance = |(a, b): (&Vec<f64>, &Vec<f64>)| {
        assert_eq!(a[0], b[0]);
        a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let differences: Vec<f64> = want.iter().zip(&by_run).map(distance).collect();
    // Matrices and quaternions round differently. Over the first 100 steps that is a few hundred eps;
    // then the roundings of 1.5e6 stages walk into the energy, sqrt(1.5e6) eps = 3e-13 of it, and so
    // into the rate of a phase of 5e4 rad. Measured: 2.6e-9.
    let largest = differences.iter().copied().fold(0.0, f64::max);
    assert!(differences[1] < 2e-13, "{:e}", differences[1]);
    assert!(largest < 1e-8, "{largest:e}");
    assert!(largest > 0.0, "the comparison compares something with itself");
}

/// The state at the end by `polhode run` with the method `frb`.
fn example_1_by_the_program() -> State {
    let mut build = Command::new(env!("CARGO"));
    // With its own tests, which is how it was built before: nothing is compiled twice.
    build.args(["test", "--quiet", "--workspace", "--no-run", "--test", "suite"]);
    good(build.current_dir(sources()));
    let here = std::env::current_exe().unwrap();
    let program = here.parent().and_then(|deps| deps.parent()).unwrap().join("polhode");
    let scenario = sources().join("../../scenarios/perturbed-body.toml");
    let mut run = Command::new(program);
    run.arg("run").arg(scenario).args(["--method", "frb", "--json", "--until", "5000"]);
    let printed = stdout(run.current_dir(folder("program")));
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((document["steps"].as_u64(), document["t"].as_f64()), (Some(10_000), Some(UNTIL)));
    let numbers = |name: &str| -> Vec<f64> {
        serde_json::from_value(document["state"][name].clone()).unwrap()
    };
    let (m, q) = (numbers("momentum"), numbers("attitude"));
    State { m: DVec3::from_slice(&m), q: so3::from_wxyz(q.try_into().unwrap()) }
}

#[test]
#[ignore = "takes a while: cargo xtask test"]
fn the_program_ends_example_1_where_the_library_does() {
    let end = example_1_by_the_program();
    let last = example_1_by_run().pop().unwrap();
    assert_same_bits(&[row(UNTIL, end.m, end.matrix())], &[last], "polhode run --method frb");
}
