//! A folder to run the built program in.

// Every test file uses another part of this.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A heavy top that is done in a moment, but not without a few thousand rows.
pub(crate) const TOP: &str = "\
[body]
inertia = [1.0, 5.0, 6.0]
[start]
omega = [10.0, 10.0, 10.0]
[torque]
kind = \"heavy-top\"
[method]
id = \"strang:compensated+exact\"
step = 0.001
[run]
until = 1.0
[output]
files = [\"top.csv\"]
[output.aem]
object_name = \"TOP\"
object_id = \"2026-001A\"
start_epoch = \"2026-01-01T00:00:00\"
";

/// An ensemble of the bodies in `b.csv`.
pub(crate) const TABLE: &str = "\
[bodies]
file = \"b.csv\"
[run]
times = [1.0]
";

/// A folder of its own, gone with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// One that holds `top.toml`.
    pub(crate) fn with_top() -> Self {
        let folder = Self::new();
        folder.write("top.toml", TOP);
        folder
    }

    /// One that holds this as `e.toml`.
    pub(crate) fn with_ensemble(text: &str) -> Self {
        let folder = Self::new();
        folder.write("e.toml", text);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of everything in it, also in folders below, in order; without what says how files were made.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        list(self.0.path(), self.0.path(), &mut names);
        names.retain(|name| !name.ends_with(".meta.json"));
        names.sort();
        names
    }

    /// The program in this folder.
    pub(crate) fn polhode(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polhode"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// The same with the arguments in one line, done.
    pub(crate) fn run(&self, line: &str) -> CommandOutcome {
        CommandOutcome::from(self.polhode(line.split_whitespace()).output().unwrap())
    }

    /// What is said about bad input, with exit code 2 and nothing on stdout.
    pub(crate) fn refused(&self, line: &str) -> String {
        let ended = self.run(line);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        ended.stderr
    }

    /// The stdout of a command that must succeed in silence.
    pub(crate) fn good(&self, line: &str) -> String {
        let ended = self.run(line);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{line}");
        ended.stdout
    }
}

fn list(root: &Path, folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(root, &path, names);
        } else {
            names.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct CommandOutcome {
    /// None after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for CommandOutcome {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}
