//! The C header has the bits of the crate, in every compiler mode and in C++.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polhode_step::{Inertia, step, step_body};
use polhode_testkit::bodies::Rng;

/// Moments, frame, tensor, angular velocity, rotation, time.
type Case = [f64; 24];

fn cases() -> Vec<Case> {
    let mut rng = Rng::new(24);
    let extremes = [0.0, 5e-324, 1e-200, 1e-30, -1.0, 1e30, 1e200, f64::MAX];
    let mut cases = Vec::new();
    for round in 0..600 {
        let mut case: Case = core::array::from_fn(|_| rng.uniform(-1.0, 1.0));
        for moment in &mut case[..3] {
            *moment = rng.log_uniform(0.1, 10.0);
        }
        if round % 10 == 0 {
            case[1] = case[0];
            case[2] = case[0];
        }
        // Row 1 of the tensor is a, b, c, row 2 is b, d, e, row 3 is c, e, f.
        let [a, d, f] = [case[0] + 3.0, case[1] + 3.0, case[2] + 3.0];
        let [b, c, e] = [case[8], case[9], case[12]];
        case[7..16].copy_from_slice(&[a, b, c, b, d, e, c, e, f]);
        if round % 4 != 3 {
            let length = case[19..23].iter().map(|x| x * x).sum::<f64>().sqrt();
            case[19..23].iter_mut().for_each(|x| *x /= length);
        }
        case[23] = rng.sign() * rng.log_uniform(1e-4, 30.0);
        if round % 5 == 4 {
            // Two numbers anywhere are at the end of the range.
            for _ in 0..2 {
                case[rng.below(24)] = extremes[rng.below(extremes.len())];
            }
        }
        cases.push(case);
    }
    cases
}

/// What the driver is to print.
#[allow(clippy::cast_possible_truncation, reason = "as the driver does")]
fn expected(case: &Case) -> String {
    let moments = [case[0], case[1], case[2]];
    let frame = [case[3], case[4], case[5], case[6]];
    let rows = core::array::from_fn(|i| core::array::from_fn(|j| case[7 + 3 * i + j]));
    let bodies = [
        Inertia::principal(moments),
        Inertia::principal_in_frame(moments, frame),
        Inertia::tensor::<f64>(rows),
    ];
    let mut line = String::new();
    for body in &bodies {
        for world in [false, true] {
            let mut omega = [case[16], case[17], case[18]];
            let mut q = [case[19], case[20], case[21], case[22]];
            let (mut omega_f32, mut q_f32) = (omega.map(|x| x as f32), q.map(|x| x as f32));
            if world {
                step(body, &mut omega, &mut q, case[23]);
                step(body, &mut omega_f32, &mut q_f32, case[23] as f32);
            } else {
                step_body(body, &mut omega, &mut q, case[23]);
                step_body(body, &mut omega_f32, &mut q_f32, case[23] as f32);
            }
            for x in omega.iter().chain(&q) {
                write!(line, "{:016x} ", x.to_bits()).expect("a string takes everything");
            }
            for x in omega_f32.iter().chain(&q_f32) {
                write!(line, "{:08x} ", x.to_bits()).expect("a string takes everything");
            }
        }
    }
    line
}

fn compiled(compiler: &str, flags: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("step{}", flags.join("")));
    let status = Command::new(compiler)
        .args(flags)
        .args(["-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root.join("include"))
        .arg(root.join("tests/native/driver.c"))
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .status()
        .expect("a compiler");
    assert!(status.success(), "{compiler} {flags:?}");
    program
}

fn printed(program: &Path, cases: &[Case]) -> String {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program that was just compiled");
    let mut text = String::new();
    for x in cases.iter().flatten() {
        write!(text, "{:016x} ", x.to_bits()).expect("a string takes everything");
    }
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("a thread").expect("a pipe that takes everything");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("digits")
}

#[test]
#[ignore = "needs gcc and g++: run by `cargo xtask test`, suite c-fortran"]
fn the_header_has_the_bits_of_the_crate() {
    let cases = cases();
    let want: Vec<String> = cases.iter().map(expected).collect();
    for (compiler, flags) in [
        ("gcc", &["-std=c99", "-O0"][..]),
        ("gcc", &["-std=gnu17", "-O3"]),
        ("g++", &["-x", "c++", "-std=c++11", "-O2"]),
    ] {
        let text = printed(&compiled(compiler, flags), &cases);
        assert_eq!(text.lines().count(), cases.len());
        for ((got, want), case) in text.lines().zip(&want).zip(&cases) {
            assert_eq!(got, want, "{compiler} {flags:?}: {case:?}");
        }
    }
}
