//! Documentation that a test writes, so that it cannot drift from the code: the test makes the text
//! anew and compares, and with [`UPDATE`] in its environment it writes the file instead.

use crate::machine::{command, run};
use crate::suites::Line;

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
        line: &["cargo", "test", "--package", "polhode-experiments", "--test", "document"],
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
pub(crate) fn generate(check: bool) -> bool {
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
