//! The library from C and Fortran: built with their compilers, shared and static, and compared with
//! the Rust library to the bit.
//!
//! These tests need gcc, gfortran, nm, pkg-config and valgrind, and are ignored otherwise; `cargo xtask
//! test` runs them where the tools are. They install the library with `cargo xtask install --debug` first: the bits
//! are those of a release, which `cargo xtask dist` tries.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

mod drivers;
mod examples;
mod hostile;
mod installed;
mod symbols;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Sources of this crate.
fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where the library is installed; installs it when first asked.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = folder("prefix");
        let mut install = Command::new(env!("CARGO"));
        install.args(["xtask", "install", "--debug", "--prefix"]).arg(&prefix);
        install.current_dir(sources());
        good(&mut install);
        prefix
    })
}

/// The output of a command that must succeed.
fn good(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    output
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(good(command).stdout).unwrap()
}

/// How a program is linked with the library.
#[derive(Clone, Copy, Debug)]
enum Link {
    Shared,
    Static,
}

const LINKS: [Link; 2] = [Link::Shared, Link::Static];

/// Compiles sources of this crate to a program in `folder`.
fn compile(compiler: &str, link: Link, folder: &Path, flags: &[&str], files: &[&str]) -> PathBuf {
    let lib = prefix().join("lib");
    let program = folder.join(format!("program-{link:?}"));
    let mut command = Command::new(compiler);
    // Module files are written to the working folder.
    command.current_dir(folder).args(["-Wall", "-Wextra", "-Werror"]).args(flags);
    command.arg("-I").arg(prefix().join("include")).arg("-o").arg(&program);
    for file in files {
        command.arg(sources().join(file));
    }
    match link {
        Link::Shared => command.arg("-L").arg(lib).arg("-lpolhode"),
        Link::Static => command.arg(lib.join("libpolhode.a")).args(["-ldl"]),
    };
    good(command.args(["-lm", "-lpthread"]));
    program
}

/// A program, to be run in `folder` with the library at hand.
fn program(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("LD_LIBRARY_PATH", prefix().join("lib"));
    command
}

/// The rows of numbers in a text: comments left out, and a leading word if there is one.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    text.lines().filter(|line| !line.trim_start().starts_with('#')).map(row).collect()
}

/// Fails unless two tables have the same bits.
fn assert_same_bits(got: &[Vec<f64>], want: &[Vec<f64>], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: rows");
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(got), bits(want), "{what}, row {n}: {got:?} but {want:?}");
    }
}
