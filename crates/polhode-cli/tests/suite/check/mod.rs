//! `polhode check` from outside, and its reader of CSV files under mutation.

mod bad;
mod forms;
mod mutants;
mod verdicts;

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use polhode::{FreeMotion, Inertia, State, so3};

pub(crate) const BODY: [&str; 2] = ["--inertia", "1,2,2.5"];

pub(crate) fn inertia() -> Inertia {
    Inertia::principal([1.0, 2.0, 2.5]).unwrap()
}

pub(crate) fn start() -> State {
    State::new([0.5, 1.1, -0.4], so3::from_wxyz([0.8, 0.4, -0.4, 0.2])).unwrap()
}

/// The exact motion in rows.
pub(crate) fn exact(count: u32, h: f64) -> Vec<(f64, State)> {
    let motion = FreeMotion::new(&inertia(), start()).unwrap();
    (0..=count).map(|n| f64::from(n) * h).map(|t| (t, motion.at(t).unwrap())).collect()
}

/// A file of this program's own form: t, m, w, q.
pub(crate) fn csv(rows: &[(f64, State)]) -> String {
    let mut text = "t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3\n".to_owned();
    for (t, s) in rows {
        let (m, w, q) = (s.m, s.omega(&inertia()), s.attitude());
        let numbers = [m.to_array(), w.to_array()].concat();
        let numbers = numbers.iter().chain(&q).fold(String::new(), |l, x| l + &format!(",{x:?}"));
        writeln!(text, "{t:?}{numbers}").unwrap();
    }
    text
}

/// Runs `polhode check` in a folder.
pub(crate) fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polhode"));
    command.arg("check").args(arguments).current_dir(folder).output().unwrap()
}

/// Exit code, stdout, stderr.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = check(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The same for one file of this text, of the body of these tests.
pub(crate) fn run_on(csv: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), csv).unwrap();
    run(folder.path(), &[&["a.csv"], &BODY[..], more].concat())
}
