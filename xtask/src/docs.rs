//! Documentation that a test writes, so that it cannot drift from the code: the test makes the text
//! anew and compares, and with [`UPDATE`] in its environment it writes the file instead. And the site that is made of
//! all documents.

use crate::machine::{command, run};
use crate::metadata::target_folder;
use crate::playground;
use crate::run::{MissingToolRule, Verdict, prepare};
use crate::suites::{Line, PYTHON};

const UPDATE: &str = "POLHODE_UPDATE_DOCS";

struct Document {
    /// From the root of the repository.
    path: &'static str,
    /// Runs the test.
    line: Line,
}

static DOCUMENTS: &[Document] = &[
    Document {
        path: "docs/accuracy.md",
        line: &["cargo", "test", "--package", "polhode", "--test", "suite", "accuracy"],
    },
    Document {
        path: "docs/methods.md",
        line: &["cargo", "test", "--package", "polhode", "--test", "suite", "method_tables"],
    },
    Document {
        path: "docs/scenario.md",
        line: &[
            "cargo",
            "test",
            "--package",
            "polhode-cli",
            "--test",
            "suite",
            "scenario_reference",
        ],
    },
    Document {
        path: "docs/reproduction.md",
        line: &["cargo", "test", "--package", "polhode-experiments", "--test", "suite", "document"],
    },
    Document {
        path: "crates/polhode-c/include/polhode.h",
        line: &["cargo", "test", "--package", "polhode-c", "--test", "header"],
    },
    Document {
        path: "crates/polhode-step/include/polhode_step.h",
        line: &["cargo", "test", "--package", "polhode-step", "--test", "header"],
    },
];

/// Writes every document, or compares only. True if all went well.
fn generate(check: bool) -> bool {
    let mut well = true;
    for document in DOCUMENTS {
        let mut test = command(document.line);
        if check {
            test.env_remove(UPDATE);
        } else {
            test.env(UPDATE, "1");
        }
        let passed = run(&mut test);
        well &= passed;
        let verdict = match (passed, check) {
            (true, true) => "up to date",
            (true, false) => "written",
            (false, true) => "out of date; `cargo xtask docs` writes it anew",
            (false, false) => "not written, its test failed",
        };
        println!("{}: {verdict}", document.path);
    }
    well
}

/// What `docs` is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Docs {
    /// The generated documents, then the site.
    All,
    /// Whether the generated documents are up to date.
    Check,
    /// The site alone.
    Site,
}

impl Docs {
    pub(crate) fn run(self) -> bool {
        match self {
            Self::All => generate(false) && site(),
            Self::Check => generate(true),
            Self::Site => site(),
        }
    }
}

/// The steps that lead to an environment in which the site can be built, in `target/site-python`.
const ENVIRONMENT: [Line; 2] = [
    &["python3", "-m", "venv", "target/site-python"],
    &[
        "target/site-python/bin/python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "--requirement",
        "docs/site/requirements.txt",
        "./crates/polhode-python",
    ],
];

/// Builds the site in `target/site`: fails if a link is dead, or a command of a tutorial does not run.
pub(crate) fn site() -> bool {
    if let Verdict::LeaveOut(reason) | Verdict::Fail(reason) =
        prepare(&[&PYTHON], MissingToolRule::on_this_machine())
    {
        eprintln!("error: {reason}");
        return false;
    }
    let (Some(page), Ok(target)) = (playground::make(), target_folder()) else { return false };
    let program = command(&["cargo", "build", "--package", "polhode-cli"]);
    let prepared = [program]
        .into_iter()
        .chain(ENVIRONMENT.iter().map(|line| command(line)))
        .all(|mut c| run(&mut c));
    let mut build = command(&["target/site-python/bin/python", "docs/site/build.py", "--program"]);
    build.arg(target.join("debug/polhode")).arg("--playground").arg(page);
    prepared && run(build.arg("--to").arg(target.join("site")))
}
