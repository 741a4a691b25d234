//! What can go wrong in a command, and the exit code it has.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::output::SCHEMA;

/// The exit code after Ctrl-C: 128 plus the number of the signal, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the user gave cannot be used. The message begins with the option, `--inertia: ...`, or
    /// the file.
    Input(String),
    /// The answer is no, and has been written.
    Verdict,
    /// It went wrong on the way: a step that has no solution, a file that cannot be written.
    Running(String),
    /// The results could not be written to stdout.
    Output(io::Error),
    /// Ctrl-C. The message says how to go on.
    Interrupted(String),
}

impl Failure {
    /// Something with a file went wrong on the way.
    pub(crate) fn file(path: &Path, what: &str, e: &io::Error) -> Self {
        Self::Running(format!("{}: {what}: {e}", path.display()))
    }

    /// The message for the user.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Input(message) | Self::Running(message) | Self::Interrupted(message) => {
                message.clone()
            }
            Self::Verdict => String::new(),
            Self::Output(e) => format!("cannot write the results: {e}"),
        }
    }

    /// The same, and where the rows are that were written before.
    pub(crate) fn leaving(self, parts: Option<String>) -> Self {
        let Some(parts) = parts else { return self };
        let told = |message| format!("{message}\nThe rows so far are in {parts}");
        match self {
            Self::Input(message) => Self::Input(told(message)),
            Self::Running(message) => Self::Running(told(message)),
            Self::Interrupted(message) => Self::Interrupted(told(message)),
            other => other,
        }
    }

    /// Only that the reader of the results has left, which is no failure of its own: `| head` has
    /// read what it wanted.
    fn reader_left(&self) -> bool {
        matches!(self, Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What happened as a JSON document; none for what has been written already, or cannot be.
    pub(crate) fn document(&self) -> Option<String> {
        match self {
            Self::Input(message) => Some(document("input", message, 2)),
            Self::Running(message) => Some(document("running", message, 1)),
            Self::Interrupted(message) => Some(document("interrupted", message, INTERRUPTED)),
            Self::Verdict | Self::Output(_) => None,
        }
    }

    /// Says on stderr what happened and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Verdict => ExitCode::FAILURE,
            Self::Output(_) if self.reader_left() => ExitCode::SUCCESS,
            Self::Interrupted(message) => {
                tell(format_args!("{message}"));
                ExitCode::from(INTERRUPTED)
            }
            Self::Input(_) | Self::Running(_) | Self::Output(_) => {
                tell(format_args!("error: {}", self.message()));
                if matches!(self, Self::Input(_)) { ExitCode::from(2) } else { ExitCode::FAILURE }
            }
        }
    }
}

/// How a command ends that has written its results, and perhaps found something wrong: a reader that leaves early
/// does not make it right.
pub(crate) fn concluded(
    written: Result<(), Failure>,
    wrong: Option<Failure>,
) -> Result<(), Failure> {
    match (written, wrong) {
        (Err(failure), _) if !failure.reader_left() => Err(failure),
        (_, Some(wrong)) => Err(wrong),
        (written, None) => written,
    }
}

/// Writes a line to stderr. Where that is closed or full, nobody is left to tell, and the exit code says it all.
pub(crate) fn tell(line: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// An error as a JSON document.
pub(crate) fn document(kind: &str, message: &str, code: u8) -> String {
    let message = message.trim_end().trim_start_matches("error: ");
    serde_json::json!({
        "schema": SCHEMA,
        "polhode": env!("CARGO_PKG_VERSION"),
        "error": { "kind": kind, "message": message, "exit_code": code },
    })
    .to_string()
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(e: serde_json::Error) -> Self {
        Self::Output(e.into())
    }
}
