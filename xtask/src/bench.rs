//! `cargo xtask bench`: builds and starts `crates/polhode-bench`, which does the measuring.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::machine::{command, root, run};

/// The documents that `--write` writes, from the root of the repository.
const DOCUMENT: &str = "docs/performance.md";
const ELLIPTIC_DOCUMENT: &str = "docs/elliptic-speed.md";

/// Counts instructions, and compares them with those of the repository.
pub(crate) const COUNTS: &[&str] = &[
    "cargo",
    "run",
    "--release",
    "--package",
    "polhode-bench",
    "--example",
    "polhode-bench",
    "--",
    "counts",
];

/// What a benchmark is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Bench {
    /// Handed on as they are.
    pub(crate) options: Vec<String>,
    pub(crate) python: bool,
    pub(crate) write: bool,
    pub(crate) update_counts: bool,
}

impl Bench {
    pub(crate) fn parse(options: &[String]) -> Result<Self, String> {
        let mut bench = Self::default();
        for option in options {
            match option.as_str() {
                "--json" | "--quick" | "--full" | "--elliptic" => {
                    bench.options.push(option.clone());
                }
                "--python" => bench.python = true,
                "--write" => bench.write = true,
                "--update-counts" => bench.update_counts = true,
                other => {
                    return Err(format!(
                        "unknown option `{other}` of `bench`: expected `--json`, `--quick`, `--full`, \
                         `--elliptic`, `--python`, `--write` or `--update-counts`"
                    ));
                }
            }
        }
        if bench.update_counts && options.len() > 1 {
            return Err("`--update-counts` measures nothing else: it stands alone".to_owned());
        }
        Ok(bench)
    }

    /// True if all went well.
    pub(crate) fn run(&self) -> bool {
        if self.update_counts {
            return run(command(COUNTS).arg("--update"));
        }
        let mut bench = command(&[
            "cargo",
            "run",
            "--release",
            "--package",
            "polhode-bench",
            "--example",
            "polhode-bench",
            "--features",
            "peers",
            "--",
        ]);
        bench.args(&self.options);
        if self.python {
            bench.arg("--python").arg(python());
        }
        if self.write {
            let elliptic = self.options.iter().any(|option| option == "--elliptic");
            let document = if elliptic { ELLIPTIC_DOCUMENT } else { DOCUMENT };
            bench.arg("--write").arg(root().join(document));
        }
        run(&mut bench)
    }
}

/// A Python with SciPy, heyoka and our package, of its own. What cannot be installed is missed by the benchmark,
/// which then says so.
fn python() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("bench-python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        silently(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()]);
    }
    silently(&python, &["-m", "pip", "install", "--quiet", "scipy", "heyoka"]);
    let package = root().join("crates/polhode-python");
    silently(&python, &["-m", "pip", "install", "--quiet", &package.to_string_lossy()]);
    python
}

/// Stdout is the benchmark's, which may be writing JSON.
fn silently(program: &Path, arguments: &[&str]) {
    run(Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()));
}
