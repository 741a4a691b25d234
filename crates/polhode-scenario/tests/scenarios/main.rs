//! Scenarios: those of the folder run, bad ones say what is wrong, and no text breaks the reader.

mod bad;
mod files;
mod forms;
mod given;
mod mutants;
mod overrides;
mod reference;
mod shipped;

use std::path::PathBuf;

/// A good scenario; others are made from it, line by line.
pub(crate) const BASE: &str = r#"[body]
inertia = [1.0, 5.0, 6.0]
[start]
omega = [10.0, 10.0, 10.0]
attitude = [1.0, 0.0, 0.0, 0.0]
[torque]
kind = "heavy-top"
up = [0, 0, 1]
[method]
id = "rkn6-14+semi-exact"
nodes = 5
step = 0.01
[run]
until = 1.0
every = 10
[output]
files = ["a.csv", "b.aem"]
[output.aem]
object_name = "X"
object_id = "2026-001A"
start_epoch = "2026-01-01T00:00:00"
"#;

/// The base with a line (from 1) in place of another.
pub(crate) fn with_line(number: usize, new: &str) -> String {
    let lines = BASE.lines().zip(1..);
    lines
        .map(|(line, n)| if n == number { new } else { line })
        .fold(String::new(), |t, line| t + line + "\n")
}

/// The scenarios of the project.
pub(crate) fn shipped_files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    let entries = std::fs::read_dir(folder).expect("the folder of scenarios");
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.expect("an entry").path()).filter(|p| p.is_file()).collect();
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    files
}
